// SPDX-License-Identifier: MIT
// Shadow maps store only depth.
void main() {
}
