// SPDX-License-Identifier: MIT
// What a program does about signals. Libraries do nothing about them: main asks for it.
#ifndef SLV_TOOLS_SIGNALS_H
#define SLV_TOOLS_SIGNALS_H

#include <signal.h>

// From now on a program that dies of SIGINT, SIGTERM, SIGHUP or SIGPIPE removes its temporary files
// first. It still dies of that signal, so that the parent process sees it. Ignored signals stay ignored.
void slv_signals_clean_up(void);

// Those signals wait while what must not be torn apart is done; *before takes what release needs.
void slv_signals_hold(sigset_t *before);
void slv_signals_release(const sigset_t *before);

#endif
