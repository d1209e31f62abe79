// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/voxelize/tetrahedral_file.h"

#include "tools/common/input_file.h"
#include "tools/common/number.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

enum {
    LARGEST = 100000000
}; // limit of points and of tetrahedra; larger counts are rejected as damaged

// --- Tokens --------------------------------------------------------------------------------------

typedef struct reader {
    const char *at;
    uint64_t line;
    slv_error *error;
} reader;

// Skips white space and comments.
static void skip(reader *r) {
    while (*r->at != '\0') {
        if (*r->at == '#') {
            r->at += strcspn(r->at, "\n");
        } else if (isspace((unsigned char)*r->at)) {
            r->line += *r->at == '\n';
            r->at++;
        } else {
            return;
        }
    }
}

static slv_result expected(const reader *r, const char *what) {
    const size_t length = strcspn(r->at, " \t\r\n");
    return slv_fail(r->error, SLV_ERROR_CONTENT, "line %llu: \"%.*s\" should be %s",
                    (unsigned long long)r->line, (int)(length < 40 ? length : 40), r->at, what);
}

static slv_result read_number(reader *r, double *value) {
    skip(r);
    const char *end = slv_parse_number(r->at, value);
    if (end == NULL || (*end != '\0' && !isspace((unsigned char)*end)) || !isfinite(*value)) {
        return expected(r, "a number");
    }
    r->at = end;
    return SLV_OK;
}

static slv_result read_count(reader *r, uint32_t least, uint32_t most, uint32_t *value) {
    double number = 0;
    const reader before = *r;
    const slv_result result = read_number(r, &number);
    if (result == SLV_OK && !(number >= least && number <= most && number == floor(number))) {
        return expected(&before, "a whole number within range");
    }
    *value = result == SLV_OK ? (uint32_t)number : 0;
    return result;
}

static void skip_line(reader *r) {
    r->at += strcspn(r->at, "\n");
}

// --- Parts of both formats -----------------------------------------------------------------------

// Rejects a count that the rest of the file cannot hold, before memory is allocated: a number needs
// at least two bytes.
static slv_result check_size(const reader *r, uint32_t count, uint32_t words) {
    if ((uint64_t)count * words * 2 > strlen(r->at) + 2) {
        return slv_fail(r->error, SLV_ERROR_CONTENT, "line %llu: %u are announced, too few follow",
                        (unsigned long long)r->line, count);
    }
    return SLV_OK;
}

static slv_result take_points(reader *r, slv_tetrahedral_mesh *mesh, uint32_t count) {
    slv_result result = check_size(r, count, 3);
    if (result == SLV_OK && mesh->points) { // a second section would free points in use
        result = slv_fail(r->error, SLV_ERROR_CONTENT, "line %llu: vertices a second time",
                          (unsigned long long)r->line);
    }
    if (result != SLV_OK) {
        return result;
    }
    mesh->points = calloc((size_t)count + 1, sizeof *mesh->points);
    mesh->point_count = count;
    return mesh->points ? SLV_OK : slv_fail(r->error, SLV_ERROR_MEMORY, "out of memory");
}

static slv_result take_tetrahedra(reader *r, slv_tetrahedral_mesh *mesh, uint32_t count) {
    slv_result result = check_size(r, count, 4);
    if (result == SLV_OK && mesh->corners) {
        result = slv_fail(r->error, SLV_ERROR_CONTENT, "line %llu: tetrahedra a second time",
                          (unsigned long long)r->line);
    }
    if (result != SLV_OK) {
        return result;
    }
    mesh->corners = calloc((size_t)count + 1, sizeof *mesh->corners);
    mesh->tetrahedron_count = count;
    return mesh->corners ? SLV_OK : slv_fail(r->error, SLV_ERROR_MEMORY, "out of memory");
}

static slv_result read_corners(reader *r, slv_tetrahedral_mesh *mesh, uint32_t tetrahedron,
                               uint32_t base) {
    slv_result result = SLV_OK;
    for (int c = 0; result == SLV_OK && c < 4; c++) {
        uint32_t number = 0;
        result = read_count(r, base, base + mesh->point_count - 1, &number);
        mesh->corners[tetrahedron][c] = number - base;
    }
    return result;
}

// --- Medit ---------------------------------------------------------------------------------------

static bool is_word(const reader *r, const char *word) {
    const size_t length = strlen(word);
    return strncasecmp(r->at, word, length) == 0 && !isalnum((unsigned char)r->at[length]);
}

