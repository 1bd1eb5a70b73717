#!/bin/bash
# bench-processes.sh - memroute-bench measures in as many processes as it is
# told, and what becomes of one that fails. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

bench=$top_builddir/memroute-bench
test -x "$bench" || skip "memroute-bench was not built"
need python3

# A competitor that writes down each process that loads it, and does to the
# second one what $SECOND says.
cat >"$temporary/peer.c" <<'C'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int count_of(const char *path)
{
	FILE *file = fopen(path, "a+");
	int count = 1;

	while (!feof(file))
		count += fgetc(file) == '\n';
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	return count;
}

__attribute__((constructor)) static void start(void)
{
	const char *what = getenv("SECOND");

	if (count_of(getenv("STARTS")) != 2 || !what)
		return;
	switch (*what) {
	case 'k':
		raise(SIGKILL);
		break;
	case 'e':
		_exit(3);
	case 'g':
		puts("]");
		_exit(0);
	case 'w':
		pause();
	}
}

void *memcpy(void *d, const void *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)d)[i] = ((const char *)s)[i];
	return d;
}
C
# shellcheck disable=SC2086 # CC may hold options
$CC -shared -fPIC -fno-builtin -o "$temporary/peer.so" "$temporary/peer.c" ||
	skip "$CC makes no shared library"
export STARTS=$temporary/starts

# Exactly 300 pairs: a share of them takes longer than one of the time.
row=(random --size 1-1000 --time 0.001 --pairs 300 --operations 2000
	--competitors peer --peer "peer=$temporary/peer.so")

# runs ARGUMENT...: JSON, with an old file in its place.
runs()
{
	: >"$STARTS"
	printf '%5000s' old >"$temporary/result.json"
	timeout 60 "$bench" "${row[@]}" --json "$temporary/result.json" "$@" \
		>"$temporary/out" 2>"$temporary/errors"
}

# value EXPRESSION [FILE]: of the JSON, and of its only row.
value()
{
	python3 -c '
import json, sys
root = json.load(open(sys.argv[2]))
row = root["tables"][0]["rows"][0]
print(eval(sys.argv[1]))' "$1" "${2:-$temporary/result.json}"
}

for count in 1 2 3; do
	runs --processes "$count"
	expect "status of $count processes" $? 0
	expect "stderr of $count processes" "$(cat "$temporary/errors")" ''
	expect "$count processes" "$(sort -u "$STARTS" | wc -l)" "$count"
	expect "what JSON says of $count" \
		"$(value 'root["settings"]["processes"]')" "$count"
	expect "pairs of $count processes" "$(value 'row["pairs"]')" 300
	check "the header of $count" grep -q " $count process" "$temporary/out"
done
runs
expect 'processes of their own accord' "$(wc -l <"$STARTS")" 5

# With the signal ignored nobody would learn how the others end.
: >"$STARTS"
(trap '' CHLD; exec "$bench" "${row[@]}" --processes 2) >/dev/null \
	2>"$temporary/errors"
expect 'status with SIGCHLD ignored' $? 0
expect 'stderr with SIGCHLD ignored' "$(cat "$temporary/errors")" ''

# The file does not take the place of a closed stream: it gets JSON alone.
"$bench" "${row[@]}" --processes 2 --json "$temporary/closed.json" >&- \
	2>"$temporary/errors"
expect 'status with stdout closed' $? 1
said 'stdout closed' 'cannot write the result'
expect 'JSON with stdout closed' \
	"$(value 'row["pairs"]' "$temporary/closed.json")" 300

# Options end where they end.
runs --processes 2 --
expect 'status behind --' $? 0
expect 'processes behind --' "$(wc -l <"$STARTS")" 2

