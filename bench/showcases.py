#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plays every showcase and writes a table: cost by stage, real-time factor, penetrations, stretch, jitter.

    bench/showcases.py BUILD SCENES RESULTS [NAME…]      (SCENES: a folder that data/scenes/bake.sh made)

Penetrations are counted against the true shapes that the scene names (planes, boxes, spheres, capsules, wedges
moved as it says; chair.obj as the boxes it is made of), for every particle of every frame, from the exported
positions: nothing of the simulation's own is asked. A particle is deep when its centre lies more than its
radius behind a surface. Writes RESULTS/showcases.md and showcases.json. Needs numpy.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

FRAMES = 360
BUDGET_MS = 1000 / 60
CHAIR = [((-0.22, 0.42, -0.22), (0.22, 0.46, 0.22)), ((-0.22, 0.62, -0.22), (0.22, 0.95, -0.18))]
CHAIR += [((x - 0.02, 0.0, z0), (x + 0.02, top, z1)) for x in (-0.2, 0.2)
          for top, z0, z1 in ((0.90, -0.218, -0.182), (0.43, 0.18, 0.216))]


def read_pc2(path):
    data = np.fromfile(path, dtype="<f4", offset=32)
    points, samples = (int(n) for n in np.fromfile(path, dtype="<i4", count=8)[[4, 7]])
    return data.reshape(samples, points, 3).astype(float)


# --- Shapes --------------------------------------------------------------------------------------

def rotation_of(angles):
    """Degrees about x, then y, then z; or a quaternion."""
    if len(angles) == 4:
        x, y, z, w = np.array(angles) / np.linalg.norm(angles)
        return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                         [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                         [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])
    total = np.eye(3)
    for axis, degrees in enumerate(angles):
        total = about(np.eye(3)[axis], np.radians(degrees)) @ total
    return total


def about(axis, angle):
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * (k @ k)


def box_distance(points, low, high):
    middle, half = (np.array(low) + high) / 2, (np.array(high) - low) / 2
    over = np.abs(points - middle) - half
    return np.linalg.norm(np.maximum(over, 0), axis=1) + np.minimum(over.max(axis=1), 0)


def own_frame(shape, points, time):
    """The points as the moving shape sees them."""
    centre = np.array(shape.get("center", [0, 0, 0]), float) + np.array(shape.get("velocity", [0, 0, 0])) * time
    turn = rotation_of(shape.get("rotation", [0, 0, 0]))
    spin = np.array(shape.get("angularVelocity", [0, 0, 0]), float)
    if np.linalg.norm(spin) > 0:
        turn = about(spin / np.linalg.norm(spin), np.linalg.norm(spin) * time) @ turn
    return (points - centre) @ turn


def distance(shape, points, time):
    """Metres outside of the shape, negative inside; None for shapes that are not looked at."""
    kind = shape["type"]
    if kind == "plane":
        normal = np.array(shape["normal"], float)
        return points @ (normal / np.linalg.norm(normal)) - shape.get("offset", 0)
    if kind == "box" and "min" in shape:
        shape = dict(shape, center=(np.array(shape["min"]) + shape["max"]) / 2,
                     size=np.array(shape["max"], float) - shape["min"])
    local = own_frame(shape, points, time)
    if kind == "sphere":
        return np.linalg.norm(local, axis=1) - shape["radius"]
    if kind == "capsule":
        half = shape["length"] / 2
        axis = np.clip(local[:, 1], -half, half)
        return np.linalg.norm(local - np.outer(axis, [0, 1, 0]), axis=1) - shape["radius"]
    if kind == "box":
        half = np.array(shape["size"], float) / 2
        return box_distance(local, -half, half)
    if kind == "field" and Path(shape["src"]).name == "chair.slv":
        return np.min([box_distance(local, *block) for block in CHAIR], axis=0)
    return None


# --- One scene -----------------------------------------------------------------------------------

