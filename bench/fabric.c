// SPDX-License-Identifier: MIT
// Fabrics against the tests that cloth is measured by, simulated: the drape coefficient of a disc of 30 cm over one of
// 18 cm (Cusick; ISO 9073-9), and the bending length of a strip over an edge (ASTM D1388). Meshes pass through
// selvage-voxelize, as an artist's mesh does.
#define _POSIX_C_SOURCE 200809L
#include "formats/fabric.h"
#include "bench/bench_report.h"
#include "tools/voxelize/voxelize.h"

#include <selvage/selvage.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;
static const double disc_radius = 0.15;    // m
static const double support_radius = 0.09; // m
enum { RINGS = 15 };                       // of particles in the disc: about 1 cm apart

// How a test is simulated.
typedef struct settings {
    const char *fabric;
    double rigidity; // N m in place of the fabric's; 0: the fabric's
    int rings;       // of the disc
    double time_step;
    uint32_t outer, inner;
} settings;

static const settings usual = {"cotton", 0.0, RINGS, 0.001, 4, 4};

static void check(const slv_world *world, slv_result status) {
    if (status != SLV_OK) {
        slv_bench_stop(slv_world_get_message(world));
    }
}

static char *temporary(char path[64], const char *name) {
    (void)snprintf(path, 64, "/tmp/selvage-fabric-%ld%s", (long)getpid(), name);
    return path;
}

static FILE *begin_mesh(char path[64]) {
    FILE *file = fopen(temporary(path, ".obj"), "w");
    if (!file) {
        slv_bench_stop("cannot write to /tmp");
    }
    return file;
}

// --- Meshes -----------------------------------------------------------------------------------------

// Particles that are held do not bend the cloth, those beside them do: cloth between a held and a free ring is bent on its
// outer half only. So the support ends in the middle between two rings.
static int held_rings(int rings) {
    return (3 * rings - 2) / 5;
}

static double ring_radius(int ring, int rings) {
    const int held = held_rings(rings);
    const double inner = support_radius / (held + 0.5);
    const double first = inner * (held + 1);
    return ring <= held + 1
               ? inner * ring
               : first + (disc_radius - first) * (ring - held - 1) / (rings - held - 1);
}

// Rings of 6, 12, 18 … points around a center, numbered from the center outwards.
static int ring_point(int ring, int n) {
    return ring == 0 ? 0 : 1 + 3 * ring * (ring - 1) + n % (6 * ring);
}

static void write_disc(FILE *file, int rings) {
    for (int ring = 0; ring <= rings; ring++) {
        const double radius = ring_radius(ring, rings);
        for (int n = 0; n < (ring > 0 ? 6 * ring : 1); n++) {
            const double angle = ring > 0 ? 2.0 * pi * n / (6 * ring) : 0.0;
            (void)fprintf(file, "v %.9g 0 %.9g\n", radius * cos(angle), radius * sin(angle));
        }
    }
    for (int ring = 0; ring < rings; ring++) {
        for (int sector = 0; sector < 6; sector++) {
            for (int n = 0; n <= ring; n++) {
                const int in = sector * ring + n;
                const int out = sector * (ring + 1) + n;
                (void)fprintf(file, "f %d %d %d\n", 1 + ring_point(ring, in),
                              1 + ring_point(ring + 1, out + 1), 1 + ring_point(ring + 1, out));
                if (n < ring) {
                    (void)fprintf(file, "f %d %d %d\n", 1 + ring_point(ring, in),
                                  1 + ring_point(ring, in + 1), 1 + ring_point(ring + 1, out + 1));
                }
            }
        }
    }
}

// Squares along x, cut by a diagonal.
static void write_strip(FILE *file, int columns, int rows, double spacing) {
    for (int k = 0; k < rows; k++) {
        for (int i = 0; i < columns; i++) {
            (void)fprintf(file, "v %.9g 0 %.9g\n", spacing * i, spacing * k);
        }
    }
    for (int k = 0; k + 1 < rows; k++) {
        for (int i = 0; i + 1 < columns; i++) {
            const int at = 1 + i + columns * k;
            (void)fprintf(file, "f %d %d %d\nf %d %d %d\n", at, at + columns, at + columns + 1, at,
                          at + columns + 1, at + 1);
        }
    }
}