# One of them alone: its own copies, the same ones again, a share of the pairs,
# and neither a file nor a plot.
alone()
{
	runs --seed 5 --processes 3 --process "$1" --plot "$temporary/x.svg" \
		"${@:2}"
	expect "status of process $1" $? 0
	expect "processes of process $1" "$(wc -l <"$STARTS")" 1
	expect "the file of process $1" "$(wc -c <"$temporary/result.json")" \
		5000
	expect "pairs of process $1" \
		"$(value 'row["pairs"]' "$temporary/out")" 100
	value 'row["bytes"]' "$temporary/out" >"$temporary/bytes$1"
}
alone 1
alone 2
cp "$temporary/bytes2" "$temporary/again"
alone 2
expect 'the copies of process 2' "$(cat "$temporary/bytes2")" \
	"$(cat "$temporary/again")"
check 'other copies in process 1' \
	test "$(cat "$temporary/bytes1")" != "$(cat "$temporary/bytes2")"
check 'no plot of one process' test ! -e "$temporary/x.svg"
runs --seed 5 --processes 3
expect 'the first process is this one' "$(value 'row["bytes"]')" \
	"$(cat "$temporary/bytes1")"

alone 1 --seed 0
cp "$temporary/bytes1" "$temporary/again"
alone 2 --seed 0
check 'other copies in process 2 of seed 0' \
	test "$(cat "$temporary/bytes2")" != "$(cat "$temporary/again")"

# A tenth of 0.4 s for one of ten: seen from copies that take milliseconds.
"$bench" large --size 16M --competitors memroute --time 0.4 --pairs 1 \
	--processes 10 --process 1 >"$temporary/out"
expect 'the time of one process is its share' "$(value \
	'(row["pairs"] - 1) * sum(r["ns"] for r in row["results"]) < 0.15e9' \
	"$temporary/out")" True

# fails HOW PATTERN: the second process does; the old result stays.
fails()
{
	SECOND=$1 runs --processes 3
	expect "status if one is $1" $? 1
	expect "lines if one is $1" "$(wc -l <"$temporary/errors")" 1
	said "one is $1" "^memroute-bench: process 2 of 3 $2"
	expect "processes if one is $1" "$(wc -l <"$STARTS")" 2
	expect "the old result if one is $1" \
		"$(wc -c <"$temporary/result.json")" 5000
	expect "output if one is $1" "$(wc -c <"$temporary/out")" 0
}
fails killed 'was killed: Killed'
fails ended 'failed: status 3'
fails garbled 'wrote something that is no JSON'

# Without /proc it is known before anything is measured.
if in_namespace mount -t tmpfs none /proc 2>/dev/null; then
	for count in 1 2; do
		# shellcheck disable=SC2016 # for the inner shell
		in_namespace sh -c 'mount -t tmpfs none /proc && exec "$@"' sh \
			"$bench" "${row[@]}" --library "$LIBRARY" --processes $count \
			>"$temporary/out" 2>"$temporary/errors"
		expect "status of $count without /proc" $? $((count - 1))
	done
	said 'no /proc' '^memroute-bench: cannot start another process'
else
	omit 'no /proc: no right to make a mount namespace'
fi

# alive PID: it runs; nobody may have waited for its end yet.
alive()
{
	grep -q '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status" \
		2>/dev/null
}

# Whatever ends the first ends the second. (Bash starts what it puts into the
# background with SIGINT ignored; TERM and KILL go to one process only.)
for signal in TERM KILL; do
	: >"$STARTS"
	SECOND=waiting "$bench" "${row[@]}" --processes 3 >/dev/null &
	first=$!
	for ((i = 0; i < 200; i++)); do
		test "$(wc -l <"$STARTS")" -ge 2 && break
		sleep 0.1
	done
	second=$(sed -n 2p "$STARTS")
	check "a second process before SIG$signal" alive "${second:-none}"
	kill -s $signal $first
	wait $first 2>/dev/null
	for ((i = 0; i < 50; i++)); do
		alive "${second:-none}" || break
		sleep 0.1
	done
	if alive "${second:-none}"; then
		fail "process $second outlives a SIG$signal to the first"
		kill -s KILL "$second"
	fi
done

finish
