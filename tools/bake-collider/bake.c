// SPDX-License-Identifier: MIT
#include "tools/bake-collider/bake.h"

#include "formats/writer.h"
#include "tools/bake-collider/attach.h"
#include "tools/bake-collider/memory_need.h"
#include "tools/bake-collider/motion_output.h"
#include "tools/bake-collider/placement.h"
#include "tools/bake-collider/provenance.h"
#include "tools/bake-collider/surface.h"
#include "tools/common/confine.h"
#include "tools/common/depfile.h"
#include "tools/common/parallel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PARTICLES 5000u
// Seconds. Keys further apart than this are rejected where their interpolation is unknown.
#define LONGEST_GAP 0.1
// Multiples of the extent. Farther from the origin float32 loses too much precision.
#define FAR 1024.0

typedef struct job {
    slv_bake_options options;
    slv_console *console;
    slv_bake_report *report;
    slv_output_files *written;
    slv_frames frames;
    slv_surface surface;
    slv_placement placement;
    slv_attachments attachments;
    slv_clip_info info;
    double stage_start;
} job;

const char *slv_bake_stage_name(int stage) {
    static const char *const names[SLV_BAKE_STAGES] = {"import", "survey", "placement", "output"};
    return names[stage];
}

static void end_stage(job *j, int stage) {
    const double now = slv_console_seconds();
    j->report->seconds[stage] = now - j->stage_start;
    j->stage_start = now;
}

// --- Reading ------------------------------------------------------------------------------------

static slv_result resolve_options(job *j, slv_error *error) {
    slv_bake_options *options = &j->options;
    options->threads = options->threads > 0 ? options->threads : slv_processor_count();
    if (!options->character) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "no character given; see --help");
    }
    if (!options->pack && !options->list) {
        return slv_fail(error, SLV_ERROR_ARGUMENT, "no output given; -o OUT.slv names it");
    }
    if (options->radius > 0.0 && options->particles > 0) {
        return slv_fail(error, SLV_ERROR_ARGUMENT,
                        "--radius and --particles: give one, the other follows");
    }
    if (!(options->radius > 0.0) && options->particles == 0) {
        options->particles = DEFAULT_PARTICLES;
    }
    return SLV_OK;
}

// Rejects clips with distant keys: the curve between them is unknown.
static slv_result check_keys(const slv_bake_options *options, const slv_frames *frames,
                             slv_error *error) {
    if (frames->longest_gap > LONGEST_GAP && !frames->still && !options->straight_keys) {
        return slv_fail(
            error, SLV_ERROR_CONTENT,
            "keys of the clip are up to %.2g s apart, and the interpolation of the file "
            "between them is not known; export a key for every frame, or glTF, or "
            "join them by straight lines with --straight-keys",
            frames->longest_gap);
    }
    return SLV_OK;
}

static slv_result read_frames(job *j, slv_error *error) {
    const slv_bake_options *options = &j->options;
    const slv_frame_options frame_options = {.path = options->character,
                                             .clip = options->clip,
                                             .rate = options->rate,
                                             .start = options->start,
                                             .end = options->end,
                                             .import = {.scale = options->scale,
                                                        .up = options->up,
                                                        .undrawn = true,
                                                        .choice = options->choice,
                                                        .list = options->list,
                                                        .allow_paths = options->allow_paths},
                                             .workers = options->threads};
    j->report->error_source = options->character;
    slv_confine_note(j->console);
    slv_result result = slv_frames_open(&frame_options, &j->frames, error);
    if (result == SLV_OK && options->list) {
        j->report->list = j->frames.list;
        j->frames.list = NULL;
        return SLV_OK;
    }
    if (result == SLV_OK) {
        result = check_keys(options, &j->frames, error);
    }
    if (result == SLV_OK && options->attach) {
        j->report->error_source = options->attach;
        result =
            slv_attachments_read(options->attach, options->allow_paths, &j->attachments, error);
        j->report->error_source = result == SLV_OK ? options->character : options->attach;
    }
    return result;
}

