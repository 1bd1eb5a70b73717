#!/bin/bash
# switch.sh - the MEMROUTE variable in running programs: what is chosen, what
# is said, and what the state note shows to others.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
compile state state.c || finish
compile where where.c -O1 -fno-builtin || finish

# run ITEMS: the program `where` under the preload, looked at while it waits.
# Leaves its lines in $temporary/out, its stderr in errors, the state in seen.
run()
{
	local pid

	rm -f "$temporary/hold" "$temporary/out"
	mkfifo "$temporary/hold"
	MEMROUTE=$1 LD_PRELOAD=$LIBRARY "$temporary/where" \
		<"$temporary/hold" >"$temporary/out" 2>"$temporary/errors" &
	pid=$!
	exec 3>"$temporary/hold"
	until grep -q memcpy_in "$temporary/out" 2>/dev/null; do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.05
	done
	"$temporary/state" "$pid" >"$temporary/seen" 2>&1
	exec 3>&-
	wait "$pid"
}

# value FILE KEY
value()
{
	sed -n "s/^$2=//p" "$temporary/$1"
}

# lines: how many lines of stderr the last run had
lines()
{
	wc -l <"$temporary/errors"
}

# runs KERNEL ITEMS: with these items that kernel serves, quietly
runs()
{
	run "$2"
	expect "kernel of MEMROUTE=$2" "$(value seen kernel)" "$1"
	expect "stderr of MEMROUTE=$2" "$(cat "$temporary/errors")" ""
	expect "server of memcpy with MEMROUTE=$2" \
		"$(basename "$(value out memcpy_in)")" \
		"$(basename "$LIBRARY")"
	expect "access to the state with MEMROUTE=$2" \
		"$(value seen access)" r--p
}

run ''
default=$(value seen kernel)
run auto
auto=$(value seen kernel)
echo "the kernel of this CPU: $auto; by default: $default"
case $auto in
sse2|avx2|avx512) pass ;;
*) fail "the kernel of auto is '$auto'" ;;
esac
runs "$default" ''
runs "$auto" auto
runs "$auto" ,,auto,
runs "$auto" libc,auto
runs sse2 sse2
runs sse2 avx2,libc,sse2
runs libc libc
runs libc sse2,libc

# The A/B arm is the very code that libc would have run itself.
run libc
expect "the slot, libc's own memmove" "$(value seen slot)" "$(value out libc)"
expect "the slot's object" "$(basename "$(value seen slot_in)")" libc.so.6
expect "the limit of libc" "$(value seen limit)" 0
run auto
expect "the slot's object" "$(basename "$(value seen slot_in)")" \
	"$(basename "$LIBRARY")"

# A named kernel that this CPU has not is refused in one line.
for kernel in avx2 avx512 erms; do
	run $kernel
	case $(lines) in
	0)
		expect "kernel of $kernel" "$(value seen kernel)" $kernel ;;
	1)
		expect "kernel of refused $kernel" "$(value seen kernel)" \
			"$auto"
		said "the line about $kernel" \
			"^memroute: .*'$kernel' .*allowed: .*sse2"
		;;
	*) fail "$kernel: more than one line on stderr" ;;
	esac
done

# Thresholds, with their units and both ends of their range.
for size in 1024 1K 4096 3M 7G 1024G; do
	bytes=$(numfmt --from=iec "$size")
	for key in non_temporal rep_movsb; do
		run "${key}_threshold=$size"
		expect "${key}_threshold=$size" "$(value seen $key)" "$bytes"
		expect "stderr of $size" "$(cat "$temporary/errors")" ""
	done
done
run rep_movsb_threshold=2K,rep_movsb_threshold=5K
expect "the last of two" "$(value seen rep_movsb)" 5120
run sse2
sse2=$(value seen non_temporal)
run sse2,non_temporal_threshold=0
expect "a bad threshold: the default" "$(value seen non_temporal)" "$sse2"

# Each bad item: one line that names it and what is allowed; nothing else lost.
for bad in AUTO Libc avx sse22 'avx2 ' ' avx2' verbose= verbose=1 nonsense \
		non_temporal_threshold non_temporal_threshold= \
		non_temporal_threshold=0 non_temporal_threshold=1023 \
		non_temporal_threshold=-1 non_temporal_threshold=0x1000 \
		non_temporal_threshold=4k non_temporal_threshold=4KB \
		non_temporal_threshold=K non_temporal_threshold=4.5M \
		non_temporal_threshold=1025G \
		non_temporal_threshold=18446744073709551616 \
		non_temporal_threshold=18446744073709555712 \
		rep_movsb_threshold=0 rep_movsb_threshold=99999999999999999999 \
		rep_movsb_threshold=17179869184G Rep_movsb_threshold=4096; do
	run "sse2,$bad,rep_movsb_threshold=4K"
	expect "lines about '$bad'" "$(lines)" 1
	said "the line about '$bad'" "^memroute: .*'$bad' .*allowed: "
	expect "the kernel beside '$bad'" "$(value seen kernel)" sse2
	expect "the threshold beside '$bad'" "$(value seen rep_movsb)" 4096
done
run nonsense,rubbish
expect "lines about two bad items" "$(lines)" 2
expect "the kernel after nonsense" "$(value seen kernel)" "$default"
run "$(printf 'bad\titem\033[1m')"
expect "control characters on stderr" \
	"$(tr -d '\n[:print:]' <"$temporary/errors" | wc -c)" 0
run "$(head -c 100000 /dev/zero | tr '\0' x)"
expect "lines about a long item" "$(lines)" 1
check "a long item is cut" test "$(wc -c <"$temporary/errors")" -lt 600

# verbose: every key once, and true.
for items in verbose libc,verbose sse2,rep_movsb_threshold=5K,verbose; do
	run "$items"
	for key in version cpu kernel reason non_temporal_threshold \
			rep_movsb_threshold libc override; do
		expect "lines of $key with $items" \
			"$(grep -c "^memroute: $key=" "$temporary/errors")" 1
	done
	expect "lines of $items" "$(lines)" 8
	expect "kernel told by $items" \
		"$(sed -n 's/^memroute: kernel=//p' "$temporary/errors")" \
		"$(value seen kernel)"
	said "memmove told by $items" \
		"^memroute: libc=.*memmove=$(value out libc)\$"
	expect "override told by $items" \
		"$(sed -n 's/^memroute: override=//p' "$temporary/errors")" \
		"$items"
done
said "rep_movsb_threshold of 5K" 'rep_movsb_threshold=5120 (asked for)'

# Only the variable of exactly that name counts.
expect "MEMROUTEX" "$(MEMROUTEX=verbose XMEMROUTE=verbose LD_PRELOAD=$LIBRARY \
	/bin/true 2>&1)" ""

finish
