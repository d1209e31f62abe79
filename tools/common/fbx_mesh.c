// SPDX-License-Identifier: MIT
#include "tools/common/fbx_reader.h"

#include <stdlib.h>
#include <string.h>

// A surface at a node. Control points keep their numbers; a vertex is a control point with one normal and one pair of texture
// coordinates, and a part has the polygons of one material.
typedef struct surface {
    slv_fbx_reader *reader;
    uint32_t model, geometry, node; // objects; node of the character
    uint32_t record;                // of the geometry
    slv_affine place;               // geometric transform
    double cofactors[3][3];         // of its linear part, for normals
    bool mirrored;                  // by it
    slv_fbx_sizes sizes;
    double *points;   // [points][3], placed
    int32_t *corners; // [corners] control points
    uint32_t *first;  // [polygons + 1] corners
    slv_fbx_layer normals, uvs, paint, materials;
    slv_fbx_skin skin;
    slv_fbx_shape *shapes;
    uint32_t shape_count;
    uint32_t material_count;
    uint32_t *order;        // [polygons] by material, then as in the file
    uint32_t *vertex_of;    // [corners] vertex of the current part
    uint32_t *newest;       // [points] the last vertex of a point in the current part, plus 1
    uint32_t *older;        // [corners] of a vertex: the one before it of the same point, plus 1
    uint32_t *corner_of;    // [corners] of a vertex: a corner that has it
    uint32_t *first_corner; // [points] NULL without colors
} surface;

static void free_surface(surface *s) {
    free(s->points);
    free(s->corners);
    free(s->first);
    free(s->order);
    free(s->vertex_of);
    free(s->newest);
    free(s->older);
    free(s->corner_of);
    slv_fbx_layer_free(&s->normals);
    slv_fbx_layer_free(&s->uvs);
    slv_fbx_layer_free(&s->paint);
    slv_fbx_layer_free(&s->materials);
    slv_fbx_skin_free(&s->skin);
    free(s->first_corner);
    free(s->shapes);
}

static slv_result fail(const surface *s, const char *what, slv_error *error) {
    char name[SLV_FBX_NAME_SIZE];
    slv_fbx_name(s->reader->scene, s->model, name, sizeof name);
    return slv_fail(error, SLV_ERROR_CONTENT, "node '%.100s': %s", name, what);
}

// --- Polygons -----------------------------------------------------------------------------------

// The last corner of a polygon is stored as the bitwise complement.
static slv_result read_polygons(surface *s, slv_error *error) {
    uint32_t polygons = 0;
    for (uint32_t i = 0; i < s->sizes.corners; i++) {
        polygons += s->corners[i] < 0 ? 1 : 0;
    }
    s->first = malloc(((size_t)polygons + 1) * sizeof *s->first);
    if (!s->first) {
        return slv_no_memory(error);
    }
    s->first[0] = 0;
    s->sizes.polygons = 0;
    for (uint32_t i = 0; i < s->sizes.corners; i++) {
        const bool last = s->corners[i] < 0;
        s->corners[i] = last ? ~s->corners[i] : s->corners[i];
        if ((uint32_t)s->corners[i] >= s->sizes.points) {
            return fail(s, "a polygon names a vertex that does not exist", error);
        }
        if (last) {
            s->first[++s->sizes.polygons] = i + 1;
        }
    }
    return s->first[s->sizes.polygons] == s->sizes.corners
               ? SLV_OK
               : fail(s, "its last polygon does not end", error);
}

static void place_points(surface *s) {
    s->mirrored = slv_affine_cofactors(&s->place, s->cofactors) < 0.0;
    for (uint32_t p = 0; p < s->sizes.points; p++) {
        double placed[3];
        slv_affine_apply(&s->place, s->points + 3 * (size_t)p, placed);
        memcpy(s->points + 3 * (size_t)p, placed, sizeof placed);
    }
}

static slv_result read_layers(surface *s, slv_error *error) {
    static const char *const normals[] = {"LayerElementNormal", "Normals", "NormalsIndex"};
    static const char *const uvs[] = {"LayerElementUV", "UV", "UVIndex"};
    static const char *const paint[] = {"LayerElementColor", "Colors", "ColorIndex"};
    static const char *const materials[] = {"LayerElementMaterial", NULL, "Materials"};
    const slv_fbx *file = &s->reader->scene->file;
    const bool shaded = s->reader->build->shaded;
    slv_result result = slv_fbx_read_layer(file, s->record, uvs, 2, &s->sizes, &s->uvs, error);
    if (result == SLV_OK && shaded) {
        result = slv_fbx_read_layer(file, s->record, normals, 3, &s->sizes, &s->normals, error);
    }
    if (result == SLV_OK && shaded) {
        result = slv_fbx_read_layer(file, s->record, paint, 4, &s->sizes, &s->paint, error);
    }
    return result == SLV_OK
               ? slv_fbx_read_layer(file, s->record, materials, 1, &s->sizes, &s->materials, error)
               : result;
}

