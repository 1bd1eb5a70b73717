# shellcheck shell=bash
# lib.sh - what the shell tests share; to be sourced by bash.
#
# From the environment (make check and make installcheck set it):
#   LIBRARY       the library under test
#   top_srcdir    the source tree
#   top_builddir  the build tree, for the tests that build something
#   CC, MAKE      as the build was configured
# SPDX-License-Identifier: BSD-3-Clause

set -u
export LC_ALL=C

tests=$(cd "$(dirname "$0")" && pwd)
top_srcdir=${top_srcdir:-$(dirname "$tests")}
top_builddir=${top_builddir:-$PWD}
LIBRARY=${LIBRARY:-$top_builddir/.libs/libmemroute.so}
CC=${CC:-cc}
MAKE=${MAKE:-make}

# What the user's shell has set must not decide a test.
unset MEMROUTE LD_PRELOAD LD_BIND_NOW LD_AUDIT LD_PROFILE LD_DEBUG
unset GLIBC_TUNABLES MAKEFLAGS MAKELEVEL MFLAGS

failures=0
passes=0

# skip REASON: the whole test.
skip()
{
	echo "SKIP: $*"
	exit 77
}

# omit WHAT REASON: a part of the test.
omit()
{
	echo "skipped: $*"
}

fail()
{
	echo "FAIL: $*"
	failures=$((failures + 1))
}

pass()
{
	passes=$((passes + 1))
}

# expect WHAT GOT WANTED
expect()
{
	if test "$2" = "$3"; then
		pass
	else
		fail "$1: got '${2:0:800}', want '${3:0:800}'"
	fi
}

# check WHAT COMMAND...: the command must succeed
check()
{
	local what=$1

	shift
	if "$@"; then
		pass
	else
		fail "$what"
	fi
}

# said WHAT PATTERN: a line of $temporary/errors must match
said()
{
	check "$1; stderr: $(head -c 1000 "$temporary/errors")" \
		grep -q -- "$2" "$temporary/errors"
}

# need COMMAND...: skips the test without them.
need()
{
	local command

	for command; do
		command -v "$command" >/dev/null ||
			skip "$command is not installed"
	done
}

finish()
{
	echo "$passes passed, $failures failed"
	test "$passes" -gt 0 || fail "nothing was tested"
	test "$failures" -eq 0
	exit
}

temporary=$(mktemp -d) || exit 99
trap 'rm -rf "$temporary"' EXIT
trap 'exit 129' HUP INT TERM

# has_ifunc: a resolver fills the slot of the library, not a constructor
has_ifunc()
{
	readelf -rW "$LIBRARY" | grep -q IRELATIV
}

# compile PROGRAM SOURCE [OPTION...]: a program of tests/programs, with the
# compiler of the build and no more flags than it asks for.
compile()
{
	local program=$1 source=$2

	shift 2
	# shellcheck disable=SC2086 # CC may hold options
	$CC -std=gnu11 -I"$top_srcdir/src" -DWITH_IFUNC=1 \
		-o "$temporary/$program" "$top_srcdir/tests/programs/$source" \
		"$@" -ldl || { fail "cannot compile $source"; return 1; }
}

test -f "$LIBRARY" || skip "no library at $LIBRARY"

# in_namespace COMMAND...: in a mount namespace of its own; fails without the
# right to make one.
in_namespace()
{
	if test "$(id -u)" = 0; then
		unshare -m "$@"
	else
		unshare -rm "$@"
	fi
}