static slv_result check_outputs(job *j, slv_error *error) {
    const char *const outputs[] = {j->options.pack, j->options.depfile};
    slv_result result = SLV_OK;
    const slv_file_list *lists[] = {&j->frames.files, &j->attachments.files};
    for (int i = 0; result == SLV_OK && i < 2; i++) {
        result = slv_output_files_check(outputs, 2, (const char *const *)lists[i]->paths,
                                        lists[i]->count, &j->report->error_source, error);
    }
    return result;
}

static void warn(const job *j) {
    const slv_frames *frames = &j->frames;
    const char *file = j->options.character;
    char left_out[160];
    slv_part_counts_text(&frames->parts, left_out, sizeof left_out);
    if (left_out[0] != '\0') {
        slv_console_warning(j->console, file, "%s", left_out);
    }
    if (frames->still) {
        slv_console_warning(j->console, file, "has no animation; one frame is baked");
    } else if (frames->frame_count == 1) {
        // One frame may be intended, or frame numbers were given in place of seconds.
        slv_console_warning(j->console, file,
                            "one frame is baked: from %.4g s on no other comes before --end",
                            frames->start);
    }
    if (frames->longest_gap > LONGEST_GAP && !frames->still) {
        slv_console_warning(j->console, file,
                            "keys are up to %.2g s apart and joined by straight lines",
                            frames->longest_gap);
    }
    if (frames->first_key > frames->start + 1.0 / frames->rate && !frames->still) {
        slv_console_note(j->console,
                         "%s: nothing moves before %.4g s; --start %.4g leaves that out", file,
                         frames->first_key, frames->first_key);
    }
    if (j->attachments.at_rest && !frames->at_rest_known) {
        slv_console_warning(
            j->console, j->options.attach,
            "\"pose\": \"rest\" has no meaning for OBJ files; the first frame is used");
    }
}

// Coordinates in the pack are float32: a character far from the origin is moved to it.
static void choose_origin(job *j) {
    double distance = 0.0;
    for (int d = 0; d < 3; d++) {
        distance = fmax(distance, fmax(fabs(j->surface.min[d]), fabs(j->surface.max[d])));
    }
    if (distance > FAR * j->surface.extent) {
        for (int d = 0; d < 3; d++) {
            j->frames.origin[d] = floor(0.5 * (j->surface.min[d] + j->surface.max[d]));
        }
    }
}

// --- Writing ------------------------------------------------------------------------------------

static void add_motion_report(job *j, const slv_motion_output *output) {
    for (int d = 0; d < 3; d++) {
        j->info.bounds_min[d] = fminf(j->info.bounds_min[d], output->min[d]);
        j->info.bounds_max[d] = fmaxf(j->info.bounds_max[d], output->max[d]);
    }
    j->report->largest_error = fmax(j->report->largest_error, output->largest_error);
}

static slv_motion_output motion_of(const job *j, slv_motion_kind kind, const slv_point *points,
                                   uint32_t count, const char *what) {
    return (slv_motion_output){.frames = &j->frames,
                               .points = points,
                               .count = count,
                               .kind = kind,
                               .error = 0.001 * j->options.error,
                               .what = what,
                               .threads = j->options.threads};
}

static slv_result write_particles(job *j, slv_writer *writer, slv_error *error) {
    slv_motion_output output =
        motion_of(j, SLV_MOTION_PARTICLES, j->placement.points, j->placement.count, "baking");
    slv_result result = slv_motion_output_run(&output, writer, j->console, error);
    add_motion_report(j, &output);
    return result;
}

