/* workload_distribution.c - sizes and alignments of real programs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <gsl/gsl_randist.h>
#include <stdlib.h>

#include "distribution.h"
#include "workload.h"

static const struct data_kind kind = {
	"distribution", ".csv", { "fleetbench", ".", "apps/histograms" }, 2,
};

struct sampler {
	const struct weighted *list;
	gsl_ran_discrete_t *table;
};

static struct sampler sampler_new(const struct weighted *list)
{
	return (struct sampler){
		list, gsl_ran_discrete_preproc(list->count, list->weights),
	};
}

static size_t draw(const struct sampler *sampler, gsl_rng *rng)
{
	size_t i = gsl_ran_discrete(rng, sampler->table);
	const struct size_range *value = &sampler->list->values[i];

	return value->low +
		gsl_rng_uniform_int(rng, value->high - value->low + 1);
}

static size_t largest(const struct weighted *list)
{
	size_t size = 0;

	for (size_t i = 0; i < list->count; i++)
		if (list->weights[i] > 0 && list->values[i].high > size)
			size = list->values[i].high;
	return size;
}

/* The destination lies up to n bytes above or below the source. */
static void overlap(gsl_rng *rng, struct operation *o)
{
	uint32_t distance;

	if (!o->n)
		return;
	distance = (uint32_t)gsl_rng_uniform_int(rng, o->n);
	if (gsl_rng_uniform_int(rng, 2) && distance <= o->src)
		o->dst = o->src - distance;
	else
		o->dst = o->src + distance;
}

static void fill(struct bench *bench, struct cell *cell,
		 const struct distribution *d)
{
	struct sampler sizes = sampler_new(&d->sizes),
		dst = sampler_new(&d->dst_alignment),
		src = sampler_new(&d->src_alignment);
	size_t side = side_size(largest(&d->sizes));
	gsl_rng *rng = bench->rng;

	for (size_t i = 0; i < cell->count; i++) {
		struct operation *o = &cell->operations[i];

		o->n = (uint32_t)draw(&sizes, rng);
		o->dst = (uint32_t)side +
			random_offset(rng, o->n, (unsigned)draw(&dst, rng));
		o->src = random_offset(rng, o->n, (unsigned)draw(&src, rng));
		if (gsl_rng_uniform(rng) < d->overlap)
			overlap(rng, o);
	}
	gsl_ran_discrete_free(sizes.table);
	gsl_ran_discrete_free(dst.table);
	gsl_ran_discrete_free(src.table);
}

struct cell *cell_from_distribution(struct bench *bench, const char *path,
				    const char *name)
{
	struct cell *cell = cell_new(bench->settings.operations, "%s", name);
	struct distribution distribution;

	distribution_read(&distribution, path);
	fill(bench, cell, &distribution);
	cell->whole_pass = true;
	cell->overlap = distribution.overlap > 0 ? OVERLAP_SOME : OVERLAP_NONE;
	distribution_free(&distribution);
	cell_map(cell);
	return cell;
}

void run_distribution(struct bench *bench)
{
	bench_begin(bench, "distribution",
		    "copies with the sizes and alignments of real programs");
	data_measure(bench, &kind, cell_from_distribution);
}
