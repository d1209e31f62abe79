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

static void add_bytes(slv_text *text, const char *bytes, size_t count) {
    reserve(text, count);
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = '\0';
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

void slv_text_add_words(slv_text *text, const slv_parameter_table *table, const char *words,
                        slv_words how) {
    for (const char *open = strchr(words, '{'); open; open = strchr(words, '{')) {
        const char *close = strchr(open, '}');
        char field[64];
        (void)snprintf(field, sizeof field, "%.*s", (int)(close - open - 1), open + 1);
        const char *key = slv_find_field(table, field)->key;
        add_bytes(text, words, (size_t)(open - words));
        slv_text_add(text, how == SLV_WORDS_CODE ? "`%s`" : "%s", // NOLINT: both take one string
                     how == SLV_WORDS_FIELDS ? field : key);
        words = close + 1;
    }
    slv_text_add(text, "%s", words);
}

const char *slv_number_text(double number, char text[32]) {
    const double size = number < 0 ? -number : number;
    (void)snprintf(text, 32, "%.10g", number);
    if (size > 0 && (size >= 1e5 || size < 1e-3)) {
        char exact[32];
        (void)snprintf(exact, sizeof exact, "%.0e", number); // 1e+06
        if (strtod(exact, NULL) == number) {
            const char *exponent = strchr(exact, 'e');
            (void)snprintf(text, 32, "%.*se%d", (int)(exponent - exact), exact,
                           (int)strtol(exponent + 1, NULL, 10));
        }
    }
    return text;
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

static bool generate_header(const char *root, bool check) {
    static const struct {
        const char *name, *file;
        const slv_parameter_table *table;
    } structs[] = {
        {"slv_parameters", "parameters.def", &slv_parameters_table},
        {"slv_world_def", "world.def", &slv_world_table},
        {"slv_paint_def", "paint.def", &slv_paint_table},
        {"slv_garment_def", "garment.def", &slv_garment_table},
        {"slv_clip_def", "clip.def", &slv_clip_table},
        {"slv_collider_def", "collider.def", &slv_collider_table},
    };
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/runtime/include/selvage/selvage.h", root);
    char *old = read_file(path);
    const char *at = old;
    slv_text text = {0};
    for (size_t i = 0; i < sizeof structs / sizeof *structs; i++) {
        char marker[128];
        (void)snprintf(marker, sizeof marker, "generated from runtime/base/parameters/%s",
                       structs[i].file);
        at = copy_past(&text, at, marker);
        slv_generate_struct(&text, structs[i].name, structs[i].table);
        at = skip_region(at);
    }
    slv_text_add(&text, "%s", at ? at : "");
    const bool good = at && finish_file(path, old, &text, check);
    free(text.bytes);
    free(old);
    return good;
}

static bool generate_tables(const char *root, bool check) {
    static const struct {
        const char *marker;
        const slv_key_list *keys;
    } tables[] = {
        {"generated: keys of a scene", &slv_scene_keys},
        {"generated: keys of an object", &slv_object_keys},
        {"generated: keys of paint", &slv_paint_keys},
        {"generated: keys of a collider", &slv_collider_keys},
    };
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/docs/SCENES.md", root);
    char *old = read_file(path);
    const char *at = old;
    slv_text text = {0};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        at = copy_past(&text, at, tables[i].marker);
        slv_generate_keys(&text, tables[i].keys);
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
    const bool header = generate_header(root, check);
    const bool tables = generate_tables(root, check);
    const bool schema = generate_schema(root, check);
    return header && tables && schema ? SLV_OK : SLV_ERROR_CONTENT;
}
