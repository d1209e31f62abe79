// SPDX-License-Identifier: MIT
#include "tools/voxelize/influences.h"

#include "kernels/types.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEAR = 1, // first search radius around the nearest particle, in samples
    WIDE = 2, // second radius, where the first found only collinear particles
    SIDE = 2 * WIDE + 1,
    CANDIDATES_MAX = SIDE * SIDE * SIDE
};

static const double LARGEST_WEIGHT = 2; // absolute; larger ones amplify the motion of a particle
// Added to squared distances in samples: smooths the weights near a particle.
static const double SOFTENING = 0.1;
// Tikhonov regularization, squared samples: tried from the first on, tenfold each time, to the last.
static const double SLACK_FIRST = 1e-9, SLACK_LAST = 1e9;

typedef struct candidate {
    double distance; // squared distance to the vertex
    uint32_t stored;
    int step[3]; // from the nearest particle, in samples
} candidate;

// Particles in slot order and the dimension they span: rank 0 a point, 1 a line, 2 a plane, 3 a
// volume.
typedef struct selection {
    candidate chosen[SLV_INFLUENCES];
    size_t count;
    int rank;
} selection;

// --- Trilinear ----------------------------------------------------------------------------------

static bool weigh_by_cell(const slv_grid_index *index, const double cell_position[3],
                          slv_influences *influences) {
    double fraction[3];
    int64_t low[3];
    for (int axis = 0; axis < 3; axis++) {
        const double whole = floor(cell_position[axis]);
        if (!(whole >= 0 && whole < (double)index->lattice.cells[axis])) {
            return false;
        }
        low[axis] = (int64_t)whole;
        fraction[axis] = cell_position[axis] - whole;
    }
    for (int corner = 0; corner < SLV_INFLUENCES; corner++) {
        const int bit[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        const int32_t stored =
            slv_grid_index_find(index, low[0] + bit[0], low[1] + bit[1], low[2] + bit[2]);
        if (stored == SLV_NO_NEIGHBOR) {
            return false;
        }
        influences->stored[corner] = (uint32_t)stored;
        influences->weight[corner] = 1;
        for (int axis = 0; axis < 3; axis++) {
            influences->weight[corner] *= bit[axis] != 0 ? fraction[axis] : 1 - fraction[axis];
        }
    }
    return true;
}

// --- Choosing particles -------------------------------------------------------------------------

static size_t box_place(int x, int y, int z) {
    const size_t row = (size_t)(z + WIDE) * SIDE + (size_t)(y + WIDE);
    return row * SIDE + (size_t)(x + WIDE);
}

// Particles within `reach` samples of the nearest one that are connected to it inside that box, in
// own order. Two separate sheets of cloth that are close must not both influence one vertex.
static size_t gather(const slv_grid_index *index, const uint32_t nearest[3], int reach,
                     const double cell_position[3], candidate found[CANDIDATES_MAX]) {
    int32_t stored[CANDIDATES_MAX];
    bool reached[CANDIDATES_MAX] = {false};
    int queue[CANDIDATES_MAX][3];
    for (int z = -reach; z <= reach; z++) {
        for (int y = -reach; y <= reach; y++) {
            for (int x = -reach; x <= reach; x++) {
                stored[box_place(x, y, z)] =
                    slv_grid_index_find(index, (int64_t)nearest[0] + x, (int64_t)nearest[1] + y,
                                        (int64_t)nearest[2] + z);
            }
        }
    }
    size_t queued = 0;
    memset(queue[queued++], 0, sizeof queue[0]);
    reached[box_place(0, 0, 0)] = true;
    for (size_t head = 0; head < queued; head++) {
        for (int slot = 0; slot < SLV_SLOT_COUNT; slot++) {
            int step[3] = {queue[head][0], queue[head][1], queue[head][2]};
            step[slot / 2] += (slot & 1) != 0 ? 1 : -1;
            if (abs(step[slot / 2]) > reach) {
                continue;
            }
            const size_t at = box_place(step[0], step[1], step[2]);
            if (!reached[at] && stored[at] != SLV_NO_NEIGHBOR) {
                reached[at] = true;
                memcpy(queue[queued++], step, sizeof step);
            }
        }
    }
    for (size_t n = 0; n < queued; n++) {
        candidate *c = &found[n];
        *c = (candidate){.stored =
                             (uint32_t)stored[box_place(queue[n][0], queue[n][1], queue[n][2])]};
        for (int axis = 0; axis < 3; axis++) {
            const double gap = (double)nearest[axis] + queue[n][axis] - cell_position[axis];
            c->step[axis] = queue[n][axis];
            c->distance += gap * gap;
        }
    }
    return queued;
}

// By distance, then in own order.
static int compare_candidates(const void *left, const void *right) {
    const candidate *a = left;
    const candidate *b = right;
    if (a->distance != b->distance) {
        return a->distance < b->distance ? -1 : 1;
    }
    for (int axis = 2; axis >= 0; axis--) {
        if (a->step[axis] != b->step[axis]) {
            return a->step[axis] < b->step[axis] ? -1 : 1;
        }
    }
    return 0;
}

static void cross_steps(const int a[3], const int b[3], int product[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3;
        const int last = (axis + 2) % 3;
        product[axis] = a[next] * b[last] - a[last] * b[next];
    }
}

// Whether the candidate increases the rank of the spanning set. Integer arithmetic, so no tolerance
// is needed. Steps are relative to the nearest particle, which is always first.
static bool widens(const candidate spanning[4], int rank, const candidate *c) {
    int normal[3];
    switch (rank) {
    case 0:
        return c->step[0] != 0 || c->step[1] != 0 || c->step[2] != 0;
    case 1:
        cross_steps(spanning[1].step, c->step, normal);
        return normal[0] != 0 || normal[1] != 0 || normal[2] != 0;
    case 2:
        cross_steps(spanning[1].step, spanning[2].step, normal);
        return normal[0] * c->step[0] + normal[1] * c->step[1] + normal[2] * c->step[2] != 0;
    default:
        return false;
    }
}

// Selects the nearest particles that reach the maximum rank, then the nearest others.
static void select_from(const candidate *sorted, size_t count, selection *selected) {
    bool taken[CANDIDATES_MAX] = {true};
    selected->rank = 0;
    selected->count = 1;
    selected->chosen[0] = sorted[0];
    for (size_t n = 1; n < count && selected->rank < 3; n++) {
        if (widens(selected->chosen, selected->rank, &sorted[n])) {
            selected->chosen[selected->count++] = sorted[n];
            selected->rank++;
            taken[n] = true;
        }
    }
    for (size_t n = 1; n < count && selected->count < SLV_INFLUENCES; n++) {
        if (!taken[n]) {
            selected->chosen[selected->count++] = sorted[n];
        }
    }
}

static void select_around(const slv_grid_index *index, const uint32_t nearest[3],
                          const double cell_position[3], selection *selected) {
    candidate found[CANDIDATES_MAX];
    selected->rank = 0;
    for (int reach = NEAR; reach <= WIDE && selected->rank < 2; reach++) {
        const size_t count = gather(index, nearest, reach, cell_position, found);
        qsort(found, count, sizeof *found, compare_candidates);
        select_from(found, count, selected);
    }
}

// --- Weights ------------------------------------------------------------------------------------

// Solves the symmetric positive definite system m x = (1, 0, 0, 0) by Gaussian elimination.
static void solve(double m[4][4], double x[4]) {
    double right[4] = {1, 0, 0, 0};
    for (int pivot = 0; pivot < 4; pivot++) {
        for (int row = pivot + 1; row < 4; row++) {
            const double factor = m[row][pivot] / m[pivot][pivot];
            for (int column = pivot; column < 4; column++) {
                m[row][column] -= factor * m[pivot][column];
            }
            right[row] -= factor * right[pivot];
        }
    }
    for (int row = 3; row >= 0; row--) {
        double sum = right[row];
        for (int column = row + 1; column < 4; column++) {
            sum -= m[row][column] * x[column];
        }
        x[row] = sum / m[row][row];
    }
}

// Removes from q the component normal to the line or plane of the particles, which no weights can
// change.
static void project(const selection *selected, double q[3]) {
    if (selected->rank == 3) {
        return;
    }
    double along[3] = {0, 0, 0};
    if (selected->rank > 0) {
        const int *line = selected->chosen[1].step;
        int direction[3] = {line[0], line[1], line[2]};
        if (selected->rank == 2) {
            cross_steps(line, selected->chosen[2].step, direction);
        }
        double dot = 0;
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            dot += q[axis] * direction[axis];
            square += (double)direction[axis] * direction[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            along[axis] = direction[axis] * (dot / square);
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        q[axis] = selected->rank == 2 ? q[axis] - along[axis] : along[axis];
    }
}

// Minimizes sum w^2/phi + |sum w q|^2/slack subject to sum w = 1, q being particles relative to the
// vertex: w = phi (x0 + x.q) with (sum phi (1,q)(1,q)^T + slack diag(0,1,1,1)) x = (1,0,0,0). A
// small slack reproduces the vertex; a large slack gives averages. Returns the largest |weight|.
static double weigh(const selection *selected, const uint32_t nearest[3],
                    const double cell_position[3], double slack, double *weights) {
    double rows[SLV_INFLUENCES][4];
    double m[4][4] = {{0}};
    for (size_t n = 0; n < selected->count; n++) {
        double q[3];
        for (int axis = 0; axis < 3; axis++) {
            q[axis] = (double)nearest[axis] + selected->chosen[n].step[axis] - cell_position[axis];
        }
        project(selected, q);
        memcpy(rows[n], (double[4]){1, q[0], q[1], q[2]}, sizeof rows[n]);
    }
    double phi[SLV_INFLUENCES];
    for (size_t n = 0; n < selected->count; n++) {
        const double ratio =
            (SOFTENING + selected->chosen[0].distance) /
            (SOFTENING + selected->chosen[n].distance); // 1 at the nearest particle
        phi[n] = ratio * ratio;
        for (int row = 0; row < 4; row++) {
            for (int column = 0; column < 4; column++) {
                m[row][column] += phi[n] * rows[n][row] * rows[n][column];
            }
        }
    }
    for (int axis = 1; axis < 4; axis++) {
        m[axis][axis] += slack;
    }
    double x[4];
    solve(m, x);
    double largest = 0;
    for (size_t n = 0; n < selected->count; n++) {
        weights[n] = phi[n] * (x[0] + x[1] * rows[n][1] + x[2] * rows[n][2] + x[3] * rows[n][3]);
        largest = fmax(largest, fabs(weights[n]));
    }
    return largest;
}

static void weigh_selection(const selection *selected, const uint32_t nearest[3],
                            const double cell_position[3], slv_influences *influences) {
    double weights[SLV_INFLUENCES];
    double slack = SLACK_FIRST;
    while (!(weigh(selected, nearest, cell_position, slack, weights) <= LARGEST_WEIGHT) &&
           slack < SLACK_LAST) {
        slack *= 10;
    }
    // Without three particles that are not collinear there is no frame: the second slot repeats the
    // first.
    const size_t repeated = selected->rank < 2 ? 1 : 0;
    for (size_t slot = 0; slot < SLV_INFLUENCES; slot++) {
        const size_t n = slot == 0 ? 0 : slot - repeated;
        const bool used = n < selected->count && !(slot == 1 && repeated == 1);
        influences->stored[slot] = selected->chosen[used ? n : 0].stored;
        influences->weight[slot] = used ? weights[n] : 0;
    }
}

void slv_choose_influences(const slv_nearest *nearest, const double cell_position[3],
                           slv_influences *influences) {
    if (weigh_by_cell(nearest->index, cell_position, influences)) {
        return;
    }
    uint32_t sample[3];
    selection selected;
    slv_nearest_find(nearest, cell_position, sample);
    select_around(nearest->index, sample, cell_position, &selected);
    weigh_selection(&selected, sample, cell_position, influences);
}

// --- The frame of offsets -----------------------------------------------------------------------

static void cross(const double a[3], const double b[3], double product[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int next = (axis + 1) % 3;
        const int last = (axis + 2) % 3;
        product[axis] = a[next] * b[last] - a[last] * b[next];
    }
}

static bool normalize(double v[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int axis = 0; axis < 3; axis++) {
        v[axis] /= length;
    }
    return length > 0;
}

void slv_embedding_frame(const double p0[3], const double p1[3], const double p2[3],
                         double axes[3][3]) {
    double side[3];
    for (int axis = 0; axis < 3; axis++) {
        axes[0][axis] = p1[axis] - p0[axis];
        side[axis] = p2[axis] - p0[axis];
    }
    if (normalize(axes[0])) {
        cross(axes[0], side, axes[2]);
        if (normalize(axes[2])) {
            cross(axes[2], axes[0], axes[1]);
            return;
        }
    }
    static const double world[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    memcpy(axes, world, sizeof world);
}
