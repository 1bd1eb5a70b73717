# tree.sh - small root trees for the tests of memroute system. Sourced, with
# the build directory as working directory. The machine's own
# /etc/ld.so.preload is never touched: everything has --root.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=sh

set -u
export LC_ALL=C
unset MEMROUTE LD_PRELOAD LD_BIND_NOW LD_AUDIT LD_PROFILE LD_DEBUG
memroute=$PWD/memroute
library=$PWD/.libs/libmemroute.so
# shellcheck disable=SC2034 # for the tests
installed=/usr/lib/x86_64-linux-gnu/libmemroute.so
failures=0

skip()
{
	echo "skipped: $*"
	exit 77
}

fail()
{
	echo "FAILED: $*"
	failures=$((failures + 1))
}

# Counts as a failure unless the command succeeds.
expect()
{
	"$@" || fail "$*"
}

# within SECONDS COMMAND...: tries it until it succeeds.
within()
{
	left=$((10 * $1))
	shift
	until "$@"; do
		[ $left -gt 0 ] || return 1
		left=$((left - 1))
		sleep 0.1
	done
}

# refused REASON COMMAND...: fails with status 1, and says REASON in the last
# line on stderr.
refused()
{
	reason=$1
	shift
	if "$@" >"$work/stdout" 2>"$work/stderr"; then
		fail "not refused ($reason): $*"
	elif ! grep -q -- "$reason" "$work/stderr"; then
		fail "another reason than '$reason': $(cat "$work/stderr")"
	fi
}

finish()
{
	[ "$failures" -eq 0 ] && exit 0
	echo "$failures failures"
	exit 1
}

need_root()
{
	[ "$(id -u)" -eq 0 ] || skip "needs root (mount namespaces, chroot)"
	unshare -m true 2>/dev/null || skip "cannot make mount namespaces"
	[ -x "$memroute" ] || skip "memroute is not built"
	[ "$(uname -m)" = x86_64 ] || skip "needs an x86-64 kernel"
	head -c 5 "$library" | tail -c 1 | od -An -tx1 | grep -q 02 ||
		skip "this build is not a 64-bit one"
}

need_program()
{
	for program in "$@"; do
		command -v "$program" >/dev/null ||
			skip "$program is not installed"
	done
}

# A directory for the test, removed at its end with all that is below.
make_work()
{
	work=$(mktemp -d "${TMPDIR:-/tmp}/memroute-test.XXXXXX") || exit 99
	chmod 755 "$work"
	trap 'clean_work' EXIT
	trap 'exit 99' HUP INT TERM
}

clean_work()
{
	awk -v top="$work/" 'index($5, top) == 1 { print $5 }' \
		/proc/self/mountinfo | sort -r | while read -r mount; do
		umount -l "$mount"
	done
	rm -rf --one-file-system "$work"
}

# add_program TREE FILE [DEST]: FILE and the libraries that it needs.
add_program()
{
	mkdir -p "$1$(dirname "${3:-$2}")"
	cp -L "$2" "$1${3:-$2}"
	ldd "$2" 2>/dev/null | grep -o '/[^ ]*' | while read -r file; do
		[ -e "$1$file" ] && continue
		mkdir -p "$1$(dirname "$file")"
		cp -L "$file" "$1$file"
	done
}

# make_tree TREE: a shell, cat, true, the C++ library, and memroute's.
make_tree()
{
	mkdir -p "$1/etc" "$1/proc" "$1/mnt" "$1/tmp" "$1/run" "$1/bin" \
		"$1/lib" "$1/usr/lib/x86_64-linux-gnu"
	add_program "$1" /bin/sh
	add_program "$1" /bin/cat
	add_program "$1" /bin/true
	add_libstdcxx "$1"
	cp "$library" "$1$installed"
	chmod 755 "$1" "$1$installed"
	echo root:x:0:0::/:/bin/sh >"$1/etc/passwd"
}

add_libstdcxx()
{
	set -- "$1" "$(ldconfig -p |
		awk '/libstdc\+\+\.so\.6 .*x86-64/ { print $NF; exit }')"
	[ -e "$2" ] || return 0
	add_program "$1" "$2" "/usr/lib/x86_64-linux-gnu/libstdc++.so.6"
}

# in_tree TREE COMMAND...: runs it there, in a mount namespace with a /proc.
in_tree()
{
	tree=$1
	shift
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'mount -t proc proc "$1/proc" && shift &&
		exec chroot "$@"' sh "$tree" "$tree" "$@"
}

# commands NAME: those that the manual gives, as a shell reads them.
commands()
{
	sed -n "/^\.\\\\\" test: $1\$/,/^\.\\\\\" end/ {
		/^\.\\\\\"/d
		s/\\\\e/\\\\/g
		p
	}" "${srcdir:-.}/man/memroute-system.8" | grep . ||
		fail "no commands '$1' in the manual"
}

system()
{
	verb=$1
	shift
	"$memroute" system "$verb" "$@"
}
