#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Files name other files: only regular ones in their own folder are opened, unless --allow-paths is given.

    file_access.py BUILD WORK

Every key that names a file is tried with a pipe, a device, a folder, a link out of the folder, "..", and an absolute
path; the keys of scenes are those of the parameter tables. Every option that is a file, according to --help, and every
argument is tried with the same: what is read must be a regular file, what is written replaces no pipe, device, folder
or link. No run may take longer than 10 s."""

import json
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import threading
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


def uses_scene(table, key):
    def write(name):
        scene = {"softObjects": [{"src": "inside.slv"}]}
        if table == "scene_settings":
            scene[key] = name
        elif table == "collider":
            scene["colliders"] = [{"type": "field", key: name}]
        else:
            scene["softObjects"][0][key] = name
        Path("in.json").write_text(json.dumps(scene))
        return [PLAY, "in.json", "--headless", "--frames", "1", "--quiet"]
    return write


def path_keys():
    """(table, key) of every parameter that is a path and has a key in scenes."""
    found = []
    for table in sorted((Path(__file__).resolve().parents[2] / "runtime/base/parameters").glob("*.def")):
        for row in re.findall(r"FIELD\((?:[^()]|\([^()]*\))*\)", table.read_text()):
            if ", PATH," in row and (key := re.search(r'\.key = "(\w+)"', row)):
                found.append((table.stem, key[1]))
    return found


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
    "garment of an attachment": (uses_attach, "slv", False),
    "buffer of a character": (uses_buffer, "bin", False),
    "buffer of a mesh": (uses_buffer_by_assimp, "bin", False),
    "mtllib": (uses_library, "mtl", True),
    "map_Kd": (uses_picture, "png", True),
    "image of a glTF": (uses_picture_by_assimp, "png", True),
}


# The file that a path key of scenes needs; a texture is opened only where it is drawn.
SCENE_FILES = {("garment", "src"): ("slv", False), ("scene_object", "texture"): ("png", None),
               ("collider", "src"): ("field.slv", False), ("scene_settings", "modelPath"): ("clip.slv", False)}
for place in path_keys():  # a KeyError here: a new key needs a row above
    KEYS[".".join(place)] = (uses_scene(*place), *SCENE_FILES[place])

ARGUMENTS = {
    "voxelize": lambda name: [VOXELIZE, name, "-o", "out.slv"],
    "bake-collider": lambda name: [BAKE, name, "-o", "out.slv"],
    "bake-collider --attach": lambda name: [BAKE, "inside.gltf", "-o", "out.slv", "--attach", name],
    "colorize": lambda name: [COLORIZE, name, "-o", "out.slv"],
    "inspect": lambda name: [INSPECT, name],
    "play": lambda name: [PLAY, name, "--headless", "--frames", "1"],
    "play --replay": lambda name: [PLAY, "inside.slv", "--headless", "--frames", "1", "--replay", name],
}

PLAYED = [PLAY, "inside.slv", "--headless", "--frames", "2"]
DRAWN = [PLAY, "inside.slv", "--offscreen", "64x64", "--frames", "2"]
SHAPED = [VOXELIZE, "--shape", "grid:3x3"]
BAKED = [BAKE, "inside.gltf", "--particles", "20"]

# What an option writes: the run, and the extension. DRAWN runs are left out where nothing can draw or encode.
OUTPUTS = {
    "voxelize --output": (SHAPED, "slv"), "voxelize --depfile": ([*SHAPED, "-o", "out.slv"], "d"),
    "voxelize --sdf": ([VOXELIZE, "cube.obj", "--resolution", "4"], "sdf"),
    "colorize --output": ([COLORIZE, "inside.slv"], "slv"),
    "colorize --svg": ([COLORIZE, "inside.slv", "-o", "out.slv"], "svg"),
    "colorize --depfile": ([COLORIZE, "inside.slv", "-o", "out.slv"], "d"),
    "bake-collider --output": (BAKED, "slv"), "bake-collider --depfile": ([*BAKED, "-o", "out.slv"], "d"),
    "inspect --picture": ([INSPECT, "inside.slv", "--size", "64x64"], "png"),
    "inspect --depfile": ([INSPECT, "inside.slv", "--size", "64x64", "--picture", "out.png"], "d"),
    "play --depfile": ([*PLAYED, "--report", "out.json"], "d"),
    "play --report": (PLAYED, "json"), "play --record": (PLAYED, "input"),
    **{f"play --export {kind}": (PLAYED, kind) for kind in ("csv", "obj", "pc2", "mdd", "usda", "glb")},
    "play --screenshot": (DRAWN, "png"), "play --png": (DRAWN, "frames"), "play --video": (DRAWN, "mp4"),
    "play --gif": (DRAWN, "gif"),
}


def options_of_help():
    """"program --option" of every option that is a file or a folder."""
    found = set()
    for program in (VOXELIZE, COLORIZE, BAKE, INSPECT, PLAY):
        short = Path(program).name.removeprefix("selvage-")
        for option in re.findall(r"^ +(?:-\w, )?(--[\w-]+) (?:OUT|FILE|DIR)\b", run(program, "--help").stdout, re.MULTILINE):
            found.add(f"{short} {option}")
    return found


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


def make_device(path, name, minor):
    """A device of its own, where a program with the rights to replace those of the system is tested; or a link to one."""
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, minor))
        os.close(os.open(path, os.O_WRONLY))
    except OSError:
        Path(path).unlink(missing_ok=True)
        os.symlink(f"/dev/{name}", path)


def read_pipe(path, into):
    with open(path, "rb") as pipe:
        into.append(pipe.read())


def try_output(name):
    """Whether the run is possible here."""
    command, extension = OUTPUTS[name]
    command = [*command, "--quiet", name.split()[1]]
    several = extension in ("frames", "obj")  # files that appear beside, or in a folder
    shutil.rmtree("to", ignore_errors=True)
    Path("to/folder").mkdir(parents=True)
    plain = run(*command, f"to/plain.{extension}")
    if plain.returncode == 5 or (plain.returncode != 0 and command[:len(DRAWN)] == DRAWN):
        print(f"{name}: not possible here: {plain.stderr.strip()}")
        return False
    expect(plain.returncode == 0, f"{name} to/plain.{extension}", plain)
    for start in ("to/folder/../up", f"{WORK}/own/to/absolute"):
        done = run(*command, f"{start}.{extension}")
        expect(done.returncode == 0 and Path(f"{start}.{extension}").exists() == Path(f"to/plain.{extension}").exists(),
               f"{name}: {start}", done)
    if not several:
        os.symlink(f"folder/target.{extension}", f"to/link.{extension}")
        done = run(*command, f"to/link.{extension}")
        written = Path(f"to/folder/target.{extension}")
        expect(done.returncode == 0 and Path(f"to/link.{extension}").is_symlink() and written.is_file(), f"{name}: a link", done)
    if not several:  # the frames of an OBJ sequence have other names
        Path(f"to/taken.{extension}").mkdir()
        done = run(*command, f"to/taken.{extension}")
        expect(done.returncode == 2 and Path(f"to/taken.{extension}").is_dir(), f"{name}: a folder", done)
    for device, minor in (("null", 3), ("full", 7)):
        make_device(f"to/{device}.{extension}", device, minor)
        done = run(*command, f"to/{device}.{extension}")
        expect(done.returncode in ((0, 2) if device == "null" or several else (2,)), f"{name}: /dev/{device}", done)
        expect(stat.S_ISCHR(os.stat(f"to/{device}.{extension}").st_mode), f"{name}: /dev/{device} is replaced", done)
    try_pipe(name, command, f"to/pipe.{extension}")
    return True


def try_pipe(name, command, path):
    os.mkfifo(path)
    received = []
    reader = threading.Thread(target=read_pipe, args=(path, received), daemon=True)
    reader.start()
    done = run(*command, path)
    expect(done.returncode in (0, 2) and stat.S_ISFIFO(os.stat(path).st_mode), f"{name}: a pipe", done)
    if reader.is_alive():
        with open(path, "wb"):  # the program did not open it
            pass
        reader.join(1)


def main():
    make_inputs()
    tried = {f"{n.split()[0]} {n.split()[1]}" for n in [*OUTPUTS, *ARGUMENTS] if "--" in n}
    missing = options_of_help() ^ tried
    expect(not missing, f"options that are not tried, or tried and not in --help: {missing}", run("true"))
    for name in KEYS:
        try_key(name)
    for name, command in ARGUMENTS.items():
        for kind in ("pipe", "device", "folder"):
            extension = {"voxelize": "gltf", "bake-collider": "gltf"}.get(name, "slv")
            done = run(*command(f"{kind}.{extension}"))
            expect(done.returncode == 2, f"{name} opens a {kind}", done)
    outputs = [try_output(name) for name in OUTPUTS]
    print(f"{10 * len(KEYS)} names, {3 * len(ARGUMENTS)} arguments and {sum(outputs)} outputs, {len(failures)} faults")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
