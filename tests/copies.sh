#!/bin/bash
# copies.sh - every exported function in a program, overlapping and not, with
# every kernel and every way to be bound.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
compile copies copies.c -O2 -fno-builtin || finish

# The test itself: libc has these functions, and they are right.
expect "without the preload" "$("$temporary/copies" 2>&1)" "copies right"

# A kernel that this CPU lacks is told on stderr and replaced: no loss here.
low=non_temporal_threshold=4096,rep_movsb_threshold=1024
for items in auto libc sse2 avx2 avx512 erms \
		"$low" "sse2,$low" "avx2,$low" "avx512,$low" "erms,$low" \
		rep_movsb_threshold=1024; do
	expect "MEMROUTE=$items" "$(MEMROUTE=$items LD_PRELOAD=$LIBRARY \
		"$temporary/copies" 2>/dev/null)" "copies right"
done
expect "bound at start" "$(LD_BIND_NOW=1 LD_PRELOAD=$LIBRARY \
	"$temporary/copies" 2>&1)" "copies right"

# Past the end of the object: libc's own ending, whatever the arm.
compile overflow overflow.c -O1 -fno-builtin || finish
for items in auto libc; do
	for function in 0 1 2 3 4 5; do
		said=$(ulimit -c 0; MEMROUTE=$items LD_PRELOAD=$LIBRARY \
			exec "$temporary/overflow" $function 2>&1)
		expect "status of overflow $function, $items" $? 134
		expect "message of overflow $function, $items" "$said" \
			"*** buffer overflow detected ***: terminated"
	done
done

finish
