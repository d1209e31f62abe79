// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/obj_texture.h"

#include "formats/named_path.h"
#include "formats/texture.h"
#include "tools/common/mesh_texture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

enum { NAME_ROOM = 512 };
#define LIBRARY_BYTES ((size_t)16 << 20) // limit of a material file

typedef struct line {
    const char *at, *end;
} line;

typedef struct search {
    const char *path; // of the OBJ
    bool allow_paths;
    slv_raw_mesh *raw;
    slv_file_list *files;
    XXH3_state_t *hash;
    bool out_of_memory;
    bool outside; // a file was not opened because it lies outside the allowed folder
} search;

// --- Lines ---------------------------------------------------------------------------------------

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

// The next line without blanks around it; false after the last.
static bool next_line(const char **rest, const char *end, line *l) {
    if (*rest >= end) {
        return false;
    }
    const char *stop = *rest;
    while (stop < end && *stop != '\n' && *stop != '\r') {
        stop++;
    }
    *l = (line){*rest, stop};
    *rest = stop + 1;
    while (l->at < l->end && is_blank(*l->at)) {
        l->at++;
    }
    while (l->end > l->at && is_blank(l->end[-1])) {
        l->end--;
    }
    return true;
}

// Behind a byte order mark.
static const char *text_of(const slv_input_file *file) {
    return file->size >= 3 && memcmp(file->bytes, "\xEF\xBB\xBF", 3) == 0 ? file->bytes + 3
                                                                          : file->bytes;
}

// Removes the word from the start of the line; false where the line does not start with it.
static bool takes_word(line *l, const char *word) {
    const size_t length = strlen(word);
    if ((size_t)(l->end - l->at) <= length || memcmp(l->at, word, length) != 0 ||
        !is_blank(l->at[length])) {
        return false;
    }
    l->at += length;
    while (l->at < l->end && is_blank(*l->at)) {
        l->at++;
    }
    return l->at < l->end;
}

static bool is_same(line a, line b) {
    return a.end - a.at == b.end - b.at && memcmp(a.at, b.at, (size_t)(a.end - a.at)) == 0;
}

static void copy_text(line l, char text[NAME_ROOM]) {
    size_t length = (size_t)(l.end - l.at);
    length = length < NAME_ROOM - 1 ? length : NAME_ROOM - 1;
    memcpy(text, l.at, length);
    text[length] = '\0';
}

// --- Files ---------------------------------------------------------------------------------------

static bool add_file(search *s, char *path) {
    char **paths =
        s->files ? realloc(s->files->paths, (s->files->count + 1) * sizeof *paths) : NULL;
    if (s->files == NULL) {
        free(path);
        return true;
    }
    if (paths == NULL) {
        free(path);
        s->out_of_memory = true;
        return false;
    }
    s->files->paths = paths;
    paths[s->files->count++] = path;
    return true;
}

// Reads a file named by another one and adds it to the list of files read. False where it cannot be
// used.
static bool load(search *s, const char *beside, const char *name, size_t most,
                 slv_input_file *file) {
    slv_error why = {.code = SLV_OK};
    bool outside = false;
    for (int n = 0; n < 2; n++) {
        char *path = slv_mesh_texture_path(beside, name, n == 1);
        const slv_result allowed = path == NULL ? SLV_ERROR_MEMORY
                                   : s->allow_paths
                                       ? SLV_OK
                                       : slv_named_path_check_links(s->path, path, NULL);
        if (allowed == SLV_ERROR_MEMORY) {
            free(path);
            s->out_of_memory = true;
            return false;
        }
        if (allowed != SLV_OK) {
            free(path);
            outside = true;
            continue;
        }
        if (slv_input_file_read(path, file, &why) == SLV_OK && file->size <= most) {
            (void)XXH3_64bits_update(s->hash, file->bytes, file->size);
            return add_file(s, path);
        }
        if (file->bytes) {
            slv_input_file_free(file);
            (void)slv_fail(&why, SLV_ERROR_CONTENT, "more than %zu bytes", most);
        }
        free(path);
    }
    if (outside) {
        s->outside = true;
        slv_mesh_texture_note(&s->raw->texture, SLV_TEXTURE_OUTSIDE, name);
    } else {
        slv_mesh_texture_note(&s->raw->texture, "%.100s is left out: %.100s", name, why.text);
    }
    return false;
}

// --- The description -----------------------------------------------------------------------------

