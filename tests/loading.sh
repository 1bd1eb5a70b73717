#!/bin/bash
# loading.sh - the odd ways in which a program can be loaded and live: each
# starts, copies right, says nothing, and its MEMROUTE is seen.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
cd "$temporary" || exit 99

compile odd odd.c -O1 -fno-builtin -pthread || finish
compile copies copies.c -O2 -fno-builtin || finish

# right WHAT COMMAND...: prints exactly "right", with status 0
right()
{
	local what=$1 got

	shift
	got=$("$@" 2>&1)
	expect "status of $what" $? 0
	expect "output of $what" "$got" right
}

# seen WHAT COMMAND...: with MEMROUTE=verbose,sse2 in it, sse2 was chosen
seen()
{
	local what=$1

	shift
	expect "kernel of $what" "$("$@" 2>&1 >"$temporary/stdout" |
		sed -n 's/^memroute: kernel=//p')" sse2
	expect "output of $what" "$(cat "$temporary/stdout")" right
}

preload="LD_PRELOAD=$LIBRARY"
asked="MEMROUTE=verbose,sse2"

for mode in plain errno strict threads forks "spawns" title; do
	right "$mode by itself" ./odd $mode
	for now in '' 1; do
		for items in auto libc; do
			right "$mode LD_BIND_NOW=$now MEMROUTE=$items" env \
				"$preload" LD_BIND_NOW=$now MEMROUTE=$items \
				./odd $mode
		done
	done
done
right "errno with every complaint" sh -c \
	"MEMROUTE=bad,verbose $preload ./odd errno 2>/dev/null"

# Loaded later, by dlopen: static TLS, say, would be short there.
right "dlopen" ./odd opens "$LIBRARY"
right "dlopen of what is preloaded" env "$preload" ./odd opens "$LIBRARY"
right "dlopen, libc" env MEMROUTE=libc ./odd opens "$LIBRARY"
right "dlmopen" ./odd opens_namespace "$LIBRARY"
right "dlmopen, libc" env MEMROUTE=libc ./odd opens_namespace "$LIBRARY"
right "dlmopen of what is preloaded" env "$preload" ./odd opens_namespace \
	"$LIBRARY"

# Nothing in the environment; no name; very much in the environment.
# Whoever unwinds finds the caller, whichever code is in the entries' place.
if readelf -hW "$LIBRARY" | grep -q 'Class: *ELF64'; then
	compile unwind unwind.c -O1 -fno-builtin || finish
	for value in auto libc; do
		right "unwinding, $value" env "$preload" MEMROUTE=$value \
			./unwind
	done
else
	omit "unwinding" "the program is for x86-64"
fi
right "env -i" env -i "$preload" ./odd
seen "env -i" env -i "$preload" "$asked" ./odd
expect "env -i ls" "$(env -i "$preload" /bin/ls / 2>&1)" "$(env -i /bin/ls /)"
right "argc 0" ./odd nameless ./odd "$preload"
seen "argc 0" ./odd nameless ./odd "$preload" "$asked"
right "a huge environment" ./odd huge ./odd "$preload"
seen "a huge environment" ./odd huge ./odd "$preload" "$asked"
# getenv() takes the first of two.
seen "the variable twice" ./odd nameless ./odd "$preload" "$asked" MEMROUTE=libc

# ld.so called by hand: AT_BASE is 0 then.
loader=$(readelf -lW ./odd | sed -n 's/.*interpreter: \(.*\)\]/\1/p')
if "$loader" --help 2>/dev/null | grep -q -- --preload; then
	right "ld.so --preload" env -i "$loader" --preload "$LIBRARY" ./odd
	seen "ld.so --preload" env -i "$asked" "$loader" --preload "$LIBRARY" \
		./odd
else
	omit "ld.so --preload: not known to this ld.so"
fi
right "ld.so by hand" env "$preload" "$loader" ./odd
seen "ld.so by hand" env "$preload" "$asked" "$loader" ./odd

# Twice, the same file and another of the same content.
cp "$LIBRARY" again.so
right "the library twice" env "LD_PRELOAD=$LIBRARY $LIBRARY" ./odd
right "two copies of it" env "LD_PRELOAD=$LIBRARY ./again.so" ./odd

# Other kinds of executables, bound lazily and at start.
for flags in "-no-pie" "-no-pie -Wl,-z,lazy" "-Wl,-z,lazy" "-Wl,-z,now" \
		"-fno-plt" "-Wl,--hash-style=sysv" "-pg" "-rdynamic"; do
	# shellcheck disable=SC2086 # flags are words
	compile other odd.c -O1 -fno-builtin -pthread $flags || continue
	right "a program built with $flags" env "$preload" ./other
	seen "a program built with $flags" env "$preload" "$asked" ./other
done

compile stack_end stack_end.c -O1 -fno-builtin -fno-pic -no-pie || finish
if readelf -rW stack_end | grep -q 'R_X86_64_COPY.*__libc_stack_end'; then
	for now in '' 1; do
		right "copied __libc_stack_end, LD_BIND_NOW=$now" env \
			"$preload" LD_BIND_NOW=$now ./stack_end
		seen "copied __libc_stack_end, LD_BIND_NOW=$now" env \
			"$preload" "$asked" LD_BIND_NOW=$now ./stack_end
	done
