// SPDX-License-Identifier: MIT
// The report of a run as a JSON object, and messages shared by several tools.
#ifndef SLV_TOOLS_FACTS_H
#define SLV_TOOLS_FACTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

// A NULL object is ignored, so that one check at the end is sufficient.
void slv_facts_add(cJSON *object, const char *name, double value);
// Text with any bytes, for example a file name; bytes that are not UTF-8 are replaced.
void slv_facts_add_text(cJSON *object, const char *name, const char *text);

// An object "seconds" with the time of each stage. Returns their sum.
double slv_facts_add_seconds(cJSON *root, const char *(*stage_name)(int stage),
                             const double *seconds, int stage_count);

// Prints the object to standard output and frees it. False: out of memory or write error.
bool slv_facts_print(cJSON *root);

// Prints a hint about the unit where a size in metres is implausible; measured: "long", "across".
void slv_print_unit_hint(const char *path, double metres, const char *measured);

#endif
