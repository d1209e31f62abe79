// SPDX-License-Identifier: MIT
// Signal handling of a program. Libraries install no handlers; main calls these functions.
#ifndef SLV_TOOLS_SIGNALS_H
#define SLV_TOOLS_SIGNALS_H

#include <signal.h>

// Installs handlers that remove temporary files before SIGINT, SIGTERM, SIGHUP or SIGPIPE ends the
// program. It still ends by that signal, so that the parent process sees it. Ignored signals stay
// ignored.
void slv_signals_clean_up(void);

// Blocks these signals during an operation that must not be interrupted; *before receives the state
// for release.
void slv_signals_hold(sigset_t *before);
void slv_signals_release(const sigset_t *before);

#endif
