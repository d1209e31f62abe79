// SPDX-License-Identifier: MIT
// Worlds, garments, clips, colliders, time and state. Included by selvage.h, which states the rules of all calls.
#ifndef SELVAGE_WORLD_H
#define SELVAGE_WORLD_H

#include <selvage/result.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define SLV_API
#else
#define SLV_API __attribute__((__visibility__("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

// --- Values that are not given -----------------------------------------------------------------------

// A number that is not given is SLV_UNSET: the library or the pack decides, as the comment of the field says. 0 means
// zero or off. A pointer that is not given is NULL, an id the null id, an index SLV_NO_INDEX, a channel
// SLV_CHANNEL_NONE. Two exceptions: 0 threads and 0 seconds make no sense, so that 0 is the value of threads and
// max_advance that are not given. A point may have any coordinates, so that slv_scene_settings.has_camera_target says
// whether there is one. Scene files leave keys out; where a list needs a number, they write SLV_UNSET as -1.
#define SLV_UNSET (-1.0f)
#define SLV_NO_INDEX UINT32_MAX

// --- Version -----------------------------------------------------------------------------------------

typedef struct slv_version {
    uint32_t major, minor, patch;
} slv_version;

// Version of the library that is loaded. docs/LIBRARY.md says what stays compatible between versions.
SLV_API slv_version slv_get_version(void);

// --- Hooks -------------------------------------------------------------------------------------------

// Memory of a world. Packs, decoders of clips, scenes and exports use the C library's. size is a multiple of
// alignment, which is 64. allocate returns NULL without memory; release gets the size of the allocation.
typedef struct slv_allocator {
    void *(*allocate)(void *context, size_t size, size_t alignment);
    void (*release)(void *context, void *memory, size_t size);
    void *context;
} slv_allocator;

// Worker threads of the host for the steps of a world. run calls task(argument, worker) once for each worker from 0
// to count - 1, all at the same time, since tasks wait for one another. It returns when all tasks have returned.
typedef struct slv_task_hooks {
    void (*run)(void *context, uint32_t count, void (*task)(void *argument, uint32_t worker),
                void *argument);
    void *context;
} slv_task_hooks;

// --- Worlds ------------------------------------------------------------------------------------------

typedef struct slv_world slv_world;

// generated from runtime/base/solvers.def
typedef enum slv_solver {
    // Projective dynamics: Gauss-Seidel in the order of own numbers.
    SLV_PD_GS = 0,
    // Projective dynamics: Jacobi.
    SLV_PD_JACOBI = 1,
    // Projective dynamics: Gauss-Seidel by colors of particles, two on grids, more on general
    // graphs.
    SLV_PD_RBGS = 2,
    // Position based dynamics with compliance: Jacobi, corrections averaged per particle. Solves
    // tetrahedra too.
    SLV_PBD_JACOBI = 3,
    // Position based dynamics with compliance: Gauss-Seidel by colors of constraints. Solves
    // tetrahedra and phantoms too.
    SLV_PBD_GS = 4,
    SLV_SOLVER_COUNT = 5
} slv_solver;
// end of generated

// The name of a solver, such as "PD_RBGS"; NULL for a value that is no solver. And the solver of a name;
// SLV_SOLVER_COUNT for a name that is none.
SLV_API const char *slv_solver_get_name(slv_solver solver);
SLV_API slv_solver slv_solver_from_name(const char *name);

// What may change between steps.
// generated from runtime/base/parameters/parameters.def
typedef struct slv_parameters {
    // Solver: projective dynamics (PD) or position based dynamics with compliance (PBD), by
    // Gauss-Seidel (GS), Jacobi (JACOBI) or Gauss-Seidel color by color (RBGS). [default PD_RBGS]
    slv_solver solver;
    // Outer iterations of a step. Each computes the directions of the constraints anew. [0 to
    // 10000; default 4]
    uint32_t outer_iterations;
    // Linear iterations in each outer iteration, with fixed directions. Position based solvers do
    // outer_iterations x inner_iterations iterations of one kind. [0 to 10000; default 4]
    uint32_t inner_iterations;
    // Successive over-relaxation factor. 1.7 suits cloth with PD_RBGS and PD_GS. The solver uses at
    // most 1.5 for garments with contacts. [0.001 to 1.999; default 1]
    float relaxation;
    // PD_JACOBI divides its update by the particle's number of constraints, as the red-black paper
    // does. [default false]
    bool damped_jacobi;
    // Integrate gravity and velocity. false: the solver alone moves particles (y = q). [default
    // true]
    bool integrate;
    // Gravity. [m/s²; -1e6 to 1e6; default (0, -9.81, 0)]
    float gravity[3];
    // Damping of velocities: a step of h seconds divides them by 1 + damping h. [1/s; 0 to 1e6;
    // default 0.1]
    float damping;
    // Velocity of the wind. It acts on garments with drag above 0. [m/s; -10000 to 10000; default
    // (0, 0, 0)]
    float wind[3];
    // Factor on the stiffness of all springs of all garments. [1e-6 to 1e6; default 1]
    float stiffness;
} slv_parameters;
// end of generated