static bool is_number(const char *at, const char *end) {
    for (; at < end; at++) {
        if (!strchr("+-.0123456789eE", *at)) {
            return false;
        }
    }
    return true;
}

static line next_word(line *l) {
    line word = {l->at, l->at};
    while (word.end < l->end && !is_blank(*word.end)) {
        word.end++;
    }
    l->at = word.end;
    while (l->at < l->end && is_blank(*l->at)) {
        l->at++;
    }
    return word;
}

// Skips options with their values, as in "-s 1 1 1 -clamp on cloth.png"; the rest is the name,
// which may contain blanks.
static line skip_options(line l) {
    while (l.at < l.end && *l.at == '-') {
        (void)next_word(&l);
        line after = l;
        line value = next_word(&after);
        bool any = false;
        while (value.at < value.end && is_number(value.at, value.end)) {
            l = after;
            any = true;
            value = next_word(&after);
        }
        if (!any) {
            l = after;
        }
    }
    return l;
}

// The image of a material in the library; empty where there is none.
static line find_picture(const slv_input_file *library, line material) {
    const char *rest = text_of(library);
    const char *end = library->bytes + library->size;
    bool inside = false;
    line l;
    while (next_line(&rest, end, &l)) {
        if (takes_word(&l, "newmtl")) {
            inside = is_same(l, material);
        } else if (inside && takes_word(&l, "map_Kd")) {
            return skip_options(l);
        }
    }
    return (line){NULL, NULL};
}

// --- All together --------------------------------------------------------------------------------

static void take_picture(search *s, const char *library, line picture) {
    char name[NAME_ROOM];
    slv_input_file file = {.bytes = NULL};
    copy_text(picture, name);
    if (load(s, library, name, SLV_TEXTURE_BYTES, &file)) {
        s->out_of_memory =
            !slv_mesh_texture_take_confined(&s->raw->texture, name, file.bytes, file.size);
        slv_input_file_free(&file);
    }
}

// Looks up each used material in the order of first use. The first image is kept, others give a
// note.
static void look_up(search *s, const slv_input_file *obj, const char *library_path,
                    const slv_input_file *library) {
    const char *rest = text_of(obj);
    line used = {NULL, NULL};
    line taken = {NULL, NULL};
    line l;
    while (!s->out_of_memory && next_line(&rest, obj->bytes + obj->size, &l)) {
        if (!takes_word(&l, "usemtl") || (used.at && is_same(l, used))) {
            continue;
        }
        used = l;
        const line picture = find_picture(library, l);
        if (picture.at == picture.end || (taken.at && is_same(picture, taken))) {
            continue;
        }
        if (taken.at) {
            slv_mesh_texture_note(
                &s->raw->texture, "%.*s is left out: a garment has one texture",
                (int)(picture.end - picture.at < 120 ? picture.end - picture.at : 120), picture.at);
            return;
        }
        taken = picture;
        take_picture(s, library_path, picture);
    }
}

static void search_library(search *s, const slv_input_file *obj) {
    const char *rest = text_of(obj);
    char name[NAME_ROOM];
    line l;
    while (next_line(&rest, obj->bytes + obj->size, &l)) {
        slv_input_file library = {.bytes = NULL};
        if (!takes_word(&l, "mtllib")) {
            continue;
        }
        copy_text(l, name);
        char *path = slv_mesh_texture_path(s->path, name, false);
        s->out_of_memory = path == NULL;
        if (path && load(s, s->path, name, LIBRARY_BYTES, &library)) {
            look_up(s, obj, path, &library);
            slv_input_file_free(&library);
        } else if (!s->outside) { // missing material files are common: no note
            s->raw->texture.note[0] = '\0';
        }
        free(path);
        return;
    }
}

slv_result slv_obj_find_texture(const char *path, bool allow_paths, const slv_input_file *obj,
                                slv_raw_mesh *raw, slv_file_list *files, uint64_t *hash,
                                slv_error *error) {
    search s = {.path = path,
                .allow_paths = allow_paths,
                .raw = raw,
                .files = files,
                .hash = XXH3_createState()};
    if (s.hash == NULL) {
        return slv_no_memory(error);
    }
    (void)XXH3_64bits_reset(s.hash);
    (void)XXH3_64bits_update(s.hash, obj->bytes, obj->size);
    search_library(&s, obj);
    *hash = XXH3_64bits_digest(s.hash);
    (void)XXH3_freeState(s.hash);
    return s.out_of_memory ? slv_no_memory(error) : SLV_OK;
}
