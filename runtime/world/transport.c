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

void slv_transport_carry(const slv_transport *transport, float point[3]) {
    double arm[3];
    for (int d = 0; d < 3; d++) {
        arm[d] = (double)point[d] - transport->from[d];
    }
    for (int d = 0; d < 3; d++) {
        const double *row = transport->turn[d];
        point[d] = (float)(transport->to[d] + row[0] * arm[0] + row[1] * arm[1] + row[2] * arm[2]);
    }
}
