// SPDX-License-Identifier: MIT
// Threads of the library.
#ifndef SLV_RUNTIME_BASE_THREAD_H
#define SLV_RUNTIME_BASE_THREAD_H

#include <pthread.h>
#include <stdbool.h>

// Starts a thread that takes no signals: those are for the threads of the program. False where none can be started.
bool slv_thread_start(pthread_t *thread, void *(*work)(void *argument), void *argument);

#endif
