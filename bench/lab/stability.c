// SPDX-License-Identifier: MIT
// The longest stable step of each integrator, by bisection, against theory. A cloth lies flat at rest, without gravity, and
// its particles are displaced by a ten-thousandth of their spacing at random within the plane. A step counts as stable
// when the kinetic energy stays below a thousand times the largest of the first twenty steps.
//
// Theory: the highest frequency of the linear system by power iteration, and the integrator's growth factor for an
// oscillator of that frequency, and of lower ones where springs are damped.
#include "bench/lab/lab.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

typedef struct spring_set {
    const char *name;
    double stiffness[3];
    double infinite; // highest frequency on an infinite grid, times sqrt(m/k)
} spring_set;

static const spring_set sets[] = {{"structural", {100.0, 0.0, 0.0}, 2.0},
                                  {"with shear", {100.0, 100.0, 0.0}, 2.8284271247},
                                  {"with shear and bending", {100.0, 100.0, 100.0}, 3.1819805153}};
enum { SETS = sizeof sets / sizeof *sets };

static const double longest_tried = 1.0; // s, the longest step that a world takes

// --- Theory ------------------------------------------------------------------------------------------

// Directions of springs times sqrt(k/m), at the positions of a world; for free().
static double *find_directions(const slv_world *world, lab_springs springs, double mass) {
    double *directions = malloc(3 * (size_t)springs.count * sizeof *directions);
    if (!directions) {
        lab_stop("find_directions", "out of memory");
    }
    for (uint32_t s = 0; s < springs.count; s++) {
        const lab_spring *spring = &springs.list[s];
        double a[3];
        double b[3];
        double ignored[3];
        lab_read(world, spring->a, a, ignored);
        lab_read(world, spring->b, b, ignored);
        for (uint32_t d = 0; d < 3; d++) {
            directions[3 * s + d] = sqrt(spring->stiffness / mass) * (a[d] - b[d]) / spring->rest;
        }
    }
    return directions;
}

// Stiffness matrix over mass, times p.
static void multiply(lab_springs springs, const double *directions, uint32_t n, const double *p,
                     double *product) {
    for (uint32_t i = 0; i < n; i++) {
        product[i] = 0.0;
    }
    for (uint32_t s = 0; s < springs.count; s++) {
        const double *direction = directions + 3 * (size_t)s;
        const uint32_t a = 3 * springs.list[s].a;
        const uint32_t b = 3 * springs.list[s].b;
        const double along = direction[0] * (p[a] - p[b]) + direction[1] * (p[a + 1] - p[b + 1]) +
                             direction[2] * (p[a + 2] - p[b + 2]);
        for (uint32_t d = 0; d < 3; d++) {
            product[a + d] += along * direction[d];
            product[b + d] -= along * direction[d];
        }
    }
}

// Highest angular frequency of a cloth at rest, 1/s.
static double find_frequency(const slv_world *world, double mass) {
    const uint32_t n = 3 * lab_count(world);
    const lab_springs springs = lab_copy_springs(world);
    double *directions = find_directions(world, springs, mass);
    double *p = calloc(2 * (size_t)n, sizeof *p);
    double norm = 0.0;
    if (!p) {
        lab_stop("find_frequency", "out of memory");
    }
    for (uint32_t i = 0; i < n; i++) {
        p[i] = ((i / 3) % 2 ? 1.0 : -1.0) + 0.3 * sin(1.7 * i);
    }
    for (int round = 0; round < 3000; round++) {
        double *product = p + n;
        multiply(springs, directions, n, p, product);
        norm = 0.0;
        for (uint32_t i = 0; i < n; i++) {
            norm += product[i] * product[i];
        }
        norm = sqrt(norm);
        for (uint32_t i = 0; i < n; i++) {
            p[i] = product[i] / norm;
        }
    }
    lab_free_springs(springs);
    free(directions);
    free(p);
    return sqrt(norm);
}

// Growth of an oscillator x'' = -w² x - b w² x' in a step of Runge-Kutta methods, for the larger eigenvalue.
static double grow(slv_solver solver, double w, double b, double h) {
    double growth = 0.0;
    for (int sign = -1; sign <= 1; sign += 2) {
        const double complex root = csqrt((double complex)(b * b * w * w * w * w - 4.0 * w * w));
        const double complex z = 0.5 * h * (-b * w * w + sign * root);
        double complex r = 1.0 + z;
        if (solver == SLV_MS_MIDPOINT) {
            r += z * z / 2.0;
        } else if (solver == SLV_MS_RK4) {
            r += z * z / 2.0 + z * z * z / 6.0 + z * z * z * z / 24.0;
        }
        growth = fmax(growth, cabs(r));
    }
    return growth;
}

