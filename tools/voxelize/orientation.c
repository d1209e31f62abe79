// SPDX-License-Identifier: MIT
#include "tools/voxelize/orientation.h"

#include "tools/voxelize/nesting.h"
#include "tools/voxelize/visibility.h"

#include <stdlib.h>

// Rays that look like those of a solid, over those that do not: nine of ten.
static const double SOLID_RATIO = 9.0;

// --- decisions -----------------------------------------------------------------------------------

// Keeps the winding of the majority where at least three quarters of the faces have it. Otherwise
// the sign of the volume decides.
static void orient_by_majority(slv_manifold_patches *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        slv_manifold_patch *p = &r->items[i];
        const bool clear = 2 * llabs((long long)p->votes) >= (long long)p->face_count;
        if (clear ? p->votes < 0 : p->volume < 0.0) {
            slv_manifold_patch_reverse(p);
        }
    }
}

// Excludes walls between two solids: both windings exist, all edges are shared with other faces,
// and they bound no volume. Double-sided surfaces have boundary edges of their own; one side of
// them stays.
static void exclude_double_walls(slv_manifold_patches *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        slv_manifold_patch *p = &r->items[i];
        p->excluded =
            p->double_sided_count == p->face_count && p->boundary_edge_count == 0 && p->open;
    }
}

// Flips all patches where the closed ones have a negative volume in total: the whole file is
// inverted.
static void orient_file(slv_manifold_patches *r) {
    double volume = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        volume += r->items[i].open ? 0.0 : r->items[i].volume;
    }
    for (uint32_t i = 0; volume < 0.0 && i < r->count; i++) {
        slv_manifold_patch_reverse(&r->items[i]);
    }
}

// Orients open patches outwards. They need not be connected, and the file may give each any
// winding. A patch is flipped where most of its rays say inward, provided that the rays of all
// patches look like those of a solid. Other patches stay: rays through holes are not reliable.
static void orient_open_patches(slv_manifold_patches *r, slv_visibility *visibility) {
    double solid_like = 0.0;
    double not_solid = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        slv_manifold_patch *p = &r->items[i];
        if (p->open && !p->excluded) {
            const slv_facing facing = slv_visibility_facing(visibility, i);
            solid_like += facing.outward + facing.inward;
            not_solid += facing.not_solid;
            p->selected = 2.0 * facing.inward > facing.total;
        }
    }
    const bool solid =
        solid_like > SOLID_RATIO * not_solid && !slv_visibility_over_budget(visibility);
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->items[i].selected && solid) {
            slv_manifold_patch_reverse(&r->items[i]);
        }
        r->items[i].selected = false;
    }
}

static void measure_boundary_reductions(slv_manifold_patches *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        r->items[i].boundary_reduction = 0;
    }
    uint32_t uses;
    for (uint32_t i = 0; i < 3 * r->topology.face_count; i += uses) {
        const uint32_t *corners = r->topology.edge_corners + i;
        uses = slv_topology_edge_uses(&r->topology, i);
        const int net = slv_manifold_patches_balance(r, corners, uses);
        for (uint32_t c = 0; uses > 2 && c < uses; c++) {
            slv_manifold_patch *p = &r->items[r->patch_of[corners[c] / 3]];
            p->boundary_reduction += abs(net) - abs(net - p->edge_balance);
            p->edge_balance = 0; // counted once per patch
        }
        slv_manifold_patches_clear_balance(r, corners, uses);
    }
}

// Excludes single walls inside a solid: other faces close its edges without it, and they enclose
// it. With such a wall the winding number would change inside, where holes have already reduced it.
static void exclude_internal_walls(slv_manifold_patches *r, slv_visibility *visibility) {
    bool found = true;
    while (found) {
        found = false;
        measure_boundary_reductions(r);
        for (uint32_t i = 0; i < r->count; i++) {
            slv_manifold_patch *p = &r->items[i];
            p->selected = p->open && !p->excluded && p->boundary_reduction > 0 &&
                          slv_visibility_is_enclosed(visibility, i);
        }
        for (uint32_t i = 0; i < r->count; i++) {
            found |= r->items[i].selected;
            r->items[i].excluded |= r->items[i].selected;
            r->items[i].selected = false;
        }
    }
}

