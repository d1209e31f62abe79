// SPDX-License-Identifier: MIT
// A member of a team that plays a schedule in the layout's own arrays.
#ifndef SLV_RUNTIME_BACKENDS_CPU_CPU_MEMBER_H
#define SLV_RUNTIME_BACKENDS_CPU_CPU_MEMBER_H

#include "runtime/backends/cpu/cpu_clusters.h"
#include "runtime/backends/cpu/cpu_kernels.h"
#include "runtime/backends/cpu/cpu_schedule.h"
#include "runtime/backends/cpu/cpu_strain.h"
#include "runtime/backends/cpu/cpu_work_split.h"
#include "runtime/backends/cpu/thread_team.h"
#include "runtime/step/run.h"

// What all members of a team read: one per engine. No member writes into it.
typedef struct slv_cpu_team_data {
    const slv_instruction_set *set;
    slv_thread_team *team;
    slv_layout layout;
    slv_cpu_clusters clusters;
    slv_cpu_strain strain;
    slv_schedule schedule;
    slv_work_split split;
    int wavefront_length; // launches of a large garment that are played together; 0: none
    bool timing;          // stages are timed
} slv_cpu_team_data;

// A member while a run lasts, and what remains of it.
typedef struct slv_cpu_member {
    _Alignas(64) uint32_t wavefronts;         // so far; the same for all members
    uint32_t done;                            // steps of the last run
    slv_stage_timing stages[SLV_STAGE_COUNT]; // launches that it played, and its seconds
} slv_cpu_member;

// Arrays for launches of one body.
slv_cpu_arrays slv_cpu_team_data_get_arrays(slv_cpu_team_data *data, int body);

// Plays the steps of a run, as member `number` of the team. All members call it, with structs of their own.
void slv_cpu_play_steps(slv_cpu_team_data *data, const slv_run *run, uint32_t number,
                        slv_cpu_member *member);

#endif
