// SPDX-License-Identifier: MIT
#include "runtime/world/begin.h"

slv_result slv_garment_get_structure(slv_world *world, slv_garment_id id,
                                     slv_garment_structure *structure) {
    slv_result status = SLV_OK;
    const slv_body *body = slv_begin_body(world, id, structure, "structure", &status);
    if (!body) {
        return status;
    }
    const slv_surface *surface = &body->surface;
    *structure = (slv_garment_structure){
        .particle_count = body->count,
        .color_count = body->color_count,
        .colors = body->color,
        .fixed = body->fixed,
        .paint = body->paint,
        .constraints = body->springs,
        .constraint_count = body->spring_count,
        .distance_count = body->stretch_count,
        .vertex_count = surface->vertex_count,
        .influence_count = surface->influences,
        .influences = surface->particles,
        .weights = surface->weights,
        .offsets = surface->offsets,
        .uvs = surface->uvs,
        .texture = surface->texture,
        .texture_size = surface->texture_size,
        .triangle_count = surface->triangle_count,
        .triangles = surface->triangles,
        .group_count = body->group_count,
        .groups = body->groups,
        .phantom_count = body->phantoms.count,
        .phantoms = body->phantoms.phantoms,
    };
    return SLV_OK;
}
