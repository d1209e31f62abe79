# SPDX-License-Identifier: MIT
"""selvage-bake-collider as a program: its files, its messages, its refusals.

    bake_program.py BAKE INSPECT VOXELIZE SCRATCH
"""
import json
import math
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from made_gltf import Made, bending_tube, still_box, tube  # noqa: E402

CHECKS = []
# 84,285 and 32,771 were measured; with bounds by edges alone, and needles bisected as other triangles, 200,159 and 294,395.
SAMPLES_OF_WALLS, SAMPLES_OF_NEEDLE = 100000, 50000


def check(function):
    CHECKS.append(function)
    return function


class Shop:
    def __init__(self, bake, inspect, voxelize, scratch):
        self.tools = {"bake": bake, "inspect": inspect, "voxelize": voxelize}
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        os.chdir(scratch)

    def run(self, program, *arguments):
        return subprocess.run([self.tools[program], *[str(a) for a in arguments]], capture_output=True, text=True)

    def good(self, program, *arguments):
        done = self.run(program, *arguments)
        assert done.returncode == 0, f"status {done.returncode}: {done.stderr}"
        return done.stdout

    def peak_memory(self, program, *arguments, status=0):
        """Peak resident bytes of a run."""
        child = subprocess.Popen([self.tools[program], *[str(a) for a in arguments]], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL if status else None)
        _, ended, usage = os.wait4(child.pid, 0)
        assert os.waitstatus_to_exitcode(ended) == status, f"status {ended}"
        return 1024 * usage.ru_maxrss

    def refused(self, status, words, *arguments):
        """The run fails with that status, one line that holds all the words, and no file."""
        if os.path.exists("out.slv"):
            os.unlink("out.slv")
        before = set(os.listdir("."))
        done = self.run("bake", *arguments, "-o", "out.slv")
        assert done.returncode == status, f"status {done.returncode}, not {status}: {done.stderr}"
        lines = [line for line in done.stderr.splitlines() if ": error: " in line]
        assert len(lines) == 1, done.stderr
        for word in words:
            assert word in lines[0], f"'{word}' is not in: {lines[0]}"
        assert set(os.listdir(".")) == before

    def frame(self, pack, number):
        rows = self.good("inspect", pack, "--dump", f"frame:{number}").splitlines()
        return [tuple(float(x) for x in row.split(",")[1:]) for row in rows[1:]]


def read(path):
    with open(path, "rb") as data:
        return data.read()


@check
def any_number_of_threads_gives_the_same_bytes(tools):
    bending_tube(stretch=0.3).write("tube.gltf")
    for threads in (1, 2, 5):
        tools.good("bake", "tube.gltf", "-o", f"t{threads}.slv", "--particles", 400, "--threads", threads, "--with-mesh")
    assert read("t1.slv") == read("t2.slv") == read("t5.slv")


@check
def the_json_report_agrees_with_inspect(tools):
    bending_tube().write("tube.gltf")
    report = json.loads(tools.good("bake", "tube.gltf", "-o", "out.slv", "--radius", "0.04", "--json"))
    assert report["frames"] == 31 and report["clip"] == "bend" and not report["still"]
    assert report["pack_bytes"] == os.path.getsize("out.slv")
    assert report["largest_error_mm"] <= 0.1
    assert report["coverage"]["farthest"] <= 0.04 * 1.1
    assert abs(report["bytes_per_frame"] * 31 - report["pack_bytes"]) < 1
    assert abs(report["ratio_to_raw"] - 12 * 31 * report["particles"] / report["pack_bytes"]) < 1e-6
    summary = json.loads(tools.good("inspect", "out.slv", "--json"))
    assert summary["particles"] == report["particles"] and summary["frames"] == 31
    assert tools.good("inspect", "out.slv", "--verify") == "out.slv: ok\n"
    text = tools.good("inspect", "out.slv")
    for word in ("collider pack", "radius", "31 at 30 per second", "coverage"):
        assert word in text, f"'{word}' is not in the summary"


