/* ab.c - memroute ab: is a program faster with memroute? Judge by runs.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "../dispatch.h"
#include "ab_report.h"
#include "command_line.h"
#include "commands.h"
#include "locate.h"
#include "machine.h"
#include "preload.h"
#include "workloads.h"

enum { DEFAULT_ROUNDS = 30 };

struct request {
	struct trial_settings settings;
	const char *json, *plot;
	const char *workload;
	bool all_workloads;
	char **command;		/* if neither */
};

static const struct option options[] = {
	{ "a", required_argument, NULL, 'a' },
	{ "b", required_argument, NULL, 'b' },
	{ "runs", required_argument, NULL, 'r' },
	{ "metric", required_argument, NULL, 'm' },
	{ "higher-is-better", no_argument, NULL, 'H' },
	{ "precision", required_argument, NULL, 'p' },
	{ "compare-output", no_argument, NULL, 'c' },
	{ "pin", required_argument, NULL, 'P' },
	{ "stdin", required_argument, NULL, 'i' },
	{ "seed", required_argument, NULL, 's' },
	{ "json", required_argument, NULL, 'j' },
	{ "plot", required_argument, NULL, 'g' },
	{ "workload", required_argument, NULL, 'w' },
	{ "all-workloads", no_argument, NULL, 'W' },
	{ "help", no_argument, NULL, 'h' },
	{ NULL, 0, NULL, 0 },
};

static void help(void)
{
	puts("Usage: memroute ab [OPTION]... [--] COMMAND [ARGUMENT]...\n"
	     "       memroute ab [OPTION]... --workload NAME\n"
	     "       memroute ab [OPTION]... --all-workloads\n"
	     "\n"
	     "Runs a command again and again under two arms, in random order,\n"
	     "and tells whether b is faster than a. An arm is 'none' (without\n"
	     "the library) or a value of MEMROUTE.\n"
	     "\n"
	     "  --a ITEMS, --b ITEMS  the arms [none, auto]\n"
	     "  --runs N              rounds, at most; each runs a, b, a again,\n"
	     "                        and libc for comparison if a is none [30]\n"
	     "  --metric wall|cpu|regex:RE\n"
	     "                        what is compared: times, or the number\n"
	     "                        that RE, or its first group, finds in\n"
	     "                        what the command prints [wall]\n"
	     "  --higher-is-better    of that number\n"
	     "  --precision P%        stop early when the interval of the ratio\n"
	     "                        is within +-P %\n"
	     "  --compare-output      fail if the outputs differ\n"
	     "  --pin CPUS            run on these CPUs, 0,2-3 say\n"
	     "  --stdin FILE          input of each run [/dev/null]\n"
	     "  --seed N              of the random order [random]\n"
	     "  --json FILE           all numbers; - is standard output, in\n"
	     "                        place of the text\n"
	     "  --plot FILE           draw the ratios: .svg or .png\n"
	     "  --workload NAME       one of memroute's own workloads\n"
	     "  --all-workloads       all of them, as a table\n"
	     "  --help                this text\n"
	     "\n"
	     "Exit status: 0 whatever the verdict, 1 if a run failed, 2 for bad\n"
	     "usage.");
}

static bool parse_number(const char *option, const char *text,
			 unsigned long min, unsigned long max,
			 unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno &&
	    *number >= min && *number <= max)
		return true;
	complain("%s '%s': not allowed; allowed: a number from %lu to %lu",
		 option, text, min, max);
	return false;
}

static bool parse_rounds(const char *text, unsigned *rounds)
{
	unsigned long number;

	if (!parse_number("--runs", text, ROUNDS_MIN, ROUNDS_MAX, &number))
		return false;
	*rounds = (unsigned)number;
	return true;
}

/* "1%" or "1". */
static bool parse_precision(const char *text, double *precision)
{
	char *end;
	double percent = strtod(text, &end);

	*precision = percent / 100;
	if (end != text && (!*end || strcmp(end, "%") == 0) &&
	    percent >= 0.01 && percent <= 50)
		return true;
	complain("--precision '%s': not allowed; allowed: 0.01%% to 50%%",
		 text);
	return false;
}

/* Reads "3" or "0-2" at *text, which moves behind it. */
static bool parse_cpu_range(const char **text, unsigned long *first,
			    unsigned long *last)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	*first = *last = strtoul(*text, &end, 10);
	if (*end == '-' && end[1] >= '0' && end[1] <= '9')
		*last = strtoul(end + 1, &end, 10);
	*text = end + (*end == ',');
	return (!*end || (*end == ',' && end[1])) && *first <= *last &&
	       *last < CPU_SETSIZE;
}