static slv_result write_attachments(job *j, slv_writer *writer, slv_error *error) {
    const slv_attachments *a = &j->attachments;
    if (a->count == 0) {
        return SLV_OK;
    }
    slv_motion_output output =
        motion_of(j, SLV_MOTION_ATTACHMENTS, a->points, a->count, "attaching");
    output.keep_order = true;
    slv_result result = slv_motion_output_run(&output, writer, j->console, error);
    add_motion_report(j, &output);
    const slv_sets_info info = {
        .set_count = a->set_count, .index_count = a->count, .name_bytes = a->name_bytes};
    if (result == SLV_OK) {
        result = slv_writer_begin(writer, SLV_SECTION_ATTACHMENTS, SLV_CODEC_RAW,
                                  SLV_SECTION_REQUIRED, error);
    }
    const struct {
        const void *bytes;
        size_t size;
    } pieces[] = {{&info, sizeof info},
                  {a->sets, a->set_count * sizeof *a->sets},
                  {a->numbers, a->count * sizeof *a->numbers},
                  {a->names, a->name_bytes}};
    for (size_t i = 0; result == SLV_OK && i < sizeof pieces / sizeof *pieces; i++) {
        result = slv_writer_append(writer, pieces[i].bytes, pieces[i].size, error);
    }
    return result == SLV_OK ? slv_writer_end(writer, error) : result;
}

// The render mesh: the vertices of the file in stored order.
static slv_result write_vertices(job *j, slv_writer *writer, uint32_t *order, slv_error *error) {
    const uint32_t count = j->frames.vertex_count;
    slv_point *points = calloc((size_t)count + 1, sizeof *points);
    if (!points) {
        return slv_no_memory(error);
    }
    for (uint32_t v = 0; v < count; v++) {
        points[v] = (slv_point){.vertex = {v, v, v}, .weight = {1.0}};
    }
    slv_motion_output output = motion_of(j, SLV_MOTION_MESH, points, count, "drawing");
    output.order = order;
    slv_result result = slv_motion_output_run(&output, writer, j->console, error);
    add_motion_report(j, &output);
    free(points);
    return result;
}

static slv_result write_mesh(job *j, slv_writer *writer, slv_error *error) {
    const slv_frames *frames = &j->frames;
    if (!j->options.with_mesh) {
        return SLV_OK;
    }
    const size_t corners = 3 * (size_t)frames->triangle_count;
    uint32_t *order = calloc((size_t)frames->vertex_count + 1, sizeof *order);
    uint32_t *stored = calloc((size_t)frames->vertex_count + 1, sizeof *stored);
    uint32_t *triangles = calloc(corners + 1, sizeof *triangles);
    float *uvs = calloc((size_t)frames->vertex_count + 1, 2 * sizeof *uvs);
    slv_result result = order && stored && triangles && uvs
                            ? write_vertices(j, writer, order, error)
                            : slv_no_memory(error);
    for (uint32_t i = 0; result == SLV_OK && i < frames->vertex_count; i++) {
        stored[order[i]] = i;
        for (size_t d = 0; frames->uvs && d < 2; d++) {
            uvs[2 * (size_t)i + d] = frames->uvs[2 * (size_t)order[i] + d];
        }
    }
    for (size_t i = 0; result == SLV_OK && i < corners; i++) {
        triangles[i] = stored[frames->triangles[i]];
    }
    if (result == SLV_OK) {
        result = slv_writer_add(writer, SLV_SECTION_RENDER_TRIANGLE, SLV_CODEC_RAW, 0, triangles,
                                corners * sizeof *triangles, error);
    }
    if (result == SLV_OK && frames->uvs) {
        result = slv_writer_add(writer, SLV_SECTION_RENDER_UV, SLV_CODEC_RAW, 0, uvs,
                                2 * sizeof *uvs * (size_t)frames->vertex_count, error);
    }
    free(order);
    free(stored);
    free(triangles);
    free(uvs);
    return result;
}

