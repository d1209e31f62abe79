// SPDX-License-Identifier: MIT
// Kernels over index tables, several particles or springs at a time. Compilers do not find this by
// themselves: a particle is one 16-byte load, and a few of them, transposed in registers, make vectors
// of x, of y and of z. Each form does the plain kernel's sums in the plain kernel's order and so gives
// the same bits; a test compares them.

// --- Projective dynamics ------------------------------------------------------------------------------

static inline slv_wides project_lanes(const float *state, const int *table,
                                      const slv_body_layout *body, int slice, int lane) {
    const float *q = state + body->q;
    const float *u = state + body->u;
    slv_wides own = load_slice(q, slice, lane);
    slv_wides own_fine = load_slice(u, slice, lane);
    slv_wides total = {spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)};
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        slv_wide x = spread(0.0f);
        slv_wide y = spread(0.0f);
        slv_wide z = spread(0.0f);
        for (int n = span.first; n < span.end; n++) {
            const int *offsets = table + body->neighbors + n * SLV_LANES + lane;
            slv_wides there = load_particles(q, offsets);
            slv_wides fine = load_particles(u, offsets);
            slv_wide ux = own_fine.x - fine.x;
            slv_wide uy = own_fine.y - fine.y;
            slv_wide uz = own_fine.z - fine.z;
            slv_wide dx = (own.x - there.x) + ux;
            slv_wide dy = (own.y - there.y) + uy;
            slv_wide dz = (own.z - there.z) + uz;
            slv_wide square = dx * dx + dy * dy + dz * dz;
            slv_wide rest = load_wide(state + body->rests + n * SLV_LANES + lane);
            slv_mask pulls = (square > 0.0f) & (rest >= 0.0f);
            slv_wide error = (rest / wide_square_root(square) + 2.0f) - 3.0f; // slv_spring_error
            x += select_or_zero(pulls, error * dx + ux);
            y += select_or_zero(pulls, error * dy + uy);
            z += select_or_zero(pulls, error * dz + uz);
        }
        total.x += body->ratio[c] * x;
        total.y += body->ratio[c] * y;
        total.z += body->ratio[c] * z;
    }
    return total;
}

static inline void project_slice(float *state, const int *table, const slv_body_layout *body,
                                 int at_start, int slice) {
    for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
        int slot = slice * SLV_LANES + lane;
        slv_wides total = project_lanes(state, table, body, slice, lane);
        slv_wides q = load_slice(state + body->q, slice, lane);
        slv_wides start = load_slice(state + at_start, slice, lane);
        slv_wides predicted = load_slice(state + body->predicted, slice, lane);
        slv_wide weight = load_wide(state + body->weight + slot);
        slv_wide anchor = load_wide(state + body->anchor + slot);
        slv_wides b = {weight * total.x + anchor * (predicted.x - (q.x - start.x)),
                       weight * total.y + anchor * (predicted.y - (q.y - start.y)),
                       weight * total.z + anchor * (predicted.z - (q.z - start.z)), spread(0.0f)};
        store_slice(state + body->b, slice, lane, b);
    }
}

static inline int wide_graph_project(float *state, const int *table, const slv_body_layout *body,
                                     const slv_launch *launch, int first, int end) {
    const int start = slv_step_start(body, launch);
    for (int slice = first; slice < end; slice++) {
        project_slice(state, table, body, start, slice);
    }
    return end;
}
#define SLV_FORM_graph_project SLV_FORM(graph_project)

// The corrections that solve the equations of a slice's particles from `lane` on.
static inline slv_pairs find_targets(const float *state, const int *table,
                                     const slv_body_layout *body, int slice, int lane) {
    const float *u = state + body->u;
    const int slot = slice * SLV_LANES + lane;
    const slv_wide weight = load_wide(state + body->weight + slot);
    slv_pairs target = {{spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)}};
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        slv_pairs sum = {{spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)}};
        for (int n = span.first; n < span.end; n += 2) {
            const int *one = table + body->neighbors + n * SLV_LANES + lane;
            const int *two = one + SLV_LANES;
            for (int i = 0; i < 4; i++) {
                sum.of[i] += load_pair(u, one + i) + load_pair(u, two + i);
            }
        }
        for (int i = 0; i < 4; i++) {
            target.of[i] += body->ratio[c] * sum.of[i];
        }
    }
    const slv_pairs weights = spread_lanes(weight);
    const slv_pairs b = load_own_pairs(state + body->b, slot);
    for (int i = 0; i < 4; i++) {
        target.of[i] = weights.of[i] * target.of[i] + b.of[i];
    }
    return target;
}

