// SPDX-License-Identifier: MIT
#include "runtime/export/export_sequence.h"

#include "formats/signal_hold.h"
#include "runtime/export/export_spool.h"

#include <stdlib.h>

typedef struct sequence {
    slv_export_spool spool; // the files, one after another
    slv_name_frame *name;
    uint64_t begin;  // of the present file in the spool
    uint64_t *sizes; // [room] bytes of each
    uint64_t room;
} sequence;

// Where the first file could not be created, there is no use in simulating.
static slv_result check_writable(const slv_export *run, slv_name_frame *name, slv_error *error) {
    slv_atomic_file *file = NULL;
    char *path = name(run, 0);
    slv_result result = path ? slv_atomic_open(path, &file, error) : slv_no_memory(error);
    slv_atomic_abandon(file);
    free(path);
    return result;
}

slv_result slv_sequence_open(slv_export *run, slv_name_frame *name, slv_error *error) {
    sequence *made = calloc(1, sizeof *made);
    run->work = made;
    slv_result result = made ? check_writable(run, name, error) : slv_no_memory(error);
    if (result == SLV_OK) {
        made->name = name;
        result = slv_spool_open(&made->spool, run->path, error);
    }
    return result;
}

static slv_result reserve(sequence *own, uint64_t count, slv_error *error) {
    if (count <= own->room) {
        return SLV_OK;
    }
    const uint64_t room = 2 * count + 64;
    uint64_t *sizes = realloc(own->sizes, (size_t)room * sizeof *sizes);
    if (!sizes) {
        return slv_no_memory(error);
    }
    own->sizes = sizes;
    own->room = room;
    return SLV_OK;
}

slv_result slv_sequence_begin(slv_export *run, slv_export_text *text, slv_error *error) {
    sequence *own = run->work;
    const slv_result result = reserve(own, run->frame_count + 1, error);
    own->begin = own->spool.size;
    if (result == SLV_OK) {
        slv_text_begin_spool(text, &own->spool, error);
    }
    return result;
}

void slv_sequence_end(slv_export *run) {
    sequence *own = run->work;
    own->sizes[run->frame_count] = own->spool.size - own->begin;
}

// The next file of the spool under its temporary name.
static slv_result write_file(slv_export *run, uint64_t frame, slv_atomic_file **file,
                             slv_error *error) {
    sequence *own = run->work;
    char *path = own->name(run, frame);
    slv_result result = path ? slv_atomic_open(path, file, error) : slv_no_memory(error);
    free(path);
    if (result == SLV_OK) {
        result = slv_spool_copy_next(&own->spool, own->sizes[frame], *file, error);
    }
    return result == SLV_OK ? slv_atomic_flush(*file, error) : result;
}

static slv_result publish(slv_export *run, slv_atomic_file **files, slv_error *error) {
    slv_result result = slv_spool_rewind(&((sequence *)run->work)->spool, error);
    uint64_t frame = 0;
    for (; frame < run->frame_count && result == SLV_OK; frame++) {
        result = slv_signal_is_deferred() ? slv_fail(error, SLV_ERROR_FILE, "interrupted")
                                          : write_file(run, frame, &files[frame], error);
    }
    if (result == SLV_OK) {
        return slv_atomic_publish_all(files, (size_t)run->frame_count, NULL, error);
    }
    while (frame-- > 0) {
        slv_atomic_abandon(files[frame]);
    }
    return result;
}

slv_result slv_sequence_finish(slv_export *run, slv_error *error) {
    slv_atomic_file **files = calloc((size_t)run->frame_count, sizeof(slv_atomic_file *));
    if (!files) {
        return slv_no_memory(error);
    }
    slv_signal_hold(); // more files than a signal handler can list
    const slv_result result = publish(run, files, error);
    slv_signal_release();
    free(files);
    return result;
}

void slv_sequence_close(slv_export *run) {
    sequence *own = run->work;
    slv_spool_close(&own->spool);
    free(own->sizes);
    free(own);
    run->work = NULL;
}
