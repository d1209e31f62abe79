// SPDX-License-Identifier: MIT
#include "runtime/cpu_step.h"

#include <stdatomic.h>

static const float blow_up_distance = 1e6f; // metres from the origin

// One run of steps, shared by the team.
typedef struct run {
    const slv_cpu_steps *steps;
    uint32_t move_steps; // fixed particles move during that many steps
    atomic_bool diverged;
    uint32_t done; // written by member 0
} run;

// One member's view.
typedef struct worker {
    run *run;
    const slv_cpu_steps *steps;
    const slv_form *form;
    const slv_cpu_kernels *kernels;
    slv_launch launch;
    uint32_t member;
    uint32_t members;
} worker;

// --- Launching --------------------------------------------------------------------------------------

static void wait(const worker *self) {
    slv_team_wait(self->steps->team);
}

// Runs this member's share of rows first … end - 1; the same share every time, so that it stays in the
// member's cache.
static void launch_range(const worker *self, slv_cpu_kernel *kernel, const slv_part *part,
                         int colour, int first, int end) {
    int64_t rows = end - first;
    int from = first + (int)(rows * self->member / self->members);
    int to = first + (int)(rows * (self->member + 1) / self->members);
    slv_launch launch = self->launch;
    launch.colour = colour;
    if (from < to) {
        kernel(self->form->state, self->form->table, part, &launch, from, to);
    }
}

static bool is_grid(const slv_part *part) {
    return part->stride == 1;
}

// Rows of a grid, blocks of slots otherwise: all that a part has.
static int count_rows(const slv_part *part) {
    return is_grid(part) ? part->rows * part->layers : part->slots / SLV_BLOCK;
}

static void launch_blocks(const worker *self, slv_cpu_kernel *split, slv_cpu_kernel *joined) {
    for (uint32_t i = 0; i < self->form->part_count; i++) {
        const slv_part *part = &self->form->parts[i];
        launch_range(self, is_grid(part) ? split : joined, part, 0, 0, count_rows(part));
    }
}

// All particles of all parts, or those of one colour.
static void launch_particles(const worker *self, slv_cpu_kernel *flat, slv_cpu_kernel *solid,
                             slv_cpu_kernel *graph, int first_colour, int colour_end) {
    for (uint32_t i = 0; i < self->form->part_count; i++) {
        const slv_part *part = &self->form->parts[i];
        for (int c = first_colour; c < colour_end && c < part->colour_count; c++) {
            if (is_grid(part)) {
                launch_range(self, part->layers > 1 ? solid : flat, part, c, 0, count_rows(part));
            } else {
                const int *slices = self->form->table + part->colours + c;
                launch_range(self, graph, part, c, slices[0], slices[1]);
            }
        }
    }
}

static int count_colours(const slv_form *form) {
    int most = 0;
    for (uint32_t i = 0; i < form->part_count; i++) {
        most = form->parts[i].colour_count > most ? form->parts[i].colour_count : most;
    }
    return most;
}

static int count_groups(const slv_form *form) {
    int most = 0;
    for (uint32_t i = 0; i < form->part_count; i++) {
        most = form->parts[i].group_count > most ? form->parts[i].group_count : most;
    }
    return most;
}

// --- Solvers ----------------------------------------------------------------------------------------

// One linear iteration, colour by colour.
static void relax_colours(const worker *self) {
    const slv_cpu_kernels *kernels = self->kernels;
    int colours = count_colours(self->form);
    for (int c = 0; c < colours; c++) {
        launch_particles(self, kernels->flat_relax, kernels->solid_relax, kernels->graph_relax, c,
                         c + 1);
        wait(self);
    }
}

static void relax_jacobi(const worker *self) {
    const slv_cpu_kernels *kernels = self->kernels;
    launch_particles(self, kernels->flat_jacobi, kernels->solid_jacobi, kernels->graph_jacobi, 0,
                     INT32_MAX);
    wait(self);
    launch_blocks(self, kernels->accept_split, kernels->accept_joined);
    wait(self);
}

