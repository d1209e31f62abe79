// SPDX-License-Identifier: MIT
// Options that override values of the scene. They come from the parameter tables (slv_parameter_info.option).
#ifndef SLV_PLAYER_SCENE_OPTIONS_H
#define SLV_PLAYER_SCENE_OPTIONS_H

#include "runtime/include/selvage/selvage.h"
#include "tools/common/options.h"

enum { SLV_MAX_OVERRIDES = 64 };

// Not given: value has no meaning.
typedef struct slv_override {
    union {
        bool flag;
        int choice;
        uint64_t count;
        double number;
    } value; // as the option's type says
    bool given;
} slv_override;

// In the order of the tables.
typedef struct slv_play_overrides {
    slv_override items[SLV_MAX_OVERRIDES];
} slv_play_overrides;

typedef struct slv_override_help {
    char texts[SLV_MAX_OVERRIDES][SLV_PARAMETER_LINE];
} slv_override_help;

// Writes the rows of the options, at most SLV_MAX_OVERRIDES, which store into overrides. Returns their number.
// The rows refer to help.
size_t slv_override_rows(slv_play_overrides *overrides, slv_override_help *help, slv_option *rows);

// Sets the values that were given.
void slv_override_values(const slv_play_overrides *overrides, slv_world_def *def,
                         uint32_t *steps_per_frame);

#endif
