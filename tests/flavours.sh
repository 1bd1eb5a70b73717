#!/bin/bash
# flavours.sh - the library built in many ways: each loads quietly, chooses a
# kernel that is not the baseline (unless the flavour asks for that), copies
# right and seals its state. Some of the flavours in `make check`, all of them
# with MEMROUTE_TEST_ALL=1.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/build.sh"
need readelf

all=${MEMROUTE_TEST_ALL:-}
library=$LIBRARY	# of this build: the helpers of lib.sh look at $LIBRARY

compile copies copies.c -O2 -fno-builtin || finish
compile sealed sealed.c || finish
compile state state.c || finish
compile where where.c -O1 -fno-builtin || finish
compile libresolver.so resolver_library.c -O1 -fno-builtin -fPIC -shared ||
	finish
compile resolver resolver_program.c -Wl,-rpath,"$temporary" \
	"$temporary/libresolver.so" || finish

# kernel_of LIBRARY [ITEMS]: as the state note says
kernel_of()
{
	local pid

	rm -f "$temporary/hold" "$temporary/out"
	mkfifo "$temporary/hold"
	MEMROUTE=${2:-} LD_PRELOAD=$1 "$temporary/where" <"$temporary/hold" \
		>"$temporary/out" 2>/dev/null &
	pid=$!
	exec 3>"$temporary/hold"
	until grep -q memcpy_in "$temporary/out" 2>/dev/null; do
		kill -0 $pid 2>/dev/null || break
		sleep 0.05
	done
	"$temporary/state" $pid | sed -n 's/^kernel=//p'
	exec 3>&-
	wait $pid
}

# quiet FLAVOUR COMMAND...: the same with and without the preload
quiet()
{
	local flavour=$1 without with

	shift
	without=$("$@" 2>&1 </dev/null)
	with=$(LD_PRELOAD=$LIBRARY "$@" 2>&1 </dev/null)
	expect "status of $1 with $flavour" $? 0
	expect "output of $1 with $flavour" "$with" "$without"
}

# try FLAVOUR KERNEL: what every flavour must do
try()
{
	local flavour=$1 kernel=$2 items

	LIBRARY=$temporary/$flavour/.libs/libmemroute.so
	expect "kernel of $flavour" "$(kernel_of "$LIBRARY")" "$kernel"
	expect "kernel that $flavour tells" "$(MEMROUTE=verbose \
		LD_PRELOAD=$LIBRARY "$temporary/sealed" 2>&1 >/dev/null |
		sed -n 's/^memroute: kernel=//p')" "$kernel"
	quiet "$flavour" /bin/true
	quiet "$flavour" bash -c 'printf %999s x'
	! command -v python3 >/dev/null ||
		quiet "$flavour" python3 -c 'print("a" * 3000)'
	for items in '' sse2 libc; do
		expect "copies with $flavour, MEMROUTE=$items" \
			"$(MEMROUTE=$items LD_PRELOAD=$LIBRARY \
			"$temporary/copies" 2>&1)" "copies right"
	done
	expect "bound at start with $flavour" "$(LD_BIND_NOW=1 \
		LD_PRELOAD=$LIBRARY "$temporary/copies" 2>&1)" "copies right"
	expect "early copies with $flavour" \
		"$(LD_PRELOAD=$LIBRARY "$temporary/resolver" 2>&1)" right
	expect "signals of writing to the state of $flavour" \
		"$(LD_PRELOAD=$LIBRARY "$temporary/sealed" 2>&1)" "0 11 11"
	LIBRARY=$library
}

# make_flavour FLAVOUR TREE KERNEL [VARIABLE=VALUE...]
make_flavour()
{
	local flavour=$1 tree=$2 kernel=$3

	shift 3
	test -d "$temporary/$tree" || return
	make_copy "$tree" "$flavour" libmemroute.la "$@" || return
	# clang says that linking and assembling have no use for -pg.
	expect "warnings of $flavour" "$(grep 'warning:' \
		"$temporary/$flavour.out" | grep -v 'argument unused')" ""
	try "$flavour" "$kernel"
}

# also FLAVOUR TEST...: other tests of this folder on it; exports.sh not on
# instrumentation, which brings symbols and libraries of its own
also()
{
	local flavour=$1 test status

	shift
	for test; do
		LIBRARY=$temporary/$flavour/.libs/libmemroute.so \
			"$tests/$test.sh" >"$temporary/also" 2>&1
		status=$?
		case $status in
		0) pass ;;
		77) omit "$test.sh on $flavour: $(tail -n 1 "$temporary/also")" ;;
		*) cat "$temporary/also"
			fail "$test.sh on $flavour: status $status" ;;
		esac
	done
}