// One particle after another is one member's work; the rest of the team waits.
static void relax_in_order(const worker *self) {
    const slv_cpu_kernels *kernels = self->kernels;
    for (uint32_t i = 0; self->member == 0 && i < self->form->part_count; i++) {
        const slv_part *part = &self->form->parts[i];
        slv_cpu_kernel *sweep = !is_grid(part)     ? kernels->graph_sweep
                                : part->layers > 1 ? kernels->solid_sweep
                                                   : kernels->flat_sweep;
        sweep(self->form->state, self->form->table, part, &self->launch, 0, 1);
    }
    wait(self);
}

static void find_directions(const worker *self) {
    const slv_cpu_kernels *kernels = self->kernels;
    for (uint32_t i = 0; i < self->form->part_count; i++) {
        const slv_part *part = &self->form->parts[i];
        if (is_grid(part)) {
            launch_range(self, part->layers > 1 ? kernels->solid_project : kernels->flat_project,
                         part, 0, 0, count_rows(part));
        } else {
            const int *slices = self->form->table + part->colours;
            launch_range(self, kernels->graph_project, part, 0, 0, slices[part->colour_count]);
        }
    }
}

// Algorithm 4 of the red-black paper: directions are found anew in each outer iteration and stand still
// during the inner ones.
static void solve_projective(const worker *self, void (*relax)(const worker *)) {
    const slv_parameters *parameters = &self->steps->parameters;
    const slv_cpu_kernels *kernels = self->kernels;
    for (uint32_t outer = 0; outer < parameters->outer_iterations; outer++) {
        find_directions(self);
        wait(self);
        for (uint32_t inner = 0; inner < parameters->inner_iterations; inner++) {
            relax(self);
        }
        launch_blocks(self, kernels->apply_split, kernels->apply_joined);
        wait(self);
    }
}

static void project_groups(const worker *self) {
    int groups = count_groups(self->form);
    for (int g = 0; g < groups; g++) {
        for (uint32_t i = 0; i < self->form->part_count; i++) {
            const slv_part *part = &self->form->parts[i];
            if (g < part->group_count) {
                int springs = self->form->table[part->groups + 3 * g + 1];
                launch_range(self, self->kernels->spring_project, part, g, 0,
                             (springs + SLV_LANES - 1) / SLV_LANES);
            }
        }
        wait(self);
    }
}

static void average_springs(const worker *self) {
    const slv_cpu_kernels *kernels = self->kernels;
    launch_particles(self, NULL, NULL, kernels->spring_average, 0, INT32_MAX);
    wait(self);
    launch_blocks(self, kernels->apply_split, kernels->apply_joined);
    wait(self);
}

// Position based solvers have no outer and inner loop: they do as many iterations as both make together.
static void solve_compliant(worker *self, void (*iterate)(const worker *)) {
    const slv_parameters *parameters = &self->steps->parameters;
    uint64_t count = (uint64_t)parameters->outer_iterations * parameters->inner_iterations;
    for (uint64_t i = 0; i < count; i++) {
        self->launch.first = i == 0;
        iterate(self);
    }
}

static void solve(worker *self) {
    switch (self->steps->parameters.solver) {
    case SLV_PD_GS:
        solve_projective(self, relax_in_order);
        break;
    case SLV_PD_JACOBI:
        solve_projective(self, relax_jacobi);
        break;
    case SLV_PD_RBGS:
        solve_projective(self, relax_colours);
        break;
    case SLV_PBD_JACOBI:
        solve_compliant(self, average_springs);
        break;
    case SLV_PBD_GS:
        solve_compliant(self, project_groups);
        break;
    case SLV_SOLVER_COUNT:
        break;
    }
}

// --- The step ---------------------------------------------------------------------------------------

// Puts a fixed particle where it is due at the end of this step.
static void move_particle(const slv_form *form, uint32_t index, const slv_move *move) {
    const slv_part *part = &form->parts[index];
    int at = (int)form->slots[index][move->particle] * part->stride;
    float share = (float)(move->done + 1) / (float)move->total;
    for (int d = 0; d < 3; d++) {
        float path = move->to[d] - move->from[d];
        float place = move->done + 1 == move->total ? move->to[d] : move->from[d] + share * path;
        form->state[part->q + at + d * part->component] = place;
        form->state[part->y + at + d * part->component] = place;
    }
}

