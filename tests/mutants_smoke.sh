#!/bin/sh
# mutants_smoke.sh - a few mutants, to see that tests/mutants still works.
# All of them: make check-mutants.
# SPDX-License-Identifier: BSD-3-Clause

set -u
if ! command -v python3 >/dev/null; then
	echo "skipped: mutants: no python3"
	exit 77
fi
exec "${MAKE:-make}" -s check-mutants MUTANTS='--smoke 12'