static slv_result read_vertices(reader *r, slv_tetrahedral_mesh *mesh) {
    uint32_t count = 0;
    slv_result result = read_count(r, 1, LARGEST, &count);
    if (result == SLV_OK) {
        result = take_points(r, mesh, count);
    }
    for (uint32_t p = 0; result == SLV_OK && p < count; p++) {
        for (int d = 0; result == SLV_OK && d < 3; d++) {
            result = read_number(r, &mesh->points[p][d]);
        }
        skip_line(r); // skips the reference number
    }
    return result;
}

static slv_result read_tetrahedra(reader *r, slv_tetrahedral_mesh *mesh) {
    uint32_t count = 0;
    slv_result result = read_count(r, 0, LARGEST, &count);
    if (result == SLV_OK && mesh->point_count == 0) {
        result = slv_fail(r->error, SLV_ERROR_CONTENT, "tetrahedra before any vertices");
    }
    if (result == SLV_OK) {
        result = take_tetrahedra(r, mesh, count);
    }
    for (uint32_t t = 0; result == SLV_OK && t < count; t++) {
        result = read_corners(r, mesh, t, 1);
        skip_line(r);
    }
    return result;
}

static slv_result parse_medit(reader *r, slv_tetrahedral_mesh *mesh) {
    slv_result result = SLV_OK;
    skip(r);
    if (!is_word(r, "MeshVersionFormatted")) {
        return expected(r, "MeshVersionFormatted: only Medit's .mesh files hold tetrahedra");
    }
    while (result == SLV_OK && *r->at != '\0' && !is_word(r, "End")) {
        const bool vertices = is_word(r, "Vertices");
        const bool tetrahedra = is_word(r, "Tetrahedra");
        const bool dimension = is_word(r, "Dimension");
        r->at += strcspn(r->at, " \t\r\n");
        uint32_t axes = 3;
        result = vertices     ? read_vertices(r, mesh)
                 : tetrahedra ? read_tetrahedra(r, mesh)
                 : dimension  ? read_count(r, 2, 3, &axes)
                              : SLV_OK;
        if (result == SLV_OK && axes != 3) {
            result = slv_fail(r->error, SLV_ERROR_CONTENT, "a mesh of the plane has no tetrahedra");
        }
        for (skip(r); *r->at != '\0' && !isalpha((unsigned char)*r->at); skip(r)) {
            r->at += strcspn(r->at, " \t\r\n"); // skips numbers of unused sections
        }
    }
    return result;
}

// --- TetGen --------------------------------------------------------------------------------------

// The first line of a file: how many rows there are, at least `least`, and their width, from low to high.
static slv_result read_head(reader *r, uint32_t least, uint32_t low, uint32_t high,
                            uint32_t *count) {
    uint32_t width = 0;
    slv_result result = read_count(r, least, LARGEST, count);
    if (result == SLV_OK) {
        result = read_count(r, low, high, &width);
    }
    if (result == SLV_OK) {
        skip_line(r);
    }
    return result;
}

static slv_result parse_nodes(reader *r, slv_tetrahedral_mesh *mesh, uint32_t *base) {
    uint32_t count = 0;
    slv_result result = read_head(r, 1, 3, 3, &count);
    if (result == SLV_OK) {
        result = take_points(r, mesh, count);
    }
    for (uint32_t p = 0; result == SLV_OK && p < count; p++) {
        uint32_t number = 0;
        result = read_count(r, p == 0 ? 0 : *base + p, p == 0 ? 1 : *base + p, &number);
        *base = p == 0 ? number : *base;
        for (int d = 0; result == SLV_OK && d < 3; d++) {
            result = read_number(r, &mesh->points[p][d]);
        }
        skip_line(r);
    }
    return result;
}

static slv_result parse_elements(reader *r, slv_tetrahedral_mesh *mesh, uint32_t base) {
    uint32_t count = 0;
    slv_result result = read_head(r, 0, 4, 10, &count);
    if (result == SLV_OK) {
        result = take_tetrahedra(r, mesh, count);
    }
    for (uint32_t t = 0; result == SLV_OK && t < count; t++) {
        uint32_t number = 0;
        result = read_count(r, 0, LARGEST, &number);
        if (result == SLV_OK) {
            result = read_corners(r, mesh, t, base);
        }
        skip_line(r); // skips further nodes and attributes
    }
    return result;
}

