// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L
#include "runtime/base/thread.h"

#include <signal.h>

bool slv_thread_start(pthread_t *thread, void *(*work)(void *argument), void *argument) {
    sigset_t all;
    sigset_t before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(thread, NULL, work, argument) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    return started;
}
