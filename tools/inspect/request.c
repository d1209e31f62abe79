// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/inspect/request.h"

#include "tools/common/depfile.h"
#include "tools/common/memory_limit.h"
#include "tools/common/output_files.h"
#include "tools/common/png_file.h"
#include "tools/inspect/dump.h"
#include "tools/inspect/dump_frame.h"
#include "tools/inspect/inspected_pack.h"
#include "tools/inspect/json_report.h"
#include "tools/inspect/summary.h"

#include <stdlib.h>
#include <unistd.h>

static slv_result fill_files(const slv_request *request, const uint8_t *pixels,
                             slv_output_files *files, const char **error_source, slv_error *error) {
    const slv_picture_options *picture = &request->picture;
    const slv_depfile_rule rule = {&request->picture_path, 1, &request->pack, 1};
    slv_atomic_file *file = NULL;
    *error_source = request->picture_path;
    slv_result result = slv_output_files_open(files, request->picture_path, &file, error);
    if (!result) {
        result = slv_png_write(file, pixels, picture->width, picture->height, error);
    }
    if (!result && request->depfile) {
        *error_source = request->depfile;
        result = slv_output_files_open(files, request->depfile, &file, error);
        result = result ? result : slv_depfile_put(&rule, file, error);
    }
    return result ? result : slv_output_files_flush(files, error_source, error);
}

static slv_result write_files(const slv_request *request, const uint8_t *pixels,
                              const char **error_source, slv_error *error) {
    slv_output_files files = {.count = 0};
    slv_result result = fill_files(request, pixels, &files, error_source, error);
    if (result) {
        slv_output_files_abandon(&files);
        return result;
    }
    return slv_output_files_publish(&files, error_source, error);
}

// The first frame of a collider as a garment, for drawing.
static slv_result draw_collider(const slv_request *request, const slv_inspected_pack *inspected,
                                uint8_t **pixels, slv_error *error) {
    const uint32_t count = inspected->collider.info.particle_count;
    float *positions = slv_inspected_pack_frame(inspected, SLV_MOTION_PARTICLES, 0);
    if (!positions) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    const slv_color_range range = {.color = SLV_UNCOLORED, .count = count};
    const slv_garment garment = {
        .info = {.particle_count = count, .spacing = 2.0f * inspected->collider.info.radius},
        .x = positions,
        .y = positions + count,
        .z = positions + 2 * (size_t)count,
        .color_count = 1,
        .colors = &range};
    slv_result result = slv_picture_draw(&garment, &request->picture, pixels, error);
    free(positions);
    return result;
}

static slv_result make_picture(const slv_request *request, const slv_inspected_pack *inspected,
                               slv_console *console) {
    slv_error error;
    uint8_t *pixels = NULL;
    double start = slv_console_seconds();
    slv_result result =
        inspected->is_collider
            ? draw_collider(request, inspected, &pixels, &error)
            : slv_picture_draw(&inspected->garment, &request->picture, &pixels, &error);
    if (result) {
        slv_console_error(console, request->pack, "%s%s", error.text,
                          slv_memory_limit_hint(result));
        return result;
    }
    const char *path = request->picture_path;
    result = write_files(request, pixels, &path, &error);
    free(pixels);
    if (result) {
        slv_console_error(console, path, "%s", error.text);
        return result;
    }
    slv_console_note(console, "picture drawn in %.2f s", slv_console_seconds() - start);
    return SLV_OK;
}

static slv_result print(const slv_request *request, const slv_inspected_pack *inspected,
                        slv_output *output, slv_error *error) {
    if (slv_is_standard_output(request->picture_path)) {
        return SLV_OK; // text would mix with the picture
    }
    if (request->dump) {
        return slv_dump_print(inspected, request->dump, request->format, output, error);
    }
    if (request->verify && request->json) {
        return slv_json_verdict_print(request->pack, NULL, output, error);
    }
    if (request->json) {
        return slv_json_report_print(inspected, output, error);
    }
    if (request->quiet) {
        return SLV_OK;
    }
    if (request->verify) {
        slv_output_format(output, "%s: ok\n", request->pack);
    } else if (!request->picture_path) {
        bool styled = isatty(STDOUT_FILENO) && !getenv("NO_COLOR");
        slv_summary_print(inspected, styled, output);
    }
    return SLV_OK;
}

static slv_result finish_output(slv_output *output, slv_console *console) {
    slv_error error;
    slv_result result = slv_output_finish(output, &error);
    if (result) {
        slv_console_error(console, NULL, "%s", error.text);
    }
    return result;
}

static slv_result report_bad_pack(const slv_request *request, const slv_error *failure,
                                  slv_output *output, slv_console *console) {
    slv_console_error(console, request->pack, "%s%s", failure->text,
                      slv_memory_limit_hint(failure->code));
    if (request->verify && request->json) {
        slv_error error;
        (void)slv_json_verdict_print(request->pack, failure, output, &error);
        (void)finish_output(output, console);
    }
    return failure->code;
}

static slv_result report(const slv_request *request, const slv_inspected_pack *inspected,
                         slv_output *output, slv_console *console) {
    if (request->picture_path) {
        slv_result result = make_picture(request, inspected, console);
        if (result) {
            return result;
        }
    }
    slv_error error;
    slv_result result = print(request, inspected, output, &error);
    if (result) {
        slv_console_error(console, request->pack, "%s%s", error.text,
                          slv_memory_limit_hint(result));
        return result;
    }
    return finish_output(output, console);
}

// Bytes of memory for a picture of the requested size: depths and numbers of several samples a pixel, shadows.
static uint64_t picture_bytes(const slv_request *request) {
    const uint64_t pixel_bytes = 128;
    const uint64_t shadow_bytes = UINT64_C(256) << 20;
    return request->picture_path
               ? pixel_bytes * request->picture.width * request->picture.height + shadow_bytes
               : 0;
}

slv_result slv_request_run(const slv_request *request, slv_console *console) {
    slv_error error;
    slv_output output;
    slv_inspected_pack inspected;
    const char *const outputs[] = {request->picture_path, request->depfile};
    const char *named = NULL;
    slv_output_start(&output, STDOUT_FILENO);
    slv_result result = slv_output_files_check(outputs, 2, &request->pack, 1, &named, &error);
    if (result) {
        slv_console_error(console, named, "%s", error.text);
        return result;
    }
    slv_open_options options = {.mode = request->open_mode};
    options.decoded_limit = slv_limit_memory(request->memory_limit, request->pack,
                                             request->picture.threads, picture_bytes(request));
    result = slv_inspected_pack_open(request->pack, &options, &inspected, &error);
    if (result) {
        return report_bad_pack(request, &error, &output, console);
    }
    result = report(request, &inspected, &output, console);
    slv_inspected_pack_close(&inspected);
    return result;
}
