// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/mesh_build.h"

#include "tools/common/equal_keys.h"
#include "tools/common/mesh_normals.h"
#include "tools/common/polygon.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// All orders follow the file and not a hash table: points and vertices by the vertex number in the
// file, triangles by polygon.

// Metres. Fourth powers of larger coordinates leave the range in which areas can be compared.
#define MAX_COORDINATE 1e12 // metres
#define MIN_EXTENT 1e-12

// Ratio of height to longest side below which a triangle is degenerate. Far above rounding errors
// of a double, far below the triangles of real models.
#define FLAT_TOLERANCE 1e-12

// Distance from the origin in diagonals of the mesh beyond which it gets a frame of its own. A
// float has a relative error of 6e-8, which is 6e-6 of the diagonal there.
#define FRAME_DIAGONALS 100.0

typedef struct mesh_builder {
    const slv_raw_mesh *raw;
    const slv_import_space *space;
    slv_mesh *mesh;
    slv_result result; // of the function that returned false
    slv_error *error;
    double *positions;    // [raw->position_count][3] scaled, y up
    uint32_t *weld;       // [raw->position_count] the first vertex at the same position
    slv_raw_corner *kept; // [triangle_count][3] corners of the kept triangles
    double *outline;      // corners of the current polygon
    uint32_t *split;      // its triangles
    slv_polygon_scratch scratch;
    uint32_t *same;           // [triangle_count][3] the first equal corner
    uint32_t *numbers;        // [raw->position_count + 1] of vertices, then of points
    slv_raw_corner *vertices; // [vertex_count] position, UV and normal of each
} mesh_builder;

static bool out_of_memory(mesh_builder *builder) {
    builder->result = slv_no_memory(builder->error);
    return false;
}

// Zeroed memory; NULL only where memory is short, also for count 0.
static void *reserve(uint64_t count, size_t size) {
    return calloc(count > 0 ? (size_t)count : 1, size);
}

// Fails with SLV_ERROR_CONTENT.
SLV_PRINTF(2, 3)
static bool fail(mesh_builder *builder, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    builder->result = slv_fail(builder->error, SLV_ERROR_CONTENT, "%s", text);
    return false;
}

// --- positions -----------------------------------------------------------------------------------

static bool store_positions(mesh_builder *builder) {
    const slv_raw_mesh *raw = builder->raw;
    builder->positions = reserve(raw->position_count, 3 * sizeof *builder->positions);
    builder->weld = reserve(raw->position_count, sizeof *builder->weld);
    if (builder->positions == NULL || builder->weld == NULL) {
        return out_of_memory(builder);
    }
    for (uint32_t i = 0; i < raw->position_count; i++) {
        double *to = builder->positions + 3 * (size_t)i;
        for (size_t k = 0; k < 3; k++) {
            double at = raw->positions[3 * (size_t)i + k] * builder->space->scale;
            if (!(fabs(at) <= MAX_COORDINATE)) {
                return fail(builder,
                            "vertex %u has the coordinate %g; it must be finite and at most "
                            "%g metres",
                            i + 1, at, MAX_COORDINATE);
            }
        }
        slv_import_space_apply(builder->space, raw->positions + 3 * (size_t)i, to);
        for (size_t k = 0; k < 3; k++) {
            to[k] += 0.0; // -0 becomes 0, so that equal positions have equal bytes
        }
    }
    bool welded = slv_find_equal_keys(builder->positions, 3 * sizeof(double), raw->position_count,
                                      builder->weld);
    return welded || out_of_memory(builder);
}

// --- triangles -----------------------------------------------------------------------------------

static bool reserve_triangles(mesh_builder *builder) {
    const slv_raw_mesh *raw = builder->raw;
    uint64_t triangles = 0;
    uint32_t widest = 3;
    for (uint32_t p = 0; p < raw->polygon_count; p++) {
        uint32_t corners = raw->polygons[p].corner_count;
        triangles += corners - 2;
        widest = corners > widest ? corners : widest;
    }
    if (triangles > UINT32_MAX / 3 - 1) {
        return fail(builder, "the mesh has %llu triangles; at most %u can be handled",
                    (unsigned long long)triangles, UINT32_MAX / 3 - 1);
    }
    builder->kept = reserve(triangles, 3 * sizeof *builder->kept);
    builder->outline = reserve(widest, 3 * sizeof *builder->outline);
    builder->split = reserve(widest, 3 * sizeof *builder->split);
    builder->mesh->groups = reserve(raw->group_count, sizeof *builder->mesh->groups);
    if (!builder->kept || !builder->outline || !builder->split || !builder->mesh->groups) {
        return out_of_memory(builder);
    }
    return true;
}