static slv_result write_info(job *j, slv_writer *writer, slv_error *error) {
    slv_clip_info *info = &j->info;
    info->particle_count = j->placement.count;
    info->attachment_count = j->attachments.count;
    info->vertex_count = j->options.with_mesh ? j->frames.vertex_count : 0;
    info->triangle_count = j->options.with_mesh ? j->frames.triangle_count : 0;
    info->frame_count = j->frames.frame_count;
    info->coverage_frame = j->placement.coverage_frame;
    info->frame_rate = j->frames.rate;
    info->start = j->frames.start;
    info->duration = j->frames.duration;
    memcpy(info->frame, j->frames.origin, sizeof info->frame);
    info->radius = (float)j->placement.radius;
    info->coverage = nextafterf((float)j->placement.coverage, INFINITY);
    info->error = (float)(0.001 * j->options.error);
    info->largest_error = (float)j->report->largest_error;
    return slv_writer_add(writer, SLV_SECTION_CLIP, SLV_CODEC_RAW, SLV_SECTION_REQUIRED, info,
                          sizeof *info, error);
}

static slv_result write_provenance(job *j, slv_writer *writer, slv_error *error) {
    char *text = slv_bake_provenance(&j->options, &j->frames);
    if (!text) {
        return slv_no_memory(error);
    }
    slv_result result =
        slv_writer_add(writer, SLV_SECTION_PROVENANCE, SLV_CODEC_RAW, 0, text, strlen(text), error);
    free(text);
    return result;
}

static slv_result fill_pack(job *j, slv_writer *writer, slv_error *error) {
    static slv_result (*const parts[])(job *, slv_writer *, slv_error *) = {
        write_particles, write_attachments, write_mesh, write_info, write_provenance};
    slv_result result = SLV_OK;
    for (size_t i = 0; result == SLV_OK && i < sizeof parts / sizeof *parts; i++) {
        result = parts[i](j, writer, error);
    }
    return result;
}

static slv_result write_pack(job *j, slv_error *error) {
    const uint32_t uv_sections = j->frames.uvs ? 1 : 0;
    const uint32_t sections = 3 + 2 + (j->attachments.count > 0 ? 4u : 0u) +
                              (j->options.with_mesh ? 4 + uv_sections : 0u);
    slv_writer *writer = NULL;
    j->report->error_source = j->options.pack;
    for (int d = 0; d < 3; d++) {
        j->info.bounds_min[d] = INFINITY;
        j->info.bounds_max[d] = -INFINITY;
    }
    slv_result result =
        slv_writer_open(j->options.pack, SLV_CONTENTS_COLLIDER, sections, &writer, error);
    if (result == SLV_OK) {
        j->report->error_source = j->options.character;
        result = fill_pack(j, writer, error);
    }
    if (result != SLV_OK && writer && slv_writer_has_failed(writer)) {
        j->report->error_source = j->options.pack;
    }
    if (result != SLV_OK) {
        slv_writer_abandon(writer);
        return result;
    }
    slv_atomic_file *file = NULL;
    j->report->error_source = j->options.pack;
    result = slv_writer_seal(writer, &file, error);
    if (result == SLV_OK) {
        slv_output_files_take(j->written, j->options.pack, file);
    }
    return result;
}

static slv_result write_rule(job *j, slv_error *error) {
    if (!j->options.depfile) {
        return SLV_OK;
    }
    const size_t count = j->frames.files.count + j->attachments.files.count;
    const char **inputs = calloc(count + 1, sizeof *inputs);
    if (!inputs) {
        return slv_no_memory(error);
    }
    for (size_t i = 0; i < count; i++) {
        inputs[i] = i < j->frames.files.count
                        ? j->frames.files.paths[i]
                        : j->attachments.files.paths[i - j->frames.files.count];
    }
    const slv_depfile_rule rule = {&j->options.pack, 1, inputs, count};
    slv_atomic_file *file = NULL;
    j->report->error_source = j->options.depfile;
    slv_result result = slv_output_files_open(j->written, j->options.depfile, &file, error);
    result = result == SLV_OK ? slv_depfile_put(&rule, file, error) : result;
    free(inputs);
    return result;
}

// --- The whole ----------------------------------------------------------------------------------

