// SPDX-License-Identifier: MIT
// Studies of the mass-spring solvers: what they have in common.
#ifndef SLV_BENCH_LAB_LAB_H
#define SLV_BENCH_LAB_LAB_H

#include "runtime/include/selvage/selvage.h"

#include <stdbool.h>
#include <stdio.h>

// The integrators in the order of all tables.
enum { LAB_INTEGRATORS = 6 };
extern const slv_solver lab_integrators[LAB_INTEGRATORS];

typedef enum lab_fixed { LAB_FREE, LAB_CORNERS, LAB_LEFT_EDGE, LAB_TOP_EDGE } lab_fixed;

// A square cloth of side x side particles in a horizontal plane, or hanging in a vertical one.
typedef struct lab_cloth {
    slv_solver solver;
    uint32_t side;
    double spacing;       // m
    double mass;          // kg a particle
    double stiffness[3];  // N/m: structural, shear, bending; 0: none
    double damping;       // s, of springs over their stiffness
    double time_step;     // s
    double air;           // 1/s, damping of all motion
    double gravity;       // m/s²
    double wind[3];       // m/s
    double wind_pressure; // N s/m³: the integrators paper's wind in place of drag; 0: drag
    uint32_t outer, inner;
    uint32_t threads;
    double strain_limit; // longest length over rest length; 0: none
    lab_fixed fixed;
    bool timing;
    bool factored; // the pack has a factor for these springs and this step
} lab_cloth;

// Without gravity, wind and damping; structural springs only. Implicit Euler solves its step as far as floats reach.
lab_cloth lab_default_cloth(slv_solver solver);
// Ends the program when something fails.
slv_world *lab_open(const lab_cloth *cloth);
// Position and displacement of the last step of a particle, metres, with remainders.
void lab_read(const slv_world *world, uint32_t particle, double position[3],
              double displacement[3]);
void lab_write(slv_world *world, uint32_t particle, const double position[3],
               const double displacement[3]);
// Moves all particles at random, by up to half of `amplitude` metres along z and, in_plane, along x.
void lab_displace(slv_world *world, uint32_t seed, bool in_plane, double amplitude);
uint32_t lab_count(const slv_world *world);

// The springs of a cloth, in double.
typedef struct lab_spring {
    uint32_t a, b;
    double rest, stiffness;
} lab_spring;
typedef struct lab_springs {
    lab_spring *list;
    uint32_t count;
} lab_springs;
lab_springs lab_copy_springs(const slv_world *world);
void lab_free_springs(lab_springs springs);

// The longest stable step in theory, s, where springs have frequencies up to `highest`, 1/s, and a damping of b seconds over
// their stiffness (stability.c).
double lab_find_limit(slv_solver solver, double highest, double b);
// Lower bounds of a step, processor seconds (bound.c): of a spring's force on one end, and of a byte that is read or written
// when `bytes` are in use.
double lab_time_spring_end(void);
double lab_time_byte(size_t bytes);

FILE *lab_open_csv(const char *folder, const char *name);
_Noreturn void lab_stop(const char *what, const char *why);

// The studies. `quick` has fewer and smaller cases. Each writes CSV files into `folder`.
void lab_study_stability(const char *folder, bool quick);
void lab_study_order(const char *folder, bool quick);
void lab_study_quality(const char *folder, bool quick);
void lab_study_fabric(const char *folder, bool quick);
void lab_study_stretch(const char *folder, bool quick);
void lab_study_cost(const char *folder, bool quick);
void lab_study_test_plan(const char *folder, const char *list);

#endif
