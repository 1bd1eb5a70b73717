#!/bin/bash
# secure.sh - in a set-user-ID program MEMROUTE is not read: whoever runs it
# has no say. In a small root tree, entered with chroot, whose own
# /etc/ld.so.preload names the library.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
need chroot ldd
test "$(id -u)" = 0 || skip "only root can make a set-user-ID program"

root=$temporary/root
other=65534	# a user without rights
compile state state.c || finish
compile where where.c -O1 -fno-builtin || finish

# install_file FILE: at the same place in the tree
install_file()
{
	mkdir -p "$root$(dirname "$1")" && cp -L "$1" "$root$1"
}

chmod 755 "$temporary"
mkdir -p "$root/etc" "$root/bin"
cp "$temporary/where" "$root/bin/plain"
cp "$temporary/where" "$root/bin/secure"
# A user other than root: the rights of the file's owner, not all rights.
chown 1:1 "$root/bin/secure"
chmod 6755 "$root/bin/secure"
for file in $(ldd "$temporary/where" | grep -o '/[^ ]*'); do
	install_file "$file"
done
cp "$LIBRARY" "$root/libmemroute.so"
chmod 755 "$root/libmemroute.so"
echo /libmemroute.so >"$root/etc/ld.so.preload"

# run PROGRAM [VARIABLE=VALUE...]: as the other user, looked at meanwhile
run()
{
	local program=$1 pid

	shift
	rm -f "$temporary/hold" "$temporary/out"
	mkfifo "$temporary/hold"
	env -i "$@" "$(command -v chroot)" --userspec=$other:$other --groups= \
		"$root" "/bin/$program" <"$temporary/hold" \
		>"$temporary/out" 2>"$temporary/errors" &
	pid=$!
	exec 3>"$temporary/hold"
	until grep -q memcpy_in "$temporary/out" 2>/dev/null; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	secure=$(od -An -v -t u8 -w16 "/proc/$pid/auxv" 2>/dev/null |
		awk '$1 == 23 { print $2 }')
	uids=$(awk '/^Uid:/ { print $2, $3 }' "/proc/$pid/status" 2>/dev/null)
	"$temporary/state" $pid >"$temporary/seen" 2>&1
	exec 3>&-
	wait $pid
	expect "status of $program" $? 0
	kernel=$(sed -n 's/^kernel=//p' "$temporary/seen")
	server=$(sed -n 's/^memcpy_in=//p' "$temporary/out")
}

run plain
default=$kernel
expect "server of memcpy in the tree" "$server" /libmemroute.so

asked=sse2
test "$default" != sse2 || asked=libc
echo "the default kernel is $default; asked for is $asked"

# The control: the variable is seen there, if nothing is set-user-ID.
run plain "MEMROUTE=$asked,verbose,bad"
expect "AT_SECURE of the plain program" "$secure" 0
expect "kernel of the plain program" "$kernel" "$asked"
expect "lines of the plain program" \
	"$(grep -c '^memroute: ' "$temporary/errors")" 9

run secure
test "$uids" != "$other $other" ||
	skip "set-user-ID has no effect where temporary files are (nosuid)"
expect "real and effective user" "$uids" "$other 1"

# ld.so takes the variables that it distrusts out of the environment, and what
# follows moves: MEMROUTE in front, between and behind.
for variables in "MEMROUTE=$asked,verbose,bad" \
		"LD_LIBRARY_PATH=/x MEMROUTE=$asked,verbose,bad TMPDIR=/x" \
		"LD_ORIGIN_PATH=/x TZDIR=/x A=1 B=2 MEMROUTE=$asked,verbose,bad" \
		"MEMROUTE=$asked,verbose,bad GCONV_PATH=/x TMPDIR=/x A=1" \
		"LD_BIND_NOW=1 MEMROUTE=libc" "A=1"; do
	# shellcheck disable=SC2086 # one word for each variable
	run secure $variables
	expect "AT_SECURE with $variables" "$secure" 1
	expect "server of memcpy with $variables" "$server" /libmemroute.so
	expect "kernel with $variables" "$kernel" "$default"
	expect "stderr with $variables" "$(cat "$temporary/errors")" ""
done

finish
