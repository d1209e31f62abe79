// SPDX-License-Identifier: MIT
// generate ROOT writes the generated files and regions in the source tree ROOT; generate --check ROOT fails
// where one of them is not what would be written.
#include "runtime/scene/generate/generate.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- Texts ------------------------------------------------------------------------------------------

static void reserve(slv_text *text, size_t more) {
    if (text->used + more + 1 > text->room) {
        text->room = 2 * (text->used + more) + 1024;
        text->bytes = realloc(text->bytes, text->room);
        if (text->bytes == NULL) {
            (void)fprintf(stderr, "generate: out of memory\n");
            exit(SLV_ERROR_MEMORY);
        }
    }
}

void slv_text_add(slv_text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    reserve(text, (size_t)length);
    va_start(arguments, format);
    (void)vsnprintf(text->bytes + text->used, (size_t)length + 1, format, arguments);
    va_end(arguments);
    text->used += (size_t)length;
}

static void add_bytes(slv_text *text, const char *bytes, size_t count) {
    slv_text_add(text, "%.*s", (int)count, bytes);
}

void slv_text_add_words(slv_text *text, const slv_parameter_table *table, const char *words,
                        slv_words how) {
    for (const char *open = strchr(words, '{'); open; open = strchr(words, '{')) {
        const char *close = strchr(open, '}');
        char field[64];
        (void)snprintf(field, sizeof field, "%.*s", (int)(close - open - 1), open + 1);
        const bool unset = strcmp(field, "SLV_UNSET") == 0;
        const char *key = unset ? "-1" : slv_find_field(table, field)->key;
        add_bytes(text, words, (size_t)(open - words));
        slv_text_add(text, how == SLV_WORDS_CODE ? "`%s`" : "%s", // NOLINT: both take one string
                     how == SLV_WORDS_FIELDS ? field : key);
        words = close + 1;
    }
    slv_text_add(text, "%s", words);
}

// --- Files ------------------------------------------------------------------------------------------

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    slv_text text = {0};
    char part[4096];
    for (size_t got = 1; file && got > 0;) {
        got = fread(part, 1, sizeof part, file);
        add_bytes(&text, part, got);
    }
    if (file) {
        (void)fclose(file);
    }
    return text.bytes;
}

// False where the file is not, and was not made, the new text.
static bool finish_file(const char *path, const char *old, const slv_text *now, bool check) {
    if (old && strcmp(old, now->bytes) == 0) {
        return true;
    }
    if (check) {
        (void)fprintf(stderr,
                      "%s is not what the parameter tables give; run cmake --build BUILD --target "
                      "selvage_parameters\n",
                      path);
        return false;
    }
    FILE *file = fopen(path, "wb");
    const bool written = file && fwrite(now->bytes, 1, now->used, file) == now->used;
    return (file && fclose(file) == 0) && written;
}

// Copies `at` up to the line after the one that contains marker. Returns what follows, or NULL.
static const char *copy_past(slv_text *text, const char *at, const char *marker) {
    const char *found = at ? strstr(at, marker) : NULL;
    const char *end = found ? strchr(found, '\n') : NULL;
    if (end == NULL) {
        (void)fprintf(stderr, "there is no line with \"%s\"\n", marker);
        return NULL;
    }
    add_bytes(text, at, (size_t)(end + 1 - at));
    return end + 1;
}

// The rest from the line that ends the region.
static const char *skip_region(const char *at) {
    const char *end = at ? strstr(at, "end of generated") : NULL;
    while (end && end > at && end[-1] != '\n') {
        end--;
    }
    return end;
}

// A region of a file, after the line that contains marker: a struct, a table of keys, or what a function generates.
typedef struct region {
    const char *marker;
    const char *name; // of the struct
    const slv_parameter_table *table;
    const slv_key_list *keys;
    void (*generate)(slv_text *text);
} region;

