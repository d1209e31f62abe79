// SPDX-License-Identifier: MIT
// The test plan of the paper on integrators (2016): a sheet that hangs from two corners until it is at rest or a minute is
// over, and a flag in the wind, for every combination in a list file:
//     {"seconds": 60, "tests": [{"integrators": ["MS_RK4"], "sizes": [10, 50], "steps": [1, 0.5], "stiffness": [100],
//                                "damping": [0.01], "mass": [0.5], "cpu_seconds": 1}]}
// sizes: particles along a side of a cloth of 1 m. steps: times the longest stable step on an infinite grid, of implicit
// integrators times 10 ms; `seconds_a_step` in their place has steps in seconds. stiffness: N/m of all three kinds of
// springs. damping: s, of springs over their stiffness. mass: kg of the whole cloth. bench/lab/test_list.py makes such a file of the paper's XML.
//
// The flag flies in the paper's wind, which does not see how it moves. The sheet hangs upright, with
// displacements out of its plane of a hundredth of its spacing, so that it can buckle. It is at rest when its kinetic energy
// stays below that of 1 mm/s for a quarter of a second. A run also ends after cpu_seconds of processor time: its frame rate is known by then.
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
    bool in_seconds; // the steps
    double cpu_seconds;
} plan;

typedef struct run_case {
    slv_solver solver;
    bool flag;       // else a sheet
    bool in_seconds; // the step; else times the longest stable one
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
    made.in_seconds = slv_json_member(test, "seconds_a_step") != NULL;
    made.step_count = read_numbers(test, made.in_seconds ? "seconds_a_step" : "steps", made.steps);
    made.stiffness_count = read_numbers(test, "stiffness", made.stiffness);
    made.damping_count = read_numbers(test, "damping", made.damping);
    made.mass_count = read_numbers(test, "mass", made.mass);
    const slv_json_value *limit = slv_json_member(test, "cpu_seconds");
    made.cpu_seconds = limit && limit->type == SLV_JSON_NUMBER ? limit->number : 60.0;
    return made;
}

// --- A run ---------------------------------------------------------------------------------------------

// Longest stable step on an infinite grid with all springs; of implicit solvers 10 ms.
static double longest_step(const run_case *one, double mass) {
    const double limit =
        lab_find_limit(one->solver, sqrt(81.0 / 8.0 * one->stiffness / mass), one->damping);
    return isinf(limit) ? 0.01 : limit;
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
    cloth.time_step = one->step * (one->in_seconds ? 1.0 : longest_step(one, cloth.mass));
    cloth.factored = one->solver == SLV_MS_CONSTANT_MATRIX || one->solver == SLV_MS_LOCAL_GLOBAL;
    cloth.outer = one->solver == SLV_MS_LOCAL_GLOBAL ? 10 : 1;
    cloth.air = 1.0;
    cloth.gravity = 9.81;
    cloth.wind[0] = one->flag ? 5.0 : 0.0;
    cloth.wind[2] = one->flag ? 1.0 : 0.0;
    cloth.wind_pressure = one->flag ? 3.0 : 0.0; // as much as drag has at 5 m/s
    cloth.inner = 50;
    cloth.fixed = one->flag ? LAB_LEFT_EDGE : LAB_CORNERS;
    cloth.timing = true;
    return cloth;
}

// Stages are timed by the clock, steps by processor time, which other processes disturb less: a stage has its part of it.
static double stage_ms(const slv_timing *timing, const char *name, double step_ms) {
    double part = 0.0;
    double all = 0.0;
    for (uint32_t n = 0; n < timing->stage_count; n++) {
        all += timing->stages[n].seconds;
        part += strcmp(timing->stages[n].name, name) == 0 ? timing->stages[n].seconds : 0.0;
    }
    return all > 0.0 ? step_ms * part / all : 0.0;
}

typedef struct outcome {
    bool stable;
    double seconds; // of processor time
    double motion;  // s
    double rest;    // s until it came to rest; below 0: it did not
} outcome;

static const double rest_seconds = 0.25;
static const double most_steps = 200;     // between measures: of short steps a frame has thousands
static const double shortest_step = 1e-6; // s, that a world takes

