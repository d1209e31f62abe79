// SPDX-License-Identifier: MIT
#include "tools/common/import_space.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Largest difference of an entry of a matrix from 0, 1 or -1 in units of its scale: a float's rounding errors.
static const double ENTRY_TOLERANCE = 1e-4;

slv_import_space slv_import_space_default(void) {
    return (slv_import_space){.scale = 1.0,
                              .turn = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
}

static double determinant(double m[3][3]) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
           m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool slv_import_space_set_axes(slv_import_space *space, int up, int up_sign, int front,
                               int front_sign) {
    if (up < 0 || up > 2 || front < 0 || front > 2 || up == front) {
        return false;
    }
    double y[3] = {0.0};
    double z[3] = {0.0};
    y[up] = up_sign < 0 ? -1.0 : 1.0;
    z[front] = front_sign < 0 ? -1.0 : 1.0;
    const double x[3] = {y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2],
                         y[0] * z[1] - y[1] * z[0]}; // never a reflection
    for (int k = 0; k < 3; k++) {
        space->turn[0][k] = x[k] + 0.0;
        space->turn[1][k] = y[k];
        space->turn[2][k] = z[k];
    }
    space->turn_source = SLV_SPACE_STATED;
    return true;
}

bool slv_import_space_from_matrix(slv_import_space *space, double matrix[3][3]) {
    const double scale = cbrt(determinant(matrix));
    slv_import_space found = {
        .scale = scale, .scale_source = SLV_SPACE_STATED, .turn_source = SLV_SPACE_STATED};
    if (!(scale > 0.0) || !isfinite(scale)) {
        return false;
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            const double entry = matrix[r][c] / scale;
            found.turn[r][c] = rint(entry) + 0.0;
            if (!(fabs(entry - rint(entry)) < ENTRY_TOLERANCE)) {
                return false;
            }
        }
    }
    if (!slv_import_space_is_valid(&found)) {
        return false;
    }
    // A float close to a unit in use is that unit: 0.01f is not 0.01.
    static const double units[] = {1.0, 0.1, 0.01, 0.001, 0.0254, 0.3048, 0.9144, 1000.0};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (fabs(scale / units[i] - 1.0) < 1e-6) {
            found.scale = units[i];
        }
    }
    *space = found;
    return true;
}

bool slv_import_space_is_valid(const slv_import_space *space) {
    double turn[3][3];
    memcpy(turn, space->turn, sizeof turn);
    for (int r = 0; r < 3; r++) {
        int ones = 0;
        for (int c = 0; c < 3; c++) {
            const double entry = space->turn[r][c];
            if (entry != 0.0 && entry != 1.0 && entry != -1.0) {
                return false;
            }
            ones += entry != 0.0;
        }
        if (ones != 1) {
            return false;
        }
    }
    return determinant(turn) == 1.0 && space->scale > 0.0 && isfinite(space->scale) &&
           space->scale_source < SLV_SPACE_SOURCES && space->turn_source < SLV_SPACE_SOURCES;
}

slv_import_space slv_import_space_resolve(const slv_import_space *stated,
                                          const slv_import_options *options) {
    slv_import_space space = *stated;
    if (options->scale > 0.0) {
        space.scale = options->scale;
        space.scale_source = SLV_SPACE_GIVEN;
    }
    if (options->up != SLV_UP_OF_FILE) {
        const bool z = options->up == SLV_UP_Z;
        (void)slv_import_space_set_axes(&space, z ? 2 : 1, 1, z ? 1 : 2, z ? -1 : 1);
        space.turn_source = SLV_SPACE_GIVEN;
    }
    return space;
}

void slv_import_space_turn(const slv_import_space *space, double v[3]) {
    const double p[3] = {v[0], v[1], v[2]};
    for (int r = 0; r < 3; r++) {
        v[r] = space->turn[r][0] * p[0] + space->turn[r][1] * p[1] + space->turn[r][2] * p[2];
    }
}

// --- Words ---------------------------------------------------------------------------------------

const char *slv_import_space_up(const slv_import_space *space) {
    static const char *const names[2][3] = {{"x", "y", "z"}, {"-x", "-y", "-z"}};
    for (int axis = 0; axis < 3; axis++) {
        if (space->turn[1][axis] != 0.0) {
            return names[space->turn[1][axis] < 0.0][axis];
        }
    }
    return "y";
}

const char *slv_import_space_source(uint32_t source) {
    static const char *const names[SLV_SPACE_SOURCES] = {"assumed", "file", "option"};
    return names[source < SLV_SPACE_SOURCES ? source : 0];
}

static const char *unit_name(double scale) {
    static const struct {
        double metres;
        const char *name;
    } units[] = {{1.0, "metres"},        {0.1, "decimetres"},   {0.01, "centimetres"},
                 {0.001, "millimetres"}, {0.0254, "inches"},    {0.3048, "feet"},
                 {0.9144, "yards"},      {1000.0, "kilometres"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (fabs(scale / units[i].metres - 1.0) < 1e-6) {
            return units[i].name;
        }
    }
    return NULL;
}

static bool is_turned(const slv_import_space *space) {
    return space->turn[0][0] != 1.0 || space->turn[1][1] != 1.0;
}

void slv_import_space_text(const slv_import_space *space, char *text, size_t size) {
    char unit[96];
    const char *name = unit_name(space->scale);
    if (space->scale_source == SLV_SPACE_GIVEN) {
        (void)snprintf(unit, sizeof unit, "x%.6g as given", space->scale);
    } else if (space->scale_source == SLV_SPACE_ASSUMED) {
        (void)snprintf(unit, sizeof unit, "no unit in the file, taken as metres");
    } else if (name) {
        (void)snprintf(unit, sizeof unit, "%s in the file, x%.6g", name, space->scale);
    } else {
        (void)snprintf(unit, sizeof unit, "a unit of %.6g m in the file, x%.6g", space->scale,
                       space->scale);
    }
    char axis[4];
    (void)snprintf(axis, sizeof axis, "%s", slv_import_space_up(space));
    for (char *c = axis; *c; c++) {
        *c = (char)(*c >= 'x' && *c <= 'z' ? *c - 'x' + 'X' : *c);
    }
    static const char *const sources[SLV_SPACE_SOURCES] = {" assumed", "", " as given"};
    (void)snprintf(text, size, "%s; %s up%s%s", unit, axis,
                   sources[space->turn_source < SLV_SPACE_SOURCES ? space->turn_source : 0],
                   is_turned(space) ? ", turned" : "");
}