static const region world_regions[] = {
    {"runtime/base/solvers.def", NULL, NULL, NULL, slv_generate_solvers},
    {"runtime/base/parameters/parameters.def", "slv_parameters", &slv_parameters_table, NULL, NULL},
    {"runtime/base/parameters/world.def", "slv_world_def", &slv_world_table, NULL, NULL},
};
static const region garment_regions[] = {
    {"runtime/base/parameters/paint.def", "slv_paint_def", &slv_paint_table, NULL, NULL},
    {"runtime/base/parameters/garment.def", "slv_garment_def", &slv_garment_table, NULL, NULL},
    {"runtime/base/parameters/garment.def, material", "slv_garment_material", &slv_garment_table,
     NULL, NULL},
};
static const region clip_regions[] = {
    {"runtime/base/parameters/clip.def", "slv_clip_def", &slv_clip_table, NULL, NULL}};
static const region collider_regions[] = {
    {"runtime/base/parameters/collider.def", "slv_collider_def", &slv_collider_table, NULL, NULL}};
static const region lock_regions[] = {
    {"runtime/base/parameters/lock.def", "slv_lock_def", &slv_lock_table, NULL, NULL}};
static const region document_regions[] = {
    {"generated: keys of a scene", NULL, NULL, &slv_scene_keys, NULL},
    {"generated: keys of an object", NULL, NULL, &slv_object_keys, NULL},
    {"generated: keys of paint", NULL, NULL, &slv_paint_keys, NULL},
    {"generated: keys of a collider", NULL, NULL, &slv_collider_keys, NULL},
    {"generated: keys of a lock", NULL, NULL, &slv_lock_keys, NULL},
};
static const region manual_regions[] = {
    {"generated: overrides of the scene", NULL, NULL, NULL, slv_generate_options}};

// The files with generated regions, in the order of their regions.
#define REGIONS(list) (list), sizeof(list) / sizeof *(list)
static const struct {
    const char *path;
    const region *regions;
    size_t count;
} files[] = {
    {"runtime/include/selvage/world.h", REGIONS(world_regions)},
    {"runtime/include/selvage/garment.h", REGIONS(garment_regions)},
    {"runtime/include/selvage/clip.h", REGIONS(clip_regions)},
    {"runtime/include/selvage/collider.h", REGIONS(collider_regions)},
    {"runtime/include/selvage/lock.h", REGIONS(lock_regions)},
    {"docs/SCENES.md", REGIONS(document_regions)},
    {"docs/man/selvage-play.1", REGIONS(manual_regions)},
};

static bool generate_regions(const char *root, const char *file, const region *regions,
                             size_t count, bool check) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/%s", root, file);
    char *old = read_file(path);
    const char *at = old;
    slv_text text = {0};
    for (size_t i = 0; i < count; i++) {
        at = copy_past(&text, at, regions[i].marker);
        if (regions[i].table) {
            slv_generate_struct(&text, regions[i].name, regions[i].table);
        } else if (regions[i].keys) {
            slv_generate_keys(&text, regions[i].keys);
        } else {
            regions[i].generate(&text);
        }
        at = skip_region(at);
    }
    slv_text_add(&text, "%s", at ? at : "");
    const bool good = at && finish_file(path, old, &text, check);
    free(text.bytes);
    free(old);
    return good;
}

static bool generate_schema(const char *root, bool check) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/data/scene.schema.json", root);
    char *old = read_file(path);
    slv_text text = {0};
    slv_generate_schema(&text);
    const bool good = finish_file(path, old, &text, check);
    free(text.bytes);
    free(old);
    return good;
}

int main(int count, char **arguments) {
    const bool check = count == 3 && strcmp(arguments[1], "--check") == 0;
    if (count != 2 && !check) {
        (void)fprintf(stderr, "usage: generate [--check] ROOT\n");
        return SLV_ERROR_ARGUMENT;
    }
    const char *root = arguments[count - 1];
    bool good = true;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        good =
            generate_regions(root, files[i].path, files[i].regions, files[i].count, check) && good;
    }
    good = generate_schema(root, check) && good;
    return good ? SLV_OK : SLV_ERROR_CONTENT;
}
