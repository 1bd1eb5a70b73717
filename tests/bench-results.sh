#!/bin/bash
# bench-results.sh - every workload of memroute-bench gives a table and JSON
# that agree with each other and with arithmetic. No speed is judged.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

bench=$top_builddir/memroute-bench
test -x "$bench" || skip "memroute-bench was not built"
need python3
data=$top_srcdir/data

cat >"$temporary/schema.py" <<'PY'
import json, sys

workload, path, rows = sys.argv[1], sys.argv[2], int(sys.argv[3])
root = json.load(open(path))

def need(object, **fields):
    for name, kind in fields.items():
        assert isinstance(object.get(name), kind), (name, object.get(name))

number = (int, float)
need(root, program=str, version=str, compiler=str, date=str, schema=int,
     machine=dict, settings=dict, competitors=list, tables=list)
assert root["program"] == "memroute-bench" and root["schema"] == 1
need(root["machine"], cpu=str, cpus=int, l1d=int, l2=int, l3=int, libc=str,
     kernel=str, governor=str, core_ghz=number, core_ghz_after=number,
     tsc_ghz=number)
assert 0.1 < root["machine"]["core_ghz"] < 10, root["machine"]
need(root["settings"], workload=str, seed=int, seconds=number,
     processes=int, process=int, repetitions=int, operations=int, sizes=list, distances=list, threads=int,
     cpu=int, data=str)
assert root["settings"]["workload"] == workload
names = [c["name"] for c in root["competitors"]]
assert len(set(names)) == len(names)
for c in root["competitors"]:
    need(c, name=str, what=str)
found = 0
for table in root["tables"]:
    need(table, workload=str, note=str, rows=list)
    for row in table["rows"]:
        found += 1
        need(row, name=str, bytes=number, operations=int, pairs=int,
             retried=int, ungated=int, aa_deviation=number, results=list)
        assert row["pairs"] >= 2, row
        assert row["results"][0]["ratio"] == 1, row
        for r in row["results"]:
            need(r, competitor=str, ns=number, gb_per_s=number, ratio=number,
                 low=number, high=number, verdict=str)
            assert r["competitor"] in names
            assert r["ns"] > 0 and r["low"] <= r["ratio"] <= r["high"], r
            assert r["verdict"] in ("faster", "slower", "within A/A"), r
            if r["verdict"] == "faster":
                assert r["ratio"] < 1 - row["aa_deviation"], (r, row)
            if r["verdict"] == "slower":
                assert r["ratio"] > 1 + row["aa_deviation"], (r, row)
assert found == rows, (found, rows)
PY

# measures ROWS WORKLOAD ARGUMENT...
measures()
{
	local rows=$1 workload=$2

	shift
	"$bench" "$@" --time 0.001 --pairs 2 --operations 2000 --data "$data" \
		--processes 2 --json "$temporary/result.json" >"$temporary/out" \
		2>"$temporary/errors"
	expect "status of: $*" $? 0
	expect "stderr of: $*" "$(cat "$temporary/errors")" ''
	check "JSON of: $*" python3 "$temporary/schema.py" "$workload" \
		"$temporary/result.json" "$rows"
	# Header, blank line, title, columns; every row; perhaps two more.
	check "table of: $*" test "$(wc -l <"$temporary/out")" -ge $((rows + 5))
}

measures 3 fixed --size 0,64,2K
measures 2 random --size 1-16,65-128
measures 2 distribution Memcpy_0 git
measures 1 trace git
measures 2 latency --size 1-7,8
measures 3 use-after-copy --size 16-31
measures 1 large --size 1M
measures 2 large --size 64K --distance 0,4095
measures 3 aligned --size 256
measures 2 overlap --size 257-1K
measures 1 threads --size 64K --threads 2
measures 1 cold --size 65-256

# The suites have every row that they name.
"$bench" quick --time 0.001 --pairs 1 --operations 1000 --data "$data" \
	--processes 1 >"$temporary/out"
expect 'status of quick' $? 0
for row in 4K 2113..8K spec2017-memcpy-sizes snappy 'chain 32..64' \
	'256 misaligned' '257..1K upwards' '32M, 2080 apart'; do
	check "quick has the row $row" grep -q "^$row " "$temporary/out"
done

# Every goal has an outcome that follows from its numbers, and those from the
# tables.
"$bench" goals --time 0.001 --pairs 1 --operations 1000 --data "$data" \
	--processes 2 --json "$temporary/result.json" >"$temporary/out"
status=$?
cat >"$temporary/goals.py" <<'PY'
import json, sys

status = int(sys.argv[2])
root = json.load(open(sys.argv[1]))
goals = root["goals"]
assert len(goals) >= 20, len(goals)
for g in goals:
    assert g["measured"] > 0 and g["worst_ratio"] >= g["measured"] * 0.999, g
    assert g["best_peer"] and g["worst"], g
    if g["goal"] < 1:
        assert g["met"] == (g["measured"] <= g["goal"]), g
for goal, table in (goals[0], root["tables"][0]), (goals[-2], root["tables"][-2]):
    assert goal["measured"] == table["rows"][0]["results"][2]["ratio"], goal