static slv_result find_first_corners(surface *s, slv_error *error) {
    s->first_corner = calloc((size_t)s->sizes.points + 1, sizeof *s->first_corner);
    for (uint32_t c = s->sizes.corners; s->first_corner && c-- > 0;) {
        s->first_corner[s->corners[c]] = c;
    }
    return s->first_corner ? SLV_OK : slv_no_memory(error);
}

static slv_result read_geometry(surface *s, slv_error *error) {
    const slv_fbx *file = &s->reader->scene->file;
    void *points = NULL;
    void *corners = NULL;
    slv_result result = slv_fbx_read_array(file, slv_fbx_child(file, s->record, "Vertices"),
                                           SLV_FBX_DOUBLE, &points, &s->sizes.points, error);
    s->points = points;
    s->sizes.points /= 3;
    if (result == SLV_OK) {
        result = slv_fbx_read_array(file, slv_fbx_child(file, s->record, "PolygonVertexIndex"),
                                    SLV_FBX_INT32, &corners, &s->sizes.corners, error);
        s->corners = corners;
    }
    if (result == SLV_OK) {
        result = read_polygons(s, error);
    }
    if (result == SLV_OK) {
        result = read_layers(s, error);
    }
    if (result == SLV_OK && s->paint.mapping != SLV_FBX_NOWHERE) {
        result = find_first_corners(s, error);
    }
    if (result == SLV_OK) {
        place_points(s);
    }
    return result;
}

// --- Materials ----------------------------------------------------------------------------------

static uint32_t find_material(const surface *s, uint32_t number) {
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(s->reader->scene, s->model, "Material", &at)) != NULL) {
        if (slv_fbx_link_is(link, NULL) && number-- == 0) {
            return link->from;
        }
    }
    return SLV_FBX_NONE;
}

// The material of a polygon; material_count where it has none.
static uint32_t material_of(const surface *s, uint32_t polygon) {
    const uint32_t corner = s->first[polygon];
    uint32_t number = 0; // of a mesh without a layer
    if (s->materials.mapping != SLV_FBX_NOWHERE && s->first[polygon + 1] > corner) {
        number = slv_fbx_layer_at(&s->materials, corner, (uint32_t)s->corners[corner], polygon);
    }
    return number < s->material_count ? number : s->material_count;
}

// Orders the polygons by material; ends[m] is the end of those of material m.
static slv_result order_polygons(surface *s, uint32_t **ends, slv_error *error) {
    uint32_t at = 0;
    const slv_fbx_link *link = NULL;
    while ((link = slv_fbx_source(s->reader->scene, s->model, "Material", &at)) != NULL) {
        s->material_count += slv_fbx_link_is(link, NULL) ? 1 : 0;
    }
    *ends = calloc((size_t)s->material_count + 2, sizeof **ends);
    s->order = malloc(((size_t)s->sizes.polygons + 1) * sizeof *s->order);
    if (!*ends || !s->order) {
        return slv_no_memory(error);
    }
    for (uint32_t p = 0; p < s->sizes.polygons; p++) {
        (*ends)[material_of(s, p) + 1]++;
    }
    for (uint32_t m = 0; m <= s->material_count; m++) {
        (*ends)[m + 1] += (*ends)[m];
    }
    for (uint32_t p = 0; p < s->sizes.polygons; p++) {
        s->order[(*ends)[material_of(s, p)]++] = p;
    }
    return SLV_OK;
}

// --- Vertices -----------------------------------------------------------------------------------

static bool same_value(const slv_fbx_layer *layer, uint32_t a, uint32_t b) {
    return a == b || (a != SLV_NO_VALUE && b != SLV_NO_VALUE &&
                      memcmp(layer->values + (size_t)a * layer->width,
                             layer->values + (size_t)b * layer->width,
                             layer->width * sizeof *layer->values) == 0);
}

