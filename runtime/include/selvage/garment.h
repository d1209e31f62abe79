// SPDX-License-Identifier: MIT
// Garments: their motion, structure and sleep. Included by selvage.h, which states the rules of all calls.
#ifndef SELVAGE_GARMENT_H
#define SELVAGE_GARMENT_H

#include <selvage/world.h>

#ifdef __cplusplus
extern "C" {
#endif

// Identifies a garment of a world. A zeroed id is the null id, which is invalid. The id of a removed garment stays
// invalid, also when another garment takes its slot.
typedef struct slv_garment_id {
    uint32_t slot; // only the library makes ids
    uint32_t generation;
} slv_garment_id;

// Limits for a named set of particles, in the range of slv_garment_def.limits. Of several limits for one particle the
// last counts.
typedef struct slv_limit_def {
    const char *set;    // NULL = all particles
    float max_distance; // m from the particle's target; SLV_UNSET = no such limit
    float backstop;     // m behind the plane through the target; SLV_UNSET = no such limit
} slv_limit_def;

// Between what contacts of a garment with itself and with garments are.
typedef enum slv_contact_kind {
    // Balls around its particles.
    SLV_CONTACT_PARTICLES = 0,
    // Its triangles: they do not pass through each other.
    SLV_CONTACT_SURFACES = 1
} slv_contact_kind;

// Fabrics with measured properties; docs/FABRICS.md has the numbers.
typedef enum slv_fabric {
    SLV_FABRIC_NONE = 0, // that of the pack
    SLV_FABRIC_SILK = 1,
    SLV_FABRIC_COTTON = 2,
    SLV_FABRIC_DENIM = 3,
    SLV_FABRIC_WOOL = 4,
    SLV_FABRIC_LINEN = 5,
    SLV_FABRIC_JERSEY = 6,
    SLV_FABRIC_LEATHER = 7,
    SLV_FABRIC_FELT = 8
} slv_fabric;

// A channel of the vertex colors, which a pack holds for its particles.
typedef enum slv_channel {
    SLV_CHANNEL_NONE = 0, // as if white everywhere
    SLV_CHANNEL_RED = 1,
    SLV_CHANNEL_GREEN = 2,
    SLV_CHANNEL_BLUE = 3,
    SLV_CHANNEL_ALPHA = 4
} slv_channel;

// Which channels of the vertex colors scale limits from place to place. White (255, and particles without paint)
// leaves the whole limit, black (0) leaves none, linear in between. The limit itself must be given.
// generated from runtime/base/parameters/paint.def
typedef struct slv_paint_def {
    // Scales the distances of limits. Black: the particle stays at its target. [default 0: not
    // painted]
    slv_channel max_distance;
    // Scales the backstops of limits. Black: the particle does not go behind its target. [default
    // 0: not painted]
    slv_channel backstop;
    // Scales the part of the tether slack above 1. Black: no slack. [default 0: not painted]
    slv_channel tether_slack;
    // Scales the part of the strain limit above 1. Black: no strain. Of a constraint's two
    // particles the darker counts. [default 0: not painted]
    slv_channel strain_limit;
    // A mask: particles darker than 128 never move. [default 0: not painted]
    slv_channel fixed;
    // [color_count][4] red, green, blue, alpha in own order, read only during
    // slv_world_add_garment. NULL: those of the pack.
    const uint8_t *colors;
    // Colors at colors.
    uint32_t color_count;
} slv_paint_def;
// end of generated

// generated from runtime/base/parameters/garment.def
typedef struct slv_garment_def {
    // Exactly one of pack_path and pack_bytes is given.

    // Path of the garment's pack.
    const char *pack_path;
    // The pack in memory, 64-byte aligned. Read only during slv_world_add_garment.
    const void *pack_bytes;
    // Bytes at pack_bytes.
    size_t pack_size;
    // Read the file in place of mapping it: for files that may be truncated meanwhile. [default
    // false]
    bool copy;
    // Position of the pack's origin at the start. [m; -9e5 to 9e5; default (0, 0, 0)]
    double position[3];
    // Rotation around the pack's origin. [unit quaternion x, y, z, w; default (0, 0, 0, 1)]
    float rotation[4];
    // Scale of positions and rest lengths. [1e-6 to 1e6; default 1]
    float scale;
    // Scale of positions alone: with 5 the cloth starts five times enlarged. [1e-6 to 1e6; default
    // 1]
    float stretch;
    // Velocity of all particles at the start. [m/s; -1e6 to 1e6; default (0, 0, 0)]
    float velocity[3];
    // Angular velocity around the center of mass at the start. [rad/s; -1e6 to 1e6; default (0, 0,
    // 0)]
    float spin[3];

    // Material. A value that is not given is that of the fabric, else that of the pack's material,
    // else the default; slv_garment_get_material_source tells which.

    // Fabric whose measured density, stiffness, flexural rigidity and friction stand in for the
    // pack's. Needs a flat grid or a mesh whose vertices are particles. [default none]
    slv_fabric fabric;
    // Mass per area of the triangles between particles, unless particle_mass is given. [kg/m²;
    // 1e-6 to 1e6; default SLV_UNSET: that of fabric, or the masses of the pack]
    float density;
    // Mass of every particle. [kg; 1e-9 to 1e9; default SLV_UNSET: the masses of the pack]
    float particle_mass;
    // Stiffness of distance constraints. [N/m; 1e-6 to 1e12; default SLV_UNSET: the material of the
    // pack]
    float stretch_stiffness;
    // Stiffness of the diagonals of a grid. [N/m; 0 or 1e-6 to 1e12; default SLV_UNSET: the
    // material of the pack, or 0]
    float shear_stiffness;
    // Stiffness between every second particle of a grid, or of the bending pairs of a mesh. [N/m; 0
    // or 1e-6 to 1e12; default SLV_UNSET: the material of the pack, or 0]
    float bending_stiffness;
    // Moment that bends a strip one metre wide to a curvature of 1/m, whatever the resolution.
    // Needs a flat grid or a mesh whose vertices are particles, a solver that solves flexures, such
    // as PBD_GS, and a garment that cannot tear. Cuts do not go through flexures. [N m; 0 or 1e-12
    // to 1e6; default SLV_UNSET: the material of the pack, or 0]
    float flexural_rigidity;
    // Damping of springs over their stiffness: a spring that lengthens at 1 m/s pulls as if it were
    // this many metres longer. Only mass-spring solvers damp springs. [s; 0 to 1000; default 0]
    float spring_damping;
    // Bending moment over curvature of each bending constraint, which buckles like a thin strip
    // where it is compressed (Choi and Ko 2002), with at most the push of a spring of
    // bending_stiffness. Grids then have bending constraints along their diagonals too. Explicit
    // mass-spring solvers and MS_IMPLICIT_EULER have it; for other solvers these constraints are
    // linear. [N m²; 0 or 1e-15 to 1e6; default 0: bending constraints that are linear springs]
    float buckling_rigidity;

    // Rigid and soft bodies: packs with clusters (selvage-voxelize --body), which keep their shape.

    // Part of the way back to its shape that each cluster goes in a step, for any number of
    // iterations. 1: rigid. [0 to 1; default 1]
    float shape_stiffness;
    // Part of a cluster's linear deformation (stretch and shear, without change of volume) that is
    // no deformation to it. 0: none. [0 to 1; default 0]
    float shape_deformation;
    // Particles that never move, counted from 0 in own order.
    const uint32_t *fixed;
    // Numbers at fixed.
    uint32_t fixed_count;
    // Names of particle sets of the pack that never move; `selvage-inspect PACK --dump sets` lists
    // them.
    const char *const *fixed_sets;
    // Names at fixed_sets.
    uint32_t fixed_set_count;

    // Contacts. A particle keeps `thickness` from colliders. Against other particles, of the same
    // garment or of others, it is a ball of `collision_radius`; pairs closer than two radii at rest
    // do not collide. A grid has no gaps for other cloth while two radii are more than 0.71 of its
    // spacing.

    // Distance that particles keep from colliders. [m; 0 to 1000; default SLV_UNSET: the material
    // of the pack, or 0.005]
    float thickness;
    // Speed at which a particle that starts a step inside a collider is moved out, relative to it.
    // Without constraints it is out after the length of its shortest way over this speed. Springs
    // hold cloth back whose particles have different ways out; where those are opposite, it can
    // stay. [m/s; 0.001 to 1000; default 0.5]
    float push_out_speed;
    // Coefficient of static friction. Between two surfaces the geometric mean counts. [0 to 1000;
    // default SLV_UNSET: the material of the pack, or 0.4]
    float friction;
    // Coefficient of kinetic friction. [0 to 1000; default SLV_UNSET: friction where it is given,
    // the material of the pack, or friction]
    float kinetic_friction;
    // Ratio of speeds after and before an impact. Of two surfaces the larger counts. [0 to 1;
    // default SLV_UNSET: the material of the pack, or 0]
    float restitution;
    // Radius of particles in contacts with particles. [m; 1e-6 to 1000; default SLV_UNSET: half the
    // mean rest length of its distance constraints, or half the spacing of a body]
    float collision_radius;
    // Particles with contacts that are slower than this are damped. 0: none are. [m/s; 0 to 1000;
    // default 0.02]
    float rest_speed;
    // Contacts with colliders. [default true]
    bool collides;
    // Contacts of its triangles with colliders, beside those of its particles: edges and corners of
    // boxes and wedges, spheres, capsules and thin parts of fields do not reach through the cloth
    // between its particles. Garments with contacts between surfaces have them in any case. Needs a
    // flat grid or a mesh whose vertices are particles. Garments that can tear have none. [default
    // false]
    bool triangle_collision;
    // Contacts of the garment with itself. [default false]
    bool self_collision;
    // Contacts with other garments for which this is true. [default false]
    bool garment_collision;
    // Between what the contacts with itself and with garments are: balls around particles, or the
    // triangles, which then keep thickness and do not pass through each other. Surfaces need a mesh
    // whose vertices are particles or a flat grid; other garments, and those that can tear, keep
    // particles. Garments with surfaces and garments with particles pass through each other.
    // Contacts with characters stay those of particles; with colliders, garments with surfaces have
    // those of triangle_collision. Surfaces take ten to thirty times as long as balls. [default
    // particles]
    slv_contact_kind contact;

    // Sleep. A garment sleeps, and is left out of the step, when no particle of it or of the
    // garments in contact with it moved further than sleep_speed * sleep_delay within sleep_delay.
    // slv_garment_wake lists what wakes it.

    // A garment whose particles all stay slower than this for sleep_delay falls asleep. 0: never.
    // 0.005 suits cloth. [m/s; 0 to 1000; default 0]
    float sleep_speed;
    // Time at rest before a garment falls asleep. [s; 0.01 to 3600; default 0.5]
    float sleep_delay;

    // Tearing, wind and limits.

    // A constraint breaks at this multiple of its rest length. Garments that can tear use the
    // layout of meshes, which is slower than that of grids. [1.0001 to 1e6; default 0: never]
    float tearing_threshold;
    // Air drag relative to a flat plate broadside to the wind. Needs a flat grid or a mesh whose
    // vertices are particles. [0 or 1e-6 to 1000; default 0: no drag]
    float drag;
    // Pressure of the wind on triangles over its speed along their normals, however they move;
    // beside drag. Needs what drag needs. [N s/m³; 0 or 1e-6 to 1e6; default 0: no such wind]
    float wind_pressure;
    // Multiple of the rest length to which longer distance constraints are shortened. Heavy cloth
    // exceeds it near its fixed particles. [0 or 1 to 1e6; default SLV_UNSET: 1.06 for garments
    // with contacts that neither tear nor start enlarged, else none]
    float strain_limit;
    // Multiple of a particle's distance over the cloth at rest to the nearest fixed particle. The
    // particle stays within it as long as that one is fixed. [1 to 10; default 0: no tethers]
    float tether_slack;
    // Limits for named sets of particles: greatest distance from the target, and distance behind
    // the plane through the target; SLV_UNSET: none. Targets are the positions at the start. [m; 0
    // to 1e6]
    const slv_limit_def *limits;
    // Limits at limits.
    uint32_t limit_count;
    // Channels of the vertex colors that scale the limits from place to place.
    slv_paint_def paint;
    // Set by slv_default_garment_def; must not change.
    uint32_t cookie;
} slv_garment_def;
// end of generated

SLV_API slv_garment_def slv_default_garment_def(void);
// Objects that are added or removed one after another are laid out in memory together, by the next call that steps the
// world or looks at its state. slv_world_step with 0 steps does only that, so that no later call takes memory for it.
// Without memory these calls return SLV_ERROR_MEMORY until objects are removed.
SLV_API slv_result slv_world_add_garment(slv_world *world, const slv_garment_def *def,
                                         slv_garment_id *id);
// Removes a garment. The other garments keep their ids and their state bit for bit; all are woken. Attachments of
// clips to it end. The surface of a clip is refused; slv_world_remove_clip removes it.
SLV_API slv_result slv_world_remove_garment(slv_world *world, slv_garment_id id);
SLV_API slv_result slv_garment_set_user_data(slv_world *world, slv_garment_id id, void *user_data);
SLV_API void *slv_garment_get_user_data(const slv_world *world, slv_garment_id id);
// False for the null id, for ids of removed garments, and where world is NULL.
SLV_API bool slv_garment_is_valid(const slv_world *world, slv_garment_id id);
SLV_API uint32_t slv_world_get_garment_count(const slv_world *world);
// The garments in the order of adding, index 0 … count - 1, the surfaces of solid clips included. The null id for
// other indices.
SLV_API slv_garment_id slv_world_get_garment(const slv_world *world, uint32_t index);
// The index of a garment in that order; SLV_NO_INDEX for an invalid id. Removing a garment lowers the indices after
// it.
SLV_API uint32_t slv_garment_get_index(const slv_world *world, slv_garment_id id);

// Mass, stiffness, contact, drag and strain limit of a garment, which may change while it exists: fields of
// slv_garment_def.
// generated from runtime/base/parameters/garment.def, material
typedef struct slv_garment_material {
    // Mass of every particle. [kg; 1e-9 to 1e9; default SLV_UNSET: the masses of the pack]
    float particle_mass;
    // Stiffness of distance constraints. [N/m; 1e-6 to 1e12; default SLV_UNSET: the material of the
    // pack]
    float stretch_stiffness;
    // Stiffness of the diagonals of a grid. [N/m; 0 or 1e-6 to 1e12; default SLV_UNSET: the
    // material of the pack, or 0]
    float shear_stiffness;
    // Stiffness between every second particle of a grid, or of the bending pairs of a mesh. [N/m; 0
    // or 1e-6 to 1e12; default SLV_UNSET: the material of the pack, or 0]
    float bending_stiffness;
    // Moment that bends a strip one metre wide to a curvature of 1/m, whatever the resolution.
    // Needs a flat grid or a mesh whose vertices are particles, a solver that solves flexures, such
    // as PBD_GS, and a garment that cannot tear. Cuts do not go through flexures. [N m; 0 or 1e-12
    // to 1e6; default SLV_UNSET: the material of the pack, or 0]
    float flexural_rigidity;
    // Damping of springs over their stiffness: a spring that lengthens at 1 m/s pulls as if it were
    // this many metres longer. Only mass-spring solvers damp springs. [s; 0 to 1000; default 0]
    float spring_damping;
    // Part of the way back to its shape that each cluster goes in a step, for any number of
    // iterations. 1: rigid. [0 to 1; default 1]
    float shape_stiffness;
    // Part of a cluster's linear deformation (stretch and shear, without change of volume) that is
    // no deformation to it. 0: none. [0 to 1; default 0]
    float shape_deformation;
    // Distance that particles keep from colliders. [m; 0 to 1000; default SLV_UNSET: the material
    // of the pack, or 0.005]
    float thickness;
    // Speed at which a particle that starts a step inside a collider is moved out, relative to it.
    // Without constraints it is out after the length of its shortest way over this speed. Springs
    // hold cloth back whose particles have different ways out; where those are opposite, it can
    // stay. [m/s; 0.001 to 1000; default 0.5]
    float push_out_speed;
    // Coefficient of static friction. Between two surfaces the geometric mean counts. [0 to 1000;
    // default SLV_UNSET: the material of the pack, or 0.4]
    float friction;
    // Coefficient of kinetic friction. [0 to 1000; default SLV_UNSET: friction where it is given,
    // the material of the pack, or friction]
    float kinetic_friction;
    // Ratio of speeds after and before an impact. Of two surfaces the larger counts. [0 to 1;
    // default SLV_UNSET: the material of the pack, or 0]
    float restitution;
    // Radius of particles in contacts with particles. [m; 1e-6 to 1000; default SLV_UNSET: half the
    // mean rest length of its distance constraints, or half the spacing of a body]
    float collision_radius;
    // Particles with contacts that are slower than this are damped. 0: none are. [m/s; 0 to 1000;
    // default 0.02]
    float rest_speed;
    // Air drag relative to a flat plate broadside to the wind. Needs a flat grid or a mesh whose
    // vertices are particles. [0 or 1e-6 to 1000; default 0: no drag]
    float drag;
    // Pressure of the wind on triangles over its speed along their normals, however they move;
    // beside drag. Needs what drag needs. [N s/m³; 0 or 1e-6 to 1e6; default 0: no such wind]
    float wind_pressure;
    // Multiple of the rest length to which longer distance constraints are shortened. Heavy cloth
    // exceeds it near its fixed particles. [0 or 1 to 1e6; default SLV_UNSET: 1.06 for garments
    // with contacts that neither tear nor start enlarged, else none]
    float strain_limit;
} slv_garment_material;
// end of generated
// The values in force: those of the definition, else of its fabric, else of the pack's first material, else the
// defaults. stretch_stiffness stays SLV_UNSET where constraints have the stiffness of their own materials.
SLV_API slv_result slv_garment_get_material(slv_world *world, slv_garment_id id,
                                            slv_garment_material *material);
// Where a value of a material came from.
typedef enum slv_value_source {
    SLV_SOURCE_DEFAULT = 0,    // nothing gave it; a field that is SLV_UNSET depends on the garment
    SLV_SOURCE_PACK = 1,       // the material of the pack
    SLV_SOURCE_FABRIC = 2,     // slv_garment_def.fabric
    SLV_SOURCE_DEFINITION = 3, // slv_garment_def, the scene, or slv_garment_set_material
} slv_value_source;
// That of a field of slv_garment_material by its name, such as "friction".
SLV_API slv_result slv_garment_get_material_source(slv_world *world, slv_garment_id id,
                                                   const char *field, slv_value_source *source);
// From its present state on the garment moves bit for bit as one that was added with these values. All garments are
// woken. The kinds of constraints stay: a shear_stiffness, bending_stiffness or flexural_rigidity of 0 must stay 0, and
// one above 0 must stay above 0, else SLV_ERROR_UNSUPPORTED. Resets and snapshots do not change the material. The call makes a
// new layout, which takes about as long as adding the garment.
SLV_API slv_result slv_garment_set_material(slv_world *world, slv_garment_id id,
                                            const slv_garment_material *material);

// A named set of particles of a garment's pack. Valid as long as the garment.
typedef struct slv_particle_set_view {
    const char *name;
    uint32_t particle_count;
    const uint32_t *particles; // own numbers, ascending
} slv_particle_set_view;
SLV_API slv_result slv_garment_get_particle_set_count(slv_world *world, slv_garment_id id,
                                                      uint32_t *count);
// The sets in the order of the pack, index 0 … count - 1.
SLV_API slv_result slv_garment_get_particle_set(slv_world *world, slv_garment_id id, uint32_t index,
                                                slv_particle_set_view *set);
// SLV_ERROR_ARGUMENT where there is no set of that name.
SLV_API slv_result slv_garment_find_particle_set(slv_world *world, slv_garment_id id,
                                                 const char *name, slv_particle_set_view *set);

// Positions in metres, in place: particle p has x[slot[p] * stride], y[slot[p] * stride], z[slot[p] * stride].
// Valid until the next call that steps or changes the world.
typedef struct slv_particle_view {
    uint32_t count;
    const float *x, *y, *z;
    uint32_t stride; // floats from one slot to the next
    const uint32_t *slot;
} slv_particle_view;
static inline void slv_particle_view_get(const slv_particle_view *view, uint32_t particle,
                                         float position[3]) {
    const size_t at = (size_t)view->slot[particle] * view->stride;
    position[0] = view->x[at];
    position[1] = view->y[at];
    position[2] = view->z[at];
}
SLV_API slv_result slv_garment_get_positions(slv_world *world, slv_garment_id id,
                                             slv_particle_view *view);

// Writes the positions into an OpenGL buffer of 12 bytes a particle (x, y, z in the order of own numbers) without a
// copy in the host's memory. The OpenGL context must be current, for OpenCL the one of slv_world_def.
// SLV_ERROR_UNSUPPORTED where the device of the world cannot do so.
SLV_API slv_result slv_garment_write_gl_buffer(slv_world *world, slv_garment_id id,
                                               uint32_t gl_buffer);
// Must be called before the buffer is deleted or resized, with the OpenGL context current.
SLV_API void slv_world_forget_gl_buffer(slv_world *world, uint32_t gl_buffer);
// Changes slv_world_def.keep_state; true reads the present state back at once.
SLV_API slv_result slv_world_set_keep_state(slv_world *world, bool keep_state);

// The render mesh at the present positions of the particles. Computed by the call and kept until the next step.
typedef struct slv_surface_view {
    uint32_t vertex_count;
    uint32_t triangle_count;
    const float *positions;    // [vertex_count][3]
    const float *normals;      // [vertex_count][3], smooth, unit length
    const float *uvs;          // [vertex_count][2] or NULL
    const uint32_t *triangles; // [triangle_count][3]
} slv_surface_view;
SLV_API slv_result slv_garment_get_surface(slv_world *world, slv_garment_id id,
                                           slv_surface_view *view);

// For drawing between the last two steps with slv_advance_report.fraction f: positions a step earlier, in the layout
// of the present ones (draw before + f * (now - before)), and the render mesh at f, 0 … 1. Mass-spring solvers have the
// present position less a step at the present velocity, which differs by half the change of velocity in a step.
SLV_API slv_result slv_garment_get_previous_positions(slv_world *world, slv_garment_id id,
                                                      slv_particle_view *view);
SLV_API slv_result slv_garment_get_surface_at(slv_world *world, slv_garment_id id, float fraction,
                                              slv_surface_view *view);

// Moves fixed particles (own numbers) to targets ([count][3], metres) linearly over the next `steps` steps, 1 … 2^30.
SLV_API slv_result slv_garment_move_fixed(slv_world *world, slv_garment_id id,
                                          const uint32_t *particles, uint32_t count,
                                          const float *targets, uint32_t steps);
// As slv_garment_move_fixed, in seconds (1e-6 … 3600) from the present time, which may lie between two steps. Called
// once a frame with the length of the frame, before slv_world_advance of the same length, it gives the same
// motion for frames of any length. While steps are left it begins with the next step.
SLV_API slv_result slv_garment_lead_fixed(slv_world *world, slv_garment_id id,
                                          const uint32_t *particles, uint32_t count,
                                          const float *targets, double seconds);
// Targets of limits, such as the skin of a character: positions [count][3] in metres and unit normals [count][3], in
// the order of own numbers. normals may be NULL: they stay, +y at first.
SLV_API slv_result slv_garment_set_targets(slv_world *world, slv_garment_id id,
                                           const float *positions, const float *normals);
// Limits from now on: [count] in the order of own numbers, metres, SLV_UNSET = none. NULL: they stay. A reset brings
// the limits back that the garment was added with.
SLV_API slv_result slv_garment_set_limits(slv_world *world, slv_garment_id id,
                                          const float *max_distances, const float *backstops);
// Cuts constraints (numbers in slv_garment_structure) as if they had torn; those that are torn already stay so. A reset
// mends them. A garment with cuts uses the layout of meshes, and its snapshots are longer.
SLV_API slv_result slv_garment_cut(slv_world *world, slv_garment_id id, const uint32_t *constraints,
                                   uint32_t count);
// The number of torn or cut constraints.
SLV_API slv_result slv_garment_get_torn_count(slv_world *world, slv_garment_id id, uint32_t *count);
// Torn or cut constraints: [constraint_count], 1 where torn; NULL where no constraint can tear. Valid until the next
// call that steps or changes the world.
SLV_API slv_result slv_garment_get_torn(slv_world *world, slv_garment_id id, const uint8_t **torn);
// Fixes particles where they are, or lets them move again.
SLV_API slv_result slv_garment_set_fixed(slv_world *world, slv_garment_id id,
                                         const uint32_t *particles, uint32_t count, bool fixed);
// Moves a garment rigidly to another pose at once. Velocities are rotated with it; the jump itself adds none.
SLV_API slv_result slv_garment_teleport(slv_world *world, slv_garment_id id,
                                        const double position[3], const float rotation[4]);

// --- Structure ---------------------------------------------------------------------------------------

typedef struct slv_constraint {
    uint32_t a, b;            // own numbers of the particles it joins
    float rest;               // metres
    uint32_t stiffness_class; // constraints of one class have the same stiffness
} slv_constraint;

// Constraints that are solved in parallel: of one stiffness class, and no particle (or copy of one) occurs twice.
typedef struct slv_structure_group {
    uint32_t first, count; // in slv_garment_structure.constraints
    uint32_t stiffness_class;
    bool averaged; // they may share particles: corrections are averaged, after all other groups
} slv_structure_group;

// Particles, constraints and render mesh of a garment, for drawing and debugging. Nothing is copied. The arrays are
// valid as long as the garment, and steps do not change them.
typedef struct slv_garment_structure {
    uint32_t particle_count;
    uint32_t color_count;
    const uint32_t *colors;            // [particle_count]: no constraint joins two of one color
    const uint8_t *fixed;              // [particle_count]: 1 where it is fixed now
    const uint8_t *paint;              // [particle_count][4] red, green, blue, alpha; or NULL
    const slv_constraint *constraints; // [constraint_count]
    uint32_t constraint_count;
    uint32_t distance_count;    // the first of them, distance constraints; shear and bending follow
    uint32_t vertex_count;      // of the render mesh, 0 where there is none
    uint32_t influence_count;   // particles that a vertex follows
    const uint32_t *influences; // [vertex_count][influence_count] own numbers
    const float *weights;       // [vertex_count][influence_count]
    const float *offsets;       // [vertex_count][3] metres, or NULL: formats/PACK.md, "REMB"
    const float *uvs;           // [vertex_count][2], or NULL
    const uint8_t *texture;     // [texture_size] a PNG file; NULL where the mesh has none
    size_t texture_size;
    uint32_t triangle_count;
    const uint32_t *triangles; // [triangle_count][3]
    uint32_t group_count;
    const slv_structure_group *groups; // [group_count]: the colors of constraints
    uint32_t phantom_count;            // particles that have copies
    const uint32_t *phantoms; // [phantom_count][3]: particle, first copy, end of its copies
} slv_garment_structure;
SLV_API slv_result slv_garment_get_structure(slv_world *world, slv_garment_id id,
                                             slv_garment_structure *structure);

// --- Sleep -------------------------------------------------------------------------------------------

// Wakes a sleeping garment. In a step it is woken by a moving collider near its bounding box, by contact with a
// garment that is not at rest, and by moves of its own fixed particles. Calls that change its motion wake it: those
// on the garment (fixed particles, targets, limits, cuts), and for all garments other parameters or materials, added
// or removed objects, teleports and resets. Calls that change nothing do not.
SLV_API slv_result slv_garment_wake(slv_world *world, slv_garment_id id);
SLV_API slv_result slv_garment_is_asleep(slv_world *world, slv_garment_id id, bool *asleep);
// The number of sleeping garments, surfaces of clips that stand still included.
SLV_API slv_result slv_world_get_asleep_count(slv_world *world, uint32_t *count);

#ifdef __cplusplus
}
#endif

#endif
