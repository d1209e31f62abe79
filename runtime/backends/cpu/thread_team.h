// SPDX-License-Identifier: MIT
// Threads that work in lockstep. Each waits for the others many times within one step of the
// simulation, a few microseconds apart, so a waiting thread spins at first: waking a sleeping thread
// takes longer than that. It sleeps after SPIN_NANOSECONDS, and where it would keep another member from
// its processor.
#ifndef SLV_RUNTIME_BACKENDS_CPU_THREAD_TEAM_H
#define SLV_RUNTIME_BACKENDS_CPU_THREAD_TEAM_H

#include "runtime/base/memory.h"

typedef struct slv_thread_team slv_thread_team;

// Number of processors that this process may use.
uint32_t slv_count_processors(void);

// `threads` counts the caller, which is member 0. hooks may be NULL: then the team has threads of its
// own, fewer than requested if the system gives no more. NULL without memory.
slv_thread_team *slv_thread_team_create(uint32_t threads, const slv_task_hooks *hooks,
                                        slv_memory *memory);
void slv_thread_team_destroy(slv_thread_team *team); // its memory is the caller's; NULL is allowed
uint32_t slv_thread_team_size(const slv_thread_team *team);

// Whether waiting members spin: there are as many processors.
bool slv_thread_team_spins(const slv_thread_team *team);

// Calls task once for each of the first `members` and returns when all have returned; the others sleep on. Floating-point modes are the IEEE 754
// defaults in every task, whatever the caller's are.
void slv_thread_team_run(slv_thread_team *team, uint32_t members,
                         void (*task)(void *argument, uint32_t member), void *argument);

// Inside a task, called by a member: returns when every member of the task has called it.
void slv_thread_team_wait(slv_thread_team *team, uint32_t member);

// Inside a task: a member posts its progress, a number that only rises, and waits until another has
// posted at least that much.
void slv_thread_team_post(slv_thread_team *team, uint32_t member, uint64_t progress);
void slv_thread_team_await(slv_thread_team *team, uint32_t member, uint32_t other,
                           uint64_t progress);

#endif