@check
def skin_that_stretches_gets_more_particles(tools):
    bending_tube(stretch=1.0).write("tube.gltf")
    report = json.loads(tools.good("bake", "tube.gltf", "-o", "out.slv", "--radius", "0.04", "--json"))
    assert report["coverage"]["added_particles"] > 20
    assert report["coverage"]["farthest"] <= 0.04 * 1.1


@check
def vertices_may_have_any_number_of_influences(tools):
    bending_tube(influences=2).write("two.gltf")
    bending_tube(influences=8).write("eight.gltf")
    tools.good("bake", "two.gltf", "-o", "two.slv", "--particles", 100)
    tools.good("bake", "eight.gltf", "-o", "eight.slv", "--particles", 100)
    for a, b in zip(tools.frame("two.slv", 15), tools.frame("eight.slv", 15)):
        assert math.dist(a, b) < 3e-4


@check
def clips_are_chosen_by_name_or_number(tools):
    made = bending_tube()
    made.add_clip("lift", [(0, "translation", [0, 1], [(0, 0, 0), (0, 2, 0)], "LINEAR")])
    made.write("two.gltf")
    for clip in ("lift", "1"):
        tools.good("bake", "two.gltf", "-o", "out.slv", "--clip", clip, "--particles", 50, "--fps", 2)
        start, end = tools.frame("out.slv", 0), tools.frame("out.slv", 2)
        assert all(abs(b[1] - a[1] - 2) < 4e-4 for a, b in zip(start, end))
    tools.refused(1, ["--clip jump", "0 'bend'", "1 'lift'"], "two.gltf", "--clip", "jump")


@check
def start_and_end_are_on_the_clips_time_line(tools):
    made = still_box()
    made.add_clip("slide", [(0, "translation", [1, 3], [(0, 0, 0), (4, 0, 0)], "LINEAR")])
    made.write("box.gltf")
    report = json.loads(tools.good("bake", "box.gltf", "-o", "out.slv", "--start", 2, "--end", 2.5, "--fps", 10,
                                  "--particles", 30, "--json"))
    assert report["frames"] == 6 and report["start"] == 2
    lowest = [min(p[0] for p in tools.frame("out.slv", n)) for n in (0, 5)]
    assert abs(lowest[1] - lowest[0] - 1.0) < 1e-3
    done = tools.run("bake", "box.gltf", "-o", "out.slv", "--start", 1, "--end", 1, "--particles", 30)
    assert done.returncode == 0 and "one frame is baked: from 1 s on no other comes before --end" in done.stderr
    tools.refused(1, ["--end 1", "from 0 to 3 s"], "box.gltf", "--start", 2, "--end", 1)
    tools.refused(1, ["between 5 and 6 s"], "box.gltf", "--start", 5, "--end", 6)


@check
def numbered_obj_files_are_frames(tools):
    points, triangles = tube(0.2, 1.0, 8, 4)
    for n in range(8, 13):  # from walk_08 to walk_12: the number of digits grows
        with open(f"walk_{n:02}.obj", "w") as out:
            out.writelines(f"v {x + 0.1 * n} {y} {z}\n" for x, y, z in points)
            out.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)
    report = json.loads(tools.good("bake", "walk_08.obj", "-o", "out.slv", "--fps", 24, "--particles", 60, "--json"))
    assert report["frames"] == 5 and report["frame_rate"] == 24
    for a, b in zip(tools.frame("out.slv", 0), tools.frame("out.slv", 4)):
        assert math.dist(a, (b[0] - 0.4, b[1], b[2])) < 4e-4
    with open("walk_10.obj", "a") as out:
        out.write("f 1 2 3\n")
    tools.refused(3, ["walk_10.obj", "one topology"], "walk_08.obj")