static bool is_degenerate(const mesh_builder *builder, const slv_raw_corner corners[3]) {
    const double *p[3];
    for (int c = 0; c < 3; c++) {
        p[c] = builder->positions + 3 * (size_t)builder->weld[corners[c].position];
    }
    if (p[0] == p[1] || p[1] == p[2] || p[2] == p[0]) {
        return true;
    }
    double a[3];
    double b[3];
    double sides[3] = {0.0, 0.0, 0.0}; // squared
    for (int k = 0; k < 3; k++) {
        a[k] = p[1][k] - p[0][k];
        b[k] = p[2][k] - p[0][k];
        sides[0] += a[k] * a[k];
        sides[1] += b[k] * b[k];
        sides[2] += (b[k] - a[k]) * (b[k] - a[k]);
    }
    double n[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    double area = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    double longest = fmax(sides[0], fmax(sides[1], sides[2]));
    return !(area > FLAT_TOLERANCE * longest);
}

static bool add_polygon(mesh_builder *builder, const slv_raw_polygon *polygon) {
    const slv_raw_corner *corners = builder->raw->corners + polygon->first_corner;
    for (uint32_t c = 0; polygon->corner_count > 3 && c < polygon->corner_count; c++) {
        memcpy(builder->outline + 3 * (size_t)c,
               builder->positions + 3 * (size_t)corners[c].position, 3 * sizeof(double));
    }
    builder->result = slv_polygon_split(builder->outline, polygon->corner_count, builder->split,
                                        &builder->scratch, builder->error);
    if (builder->result != SLV_OK) {
        return false;
    }
    slv_mesh *mesh = builder->mesh;
    mesh->polygon_count += polygon->corner_count > 3 ? 1 : 0;
    for (uint32_t t = 0; t < polygon->corner_count - 2; t++) {
        slv_raw_corner *to = builder->kept + 3 * (size_t)mesh->triangle_count;
        for (size_t c = 0; c < 3; c++) {
            to[c] = corners[builder->split[3 * (size_t)t + c]];
        }
        if (is_degenerate(builder, to)) {
            mesh->dropped_triangle_count++;
        } else {
            mesh->triangle_count++;
        }
    }
    return true;
}

// Closes the group of a kind; open: number of the group of each kind, plus 1.
static void end_group(slv_mesh *mesh, uint32_t *open) {
    if (*open > 0) {
        slv_mesh_group *last = &mesh->groups[*open - 1];
        last->triangle_count = mesh->triangle_count - last->first_triangle;
        *open = 0;
    }
}

static bool begin_group(slv_mesh *mesh, const slv_raw_group *group, uint32_t *open) {
    end_group(mesh, &open[group->kind]);
    char *copy = strdup(group->name);
    if (copy == NULL) {
        return false;
    }
    mesh->groups[mesh->group_count++] =
        (slv_mesh_group){.name = copy, .first_triangle = mesh->triangle_count};
    open[group->kind] = mesh->group_count;
    return true;
}

static void end_groups(slv_mesh *mesh, uint32_t *open) {
    for (int kind = 0; kind < SLV_GROUP_KINDS; kind++) {
        end_group(mesh, &open[kind]);
    }
    uint32_t kept = 0;
    for (uint32_t g = 0; g < mesh->group_count; g++) {
        if (mesh->groups[g].triangle_count > 0) {
            mesh->groups[kept++] = mesh->groups[g];
        } else {
            free(mesh->groups[g].name);
        }
    }
    mesh->group_count = kept;
}

static bool collect_triangles(mesh_builder *builder) {
    const slv_raw_mesh *raw = builder->raw;
    uint32_t group = 0;
    uint32_t open[SLV_GROUP_KINDS] = {0};
    for (uint32_t p = 0; p < raw->polygon_count; p++) {
        for (; group < raw->group_count && raw->groups[group].first_polygon <= p; group++) {
            if (!begin_group(builder->mesh, &raw->groups[group], open)) {
                return out_of_memory(builder);
            }
        }
        if (!add_polygon(builder, &raw->polygons[p])) {
            return false;
        }
    }
    end_groups(builder->mesh, open);
    if (builder->mesh->triangle_count > 0) {
        return true;
    }
    uint32_t dropped = builder->mesh->dropped_triangle_count;
    return dropped == 0 ? fail(builder, "has no triangles; a surface is needed")
                        : fail(builder, "all %u triangles are degenerate (zero area)", dropped);
}

// --- vertices ------------------------------------------------------------------------------------

// Finds the first equal corner of each corner. Without UVs and normals a table of positions is
// sufficient; first_at has one element per position.
static bool find_same_corners(mesh_builder *builder, uint32_t corner_count, uint32_t *first_at) {
    const slv_raw_mesh *raw = builder->raw;
    if (raw->uv_count > 0 || raw->normal_count > 0) {
        return slv_find_equal_keys(builder->kept, sizeof *builder->kept, corner_count,
                                   builder->same);
    }
    memset(first_at, 0xff, raw->position_count * sizeof *first_at); // all SLV_NO_INDEX
    for (uint32_t c = 0; c < corner_count; c++) {
        uint32_t *first = &first_at[builder->kept[c].position];
        *first = *first == SLV_NO_INDEX ? c : *first;
        builder->same[c] = *first;
    }
    memset(first_at, 0, raw->position_count * sizeof *first_at);
    return true;
}

// Numbers the distinct corners by position, then by first appearance, and writes the triangles with
// these numbers.
static bool number_vertices(mesh_builder *builder) {
    slv_mesh *mesh = builder->mesh;
    size_t corner_count = 3 * (size_t)mesh->triangle_count;
    uint32_t position_count = builder->raw->position_count;
    builder->same = reserve(corner_count, sizeof *builder->same);
    builder->numbers = reserve((uint64_t)position_count + 1, sizeof *builder->numbers);
    builder->vertices = reserve(corner_count, sizeof *builder->vertices);
    mesh->triangles = reserve(corner_count, sizeof *mesh->triangles);
    if (!builder->same || !builder->numbers || !builder->vertices || !mesh->triangles ||
        !find_same_corners(builder, (uint32_t)corner_count, builder->numbers)) {
        return out_of_memory(builder);
    }
    uint32_t *next = builder->numbers; // [p]: number of the next vertex at position p
    for (size_t c = 0; c < corner_count; c++) {
        next[builder->kept[c].position + 1] += builder->same[c] == c ? 1 : 0;
    }
    for (size_t p = 0; p < position_count; p++) {
        next[p + 1] += next[p];
    }
    mesh->vertex_count = next[position_count];
    for (size_t c = 0; c < corner_count; c++) {
        if (builder->same[c] == c) {
            uint32_t vertex = next[builder->kept[c].position]++;
            builder->vertices[vertex] = builder->kept[c];
            mesh->triangles[c] = vertex;
        } else {
            mesh->triangles[c] = mesh->triangles[builder->same[c]];
        }
    }
    return true;
}

static void copy_normal(const mesh_builder *builder, uint32_t index, float to[3]) {
    if (index == SLV_NO_INDEX) {
        return;
    }
    double n[3];
    for (size_t k = 0; k < 3; k++) {
        n[k] = (double)builder->raw->normals[3 * (size_t)index + k];
    }
    slv_import_space_turn(builder->space, n);
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    if (length > 0.0 && isfinite(length)) { // zero and invalid normals are computed later
        for (size_t k = 0; k < 3; k++) {
            to[k] = (float)(n[k] / length);
        }
    }
}

// Rounds 0 … 1 to 0 … 255. NaN and vertices without color become white.
static void copy_paint(mesh_builder *builder, uint32_t position, uint8_t to[4]) {
    const slv_raw_mesh *raw = builder->raw;
    for (size_t k = 0; k < 4; k++) {
        const bool painted = position < raw->paint_count;
        const float value = painted ? raw->paint[4 * (size_t)position + k] : 1.0f;
        const float least = value <= 0.0f ? 0.0f : value < 1.0f ? value : 1.0f;
        to[k] = (uint8_t)(255.0f * least + 0.5f);
        builder->mesh->paint_peak = fmaxf(builder->mesh->paint_peak, value);
    }
}

static bool reserve_vertices(mesh_builder *builder) {
    slv_mesh *mesh = builder->mesh;
    const slv_raw_mesh *raw = builder->raw;
    size_t count = mesh->vertex_count;
    mesh->vertex_point = reserve(count, sizeof *mesh->vertex_point);
    mesh->vertex_source = reserve(count, sizeof *mesh->vertex_source);
    mesh->normals = reserve(count, 3 * sizeof *mesh->normals);
    mesh->uvs = raw->uv_count ? reserve(count, 2 * sizeof *mesh->uvs) : NULL;
    mesh->paint = raw->paint_count ? reserve(count, 4 * sizeof *mesh->paint) : NULL;
    return mesh->vertex_point && mesh->vertex_source && mesh->normals &&
           (mesh->uvs || !raw->uv_count) && (mesh->paint || !raw->paint_count);
}

static bool fill_vertices(mesh_builder *builder) {
    slv_mesh *mesh = builder->mesh;
    size_t count = mesh->vertex_count;
    if (!reserve_vertices(builder)) {
        return out_of_memory(builder);
    }
    for (size_t v = 0; v < count; v++) {
        slv_raw_corner corner = builder->vertices[v];
        mesh->vertex_source[v] = corner.position;
        copy_normal(builder, corner.normal, mesh->normals + 3 * v);
        if (mesh->paint) {
            copy_paint(builder, corner.position, mesh->paint + 4 * v);
        }
        if (mesh->uvs && corner.uv != SLV_NO_INDEX) {
            const float *uv = builder->raw->uvs + 2 * (size_t)corner.uv;
            if (!isfinite(uv[0]) || !isfinite(uv[1])) {
                return fail(builder, "vertex %u has a texture coordinate that is not finite",
                            corner.position + 1);
            }
            memcpy(mesh->uvs + 2 * v, uv, 2 * sizeof *uv);
        }
    }
    return true;
}

// --- points --------------------------------------------------------------------------------------

static bool number_points(mesh_builder *builder) {
    slv_mesh *mesh = builder->mesh;
    uint32_t *number = builder->numbers; // [first vertex at a position]: number of its point
    memset(number, 0, ((size_t)builder->raw->position_count + 1) * sizeof *number);
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        number[builder->weld[mesh->vertex_source[v]]] = 1;
    }
    mesh->points = reserve(mesh->vertex_count, 3 * sizeof *mesh->points);
    if (mesh->points == NULL) {
        return out_of_memory(builder);
    }
    for (size_t p = 0; p < builder->raw->position_count; p++) {
        if (number[p]) {
            memcpy(mesh->points + 3 * (size_t)mesh->point_count, builder->positions + 3 * p,
                   3 * sizeof(double));
            number[p] = mesh->point_count++;
        }
    }
    for (size_t v = 0; v < mesh->vertex_count; v++) {
        mesh->vertex_point[v] = number[builder->weld[mesh->vertex_source[v]]];
    }
    return true;
}

