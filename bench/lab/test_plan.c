// SPDX-License-Identifier: MIT
// The test plan of the paper on integrators (2016): a sheet that hangs from two corners until it is at rest or a minute is
// over, and a flag in the wind, for every combination in a list file:
//     {"seconds": 60, "cpu_seconds": 1, "tests": [{"integrators": ["MS_RK4"], "sizes": [10, 50], "steps": [1, 0.5],
//                                "stiffness": [100], "damping": [0.01], "mass": [0.5]}]}
// sizes: particles along a side of a cloth of 1 m. steps: times the longest stable step on an infinite grid without
// damping, or with damping for integrators that have none without; of implicit Euler 10 ms. stiffness: N/m of all three
// kinds of springs. damping: s, of springs over their stiffness. mass: kg of the whole cloth.
//
// The sheet is at rest when its kinetic energy is that of 1 mm/s. A run also ends after cpu_seconds of processor time: its
// frame rate is known by then.
#include "bench/bench_report.h"
#include "bench/lab/lab.h"
#include "formats/file_bytes.h"
#include "runtime/base/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LIMIT = 16 }; // values of a list

typedef struct plan {
    slv_solver integrators[LIMIT];
    uint32_t integrator_count;
    double sizes[LIMIT], steps[LIMIT], stiffness[LIMIT], damping[LIMIT], mass[LIMIT];
    uint32_t size_count, step_count, stiffness_count, damping_count, mass_count;
} plan;

typedef struct run_case {
    slv_solver solver;
    bool flag; // else a sheet
    double side, step, stiffness, damping, mass, seconds, cpu_seconds;
} run_case;

// --- The list -----------------------------------------------------------------------------------------

static uint32_t read_numbers(const slv_json_value *test, const char *name, double *values) {
    const slv_json_value *list = slv_json_member(test, name);
    uint32_t count = 0;
    if (!list || list->type != SLV_JSON_ARRAY || list->count == 0 || list->count > LIMIT) {
        lab_stop(name, "a test needs a list of 1 to 16 numbers");
    }
    for (const slv_json_value *one = list->first; one; one = one->next) {
        if (one->type != SLV_JSON_NUMBER || !(one->number >= 0.0)) {
            lab_stop(name, "expected numbers of 0 or more");
        }
        values[count++] = one->number;
    }
    return count;
}

static plan read_plan(const slv_json_value *test) {
    plan made = {.integrator_count = 0};
    const slv_json_value *list = slv_json_member(test, "integrators");
    if (!list || list->type != SLV_JSON_ARRAY || list->count == 0 || list->count > LIMIT) {
        lab_stop("integrators", "a test needs a list of 1 to 16 names");
    }
    for (const slv_json_value *one = list->first; one; one = one->next) {
        const slv_solver solver =
            one->type == SLV_JSON_STRING ? slv_solver_from_name(one->text) : SLV_SOLVER_COUNT;
        if (solver < SLV_MS_EXPLICIT_EULER || solver >= SLV_SOLVER_COUNT) {
            lab_stop("integrators", "expected names of mass-spring solvers");
        }
        made.integrators[made.integrator_count++] = solver;
    }
    made.size_count = read_numbers(test, "sizes", made.sizes);
    made.step_count = read_numbers(test, "steps", made.steps);
    made.stiffness_count = read_numbers(test, "stiffness", made.stiffness);
    made.damping_count = read_numbers(test, "damping", made.damping);
    made.mass_count = read_numbers(test, "mass", made.mass);
    return made;
}

// --- A run ---------------------------------------------------------------------------------------------

// Longest stable step on an infinite grid with all springs.
static double longest_step(const run_case *one, double mass) {
    const double frequency = sqrt(81.0 / 8.0 * one->stiffness / mass);
    switch (one->solver) {
    case SLV_MS_RK4:
        return 2.8284271247 / frequency;
    case SLV_MS_EXPLICIT_EULER: // with damping as below
    case SLV_MS_MIDPOINT:
        return fmin(one->damping, 2.0 / (one->damping * frequency * frequency));
    case SLV_MS_IMPLICIT_EULER:
        return 0.01;
    default:
        return 2.0 / frequency;
    }
}

static lab_cloth define(const run_case *one) {
    lab_cloth cloth = lab_default_cloth(one->solver);
    cloth.side = (uint32_t)one->side;
    cloth.spacing = 1.0 / (one->side - 1.0);
    cloth.mass = one->mass / (one->side * one->side);
    for (int n = 0; n < 3; n++) {
        cloth.stiffness[n] = one->stiffness;
    }
    cloth.damping = one->damping;
    cloth.time_step = one->step * longest_step(one, cloth.mass);
    cloth.air = 1.0;
    cloth.gravity = 9.81;
    cloth.wind[0] = one->flag ? 5.0 : 0.0;
    cloth.wind[2] = one->flag ? 1.0 : 0.0;
    cloth.inner = 50;
    cloth.fixed = one->flag ? LAB_LEFT_EDGE : LAB_CORNERS;
    cloth.timing = true;
    return cloth;
}