static inline int wide_graph_relax(float *state, const int *table, const slv_body_layout *body,
                                   const slv_launch *launch, int first, int end) {
    for (int slice = first; slice < end; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            const int slot = slice * SLV_LANES + lane;
            const slv_pairs target = find_targets(state, table, body, slice, lane);
            slv_pairs u = load_own_pairs(state + body->u, slot);
            for (int i = 0; i < 4; i++) {
                u.of[i] = u.of[i] + launch->relaxation * (target.of[i] - u.of[i]);
            }
            store_own_pairs(state + body->u, slot, u);
        }
    }
    return end;
}
#define SLV_FORM_graph_relax SLV_FORM(graph_relax)

static inline void jacobi_slice(float *state, const int *table, const slv_body_layout *body,
                                const slv_launch *launch, int slice) {
    for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
        const int slot = slice * SLV_LANES + lane;
        const slv_pairs target = find_targets(state, table, body, slice, lane);
        const slv_pairs u = load_own_pairs(state + body->u, slot);
        const slv_wide degree = load_wide(state + body->degrees + slot);
        const slv_wide relaxation =
            launch->damped ? launch->relaxation / degree : spread(launch->relaxation);
        const slv_pairs relaxations = spread_lanes(relaxation);
        slv_pairs next;
        for (int i = 0; i < 4; i++) {
            next.of[i] = u.of[i] + relaxations.of[i] * (target.of[i] - u.of[i]);
        }
        store_own_pairs(state + body->next, slot, next);
    }
}

static inline int wide_graph_jacobi(float *state, const int *table, const slv_body_layout *body,
                                    const slv_launch *launch, int first, int end) {
    for (int slice = first; slice < end; slice++) {
        jacobi_slice(state, table, body, launch, slice);
    }
    return end;
}
#define SLV_FORM_graph_jacobi SLV_FORM(graph_jacobi)

// --- Position based dynamics --------------------------------------------------------------------------

// A spring is one long chain of dependent operations, about as long as a processor's out-of-order
// window. Two batches at a time, the first half of both and then the second, keep it busy. Springs of a
// group share no particle, so their order is free.
typedef struct spring_work {
    slv_wides a, b;
    slv_wide length;
} spring_work;

static inline void begin_springs(const float *state, const int *table, const slv_body_layout *body,
                                 int spring, spring_work *work) {
    work->a = load_particles(state + body->q, table + body->ends[0] + spring);
    work->b = load_particles(state + body->q, table + body->ends[1] + spring);
    slv_wide dx = work->a.x - work->b.x;
    slv_wide dy = work->a.y - work->b.y;
    slv_wide dz = work->a.z - work->b.z;
    work->length = wide_square_root(dx * dx + dy * dy + dz * dz);
}

static inline void finish_springs(float *state, const int *table, const slv_body_layout *body,
                                  const slv_launch *launch, int spring, float compliance,
                                  const spring_work *work) {
    const slv_wides *a = &work->a;
    const slv_wides *b = &work->b;
    float *tension = state + body->tensions + spring;
    slv_wide wa = load_wide(state + body->inverse_masses[0] + spring);
    slv_wide wb = load_wide(state + body->inverse_masses[1] + spring);
    slv_wide effective_mass = launch->relaxation / (wa + wb + compliance);
    slv_wide reciprocal = select_or_zero(work->length > 0.0f, 1.0f / work->length);
    slv_wide multiplier = launch->first ? spread(0.0f) : load_wide(tension);
    slv_wide error =
        work->length - load_wide(state + body->lengths + spring) + compliance * multiplier;
    slv_wide change = select_or_zero(work->length > 0.0f, effective_mass * error);
    slv_wide scale = change * reciprocal;
    slv_wide scale_a = wa * scale;
    slv_wide scale_b = wb * scale;
    slv_wide dx = a->x - b->x;
    slv_wide dy = a->y - b->y;
    slv_wide dz = a->z - b->z;
    slv_wides new_a = {a->x - scale_a * dx, a->y - scale_a * dy, a->z - scale_a * dz, spread(0.0f)};
    slv_wides new_b = {b->x + scale_b * dx, b->y + scale_b * dy, b->z + scale_b * dz, spread(0.0f)};
    store_wide(tension, multiplier - change);
    store_particles(state + body->q, table + body->ends[0] + spring, new_a);
    store_particles(state + body->q, table + body->ends[1] + spring, new_b);
}

