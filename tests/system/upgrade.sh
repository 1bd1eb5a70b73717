#!/bin/sh
# upgrade.sh - make install under load, and make uninstall of a library that
# /etc/ld.so.preload names.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/system/tree.sh
. "${srcdir:-.}/tests/system/tree.sh"
need_root
need_program make
scripts=${srcdir:-.}/scripts
make_work
root=$work/root
file=$root/etc/ld.so.preload
make_tree "$root"

run_make()
{
	# make check has set these for its own use.
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" "$@" \
		>"$work/make.log" 2>&1 || fail "make $*: $(tail "$work/make.log")"
}

# shellcheck disable=SC2016 # make's variable
libdir=$(env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL "${MAKE:-make}" -s \
	--eval='print:;@echo $(libdir)' print | tail -n 1)
[ -n "$libdir" ] || skip "this make cannot tell libdir"

# load NAME: short programs until $work/stop is there; a line for each that
# does not end well, and their number.
load()
{
	n=0
	while ! [ -e "$work/stop" ]; do
		message=$(chroot "$root" /bin/sh -c '/bin/true && exit 7' 2>&1)
		status=$?
		[ $status -eq 7 ] && [ -z "$message" ] ||
			echo "status $status: $message" >>"$work/bad.$1"
		n=$((n + 1))
	done
	echo $n >"$work/count.$1"
}

# Every one of these moves a whole new copy into place, as make install does.
test_upgrade()
{
	run_make install-exec DESTDIR="$root"
	chmod 755 "$root$libdir"
	expect system enable --root "$root" --library \
		"$libdir/libmemroute.so" --yes >"$work/log"
	load 1 &
	load 2 &
	for _ in 1 2 3; do
		run_make install-exec DESTDIR="$root"
	done
	stage=$root$libdir/.stage
	n=3
	while [ $n -lt 200 ]; do
		mkdir -p "$stage"
		cp "$library" "$stage/libmemroute.so"
		expect "$scripts/install-libraries" "$stage" "$root$libdir"
		n=$((n + 1))
	done
	rmdir "$stage"
	: >"$work/stop"
	wait
	[ -e "$work/bad.1" ] && fail "under load: $(head -n 3 "$work/bad.1")"
	[ -e "$work/bad.2" ] && fail "under load: $(head -n 3 "$work/bad.2")"
	programs=$(($(cat "$work/count.1") + $(cat "$work/count.2")))
	[ $programs -ge 100 ] || fail "only $programs programs: no load"
	echo "$programs programs while the library was replaced $n times"
	find "$root$libdir" -name '.*' | grep . && fail "a folder was left"
}

# Each install is a new file: nothing that has the old one is touched.
test_inode()
{
	before=$(stat -c %i "$root$libdir/libmemroute.so")
	run_make install-strip DESTDIR="$root"
	after=$(stat -c %i "$root$libdir/libmemroute.so")
	[ "$before" != "$after" ] || fail "installed in place"
}

test_uninstall()
{
	printf '/bin/other.so # kept\n' >"$file"
	expect system enable --root "$root" --library \
		"$libdir/libmemroute.so" --yes >"$work/log"
	run_make uninstall DESTDIR="$root"
	[ "$(cat "$file")" = '/bin/other.so # kept' ] ||
		fail "the file after uninstall: $(cat "$file")"
	[ -e "$root$libdir/libmemroute.so" ] && fail "nothing uninstalled"
}

# shellcheck disable=SC2016 # ld.so's $LIB
# Without the command there is nobody to take the line out.
test_uninstall_refuses()
{
	for line in "$libdir/libmemroute.so" \
		"/bin/x.so:$libdir/libmemroute.so" '/usr/$LIB/libmemroute.so'
	do
		printf '%s\n' "$line" >"$file"
		case $line in
		*'$LIB'*) dir=/usr/lib/x86_64-linux-gnu;;
		*) dir=$libdir;;
		esac
		refused 'take the line out' "$scripts/before-uninstall" \
			"$root" "$dir" /nowhere
	done
	for line in '# /lib/libmemroute.so' /opt/lib/libmemroute.so \
		'/opt/$LIB/libmemroute.so' /bin/x.so ''; do
		printf '%s\n' "$line" >"$file"
		expect "$scripts/before-uninstall" "$root" /usr/lib /nowhere
	done
	rm "$file"
	expect "$scripts/before-uninstall" "$root" /usr/lib /nowhere
}

test_upgrade
test_inode
test_uninstall
test_uninstall_refuses
finish
