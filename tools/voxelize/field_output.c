// SPDX-License-Identifier: MIT
#include "tools/voxelize/field_output.h"

#include "formats/field.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static_assert(SLV_FIELD_BLOCK_LAYERS == SLV_FIELD_SLAB,
              "a block of the source is a slab of the pack");

static const double LOST_CELLS = 0.1; // cells: larger shifts of the origin are reported

typedef struct stream {
    slv_field_output *output;
    slv_console *console;
    unsigned slots;
    size_t layer_values;
    char **text;        // [slots], NULL where no text is wanted
    size_t *text_bytes; // [slots]
    uint8_t **coded;    // [slots], NULL where no section is wanted
} stream;

// --- Blocks -------------------------------------------------------------------------------------

static slv_result format_block(void *context, uint32_t first_layer, uint32_t layers,
                               const float *values, unsigned slot, slv_error *error) {
    (void)first_layer;
    (void)error;
    const stream *s = context;
    if (s->text != NULL) {
        s->text_bytes[slot] =
            slv_sdf_format_values(values, layers * s->layer_values, s->text[slot]);
    }
    if (s->coded != NULL) {
        const uint32_t *cells = s->output->lattice.cells;
        slv_field_encode_slab(values, cells[0], cells[1], layers, s->coded[slot]);
    }
    return SLV_OK;
}

static slv_result emit_block(void *context, uint32_t first_layer, uint32_t layers,
                             const float *values, unsigned slot, slv_error *error) {
    (void)values;
    const stream *s = context;
    slv_result result = SLV_OK;
    if (s->text != NULL) {
        result = slv_atomic_write(s->output->text, s->text[slot], s->text_bytes[slot], error);
    }
    if (result == SLV_OK && s->coded != NULL) {
        result = slv_writer_append(s->output->pack, s->coded[slot],
                                   layers * s->layer_values * sizeof(float), error);
        s->output->pack_failed = result != SLV_OK;
    }
    slv_console_progress(s->console, "distances", first_layer + layers,
                         s->output->lattice.cells[2]);
    return result;
}

// --- Heads --------------------------------------------------------------------------------------

// The text has six digits: far from the origin the position of the samples loses precision.
static void warn_of_lost_digits(const double origin[3], double spacing, slv_console *console) {
    for (int axis = 0; axis < 3; axis++) {
        char digits[32];
        (void)snprintf(digits, sizeof digits, "%g", origin[axis]);
        const double cells = fabs(strtod(digits, NULL) - origin[axis]) / spacing;
        if (cells > LOST_CELLS) {
            slv_console_warning(console, NULL,
                                "the .sdf file's origin has six digits: %c becomes %s, %.2g cells "
                                "from its place",
                                'x' + axis, digits, cells);
        }
    }
}

static slv_result write_text_head(const slv_field_output *output, slv_console *console,
                                  slv_error *error) {
    char head[256];
    double origin[3];
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = output->frame[axis] + output->lattice.origin[axis];
    }
    warn_of_lost_digits(origin, output->lattice.spacing, console);
    const size_t size =
        slv_sdf_format_header(output->lattice.cells, origin, output->lattice.spacing, head);
    return slv_atomic_write(output->text, head, size, error);
}

static slv_result begin_section(slv_field_output *output, slv_error *error) {
    slv_field_info info = {.slab = SLV_FIELD_SLAB, .spacing = output->lattice.spacing};
    memcpy(info.cells, output->lattice.cells, sizeof info.cells);
    memcpy(info.origin, output->lattice.origin, sizeof info.origin);
    slv_result result = slv_writer_begin(output->pack, SLV_SECTION_FIELD, SLV_CODEC_ZSTD, 0, error);
    if (result == SLV_OK) {
        result = slv_writer_append(output->pack, &info, sizeof info, error);
    }
    output->pack_failed = result != SLV_OK;
    return result;
}

static slv_result end_section(slv_field_output *output, slv_error *error) {
    const slv_result result = slv_writer_end(output->pack, error);
    output->pack_failed = result != SLV_OK;
    return result;
}

// --- Memory -------------------------------------------------------------------------------------

static void free_buffers(stream *s) {
    for (unsigned slot = 0; slot < s->slots; slot++) {
        free(s->text != NULL ? s->text[slot] : NULL);
        free(s->coded != NULL ? s->coded[slot] : NULL);
    }
    free(s->text);
    free(s->text_bytes);
    free(s->coded);
}

static bool allocate_buffers(stream *s) {
    const size_t values = SLV_FIELD_SLAB * s->layer_values;
    const size_t coded_bytes = 4 * values;
    bool complete = true;
    if (s->output->text != NULL) {
        s->text = calloc(s->slots, sizeof *s->text);
        s->text_bytes = calloc(s->slots, sizeof *s->text_bytes);
        complete = s->text != NULL && s->text_bytes != NULL;
        for (unsigned slot = 0; complete && slot < s->slots; slot++) {
            s->text[slot] = malloc(slv_sdf_get_text_bound(values));
            complete = s->text[slot] != NULL;
        }
    }
    if (complete && s->output->pack != NULL) {
        s->coded = calloc(s->slots, sizeof *s->coded);
        complete = s->coded != NULL;
        for (unsigned slot = 0; complete && slot < s->slots; slot++) {
            s->coded[slot] = malloc(coded_bytes);
            complete = s->coded[slot] != NULL;
        }
    }
    return complete;
}

slv_result slv_field_output_run(slv_field_output *output, slv_console *console, slv_error *error) {
    const uint32_t *cells = output->lattice.cells;
    stream s = {.output = output,
                .console = console,
                .slots = slv_field_block_window(output->threads),
                .layer_values = (size_t)cells[0] * cells[1]};
    slv_result result = SLV_OK;
    if (!allocate_buffers(&s)) {
        result =
            slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u blocks of distances", s.slots);
    }
    if (result == SLV_OK && output->text != NULL) {
        result = write_text_head(output, console, error);
    }
    if (result == SLV_OK && output->pack != NULL) {
        result = begin_section(output, error);
    }
    if (result == SLV_OK) {
        const slv_field_sink sink = {.format = format_block, .emit = emit_block, .context = &s};
        result = slv_field_source_distances(output->source, output->threads, &sink, error);
    }
    if (result == SLV_OK && output->pack != NULL) {
        result = end_section(output, error);
    }
    slv_console_progress_end(console);
    free_buffers(&s);
    return result;
}
