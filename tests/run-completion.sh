#!/bin/bash
# run-completion.sh - the completion knows the commands and options that there
# are, and no others.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"
memroute=$top_builddir/memroute
# shellcheck source=scripts/memroute.bash-completion
. "$top_srcdir/scripts/memroute.bash-completion"

# The words of stdin, sorted, in a line.
sorted()
{
	tr -s '[:space:]' '\n' | sed '/^$/d' | sort | paste -s -d ' '
}

# completed WORD...: what the last one can become, sorted, in a line
completed()
{
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	COMPREPLY=()
	if test "${1##*/}" = memroute-bench; then
		_memroute_bench_alone
	else
		_memroute
	fi
	printf '%s\n' "${COMPREPLY[@]}" | sorted
}

# options COMMAND: as an unknown one is answered
options()
{
	"$memroute" "$1" --no-such-option 2>&1 |
		sed 's/.*allowed://; s/ VALUE//g' | sorted
}

for command in run ab info doctor; do
	expect "options of $command" "$(completed memroute $command --)" \
		"$(options $command)"
done
expect "commands" "$(completed memroute "")" \
	"$({ "$memroute" x 2>&1 | sed 's/.*allowed://'; \
		echo --help --version; } | sorted)"
expect "verbs of system" "$(completed memroute system "")" \
	"$({ "$memroute" system x 2>&1 | sed 's/.*allowed://'; \
		echo --help; } | sorted)"
expect "kernels" "$(completed memroute run --kernel "")" \
	"$("$memroute" run --kernel x true 2>&1 |
		sed 's/.*allowed://' | sorted)"
expect "arms" "$(completed memroute ab --a s)" sse2
expect "the command's own options are its own" \
	"$(completed memroute run tru --ver)" ""
check "commands after --" grep -qw true \
	<<<"$(completed memroute run -- tru)"

# memroute-bench, which need not be installed beside its completion.
bench=$top_builddir/memroute-bench
if test -x "$bench"; then
	workloads=$("$bench" no-such-workload 2>&1 | sed 's/.*allowed[^:]*://' |
		tr , ' ' | sorted)
	expect "workloads" "$(completed "$bench" "")" "$workloads"
	expect "workloads of memroute bench" \
		"$(completed "$memroute" bench "")" "$workloads"
	expect "an option of memroute-bench" \
		"$(completed "$bench" random --ti)" --time
	expect "options of memroute-bench behind one without a value" \
		"$(completed "$bench" --intervals --se)" --seed
	expect "a number is not guessed" "$(completed "$bench" --time "")" ""
	expect "files" "$(completed "$bench" --json "$0")" "$0"
	for option in $(completed "$bench" --); do
		"$bench" "$option" 2>&1 >/dev/null </dev/null |
			grep -q 'no option' && fail "there is no $option"
	done
fi

# The same in the manual: each option has an entry.
for command in run ab info doctor; do
	for option in $(options $command); do
		test "$option" = --help && continue
		check "memroute.1 has $option" grep -q -- \
			"\\\\-\\\\-$(sed 's/^--//; s/-/\\\\-/g' <<<"$option")" \
			"$top_srcdir/man/memroute.1"
	done
done
finish
