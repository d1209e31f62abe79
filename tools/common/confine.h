// SPDX-License-Identifier: MIT
// Takes from a process what reading one untrusted file does not need: other files, writing, network, new processes. What
// damaged input makes of the process then harms nothing else.
#ifndef SLV_TOOLS_CONFINE_H
#define SLV_TOOLS_CONFINE_H

#include "tools/common/console.h"

#include <stdbool.h>
#include <sys/types.h>

typedef struct slv_confinement {
    // May be read, as are the files in its folder and below; NULL: no file.
    const char *input;
    bool any_file; // every file may be read, none written
    int output;    // the only descriptor besides the standard streams that stays open
    pid_t parent;  // the process ends with this one
} slv_confinement;

// Confines the calling process, which must have one thread, until its end. false: a part failed that slv_confine_note does
// not name; the process must not go on.
// - SIGKILL when the parent ends; no new privileges by programs; inherited descriptors are closed.
// - Landlock: files as above, no TCP, no signals to other processes.
// - seccomp: calls that compute, allocate and read open files. Others fail with ENOSYS or EPERM, such as those that start
//   processes and programs, open sockets, and open files for writing. Not in builds with the address or thread sanitizer.
bool slv_confine(const slv_confinement *confinement);

// Says under --verbose what this kernel or build cannot do of that.
void slv_confine_note(slv_console *console);

#endif
