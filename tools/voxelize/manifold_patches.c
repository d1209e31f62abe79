// SPDX-License-Identifier: MIT
#include "tools/voxelize/manifold_patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_PATCH UINT32_MAX

// Breadth-first search from face `first` over edges of two faces. Each face reached gets the sign
// that agrees with its neighbor. They become members[begin …]; returns the end of that range.
static uint32_t flood(slv_manifold_patches *patches, uint32_t first, uint32_t begin) {
    uint32_t head = begin;
    uint32_t tail = begin;
    patches->members[tail++] = first;
    patches->signs[first] = 1;
    patches->patch_of[first] = patches->count;
    while (head < tail) {
        const uint32_t face = patches->members[head++];
        for (uint32_t corner = 3 * face; corner < 3 * face + 3; corner++) {
            const uint32_t mate = patches->topology.twins[corner];
            if (mate == SLV_NO_CORNER || patches->patch_of[mate / 3] != NO_PATCH) {
                continue;
            }
            const bool agree = slv_topology_direction(&patches->topology, corner) !=
                               slv_topology_direction(&patches->topology, mate);
            patches->signs[mate / 3] =
                (int8_t)(agree ? patches->signs[face] : -patches->signs[face]);
            patches->patch_of[mate / 3] = patches->count;
            patches->members[tail++] = mate / 3;
        }
    }
    patches->items[patches->count].first = begin;
    patches->items[patches->count++].face_count = tail - begin;
    return tail;
}

int slv_face_vote(const slv_surface_face *face) {
    return (face->same > face->opposite) - (face->same < face->opposite);
}

static void count_faces(slv_manifold_patches *patches) {
    const double unit = ldexp(1.0, -(int)patches->snapped->fraction_bits);
    for (uint32_t f = 0; f < patches->topology.face_count; f++) {
        const slv_surface_face *face = &patches->topology.faces[f];
        slv_manifold_patch *p = &patches->items[patches->patch_of[f]];
        p->double_sided_count += face->same == face->opposite;
        p->votes += patches->signs[f] * slv_face_vote(face);
        for (int corner = 0; corner < 3; corner++) {
            const int64_t *point = slv_snapped_corner(patches->snapped, face->triangle, corner);
            for (int axis = 0; axis < 3; axis++) {
                p->centroid[axis] += (double)point[axis] * unit;
            }
        }
    }
    for (uint32_t i = 0; i < patches->count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            patches->items[i].centroid[axis] /= 3.0 * patches->items[i].face_count;
        }
    }
}

static void measure_volumes(slv_manifold_patches *patches) {
    const double unit = ldexp(1.0, -(int)patches->snapped->fraction_bits);
    for (uint32_t f = 0; f < patches->topology.face_count; f++) {
        slv_manifold_patch *p = &patches->items[patches->patch_of[f]];
        double v[3][3];
        for (int corner = 0; corner < 3; corner++) {
            const int64_t *point =
                slv_snapped_corner(patches->snapped, patches->topology.faces[f].triangle, corner);
            for (int axis = 0; axis < 3; axis++) {
                v[corner][axis] = (double)point[axis] * unit - p->centroid[axis];
            }
        }
        const double six = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                           v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        p->volume += patches->signs[f] * six / 6.0;
    }
}

int slv_manifold_patches_balance(slv_manifold_patches *patches, const uint32_t *corners,
                                 uint32_t uses) {
    int sum = 0;
    for (uint32_t c = 0; c < uses; c++) {
        const uint32_t face = corners[c] / 3;
        slv_manifold_patch *p = &patches->items[patches->patch_of[face]];
        const int use =
            patches->signs[face] * slv_topology_direction(&patches->topology, corners[c]);
        const int edge_balance = p->reversed ? -use : use;
        p->edge_balance += edge_balance;
        sum += p->excluded ? 0 : edge_balance;
    }
    return sum;
}

void slv_manifold_patches_clear_balance(slv_manifold_patches *patches, const uint32_t *corners,
                                        uint32_t uses) {
    for (uint32_t c = 0; c < uses; c++) {
        patches->items[patches->patch_of[corners[c] / 3]].edge_balance = 0;
    }
}

