#!/bin/sh
# recovery.sh - the commands of the manual bring back a tree in which no
# dynamic program starts. They are read from the manual, so that it cannot
# drift from what is tested here.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/system/tree.sh
. "${srcdir:-.}/tests/system/tree.sh"
need_root
make_work
root=$work/root
file=$root/etc/ld.so.preload
make_tree "$root"
mkdir "$root/root"

# A tree whose library is cut, with what the file held before in $1.
break_tree()
{
	if [ -n "$1" ]; then
		printf '%b' "$1" >"$file"
	else
		rm -f "$file"
	fi
	cp "$library" "$root$installed"
	expect system enable --root "$root" --library "$installed" --yes \
		>"$work/log" 2>&1
	truncate -s 4096 "$root$installed"
	is_broken || fail "the cut library breaks nothing: no test"
}

is_broken()
{
	! chroot "$root" /bin/true 2>/dev/null
}

# is_back NAME CONTENT
is_back()
{
	chroot "$root" /bin/true 2>"$work/stderr" || fail "$1: still broken"
	grep -q memroute "$work/stderr" && fail "$1: $(cat "$work/stderr")"
	printf '%b' "$2" >"$work/wanted"
	if [ -n "$2" ]; then
		expect cmp "$work/wanted" "$file"
	else
		! [ -s "$file" ] || fail "$1: left $(cat "$file")"
	fi
}

# A shell that runs since before. It is given commands by a pipe.
test_shell()
{
	commands "$1" >"$work/commands"
	rm -f "$file"
	cp "$library" "$root$installed"
	mkfifo "$work/pipe"
	chroot "$root" /bin/sh <"$work/pipe" >"$work/log" 2>&1 &
	exec 3>"$work/pipe"
	echo 'echo begun' >&3
	expect within 60 grep -q begun "$work/log"
	break_tree "$2"
	cat "$work/commands" >&3
	exec 3>&-
	wait
	is_back "$1" "$3"
	rm "$work/pipe"
}

test_busybox()
{
	break_tree "$1"
	cp "$busybox" "$root/bin/busybox"
	commands busybox >"$root/tmp/commands"
	expect chroot "$root" /bin/busybox sh -e /tmp/commands
	is_back busybox "$2"
}

# The rescue system is this one, with the tree on /mnt.
test_rescue()
{
	break_tree '/bin/other.so\n'
	commands rescue >"$work/commands"
	# shellcheck disable=SC2016 # for the inner shell
	expect unshare -m sh -ec 'mount --bind "$1" /mnt; . "$2"' \
		sh "$root" "$work/commands"
	is_back rescue ''
	[ -e "$root/root/ld.so.preload" ] || fail "rescue: the file is lost"
}

test_shell shell '' ''
test_shell shell '# a\n/bin/\\a.so\n' '# a\n/bin/\\a.so\n'
test_shell shell '/bin/a.so' '/bin/a.so\n'
test_shell shell-short '' ''
test_rescue

busybox=$(command -v busybox) || skip "busybox-static is not installed"
ldd "$busybox" >/dev/null 2>&1 && skip "busybox here is not static"
test_busybox '' ''
test_busybox '# a\n/bin/a.so\n' '# a\n/bin/a.so\n'

# The command itself, in the broken tree's place: from outside, it needs
# nothing in the tree.
break_tree '/bin/a.so\n'
expect system disable --root "$root" >"$work/log"
is_back disable '/bin/a.so\n'
finish
