// SPDX-License-Identifier: MIT
// A mesh that Draco compressed, decoded by its library, which has an interface in C++ only.
#ifndef SLV_TOOLS_DRACO_MESH_H
#define SLV_TOOLS_DRACO_MESH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct slv_draco_mesh slv_draco_mesh;

// NULL where the bytes are no mesh; *no_memory says whether memory was short.
slv_draco_mesh *slv_draco_decode(const uint8_t *bytes, size_t size, bool *no_memory);
void slv_draco_free(slv_draco_mesh *mesh); // NULL is ignored

uint32_t slv_draco_point_count(const slv_draco_mesh *mesh);
uint32_t slv_draco_face_count(const slv_draco_mesh *mesh);

// Writes [faces][3] numbers of points. False where a number does not fit into `size` bytes: 1, 2 or 4.
bool slv_draco_read_faces(const slv_draco_mesh *mesh, uint32_t size, void *numbers);

// Writes [points][width] numbers of the attribute with this id, as a component type of glTF: 5120 … 5126. False where
// there is no such attribute or its numbers do not fit.
bool slv_draco_read_attribute(const slv_draco_mesh *mesh, uint32_t id, uint32_t component,
                              uint32_t width, void *numbers);

#ifdef __cplusplus
}
#endif

#endif
