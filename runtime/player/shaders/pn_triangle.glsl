// SPDX-License-Identifier: MIT
// Curved point-normal triangles (Vlachos et al., 2001): a cubic patch whose edges leave each corner at right angles
// to its normal. Lifting an edge midpoint along the mean normal by |n1 x n2|, as some cloth papers do, bulges
// concave edges outwards and does not scale with the edge length.
vec3 control_point(vec3 from, vec3 to, vec3 normal) {
    return (2.0 * from + to - dot(to - from, normal) * normal) / 3.0;
}

vec3 pn_position(vec3 p[3], vec3 n[3], vec3 w) {
    vec3 b210 = control_point(p[0], p[1], n[0]);
    vec3 b120 = control_point(p[1], p[0], n[1]);
    vec3 b021 = control_point(p[1], p[2], n[1]);
    vec3 b012 = control_point(p[2], p[1], n[2]);
    vec3 b102 = control_point(p[2], p[0], n[2]);
    vec3 b201 = control_point(p[0], p[2], n[0]);
    vec3 edges = (b210 + b120 + b021 + b012 + b102 + b201) / 6.0;
    vec3 b111 = edges + 0.5 * (edges - (p[0] + p[1] + p[2]) / 3.0);
    vec3 q = w * w;
    return p[0] * q.x * w.x + p[1] * q.y * w.y + p[2] * q.z * w.z +
           3.0 * (b210 * q.x * w.y + b120 * w.x * q.y + b201 * q.x * w.z + b021 * q.y * w.z +
                  b102 * w.x * q.z + b012 * w.y * q.z) +
           6.0 * b111 * w.x * w.y * w.z;
}
