# SPDX-License-Identifier: MIT
"""Poses of characters against references, and baked particles against poses.

    poses_match.py POSE_DUMP BAKE INSPECT SCRATCH [--every-clip] CHARACTER...

glTF files are compared with gltf_pose.py, Collada with the file's own matrices, the FBX sausage with
the two poses that Maya wrote. Every dumped particle of a bake must lie on the reference's surface.
"""
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from gltf_pose import Character  # noqa: E402

TOLERANCE = 1e-5  # of the diagonal of the bounds


def diagonal(points):
    return float(np.linalg.norm(points.max(0) - points.min(0)))


def read_obj(path):
    rows = [line.split() for line in open(path) if line.startswith("v ")]
    return np.array([[float(x) for x in row[1:4]] for row in rows])


def farthest(points, others):
    """Largest distance of any point to the nearest of the others."""
    worst = 0.0
    for start in range(0, len(points), 256):
        gaps = points[start:start + 256, None, :] - others[None, :, :]
        worst = max(worst, float(np.sqrt((gaps**2).sum(2)).min(1).max()))
    return worst


def distance_to_surface(points, corners):
    """For each point the distance to the nearest triangle; corners: [t][3][3]."""
    a, ab, ac = corners[:, 0], corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    e, f, g = (ab * ab).sum(1), (ab * ac).sum(1), (ac * ac).sum(1)
    area = np.maximum(e * g - f * f, 1e-300)
    result = []
    for p in points:
        ap = p - a
        u, v = (ab * ap).sum(1), (ac * ap).sum(1)
        s, t = (g * u - f * v) / area, (e * v - f * u) / area
        inside = (s >= 0) & (t >= 0) & (s + t <= 1)
        gap = ap - s[:, None] * ab - t[:, None] * ac
        best = np.where(inside, (gap**2).sum(1), np.inf)
        for i, j in ((0, 1), (1, 2), (2, 0)):
            edge, arm = corners[:, j] - corners[:, i], p - corners[:, i]
            share = np.clip((edge * arm).sum(1) / np.maximum((edge**2).sum(1), 1e-300), 0, 1)
            best = np.minimum(best, ((arm - share[:, None] * edge)**2).sum(1))
        result.append(float(np.sqrt(best.min())))
    return np.array(result)


