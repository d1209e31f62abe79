// SPDX-License-Identifier: MIT
// Selvage's runtime: worlds made from packs, and the step. This is the only header a game includes.
//
// Units are SI: metres, kilograms, seconds, newtons; y is up; right-handed. Particles are counted in
// the object's own order (x fastest, then y or, where flat, z; the file's vertex order for surfaces).
// The library prints nothing, keeps no global state and allocates nothing during a step. Two kinds of
// failure: what the world does wrong (a bad pack, no memory, a blow-up, a value out of range) comes
// back as a status with a sentence in slv_world_get_message; what only a program can do wrong (a NULL
// world, a definition that did not come from its default function) is refused the same way, never a
// crash. A call that fails leaves the world as it was; of several steps, those before the one that
// blew up are done.
//
// Threads: a world belongs to one call at a time, on any thread. That holds for every function that takes it, those
// that only ask (slv_world_get_device, slv_world_get_message, slv_world_get_step_count, views) included: none may run
// while another thread is in a call on the same world, and what they hand out is read before the next one
// that steps or changes it. A thread that draws is given copies by the one that steps. OpenGL calls need the
// context current on the thread that makes them. Different worlds, and functions without a world, are free;
// so are those that only read a scene.
#ifndef SELVAGE_H
#define SELVAGE_H

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

// In a field whose comment says so: the library or the pack decides. 0 always means zero, or off.
#define SLV_UNSET (-1.0f)

// --- Version -----------------------------------------------------------------------------------------

typedef struct slv_version {
    uint32_t major, minor, patch;
} slv_version;

// Of the library that runs, which may differ from the one that the program was built with.
SLV_API slv_version slv_get_version(void);

// --- Hooks -------------------------------------------------------------------------------------------

// All memory of a world comes from here; only packs are opened with the C library's, for as long as
// slv_world_add_garment takes. size is a multiple of alignment (64).
typedef struct slv_allocator {
    void *(*allocate)(void *context, size_t size, size_t alignment);
    void (*release)(void *context, void *memory, size_t size);
    void *context;
} slv_allocator;

// Lends the host's own worker threads to the step. run must call task(argument, worker) once for each
// worker below count, all of them at the same time (they wait for one another), and return when all
// have returned.
typedef struct slv_task_hooks {
    void (*run)(void *context, uint32_t count, void (*task)(void *argument, uint32_t worker),
                void *argument);
    void *context;
} slv_task_hooks;

// --- Worlds ------------------------------------------------------------------------------------------

typedef struct slv_world slv_world;

typedef enum slv_solver {
    SLV_PD_GS = 0,     // projective dynamics, one particle after another in own order
    SLV_PD_JACOBI = 1, // all particles at once from the last iterate
    SLV_PD_RBGS = 2,   // color by color: two on grids, more on general graphs
    // Position based with compliance. These know the tetrahedra of a pack too, PBD_GS its phantoms.
    SLV_PBD_JACOBI = 3, // corrections averaged per particle
    SLV_PBD_GS = 4,     // one color of constraints after another
    SLV_SOLVER_COUNT = 5
} slv_solver;

// "PD_RBGS" and back; NULL / SLV_SOLVER_COUNT where there is no such thing.
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

// *world is NULL on failure, and message (room for size bytes; may be NULL) says why.
SLV_API slv_result slv_world_create(const slv_world_def *def, slv_world **world, char *message,
                                    size_t size);
SLV_API void slv_world_destroy(slv_world *world); // NULL is fine

// A pointer of the caller's; NULL at first. The library only keeps it. Garments, clips and colliders have one
// each as well, which getters give as NULL for an invalid id.
SLV_API slv_result slv_world_set_user_data(slv_world *world, void *user_data);
SLV_API void *slv_world_get_user_data(const slv_world *world);

// Why the last call on this world failed. Lives until the next call.
SLV_API const char *slv_world_get_message(const slv_world *world);

SLV_API slv_parameters slv_world_get_parameters(const slv_world *world);
SLV_API slv_result slv_world_set_parameters(slv_world *world, const slv_parameters *parameters);

