# CPU time of the player per picture, and time to the first picture.
if(SELVAGE_PLAYER_DRAWS AND SELVAGE_TOOLS)
  add_executable(bench-player player.c ${PROJECT_SOURCE_DIR}/tests/runtime/made_garment.c)
  target_link_libraries(bench-player PRIVATE selvage_play_lib selvage_bench_report m)
  target_compile_definitions(bench-player PRIVATE SLV_PLAY_PROGRAM="$<TARGET_FILE:selvage-play>"
    SLV_VOXELIZE_PROGRAM="$<TARGET_FILE:selvage-voxelize>")
  add_dependencies(bench-player selvage-play selvage-voxelize)
endif()
