#!/bin/sh
# trial.sh - memroute system trial ends by itself, whatever happens.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/system/tree.sh
. "${srcdir:-.}/tests/system/tree.sh"
need_root
need_program script

# The mounts of a trial are seen in the caller's namespace: a private one.
[ "${MEMROUTE_TEST_INSIDE:-}" = yes ] ||
	MEMROUTE_TEST_INSIDE=yes exec unshare -m "$0"

make_work
root=$work/root
file=$root/etc/ld.so.preload
make_tree "$root"

trial()
{
	system trial --root "$root" --library "$installed" --yes "$@" \
		>"$work/log"
}

is_mounted()
{
	grep -q " $file " /proc/self/mountinfo
}

is_over()
{
	! is_mounted
}

is_gone()
{
	! [ -e "$file" ]
}

is_loaded()
{
	in_tree "$root" /bin/cat /proc/self/maps | grep -q libmemroute.so
}

# The process that waits for the end of the trial in the tree.
watcher()
{
	grep -lzFx "$root" /proc/[0-9]*/cmdline 2>/dev/null |
		cut -d/ -f3 | while read -r pid; do
		[ "$(readlink "/proc/$pid/cwd")" = / ] && echo "$pid"
	done
}

no_watcher()
{
	[ -z "$(watcher)" ]
}

begins()
{
	expect trial "$1"
	is_mounted || fail "no trial: $(cat "$work/log")"
	is_loaded || fail "the trial does not load the library"
	system status --root "$root" | grep -qx 'state: trial' ||
		fail "status does not say trial"
}

# ends: the file is what it was, and nobody waits any more.
ends()
{
	expect within 60 is_over
	expect within 60 no_watcher
	if [ -e "$work/before" ]; then
		expect cmp "$work/before" "$file"
	else
		expect within 60 is_gone
	fi
}

with_file()
{
	printf '/bin/other.so' >"$file"
	chmod 600 "$file"
	chmod a+r "$file"
	cp -p "$file" "$work/before"
}

without_file()
{
	rm -f "$file" "$work/before"
}

test_time()
{
	without_file
	begins 2
	ends
	with_file
	begins 2 2>/dev/null
	ends
	without_file
}

# Every dynamic program of the tree dies, the terminal hangs up.
test_broken_library()
{
	begins 4
	kill -HUP "$(watcher)"
	cp -p "$root$installed" "$work/good.so"
	: >"$root$installed"
	truncate -s 4096 "$root$installed"
	head -c 4096 "$work/good.so" | dd of="$root$installed" conv=notrunc \
		2>/dev/null
	in_tree "$root" /bin/true 2>/dev/null &&
		fail "the broken library breaks nothing: no test"
	ends
	expect in_tree "$root" /bin/true
	cp -p "$work/good.so" "$root$installed"
}

test_terminal()
{
	expect script -qec "'$memroute' system trial 3 --yes --root '$root' \
		--library '$installed'" /dev/null >"$work/log" </dev/null
	is_mounted || fail "the trial ended with its terminal"
	ends
}

test_signal()
{
	begins 600
	kill -TERM "$(watcher)"
	ends
}

test_disable()
{
	begins 600
	refused 'a trial is running' system enable --root "$root" \
		--library "$installed" --yes
	refused 'a trial is running' trial 5
	expect system disable --root "$root" >"$work/log"
	ends
}

test_confirm()
{
	refused 'no trial' system trial --confirm --root "$root"
	begins 600
	expect system trial --confirm --root "$root" >"$work/log"
	is_mounted && fail "confirmed, and still mounted"
	expect within 60 no_watcher
	[ "$(cat "$file")" = "/usr/\$LIB/libmemroute.so" ] ||
		fail "not confirmed: $(cat "$file")"
	expect is_loaded
	expect system disable --root "$root" >"$work/log"
	expect is_gone
}

test_confirm_keeps_the_file()
{
	with_file
	begins 600 2>/dev/null
	expect system trial --confirm --root "$root" >"$work/log"
	[ "$(tail -n +2 "$file")" = /bin/other.so ] || fail "bytes not kept"
	[ "$(stat -c %a "$file")" = 644 ] || fail "mode not kept"
	expect system disable --root "$root" >"$work/log"
	expect cmp "$work/before" "$file"
	begins 600 2>/dev/null
	umount "$file"
	echo changed >"$file"
	no_watcher || expect within 60 no_watcher
	[ "$(cat "$file")" = changed ] || fail "a changed file was touched"
	without_file
}

# Killed as soon as the file is mounted: the time runs all the same.
test_killed()
{
	command -v strace >/dev/null ||
		{ echo "skipped: strace is not installed"; return; }
	strace -qq -e trace=mount,close -o "$work/trace" "$memroute" \
		system trial 1 --yes --root "$root" --library "$installed" \
		>"$work/log" 2>&1
	closes=$(awk '/^close/ { n++ } /^mount/ { print n + 1 }' "$work/trace")
	ends
	strace -qq -e trace=close -o /dev/null \
		-e inject="close:signal=KILL:when=$closes" \
		"$memroute" system trial 2 --yes --root "$root" \
		--library "$installed" >"$work/log" 2>&1
	[ $? -eq 137 ] || fail "not killed: no test"
	is_mounted || fail "killed too early: no test"
	ends
}

# On a kernel without close_range the end of the connection must be seen too.
test_old_kernel()
{
	command -v strace >/dev/null ||
		{ echo "skipped: strace is not installed"; return; }
	timeout 60 strace -f -qq -e trace=close_range -o "$work/trace" \
		-e inject=close_range:error=ENOSYS "$memroute" system trial 2 \
		--yes --root "$root" --library "$installed" >"$work/log" 2>&1
	grep -q INJECTED "$work/trace" || fail "no close_range: no test"
	ends
}

test_usage()
{
	for bad in '' 0 -1 1x 100000 '5 6' '5 --confirm'; do
		# shellcheck disable=SC2086 # several words
		"$memroute" system trial $bad --root "$root" \
			>"$work/stdout" 2>"$work/stderr"
		[ $? -eq 2 ] || fail "'$bad': not status 2"
		[ "$(wc -l <"$work/stderr")" -eq 1 ] || fail "'$bad': one line"
	done
}

test_time
test_broken_library
test_terminal
test_signal
test_disable
test_confirm
test_confirm_keeps_the_file
test_killed
test_old_kernel
test_usage
finish
