// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_wavefront.h"

enum {
    CACHE = 1 << 18, // bytes that the rows under way should not exceed
    ROW_ARRAYS = 14, // floats a cell has in the arrays of the solver
    MOST_ROWS = 24   // at a time
};

// A line is what one cell's neighbors reach: a row of a flat grid, a layer of a solid one.
static int rows_of_line(const slv_body_layout *body_layout) {
    return body_layout->layers > 1 ? body_layout->rows : 1;
}

static int count_lines(const slv_body_layout *body_layout) {
    return body_layout->layers > 1 ? body_layout->layers : body_layout->rows;
}

bool slv_wavefront_accepts(const slv_plan_launch *launch, const slv_body_layout *body_layout) {
    return slv_domain_is_grid(slv_kernel_infos[launch->kernel].domain) && launch->first == 0 &&
           launch->end == body_layout->rows * body_layout->layers;
}

int slv_wavefront_length(const slv_body_layout *body_layout, uint32_t members) {
    int length = count_lines(body_layout) / (int)members / 2;
    return length < 2 ? 0 : length < SLV_WAVEFRONT_LIMIT ? length : SLV_WAVEFRONT_LIMIT;
}

// Lines that a step does at a time: many enough to be worth a call, few enough to stay in the cache.
static int choose_stride(const slv_body_layout *body_layout) {
    int bytes =
        body_layout->columns * rows_of_line(body_layout) * 2 * ROW_ARRAYS * (int)sizeof(float);
    int lines = CACHE / (bytes > 0 ? bytes : 1);
    return lines < 1 ? 1 : lines < MOST_ROWS ? lines : MOST_ROWS;
}

static int border(const slv_wavefront *wave, uint32_t member, uint32_t members) {
    int64_t lines = count_lines(wave->body_layout);
    if (member == 0 || member == members) {
        return member == 0 ? 0 : (int)lines;
    }
    return (int)(lines * member / members) - (wave->count - 1) / 2; // shares lean, yet are alike
}

static void play_lines(const slv_wavefront *wave, int step, int first, int end) {
    const slv_wavefront_step *one = &wave->steps[step];
    int rows = rows_of_line(wave->body_layout);
    if (first < end) {
        one->kernel(wave->state, wave->table, wave->body_layout, &one->launch, first * rows,
                    end * rows);
    }
}

static uint64_t progress(const slv_wavefront *wave, int front) {
    return (uint64_t)wave->number << 32 | (uint32_t)front;
}

// The front is a line n such that step s has come to line n - s.
void slv_wavefront_play(const slv_wavefront *wave, slv_thread_team *team, uint32_t member,
                        uint32_t members) {
    const int top = border(wave, member, members);
    const int bottom = border(wave, member + 1, members);
    const int lean_top = member > 0 ? 1 : 0;
    const int lean_bottom = member + 1 < members ? 1 : 0;
    const int stride = choose_stride(wave->body_layout);
    const int last = bottom + (1 + lean_bottom) * (wave->count - 1);
    for (int front = top; front < last; front += stride) {
        if (lean_bottom && front + stride > bottom) { // these need lines of the next member
            slv_thread_team_await(team, member, member + 1, progress(wave, front + stride));
        }
        for (int s = 0; s < wave->count; s++) {
            int low = top + lean_top * s;
            int high = bottom + lean_bottom * s;
            int first = front - s > low ? front - s : low;
            int end = front + stride - s < high ? front + stride - s : high;
            play_lines(wave, s, first, end);
        }
        slv_thread_team_post(team, member, progress(wave, front + stride));
    }
    slv_thread_team_post(team, member, progress(wave, INT32_MAX));
}
