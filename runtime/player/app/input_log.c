// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // getline
#include "runtime/player/app/input_log.h"

#include "formats/file_bytes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char first_line[] = "selvage-input 1\n";

// --- Writing -------------------------------------------------------------------------------------

// Messages name the file.
static slv_result about(const slv_input_recorder *recorder, slv_result result,
                        const slv_error *cause, slv_error *error) {
    return result == SLV_OK ? SLV_OK
                            : slv_fail(error, result, "%.300s: %s", recorder->path, cause->text);
}

static slv_result write_bytes(slv_input_recorder *recorder, const char *text, size_t size,
                              slv_error *error) {
    slv_error cause = {0};
    return about(recorder, slv_atomic_write(recorder->file, text, size, &cause), &cause, error);
}

slv_result slv_input_record_begin(slv_input_recorder *recorder, const char *path, uint64_t hash,
                                  slv_error *error) {
    char text[128];
    slv_error cause = {0};
    slv_result result = slv_atomic_open(path, &recorder->file, &cause);
    recorder->path = path;
    if (result != SLV_OK) {
        return about(recorder, result, &cause, error);
    }
    (void)snprintf(text, sizeof text, "%sbegin %016" PRIx64 "\n", first_line, hash);
    return write_bytes(recorder, text, strlen(text), error);
}

slv_result slv_input_record(slv_input_recorder *recorder, const slv_input *input,
                            slv_error *error) {
    char line[SLV_INPUT_LINE];
    if (recorder->file == NULL) {
        return SLV_OK;
    }
    return write_bytes(recorder, line, slv_input_print(input, line), error);
}

slv_result slv_input_record_end(slv_input_recorder *recorder, uint64_t ticks, uint64_t hash,
                                slv_error *error) {
    char text[128];
    if (recorder->file == NULL) {
        return SLV_OK;
    }
    (void)snprintf(text, sizeof text, "end %" PRIu64 " %016" PRIx64 "\n", ticks, hash);
    slv_error cause = {0};
    slv_result result = write_bytes(recorder, text, strlen(text), error);
    if (result != SLV_OK) {
        slv_input_record_abandon(recorder);
        return result;
    }
    slv_atomic_file *file = recorder->file;
    recorder->file = NULL;
    return about(recorder, slv_atomic_commit(file, &cause), &cause, error);
}

void slv_input_record_abandon(slv_input_recorder *recorder) {
    slv_atomic_abandon(recorder->file);
    recorder->file = NULL;
}

// --- Reading -------------------------------------------------------------------------------------

static slv_result add(slv_input_log *log, const slv_input *input, slv_error *error) {
    if (log->count > 0 && input->tick < log->inputs[log->count - 1].tick) {
        return slv_fail(error, SLV_ERROR_CONTENT, "step numbers must not decrease");
    }
    if (log->count == log->room) {
        const size_t room = log->room ? 2 * log->room : 64;
        slv_input *inputs = realloc(log->inputs, room * sizeof *inputs);
        if (inputs == NULL) {
            return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for inputs");
        }
        log->inputs = inputs;
        log->room = room;
    }
    log->inputs[log->count++] = *input;
    return SLV_OK;
}

static bool parse_hash(const char *text, slv_input_hash *hash) {
    char *end = NULL;
    hash->any = text[0] == '-' && (text[1] == '\n' || text[1] == '\0');
    hash->value = strtoull(text, &end, 16);
    return hash->any || (end == text + 16 && (*end == '\n' || *end == '\0'));
}

static bool parse_end(const char *text, slv_input_log *log) {
    char *end = NULL;
    log->ticks = strtoull(text, &end, 10);
    return end > text && *end == ' ' && parse_hash(end + 1, &log->end);
}

// `number` is the line number from 1; *done: this was the last line.
static slv_result read_line(slv_input_log *log, const char *line, size_t number, bool *done,
                            slv_error *error) {
    slv_input input;
    if (number == 1) {
        return strcmp(line, first_line) == 0
                   ? SLV_OK
                   : slv_fail(error, SLV_ERROR_CONTENT,
                              "is not a recording; it should begin with \"selvage-input 1\"");
    }
    if (number == 2) {
        return strncmp(line, "begin ", 6) == 0 && parse_hash(line + 6, &log->begin)
                   ? SLV_OK
                   : slv_fail(error, SLV_ERROR_CONTENT, "should be \"begin\" and a hash or -");
    }
    if (strncmp(line, "end ", 4) == 0) {
        *done = true;
        return parse_end(line + 4, log)
                   ? SLV_OK
                   : slv_fail(error, SLV_ERROR_CONTENT,
                              "should be \"end\", a number of steps, and a hash or -");
    }
    slv_result result = slv_input_parse(line, &input, error);
    return result == SLV_OK ? add(log, &input, error) : result;
}

slv_result slv_input_log_read(slv_input_log *log, const char *path, slv_error *error) {
    *log = (slv_input_log){.count = 0};
    int descriptor = -1;
    size_t size = 0;
    slv_error cause = {0};
    slv_result result = slv_file_open_regular(path, &descriptor, &size, &cause);
    if (result != SLV_OK) {
        return slv_fail(error, result, "%.300s: %s", path, cause.text);
    }
    FILE *file = fdopen(descriptor, "r");
    if (file == NULL) {
        (void)close(descriptor);
        return slv_no_memory(error);
    }
    char *line = NULL;
    size_t room = 0;
    size_t number = 0;
    bool done = false;
    while (result == SLV_OK && !done && getline(&line, &room, file) > 0) {
        result = read_line(log, line, ++number, &done, &cause);
    }
    if (result == SLV_OK && !done) {
        result = slv_fail(&cause, SLV_ERROR_CONTENT, "the file ends before its \"end\": truncated");
        number++;
    }
    free(line);
    (void)fclose(file);
    if (result != SLV_OK) {
        slv_input_log_free(log);
        return slv_fail(error, result, "%.300s:%zu: %.150s", path, number, cause.text);
    }
    return SLV_OK;
}

void slv_input_log_free(slv_input_log *log) {
    free(log->inputs);
    *log = (slv_input_log){.count = 0};
}
