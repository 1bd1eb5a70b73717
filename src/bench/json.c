/* json.c - what was measured, for programs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "../measure/text.h"
#include "complain.h"
#include "output.h"

static json_t *machine_object(const struct machine *m)
{
	return json_pack("{s:s s:i s:i s:i s:i s:I s:I s:I s:s s:s s:s"
			 " s:f s:f s:f}",
			 "cpu", m->brand, "family", (int)m->cpu.family,
			 "model", (int)m->cpu.model,
			 "stepping", (int)m->cpu.stepping,
			 "cpus", (int)m->cpus, "l1d", (json_int_t)m->cpu.l1d,
			 "l2", (json_int_t)m->cpu.l2,
			 "l3", (json_int_t)m->cpu.l3, "libc", m->libc,
			 "kernel", m->kernel, "governor", m->governor,
			 "core_ghz", m->core_ghz,
			 "core_ghz_after", m->core_ghz_after,
			 "tsc_ghz", m->tsc_ghz);
}

static json_t *settings_object(const struct bench_settings *s)
{
	json_t *sizes = json_array(), *distances = json_array();

	for (size_t i = 0; i < s->size_count; i++)
		json_array_append_new(sizes, json_pack("[I, I]",
			(json_int_t)s->sizes[i].low,
			(json_int_t)s->sizes[i].high));
	for (size_t i = 0; i < s->distance_count; i++)
		json_array_append_new(distances,
			json_integer((json_int_t)s->distances[i]));
	return json_pack("{s:s s:I s:i s:i s:f s:i s:I s:o s:o s:i s:i s:o}",
			 "workload", s->workload, "seed", (json_int_t)s->seed,
			 "processes", (int)s->processes,
			 "process", (int)s->process,
			 "seconds", s->seconds, "repetitions",
			 (int)s->repetitions, "operations",
			 (json_int_t)s->operations, "sizes", sizes,
			 "distances", distances, "threads", (int)s->threads,
			 "cpu", s->cpu, "data", text_json(s->data));
}

static json_t *competitors_array(const struct competitors *list)
{
	json_t *array = json_array();

	for (size_t i = 0; i < list->count; i++) {
		const struct competitor *c = &list->all[i];

		json_array_append_new(array, json_pack("{s:o s:o}",
			"name", text_json(c->name),
			"what", text_json(c->what)));
	}
	return array;
}

static json_t *result_object(const struct row *row, const struct result *r)
{
	return json_pack("{s:o s:f s:f s:f s:f s:f s:s}",
			 "competitor", text_json(r->competitor->name),
			 "ns", r->ns,
			 "gb_per_s", row->bytes / r->ns,
			 "ratio", r->ratio.median, "low", r->ratio.low,
			 "high", r->ratio.high,
			 "verdict", verdict_name(r->verdict));
}

static json_t *row_object(const struct row *row)
{
	json_t *results = json_array();

	for (size_t i = 0; i < row->count; i++)
		json_array_append_new(results,
				      result_object(row, &row->results[i]));
	return json_pack("{s:o s:f s:I s:i s:i s:i s:f s:o}",
			 "name", text_json(row->name), "bytes", row->bytes,
			 "operations", (json_int_t)row->operations,
			 "pairs", (int)row->repetitions,
			 "retried", (int)row->retried,
			 "ungated", (int)row->ungated,
			 "aa_deviation", row->deviation, "results", results);
}

static json_t *tables_array(const struct bench *bench)
{
	json_t *tables = json_array();

	for (size_t i = 0; i < bench->table_count; i++) {
		const struct table *table = &bench->tables[i];
		json_t *rows = json_array();

		for (size_t k = 0; k < table->count; k++)
			json_array_append_new(rows,
					      row_object(&table->rows[k]));
		json_array_append_new(tables, json_pack("{s:s s:s s:s s:o}",
			"workload", table->workload, "note", table->note,
			"reference", table->competitors->all[REFERENCE].name,
			"rows", rows));
	}
	return tables;
}

static json_t *outcomes_array(const struct bench *bench)
{
	json_t *array = json_array();

	for (size_t i = 0; i < bench->outcome_count; i++) {
		const struct outcome *o = &bench->outcomes[i];

		json_array_append_new(array, json_pack(
			"{s:s s:f s:f s:f s:s s:f s:s s:b}",
			"name", o->name, "goal", o->goal,
			"measured", o->measured, "aa_deviation", o->deviation,
			"worst", o->worst, "worst_ratio", o->worst_ratio,
			"best_peer", o->peer, "met", (int)o->met));
	}
	return array;
}

void output_json(const struct bench *bench, const struct machine *machine,
		 FILE *file)
{
	json_t *root = json_pack("{s:s s:s s:s s:s s:i s:o s:o s:o s:o s:o s:s}",
				 "program", "memroute-bench",
				 "version", PACKAGE_VERSION,
				 "compiler", machine->compiler,
				 "date", machine->date, "schema", 1,
				 "machine", machine_object(machine),
				 "settings", settings_object(&bench->settings),
				 "competitors",
				 competitors_array(&bench->competitors),
				 "tables", tables_array(bench),
				 "goals", outcomes_array(bench),
				 "advice", bench->advice);

	if (!root)
		fail("out of memory for JSON");
	if (json_dumpf(root, file, JSON_INDENT(1) | JSON_REAL_PRECISION(6)) ||
	    fputc('\n', file) == EOF || fflush(file))
		fail("cannot write %s: %s", bench->settings.json,
		     strerror(errno));
	json_decref(root);
}
