// SPDX-License-Identifier: MIT
#include "tools/common/draco_mesh.h"

#include <draco/compression/decode.h>
#include <limits>
#include <new>

// No exception leaves this file.

struct slv_draco_mesh {
    std::unique_ptr<draco::Mesh> mesh;
};

slv_draco_mesh *slv_draco_decode(const uint8_t *bytes, size_t size, bool *no_memory) {
    *no_memory = false;
    try {
        draco::DecoderBuffer buffer;
        buffer.Init(reinterpret_cast<const char *>(bytes), size);
        draco::Decoder decoder;
        auto decoded = decoder.DecodeMeshFromBuffer(&buffer);
        return decoded.ok() ? new slv_draco_mesh{std::move(decoded).value()} : nullptr;
    } catch (const std::bad_alloc &) {
        *no_memory = true;
    } catch (...) { // damaged bytes
    }
    return nullptr;
}

void slv_draco_free(slv_draco_mesh *mesh) {
    delete mesh;
}

uint32_t slv_draco_point_count(const slv_draco_mesh *mesh) {
    return mesh->mesh->num_points();
}

uint32_t slv_draco_face_count(const slv_draco_mesh *mesh) {
    return mesh->mesh->num_faces();
}

template <typename number> static bool read_faces(const draco::Mesh &mesh, number *numbers) {
    for (draco::FaceIndex face(0); face < mesh.num_faces(); ++face) {
        for (const draco::PointIndex &point : mesh.face(face)) {
            if (point.value() > std::numeric_limits<number>::max()) {
                return false;
            }
            *numbers++ = static_cast<number>(point.value());
        }
    }
    return true;
}

bool slv_draco_read_faces(const slv_draco_mesh *mesh, uint32_t size, void *numbers) {
    switch (size) {
    case 1:
        return read_faces(*mesh->mesh, static_cast<uint8_t *>(numbers));
    case 2:
        return read_faces(*mesh->mesh, static_cast<uint16_t *>(numbers));
    default:
        return read_faces(*mesh->mesh, static_cast<uint32_t *>(numbers));
    }
}

template <typename number>
static bool read_attribute(const draco::Mesh &mesh, const draco::PointAttribute &attribute,
                           uint32_t width, void *numbers) {
    number *at = static_cast<number *>(numbers);
    for (draco::PointIndex point(0); point < mesh.num_points(); ++point) {
        const draco::AttributeValueIndex value = attribute.mapped_index(point);
        if (value >= static_cast<uint32_t>(attribute.size()) ||
            !attribute.ConvertValue(value, static_cast<int8_t>(width), at)) {
            return false;
        }
        at += width;
    }
    return true;
}

bool slv_draco_read_attribute(const slv_draco_mesh *mesh, uint32_t id, uint32_t component,
                              uint32_t width, void *numbers) {
    const draco::PointAttribute *found = mesh->mesh->GetAttributeByUniqueId(id);
    if (!found || found->num_components() != static_cast<int>(width)) {
        return false;
    }
    switch (component) {
    case 5120:
        return read_attribute<int8_t>(*mesh->mesh, *found, width, numbers);
    case 5121:
        return read_attribute<uint8_t>(*mesh->mesh, *found, width, numbers);
    case 5122:
        return read_attribute<int16_t>(*mesh->mesh, *found, width, numbers);
    case 5123:
        return read_attribute<uint16_t>(*mesh->mesh, *found, width, numbers);
    case 5125:
        return read_attribute<uint32_t>(*mesh->mesh, *found, width, numbers);
    default:
        return read_attribute<float>(*mesh->mesh, *found, width, numbers);
    }
}
