// SPDX-License-Identifier: MIT
// Reads a garment pack, prints a summary and writes it again. A tool that changes garments begins like this:
//     copy-garment IN.slv OUT.slv
#include <selvage/formats/garment.h>

#include <stdio.h>

static slv_result write_garment(const slv_garment *garment, const char *path, slv_error *error) {
    slv_writer *writer = NULL;
    slv_result result = slv_writer_open(path, SLV_CONTENTS_GARMENT,
                                        slv_garment_get_section_count(garment), &writer, error);
    if (result == SLV_OK) {
        result = slv_garment_write(garment, writer, error);
    }
    if (result != SLV_OK) {
        slv_writer_abandon(writer);
        return result;
    }
    return slv_writer_commit(writer, error);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: copy-garment IN.slv OUT.slv\n");
        return SLV_ERROR_ARGUMENT;
    }
    slv_error error;
    slv_pack *pack = NULL;
    slv_garment garment;
    slv_result result = slv_pack_open(argv[1], NULL, &pack, &error);
    if (result == SLV_OK) {
        result = slv_garment_open(pack, &garment, &error);
    }
    if (result == SLV_OK) {
        printf("%u particles\n", (unsigned)garment.info.particle_count);
        result = write_garment(&garment, argv[2], &error);
    }
    if (result != SLV_OK) {
        fprintf(stderr, "copy-garment: error: %s\n", error.text);
    }
    slv_pack_close(pack);
    return result;
}
