// SPDX-License-Identifier: MIT
// Provenance of a pack as lines: nested JSON becomes dotted keys ("options.spacing").
#ifndef SLV_INSPECT_PROVENANCE_H
#define SLV_INSPECT_PROVENANCE_H

#include <cjson/cJSON.h>

// Calls visit for every leaf in text order. object may be NULL. Keys longer than 255 bytes are
// truncated.
void slv_provenance_visit(const cJSON *object,
                          void (*visit)(void *context, const char *key, const char *value),
                          void *context);

#endif
