// SPDX-License-Identifier: MIT
// What a person does to a world, as data: each input is applied between two steps and remembers which,
// so that a play-through can be written down and played again, bit for bit.
#ifndef SLV_PLAYER_INPUT_H
#define SLV_PLAYER_INPUT_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"

enum { SLV_GRAB_MOST = 64 };

typedef enum slv_input_kind {
    SLV_INPUT_GRAB,       // particles of a garment are held
    SLV_INPUT_PULL,       // and moved by vector from where they were grabbed, over the next frame
    SLV_INPUT_RELEASE,    // and let go
    SLV_INPUT_PARAMETERS, // the world steps differently from now on
    SLV_INPUT_RESET,      // back to the start
    SLV_INPUT_BALL,       // a ball flies from vector with velocity
    SLV_INPUT_CUT,        // constraints of a garment are cut
    SLV_INPUT_KINDS
} slv_input_kind;

typedef struct slv_input {
    uint64_t tick; // steps done since the session began; a reset does not set it back
    slv_input_kind kind;
    uint32_t garment;
    uint32_t count;
    uint32_t particles[SLV_GRAB_MOST]; // own numbers; of a cut, constraints
    float vector[3];                   // metres
    float velocity[3];                 // m/s
    slv_parameters parameters;
} slv_input;

const char *slv_input_name(slv_input_kind kind); // as in lines of text

enum { SLV_INPUT_LINE = 1024 }; // room for any input as text

// One line of text, newline at the end; floats in hexadecimal, so that they read back as they were.
// Returns its length.
size_t slv_input_print(const slv_input *input, char line[SLV_INPUT_LINE]);
// The input of a line. SLV_ERROR_CONTENT says what is wrong with it.
slv_result slv_input_parse(const char *line, slv_input *input, slv_error *error);

#endif
