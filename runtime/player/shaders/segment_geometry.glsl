// SPDX-License-Identifier: MIT
// Draws a segment as a ribbon that faces the camera or the light and is shaded like a cylinder.
layout(lines) in;
layout(triangle_strip, max_vertices = 4) out;
in vec3 point[];
out vec3 across; // x: -1 to 1 across; y: stretch; z: constraint color
out vec3 side;
out vec3 front;
uniform samplerBuffer rests; // rest length, constraint color; alternating, per segment
uniform float radius;        // metres; 0: about 1.5 pixels wide
uniform mat4 projection;
uniform vec4 viewer; // position of the camera, w = 1; direction towards the light, w = 0

void emit(vec3 p, vec3 s, float r, float x, vec3 f, vec2 values) {
    across = vec3(x, values);
    side = s;
    front = f;
    gl_Position = projection * vec4(p + s * (r * x), 1.0);
    EmitVertex();
}

void main() {
    vec3 a = point[0];
    vec3 b = point[1];
    vec3 along = b - a;
    vec3 to_viewer = viewer.w > 0.0 ? viewer.xyz - 0.5 * (a + b) : viewer.xyz;
    vec3 s = cross(along, to_viewer);
    float size = length(s);
    if (size == 0.0) {
        return;
    }
    s /= size;
    float pixel = viewer.w > 0.0 ? length(to_viewer) / eye.w : 0.0;
    float r = max(radius, (radius > 0.0 ? 0.5 : 0.8) * pixel);
    vec3 f = normalize(cross(s, along));
    f = dot(f, to_viewer) < 0.0 ? -f : f;
    float rest = texelFetch(rests, 2 * gl_PrimitiveIDIn).r;
    vec2 values = vec2(rest > 0.0 ? length(along) / rest : 1.0,
                       texelFetch(rests, 2 * gl_PrimitiveIDIn + 1).r);
    vec3 cap = radius > 0.0 ? normalize(along) * (0.5 * r) : vec3(0.0);
    emit(a - cap, s, r, -1.0, f, values);
    emit(a - cap, s, r, 1.0, f, values);
    emit(b + cap, s, r, -1.0, f, values);
    emit(b + cap, s, r, 1.0, f, values);
    EndPrimitive();
}