static outcome play(slv_world *world, const run_case *one, double step) {
    const uint32_t frame = (uint32_t)fmin(fmax(1.0, 1.0 / 60.0 / step), most_steps);
    const double frame_seconds = frame * step;
    outcome found = {.stable = true, .rest = -1.0};
    double still = 0.0;
    while (found.stable && found.rest < 0.0 && found.motion < one->seconds &&
           found.seconds < one->cpu_seconds) {
        slv_measures measures;
        const double begin = slv_bench_seconds();
        found.stable = slv_world_step(world, frame) == SLV_OK;
        found.seconds += slv_bench_seconds() - begin;
        found.motion += found.stable ? frame_seconds : 0.0;
        found.stable = found.stable && slv_world_get_measures(world, &measures) == SLV_OK &&
                       measures.max_stretch < 100.0;
        const bool slow = found.stable && measures.kinetic_energy < 0.5e-6 * one->mass;
        still = slow && !one->flag ? still + frame_seconds : 0.0;
        found.rest = still >= rest_seconds ? found.motion - still : -1.0;
    }
    return found;
}

static void run(FILE *file, const run_case *one) {
    const lab_cloth cloth = define(one);
    slv_world *world = lab_open(&cloth);
    lab_displace(world, 7, false, 0.01 * cloth.spacing);
    const outcome found = play(world, one, cloth.time_step);
    slv_timing timing;
    if (slv_world_get_timing(world, &timing) != SLV_OK) {
        lab_stop("timing", slv_world_get_message(world));
    }
    const double step_ms = 1e3 * found.seconds / fmax(1.0, round(found.motion / cloth.time_step));
    const double integration =
        stage_ms(&timing, "integrate", step_ms) + stage_ms(&timing, "sleep", step_ms);
    (void)fprintf(file, "%s,%s,%g,%.6g,%g,%g,%g,%s,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g\n",
                  one->flag ? "flag" : "sheet", slv_solver_get_name(one->solver), one->side,
                  cloth.time_step, one->stiffness, one->damping, one->mass,
                  found.stable ? "yes" : "no", found.rest,
                  found.motion / fmax(found.seconds, 1e-9) * 60.0, integration,
                  stage_ms(&timing, "solve", step_ms), step_ms, found.motion);
    (void)fflush(file);
    slv_world_destroy(world);
}

static void run_plan(FILE *file, const plan *test, double seconds) {
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
        const run_case one = {.solver = test->integrators[index[0]],
                              .flag = number % 2 == 1,
                              .in_seconds = test->in_seconds,
                              .side = test->sizes[index[1]],
                              .step = test->steps[index[2]],
                              .stiffness = test->stiffness[index[3]],
                              .damping = test->damping[index[4]],
                              .mass = test->mass[index[5]],
                              .seconds = seconds,
                              .cpu_seconds = test->cpu_seconds};
        if (one.side < 3.0 || one.side > 1000.0 || !(one.step > 0.0) || !(one.mass > 0.0) ||
            !(one.stiffness > 0.0)) {
            lab_stop("list", "sizes are from 3 to 1000; steps, stiffness and mass above 0");
        }
        const double mass = one.mass / (one.side * one.side);
        // Without damping explicit Euler and midpoint have no stable step.
        if (one.in_seconds || one.step * longest_step(&one, mass) >= shortest_step) {
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
    const slv_json_value *tests = slv_json_member(slv_json_root(json), "tests");
    if (!tests || tests->type != SLV_JSON_ARRAY || !seconds || seconds->type != SLV_JSON_NUMBER) {
        lab_stop(list, "expected \"seconds\" and a list \"tests\"");
    }
    FILE *file = lab_open_csv(folder, "plan");
    (void)fprintf(file, "scenario,integrator,side,step_s,stiffness,damping_s,mass_kg,stable,rest_s,"
                        "frames_per_s,integration_ms,springs_ms,step_ms,motion_s\n");
    for (const slv_json_value *test = tests->first; test; test = test->next) {
        const plan one = read_plan(test);
        run_plan(file, &one, seconds->number);
    }
    (void)fclose(file);
    slv_json_free(json);
    slv_file_bytes_free(&bytes);
}
