// SPDX-License-Identifier: MIT
// Letters, drawn with a round pen along lines of our own: sharp at any size, no font file needed.
#ifndef SLV_PLAYER_FONT_H
#define SLV_PLAYER_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { SLV_FONT_FIRST = 32, SLV_FONT_LAST = 127, SLV_FONT_COLUMNS = 16, SLV_FONT_ROWS = 6 };

// All letters of one size in one picture, 16 to a row from space on; the last one is solid, for boxes.
typedef struct slv_font {
    int cell_width, cell_height; // pixels of a letter, space around it included
    int width, height;           // of the picture
    uint8_t *coverage;           // [height][width]
} slv_font;

// `unit` is the size of the pen's grid in pixels: letters are 4 units wide, 7 high, 6 apart. False
// without memory.
bool slv_font_make(slv_font *font, float unit);
void slv_font_free(slv_font *font);

#endif