// Whether two corners of a control point have the same normal and texture coordinates.
static bool same_vertex(const surface *s, uint32_t a, uint32_t polygon_a, uint32_t b,
                        uint32_t polygon_b) {
    const uint32_t point = (uint32_t)s->corners[a];
    return same_value(&s->uvs, slv_fbx_layer_at(&s->uvs, a, point, polygon_a),
                      slv_fbx_layer_at(&s->uvs, b, point, polygon_b)) &&
           same_value(&s->normals, slv_fbx_layer_at(&s->normals, a, point, polygon_a),
                      slv_fbx_layer_at(&s->normals, b, point, polygon_b));
}

// Polygon of a corner, where a layer needs it.
static uint32_t polygon_of(const surface *s, uint32_t corner) {
    if (s->uvs.mapping != SLV_FBX_BY_POLYGON && s->normals.mapping != SLV_FBX_BY_POLYGON &&
        s->paint.mapping != SLV_FBX_BY_POLYGON) {
        return 0;
    }
    uint32_t low = 0;
    uint32_t high = s->sizes.polygons;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->first[middle] <= corner) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

// Finds the vertices of the polygons order[begin … end): vertex_of their corners. Returns their number.
static uint32_t find_vertices(surface *s, uint32_t begin, uint32_t end) {
    uint32_t count = 0;
    memset(s->newest, 0, (size_t)s->sizes.points * sizeof *s->newest);
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t polygon = s->order[i];
        for (uint32_t c = s->first[polygon]; c < s->first[polygon + 1]; c++) {
            uint32_t *newest = &s->newest[s->corners[c]];
            uint32_t v = *newest;
            while (v > 0) {
                const uint32_t other = s->corner_of[v - 1];
                if (same_vertex(s, c, polygon, other, polygon_of(s, other))) {
                    break;
                }
                v = s->older[v - 1];
            }
            if (v == 0) {
                s->corner_of[count] = c;
                s->older[count] = *newest;
                v = *newest = ++count;
            }
            s->vertex_of[c] = v - 1;
        }
    }
    return count;
}

static void set_normal(const surface *s, uint32_t value, float *normal) {
    const float *n = s->normals.values + 3 * (size_t)value;
    const double sign = s->mirrored ? -1.0 : 1.0;
    for (int r = 0; r < 3; r++) {
        normal[r] =
            (float)(sign * (s->cofactors[r][0] * (double)n[0] + s->cofactors[r][1] * (double)n[1] +
                            s->cofactors[r][2] * (double)n[2]));
    }
}

static void fill_vertex(const surface *s, const slv_character_part *part, uint32_t n,
                        uint32_t first_point) {
    slv_character *c = &s->reader->build->character;
    const size_t v = (size_t)part->first_vertex + n;
    const uint32_t corner = s->corner_of[n];
    const uint32_t point = (uint32_t)s->corners[corner];
    const uint32_t polygon = polygon_of(s, corner);
    memcpy(c->positions + 3 * v, s->points + 3 * (size_t)point, 3 * sizeof *s->points);
    c->points[v] = first_point + point;
    uint32_t value = slv_fbx_layer_at(&s->uvs, corner, point, polygon);
    if (value != SLV_NO_VALUE) {
        memcpy(c->uvs + 2 * v, s->uvs.values + 2 * (size_t)value, 2 * sizeof *c->uvs);
    }
    value = slv_fbx_layer_at(&s->normals, corner, point, polygon);
    if (value != SLV_NO_VALUE) {
        set_normal(s, value, c->normals + 3 * v);
    }
    if (s->paint.mapping != SLV_FBX_NOWHERE) { // a point has one color, that of its first corner
        static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
        const uint32_t painted = s->first_corner[point];
        value = slv_fbx_layer_at(&s->paint, painted, point, polygon_of(s, painted));
        memcpy(c->paint + 4 * v,
               value == SLV_NO_VALUE ? white : s->paint.values + 4 * (size_t)value, sizeof white);
    }
}

static slv_result add_influences(const surface *s, uint32_t vertex, uint32_t n, slv_error *error) {
    const uint32_t point = (uint32_t)s->corners[s->corner_of[n]];
    const uint32_t first = s->skin.first[point];
    const uint32_t count = s->skin.first[point + 1] - first;
    slv_character_influence *made = slv_build_influences(s->reader->build, vertex, count);
    if (!made) {
        return slv_no_memory(error);
    }
    memcpy(made, s->skin.influences + first, count * sizeof *made);
    return SLV_OK;
}

// --- Triangles ----------------------------------------------------------------------------------