plain_flavours()
{
	local compiler=$1 flags

	for flags in -O0 -O1 -O2 -O3 -Os; do
		test "$all" || test $flags = -O0 || continue
		make_flavour "$compiler$flags" "$compiler" "$auto" \
			CFLAGS=$flags &&
			also "$compiler$flags" exports
	done
	make_flavour "$compiler-lto" "$compiler" "$auto" \
		CFLAGS='-O2 -flto' LDFLAGS='-flto -Wl,--gc-sections' &&
		also "$compiler-lto" exports
	test "$all" || return
	make_flavour "$compiler-sections" "$compiler" "$auto" \
		CFLAGS='-O2 -ffunction-sections -fdata-sections' \
		LDFLAGS=-Wl,--gc-sections &&
		also "$compiler-sections" exports
	make_flavour "$compiler-cet" "$compiler" "$auto" \
		CFLAGS='-O2 -fcf-protection=full' \
		CCASFLAGS=-fcf-protection=full &&
		also "$compiler-cet" exports
	make_flavour "$compiler-native" "$compiler" "$auto" \
		CFLAGS='-O3 -march=native' &&
		also "$compiler-native" exports
	make_flavour "$compiler-protector" "$compiler" "$auto" \
		CFLAGS='-O2 -fstack-protector-all' &&
		also "$compiler-protector" exports
	make_flavour "$compiler-pg" "$compiler" "$auto" \
		CFLAGS='-O2 -pg'
	make_flavour "$compiler-coverage" "$compiler" "$auto" \
		CFLAGS='-O0 --coverage' LDFLAGS=--coverage
}

# As Debian builds its packages.
hardened_flavour()
{
	local cflags ldflags

	if command -v dpkg-buildflags >/dev/null; then
		cflags=$(dpkg-buildflags --get CFLAGS)
		ldflags=$(dpkg-buildflags --get LDFLAGS)
	else
		cflags="-g -O2 -fstack-protector-strong"
		ldflags=-Wl,-z,relro
	fi
	make_flavour hardened gcc "$auto" LDFLAGS="$ldflags" \
		CFLAGS="$cflags -D_FORTIFY_SOURCE=2 -fstack-clash-protection" &&
		also hardened exports
}

# The runtime is a library that wants to be first; here it need not be.
sanitizer_flavours()
{
	export ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0:handle_segv=0

	make_flavour gcc-address gcc "$auto" CFLAGS='-O1 -fsanitize=address' \
		LDFLAGS=-fsanitize=address
	unset ASAN_OPTIONS
	test "$all" || return
	make_flavour gcc-undefined gcc "$auto" \
		CFLAGS='-O1 -fsanitize=undefined' LDFLAGS=-fsanitize=undefined
	make_flavour clang-undefined clang "$auto" \
		CFLAGS='-O1 -fsanitize=undefined -fsanitize-trap=undefined'
}

# configured_flavour NAME KERNEL OPTION...
configured_flavour()
{
	local name=$1 kernel=$2

	shift 2
	configure_tree "$name" gcc "$@" || return
	make_flavour "$name-made" "$name" "$kernel" CFLAGS=-O2 &&
		also "$name-made" exports
}

auto=$(kernel_of "$LIBRARY" auto)
case $auto in
avx2|avx512) pass ;;
*) omit "the baseline is this CPU's kernel: nothing tells them apart" ;;
esac

for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		omit "$compiler: not installed"
		continue
	fi
	configure_tree $compiler $compiler && plain_flavours $compiler
done
if test -d "$temporary/gcc"; then
	hardened_flavour
	sanitizer_flavours
	configured_flavour no-ifunc "$auto" --disable-ifunc &&
		also no-ifunc-made loading secure syscalls
	if test "$all"; then
		configured_flavour no-avx512 "${auto/avx512/avx2}" \
			--disable-avx512
		configured_flavour default-libc libc --with-default-kernel=libc
		configured_flavour default-sse2 sse2 --with-default-kernel=sse2
	fi
fi
test "$all" || omit "most flavours: MEMROUTE_TEST_ALL=1 builds them all"

finish