static bool parse_cpus(const char *text, cpu_set_t *cpus)
{
	const char *rest = text;
	unsigned long first, last;
	cpu_set_t usable;

	CPU_ZERO(cpus);
	sched_getaffinity(0, sizeof(usable), &usable);
	do {
		if (!parse_cpu_range(&rest, &first, &last)) {
			complain("--pin '%s': not allowed; allowed: a list of "
				 "CPUs like 0,2-3", text);
			return false;
		}
		for (; first <= last; first++) {
			if (!CPU_ISSET(first, &usable)) {
				complain("--pin '%s': there is no CPU %lu "
					 "here that may be used", text, first);
				return false;
			}
			CPU_SET(first, cpus);
		}
	} while (*rest);
	return true;
}

/* It is opened anew for each run: a pipe would be empty the second time. */
static bool check_input(const char *path)
{
	struct stat status;

	if (stat(path, &status) != 0) {
		complain("--stdin '%s': %s", path, strerror(errno));
		return false;
	}
	if (S_ISREG(status.st_mode) || strcmp(path, "/dev/null") == 0)
		return true;
	complain("--stdin '%s': not allowed; allowed: a regular file", path);
	return false;
}

static bool check_arm(const char *items)
{
	struct decision decision;
	struct cpu_record record;
	struct options parsed;
	struct cpu cpu;

	if (strcmp(items, "none") == 0)
		return true;
	options_default(&parsed);
	if (options_parse(items, &parsed) != 0) {
		complain("arm '%s': not allowed; allowed: none, or items of "
			 "MEMROUTE as above", items);
		return false;
	}
	cpu_read(&record);
	cpu_decode(&record, &cpu);
	policy_choose(&cpu, &parsed, &decision);
	if (!decision.refused)
		return true;
	complain("arm '%s': kernel %s is not for this CPU and OS; see "
		 "memroute info", items, decision.refused);
	return false;
}

/* Whoever is in /etc/ld.so.preload is in every arm. */
static bool check_system_preload(const struct trial_settings *settings)
{
	FILE *file = fopen("/etc/ld.so.preload", "re");
	char line[PATH_MAX];
	bool there = false;

	while (file && fgets(line, sizeof(line), file))
		there |= strstr(line, "libmemroute.so") != NULL;
	if (file)
		fclose(file);
	if (!there || (strcmp(settings->arms[ARM_A], "none") != 0 &&
		       strcmp(settings->arms[ARM_B], "none") != 0))
		return true;
	complain("arm 'none' cannot be: /etc/ld.so.preload puts memroute into "
		 "every program; use --a libc, or memroute system disable");
	return false;
}

/* What is run, and where the result goes. */
static bool take_other_option(int option, struct request *request)
{
	switch (option) {
	case 'j':
		request->json = optarg;
		return true;
	case 'g':
		request->plot = optarg;
		return plot_possible(optarg);
	case 'w':
		request->workload = optarg;
		return true;
	case 'W':
		return request->all_workloads = true;
	default:
		return false;
	}
}

static bool take_option(int option, struct request *request)
{
	struct trial_settings *settings = &request->settings;

	switch (option) {
	case 'a':
		settings->arms[ARM_A] = optarg;
		return check_arm(optarg);
	case 'b':
		settings->arms[ARM_B] = optarg;
		return check_arm(optarg);
	case 'r':
		return parse_rounds(optarg, &settings->rounds);
	case 'm':
		metric_release(&settings->metric);
		return metric_parse(optarg, &settings->metric);
	case 'H':
		return settings->higher_is_better = true;
	case 'p':
		return parse_precision(optarg, &settings->precision);
	case 'c':
		return settings->compare_output = true;
	case 'P':
		settings->pin = optarg;
		return parse_cpus(optarg, &settings->cpus);
	case 'i':
		settings->input = optarg;
		return check_input(optarg);
	case 's':
		return parse_number("--seed", optarg, 0, UINT32_MAX,
				    &settings->seed);
	default:
		return take_other_option(option, request);
	}
}

/* What options alone cannot tell. */
static bool check_request(struct request *request)
{
	struct trial_settings *settings = &request->settings;
	int subjects = !!request->workload + request->all_workloads +
		       !!*request->command;

	if (subjects != 1) {
		complain("what is to be run? allowed: one of COMMAND, "
			 "--workload NAME, --all-workloads");
		return false;
	}
	if (settings->higher_is_better &&
	    settings->metric.kind != METRIC_REGEX) {
		complain("--higher-is-better: not of a time; allowed with "
			 "--metric regex:RE");
		return false;
	}
	settings->arms[ARM_CONTROL] = settings->arms[ARM_A];
	if (strcmp(settings->arms[ARM_A], "none") == 0 &&
	    strcmp(settings->arms[ARM_B], "libc") != 0)
		settings->arms[ARM_LIBC] = "libc";
	return check_system_preload(settings);
}

