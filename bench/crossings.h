// SPDX-License-Identifier: MIT
// Counts crossings of triangles. Two triangles cross where an edge of one goes through the other. Triangles that
// share an edge cannot cross; those that share a corner cross where an edge away from it does. Triangles that lie
// within each other in one plane do not count.
//
// Coordinates are rounded once, to 2^-26 m (15 nm), and are integers from then on: which side of a plane a point lies
// on is decided exactly. Coordinates must lie within 32 m of the first vertex. A tree of bounding boxes makes the cost
// of n triangles about n log n.
#ifndef SLV_BENCH_CROSSINGS_H
#define SLV_BENCH_CROSSINGS_H

#include <stdbool.h>
#include <stdint.h>

// Sides of an integer point relative to the plane through three others: the sign of the determinant of
// (b - a, c - a, d - a). Differences must be below 2^33.
int slv_exact_side(const int64_t a[3], const int64_t b[3], const int64_t c[3], const int64_t d[3]);

// Whether segment pq goes through triangle abc: p and q lie on different sides of its plane, neither in it, and pq
// meets the triangle or its border.
bool slv_segment_crosses(const int64_t p[3], const int64_t q[3], const int64_t a[3],
                         const int64_t b[3], const int64_t c[3]);

// A mesh to be searched. Vertices at exactly the same position count as one, so that seams are closed.
typedef struct slv_crossing_mesh {
    const float *positions;    // [vertex_count][3] metres
    const uint32_t *triangles; // [triangle_count][3]
    uint32_t vertex_count;
    uint32_t triangle_count;
    bool quiet; // crossings of this mesh with itself and with other quiet ones do not count
} slv_crossing_mesh;

// A pair of triangles that cross, by mesh and by number within it.
typedef struct slv_crossing {
    uint32_t mesh[2];
    uint32_t triangle[2];
} slv_crossing;

typedef void slv_crossing_found(void *context, const slv_crossing *crossing);

// Calls `found` for each pair that crosses. False without memory, or where a coordinate is out of range.
bool slv_find_crossings(const slv_crossing_mesh *meshes, uint32_t count, slv_crossing_found *found,
                        void *context);

#endif
