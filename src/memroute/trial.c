/* trial.c - one experiment of ab: a command under its arms.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command_line.h"
#include "preload.h"
#include "target.h"
#include "trial.h"

/* How much of a failed command's stderr is shown: its end. */
enum { SHOWN_ERRORS = 4000 };

static const char *const roles[ARMS] = { "a", "b", "a again", "libc" };

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double trial_shown(const struct trial_settings *settings, double value)
{
	return settings->higher_is_better ? 1 / value : value;
}

__attribute__((format(printf, 2, 3)))
static bool fail(struct trial *trial, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(trial->failure, sizeof(trial->failure), format, arguments);
	va_end(arguments);
	return false;
}

static void set_or_unset(const char *variable, char *value)
{
	if ((*value ? setenv(variable, value, 1) : unsetenv(variable)) != 0)
		abort();
	free(value);
}

/* The environment of the next child is this process's own. */
static void enter_arm(const struct trial *trial, enum arm arm)
{
	const char *items = trial->settings->arms[arm];
	char *clean = preload_without_memroute(getenv("LD_PRELOAD"));

	if (strcmp(items, "none") == 0) {
		set_or_unset("LD_PRELOAD", clean);
		unsetenv("MEMROUTE");
		return;
	}
	set_or_unset("LD_PRELOAD",
		     preload_add(clean, trial->settings->library,
				 trial->sanitizer));
	free(clean);
	if (setenv("MEMROUTE", items, 1) != 0)
		abort();
}

static bool keeps_output(const struct trial_settings *settings)
{
	return settings->compare_output ||
	       settings->metric.kind == METRIC_REGEX;
}

/* A file without a name, which commands do not inherit. */
static FILE *scratch_file(void)
{
	FILE *file = tmpfile();

	if (file)
		fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
	return file;
}

static bool open_files(struct trial *trial)
{
	trial->output = keeps_output(trial->settings) ? scratch_file() :
			fopen("/dev/null", "r+e");
	trial->reference = scratch_file();
	trial->errors = scratch_file();
	return (trial->output && trial->reference && trial->errors) ||
	       fail(trial, "temporary file: %s", strerror(errno));
}

static bool emptied(FILE *file)
{
	rewind(file);
	return ftruncate(fileno(file), 0) == 0;
}

static char *contents(FILE *file)
{
	off_t size = lseek(fileno(file), 0, SEEK_END);
	char *text = calloc((size_t)size + 1, 1);

	if (!text)
		abort();
	if (pread(fileno(file), text, (size_t)size, 0) < 0)
		*text = 0;
	return text;
}

static void show_errors(FILE *errors)
{
	char *text = contents(errors);
	size_t n = strlen(text), skip = n > SHOWN_ERRORS ? n - SHOWN_ERRORS : 0;

	fputs(text + skip, stderr);
	if (n && text[n - 1] != '\n')
		fputc('\n', stderr);
	free(text);
}

static bool explain_status(struct trial *trial, enum arm arm,
			   const struct child_result *result)
{
	const char *role = roles[arm], *items = trial->settings->arms[arm];

	if (result->interrupt) {
		trial->interrupt = result->interrupt;
		return fail(trial, "interrupted by signal %d (%s)",
			    result->interrupt, strsignal(result->interrupt));
	}
	if (result->error)
		return fail(trial, "%s: %s", trial->argv[0],
			    strerror(result->error));
	if (WIFSIGNALED(result->status))
		fail(trial, "arm %s (%s): killed by signal %d (%s)", role,
		     items, WTERMSIG(result->status),
		     strsignal(WTERMSIG(result->status)));
	else
		fail(trial, "arm %s (%s): exit status %d", role, items,
		     WEXITSTATUS(result->status));
	return false;
}

/* Byte by byte with the first output of a, which the first call keeps. */
static bool output_agrees(struct trial *trial, enum arm arm)
{
	FILE *swap = trial->reference;
	int ours, theirs;

	if (!trial->experiment.done && !trial->experiment.runs &&
	    arm == ARM_A) {
		trial->reference = trial->output;
		trial->output = swap;
		return true;
	}
	rewind(trial->output);
	rewind(trial->reference);
	do {
		ours = getc(trial->output);
		theirs = getc(trial->reference);
	} while (ours == theirs && ours != EOF);
	return ours == theirs ||
	       fail(trial, "arm %s (%s): its output differs from the first "
		    "one of a", roles[arm], trial->settings->arms[arm]);
}