// generated from runtime/base/parameters/world.def
typedef struct slv_world_def {
    // What may change between steps.
    slv_parameters parameters;
    // Length of a step. [s; 1e-6 to 1; default 0.002]
    double time_step;
    // "cpu", "opencl", "cuda", or "auto": a GPU where there is one, else the CPU. [default "cpu"]
    const char *backend;
    // A number in slv_list_devices or part of a name. NULL: the fastest device. [default NULL]
    const char *device;
    // Refuse a GPU that does not round exactly, so that all devices give the same bits. [default
    // false]
    bool deterministic;
    // Continue on the CPU, with the same bits, where the GPU is absent or fails. State that was not
    // read back from a failed GPU is lost: see keep_state. [default true]
    bool fallback;
    // Read the state back from the GPU after every call, 24 bytes a particle, so that a GPU that
    // fails loses nothing. With false the state stays on the GPU. After a failure the world is back
    // at the last slv_world_save_snapshot if that was the last call before, else at its start, and
    // the call that failed returns SLV_ERROR_DEVICE. No effect on a CPU. [default false]
    bool keep_state;
    // Measure the stages of a step (slv_world_get_timing). [default false]
    bool timing;
    // Seconds of steps that one slv_world_advance does at most, rounded up to whole steps. 0: no
    // limit. The rest stays due, so a game that is too slow slows down rather than stops. [s; 0 to
    // 3600; default 0.25]
    double max_advance;
    // OpenCL only: the OpenGL context whose buffers will be written. NULL: none. With a device of
    // another context slv_garment_write_gl_buffer returns SLV_ERROR_UNSUPPORTED.
    void *gl_context;
    // OpenCL only: the GLX or EGL display of gl_context.
    void *gl_display;
    // gl_context and gl_display are EGL's. false: GLX's. [default false]
    bool gl_is_egl;
    // Threads of the CPU backend. 0: one a processor. [0 to 256; default 0]
    uint32_t threads;
    // "baseline", "avx2" or "avx512", for tests. NULL: the best that the processor has. [default
    // NULL]
    const char *instruction_set;
    // NULL: the C library's.
    const slv_allocator *allocator;
    // NULL: threads of the world's own.
    const slv_task_hooks *tasks;
    // Set by slv_default_world_def; must not change.
    uint32_t cookie;
} slv_world_def;
// end of generated

SLV_API slv_world_def slv_default_world_def(void);

// On failure *world is NULL and message, which has room for size bytes and may be NULL, says why.
SLV_API slv_result slv_world_create(const slv_world_def *def, slv_world **world, char *message,
                                    size_t size);
SLV_API void slv_world_destroy(slv_world *world); // may be NULL

// A pointer that the library keeps for the caller; NULL at first. Garments, clips and colliders have one each;
// their getters return NULL for an invalid id.
SLV_API slv_result slv_world_set_user_data(slv_world *world, void *user_data);
SLV_API void *slv_world_get_user_data(const slv_world *world);

// Why the last call on this world failed; "" where it did not. Valid until the next call.
SLV_API const char *slv_world_get_message(const slv_world *world);

SLV_API slv_parameters slv_world_get_parameters(const slv_world *world);
SLV_API slv_result slv_world_set_parameters(slv_world *world, const slv_parameters *parameters);

