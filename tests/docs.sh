#!/bin/bash
# docs.sh - what the manual and the README say is what the programs do.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck disable=SC2154 # lib.sh's
root=$top_srcdir builds=$top_builddir

# plain FILE...: the words of a manual page, a blank between, on one line.
plain()
{
	cat "$@" | sed -e 's/^\.\\".*//' -e 's/^\.[A-Za-z]* *//' \
		-e "s/\" \\([A-Z]*\\)\\(\\.*\\) *\"/\\1\\2/g" \
		-e 's/\\f.//g' -e 's/\\-/-/g' -e 's/\\(ha/^/g' -e 's/"//g' |
		tr -s '[:space:]' ' '
}

# says VALUE...: what the library prints at the start with this MEMROUTE.
says()
{
	MEMROUTE=$1 LD_PRELOAD=$LIBRARY /bin/true 2>&1
}

# has TEXT WHERE WORDS: TEXT, which is not empty, is in WORDS.
has()
{
	case $1:$3 in
	:*) fail "nothing to look for in $2";;
	*:*"$1"*) pass;;
	*) fail "$2 does not say '$1'";;
	esac
}

# Prints the value of a key that MEMROUTE=$1,verbose prints.
chosen()
{
	says "$1,verbose" | sed -n "s/^memroute: $2=\\([^ ]*\\).*/\\1/p"
}

library_page=$(plain "$root/man/libmemroute.7")
readme=$(cat "$root/README")
items=$(says ITEM | sed -n "s/.*'ITEM' ignored; allowed: //p")
test -n "$items" || fail "MEMROUTE=ITEM brings no list of what is allowed"

test_items()
{
	local item

	for item in $items; do
		has "${item%SIZE}" "libmemroute.7" "$library_page"
		has " ${item%SIZE}" "README" "$readme"
	done
}

# The lines of DIAGNOSTICS, but for kernels that are not in this build.
test_messages()
{
	local page=$library_page refused text

	case $items in
	*avx512*) ;;
	*) page=${page//libc avx512 avx2/libc avx2};;
	esac
	has "$(says ITEM | grep ITEM)" "libmemroute.7" "$page"
	test "$(getconf LONG_BIT)" = 64 &&
		has "$(says rep_movsb_threshold=0 |
			sed 's/rep_movsb_threshold=0/ITEM/')" \
			"libmemroute.7" "$page"
	refused=$(for item in $items; do says "$item"; done |
		sed -n "s/'[a-z0-9]*' \\(ignored: not on.*auto libc\\).*/'KERNEL' \\1/p" |
		head -n 1)
	if test -n "$refused"; then
		has "$refused KERNEL..." "libmemroute.7" "$page"
	else
		omit "the line on a refused kernel" "this CPU has them all"
	fi
	while read -r text; do
		has "$text" "libmemroute.7" "$page"
		grep -aqF "$text" "$LIBRARY" || fail "no '$text' in the library"
	done <<-END
	' ignored: this C library shows no memmove of its own; allowed: auto or a kernel
	*** buffer overflow detected ***: terminated
	$(test "$(getconf LONG_BIT)" = 32 ||
		printf "%s\n" "' ignored: mremap fails; allowed: auto or a kernel" \
			"' ignored: built with options that move its functions; allowed: auto or a kernel")
	END
}

# The keys of MEMROUTE=verbose, in the manual's order.
test_verbose()
{
	expect "keys of MEMROUTE=verbose" \
		"$(says verbose | sed 's/=.*//')" \
		"$(sed -n 's/^\(memroute: [a-z_]*\)=\.\.\..*/\1/p' \
			"$root/man/libmemroute.7")"
}

