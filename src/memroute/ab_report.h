/* ab_report.h - what ab has found: as text, JSON and a plot.
 * SPDX-License-Identifier: BSD-3-Clause */

#ifndef MEMROUTE_AB_REPORT_H
#define MEMROUTE_AB_REPORT_H

#include <jansson.h>

#include "trial.h"

/* The whole result of one trial, on stdout. */
void report_trial(const struct trial *trial);

/* The same as a line of a table over several; the heading goes before. */
void report_heading(void);
void report_line(const struct trial *trial);

/* Elements of "experiments" in ab.schema.json, of a trial and of a workload
 * that could not be prepared, and the document, which takes over the array.
 * All for json_decref(). */
json_t *report_json(const struct trial *trial);
json_t *report_unprepared_json(const char *name, bool skipped);
json_t *report_document(const struct trial_settings *settings,
			json_t *experiments);

/*
 * True if gnuplot is there and path is a kind of file it is asked for, .svg
 * or .png, that can be written; else it complains. To be asked before hours
 * of measuring.
 */
bool plot_possible(const char *path);

/* Draws a document: of one experiment the ratio of each round, of several
 * each interval. False, after a complaint, if gnuplot fails. */
bool plot_document(const json_t *document, const char *path);

#endif
