#!/bin/bash
# ab-workloads.sh - memroute ab --workload and --all-workloads, on workloads
# made for this: one that works, one that cannot run here, two that fail.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir -p "$temporary/tree/.libs" "$temporary/tree/scripts/workloads"
cp "$top_builddir/memroute" "$temporary/tree"
cp "$LIBRARY" "$temporary/tree/.libs"
cd "$temporary" || exit 99
memroute=$temporary/tree/memroute

# workload NAME PREPARE RUN
workload()
{
	cat >"tree/scripts/workloads/$1" <<-END
	#!/bin/sh
	case \$1 in
	prepare) $2;;
	run) $3;;
	*) exit 2;;
	esac
	END
	chmod +x "tree/scripts/workloads/$1"
}

ab()
{
	"$memroute" ab --runs 8 --metric 'regex:n=([0-9]+)' "$@" >out 2>errors
	status=$?
}

# printed WHAT PATTERN
printed()
{
	check "$1; stdout: $(head -c 1000 out)" grep -q -- "$2" out
}

# shellcheck disable=SC2016 # for the workload
works='test -e prepared || exit 1
	case ${MEMROUTE-none} in auto) echo n=100;; *) echo n=200;; esac'
workload works ": >prepared" "$works"
workload missing "echo missing: no such program >&2; exit 77" "exit 1"
echo "what they share" >tree/scripts/workloads/common.sh

ab --workload works
expect "one workload: status" "$status" 0
printed "one workload" "^Verdict: faster"

ab --all-workloads --json result.json
expect "all: status" "$status" 0
printed "all: heading" "^workload .*median a"
printed "all: works" "^works  *200  *0.500 .* faster$"
printed "all: missing" "^missing: skipped$"
said "all: missing says why" "missing: no such program"
expect "all: no more than these" "$(wc -l <out)" 3
check "JSON: skipped" grep -q '"verdict": "skipped"' result.json
check "JSON: faster" grep -q '"verdict": "faster"' result.json

if command -v gnuplot >/dev/null; then
	ab --all-workloads --plot all.svg
	expect "plot of all: status" "$status" 0
	check "plot of all names them" grep -q ">works<" all.svg
else
	omit "--plot of all: gnuplot is not installed"
fi

ab --workload missing
expect "only the one that cannot run: status" "$status" 1

workload fails : "echo it broke >&2; exit 4"
workload unprepared "exit 1" :
ab --all-workloads
expect "with failures: status" "$status" 1
printed "with failures: the others" "^works .* faster$"
printed "fails" "^fails .* failed$"
said "fails: its stderr" "it broke"
printed "unprepared" "^unprepared: failed$"

rm -r tree/scripts/workloads
mkdir tree/scripts/workloads
ab --all-workloads
expect "an empty folder: status" "$status" 1
said "an empty folder" "no workloads in"
finish
