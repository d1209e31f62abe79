// SPDX-License-Identifier: MIT
uniform samplerBuffer particles; // three floats each, metres

vec3 particle(int i) {
    return vec3(texelFetch(particles, 3 * i).r, texelFetch(particles, 3 * i + 1).r,
                texelFetch(particles, 3 * i + 2).r);
}
