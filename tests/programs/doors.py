#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files name other files: only regular ones in their own folder are opened, unless --allow-paths is given.

    doors.py BUILD WORK

Every key that names a file is tried with a pipe, a device, a folder, a link out of the folder, "..", and an absolute
path. Every argument that is a file is tried with a pipe, a device and a folder. No run may take longer than 10 s."""

import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from pathlib import Path

BUILD, WORK = (Path(a).resolve() for a in sys.argv[1:3])
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tools/bake-collider"))
from made_gltf import bending_tube, still_box  # noqa: E402

VOXELIZE, COLORIZE, BAKE, INSPECT = (f"{BUILD}/tools/{n}/selvage-{n}"
                                     for n in ("voxelize", "colorize", "bake-collider", "inspect"))
PLAY = f"{BUILD}/runtime/player/selvage-play"
TRIANGLE = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
failures = []


def png():
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b""))


def run(*command):
    try:
        return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=10, errors="replace")
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(command, -1, "", "TIMEOUT")


def expect(condition, what, done):
    if not condition:
        failures.append(what)
        print(f"FAILED: {what}: status {done.returncode}: {done.stderr.strip()[-300:]}")


def uses_scene(key):
    def write(name):
        scene = {"softObjects": [{"src": "inside.slv"}]}
        if key == "modelPath":
            scene["modelPath"] = name
        elif key == "collider":
            scene["colliders"] = [{"type": "field", "src": name}]
        else:
            scene["softObjects"][0][key] = name
        Path("in.json").write_text(json.dumps(scene))
        return [PLAY, "in.json", "--headless", "--frames", "1", "--quiet"]
    return write


def uses_attach(name):
    Path("in.json").write_text(json.dumps({"attachments": [{"name": "a", "garment": name, "set": "edge-x-min"}]}))
    return [BAKE, "inside.gltf", "-o", "out.slv", "--particles", "20", "--attach", "in.json", "--quiet"]


def write_gltf(name):
    made = still_box()
    made.write("in.gltf")
    made.json["buffers"][0]["uri"] = name
    Path("in.gltf").write_text(json.dumps(made.json))


def uses_buffer(name):
    write_gltf(name)
    return [BAKE, "in.gltf", "-o", "out.slv", "--particles", "20", "--quiet"]


def uses_buffer_by_assimp(name):
    write_gltf(name)
    return [VOXELIZE, "in.gltf", "-o", "out.slv", "--mode", "surface", "--quiet"]


def uses_library(name):
    Path("in.obj").write_text(f"mtllib {name}\n{TRIANGLE}usemtl m\nf 1/1 2/2 3/3\n")
    return [VOXELIZE, "in.obj", "-o", "out.slv", "--mode", "surface"]


def uses_picture(name):
    Path("in.mtl").write_text(f"newmtl m\nmap_Kd {name}\n")
    Path("in.obj").write_text(f"mtllib in.mtl\n{TRIANGLE}usemtl m\nf 1/1 2/2 3/3\n")
    return [VOXELIZE, "in.obj", "-o", "out.slv", "--mode", "surface"]


def uses_picture_by_assimp(name):
    made = still_box()
    made.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_0"] = made.add_floats(
        [(0, 0)] * made.json["accessors"][0]["count"], "VEC2")
    made.json["meshes"][0]["primitives"][0]["material"] = 0
    made.json["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    made.json["textures"] = [{"source": 0}]
    made.json["images"] = [{"uri": name}]
    made.write("in.gltf")
    return [VOXELIZE, "in.gltf", "-o", "out.slv", "--mode", "surface"]


# Key: the run that uses it, the extension of the file, and whether the run goes on without it.
KEYS = {
    "src of an object": (uses_scene("src"), "slv", False),
    "texture of an object": (uses_scene("texture"), "png", None),  # opened only where it is drawn
    "src of a collider": (uses_scene("collider"), "field.slv", False),
    "modelPath": (uses_scene("modelPath"), "clip.slv", False),
    "garment of an attachment": (uses_attach, "slv", False),
    "buffer of a character": (uses_buffer, "bin", False),
    "buffer of a mesh": (uses_buffer_by_assimp, "bin", False),
    "mtllib": (uses_library, "mtl", True),
    "map_Kd": (uses_picture, "png", True),
    "image of a glTF": (uses_picture_by_assimp, "png", True),
}

ARGUMENTS = {
    "voxelize": lambda name: [VOXELIZE, name, "-o", "out.slv"],
    "bake-collider": lambda name: [BAKE, name, "-o", "out.slv"],
    "attach": lambda name: [BAKE, "inside.gltf", "-o", "out.slv", "--attach", name],
    "colorize": lambda name: [COLORIZE, name, "-o", "out.slv"],
    "inspect": lambda name: [INSPECT, name],
    "play": lambda name: [PLAY, name, "--headless", "--frames", "1"],
    "replay": lambda name: [PLAY, "inside.slv", "--headless", "--frames", "1", "--replay", name],
}


def make_inputs():
    shutil.rmtree(WORK, ignore_errors=True)
    (WORK / "own/folder").mkdir(parents=True)
    os.chdir(WORK / "own")
    made = still_box()
    made.write("inside.gltf")
    Path("inside.bin").write_bytes(made.bytes)
    Path("inside.png").write_bytes(png())
    Path("inside.mtl").write_text("newmtl m\nmap_Kd inside.png\n")
    bending_tube(frames=2).write("tube.gltf")
    Path("cube.obj").write_text("".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) +
                                "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
    for command in ([VOXELIZE, "--shape", "grid:3x3", "-o", "inside.slv"],
                    [VOXELIZE, "cube.obj", "-o", "inside.field.slv", "--mode", "solid", "--resolution", "4", "--with-sdf"],
                    [BAKE, "tube.gltf", "-o", "inside.clip.slv", "--particles", "20"]):
        done = run(*command, "--quiet")
        assert done.returncode == 0, done.stderr
    for path in Path(".").glob("inside.*"):
        name = path.name.removeprefix("inside.")
        (WORK / f"outside.{name}").write_bytes(path.read_bytes())
        os.symlink(f"../outside.{name}", f"link.{name}")
        os.symlink(path.name, f"near.{name}")
        os.mkfifo(f"pipe.{name}")
        os.symlink("/dev/zero", f"device.{name}")
        Path(f"folder.{name}").mkdir()
    (WORK / "inside.png").write_bytes(png())  # of outside.mtl


def is_used(name, command, done):
    """Whether the run used the file: it succeeded, and a texture is in the pack."""
    if done.returncode != 0 or KEYS[name][2] is None:
        return done.returncode == 0
    return not KEYS[name][2] or '"texture":' in run(INSPECT, "out.slv", "--json").stdout


def try_key(name):
    write, extension, optional = KEYS[name]
    Path("out.slv").unlink(missing_ok=True)
    for start, inside in (("inside", True), ("./inside", True), ("near", True), ("link", False), ("../outside", False),
                          ("folder/../../outside", False), (f"{WORK}/outside", False),
                          ("pipe", None), ("device", None), ("folder", None)):
        command = write(f"{start}.{extension}")
        done = run(*command)
        used = is_used(name, command, done)
        what = f"{name}: {start}.{extension}"
        if inside is True:
            expect(used, f"{what} is not used", done)
        elif inside is False:
            expect(not used and done.returncode in (0, 3), f"{what} is used", done)
            expect(done.returncode >= 0 and "--allow-paths" in done.stderr, f"{what}: the message names no option", done)
            done = run(*command, "--allow-paths")
            expect(is_used(name, command, done), f"{what} is not used with --allow-paths", done)
        else:
            for option in ([], ["--allow-paths"]):
                done = run(*command, *option)
                refused = optional is None or not is_used(name, command, done)
                expect(refused and done.returncode >= 0, f"{what} is used, {option}", done)


def main():
    make_inputs()
    for name in KEYS:
        try_key(name)
    for name, command in ARGUMENTS.items():
        for kind in ("pipe", "device", "folder"):
            extension = {"attach": "gltf", "voxelize": "gltf", "bake-collider": "gltf"}.get(name, "slv")
            done = run(*command(f"{kind}.{extension}"))
            expect(done.returncode == 2, f"{name} opens a {kind}", done)
    print(f"{10 * len(KEYS)} names and {3 * len(ARGUMENTS)} arguments, {len(failures)} faults")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
