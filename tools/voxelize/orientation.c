// SPDX-License-Identifier: MIT
#include "tools/voxelize/orientation.h"

#include "tools/voxelize/nesting.h"
#include "tools/voxelize/views.h"

#include <stdlib.h>

// --- decisions -----------------------------------------------------------------------------------

// The file's own directions prevail, three to one; where they are mixed, the greater volume does.
static void settle_by_majority(slv_patches *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        slv_patch *p = &r->items[i];
        const bool clear = 2 * llabs((long long)p->votes) >= (long long)p->face_count;
        if (clear ? p->votes < 0 : p->volume < 0.0) {
            slv_patch_reverse(p);
        }
    }
}

// Two solids that share a wall have it twice, once each way; it bounds nothing. Double-sided
// surfaces look alike but do not end on other faces: of those one side stays.
static void leave_double_walls_out(slv_patches *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        slv_patch *p = &r->items[i];
        p->left_out = p->paired_count == p->face_count && p->free_edges == 0 && p->open;
    }
}

// A file that is inside out as a whole: its closed parts have less than no volume.
static void turn_file(slv_patches *r) {
    double volume = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        volume += r->items[i].open ? 0.0 : r->items[i].volume;
    }
    for (uint32_t i = 0; volume < 0.0 && i < r->count; i++) {
        slv_patch_reverse(&r->items[i]);
    }
}

// Open patches need not hang together, and the file may have each as it likes. Where rays through the
// whole look like those through a solid, patches most of which is seen from outside are turned to
// face it. Others stay: what is seen of them through a hole tells little.
static void turn_open_patches(slv_patches *r, slv_views *views) {
    double like = 0.0;
    double unlike = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        slv_patch *p = &r->items[i];
        if (p->open && !p->left_out) {
            const slv_outlook outlook = slv_views_outlook(views, i);
            like += outlook.outwards + outlook.inwards;
            unlike += outlook.unlike;
            p->marked = 2.0 * outlook.inwards > outlook.all;
        }
    }
    const bool solid = like > 9.0 * unlike && !slv_views_given_up(views);
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->items[i].marked && solid) {
            slv_patch_reverse(&r->items[i]);
        }
        r->items[i].marked = false;
    }
}

static void measure_gains(slv_patches *r) {
    for (uint32_t i = 0; i < r->count; i++) {
        r->items[i].gain = 0;
    }
    uint32_t uses;
    for (uint32_t i = 0; i < 3 * r->topology.face_count; i += uses) {
        const uint32_t *corners = r->topology.edge_corners + i;
        uses = slv_topology_edge_uses(&r->topology, i);
        const int net = slv_patches_net(r, corners, uses);
        for (uint32_t c = 0; uses > 2 && c < uses; c++) {
            slv_patch *p = &r->items[r->patch_of[corners[c] / 3]];
            p->gain += abs(net) - abs(net - p->net);
            p->net = 0; // once for each patch
        }
        slv_patches_clear_net(r, corners, uses);
    }
}

// A wall across the inside that the file has only once: it hangs on edges that others close without
// it, and they wind round it. Counted, it would make the winding number jump on an inside that holes
// have already weakened.
static void leave_single_walls_out(slv_patches *r, slv_views *views) {
    bool found = true;
    while (found) {
        found = false;
        measure_gains(r);
        for (uint32_t i = 0; i < r->count; i++) {
            slv_patch *p = &r->items[i];
            p->marked = p->open && !p->left_out && p->gain > 0 && slv_views_enclosed(views, i);
        }
        for (uint32_t i = 0; i < r->count; i++) {
            found |= r->items[i].marked;
            r->items[i].left_out |= r->items[i].marked;
            r->items[i].marked = false;
        }
    }
}

// A closed part that is inside out is a cavity where all of it lies in another part, and stays; else
// it is turned outwards, with all that lies in it.
static void turn_parts(slv_patches *r, slv_nesting *nesting) {
    bool any = false;
    for (uint32_t i = 0; i < r->count; i++) {
        slv_patch *p = &r->items[i];
        if (!p->open && p->volume < 0.0) {
            slv_nesting_find(nesting, i, true);
            p->turn = nesting->container_count == 0 && !nesting->in_open;
            any |= p->turn;
        }
    }
    for (uint32_t i = 0; any && i < r->count; i++) {
        if (r->items[i].turn) {
            continue;
        }
        slv_nesting_find(nesting, i, false);
        for (uint32_t k = 0; k < nesting->container_count; k++) {
            r->items[i].carried |= r->items[nesting->containers[k]].turn;
        }
    }
    for (uint32_t i = 0; i < r->count; i++) {
        if (r->items[i].turn || r->items[i].carried) {
            slv_patch_reverse(&r->items[i]);
        }
    }
}

// --- the result ----------------------------------------------------------------------------------

static void write_weights(const slv_patches *r, slv_orientation *orientation) {
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        const slv_surface_face *face = &r->topology.faces[f];
        const int weight = slv_patches_weight(r, f);
        orientation->weights[face->triangle] = (int8_t)weight;
        orientation->flipped_count += weight * slv_face_vote(face) < 0;
    }
}

// Net use of the edge at edge_corners[first] and whether an odd number of faces use it.
static int edge_balance(const slv_patches *r, const slv_orientation *orientation, uint32_t first,
                        uint32_t uses, bool *odd) {
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

static void write_boundary(const slv_patches *r, slv_orientation *orientation) {
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
    // Even everywhere: rays still tell inside from outside, by being odd.
    if (!any_odd && orientation->boundary_count > 0) {
        orientation->one_sided = true;
        orientation->boundary_count = 0;
    }
}

static slv_result reserve(const slv_patches *r, slv_orientation *orientation, slv_error *error) {
    const size_t triangles = (size_t)r->snapped->triangle_count + 1;
    const size_t edges = 3 * (size_t)r->topology.face_count + 1;
    orientation->weights = calloc(triangles, sizeof *orientation->weights);
    orientation->boundary = malloc(edges * sizeof *orientation->boundary);
    return orientation->weights != NULL && orientation->boundary != NULL
               ? SLV_OK
               : slv_fail(error, SLV_ERROR_MEMORY, "out of memory for %u triangles",
                          r->snapped->triangle_count);
}

slv_result slv_orientation_create(slv_patches *patches, const slv_bvh *bvh,
                                  slv_orientation *orientation, slv_error *error) {
    *orientation = (slv_orientation){0};
    slv_nesting nesting = {0};
    slv_result result = slv_nesting_create(patches, bvh, &nesting, error);
    if (result == SLV_OK) {
        result = reserve(patches, orientation, error);
    }
    if (result == SLV_OK) {
        slv_views views = {.patches = patches, .bvh = bvh};
        settle_by_majority(patches);
        leave_double_walls_out(patches);
        turn_file(patches);
        turn_open_patches(patches, &views);
        leave_single_walls_out(patches, &views);
        turn_parts(patches, &nesting);
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
