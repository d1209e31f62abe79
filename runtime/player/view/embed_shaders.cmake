# Writes a C file that holds the texts of shaders as bytes: no string is too long for a compiler.
#   cmake -DOUTPUT=FILE.c -DFOLDER=shaders -P embed_shaders.cmake
file(GLOB shaders "${FOLDER}/*.glsl")
list(SORT shaders)
set(arrays "")
set(rows "")
foreach(path ${shaders})
  get_filename_component(name ${path} NAME_WE)
  file(READ ${path} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char text_${name}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${name}\", text_${name}, sizeof text_${name}},\n")
endforeach()
file(WRITE ${OUTPUT} "// Made by embed_shaders.cmake from shaders/*.glsl.
#include \"runtime/player/view/gl_program.h\"

#include <string.h>

${arrays}
static const struct {
    const char *name;
    const unsigned char *text;
    size_t size;
} shaders[] = {
${rows}};

const char *slv_shader_text(const char *name, size_t *size) {
    for (size_t i = 0; i < sizeof shaders / sizeof *shaders; i++) {
        if (strcmp(shaders[i].name, name) == 0) {
            *size = shaders[i].size;
            return (const char *)shaders[i].text;
        }
    }
    *size = 0;
    return \"\";
}
")
