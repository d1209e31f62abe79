// SPDX-License-Identifier: MIT
#include "tools/voxelize/orientation.h"

#include "tools/voxelize/face.h"
#include "tools/voxelize/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_PATCH UINT32_MAX
#define NO_FACE UINT32_MAX

// Faces joined over edges that no third face uses: the largest pieces that have one orientation.
typedef struct patch {
    uint32_t face_count;
    uint32_t paired_count; // faces that the file has as often one way as the other
    uint32_t free_edges;   // that no other face uses
    bool open;             // uses some edge oftener in one direction than in the other
    int64_t votes;         // faces that stand in the file as they stand now, less those that do not
    double volume;         // cells cubed; of open patches with a fan to their middle
    double middle[3];
    uint32_t point; // one of its own
    bool reversed;  // turned round as a whole
    bool left_out;
    bool turn, carried; // to be turned; for its own sake, or with what it lies in
    bool touched;       // by the ray being followed …
    int32_t winding;    // … and how often this patch winds round the ray's start
} patch;

typedef struct repair {
    const slv_snapped *snapped;
    const slv_bvh *bvh;
    slv_topology topology;
    int8_t *signs;        // [face_count] +1 as its triangle stands, -1 the other way
    uint32_t *patch_of;   // [face_count]
    uint32_t *queue;      // [face_count]
    uint32_t *containers; // [patch_count]
    uint32_t *face_of;    // [triangle_count] or NO_FACE
    patch *patches;       // [patch_count], room for face_count
    uint32_t patch_count;
} repair;

// --- patches -------------------------------------------------------------------------------------

// Gives all faces that can be reached from first over edges of two a direction that agrees with it.
static void flood(repair *r, uint32_t first) {
    uint32_t head = 0;
    uint32_t tail = 0;
    r->queue[tail++] = first;
    r->signs[first] = 1;
    r->patch_of[first] = r->patch_count;
    while (head < tail) {
        const uint32_t face = r->queue[head++];
        for (uint32_t corner = 3 * face; corner < 3 * face + 3; corner++) {
            const uint32_t mate = r->topology.mates[corner];
            if (mate == SLV_NO_CORNER || r->patch_of[mate / 3] != NO_PATCH) {
                continue;
            }
            const bool agree = slv_topology_direction(&r->topology, corner) !=
                               slv_topology_direction(&r->topology, mate);
            r->signs[mate / 3] = (int8_t)(agree ? r->signs[face] : -r->signs[face]);
            r->patch_of[mate / 3] = r->patch_count;
            r->queue[tail++] = mate / 3;
        }
    }
    r->patch_count++;
}

static int vote(const slv_surface_face *face) {
    return (face->same > face->opposite) - (face->same < face->opposite);
}

static void count_faces(repair *r) {
    const double unit = ldexp(1.0, -(int)r->snapped->fraction_bits);
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        const slv_surface_face *face = &r->topology.faces[f];
        patch *p = &r->patches[r->patch_of[f]];
        p->face_count++;
        p->paired_count += face->same == face->opposite;
        p->votes += r->signs[f] * vote(face);
        p->point = r->snapped->triangles[face->triangle][0];
        for (int corner = 0; corner < 3; corner++) {
            const int64_t *point = slv_snapped_corner(r->snapped, face->triangle, corner);
            for (int axis = 0; axis < 3; axis++) {
                p->middle[axis] += (double)point[axis] * unit;
            }
        }
    }
    for (uint32_t i = 0; i < r->patch_count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            r->patches[i].middle[axis] /= 3.0 * r->patches[i].face_count;
        }
    }
}

static void measure_volumes(repair *r) {
    const double unit = ldexp(1.0, -(int)r->snapped->fraction_bits);
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        patch *p = &r->patches[r->patch_of[f]];
        double v[3][3];
        for (int corner = 0; corner < 3; corner++) {
            const int64_t *point =
                slv_snapped_corner(r->snapped, r->topology.faces[f].triangle, corner);
            for (int axis = 0; axis < 3; axis++) {
                v[corner][axis] = (double)point[axis] * unit - p->middle[axis];
            }
        }
        const double six = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) +
                           v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
                           v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        p->volume += r->signs[f] * six / 6.0;
    }
}