static bool read_metric(struct trial *trial, double *value)
{
	const struct metric *metric = &trial->settings->metric;
	char *output = contents(trial->output);
	char *errors = contents(trial->errors);
	bool found = metric_find(metric, output, value) ||
		     metric_find(metric, errors, value);

	free(output);
	free(errors);
	return found ||
	       fail(trial, "--metric '%s': no positive number in what the "
		    "command printed", metric->text);
}

static bool fill_sample(struct trial *trial, const struct child_result *result,
			struct sample *sample)
{
	const struct trial_settings *settings = trial->settings;

	sample->wall = result->wall;
	/* the kernel may have counted nothing for a very short command */
	sample->cpu = result->cpu > 0 ? result->cpu : 1e-6;
	sample->value = settings->metric.kind == METRIC_CPU ? sample->cpu :
			sample->wall;
	if (settings->metric.kind != METRIC_REGEX)
		return true;
	if (!read_metric(trial, &sample->value))
		return false;
	/* its own inverse */
	sample->value = trial_shown(settings, sample->value);
	return true;
}

static bool run_once(void *context, enum arm arm, struct sample *sample)
{
	struct trial *trial = context;
	const struct trial_settings *settings = trial->settings;
	struct child_command command = {
		.argv = trial->argv, .input = settings->input,
		.output = fileno(trial->output),
		.errors = fileno(trial->errors),
		.cpus = settings->pin ? &settings->cpus : NULL,
	};
	struct child_result result;

	if ((keeps_output(settings) && !emptied(trial->output)) ||
	    !emptied(trial->errors))
		return fail(trial, "temporary file: %s", strerror(errno));
	enter_arm(trial, arm);
	child_run(&command, &result);
	if (result.interrupt || result.error || result.status)
		return explain_status(trial, arm, &result);
	return fill_sample(trial, &result, sample) &&
	       (!settings->compare_output || output_agrees(trial, arm));
}

static void show_progress(void *context, const struct experiment *experiment)
{
	const struct trial *trial = context;
	unsigned arms = experiment->with_libc ? ARMS : ARM_LIBC;
	double all = (double)experiment->rounds * arms;
	double elapsed = now() - trial->start;

	if (!experiment->runs) {
		fprintf(stderr, "\r\033[K%s: warm-up", trial->name);
		return;
	}
	fprintf(stderr, "\r\033[K%s: run %u of at most %.0f, at most %.0f s "
		"left", trial->name, experiment->runs, all,
		elapsed * (all / experiment->runs - 1));
	if (experiment->done)
		fprintf(stderr, ", b/a so far %.3f",
			experiment_ratio(experiment, ARM_B, QUANTITY_VALUE,
					 0.95).median);
}

/* What a user should know of the command before it is measured. */
static void examine_command(struct trial *trial, struct target *target)
{
	char path[PATH_MAX];
	const char *why;

	memset(target, 0, sizeof(*target));
	if (!target_find(trial->argv[0], path))
		return;
	target_examine(path, target);
	why = obstacle_text(target->obstacle);
	if (why)
		complain("%s %s", target->path, why);
	if (target->has_elf && target->elf.has_sanitizer == SANITIZER_NEEDED)
		trial->sanitizer = target->elf.sanitizer;
}

static void report_failure(struct trial *trial)
{
	if (trial->interrupt)
		return;
	complain("%s: %s", trial->name, trial->failure);
	show_errors(trial->errors);
}

void trial_run(struct trial *trial)
{
	const struct trial_settings *settings = trial->settings;
	struct target target;

	trial->experiment.verdict = VERDICT_FAILED;
	if (!open_files(trial)) {
		complain("%s: %s", trial->name, trial->failure);
		return;
	}
	trial->start = now();
	examine_command(trial, &target);
	trial->experiment = (struct experiment) {
		.rounds = settings->rounds, .precision = settings->precision,
		.seed = settings->seed, .measure = run_once,
		.with_libc = settings->arms[ARM_LIBC],
		.progress = isatty(STDERR_FILENO) ? show_progress : NULL,
		.context = trial,
	};
	experiment_run(&trial->experiment);
	target_release(&target);
	if (trial->experiment.progress)
		fputs("\r\033[K", stderr);
	if (trial->experiment.verdict == VERDICT_FAILED)
		report_failure(trial);
}

void trial_release(struct trial *trial)
{
	experiment_release(&trial->experiment);
	if (trial->output)
		fclose(trial->output);
	if (trial->errors)
		fclose(trial->errors);
	if (trial->reference)
		fclose(trial->reference);
}
