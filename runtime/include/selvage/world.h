// SPDX-License-Identifier: MIT
// Worlds: devices, time and state. Included by selvage.h, which states the rules of all calls.
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
// SLV_CHANNEL_NONE. Exceptions: 0 threads, 0 seconds and 0 MiB make no sense, so that 0 is the value of threads,
// max_advance and memory_limit that are not given. A point may have any coordinates, so that slv_scene_settings.has_camera_target says
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
    // The world chooses one that solves all constraints of its garments.
    SLV_SOLVER_AUTO = -1,
    // Projective dynamics: Gauss-Seidel in the order of own numbers.
    SLV_PD_GS = 0,
    // Projective dynamics: Jacobi.
    SLV_PD_JACOBI = 1,
    // Projective dynamics: Gauss-Seidel by colors of particles, two on grids, more on general
    // graphs.
    SLV_PD_RBGS = 2,
    // Position based dynamics with compliance: Jacobi, corrections averaged per particle. Solves
    // tetrahedra and clusters too.
    SLV_PBD_JACOBI = 3,
    // Position based dynamics with compliance: Gauss-Seidel by colors of constraints. Solves
    // tetrahedra, phantoms and clusters too.
    SLV_PBD_GS = 4,
    // Projective dynamics: a multigrid cycle in each outer iteration, on coarse grids of flat grids
    // and on aggregates of graphs; Gauss-Seidel by colors for solid grids and for garments that can
    // tear.
    SLV_PD_MULTIGRID = 5,
    // Mass-spring: explicit Euler, of order 1. Unstable at any step without damping.
    SLV_MS_EXPLICIT_EULER = 6,
    // Mass-spring: symplectic Euler, of order 1.
    SLV_MS_SYMPLECTIC_EULER = 7,
    // Mass-spring: explicit midpoint rule, of order 2. Unstable at any step without damping.
    SLV_MS_MIDPOINT = 8,
    // Mass-spring: fourth-order Runge-Kutta.
    SLV_MS_RK4 = 9,
    // Mass-spring: Verlet with half a step of velocity before and after the force, of order 2.
    SLV_MS_VERLET = 10,
    // Mass-spring: implicit Euler by conjugate gradients. Stable at any step.
    SLV_MS_IMPLICIT_EULER = 11,
    // Mass-spring: implicit Euler with a matrix that does not depend on positions, by the factor
    // that selvage-colorize stores, else by conjugate gradients. Stable at any step; resists
    // turning.
    SLV_MS_CONSTANT_MATRIX = 12,
    // Mass-spring: implicit Euler by local and global steps (fast mass-springs) with the same
    // matrix. Stable at any step.
    SLV_MS_LOCAL_GLOBAL = 13,
    // Distance constraints with Lagrange multipliers: all in one solve by conjugate gradients.
    // Stretch springs are hard, others have their stiffness.
    SLV_MS_LAGRANGE = 14,
    SLV_SOLVER_COUNT = 15
} slv_solver;
// end of generated

// The name of a solver, such as "PD_RBGS" or "AUTO"; NULL for a value that is no solver. And the solver of a name;
// SLV_SOLVER_COUNT for a name that is none.
SLV_API const char *slv_solver_get_name(slv_solver solver);
SLV_API slv_solver slv_solver_from_name(const char *name);

