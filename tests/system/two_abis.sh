#!/bin/sh
# two_abis.sh - a tree with 32-bit programs too: $LIB, or a warning.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/system/tree.sh
. "${srcdir:-.}/tests/system/tree.sh"
need_root
make_work
root=$work/root
file=$root/etc/ld.so.preload
make_tree "$root"
loader=/lib/ld-linux.so.2

enable()
{
	system enable --root "$root" --library "$installed" --yes \
		>"$work/stdout" 2>"$work/stderr"
}

warned()
{
	grep -q '^memroute system: warning: every 32-bit program will print' \
		"$work/stderr"
}

line_is()
{
	[ "$(cat "$file")" = "$1" ] || fail "line: $(cat "$file"), not $1"
	expect system disable --root "$root" >"$work/log"
}

# Only the loader, which says that there is such an ABI: nothing can be run.
mkdir -p "$root/lib"
: >"$root$loader"
chmod 755 "$root$loader"
expect enable
expect warned
line_is "$installed"
rm "$root$loader"
expect enable
warned && fail "warned without 32-bit programs"
# shellcheck disable=SC2016 # ld.so's
line_is '/usr/$LIB/libmemroute.so'

# A real one, and a small library with memroute's note for it.
read -r cc <<END
${CC:-cc}
END
printf 'int main(void) { return 0; }\n' >"$work/p.c"
cat >"$work/stub.S" <<'END'
	.section .note.memroute, "a", @note
	.balign 4
	.long 2f - 1f, 4, 1
1:	.asciz "memroute"
2:	.balign 4
	.long 0
	.section .note.GNU-stack, "", @progbits
END
if ! $cc -m32 -o "$work/p" "$work/p.c" 2>/dev/null || ! "$work/p" ||
	! $cc -m32 -shared -nostdlib -o "$work/stub.so" "$work/stub.S"; then
	[ "$failures" -eq 0 ] || finish
	skip "nothing more: $cc -m32 cannot build a program that runs"
fi
dir=$("$loader" --list-diagnostics 2>/dev/null |
	sed -n 's/^dl_dst_lib="\(.*\)"$/\1/p')
case $dir in
lib32) wrong=lib/i386-linux-gnu;;
lib/i386-linux-gnu) wrong=lib32;;
*) skip "nothing more: $loader does not tell a \$LIB of Debian";;
esac
other=/usr/$dir/libmemroute.so
add_program "$root" "$work/p" /bin/p
mkdir -p "$root/lib32"
cp "$(ldd "$work/p" | sed -n 's/.*libc\.so\.6 => \([^ ]*\) .*/\1/p')" \
	"$root/lib32/libc.so.6"
mkdir -p "$root/usr/$dir"

# What the warning says is what such a program prints.
expect enable
expect warned
message=$(chroot "$root" /bin/p 2>&1)
expect [ -n "$message" ]
grep -qF "$message" "$work/stderr" ||
	fail "it prints '$message', not what was said"
line_is "$installed"

cp "$work/stub.so" "$root$other"
chmod 755 "$root$other"
expect enable
warned && fail "warned although both are there"
message=$(chroot "$root" /bin/p 2>&1) || fail "32-bit program: $?"
[ -z "$message" ] || fail "32-bit program prints: $message"
expect grep -q 'a 32-bit program: ok' "$work/stdout"
# shellcheck disable=SC2016 # ld.so's
line_is '/usr/$LIB/libmemroute.so'

# At the place that the other kind of Debian would look at.
mkdir -p "$root/usr/$wrong"
mv "$root$other" "$root/usr/$wrong/libmemroute.so"
expect enable
expect warned
line_is "$installed"

# Both kinds, one unfit: which of them counts is not for sure.
cp "$work/stub.so" "$root$other"
chmod 777 "$root$other"
expect enable
expect warned
line_is "$installed"
rm "$root/usr/$wrong/libmemroute.so"

# Not fit for 32-bit programs: as if it were not there.
for bad in chmod class cut; do
	cp "$work/stub.so" "$root$other"
	chmod 755 "$root$other"
	case $bad in
	chmod) chmod 777 "$root$other";;
	class) cp "$library" "$root$other";;
	cut) truncate -s 200 "$root$other";;
	esac
	expect enable
	expect warned
	line_is "$installed"
done
finish
