// SPDX-License-Identifier: MIT
// A stroke font, rasterized at any size; no font file is needed.
#ifndef SLV_PLAYER_FONT_H
#define SLV_PLAYER_FONT_H

#include <stdbool.h>
#include <stdint.h>

enum { SLV_FONT_FIRST = 32, SLV_FONT_LAST = 127, SLV_FONT_COLUMNS = 16, SLV_FONT_ROWS = 6 };

// An atlas of all letters at one size: 16 per row, from space on. The last cell is solid, for boxes.
typedef struct slv_font {
    int cell_width, cell_height; // pixels of a letter with its spacing
    int width, height;           // of the atlas
    uint8_t *coverage;           // [height][width]
} slv_font;

// `unit` is the size of the stroke grid in pixels: letters are 4 units wide, 7 high and 6 apart. Returns false
// without memory.
bool slv_font_make(slv_font *font, float unit);
void slv_font_free(slv_font *font);

#endif
