/* settings.c - what the command line asks for.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "complain.h"
#include "settings.h"
#include "workload.h"

enum {
	OPERATIONS_DEFAULT = 131072,
	OPERATIONS_MAX = 1 << 24,
	REPETITIONS_DEFAULT = 11,
	REPETITIONS_MAX = 1000,
	PROCESSES_DEFAULT = 5,
	CPU_MAX = 1023,
	THREADS_MAX = 1024,
};

static const struct option long_options[] = {
	{ "size", required_argument, NULL, 's' },
	{ "sizes", required_argument, NULL, 's' },
	{ "distance", required_argument, NULL, 'd' },
	{ "threads", required_argument, NULL, 't' },
	{ "seed", required_argument, NULL, 'S' },
	{ "time", required_argument, NULL, 'T' },
	{ "pairs", required_argument, NULL, 'r' },
	{ "processes", required_argument, NULL, 'N' },
	{ "process", required_argument, NULL, 'k' },
	{ "operations", required_argument, NULL, 'n' },
	{ "competitors", required_argument, NULL, 'c' },
	{ "peer", required_argument, NULL, 'p' },
	{ "library", required_argument, NULL, 'l' },
	{ "data", required_argument, NULL, 'D' },
	{ "json", required_argument, NULL, 'j' },
	{ "plot", required_argument, NULL, 'P' },
	{ "cpu", required_argument, NULL, 'C' },
	{ "intervals", no_argument, NULL, 'i' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ 0 }
};

static const char options_help[] =
	"\n"
	"Options:\n"
	"  --size LIST          sizes in bytes, 64,2K, or ranges, 1-16,17-64\n"
	"  --distance LIST      page distances, (dst - src) mod 4096\n"
	"  --threads N          threads at once [one for each CPU]\n"
	"  --competitors LIST   who is measured besides libc [everybody]\n"
	"  --peer NAME=FILE.so[:SYMBOL]\n"
	"                       one more, from any library [its memcpy]\n"
	"  --library FILE.so    the libmemroute.so that is measured\n"
	"  --data DIR           folder of the distributions and traces\n"
	"  --time SECONDS       for each row of a table [1]\n"
	"  --pairs N            pairs at least, whatever the time [11]\n"
	"  --processes N        that share both, each with other addresses [5]\n"
	"  --process K          the K-th of them alone, as JSON\n"
	"  --operations N       distinct copies in a row [131072]\n"
	"  --seed N             of sizes, alignments and order [fresh]\n"
	"  --cpu N              stay on this CPU\n"
	"  --intervals          a line for each competitor, with its interval\n"
	"  --json FILE          write JSON; -: in place of the tables\n"
	"  --plot FILE          draw it, .svg or .png, with gnuplot\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0; 1 if a check failed; 2 for bad arguments or files.\n";

__attribute__((noreturn)) static void help(void)
{
	printf("Usage: memroute-bench [OPTION]... WORKLOAD [ARGUMENT]...\n"
	       "Measures memroute, libc and other copy routines side by "
	       "side.\n\nWorkloads:\n");
	for (size_t i = 0; i < workload_count; i++)
		printf("  %-16s %s\n", workloads[i].name, workloads[i].what);
	fputs(options_help, stdout);
	exit(0);
}

__attribute__((noreturn)) static void version(void)
{
	printf("memroute-bench %s\n", PACKAGE_VERSION);
	exit(0);
}

static void add_peer(struct bench_settings *s, const char *text)
{
	if (s->peer_count == PEERS_MAX)
		fail_usage("--peer: more than %d", PEERS_MAX);
	s->peers[s->peer_count++] = text;
}

static void take_plot(struct bench_settings *s, const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!dot || (strcmp(dot, ".svg") && strcmp(dot, ".png")))
		fail_usage("--plot '%s': allowed are names that end in .svg "
			   "or .png", path);
	s->plot = path;
}

/* True if it was one of the options with a value that is only kept. */
static bool take_text(struct bench_settings *s, int option)
{
	const char **place = option == 'c' ? &s->competitors :
			     option == 'l' ? &s->library :
			     option == 'D' ? &s->data :
			     option == 'j' ? &s->json : NULL;

	if (place)
		*place = optarg;
	return place;
}