// What a world runs on.
typedef struct slv_world_device {
    const char *backend;         // "cpu", "opencl", "cuda"
    const char *device;          // "AMD EPYC …"
    const char *instruction_set; // "" on GPUs
    uint32_t threads;            // 0 on GPUs
    // A sentence, or "": why the CPU is used in place of a GPU, or that a GPU does not round exactly.
    const char *note;
} slv_world_device;
// The texts are valid until the next call on the world, after which the device may be another one.
SLV_API slv_world_device slv_world_get_device(const slv_world *world);

// --- Devices -----------------------------------------------------------------------------------------

typedef struct slv_device {
    uint64_t memory_bytes;
    uint32_t index;   // counts from 0 within the backend
    char backend[16]; // as in slv_world_def
    char name[128];
    char driver[192];
    bool is_gpu; // false for a CPU that OpenCL runs on
} slv_device;

// Writes the first `room` devices of this machine and returns how many there are.
SLV_API uint32_t slv_list_devices(slv_device *devices, uint32_t room);
// Whether a backend ("cpu", "opencl", "cuda") can be used on this machine: SLV_OK, or SLV_ERROR_UNSUPPORTED. Then
// message, which has room for size bytes and may be NULL, says why: not built in, no driver, no platform, no device.
SLV_API slv_result slv_check_backend(const char *backend, char *message, size_t size);

// What steps cost since the world was made or slv_world_get_timing was last called.
enum { SLV_STAGE_LIMIT = 16 };
typedef struct slv_stage_timing {
    const char *name; // "integrate", "solve", …
    uint64_t launches;
    double seconds; // on the device; 0 without slv_world_def.timing
} slv_stage_timing;
typedef struct slv_timing {
    uint64_t steps;
    uint64_t launches;    // of kernels
    uint64_t submissions; // of work to a GPU: single launches or recorded steps
    double issue_seconds; // s that the calling thread spent in submissions
    uint32_t stage_count;
    slv_stage_timing stages[SLV_STAGE_LIMIT];
} slv_timing;
SLV_API slv_result slv_world_get_timing(slv_world *world, slv_timing *timing);

// --- Garments ----------------------------------------------------------------------------------------

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
    float position[3];
    // Rotation around the pack's origin. [unit quaternion x, y, z, w; default (0, 0, 0, 1)]
    float rotation[4];
    // Scale of positions and rest lengths. [1e-6 to 1e6; default 1]
    float scale;
    // Scale of positions alone: with 5 the cloth starts five times enlarged. [1e-6 to 1e6; default
    // 1]
    float stretch;
    // Velocity of all particles at the start. [m/s; -1e6 to 1e6; default (0, 0, 0)]
    float velocity[3];
    // Mass of every particle. [kg; 1e-9 to 1e9; default SLV_UNSET: the masses of the pack]
    float particle_mass;
    // Stiffness of distance constraints. [N/m; 1e-6 to 1e12; default SLV_UNSET: the material of the
    // pack]
    float stretch_stiffness;
    // Stiffness of the diagonals of a grid. [N/m; 0 or 1e-6 to 1e12; default 0: no shear
    // constraints]
    float shear_stiffness;
    // Stiffness between every second particle of a grid, or of the bending pairs of a mesh. [N/m; 0
    // or 1e-6 to 1e12; default 0: no bending constraints]
    float bending_stiffness;
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

    // Distance that particles keep from colliders. [m; 0 to 1000; default 0.005]
    float thickness;
    // Coefficient of static friction. Between two surfaces the geometric mean counts. [0 to 1000;
    // default 0.4]
    float friction;
    // Coefficient of kinetic friction. [0 to 1000; default SLV_UNSET: friction]
    float kinetic_friction;
    // Ratio of speeds after and before an impact. Of two surfaces the larger counts. [0 to 1;
    // default 0]
    float restitution;
    // Radius of particles in contacts with particles. [m; 1e-6 to 1000; default SLV_UNSET: half the
    // mean rest length of its distance constraints]
    float collision_radius;
    // Particles with contacts that are slower than this are damped. 0: none are. [m/s; 0 to 1000;
    // default 0.02]
    float rest_speed;
    // Contacts with colliders. [default true]
    bool collides;
    // Contacts of the garment with itself. [default false]
    bool self_collision;
    // Contacts with other garments for which this is true. [default false]
    bool garment_collision;

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
    // Multiple of the rest length that a distance constraint does not exceed. [0 or 1 to 1e6;
    // default SLV_UNSET: 1.06 for garments with contacts that neither tear nor start enlarged, else
    // none]
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

