#!/bin/bash
# sanitizer.sh - programs built with sanitizers run under the library, and the
# address sanitizer, its runtime first, still finds what it is there to find.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
cd "$temporary" || exit 99
ulimit -c 0

# sanitized COMPILER KIND: builds ./program, or says why not
sanitized()
{
	command -v "$1" >/dev/null || {
		omit "$1 -fsanitize=$2: $1 is not installed"
		return 1
	}
	"$1" -g -O1 -fno-builtin "-fsanitize=$2" -o program \
		"$top_srcdir/tests/programs/heap.c" 2>errors || {
		omit "$1 -fsanitize=$2: does not build here"
		return 1
	}
	test "$(./program 2>errors)" = right || {
		omit "$1 -fsanitize=$2: does not run here"
		return 1
	}
}

# runtime: the shared runtime of ./program; nothing if it is built in
runtime()
{
	ldd ./program | awk '/lib(clang_rt\.)?[alt]?s?san/ { print $3; exit }'
}

# reported WHAT PRELOAD MODE PATTERN: the mode of ./program ends in a report
reported()
{
	LD_PRELOAD=$2 ./program "$3" >/dev/null 2>errors
	check "status of $1" test $? -ne 0
	said "report of $1" "$4"
}

tested=0
for compiler in gcc clang; do
	for kind in address thread memory undefined leak; do
		sanitized $compiler $kind || continue
		what="$compiler -fsanitize=$kind"
		preload=$LIBRARY
		first=$(runtime)
		test -z "$first" || preload="$first $LIBRARY"
		for items in auto libc; do
			expect "$what, $items" "$(MEMROUTE=$items \
				LD_PRELOAD=$preload ./program 2>&1)" right
		done
		test $kind = address || continue
		tested=$((tested + 1))
		for mode in overlap beyond freed; do
			reported "$what, $mode, by itself" '' $mode \
				'ERROR: AddressSanitizer'
			reported "$what, $mode" "$preload" $mode \
				'ERROR: AddressSanitizer'
		done
		reported "$what, overlap" "$preload" overlap \
			'memcpy-param-overlap'
	done
done
test $tested -gt 0 || omit "no compiler here has the address sanitizer"

finish
