// SPDX-License-Identifier: MIT
#include "tools/common/character_stream.h"

#include "formats/texture.h"
#include "tools/common/wire.h"

#include <stdlib.h>
#include <string.h>

// One table of all arrays of a character, used for both sending and receiving.
typedef struct field {
    size_t array, count; // offsets in slv_character
    size_t size;         // of an element
    uint32_t more;       // elements beyond the count
    bool optional;       // may be absent although its count is above 0
} field;

#define FIELD(name, counted, factor, extra, may_miss)                                              \
    {                                                                                              \
        offsetof(slv_character, name), offsetof(slv_character, counted),                           \
            (factor) * sizeof *((slv_character *)NULL)->name, (extra), (may_miss)                  \
    }

static const field fields[] = {
    FIELD(nodes, node_count, 1, 0, false),
    FIELD(pivots, pivot_count, 1, 0, false),
    FIELD(parts, part_count, 1, 0, false),
    FIELD(positions, vertex_count, 3, 0, false),
    FIELD(uvs, vertex_count, 2, 0, false),
    FIELD(normals, vertex_count, 3, 0, true),
    FIELD(paint, vertex_count, 4, 0, true),
    FIELD(points, vertex_count, 1, 0, true),
    FIELD(first_influence, vertex_count, 1, 1, false),
    FIELD(triangles, triangle_count, 3, 0, false),
    FIELD(joints, joint_count, 1, 0, false),
    FIELD(influences, influence_count, 1, 0, false),
    FIELD(target_weights, target_count, 1, 0, false),
    FIELD(deltas, delta_count, 3, 0, false),
    FIELD(clips, clip_count, 1, 0, false),
    FIELD(channels, channel_count, 1, 0, false),
    FIELD(times, time_count, 1, 0, false),
    FIELD(values, value_count, 1, 0, false),
    FIELD(names, name_bytes, 1, 0, false),
};

void slv_character_message_free(slv_character_message *message) {
    slv_file_list_free(&message->files);
    slv_character_free(&message->character);
    *message = (slv_character_message){.error = {.code = SLV_OK}};
}

// --- Writing ------------------------------------------------------------------------------------

static void send_character(const slv_character *character, FILE *out) {
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const void *array;
        uint32_t count;
        memcpy(&array, (const char *)character + fields[i].array, sizeof array);
        memcpy(&count, (const char *)character + fields[i].count, sizeof count);
        slv_wire_write_array(out, array, array ? count + fields[i].more : 0, fields[i].size);
    }
    slv_wire_write_number(out, character->curves_unknown);
    slv_wire_write_number(out, character->polygon_count);
    slv_wire_write_number(out, character->point_count);
    (void)fwrite(&character->space, sizeof character->space, 1, out);
    (void)fwrite(&character->input_hash, sizeof character->input_hash, 1, out);
    slv_wire_write_array(out, character->texture.bytes, character->texture.size, 1);
    slv_wire_write_text(out, character->texture.note);
}

void slv_character_message_write(const slv_character_message *message, FILE *out) {
    slv_wire_write_number(out, (uint32_t)message->error.code);
    if (message->error.code != SLV_OK) {
        slv_wire_write_text(out, message->error.text);
        return;
    }
    slv_wire_write_files(out, &message->files);
    send_character(&message->character, out);
}

// --- Reading ------------------------------------------------------------------------------------

// Arrays with a common count must have equal counts; an optional array may be absent.
static bool read_field(const field *f, slv_character *character, FILE *in) {
    void *array = NULL;
    uint32_t count = 0;
    uint32_t known = 0;
    const bool ok = slv_wire_read_array(in, &array, &count, f->size);
    memcpy((char *)character + f->array, &array, sizeof array);
    memcpy(&known, (char *)character + f->count, sizeof known);
    if (f->count == offsetof(slv_character, vertex_count) &&
        f->array != offsetof(slv_character, positions)) {
        return ok && ((f->optional && count == 0) || count == (known > 0 ? known + f->more : 0));
    }
    memcpy((char *)character + f->count, &count, sizeof count);
    return ok;
}

static bool read_texture(slv_mesh_texture *texture, FILE *in) {
    void *bytes = NULL;
    char *note = NULL;
    const bool ok = slv_wire_read_array(in, &bytes, &texture->size, 1);
    texture->bytes = bytes;
    if (!ok || !slv_wire_read_text(in, &note)) {
        return false;
    }
    (void)snprintf(texture->note, sizeof texture->note, "%s", note);
    free(note);
    slv_texture_info info;
    slv_error ignored;
    return texture->size == 0 ||
           slv_texture_check(texture->bytes, texture->size, &info, &ignored) == SLV_OK;
}

static bool receive_character(slv_character *character, FILE *in) {
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof fields / sizeof *fields; i++) {
        ok = read_field(&fields[i], character, in);
    }
    return ok && slv_wire_read_number(in, &character->curves_unknown) &&
           slv_wire_read_number(in, &character->polygon_count) &&
           slv_wire_read_number(in, &character->point_count) &&
           fread(&character->space, sizeof character->space, 1, in) == 1 &&
           fread(&character->input_hash, sizeof character->input_hash, 1, in) == 1 &&
           read_texture(&character->texture, in) && fgetc(in) == EOF;
}

bool slv_character_message_read(FILE *in, slv_character_message *message) {
    *message = (slv_character_message){.error = {.code = SLV_OK}};
    uint32_t code = 0;
    bool ok = slv_wire_read_number(in, &code);
    if (ok && code != SLV_OK) {
        ok = slv_wire_read_error(in, &message->error, code) && fgetc(in) == EOF;
    } else if (ok) {
        ok = slv_wire_read_files(in, &message->files) && receive_character(&message->character, in);
    }
    if (!ok) {
        slv_character_message_free(message);
    }
    return ok;
}
