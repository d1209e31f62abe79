// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/bake-collider/frames.h"

#include "formats/layout.h"
#include "tools/bake-collider/obj_sequence.h"
#include "tools/common/character_choice.h"
#include "tools/common/character_import.h"
#include "tools/common/input_file.h"
#include "tools/common/key_curves.h"
#include "tools/common/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEFAULT_RATE 30.0

struct slv_frame_source {
    slv_character character; // empty with a sequence
    uint32_t clip;           // SLV_AT_REST where there is none
    bool sequenced;
    slv_obj_sequence sequence;
    uint32_t first_file; // of the sequence: file of frame 0
    unsigned workers;
    slv_pose_scratch *scratch; // [workers]
};

// --- Clips --------------------------------------------------------------------------------------

static void list_clips(const slv_character *character, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < character->clip_count && used + 40 < size; i++) {
        char name[64];
        slv_character_clip_name(character, i, name, sizeof name);
        const int written =
            snprintf(text + used, size - used, "%s%u '%s'", i > 0 ? ", " : "", i, name);
        used += written > 0 ? (size_t)written : 0;
    }
}

static slv_result find_clip(const slv_character *character, const char *wanted, uint32_t *clip,
                            slv_error *error) {
    char name[1025];
    if (character->clip_count == 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "--clip %s: the file has no animation", wanted);
    }
    for (uint32_t i = 0; i < character->clip_count; i++) {
        slv_character_clip_name(character, i, name, sizeof name);
        if (!strcmp(name, wanted)) {
            *clip = i;
            return SLV_OK;
        }
    }
    double number = 0.0;
    if (slv_parse_whole_number(wanted, &number) && number >= 0.0 && number == floor(number) &&
        number < character->clip_count) {
        *clip = (uint32_t)number;
        return SLV_OK;
    }
    char names[300];
    list_clips(character, names, sizeof names);
    return slv_fail(error, SLV_ERROR_ARGUMENT, "--clip %.60s: not in the file; its clips are %s",
                    wanted, names);
}

static double first_key(const slv_character *character, uint32_t clip) {
    const slv_character_clip *chosen = &character->clips[clip];
    double first = chosen->end;
    for (uint32_t i = 0; i < chosen->channel_count; i++) {
        const slv_character_channel *channel = &character->channels[chosen->first_channel + i];
        if (channel->time_count > 1) {
            const double time = character->times[channel->first_time];
            first = time < first ? time : first;
        }
    }
    return first;
}

// --- Time ---------------------------------------------------------------------------------------

// Frames at start, start + 1/rate, … up to end. A tolerance absorbs rounding: 2.0 s at 24 per
// second are 49 frames.
static slv_result set_times(slv_frames *frames, double first, double last,
                            const slv_frame_options *options, slv_error *error) {
    const double start = isnan(options->start) ? first : options->start;
    const double end = isnan(options->end) ? last : options->end;
    if (end < start) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--end %g is before the start at %g s; the clip goes from %g to %g s", end,
                        start, first, last);
    }
    if (start > last || end < first) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "nothing of the clip lies between %g and %g s; it goes from %g to %g s",
                        start, end, first, last);
    }
    const double intervals = floor((end - start) * frames->rate + 1e-4);
    if (!(intervals < (double)SLV_FRAMES_MAX)) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "%.0f frames are too many, the most is %u",
                        intervals, SLV_FRAMES_MAX);
    }
    frames->start = start;
    frames->frame_count = (uint32_t)intervals + 1;
    frames->duration = fmax(end - start, intervals / frames->rate);
    return SLV_OK;
}

// --- Sources ------------------------------------------------------------------------------------

static slv_result open_sequence(const slv_frame_options *options, slv_frames *frames,
                                slv_error *error) {
    struct slv_frame_source *source = frames->source;
    slv_obj_sequence *sequence = &source->sequence;
    source->sequenced = true;
    slv_result result = slv_obj_sequence_open(options->path, &options->import, sequence, error);
    frames->list = sequence->list;
    frames->parts = sequence->parts;
    sequence->list = NULL;
    if (result != SLV_OK || frames->list) {
        return result;
    }
    if (options->clip) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "--clip: OBJ files have no clips");
    }
    frames->still = sequence->files.count == 1;
    frames->vertex_count = sequence->vertex_count;
    frames->triangle_count = sequence->triangle_count;
    frames->triangles = sequence->triangles;
    frames->input_hash = sequence->input_hash;
    const double last = (double)(sequence->files.count - 1) / frames->rate;
    result = set_times(frames, 0.0, last, options, error);
    if (result == SLV_OK) { // times are rounded to whole files
        const double file = floor(frames->start * frames->rate + 0.5);
        source->first_file = file > 0.0 ? (uint32_t)file : 0;
        frames->start = source->first_file / frames->rate;
        const uint32_t left = (uint32_t)sequence->files.count - source->first_file;
        frames->frame_count = frames->frame_count < left ? frames->frame_count : left;
        frames->duration = (double)(frames->frame_count - 1) / frames->rate;
    }
    return result;
}

static slv_result copy_files(const slv_file_list *from, slv_file_list *to, slv_error *error) {
    to->paths = calloc(from->count + 1, sizeof *to->paths);
    for (size_t i = 0; to->paths && i < from->count; i++) {
        to->paths[i] = strdup(from->paths[i]);
        to->count += to->paths[i] != NULL;
    }
    return to->paths && to->count == from->count ? SLV_OK : slv_no_memory(error);
}

