// SPDX-License-Identifier: MIT
#include "runtime/player/app/input.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONGEST_NAME = 48,      // bytes: name of a parameter
    LONGEST_PARAMETER = 160 // bytes: its name and four numbers
};

static const char *const names[SLV_INPUT_KINDS] = {"grab",  "pull", "release", "parameters",
                                                   "reset", "ball", "cut"};

const char *slv_input_name(slv_input_kind kind) {
    return names[kind];
}

// --- Writing -------------------------------------------------------------------------------------

// "gravity=0x0p+0,-0x1.39eb86p+3,0x0p+0": the numbers of a parameter. Those of an enum have names.
static int print_parameter(const slv_parameter_info *info, const slv_parameters *parameters,
                           char *text, size_t room) {
    double values[4] = {0};
    (void)slv_get_parameter_values(info, parameters, values);
    if (info->type == SLV_TYPE_ENUM) {
        return snprintf(text, room, " %s=%s", info->name,
                        info->choices[(int)(values[0] - info->min)]);
    }
    const bool is_whole = info->type == SLV_TYPE_UINT32 || info->type == SLV_TYPE_BOOL;
    int used = snprintf(text, room, " %s=", info->name);
    for (uint32_t i = 0; i < info->count; i++) {
        used += snprintf(text + used, room - (size_t)used, is_whole ? "%s%.0f" : "%s%a", // NOLINT
                         i > 0 ? "," : "", values[i]);
    }
    return used;
}

// All parameters that the library has, by name.
static int print_parameters(const slv_parameters *parameters, char *text, size_t room) {
    slv_parameter_info info;
    int used = 0;
    for (uint32_t i = 0; slv_get_parameter_info(SLV_GROUP_PARAMETERS, i, &info); i++) {
        assert(room - (size_t)used > LONGEST_PARAMETER);
        used += print_parameter(&info, parameters, text + used, room - (size_t)used);
    }
    return used;
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

static double read_double(words *w) {
    char *end = NULL;
    const double value = strtod(w->at, &end);
    w->wrong = w->wrong || end == w->at || !isfinite(value);
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

static double read_choice(words *w, const slv_parameter_info *info) {
    char name[32];
    read_word(w, name, sizeof name);
    int choice = 0;
    while (info->choices[choice] && strcmp(info->choices[choice], name) != 0) {
        choice++;
    }
    w->wrong = w->wrong || info->choices[choice] == NULL;
    return info->min + choice;
}

static double read_number(words *w, const slv_parameter_info *info) {
    switch (info->type) {
    case SLV_TYPE_ENUM:
        return read_choice(w, info);
    case SLV_TYPE_UINT32:
    case SLV_TYPE_BOOL:
        return (double)read_count(w, UINT32_MAX);
    case SLV_TYPE_DOUBLE:
        return read_double(w);
    case SLV_TYPE_FLOAT:
        break;
    }
    return (double)read_float(w);
}

// The numbers of a parameter, with a comma between two of them where they follow a name.
static void read_parameter(words *w, const slv_parameter_info *info, bool has_commas,
                           slv_parameters *parameters) {
    double values[4] = {0};
    for (uint32_t i = 0; i < info->count && !w->wrong; i++) {
        if (has_commas && i > 0) {
            w->wrong = *w->at != ',';
            w->at += w->wrong ? 0 : 1;
        }
        values[i] = w->wrong ? 0.0 : read_number(w, info);
    }
    w->wrong = w->wrong || slv_set_parameter_values(info, parameters, values) != SLV_OK;
}

// A name and the "=" after it.
static void read_name(words *w, slv_parameter_info *info) {
    char name[LONGEST_NAME];
    w->at += strspn(w->at, " ");
    const size_t length = strcspn(w->at, "= \n");
    w->wrong = length >= sizeof name || w->at[length] != '=';
    if (!w->wrong) {
        (void)snprintf(name, sizeof name, "%.*s", (int)length, w->at);
        w->wrong = !slv_find_parameter_info(SLV_GROUP_PARAMETERS, name, info);
        w->at += length + 1;
    }
}

// The first recordings had no names: values in this order, the last of them optional.
static void read_unnamed(words *w, slv_parameters *parameters) {
    static const char *const order[] = {"solver",     "outer_iterations", "inner_iterations",
                                        "relaxation", "damped_jacobi",    "integrate",
                                        "gravity",    "damping",          "wind"};
    slv_parameter_info info = {0};
    for (size_t i = 0; i < sizeof order / sizeof *order && !w->wrong; i++) {
        w->wrong = !slv_find_parameter_info(SLV_GROUP_PARAMETERS, order[i], &info);
        read_parameter(w, &info, false, parameters);
    }
    if (!w->wrong && !at_end(w)) {
        w->wrong = !slv_find_parameter_info(SLV_GROUP_PARAMETERS, "stiffness", &info);
        read_parameter(w, &info, false, parameters);
    }
}

// A parameter that the recording does not have, because it is older, has its default.
static void read_parameters(words *w, slv_parameters *parameters) {
    *parameters = slv_default_world_def().parameters;
    if (strchr(w->at, '=') == NULL) {
        read_unnamed(w, parameters);
    }
    while (!w->wrong && !at_end(w)) {
        slv_parameter_info info;
        read_name(w, &info);
        if (!w->wrong) {
            read_parameter(w, &info, true, parameters);
        }
    }
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
