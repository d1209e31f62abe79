// SPDX-License-Identifier: MIT
// Files that are named by a file, such as the packs of a scene or the buffers of a glTF file. A file of
// unknown origin may only name files in its own folder and below.
#ifndef SLV_FORMATS_NAMED_PATH_H
#define SLV_FORMATS_NAMED_PATH_H

#include "formats/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Whether `file` may name `name`. SLV_ERROR_CONTENT for absolute paths, for "..", and where links lead out of the
// folder of `file`; the message names the option --allow-paths. A name without a file is accepted: there is nothing
// to open.
slv_result slv_named_path_check(const char *file, const char *name, slv_error *error);

// The same for a path that was made from such a name: where its links lead decides.
slv_result slv_named_path_check_links(const char *file, const char *path, slv_error *error);

#ifdef __cplusplus
}
#endif

#endif
