// SPDX-License-Identifier: MIT
// A garment held at its corners falls for a second: everything a game needs to begin with.
#include <selvage/selvage.h>

#include <stdio.h>

int main(int argc, char **argv) {
    char message[512];
    slv_world *world = NULL;
    const slv_world_def world_def = slv_default_world_def();
    if (slv_world_create(&world_def, &world, message, sizeof message)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    slv_garment_def garment_def = slv_default_garment_def();
    garment_def.pack_path = argc > 1 ? argv[1] : "cloth.slv";
    garment_def.fixed_sets = (const char *[]){"corners"};
    garment_def.fixed_set_count = 1;
    slv_garment_id garment;
    slv_particle_view view;
    if (slv_world_add_garment(world, &garment_def, &garment) ||
        slv_world_step(world, 500) || // of 2 ms each
        slv_garment_get_positions(world, garment, &view)) {
        fprintf(stderr, "%s\n", slv_world_get_message(world));
        return 1;
    }
    const uint32_t slot = view.slot[view.count / 2] * view.stride;
    printf("the middle is at %.3f %.3f %.3f m\n", view.x[slot], view.y[slot], view.z[slot]);
    slv_world_destroy(world);
    return 0;
}