static void move_particles(const worker *self) {
    for (uint32_t i = 0; i < self->form->part_count; i++) {
        slv_body *body = self->steps->bodies[i];
        for (uint32_t m = 0; m < body->move_count; m++) {
            if (body->moves[m].done < body->moves[m].total) {
                move_particle(self->form, i, &body->moves[m]);
            }
        }
    }
}

static void finish_moves(slv_body *const *bodies, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t m = 0; m < bodies[i]->move_count; m++) {
            slv_move *move = &bodies[i]->moves[m];
            move->done += move->done < move->total ? 1 : 0;
        }
    }
}

// Whether this member's rows and blocks hold a position that has blown up.
static bool blew_up(const worker *self) {
    float worst = 0.0f;
    launch_blocks(self, self->kernels->judge_split, self->kernels->judge_joined);
    for (uint32_t i = 0; i < self->form->part_count; i++) {
        const slv_part *part = &self->form->parts[i];
        int64_t blocks = count_rows(part);
        int64_t end = blocks * (self->member + 1) / self->members;
        for (int64_t b = blocks * self->member / self->members; b < end; b++) {
            worst += self->form->state[part->verdicts + b];
        }
    }
    return worst > 0.0f;
}

// False when the step blew up; then everything is as before it.
static bool step(worker *self, bool moving) {
    run *shared = self->run;
    const slv_cpu_kernels *kernels = self->kernels;
    launch_blocks(self, kernels->integrate_split, kernels->integrate_joined);
    wait(self);
    if (moving) {
        if (self->member == 0) {
            move_particles(self);
        }
        wait(self);
    }
    solve(self);
    if (blew_up(self)) {
        atomic_store_explicit(&shared->diverged, true, memory_order_relaxed);
    }
    wait(self);
    if (atomic_load_explicit(&shared->diverged, memory_order_relaxed)) {
        launch_blocks(self, kernels->take_back_split, kernels->take_back_joined);
        return false;
    }
    if (moving && self->member == 0) {
        finish_moves(self->steps->bodies, self->form->part_count);
    }
    return true;
}

// What is the same in every launch of a step. Found inside the task, where rounding is as it should be.
static slv_launch make_launch(const slv_cpu_steps *steps) {
    const slv_parameters *parameters = &steps->parameters;
    double h = steps->time_step;
    slv_launch launch = {
        .parity = steps->form->parity,
        .damped = parameters->damped_jacobi,
        .relaxation = parameters->relaxation,
        .limit = blow_up_distance,
    };
    if (parameters->integrate) {
        launch.keep = (float)(1.0 / (1.0 + (double)parameters->damping * h));
        for (int d = 0; d < 3; d++) {
            launch.drift[d] = (float)((double)parameters->gravity[d] * h * h);
        }
    }
    return launch;
}

static void run_steps(void *context, uint32_t member) {
    run *shared = context;
    const slv_cpu_steps *steps = shared->steps;
    worker self = {
        .run = shared,
        .steps = steps,
        .form = steps->form,
        .kernels = steps->kernels,
        .launch = make_launch(steps),
        .member = member,
        .members = slv_team_size(steps->team),
    };
    uint32_t done = 0;
    while (done < steps->count && step(&self, done < shared->move_steps)) {
        self.launch.parity ^= 1;
        done++;
    }
    if (member == 0) {
        shared->done = done;
    }
}

static uint32_t count_move_steps(const slv_cpu_steps *steps) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < steps->form->part_count; i++) {
        const slv_body *body = steps->bodies[i];
        for (uint32_t m = 0; m < body->move_count; m++) {
            uint32_t left = body->moves[m].total - body->moves[m].done;
            most = left > most ? left : most;
        }
    }
    return most;
}

uint32_t slv_cpu_run(const slv_cpu_steps *steps) {
    run shared = {.steps = steps, .move_steps = count_move_steps(steps)};
    atomic_init(&shared.diverged, false);
    slv_team_run(steps->team, run_steps, &shared);
    steps->form->parity ^= (int)(shared.done & 1);
    return shared.done;
}
