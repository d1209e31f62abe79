// SPDX-License-Identifier: MIT
#include "tools/common/wire.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TEXT 65536u  // bytes of a path or a name
#define MAX_FILES 65536u // that one import may read
#define CHUNK                                                                                      \
    ((size_t)16 << 20) // allocation step: memory grows as data arrives, not by the announced count

void slv_wire_write_number(FILE *out, uint32_t number) {
    (void)fwrite(&number, sizeof number, 1, out);
}

void slv_wire_write_text(FILE *out, const char *text) {
    size_t length = strlen(text);
    length = length < MAX_TEXT ? length : MAX_TEXT;
    slv_wire_write_number(out, (uint32_t)length);
    (void)fwrite(text, 1, length, out);
}

void slv_wire_write_array(FILE *out, const void *array, uint32_t count, size_t size) {
    slv_wire_write_number(out, count);
    if (count > 0) {
        (void)fwrite(array, size, count, out);
    }
}

bool slv_wire_read_number(FILE *in, uint32_t *number) {
    return fread(number, sizeof *number, 1, in) == 1;
}

bool slv_wire_read_text(FILE *in, char **text) {
    uint32_t length;
    if (!slv_wire_read_number(in, &length) || length > MAX_TEXT) {
        return false;
    }
    *text = malloc((size_t)length + 1);
    if (*text == NULL || fread(*text, 1, length, in) != length) {
        free(*text);
        *text = NULL;
        return false;
    }
    (*text)[length] = '\0';
    return true;
}

bool slv_wire_read_array(FILE *in, void **array, uint32_t *count, size_t size) {
    uint32_t announced;
    if (!slv_wire_read_number(in, &announced) || announced == UINT32_MAX ||
        announced > SIZE_MAX / size) {
        return false;
    }
    if (announced == 0) {
        return true;
    }
    size_t total = size * announced;
    size_t got = 0;
    do {
        size_t room = total - got > CHUNK + got ? 2 * got + CHUNK : total;
        void *grown = realloc(*array, room);
        if (grown == NULL) {
            return false;
        }
        *array = grown;
        if (fread((char *)grown + got, 1, room - got, in) != room - got) {
            return false;
        }
        got = room;
    } while (got < total);
    *count = announced;
    return true;
}

void slv_wire_write_files(FILE *out, const slv_file_list *files) {
    slv_wire_write_number(out, (uint32_t)files->count);
    for (size_t f = 0; f < files->count; f++) {
        slv_wire_write_text(out, files->paths[f]);
    }
}

bool slv_wire_read_files(FILE *in, slv_file_list *files) {
    uint32_t count;
    if (!slv_wire_read_number(in, &count) || count > MAX_FILES) {
        return false;
    }
    files->paths = calloc((size_t)count + 1, sizeof *files->paths);
    for (uint32_t f = 0; files->paths && f < count; f++) {
        if (!slv_wire_read_text(in, &files->paths[f])) {
            return false;
        }
        files->count++;
    }
    return files->paths != NULL;
}

bool slv_wire_read_error(FILE *in, slv_error *error, uint32_t code) {
    char *text;
    if (code > SLV_ERROR_UNSUPPORTED || !slv_wire_read_text(in, &text)) {
        return false;
    }
    (void)slv_fail(error, (slv_result)code, "%s", text);
    free(text);
    return true;
}
