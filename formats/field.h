// SPDX-License-Identifier: MIT
// Signed distance fields in files: the text format of SDFGen (.sdf) and the compact, lossless form
// inside a pack. Both stream by whole z layers, so that neither reader nor writer needs the whole grid.
#ifndef SLV_FORMATS_FIELD_H
#define SLV_FORMATS_FIELD_H

#include "formats/layout.h"
#include "formats/reader.h"
#include "formats/result.h"
#include "formats/writer.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- .sdf text: "nx ny nz", "ox oy oz", "spacing", then one value a line, x fastest ------------------

// Room that slv_sdf_format_values needs for count values.
size_t slv_sdf_get_text_bound(size_t count);
// Formats as printf("%g\n") would, to the byte, several times faster. Returns the bytes written.
size_t slv_sdf_format_values(const float *values, size_t count, char *text);
// "nx ny nz\nox oy oz\nspacing\n" into text (at least 256 bytes). Returns the bytes written.
size_t slv_sdf_format_header(const uint32_t cells[3], const double origin[3], double spacing,
                             char *text);

typedef struct slv_sdf_grid {
    uint32_t cells[3];
    double origin[3];
    double spacing;
    float *values; // cells[0]*cells[1]*cells[2], x fastest; owned
} slv_sdf_grid;

// Reads a text file whole; refuses more than limit values.
slv_result slv_sdf_read(const char *path, uint64_t limit, slv_sdf_grid *grid, slv_error *error);
void slv_sdf_free(slv_sdf_grid *grid);

// --- SDFG, the section of a pack -----------------------------------------------------------------

#define SLV_FIELD_SLAB 8u // z layers coded together

// Codes layers (at most SLV_FIELD_SLAB) of nx*ny values into bytes (4 per value); and back.
void slv_field_encode_slab(const float *values, uint32_t nx, uint32_t ny, uint32_t layers,
                           uint8_t *bytes);
void slv_field_decode_slab(const uint8_t *bytes, uint32_t nx, uint32_t ny, uint32_t layers,
                           float *values);
// Verifies the section; *info is filled. SLV_ERROR_CONTENT where there is none or it is bad.
slv_result slv_field_open(const slv_pack *pack, slv_field_info *info, const uint8_t **coded,
                          slv_error *error);
// Decodes all layers into values (cells[0]*cells[1]*cells[2] floats).
void slv_field_decode(const slv_field_info *info, const uint8_t *coded, float *values);

#ifdef __cplusplus
}
#endif

#endif