// An inverted closed patch inside another patch is a cavity and stays. Any other inverted closed
// patch is flipped together with all patches inside it.
static void orient_closed_patches(slv_manifold_patches *r, slv_nesting *nesting) {
    bool any = false;
    for (uint32_t i = 0; i < r->count; i++) {
        slv_manifold_patch *p = &r->items[i];
        if (!p->open && p->volume < 0.0) {
            slv_nesting_find(nesting, i, true);
            p->flip = nesting->container_count == 0 && !nesting->in_open_patches;
            any |= p->flip;
        }
    }
    for (uint32_t i = 0; any && i < r->count; i++) {
        if (r->items[i].flip) {
            continue;
        }
        slv_nesting_find(nesting, i, false);
        for (uint32_t k = 0; k < nesting->container_count; k++) {
            r->items[i].flip_with_container |= r->items[nesting->containers[k]].flip;
        }
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->items[i].flip || r->items[i].flip_with_container) {
            slv_manifold_patch_reverse(&r->items[i]);
        }
    }
}

// --- the result ----------------------------------------------------------------------------------

static void write_weights(const slv_manifold_patches *r, slv_orientation *orientation) {
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        const slv_surface_face *face = &r->topology.faces[f];
        const int weight = slv_manifold_patches_weight(r, f);
        orientation->weights[face->triangle] = (int8_t)weight;
        orientation->flipped_count += weight * slv_face_vote(face) < 0;
    }
}

// Sum of the directed uses of the edge at edge_corners[first]. *odd: an odd number of faces use it.
static int edge_balance(const slv_manifold_patches *r, const slv_orientation *orientation,
                        uint32_t first, uint32_t uses, bool *odd) {
    int net = 0;
    *odd = false;
    for (uint32_t i = first; i < first + uses; i++) {
        const uint32_t corner = r->topology.edge_corners[i];
        const int8_t weight = orientation->weights[r->topology.faces[corner / 3].triangle];
        net += weight * slv_topology_direction(&r->topology, corner);
        *odd ^= weight != 0;
    }
    return net;
}

static void write_boundary(const slv_manifold_patches *r, slv_orientation *orientation) {
    bool any_odd = false;
    uint32_t uses;
    for (uint32_t i = 0; i < 3 * r->topology.face_count; i += uses) {
        bool odd;
        uses = slv_topology_edge_uses(&r->topology, i);
        const int net = edge_balance(r, orientation, i, uses, &odd);
        any_odd |= odd;
        if (net != 0) {
            uint32_t from;
            uint32_t to;
            const uint32_t corner = r->topology.edge_corners[i];
            slv_topology_edge(&r->topology, corner, &from, &to);
            const bool along = (net > 0) == (slv_topology_direction(&r->topology, corner) > 0);
            orientation->boundary[orientation->boundary_count++] = (slv_boundary_edge){
                along ? from : to, along ? to : from, (uint32_t)(net < 0 ? -net : net)};
        }
    }
    // Every edge has an even number of faces: crossing parity still separates inside from outside.
    if (!any_odd && orientation->boundary_count > 0) {
        orientation->one_sided = true;
        orientation->boundary_count = 0;
    }
}

static slv_result reserve(const slv_manifold_patches *r, slv_orientation *orientation,
                          slv_error *error) {
    const size_t triangles = (size_t)r->snapped->triangle_count + 1;
    const size_t edges = 3 * (size_t)r->topology.face_count + 1;
    orientation->weights = calloc(triangles, sizeof *orientation->weights);
    orientation->boundary = malloc(edges * sizeof *orientation->boundary);
    return orientation->weights != NULL && orientation->boundary != NULL
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u triangles",
                          r->snapped->triangle_count);
}

slv_result slv_orientation_create(slv_manifold_patches *patches, const slv_bvh *bvh,
                                  slv_orientation *orientation, slv_error *error) {
    *orientation = (slv_orientation){0};
    slv_nesting nesting = {0};
    slv_result result = slv_nesting_create(patches, bvh, &nesting, error);
    if (result == SLV_OK) {
        result = reserve(patches, orientation, error);
    }
    if (result == SLV_OK) {
        slv_visibility visibility = {.patches = patches, .bvh = bvh};
        orient_by_majority(patches);
        exclude_double_walls(patches);
        orient_file(patches);
        orient_open_patches(patches, &visibility);
        exclude_internal_walls(patches, &visibility);
        orient_closed_patches(patches, &nesting);
        write_weights(patches, orientation);
        write_boundary(patches, orientation);
    } else {
        slv_orientation_free(orientation);
    }
    slv_nesting_free(&nesting);
    return result;
}

void slv_orientation_free(slv_orientation *orientation) {
    free(orientation->weights);
    free(orientation->boundary);
    *orientation = (slv_orientation){0};
}
