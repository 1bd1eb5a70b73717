#!/bin/sh
# trace.sh - no kernel loads from its destination or outside of its source,
# nor stores outside of its destination: valgrind's lackey shows each access.
# SPDX-License-Identifier: BSD-3-Clause

set -u

skip()
{
	echo "skipped: $*"
	exit 77
}

program=${top_builddir:-.}/tests/trace
command -v valgrind >/dev/null || skip "no valgrind"
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT

valgrind --tool=lackey --trace-mem=yes --log-file="$folder/log" \
	"$program" run "$folder/list" >"$folder/said" 2>&1
status=$?
cat "$folder/said"
if [ $status -ne 0 ]; then
	# a sanitizer's runtime, for one, does not start under valgrind
	"$program" run "$folder/list" >/dev/null 2>&1 || exit 1
	tail -n 5 "$folder/log"
	skip "valgrind cannot run this program (status $status)"
fi
"$program" check "$folder/list" "$folder/log"