// Stiffness, contact and drag of a garment, which may change while it exists: fields of slv_garment_def.
// generated from runtime/base/parameters/garment.def, material
typedef struct slv_garment_material {
    // Stiffness of distance constraints. [N/m; 1e-6 to 1e12; default SLV_UNSET: the material of the
    // pack]
    float stretch_stiffness;
    // Stiffness of the diagonals of a grid. [N/m; 0 or 1e-6 to 1e12; default 0: no shear
    // constraints]
    float shear_stiffness;
    // Stiffness between every second particle of a grid, or of the bending pairs of a mesh. [N/m; 0
    // or 1e-6 to 1e12; default 0: no bending constraints]
    float bending_stiffness;
    // Distance that particles keep from colliders. [m; 0 to 1000; default 0.005]
    float thickness;
    // Coefficient of static friction. Between two surfaces the geometric mean counts. [0 to 1000;
    // default 0.4]
    float friction;
    // Coefficient of kinetic friction. [0 to 1000; default SLV_UNSET: friction]
    float kinetic_friction;
    // Ratio of speeds after and before an impact. Of two surfaces the larger counts. [0 to 1;
    // default 0]
    float restitution;
    // Radius of particles in contacts with particles. [m; 1e-6 to 1000; default SLV_UNSET: half the
    // mean rest length of its distance constraints]
    float collision_radius;
    // Particles with contacts that are slower than this are damped. 0: none are. [m/s; 0 to 1000;
    // default 0.02]
    float rest_speed;
    // Air drag relative to a flat plate broadside to the wind. Needs a flat grid or a mesh whose
    // vertices are particles. [0 or 1e-6 to 1000; default 0: no drag]
    float drag;
} slv_garment_material;
// end of generated
SLV_API slv_result slv_garment_get_material(slv_world *world, slv_garment_id id,
                                            slv_garment_material *material);
// From its present state on the garment moves bit for bit as one that was added with these values. All garments are
// woken. The kinds of constraints stay: a shear_stiffness or bending_stiffness of 0 must stay 0, and one above 0
// must stay above 0, else SLV_ERROR_UNSUPPORTED. Resets and snapshots do not change the material. The call makes a
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
// of the present ones (draw before + f * (now - before)), and the render mesh at f, 0 … 1.
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
                                        const float position[3], const float rotation[4]);

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

// --- Clips: animated characters ----------------------------------------------------------------------

// A clip is a collider pack (selvage-bake-collider) that plays in a world. A thread of its own decodes frames ahead;
// points move linearly between two frames. A world holds at most 8 clips. Ids are as slv_garment_id.
typedef struct slv_clip_id {
    uint32_t slot;
    uint32_t generation;
} slv_clip_id;

// generated from runtime/base/parameters/clip.def
typedef struct slv_clip_def {
    // Exactly one of pack_path and pack_bytes is given. File and bytes stay unchanged while the
    // world lives.

    // Path of the collider pack.
    const char *pack_path;
    // The pack in memory, 64-byte aligned.
    const void *pack_bytes;
    // Bytes at pack_bytes.
    size_t pack_size;
    // Read the file in place of mapping it: for files that may be truncated meanwhile. [default
    // false]
    bool copy;
    // Position of the model's origin. [m; -9e5 to 9e5; default (0, 0, 0)]
    float position[3];
    // Rotation around the model's origin. [unit quaternion x, y, z, w; default (0, 0, 0, 1)]
    float rotation[4];
    // Scale of the model, radius of its particles included. [1e-6 to 1e6; default 1]
    float scale;
    // Time in the clip at which it starts. [s; -1e9 to 1e9; default 0]
    double time;
    // Clip seconds per second. Below 0: backwards; 0: the clip stands still. [-1000 to 1000;
    // default 1]
    double speed;
    // Repeat the clip. false: it stays at its end. [default true]
    bool loop;
    // Time in the clip at which the loop begins. The part before it plays once. [s; 0 to 1e9;
    // default 0]
    double loop_from;
    // The surface becomes a garment of fixed particles, with which other garments collide. [default
    // true]
    bool solid;
    // Coefficient of friction of the surface. [0 to 1000; default 0.4]
    float friction;
    // Set by slv_default_clip_def; must not change.
    uint32_t cookie;
} slv_clip_def;
// end of generated

