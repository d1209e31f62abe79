// SPDX-License-Identifier: MIT
#define _XOPEN_SOURCE 700 // SIGXFSZ, SA_RESTART
#include "tools/common/signals.h"

#include "formats/atomic_file.h"
#include "formats/signal_hold.h"

#include <signal.h>
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

// The raised signal ends the program when this returns.
static void remove_and_raise(int signal_number) {
    if (slv_signal_defer(signal_number)) {
        return;
    }
    slv_atomic_remove_temporaries();
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

void slv_signals_clean_up(void) {
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = remove_and_raise;
    action.sa_mask = fatal_signals();
    for (size_t i = 0; i < DEADLY_COUNT; i++) {
        struct sigaction old;
        if (sigaction(deadly[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            (void)sigaction(deadly[i], &action, NULL);
        }
    }
    (void)signal(SIGXFSZ, SIG_IGN);
}
