// SPDX-License-Identifier: MIT
// Colliders and contacts. Included by selvage.h, which states the rules of all calls.
#ifndef SELVAGE_COLLIDER_H
#define SELVAGE_COLLIDER_H

#include <selvage/clip.h>

#ifdef __cplusplus
extern "C" {
#endif

// Shapes that garments collide with, in their own frame, which position and rotation place in the world.
typedef enum slv_collider_kind {
    SLV_COLLIDER_PLANE = 1,   // the half-space below y = 0
    SLV_COLLIDER_SPHERE = 2,  // radius
    SLV_COLLIDER_CAPSULE = 3, // radius; its axis, along y, is `length` long without the caps
    SLV_COLLIDER_BOX = 4,     // size: its extents
    SLV_COLLIDER_WEDGE = 5,   // an edge along z through the origin; size: width at the top, height,
                              // length of the edge
    SLV_COLLIDER_FUNNEL = 6,  // the inside of r = e^(y / steepness) from y = low to high; wall
    SLV_COLLIDER_FIELD = 7,   // the signed distance field (SDFG) in a pack
} slv_collider_kind;

typedef struct slv_collider_id { // as slv_garment_id
    uint32_t slot;
    uint32_t generation;
} slv_collider_id;

// generated from runtime/base/parameters/collider.def
typedef struct slv_collider_def {
    // Shape. [default sphere]
    slv_collider_kind kind;
    // Position of the shape's origin. [m; -9e5 to 9e5; default (0, 0, 0)]
    double position[3];
    // Rotation around the shape's origin. [unit quaternion x, y, z, w; default (0, 0, 0, 1)]
    float rotation[4];
    // Velocity. [m/s; -1e6 to 1e6; default (0, 0, 0)]
    float velocity[3];
    // Angular velocity around the axes of the world; at most half a turn a step. [rad/s; -1e6 to
    // 1e6; default (0, 0, 0)]
    float angular_velocity[3];
    // Radius of a sphere or capsule. [m; 0 to 1e6; default 0]
    float radius;
    // Length of a capsule's axis, along y, without the caps. [m; 0 to 1e6; default 0]
    float length;
    // Extents of a box. Of a wedge: width at the top, height, length of the edge along z. [m; 0 to
    // 1e6; default (0, 0, 0)]
    float size[3];
    // a of a funnel r = e^(y/a). [m; 0.001 to 1e6; default 1]
    float steepness;
    // Lowest y of a funnel. [m; -1e6 to 1e6; default 0]
    float low;
    // Highest y of a funnel; at least low. [m; -1e6 to 1e6; default 0]
    float high;
    // Thickness of a funnel's wall. There are no contacts beyond it. [m; 0 to 1e6; default 0.05]
    float wall;

    // A field has exactly one of pack_path and pack_bytes.

    // Path of a pack with a signed distance field (selvage-voxelize --with-sdf).
    const char *pack_path;
    // The pack in memory, 64-byte aligned. Read only during slv_world_add_collider.
    const void *pack_bytes;
    // Bytes at pack_bytes.
    size_t pack_size;
    // Coefficient of static friction. Between two surfaces the geometric mean counts. [0 to 1000;
    // default 0.4]
    float friction;
    // Coefficient of kinetic friction. [0 to 1000; default SLV_UNSET: friction]
    float kinetic_friction;
    // Ratio of speeds after and before an impact. Of two surfaces the larger counts. [0 to 1;
    // default 0]
    float restitution;
    // Set by slv_default_collider_def; must not change.
    uint32_t cookie;
} slv_collider_def;
// end of generated

SLV_API slv_collider_def slv_default_collider_def(void);
SLV_API slv_result slv_world_add_collider(slv_world *world, const slv_collider_def *def,
                                          slv_collider_id *id);
SLV_API slv_result slv_world_remove_collider(slv_world *world, slv_collider_id id);
SLV_API slv_result slv_collider_set_user_data(slv_world *world, slv_collider_id id,
                                              void *user_data);
SLV_API void *slv_collider_get_user_data(const slv_world *world, slv_collider_id id);
SLV_API bool slv_collider_is_valid(const slv_world *world, slv_collider_id id);
SLV_API uint32_t slv_world_get_collider_count(const slv_world *world);
// The colliders, index 0 … count - 1, in the order of adding; one that is added after a removal takes the first free
// place. The null id for other indices.
SLV_API slv_collider_id slv_world_get_collider(const slv_world *world, uint32_t index);

// Moves a collider to a pose linearly over the next `steps` steps (1 … 2^24), by the shorter rotation. Then it stands
// still.
SLV_API slv_result slv_collider_move(slv_world *world, slv_collider_id id, const double position[3],
                                     const float rotation[4], uint32_t steps);
// As slv_collider_move, in seconds (1e-6 … 3600) from the present time. To be called once a frame, as
// slv_garment_lead_fixed.
SLV_API slv_result slv_collider_lead(slv_world *world, slv_collider_id id, const double position[3],
                                     const float rotation[4], double seconds);
// Velocity (m/s) and angular velocity (rad/s around the axes of the world) from now on.
SLV_API slv_result slv_collider_set_velocity(slv_world *world, slv_collider_id id,
                                             const float velocity[3],
                                             const float angular_velocity[3]);
// The pose at the last step. position and rotation may be NULL. A plane that neither turns nor moves to a pose, and is
// further than 64 m from the origin of the world, has the position of its point nearest to the origin.
SLV_API slv_result slv_collider_get_pose(slv_world *world, slv_collider_id id, double position[3],
                                         float rotation[4]);

// A contact of a particle with a collider or with a particle of another garment.
typedef struct slv_contact_point {
    uint32_t particle; // own number
    float position[3]; // metres, on the surface of the other
    float normal[3];   // unit length, points out of that surface
} slv_contact_point;
// The contacts of a garment at its present positions, without those with itself, for drawing. Writes the first `room`
// and their number into *count. It tests every particle, which is slow.
SLV_API slv_result slv_garment_get_contact_points(slv_world *world, slv_garment_id id,
                                                  slv_contact_point *points, uint32_t room,
                                                  uint32_t *count);

// Particles that can move and whose center is inside a collider or a clip's surface that their garment collides with, at
// the present positions. A clip's inside is what lies behind its particles; parts that are not thicker than four times
// slv_clip_report.coverage have none, and it is as exact as these particles lie. It tests every particle, which is slow.
typedef struct slv_inside_report {
    uint32_t particle_count; // of all garments
    // The deepest of them; zeros where there is none.
    uint32_t particle; // own number
    slv_garment_id garment;
    slv_collider_id collider; // that it is in; the null id where it is in a clip
    slv_clip_id clip;
    double depth;       // m
    double position[3]; // m
} slv_inside_report;
SLV_API slv_result slv_world_find_inside(slv_world *world, slv_inside_report *report);

// Neighbor lists hold the particles that each particle may collide with in a step. All have the same capacity, 8 at
// first and at most 64. A call that steps enlarges them after its last step, for the next call: on a CPU when a
// particle has had more than half as many neighbors, on any device when a list was too short. Where a list is too short,
// the step is rolled back. slv_world_advance then ends with the rest of its steps left; slv_world_step, which does all
// of its steps, enlarges the lists between two steps. Larger lists do not change the motion.
typedef struct slv_contact_report {
    uint32_t neighbor_capacity; // of each list
    uint32_t neighbor_count;    // largest number of neighbors of a particle in any step so far
    size_t list_bytes;          // memory of all lists
    // In the last step contacts between particles were left out: lists could not be long enough, or particles moved apart
    // by more than 16 radii.
    bool crowded;

    // Contacts between surfaces (slv_garment_def: contact), all of the last step; 0 where lists were enlarged since.
    uint32_t surface_contacts; // pairs of a vertex and a triangle or of two edges that were listed
    // Edges that went through triangles at its start: left passable until they have parted.
    uint32_t surface_crossings;
    // Times that the paths of a pair were shortened, so that it did not pass through.
    uint32_t surface_shortened;
    // Pairs that shortening did not part: their vertices returned to the start.
    uint32_t surface_returned;
    // Pairs with moving fixed particles that may have passed through each other.
    uint32_t surface_left;
    bool surface_stopped; // nothing else kept surfaces apart: all returned to the start
} slv_contact_report;
SLV_API slv_result slv_world_get_contact_report(slv_world *world, slv_contact_report *report);
// Gives neighbor lists room for 1 … 64 neighbors. With twice the neighbor_count of a test run they are not enlarged
// later. Where a list was too short and there is no memory for larger ones, the call that steps returns
// SLV_ERROR_MEMORY once, with the steps before done; later calls go on with the lists as they are and leave contacts
// out. This call tries again.
SLV_API slv_result slv_world_reserve(slv_world *world, uint32_t neighbors);
// Writes a sentence into message where the collision radius of a garment does not suit its spacing, with a radius
// that does; "" where it suits, or where its particles do not collide with particles.
SLV_API slv_result slv_garment_check_radius(slv_world *world, slv_garment_id id, char *message,
                                            size_t size);

#ifdef __cplusplus
}
#endif

#endif