@check
def attachments_follow_the_character(tools):
    bending_tube().write("tube.gltf")
    tools.good("voxelize", "--shape", "rope:5", "--spacing", 0.1, "-o", "rope.slv")
    with open("attach.json", "w") as out:
        json.dump({"attachments": [{"name": "hook", "position": [0.15, 0.9, 0]},
                                   {"name": "rope", "garment": "rope.slv", "set": "start", "at": [0.1, 0.2, 0]}]}, out)
    tools.good("bake", "tube.gltf", "-o", "out.slv", "--particles", 60, "--attach", "attach.json", "--depfile", "d")
    rows = tools.good("inspect", "out.slv", "--dump", "attachments:0").splitlines()
    assert rows[0] == "name,particle,x,y,z"
    hook = [float(x) for x in rows[1].split(",")[2:]]
    assert rows[1].startswith("hook,0,") and math.dist(hook, (0.15, 0.9, 0)) < 2e-4
    assert rows[2].startswith("rope,")
    assert "rope.slv" in open("d").read() and "attach.json" in open("d").read()
    bent = tools.good("inspect", "out.slv", "--dump", "attachments:15").splitlines()[1]
    assert math.dist([float(x) for x in bent.split(",")[2:]], hook) > 0.3  # it went along
    for text, words in (('{"attachments": []}', ["list"]), ("[", ["not JSON"]),
                        ('{"attachments": [{"name": ""}]}', ["name"]),
                        ('{"attachments": [{"name": "a"}]}', ["position"]),
                        ('{"attachments": [{"name": "a", "garment": "rope.slv", "set": "x"}]}', ["'x'"])):
        with open("attach.json", "w") as out:
            out.write(text)
        tools.refused(3, ["attach.json", *words], "tube.gltf", "--attach", "attach.json")


@check
def attachments_bound_to_one_point_move_rigidly(tools):
    bending_tube().write("tube.gltf")
    tools.good("voxelize", "--shape", "grid:4x4", "--spacing", 0.25, "-o", "cloth.slv")
    edge = {"name": "edge", "garment": "cloth.slv", "set": "edge-x-min", "at": [0.12, 0.1, 0],
            "rotation": [-math.sqrt(0.5), 0, 0, math.sqrt(0.5)]}  # stands up along the tube
    changes = []
    for item in (edge, {**edge, "on": [0.1, 0.9, 0]}):
        with open("attach.json", "w") as out:
            json.dump({"attachments": [item]}, out)
        tools.good("bake", "tube.gltf", "-o", "out.slv", "--particles", 60, "--attach", "attach.json")
        ends = []
        for frame in (0, 15):
            rows = tools.good("inspect", "out.slv", "--dump", f"attachments:{frame}").splitlines()[1:]
            points = [[float(x) for x in row.split(",")[2:]] for row in rows]
            ends.append((math.dist(points[0], points[-1]), points))
        assert max(math.dist(a, b) for a, b in zip(ends[0][1], ends[1][1])) > 0.05  # they went along
        changes.append(abs(ends[1][0] - ends[0][0]))
    assert changes[0] > 0.01 and changes[1] < 5e-4, changes
    with open("attach.json", "w") as out:
        json.dump({"attachments": [{**edge, "on": [0.1, "high", 0]}]}, out)
    tools.refused(3, ["attach.json", '"on"'], "tube.gltf", "--attach", "attach.json")


@check
def units_and_axes_are_those_of_the_file_unless_given(tools):
    still_box().write("box.gltf")
    tools.good("bake", "box.gltf", "-o", "out.slv", "--particles", 40, "--quiet")
    assert max(p[1] for p in tools.frame("out.slv", 0)) > 0.99
    tools.good("bake", "box.gltf", "-o", "out.slv", "--particles", 40, "--scale", 0.1, "--up", "z", "--quiet")
    positions = tools.frame("out.slv", 0)
    assert -0.1002 < min(p[2] for p in positions) < -0.099 and max(p[1] for p in positions) < 0.1002


