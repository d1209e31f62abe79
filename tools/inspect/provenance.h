// SPDX-License-Identifier: MIT
// Where a pack came from, as lines: nested JSON becomes dotted keys ("options.spacing").
#ifndef SLV_INSPECT_PROVENANCE_H
#define SLV_INSPECT_PROVENANCE_H

#include <cjson/cJSON.h>

// Calls visit for every leaf, in the order of the text. object may be NULL: nothing to visit. Keys
// longer than 255 bytes are cut.
void slv_provenance_walk(const cJSON *object,
                         void (*visit)(void *context, const char *key, const char *value),
                         void *context);

#endif
