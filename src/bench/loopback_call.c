/* loopback_call.c - the loopback with each copy a call of what is measured.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include "competitor.h"

#define COPY(dst, src, n) bench_call(dst, src, n)
#define RUN loopback_run_call
#include "loopback_host.h"
