/* main.c - memroute-bench: copy routines side by side.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_rng.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complain.h"
#include "output.h"
#include "place.h"
#include "processes.h"
#include "progress.h"
#include "workload.h"

/*
 * Whoever started this program: with SIGCHLD ignored nobody learns how another
 * process ended, and a file that was opened in the place of a closed standard
 * stream would get what is printed there.
 */
static void settle_in(void)
{
	int fd;

	signal(SIGCHLD, SIG_DFL);
	do
		fd = open("/dev/null", O_RDONLY);	/* writing still fails */
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

static void pin(int cpu)
{
	cpu_set_t set;

	if (cpu < 0)
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		fail_usage("--cpu %d: %s", cpu, strerror(errno));
}

/* What can go wrong goes wrong now, and not after five minutes. What is in
 * the file stays until there is something to take its place. */
static FILE *open_outputs(const struct bench_settings *settings)
{
	FILE *json = NULL;

	if (settings->json) {
		json = !strcmp(settings->json, "-") ? stdout :
			fopen(settings->json, "ae");
		if (!json)
			fail_usage("cannot write %s: %s", settings->json,
				   strerror(errno));
	}
	if (settings->plot)
		plot_check(settings->plot);
	return json;
}

/* A device cannot be emptied, and need not. */
static void empty(FILE *file)
{
	struct stat status;

	if (fstat(fileno(file), &status) || !S_ISREG(status.st_mode))
		return;
	if (ftruncate(fileno(file), 0))
		fail("cannot empty the file for JSON: %s", strerror(errno));
}

static void write_results(const struct bench *bench,
			  const struct machine *machine,
			  const struct workload *workload, FILE *json)
{
	if (json != stdout) {
		output_header(bench, machine);
		if (workload->print)
			workload->print(bench);
		else
			output_tables(bench);
	}
	if (json && json != stdout)
		empty(json);
	if (json)
		output_json(bench, machine, json);
	if (bench->settings.plot)
		output_plot(bench, bench->settings.plot);
	if (fflush(stdout))
		fail("cannot write the result: %s", strerror(errno));
}

/* In this process and in others; the exit status of the program. */
static int measure(struct bench *bench, const struct workload *workload,
		   int argc, char **argv)
{
	const struct bench_settings *s = &bench->settings;

	/* Another process makes other copies; 0 would be the same as 1. */
	gsl_rng_set(bench->rng, s->seed + (s->process ? s->process : 1));
	workload->run(bench);
	progress_clear();
	if (s->process)
		return 0;
	processes_run_others(bench, argc, argv);
	return workload->judge ? workload->judge(bench) : 0;
}

int main(int argc, char **argv)
{
	static struct bench bench;
	struct machine machine;
	const struct workload *workload;
	FILE *json;
	int status;

	settle_in();
	settings_parse(&bench.settings, argc, argv);
	workload = workload_by_name(bench.settings.workload);
	if (!bench.settings.data)
		bench.settings.data = place_data();
	json = open_outputs(&bench.settings);
	processes_check(&bench.settings);
	pin(bench.settings.cpu);
	competitors_find(&bench.competitors, &bench.settings);
	bench.rng = gsl_rng_alloc(gsl_rng_taus2);
	machine_read(&machine);
	gate_calibrate(&bench.gate);

	status = measure(&bench, workload, argc, argv);
	machine.core_ghz_after = timing_core_ghz();
	write_results(&bench, &machine, workload, json);
	return status;
}