// Whole batches; the last batch of a group, where it is not full, is left to the plain loop.
static inline int wide_spring_project(float *state, const int *table, const slv_body_layout *body,
                                      const slv_launch *launch, int first, int end) {
    const int *group = table + body->groups + 3 * launch->index;
    float compliance = body->compliance[group[2]];
    int whole = group[1] / SLV_LANES < end ? group[1] / SLV_LANES : end;
    int spring = group[0] + first * SLV_LANES;
    int stop = group[0] + whole * SLV_LANES;
    for (; spring + 2 * SLV_WIDE <= stop; spring += 2 * SLV_WIDE) {
        spring_work one;
        spring_work two;
        begin_springs(state, table, body, spring, &one);
        begin_springs(state, table, body, spring + SLV_WIDE, &two);
        finish_springs(state, table, body, launch, spring, compliance, &one);
        finish_springs(state, table, body, launch, spring + SLV_WIDE, compliance, &two);
    }
    for (; spring < stop; spring += SLV_WIDE) {
        spring_work one;
        begin_springs(state, table, body, spring, &one);
        finish_springs(state, table, body, launch, spring, compliance, &one);
    }
    return whole > first ? whole : first;
}
#define SLV_FORM_spring_project SLV_FORM(spring_project)

// --- Tetrahedra -------------------------------------------------------------------------------------

// As slv_volume_measure: the factor of gradients times inverse masses.
static inline slv_wide measure_volumes(const slv_wides corner[4], const slv_wide weight[4],
                                       slv_wide rest, slv_wides gradient[4]) {
    slv_wides edge[3];
    for (int e = 0; e < 3; e++) {
        edge[e].x = corner[e + 1].x - corner[0].x;
        edge[e].y = corner[e + 1].y - corner[0].y;
        edge[e].z = corner[e + 1].z - corner[0].z;
    }
    for (int e = 0; e < 3; e++) {
        const slv_wides *u = &edge[(e + 1) % 3];
        const slv_wides *v = &edge[(e + 2) % 3];
        gradient[e + 1].x = u->y * v->z - u->z * v->y;
        gradient[e + 1].y = u->z * v->x - u->x * v->z;
        gradient[e + 1].z = u->x * v->y - u->y * v->x;
    }
    gradient[0].x = 0.0f - (gradient[1].x + gradient[2].x + gradient[3].x);
    gradient[0].y = 0.0f - (gradient[1].y + gradient[2].y + gradient[3].y);
    gradient[0].z = 0.0f - (gradient[1].z + gradient[2].z + gradient[3].z);
    slv_wide six = spread(0.0f);
    six += edge[0].x * gradient[1].x;
    six += edge[0].y * gradient[1].y;
    six += edge[0].z * gradient[1].z;
    slv_wide sum = spread(0.0f);
    for (int c = 0; c < 4; c++) {
        const slv_wides *g = &gradient[c];
        sum += weight[c] * (g->x * g->x + g->y * g->y + g->z * g->z);
    }
    return select_or_zero(sum > 0.0f, (0.0f - (six - rest)) / sum);
}

static inline void project_volumes(float *state, const int *table, const slv_body_layout *body,
                                   const slv_launch *launch, int number, const slv_wide weight[4]) {
    const slv_batch_layout *batch = &body->batches[SLV_BATCH_TETRAHEDRON];
    slv_wides corner[4];
    slv_wides gradient[4];
    for (int c = 0; c < 4; c++) {
        corner[c] = load_particles(state + body->q, table + batch->ends[c] + number);
    }
    slv_wide rest = 6.0f * load_wide(state + batch->rests + number);
    slv_wide change = measure_volumes(corner, weight, rest, gradient);
    for (int c = 0; c < 4; c++) {
        slv_wide scale = launch->relaxation * change * weight[c];
        slv_wides moved = {corner[c].x + scale * gradient[c].x, corner[c].y + scale * gradient[c].y,
                           corner[c].z + scale * gradient[c].z, spread(0.0f)};
        store_particles(state + body->q, table + batch->ends[c] + number, moved);
    }
}

// Rows with idle constraints go one by one: their ends may be moved by another thread.
static inline int wide_tetrahedron_project(float *state, const int *table,
                                           const slv_body_layout *body, const slv_launch *launch,
                                           int first, int end) {
    for (int number = first * SLV_LANES; number < end * SLV_LANES; number += SLV_WIDE) {
        slv_wide weight[4];
        slv_wide sum = spread(0.0f);
        for (int c = 0; c < 4; c++) {
            weight[c] =
                load_wide(state + body->batches[SLV_BATCH_TETRAHEDRON].inverse_masses[c] + number);
            sum += weight[c];
        }
        if (all_set(sum > 0.0f)) {
            project_volumes(state, table, body, launch, number, weight);
            continue;
        }
        for (int i = 0; i < SLV_WIDE; i++) {
            slv_tetrahedron_project(state, table, body, launch, number + i);
        }
    }
    return end;
}
#define SLV_FORM_tetrahedron_project SLV_FORM(tetrahedron_project)

