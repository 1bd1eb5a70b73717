#!/bin/bash
# info.sh - memroute info says what the library itself says in this
# environment.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
memroute=$top_builddir/memroute

# key NAME: of the JSON, a line each
key()
{
	sed -n "s/^ *\"$1\": \"*\([^\",]*\)\"*,*\$/\1/p" "$temporary/out" |
		head -n 1
}

# told NAME: by the library, without the reason
told()
{
	sed -n "s/^memroute: $1=\([^ ]*\).*/\1/p" "$temporary/errors"
}

for items in "" libc sse2 erms auto,rep_movsb_threshold=4K \
	avx512,non_temporal_threshold=2M; do
	MEMROUTE="$items,verbose" LD_PRELOAD=$LIBRARY /bin/true \
		2>"$temporary/errors"
	MEMROUTE=$items "$memroute" info --json >"$temporary/out" \
		2>"$temporary/complaints"
	expect "'$items': status" $? 0
	expect "'$items': kernel" "$(key kernel)" "$(told kernel)"
	for threshold in rep_movsb_threshold non_temporal_threshold; do
		# the first one is memroute's, the second one libc's
		expect "'$items': $threshold" \
			"$(key $threshold | sed 's/null/never/')" \
			"$(told $threshold)"
	done
	expect "'$items': complaints" "$(cat "$temporary/complaints")" \
		"$(grep ignored "$temporary/errors")"
done
expect "library" "$(key library)" "$LIBRARY"

"$memroute" info >"$temporary/out" 2>"$temporary/errors"
expect "text: status" $? 0
for part in "^CPU$" "^memroute " "^libc, without memroute$" \
	"^Known slow cases" "  kernel " "  non_temporal_threshold "; do
	check "text has '$part'" grep -q -- "$part" "$temporary/out"
done
# a hypervisor that hides a cache
expect "caches of no size" "$(grep ' cache .* 0 bytes' "$temporary/out")" ""
MEMROUTE=sse2,non_temporal_threshold=3M "$memroute" info >"$temporary/out"
check "never" grep -q "^  rep_movsb_threshold  *never " "$temporary/out"
check "3 MiB" grep -q "^  non_temporal_threshold  *3 MiB " "$temporary/out"
loader=$(ls /lib64/ld-linux-x86-64.so.2 2>/dev/null)
threshold=$("${loader:-false}" --list-diagnostics 2>/dev/null |
	sed -n 's/^x86.cpu_features.rep_movsb_threshold=//p')
if test -n "$threshold"; then
	"$memroute" info --json >"$temporary/out"
	expect "libc's own threshold" "$(sed -n '/"libc"/,$s/.*"rep_movsb_threshold": \([0-9]*\).*/\1/p' \
		"$temporary/out")" "$((threshold))"
else
	omit "libc's own choice: this ld.so does not tell"
fi
"$memroute" info extra >"$temporary/out" 2>"$temporary/errors"
expect "argument" $? 2
said "argument" "'extra': no such argument"
"$memroute" info --bogus 2>"$temporary/errors"
expect "option" $? 2
said "option" "allowed: --json --help"
check "--help" "$memroute" info --help >"$temporary/out"
finish
