// SPDX-License-Identifier: MIT
// The report of a run as a JSON object, and messages that several tools share.
#ifndef SLV_TOOLS_FACTS_H
#define SLV_TOOLS_FACTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

// A NULL object takes nothing, so that one test at the end is enough.
void slv_facts_add(cJSON *object, const char *name, double value);
// Text of any bytes, a file's name say; what is not UTF-8 is replaced.
void slv_facts_add_text(cJSON *object, const char *name, const char *text);

// An object "seconds" with the time of each stage. Returns their sum.
double slv_facts_add_seconds(cJSON *root, const char *(*stage_name)(int stage),
                             const double *seconds, int stage_count);

// Prints the object to standard output and frees it. False: memory is short or it cannot be written.
bool slv_facts_print(cJSON *root);

// A line about the unit where something of that many metres is improbable; "long", "across".
void slv_print_unit_hint(const char *path, double metres, const char *measured);

#endif
