#!/bin/bash
# bench-errors.sh - what memroute-bench says to bad input: one line that names
# it, on stderr, status 2, nothing on stdout, nothing measured, nothing lost.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

bench=$top_builddir/memroute-bench
test -x "$bench" || skip "memroute-bench was not built"

# refuses STATUS PATTERN ARGUMENT...
refuses()
{
	local status=$1 pattern=$2 got

	shift 2
	timeout 60 "$bench" "$@" >"$temporary/out" 2>"$temporary/errors" \
		</dev/null
	got=$?
	expect "status of: $*" "$got" "$status"
	expect "lines on stderr of: $*" "$(wc -l <"$temporary/errors")" 1
	expect "bytes on stdout of: $*" "$(wc -c <"$temporary/out")" 0
	said "$*" "^memroute-bench: .*$pattern"
}

good=(random --size 1-16 --time 0.001 --pairs 1 --operations 100)

refuses 2 'no workload named'
refuses 2 "no workload 'nosuch'; allowed: fixed random" nosuch
refuses 2 "no workload ''; allowed" ''
refuses 2 "no option '--nosuch'" "${good[@]}" --nosuch
refuses 2 "no option '-x'" "${good[@]}" -x
refuses 2 'needs a value' "${good[@]}" --size
refuses 2 "takes no argument, but here is 'extra'" "${good[@]}" extra

for size in x 16-1 -1 1k 2G 1,,2 '' 99999999999999999999 1.5; do
	refuses 2 "--size '.*': allowed" random --size "$size"
done
refuses 2 'takes single sizes' fixed --size 1-16
refuses 2 'takes sizes up to 256M' use-after-copy --size 512M
refuses 2 'takes no --size' trace --size 16
refuses 2 'takes no --distance' random --distance 1
refuses 2 'takes no --threads' random --threads 2
refuses 2 "--distance '4096' is not a number from 0 to 4095" \
	large --distance 4096
refuses 2 "--threads '0' is not a number from 1" threads --threads 0
refuses 2 "--seed '-1' is not a number" "${good[@]}" --seed -1
refuses 2 "--pairs '0' is not a number from 1 to" "${good[@]}" --pairs 0
for processes in 0 51 x -1 ''; do
	refuses 2 "--processes '$processes' is not a number from 1 to 50" \
		"${good[@]}" --processes "$processes"
done
refuses 2 "--process '0' is not a number" "${good[@]}" --process 0
refuses 2 '--process 6 is beyond --processes 5' "${good[@]}" --process 6
refuses 2 '--process 2 is beyond --processes 1' \
	"${good[@]}" --process 2 --processes 1
refuses 2 "--operations '0' is not" "${good[@]}" --operations 0
refuses 2 "--operations '17000000' is not" "${good[@]}" --operations 17000000
refuses 2 "--cpu '1024' is not" "${good[@]}" --cpu 1024
refuses 2 '--cpu 1023: Invalid argument' "${good[@]}" --cpu 1023
for seconds in x 0 -1 nan inf 1e9 ''; do
	refuses 2 "--time '$seconds' is not" "${good[@]}" --time "$seconds"
done

refuses 2 "no competitor 'nosuch' on this machine; allowed:.* sse2" \
	"${good[@]}" --competitors sse2,nosuch
refuses 2 "--peer 'x' is not NAME=FILE" "${good[@]}" --peer x
refuses 2 "--peer '=x' is not NAME=FILE" "${good[@]}" --peer =x
refuses 2 'cannot load /nonexistent.so' \
	"${good[@]}" --peer a=/nonexistent.so
refuses 2 "has no function 'nosuch'" "${good[@]}" --peer "a=$LIBRARY:nosuch"
refuses 1 'a (abort of libc.so.6) ends its process: Aborted' "${good[@]}" \
	--peer a=libc.so.6:abort
refuses 2 "two competitors are named 'sse2'" \
	"${good[@]}" --peer "sse2=$LIBRARY"
refuses 2 'a name has at most' "${good[@]}" \
	--peer "a-name-that-is-longer-than-any-column=$LIBRARY"
refuses 2 'cannot load /nonexistent.so' "${good[@]}" --library /nonexistent.so

refuses 2 'cannot write /nonexistent/x.json' \
	"${good[@]}" --json /nonexistent/x.json
refuses 2 'allowed are names that end in .svg' "${good[@]}" --plot x.gif
PATH=/nonexistent "$bench" "${good[@]}" --plot "$temporary/x.svg" \
	>"$temporary/out" 2>"$temporary/errors"
expect 'status without gnuplot' $? 1
said 'without gnuplot' 'needs the program gnuplot'

refuses 2 "no distribution 'nosuch'; allowed: a file, or one of" \
	distribution nosuch
refuses 2 "no trace 'nosuch'; allowed: a file, or one of" trace nosuch
refuses 2 'cannot read the folder /nonexistent/' \
	trace --data /nonexistent
refuses 2 'cannot read /nonexistent/file' trace /nonexistent/file
refuses 2 'cannot read .*Is a directory' trace "$temporary/"
printf '5,x\n' >"$temporary/bad.csv"
refuses 2 "bad.csv:1: 'x' is not a probability or a count" \
	distribution "$temporary/bad.csv"
printf 'n,dst_off4k,src_off4k,symbol,overlap\n5,4096,0,memcpy,0\n' |
	gzip >"$temporary/bad.csv.gz"
refuses 2 "bad.csv.gz:2: '4096' is not a number from 0 to 4095" \
	trace "$temporary/bad.csv.gz"
head -c 40 "$temporary/bad.csv.gz" >"$temporary/cut.csv.gz"
refuses 2 'cut.csv.gz' trace "$temporary/cut.csv.gz"
printf '\033[31m,x\n' >"$temporary/control.csv"
refuses 2 "control.csv:1: '?\\[31m' is not" \
	distribution "$temporary/control.csv"

"$bench" --help >"$temporary/out" 2>"$temporary/errors"
expect 'status of --help' $? 0
check 'help names the workloads' grep -q '^  use-after-copy ' "$temporary/out"
"$bench" --version >"$temporary/out" 2>"$temporary/errors"
expect 'status of --version' $? 0
check 'version is told' grep -Eq '^memroute-bench [0-9.]+$' "$temporary/out"

"$bench" "${good[@]}" >/dev/full 2>"$temporary/errors"
expect 'status on a full device' $? 1
said 'a full device' 'cannot write the result'

# On a terminal the line takes the place of the progress.
if command -v python3 >/dev/null; then
	python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
		"$bench" quick --time 0.3 --processes 1 --data /nonexistent \
		</dev/null >"$temporary/out"
	check 'progress on a terminal' grep -q ' pairs' "$temporary/out"
	check "no progress in front of the complaint" \
		grep -q $'\033\\[Kmemroute-bench: cannot read' "$temporary/out"
else
	omit 'a terminal: python3 is not installed'
fi

finish
