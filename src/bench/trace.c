/* trace.c - recorded copies, in their order.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "complain.h"
#include "lines.h"
#include "settings.h"
#include "trace.h"

static const char header[] = "n,dst_off4k,src_off4k,symbol,overlap";

enum { FIELDS = 5 };

/* Five times as much must fit into offsets of 32 bits. */
#define LONGEST (SIZE_LARGEST / 2)

void trace_read(struct trace *trace, const char *path)
{
	struct lines lines;
	char *fields[FIELDS];

	memset(trace, 0, sizeof(*trace));
	lines_open(&lines, path);
	if (!lines_next(&lines))
		fail_usage("%s: empty; allowed: a trace with the header %s",
			   path, header);
	if (strcmp(lines.text, header))
		lines_complain(&lines, lines.text, header);
	while (lines_next(&lines)) {
		lines_split(&lines, header, fields, FIELDS);
		trace->copies = grow(trace->copies, trace->count,
				     sizeof(*trace->copies));
		trace->copies[trace->count++] = (struct trace_copy){
			(uint32_t)lines_number(&lines, fields[0], LONGEST),
			(uint16_t)lines_number(&lines, fields[1], 4095),
			(uint16_t)lines_number(&lines, fields[2], 4095),
			(uint8_t)lines_number(&lines, fields[4],
					      TRACE_ADJACENT),
		};
	}
	lines_close(&lines);
	if (!trace->count)
		fail_usage("%s: a header, but no copies", path);
}

void trace_free(struct trace *trace)
{
	free(trace->copies);
}
