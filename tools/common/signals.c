// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "tools/common/signals.h"

#include "formats/atomic_file.h"

#include <stddef.h>

static const int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
enum { DEADLY_COUNT = sizeof deadly / sizeof deadly[0] };

static sigset_t fatal_signals(void) {
    sigset_t set;
    (void)sigemptyset(&set);
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        (void)sigaddset(&set, deadly[i]);
    }
    return set;
}

// SA_RESETHAND has restored the default action: the raised signal ends the program when this
// returns.
static void remove_and_raise(int signal_number) {
    slv_atomic_remove_temporaries();
    (void)raise(signal_number);
}

void slv_signals_clean_up(void) {
    struct sigaction action = {.sa_flags = (int)SA_RESETHAND};
    action.sa_handler = remove_and_raise;
    action.sa_mask = fatal_signals();
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        struct sigaction old;
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            (void)sigaction(deadly[i], &action, NULL);
        }
    }
}

void slv_signals_hold(sigset_t *before) {
    const sigset_t set = fatal_signals();
    (void)pthread_sigmask(SIG_BLOCK, &set, before);
}

void slv_signals_release(const sigset_t *before) {
    (void)pthread_sigmask(SIG_SETMASK, before, NULL);
}