// "cpu", "AMD EPYC …, avx2", 2: what it runs on.
typedef struct slv_world_device {
    const char *backend;
    const char *device;
    const char *instruction_set; // "" on GPUs
    uint32_t threads;            // 0 on GPUs
    // One line for a person, or "": why the CPU goes on in place of a GPU, or that a GPU does not
    // round exactly.
    const char *note;
} slv_world_device;
// Its texts live until the next call on the world: where a GPU fails they become the CPU's.
SLV_API slv_world_device slv_world_get_device(const slv_world *world);

// --- Devices -----------------------------------------------------------------------------------------

typedef struct slv_device {
    uint64_t memory_bytes;
    uint32_t index;   // counts from 0 within the backend
    char backend[16]; // as in slv_world_def
    char name[128];
    char driver[192];
    bool is_gpu; // and not a processor that OpenCL runs on
} slv_device;

// Lists what is here and returns how many there are; the first `room` of them are written.
SLV_API uint32_t slv_list_devices(slv_device *devices, uint32_t room);
// Whether a backend ("cpu", "opencl", "cuda") can be used here: SLV_OK, or SLV_ERROR_UNSUPPORTED and in
// message (room for size bytes; may be NULL) why not: not built in, no driver, no platform, no device.
SLV_API slv_result slv_check_backend(const char *backend, char *message, size_t size);

// What steps cost, since the world was made or this was last asked.
enum { SLV_STAGE_LIMIT = 16 };
typedef struct slv_stage_timing {
    const char *name; // "integrate", "solve", …
    uint64_t launches;
    double seconds; // on the device, 0 without slv_world_def.timing
} slv_stage_timing;
typedef struct slv_timing {
    uint64_t steps;
    uint64_t launches;    // kernels run
    uint64_t submissions; // calls that sent work: a launch each, or a recorded step each
    double issue_seconds; // of the calling thread, spent in sending work to a GPU
    uint32_t stage_count;
    slv_stage_timing stages[SLV_STAGE_LIMIT];
} slv_timing;
SLV_API slv_result slv_world_get_timing(slv_world *world, slv_timing *timing);

// --- Garments ----------------------------------------------------------------------------------------

// Names a garment of a world. A zeroed id is the null id and names nothing. The id of a removed garment stays
// invalid for good, also when another garment takes its slot.
typedef struct slv_garment_id {
    uint32_t slot; // only the library makes ids
    uint32_t generation;
} slv_garment_id;

// Limits for a named set of particles. Of several that name a particle, the last counts.
typedef struct slv_limit_def {
    const char *set;    // NULL = all particles
    float max_distance; // m from the particle's target, 0 … 1e6; SLV_UNSET = no such limit
    float backstop; // m behind the plane through the target, 0 … 1e6; SLV_UNSET = no such limit
} slv_limit_def;

// A channel of paint: of the vertex colors that the mesh came with, which a pack has for its particles.
typedef enum slv_channel {
    SLV_CHANNEL_NONE = 0, // white everywhere
    SLV_CHANNEL_RED = 1,
    SLV_CHANNEL_GREEN = 2,
    SLV_CHANNEL_BLUE = 3,
    SLV_CHANNEL_ALPHA = 4
} slv_channel;

// Which channel says how much of a limit holds where. Paint is freedom: where it is white (255, and whatever
// was not painted) a particle has all that the limit gives, where it is black (0) it has none, and evenly
// in between. The limit itself must be given.
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
    // the plane through the target; -1: none. Targets are the positions at the start. [m; 0 to 1e6]
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
// The other garments keep their state bit for bit; sleeping ones are woken. Clips let go of its particles. The
// surface of a clip is refused: it goes with slv_world_remove_clip.
SLV_API slv_result slv_world_remove_garment(slv_world *world, slv_garment_id id);
SLV_API slv_result slv_garment_set_user_data(slv_world *world, slv_garment_id id, void *user_data);
SLV_API void *slv_garment_get_user_data(const slv_world *world, slv_garment_id id);
// False for the null id, for ids of removed garments and without a world.
SLV_API bool slv_garment_is_valid(const slv_world *world, slv_garment_id id);
SLV_API uint32_t slv_world_get_garment_count(const slv_world *world);
// The garments in the order of adding, index 0 … count - 1; the null id beyond. The surfaces of solid clips
// are among them.
SLV_API slv_garment_id slv_world_get_garment(const slv_world *world, uint32_t index);
// Where a garment stands in that order; UINT32_MAX for an invalid id. Removing a garment lowers the index of
// those behind it.
SLV_API uint32_t slv_garment_get_index(const slv_world *world, slv_garment_id id);

