set(export_sources
  export.c export_text.c export_spool.c export_csv.c export_obj.c export_points.c export_usda.c
  export_glb.c)