static double stage_ms(const slv_timing *timing, const char *name) {
    for (uint32_t n = 0; n < timing->stage_count; n++) {
        if (strcmp(timing->stages[n].name, name) == 0) {
            return 1e3 * timing->stages[n].seconds / fmax(1.0, (double)timing->steps);
        }
    }
    return 0.0;
}

static void run(FILE *file, const run_case *one) {
    const lab_cloth cloth = define(one);
    slv_world *world = lab_open(&cloth);
    const uint32_t steps = (uint32_t)ceil(one->seconds / cloth.time_step);
    const uint32_t frame = (uint32_t)fmax(1.0, 1.0 / 60.0 / cloth.time_step);
    double rest = -1.0;
    bool stable = true;
    uint32_t done = 0;
    const double begin = slv_bench_seconds();
    while (stable && done < steps && rest < 0.0 && slv_bench_seconds() - begin < one->cpu_seconds) {
        slv_measures measures;
        stable = slv_world_step(world, frame) == SLV_OK;
        done += stable ? frame : 0;
        stable = stable && slv_world_get_measures(world, &measures) == SLV_OK &&
                 measures.max_stretch < 100.0;
        const bool still = stable && measures.kinetic_energy < 0.5e-6 * one->mass;
        rest = still && !one->flag && done > 10 * frame ? done * cloth.time_step : rest;
    }
    const double seconds = slv_bench_seconds() - begin;
    slv_timing timing;
    if (slv_world_get_timing(world, &timing) != SLV_OK) {
        lab_stop("timing", slv_world_get_message(world));
    }
    const double all = 1e3 * seconds / fmax(1.0, done);
    const double springs = stage_ms(&timing, "solve");
    (void)fprintf(file, "%s,%s,%g,%.6g,%g,%g,%g,%s,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n",
                  one->flag ? "flag" : "sheet", slv_solver_get_name(one->solver), one->side,
                  cloth.time_step, one->stiffness, one->damping, one->mass, stable ? "yes" : "no",
                  rest, done * cloth.time_step / fmax(seconds, 1e-9) * 60.0,
                  stage_ms(&timing, "integrate") + stage_ms(&timing, "sleep"), springs, all,
                  done * cloth.time_step);
    (void)fflush(file);
    slv_world_destroy(world);
}

static void run_plan(FILE *file, const plan *test, double seconds, double cpu_seconds) {
    const uint32_t counts[6] = {test->integrator_count, test->size_count,    test->step_count,
                                test->stiffness_count,  test->damping_count, test->mass_count};
    uint32_t all = 2;
    for (int n = 0; n < 6; n++) {
        all *= counts[n];
    }
    for (uint32_t number = 0; number < all; number++) {
        uint32_t index[6];
        uint32_t rest = number / 2;
        for (int n = 5; n >= 0; n--) {
            index[n] = rest % counts[n];
            rest /= counts[n];
        }
        const run_case one = {test->integrators[index[0]],
                              number % 2 == 1,
                              test->sizes[index[1]],
                              test->steps[index[2]],
                              test->stiffness[index[3]],
                              test->damping[index[4]],
                              test->mass[index[5]],
                              seconds,
                              cpu_seconds};
        if (one.side < 3.0 || one.side > 1000.0 || !(one.step > 0.0) || !(one.mass > 0.0) ||
            !(one.stiffness > 0.0)) {
            lab_stop("list", "sizes are from 3 to 1000; steps, stiffness and mass above 0");
        }
        const bool undamped = one.damping == 0.0 && (one.solver == SLV_MS_EXPLICIT_EULER ||
                                                     one.solver == SLV_MS_MIDPOINT);
        if (!undamped) { // no step is stable
            run(file, &one);
        }
    }
}

void lab_study_test_plan(const char *folder, const char *list) {
    slv_file_bytes bytes;
    slv_json *json = NULL;
    slv_error error = {.text = ""};
    if (slv_file_bytes_copy(list, &bytes, &error) != SLV_OK ||
        slv_json_parse(bytes.bytes, bytes.size, &json, &error) != SLV_OK) {
        lab_stop(list, error.text);
    }
    const slv_json_value *seconds = slv_json_member(slv_json_root(json), "seconds");
    const slv_json_value *limit = slv_json_member(slv_json_root(json), "cpu_seconds");
    const slv_json_value *tests = slv_json_member(slv_json_root(json), "tests");
    if (!tests || tests->type != SLV_JSON_ARRAY || !seconds || seconds->type != SLV_JSON_NUMBER) {
        lab_stop(list, "expected \"seconds\" and a list \"tests\"");
    }
    FILE *file = lab_open_csv(folder, "plan");
    (void)fprintf(file, "scenario,integrator,side,step_s,stiffness,damping_s,mass_kg,stable,rest_s,"
                        "frames_per_s,integration_ms,springs_ms,step_ms,motion_s\n");
    for (const slv_json_value *test = tests->first; test; test = test->next) {
        const plan one = read_plan(test);
        run_plan(file, &one, seconds->number, limit ? limit->number : 60.0);
    }
    (void)fclose(file);
    slv_json_free(json);
    slv_file_bytes_free(&bytes);
}
