// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/voxelize/outputs.h"

#include "formats/atomic_file.h"
#include "tools/common/depfile.h"
#include "tools/voxelize/field_output.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// --- Before the work ----------------------------------------------------------------------------

static bool is_same_file(const char *a, const char *b) {
    struct stat first;
    struct stat second;
    if (strcmp(a, b) == 0) {
        return true;
    }
    return stat(a, &first) == 0 && stat(b, &second) == 0 && S_ISREG(first.st_mode) &&
           first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

static bool is_special(const char *path) { // a device or pipe, which opening may disturb
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

static slv_result check_writable(const char *path, slv_error *error) {
    slv_atomic_file *file = NULL;
    if (is_special(path)) {
        return SLV_OK;
    }
    const slv_result result = slv_atomic_open(path, &file, error);
    slv_atomic_abandon(file);
    return result;
}

slv_result slv_outputs_check(const slv_outputs *outputs, const char **subject, slv_error *error) {
    const char *paths[3] = {outputs->pack, outputs->sdf, outputs->depfile};
    for (size_t n = 0; n < 3; n++) {
        if (paths[n] == NULL) {
            continue;
        }
        *subject = paths[n];
        for (size_t other = 0; other < n; other++) {
            if (paths[other] != NULL && !is_special(paths[n]) &&
                is_same_file(paths[n], paths[other])) {
                return slv_fail(error, SLV_ERROR_USAGE, "two outputs would go to this one file");
            }
        }
        for (size_t input = 0; input < outputs->inputs->count; input++) {
            if (is_same_file(paths[n], outputs->inputs->paths[input])) {
                return slv_fail(error, SLV_ERROR_USAGE, "would overwrite a file that is read");
            }
        }
        const slv_result result = check_writable(paths[n], error);
        if (result != SLV_OK) {
            return result;
        }
    }
    return SLV_OK;
}

// --- Writing ------------------------------------------------------------------------------------

static slv_result open_files(const slv_outputs *outputs, slv_writer **writer,
                             slv_atomic_file **text, const char **subject, slv_error *error) {
    slv_result result = SLV_OK;
    if (outputs->sdf != NULL) {
        *subject = outputs->sdf;
        result = slv_atomic_open(outputs->sdf, text, error);
    }
    if (result == SLV_OK && outputs->pack != NULL) {
        *subject = outputs->pack;
        const uint32_t sections =
            slv_garment_section_count(outputs->garment) + (outputs->field_in_pack ? 1 : 0);
        result = slv_writer_open(outputs->pack, SLV_CONTENTS_GARMENT, sections, writer, error);
        if (result == SLV_OK) {
            result = slv_garment_write(outputs->garment, *writer, error);
        }
    }
    return result;
}

static slv_result write_field(const slv_outputs *outputs, slv_writer *writer, slv_atomic_file *text,
                              slv_console *console, const char **subject, slv_error *error) {
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
    *subject = text == NULL || field.pack_failed ? outputs->pack : outputs->sdf;
    return result;
}

static void remove_regular(const char *path) {
    struct stat status;
    if (path != NULL && lstat(path, &status) == 0 && S_ISREG(status.st_mode)) {
        (void)unlink(path);
    }
}

// Text, rule, pack: a file that stands already is taken back where a later one fails.
static slv_result commit_files(const slv_outputs *outputs, slv_writer *writer,
                               slv_atomic_file *text, const char **subject, slv_error *error) {
    slv_result result = SLV_OK;
    if (text != NULL) {
        *subject = outputs->sdf;
        result = slv_atomic_commit(text, error);
    }
    if (result == SLV_OK && outputs->depfile != NULL) {
        *subject = outputs->depfile;
        result = slv_depfile_write(
            outputs->depfile, outputs->pack != NULL ? outputs->pack : outputs->sdf,
            (const char *const *)outputs->inputs->paths, outputs->inputs->count, error);
        if (result != SLV_OK) {
            remove_regular(outputs->sdf);
        }
    }
    if (result != SLV_OK) {
        slv_writer_abandon(writer);
        return result;
    }
    if (writer != NULL) {
        *subject = outputs->pack;
        result = slv_writer_commit(writer, error);
        if (result != SLV_OK) {
            remove_regular(outputs->sdf);
            remove_regular(outputs->depfile);
        }
    }
    return result;
}

slv_result slv_outputs_write(const slv_outputs *outputs, slv_console *console, const char **subject,
                             slv_error *error) {
    slv_writer *writer = NULL;
    slv_atomic_file *text = NULL;
    slv_result result = open_files(outputs, &writer, &text, subject, error);
    if (result == SLV_OK) {
        result = write_field(outputs, writer, text, console, subject, error);
    }
    if (result != SLV_OK) {
        slv_atomic_abandon(text);
        slv_writer_abandon(writer);
        return result;
    }
    return commit_files(outputs, writer, text, subject, error);
}

uint64_t slv_file_bytes(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}
