// SPDX-License-Identifier: MIT
#include "tools/voxelize/topology.h"

#include <stdlib.h>
#include <string.h>

typedef struct record { // points in ascending order and the triangle or half-edge they belong to
    uint32_t low, middle, high;
    uint32_t owner;
} record;

static int compare_records(const void *left, const void *right) {
    const record *a = left;
    const record *b = right;
    if (a->middle != b->middle) {
        return a->middle < b->middle ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->owner > b->owner) - (a->owner < b->owner);
}

static void sort_bucket(record *records, uint32_t count) {
    if (count > 24) {
        qsort(records, count, sizeof *records, compare_records);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        const record moved = records[i];
        uint32_t at = i;
        for (; at > 0 && compare_records(&records[at - 1], &moved) > 0; at--) {
            records[at] = records[at - 1];
        }
        records[at] = moved;
    }
}

// Bucket sort by low point, then by middle, high and owner; a bucket holds a few records. scratch
// has the size of records, ends one element more than there are points.
static void sort_records(record *records, uint32_t count, uint32_t point_count, record *scratch,
                         uint32_t *ends) {
    memset(ends, 0, ((size_t)point_count + 1) * sizeof *ends);
    for (uint32_t i = 0; i < count; i++) {
        ends[records[i].low + 1]++;
    }
    for (uint32_t p = 0; p < point_count; p++) {
        ends[p + 1] += ends[p];
    }
    memcpy(scratch, records, count * sizeof *records);
    for (uint32_t i = 0; i < count; i++) {
        records[ends[scratch[i].low]++] = scratch[i];
    }
    uint32_t start = 0;
    for (uint32_t p = 0; p < point_count; p++) {
        sort_bucket(records + start, ends[p] - start);
        start = ends[p];
    }
}

static void swap_points(uint32_t *a, uint32_t *b, bool *odd) {
    if (*a > *b) {
        const uint32_t kept = *a;
        *a = *b;
        *b = kept;
        *odd = !*odd;
    }
}

// Sorts the points of a triangle. odd: the permutation is odd, which reverses the winding.
static record sorted_triangle(const uint32_t points[3], uint32_t owner, bool *odd) {
    record r = {points[0], points[1], points[2], owner};
    *odd = false;
    swap_points(&r.low, &r.middle, odd);
    swap_points(&r.middle, &r.high, odd);
    swap_points(&r.low, &r.middle, odd);
    return r;
}

static bool same_points(const record *a, const record *b) {
    return a->low == b->low && a->middle == b->middle && a->high == b->high;
}

static void collect_faces(slv_topology *topology, record *records, record *scratch,
                          uint32_t *ends) {
    const slv_snapped *snapped = topology->snapped;
    const uint32_t count = snapped->triangle_count;
    bool odd;
    for (uint32_t t = 0; t < count; t++) {
        records[t] = sorted_triangle(snapped->triangles[t], t, &odd);
    }
    sort_records(records, count, snapped->point_count, scratch, ends);
    for (uint32_t i = 0; i < count;) {
        slv_surface_face face = {.triangle = records[i].owner};
        bool first_odd;
        (void)sorted_triangle(snapped->triangles[face.triangle], 0, &first_odd);
        uint32_t next = i;
        for (; next < count && same_points(&records[i], &records[next]); next++) {
            (void)sorted_triangle(snapped->triangles[records[next].owner], 0, &odd);
            face.same += odd == first_odd;
            face.opposite += odd != first_odd;
        }
        topology->faces[topology->face_count++] = face;
        i = next;
    }
}

static void collect_edges(slv_topology *topology, record *records, record *scratch,
                          uint32_t *ends) {
    const uint32_t count = 3 * topology->face_count;
    for (uint32_t corner = 0; corner < count; corner++) {
        uint32_t from;
        uint32_t to;
        slv_topology_edge(topology, corner, &from, &to);
        records[corner] = (record){from < to ? from : to, from < to ? to : from, 0, corner};
        topology->twins[corner] = SLV_NO_CORNER;
    }
    sort_records(records, count, topology->snapped->point_count, scratch, ends);
    for (uint32_t i = 0; i < count; i++) {
        topology->edge_corners[i] = records[i].owner;
    }
    for (uint32_t i = 0; i < count;) {
        uint32_t next = i + 1;
        while (next < count && same_points(&records[i], &records[next])) {
            next++;
        }
        if (next - i == 2) {
            topology->twins[records[i].owner] = records[i + 1].owner;
            topology->twins[records[i + 1].owner] = records[i].owner;
        }
        i = next;
    }
}

slv_result slv_topology_create(const slv_snapped *snapped, slv_topology *topology,
                               slv_error *error) {
    const size_t corners = 3 * (size_t)snapped->triangle_count;
    *topology = (slv_topology){.snapped = snapped};
    if (corners >= UINT32_MAX) {
        return slv_fail(error, SLV_ERROR_UNSUPPORTED, "%u triangles are more than %u",
                        snapped->triangle_count, UINT32_MAX / 3);
    }
    topology->faces = calloc((size_t)snapped->triangle_count + 1, sizeof *topology->faces);
    topology->edge_corners = calloc(corners + 1, sizeof *topology->edge_corners);
    topology->twins = malloc((corners + 1) * sizeof *topology->twins);
    record *records = calloc(corners + 1, sizeof *records);
    record *scratch = malloc((corners + 1) * sizeof *scratch);
    uint32_t *ends = malloc(((size_t)snapped->point_count + 1) * sizeof *ends);
    const bool enough = topology->faces != NULL && topology->edge_corners != NULL &&
                        topology->twins != NULL && records != NULL && scratch != NULL &&
                        ends != NULL;
    if (enough) {
        collect_faces(topology, records, scratch, ends);
        collect_edges(topology, records, scratch, ends);
    }
    free(records);
    free(scratch);
    free(ends);
    if (!enough) {
        slv_topology_free(topology);
        return slv_fail(error, SLV_ERROR_MEMORY, "out of memory for the edges of %u triangles",
                        snapped->triangle_count);
    }
    return SLV_OK;
}

void slv_topology_free(slv_topology *topology) {
    free(topology->faces);
    free(topology->edge_corners);
    free(topology->twins);
    *topology = (slv_topology){0};
}

void slv_topology_edge(const slv_topology *topology, uint32_t corner, uint32_t *from,
                       uint32_t *to) {
    const uint32_t *points = topology->snapped->triangles[topology->faces[corner / 3].triangle];
    *from = points[corner % 3];
    *to = points[(corner + 1) % 3];
}

int slv_topology_direction(const slv_topology *topology, uint32_t corner) {
    uint32_t from;
    uint32_t to;
    slv_topology_edge(topology, corner, &from, &to);
    return from < to ? 1 : -1;
}

uint32_t slv_topology_edge_uses(const slv_topology *topology, uint32_t first) {
    const uint32_t count = 3 * topology->face_count;
    uint32_t from[2];
    uint32_t to[2];
    slv_topology_edge(topology, topology->edge_corners[first], &from[0], &to[0]);
    uint32_t next = first + 1;
    for (; next < count; next++) {
        slv_topology_edge(topology, topology->edge_corners[next], &from[1], &to[1]);
        const bool same =
            (from[0] == from[1] && to[0] == to[1]) || (from[0] == to[1] && to[0] == from[1]);
        if (!same) {
            break;
        }
    }
    return next - first;
}
