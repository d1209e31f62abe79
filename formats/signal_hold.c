// SPDX-License-Identifier: MIT
#include "formats/signal_hold.h"

#include <signal.h>
#include <stdatomic.h>

// One word, so that a signal is not lost between the last release and its check: the number of holds in the
// low bits, the deferred signal above. A handler may run on another thread.
enum { SIGNAL_SHIFT = 16, HOLDS = (1 << SIGNAL_SHIFT) - 1 };
static atomic_int state;

void slv_signal_hold(void) {
    (void)atomic_fetch_add(&state, 1);
}

void slv_signal_release(void) {
    int left = atomic_fetch_sub(&state, 1) - 1;
    const int number = left >> SIGNAL_SHIFT;
    if (number != 0 && (left & HOLDS) == 0 && atomic_compare_exchange_strong(&state, &left, 0)) {
        (void)raise(number);
    }
}

bool slv_signal_is_deferred(void) {
    return atomic_load(&state) >> SIGNAL_SHIFT != 0;
}

bool slv_signal_defer(int number) {
    int now = atomic_load(&state);
    while ((now & HOLDS) != 0) {
        const int deferred = (now & HOLDS) | number << SIGNAL_SHIFT;
        if (atomic_compare_exchange_weak(&state, &now, deferred)) {
            return true;
        }
    }
    return false;
}
