// SPDX-License-Identifier: MIT
#include "tools/common/character_mesh.h"

#include "tools/common/character_pose.h"

#include <stdlib.h>
#include <string.h>

typedef struct converter {
    const slv_character *character;
    const slv_pose_scratch *pose;
    const double *positions;
    slv_raw_mesh *raw;
} converter;

// Normals transform by the cofactor matrix: the inverse transpose up to a factor. The sign of the determinant makes that
// factor positive.
static void turn_normal(const slv_affine *map, const float normal[3], float turned[3]) {
    double c[3][3];
    const double determinant = slv_affine_cofactors(map, c);
    const double sign = determinant < 0.0 ? -1.0 : 1.0;
    for (int r = 0; r < 3; r++) {
        turned[r] = (float)(sign * (c[r][0] * (double)normal[0] + c[r][1] * (double)normal[1] +
                                    c[r][2] * (double)normal[2]));
    }
}

// The map that moves a vertex: that of its node, or the blend of its joints.
static slv_affine map_of(const converter *v, const slv_character_part *part, uint32_t vertex) {
    const slv_character *c = v->character;
    if (!part->skinned) {
        return v->pose->world_transforms[part->node];
    }
    slv_affine blend = {{{0.0}}};
    for (uint32_t i = c->first_influence[vertex]; i < c->first_influence[vertex + 1]; i++) {
        const slv_affine *joint = &v->pose->joints[c->influences[i].joint];
        for (int k = 0; k < 12; k++) {
            blend.m[k / 4][k % 4] += c->influences[i].weight * joint->m[k / 4][k % 4];
        }
    }
    return blend;
}

// Morph targets change normals, and their own normals are not read: such a part gets computed ones.
static bool is_morphed(const converter *v, const slv_character_part *part) {
    for (uint32_t k = 0; k < part->target_count; k++) {
        if (v->pose->weights[part->first_target + k] != 0.0) {
            return true;
        }
    }
    return false;
}

// Position number of a vertex: that of the file where the character has those.
static uint32_t position_of(const converter *v, const slv_character_part *part, uint32_t first,
                            uint32_t n) {
    const slv_character *c = v->character;
    return c->points ? c->points[part->first_vertex + n] : first + n;
}

// One position for each vertex of the file, at 0 where no part has it.
static bool add_points(const converter *v) {
    static const double zero[3] = {0.0, 0.0, 0.0};
    static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    const slv_character *c = v->character;
    bool painted = false;
    for (uint32_t p = 0; c->paint && p < c->part_count; p++) {
        painted = painted || (c->parts[p].attributes & SLV_PART_PAINT);
    }
    bool ok = true;
    for (uint32_t n = 0; ok && c->points && n < c->point_count; n++) {
        ok = slv_raw_mesh_add_position(v->raw, zero) &&
             (!painted || slv_raw_mesh_add_paint(v->raw, white));
    }
    return ok;
}

// The vertices of a point have one position. They have one color too: readers see to that.
static bool place_vertex(const converter *v, const slv_character_part *part, size_t vertex) {
    const slv_character *c = v->character;
    const bool painted = c->paint && (part->attributes & SLV_PART_PAINT);
    const double *position = v->positions + 3 * vertex;
    if (c->points) {
        const size_t point = c->points[vertex];
        memcpy(v->raw->positions + 3 * point, position, 3 * sizeof *position);
        if (painted) {
            memcpy(v->raw->paint + 4 * point, c->paint + 4 * vertex, 4 * sizeof *c->paint);
        }
        return true;
    }
    return slv_raw_mesh_add_position(v->raw, position) &&
           (!painted || slv_raw_mesh_add_paint(v->raw, c->paint + 4 * vertex));
}