// What corners[0 … count) of one edge sum up to within the patch of corners[which].
static int net_use(const repair *r, const uint32_t *corners, uint32_t count, uint32_t which) {
    int net = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (r->patch_of[corners[i] / 3] == r->patch_of[corners[which] / 3]) {
            net += r->signs[corners[i] / 3] * slv_topology_direction(&r->topology, corners[i]);
        }
    }
    return net;
}

static void find_open_patches(repair *r) {
    const uint32_t count = 3 * r->topology.face_count;
    for (uint32_t i = 0; i < count;) {
        const uint32_t *corners = r->topology.edge_corners + i;
        const uint32_t uses = slv_topology_edge_uses(&r->topology, i);
        for (uint32_t c = 0; c < uses; c++) {
            patch *p = &r->patches[r->patch_of[corners[c] / 3]];
            p->free_edges += uses == 1;
            p->open |= net_use(r, corners, uses, c) != 0;
        }
        i += uses;
    }
}

static void find_patches(repair *r) {
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        r->patch_of[f] = NO_PATCH;
    }
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        if (r->patch_of[f] == NO_PATCH) {
            flood(r, f);
        }
    }
    count_faces(r);
    measure_volumes(r);
    find_open_patches(r);
}

// --- decisions -----------------------------------------------------------------------------------

static void reverse(patch *p) {
    p->reversed = !p->reversed;
    p->votes = -p->votes;
    p->volume = -p->volume;
}

// The file's own directions prevail, three to one; where they are mixed, the greater volume does.
static void settle_by_majority(repair *r) {
    for (uint32_t i = 0; i < r->patch_count; i++) {
        patch *p = &r->patches[i];
        const bool clear = 2 * llabs((long long)p->votes) >= (long long)p->face_count;
        if (clear ? p->votes < 0 : p->volume < 0.0) {
            reverse(p);
        }
    }
}

// Two solids that share a wall have it twice, once each way; it bounds nothing. Double-sided
// surfaces look alike but do not end on other faces: of those one side stays.
static void leave_walls_out(repair *r) {
    for (uint32_t i = 0; i < r->patch_count; i++) {
        patch *p = &r->patches[i];
        p->left_out = p->paired_count == p->face_count && p->free_edges == 0 && p->open;
    }
}

// A file that is inside out as a whole: its closed parts have less than no volume.
static void turn_file(repair *r) {
    double volume = 0.0;
    for (uint32_t i = 0; i < r->patch_count; i++) {
        volume += r->patches[i].open ? 0.0 : r->patches[i].volume;
    }
    for (uint32_t i = 0; volume < 0.0 && i < r->patch_count; i++) {
        reverse(&r->patches[i]);
    }
}

// Lists in r->containers the patches, other than i, that wind round a point of patch i.
static uint32_t find_containers(repair *r, uint32_t i) {
    const int64_t *point = r->snapped->points[r->patches[i].point];
    const double unit = ldexp(1.0, -(int)r->snapped->fraction_bits);
    float lo[3];
    float hi[3];
    for (int axis = 0; axis < 3; axis++) {
        lo[axis] = nextafterf((float)((double)point[axis] * unit), -INFINITY);
        hi[axis] = nextafterf((float)((double)point[axis] * unit), INFINITY);
    }
    lo[0] = -INFINITY; // the ray
    slv_bvh_walk walk;
    uint32_t triangle;
    uint32_t touched = 0;
    slv_bvh_walk_begin(&walk, r->bvh, lo, hi);
    while (slv_bvh_walk_next(&walk, &triangle)) {
        const uint32_t f = r->face_of[triangle];
        if (f == NO_FACE || r->patch_of[f] == i) {
            continue;
        }
        patch *p = &r->patches[r->patch_of[f]];
        const slv_face face = slv_face_make(r->snapped, triangle);
        if (!p->touched) {
            p->touched = true;
            p->winding = 0;
            r->containers[touched++] = r->patch_of[f];
        }
        p->winding += r->signs[f] * slv_face_winding(&face, point);
    }
    uint32_t count = 0;
    for (uint32_t k = 0; k < touched; k++) {
        r->patches[r->containers[k]].touched = false;
        if (r->patches[r->containers[k]].winding != 0) {
            r->containers[count++] = r->containers[k];
        }
    }
    return count;
}

