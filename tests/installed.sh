#!/bin/bash
# installed.sh - make installcheck: what was installed works from there, also
# below a DESTDIR. LIBRARY, BINDIR and MANDIR are the installed ones.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

expect "verbose, the installed library" \
	"$(MEMROUTE=libc,verbose LD_PRELOAD=$LIBRARY /bin/true 2>&1 |
		sed -n 's/^memroute: kernel=//p')" libc
expect "mode of the installed library" "$(stat -c %a "$LIBRARY")" 755
for page in "$top_srcdir"/man/*.[1-8]; do
	expect "installed ${page##*/}" \
		"$(md5sum <"$MANDIR/man${page##*.}/${page##*/}")" \
		"$(md5sum <"$page")"
done

# A build without tools has no program to install.
for program in memroute memroute-bench; do
	if test -x "$top_builddir/$program"; then
		"$BINDIR/$program" --version >/dev/null ||
			fail "$BINDIR/$program --version: status $?"
	else
		omit "$program" "not built"
	fi
done
if test -x "$top_builddir/memroute"; then
	expect "library of the installed memroute" \
		"$("$BINDIR/memroute" run -- env | sed -n 's/^LD_PRELOAD=//p')" \
		"$LIBRARY"
fi
if test -x "$top_builddir/memroute-bench"; then
	"$BINDIR/memroute-bench" distribution Memcpy_Fleet --pairs 1 \
		--time 0.001 --operations 100 --json - >"$temporary/json" ||
		fail "memroute-bench with the installed data: status $?"
	check "library of the installed memroute-bench" \
		grep -q " memmove of $LIBRARY, " "$temporary/json"
fi

for test in copies exports switch; do
	"$tests/$test.sh" || fail "$test.sh on the installed library"
done
finish
