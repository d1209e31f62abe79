// SPDX-License-Identifier: MIT
// User input as data. Each input is applied between two steps and stores the step number, so that a recording
// replays with the same bits.
#ifndef SLV_PLAYER_INPUT_H
#define SLV_PLAYER_INPUT_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"

enum { SLV_GRAB_MOST = 64 };

typedef enum slv_input_kind {
    SLV_INPUT_GRAB, // hold particles of a garment
    SLV_INPUT_PULL, // move the held particles by `vector` from where they were grabbed, over the next frame
    SLV_INPUT_RELEASE,    // release the held particles
    SLV_INPUT_PARAMETERS, // set the parameters of the world
    SLV_INPUT_RESET,      // restart
    SLV_INPUT_BALL,       // throw a ball from `vector` with `velocity`
    SLV_INPUT_CUT,        // cut constraints of a garment
    SLV_INPUT_KINDS
} slv_input_kind;

typedef struct slv_input {
    uint64_t tick; // steps since the start of the session; a restart does not reset it
    slv_input_kind kind;
    uint32_t garment;
    uint32_t count;
    uint32_t particles[SLV_GRAB_MOST]; // in pack order; for a cut: constraints
    float vector[3];                   // metres
    float velocity[3];                 // m/s
    slv_parameters parameters;
} slv_input;

const char *slv_input_name(slv_input_kind kind); // as in an input log

enum { SLV_INPUT_LINE = 4096 }; // bytes: any input as text

// Writes an input as a line of text. Floats are hexadecimal, so that they read back exactly. Returns the length.
size_t slv_input_print(const slv_input *input, char line[SLV_INPUT_LINE]);
// Parses a line of text.
slv_result slv_input_parse(const char *line, slv_input *input, slv_error *error);

#endif
