// SPDX-License-Identifier: MIT
#include "tools/voxelize/outputs.h"

#include "tools/common/depfile.h"
#include "tools/voxelize/field_output.h"

#include <string.h>

slv_result slv_outputs_check(const slv_outputs *outputs, const char **error_source,
                             slv_error *error) {
    const char *const paths[] = {outputs->pack, outputs->sdf, outputs->depfile};
    return slv_output_files_check(paths, sizeof paths / sizeof *paths,
                                  (const char *const *)outputs->inputs->paths,
                                  outputs->inputs->count, error_source, error);
}

static slv_result write_garment(const slv_outputs *outputs, slv_writer **writer,
                                const char **error_source, slv_error *error) {
    if (outputs->pack == NULL) {
        return SLV_OK;
    }
    *error_source = outputs->pack;
    const uint32_t sections =
        slv_garment_get_section_count(outputs->garment) + (outputs->field_in_pack ? 1 : 0);
    const slv_result result =
        slv_writer_open(outputs->pack, SLV_CONTENTS_GARMENT, sections, writer, error);
    return result == SLV_OK ? slv_garment_write(outputs->garment, *writer, error) : result;
}

static slv_result write_field(const slv_outputs *outputs, slv_writer *writer, slv_atomic_file *text,
                              slv_console *console, const char **error_source, slv_error *error) {
    if (text == NULL && !outputs->field_in_pack) {
        return SLV_OK;
    }
    slv_field_output field = {.source = outputs->source,
                              .lattice = outputs->lattice,
                              .text = text,
                              .pack = outputs->field_in_pack ? writer : NULL,
                              .threads = outputs->threads};
    memcpy(field.frame, outputs->frame, sizeof field.frame);
    const slv_result result = slv_field_output_run(&field, console, error);
    *error_source = text == NULL || field.pack_failed ? outputs->pack : outputs->sdf;
    return result;
}

static slv_result write_rule(const slv_outputs *outputs, slv_output_files *files,
                             const char **error_source, slv_error *error) {
    if (outputs->depfile == NULL) {
        return SLV_OK;
    }
    const char *made[2];
    size_t made_count = 0;
    if (outputs->pack != NULL) {
        made[made_count++] = outputs->pack;
    }
    if (outputs->sdf != NULL) {
        made[made_count++] = outputs->sdf;
    }
    const slv_depfile_rule rule = {made, made_count, (const char *const *)outputs->inputs->paths,
                                   outputs->inputs->count};
    slv_atomic_file *file = NULL;
    *error_source = outputs->depfile;
    const slv_result result = slv_output_files_open(files, outputs->depfile, &file, error);
    return result == SLV_OK ? slv_depfile_put(&rule, file, error) : result;
}

// The caller abandons the writer unless it was sealed, which sets it to NULL.
static slv_result write_all(const slv_outputs *outputs, slv_console *console,
                            slv_output_files *files, slv_writer **writer, const char **error_source,
                            slv_error *error) {
    slv_atomic_file *text = NULL;
    slv_result result = SLV_OK;
    if (outputs->sdf != NULL) {
        *error_source = outputs->sdf;
        result = slv_output_files_open(files, outputs->sdf, &text, error);
    }
    if (result == SLV_OK) {
        result = write_garment(outputs, writer, error_source, error);
    }
    if (result == SLV_OK) {
        result = write_field(outputs, *writer, text, console, error_source, error);
    }
    if (result == SLV_OK && *writer != NULL) {
        slv_atomic_file *pack = NULL;
        *error_source = outputs->pack;
        result = slv_writer_seal(*writer, &pack, error);
        *writer = NULL;
        slv_output_files_take(files, outputs->pack, pack);
    }
    return result == SLV_OK ? write_rule(outputs, files, error_source, error) : result;
}

slv_result slv_outputs_write(const slv_outputs *outputs, slv_console *console,
                             slv_output_files *files, const char **error_source, slv_error *error) {
    slv_writer *writer = NULL;
    slv_result result = write_all(outputs, console, files, &writer, error_source, error);
    if (result == SLV_OK) {
        result = slv_output_files_flush(files, error_source, error);
    }
    if (result != SLV_OK) {
        slv_writer_abandon(writer);
        slv_output_files_abandon(files);
    }
    return result;
}
