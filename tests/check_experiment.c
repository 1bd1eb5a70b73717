/* check_experiment.c - verdicts on simulated runs, with a fixed seed.
 * SPDX-License-Identifier: BSD-3-Clause */

#include <config.h>

#include <check.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

#include "../src/memroute/experiment.h"

enum { EXPERIMENTS = 1000, ENOUGH = 930 };

/*
 * A machine with neighbours: a level that drifts from run to run, noise of
 * 2 %, and one run in ten slower by up to 40 %.
 */
struct machine {
	gsl_rng *rng;
	double level;		/* logarithm */
	double b;		/* factor of arm b */
	unsigned fail_at;	/* the run that fails; 0: none */
	unsigned runs;
};

static bool simulate(void *context, enum arm arm, struct sample *sample)
{
	struct machine *m = context;
	double noise = gsl_ran_gaussian(m->rng, 0.02);

	if (++m->runs == m->fail_at)
		return false;
	m->level += gsl_ran_gaussian(m->rng, 0.005);
	if (gsl_ran_bernoulli(m->rng, 0.1))
		noise += gsl_ran_flat(m->rng, 0, 0.4);
	sample->value = exp(m->level + noise) * (arm == ARM_B ? m->b : 1);
	sample->wall = sample->cpu = sample->value;
	return true;
}

static struct experiment experiment_on(struct machine *machine,
				       double precision)
{
	return (struct experiment) {
		.rounds = 40, .precision = precision, .with_libc = true,
		.measure = simulate, .context = machine,
	};
}

struct tally {
	unsigned verdicts[VERDICT_FAILED + 1];
	unsigned missed;	/* intervals without the truth */
	unsigned early;		/* experiments that stopped early */
	double widths;
};

static struct tally many_experiments(double b, double precision)
{
	struct machine machine = { gsl_rng_alloc(gsl_rng_taus2), 0, b, 0, 0 };
	struct experiment e = experiment_on(&machine, precision);
	struct tally tally = { { 0 }, 0, 0, 0 };

	gsl_rng_set(machine.rng, 20240229);
	for (unsigned i = 0; i < EXPERIMENTS; i++) {
		e.seed = i;
		experiment_run(&e);
		tally.verdicts[e.verdict]++;
		tally.missed += b < e.ratio[ARM_B].low ||
				b > e.ratio[ARM_B].high;
		tally.early += e.done < e.rounds;
		tally.widths += relative_half_width(&e.ratio[ARM_B]);
		experiment_release(&e);
	}
	gsl_rng_free(machine.rng);
	return tally;
}

/* 0: no early stop. 0.005 is never reached; the others stop at each look. */
static const double precisions[] = { 0, 0.005, 0.015, 0.03, 0.05, 1 };

#define PRECISIONS (int)(sizeof(precisions) / sizeof(precisions[0]))

START_TEST(test_equal_arms_show_no_difference)
{
	struct tally t = many_experiments(1, precisions[_i]);

	ck_assert_msg(t.verdicts[VERDICT_NO_DIFFERENCE] >= ENOUGH,
		      "precision %g: no difference in %u of %d",
		      precisions[_i], t.verdicts[VERDICT_NO_DIFFERENCE],
		      EXPERIMENTS);
	ck_assert_msg(t.missed <= EXPERIMENTS - ENOUGH,
		      "precision %g: %u intervals without 1",
		      precisions[_i], t.missed);
}
END_TEST

/* 3 and 5 % of precision ask for no verdict on 5 %: they are left out. */
START_TEST(test_five_percent_are_found)
{
	struct tally slower = many_experiments(1.05, precisions[_i]);
	struct tally faster = many_experiments(1 / 1.05, precisions[_i]);

	ck_assert_msg(slower.verdicts[VERDICT_SLOWER] >= ENOUGH,
		      "precision %g: slower in %u of %d", precisions[_i],
		      slower.verdicts[VERDICT_SLOWER], EXPERIMENTS);
	ck_assert_msg(faster.verdicts[VERDICT_FASTER] >= ENOUGH,
		      "precision %g: faster in %u of %d", precisions[_i],
		      faster.verdicts[VERDICT_FASTER], EXPERIMENTS);
	ck_assert_uint_le(slower.missed, EXPERIMENTS - ENOUGH);
}
END_TEST