@check
def no_animation_gives_one_frame_and_a_note(tools):
    still_box().write("box.gltf")
    done = tools.run("bake", "box.gltf", "-o", "out.slv", "--particles", 40)
    assert done.returncode == 0 and "has no animation; one frame is baked" in done.stderr
    assert "no animation, one frame" in done.stdout
    report = json.loads(tools.good("bake", "box.gltf", "-o", "out.slv", "--particles", 40, "--json"))
    assert report["frames"] == 1 and report["still"]


@check
def a_clip_without_length_is_one_frame(tools):
    made = still_box()
    made.add_clip("pose", [(0, "translation", [0], [(1, 0, 0)], "LINEAR")])
    made.write("box.gltf")
    report = json.loads(tools.good("bake", "box.gltf", "-o", "out.slv", "--particles", 40, "--json"))
    assert report["frames"] == 1 and report["still"] and report["clip"] == "pose"
    assert min(p[0] for p in tools.frame("out.slv", 0)) > 0.999


@check
def motion_without_a_mesh_is_refused(tools):
    with open("walk.bvh", "w") as out:
        out.write("HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n"
                  "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n0 0 0\n0 1 0\n")
    tools.refused(3, ["walk.bvh", "no triangles", "not motion alone"], "walk.bvh")


@check
def keys_that_are_no_numbers_are_refused(tools):
    made = still_box()
    made.add_clip("broken", [(0, "translation", [0, 1], [(0, 0, 0), (math.nan, 0, 0)], "LINEAR")])
    made.write("box.gltf")
    tools.refused(3, ["'broken'", "not finite"], "box.gltf")
    made = still_box()
    made.add_clip("late", [(0, "translation", [1, math.inf], [(0, 0, 0), (1, 0, 0)], "LINEAR")])
    made.write("box.gltf")
    tools.refused(3, ["'late'", "times"], "box.gltf")
    made = still_box()
    made.add_clip("back", [(0, "translation", [1, 0], [(0, 0, 0), (1, 0, 0)], "LINEAR")])
    made.write("box.gltf")
    tools.refused(3, ["'back'", "do not ascend"], "box.gltf")


@check
def missing_bones_are_refused(tools):
    made = bending_tube()
    made.json["skins"][0]["joints"][1] = 17
    made.write("tube.gltf")
    tools.refused(3, ["skin 0", "joint 1", "missing"], "tube.gltf")
    made = bending_tube()
    made.json["skins"][0]["joints"] = [0]
    made.write("tube.gltf")
    tools.refused(3, ["bound to joint 1", "its skin has 1"], "tube.gltf")


@check
def degenerate_triangles_are_left_out(tools):
    made = still_box()
    accessor = made.add_integers([0, 0, 1, 2, 2, 2, 0, 1, 3])
    made.json["meshes"][0]["primitives"].append({"attributes": {"POSITION": 0}, "indices": accessor})
    made.write("box.gltf")
    report = json.loads(tools.good("bake", "box.gltf", "-o", "out.slv", "--particles", 40, "--json"))
    assert report["dropped_triangles"] == 2
    made = Made()
    corners = made.add_floats([(0, 0, 0), (1, 0, 0), (2, 0, 0)], "VEC3")
    made.json["meshes"].append({"primitives": [{"attributes": {"POSITION": corners}}]})
    made.add_node(mesh=0)
    made.write("line.gltf")
    tools.refused(3, ["line.gltf", "degenerate"], "line.gltf")


@check
def a_radius_larger_than_the_character_is_refused(tools):
    still_box().write("box.gltf")
    tools.refused(1, ["--radius 5", "larger than the character", "1.73 m across"], "box.gltf", "--radius", 5)
    tools.refused(1, ["--radius and --particles"], "box.gltf", "--radius", 0.1, "--particles", 9)


@check
def files_that_require_unknown_extensions_are_refused(tools):
    made = still_box()
    made.json["extensionsRequired"] = ["VENDOR_squeeze"]
    made.write("box.gltf")
    tools.refused(3, ["VENDOR_squeeze"], "box.gltf")


