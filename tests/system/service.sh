#!/bin/sh
# service.sh - memroute system service: one service, not all.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/system/tree.sh
. "${srcdir:-.}/tests/system/tree.sh"
need_root
make_work
root=$work/root
units=$root/usr/lib/systemd/system
written=$root/etc/systemd/system
make_tree "$root"
mkdir -p "$units" "$written"
printf '[Service]\nExecStart=/bin/cat\n' >"$units/plain.service"
cp "$units/plain.service" "$units/many@.service"
cp "$units/plain.service" "$units/other.service"
mkdir "$written/other.service.d"
printf '[Service]\nEnvironment="A=b" LD_PRELOAD=/lib/x.so\n' \
	>"$written/other.service.d/x.conf"
(cd "$root" && find . | sort) >"$work/before"

service()
{
	"$memroute" system service "$@" --root "$root" --library "$installed"
}

as_before()
{
	(cd "$root" && find . | sort) | cmp -s "$work/before" - ||
		fail "$*: files are left"
}

enabled()
{
	grep -Fqx "Environment=LD_PRELOAD=$installed" \
		"$written/$1.d/memroute.conf" || fail "$1: not enabled"
}

for name in plain plain.service many@1 many@one.service; do
	expect service "$name" enable --dry-run >"$work/log"
	as_before "$name --dry-run"
	expect service "$name" enable >"$work/log"
	enabled "${name%.service}.service"
	expect service "$name" enable >"$work/log"
	expect service "$name" disable >"$work/log"
	as_before "$name"
	expect service "$name" disable >"$work/log"
done

# A drop-in of somebody else stays, and so does its directory.
mkdir "$written/plain.service.d"
echo '[Service]' >"$written/plain.service.d/own.conf"
expect service plain enable >"$work/log"
expect service plain disable >"$work/log"
[ -e "$written/plain.service.d/own.conf" ] || fail "removed what is not ours"
rm -r "$written/plain.service.d"

refused 'sets LD_PRELOAD itself' service other enable
refused 'no such unit' service nothing enable
mv "$root$installed" "$root$installed.away"
refused 'No such file' service plain enable
mv "$root$installed.away" "$root$installed"
as_before "refusals"

for bad in '' plain 'plain on' 'a/b enable' '.. enable' 'plain enable x'; do
	# shellcheck disable=SC2086 # several words
	service $bad >"$work/stdout" 2>"$work/stderr"
	[ $? -eq 2 ] || fail "'$bad': not status 2"
done

finish