static void find_open_patches(slv_manifold_patches *patches) {
    const uint32_t count = 3 * patches->topology.face_count;
    for (uint32_t i = 0; i < count;) {
        const uint32_t *corners = patches->topology.edge_corners + i;
        const uint32_t uses = slv_topology_edge_uses(&patches->topology, i);
        (void)slv_manifold_patches_balance(patches, corners, uses);
        for (uint32_t c = 0; c < uses; c++) {
            slv_manifold_patch *p = &patches->items[patches->patch_of[corners[c] / 3]];
            p->boundary_edge_count += uses == 1;
            p->open |= p->edge_balance != 0;
        }
        slv_manifold_patches_clear_balance(patches, corners, uses);
        i += uses;
    }
}

static void find_patches(slv_manifold_patches *patches) {
    uint32_t reached = 0;
    for (uint32_t f = 0; f < patches->topology.face_count; f++) {
        patches->patch_of[f] = NO_PATCH;
    }
    for (uint32_t f = 0; f < patches->topology.face_count; f++) {
        if (patches->patch_of[f] == NO_PATCH) {
            reached = flood(patches, f, reached);
        }
    }
    count_faces(patches);
    measure_volumes(patches);
    find_open_patches(patches);
}

void slv_manifold_patch_reverse(slv_manifold_patch *p) {
    p->reversed = !p->reversed;
    p->votes = -p->votes;
    p->volume = -p->volume;
}

int slv_manifold_patches_weight(const slv_manifold_patches *patches, uint32_t face) {
    const slv_manifold_patch *p = &patches->items[patches->patch_of[face]];
    if (p->excluded) {
        return 0;
    }
    return p->reversed ? -patches->signs[face] : patches->signs[face];
}

bool slv_is_sampled_point(const int64_t point[3], uint32_t stride) {
    uint64_t mix = 0;
    for (int axis = 0; axis < 3; axis++) {
        mix = (mix ^ (uint64_t)point[axis]) * UINT64_C(0x9E3779B97F4A7C15);
        mix ^= mix >> 32;
    }
    return mix % stride == 0;
}

static slv_result reserve(slv_manifold_patches *patches, slv_error *error) {
    const size_t faces = (size_t)patches->topology.face_count + 1;
    const size_t triangles = (size_t)patches->snapped->triangle_count + 1;
    patches->signs = malloc(faces * sizeof *patches->signs);
    patches->patch_of = malloc(faces * sizeof *patches->patch_of);
    patches->members = malloc(faces * sizeof *patches->members);
    patches->items = calloc(faces, sizeof *patches->items);
    patches->face_of = malloc(triangles * sizeof *patches->face_of);
    if (patches->signs == NULL || patches->patch_of == NULL || patches->members == NULL ||
        patches->items == NULL || patches->face_of == NULL) {
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u triangles",
                        patches->snapped->triangle_count);
    }
    memset(patches->face_of, 0xFF, triangles * sizeof *patches->face_of);
    for (uint32_t f = 0; f < patches->topology.face_count; f++) {
        patches->face_of[patches->topology.faces[f].triangle] = f;
    }
    return SLV_OK;
}

slv_result slv_manifold_patches_create(const slv_snapped *snapped, slv_manifold_patches *patches,
                                       slv_error *error) {
    *patches = (slv_manifold_patches){.snapped = snapped};
    slv_result result = slv_topology_create(snapped, &patches->topology, error);
    if (result == SLV_OK) {
        result = reserve(patches, error);
    }
    if (result == SLV_OK) {
        find_patches(patches);
    } else {
        slv_manifold_patches_free(patches);
    }
    return result;
}

void slv_manifold_patches_free(slv_manifold_patches *patches) {
    free(patches->signs);
    free(patches->patch_of);
    free(patches->members);
    free(patches->items);
    free(patches->face_of);
    slv_topology_free(&patches->topology);
    *patches = (slv_manifold_patches){0};
}