// What a garment is made of and how it collides, as in slv_garment_def, for changing it while it exists. The units,
// ranges and defaults of the fields are those of slv_garment_def.
typedef struct slv_garment_material {
    float stretch_stiffness; // N/m; SLV_UNSET = the pack's material
    float shear_stiffness;   // N/m
    float bending_stiffness; // N/m
    float thickness;         // m
    float friction;
    float kinetic_friction; // SLV_UNSET = as friction
    float restitution;
    float collision_radius; // m; SLV_UNSET = half of the mean length of its distance constraints
    float rest_speed;       // m/s
    float drag;
} slv_garment_material;
SLV_API slv_result slv_garment_get_material(slv_world *world, slv_garment_id id,
                                            slv_garment_material *material);
// The garment goes on from its present state as one that was added with these values; all garments are woken.
// Constraints are not made while it exists: a shear_stiffness or bending_stiffness of 0 stays 0, and one above 0
// stays above 0, else SLV_ERROR_UNSUPPORTED. A reset does not change the material, and snapshots do not hold
// it. Allocates: between frames, not in each.
SLV_API slv_result slv_garment_set_material(slv_world *world, slv_garment_id id,
                                            const slv_garment_material *material);

// A named set of particles of a garment's pack. Lives as long as the garment.
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

// Positions in place: particle p of own order lies at x[slot[p] * stride], y[…], z[…].
// Valid until the next call that steps or changes the world.
typedef struct slv_particle_view {
    uint32_t count;
    const float *x, *y, *z;
    uint32_t stride; // floats from one slot to the next
    const uint32_t *slot;
} slv_particle_view;
SLV_API slv_result slv_garment_get_positions(slv_world *world, slv_garment_id id,
                                             slv_particle_view *view);

// Writes the positions into an OpenGL buffer of 12 bytes a particle (x, y, z in own order) without a way
// through the host's memory. The GL context must be current, for OpenCL the one of slv_world_def.
// SLV_ERROR_UNSUPPORTED where the world's device cannot: then upload slv_garment_get_positions.
SLV_API slv_result slv_garment_write_gl_buffer(slv_world *world, slv_garment_id id,
                                               uint32_t gl_buffer);
// Must be called before the buffer is deleted or resized, with the GL context current.
SLV_API void slv_world_forget_gl_buffer(slv_world *world, uint32_t gl_buffer);
// Changes slv_world_def.keep_state; true reads the present state back at once.
SLV_API slv_result slv_world_set_keep_state(slv_world *world, bool keep_state);

// The render mesh, carried along by the particles: computed when asked for, kept until the next step.
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

// For drawing between steps with the fraction that slv_world_advance gives: positions a step earlier, laid
// out as the present ones are (show before + fraction * (now - before)); and the render mesh between
// the last two steps, 0 … 1.
SLV_API slv_result slv_garment_get_previous_positions(slv_world *world, slv_garment_id id,
                                                      slv_particle_view *view);
SLV_API slv_result slv_garment_get_surface_at(slv_world *world, slv_garment_id id, float fraction,
                                              slv_surface_view *view);

// Moves fixed particles (own numbers) to targets ([count][3]) evenly over the next `steps` steps.
SLV_API slv_result slv_garment_move_fixed(slv_world *world, slv_garment_id id,
                                          const uint32_t *particles, uint32_t count,
                                          const float *targets, uint32_t steps);
