// SPDX-License-Identifier: MIT
#include "tools/common/mesh_texture.h"

#include "formats/texture.h"
#include "tools/common/jpeg_png.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void slv_mesh_texture_note(slv_mesh_texture *texture, const char *format, ...) {
    if (texture->note[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(texture->note, sizeof texture->note, format, arguments);
        va_end(arguments);
    }
}

// `reason` follows the name.
static void note_about(slv_mesh_texture *texture, const char *name, const char *reason) {
    if (texture->note[0] == '\0') {
        (void)snprintf(texture->note, sizeof texture->note, "%.90s %.150s", name, reason);
    }
}

static bool has_one(slv_mesh_texture *texture, const char *name) {
    if (texture->bytes) {
        note_about(texture, name, "is left out: a garment has one texture");
    }
    return texture->bytes != NULL;
}

static bool take_jpeg(slv_mesh_texture *texture, const char *name, bool converted,
                      const slv_jpeg_png *png) {
    if (converted && !png->bytes) {
        note_about(texture, name, png->reason);
    }
    texture->bytes = png->bytes;
    texture->size = png->size;
    return converted;
}

static bool take_png(slv_mesh_texture *texture, const char *name, const void *bytes, size_t size) {
    slv_texture_info info;
    slv_error why = {.code = SLV_OK};
    if (slv_texture_check(bytes, size, &info, &why) != SLV_OK) {
        char reason[160];
        (void)snprintf(reason, sizeof reason, "is left out: %.120s", why.text);
        note_about(texture, name, reason);
        return true;
    }
    texture->bytes = malloc(size);
    if (texture->bytes) {
        memcpy(texture->bytes, bytes, size);
        texture->size = (uint32_t)size;
    }
    return texture->bytes != NULL;
}

bool slv_mesh_texture_take(slv_mesh_texture *texture, const char *name, const void *bytes,
                           size_t size) {
    slv_jpeg_png png;
    return has_one(texture, name) ||
           (slv_is_jpeg(bytes, size)
                ? take_jpeg(texture, name, slv_jpeg_to_png(bytes, size, &png), &png)
                : take_png(texture, name, bytes, size));
}

bool slv_mesh_texture_take_confined(slv_mesh_texture *texture, const char *name, const void *bytes,
                                    size_t size) {
    slv_jpeg_png png;
    return has_one(texture, name) ||
           (slv_is_jpeg(bytes, size)
                ? take_jpeg(texture, name, slv_jpeg_to_png_confined(bytes, size, &png), &png)
                : take_png(texture, name, bytes, size));
}

char *slv_mesh_texture_path(const char *file, const char *name, bool beside) {
    char *path = malloc(strlen(file) + strlen(name) + 2);
    if (path == NULL) {
        return NULL;
    }
    const char *slash = strrchr(file, '/');
    const size_t folder = slash ? (size_t)(slash - file) + 1 : 0;
    memcpy(path, file, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    for (char *c = path + folder; *c; c++) {
        *c = (char)(*c == '\\' ? '/' : *c);
    }
    if (beside) {
        const char *last = strrchr(path + folder, '/');
        if (last) {
            memmove(path + folder, last + 1, strlen(last + 1) + 1);
        }
    } else if (path[folder] == '/') { // absolute path
        memmove(path, path + folder, strlen(path + folder) + 1);
    }
    return path;
}
