#!/bin/bash
# syscalls.sh - by default the library makes no system call of its own: what
# ld.so does to load it, it does for an empty library as well.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
need strace readelf
strace -o /dev/null true 2>/dev/null || skip "strace may not trace here"

# Without ifunc the state has a page of its own, which a constructor seals
# with one mprotect.
if has_ifunc; then
	alignment=64 own=
else
	alignment=4096 own="> mprotect"
fi
compile empty.so empty.c -O1 -fPIC -shared -Wl,-z,relro -Wl,-z,now \
	-DALIGNMENT=$alignment || finish

# The empty library must have as many segments to be mapped.
segments()
{
	readelf -lW "$1" | grep -cE '^ *(LOAD|GNU_RELRO) '
}
expect "segments of the empty library" "$(segments "$temporary/empty.so")" \
	"$(segments "$LIBRARY")"

# calls LIBRARY COMMAND...: the names of the system calls, in their order
calls()
{
	local library=$1

	shift
	env -u MEMROUTE strace -f -o "$temporary/trace" \
		-E "LD_PRELOAD=$library" "$@" >/dev/null 2>&1
	sed -n 's/^[0-9]* *\([a-z0-9_]*\)(.*/\1/p' "$temporary/trace"
}

compile odd odd.c -O1 -fno-builtin -pthread || finish
for program in /bin/true "$temporary/odd"; do
	for now in '' 1; do
		calls "$temporary/empty.so" -E "LD_BIND_NOW=$now" "$program" \
			>"$temporary/empty"
		calls "$LIBRARY" -E "LD_BIND_NOW=$now" "$program" \
			>"$temporary/ours"
		check "$program: too few system calls to be true" \
			test "$(wc -l <"$temporary/ours")" -gt 20
		difference=$(diff "$temporary/empty" "$temporary/ours" |
			grep '^[<>]' | xargs)
		expect "system calls of $program" "$difference" "$own"
	done
done

# MEMROUTE=libc moves its pages with one mremap more than true makes; where the
# kernel cannot leave the old place mapped, with a second one; where it is not
# let, it says so, and the copies are made all the same.
# redirects NAME MREMAPS OPTION...: odd, under strace with these options
redirects()
{
	local name=$1 wanted=$2

	shift 2
	: >"$temporary/trace"
	expect "the program, $name" "$(strace -f -o "$temporary/trace" "$@" \
		-E "LD_PRELOAD=$LIBRARY" -E MEMROUTE=libc,verbose \
		"$temporary/odd" errno 2>"$temporary/said")" right
	expect "mremap, $name" "$(grep -c 'mremap(' "$temporary/trace")" \
		"$wanted"
}

if has_ifunc && readelf -SW "$LIBRARY" | grep -q memroute_entries; then
	redirects "redirected" 1 -e trace=mremap
	check "the old place stays" grep -q MREMAP_DONTUNMAP "$temporary/trace"
	expect "kernel, redirected" "$(sed -n 's/^memroute: kernel=//p' \
		"$temporary/said")" libc
	redirects "old kernel" 2 -e inject=mremap:error=EINVAL:when=1
	hole=$(sed -n 's/.*mremap(\(0x[0-9a-f]*\),.*/\1/p' "$temporary/trace" |
		head -n 1)
	check "the hole is filled" grep -q "mmap($hole, 8192, PROT_READ, .*FIXED" \
		"$temporary/trace"
	expect "kernel, old kernel" "$(sed -n 's/^memroute: kernel=//p' \
		"$temporary/said")" libc
	redirects "not let" 2 -e inject=mremap:error=EPERM
	expect "kernel, not let" "$(sed -n 's/^memroute: kernel=//p' \
		"$temporary/said" | grep -c libc)" 0
	expect "line, not let" "$(grep -c "^memroute: MEMROUTE: 'libc' ignored:" \
		"$temporary/said")" 1
fi

# verbose is seen: one write for each of its lines.
expect "writes of verbose" "$(calls "$LIBRARY" -E MEMROUTE=verbose /bin/true |
	grep -c '^write$')" 8

finish