SLV_API slv_clip_def slv_default_clip_def(void);
SLV_API slv_result slv_world_add_clip(slv_world *world, const slv_clip_def *def, slv_clip_id *id);

// Removes a clip and its surface. Attached particles move freely from then on, with the velocity that they have.
// Those that were fixed before slv_clip_attach stay fixed where they are.
SLV_API slv_result slv_world_remove_clip(slv_world *world, slv_clip_id id);
SLV_API slv_result slv_clip_set_user_data(slv_world *world, slv_clip_id id, void *user_data);
SLV_API void *slv_clip_get_user_data(const slv_world *world, slv_clip_id id);

// Fixes the particles of the garment that an attachment of the pack names, and moves them with the clip. They reach
// the attachment by the end of the present frame.
SLV_API slv_result slv_clip_attach(slv_world *world, slv_clip_id id, const char *attachment,
                                   slv_garment_id garment);

// Moves a clip to another pose at once, with its surface and the attached particles. Their velocities are rotated with
// it; the jump itself adds none. Other particles of an attached garment are pulled by their constraints, unless
// slv_garment_teleport moves the garment as well.
SLV_API slv_result slv_clip_set_pose(slv_world *world, slv_clip_id id, const float position[3],
                                     const float rotation[4]);
// Moves a clip to another pose in `seconds` (1e-6 … 3600) from the present time, linearly and by the shorter rotation,
// for a character that walks through the world. To be called once a frame, as slv_garment_lead_fixed. Points
// move on chords of at most 0.01 s.
SLV_API slv_result slv_clip_lead(slv_world *world, slv_clip_id id, const float position[3],
                                 const float rotation[4], double seconds);
// The pose at the last step. position and rotation may be NULL.
SLV_API slv_result slv_clip_get_pose(slv_world *world, slv_clip_id id, float position[3],
                                     float rotation[4]);

// Time in the clip in seconds, and clip seconds per second (-1000 … 1000), from the next step on.
SLV_API slv_result slv_clip_seek(slv_world *world, slv_clip_id id, double seconds);
SLV_API slv_result slv_clip_set_speed(slv_world *world, slv_clip_id id, double speed);

typedef struct slv_clip_report {
    uint32_t particle_count, vertex_count, attachment_count, frame_count;
    double frame_rate;       // frames per second
    double duration;         // s
    float radius;            // m, of the surface's particles
    float coverage;          // m: greatest distance of a surface point from a particle
    double time;             // s, in the clip
    slv_garment_id surface;  // the garment of its surface; the null id where it is not solid
    uint64_t decoded_groups; // of 8 frames
    uint64_t waits;          // for frames that were not decoded in time, since it was added
    double wait_seconds;
} slv_clip_report;
SLV_API slv_result slv_clip_get_report(slv_world *world, slv_clip_id id, slv_clip_report *report);
SLV_API bool slv_clip_is_valid(const slv_world *world, slv_clip_id id);
SLV_API uint32_t slv_world_get_clip_count(const slv_world *world);
// The clips in the order of adding, index 0 … count - 1. The null id for other indices.
SLV_API slv_clip_id slv_world_get_clip(const slv_world *world, uint32_t index);

// Positions (m) and velocities (m/s) of the surface's particles, [count][3], solid or not. Velocities are those
// of the frames, by central differences, interpolated linearly, plus that of slv_clip_lead. They are 0 where a clip
// stands still. Valid until the next call that steps or changes the world.
typedef struct slv_motion_view {
    uint32_t count;
    const float *positions;
    const float *velocities;
} slv_motion_view;
SLV_API slv_result slv_clip_get_motion(slv_world *world, slv_clip_id id, slv_motion_view *view);

// The render mesh at the present time, empty where the pack has none (--with-mesh). Valid until the next call that
// steps or changes the world.
SLV_API slv_result slv_clip_get_surface(slv_world *world, slv_clip_id id, slv_surface_view *view);

// --- Colliders ---------------------------------------------------------------------------------------

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
    float position[3];
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
SLV_API slv_result slv_collider_move(slv_world *world, slv_collider_id id, const float position[3],
                                     const float rotation[4], uint32_t steps);
// As slv_collider_move, in seconds (1e-6 … 3600) from the present time. To be called once a frame, as
// slv_garment_lead_fixed.
SLV_API slv_result slv_collider_lead(slv_world *world, slv_collider_id id, const float position[3],
                                     const float rotation[4], double seconds);
