# The field engine: a mesh and a lattice in, distances, signs and covered cells out.
add_library(selvage_field STATIC field_source.c)
target_link_libraries(selvage_field PUBLIC selvage_tools_common PRIVATE m)