static bool is_stable_in_theory(slv_solver solver, double highest, double b, double h) {
    bool stable = true;
    for (int n = 1; n <= 400; n++) {
        stable = stable && grow(solver, highest * n / 400.0, b, h) <= 1.0 + 1e-9;
    }
    return stable;
}

double lab_find_limit(slv_solver solver, double highest, double b) {
    double low = 0.0;
    double high = 10.0 / highest;
    if (solver == SLV_MS_SYMPLECTIC_EULER || solver == SLV_MS_VERLET) {
        return sqrt(b * b + 4.0 / (highest * highest)) - b; // h² w² + 2 h b w² = 4
    }
    if (solver >= SLV_MS_IMPLICIT_EULER) {
        return (double)INFINITY;
    }
    for (int n = 0; n < 60; n++) {
        const double middle = 0.5 * (low + high);
        *(is_stable_in_theory(solver, highest, b, middle) ? &low : &high) = middle;
    }
    return low;
}

// --- Measurement -------------------------------------------------------------------------------------

static bool is_stable(lab_cloth cloth, double h, uint32_t steps) {
    cloth.time_step = h;
    slv_world *world = lab_open(&cloth);
    double first = 0.0;
    bool stable = true;
    lab_displace(world, 3, true, 1e-4 * cloth.spacing);
    for (uint32_t n = 0; stable && n < steps; n++) {
        slv_measures measures;
        stable = slv_world_step(world, 1) == SLV_OK;
        if (!stable || (n >= 20 && n % 10 != 0)) {
            continue;
        }
        stable = slv_world_get_measures(world, &measures) == SLV_OK;
        if (n < 20) {
            first = fmax(first, measures.kinetic_energy);
        } else {
            stable = stable && measures.kinetic_energy < 1000.0 * first;
        }
    }
    slv_world_destroy(world);
    return stable;
}

static double bisect(const lab_cloth *cloth, double theory) {
    const uint32_t steps = isinf(theory) ? 200 : 1000; // just beyond a limit growth is slow
    double low = 0.25 * theory;
    double high = 2.0 * theory;
    if (isinf(theory)) {
        return is_stable(*cloth, longest_tried, steps) ? (double)INFINITY : 0.0;
    }
    if (!is_stable(*cloth, low, steps)) {
        return 0.0;
    }
    for (int n = 0; n < 10; n++) {
        const double middle = 0.5 * (low + high);
        *(is_stable(*cloth, middle, steps) ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}

void lab_study_stability(const char *folder, bool quick) {
    static const uint32_t sides[] = {10, 20, 40, 80};
    FILE *file = lab_open_csv(folder, "stability");
    (void)fprintf(file, "springs,side,integrator,damping_s,frequency,theory_s,measured_s,ratio,"
                        "infinite_s,paper_s\n");
    for (int set = 0; set < SETS; set++) {
        for (int size = 0; size < (quick ? 2 : 4); size++) {
            lab_cloth cloth = lab_default_cloth(SLV_MS_VERLET);
            for (int n = 0; n < 3; n++) {
                cloth.stiffness[n] = sets[set].stiffness[n];
            }
            cloth.side = sides[size];
            slv_world *world = lab_open(&cloth);
            const double frequency = find_frequency(world, cloth.mass);
            const double unit = sqrt(cloth.mass / cloth.stiffness[0]);
            slv_world_destroy(world);
            for (int n = 0; n < LAB_INTEGRATORS; n++) {
                cloth.solver = lab_integrators[n];
                const bool damped =
                    cloth.solver == SLV_MS_EXPLICIT_EULER || cloth.solver == SLV_MS_MIDPOINT;
                cloth.damping = damped ? 1.0 / frequency : 0.0;
                const double theory = lab_find_limit(cloth.solver, frequency, cloth.damping);
                const double measured = bisect(&cloth, theory);
                (void)fprintf(
                    file, "%s,%u,%s,%.6g,%.6g,%.6g,%.6g,%.4f,%.6g,%.6g\n", sets[set].name,
                    cloth.side, slv_solver_get_name(cloth.solver), cloth.damping, frequency, theory,
                    measured, isinf(theory) ? (isinf(measured) ? 1.0 : 0.0) : measured / theory,
                    theory * frequency * unit / sets[set].infinite, 0.4 * 3.14159265358979 * unit);
                (void)fflush(file);
            }
        }
    }
    (void)fclose(file);
}
