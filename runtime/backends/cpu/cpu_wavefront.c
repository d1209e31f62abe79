// SPDX-License-Identifier: MIT
#include "runtime/backends/cpu/cpu_wavefront.h"

enum {
    CACHE_BYTES = 1 << 18, // of the rows in progress, at most: half of a usual second-level cache
    ROW_ARRAYS = 14,       // floats of a cell in the arrays of the solver
    LINE_LIMIT = 24        // lines that a step does at a time, at most
};

// A line is a row of a flat grid or a layer of a solid one: the neighbors of a cell lie in its line and
// the lines beside it.
static int count_rows_of_line(const slv_body_layout *body_layout) {
    return body_layout->layers > 1 ? body_layout->rows : 1;
}

static int count_lines(const slv_body_layout *body_layout) {
    return body_layout->layers > 1 ? body_layout->layers : body_layout->rows;
}

bool slv_wavefront_accepts(const slv_plan_launch *launch, const slv_body_layout *body_layout) {
    const slv_kernel_info *kernel = &slv_kernel_infos[launch->kernel];
    return slv_domain_is_grid(kernel->domain) && !(kernel->traits & SLV_DISTANT) &&
           launch->first == 0 && launch->end == body_layout->rows * body_layout->layers;
}

int slv_wavefront_length(const slv_body_layout *body_layout, uint32_t members) {
    int length = count_lines(body_layout) / (int)members / 2;
    return length < 2 ? 0 : length < SLV_WAVEFRONT_LIMIT ? length : SLV_WAVEFRONT_LIMIT;
}

bool slv_wavefront_pays(const slv_body_layout *body_layout) {
    const int64_t cells =
        2 * (int64_t)body_layout->columns * body_layout->rows * body_layout->layers;
    return cells * ROW_ARRAYS * (int64_t)sizeof(float) > CACHE_BYTES;
}

// Lines that a step does at a time: enough to be worth a call, few enough to stay in the cache.
static int choose_stride(const slv_body_layout *body_layout) {
    int bytes = body_layout->columns * count_rows_of_line(body_layout) * 2 * ROW_ARRAYS *
                (int)sizeof(float);
    int lines = CACHE_BYTES / (bytes > 0 ? bytes : 1);
    return lines < 1 ? 1 : lines < LINE_LIMIT ? lines : LINE_LIMIT;
}

static int first_line(const slv_wavefront *wavefront, uint32_t member, uint32_t members) {
    int64_t lines = count_lines(wavefront->body_layout);
    if (member == 0 || member == members) {
        return member == 0 ? 0 : (int)lines;
    }
    return (int)(lines * member / members) -
           (wavefront->count - 1) / 2; // skewed ranges of equal size
}

static void play_lines(const slv_wavefront *wavefront, int step, int first, int end) {
    const slv_wavefront_step *one = &wavefront->steps[step];
    int rows = count_rows_of_line(wavefront->body_layout);
    if (first < end) {
        one->kernel(&wavefront->arrays, wavefront->body_layout, &one->launch, first * rows,
                    end * rows);
    }
}

static uint64_t progress(const slv_wavefront *wavefront, int front) {
    return (uint64_t)wavefront->number << 32 | (uint32_t)front;
}

// The front is a line n such that step s has reached line n - s.
void slv_wavefront_play(const slv_wavefront *wavefront, slv_thread_team *team, uint32_t member,
                        uint32_t members) {
    const int top = first_line(wavefront, member, members);
    const int bottom = first_line(wavefront, member + 1, members);
    const int skew_top = member > 0 ? 1 : 0;
    const int skew_bottom = member + 1 < members ? 1 : 0;
    const int stride = choose_stride(wavefront->body_layout);
    const int last = bottom + (1 + skew_bottom) * (wavefront->count - 1);
    for (int front = top; front < last; front += stride) {
        if (skew_bottom && front + stride > bottom) { // these need lines of the next member
            slv_thread_team_await(team, member, member + 1, progress(wavefront, front + stride));
        }
        for (int s = 0; s < wavefront->count; s++) {
            int low = top + skew_top * s;
            int high = bottom + skew_bottom * s;
            int first = front - s > low ? front - s : low;
            int end = front + stride - s < high ? front + stride - s : high;
            play_lines(wavefront, s, first, end);
        }
        if (members > 1) {
            slv_thread_team_post(team, member, progress(wavefront, front + stride));
        }
    }
    if (members > 1) {
        slv_thread_team_post(team, member, progress(wavefront, INT32_MAX));
    }
}