// --- Worlds -----------------------------------------------------------------------------------------

static int find_choice(const char *fabric) {
    int index = 0;
    while (strcmp(slv_fabric_names[index], fabric) != 0) {
        index++;
    }
    return index;
}

// The mesh as a pack of the fabric, which the world then has.
static slv_garment_id add_mesh(slv_world *world, const settings *how, const char *mesh,
                               const uint32_t *fixed, uint32_t fixed_count) {
    char pack[64];
    slv_console console = {.program = "bench-fabric", .quiet = true};
    slv_voxelize_options options = slv_default_voxelize_options();
    slv_voxelize_report report;
    slv_output_files files = {0};
    slv_error error = {0};
    options.mesh = mesh;
    options.pack = temporary(pack, ".slv");
    options.fabric = find_choice(how->fabric);
    if (slv_voxelize(&options, &console, &report, &files, &error) != SLV_OK ||
        slv_output_files_publish(&files, &report.error_source, &error) != SLV_OK) {
        slv_bench_stop(error.text);
    }
    slv_garment_def def = slv_default_garment_def();
    slv_garment_id id;
    def.pack_path = pack;
    def.fixed = fixed;
    def.fixed_count = fixed_count;
    def.flexural_rigidity = how->rigidity > 0.0 ? (float)how->rigidity : (float)SLV_UNSET;
    check(world, slv_world_add_garment(world, &def, &id));
    (void)remove(pack);
    (void)remove(mesh);
    return id;
}

static slv_world *open_world(const settings *how) {
    char message[256];
    slv_world *world = NULL;
    slv_world_def def = slv_default_world_def();
    def.parameters.outer_iterations = how->outer;
    def.parameters.inner_iterations = how->inner;
    def.parameters.damping = 4.0f; // it comes to rest
    def.time_step = how->time_step;
    def.threads = 1;
    if (slv_world_create(&def, &world, message, sizeof message) != SLV_OK) {
        slv_bench_stop(message);
    }
    return world;
}

static void step(slv_world *world, const settings *how, double seconds) {
    check(world, slv_world_step(world, (uint32_t)(seconds / how->time_step + 0.5)));
}

// --- Drape ------------------------------------------------------------------------------------------

enum { PIXELS = 640 }; // of a picture 32 cm wide, seen from above
static uint8_t picture[PIXELS][PIXELS];

