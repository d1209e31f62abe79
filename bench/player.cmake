# CPU time of the player per picture, and time to the first picture.
if(SELVAGE_PLAYER AND SELVAGE_PLAYER_DRAWS AND SELVAGE_TOOLS)
  selvage_bench_program(bench-player player.c ${PROJECT_SOURCE_DIR}/tests/common/generated_garment.c)
  target_link_libraries(selvage_bench_player PRIVATE selvage_play_lib selvage_bench_report m)
  target_compile_definitions(selvage_bench_player PRIVATE SLV_PLAY_PROGRAM="$<TARGET_FILE:selvage-play>"
    SLV_VOXELIZE_PROGRAM="$<TARGET_FILE:selvage-voxelize>")
  add_dependencies(selvage_bench_player selvage-play selvage-voxelize)
endif()
