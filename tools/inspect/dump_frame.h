// SPDX-License-Identifier: MIT
// --dump frame:N, attachments:N, mesh:N: points of a collider pack in one frame, in source
// coordinates.
#ifndef SLV_INSPECT_DUMP_FRAME_H
#define SLV_INSPECT_DUMP_FRAME_H

#include "tools/inspect/inspected_pack.h"
#include "tools/inspect/output.h"
#include "tools/inspect/table.h"

bool slv_dump_is_frame(const char *name);

slv_result slv_dump_frame_print(const slv_inspected_pack *inspected, const char *name,
                                slv_table_format format, slv_output *output, slv_error *error);

// x[count], then y, then z of a motion in a frame, to be freed; NULL where memory is short.
float *slv_inspected_pack_frame(const slv_inspected_pack *inspected, slv_motion_kind kind,
                                uint32_t frame);

#endif
