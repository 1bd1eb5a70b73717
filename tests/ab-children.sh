#!/bin/bash
# ab-children.sh - memroute ab leaves no process behind, whatever ends it and
# however stubborn its command is.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
memroute=$top_builddir/memroute

# A duration that marks our sleepers.
mark=$((400000000 + $$))

sleepers()
{
	pgrep -fc "sleep $mark"
}

# Ignores what it can, with children in its group, and orphans outside.
cat >"$temporary/stubborn" <<END
#!/bin/sh
trap '' TERM INT HUP QUIT
sleep $mark &
setsid sleep $mark &
(setsid sh -c 'sleep $mark & exec sleep $mark' &)
: >"$temporary/up"
while :; do
	sleep $mark
done
END
# Ends well, and leaves a daemon behind.
cat >"$temporary/daemon" <<END
#!/bin/sh
(setsid sleep $mark >/dev/null 2>&1 &)
sleep $mark &
exit 0
END
chmod +x "$temporary/stubborn" "$temporary/daemon"

command -v pgrep >/dev/null || skip "pgrep is not installed"
command -v setsid >/dev/null || skip "setsid is not installed"

# What a broken memroute has left, the shells before their sleepers.
# shellcheck disable=SC2317 # the trap calls it
clean_up()
{
	local left

	# shellcheck disable=SC2046 # PIDs
	for left in "$temporary/stubborn" "sleep $mark"; do
		kill -s KILL $(pgrep -f "$left") 2>/dev/null
	done
	rm -rf "$temporary"
}
trap clean_up EXIT

# interrupted SIGNAL NUMBER: memroute ends by it, in time, without children
interrupted()
{
	local pid status start=$SECONDS

	rm -f "$temporary/up"
	# An asynchronous command of a script ignores SIGINT and SIGQUIT, and
	# what nohup started SIGHUP.
	env --default-signal=INT,QUIT,HUP "$memroute" ab "$temporary/stubborn" \
		>"$temporary/out" 2>"$temporary/errors" &
	pid=$!
	until test -e "$temporary/up" || ! kill -0 "$pid" 2>/dev/null; do
		sleep 0.05
	done
	check "SIG$1: the command runs" test "$(sleepers)" -ge 4
	kill -s "$1" "$pid"
	wait "$pid"
	status=$?
	expect "SIG$1: status" "$status" $((128 + $2))
	expect "SIG$1: sleepers left" "$(sleepers)" 0
	check "SIG$1: took $((SECONDS - start)) s" \
		test $((SECONDS - start)) -lt 30
	said "SIG$1" "interrupted by signal $2"
}

interrupted INT 2
interrupted TERM 15
interrupted HUP 1

# What can end well is given the time to.
cat >"$temporary/polite" <<END
#!/bin/sh
trap ': >"$temporary/cleaned"; exit 0' TERM
: >"$temporary/up"
while :; do
	sleep 0.1
done
END
chmod +x "$temporary/polite"
rm -f "$temporary/up"
"$memroute" ab "$temporary/polite" >"$temporary/out" 2>&1 &
until test -e "$temporary/up" || ! kill -0 $! 2>/dev/null; do
	sleep 0.05
done
kill -s TERM $!
wait $!
expect "a command that ends at SIGTERM: status" $? 143
check "it could clean up" test -e "$temporary/cleaned"

"$memroute" ab --runs 8 "$temporary/daemon" >"$temporary/out" 2>&1
expect "a command that leaves a daemon" $? 0
expect "a daemon: sleepers left" "$(sleepers)" 0

# What ignores signals before goes on ignoring them.
rm -f "$temporary/up"
(trap '' HUP; exec "$memroute" ab --runs 8 sleep 0.1) >/dev/null 2>&1 &
sleep 0.5
kill -s HUP $!
wait $!
expect "under nohup" $? 0

finish
