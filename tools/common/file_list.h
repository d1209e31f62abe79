// SPDX-License-Identifier: MIT
// The files that were read, for depfiles.
#ifndef SLV_TOOLS_FILE_LIST_H
#define SLV_TOOLS_FILE_LIST_H

#include <stddef.h>

typedef struct slv_file_list {
    char **paths;
    size_t count;
} slv_file_list;
void slv_file_list_free(slv_file_list *list);

#endif
