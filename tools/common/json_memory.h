// SPDX-License-Identifier: MIT
// cJSON reports a failed allocation like damaged text, or leaves a value out. These functions tell
// the difference. Tools use cJSON on one thread at a time.
#ifndef SLV_TOOLS_JSON_MEMORY_H
#define SLV_TOOLS_JSON_MEMORY_H

#include <stdbool.h>

void slv_json_begin(void);         // before text is parsed or an object is built
bool slv_json_out_of_memory(void); // whether an allocation has failed since then
void slv_json_set_failed(void);    // an allocation outside cJSON failed, of a value to be added

#endif
