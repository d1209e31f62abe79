// SPDX-License-Identifier: MIT
// Threads that work in step. Each waits for the others many times within one step of the simulation, a
// few microseconds apart, so a waiting thread first spins: waking a sleeper takes longer than that. But
// only for a while, and not where it keeps another member from its processor; then it sleeps, so that a
// machine with other work to do gets on with it.
#ifndef SLV_RUNTIME_BACKENDS_CPU_THREAD_TEAM_H
#define SLV_RUNTIME_BACKENDS_CPU_THREAD_TEAM_H

#include "runtime/base/memory.h"

typedef struct slv_thread_team slv_thread_team;

// How many processors this process may use.
uint32_t slv_count_processors(void);

// threads counts the caller, who works as number 0. hooks may be NULL: then the team has threads of its
// own, fewer than asked for if the system gives no more. NULL without memory.
slv_thread_team *slv_thread_team_create(uint32_t threads, const slv_task_hooks *hooks,
                                        slv_memory *memory);
void slv_thread_team_destroy(slv_thread_team *team); // its memory is the caller's; NULL is fine
uint32_t slv_thread_team_size(const slv_thread_team *team);

// Calls task once per member and returns when all have returned. Floating point is as IEEE 754 has it by
// default in every task, whatever the caller's modes are.
void slv_thread_team_run(slv_thread_team *team, void (*task)(void *argument, uint32_t member),
                         void *argument);

// Inside a task, called by a member: returns when every member has called it.
void slv_thread_team_wait(slv_thread_team *team, uint32_t member);

// Inside a task: a member tells how far it has come, a number that only rises; and waits until another
// has come that far.
void slv_thread_team_post(slv_thread_team *team, uint32_t member, uint64_t progress);
void slv_thread_team_await(slv_thread_team *team, uint32_t member, uint32_t other,
                           uint64_t progress);

#endif