static bool check_files(struct request *request)
{
	char *library = request->settings.library;
	FILE *file;

	if (!locate_library(library))
		return false;
	if (!preload_can_hold(library)) {
		complain("%s: ld.so takes spaces and colons in LD_PRELOAD for "
			 "separators; move memroute to a path without them",
			 library);
		return false;
	}
	if (!request->json || strcmp(request->json, "-") == 0)
		return true;
	file = fopen(request->json, "ae");
	if (file)
		return fclose(file) == 0;
	complain("--json '%s': %s", request->json, strerror(errno));
	return false;
}

static bool wants_text(const struct request *request)
{
	return !request->json || strcmp(request->json, "-") != 0;
}

/* Runs one trial and adds it to experiments. Returns the signal that ended
 * it, or 0; *failed is set if the verdict is. */
static int try_one(const struct request *request, const char *name,
		   char *const *argv, json_t *experiments, bool *failed)
{
	struct trial trial = {
		.settings = &request->settings, .name = name, .argv = argv,
	};

	trial_run(&trial);
	*failed |= trial.experiment.verdict == VERDICT_FAILED;
	if (!trial.interrupt) {
		if (wants_text(request) && request->all_workloads)
			report_line(&trial);
		else if (wants_text(request))
			report_trial(&trial);
		json_array_append_new(experiments, report_json(&trial));
	}
	trial_release(&trial);
	return trial.interrupt;
}

/* A workload that could not be prepared. Of a single one a result was asked
 * for, and there is none: that is a failure even if it was only skipped. */
static void give_up(const struct request *request, const char *name,
		    enum prepared prepared, json_t *experiments, bool *failed)
{
	bool skipped = prepared == PREPARE_SKIPPED;

	if (!skipped || !request->all_workloads)
		*failed = true;
	if (wants_text(request))
		printf("%s: %s\n", name, skipped ? "skipped" : "failed");
	json_array_append_new(experiments,
			      report_unprepared_json(name, skipped));
}

static int try_workload(const struct request *request, const char *directory,
			char *name, json_t *experiments, bool *failed)
{
	char *path, run[] = "run";
	enum prepared prepared;
	int interrupt;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		abort();
	prepared = workload_prepare(path, &interrupt);
	if (!interrupt && prepared == PREPARED)
		interrupt = try_one(request, name,
				    (char *[]) { path, run, NULL },
				    experiments, failed);
	else if (!interrupt)
		give_up(request, name, prepared, experiments, failed);
	free(path);
	return interrupt;
}

static int try_workloads(const struct request *request,
			 const struct workloads *workloads,
			 json_t *experiments, bool *failed)
{
	int interrupt = 0;

	if (request->all_workloads && wants_text(request))
		report_heading();
	for (size_t i = 0; i < workloads->count && !interrupt; i++)
		if (request->all_workloads ||
		    strcmp(workloads->names[i], request->workload) == 0)
			interrupt = try_workload(request, workloads->directory,
						 workloads->names[i],
						 experiments, failed);
	return interrupt;
}

static int try_all(const struct request *request,
		   const struct workloads *workloads)
{
	json_t *experiments = json_array(), *document;
	bool failed = false;
	int interrupt;

	child_begin();
	if (*request->command)
		interrupt = try_one(request, request->command[0],
				    request->command, experiments, &failed);
	else
		interrupt = try_workloads(request, workloads, experiments,
					  &failed);
	if (interrupt) {
		complain("interrupted by signal %d", interrupt);
		child_die_of(interrupt);
	}
	document = report_document(&request->settings, experiments);
	if (request->json && !machine_write_json(document, request->json))
		failed = true;
	if (request->plot && !plot_document(document, request->plot))
		failed = true;
	json_decref(document);
	return failed ? STATUS_FAILED : 0;
}

static int find_and_try(const struct request *request)
{
	struct workloads workloads = { .count = 0 };
	int status;

	if (*request->command)
		return try_all(request, &workloads);
	if (!workloads_find(&workloads))
		return STATUS_FAILED;
	status = request->all_workloads ||
		 workloads_check(&workloads, request->workload) ?
		 try_all(request, &workloads) : STATUS_USAGE;
	workloads_release(&workloads);
	return status;
}

static unsigned long random_seed(void)
{
	uint32_t seed = 0;

	/* any order will do if the kernel has none to give */
	return getrandom(&seed, sizeof(seed), 0) == sizeof(seed) ? seed : 1;
}

int command_ab(int argc, char **argv)
{
	struct request request = {
		.settings = {
			.arms = { "none", "auto" },
			.rounds = DEFAULT_ROUNDS, .input = "/dev/null",
			.seed = random_seed(),
			.metric = { .kind = METRIC_WALL, .text = "wall" },
		},
	};
	int option, status;

	while ((option = next_option(argc, argv, options)) != -1) {
		if (option == 'h')
			return help(), 0;
		if (!take_option(option, &request))
			return STATUS_USAGE;
	}
	request.command = argv + optind;
	if (!check_request(&request))
		return STATUS_USAGE;
	status = check_files(&request) ?
		 find_and_try(&request) : STATUS_FAILED;
	metric_release(&request.settings.metric);
	return status;
}
