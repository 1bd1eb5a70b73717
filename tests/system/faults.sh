#!/bin/sh
# faults.sh - memroute system killed, or failing, at every step: the old file
# or the new one is there, whole, and nothing else.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/system/tree.sh
. "${srcdir:-.}/tests/system/tree.sh"
need_root
need_program strace
strace -qq -e inject=getppid:error=EIO -o /dev/null true 2>/dev/null ||
	skip "strace cannot inject faults here"
make_work
root=$work/root
file=$root/etc/ld.so.preload
make_tree "$root"

# What can change the file, and what the writer asks on its way.
steps=openat,write,fchown,fchmod,flistxattr,fgetxattr,fsetxattr,fsync,close
steps=$steps,flock,newfstatat,renameat,renameat2,unlinkat,exit_group

# run VERB STRACE-OPTION...
run()
{
	verb=$1
	shift
	set -- "$@" "$memroute" system "$verb" --root "$root"
	[ "$verb" = enable ] && set -- "$@" --library "$installed" --yes
	strace -qq "$@" >"$work/stdout" 2>"$work/stderr"
}

# set_to NAME: the file as in $work/NAME, or none.
set_to()
{
	rm -f "$file"
	[ -e "$work/$1" ] && cp -a "$work/$1" "$file"
	:
}

is_like()
{
	if [ -e "$work/$1" ]; then
		[ -f "$file" ] && cmp -s "$work/$1" "$file" &&
			[ "$(stat -c '%a %u:%g' "$file")" = \
				"$(stat -c '%a %u:%g' "$work/$1")" ]
	else
		! [ -e "$file" ]
	fi
}

no_litter()
{
	[ -z "$(find "$root/etc" -name '*memroute*')" ]
}

# The steps that are worth a fault, as CALL:NUMBER: enable does much before,
# in which nothing is written; it begins when the self-test is over. strace
# counts each call by itself.
numbers()
{
	set_to "$old"
	run "$1" -e trace="$steps,wait4" -o "$work/trace"
	awk -F '(' '/^(\+\+\+|---)/ { next }
		/^wait4/ { n = 0 }
		{ step[++n] = $1 ":" ++count[$1] }
		END { for (i = 1; i <= n; i++) print step[i] }' \
		"$work/trace" | grep -v wait4
}

# Killed at each step; afterwards the same command does it.
killed()
{
	count=0
	for step in $(numbers "$1"); do
		set_to "$old"
		run "$1" -e trace="${step%:*}" -o /dev/null \
			-e inject="${step%:*}:signal=KILL:when=${step#*:}"
		[ $? -eq 137 ] || fail "$1: not killed at $step"
		is_like "$old" || is_like "$new" ||
			fail "$1: neither old nor new after a kill at $step"
		run "$1" -o /dev/null ||
			fail "$1: does not work after a kill at $step"
		is_like "$new" || fail "$1: not new after a kill at $step"
		no_litter || fail "$1: litter after a kill at $step"
		count=$((count + 1))
	done
	[ "$count" -ge 8 ] || fail "$1: only $count steps"
	echo "$1 ($old to $new): killed at $count steps"
}

# failing VERB CALL ERROR: each call of this name in turn.
failing()
{
	for n in 1 2 3 4 5 6 7 8 9; do
		set_to "$old"
		run "$1" -e trace="$2" -P "$root/etc" -P "$file" \
			-P "$file.memroute-new" -o "$work/trace" \
			-e inject="$2:error=$3:when=$n"
		status=$?
		grep -q INJECTED "$work/trace" || return
		faults=$((faults + 1))
		where="$1: $3 at $2 $n"
		is_like "$old" || is_like "$new" ||
			fail "$where: neither old nor new"
		no_litter || [ "$2" = unlinkat ] || fail "$where: litter"
		[ $status -ne 0 ] || is_like "$new" ||
			fail "$where: status 0, but not done"
		[ $status -eq 0 ] || [ -s "$work/stderr" ] ||
			fail "$where: status $status without a word"
		[ $status -le 1 ] || fail "$where: status $status"
	done
}

faulty()
{
	faults=0
	for call in openat write fchown fchmod flistxattr fgetxattr fsetxattr \
		fsync close flock renameat unlinkat; do
		for error in EIO ENOSPC EROFS; do
			failing "$1" "$call" "$error"
		done
	done
	[ "$faults" -ge 12 ] || fail "$1: only $faults faults"
	echo "$1 ($old to $new): $faults faults"
}

# A power failure is no kill: what is renamed must be on the disk before, and
# the directory after.
ordered()
{
	set_to "$old"
	run "$1" -e trace=write,fsync,renameat,renameat2 -y -o "$work/trace"
	calls=$(sed -n 's|^rename.*|rename|p; t
		s|^\([a-z]*\)([0-9]*<'"$root"'/etc\([^>]*\)>.*|\1\2|p' \
		"$work/trace" | uniq | tr '\n' ' ')
	name=/ld.so.preload.memroute-new
	[ "$calls" = "write$name fsync$name rename fsync " ] ||
		fail "$1: order of calls: $calls"
}

both()
{
	old=$1 new=$2
	killed enable
	faulty enable
	ordered enable
	old=$2 new=$1
	killed disable
	faulty disable
}

printf '/bin/other.so\n# no final newline' >"$work/file"
chown 0:12 "$work/file"
chmod 755 "$work/file"
for content in none file; do
	set_to "$content"
	expect run enable -o /dev/null
	cp -a "$file" "$work/$content.enabled"
	both "$content" "$content.enabled"
done
finish
