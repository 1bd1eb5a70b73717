#!/bin/sh
# enable.sh - memroute system enable, disable and status in a root tree.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2119,SC2120,SC3044 # enable is a function here

# shellcheck source=tests/system/tree.sh
. "${srcdir:-.}/tests/system/tree.sh"
need_root
make_work
root=$work/root
file=$root/etc/ld.so.preload
make_tree "$root"

enable()
{
	system enable --root "$root" --library "$installed" --yes "$@"
}

disable()
{
	system disable --root "$root" "$@"
}

# What is needed to see that nothing else has changed.
picture()
{
	(cd "$root" && find . ! -path ./etc -printf '%p %m %U:%G %s %T@ %l\n' |
		sort)
}

is_same()
{
	cmp -s "$1" "$2" || fail "$3: $(cmp "$1" "$2" 2>&1)
$(od -c "$2" | head -n 8)"
}

is_loaded()
{
	in_tree "$root" /bin/cat /proc/self/maps 2>&1 |
		grep -q libmemroute.so
}

# round_trip NAME: whatever the file holds, the line comes and goes, and no
# other byte moves. The content is read from stdin.
round_trip()
{
	cat >"$file"
	chmod 640 "$file"
	chmod a+r "$file"
	cp "$file" "$work/before"
	expect enable >"$work/log"
	tail -n +2 "$file" >"$work/rest"
	if [ -s "$work/before" ]; then
		is_same "$work/before" "$work/rest" "$1: bytes not kept"
		head -n 1 "$file" | grep -Fqx "/usr/\$LIB/libmemroute.so" ||
			fail "$1: not the first line"
	fi
	is_loaded || fail "$1: enabled, but not loaded"
	cp "$file" "$work/enabled"
	expect enable >"$work/log"
	is_same "$work/enabled" "$file" "$1: enabling twice is not once"
	expect disable >"$work/log"
	is_same "$work/before" "$file" "$1: not restored"
	expect disable >"$work/log"
	is_same "$work/before" "$file" "$1: disabling twice is not once"
	rm -f "$file"
}

test_round_trips()
{
	printf '' | round_trip "an empty file"
	printf '\n' | round_trip "one newline"
	printf '# a comment\n' | round_trip "a comment"
	printf '# a comment' | round_trip "a comment without newline"
	printf '#' | round_trip "a comment sign"
	printf '\n\n \t:\n' | round_trip "separators only"
	printf '# libmemroute.so\n' | round_trip "a comment about us"
	printf '/bin/none.so' | round_trip "no final newline"
	printf '/bin/a.so /bin/b.so:/bin/c.so\n\n' | round_trip "three entries"
	printf '/bin/a.so\r\n/bin/b.so\r\n' | round_trip "DOS line ends"
	printf '/bin/a.so\n\0\n/bin/b.so\n' | round_trip "a NUL byte"
	printf '\357\273\277/bin/a.so\n' | round_trip "a byte order mark"
	head -c 100000 /dev/urandom | tr -d '\n' | tr / . |
		round_trip "noise"
}

# Other bytes than ours, put there by hand around the entry.
test_removes_only_the_entry()
{
	lib=/opt/lib/libmemroute.so
	while IFS='|' read -r before after; do
		printf "%b" "$before" >"$file"
		expect disable >"$work/log"
		if [ -z "$after" ]; then
			[ -e "$file" ] && fail "'$before': not removed"
			continue
		fi
		printf "%b" "$after" >"$work/after"
		is_same "$work/after" "$file" "'$before' without the entry"
	done <<-END
		$lib\\n|
		$lib|
		$lib\\r\\n|
		/a.so\\n$lib|/a.so\\n
		/a.so:$lib:/b.so\\n|/a.so:/b.so\\n
		/a.so $lib\\n|/a.so\\n
		$lib /a.so|/a.so
		$lib\\n/a.so\\n$lib\\n|/a.so\\n
		$lib # why\\n/a.so\\n|# why\\n/a.so\\n
		# $lib\\n$lib\\n|# $lib\\n
		/not$lib.1\\n|/not$lib.1\\n
		/x-libmemroute.so\\n|/x-libmemroute.so\\n
	END
	rm -f "$file"
}