/* Else the tests above would not have seen the early stop at all. */
START_TEST(test_early_stop_stops_early)
{
	ck_assert_uint_eq(many_experiments(1, 0).early, 0);
	ck_assert_uint_gt(many_experiments(1, 0.03).early, EXPERIMENTS / 4);
	ck_assert_uint_eq(many_experiments(1, 1).early, EXPERIMENTS);
}
END_TEST

START_TEST(test_looks_share_the_error)
{
	double error = 0;

	for (unsigned rounds = ROUNDS_MIN; rounds < 200; rounds++) {
		error = 0;
		for (unsigned done = 1; done <= rounds; done++) {
			double c = look_confidence(rounds, true, done);

			if (c)
				error += 1 - c;
		}
		ck_assert_double_le(error, 0.05 + 1e-9);
		ck_assert_double_gt(look_confidence(rounds, true, rounds), 0);
		ck_assert_double_eq(look_confidence(rounds, false, rounds),
				    0.95);
		ck_assert_double_eq(look_confidence(rounds, false, rounds - 1),
				    0);
	}
}
END_TEST

/* The smallest number of rounds must be able to show a large difference. */
START_TEST(test_fewest_rounds_can_decide)
{
	struct machine machine = { gsl_rng_alloc(gsl_rng_taus2), 0, 3, 0, 0 };
	struct experiment e = experiment_on(&machine, 0.001);

	e.rounds = ROUNDS_MIN;
	experiment_run(&e);
	ck_assert_int_eq(e.verdict, VERDICT_SLOWER);
	experiment_release(&e);
	gsl_rng_free(machine.rng);
}
END_TEST

START_TEST(test_failed_run_fails_the_experiment)
{
	struct machine machine = { gsl_rng_alloc(gsl_rng_taus2), 0, 1, 0, 0 };
	struct experiment e = experiment_on(&machine, 0);

	/* in the warm-up, in the first round, in the last one */
	for (unsigned at = 1; at <= 163; at += 27) {
		machine.fail_at = at;
		machine.runs = 0;
		experiment_run(&e);
		ck_assert_int_eq(e.verdict, VERDICT_FAILED);
		ck_assert_uint_eq(machine.runs, at);
		experiment_release(&e);
	}
	gsl_rng_free(machine.rng);
}
END_TEST

static bool record(void *context, enum arm arm, struct sample *sample)
{
	unsigned *seen = context;

	sample->value = sample->wall = sample->cpu = 1;
	/* the three of the warm-up come first, in their order */
	if (seen[ARMS]++ >= 3)
		seen[arm] += (seen[ARMS] - 4) % 4 == 0;
	return true;
}

START_TEST(test_every_arm_comes_first_sometimes)
{
	unsigned seen[ARMS + 1] = { 0 };
	struct experiment e = {
		.rounds = 400, .with_libc = true, .seed = 1,
		.measure = record, .context = seen,
	};

	experiment_run(&e);
	experiment_release(&e);
	for (enum arm arm = ARM_A; arm < ARMS; arm++)
		ck_assert_uint_gt(seen[arm], 60);
	ck_assert_int_eq(e.verdict, VERDICT_NO_DIFFERENCE);
}
END_TEST

START_TEST(test_finer_verdict_needs_the_square)
{
	struct experiment e = {
		.done = 20, .ratio[ARM_B] = { 1, 0.98, 1.02 },
	};

	ck_assert_double_eq_tol(rounds_for_precision(&e, 0.01), 80, 1.5);
	ck_assert_double_eq(rounds_for_precision(&e, 0.1), 20);
	e.ratio[ARM_B].high = INFINITY;
	ck_assert_double_eq(rounds_for_precision(&e, 0.01), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("experiment");
	TCase *simulated = tcase_create("simulated");
	TCase *rules = tcase_create("rules");
	SRunner *runner;
	int failed;

	tcase_set_timeout(simulated, 120);
	tcase_add_loop_test(simulated, test_equal_arms_show_no_difference, 0,
			    PRECISIONS);
	tcase_add_loop_test(simulated, test_five_percent_are_found, 0, 3);
	tcase_add_test(simulated, test_early_stop_stops_early);
	tcase_add_test(rules, test_looks_share_the_error);
	tcase_add_test(rules, test_fewest_rounds_can_decide);
	tcase_add_test(rules, test_failed_run_fails_the_experiment);
	tcase_add_test(rules, test_every_arm_comes_first_sometimes);
	tcase_add_test(rules, test_finer_verdict_needs_the_square);
	suite_add_tcase(suite, simulated);
	suite_add_tcase(suite, rules);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
