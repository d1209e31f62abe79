// SPDX-License-Identifier: MIT
#include "runtime/world/transport.h"

#include "runtime/base/rotation.h"

slv_transport slv_transport_between(const slv_pose *old, const slv_pose *new) {
    double before[3][3];
    double after[3][3];
    slv_transport transport;
    slv_rotation_matrix(old->rotation, before);
    slv_rotation_matrix(new->rotation, after);
    for (int i = 0; i < 3; i++) {
        transport.from[i] = (double)old->position[i];
        transport.to[i] = (double)new->position[i];
        for (int j = 0; j < 3; j++) { // after times before transposed
            transport.turn[i][j] = after[i][0] * before[j][0] + after[i][1] * before[j][1] +
                                   after[i][2] * before[j][2];
        }
    }
    return transport;
}

static void carry(const slv_transport *transport, double point[3]) {
    double arm[3];
    for (int d = 0; d < 3; d++) {
        arm[d] = point[d] - transport->from[d];
    }
    for (int d = 0; d < 3; d++) {
        const double *row = transport->turn[d];
        point[d] = transport->to[d] + row[0] * arm[0] + row[1] * arm[1] + row[2] * arm[2];
    }
}

void slv_transport_carry(const slv_transport *transport, float point[3]) {
    double exact[3] = {(double)point[0], (double)point[1], (double)point[2]};
    carry(transport, exact);
    for (int d = 0; d < 3; d++) {
        point[d] = (float)exact[d];
    }
}

void slv_transport_carry_particle(const slv_transport *transport, slv_layout *layout,
                                  uint32_t index, uint32_t particle) {
    double values[6];
    slv_layout_read_exactly(layout, index, particle, values);
    carry(transport, values);
    carry(transport, values + 3);
    slv_layout_write_exactly(layout, index, particle, values);
}