test_no_file()
{
	picture >"$work/before"
	expect enable --dry-run >"$work/log"
	grep -q '^would add' "$work/log" || fail "dry run: $(cat "$work/log")"
	picture >"$work/after"
	is_same "$work/before" "$work/after" "the dry run left something"
	expect enable >"$work/log"
	[ "$(cat "$file")" = "/usr/\$LIB/libmemroute.so" ] ||
		fail "line: $(cat "$file")"
	[ "$(stat -c '%a %u:%g' "$file")" = "644 0:0" ] || fail "mode of new"
	expect disable >"$work/log"
	[ -e "$file" ] && fail "the file that enable made is still there"
	picture >"$work/after"
	is_same "$work/before" "$work/after" "enable and disable left something"
}

test_keeps_status()
{
	printf '/bin/a.so\n' >"$file"
	chown 0:12 "$file"
	chmod 4755 "$file"
	attributes=no
	command -v setfattr >/dev/null &&
		setfattr -n user.memroute-test -v kept "$file" 2>/dev/null &&
		attributes=yes
	expect enable >"$work/log"
	expect disable >"$work/log"
	[ "$(stat -c '%a %u:%g' "$file")" = "4755 0:12" ] ||
		fail "mode or owner: $(stat -c '%a %u:%g' "$file")"
	if [ $attributes = yes ]; then
		[ "$(getfattr --only-values -n user.memroute-test "$file" \
			2>/dev/null)" = kept ] || fail "attribute not kept"
	else
		echo "skipped: no extended attributes here"
	fi
	rm -f "$file"
}

# Nothing may be left, and nothing may change, whatever is refused.
test_refuses_files()
{
	ln -s /etc/elsewhere "$file"
	refused 'symbolic link' enable
	refused 'symbolic link' disable
	rm "$file"
	mkdir "$file"
	refused 'not a regular file' enable
	rmdir "$file"
	mkfifo "$file"
	refused 'not a regular file' enable
	rm "$file"
	echo >"$file"
	ln "$file" "$root/etc/link"
	refused 'hard links' enable
	rm "$root/etc/link"
	chmod 666 "$file"
	refused 'others than root can write' enable
	chmod 600 "$file"
	refused 'not readable by everybody' enable
	chmod 644 "$file"
	chown 1 "$file"
	refused 'others than root can write' enable
	rm "$file"
	echo /opt/libmemroute.so >"$file"
	refused 'names another' enable
	head -c 2000000 /dev/zero >"$file"
	refused 'bytes' enable
	rm "$file"
	chmod 777 "$root/etc"
	refused 'write to the directory /etc' enable
	chmod 755 "$root/etc"
	[ -e "$file" ] && fail "a refusal left the file"
}

test_refuses_libraries()
{
	good=$root$installed
	directory=$(dirname "$good")
	refused 'No such file' system enable --yes --root "$root" \
		--library /nowhere/libmemroute.so
	refused 'absolute path' system enable --yes --root "$root" \
		--library usr/lib/libmemroute.so
	refused 'cannot read a path' system enable --yes --root "$root" \
		--library '/usr/my lib/libmemroute.so'
	chmod 775 "$good"
	refused 'others than root can write to it' enable
	chmod 700 "$good"
	refused 'not readable by everybody' enable
	chmod 755 "$good"
	chmod 1777 "$directory"
	refused 'write to the directory /usr/lib/x86_64' enable
	chmod 755 "$directory"
	chown 1 "$root/usr"
	refused 'write to the directory /usr' enable
	chown 0 "$root/usr"
	mv "$good" "$root/tmp/libmemroute.so"
	chmod 1777 "$root/tmp"
	ln -s /tmp/libmemroute.so "$good"
	refused 'write to the directory /tmp' enable
	rm "$good"
	mv "$root/tmp/libmemroute.so" "$good"
	mv "$good" "$good.ok"
	cp "$root/lib/x86_64-linux-gnu/libc.so.6" "$good"
	refused 'not a library of memroute' enable
	echo text >"$good"
	refused 'not an ELF file' enable
	for size in 0 20 64 200 4096 20000 -1; do
		head -c "$size" "$good.ok" >"$good"
		refused 'truncated\|not an ELF' enable
	done
	# An i386 library: class and machine of the header say so.
	cp "$good.ok" "$good"
	printf '\001' | dd of="$good" bs=1 seek=4 conv=notrunc 2>/dev/null
	refused 'wrong class\|truncated' enable
	mv "$good.ok" "$good"
	[ -e "$file" ] && fail "a refusal left the file"
}