else
	omit "copied __libc_stack_end: the linker makes no copy relocation"
fi

# What the library would call by name, a program may define, or put a PLT entry
# of its own in its place: neither works before the program is relocated.
for flags in "-rdynamic" "-rdynamic -no-pie -fno-pic" "-rdynamic -Wl,-z,now"; do
	# shellcheck disable=SC2086 # flags are words
	compile own own_functions.c -O1 -fno-builtin $flags || continue
	if ! has_ifunc; then
		omit "own functions, $flags: a constructor may call them"
		continue
	fi
	right "own functions, $flags" env "$preload" ./own
	seen "own functions, $flags" env "$preload" "$asked" ./own
done
for flags in -Wl,-z,lazy -Wl,-z,now; do
	compile taken address_taken.c -O1 -fno-builtin -fno-pic -no-pie \
		$flags || continue
	right "taken addresses, $flags" env "$preload" ./taken
	seen "taken addresses, $flags" env "$preload" "$asked" ./taken
	right "taken addresses, $flags, libc" env "$preload" MEMROUTE=libc \
		./taken
done

for bind in lazy now; do
	compile libresolver.so resolver_library.c -O1 -fno-builtin -fPIC \
		-shared -Wl,-z,$bind || continue
	compile resolver resolver_program.c -Wl,-rpath,"$temporary" \
		./libresolver.so || continue
	for now in '' 1; do
		# clang's resolver calls through a PLT without relocation
		if ! (LD_BIND_NOW=$now ./resolver) >/dev/null 2>&1; then
			omit "early copies, $bind LD_BIND_NOW=$now:" \
				"crash without the library too"
			continue
		fi
		for items in auto libc sse2; do
			right "early copies, $bind $items LD_BIND_NOW=$now" \
				env "$preload" LD_BIND_NOW=$now \
				MEMROUTE=$items ./resolver
		done
	done
	if ! (LD_PRELOAD=./libresolver.so ./odd) >/dev/null 2>&1; then
		omit "early copies of a preloaded library, $bind:" \
			"crash without the library too"
		continue
	fi
	right "early copies of a preloaded library" env \
		"LD_PRELOAD=$LIBRARY ./libresolver.so" ./odd
	right "early copies, preloaded in front" env \
		"LD_PRELOAD=./libresolver.so $LIBRARY" ./odd
done

compile audit.so audit.c -fPIC -shared || finish
for now in '' 1; do
	for items in auto libc; do
		expect "audited, $items LD_BIND_NOW=$now" "$(LD_BIND_NOW=$now \
			LD_AUDIT=./audit.so MEMROUTE=$items \
			LD_PRELOAD=$LIBRARY ./odd 2>&1)" "audited right"
	done
done

# The loader writes a profile of one library, which it must know by the name
# alone. It cannot of ours, which has no lazy PLT; but all are relocated in
# another way then.
for profiled in "$(basename "$LIBRARY")" libc.so.6; do
	for items in auto libc; do
		expect "profiled copies, $profiled, $items" "$(LD_PROFILE=$profiled \
			LD_PROFILE_OUTPUT=$temporary MEMROUTE=$items \
			LD_LIBRARY_PATH=$(dirname "$LIBRARY") \
			LD_PRELOAD=$(basename "$LIBRARY") ./copies 2>&1)" \
			"copies right"
	done
done
check "LD_PROFILE does something" test -s libc.so.6.profile

# A namespace without /proc.
if in_namespace mount -t tmpfs none /proc 2>/dev/null; then
	cat >without_proc <<-'END'
	mount -t tmpfs none /proc && ! test -e /proc/self && exec env "$@"
	END
	right "no /proc" in_namespace sh without_proc "$preload" ./odd
	seen "no /proc" in_namespace sh without_proc "$preload" "$asked" ./odd
	right "no /proc, libc" in_namespace sh without_proc "$preload" \
		MEMROUTE=libc ./odd
else
	omit "no /proc: no right to make a mount namespace"
fi

# stderr closed: what the library says is lost, and nothing else.
compile closed closed.c || finish
MEMROUTE=verbose,bad LD_PRELOAD=$LIBRARY ./closed 2>&- >stdout
expect "status with stderr closed" $? 0
expect "the file that took the place of stderr" "$(cat closed.txt)" mine

# What libc chooses under its tunables, MEMROUTE=libc chooses.
for tunables in glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load \
		glibc.cpu.hwcaps=-ERMS,-FSRM \
		glibc.cpu.x86_rep_movsb_threshold=1073741824; do
	expect "copies under $tunables" "$(GLIBC_TUNABLES=$tunables \
		LD_PRELOAD=$LIBRARY ./copies 2>&1)" "copies right"
	compile where where.c -O1 -fno-builtin || finish
	got=$(GLIBC_TUNABLES=$tunables MEMROUTE=libc,verbose \
		LD_PRELOAD=$LIBRARY ./where 2>&1 </dev/null)
	expect "libc's memmove under $tunables" \
		"$(echo "$got" | sed -n 's/.* memmove=//p')" \
		"$(echo "$got" | sed -n 's/^libc=//p')"
done

compile sealed sealed.c || finish
for items in auto libc; do
	expect "signals of writing to the state, $items" \
		"$(MEMROUTE=$items LD_PRELOAD=$LIBRARY ./sealed)" "0 11 11"
done

finish
