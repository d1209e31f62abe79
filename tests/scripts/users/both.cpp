// SPDX-License-Identifier: MIT
// The runtime and the formats in one C++ file: counts the particles of a pack, plays it and prints the state hash.
#include <selvage/formats/collider_pack.h>
#include <selvage/formats/field.h>
#include <selvage/formats/garment.h>
#include <selvage/selvage.h>

#include <cstdio>

static uint32_t count_in_pack(const char *path) {
    slv_pack *pack = nullptr;
    slv_garment garment;
    slv_error error;
    uint32_t count = 0;
    if (slv_pack_open(path, nullptr, &pack, &error) == SLV_OK &&
        slv_garment_open(pack, &garment, &error) == SLV_OK) {
        count = garment.info.particle_count;
    }
    slv_pack_close(pack);
    return count;
}

static uint64_t play(const char *path) {
    slv_world *world = nullptr;
    char message[512];
    const slv_world_def world_def = slv_default_world_def();
    if (slv_world_create(&world_def, &world, message, sizeof message) != SLV_OK) {
        return 0;
    }
    slv_garment_def garment_def = slv_default_garment_def();
    garment_def.pack_path = path;
    const char *const corners[] = {"corners"};
    garment_def.fixed_sets = corners;
    garment_def.fixed_set_count = 1;
    slv_garment_id garment;
    uint64_t hash = 0;
    if (slv_world_add_garment(world, &garment_def, &garment) != SLV_OK ||
        slv_world_step(world, 100) != SLV_OK || slv_world_get_hash(world, &hash) != SLV_OK) {
        hash = 0;
    }
    slv_world_destroy(world);
    return hash;
}

int main(int argc, char **argv) {
    const char *path = argc > 1 ? argv[1] : "cloth.slv";
    std::printf("%u particles, state %016llx\n", static_cast<unsigned>(count_in_pack(path)),
                static_cast<unsigned long long>(play(path)));
    return 0;
}
