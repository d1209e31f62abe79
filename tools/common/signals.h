// SPDX-License-Identifier: MIT
// Signal handling of a program. Libraries install no handlers; main calls these functions.
#ifndef SLV_TOOLS_SIGNALS_H
#define SLV_TOOLS_SIGNALS_H

// Installs handlers that remove temporary files before SIGINT, SIGTERM, SIGHUP or SIGPIPE ends the
// program. It still ends by that signal, so that the parent process sees it. Ignored signals stay
// ignored. SIGXFSZ is ignored: a file beyond the limit of file sizes is an error of write().
void slv_signals_clean_up(void);

#endif
