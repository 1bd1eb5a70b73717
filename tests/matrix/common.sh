# common.sh - what the parts of the matrix share; sourced, not run.
# shellcheck shell=sh disable=SC2034  # some are for those who source this
# SPDX-License-Identifier: BSD-3-Clause
#
# A part prints "ok", "FAIL" and "SKIP" lines, and ends with finish.
# Downloads are kept in $cache from one run to the next; all else is written
# below $work, which goes when the part ends.

: "${srcdir:=$(cd "$(dirname "$0")/../.." && pwd)}"
: "${builddir:=$PWD}"
here=$srcdir/tests/matrix
library=$builddir/.libs/libmemroute.so
cache=${MEMROUTE_TEST_CACHE:-${XDG_CACHE_HOME:-${TMPDIR:-/tmp}}/memroute-matrix}
CC=${CC:-gcc}
part=${0##*/}
failures=0
unset MEMROUTE LD_PRELOAD LD_LIBRARY_PATH

work=$(mktemp -d "${TMPDIR:-/tmp}/memroute-matrix.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

ok() { echo "ok   $part: $*"; }

fail()
{
	echo "FAIL $part: $*"
	failures=$((failures + 1))
}

# skip REASON: nothing of this part, or no more of it, can be tested here.
skip()
{
	echo "SKIP $part: $*"
	[ $failures -eq 0 ] || exit 1
	exit 77
}

# finish: the end of a part
finish()
{
	[ $failures -eq 0 ] || exit 1
	exit 0
}

# need_command NAME PACKAGE
need_command()
{
	command -v "$1" >/dev/null || skip "no $1 (Debian package $2)"
}

# need_file NAME PACKAGE
need_file()
{
	[ -e "$1" ] || skip "no $1 (Debian package $2)"
}

# need_x86_64: skips the part unless the library of this build folder is for
# x86-64 and glibc
need_x86_64()
{
	need_command readelf binutils
	readelf -h "$library" | grep -q X86-64 &&
		readelf -d "$library" | grep -q 'libc\.so\.6' ||
		skip "this build folder is not for x86-64 and glibc"
}

# expect WHAT WANTED FOUND
expect()
{
	if [ "$2" = "$3" ]; then
		ok "$1: $2"
	else
		fail "$1: wanted '$2', found '$3'"
	fi
}

# value KEY FILE: what MEMROUTE=verbose said of KEY in FILE
value() { sed -n "s/^memroute: $1=//p" "$2"; }

# compile CC SOURCE OUTPUT [OPTION...]: a test program or library
compile()
{
	compiler=$1 source=$2 output=$3
	shift 3
	# shellcheck disable=SC2086  # a compiler may come with options
	$compiler -std=gnu11 -Wall -Wextra -O2 -o "$work/$output" \
		"$here/$source" "$@"
}

# kernel_of FILE: the kernel that state said in FILE
kernel_of() { sed -n 's/^kernel=//p' "$1"; }

# build NAME OPTION...: configures and builds the library in $work/NAME, from
# the sources as they would be released.
build()
{
	name=$1
	shift
	make -s -C "$builddir" distdir distdir="$work/source" \
		>"$work/dist.log" 2>&1 || return 1
	mkdir "$work/$name" || return 1
	(cd "$work/$name" &&
		"$work/source/configure" --disable-tools "$@" &&
		make -j2 libmemroute.la) >"$work/$name.log" 2>&1 && return
	tail -n 5 "$work/dist.log" "$work/$name.log"
	return 1
}
