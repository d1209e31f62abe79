// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // open_memstream
#include "runtime/player/app/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

slv_result slv_report_add(slv_play_report *report, const slv_frame_record *frame,
                          slv_error *error) {
    if (report->frame_count == report->frame_room) {
        const size_t room = report->frame_room ? 2 * report->frame_room : 256;
        slv_frame_record *frames = room > SIZE_MAX / sizeof *frames
                                       ? NULL
                                       : realloc(report->frames, room * sizeof *frames);
        if (frames == NULL) {
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %zu frames", room);
        }
        report->frames = frames;
        report->frame_room = room;
    }
    report->frames[report->frame_count++] = *frame;
    return SLV_OK;
}

void slv_report_ask_world(slv_play_report *report, slv_world *world) {
    report->garments = slv_world_get_garment_count(world);
    (void)slv_world_get_asleep_count(world, &report->asleep);
    slv_material_report_ask(&report->materials, world);
    const uint32_t count = slv_world_get_clip_count(world);
    report->clip_count = 0;
    for (uint32_t i = 0; i < count && i < SLV_REPORT_CLIPS; i++) {
        if (slv_clip_get_report(world, slv_world_get_clip(world, i), &report->clips[i]) == SLV_OK) {
            report->clip_count = i + 1;
        }
    }
}

void slv_report_find_warnings(slv_play_report *report, const slv_play_request *request,
                              const slv_loaded_scene *loaded) {
    size_t worst = 0;
    report->inside_at_start = loaded->inside;
    report->inside_at_end = slv_find_inside_warning(request, loaded->scene, loaded->world,
                                                    "at the end", report->warnings[0]);
    for (size_t i = 0; i < report->frame_count; i++) {
        if (report->frames[i].measures.max_stretch > report->frames[worst].measures.max_stretch) {
            worst = i;
        }
    }
    if (report->frame_count > 0) {
        slv_find_stretch_warning(report->frames[worst].measures.max_stretch, worst + 1,
                                 report->frames[report->frame_count - 1].measures.max_stretch,
                                 report->warnings[1]);
    }
}

void slv_report_free(slv_play_report *report) {
    free(report->frames);
}

double slv_report_real_time_factor(const slv_play_report *report) {
    return report->stepping_seconds > 0 ? report->simulated_seconds / report->stepping_seconds : 0;
}

void slv_report_string(FILE *out, const char *text) {
    (void)fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') {
            (void)fprintf(out, "\\%c", *text);
        } else if ((unsigned char)*text < 0x20) {
            (void)fprintf(out, "\\u%04x", (unsigned)*text);
        } else {
            (void)fputc(*text, out);
        }
    }
    (void)fputc('"', out);
}

static void print_frame(FILE *out, size_t number, const slv_frame_record *frame) {
    (void)fprintf(out,
                  "{\"frame\": %zu, \"residual\": %.17g, \"kineticEnergy\": %.17g, "
                  "\"maxStretch\": %.17g, \"stepMs\": %.6g, \"hash\": \"%016" PRIx64 "\"}",
                  number, frame->measures.residual, frame->measures.kinetic_energy,
                  frame->measures.max_stretch, frame->step_ms, frame->hash);
}

// Mean cost of a frame, by stage.
static void print_costs(FILE *out, const slv_play_report *report) {
    const slv_timing *timing = &report->timing;
    const double frames = timing->steps > 0 ? (double)timing->steps / report->steps_per_frame : 1;
    (void)fprintf(out,
                  "  \"launchesPerFrame\": %.6g,\n  \"submissionsPerFrame\": %.6g,\n"
                  "  \"issueMsPerFrame\": %.6g,\n  \"stageMsPerFrame\": {",
                  (double)timing->launches / frames, (double)timing->submissions / frames,
                  1000.0 * timing->issue_seconds / frames);
    const char *comma = "";
    for (uint32_t i = 0; i < timing->stage_count; i++) {
        const slv_stage_timing *stage = &timing->stages[i];
        if (stage->launches > 0) {
            (void)fprintf(out, "%s\"%s\": %.6g", comma, stage->name,
                          1000.0 * stage->seconds / frames);
            comma = ", ";
        }
    }
    (void)fputs("},\n", out);
}

// Without waits, decoding stayed ahead of the steps.
static void print_clips(FILE *out, const slv_play_report *report) {
    (void)fputs("  \"clips\": [", out);
    for (uint32_t i = 0; i < report->clip_count; i++) {
        const slv_clip_report *clip = &report->clips[i];
        (void)fprintf(out,
                      "%s\n    {\"particles\": %" PRIu32 ", \"frames\": %" PRIu32
                      ", \"time\": %.17g, \"decodedGroups\": %" PRIu64 ", \"waits\": %" PRIu64
                      ", \"waitMs\": %.6g}",
                      i > 0 ? "," : "", clip->particle_count, clip->frame_count, clip->time,
                      clip->decoded_groups, clip->waits, 1000.0 * clip->wait_seconds);
    }
    (void)fputs(report->clip_count > 0 ? "\n  ],\n" : "],\n", out);
}

// Particles inside colliders and the model.
static void print_inside(FILE *out, const char *name, const slv_inside_report *inside) {
    (void)fprintf(out, "  \"%s\": {\"particles\": %" PRIu32 ", \"deepestMm\": %.6g", name,
                  inside->particle_count, 1000.0 * inside->depth);
    if (inside->particle_count > 0) {
        (void)fprintf(out, ", \"particle\": %" PRIu32 ", \"position\": [%.9g, %.9g, %.9g]",
                      inside->particle, inside->position[0], inside->position[1],
                      inside->position[2]);
    }
    (void)fputs("},\n", out);
}

static void print_warnings(FILE *out, const slv_play_report *report) {
    const char *comma = "";
    (void)fputs("  \"warnings\": [", out);
    for (size_t i = 0; i < SLV_REPORT_WARNINGS; i++) {
        if (report->warnings[i][0] != '\0') {
            (void)fputs(comma, out);
            slv_report_string(out, report->warnings[i]);
            comma = ", ";
        }
    }
    (void)fputs("],\n", out);
}

static void print_report(FILE *out, const slv_play_report *report) {
    (void)fputs("{\n  \"backend\": ", out);
    slv_report_string(out, report->device.backend);
    (void)fputs(",\n  \"device\": ", out);
    slv_report_string(out, report->device.device);
    (void)fprintf(out, ",\n  \"threads\": %u,\n  \"realTimeFactor\": %.6g,\n",
                  (unsigned)report->device.threads, slv_report_real_time_factor(report));
    print_costs(out, report);
    print_clips(out, report);
    (void)fprintf(out, "  \"garments\": %u,\n  \"asleep\": %u,\n", (unsigned)report->garments,
                  (unsigned)report->asleep);
    slv_material_report_print(out, &report->materials);
    print_inside(out, "insideAtStart", &report->inside_at_start);
    print_inside(out, "insideAtEnd", &report->inside_at_end);
    print_warnings(out, report);
    (void)fputs("  \"frames\": [", out);
    for (size_t i = 0; i < report->frame_count; i++) {
        (void)fputs(i ? ",\n    " : "\n    ", out);
        print_frame(out, i + 1, &report->frames[i]);
    }
    (void)fputs(report->frame_count ? "\n  ]\n}\n" : "]\n}\n", out);
}

char *slv_report_text(const slv_play_report *report, size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    if (out == NULL) {
        return NULL;
    }
    print_report(out, report);
    const int failed = ferror(out);
    if (fclose(out) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}
