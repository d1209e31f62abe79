// SPDX-License-Identifier: MIT
// Samples the surface around a pixel. Points above its tangent plane occlude light, more so at steep angles and at
// small distances.
uniform SURFACES depth_texture;
uniform float reach; // metres
out vec2 result;     // fraction of ambient light; depth in metres

#define TAPS 12

vec3 position_of(ivec2 at) {
    ivec2 size = ivec2(screen.xy);
    at = clamp(at, ivec2(0), size - 1);
    vec3 ray = ray_at((vec2(at) + 0.5) / vec2(size) * 2.0 - 1.0);
    return ray * min(metres_of(texelFetch(depth_texture, at, 0).r), floor_along(ray));
}

// Of the two neighbors, the nearer one is taken to be on the same surface.
vec3 along(ivec2 at, ivec2 step, vec3 here) {
    vec3 after = position_of(at + step) - here;
    vec3 before = here - position_of(at - step);
    return dot(after, after) < dot(before, before) ? after : before;
}

void main() {
    ivec2 at = 2 * ivec2(gl_FragCoord.xy);
    vec3 here = position_of(at);
    float away = dot(here, rays[2].xyz);
    float pixels = min(reach * eye.w / away, 96.0);
    // No taps far away or on the background.
    int taps = pixels > 1.5 && away < 0.9 * screen.z * 1e4 ? TAPS : 0;
    vec3 n = normalize(cross(along(at, ivec2(1, 0), here), along(at, ivec2(0, 1), here)));
    n = dot(n, here) > 0.0 ? -n : n;
    // A 4 x 4 pattern of sixteen start angles; the smoothing pass averages 4 x 4 pixels.
    ivec2 cell = ivec2(gl_FragCoord.xy) & 3;
    float turn = float((cell.x * 7 + cell.y * 10) & 15) / 16.0;
    float sum = 0.0;
    for (int i = 0; i < taps; i++) {
        float radius = (float(i) + 0.25 + 0.5 * turn) / float(TAPS);
        float angle = 2.39996323 * float(i) + 6.2831853 * turn;
        vec3 to = position_of(at + ivec2(vec2(cos(angle), sin(angle)) * (pixels * radius))) - here;
        float square = dot(to, to);
        float height = dot(to, n) * inversesqrt(max(square, 1e-12));
        sum += max(height - 0.08, 0.0) * max(1.0 - square / (reach * reach), 0.0);
    }
    result = vec2(max(1.0 - 5.0 * sum / float(TAPS), 0.0), away);
}