// Velocity (m/s) and angular velocity (rad/s around the axes of the world) from now on.
SLV_API slv_result slv_collider_set_velocity(slv_world *world, slv_collider_id id,
                                             const float velocity[3],
                                             const float angular_velocity[3]);
// The pose at the last step. position and rotation may be NULL.
SLV_API slv_result slv_collider_get_pose(slv_world *world, slv_collider_id id, float position[3],
                                         float rotation[4]);

// A contact of a particle with a collider or with a particle of another garment.
typedef struct slv_contact_point {
    uint32_t particle; // own number
    float place[3];    // metres, on the surface of the other
    float normal[3];   // unit length, points out of that surface
} slv_contact_point;
// The contacts of a garment at its present positions, without those with itself, for drawing. Writes the first `room`
// and their number into *count. It tests every particle, which is slow.
SLV_API slv_result slv_garment_get_contact_points(slv_world *world, slv_garment_id id,
                                                  slv_contact_point *points, uint32_t room,
                                                  uint32_t *count);

// Neighbor lists hold the particles that each particle may collide with in a step. All have the same capacity, 8 at
// first and at most 64. A call that steps enlarges them after its last step, for the next call: on a CPU when a
// particle has had more than half as many neighbors, on any device when a list was too short. Where a list is too short,
// the step is rolled back. slv_world_advance then ends with the rest of its steps left; slv_world_step, which does all
// of its steps, enlarges the lists between two steps. Larger lists do not change the motion.
typedef struct slv_contact_report {
    uint32_t neighbor_capacity; // of each list
    uint32_t neighbor_count;    // largest number of neighbors of a particle in any step so far
    size_t list_bytes;          // memory of all lists
    bool
        crowded; // in the last step contacts between particles were left out: lists could not be long
                 // enough, or particles moved apart by more than 16 radii
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

// --- Time --------------------------------------------------------------------------------------------

// Does `count` steps. Where neighbor lists are too short it enlarges them between two steps: of all calls only this
// one allocates before its last step.
SLV_API slv_result slv_world_step(slv_world *world, uint32_t count);

typedef struct slv_advance_report {
    uint64_t steps_done; // by this call
    uint64_t steps_left; // due and not done: the next call does them first
    float
        fraction; // 0 … 1: how far the present lies between the last step and the next, for drawing; 1
                  // while steps are left
} slv_advance_report;

// Advances the clock by seconds (0 … 3600) and does the steps that are due. The motion does not depend on how time is
// divided into calls. One call does at most the steps of slv_world_def.max_advance, and it ends early where neighbor
// lists are too short (slv_world_reserve). Steps that are left stay due. report may be NULL. Nothing is allocated
// before the last step, unless a GPU fails and the CPU takes over; after it neighbor lists may be enlarged.
SLV_API slv_result slv_world_advance(slv_world *world, double seconds, slv_advance_report *report);
// Steps that are left are no longer due: the world falls behind the clock by their length.
SLV_API slv_result slv_world_drop_steps(slv_world *world);

SLV_API uint64_t slv_world_get_step_count(const slv_world *world);

// Back to the state in which the garments were added, at step 0. Parameters and materials stay.
SLV_API slv_result slv_world_reset(slv_world *world);

// --- State -------------------------------------------------------------------------------------------

// The state of a world, bit for bit, parameters included. A snapshot fits only a world made the same way, with the same
// garments, clips and colliders.
SLV_API size_t slv_world_get_snapshot_size(const slv_world *world);
SLV_API slv_result slv_world_save_snapshot(slv_world *world, void *bytes, size_t size);
SLV_API slv_result slv_world_restore_snapshot(slv_world *world, const void *bytes, size_t size);

// Hash of the poses of colliders, of positions and previous positions of all particles and, where garments may sleep,
// of how long each has been at rest. It is the same on every machine.
SLV_API slv_result slv_world_get_hash(slv_world *world, uint64_t *hash);

typedef struct slv_measures {
    double residual;       // m²: sum over distance constraints of (|qa - qb| - L)²
    double kinetic_energy; // J, of particles that can move
    double max_stretch;    // largest |qa - qb| / L; 1 = rest
} slv_measures;
SLV_API slv_result slv_world_get_measures(slv_world *world, slv_measures *measures);

#ifdef __cplusplus
}
#endif

#endif