/* The value of the option that was read last, from 1 to max. */
static unsigned count_of(const char *option, unsigned max)
{
	return (unsigned)settings_parse_number(option, optarg, 1, max);
}

/* True if it was one of the options with a number. */
static bool take_number(struct bench_settings *s, int option)
{
	switch (option) {
	case 't':
		s->threads = count_of("--threads", THREADS_MAX);
		return true;
	case 'S':
		s->seed = settings_parse_number("--seed", optarg, 0,
						UINT32_MAX);
		return true;
	case 'r':
		s->repetitions = count_of("--pairs", REPETITIONS_MAX);
		return true;
	case 'N':
		s->processes = count_of("--processes", PROCESSES_MAX);
		return true;
	case 'k':
		s->process = count_of("--process", PROCESSES_MAX);
		return true;
	case 'n':
		s->operations = count_of("--operations", OPERATIONS_MAX);
		return true;
	case 'C':
		s->cpu = (int)settings_parse_number("--cpu", optarg, 0,
						    CPU_MAX);
		return true;
	}
	return false;
}

static void take_option(struct bench_settings *s, int option)
{
	if (take_text(s, option) || take_number(s, option))
		return;
	switch (option) {
	case 's':
		s->size_count = settings_parse_sizes(optarg, s->sizes);
		break;
	case 'd':
		s->distance_count = settings_parse_distances(optarg,
							     s->distances);
		break;
	case 'T':
		s->seconds = settings_parse_seconds(optarg);
		s->seconds_given = true;
		break;
	case 'p':
		add_peer(s, optarg);
		break;
	case 'P':
		take_plot(s, optarg);
		break;
	case 'i':
		s->intervals = true;
		break;
	case 'h':
		help();
	case 'V':
		version();
	}
}

/* What getopt says itself comes in the one line that all errors have. */
__attribute__((noreturn)) static void complain_of_option(char **argv, int what)
{
	const char *text = argv[optind - 1];

	if (what == ':')
		fail_usage("%s needs a value; see memroute-bench --help", text);
	fail_usage("no option '%s'; see memroute-bench --help", text);
}

static void check_taken(const struct bench_settings *s,
			const struct workload *workload)
{
	unsigned takes = workload->takes;

	if (s->size_count && !(takes & (TAKES_SIZES | TAKES_RANGES)))
		fail_usage("%s takes no --size", workload->name);
	for (size_t i = 0; i < s->size_count; i++)
		if (s->sizes[i].low != s->sizes[i].high &&
		    !(takes & TAKES_RANGES))
			fail_usage("%s takes single sizes, and no range",
				   workload->name);
	if (s->distance_count && !(takes & TAKES_DISTANCES))
		fail_usage("%s takes no --distance", workload->name);
	if (s->threads && !(takes & TAKES_THREADS))
		fail_usage("%s takes no --threads", workload->name);
	if (s->argument_count && !(takes & TAKES_FILES))
		fail_usage("%s takes no argument, but here is '%s'",
			   workload->name, s->arguments[0]);
}

/* The results of one of several processes are for a program. */
static void take_process(struct bench_settings *s)
{
	if (!s->process)
		return;
	if (s->process > s->processes)
		fail_usage("--process %u is beyond --processes %u",
			   s->process, s->processes);
	s->json = "-";
	s->plot = NULL;
}

void settings_parse(struct bench_settings *s, int argc, char **argv)
{
	uint32_t seed = 1;
	int option;

	/* A seed that is not random is no reason to give up. */
	if (getrandom(&seed, sizeof(seed), GRND_NONBLOCK) < 0)
		seed = 1;
	*s = (struct bench_settings){
		.seed = seed, .processes = PROCESSES_DEFAULT,
		.repetitions = REPETITIONS_DEFAULT,
		.operations = OPERATIONS_DEFAULT, .seconds = 1, .cpu = -1,
	};
	while ((option = getopt_long(argc, argv, ":", long_options, NULL)) >=
	       0) {
		if (option == '?' || option == ':')
			complain_of_option(argv, option);
		take_option(s, option);
	}
	if (optind == argc)
		fail_usage("no workload named; see memroute-bench --help");
	s->workload = argv[optind];
	s->arguments = (const char *const *)argv + optind + 1;
	s->argument_count = (size_t)(argc - optind - 1);
	take_process(s);
	check_taken(s, workload_by_name(s->workload));
}