def play(program, scene, folder):
    report, cache = folder / "report.json", folder / "cache.pc2"
    command = [program, scene, "--headless", "--frames", str(FRAMES), "--report", report, "--quiet"]
    subprocess.run(command, check=True)  # timed alone
    measured = json.loads(report.read_text())
    subprocess.run(command + ["--export", cache, "--export-what", "particles"], check=True)
    return measured, read_pc2(cache)


def penetrations(scene, positions, seconds):
    """(deepest in metres, particles deeper than the thickness they keep, frames looked at)"""
    radius = scene.get("thickness", 0.005)
    deepest, deep = 0.0, 0
    for frame, points in enumerate(positions):
        for shape in scene.get("colliders", []):
            out = distance(shape, points, frame * seconds)
            if out is not None:
                deepest = max(deepest, float(-out.min()))
                deep += int((out < -radius).sum())
    return deepest, deep


def measure(program, path):
    scene = json.loads(path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        report, positions = play(program, path, Path(folder))
    steps, step = scene.get("stepsPerFrame", 8), scene.get("timestep", 0.002)
    seconds = steps * step
    frames = report["frames"]
    ms = [frame["stepMs"] * steps for frame in frames]
    deepest, deep = penetrations(scene, positions, seconds)
    speed = np.linalg.norm(positions[-1] - positions[-2], axis=1).mean() / seconds
    return {
        "scene": path.stem, "particles": positions.shape[1],
        "msPerFrame": float(np.mean(ms)), "worstMs": float(np.percentile(ms, 99)),
        "stages": report.get("stageMsPerFrame", {}), "realTimeFactor": report["realTimeFactor"],
        "deepestMm": 1000 * deepest, "deep": deep, "maxStretch": frames[-1]["maxStretch"],
        "worstStretch": max(frame["maxStretch"] for frame in frames), "endSpeedMmPerS": 1000 * float(speed),
        "device": report["device"], "threads": report["threads"],
        "budgetMs": BUDGET_MS * seconds * 60,
    }


def table(rows):
    lines = ["# Showcases", "",
             f"Made by `bench/showcases.py` on {rows[0]['device']}, {rows[0]['threads']} threads: {FRAMES} frames "
             "of each scene. A frame of 16 ms must cost less than that. *Deep* counts particles, over all frames, more "
             "than `thickness` inside a shape that the scene names; funnels and torn or worn meshes are not looked "
             "at. Stretch is the largest length by length at rest, at the end and ever. Speed is the mean of all "
             "particles in the last frame.", "",
             "| scene | particles | ms a frame | 99% | by stage, ms | x real time | deepest, mm | deep | stretch at end | "
             "ever | speed at end, mm/s |", "|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|"]
    for row in rows:
        stages = ", ".join(f"{name} {ms:.2f}" for name, ms in row["stages"].items() if ms >= 0.005)
        lines.append(f"| {row['scene']} | {row['particles']} | {row['msPerFrame']:.2f} | {row['worstMs']:.2f} | {stages} | "
                     f"{row['realTimeFactor']:.2f} | {row['deepestMm']:.2f} | {row['deep']} | {row['maxStretch']:.3f} | "
                     f"{row['worstStretch']:.3f} | {row['endSpeedMmPerS']:.2f} |")
    return "\n".join(lines) + "\n"


def main():
    build, scenes, results = (Path(argument) for argument in sys.argv[1:4])
    program = build / "runtime/player/selvage-play"
    names = sys.argv[4:] or sorted(path.stem for path in scenes.glob("*.json"))
    rows = []
    for name in names:
        rows.append(measure(program, scenes / f"{name}.json"))
        row = rows[-1]
        verdict = "met" if row["msPerFrame"] <= row["budgetMs"] and row["deep"] == 0 else "MISSED"
        print(f"{name}: {row['msPerFrame']:.2f} ms a frame of {row['budgetMs']:.1f}, {row['deep']} deep, "
              f"stretch {row['worstStretch']:.3f}: {verdict}", flush=True)
    (results / "showcases.md").write_text(table(rows), encoding="utf-8")
    (results / "showcases.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
