#!/bin/bash
# usr-bin.sh - every dynamically linked program in /usr/bin, asked for its
# version, says and returns the same with the library as without, bound lazily
# and at start. Run as a user without rights where that is possible, with its
# own process numbers and no network: not every program knows --version, and
# with so little power none needs to be left out.
#
# Two runs without the library set apart what varies by itself; digits are
# left out of the comparison then (process numbers, times, addresses).
#
# A virtual machine may take ten times as long as another to start a process:
# the programs come in an order of their own each time, and those that find
# no time left are skipped aloud.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
need readelf timeout xargs

seconds=5	# for one run
budget=150	# seconds for all of them
mkdir "$temporary/results" "$temporary/runs"
cp "$LIBRARY" "$temporary/libmemroute.so"
chmod 755 "$temporary" "$temporary/libmemroute.so"
chmod 1777 "$temporary/results" "$temporary/runs"

cat >"$temporary/worker" <<'END'
# worker TEMPORARY SECONDS DEADLINE PROGRAM: writes its verdict to results/NAME
temporary=$1 seconds=$2 deadline=$3 program=$4
name=${program##*/}
work=$temporary/runs/$name
result=$temporary/results/$name
printf -v now '%(%s)T' -1
if test "$now" -ge "$deadline"; then
	echo late >"$result"
	exit
fi
ulimit -c 0 -f 20480
mkdir "$work"

run()	# ARM [VARIABLE=VALUE...]
{
	local arm=$1

	shift
	rm -rf "$work/home"
	mkdir "$work/home"
	(cd "$work/home" && exec env -i PATH=/usr/bin:/bin HOME="$work/home" \
		LC_ALL=C TERM=dumb "$@" timeout -k 1 "$seconds" \
		"$program" --version) >"$work/$arm.out" 2>"$work/$arm.err" <&-
	echo $? >"$work/$arm.status"
}

same()	# ARM ARM PART
{
	cmp -s "$work/$1.$3" "$work/$2.$3"
}

alike()	# ARM ARM PART
{
	cmp -s <(tr -d '0-9a-fA-F' <"$work/$1.$3") \
		<(tr -d '0-9a-fA-F' <"$work/$2.$3")
}

run_arm()	# ARM
{
	case $1 in
	lazy) run lazy LD_PRELOAD="$temporary/libmemroute.so" ;;
	now) run now LD_PRELOAD="$temporary/libmemroute.so" LD_BIND_NOW=1 ;;
	esac
}

# Programs of several processes (groff) race for the order of their lines:
# what comes out the same in one of some more runs is not our doing.
same_once()	# ARM PART
{
	local try

	for try in 1 2 3 4 5 6 7 8; do
		run_arm "$1"
		$compare first "$1" "$2" && return
	done
	return 1
}

judge()
{
	local part arm

	case $(cat "$work/first.status") in
	124|137) echo "silent: no answer in $seconds seconds"; return ;;
	126|127) echo "silent: does not start by itself"; return ;;
	esac
	run again
	run_arm lazy
	run_arm now
	for part in status out err; do
		compare=same
		if ! same first again $part; then
			compare=alike
			if ! alike first again $part; then
				echo "varies: $part"
				continue
			fi
		fi
		for arm in lazy now; do
			$compare first $arm $part && continue
			if same_once $arm $part; then
				echo "varies: $part"
				continue
			fi
			echo "other: $part, $arm"
			diff -a "$work/first.$part" "$work/$arm.$part" |
				head -n 6 | cut -c 1-300
		done
	done
	echo "done"
}

run first
judge >"$result" 2>&1
rm -rf "$work"
END

# Everything that the loader of this machine's own programs starts.
loader=$(readelf -lW /bin/sh | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
find /usr/bin -maxdepth 1 -type f -perm -1 -print0 |
	xargs -0 readelf -lW 2>/dev/null |
	awk -v loader="$loader]" '/^File: / { file = $2 }
		/interpreter:/ && $NF == loader { print file }' |
	sort -R >"$temporary/programs"

# contained COMMAND...: with as little power as this user can give away
contained()
{
	if test "$(id -u)" = 0 && unshare -pnif --mount-proc true 2>/dev/null
	then
		unshare -pnif --mount-proc --kill-child setpriv --reuid 65534 \
			--regid 65534 --clear-groups --no-new-privs "$@"
	elif unshare -rpnif --mount-proc true 2>/dev/null; then
		unshare -rpnif --mount-proc --kill-child "$@"
	elif test "$(id -u)" = 0; then
		skip "root without namespaces: too much power for this test"
	else
		"$@"
	fi
}

contained xargs -a "$temporary/programs" -P "$(nproc)" -n 1 \
	bash "$temporary/worker" "$temporary" $seconds \
	$(($(date +%s) + budget))

count=$(wc -l <"$temporary/programs")
answered=0 late=0
cd "$temporary/results" || exit 99
for result in *; do
	mapfile -t lines <"$result"
	text=" ${lines[*]} "
	case $text in
	" late ")
		late=$((late + 1));;
	*" other: "*)
		fail "$result: $text";;
	*" silent: "*)
		omit "$result: $text";;
	*" varies: "*" done ")
		answered=$((answered + 1))
		omit "$result: $text";;
	" done ")
		answered=$((answered + 1))
		pass;;
	*)
		fail "$result: no verdict: $text";;
	esac
done
expect "programs with a verdict" "$(find . -type f | wc -l)" "$count"
test "$late" = 0 || omit "$late of $count programs: no time left"
echo "$count programs in /usr/bin, $answered of them compared"
check "most programs must answer" \
	test $((answered * 10)) -gt $(((count - late) * 8))

finish
