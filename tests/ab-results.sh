#!/bin/bash
# ab-results.sh - memroute ab: verdicts, failures, JSON, plots, bad usage.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
memroute=$top_builddir/memroute

# ab ARGUMENT...: eight rounds, the least; status in $status, out, errors.
ab()
{
	"$memroute" ab --runs 8 "$@" >"$temporary/out" 2>"$temporary/errors" \
		</dev/null
	status=$?
}

verdict()
{
	sed -n 's/^Verdict: *\([^:]*\).*/\1/p' "$temporary/out"
}

# printed WHAT PATTERN
printed()
{
	check "$1; stdout: $(head -c 1000 "$temporary/out")" \
		grep -q -- "$2" "$temporary/out"
}

# --- verdicts ---

# Printed numbers that depend on the arm: no clock decides these tests.
# shellcheck disable=SC2016 # for the inner shell
by_arm='case ${MEMROUTE-none} in
	none) echo n=100;; sse2*) echo n=200;; *) echo n=100;; esac'
number='regex:n=([0-9]+)'

ab --metric "$number" --b sse2 sh -c "$by_arm"
expect "twice the number" "$status:$(verdict)" "0:slower"
ab --metric "$number" --a sse2 sh -c "$by_arm"
expect "half the number" "$status:$(verdict)" "0:faster"
ab --metric "$number" --higher-is-better --b sse2 sh -c "$by_arm"
expect "higher is better" "$status:$(verdict)" "0:faster"
printed "higher is better" "^b  *sse2  *200  *0.500"
ab --metric "$number" sh -c "$by_arm"
check "equal numbers: $(verdict)" test "${status}$(verdict)" = \
	"0no difference that these 8 rounds can show (they show about 0.0 %)"
printed "libc beside" "^libc .*cost of interposing"
printed "control" "^control .*a again"
ab --a auto --metric "$number" sh -c "$by_arm"
check "libc beside is only for a = none" test \
	"$(grep -c '^libc' "$temporary/out")" -eq 0

# The number may be on stderr, too.
ab --metric "$number" sh -c "{ $by_arm; } >&2"
expect "number on stderr" "$status" 0

# A longer sleep in one arm, by a factor of four.
# shellcheck disable=SC2016 # for the inner shell
sleeping='case ${MEMROUTE-} in sse2) sleep 0.2;; *) sleep 0.05;; esac'
ab --a libc --b sse2 sh -c "$sleeping"
expect "sleeps longer" "$status:$(verdict)" "0:slower"

# --- failures ---

# failed WHAT PATTERN
failed()
{
	expect "$1: status and verdict" "$status:$(verdict)" "1:failed"
	said "$1" "$2"
}

ab sh -c 'echo what went wrong >&2; exit 5'
failed "exit 5" "arm a (none): exit status 5"
said "exit 5, its stderr" "^what went wrong$"
# shellcheck disable=SC2016 # for the inner shell
ab sh -c 'case ${MEMROUTE-} in auto) echo only b >&2; exit 6;; esac'
failed "only b fails" "arm b (auto): exit status 6"
said "only b fails, its stderr" "^only b$"
# shellcheck disable=SC2016 # for the inner shell
ab sh -c 'kill -9 $$'
failed "killed" "killed by signal 9"
ab "$temporary/none"
failed "no such file" "No such file"
ab --metric "$number" echo nothing
failed "no number" "no positive number"
# shellcheck disable=SC2016 # for the inner shell
ab --compare-output sh -c 'echo ${MEMROUTE-}'
failed "outputs differ" "output differs"
ab --compare-output echo same
expect "outputs agree" "$status" 0

# --- arms and input ---

# shellcheck disable=SC2016 # for the inner shell
ab --compare-output sh -c 'cat; test -z "${LD_PRELOAD-}" ||
	echo "$LD_PRELOAD" | grep -q libmemroute.so'
expect "stdin is /dev/null" "$status" 0
echo "some input" >"$temporary/input"
ab --stdin "$temporary/input" sh -c 'grep -qx "some input"'
expect "--stdin is anew in each run" "$status" 0
# shellcheck disable=SC2016 # for the inner shell
LD_PRELOAD=$LIBRARY MEMROUTE=avx2 ab --a none --b none \
	sh -c 'test "${MEMROUTE-}" = libc ||
		test -z "${LD_PRELOAD-}${MEMROUTE-}"'
expect "none is none" "$status" 0

# --- early stop ---

