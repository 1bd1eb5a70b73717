/* loopback_inlined.c - the loopback without calls: compiled so that memcpy of
 * any size is expanded in place (gcc's -minline-all-stringops).
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <string.h>

#define COPY(dst, src, n) memcpy(dst, src, n)
#define RUN loopback_run_inlined
#include "loopback_host.h"