// What may change between steps.
// generated from runtime/base/parameters/parameters.def
typedef struct slv_parameters {
    // Solver: projective dynamics (PD) or position based dynamics with compliance (PBD), by
    // Gauss-Seidel (GS), Jacobi (JACOBI), Gauss-Seidel color by color (RBGS) or multigrid
    // (MULTIGRID); or springs without constraints (MS), by the named integrator. AUTO:
    // PD_MULTIGRID, or PD_RBGS where garments can touch colliders, garments or themselves or have
    // locks, or PBD_GS while a garment has constraints that these do not solve: tetrahedra,
    // flexures or clusters. A garment with constraints that the given solver does not solve is
    // refused. [default AUTO]
    slv_solver solver;
    // Outer iterations of a step. Each computes the directions of the constraints anew. [0 to
    // 10000; default 4]
    uint32_t outer_iterations;
    // Linear iterations in each outer iteration, with fixed directions. Position based solvers do
    // outer_iterations x inner_iterations iterations of one kind. [0 to 10000; default 4]
    uint32_t inner_iterations;
    // Successive over-relaxation factor. 1.7 suits cloth with PD_RBGS and PD_GS. PD_MULTIGRID uses
    // it for solid grids and for garments that can tear only. The solver uses at most 1.5 for
    // garments with contacts. [0.001 to 1.999; default 1]
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
    // Bound on each component of velocities between steps. [m/s; 0 or 0.001 to 1e6; default 0: no
    // bound]
    float speed_limit;
    // Part of an overlap with another particle by which each of the two moves away in a step that
    // begins with it. An overlap of which a step would be the beginning is prevented. [0 to 0.5;
    // default 0.05]
    float pair_correction;
    // Velocity of the wind. It acts on garments with drag or windPressure above 0. [m/s; -10000 to
    // 10000; default (0, 0, 0)]
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
    // Point that floats are relative to. They are most accurate near it. [m; -9e5 to 9e5; default
    // (0, 0, 0)]
    double origin[3];
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
    // Memory that the world may take. A call that would take more returns SLV_ERROR_MEMORY before
    // it takes any. 0: 256 MiB and 64 times the size of the packs in the world. [MiB; 0 to 1e6;
    // default 0]
    uint32_t memory_limit;
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

// Where the world is. A position in double is in the coordinates of the world. A position in float is relative to the
// origin of the world, and so is every number that a step computes with. The last bit of a float is 0.12 um at 1 m from
// the origin, 8 um at 100 m, 1 mm at 10 km, so a game moves the origin near its garments, say whenever they are more than
// 50 m away. Velocities, moves under way and sleep stay. Towards the origin no position is rounded. Views, hashes and
// snapshots are relative to the origin that the world has at the time; a snapshot brings its origin back, a reset
// leaves the origin where it is. Garments kilometres from each other are accurate in worlds of their own.
// SLV_ERROR_ARGUMENT for coordinates beyond 9e5 m, and where a garment would be further than that from the origin.
SLV_API slv_result slv_world_set_origin(slv_world *world, const double origin[3]);
SLV_API void slv_world_get_origin(const slv_world *world, double origin[3]);

// Why the last call on this world failed; "" where it did not. Valid until the next call.
SLV_API const char *slv_world_get_message(const slv_world *world);

SLV_API slv_parameters slv_world_get_parameters(const slv_world *world);
// SLV_ERROR_UNSUPPORTED for a solver that does not solve all constraints of the garments; the message names those that
// do. slv_world_add_garment refuses a garment in the same way. SLV_SOLVER_AUTO never does.
SLV_API slv_result slv_world_set_parameters(slv_world *world, const slv_parameters *parameters);
// The solver in use: that of the parameters, or the one that SLV_SOLVER_AUTO stands for at present.
SLV_API slv_solver slv_world_get_solver(const slv_world *world);

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

// --- Time --------------------------------------------------------------------------------------------

// Does `count` steps. Where neighbor lists are too short it enlarges them between two steps: of all calls only this
// one allocates before its last step. With 0 steps it lays out objects that were added (slv_world_add_garment).
SLV_API slv_result slv_world_step(slv_world *world, uint32_t count);

typedef struct slv_advance_report {
    uint64_t steps_done; // by this call
    uint64_t steps_left; // due and not done: the next call does them first
    // 0 … 1: how far the present lies between the last step and the next, for drawing; 1 while steps are left.
    float fraction;
} slv_advance_report;

// Advances the clock by seconds (0 … 3600) and does the steps that are due. The motion does not depend on how time is
// divided into calls. One call does at most the steps of slv_world_def.max_advance, and it ends early where neighbor
// lists are too short (slv_world_reserve). Steps that are left stay due. report may be NULL. Nothing is allocated
// before the last step, unless objects were added or removed before, or a GPU fails and the CPU takes over; after it
// neighbor lists may be enlarged.
SLV_API slv_result slv_world_advance(slv_world *world, double seconds, slv_advance_report *report);
// Steps that are left are no longer due: the world falls behind the clock by their length.
SLV_API slv_result slv_world_drop_steps(slv_world *world);

SLV_API uint64_t slv_world_get_step_count(const slv_world *world);

// Back to the state in which the garments were added, at step 0. Parameters and materials stay.
SLV_API slv_result slv_world_reset(slv_world *world);

// --- State -------------------------------------------------------------------------------------------

// The state of a world, bit for bit, parameters included. A snapshot fits only a world made the same way, with the same
// garments, clips and colliders. The size is 0 where the world has no memory for objects that were added.
SLV_API size_t slv_world_get_snapshot_size(slv_world *world);
SLV_API slv_result slv_world_save_snapshot(slv_world *world, void *bytes, size_t size);
SLV_API slv_result slv_world_restore_snapshot(slv_world *world, const void *bytes, size_t size);

// Hash of the poses of colliders, of positions and previous positions of all particles with what rounding left of them
// and, where garments may sleep, of how long each has been at rest. It is the same on every machine.
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