# The ends of the range in the manual, tried from both sides.
test_range()
{
	local key range low high

	range=$(grep -o 'from [0-9]* to [0-9]* bytes (1024G)' \
		<<<"$library_page")
	low=$(cut -d ' ' -f 2 <<<"$range")
	high=$(cut -d ' ' -f 4 <<<"$range")
	expect "the manual's range" "${low:+low} ${high:+high}" "low high"
	for key in non_temporal_threshold rep_movsb_threshold; do
		expect "$key=$low" "$(chosen "sse2,$key=$low" $key)" "$low"
		expect "$key=$high" "$(chosen "sse2,$key=$high" $key)" "$high"
		expect "$key=1024G" "$(chosen "sse2,$key=1024G" $key)" "$high"
		has "ignored" "the library" "$(says "$key=$((low - 1))")"
		has "ignored" "the library" "$(says "$key=$((high + 1))")"
	done
}

# "from 16 MiB; rep movsb from 2 KiB in erms, else never."
test_fixed_thresholds()
{
	local kernel want

	has "non-temporal stores from 16 MiB; rep movsb from 2 KiB in erms ," \
		"libmemroute.7" "$library_page"
	for kernel in sse2 avx2 avx512 erms; do
		if test "$(chosen $kernel kernel)" != $kernel; then
			omit "the thresholds of $kernel" "not on this CPU"
			continue
		fi
		want=never
		test $kernel = erms && want=2048
		expect "$kernel, non-temporal" \
			"$(chosen $kernel non_temporal_threshold)" 16777216
		expect "$kernel, rep movsb" \
			"$(chosen $kernel rep_movsb_threshold)" $want
	done
}

test_exports()
{
	expect "exports and the manual's list" \
		"$(nm -D --defined-only "$LIBRARY" | sed 's/.* //' | sort)" \
		"$(grep -E '^(w?mem|__w?mem)[a-z_ ]*$' \
			"$root/man/libmemroute.7" | tr -s ' ' '\n' |
			grep -v '^$' | sort)"
}

# Every command line and file in the README.
test_readme()
{
	local tool command file option

	expect "README lines over 80 columns" \
		"$(awk 'length > 80' "$root/README")" ""
	for file in $(grep -oE '(man|scripts|data|src)/[a-zA-Z0-9._-]+' \
			"$root/README" | sort -u) COPYING; do
		test -e "$root/${file%.}" || fail "README: no file $file"
	done
	while read -r option; do
		"$root/configure" --help | grep -qw -e "^  $option" ||
			fail "README: configure has no $option"
	done < <(grep -oE -- '--(with|enable|disable)-[a-z0-9-]+' \
		"$root/README" | sort -u)
	for file in quickstart check; do
		"$root/scripts/$file" --help >/dev/null ||
			fail "scripts/$file --help: status $?"
	done
	if ! test -x "$builds/memroute"; then
		omit "the README's commands" "built without tools"
		return
	fi
	while read -r tool command; do
		"$builds/$tool" --help | grep -q "^  $command[ ,]" ||
			fail "README: $tool has no command '$command'"
	done < <(grep -oE '(^ *|build/|")memroute(-bench)? [a-z][a-z-]+' \
		"$root/README" | sed 's/^.*memroute/memroute/' | sort -u)
}

# Each option that a command's --help names is in its manual page.
test_options()
{
	local command option page

	if ! test -x "$builds/memroute"; then
		omit "the options of the commands" "built without tools"
		return
	fi
	page=$(plain "$root"/man/memroute*.[18])
	for command in run ab info doctor system bench; do
		for option in $("$builds/memroute" $command --help |
				grep -oE -- '--[a-z][a-z-]+' | sort -u); do
			has "$option" "the manual, on memroute $command," \
				"$page"
		done
	done
}

test_lint()
{
	local page

	for page in "$root"/man/*.[1-8]; do
		if command -v mandoc >/dev/null; then
			expect "mandoc ${page##*/}" "$(mandoc -T lint -W \
				warning "$page")" ""
		else
			omit "mandoc ${page##*/}" "mandoc is not installed"
		fi
		if command -v groff >/dev/null; then
			expect "groff ${page##*/}" "$(groff -man -Tutf8 -ww -z \
				"$page" 2>&1)" ""
		else
			omit "groff ${page##*/}" "groff is not installed"
		fi
	done
}

test_items
test_messages
test_verbose
test_range
test_fixed_thresholds
test_exports
test_readme
test_options
test_lint
finish
