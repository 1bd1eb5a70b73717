#!/bin/bash
# doctor-processes.sh - memroute doctor on processes with and without the
# library, and on programs that do not run.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
memroute=$top_builddir/memroute

doctor()
{
	"$memroute" doctor "$@" >"$temporary/out" 2>"$temporary/errors"
	status=$?
}

# printed WHAT PATTERN
printed()
{
	check "$1; stdout: $(head -c 1500 "$temporary/out")" \
		grep -q -- "$2" "$temporary/out"
}

# start COMMAND...: until it says that it is up; its PID in $pid
start()
{
	rm -f "$temporary/hold" "$temporary/up"
	mkfifo "$temporary/hold"
	"$@" <"$temporary/hold" >"$temporary/up" 2>"$temporary/start-errors" &
	pid=$!
	exec 3>"$temporary/hold"
	until test -s "$temporary/up" || ! kill -0 "$pid" 2>/dev/null; do
		sleep 0.02
	done
}

stop()
{
	exec 3>&-
	wait "$pid"
}

compile sleeper sleeper.c -O1 -fno-builtin || finish
compile lazy sleeper.c -O1 -fno-builtin -Wl,-z,lazy || finish
compile fixed sleeper.c -O1 -fno-builtin -fno-pie -no-pie || finish

# --- in use ---

start env LD_PRELOAD="$LIBRARY" "$temporary/sleeper"
doctor "$pid"
expect "in use" "$status" 0
printed "in use" "^verdict:  in use$"
printed "in use" "^library:  .*libmemroute.so$"
printed "in use" "^imports: .* memcpy"
printed "in use" "^bindings: 1 to memroute, 0 .* 0 elsewhere"
printed "in use" "^What no preload can reach"
kernel=$(MEMROUTE=verbose LD_PRELOAD=$LIBRARY /bin/true 2>&1 |
	sed -n 's/^memroute: kernel=//p')
printed "the kernel that verbose tells" "^kernel:   $kernel ("
doctor --json "$pid"
printed "json" "\"kernel\": \"$kernel\""
printed "json" '"active": true'
printed "json" "\"pid\": $pid"
stop

for items in libc sse2 "sse2,non_temporal_threshold=1M"; do
	start env LD_PRELOAD="$LIBRARY" MEMROUTE="$items" "$temporary/fixed"
	doctor "$pid"
	printed "$items" "^kernel:   ${items%%,*} ("
	printed "$items" "MEMROUTE='$items'"
	printed "$items, fixed address" "^bindings: 1 to memroute"
	stop
done
printed "threshold" "non-temporal stores from 1048576 bytes"

# Bound at the first call: the one memcpy has been called, no more.
start env LD_PRELOAD="$LIBRARY" "$temporary/lazy"
doctor "$pid"
printed "lazy" "^bindings: 1 to memroute"
stop

# The note counts, not the name; and the file may be gone.
cp "$LIBRARY" "$temporary/renamed.so"
start env LD_PRELOAD="$temporary/renamed.so" "$temporary/sleeper"
rm "$temporary/renamed.so"
doctor "$pid"
expect "renamed and removed" "$status" 0
printed "renamed and removed" "renamed.so (deleted)"
printed "renamed and removed" "^to do: .*replaced"
stop

# --- not in use ---

start "$temporary/sleeper"
doctor "$pid"
expect "not in use" "$status" 1
printed "not in use" "^verdict:  not in use"
printed "not in use" "^to do: .*memroute run"
stop
start env LD_PRELOAD="$temporary/none/libmemroute.so" "$temporary/sleeper"
doctor "$pid"
expect "wrong path" "$status" 1
printed "wrong path" "ld.so did not load it"
stop
if compile static sleeper.c -static 2>/dev/null; then
	start env LD_PRELOAD="$LIBRARY" "$temporary/static"
	doctor "$pid"
	expect "static" "$status" 1
	printed "static" "^because: .*statically linked"
	stop
fi

# --- a library that escapes ---

compile deep.so deepbind.c -O1 -fno-builtin -shared -fPIC || finish
compile opener deepbind.c -DPROGRAM -ldl || finish
start env LD_PRELOAD="$LIBRARY" "$temporary/opener" "$temporary/deep.so"
doctor "$pid"
printed "RTLD_DEEPBIND" "1 elsewhere"
printed "RTLD_DEEPBIND" "deep.so: memmove goes to .*libc"
printed "RTLD_DEEPBIND" "^to do: .*RTLD_DEEPBIND"
stop

# --- another ABI: a 32-bit library, as far as the note goes ---

if $CC -m32 -x c -o "$temporary/hello" - 2>/dev/null <<<'int main(void) {}' &&
	"$temporary/hello"; then
	$CC -m32 -std=gnu11 -I"$top_srcdir/src" -DWITH_IFUNC=1 -shared -fPIC \
		-fvisibility=hidden -o "$temporary/note32.so" \
		"$top_srcdir/tests/programs/note32.c" "$top_srcdir/src/note.S"
	$CC -m32 -o "$temporary/sleeper32" \
		"$top_srcdir/tests/programs/sleeper.c"
	start env LD_PRELOAD="$temporary/note32.so" "$temporary/sleeper32"
	doctor "$pid"
	expect "32-bit" "$status" 0
	printed "32-bit" "(32-bit, dynamically linked)"
	printed "32-bit" "^kernel:   thirty-two (the reason)"
	printed "32-bit" "rep movsb from 4096 bytes"
	printed "32-bit" "non-temporal stores never"
	stop
else
	omit "a 32-bit process: $CC -m32 makes none that runs"
fi

# --- processes that cannot be looked into ---

doctor 2147483647
expect "no such process" "$status" 1
said "no such process" "there is none"
if test "$(id -u)" -eq 0 && command -v setpriv >/dev/null &&
	setpriv --reuid 65534 --clear-groups test -x "$memroute"; then
	setpriv --reuid 65534 --clear-groups "$memroute" doctor $$ \
		>"$temporary/out" 2>"$temporary/errors"
	expect "another user's" $? 1
	said "another user's" "be its user, or root"
else
	omit "another user's process: needs root, setpriv and a tree that \
nobody may read"
fi

# --- programs that do not run ---

doctor "$temporary/sleeper"
expect "a program" "$status" 0
printed "a program" "^verdict:  a preload reaches it"
printed "a program" "^imports: .* memcpy"
cd "$temporary" || exit 99
cp sleeper 123
doctor ./123
printed "a program that looks like a PID" "^program:  ./123 "
printf '#!/usr/bin/env sh\n' >script
chmod +x script
doctor ./script
printed "a script" "^script:   ./script$"
printed "a script" "^program:  /.*/sh (64-bit\|^program:  /.*sh ("
doctor ./none
expect "no such program" "$status" 1
said "no such program" "No such file"
printf '\177ELF\2\1\1' >broken
chmod +x broken
doctor ./broken
expect "a broken ELF file" "$status" 1

# --- without an argument, and bad usage ---

doctor
expect "no argument" "$status" 0
printed "no argument" "^verdict:  in use"
doctor 1 2
expect "two arguments" "$status" 2
doctor --verbose
expect "bad option" "$status" 2
said "bad option" "allowed: --json --help"
doctor --help
expect "--help" "$status" 0
finish
