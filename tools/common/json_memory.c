// SPDX-License-Identifier: MIT
#include "tools/common/json_memory.h"

#include <cjson/cJSON.h>
#include <stdlib.h>

static bool failed;

static void *allocate(size_t size) {
    void *block = malloc(size);
    failed |= block == NULL;
    return block;
}

void slv_json_begin(void) {
    cJSON_Hooks hooks = {.malloc_fn = allocate, .free_fn = free};
    cJSON_InitHooks(&hooks);
    failed = false;
}

bool slv_json_out_of_memory(void) {
    return failed;
}

void slv_json_set_failed(void) {
    failed = true;
}
