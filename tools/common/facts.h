// SPDX-License-Identifier: MIT
// The report of a run as a JSON object, and messages shared by several tools.
#ifndef SLV_TOOLS_FACTS_H
#define SLV_TOOLS_FACTS_H

#include "formats/result.h"
#include "tools/common/import_space.h"

#include <cjson/cJSON.h>

// A new object. slv_facts_print reports failed allocations from here on, so that one check at the end
// is sufficient; a NULL object is ignored.
cJSON *slv_facts_create(void);
void slv_facts_add(cJSON *object, const char *name, double value);
// Text with any bytes, for example a file name; bytes that are not UTF-8 are replaced.
void slv_facts_add_text(cJSON *object, const char *name, const char *text);

// An object "seconds" with the time of each stage. Returns their sum.
double slv_facts_add_seconds(cJSON *root, const char *(*stage_name)(int stage),
                             const double *seconds, int stage_count);

// "import": unit, scale, up axis, and where they come from. "bounds": lowest and highest corner, metres.
void slv_facts_add_space(cJSON *root, const slv_import_space *space);
// "parts": how many are kept, not chosen, hidden, of lower detail.
void slv_facts_add_parts(cJSON *root, const slv_part_counts *counts);
void slv_facts_add_bounds(cJSON *root, const double bounds[2][3]);

// Prints the object to standard output and frees it. Prints nothing where a value is missing because
// memory was short.
slv_result slv_facts_print(cJSON *root, slv_error *error);
// Ends a report that was printed as text: whether all of it could be written.
slv_result slv_facts_flush(slv_error *error);

// Prints how the coordinates of the file became metres, y up.
void slv_print_space(const char *path, const slv_import_space *space);
// Prints a hint about the unit where a size in metres is implausible; measured: "long", "across".
void slv_print_unit_hint(const char *path, double metres, const char *measured);

#endif