// --- Averages ---------------------------------------------------------------------------------------

static inline slv_wides no_wides(void) {
    return (slv_wides){spread(0.0f), spread(0.0f), spread(0.0f), spread(0.0f)};
}

static inline slv_wides average_springs(float *state, const int *table, const slv_body_layout *body,
                                        const slv_launch *launch, const float *q, slv_wides own,
                                        int slice, int lane) {
    slv_wide average =
        launch->relaxation / load_wide(state + body->degrees + slice * SLV_LANES + lane);
    slv_wides sum = no_wides();
    for (int c = 0; c < body->class_count; c++) {
        slv_span span = slv_graph_span(table, body, slice, c);
        float compliance = body->compliance[c];
        for (int n = span.first; n < span.end; n++) {
            int end = n * SLV_LANES + lane;
            slv_wides there = load_particles(q, table + body->neighbors + end);
            slv_wide rest = load_wide(state + body->rests + end);
            slv_wide dx = own.x - there.x;
            slv_wide dy = own.y - there.y;
            slv_wide dz = own.z - there.z;
            slv_wide effective_mass =
                average / (load_wide(state + body->end_inverse_masses + end) + compliance);
            slv_wide length = wide_square_root(dx * dx + dy * dy + dz * dz);
            slv_wide reciprocal = select_or_zero(length > 0.0f, 1.0f / length);
            slv_wide multiplier =
                launch->first ? spread(0.0f) : load_wide(state + body->multipliers + end);
            slv_wide error = length - rest + compliance * multiplier;
            slv_wide change =
                select_or_zero((length > 0.0f) & (rest >= 0.0f), effective_mass * error);
            slv_wide scale = change * reciprocal;
            store_wide(state + body->multipliers + end, multiplier - change);
            sum.x += scale * dx;
            sum.y += scale * dy;
            sum.z += scale * dz;
        }
    }
    return sum;
}

static inline slv_wides average_tetrahedra(const float *state, const int *table,
                                           const slv_body_layout *body, const slv_launch *launch,
                                           const float *q, slv_wides own, int slice, int lane) {
    int slot = slice * SLV_LANES + lane;
    slv_wide average = launch->relaxation / load_wide(state + body->degrees + slot);
    slv_wide inverse_mass = load_wide(state + body->inverse_mass + slot);
    slv_wides sum = no_wides();
    for (int n = table[body->vertex_rows + slice]; n < table[body->vertex_rows + slice + 1]; n++) {
        int at = n * SLV_LANES + lane;
        slv_wide weight[4] = {inverse_mass};
        slv_wides corner[4] = {own};
        slv_wides gradient[4];
        for (int c = 0; c < 3; c++) {
            corner[c + 1] = load_particles(q, table + body->vertex_others[c] + at);
            weight[c + 1] = load_wide(state + body->vertex_inverse_masses[c] + at);
        }
        slv_wide rest = load_wide(state + body->vertex_volumes + at);
        slv_wide scale = average * measure_volumes(corner, weight, rest, gradient) * inverse_mass;
        sum.x += scale * gradient[0].x;
        sum.y += scale * gradient[0].y;
        sum.z += scale * gradient[0].z;
    }
    return sum;
}

static inline int wide_average(float *state, const int *table, const slv_body_layout *body,
                               const slv_launch *launch, int first, int end) {
    const float *from = state + ((launch->flags & SLV_FROM_NEXT) != 0 ? body->next : body->q);
    float *to = state + ((launch->flags & SLV_FROM_NEXT) != 0 ? body->q : body->next);
    for (int slice = first; slice < end; slice++) {
        for (int lane = 0; lane < SLV_LANES; lane += SLV_WIDE) {
            slv_wides own = load_slice(from, slice, lane);
            slv_wides springs = average_springs(state, table, body, launch, from, own, slice, lane);
            slv_wides volumes =
                body->vertex_entry_count > 0
                    ? average_tetrahedra(state, table, body, launch, from, own, slice, lane)
                    : no_wides();
            slv_wide inverse_mass =
                load_wide(state + body->inverse_mass + slice * SLV_LANES + lane);
            slv_wides moved = {own.x + (volumes.x - inverse_mass * springs.x),
                               own.y + (volumes.y - inverse_mass * springs.y),
                               own.z + (volumes.z - inverse_mass * springs.z), spread(0.0f)};
            store_slice(to, slice, lane, moved);
        }
    }
    return end;
}
#define SLV_FORM_average SLV_FORM(average)
