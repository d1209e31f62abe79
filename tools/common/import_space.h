// SPDX-License-Identifier: MIT
// The one policy for units and axes of files: metres, right-handed, y up. A file states its unit and its axes
// (glTF, FBX, Collada) or does not (OBJ, STL, PLY and others, which are taken as metres, y up). Options override both.
#ifndef SLV_TOOLS_IMPORT_SPACE_H
#define SLV_TOOLS_IMPORT_SPACE_H

#include "tools/common/import_options.h"

#include <stddef.h>
#include <stdint.h>

// point in metres = turn · (scale · point of the file). turn has the entries 0, 1 and -1 and determinant 1.
typedef struct slv_import_space {
    double scale;          // metres per unit of the file
    double turn[3][3];     // rows
    uint32_t scale_source; // SLV_SPACE_…
    uint32_t turn_source;
} slv_import_space;

enum { SLV_SPACE_ASSUMED = 0, SLV_SPACE_STATED = 1, SLV_SPACE_GIVEN = 2, SLV_SPACE_SOURCES = 3 };

// What a file without a unit and axes is: metres, y up, both assumed.
slv_import_space slv_import_space_default(void);

// Sets the rows of the turn: `up` becomes y, `front` becomes z. Axes of the file by number, 0 … 2, with signs. False, and
// no change, where they are parallel or out of range.
bool slv_import_space_set_axes(slv_import_space *space, int up, int up_sign, int front,
                               int front_sign);

// Takes unit and axes from a matrix that turns by quarters and scales; false, and no change, for any other one.
bool slv_import_space_from_matrix(slv_import_space *space, double matrix[3][3]);

// What the file says, overridden by the options that were given.
slv_import_space slv_import_space_resolve(const slv_import_space *stated,
                                          const slv_import_options *options);

// Whether scale is positive and finite and the turn is one of the 24 rotations by quarters.
bool slv_import_space_is_valid(const slv_import_space *space);

// The point may be the same array as the image. -0 becomes 0.
static inline void slv_import_space_apply(const slv_import_space *space, const double point[3],
                                          double image[3]) {
    const double p[3] = {space->scale * point[0], space->scale * point[1], space->scale * point[2]};
    for (int r = 0; r < 3; r++) {
        image[r] = space->turn[r][0] * p[0] + space->turn[r][1] * p[1] + space->turn[r][2] * p[2];
    }
}

void slv_import_space_turn(const slv_import_space *space, double v[3]);

// "centimetres in the file, x0.01; Z up, turned".
void slv_import_space_text(const slv_import_space *space, char *text, size_t size);

// The axis of the file that points up: "y", "-z" …; and "file", "option" or "assumed".
const char *slv_import_space_up(const slv_import_space *space);
const char *slv_import_space_source(uint32_t source);

#endif