// --- Both ----------------------------------------------------------------------------------------

static slv_result check_corners(const slv_tetrahedral_mesh *mesh, slv_error *error) {
    if (mesh->tetrahedron_count == 0) {
        return slv_fail(error, SLV_ERROR_CONTENT, "there are no tetrahedra in it");
    }
    for (uint32_t t = 0; t < mesh->tetrahedron_count; t++) {
        const uint32_t *c = mesh->corners[t];
        if (c[0] == c[1] || c[0] == c[2] || c[0] == c[3] || c[1] == c[2] || c[1] == c[3] ||
            c[2] == c[3]) {
            return slv_fail(error, SLV_ERROR_CONTENT, "tetrahedron %u has a corner twice", t);
        }
    }
    return SLV_OK;
}

slv_result slv_tetrahedral_parse(const char *text, const char *elements, slv_tetrahedral_mesh *mesh,
                                 slv_error *error) {
    reader first = {text ? text : "", 1, error};
    reader second = {elements ? elements : "", 1, error};
    uint32_t base = 0;
    *mesh = (slv_tetrahedral_mesh){0};
    slv_result result = elements ? parse_nodes(&first, mesh, &base) : parse_medit(&first, mesh);
    if (result == SLV_OK && elements) {
        result = parse_elements(&second, mesh, base);
    }
    if (result == SLV_OK) {
        result = check_corners(mesh, error);
    }
    if (result != SLV_OK) {
        slv_tetrahedral_free(mesh);
    }
    return result;
}

void slv_tetrahedral_free(slv_tetrahedral_mesh *mesh) {
    free(mesh->points);
    free(mesh->corners);
    *mesh = (slv_tetrahedral_mesh){0};
}

static bool ends_in(const char *path, const char *end) {
    const char *dot = strrchr(path, '.');
    return dot != NULL && strcasecmp(dot, end) == 0;
}

bool slv_is_tetrahedral_file(const char *path) {
    return ends_in(path, ".mesh") || ends_in(path, ".node") || ends_in(path, ".ele");
}

// The same path with another extension, to be freed.
static char *sibling(const char *path, const char *end) {
    const size_t stem = (size_t)(strrchr(path, '.') - path);
    char *name = malloc(stem + strlen(end) + 1);
    if (name) {
        memcpy(name, path, stem);
        memcpy(name + stem, end, strlen(end) + 1);
    }
    return name;
}

static void transform_points(const slv_import_options *options, slv_tetrahedral_mesh *mesh) {
    const slv_import_space stated = slv_import_space_default();
    mesh->space = slv_import_space_resolve(&stated, options);
    for (uint32_t p = 0; p < mesh->point_count; p++) {
        slv_import_space_apply(&mesh->space, mesh->points[p], mesh->points[p]);
    }
}

slv_result slv_tetrahedral_read(const char *path, const slv_import_options *options,
                                slv_tetrahedral_mesh *mesh, slv_file_list *files,
                                slv_error *error) {
    const bool pair = !ends_in(path, ".mesh");
    slv_input_file inputs[2] = {{0}};
    *mesh = (slv_tetrahedral_mesh){0};
    *files = (slv_file_list){0};
    files->paths = calloc(2, sizeof *files->paths);
    if (files->paths) {
        files->paths[0] = pair ? sibling(path, ".node") : strdup(path);
        files->paths[1] = pair ? sibling(path, ".ele") : NULL;
        files->count = pair ? 2 : 1;
    }
    slv_result result = SLV_OK;
    if (!files->paths || !files->paths[0] || (pair && !files->paths[1])) {
        files->count = files->paths && files->paths[0] ? 1 : 0;
        result = slv_fail(error, SLV_ERROR_MEMORY, "out of memory");
    }
    uint64_t hash = 0;
    for (size_t i = 0; result == SLV_OK && i < files->count; i++) {
        result = slv_input_file_read(files->paths[i], &inputs[i], error);
        hash = hash * 31 + (result == SLV_OK ? XXH3_64bits(inputs[i].bytes, inputs[i].size) : 0);
    }
    if (result == SLV_OK) {
        result = slv_tetrahedral_parse(inputs[0].bytes, pair ? inputs[1].bytes : NULL, mesh, error);
    }
    if (result == SLV_OK) {
        mesh->input_hash = hash;
        transform_points(options, mesh);
    }
    slv_input_file_free(&inputs[0]);
    slv_input_file_free(&inputs[1]);
    return result;
}