static bool add_vertices(const converter *v, const slv_character_part *part, bool normals) {
    const slv_character *c = v->character;
    bool ok = true;
    for (uint32_t n = 0; ok && n < part->vertex_count; n++) {
        const size_t vertex = (size_t)part->first_vertex + n;
        ok = place_vertex(v, part, vertex);
        if (ok && normals) {
            float turned[3];
            const slv_affine map = map_of(v, part, (uint32_t)vertex);
            turn_normal(&map, c->normals + 3 * vertex, turned);
            ok = slv_raw_mesh_add_normal(v->raw, turned);
        }
        if (ok && (part->attributes & SLV_PART_UVS)) {
            ok = slv_raw_mesh_add_uv(v->raw, c->uvs + 2 * vertex);
        }
    }
    return ok;
}

// The name of a group: the node's, which is unique per instance; the mesh's where the node has none or is the root, whose
// name comes from the importer.
static bool add_group(const converter *v, const slv_character_part *part) {
    const slv_character *c = v->character;
    const slv_character_node *node = &c->nodes[part->node];
    const bool root = node->parent == SLV_NO_NODE && part->mesh.length > 0 && c->node_count > 1;
    const bool of_node = node->name.length > 0 && !root;
    const slv_character_name name = of_node                 ? node->name
                                    : part->mesh.length > 0 ? part->mesh
                                                            : node->name;
    return slv_raw_mesh_add_group(v->raw, SLV_GROUP_GROUP,
                                  name.length > 0 ? c->names + name.first : "", name.length);
}

static bool add_part(const converter *v, const slv_character_part *part) {
    const slv_character *c = v->character;
    slv_raw_mesh *raw = v->raw;
    const bool normals =
        c->normals && (part->attributes & SLV_PART_NORMALS) && !is_morphed(v, part);
    const slv_raw_corner first = {raw->position_count, raw->uv_count, raw->normal_count};
    if (!add_group(v, part) || !add_vertices(v, part, normals)) {
        return false;
    }
    bool ok = true;
    for (uint32_t t = 0; ok && t < part->triangle_count; t++) {
        const uint32_t *triangle = c->triangles + 3 * ((size_t)part->first_triangle + t);
        for (int k = 0; ok && k < 3; k++) {
            const uint32_t vertex = triangle[k] - part->first_vertex;
            ok = slv_raw_mesh_add_corner(
                raw, (slv_raw_corner){.position = position_of(v, part, first.position, vertex),
                                      .uv = part->attributes & SLV_PART_UVS ? first.uv + vertex
                                                                            : SLV_NO_INDEX,
                                      .normal = normals ? first.normal + vertex : SLV_NO_INDEX});
        }
        ok = ok && slv_raw_mesh_add_polygon(raw, 3, 0);
    }
    return ok;
}

slv_result slv_character_mesh(slv_character *character, bool clip_start, slv_raw_mesh *raw,
                              slv_error *error) {
    slv_pose_scratch pose = {0};
    double *positions = calloc((size_t)character->vertex_count + 1, 3 * sizeof *positions);
    slv_result result =
        positions ? slv_pose_scratch_create(character, &pose, error) : slv_no_memory(error);
    const bool in_clip = clip_start && character->clip_count > 0;
    if (result == SLV_OK && in_clip) {
        result = slv_character_check_clip(character, 0, error);
    }
    if (result == SLV_OK) {
        slv_character_pose(character, in_clip ? 0 : SLV_AT_REST,
                           in_clip ? character->clips[0].start : 0.0, &pose, positions);
    }
    const converter v = {character, &pose, positions, raw};
    if (result == SLV_OK && !add_points(&v)) {
        result = slv_no_memory(error);
    }
    for (uint32_t p = 0; result == SLV_OK && p < character->part_count; p++) {
        result = add_part(&v, &character->parts[p]) ? SLV_OK : slv_no_memory(error);
    }
    raw->split_polygon_count = character->polygon_count;
    raw->texture = character->texture;
    character->texture = (slv_mesh_texture){.bytes = NULL};
    slv_pose_scratch_free(&pose);
    free(positions);
    return result;
}
