// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_wavefront.h"

enum {
    CACHE = 1 << 18, // bytes that the rows under way should not exceed
    ROW_ARRAYS = 14, // floats a cell has in the arrays of the solver
    MOST_ROWS = 24   // at a time
};

// A line is what one cell's neighbors reach: a row of a flat grid, a layer of a solid one.
static int rows_of_line(const slv_part *part) {
    return part->layers > 1 ? part->rows : 1;
}

static int count_lines(const slv_part *part) {
    return part->layers > 1 ? part->layers : part->rows;
}

bool slv_wave_takes(const slv_plan_launch *launch, const slv_part *part) {
    switch (slv_kernel_infos[launch->kernel].domain) {
    case SLV_DOMAIN_PAIRS:
    case SLV_DOMAIN_STRIPS:
    case SLV_DOMAIN_LINES:
    case SLV_DOMAIN_COMPONENTS:
        return launch->first == 0 && launch->end == part->rows * part->layers;
    default:
        return false;
    }
}

int slv_wave_length(const slv_part *part, uint32_t members) {
    int length = count_lines(part) / (int)members / 2;
    return length < 2 ? 0 : length < SLV_WAVE_LIMIT ? length : SLV_WAVE_LIMIT;
}

// Lines that a step does at a time: many enough to be worth a call, few enough to stay in the cache.
static int choose_stride(const slv_part *part) {
    int bytes = part->columns * rows_of_line(part) * 2 * ROW_ARRAYS * (int)sizeof(float);
    int lines = CACHE / (bytes > 0 ? bytes : 1);
    return lines < 1 ? 1 : lines < MOST_ROWS ? lines : MOST_ROWS;
}

static int border(const slv_wave *wave, uint32_t member, uint32_t members) {
    int64_t lines = count_lines(wave->part);
    if (member == 0 || member == members) {
        return member == 0 ? 0 : (int)lines;
    }
    return (int)(lines * member / members) - (wave->count - 1) / 2; // shares lean, yet are alike
}

static void play_lines(const slv_wave *wave, int step, int first, int end) {
    const slv_wave_step *one = &wave->steps[step];
    int rows = rows_of_line(wave->part);
    if (first < end) {
        one->kernel(wave->state, wave->table, wave->part, &one->launch, first * rows, end * rows);
    }
}

static uint64_t progress(const slv_wave *wave, int front) {
    return (uint64_t)wave->number << 32 | (uint32_t)front;
}

// The front is a line n such that step s has come to line n - s.
void slv_wave_play(const slv_wave *wave, slv_team *team, uint32_t member, uint32_t members) {
    const int top = border(wave, member, members);
    const int bottom = border(wave, member + 1, members);
    const int lean_top = member > 0 ? 1 : 0;
    const int lean_bottom = member + 1 < members ? 1 : 0;
    const int stride = choose_stride(wave->part);
    const int last = bottom + (1 + lean_bottom) * (wave->count - 1);
    for (int front = top; front < last; front += stride) {
        if (lean_bottom && front + stride > bottom) { // these need lines of the next member
            slv_team_await(team, member, member + 1, progress(wave, front + stride));
        }
        for (int s = 0; s < wave->count; s++) {
            int low = top + lean_top * s;
            int high = bottom + lean_bottom * s;
            int first = front - s > low ? front - s : low;
            int end = front + stride - s < high ? front + stride - s : high;
            play_lines(wave, s, first, end);
        }
        slv_team_post(team, member, progress(wave, front + stride));
    }
    slv_team_post(team, member, progress(wave, INT32_MAX));
}