// The same by the clock: they arrive in `seconds`, on a straight line from where they are now. Call it
// once a frame with the frame's length, before slv_world_advance of the same length: each step then
// finds them where they are due at its time, and frames of any length give the same motion.
SLV_API slv_result slv_garment_lead_fixed(slv_world *world, slv_garment_id id,
                                          const uint32_t *particles, uint32_t count,
                                          const float *targets, double seconds);
// Where limits are measured from, [count][3] in own order, and unit normals (NULL: as they were; y at first):
// for a character's skin.
SLV_API slv_result slv_garment_set_targets(slv_world *world, slv_garment_id id,
                                           const float *positions, const float *normals);
// Other limits from here on: [count] in own order, metres, SLV_UNSET = none; NULL = as they were. For a game that
// paints by itself, or loosens a garment by and by. A reset brings back what the garment was added with.
SLV_API slv_result slv_garment_set_limits(slv_world *world, slv_garment_id id,
                                          const float *max_distances, const float *backstops);
// Cuts constraints (numbers in slv_garment_structure) for good, as if they had torn; what is cut already stays so.
// A reset mends them. A garment that has been cut takes the solvers' form for meshes, and its snapshots are
// longer from then on.
SLV_API slv_result slv_garment_cut(slv_world *world, slv_garment_id id, const uint32_t *constraints,
                                   uint32_t count);
// How many of a garment's constraints are torn or cut.
SLV_API slv_result slv_garment_get_torn_count(slv_world *world, slv_garment_id id, uint32_t *count);
// Which of them: [constraint_count] of 0 and 1, NULL where nothing can be torn. Valid until the next call
// that steps or changes the world.
SLV_API slv_result slv_garment_get_torn(slv_world *world, slv_garment_id id, const uint8_t **torn);
// Fixes or frees particles between steps.
SLV_API slv_result slv_garment_set_fixed(slv_world *world, slv_garment_id id,
                                         const uint32_t *particles, uint32_t count, bool fixed);
// Moves a garment rigidly to a new place at once: what it did relative to itself goes on, no spike.
SLV_API slv_result slv_garment_teleport(slv_world *world, slv_garment_id id,
                                        const float position[3], const float rotation[4]);

// --- Anatomy -----------------------------------------------------------------------------------------

typedef struct slv_constraint {
    uint32_t a, b; // own numbers of the particles it joins
    float rest;    // metres
    uint32_t kind; // which stiffness: constraints of one kind share it
} slv_constraint;

// Constraints that are solved at once: of one kind, and no particle (or copy of one) occurs twice.
typedef struct slv_structure_group {
    uint32_t first, count; // in slv_garment_structure.constraints
    uint32_t kind;
    bool averaged; // they may share particles, and are solved together after all others
} slv_structure_group;

// What a garment is made of, for whoever draws or looks into it. Nothing is copied; the arrays live as
// long as the world and do not change in a step.
typedef struct slv_garment_structure {
    uint32_t particle_count;
    uint32_t color_count;
    const uint32_t *colors;            // [particle_count]: no constraint joins two of one color
    const uint8_t *fixed;              // [particle_count]: 1 where it does not move now
    const uint8_t *paint;              // [particle_count][4] red, green, blue, alpha; or NULL
    const slv_constraint *constraints; // [constraint_count]
    uint32_t constraint_count;
    uint32_t distance_count;    // of these, the first are along the threads; then shear and bending
    uint32_t vertex_count;      // of the render mesh, 0 where there is none
    uint32_t influence_count;   // particles that a vertex follows
    const uint32_t *influences; // [vertex_count][influence_count] own numbers
    const float *weights;       // [vertex_count][influence_count]
    const float *offsets;       // [vertex_count][3] metres, or NULL: formats/PACK.md, "REMB"
    const float *uvs;           // [vertex_count][2], or NULL
    const uint8_t *texture; // [texture_size] the mesh's own, a PNG file; NULL where there is none
    size_t texture_size;
    uint32_t triangle_count;
    const uint32_t *triangles; // [triangle_count][3]
    uint32_t group_count;
    const slv_structure_group *groups; // [group_count]: the colors of constraints
    uint32_t phantom_count;            // particles that have copies
    const uint32_t *phantoms; // [phantom_count][3]: particle, first copy, end of its copies
} slv_garment_structure;
SLV_API slv_result slv_garment_get_structure(slv_world *world, slv_garment_id id,
                                             slv_garment_structure *anatomy);

