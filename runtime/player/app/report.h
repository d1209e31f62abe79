// SPDX-License-Identifier: MIT
// The measurements of a headless run, and their JSON text.
#ifndef SLV_PLAYER_REPORT_H
#define SLV_PLAYER_REPORT_H

#include "formats/result.h"
#include "runtime/include/selvage/selvage.h"
#include "runtime/player/app/loaded_scene.h"
#include "runtime/player/app/report_materials.h"
#include "runtime/player/app/warnings.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct slv_frame_record {
    slv_measures measures;
    double step_ms; // mean of the frame's steps
    uint64_t hash;  // of the state after the frame
} slv_frame_record;

enum { SLV_REPORT_CLIPS = 8 }; // the limit of a world
enum { SLV_REPORT_WARNINGS = 2 };

typedef struct slv_play_report {
    slv_world_device device;
    uint32_t steps_per_frame;
    slv_timing timing; // of all frames
    double simulated_seconds;
    double stepping_seconds;                 // wall time, without measuring and writing
    slv_clip_report clips[SLV_REPORT_CLIPS]; // at the end
    uint32_t clip_count;
    uint32_t garments, asleep;     // at the end
    slv_material_report materials; // at the end
    slv_inside_report inside_at_start, inside_at_end;
    char warnings[SLV_REPORT_WARNINGS][SLV_WARNING_SIZE]; // at the end; "" where there is none
    slv_frame_record *frames;
    size_t frame_count, frame_room;
} slv_play_report;

slv_result slv_report_add(slv_play_report *report, const slv_frame_record *frame, slv_error *error);
// Reads the reports of clips, materials and the number of sleeping garments.
void slv_report_ask_world(slv_play_report *report, slv_world *world);
// What is inside colliders and the model at the end, and warnings about that and about stretch.
void slv_report_find_warnings(slv_play_report *report, const slv_play_request *request,
                              const slv_loaded_scene *loaded);
void slv_report_free(slv_play_report *report);

// Simulated seconds per second; 0 where nothing was stepped.
double slv_report_real_time_factor(const slv_play_report *report);

// Prints text as a JSON string with quotes.
void slv_report_string(FILE *out, const char *text);

// The whole report as JSON; the caller frees it. NULL without memory.
char *slv_report_text(const slv_play_report *report, size_t *size);

#endif
