# SPDX-License-Identifier: MIT
"""Runs inside Blender: loads a rest OBJ with a Mesh Cache modifier, as in docs/EXPORT.md, and writes the points of
every frame as CSV.

    blender --background --python-exit-code 1 --python read_in_blender.py -- REST.obj CACHE FRAMES OUT.csv
"""

import sys

import bpy

rest, cache, frames, out = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.wm.obj_import(filepath=rest)
meshes = [mesh_object for mesh_object in bpy.data.objects if mesh_object.type == "MESH"]
assert len(meshes) == 1, meshes
mesh_object = meshes[0]
modifier = mesh_object.modifiers.new("cache", "MESH_CACHE")
modifier.cache_format = cache.rsplit(".", 1)[1].upper()
modifier.filepath = cache
modifier.frame_start = 0
with open(out, "w", encoding="ascii") as file:
    file.write("frame,vertex,x,y,z\n")
    for frame in range(int(frames)):
        bpy.context.scene.frame_set(frame)
        evaluated = mesh_object.evaluated_get(bpy.context.evaluated_depsgraph_get())
        for number, vertex in enumerate(evaluated.data.vertices):
            x, y, z = vertex.co
            file.write(f"{frame},{number},{x:.9g},{y:.9g},{z:.9g}\n")
