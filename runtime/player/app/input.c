// SPDX-License-Identifier: MIT
#include "runtime/player/app/input.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[SLV_INPUT_KINDS] = {"grab",  "pull", "release", "parameters",
                                                   "reset", "ball", "cut"};

const char *slv_input_name(slv_input_kind kind) {
    return names[kind];
}

// --- Writing -------------------------------------------------------------------------------------

static int print_parameters(const slv_parameters *p, char *text, size_t room) {
    return snprintf(text, room, " %s %u %u %a %d %d %a %a %a %a %a %a %a %a",
                    slv_solver_get_name(p->solver), (unsigned)p->outer_iterations,
                    (unsigned)p->inner_iterations, (double)p->relaxation, p->damped_jacobi,
                    p->integrate, (double)p->gravity[0], (double)p->gravity[1],
                    (double)p->gravity[2], (double)p->damping, (double)p->wind[0],
                    (double)p->wind[1], (double)p->wind[2], (double)p->stiffness);
}

static int print_grab(const slv_input *input, char *text, size_t room) {
    int used = snprintf(text, room, " %u", (unsigned)input->garment);
    for (uint32_t i = 0; i < input->count; i++) {
        used += snprintf(text + used, room - (size_t)used, " %u", (unsigned)input->particles[i]);
    }
    return used;
}

size_t slv_input_print(const slv_input *input, char line[SLV_INPUT_LINE]) {
    int used = snprintf(line, SLV_INPUT_LINE, "%" PRIu64 " %s", input->tick, names[input->kind]);
    const size_t room = SLV_INPUT_LINE - (size_t)used;
    if (input->kind == SLV_INPUT_GRAB || input->kind == SLV_INPUT_CUT) {
        used += print_grab(input, line + used, room);
    } else if (input->kind == SLV_INPUT_PULL) {
        used += snprintf(line + used, room, " %a %a %a", (double)input->vector[0],
                         (double)input->vector[1], (double)input->vector[2]);
    } else if (input->kind == SLV_INPUT_BALL) {
        const float *p = input->vector;
        const float *v = input->velocity;
        used += snprintf(line + used, room, " %a %a %a %a %a %a", (double)p[0], (double)p[1],
                         (double)p[2], (double)v[0], (double)v[1], (double)v[2]);
    } else if (input->kind == SLV_INPUT_PARAMETERS) {
        used += print_parameters(&input->parameters, line + used, room);
    }
    line[used] = '\n';
    line[used + 1] = '\0';
    return (size_t)used + 1;
}

// --- Reading -------------------------------------------------------------------------------------

// A cursor over the words of a line; `wrong` is set by the first word that does not parse.
typedef struct words {
    const char *at;
    bool wrong;
} words;

static uint64_t read_count(words *w, uint64_t most) {
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(w->at, &end, 10);
    w->wrong =
        w->wrong || end == w->at || errno != 0 || value > most || strchr(w->at, '-') == w->at;
    w->at = end;
    return value;
}

static float read_float(words *w) {
    char *end = NULL;
    const float value = strtof(w->at, &end);
    w->wrong = w->wrong || end == w->at || !isfinite(value);
    w->at = end;
    return value;
}

static void read_word(words *w, char *word, size_t room) {
    w->at += strspn(w->at, " ");
    const size_t length = strcspn(w->at, " \n");
    w->wrong = w->wrong || length == 0 || length >= room;
    (void)snprintf(word, room, "%.*s", (int)(length < room ? length : room - 1), w->at);
    w->at += length;
}

static bool at_end(const words *w) {
    return w->at[strspn(w->at, " \r\n")] == '\0';
}

static void read_parameters(words *w, slv_parameters *p) {
    char solver[32];
    read_word(w, solver, sizeof solver);
    p->solver = slv_solver_from_name(solver);
    w->wrong = w->wrong || p->solver == SLV_SOLVER_COUNT;
    p->outer_iterations = (uint32_t)read_count(w, UINT32_MAX);
    p->inner_iterations = (uint32_t)read_count(w, UINT32_MAX);
    p->relaxation = read_float(w);
    p->damped_jacobi = read_count(w, 1) == 1;
    p->integrate = read_count(w, 1) == 1;
    for (int d = 0; d < 3; d++) {
        p->gravity[d] = read_float(w);
    }
    p->damping = read_float(w);
    for (int d = 0; d < 3; d++) {
        p->wind[d] = read_float(w);
    }
    p->stiffness = at_end(w) ? 1.0f : read_float(w); // older recordings do not have it
}

static void read_values(words *w, slv_input *input) {
    if (input->kind == SLV_INPUT_GRAB || input->kind == SLV_INPUT_CUT) {
        input->garment = (uint32_t)read_count(w, UINT32_MAX);
        while (!w->wrong && !at_end(w) && input->count < SLV_GRAB_MOST) {
            input->particles[input->count++] = (uint32_t)read_count(w, UINT32_MAX);
        }
        w->wrong = w->wrong || input->count == 0;
    } else if (input->kind == SLV_INPUT_PULL) {
        for (int d = 0; d < 3; d++) {
            input->vector[d] = read_float(w);
        }
    } else if (input->kind == SLV_INPUT_BALL) {
        for (int d = 0; d < 6; d++) {
            *(d < 3 ? &input->vector[d] : &input->velocity[d - 3]) = read_float(w);
        }
    } else if (input->kind == SLV_INPUT_PARAMETERS) {
        read_parameters(w, &input->parameters);
    }
}

slv_result slv_input_parse(const char *line, slv_input *input, slv_error *error) {
    words w = {.at = line};
    char name[32];
    *input = (slv_input){.tick = read_count(&w, UINT64_MAX)};
    read_word(&w, name, sizeof name);
    int kind = 0;
    while (kind < SLV_INPUT_KINDS && strcmp(names[kind], name) != 0) {
        kind++;
    }
    if (w.wrong || kind == SLV_INPUT_KINDS) {
        return slv_fail(error, SLV_ERROR_CONTENT,
                        "\"%.40s\" is not an input; a line is a step, then grab, pull, release, "
                        "parameters, reset, ball or cut",
                        line);
    }
    input->kind = (slv_input_kind)kind;
    read_values(&w, input);
    if (w.wrong || !at_end(&w)) {
        return slv_fail(error, SLV_ERROR_CONTENT, "invalid values for %s", name);
    }
    return SLV_OK;
}