static slv_result add_polygon(const surface *s, uint32_t polygon, uint32_t first_vertex,
                              slv_error *error) {
    static const uint32_t whole[3] = {0, 1, 2};
    slv_fbx_reader *r = s->reader;
    const uint32_t corner = s->first[polygon];
    const uint32_t count = s->first[polygon + 1] - corner;
    const uint32_t *split = whole;
    if (count < 3) {
        return SLV_OK;
    }
    if (count > 3) {
        if (!slv_polygon_reserve(&r->scratch, count)) {
            return slv_no_memory(error);
        }
        for (uint32_t k = 0; k < count; k++) {
            memcpy(r->scratch.outline + 3 * (size_t)k,
                   s->points + 3 * (size_t)s->corners[corner + k], 3 * sizeof *r->scratch.outline);
        }
        const slv_result result =
            slv_polygon_split(r->scratch.outline, count, r->scratch.split, &r->scratch, error);
        if (result != SLV_OK) {
            return result;
        }
        split = r->scratch.split;
        r->build->character.polygon_count++;
    }
    for (uint32_t t = 0; t < count - 2; t++) {
        uint32_t *triangle = slv_build_triangle(r->build);
        if (!triangle) {
            return slv_no_memory(error);
        }
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t turned = s->mirrored ? 2 - k : k;
            triangle[k] = first_vertex + s->vertex_of[corner + split[3 * (size_t)t + turned]];
        }
    }
    return SLV_OK;
}

// --- Parts --------------------------------------------------------------------------------------

static void name_part(const surface *s, uint32_t material, slv_character_part *part) {
    char name[SLV_FBX_NAME_SIZE];
    slv_character_build *build = s->reader->build;
    slv_fbx_name(s->reader->scene, s->geometry, name, sizeof name);
    if (name[0] == '\0') {
        slv_fbx_name(s->reader->scene, s->model, name, sizeof name);
    }
    part->mesh = slv_build_name(build, name);
    const uint32_t object = find_material(s, material);
    if (object != SLV_FBX_NONE) {
        slv_fbx_name(s->reader->scene, object, name, sizeof name);
        part->material = slv_build_name(build, name);
    }
}

static slv_result add_part(surface *s, uint32_t material, uint32_t begin, uint32_t end,
                           uint32_t first_point, slv_error *error) {
    slv_character_build *build = s->reader->build;
    const uint32_t vertices = find_vertices(s, begin, end);
    slv_character_part *part = slv_build_part(build, vertices, s->shape_count);
    if (!part) {
        return slv_no_memory(error);
    }
    part->node = s->node;
    part->skinned = s->skin.first ? 1 : 0;
    part->attributes = (s->uvs.mapping != SLV_FBX_NOWHERE ? SLV_PART_UVS : 0u) |
                       (s->normals.mapping != SLV_FBX_NOWHERE ? SLV_PART_NORMALS : 0u) |
                       (s->paint.mapping != SLV_FBX_NOWHERE ? SLV_PART_PAINT : 0u);
    name_part(s, material, part);
    for (uint32_t k = 0; k < s->shape_count; k++) {
        build->character.target_weights[part->first_target + k] = s->shapes[k].weight;
    }
    slv_result result = SLV_OK;
    const uint32_t first = part->first_vertex;
    for (uint32_t n = 0; result == SLV_OK && n < vertices; n++) {
        fill_vertex(s, part, n, first_point);
        if (s->skin.first) {
            result = add_influences(s, first + n, n, error);
        }
    }
    for (uint32_t i = begin; result == SLV_OK && i < end; i++) {
        result = add_polygon(s, s->order[i], first, error);
    }
    return result;
}

// Moves of a shape for all vertices of the parts from first_part on; the linear part of the geometric transform applies to them.
static void fill_shape(const surface *s, uint32_t shape, const double *moves, uint32_t first_part,
                       uint32_t first_point) {
    slv_character *c = &s->reader->build->character;
    slv_affine linear = s->place;
    linear.m[0][3] = linear.m[1][3] = linear.m[2][3] = 0.0;
    for (uint32_t p = first_part; p < c->part_count; p++) {
        const slv_character_part *part = &c->parts[p];
        float *delta = c->deltas + 3 * (part->first_delta + (uint64_t)shape * part->vertex_count);
        for (size_t v = part->first_vertex; v < (size_t)part->first_vertex + part->vertex_count;
             v++, delta += 3) {
            double moved[3];
            slv_affine_apply(&linear, moves + 3 * (size_t)(c->points[v] - first_point), moved);
            for (int d = 0; d < 3; d++) {
                delta[d] = (float)moved[d];
            }
        }
    }
}

