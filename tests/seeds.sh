#!/bin/bash
# seeds.sh - the packet workloads of memroute-bench as a user runs them: their
# tables, their errors. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

bench=$top_builddir/memroute-bench
test -x "$bench" || skip "memroute-bench was not built"
short=(--time 0.001 --pairs 2 --operations 2000 --processes 1)

# table WORKLOAD WORDS-OF-ITS-COLUMNS [ARGUMENT...]
table()
{
	local workload=$1 columns=$2 word

	shift 2
	"$bench" "$workload" "${short[@]}" "$@" >"$temporary/out" \
		2>"$temporary/errors"
	expect "status of $workload $*" $? 0
	expect "stderr of $workload $*" "$(cat "$temporary/errors")" ''
	for word in $columns; do
		check "$workload $* shows $word" \
			grep -qw -- "$word" "$temporary/out"
	done
}

refuses()
{
	local pattern=$1

	shift
	"$bench" "$@" "${short[@]}" >"$temporary/out" 2>"$temporary/errors"
	expect "status of $*" $? 2
	expect "lines on stderr of $*" "$(wc -l <"$temporary/errors")" 1
	said "$*" "$pattern"
}

table loopback 'libc memroute 64 9216' --sizes 64,9216
table loopback 'libc memroute 158' --sizes 158 vector shifted scalar
table dispatch 'direct memroute pointer libc 158' --sizes 158
table aligned-path 'generic aligned in_turn' --sizes 512
table delegation 'libc memroute to_libc' --sizes 256
if grep -qw ssse3 /proc/cpuinfo; then
	table macswap 'sse in_turn scalar 64' --sizes 64
	table loopback 'memroute 256' --sizes 256 macswap
	# With so little time the planted copy may be missed: status 0 or 1.
	"$bench" seeds "${short[@]}" --processes 2 >"$temporary/out" \
		2>"$temporary/errors"
	check 'status of seeds' test $? -le 1
	for thread in dispatch aligned delegation vhost macswap planted; do
		check "seeds has $thread" grep -q "^$thread: " "$temporary/out"
	done
	check 'seeds ends with what was planted' \
		grep -qx '  seen at [0-9]* of 12 sizes' "$temporary/out"
	# It cannot be found where it does not take part.
	"$bench" seeds "${short[@]}" --competitors memroute \
		>"$temporary/out" 2>"$temporary/errors"
	expect 'status of seeds without the planted copy' $? 1
	check 'seeds without the planted copy' \
		grep -qx '  seen at 0 of 12 sizes' "$temporary/out"
else
	omit 'macswap and seeds' 'this CPU has no SSSE3'
fi

refuses "no 'jump'; allowed: io macswap" loopback jump
refuses 'packets have 64 to 9216 bytes' loopback --sizes 63
refuses 'packets have 64 to 9216 bytes' loopback --sizes 9217
refuses 'packets have 64 to 2038 bytes' loopback vector --sizes 2039
refuses 'threads is 1 or 2' loopback --threads 3
refuses 'takes no --size' seeds --sizes 64
refuses "takes no argument, but here is 'twice'" seeds twice
refuses 'memroute is needed here' delegation --competitors sse2

# Two threads: a verdict, or the reason why there is none.
"$bench" loopback "${short[@]}" --sizes 256 --threads 2 >"$temporary/out" \
	2>"$temporary/errors"
case $? in
0) pass ;;
1) said 'two threads' 'below 95 % there is no verdict\|needs two CPUs' ;;
*) fail 'two threads: neither a table nor a reason' ;;
esac

finish
