// SPDX-License-Identifier: MIT
// Shadow maps keep nothing but depth.
void main() {
}
