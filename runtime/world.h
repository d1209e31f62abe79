// SPDX-License-Identifier: MIT
// What a world is made of. Only the library's own files see this.
#ifndef SLV_RUNTIME_WORLD_H
#define SLV_RUNTIME_WORLD_H

#include "formats/result.h"
#include "runtime/cpu_kernels.h"
#include "runtime/form.h"
#include "runtime/team.h"

// How far time has come. Seconds are summed in two doubles, which keeps what one would round away: the
// sum does not depend on how time was cut.
typedef struct slv_clock {
    uint64_t steps; // done since the start
    uint64_t due;   // of these, by slv_world_advance
    double time[2]; // seconds handed to slv_world_advance
} slv_clock;

struct slv_world {
    slv_memory memory; // of the world itself and its team
    slv_parameters parameters;
    double time_step;
    char device[128];
    const slv_instruction_set *instruction_set;
    slv_team *team;

    slv_memory body_memory; // of the list, which grows
    slv_body **bodies;
    uint32_t body_count;
    uint32_t body_room;
    slv_form form;
    bool indexed; // index tables for everything: for tests, which compare the forms

    slv_clock clock;
    slv_error error; // of the last call that failed
};

// Begins a call on a world: forgets the last message. SLV_STATUS_ARGUMENT without a world.
slv_status slv_begin(slv_world *world);

// Fails a call with a sentence.
slv_status slv_refuse(slv_world *world, slv_status status, const char *format, ...)
    SLV_PRINTF(3, 4);

// The body of an id, NULL (and the reason in the world) where there is none.
slv_body *slv_find_body(slv_world *world, slv_garment_id id);

// Does count steps; SLV_STATUS_DIVERGED stops before the one that blew up.
slv_status slv_world_run(slv_world *world, uint64_t count);

slv_form_settings slv_world_form_settings(const slv_world *world);

// A new form for the first `count` bodies, with what now is in the old one.
slv_status slv_world_reform(slv_world *world, uint32_t count, const slv_form_settings *settings);

// --- Values from outside --------------------------------------------------------------------------------

// Fails, naming the value, unless low <= value <= high; NaN is never between.
slv_status slv_check_between(slv_error *error, const char *name, double value, double low,
                             double high);
// A count of 32-bit floats, each within +-limit.
slv_status slv_check_vector(slv_error *error, const char *name, const float *values, int count,
                            double limit);
slv_status slv_check_parameters(slv_error *error, const slv_parameters *parameters);
slv_status slv_check_rotation(slv_error *error, const char *name, const float rotation[4]);

#endif
