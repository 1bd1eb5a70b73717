#!/bin/bash
# run-programs.sh - memroute run: environment, exit status, and what it says
# of programs that a preload cannot reach.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
memroute=$top_builddir/memroute

# run ARGUMENT...: memroute run, its status in $status, output in out, errors.
run()
{
	"$memroute" run "$@" >"$temporary/out" 2>"$temporary/errors" \
		</dev/null
	status=$?
}

out()
{
	cat "$temporary/out"
}

quiet()
{
	expect "$1: stderr" "$(cat "$temporary/errors")" ""
}

# --- environment ---

# shellcheck disable=SC2016 # for the inner shell
show='echo "$LD_PRELOAD|${MEMROUTE-unset}"'
run sh -c "$show"
expect "alone" "$(out)" "$LIBRARY|unset"
quiet "alone"
LD_PRELOAD=" :" run sh -c "$show"
expect "empty items" "$(out)" "$LIBRARY|unset"
MEMROUTE=libc,verbose,rep_movsb_threshold=4K run --kernel sse2 sh -c "$show"
expect "--kernel" "$(out)" "$LIBRARY|sse2,verbose,rep_movsb_threshold=4K"
said "--kernel sse2" "kernel=sse2"
said "--kernel sse2" "rep_movsb_threshold=4096"
MEMROUTE=libc run sh -c "$show"
expect "MEMROUTE stays" "$(out)" "$LIBRARY|libc"
run --verbose -- true
said "--verbose" "kernel="

# Another library in LD_PRELOAD stays, and stays in front.
if compile other.so deepbind.c -shared -fPIC; then
	for separator in : " "; do
		LD_PRELOAD="$temporary/other.so$separator" run sh -c "$show"
		expect "with another" "$(out)" \
			"$temporary/other.so:$LIBRARY|unset"
	done
fi
run "$memroute" run sh -c "$show"
expect "twice is once" "$(out)" "$LIBRARY|unset"

# --- exit status, as env(1) ---

for wanted in 0 1 7 124; do
	run sh -c "exit $wanted"
	expect "exit $wanted" "$status" "$wanted"
	quiet "exit $wanted"
done
# shellcheck disable=SC2016 # for the inner shell
run sh -c 'kill -9 $$'
expect "killed" "$status" 137
run "$temporary/none"
expect "no such file" "$status" 127
said "no such file" "none: No such file or directory"
run no-such-command-anywhere
expect "no such command" "$status" 127
run /dev/null
expect "not executable" "$status" 126
run "$temporary"
expect "a directory" "$status" 126
for bad in "" --bogus "--kernel" "--kernel AVX2 true" "--verbose=1 true"; do
	# shellcheck disable=SC2086 # words
	run $bad
	expect "usage '$bad'" "$status" 125
	expect "usage '$bad': lines" "$(wc -l <"$temporary/errors")" 1
done
run --kernel AVX2 true
said "--kernel AVX2" "'AVX2': no such kernel; allowed: auto libc .*sse2"
run --help
expect "--help" "$status" 0
check "--help says" grep -q "Usage: memroute run" "$temporary/out"
expect "arguments" "$("$memroute" run printf '%s|' a 'b c' '')" "a|b c||"
expect "stdin" "$(echo input | "$memroute" run cat)" input

# --- programs that a preload cannot reach ---

# warned WHAT PATTERN: run all the same, and one line about it
warned()
{
	expect "$1: status" "$status" 3
	expect "$1: lines" "$(wc -l <"$temporary/errors")" 1
	said "$1" "$2"
}

if compile static overlap.c -static 2>/dev/null; then
	run "$temporary/static"
	warned static "statically linked"
	printf '#!%s\n' "$temporary/static" >"$temporary/script"
	chmod +x "$temporary/script"
	run "$temporary/script"
	warned "static interpreter" "statically linked"
	run env true
	quiet "env"
fi
compile dynamic overlap.c || finish
run "$temporary/dynamic"
expect "dynamic: status" "$status" 3
quiet "dynamic"

if $CC -m32 -o "$temporary/other" "$top_srcdir/tests/programs/overlap.c" \
	2>/dev/null && { "$temporary/other"; test $? -eq 3; }; then
	run "$temporary/other"
	warned "other ABI" "another ABI"
else
	omit "a 32-bit program: $CC -m32 makes none that runs"
fi
if command -v musl-gcc >/dev/null; then
	musl-gcc -o "$temporary/musl" "$top_srcdir/tests/programs/overlap.c"
	run "$temporary/musl"
	warned musl "another C library"
else
	omit "a musl program: musl-gcc is not installed"
fi
if test "$(id -u)" -eq 0 && command -v setpriv >/dev/null; then
	chmod 755 "$temporary"
	chmod u+s "$temporary/dynamic"
	run "$temporary/dynamic"
	quiet "set-user-ID of the same user"
	setpriv --reuid 65534 --clear-groups "$memroute" run \
		"$temporary/dynamic" >"$temporary/out" 2>"$temporary/errors"
	status=$?
	if test "$status" -eq 125 || test "$status" -eq 126; then
		omit "set-user-ID: nobody cannot reach the build tree"
	else
		warned "set-user-ID" "set-user-ID"
	fi
else
	omit "set-user-ID: needs root and setpriv"
fi

# --- sanitizers ---

# sanitized WHAT: starts, runs, and still finds the overlap
sanitized()
{
	run "$temporary/sanitized"
	expect "$1: status" "$status" 3
	quiet "$1"
	run "$temporary/sanitized" overlap
	said "$1" "memcpy-param-overlap"
}

# build_sanitized WHAT COMPILER OPTION...
build_sanitized()
{
	local what=$1

	shift
	"$@" -g -fsanitize=address -o "$temporary/sanitized" \
		"$top_srcdir/tests/programs/overlap.c" 2>/dev/null &&
		{ "$temporary/sanitized"; test $? -eq 3; } && return
	omit "$what: no such program can be built and run here"
	return 1
}

if gcc -g -fsanitize=thread -o "$temporary/sanitized" \
	"$top_srcdir/tests/programs/overlap.c" 2>/dev/null &&
	{ "$temporary/sanitized" overlap; test $? -eq 3; }; then
	run "$temporary/sanitized" overlap
	expect "ThreadSanitizer: status" "$status" 3
	quiet "ThreadSanitizer"
else
	omit "ThreadSanitizer: no such program can be built and run here"
fi
export ASAN_OPTIONS=detect_leaks=0
build_sanitized "gcc, runtime as library" gcc && {
	sanitized "gcc, runtime as library"
	LD_PRELOAD=$LIBRARY sanitized "gcc, library first by mistake"
}
build_sanitized "gcc, runtime inside" gcc -static-libasan &&
	sanitized "gcc, runtime inside"
build_sanitized "clang, runtime inside" clang &&
	sanitized "clang, runtime inside"
runtime=$(clang -print-file-name=libclang_rt.asan-x86_64.so 2>/dev/null)
test -n "$runtime" &&
	build_sanitized "clang, runtime as library" clang -shared-libasan \
		"-Wl,-rpath,${runtime%/*}" &&
	sanitized "clang, runtime as library"
finish