assert status == (0 if all(g["met"] for g in goals) else 1), status
PY
check 'goals' python3 "$temporary/goals.py" "$temporary/result.json" $status
check 'the table of goals' grep -q '^dispatch, up to 64 bytes ' \
	"$temporary/out"

# What tune prints is what the library understands.
"$bench" tune --time 0.001 --pairs 1 --processes 2 >"$temporary/out"
expect 'status of tune' $? 0
line=$(tail -n 1 "$temporary/out")
check "tune: $line" grep -Eqx \
	'MEMROUTE=non_temporal_threshold=[0-9]+[KMG]?,rep_movsb_threshold=[0-9]+[KMG]?' \
	<<<"$line"
expect 'what the library says to it' "$(env "$line" "LD_PRELOAD=$LIBRARY" \
	true 2>&1)" ''

# Who is asked for takes part, and nobody else.
"$bench" random --size 1-16 --time 0.001 --pairs 2 --operations 100 \
	--processes 1 \
	--competitors memroute,mine --peer "mine=$LIBRARY:memmove" --json - \
	>"$temporary/result.json"
expect 'competitors' "$(python3 -c '
import json, sys
print(*[c["name"] for c in json.load(open(sys.argv[1]))["competitors"]])
' "$temporary/result.json")" 'libc A/A memroute mine'

# The same seed gives the same operations.
mean()
{
	"$bench" random --size 1-1000 --time 0.001 --pairs 1 --operations 500 \
		--processes 1 --seed "$1" --json - | python3 -c '
import json, sys
print(json.load(sys.stdin)["tables"][0]["rows"][0]["bytes"])'
}
expect 'the same seed' "$(mean 5)" "$(mean 5)"
check 'another seed' test "$(mean 5)" != "$(mean 6)"

# An old result stays until there is a new one, and nothing of it then.
printf '%5000s' old >"$temporary/result.json"
"$bench" random --size 1-16 --competitors nosuch \
	--json "$temporary/result.json" 2>/dev/null
expect 'an old result' "$(wc -c <"$temporary/result.json")" 5000
measures 1 random --size 1-16

# What is preloaded does not pass for libc.
cat >"$temporary/slow.c" <<'C'
#include <stddef.h>
void *memcpy(void *d, const void *s, size_t n)
{
	for (volatile int i = 0; i < 1000; i++)
		;
	for (size_t i = 0; i < n; i++)
		((volatile char *)d)[i] = ((const char *)s)[i];
	return d;
}
C
# shellcheck disable=SC2086 # CC may hold options
if $CC -shared -fPIC -fno-builtin -o "$temporary/slow.so" \
	"$temporary/slow.c"; then
	check 'libc behind a preload' test "$(LD_PRELOAD=$temporary/slow.so \
		"$bench" random --size 1-16 --time 0.001 --operations 1000 \
		--processes 1 --competitors slow --peer "slow=$temporary/slow.so" --json - |
		python3 -c '
import json, sys
row = json.load(sys.stdin)["tables"][0]["rows"][0]
print(row["results"][2]["ratio"] > 10)')" = True
fi

# A routine that copies wrongly is no competitor.
cat >"$temporary/wrong.c" <<'C'
#include <stddef.h>
void *memcpy(void *d, const void *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		((volatile char *)d)[i] = ((const char *)s)[i] + (n == 77);
	return d;
}
C
# shellcheck disable=SC2086 # CC may hold options
if $CC -shared -fPIC -fno-builtin -o "$temporary/wrong.so" \
	"$temporary/wrong.c"; then
	"$bench" random --peer "wrong=$temporary/wrong.so" \
		>"$temporary/out" 2>"$temporary/errors"
	expect 'status with a wrong copy' $? 1
	said 'a wrong copy' 'wrong .* copies 77 bytes wrongly'
fi

# Names that are no UTF-8: of themselves, and where they are cut.
for name in $'\377' "$(printf '\321\213%.0s' {1..40})"; do
	mkdir "$temporary/$name"
	printf '8,1\n' >"$temporary/$name/$name.csv"
	cp "$LIBRARY" "$temporary/$name/libmemroute.so"
	measures 1 distribution "$temporary/$name/$name.csv" \
		--peer $'\377'"=$LIBRARY" \
		--library "$temporary/$name/libmemroute.so"
done

if command -v gnuplot >/dev/null; then
	measures 2 random --size 1-16,65-128 --plot "$temporary/plot.svg"
	check 'a plot' grep -q '</svg>' "$temporary/plot.svg"
	measures 1 trace git --plot "$temporary/plot.png"
	check 'a PNG' test -s "$temporary/plot.png"
	# A name is drawn as it is, and never a command.
	odd="a\`touch ran\`\"b\\d'e\$f"
	mkdir "$temporary/plots"
	printf '8,1\n' >"$temporary/plots/$odd.csv"
	bench=$(realpath "$bench")
	LIBRARY=$(realpath "$LIBRARY")
	data=$(realpath "$data")
	cd "$temporary/plots" || exit 99
	measures 1 distribution "./$odd.csv" --plot "$odd.svg" \
		--peer "p\`touch ran\`=$LIBRARY"
	check 'plot of an odd name' grep -q '</svg>' "$odd.svg"
	expect 'files beside the plot' "$(ls)" "$odd.csv"$'\n'"$odd.svg"
else
	omit plots 'gnuplot is not installed'
fi

finish