static slv_result choose_clip(const slv_frame_options *options, slv_frames *frames,
                              slv_error *error) {
    struct slv_frame_source *source = frames->source;
    const slv_character *character = &source->character;
    source->clip = SLV_AT_REST;
    if (options->clip) {
        slv_result result = find_clip(character, options->clip, &source->clip, error);
        if (result != SLV_OK) {
            return result;
        }
    } else if (character->clip_count > 0) {
        source->clip = 0;
    }
    if (source->clip == SLV_AT_REST) {
        frames->still = true;
        return set_times(frames, 0.0, 0.0, options, error);
    }
    const slv_result allowed = slv_character_check_clip(character, source->clip, error);
    if (allowed != SLV_OK) {
        return allowed;
    }
    slv_character_clip_name(character, source->clip, frames->clip_name, sizeof frames->clip_name);
    frames->first_key = first_key(character, source->clip);
    frames->longest_gap =
        character->curves_unknown ? slv_longest_key_gap(character, source->clip) : 0.0;
    const slv_character_clip *clip = &character->clips[source->clip];
    frames->still = !(clip->end > clip->start);
    return set_times(frames, clip->start, clip->end, options, error);
}

static slv_result open_character(const slv_frame_options *options, slv_frames *frames,
                                 slv_error *error) {
    struct slv_frame_source *source = frames->source;
    slv_character *character = &source->character;
    slv_result result =
        slv_character_import(options->path, &options->import, character, &frames->files, error);
    if (result != SLV_OK) {
        return result;
    }
    frames->space = character->space;
    if (options->import.list) {
        const slv_import_space metres =
            slv_import_space_resolve(&character->space, &options->import);
        frames->list = slv_character_list(character, &options->import.choice, &metres);
        return frames->list ? SLV_OK : slv_no_memory(error);
    }
    result = slv_character_choose(character, &options->import.choice, &frames->parts, error);
    if (result != SLV_OK) {
        return result;
    }
    frames->vertex_count = character->vertex_count;
    frames->triangle_count = character->triangle_count;
    frames->triangles = character->triangles;
    frames->uvs = character->uvs;
    frames->input_hash = character->input_hash;
    frames->at_rest_known = true;
    source->scratch = calloc(options->workers, sizeof *source->scratch);
    result = source->scratch ? SLV_OK : slv_no_memory(error);
    for (unsigned w = 0; result == SLV_OK && w < options->workers; w++) {
        result = slv_pose_scratch_create(character, &source->scratch[w], error);
    }
    return result == SLV_OK ? choose_clip(options, frames, error) : result;
}

static bool is_obj(const char *path) {
    const char *dot = strrchr(path, '.');
    return dot && !strcasecmp(dot, ".obj");
}

static slv_result check_file(const char *path, slv_error *error) {
    char head[SLV_INPUT_FILE_HEAD];
    size_t length = 0;
    slv_result result = slv_input_file_peek(path, head, &length, error);
    if (result == SLV_OK && length >= sizeof SLV_PACK_MAGIC &&
        !memcmp(head, SLV_PACK_MAGIC, sizeof SLV_PACK_MAGIC)) {
        result =
            slv_fail(error, SLV_ERROR_CONTENT, "this is a Selvage pack already, not a character");
    }
    return result;
}

slv_result slv_frames_open(const slv_frame_options *options, slv_frames *frames, slv_error *error) {
    *frames = (slv_frames){.rate = options->rate > 0.0 ? options->rate : DEFAULT_RATE};
    frames->source = calloc(1, sizeof *frames->source);
    slv_result result = frames->source ? check_file(options->path, error) : slv_no_memory(error);
    if (result == SLV_OK) {
        frames->space = slv_import_space_default();
        frames->source->workers = options->workers;
        result = is_obj(options->path) ? open_sequence(options, frames, error)
                                       : open_character(options, frames, error);
    }
    frames->space = slv_import_space_resolve(&frames->space, &options->import);
    if (result == SLV_OK && frames->source->sequenced) {
        result = copy_files(&frames->source->sequence.files, &frames->files, error);
    }
    if (result != SLV_OK) {
        slv_frames_close(frames);
    }
    return result;
}

void slv_frames_close(slv_frames *frames) {
    struct slv_frame_source *source = frames->source;
    if (source) {
        for (unsigned w = 0; source->scratch && w < source->workers; w++) {
            slv_pose_scratch_free(&source->scratch[w]);
        }
        free(source->scratch);
        slv_character_free(&source->character);
        slv_obj_sequence_close(&source->sequence);
        free(source);
    }
    slv_file_list_free(&frames->files);
    free(frames->list);
    *frames = (slv_frames){0};
}

// --- Positions ----------------------------------------------------------------------------------

static void to_pack_coordinates(const slv_frames *frames, double *positions) {
    for (uint32_t v = 0; v < frames->vertex_count; v++) {
        double *p = positions + 3 * (size_t)v;
        slv_import_space_apply(&frames->space, p, p);
        for (int d = 0; d < 3; d++) {
            p[d] -= frames->origin[d];
        }
    }
}

slv_result slv_frames_read(const slv_frames *frames, uint32_t frame, unsigned worker,
                           double *positions, slv_error *error) {
    const struct slv_frame_source *source = frames->source;
    slv_result result = SLV_OK;
    if (source->sequenced) {
        result =
            slv_obj_sequence_read(&source->sequence, source->first_file + frame, positions, error);
    } else {
        slv_character_pose(&source->character, source->clip, frames->start + frame / frames->rate,
                           &source->scratch[worker], positions);
    }
    if (result == SLV_OK) {
        to_pack_coordinates(frames, positions);
    }
    return result;
}

void slv_frames_read_rest(const slv_frames *frames, double *positions) {
    const struct slv_frame_source *source = frames->source;
    slv_character_pose(&source->character, SLV_AT_REST, 0.0, &source->scratch[0], positions);
    to_pack_coordinates(frames, positions);
}
