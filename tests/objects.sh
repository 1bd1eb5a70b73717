#!/bin/bash
# objects.sh - the machine code, object by object, of both compilers at every
# level: what it calls, what it leaves behind, and, for gcc, how it is laid
# out.
# SPDX-License-Identifier: BSD-3-Clause

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/build.sh"
need nm objdump readelf awk

# objects TREE: the objects that the library is linked from
objects()
{
	find "$temporary/$1" -name '*.o' ! -name '*libstate_la*' | sort
}

# functions FILE: "function instruction", one line for each instruction
functions()
{
	objdump -d --no-show-raw-insn -M att "$1" | awk '
		/^[0-9a-f]+ <.*>:$/ { f = substr($2, 2, length($2) - 3) }
		/^ *[0-9a-f]+:\t/ { sub(/^ *[0-9a-f]+:\t/, ""); print f, $0 }'
}

# Kernels and entry call no function, whatever the compiler would like; the
# state is data. (The entry calls the kernels and what ends the program.)
check_undefined()
{
	local file wanted

	for file in $(objects "$1"); do
		case $file in
		*copy_*.o) wanted='memroute_state' ;;
		*interpose.o) wanted='memroute_(state|copy_sse2|overflow)' ;;
		*) wanted='memroute_.*|cpu_.*|options_.*|policy_.*|report_.*'
			wanted="$wanted|libc_.*|dl_iterate_phdr|getauxval"
			wanted="$wanted|dispatch_.*|environ|mprotect"
			wanted="$wanted|__errno_location" ;;
		esac
		expect "undefined in $1 $(basename "$file")" "$(nm -u "$file" |
			awk '{ print $NF }' | grep -vxE \
			"($wanted)|_GLOBAL_OFFSET_TABLE_" | xargs)" ""
	done
}

# From the first ymm or zmm (registers 0-15; 16 and up need no cleaning) to
# each ret there is a vzeroupper: none is missing where the last vector
# instruction before a ret, in the order of the code, is not vzeroupper.
check_upper()
{
	local file=$1 kernel

	kernel=$(basename "$file")
	expect "returns with dirty upper halves, $kernel" "$(functions "$file" |
		awk '
		$1 != f { f = $1; dirty = 0 }
		/%[yz]mm([0-9]|1[0-5])([^0-9]|$)/ { dirty = 1 }
		$2 == "vzeroupper" { dirty = 0 }
		$2 ~ /^(ret|repz|bnd)/ && /ret/ && dirty { print f; dirty = 0 }
		' | xargs)" ""
	case $kernel in
	*avx*) check "vzeroupper in $kernel" \
		grep -q vzeroupper <(functions "$file") ;;
	esac
}

# After a non-temporal store no return without an sfence.
check_fence()
{
	local file=$1

	expect "unfenced returns, $(basename "$file")" "$(functions "$file" |
		awk '
		$1 != f { f = $1; open = 0 }
		$2 ~ /^v?movnt/ { open = 1 }
		$2 == "sfence" { open = 0 }
		/ ret/ && open { print f; open = 0 }' | xargs)" ""
	check "non-temporal stores in $(basename "$file")" \
		grep -q ' v\?movnt' <(functions "$file")
}

check_kernels()
{
	local file

	for file in $(objects "$1" | grep copy_); do
		check_upper "$file"
		check_fence "$file"
		expect "std in $file" "$(functions "$file" |
			grep -cE ' (std|pushf|popf)')" 0
	done
}

# The baseline runs on a CPU without AVX, whatever the user's flags.
check_baseline()
{
	local file

	for file in $(objects "$1" | grep -E 'copy_(sse2|erms)|interpose'); do
		expect "AVX in $1 $(basename "$file")" "$(functions "$file" |
			grep -cE '%[yz]mm|%xmm(1[6-9]|2[0-9]|3[01])|^[^ ]+ v[a-z]')" \
			0
	done
}

# Whoever unwinds out of a copy finds its caller.
check_unwinding()
{
	local file

	for file in $(objects "$1"); do
		check "unwind tables of $1 $(basename "$file")" \
			grep -q ' \.eh_frame ' <(readelf -SW "$file")
	done
}

# Indirect branch tracking and shadow stack need a note in every object.
check_notes()
{
	local file

	for file in $(objects "$1"); do
		check "CET note of $(basename "$file")" grep -q \
			'x86 feature: IBT, SHSTK' <(readelf -nW "$file")
	done
}

# The layout that made small sizes fast (gcc 12 and later at -O2): a return
# for each size class, no jump to a shared end, no vector on the stack. Some
# slack is left for other versions.
check_layout()
{
	local file

	for file in $(objects "$1" | grep copy_); do
		functions "$file" | grep '^memroute_copy_above\|_avx512 ' \
			>"$temporary/layout"
		check "jumps of $(basename "$file"): $(grep -c ' jmp' \
			"$temporary/layout")" \
			test "$(grep -c ' jmp' "$temporary/layout")" -le 4
		check "returns of $(basename "$file"): $(grep -c ' ret' \
			"$temporary/layout")" \
			test "$(grep -c ' ret' "$temporary/layout")" -ge 6
		expect "vectors on the stack, $(basename "$file")" "$(grep -cE \
			'[xyz]mm.*\(%r[sb]p|\(%r[sb]p.*[xyz]mm' \
			"$temporary/layout")" 0
	done
}

# These change with the level; the rest is compiled in flavours.sh.
entry=src/libmemroute_la-interpose.lo

for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		omit "$compiler: not installed"
		continue
	fi
	configure_tree $compiler $compiler || continue
	for level in -O0 -O1 -O2 -O3 -Os; do
		tree=$compiler$level
		make_copy $compiler $tree libkernels.la $entry \
			CFLAGS=$level || continue
		expect "warnings of $tree" \
			"$(grep 'warning:' "$temporary/$tree.out")" ""
		check_undefined $tree
		check_kernels $tree
		check_baseline $tree
		check_unwinding $tree
	done
	make_copy $compiler $compiler-native libkernels.la $entry \
		CFLAGS='-O3 -march=native' && check_baseline $compiler-native
	make_copy $compiler $compiler-cet libmemroute.la \
		CFLAGS='-O2 -fcf-protection' CCASFLAGS=-fcf-protection &&
		check_notes $compiler-cet
done
test ! -d "$temporary/gcc-O2" || check_layout gcc-O2

finish