static double across(const double a[2], const double b[2], double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void draw_triangle(const float *positions, const uint32_t *corners) {
    double p[3][2];
    int low[2] = {PIXELS, PIXELS};
    int high[2] = {0, 0};
    for (int c = 0; c < 3; c++) {
        for (int d = 0; d < 2; d++) {
            p[c][d] =
                ((double)positions[3 * (size_t)corners[c] + 2 * (size_t)d] / 0.32 + 0.5) * PIXELS;
            low[d] = fmin(low[d], p[c][d]) < low[d] ? (int)fmax(0.0, floor(p[c][d])) : low[d];
            high[d] = p[c][d] > high[d] ? (int)fmin(PIXELS - 1, ceil(p[c][d])) : high[d];
        }
    }
    for (int y = low[1]; y <= high[1]; y++) {
        for (int x = low[0]; x <= high[0]; x++) {
            const double a = across(p[0], p[1], x + 0.5, y + 0.5);
            const double b = across(p[1], p[2], x + 0.5, y + 0.5);
            const double c = across(p[2], p[0], x + 0.5, y + 0.5);
            picture[y][x] |= (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
        }
    }
}

// Of the shadow that the garment casts from above, m².
static double shadow_area(slv_world *world, slv_garment_id id) {
    slv_surface_view view;
    check(world, slv_garment_get_surface(world, id, &view));
    memset(picture, 0, sizeof picture);
    for (uint32_t t = 0; t < view.triangle_count; t++) {
        draw_triangle(view.positions, view.triangles + 3 * (size_t)t);
    }
    double count = 0.0;
    for (int y = 0; y < PIXELS; y++) {
        for (int x = 0; x < PIXELS; x++) {
            count += picture[y][x];
        }
    }
    return count * (0.32 / PIXELS) * (0.32 / PIXELS);
}

// Folds: how often the shadow's radius rises above its mean around the disc.
static int count_folds(void) {
    enum { ANGLES = 360 };
    double radius[ANGLES];
    double mean = 0.0;
    int folds = 0;
    for (int a = 0; a < ANGLES; a++) {
        double r = 0.0;
        for (int half_millimeters = 320; half_millimeters > 0; half_millimeters--) {
            r = 0.0005 * half_millimeters;
            const int x = (int)((r * cos(a * pi / 180.0) / 0.32 + 0.5) * PIXELS);
            const int y = (int)((r * sin(a * pi / 180.0) / 0.32 + 0.5) * PIXELS);
            if (x >= 0 && x < PIXELS && y >= 0 && y < PIXELS && picture[y][x]) {
                break;
            }
        }
        radius[a] = r;
        mean += r / ANGLES;
    }
    for (int a = 0; a < ANGLES; a++) {
        folds += radius[a] > mean && radius[(a + ANGLES - 1) % ANGLES] <= mean;
    }
    return folds;
}

// The drape coefficient, percent: the part of the ring beyond the support that still casts a shadow.
static double measure_drape(const settings *how, int *folds) {
    static uint32_t fixed[1 + 3 * 60 * 61];
    char mesh[64];
    const int held = held_rings(how->rings);
    const uint32_t held_count = 1 + 3 * (uint32_t)held * (uint32_t)(held + 1);
    slv_world *world = open_world(how);
    FILE *file = begin_mesh(mesh);
    write_disc(file, how->rings);
    (void)fclose(file);
    for (uint32_t n = 0; n < held_count; n++) {
        fixed[n] = n;
    }
    const slv_garment_id id = add_mesh(world, how, mesh, fixed, held_count);
    const double flat = shadow_area(world, id);
    // As the operator's hand does, the first moment chooses where folds begin.
    slv_parameters parameters = slv_world_get_parameters(world);
    parameters.gravity[0] = 1.1f;
    parameters.gravity[2] = 0.4f;
    check(world, slv_world_set_parameters(world, &parameters));
    step(world, how, 0.1);
    parameters.gravity[0] = parameters.gravity[2] = 0.0f;
    check(world, slv_world_set_parameters(world, &parameters));
    step(world, how, 3.9);
    const double support = pi * support_radius * support_radius;
    const double drape = 100.0 * (shadow_area(world, id) - support) / (flat - support);
    *folds = count_folds();
    slv_world_destroy(world);
    return drape;
}

// --- Bending length ---------------------------------------------------------------------------------

// The flexural rigidity that the test finds, over the fabric's: a strip hangs over an edge by twice its bending length, and
// Peirce's formula turns the angle to its end into a bending length. The edge is in the middle between two columns.
static double measure_rigidity(const settings *usual_steps, double *bending_length) {
    settings short_steps = *usual_steps;
    const settings *how = &short_steps;
    short_steps.time_step *= 0.5; // particles are closer than in the disc
    enum { ROWS = 4, COLUMNS = 12 };
    const slv_fabric_preset *fabric = slv_fabric_find(how->fabric);
    const double rigidity = how->rigidity > 0.0 ? how->rigidity : (double)fabric->flexural_rigidity;
    const double weight = 9.81 * (double)fabric->density;
    const double overhang = 2.0 * cbrt(rigidity / weight);
    const double spacing = overhang / (COLUMNS - 1.5);
    uint32_t fixed[2 * ROWS];
    char mesh[64];
    slv_world *world = open_world(how);
    FILE *file = begin_mesh(mesh);
    write_strip(file, COLUMNS, ROWS, spacing);
    (void)fclose(file);
    for (uint32_t k = 0; k < ROWS; k++) {
        fixed[2 * k] = (uint32_t)COLUMNS * k;
        fixed[2 * k + 1] = (uint32_t)COLUMNS * k + 1;
    }
    const slv_garment_id id = add_mesh(world, how, mesh, fixed, 2 * ROWS);
    step(world, how, 3.0);
    slv_surface_view view;
    check(world, slv_garment_get_surface(world, id, &view));
    double drop = 0.0;
    double reach = 0.0;
    for (int k = 0; k < ROWS; k++) {
        const float *edge = view.positions + 3 * (size_t)(COLUMNS * k + 1);
        const float *end = view.positions + 3 * (size_t)(COLUMNS * k + COLUMNS - 1);
        drop += (double)(edge[1] - end[1]) / ROWS;
        reach += ((double)(end[0] - edge[0]) + 0.5 * spacing) / ROWS;
    }
    slv_world_destroy(world);
    const double angle = atan2(drop, reach);
    *bending_length = overhang * cbrt(cos(0.5 * angle) / (8.0 * tan(angle)));
    return weight * pow(*bending_length, 3.0) / rigidity;
}

// --- Figures ----------------------------------------------------------------------------------------

// Drape coefficients that tests of real fabrics found; 0: none to compare with.
static double reference_drape(const char *fabric) {
    return strcmp(fabric, "silk") == 0     ? 34.8
           : strcmp(fabric, "cotton") == 0 ? 70.1
           : strcmp(fabric, "denim") == 0  ? 85.4
                                           : 0.0;
}

static void measure_fabric(slv_bench_report *report, const settings *how) {
    char name[64];
    int folds = 0;
    double bending_length = 0.0;
    const double drape = measure_drape(how, &folds);
    const double found = measure_rigidity(how, &bending_length);
    const double reference = reference_drape(how->fabric);
    (void)snprintf(name, sizeof name, "%s, drape coefficient", how->fabric);
    slv_bench_note(report, name, drape, "%");
    if (reference > 0.0 && !(how->rigidity > 0.0)) {
        (void)snprintf(name, sizeof name, "%s, off %.1f %%", how->fabric, reference);
        slv_bench_at_most(report, name, fabs(drape - reference), 2.0, "points");
    }
    (void)snprintf(name, sizeof name, "%s, folds", how->fabric);
    slv_bench_note(report, name, folds, "");
    (void)snprintf(name, sizeof name, "%s, bending length", how->fabric);
    slv_bench_note(report, name, 1e2 * bending_length, "cm");
    (void)snprintf(name, sizeof name, "%s, rigidity off that given", how->fabric);
    slv_bench_at_most(report, name, 100.0 * fabs(found - 1.0), 10.0, "%");
}

// Largest difference between the drape coefficients of several settings.
static void measure_spread(slv_bench_report *report, const char *name, const settings *all,
                           int count) {
    double low = 1e9;
    double high = -1e9;
    for (int i = 0; i < count; i++) {
        int folds = 0;
        const double drape = measure_drape(&all[i], &folds);
        low = fmin(low, drape);
        high = fmax(high, drape);
    }
    slv_bench_at_most(report, name, high - low, 2.0, "points");
}

static void measure_spreads(slv_bench_report *report) {
    settings all[4] = {usual, usual, usual, usual};
    all[0].rings = 10;
    all[2].rings = 20;
    all[3].rings = 30;
    measure_spread(report, "drape over meshes of 1.5 to 0.5 cm", all, 4);
    all[0] = all[1] = all[2] = usual;
    all[0].time_step = 0.0005;
    all[2].time_step = 0.002;
    measure_spread(report, "drape over steps of 0.5 to 2 ms", all, 3);
    all[0] = all[1] = all[2] = usual;
    all[0].inner = 2;
    all[2].inner = 8;
    measure_spread(report, "drape over 8 to 32 iterations", all, 3);
}

int main(int argc, char **argv) {
    slv_bench_option options[] = {
        {"--fabric", "NAME", "Measure this fabric only.", slv_fabric_names + 1, NULL},
        {"--rigidity", "NM", "With this flexural rigidity, N m, in place of the fabric's.", NULL,
         NULL}};
    slv_bench_report report;
    slv_bench_begin(&report, slv_bench_arguments(argc, argv,
                                                 "Simulated drape and cantilever tests of fabrics.",
                                                 options, 2));
    settings how = usual;
    how.rigidity = options[1].value ? strtod(options[1].value, NULL) : 0.0;
    for (int i = 1; slv_fabric_names[i]; i++) {
        how.fabric = slv_fabric_names[i];
        if (!options[0].value || strcmp(options[0].value, how.fabric) == 0) {
            measure_fabric(&report, &how);
        }
    }
    if (!options[0].value) {
        measure_spreads(&report);
    }
    slv_bench_end(&report);
    return 0;
}