@check
def damaged_files_are_refused(tools):
    bending_tube(frames=3).write("tube.gltf")
    whole = read("tube.gltf")
    for length in range(0, len(whole), max(1, len(whole) // 40)):
        with open("cut.gltf", "wb") as out:
            out.write(whole[:length])
        tools.refused(3, ["cut.gltf"], "cut.gltf")
    cycle = bending_tube(frames=3)
    cycle.json["nodes"][1]["children"] = [0]
    cycle.write("cycle.gltf")
    tools.refused(3, ["no tree"], "cycle.gltf")
    beyond = bending_tube(frames=3)
    beyond.json["accessors"][0]["count"] = 4000000000
    beyond.write("beyond.gltf")
    tools.refused(3, ["accessor 0"], "beyond.gltf")
    tools.refused(2, ["nowhere.glb", "No such file"], "nowhere.glb")
    tools.refused(3, ["no importer"], "made_up.xyzzy" if open("made_up.xyzzy", "w").write("?") else "")


@check
def every_frame_of_skin_that_stretches_is_covered(tools):
    """Compared with the tube's formula, at points between the tool's samples."""
    bending_tube(stretch=1.0).write("tube.gltf")
    report = json.loads(tools.good("bake", "tube.gltf", "-o", "out.slv", "--radius", "0.05", "--json"))
    points, triangles = tube(0.1, 1.0, 12, 12)
    farthest = 0.0
    for number in range(report["frames"]):
        turn = math.radians(50) * (1 - math.cos(2 * math.pi * number / 30)) / 2
        angle, lift = 2 * turn, 0.5 + turn
        skinned = []
        for x, y, z in points:
            share = min(max((y - 0.3) / 0.4, 0.0), 1.0)
            up = y - 0.5
            bent = (x * math.cos(angle) - up * math.sin(angle), x * math.sin(angle) + up * math.cos(angle) + lift, z)
            skinned.append([(1 - share) * a + share * b for a, b in zip((x, y, z), bent)])
        particles = tools.frame("out.slv", number)
        for t, corners in enumerate(triangles[number % 3::3]):
            weights = (0.2 + 0.07 * (t % 7), 0.15, 0.65 - 0.07 * (t % 7))
            at = [sum(w * skinned[c][d] for w, c in zip(weights, corners)) for d in range(3)]
            farthest = max(farthest, min(math.dist(at, p) for p in particles))
    assert 0.02 < farthest <= report["coverage"]["farthest"] + 1e-4, farthest
    assert report["coverage"]["farthest"] <= 0.05 * 1.1


@check
def walls_that_rise_from_a_plate_are_covered_by_few_samples(tools):
    """Their triangles stretch twelve times in one direction and not at all in the other."""
    made, n = Made(), 12
    points = [(i / n, 0.0, j / n) for i in range(n + 1) for j in range(n + 1)]
    triangles = [t for i in range(n) for j in range(n) for a in (i * (n + 1) + j,)
                 for t in ((a, a + 1, a + n + 2), (a, a + n + 2, a + n + 1))]
    rise = [1.0 if max(abs(x - 0.5), abs(z - 0.5)) < 0.2 else 0.0 for x, _, z in points]
    made.json["meshes"].append({"weights": [0], "primitives": [{
        "attributes": {"POSITION": made.add_floats(points, "VEC3")}, "indices": made.add_integers([i for t in triangles for i in t]),
        "targets": [{"POSITION": made.add_floats([(0, r, 0) for r in rise], "VEC3")}]}]})
    made.add_node(mesh=0)
    made.add_clip("rise", [(0, "weights", [0, 1], [0, 1], "LINEAR")])
    made.write("walls.gltf")
    report = json.loads(tools.good("bake", "walls.gltf", "-o", "out.slv", "--radius", "0.05", "--json"))
    assert report["coverage"]["samples_per_frame"] < SAMPLES_OF_WALLS, report["coverage"]
    for number in (0, 15, 30):
        particles = tools.frame("out.slv", number)
        placed = [(x, y + r * number / 30, z) for (x, y, z), r in zip(points, rise)]
        for t, corners in enumerate(triangles):
            share = [0.1 + 0.08 * (t % 10), 0.05]
            at = [sum(w * placed[c][d] for w, c in zip((1 - sum(share), *share), corners)) for d in range(3)]
            nearest = min(math.dist(at, p) for p in particles)
            assert nearest <= report["coverage"]["farthest"] + 1e-4 <= 0.0551, f"frame {number}, triangle {t}: {nearest}"


@check
def needles_are_sampled_along_one_edge(tools):
    made = still_box()
    made.json["meshes"][0]["primitives"].append(
        {"attributes": {"POSITION": made.add_floats([(0, 0, 0), (100, 0, 0), (100, 0.001, 0)], "VEC3")}})
    made.write("needle.gltf")
    report = json.loads(tools.good("bake", "needle.gltf", "-o", "out.slv", "--radius", "0.1", "--json"))
    assert report["coverage"]["samples_per_frame"] < SAMPLES_OF_NEEDLE, report["coverage"]
    along = sorted(p[0] for p in tools.frame("out.slv", 0) if p[0] > 1.2)
    gaps = [b - a for a, b in zip(along, along[1:])]
    assert along[-1] >= 100 - 0.11 and max(gaps) <= 2 * 0.11, (along[-1], max(gaps))


@check
def memory_does_not_grow_with_the_frames(tools):
    bending_tube().write("tube.gltf")
    peaks = []
    for rate in (100, 20000):
        report = json.loads(tools.good("bake", "tube.gltf", "-o", "out.slv", "--particles", 50, "--fps", rate, "--json"))
        assert report["frames"] == rate + 1
        peaks.append(tools.peak_memory("bake", "tube.gltf", "-o", "out.slv", "--particles", 50, "--fps", rate))
    assert peaks[1] < peaks[0] + 2e6, f"{peaks[0]} bytes for 101 frames, {peaks[1]} for 20001"


@check
def memory_is_refused_before_it_is_taken(tools):
    # A triangle of 10^9 m by 1 mm: particles as small as its area suggests would be countless along its edges.
    with open("sliver.ply", "w") as out:
        out.write("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
                  "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1e9 0 0\n0 1e-3 0\n3 0 1 2\n")
    still_box().write("box.gltf")
    for status, words, arguments in (
            (1, ["sliver.ply", "need about", "GiB", "--memory-limit 4096", "--radius"], ["sliver.ply"]),
            (1, ["need about", "--memory-limit 64"], ["box.gltf", "--radius", "0.001", "--memory-limit", "64"]),
            (1, ["need more than 64 MiB", "--memory-limit 64"], ["box.gltf", "--radius", "0.0161", "--memory-limit", "64"])):
        start = time.monotonic()
        tools.refused(status, words, *arguments)
        assert time.monotonic() - start < 2
        peak = tools.peak_memory("bake", *arguments, "-o", "out.slv", status=status)
        assert peak < 100e6, f"{arguments}: {peak} bytes"
    points, triangles = tube(0.2, 1.0, 200, 100)
    with open("fine.obj", "w") as out:
        out.writelines(f"v {x} {y} {z}\n" for x, y, z in points)
        out.writelines(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles)
    tools.refused(1, ["fine.obj", "vertices", "--memory-limit 2"], "fine.obj", "--memory-limit", 2)


def main(arguments):
    tools = Shop(*[os.path.abspath(a) for a in arguments])
    failed = 0
    for function in CHECKS:
        try:
            function(tools)
            print(f"ok: {function.__name__}")
        except AssertionError as error:
            failed += 1
            print(f"FAILED: {function.__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
