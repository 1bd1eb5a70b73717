#!/bin/sh
# every_kernel.sh - make check says SKIP where a kernel could not be tested.
# SPDX-License-Identifier: BSD-3-Clause

set -u
exec "${top_builddir:-.}/tests/check_kernels" --every-kernel
