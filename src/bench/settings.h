/* settings.h - what the command line asks for.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_BENCH_SETTINGS_H
#define MEMROUTE_BENCH_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>

enum { LIST_MAX = 64, PEERS_MAX = 16, PROCESSES_MAX = 50 };

/* The largest copy, in bytes: two blocks of it must fit into memory, and
 * their offsets into 32 bits. */
#define SIZE_LARGEST ((size_t)1 << 30)

struct size_range {
	size_t low, high;	/* bytes, both included */
};

struct bench_settings {
	unsigned long seed;		/* of the first process */
	unsigned processes;		/* that share time and pairs */
	unsigned process;		/* only this one, from 1; 0: all */
	double seconds;			/* for each row of a table */
	bool seconds_given;
	unsigned repetitions;		/* at least, whatever the time */
	size_t operations;		/* distinct ones in a row */
	struct size_range sizes[LIST_MAX];	/* --size */
	size_t size_count;		/* 0: the workload's own */
	size_t distances[LIST_MAX];	/* --distance, bytes mod 4096 */
	size_t distance_count;
	unsigned threads;		/* 0: as many as CPUs */
	int cpu;			/* to be pinned to; -1: none */
	const char *competitors;	/* comma-separated; NULL: all */
	const char *peers[PEERS_MAX];	/* NAME=FILE[:SYMBOL] */
	size_t peer_count;
	const char *library;		/* libmemroute.so */
	const char *data;		/* folder of the distributions */
	const char *json, *plot;	/* files to write; NULL: none */
	bool intervals;			/* the long table */
	const char *workload;
	const char *const *arguments;	/* behind the workload */
	size_t argument_count;
};

/*
 * Reads the command line; --help and --version end the program with status 0,
 * what cannot be read ends it with status 2 and one line.
 */
void settings_parse(struct bench_settings *settings, int argc, char **argv);

/* Reads a decimal number from min to max; ends the program with status 2 and
 * the name of the option for anything else. */
size_t settings_parse_number(const char *option, const char *text, size_t min,
			     size_t max);

/* The same for the seconds of --time, from 0.001 to 3600. */
double settings_parse_seconds(const char *text);

/* Reads SIZE, SIZE-SIZE or a comma-separated list of them into ranges; a SIZE
 * is a decimal number with an optional K, M or G, at most SIZE_LARGEST. Ends
 * the program with status 2 for anything else. Returns how many. */
size_t settings_parse_sizes(const char *text, struct size_range *ranges);

/* The same for page distances, decimal numbers from 0 to 4095. */
size_t settings_parse_distances(const char *text, size_t *distances);

#endif
