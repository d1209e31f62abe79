// SPDX-License-Identifier: MIT
#include "runtime/model/body.h"

#include <float.h>
#include <math.h>
#include <string.h>

void slv_body_destroy(slv_body *body) {
    slv_memory_release(&body->memory);
    slv_memory_release(&body->move_memory);
}

slv_response slv_body_response(const slv_body *body, uint32_t particle, double time_step) {
    double mass = (double)slv_body_get_mass(body, particle);
    if (body->fixed[particle] || !(mass > 0.0)) {
        return (slv_response){.weight = 0.0f, .anchor = 1.0f, .inverse_mass = 0.0f};
    }
    double inertia = mass / (time_step * time_step);
    double diagonal = inertia + body->stiffness_sum[particle] * body->stiffening;
    double reference = body->class_count > 0 ? body->stiffness[0] * body->stiffening : 1.0;
    // Weight 0 means "never moves", so however heavy a particle is it keeps a little.
    return (slv_response){
        .weight = (float)fmax(reference / diagonal, (double)FLT_MIN),
        .anchor = (float)(inertia / diagonal),
        .inverse_mass = (float)fmax(1.0 / mass, (double)FLT_MIN),
    };
}

bool slv_body_grow_moves(slv_body *body, uint32_t count) {
    if (count <= body->move_room - body->move_count) {
        return true;
    }
    uint32_t room = body->move_count + count;
    slv_move *moves =
        slv_memory_grow(&body->move_memory, body->moves, body->move_count, room, sizeof *moves);
    if (!moves) {
        return false;
    }
    body->moves = moves;
    body->move_room = room;
    return true;
}

uint32_t slv_body_find_move(slv_body *body, uint32_t particle) {
    if (body->move_of[particle] == 0) {
        body->move_of[particle] = ++body->move_count;
    }
    body->moves_changed = true;
    return body->move_of[particle] - 1;
}

void slv_body_forget_moves(slv_body *body) {
    uint32_t kept = 0;
    for (uint32_t m = 0; m < body->move_count; m++) {
        const slv_move move = body->moves[m];
        bool goes_on = move.done < move.total && body->fixed[move.particle];
        body->move_of[move.particle] = goes_on ? kept + 1 : 0;
        if (goes_on) {
            body->moves[kept] = move;
            body->paths[kept] = body->paths[m];
        }
        kept += goes_on ? 1 : 0;
    }
    body->moves_changed = body->moves_changed || kept < body->move_count;
    body->move_count = kept;
}

void slv_body_get_grid_coordinates(const slv_body *body, uint32_t particle,
                                   uint32_t grid_coordinates[3]) {
    uint32_t cell = body->cell[particle];
    grid_coordinates[0] = cell % body->cells[0];
    grid_coordinates[1] = cell / body->cells[0] % body->cells[1];
    grid_coordinates[2] = cell / body->cells[0] / body->cells[1];
}

int slv_body_direction(const slv_body *body, const slv_spring *spring) {
    uint32_t a[3];
    uint32_t b[3];
    int direction = -1;
    slv_body_get_grid_coordinates(body, spring->a, a);
    slv_body_get_grid_coordinates(body, spring->b, b);
    for (int d = 0; d < 3; d++) {
        if (a[d] == b[d]) {
            continue;
        }
        if (direction >= 0 || (b[d] != a[d] + 1 && a[d] != b[d] + 1)) {
            return -1;
        }
        direction = 2 * d + (b[d] > a[d] ? 1 : 0);
    }
    return direction;
}
