// SPDX-License-Identifier: MIT
layout(location = 0) in vec3 position;
out vec3 point;

void main() {
    point = position;
}