class Bench:
    def __init__(self, pose_dump, bake, inspect, scratch):
        self.pose_dump, self.bake_program, self.inspect, self.scratch = pose_dump, bake, inspect, scratch
        os.makedirs(scratch, exist_ok=True)
        self.failed = False

    def check(self, what, value, limit):
        good = value <= limit
        self.failed = self.failed or not good
        print(f"{'ok' if good else 'WRONG'}: {what}: {value:.3g}, at most {limit:.3g}")

    def dump(self, path, clip, time):
        text = subprocess.run([self.pose_dump, path, str(clip), repr(float(time))], check=True, capture_output=True,
                              text=True).stdout
        return np.array([[float(x) for x in line.split()] for line in text.splitlines()])

    def bake(self, path, *options):
        out = os.path.join(self.scratch, "clip.slv")
        text = subprocess.run([self.bake_program, path, "-o", out, "--json", "--quiet", *options], check=True,
                              capture_output=True, text=True).stdout
        return out, json.loads(text)

    def frame(self, pack, number):
        text = subprocess.run([self.inspect, pack, "--dump", f"frame:{number}"], check=True, capture_output=True,
                              text=True).stdout
        lines = text.splitlines()
        assert lines[0] == "particle,x,y,z", lines[0]
        return np.array([[float(x) for x in line.split(",")[1:]] for line in lines[1:]])

    def gltf(self, path):
        name = os.path.basename(path)
        character = Character(path)
        worst = 0.0
        for clip in [-1] + list(range(len(character.clips))):
            for time in ([0.0] if clip < 0 else np.linspace(*character.span(clip), 5)):
                expected = character.pose(clip, float(time))
                got = self.dump(path, clip, time)
                worst = max(worst, float(np.abs(got - expected).max()) / diagonal(expected))
        self.check(f"{name}: poses / diagonal", worst, TOLERANCE)
        size = diagonal(character.pose(0 if character.clips else -1, 0.0))
        error_mm = size * 1e-4 * 1000
        pack, report = self.bake(path, "--particles", "150", "--fps", "10", "--error", repr(error_mm))
        for number in sorted({0, report["frames"] // 2, report["frames"] - 1}):
            pose = character.pose(0 if character.clips else -1, number / 10)
            off = distance_to_surface(self.frame(pack, number), pose[character.triangles])
            self.check(f"{name}: particles of frame {number} off the surface", float(off.max()),
                       error_mm / 1000 + TOLERANCE * size)
        self.coverage(name, character, 0 if character.clips else -1, pack, report)

    def coverage(self, name, character, clip, pack, report, every=6):
        """Every point of the surface has a particle within the reported coverage, also between the samples."""
        rng = np.random.default_rng(1)
        triangles = character.triangles[rng.integers(0, len(character.triangles), 400)]
        weights = rng.dirichlet((1, 1, 1), len(triangles))
        worst = 0.0
        for number in range(0, report["frames"], max(1, report["frames"] // every)):
            pose = character.pose(clip, report["start"] + number / report["frame_rate"])
            points = np.einsum("tk,tkc->tc", weights, pose[triangles])
            worst = max(worst, farthest(points, self.frame(pack, number)))
        self.check(f"{name}: farthest point of the surface from a particle / radius",
                   worst / report["coverage"]["radius"],
                   report["coverage"]["share_of_radius"] + report["error_mm"] / 1000 / report["coverage"]["radius"])

    def every_clip(self, path):
        """All clips of a file, about twelve frames of each."""
        character = Character(path)
        for clip in range(len(character.clips)):
            name = f"{os.path.basename(path)}, clip {clip}"
            start, end = character.span(clip)
            expected = character.pose(clip, (start + end) / 2)
            off = float(np.abs(self.dump(path, clip, (start + end) / 2) - expected).max())
            self.check(f"{name}: pose / diagonal", off / diagonal(expected), TOLERANCE)
            pack, report = self.bake(path, "--clip", str(clip), "--particles", "300", "--fps", repr(float(11 / (end - start))))
            self.check(f"{name}: frames not baked", abs(report["frames"] - 12), 1)
            subprocess.run([self.inspect, pack, "--verify"], check=True, capture_output=True)
            points = self.frame(pack, report["frames"] - 1)[::7]
            pose = character.pose(clip, report["start"] + (report["frames"] - 1) / report["frame_rate"])
            off = distance_to_surface(points, pose[character.triangles])
            self.check(f"{name}: particles of the last frame off the surface", float(off.max()),
                       report["error_mm"] / 1000 + TOLERANCE * diagonal(pose))
            self.coverage(name, character, clip, pack, report, every=report["frames"])

    def sausage(self, path):
        folder = os.path.dirname(path)
        for number in (10, 18):
            expected = read_obj(os.path.join(folder, f"maya_game_sausage_wiggle_{number}.obj"))
            got = self.dump(path, 0, number / 24)
            apart = max(farthest(got, expected), farthest(expected, got))
            self.check(f"sausage, wiggle at {number}/24 s: pose / diagonal", apart / diagonal(expected), TOLERANCE)

    def collada(self, path):
        for time in (0.0, 1.25):
            expected = collada_pose(path, time)
            got = self.dump(path, 0, time)
            apart = max(farthest(got, expected), farthest(expected, got))
            self.check(f"{os.path.basename(path)} at {time} s: pose / diagonal", apart / diagonal(expected), TOLERANCE)


def collada_pose(path, time):
    """The skinned mesh at a key's time, from the file's matrices alone; good for one mesh, one skin."""
    space = {"c": "http://www.collada.org/2005/11/COLLADASchema"}
    root = ET.parse(path).getroot()

    def floats(element):
        return np.array([float(x) for x in element.text.split()])

    def sources(element):
        return {s.get("id"): s for s in element.findall("c:source", space)}

    keys = {}
    for animation in root.iter("{%s}animation" % space["c"]):
        channel = animation.find("c:channel", space)
        if channel is not None:
            inputs = {i.get("semantic"): i.get("source")[1:] for i in animation.find("c:sampler", space)}
            source = sources(animation)
            times = floats(source[inputs["INPUT"]].find("c:float_array", space))
            values = floats(source[inputs["OUTPUT"]].find("c:float_array", space)).reshape(-1, 4, 4)
            keys[channel.get("target").split("/")[0]] = values[int(np.argmin(np.abs(times - time)))]
    skin = root.find(".//c:controller/c:skin", space)
    source = sources(skin)
    joints = {i.get("semantic"): i.get("source")[1:] for i in skin.find("c:joints", space)}
    names = source[joints["JOINT"]].find("c:Name_array", space).text.split()
    inverse = floats(source[joints["INV_BIND_MATRIX"]].find("c:float_array", space)).reshape(-1, 4, 4)
    bind = floats(skin.find("c:bind_shape_matrix", space)).reshape(4, 4)
    weights_of = skin.find("c:vertex_weights", space)
    weights_id = [i for i in weights_of.findall("c:input", space) if i.get("semantic") == "WEIGHT"][0].get("source")
    weights = floats(source[weights_id[1:]].find("c:float_array", space))
    counts = [int(x) for x in weights_of.find("c:vcount", space).text.split()]
    pairs = iter(int(x) for x in weights_of.find("c:v", space).text.split())
    mesh = root.find(".//c:geometry/c:mesh", space)
    positions_id = mesh.find("c:vertices/c:input", space).get("source")[1:]
    positions = floats(sources(mesh)[positions_id].find("c:float_array", space)).reshape(-1, 3)
    world = {}

    def walk(node, above):
        own = np.eye(4)
        for element in node:
            if element.tag.endswith("}matrix"):
                own = own @ floats(element).reshape(4, 4)
        here = above @ keys.get(node.get("id"), own)
        world[node.get("sid")] = here
        for child in node.findall("c:node", space):
            walk(child, here)

    for node in root.find(".//c:visual_scene", space).findall("c:node", space):
        walk(node, np.eye(4))
    result = []
    for position, count in zip(positions, counts):
        point, total, all_weights = bind @ np.append(position, 1.0), np.zeros(4), 0.0
        for _ in range(count):
            joint, weight = next(pairs), weights[next(pairs)]
            total += weight * (world[names[joint]] @ inverse[joint] @ point)
            all_weights += weight
        result.append(total[:3] / all_weights)
    return np.array(result)


def main(arguments):
    bench = Bench(*arguments[:4])
    every_clip = arguments[4:5] == ["--every-clip"]
    present = [path for path in arguments[4:] if os.path.exists(path)]
    if not present:
        print("skipped: none of the characters is here")
        return 77
    for path in present:
        if every_clip:
            bench.every_clip(path)
        elif path.endswith((".glb", ".gltf")):
            bench.gltf(path)
        elif path.endswith(".fbx"):
            bench.sausage(path)
        elif path.endswith(".dae"):
            bench.collada(path)
    return 1 if bench.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