// A closed part that is inside out and lies in no other is turned outwards, with all that lies in
// it; one that lies in another is a cavity and stays.
static void turn_parts(repair *r) {
    bool any = false;
    for (uint32_t i = 0; i < r->patch_count; i++) {
        patch *p = &r->patches[i];
        p->turn = !p->open && p->volume < 0.0 && find_containers(r, i) == 0;
        any |= p->turn;
    }
    for (uint32_t i = 0; any && i < r->patch_count; i++) {
        if (r->patches[i].turn) {
            continue;
        }
        const uint32_t count = find_containers(r, i);
        for (uint32_t k = 0; k < count; k++) {
            r->patches[i].carried |= r->patches[r->containers[k]].turn;
        }
    }
    for (uint32_t i = 0; i < r->patch_count; i++) {
        if (r->patches[i].turn || r->patches[i].carried) {
            reverse(&r->patches[i]);
        }
    }
}

// --- the result ----------------------------------------------------------------------------------

static void write_weights(const repair *r, slv_orientation *orientation) {
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        const patch *p = &r->patches[r->patch_of[f]];
        const slv_surface_face *face = &r->topology.faces[f];
        const int8_t weight = (int8_t)(p->reversed ? -r->signs[f] : r->signs[f]);
        orientation->weights[face->triangle] = p->left_out ? 0 : weight;
        orientation->flipped_count += !p->left_out && weight * vote(face) < 0;
    }
}

// Net use of the edge at edge_corners[first] and whether an odd number of faces use it.
static int edge_balance(const repair *r, const slv_orientation *orientation, uint32_t first,
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

static void write_boundary(const repair *r, slv_orientation *orientation) {
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

static slv_result reserve(repair *r, slv_orientation *orientation, slv_error *error) {
    const size_t faces = (size_t)r->topology.face_count + 1;
    const size_t triangles = (size_t)r->snapped->triangle_count + 1;
    r->signs = malloc(faces * sizeof *r->signs);
    r->patch_of = malloc(faces * sizeof *r->patch_of);
    r->queue = malloc(faces * sizeof *r->queue);
    r->containers = r->queue; // the flood is over before the first ray
    r->patches = calloc(faces, sizeof *r->patches);
    r->face_of = malloc(triangles * sizeof *r->face_of);
    orientation->weights = calloc(triangles, sizeof *orientation->weights);
    orientation->boundary = malloc(3 * faces * sizeof *orientation->boundary);
    if (r->signs == NULL || r->patch_of == NULL || r->queue == NULL || r->patches == NULL ||
        r->face_of == NULL || orientation->weights == NULL || orientation->boundary == NULL) {
        return slv_fail(error, SLV_ERROR_INTERNAL, "out of memory for %u triangles",
                        r->snapped->triangle_count);
    }
    memset(r->face_of, 0xFF, triangles * sizeof *r->face_of);
    for (uint32_t f = 0; f < r->topology.face_count; f++) {
        r->face_of[r->topology.faces[f].triangle] = f;
    }
    return SLV_OK;
}

slv_result slv_orientation_create(const slv_snapped *snapped, const slv_bvh *bvh,
                                  slv_orientation *orientation, slv_error *error) {
    *orientation = (slv_orientation){0};
    repair r = {.snapped = snapped, .bvh = bvh};
    slv_result result = slv_topology_create(snapped, &r.topology, error);
    if (result == SLV_OK) {
        result = reserve(&r, orientation, error);
    }
    if (result == SLV_OK) {
        find_patches(&r);
        settle_by_majority(&r);
        leave_walls_out(&r);
        turn_file(&r);
        turn_parts(&r);
        write_weights(&r, orientation);
        write_boundary(&r, orientation);
    } else {
        slv_orientation_free(orientation);
    }
    free(r.signs);
    free(r.patch_of);
    free(r.queue);
    free(r.patches);
    free(r.face_of);
    slv_topology_free(&r.topology);
    return result;
}

void slv_orientation_free(slv_orientation *orientation) {
    free(orientation->weights);
    free(orientation->boundary);
    *orientation = (slv_orientation){0};
}
