// SPDX-License-Identifier: MIT
#include "tests/common/folder.h"
#include "tests/tools/common/cmocka_all.h"
#include "tools/common/mesh_import.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Meshes with usable and unusable textures.

// A PNG file of 2 x 1 pixels.
static const uint8_t picture[] = {
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00, 0x00, 0x00, 0x0D, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x02, 0x00, 0x00, 0x00, 0x7B,
    0x40, 0xE8, 0xDD, 0x00, 0x00, 0x00, 0x0F, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0xF8,
    0xCF, 0xC0, 0xC0, 0xF0, 0x9F, 0x01, 0x00, 0x07, 0xFF, 0x01, 0xFF, 0xB8, 0x04, 0x35, 0xE0,
    0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82};
static const char jpeg[] = "\xFF\xD8\xFF\xE0 and so on";
static const char triangle[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n";

static slv_mesh import(const char *name, slv_file_list *files) {
    const slv_import_options options = slv_default_import_options();
    slv_mesh mesh;
    slv_error error = {.code = SLV_OK};
    if (slv_mesh_import(name, &options, &mesh, files, &error) != SLV_OK) {
        fail_msg("%s: %s", name, error.text);
    }
    return mesh;
}

static void expect_picture(const char *name) {
    slv_mesh mesh = import(name, NULL);
    if (mesh.texture_size != sizeof picture || memcmp(mesh.texture, picture, sizeof picture) != 0) {
        fail_msg("%s brought no picture: %s", name, mesh.texture_note);
    }
    assert_string_equal(mesh.texture_note, "");
    slv_mesh_free(&mesh);
}

static void expect_note(const char *name, const char *note, bool has_picture) {
    slv_mesh mesh = import(name, NULL);
    if (strcmp(mesh.texture_note, note) != 0) {
        fail_msg("%s: '%s', expected '%s'", name, mesh.texture_note, note);
    }
    assert_int_equal(mesh.texture != NULL, has_picture);
    slv_mesh_free(&mesh);
}

// Without libjpeg no JPEG is decoded.
static void expect_damaged_jpeg(const char *name) {
    slv_mesh mesh = import(name, NULL);
    if (strcmp(mesh.texture_note,
               "cloth.jpg is a JPEG and is left out; save it as PNG to take it along") != 0) {
        const char *note = "cloth.jpg is left out: a JPEG that cannot be decoded: ";
        assert_memory_equal(mesh.texture_note, note, strlen(note));
    }
    assert_null(mesh.texture);
    slv_mesh_free(&mesh);
}

// Writes an OBJ with one face of material "cloth", and its material file.
static void write_obj(const char *name, const char *library) {
    char text[512];
    (void)snprintf(text, sizeof text, "mtllib cloth.mtl\n%susemtl cloth\nf 1/1 2/2 3/3\n",
                   triangle);
    folder_write_text(name, text);
    folder_write_text("cloth.mtl", library);
}

static int prepare(void **state) {
    const int status = folder_enter(state);
    folder_write("cloth.png", picture, sizeof picture);
    folder_write("my cloth.png", picture, sizeof picture);
    folder_write("cloth.jpg", jpeg, sizeof jpeg);
    folder_write("cut.png", picture, sizeof picture - 3);
    return status;
}

static void an_obj_has_the_texture_of_its_material(void **state) {
    (void)state;
    write_obj("a.obj",
              "newmtl other\nmap_Kd no.png\nnewmtl cloth\nKd 1 0 0\n\tmap_Kd cloth.png \r\n");
    expect_picture("a.obj");
    write_obj("a.obj", "newmtl cloth\nmap_Kd -blendu on -s 1 1 1 -o 0.5 -clamp on my cloth.png");
    expect_picture("a.obj");
    write_obj("a.obj", "newmtl cloth\nmap_Kd C:\\art\\cloth.png\n"); // a path of another machine
    expect_picture("a.obj");
}

static void files_of_a_texture_are_listed_and_hashed(void **state) {
    (void)state;
    slv_file_list files;
    write_obj("a.obj", "newmtl cloth\nmap_Kd cloth.png\n");
    slv_mesh mesh = import("a.obj", &files);
    const uint64_t before = mesh.input_hash;
    assert_int_equal(files.count, 3);
    assert_string_equal(files.paths[0], "a.obj");
    assert_string_equal(files.paths[1], "cloth.mtl");
    assert_string_equal(files.paths[2], "cloth.png");
    slv_mesh_free(&mesh);
    slv_file_list_free(&files);
    write_obj("a.obj", "newmtl cloth\nmap_Kd my cloth.png\n");
    mesh = import("a.obj", NULL);
    assert_true(mesh.input_hash != before);
    slv_mesh_free(&mesh);
}

static void an_unusable_texture_gives_a_note_and_the_mesh_is_read(void **state) {
    (void)state;
    write_obj("a.obj", "newmtl cloth\nmap_Kd cloth.jpg\n");
    expect_damaged_jpeg("a.obj");
    write_obj("a.obj", "newmtl cloth\nmap_Kd cut.png\n");
    expect_note("a.obj", "cut.png is left out: a PNG that is truncated or followed by other bytes",
                false);
    write_obj("a.obj", "newmtl cloth\nmap_Kd a.obj\n");
    expect_note("a.obj", "a.obj is left out: not a PNG", false);
    write_obj("a.obj", "newmtl cloth\nmap_Kd gone.png\n");
    slv_mesh mesh = import("a.obj", NULL);
    assert_null(mesh.texture);
    assert_int_equal(strncmp(mesh.texture_note, "gone.png is left out: ", 22), 0);
    slv_mesh_free(&mesh);
    assert_int_equal(remove("cloth.mtl"), 0); // missing material files are common
    mesh = import("a.obj", NULL);
    assert_null(mesh.texture);
    assert_string_equal(mesh.texture_note, "");
    slv_mesh_free(&mesh);
}

static void meshes_without_a_texture_have_none(void **state) {
    (void)state;
    static const char *const libraries[] = {"",
                                            "newmtl",
                                            "newmtl cloth\nmap_Kd",
                                            "newmtl cloth\nmap_Kd -s 1",
                                            "map_Kd cloth.png\n",
                                            "newmtl Cloth\nmap_Kd cloth.png\n"};
    for (size_t i = 1; i < sizeof libraries / sizeof *libraries; i++) {
        write_obj("a.obj", libraries[i]);
        expect_note("a.obj", "", false);
    }
    folder_write_text("plain.obj",
                      "mtllib cloth.mtl\nusemtl Cloth\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    expect_note("plain.obj", "", false); // without UVs
}

static void a_second_texture_gives_a_note(void **state) {
    (void)state;
    char text[512];
    (void)snprintf(text, sizeof text,
                   "mtllib two.mtl\n%susemtl a\nf 1/1 2/2 3/3\nusemtl b\nf 3/3 2/2 1/1\nusemtl a\n",
                   triangle);
    folder_write_text("two.obj", text);
    folder_write_text("two.mtl", "newmtl a\nmap_Kd cloth.png\nnewmtl b\nmap_Kd my cloth.png\n");
    expect_note("two.obj", "my cloth.png is left out: a garment has one texture", true);
    folder_write_text("two.mtl", "newmtl a\nmap_Kd cloth.png\nnewmtl b\nmap_Kd cloth.png\n");
    expect_picture("two.obj");
}

// Writes a glTF of one triangle with UVs and this image URI.
static void write_gltf(const char *name, const char *uri) {
    char text[2048];
    (void)snprintf(
        text, sizeof text,
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{\"mesh\":0}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":1},\"material\":0}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],"
        "\"max\":[1,1,0]},{\"bufferView\":1,\"componentType\":5126,\"count\":3,\"type\":\"VEC2\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"
        "\"byteLength\":24}],\"buffers\":[{\"byteLength\":60,\"uri\":\"data:application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAIA/\"}],"
        "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0}}}],"
        "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"%s\"}]}",
        uri);
    folder_write_text(name, text);
}

static void a_gltf_has_its_embedded_or_separate_texture(void **state) {
    (void)state;
    write_gltf(
        "in.gltf",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR42mP4z8DA8J8BA"
        "Af/Af+4BDXgAAAAAElFTkSuQmCC");
    expect_picture("in.gltf");
    write_gltf("beside.gltf", "my%20cloth.png");
    expect_picture("beside.gltf");
    write_gltf("gone.gltf", "gone.png");
    expect_note("gone.gltf", "gone.png is left out: there is no such file", false);
    write_gltf("jpeg.gltf", "cloth.jpg");
    expect_damaged_jpeg("jpeg.gltf");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_obj_has_the_texture_of_its_material),
        cmocka_unit_test(files_of_a_texture_are_listed_and_hashed),
        cmocka_unit_test(an_unusable_texture_gives_a_note_and_the_mesh_is_read),
        cmocka_unit_test(meshes_without_a_texture_have_none),
        cmocka_unit_test(a_second_texture_gives_a_note),
        cmocka_unit_test(a_gltf_has_its_embedded_or_separate_texture),
    };
    return cmocka_run_group_tests(tests, prepare, folder_leave);
}