static void fill_report(job *j) {
    slv_bake_report *report = j->report;
    const slv_frames *frames = &j->frames;
    memcpy(report->clip, frames->clip_name, sizeof report->clip);
    report->still = frames->still;
    report->space = frames->space;
    report->parts = frames->parts;
    for (int d = 0; d < 3; d++) {
        report->bounds[0][d] = j->surface.first_min[d];
        report->bounds[1][d] = j->surface.first_max[d];
    }
    report->vertices = frames->vertex_count;
    report->triangles = frames->triangle_count;
    report->dropped_triangles = j->surface.dropped_count;
    report->extent = j->surface.extent;
    report->frames = frames->frame_count;
    report->rate = frames->rate;
    report->start = frames->start;
    report->duration = frames->duration;
    report->particles = j->placement.count;
    report->added_particles = j->placement.count - j->placement.first_count;
    report->radius = j->placement.radius;
    report->coverage = j->placement.coverage;
    report->coverage_frame = j->placement.coverage_frame;
    report->stops = fmax(0.0, j->placement.coverage - j->placement.radius);
    report->samples = j->placement.sample_count;
    report->attachments = j->attachments.count;
    report->mesh_vertices = j->info.vertex_count;
    report->pack_bytes = slv_output_files_size(j->written, j->options.pack);
    report->bytes_per_frame = (double)report->pack_bytes / frames->frame_count;
    const double points =
        (double)report->particles + (double)report->attachments + (double)report->mesh_vertices;
    report->ratio = 12.0 * points * frames->frame_count / (double)report->pack_bytes;
}

static slv_result place_particles(job *j, slv_error *error) {
    const slv_placement_options options = {.radius = j->options.radius,
                                           .particles = (uint32_t)j->options.particles,
                                           .tolerance = j->options.tolerance,
                                           .threads = j->options.threads,
                                           .memory_limit = j->options.memory_limit};
    slv_result result =
        slv_placement_make(&j->frames, &j->surface, &options, j->console, &j->placement, error);
    return result == SLV_OK ? slv_attachments_bind(&j->attachments, &j->frames, error) : result;
}

static slv_result run(job *j, slv_error *error) {
    slv_result result = resolve_options(j, error);
    if (result == SLV_OK) {
        result = read_frames(j, error);
    }
    end_stage(j, SLV_BAKE_IMPORT);
    if (result == SLV_OK && j->options.list) {
        return SLV_OK;
    }
    if (result == SLV_OK) {
        result = check_outputs(j, error);
    }
    if (result == SLV_OK) {
        j->report->error_source = j->options.character;
        result = slv_bake_check_mesh_memory(&j->options, &j->frames, error);
    }
    if (result == SLV_OK) {
        result = slv_surface_survey(&j->frames, j->options.threads, j->console, &j->surface, error);
    }
    end_stage(j, SLV_BAKE_SURVEY);
    if (result == SLV_OK) {
        choose_origin(j);
        result = place_particles(j, error);
    }
    end_stage(j, SLV_BAKE_PLACEMENT);
    if (result == SLV_OK) {
        warn(j); // not before: a refusal is one line
        result = write_pack(j, error);
    }
    if (result == SLV_OK) {
        fill_report(j);
        result = write_rule(j, error);
    }
    if (result == SLV_OK) {
        result = slv_output_files_flush(j->written, &j->report->error_source, error);
    }
    end_stage(j, SLV_BAKE_OUTPUT);
    return result;
}

slv_result slv_bake(const slv_bake_options *options, slv_console *console, slv_bake_report *report,
                    slv_output_files *files, slv_error *error) {
    job j = {.options = *options, .console = console, .report = report, .written = files};
    *report = (slv_bake_report){.error_source = NULL};
    j.stage_start = slv_console_seconds();
    const slv_result result = run(&j, error);
    if (result != SLV_OK) {
        slv_console_progress_end(console);
        slv_output_files_abandon(files);
    }
    slv_attachments_free(&j.attachments);
    slv_placement_free(&j.placement);
    slv_surface_free(&j.surface);
    slv_frames_close(&j.frames);
    return result;
}
