// SPDX-License-Identifier: MIT
// A temporary file without a name, for bytes that wait on disk: nothing is left behind, not even by a program that is killed.
#ifndef SLV_FORMATS_UNNAMED_FILE_H
#define SLV_FORMATS_UNNAMED_FILE_H

#ifdef __cplusplus
extern "C" {
#endif

// Beside `target`, where there is as much room as for the target, or in /tmp where that folder takes no files, as that of
// a device. Open for reading and writing, and closed in programs that are started. -1 with errno set.
int slv_unnamed_file(const char *target);

#ifdef __cplusplus
}
#endif

#endif