// --- Sleep -------------------------------------------------------------------------------------------

// A garment that sleeps is woken, in the very step, by a collider that moves and comes near its box, by a
// garment that touches it and has not come to rest, and by fixed particles of its own that move; and by
// every call that changes what it would do: those that are about it (fixed particles, targets, cuts),
// and for all garments other parameters, added or removed colliders, a teleport of anybody, a reset. Calls
// that change nothing wake nobody. This wakes one for other reasons.
SLV_API slv_result slv_garment_wake(slv_world *world, slv_garment_id id);
SLV_API slv_result slv_garment_is_asleep(slv_world *world, slv_garment_id id, bool *asleep);
// How many garments sleep, surfaces of clips that stand still included.
SLV_API slv_result slv_world_get_asleep_count(slv_world *world, uint32_t *count);

// --- Clips: animated characters ----------------------------------------------------------------------

// A collider pack (selvage-bake-collider) that plays in the world: its frames are decoded ahead by a
// worker, and between them everything goes in straight lines. A clip's memory comes from the world's
// allocator but for its pack and its decoder, which are the C library's.
typedef struct slv_clip_id { // as slv_garment_id; at most 8 clips a world
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

// Its surface is removed with it. Particles that it carried are free from then on, with the velocity that they
// have; those that were fixed before slv_clip_attach stay fixed, where they are.
SLV_API slv_result slv_world_remove_clip(slv_world *world, slv_clip_id id);
SLV_API slv_result slv_clip_set_user_data(slv_world *world, slv_clip_id id, void *user_data);
SLV_API void *slv_clip_get_user_data(const slv_world *world, slv_clip_id id);

// The garment's particles that an attachment of the pack names become fixed and follow it: from where they
// are to where it is in the course of the present frame, and with it from then on.
SLV_API slv_result slv_clip_attach(slv_world *world, slv_clip_id id, const char *attachment,
                                   slv_garment_id garment);

// Moves and turns a clip at once. Its surface and the particles that it carries are taken along with the velocity
// that they have, turned with the pose: no spike. The rest of a garment follows by its constraints, unless
// slv_garment_teleport takes it along too.
SLV_API slv_result slv_clip_set_pose(slv_world *world, slv_clip_id id, const float position[3],
                                     const float rotation[4]);
// The same by the clock, for a character that walks through the world: it arrives in `seconds` (1e-6 … 3600), evenly
// and by the shorter turn, from where it is at the present time. Call it once a frame with the frame's length,
// before slv_world_advance of the same length. Points go in straight lines of at most 0.01 s.
SLV_API slv_result slv_clip_lead(slv_world *world, slv_clip_id id, const float position[3],
                                 const float rotation[4], double seconds);
// As of the last step; either may be NULL.
SLV_API slv_result slv_clip_get_pose(slv_world *world, slv_clip_id id, float position[3],
                                     float rotation[4]);

// Takes effect with the next step.
SLV_API slv_result slv_clip_seek(slv_world *world, slv_clip_id id, double seconds);
SLV_API slv_result slv_clip_set_speed(slv_world *world, slv_clip_id id, double speed);

typedef struct slv_clip_report {
    uint32_t particle_count, vertex_count, attachment_count, frame_count;
    double frame_rate; // frames per second
    double duration;   // s
    float radius;      // m, of the surface's particles
    float coverage;    // m: no point of the surface is farther from one
    double time;       // s: where it is
    bool has_surface;
    slv_garment_id surface;  // the garment that stands for it, where it is solid; else null
    uint64_t decoded_groups; // of 8 frames
    uint64_t waits; // times that frames were not there when they were needed, since it was added
    double wait_seconds;
} slv_clip_report;
SLV_API slv_result slv_clip_get_report(slv_world *world, slv_clip_id id, slv_clip_report *report);
SLV_API bool slv_clip_is_valid(const slv_world *world, slv_clip_id id);
SLV_API uint32_t slv_world_get_clip_count(const slv_world *world);
// The clips in the order of adding, index 0 … count - 1; the null id beyond.
SLV_API slv_clip_id slv_world_get_clip(const slv_world *world, uint32_t index);

// Where the particles of the surface are now and how fast, solid or not: metres and metres per second in the
// world, x, y, z of each. Velocities are those of the frames, each found from its two neighbors, and
// change evenly in between, with that of slv_clip_lead; 0 where a clip stands still. Valid until the next call that steps or
// changes the world.
typedef struct slv_motion_view {
    uint32_t count;
    const float *positions;
    const float *velocities;
} slv_motion_view;
SLV_API slv_result slv_clip_get_motion(slv_world *world, slv_clip_id id, slv_motion_view *view);

// The drawn mesh as it is now, where the pack has one (--with-mesh); else empty. Valid until the next call
// that steps or changes the world.
SLV_API slv_result slv_clip_get_surface(slv_world *world, slv_clip_id id, slv_surface_view *view);

// --- Colliders ---------------------------------------------------------------------------------------

// What garments meet. Shapes lie in a frame of their own, which position and rotation place.
typedef enum slv_collider_kind {
    SLV_COLLIDER_PLANE = 1,   // everything below y = 0
    SLV_COLLIDER_SPHERE = 2,  // radius
    SLV_COLLIDER_CAPSULE = 3, // radius; its axis, along y, is `length` long without the caps
    SLV_COLLIDER_BOX = 4,     // size: its extents
    SLV_COLLIDER_WEDGE = 5,   // an edge along z through the origin; size: width at the top, height,
                              // length of the edge
    SLV_COLLIDER_FUNNEL =
        6, // the inside of r = e^(y / steepness) from y = low to high, its wall so thick
    SLV_COLLIDER_FIELD = 7, // the signed distance field (SDFG) in a pack
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
// The colliders of the world, index 0 … count - 1, in the order of adding until one is removed: the next one
// added takes its place. The null id beyond.
SLV_API slv_collider_id slv_world_get_collider(const slv_world *world, uint32_t index);

// Moves it evenly over the next `steps` steps, by the shorter turn; then it stands still. Positions in
// between depend on the steps alone, not on how they are cut into calls.
SLV_API slv_result slv_collider_move(slv_world *world, slv_collider_id id, const float position[3],
                                     const float rotation[4], uint32_t steps);
// The same by the clock: it arrives in `seconds` (1e-6 … 3600), from where it is at the present time. Call it once
// a frame with the frame's length, before slv_world_advance of the same length, as slv_garment_lead_fixed.
SLV_API slv_result slv_collider_lead(slv_world *world, slv_collider_id id, const float position[3],
                                     const float rotation[4], double seconds);
// From here on: m/s and rad/s.
SLV_API slv_result slv_collider_set_velocity(slv_world *world, slv_collider_id id,
                                             const float velocity[3],
                                             const float angular_velocity[3]);
SLV_API slv_result slv_collider_get_pose(slv_world *world, slv_collider_id id, float position[3],
                                         float rotation[4]);

// Where a particle touches a collider or a particle of another garment.
typedef struct slv_contact_point {
    uint32_t particle; // own number
    float place[3];    // metres, on the surface that is touched
    float normal[3];   // unit length, leads out of it
} slv_contact_point;
// The contacts of a garment as it lies now, for whoever draws them; those with itself are left out. Writes
// the first `room` and says in *count how many there are. Looks at every particle: not for every step.
SLV_API slv_result slv_garment_get_contact_points(slv_world *world, slv_garment_id id,
                                                  slv_contact_point *touches, uint32_t room,
                                                  uint32_t *count);

// Lists of neighbors: which particles each particle may touch in a step. All are equally long. They begin with
// 8 and become longer, at most 64: when a particle has had more than half as many neighbors, the next call that
// steps makes longer ones first (on a CPU; a GPU is not asked for that in every call). Where they prove too short
// within slv_world_advance, that step is rolled back and the call ends, with the rest of its steps left.
typedef struct slv_contact_report {
    uint32_t neighbor_capacity; // neighbors that each list holds
    uint32_t neighbor_count;    // the most that a particle had in any step so far
    size_t list_bytes;          // memory of all lists
    bool
        crowded; // in the last step contacts between particles were left out: lists could not be long
                 // enough, or particles moved apart by more than 16 radii
} slv_contact_report;
SLV_API slv_result slv_world_get_contact_report(slv_world *world, slv_contact_report *report);
// Makes the lists long enough for that many neighbors, 1 … 64, at once. With the neighbor_count of a test run no
// later step needs longer ones. Without memory for them the call that tries says SLV_ERROR_MEMORY once, and
// the world goes on with the lists it has; this call tries again.
SLV_API slv_result slv_world_reserve(slv_world *world, uint32_t neighbors);
// One sentence into message where a garment's collision radius does not suit its spacing, with a radius
// that would; "" where it does, or where its particles meet no others.
SLV_API slv_result slv_garment_check_radius(slv_world *world, slv_garment_id id, char *message,
                                            size_t size);

// --- Time --------------------------------------------------------------------------------------------

// Exactly `count` steps of the fixed length. Where lists of neighbors prove too short it makes longer ones
// between two steps: the one call that allocates after its first step.
SLV_API slv_result slv_world_step(slv_world *world, uint32_t count);

typedef struct slv_advance_report {
    uint64_t steps_done; // by this call
    uint64_t steps_left; // due and not done: the next call does them first
    float
        fraction; // 0 … 1: how far the present lies between the last step and the next, for drawing; 1
                  // while steps are left
} slv_advance_report;

// As many fixed steps as have become due since the last call: the result does not depend on how time
// was cut into calls. seconds: 0 … 3600. A call does at most the steps of slv_world_def.max_advance, and it ends
// early where lists of neighbors prove too short (slv_world_reserve); what is left stays due. report may be
// NULL. It allocates nothing after its first step.
SLV_API slv_result slv_world_advance(slv_world *world, double seconds, slv_advance_report *report);
// The steps that are left are no longer due: the world falls behind the clock by their length.
SLV_API slv_result slv_world_drop_steps(slv_world *world);

SLV_API uint64_t slv_world_get_step_count(const slv_world *world);

// Back to the state right after the garments were added.
SLV_API slv_result slv_world_reset(slv_world *world);

// --- State -------------------------------------------------------------------------------------------

// Everything that the future depends on, bit for bit. A snapshot fits only a world made the same way, with the
// same garments, clips and colliders.
SLV_API size_t slv_world_get_snapshot_size(const slv_world *world);
SLV_API slv_result slv_world_save_snapshot(slv_world *world, void *bytes, size_t size);
SLV_API slv_result slv_world_restore_snapshot(slv_world *world, const void *bytes, size_t size);

// Hash of the poses of colliders, positions and previous positions of all particles in own order and,
// where any garment may sleep, how long each has been at rest: equal on every machine.
SLV_API slv_result slv_world_get_hash(slv_world *world, uint64_t *hash);

typedef struct slv_measures {
    double residual;       // m²: sum over distance constraints of (|qa - qb| - L)²
    double kinetic_energy; // J, of particles that can move
    double max_stretch;    // largest |qa - qb| / L; 1 = rest
} slv_measures;
SLV_API slv_result slv_world_get_measures(slv_world *world, slv_measures *measures);

// --- Scenes ------------------------------------------------------------------------------------------

// A scene file (docs/SCENES.md, data/scene.schema.json): garments, their places, and how to step them.
typedef struct slv_scene slv_scene;

// Reads the scene file alone; its packs are read when a world is made of it. *scene is NULL on
// failure, and message (room for size bytes; may be NULL) says "FILE:LINE: key: what is wrong".
SLV_API slv_result slv_scene_load(const char *path, slv_scene **scene, char *message, size_t size);
SLV_API void slv_scene_destroy(slv_scene *scene); // NULL is fine

typedef struct slv_scene_settings {
    slv_parameters parameters;
    double time_step;         // s
    uint32_t steps_per_frame; // 8
    float camera_position[3]; // metres
    bool has_camera_target;   // false: the middle of the garments
    float camera_target[3];   // metres
    float tearing_threshold;  // of garments that say nothing else; 0 = never
    const char *model_path;   // the animated model's collider pack; NULL = none
    slv_clip_def model;       // how it plays; its pack_path is set where there is such a pack
    uint32_t object_count;
    uint32_t collider_count;
    uint32_t warning_count;
} slv_scene_settings;

// Everything that these hand out lives as long as the scene.
SLV_API slv_scene_settings slv_scene_get_settings(const slv_scene *scene);

typedef struct slv_scene_names {
    const char *const *names;
    uint32_t count;
} slv_scene_names;

typedef struct slv_scene_object {
    slv_garment_def garment;     // as slv_world_add_garment takes it; pack_path is ready to open
    uint8_t color[3];            // red, green, blue as in the file (sRGB)
    const char *texture_path;    // a PNG to be drawn through the mesh's UVs; NULL = none
    slv_scene_names attachments; // of the model, which carry its particles along
} slv_scene_object;
SLV_API slv_result slv_scene_get_object(const slv_scene *scene, uint32_t index,
                                        slv_scene_object *object);

// A collider as slv_world_add_collider takes it; pack_path is ready to open.
SLV_API slv_result slv_scene_get_collider(const slv_scene *scene, uint32_t index,
                                          slv_collider_def *collider);

// What the file asks for and this version does not do; NULL beyond the last.
SLV_API const char *slv_scene_get_warning(const slv_scene *scene, uint32_t index);

// slv_default_world_def with the scene's parameters and time step. To override the scene, change what
// you like in it before you make the world.
SLV_API slv_world_def slv_scene_get_world_def(const slv_scene *scene);

// A world with all colliders and objects of the scene in their order. def may be NULL for slv_scene_get_world_def.
SLV_API slv_result slv_scene_create_world(const slv_scene *scene, const slv_world_def *def,
                                          slv_world **world, char *message, size_t size);

// --- Exports -----------------------------------------------------------------------------------------

// Writes what the garments do, frame by frame, for other programs (docs/EXPORT.md). The extension of the
// path chooses the format:
//   .csv   a line a point
//   .obj   a file a frame, NAME_0000.obj …
//   .pc2   .mdd   point caches, with NAME.rest.obj that they are applied to
//   .usda  USD as text
//   .glb   glTF with a morph target a frame
// Memory stays small however long the run. Files appear when slv_export_finish succeeds, or not at all.
// Exports use the C library's memory, not the world's allocator; they only look at the world.
typedef struct slv_export slv_export;

typedef enum slv_export_what {
    SLV_EXPORT_USUAL = 0,     // particles in .csv, render meshes in all others
    SLV_EXPORT_RENDER = 1,    // the meshes to draw
    SLV_EXPORT_PARTICLES = 2, // in own order
} slv_export_what;

typedef struct slv_export_def {
    const char *path;
    slv_export_what what;
    double frame_rate; // 60; frames per second that the file states: 1e-3 … 1e6
    uint32_t cookie;   // set by slv_default_export_def
} slv_export_def;

SLV_API slv_export_def slv_default_export_def(void);

// The present state becomes the rest state of formats that have one; it is no frame yet. *made is NULL on
// failure, and slv_world_get_message says why, as for all of these.
SLV_API slv_result slv_export_open(slv_world *world, const slv_export_def *def, slv_export **made);
// The present state is the next frame. After a failure only slv_export_abandon makes sense.
SLV_API slv_result slv_export_frame(slv_export *run, slv_world *world);
// The files appear; run is freed, whether that succeeds or not.
SLV_API slv_result slv_export_finish(slv_export *run, slv_world *world);
SLV_API void slv_export_abandon(slv_export *run); // leaves no file; NULL is fine

#ifdef __cplusplus
}
#endif

#endif
