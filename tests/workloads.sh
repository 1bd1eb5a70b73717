#!/bin/sh
# workloads.sh - the scripts in scripts/workloads keep their contract.
#
# No workload is run in full here: that needs packages and minutes.
# SPDX-License-Identifier: BSD-3-Clause

set -u

workloads=${srcdir:-$(dirname "$0")/..}/scripts/workloads
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
failures=0

fail()
{
	echo "FAIL: $1"
	failures=$((failures + 1))
}

# expect STATUS LINES-OF-STDERR LABEL COMMAND...
expect()
{
	status=$1 lines=$2 label=$3
	shift 3
	"$@" >"$scratch/out" 2>"$scratch/err"
	got=$?
	[ "$got" = "$status" ] || fail "$label: status $got, not $status"
	got=$(wc -l <"$scratch/err")
	[ "$got" = "$lines" ] ||
		fail "$label: $got lines on stderr, not $lines: $(cat "$scratch/err")"
}

# A dpkg-query that knows every package, and one that knows none.
mkdir "$scratch/all" "$scratch/none"
printf '#!/bin/sh\necho installed\n' >"$scratch/all/dpkg-query"
printf '#!/bin/sh\nexit 1\n' >"$scratch/none/dpkg-query"
chmod +x "$scratch/all/dpkg-query" "$scratch/none/dpkg-query"

export MEMROUTE_WORKLOAD_DATA="$scratch/data"

count=0
for script in "$workloads"/*; do
	name=$(basename "$script")
	case $name in common.sh|Makefile.inc|*~) continue ;; esac
	count=$((count + 1))

	[ -x "$script" ] || fail "$name: not executable"
	grep -q "scripts/workloads/$name\( \|\$\)" "$workloads/Makefile.inc" ||
		fail "$name: not in Makefile.inc"

	expect 0 0 "$name about" "$script" about
	grep -q "^$name: .*; .*[0-9] %.*\(perf\|counted\)\$" "$scratch/out" ||
		fail "$name about: $(cat "$scratch/out")"
	[ "$(wc -l <"$scratch/out")" = 1 ] || fail "$name about: not one line"

	expect 0 0 "$name --help" "$script" --help
	expect 2 1 "$name: unknown command" "$script" jump
	expect 2 4 "$name: no command" "$script"

	expect 77 1 "$name: no package" \
		env PATH="$scratch/none:$PATH" "$script" prepare
	grep -q 'missing Debian packages: [a-z]' "$scratch/err" ||
		fail "$name: no package: $(cat "$scratch/err")"
	[ ! -e "$scratch/data" ] || fail "$name: wrote without its packages"

	if grep -q need_input "$script"; then
		expect 1 1 "$name: run before prepare" \
			env PATH="$scratch/all:$PATH" "$script" run
	fi
done
[ "$count" -ge 12 ] || fail "only $count workloads found in $workloads"

# Somebody else's directory, and a symbolic link, are refused.
ln -s "$scratch" "$scratch/link"
theirs=/
if [ "$(id -u)" = 0 ]; then
	theirs=$scratch/theirs
	mkdir "$theirs"
	chown 65534 "$theirs"
fi
for data in "$scratch/link" "$theirs"; do
	expect 1 1 "data in $data" env MEMROUTE_WORKLOAD_DATA="$data" \
		PATH="$scratch/all:$PATH" "$workloads/un_gzip" prepare
done

# An input that cannot be made leaves nothing that looks made.
printf '#!/bin/sh\necho half\nexit 1\n' >"$scratch/all/awk"
chmod +x "$scratch/all/awk"
expect 1 1 "failing generator" \
	env PATH="$scratch/all:$PATH" "$workloads/un_gzip" prepare
[ -z "$(ls "$scratch/data")" ] || fail "half an input: $(ls "$scratch/data")"

[ "$failures" = 0 ] || exit 1
echo "$count workloads"
