#!/bin/bash
# bench-self-test.sh - the method finds copies that are slower by 5 and 20 %.
# On a machine so busy that even the control differs, there is nothing to say.
# SPDX-License-Identifier: BSD-3-Clause

# shellcheck source=tests/lib.sh
. "$(dirname "$0")/lib.sh"

bench=$top_builddir/memroute-bench
test -x "$bench" || skip "memroute-bench was not built"

for attempt in 1 2 3; do
	if "$bench" self-test >"$temporary/out"; then
		pass
		finish
	fi
	cat "$temporary/out"
done
# A/A +-0.02 and more: a planted 5 % cannot be told from that.
if awk -F'[+]-' '/A\/A/ && $2 > 0.02 { noisy = 1 } END { exit !noisy }' \
	"$temporary/out"; then
	skip "the control differs by more than 2 %: this machine is too busy"
fi
fail "the self-test failed $attempt times"
finish
