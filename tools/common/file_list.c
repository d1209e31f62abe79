// SPDX-License-Identifier: MIT
#include "tools/common/file_list.h"

#include <stdlib.h>

void slv_file_list_free(slv_file_list *list) {
    for (size_t i = 0; i < list->count; i++) {
        free(list->paths[i]);
    }
    free(list->paths);
    *list = (slv_file_list){.paths = NULL};
}