"$memroute" ab --runs 400 --precision 50% --metric "$number" --json - \
	sh -c "$by_arm" >"$temporary/out" 2>"$temporary/errors"
expect "early stop at the first look" \
	"$(sed -n 's/.*"rounds_done": \([0-9]*\).*/\1/p' "$temporary/out")" 100
check "confidence of the first look" grep -q '"confidence": 0.995' \
	"$temporary/out"

# --- JSON ---

# validates WHAT: out against the schema
validates()
{
	/usr/bin/python3 - "$top_srcdir/src/memroute/ab.schema.json" \
		"$temporary/out" <<-'END' >"$temporary/invalid" 2>&1
	import json, sys
	import jsonschema
	with open(sys.argv[1]) as schema, open(sys.argv[2]) as document:
	    schema = json.load(schema)
	    jsonschema.Draft7Validator.check_schema(schema)
	    jsonschema.validate(json.load(document), schema)
	END
	expect "$1" "$?:$(tail -n 3 "$temporary/invalid")" "0:"
}

if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
	ab --json - --pin 0 --seed 7 true
	validates "a result"
	ab --json - --b libc --precision 1% true
	validates "a result without libc beside"
	ab --json - sh -c 'exit 1'
	validates "a failure"
	ab --json - sh -c ': '$'\xff'
	validates "a command that is not UTF-8"
	echo '{"program": "memroute ab"}' >"$temporary/out"
	/usr/bin/python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[2])), json.load(open(sys.argv[1])))' \
		"$top_srcdir/src/memroute/ab.schema.json" "$temporary/out" \
		2>/dev/null
	check "the schema refuses what is incomplete" test $? -ne 0
else
	omit "the JSON schema: python3-jsonschema is not installed"
fi
ab --json "$temporary/file.json" true
check "--json FILE" grep -q '"experiments"' "$temporary/file.json"
printed "text beside --json FILE" "^Verdict:"
ab --json "$temporary/no/file.json" true
expect "--json where there is no folder" "$status" 1
said "--json where there is no folder" "No such file"

# --- plot ---

if command -v gnuplot >/dev/null; then
	for kind in svg png; do
		ab --plot "$temporary/it's.$kind" true
		expect "--plot $kind" "$status" 0
		check "--plot $kind drew" test -s "$temporary/it's.$kind"
	done
	check "svg is one" grep -q "</svg>" "$temporary/it's.svg"
else
	omit "--plot draws: gnuplot is not installed"
fi
mkdir "$temporary/bin"
ln -s "$(command -v sh)" "$temporary/bin/sh"
PATH=$temporary/bin ab --plot "$temporary/x.svg" sh -c :
expect "without gnuplot" "$status" 2
said "without gnuplot" "needs gnuplot"

# --- bad usage ---

# refused ALLOWED ARGUMENT...: status 2, one line that says what is allowed
refused()
{
	local allowed=$1

	shift
	"$memroute" ab "$@" >"$temporary/out" 2>"$temporary/errors"
	expect "$*: status" $? 2
	expect "$*: lines" "$(wc -l <"$temporary/errors")" 1
	said "$*" "$allowed"
}

refused "allowed: one of COMMAND, --workload NAME, --all-workloads"
refused "allowed: one of COMMAND" --all-workloads true
refused "allowed: --a VALUE --b VALUE" --both true
refused "allowed: a number from 8 to" --runs 7 true
refused "allowed: a number from 8 to" --runs 9x true
refused "allowed: a number from 8 to" --runs -9 true
refused "allowed: wall cpu regex:RE" --metric time true
refused "regex:(" --metric 'regex:(' true
refused "allowed with --metric regex" --higher-is-better true
refused "allowed: 0.01% to 50%" --precision 0 true
refused "allowed: 0.01% to 50%" --precision nan true
refused "allowed: a list of CPUs" --pin 0,,1 true
refused "allowed: a list of CPUs" --pin 1-0 true
refused "no CPU 1023" --pin 1023 true
refused "No such file" --stdin "$temporary/none" true
refused "allowed: a regular file" --stdin /dev/zero true
refused "allowed: a file .svg or .png" --plot x.gif true
refused "no such workload; allowed:" --workload none
ab --a AVX2 true
expect "--a AVX2" "$status" 2
said "--a AVX2" "allowed: auto libc"
ab --b "avx2,rep_movsb_threshold=1" true
expect "--b with a bad size" "$status" 2
"$memroute" ab --help >"$temporary/out"
printed "--help" "Usage: memroute ab"
finish