// Moves the points to a frame of their own where floats would lose precision. The frame is a
// multiple of a power of two about the size of the mesh, so every subtraction is exact.
static bool choose_frame(mesh_builder *builder) {
    slv_mesh *mesh = builder->mesh;
    double min[3];
    double max[3];
    slv_mesh_bounds(mesh, min, max);
    double square = 0.0;
    double farthest = 0.0;
    for (int k = 0; k < 3; k++) {
        square += (max[k] - min[k]) * (max[k] - min[k]);
        farthest = fmax(farthest, fmax(fabs(min[k]), fabs(max[k])));
    }
    double diagonal = sqrt(square);
    if (diagonal < MIN_EXTENT) {
        return fail(builder, "the mesh is only %g metres large; it must be at least %g, scale it",
                    diagonal, MIN_EXTENT);
    }
    if (farthest <= FRAME_DIAGONALS * diagonal) {
        return true;
    }
    int exponent;
    (void)frexp(diagonal, &exponent);
    double unit = ldexp(1.0, exponent);
    for (size_t k = 0; k < 3; k++) {
        mesh->frame[k] = rint(0.5 * (min[k] + max[k]) / unit) * unit;
        for (size_t p = 0; p < mesh->point_count; p++) {
            mesh->points[3 * p + k] -= mesh->frame[k];
        }
    }
    return true;
}

// --- all together --------------------------------------------------------------------------------

static bool build(mesh_builder *builder, bool undrawn) {
    return store_positions(builder) && reserve_triangles(builder) && collect_triangles(builder) &&
           number_vertices(builder) && fill_vertices(builder) && number_points(builder) &&
           choose_frame(builder) &&
           (undrawn || slv_mesh_fill_normals(builder->mesh) || out_of_memory(builder));
}

slv_result slv_mesh_build(const slv_raw_mesh *raw, const slv_import_space *space, bool undrawn,
                          slv_mesh *mesh, slv_error *error) {
    *mesh = (slv_mesh){.file_vertex_count = raw->position_count, .space = *space};
    mesh_builder builder = {.raw = raw, .space = space, .mesh = mesh, .error = error};
    bool built = build(&builder, undrawn);
    free(builder.positions);
    free(builder.weld);
    free(builder.kept);
    free(builder.outline);
    free(builder.split);
    free(builder.same);
    free(builder.numbers);
    free(builder.vertices);
    slv_polygon_scratch_free(&builder.scratch);
    if (!built) {
        slv_mesh_free(mesh);
    }
    return builder.result;
}