static slv_result fill_shapes(const surface *s, uint32_t first_part, uint32_t first_point,
                              slv_error *error) {
    const size_t numbers = 3 * (size_t)s->sizes.points;
    double *moves = s->shape_count > 0 ? malloc((numbers + 1) * sizeof *moves) : NULL;
    slv_result result = s->shape_count == 0 || moves ? SLV_OK : slv_no_memory(error);
    for (uint32_t k = 0; result == SLV_OK && k < s->shape_count; k++) {
        memset(moves, 0, numbers * sizeof *moves);
        result = slv_fbx_read_moves(s->reader->scene, s->shapes[k].geometry, s->sizes.points, moves,
                                    error);
        if (result == SLV_OK) {
            fill_shape(s, k, moves, first_part, first_point);
        }
    }
    free(moves);
    return result;
}

static slv_result add_parts(surface *s, slv_error *error) {
    slv_character *c = &s->reader->build->character;
    const uint32_t first_point = c->point_count;
    const uint32_t first_part = c->part_count;
    if (s->sizes.points >= UINT32_MAX - first_point) {
        return slv_fail(error, SLV_ERROR_CONTENT, "has too many vertices");
    }
    const size_t corners = (size_t)s->sizes.corners + 1;
    uint32_t *ends = NULL;
    s->vertex_of = malloc(corners * sizeof *s->vertex_of);
    s->older = malloc(corners * sizeof *s->older);
    s->corner_of = malloc(corners * sizeof *s->corner_of);
    s->newest = malloc(((size_t)s->sizes.points + 1) * sizeof *s->newest);
    slv_result result = s->vertex_of && s->older && s->corner_of && s->newest
                            ? order_polygons(s, &ends, error)
                            : slv_no_memory(error);
    c->point_count += s->sizes.points;
    for (uint32_t m = 0; result == SLV_OK && m <= s->material_count; m++) {
        const uint32_t begin = m > 0 ? ends[m - 1] : 0;
        if (ends[m] > begin) {
            result = add_part(s, m, begin, ends[m], first_point, error);
        }
    }
    free(ends);
    return result == SLV_OK ? fill_shapes(s, first_part, first_point, error) : result;
}

static slv_result add_surface(slv_fbx_reader *r, uint32_t geometry, uint32_t node,
                              slv_error *error) {
    surface s = {.reader = r,
                 .model = r->model_of[node],
                 .geometry = geometry,
                 .node = node,
                 .record = r->scene->objects[geometry].node,
                 .place = slv_fbx_geometric(r->scene, r->model_of[node])};
    slv_result result = read_geometry(&s, error);
    if (result == SLV_OK && s.sizes.polygons > 0) {
        result = slv_fbx_read_shapes(r->scene, geometry, &s.shapes, &s.shape_count, error);
    }
    if (result == SLV_OK && s.sizes.polygons > 0) {
        result = slv_fbx_read_skin(r, geometry, node, s.sizes.points, &s.skin, error);
    }
    if (result == SLV_OK && s.sizes.polygons > 0) {
        result = add_parts(&s, error);
    }
    free_surface(&s);
    return result;
}

// --- All ----------------------------------------------------------------------------------------

// Surfaces that are no polygons.
static slv_result check_class(const slv_fbx_reader *r, uint32_t geometry, uint32_t node,
                              slv_error *error) {
    static const char *const refused[] = {"NurbsSurface", "Nurb", "TrimNurbsSurface", "Patch"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (slv_fbx_is_class(r->scene, geometry, refused[i])) {
            char name[SLV_FBX_NAME_SIZE];
            slv_fbx_name(r->scene, r->model_of[node], name, sizeof name);
            return slv_fail(error, SLV_ERROR_CONTENT,
                            "node '%.100s' has a surface of kind %s, which is not read; convert it "
                            "to polygons",
                            name, refused[i]);
        }
    }
    return SLV_OK;
}

slv_result slv_fbx_add_meshes(slv_fbx_reader *r, slv_error *error) {
    slv_result result = SLV_OK;
    const uint32_t count = r->build->character.node_count;
    for (uint32_t node = 1; result == SLV_OK && node < count; node++) {
        uint32_t at = 0;
        const slv_fbx_link *link = NULL;
        while (result == SLV_OK &&
               (link = slv_fbx_source(r->scene, r->model_of[node], "Geometry", &at)) != NULL) {
            result = check_class(r, link->from, node, error);
            if (result == SLV_OK && slv_fbx_is_class(r->scene, link->from, "Mesh")) {
                result = add_surface(r, link->from, node, error);
            }
        }
    }
    return result;
}
