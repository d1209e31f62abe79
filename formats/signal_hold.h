// SPDX-License-Identifier: MIT
// Holds signals that would end the program while several files appear together: half of them must not stay.
// Libraries install no handlers; a program's handler asks slv_signal_defer.
#ifndef SLV_FORMATS_SIGNAL_HOLD_H
#define SLV_FORMATS_SIGNAL_HOLD_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// In pairs, from any thread. The last release raises a signal that was deferred meanwhile.
void slv_signal_hold(void);
void slv_signal_release(void);
bool slv_signal_is_deferred(void); // one is waiting: long work may end early

// For a handler: true where signals are held. It then returns, and the signal is raised again later.
bool slv_signal_defer(int number);

#ifdef __cplusplus
}
#endif

#endif