# Libraries that look well and are not: the self-test has to find out.
test_refuses_what_the_self_test_finds()
{
	good=$root$installed
	cp "$good" "$work/good.so"
	# The code gone, as after a bad disk block: every program dies.
	offset=$(readelf -SW "$good" | sed 's/\[ */[/' |
		awk '$2 == ".text" { print $5, $6 }')
	# shellcheck disable=SC2086 # two words
	set -- $offset
	[ $# -eq 2 ] || fail "no .text in readelf's output"
	dd if=/dev/zero of="$good" bs=1 seek=$((0x$1)) count=$((0x$2)) \
		conv=notrunc 2>/dev/null
	refused 'self-test: a shell' enable
	cp "$work/good.so" "$good"
	[ -e "$file" ] && fail "a refusal left the file"
}

# On other file systems than / and /usr; noexec; read-only; full.
test_refuses_mounts()
{
	cat >"$work/mounts.sh" <<-'END'
		set -e
		mkdir -p "$1/opt"
		mount -t tmpfs -o mode=755 tmpfs "$1/opt"
		cp "$1$2" "$1/opt/libmemroute.so"
		"$3" system enable --yes --root "$1" \
			--library /opt/libmemroute.so && exit 90
		mount -t tmpfs -o mode=755 tmpfs "$1/mnt"
		cp "$1$2" "$1/mnt/libmemroute.so"
		mount --bind "$1/mnt" "$(dirname "$1$2")"
		mount -o remount,bind,noexec "$(dirname "$1$2")"
		"$3" system enable --yes --root "$1" --library "$2" && exit 91
		umount "$(dirname "$1$2")"
		mount --bind "$1/etc" "$1/etc"
		mount -o remount,bind,ro "$1/etc"
		"$3" system enable --yes --root "$1" --library "$2" && exit 92
		umount "$1/etc"
		cp -a "$1/etc" "$1/etc.full"
		mount -t tmpfs -o size=4k,mode=755 tmpfs "$1/etc"
		head -c 4096 /dev/zero | tr '\0' '\n' >"$1/etc/ld.so.preload"
		"$3" system enable --yes --root "$1" --library "$2" && exit 93
		head -c 4096 /dev/zero | tr '\0' '\n' |
			cmp - "$1/etc/ld.so.preload" || exit 94
		[ "$(ls -A "$1/etc")" = ld.so.preload ] || exit 95
		touch "$1/etc/x"
		mount --bind "$1/etc/x" "$1/etc/ld.so.preload"
		"$3" system enable --yes --root "$1" --library "$2" && exit 96
		exit 0
	END
	unshare -m sh "$work/mounts.sh" "$root" "$installed" "$memroute" \
		>"$work/stdout" 2>"$work/stderr" ||
		fail "mounts: step $?: $(cat "$work/stderr")"
	for reason in 'too late' noexec 'Read-only' 'No space' 'mount point'; do
		grep -q "$reason" "$work/stderr" ||
			fail "no '$reason' in $(cat "$work/stderr")"
	done
	rm -rf "$root/etc.full" "$root/opt"
}

test_usage()
{
	for bad in '' nonsense 'enable --bad' 'enable extra' 'status --root'
	do
		# shellcheck disable=SC2086 # several words
		"$memroute" system $bad >"$work/stdout" 2>"$work/stderr"
		[ $? -eq 2 ] || fail "'$bad': not status 2"
		[ "$(wc -l <"$work/stderr")" -eq 1 ] || fail "'$bad': one line"
		[ -s "$work/stdout" ] && fail "'$bad': on stdout"
	done
	refused 'say --yes' system enable --root "$root" \
		--library "$installed" </dev/null
	refused 'No such file' system status --root "$work/nowhere"
	[ -e "$file" ] && fail "enabled without a yes"
}

test_unprivileged()
{
	command -v setpriv >/dev/null ||
		{ echo "skipped: setpriv is not installed"; return; }
	cp "$memroute" "$work/memroute"
	refused 'only root' setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$work/memroute" system enable --yes \
		--root "$root" --library "$installed"
	expect setpriv --reuid 65534 --regid 65534 --clear-groups \
		"$work/memroute" system status --root "$root" >"$work/log"
	expect enable >"$work/log"
	refused 'Permission denied' setpriv --reuid 65534 --regid 65534 \
		--clear-groups "$work/memroute" system disable --root "$root"
	expect disable >"$work/log"
}

status_is()
{
	system status --root "$root" >"$work/log" 2>&1
	grep -qx "state: $1" "$work/log" || fail "not $1: $(cat "$work/log")"
}

has_one_process()
{
	system status --root "$root" --json >"$work/log" &&
		grep -q '"with": 1' "$work/log" &&
		grep -q '"\(avx512\|avx2\|erms\|sse2\)": 1' "$work/log"
}

# Several at once: one line, and no error. Somebody who holds the lock for ever
# only delays.
test_concurrent()
{
	command -v flock >/dev/null ||
		{ echo "skipped: flock is not installed"; return; }
	printf '/bin/other.so\n' >"$file"
	cp "$file" "$work/before"
	for i in 1 2 3 4; do
		enable >"$work/log.$i" 2>&1 || echo "$i" >>"$work/failed" &
	done
	wait
	[ -e "$work/failed" ] && fail "at once: $(cat "$work"/log.*)"
	[ "$(grep -c libmemroute "$file")" -eq 1 ] || fail "$(cat "$file")"
	exec 9<"$root/etc"
	expect flock 9
	expect disable >"$work/log"
	is_same "$work/before" "$file" "locked by somebody else"
	exec 9<&-
	rm "$file"
}

# Under the file set-user-ID programs get the library, and no user gets a say.
test_set_user_id()
{
	cp "$root/bin/cat" "$root/bin/privileged"
	chmod 4755 "$root/bin/privileged"
	expect enable >"$work/log"
	for program in cat privileged; do
		for name in MEMROUTE=verbose,sse2 MEMROUTE=nonsense; do
			env "$name" chroot --userspec=65534:65534 "$root" \
				"/bin/$program" /etc/passwd \
				>"$work/$program.out" 2>>"$work/$program.err"
			cmp -s "$root/etc/passwd" "$work/$program.out" ||
				fail "$program: wrong output"
		done
	done
	grep -q 'kernel=sse2' "$work/cat.err" || fail "no verbose: no test"
	[ -s "$work/privileged.err" ] &&
		fail "a set-user-ID program says: $(cat "$work/privileged.err")"
	expect disable >"$work/log"
	rm "$root/bin/privileged"
}

# Without --root, as on a running system: the tree is the root there.
test_inside()
{
	add_program "$root" "$memroute" /bin/memroute
	picture >"$work/tree-before"
	# shellcheck disable=SC2016 # for the inner shell
	unshare -m sh -c 'mount --bind "$1" "$1" && cd "$1" &&
		mount -t proc proc proc && exec chroot . /bin/sh -ec "
			memroute system enable --yes --library $2
			memroute system status
			memroute system disable"' sh "$root" "$installed" \
		>"$work/log" 2>&1 || fail "inside: $(cat "$work/log")"
	grep -q '^state: enabled' "$work/log" || fail "inside: status"
	grep -q '^self-test: a set-user-ID program: ok' "$work/log" ||
		fail "inside: self-test"
	picture >"$work/tree-after"
	is_same "$work/tree-before" "$work/tree-after" "inside: left something"
	# Where the root is no mount point nothing can be made private.
	refused 'use --root from outside' in_tree "$root" /bin/memroute \
		system enable --yes --library "$installed"
	[ "$(wc -l <"$work/stderr")" -eq 2 ] || fail "$(cat "$work/stderr")"
	rm "$root/bin/memroute"
}

test_status()
{
	status_is disabled
	expect enable >"$work/log"
	status_is enabled
	mkfifo "$work/pipe"
	in_tree "$root" /bin/cat >/dev/null <"$work/pipe" &
	exec 3>"$work/pipe"
	expect within 60 has_one_process
	cp "$root$installed" "$root$installed.new"
	mv "$root$installed.new" "$root$installed"
	system status --root "$root" >"$work/log"
	grep -q '^stale: 1 ' "$work/log" || fail "stale: $(cat "$work/log")"
	exec 3>&-
	wait
	mv "$root$installed" "$root$installed.away"
	system status --root "$root" >"$work/log" &&
		fail "status 0 although the library is gone"
	status_is broken
	expect disable >"$work/log"
	mv "$root$installed.away" "$root$installed"
	status_is disabled
}

test_no_file
test_round_trips
test_removes_only_the_entry
test_keeps_status
test_refuses_files
test_refuses_libraries
test_refuses_what_the_self_test_finds
test_refuses_mounts
test_usage
test_unprivileged
test_concurrent
test_set_user_id
test_inside
test_status
finish
