// SPDX-License-Identifier: MIT
#include "tools/common/jpeg_png.h"

#include "formats/texture.h"
#include "tools/common/child_process.h"
#include "tools/common/png_file.h"
#include "tools/common/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool slv_is_jpeg(const void *bytes, size_t size) {
    return size > 3 && memcmp(bytes, "\xFF\xD8\xFF", 3) == 0;
}

#ifdef SLV_JPEG

#include <jpeglib.h>
#include <setjmp.h>

typedef struct decoder {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    char reason[JMSG_LENGTH_MAX]; // of the first error or warning
    uint8_t *pixels;              // [height][width][3]
    bool no_memory;
} decoder;

static void note_reason(j_common_ptr jpeg) {
    decoder *d = jpeg->client_data;
    if (d->reason[0] == '\0') {
        jpeg->err->format_message(jpeg, d->reason);
    }
}

_Noreturn static void leave(j_common_ptr jpeg) {
    decoder *d = jpeg->client_data;
    note_reason(jpeg);
    longjmp(d->failed, 1);
}

// Level -1 is a warning: the bytes are damaged, and what libjpeg makes of them is a guess.
static void receive_message(j_common_ptr jpeg, int level) {
    if (level < 0) {
        note_reason(jpeg);
    }
}

static void read_pixels(decoder *d, const void *bytes, size_t size) {
    jpeg_mem_src(&d->jpeg, bytes, (unsigned long)size);
    (void)jpeg_read_header(&d->jpeg, TRUE);
    if (d->jpeg.image_width > SLV_TEXTURE_SIDE || d->jpeg.image_height > SLV_TEXTURE_SIDE) {
        (void)snprintf(d->reason, sizeof d->reason, "%u x %u pixels, should be 1 to %u per side",
                       d->jpeg.image_width, d->jpeg.image_height, SLV_TEXTURE_SIDE);
        return;
    }
    d->jpeg.out_color_space = JCS_RGB;
    (void)jpeg_start_decompress(&d->jpeg);
    const size_t row = 3 * (size_t)d->jpeg.output_width;
    d->pixels = malloc(row * d->jpeg.output_height);
    d->no_memory = !d->pixels;
    while (d->pixels && d->jpeg.output_scanline < d->jpeg.output_height) {
        JSAMPROW line = d->pixels + row * d->jpeg.output_scanline;
        (void)jpeg_read_scanlines(&d->jpeg, &line, 1);
    }
    if (d->pixels) {
        (void)jpeg_finish_decompress(&d->jpeg);
    }
}

static void decode(decoder *d, const void *bytes, size_t size) {
    d->jpeg.err = jpeg_std_error(&d->errors);
    d->jpeg.client_data = d;
    d->errors.error_exit = leave;
    d->errors.emit_message = receive_message;
    if (setjmp(d->failed) == 0) {
        jpeg_create_decompress(&d->jpeg);
        read_pixels(d, bytes, size);
    }
    jpeg_destroy_decompress(&d->jpeg);
}

static bool take_pixels(const decoder *d, slv_jpeg_png *png) {
    slv_texture_info info;
    slv_error why = {.code = SLV_OK};
    size_t size = 0;
    if (slv_png_encode(d->pixels, d->jpeg.output_width, d->jpeg.output_height, &png->bytes, &size,
                       &why) != SLV_OK) {
        return false;
    }
    png->size = (uint32_t)size;
    if (slv_texture_check(png->bytes, size, &info, &why) != SLV_OK) {
        (void)snprintf(png->reason, sizeof png->reason, "is left out: as a PNG, %.100s", why.text);
        free(png->bytes);
        png->bytes = NULL;
    }
    return true;
}

bool slv_jpeg_to_png(const void *bytes, size_t size, slv_jpeg_png *png) {
    decoder d = {.pixels = NULL};
    bool taken = true;
    *png = (slv_jpeg_png){.bytes = NULL};
    decode(&d, bytes, size);
    if (d.reason[0] != '\0') {
        (void)snprintf(png->reason, sizeof png->reason,
                       "is left out: a JPEG that cannot be decoded: %.100s", d.reason);
    } else {
        taken = !d.no_memory && take_pixels(&d, png);
    }
    free(d.pixels);
    return taken;
}

#else

bool slv_jpeg_to_png(const void *bytes, size_t size, slv_jpeg_png *png) {
    (void)bytes;
    (void)size;
    *png = (slv_jpeg_png){.reason = "is a JPEG and is left out; save it as PNG to take it along"};
    return true;
}

#endif

// --- In a process of its own --------------------------------------------------------------------

enum { SECONDS = 60, GIBIBYTES = 2 }; // 8192 x 8192 pixels took 19 s and 305 MB

typedef struct job {
    const void *bytes;
    size_t size;
} job;

// Memory is not freed: the process ends when this returns.
static void work(FILE *out, void *context) {
    const job *j = context;
    slv_jpeg_png png;
    if (!slv_jpeg_to_png(j->bytes, j->size, &png)) {
        slv_child_out_of_memory();
    }
    slv_wire_write_array(out, png.bytes, png.bytes ? png.size : 0, 1);
    slv_wire_write_text(out, png.reason);
}

static bool receive(FILE *in, slv_jpeg_png *png) {
    void *bytes = NULL;
    char *reason = NULL;
    slv_texture_info info;
    const bool ok =
        slv_wire_read_array(in, &bytes, &png->size, 1) && slv_wire_read_text(in, &reason) &&
        (bytes ? slv_texture_check(bytes, png->size, &info, NULL) == SLV_OK : reason[0] != '\0');
    png->bytes = bytes;
    (void)snprintf(png->reason, sizeof png->reason, "%s", ok ? reason : "");
    free(reason);
    return ok;
}

bool slv_jpeg_to_png_confined(const void *bytes, size_t size, slv_jpeg_png *png) {
    const slv_child_limits limits = {.processor_seconds = SECONDS,
                                     .memory = (uint64_t)GIBIBYTES << 30};
    job j = {bytes, size};
    slv_child child;
    slv_error why = {.code = SLV_OK};
    *png = (slv_jpeg_png){.bytes = NULL};
    slv_result result = slv_child_start(&limits, work, &j, &child, &why);
    if (result == SLV_OK) {
        const bool complete = receive(child.output, png);
        result = slv_child_finish(&child, complete, &why);
    }
    if (result != SLV_OK) {
        free(png->bytes);
        png->bytes = NULL;
        (void)snprintf(png->reason, sizeof png->reason, "is left out: %.140s", why.text);
    }
    return result != SLV_ERROR_MEMORY;
}
