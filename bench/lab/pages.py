#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the studies of the mass-spring solvers and writes a page for each.

    bench/lab/pages.py FOLDER [--quick]

Reads the CSV files of the program lab in FOLDER and writes SVG and Markdown there. Needs only the standard library.
"""

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from plot import FAINT, GRID, INK, document, draw_decade, draw_frame, line, power, read_rows, text  # noqa: E402

LABELS = {
    "MS_EXPLICIT_EULER": ("explicit Euler", "#8db6e3"),
    "MS_SYMPLECTIC_EULER": ("symplectic Euler", "#2b6cb0"),
    "MS_MIDPOINT": ("midpoint", "#c98a1b"),
    "MS_RK4": ("Runge-Kutta 4", "#d1373b"),
    "MS_VERLET": ("Verlet", "#1f7a3d"),
    "MS_IMPLICIT_EULER": ("implicit Euler", "#8e3fae"),
}
ORDERS = dict(zip(LABELS, (1, 1, 2, 4, 2, 1)))
PLAN_LABELS = {**LABELS, "MS_CONSTANT_MATRIX": ("constant matrix", "#b79ad0"), "MS_LOCAL_GLOBAL": ("local/global", "#5b2a86")}
REAL_TIME = 60.0  # frames of 1/60 s a second


class LogPanel:
    """Axes, logarithmic along both."""

    def __init__(self, box, x_range, y_range):
        self.left, self.top, self.width, self.height = box
        self.ends = [[math.log10(v) for v in ends] for ends in (x_range, y_range)]
        self.parts = []

    def at(self, value, axis):
        low, high = self.ends[axis]
        return (math.log10(max(value, 1e-300)) - low) / (high - low)

    def x(self, value):
        return self.left + self.width * self.at(value, 0)

    def y(self, value):
        return self.top + self.height * (1 - min(max(self.at(value, 1), 0), 1))

    def axes(self, title, x_name, y_name, ticks=None, y_ticks=None):
        """With `ticks` these values along x in place of powers of ten; with `y_ticks` along y."""
        bottom = self.top + self.height
        for tick in ticks or ():
            self.parts.append(line(self.x(tick), self.top, self.x(tick), bottom, GRID))
            self.parts.append(text(self.x(tick), bottom + 17, f"{tick:g}", 11, "middle", FAINT))
        for tick in y_ticks or ():
            self.parts.append(line(self.left, self.y(tick), self.left + self.width, self.y(tick), GRID))
            self.parts.append(text(self.left - 7, self.y(tick) + 4, f"{tick:g}", 11, "end", FAINT))
        for axis, (low, high) in enumerate(self.ends):
            for exponent in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1):
                if ticks if axis == 0 else y_ticks:
                    continue
                if axis == 0:
                    x = self.x(10.0 ** exponent)
                    self.parts.append(line(x, self.top, x, bottom, GRID))
                    self.parts.append(text(x, bottom + 17, power(exponent), 11, "middle", FAINT))
                else:
                    self.parts += draw_decade(self, exponent)
        self.parts += draw_frame(self, title, x_name)
        self.parts.append(text(self.left - 50, self.top + self.height / 2, y_name, 12, "middle", turn=-90))

    def curve(self, points, color, dashes=""):
        path = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)
        self.parts.append(f"<polyline points='{path}' fill='none' stroke='{color}' stroke-width='2' "
                          f"stroke-dasharray='{dashes}'/>")
        self.parts += [f"<circle cx='{self.x(x):.1f}' cy='{self.y(y):.1f}' r='2.5' fill='{color}'/>"
                       for x, y in points if not dashes]

    def legend(self, entries):
        for n, (words, color) in enumerate(entries):
            y = self.top + 14 + 17 * n
            x = self.left + self.width + 14
            self.parts.append(line(x, y - 4, x + 18, y - 4, color, 2))
            self.parts.append(text(x + 24, y, words, 11.5))


class HalfLogPanel(LogPanel):
    """Logarithmic along y only."""

    def __init__(self, box, x_range, y_range):
        super().__init__(box, (1, 10), y_range)
        self.x_range = x_range

    def x(self, value):
        low, high = self.x_range
        return self.left + self.width * (value - low) / (high - low)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join(["---"] + ["---:"] * (len(head) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def decades(values):
    return 10.0 ** math.floor(math.log10(min(values))), 10.0 ** math.ceil(math.log10(max(values)))


def page(folder, name, title, command, quick, body):
    conditions = folder / "conditions.txt"  # of the machine, where it was not idle
    if name in ("cost", "fabric", "plan") and conditions.exists():
        body = conditions.read_text("utf-8").strip() + "\n\n" + body
    note = "\nShort version: fewer and smaller cases than the command without `--quick`.\n" if quick else ""
    (folder / f"{name}.md").write_text(f"# {title}\n\n`{command}{' --quick' if quick else ''}` makes this page.\n{note}\n{body}\n",
                                       "utf-8")


# --- Stability ------------------------------------------------------------------------------------------

def stability(folder, quick):
    rows = [row for row in read_rows(folder / "stability.csv")]
    finite = [row for row in rows if row["theory_s"] != "inf"]
    worst = max(abs(float(row["ratio"]) - 1.0) for row in rows)
    panel = LogPanel((84, 46, 520, 380), (0.02, 0.2), (0.02, 0.2))
    ticks = (0.02, 0.03, 0.05, 0.1, 0.15, 0.2)
    panel.axes("Longest stable step", "theory for the highest frequency of the cloth, s", "measured, s", ticks, ticks)
    panel.curve([(0.02, 0.02), (0.2, 0.2)], FAINT, "3 3")
    for solver, (_, color) in LABELS.items():
        radius = {"MS_SYMPLECTIC_EULER": 8, "MS_MIDPOINT": 5.5}.get(solver, 3.5)  # these coincide with Verlet
        panel.parts += [f"<circle cx='{panel.x(float(r['theory_s'])):.1f}' cy='{panel.y(float(r['measured_s'])):.1f}' "
                        f"r='{radius}' fill='{color}'/>" for r in finite if r["integrator"] == solver]
    paper = float(rows[0]["paper_s"])
    panel.parts.append(line(panel.left, panel.y(paper), panel.left + panel.width, panel.y(paper), INK, 1.5))
    panel.parts.append(text(panel.left + 6, panel.y(paper) - 5, "0.4 π √(m/K), the paper's limit", 11.5))
    panel.legend([LABELS[solver] for solver in LABELS if solver != "MS_IMPLICIT_EULER"])
    (folder / "stability.svg").write_text(document(800, 480, panel.parts), "utf-8")
    body = []
    for springs in dict.fromkeys(row["springs"] for row in rows):
        sides = list(dict.fromkeys(row["side"] for row in rows))
        lines = []
        for solver in LABELS:
            mine = {r["side"]: r for r in rows if r["springs"] == springs and r["integrator"] == solver}
            cells = [f"{float(mine[s]['measured_s']):.4f} ({float(mine[s]['ratio']):.3f})"
                     if mine[s]["theory_s"] != "inf" else "1 s, no limit found" for s in sides]
            first = mine[sides[0]]
            limit = "none" if first["theory_s"] == "inf" else f"{float(first['infinite_s']):.4f}"
            lines.append([LABELS[solver][0] + (", damped" if float(first["damping_s"]) > 0 else "")] + cells + [limit])
        body.append(f"## Springs: {springs}\n\n" +
                    table(["s (over theory)"] + [f"{s} x {s}" for s in sides] + ["infinite grid, theory"], lines))
    structural = [r for r in finite if r["integrator"] in ("MS_SYMPLECTIC_EULER", "MS_VERLET")]
    ratios = [paper / float(r["measured_s"]) for r in structural]
    page(folder, "stability", "Longest stable steps of mass-spring cloth", "bench/lab/run.sh stability", quick, f"""\
Springs of 100 N/m, particles of 1 kg: √(m/k) is 0.1 s. The cloth lies at rest without gravity; its particles are displaced
within its plane by 10⁻⁴ of their spacing. Explicit Euler and the midpoint rule are unstable at any step without damping
and have spring damping of 1/ω_max here. Bisection ends at 0.1% of the step. Largest deviation from theory: {100 * worst:.2f}%
(target: 3%).

![Measured against theory](stability.svg)

The integrators paper gives 0.4 π √(m/K) = {paper:.4f} s for explicit Euler. That is {min(ratios):.2f} to {max(ratios):.2f} times the
longest stable step of symplectic Euler, which is what the paper's formula (2.15) is. Explicit Euler itself has no stable
step without damping.

""" + "\n\n".join(body))
    print(f"stability: within {100 * worst:.2f}% of theory")


# --- Order ------------------------------------------------------------------------------------------------

def slope(points):
    """Of a straight line through the logarithms, by least squares."""
    logs = [(math.log(x), math.log(y)) for x, y in points]
    x_mean = sum(x for x, _ in logs) / len(logs)
    y_mean = sum(y for _, y in logs) / len(logs)
    return (sum((x - x_mean) * (y - y_mean) for x, y in logs) / sum((x - x_mean) ** 2 for x, _ in logs))


def order(folder, quick):
    rows = read_rows(folder / "order.csv")
    curves = {s: [(float(r["step_s"]), float(r["error_m"])) for r in rows if r["integrator"] == s] for s in LABELS}
    values = [point for points in curves.values() for point in points]
    panel = LogPanel((84, 46, 520, 380), decades([x for x, _ in values]), decades([y for _, y in values]))
    panel.axes("Error after half a second", "step, s", "error of positions, m")
    slopes = {}
    for solver, points in curves.items():
        panel.curve(points, LABELS[solver][1])
        slopes[solver] = slope(points[-3:])  # the finest, where higher orders have least part
    panel.legend([(f"{LABELS[s][0]}: {slopes[s]:.2f}", LABELS[s][1]) for s in LABELS])
    (folder / "order.svg").write_text(document(800, 480, panel.parts), "utf-8")
    worst = max(abs(slopes[s] - ORDERS[s]) for s in LABELS)
    body = table(["integrator", "order", "measured", "error at the longest step, m", "at the shortest"],
                 [[LABELS[s][0], str(ORDERS[s]), f"{slopes[s]:.3f}", f"{curves[s][0][1]:.2e} ({curves[s][0][0]:.2g} s)",
                   f"{curves[s][-1][1]:.2e} ({curves[s][-1][0]:.2g} s)"] for s in LABELS])
    energy = read_rows(folder / "energy.csv")
    lines = []
    for solver in LABELS:
        mine = [r for r in energy if r["integrator"] == solver]
        changes = [float(r["change_j"]) for r in mine]
        last = "" if len(mine) > 200 else f", diverged after {int(mine[-1]['step']):,}"
        lines.append([LABELS[solver][0], f"{min(changes):.3g}", f"{max(changes):.3g}", f"{changes[-1]:.3g}{last}"])
    steps = max(int(r["step"]) for r in energy)
    panel = HalfLogPanel((84, 46, 520, 380), (0, steps), (1e-4, 1e4))
    panel.axes("Size of the change of the total energy (explicit Euler: out of range after 500 steps)", "steps", "change, J", [steps * n // 5 for n in range(6)])
    for solver in LABELS:
        mine = [(int(r["step"]), abs(float(r["change_j"]))) for r in energy if r["integrator"] == solver and r["step"] != "0"]
        path = " ".join(f"{panel.x(x):.1f},{panel.y(y):.1f}" for x, y in mine)
        panel.parts.append(f"<polyline points='{path}' fill='none' stroke='{LABELS[solver][1]}' stroke-width='1.2'/>")
    panel.legend([LABELS[solver] for solver in LABELS])
    (folder / "energy.svg").write_text(document(800, 480, panel.parts), "utf-8")
    damping = table(["step, ms", "measured, 1/s", "theory, 1/s", "ratio"],
                    [[f"{1e3 * float(r['step_s']):g}", f"{float(r['measured_1_per_s']):.4f}", f"{float(r['theory_1_per_s']):.4f}",
                      f"{float(r['measured_1_per_s']) / float(r['theory_1_per_s']):.3f}"] for r in read_rows(folder / "damping.csv")])
    page(folder, "order", "Accuracy of the integrators", "bench/lab/run.sh order", quick, f"""\
A net of 5 x 5 particles falls from two corners, stretched, for half a second. The reference is Runge-Kutta in double with
steps of 50 µs. The order is the slope through the three shortest steps; largest deviation: {worst:.3f} (target: 0.1).

![Error against step](order.svg)

{body}

## Energy over {steps:,} steps of 5 ms

![Energy](energy.svg)

Changes of the total energy of the net in joules; at the start it has {float(energy[0]['energy_j']):.3f} J. No damping.

{table(["integrator", "lowest", "highest", "at the end"], lines)}

## Numerical damping of implicit Euler

Rate at which an oscillation of 1 Hz decays without any damping in the model. In theory a step divides its amplitude by
√(1 + h²ω²).

{damping}""")
    print(f"order: slopes within {worst:.3f}")


# --- Cost ---------------------------------------------------------------------------------------------------

def settings(folder):
    path = folder / "settings.csv"
    if not path.exists():
        return ""
    lines = [[f"`{r['solver']}`", f"{r['side']} x {r['side']}", f"{int(r['springs']):,}", f"{1e3 * float(r['step_s']):.3g}",
              f"{r['outer']} × {r['inner']}", f"{float(r['step_us']):,.0f}", f"{float(r['real_time']):.3g}"]
             for r in read_rows(path)]
    return """## Single settings

Processor time of one thread, the best of seven rounds. `MS_CONSTANT_MATRIX` and `MS_LOCAL_GLOBAL` have a factor in the pack.
Targets: ten iterations of `MS_LOCAL_GLOBAL` with 81 x 81 particles in 4,000 µs; 14,502 springs at 100 times real time with the
best solver.

""" + table(["solver", "particles", "springs", "step, ms", "iterations", "µs a step", "motion over time"], lines)


def bound(folder, rows):
    """The explicit step against what arithmetic and memory allow, and the ratios that have targets."""
    if not (folder / "bound.csv").exists():
        return ""
    bounds = {r["bound"]: r for r in read_rows(folder / "bound.csv")}
    longest = max(float(r["step_us"]) for r in bounds.values())
    times = {(r["integrator"], r["threads"]): float(r["step_us"]) for r in rows if r["damped"] == "0"}
    one = times["MS_SYMPLECTIC_EULER", "1"]
    lines = [["arithmetic: forces of all spring ends", f"{float(bounds['arithmetic']['unit_ns']):.3g} ns an end",
              f"{int(bounds['arithmetic']['units']):,} ends", f"{float(bounds['arithmetic']['step_us']):.0f}"],
             ["memory: bytes read and written", f"{float(bounds['memory']['unit_ns']):.3g} ns a byte",
              f"{float(bounds['memory']['units']) / 1e6:.2f} MB", f"{float(bounds['memory']['step_us']):.0f}"]]
    part = longest / one
    speedup = one / times["MS_SYMPLECTIC_EULER", "2"]
    ratio = times["MS_RK4", "1"] / one

    def verdict(name, value, target, reached):
        return [name, value, target, "reached" if reached else "**missed**"]

    return f"""## Against the bound of this machine

Both are measured beside the steps: the arithmetic of a spring on operands in the first cache, without neighbors by index, and
copies of as many bytes. The larger one bounds a step of symplectic Euler, which took {one:.0f} µs.

{table(["bound", "a unit", "units", "µs a step"], lines)}

{table(["figure", "measured", "target", ""],
       [verdict("bound over step of symplectic Euler, one thread", f"{100 * part:.0f}%", "60%", part >= 0.6),
        verdict("one thread over two", f"{speedup:.2f}", "1.8", speedup >= 1.8),
        verdict("Runge-Kutta 4 over symplectic Euler", f"{ratio:.2f}", "at most 4.4", ratio <= 4.4)])}"""


def cost(folder, quick):
    rows = read_rows(folder / "cost.csv")
    body = [bound(folder, rows)]
    for damped in ("0", "1"):
        mine = {(r["integrator"], r["threads"]): r for r in rows if r["damped"] == damped}
        base = float(mine["MS_SYMPLECTIC_EULER", "1"]["step_us"])
        lines = []
        for solver in LABELS:
            one, two = (float(mine[solver, threads]["step_us"]) for threads in ("1", "2"))
            lines.append([LABELS[solver][0], f"{one:.0f}", f"{float(mine[solver, '1']['ns_per_spring']):.2f}", f"{one / base:.2f}",
                          f"{two:.0f}", f"{one / two:.2f}"])
        body.append(f"## {'With' if damped == '1' else 'Without'} damping of springs\n\n" + table(
            ["integrator", "one thread, µs", "ns a spring", "over symplectic Euler", "two threads, µs", "one thread over two"], lines))
    page(folder, "cost", "Time of a step of mass-spring cloth", "bench/lab/run.sh cost", quick, """\
A cloth of 100 x 100 particles with structural, shear and bending springs, best of seven rounds that take turns: processor
time of one thread, wall time of two. Implicit Euler does ten iterations of conjugate gradients.

""" + "\n\n".join(body + [settings(folder)]))
    print("cost: written")


# --- The paper's test plan ----------------------------------------------------------------------------------

def plan_runs(rows):
    """The table of all runs."""
    lines = []
    for row in rows:
        rest = "" if row["scenario"] == "flag" else f"{float(row['rest_s']):.2f}" if float(row["rest_s"]) >= 0 else "not reached"
        lines.append([row["scenario"], PLAN_LABELS[row["integrator"]][0], row["side"], f"{1e3 * float(row['step_s']):.3f}",
                      row["stiffness"], f"{1e3 * float(row['damping_s']):g}", row["mass_kg"], row["stable"], rest,
                      f"{float(row['motion_s']):.3g}", f"{float(row['frames_per_s']):,.0f}",
                      f"{1e3 * float(row['integration_ms']):.1f}", f"{1e3 * float(row['springs_ms']):.1f}",
                      f"{1e3 * float(row['step_ms']):.1f}"])
    return table(["scenario", "integrator", "side", "step, ms", "N/m", "damping, ms", "kg", "stable", "at rest after, s",
                  "motion, s", "frames/s", "integration, µs", "springs, µs", "step, µs"], lines)


def plan_picture(folder, best, integrators, sides):
    panel = LogPanel((84, 46, 520, 380), (min(sides) * 0.9, max(sides) * 1.1), (0.1, 1e6))
    panel.axes("Frames of 1/60 s a second, of the best stable run", "particles along a side", "frames a second", sides)
    panel.parts.append(line(panel.left, panel.y(REAL_TIME), panel.left + panel.width, panel.y(REAL_TIME), INK, 1.5))
    panel.parts.append(text(panel.left + 6, panel.y(REAL_TIME) - 5, "real time", 11.5))
    for integrator in integrators:
        points = [(side, best[integrator, side]) for side in sides if (integrator, side) in best]
        panel.curve(points, PLAN_LABELS[integrator][1])
    panel.legend([PLAN_LABELS[integrator] for integrator in integrators])
    (folder / "plan.svg").write_text(document(800, 480, panel.parts), "utf-8")


def frames(best, tried, integrator, side):
    if (integrator, side) not in tried:
        return "not run"
    value = best.get((integrator, side))
    return "none stable" if value is None else f"{value:,.0f}" if value >= 10 else f"{value:.2g}"


def plan_hypotheses(best, tried, integrators, sides):
    slow = [key for key in ((i, s) for i in integrators for s in sides) if key in tried and best.get(key, 0.0) < REAL_TIME]
    words = []
    for side in sides:
        names = [PLAN_LABELS[i][0] for i, s in slow if s == side]
        true = [i for i in integrators if i != "MS_CONSTANT_MATRIX"]
        fastest = max(true, key=lambda i: best.get((i, side), 0.0))
        factor = best.get((fastest, side), 0.0) / REAL_TIME
        few = "all in real time" if not names else "none in real time" if len(names) == sum(s == side for _, s in tried) else \
            "not in real time: " + ", ".join(names)
        words.append(f"- {side} x {side}: {few}. The fastest that follows the motion, {PLAN_LABELS[fastest][0]}, has "
                     f"{factor:,.3g} times real time.")
    small = [s for s in sides if not any(key[1] == s for key in slow)]
    if not slow:
        answer = "The null hypothesis (every method gives real-time cloth on modern hardware) holds for all sizes tested."
    else:
        upto = f"It holds up to {max(small)} x {max(small)} particles. " if small else ""
        answer = ("The null hypothesis (every method gives real-time cloth on modern hardware) is rejected for cloths in general. "
                  f"{upto}For larger ones the alternative holds: some methods are too expensive, and others are not.")
    return (answer + " Real time is 60 frames of 1/60 s of motion in a second of one core, with the best of the steps and "
            "parameters that all sizes have and that were stable:\n\n" + "\n".join(words) + "\n\n" +
            table(["frames/s of the best stable run"] + [f"{s} x {s}" for s in sides],
                  [[PLAN_LABELS[i][0]] + [frames(best, tried, i, s) for s in sides] for i in integrators]) +
            "\n\nThe constant matrix costs least and does not follow the motion: it resists turning, so its sheet is at rest almost at "
            "once. Explicit steps shrink with the square root of the mass of a particle, with strong damping with the mass itself: "
            "in theory twice the particles along a side cost 8 to 16 times as much; measured, 6 to 20 times. Spring damping of 2 ms shortens these steps; "
            "without it symplectic Euler reaches the steps of the stability study.")


def plan_times(rows, integrators, sides):
    """Where the time of a step goes, of the softest springs and longest step."""
    side = str(50 if 50 in sides else max(sides))
    lines = []
    for integrator in integrators:
        mine = [r for r in rows if r["integrator"] == integrator and r["side"] == side and r["scenario"] == "sheet"]
        if mine:
            row = max(mine, key=lambda r: float(r["step_s"]))
            whole = float(row["step_ms"])
            lines.append([PLAN_LABELS[integrator][0], f"{1e3 * float(row['step_s']):.3f}", f"{1e3 * float(row['integration_ms']):.1f}",
                          f"{1e3 * float(row['springs_ms']):.1f}", f"{1e3 * whole:.1f}", f"{100 * float(row['springs_ms']) / whole:.0f}%"])
    return f"""Microseconds of one core a step, of the sheet of {side} x {side} particles: integration and the end of the step; forces of springs,
air and, of implicit integrators, the solve; all.

""" + table(["integrator", "step, ms", "integration, µs", "springs, µs", "all, µs", "springs of all"], lines)


def plan_rest(rows, integrators, sides):
    """Motion until the sheet is at rest: the shortest and the longest of the runs that came to rest."""
    lines = []
    for integrator in integrators:
        cells = []
        for side in sides:
            mine = [r for r in rows if r["integrator"] == integrator and r["side"] == str(side) and r["scenario"] == "sheet"
                    and r["stable"] == "yes"]
            times = [float(r["rest_s"]) for r in mine if float(r["rest_s"]) >= 0]
            cells.append(f"{min(times):.1f} to {max(times):.1f} s ({len(times)} of {len(mine)})" if times else "none")
        lines.append([PLAN_LABELS[integrator][0]] + cells)
    return table(["at rest after"] + [f"{s} x {s}" for s in sides], lines)


def plan_stability(rows, integrators):
    lines = []
    for integrator in integrators:
        mine = [r for r in rows if r["integrator"] == integrator]
        wrong = [r for r in mine if r["stable"] != "yes"]
        lines.append([PLAN_LABELS[integrator][0], str(len(mine)), str(len(wrong)),
                      "; ".join(sorted({f"{r['scenario']}, {1e3 * float(r['damping_s']):g} ms of damping" for r in wrong}))])
    return table(["integrator", "runs", "unstable", "which"], lines)


def plan(folder, quick):
    rows = read_rows(folder / "plan.csv")
    integrators = [i for i in PLAN_LABELS if any(row["integrator"] == i for row in rows)]
    sides = sorted({int(row["side"]) for row in rows})
    material = ("stiffness", "damping_s", "mass_kg")
    shared = set.intersection(*({tuple(r[m] for m in material) for r in rows if int(r["side"]) == side} for side in sides))
    best = {}
    for row in rows:
        if row["stable"] == "yes" and tuple(row[m] for m in material) in shared:
            key = row["integrator"], int(row["side"])
            best[key] = max(best.get(key, 0.0), float(row["frames_per_s"]))
    tried = {(row["integrator"], int(row["side"])) for row in rows}
    plan_picture(folder, best, integrators, sides)
    page(folder, "plan-runs", "All runs of the integrators paper's test plan", "bench/lab/run.sh plan", quick, plan_runs(rows))
    page(folder, "plan", "The integrators paper's test plan", "bench/lab/run.sh plan", quick, f"""\
The paper (2016) announces these tests and does not print results. A sheet of 1 m hangs from two corners, until its kinetic
energy stays below that of 1 mm/s for a quarter of a second or a minute is over. A flag is held by its left edge in the paper's
wind of 5 m/s. Each test of the list file runs all combinations of its integrators, sizes, steps, stiffness, damping and mass;
large sizes have fewer of them. Steps are 0.95, 0.5 and 0.25 times the longest stable one in theory, of implicit integrators
times 10 ms. A run also ends after its share of processor
time, so a large sheet may not come to rest in it. Steps below 1 µs are left out. [All {len(rows)} runs](plan-runs.md).

## The two hypotheses

{plan_hypotheses(best, tried, integrators, sides)}

![Frames a second](plan.svg)

## Where the time goes

{plan_times(rows, integrators, sides)}

## Time to equilibrium

Motion until the sheet is at rest, over all steps and parameters, and how many stable runs came to rest within their time.

{plan_rest(rows, integrators, sides)}

## Stability

{plan_stability(rows, integrators)}""")
    print(f"plan: {len(rows)} runs")


# --- The same error -------------------------------------------------------------------------------------------

SOLVERS = {
    "MS_SYMPLECTIC_EULER": "#2b6cb0", "MS_MIDPOINT": "#c98a1b", "MS_RK4": "#d1373b", "MS_VERLET": "#1f7a3d",
    "MS_IMPLICIT_EULER": "#8e3fae", "MS_CONSTANT_MATRIX": "#b79ad0", "MS_LOCAL_GLOBAL": "#5b2a86", "MS_LAGRANGE": "#7a7a7a",
    "PD_GS": "#d98880", "PD_RBGS": "#c0392b", "PD_JACOBI": "#e6b0aa", "PD_MULTIGRID": "#117a65", "PBD_GS": "#34495e",
    "PBD_JACOBI": "#aab7b8",
}
TARGETS = (0.02, 0.005, 0.001)


def front(rows):
    """Runs that no other one beats in both time and error."""
    best, kept = math.inf, []
    for row in sorted(rows, key=lambda r: float(r["ms_per_s"])):
        if float(row["error_m"]) < best:
            best = float(row["error_m"])
            kept.append(row)
    return kept


def cheapest(rows, target):
    fits = [r for r in rows if float(r["error_m"]) <= target]
    return min(fits, key=lambda r: float(r["ms_per_s"])) if fits else None


def setting(row):
    iterations = "" if row["outer"] == row["inner"] == "1" else f", {row['outer']} × {row['inner']}"
    return f"{1e3 * float(row['step_s']):.3g} ms{iterations}"


def quality_picture(folder, rows, stiffnesses):
    parts = []
    chosen = [stiffnesses[0], stiffnesses[len(stiffnesses) // 2], stiffnesses[-1]]
    for n, stiffness in enumerate(dict.fromkeys(chosen)):
        panel = LogPanel((84 + 400 * n, 46, 300, 380), (0.1, 2000), (1e-5, 1))
        panel.axes(f"{float(stiffness):,.0f} N/m", "processor time, ms a second of motion", "error, m")
        for solver, color in SOLVERS.items():
            mine = front([r for r in rows if r["stiffness"] == stiffness and r["solver"] == solver])
            panel.curve([(float(r["ms_per_s"]), float(r["error_m"])) for r in mine], color)
        parts += panel.parts
    panel.legend(list(SOLVERS.items()))
    parts += panel.parts[-2 * len(SOLVERS):]
    (folder / "quality.svg").write_text(document(1440, 480, parts), "utf-8")


def quality(folder, quick):
    rows = read_rows(folder / "quality.csv")
    stiffnesses = list(dict.fromkeys(row["stiffness"] for row in rows))
    quality_picture(folder, rows, stiffnesses)
    body, winners = [], []
    for target in TARGETS:
        lines = []
        found = {s: {k: cheapest([r for r in rows if r["solver"] == s and r["stiffness"] == k], target) for k in stiffnesses}
                 for s in SOLVERS}
        best = {k: min((float(one[k]["ms_per_s"]) for one in found.values() if one[k]), default=0) for k in stiffnesses}
        for solver in SOLVERS:
            cells = []
            for k in stiffnesses:
                row = found[solver][k]
                bold = "**" if row and float(row["ms_per_s"]) == best[k] else ""
                cells.append(f"{bold}{float(row['ms_per_s']):.3g}{bold} ({setting(row)})" if row else "not reached")
            lines.append([f"`{solver}`"] + cells)
        body.append(f"## Error of at most {1e3 * target:g} mm\n\n" +
                    table(["ms of one core a second"] + [f"{float(k):,.0f} N/m" for k in stiffnesses], lines))
        for k in stiffnesses:
            first = min((s for s in SOLVERS if found[s][k]), key=lambda s: float(found[s][k]["ms_per_s"]), default=None)
            if first:
                winners.append([f"{1e3 * target:g} mm", f"{float(k):,.0f}", f"`{first}`", setting(found[first][k]),
                                f"{best[k]:.3g}"])
    page(folder, "quality", "Which solver to take: processor time for the same error", "bench/lab/run.sh quality", quick, f"""\
A square cloth of 1 m and 0.2 kg with 17 x 17 particles swings for 0.6 s from its upper edge, from 50° off the vertical and
with a wave across it, without damping. Its springs along threads have the stiffness of a column, its diagonals half of that.
The error is the root mean square distance of particles from where a converged reference has them. Every solver was tried
with steps of 33 ms to 31 µs and, where it iterates, with up to six numbers of iterations. The tables show the cheapest
setting that stays below an error: processor time of one core, the step, and outer × inner iterations.

`MS_CONSTANT_MATRIX` and `MS_LOCAL_GLOBAL` have a factor in the pack. `MS_LAGRANGE` keeps lengths exactly, and so has the
error of cloth that does not stretch. The reference is the fourth-order Runge-Kutta method at a quarter of its longest
stable step. From 5,000 N/m on, the motion amplifies the smallest differences: not even Runge-Kutta with other steps comes
below 5 mm, and a small error there is no measure of quality.

![Error against time](quality.svg)

## The cheapest

{table(["error", "N/m", "solver", "setting", "ms of one core a second"], winners)}

""" + "\n\n".join(body))
    print(f"quality: {len(rows)} runs")


# --- Super-elasticity -----------------------------------------------------------------------------------------

def stretch(folder, quick):
    rows = read_rows(folder / "stretch.csv")
    limits = list(dict.fromkeys(row["limit"] for row in rows))
    colors = dict(zip(limits, ("#d1373b", "#c98a1b", "#2b6cb0", "#1f7a3d")))
    names = {k: "no limit" if float(k) == 0 else f"limit {float(k):g}" for k in limits}
    panel = HalfLogPanel((84, 46, 520, 380), (0.78, 2.02), (0.8, 1e4))
    panel.axes("Springs by length over rest length", "length over rest length", "springs", (0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0))
    lines = []
    for limit in limits:
        mine = [r for r in rows if r["limit"] == limit]
        panel.curve([(float(r["from"]) + 0.01, int(r["springs"])) for r in mine if int(r["springs"]) > 0], colors[limit])
        total = sum(int(r["springs"]) for r in mine)
        over = [sum(int(r["springs"]) for r in mine if float(r["from"]) >= edge - 1e-9) for edge in (1.1, 1.2)]
        lines.append([names[limit], f"{float(mine[0]['longest']):.3f}", f"{100 * over[0] / total:.2f}%", f"{100 * over[1] / total:.2f}%"])
    panel.legend([(names[k], colors[k]) for k in limits])
    (folder / "stretch.svg").write_text(document(800, 480, panel.parts), "utf-8")
    page(folder, "stretch", "Super-elasticity", "bench/lab/run.sh stretch", quick, f"""\
A sheet of 1 m and 0.2 kg hangs from two corners, with springs of 10 N/m of all three kinds and `MS_SYMPLECTIC_EULER`, after six
seconds. Springs near the corners carry the whole sheet and stretch further than cloth does; Provot (1995) shortens those
longer than (1 + τ) times their rest length after each step. `strainLimit` does so here, for structural springs. It moves
each particle by the mean of the corrections of its springs, so springs near the corners stay longer than each limit.

{table(["τ", "longest spring over rest", "longer than 1.1", "longer than 1.2"], lines)}

![Histogram](stretch.svg)""")
    print("stretch: " + ", ".join(f"{line[0]}: {line[1]}" for line in lines))


# --- The fabric paper's figure 7 ------------------------------------------------------------------------------

def fabric(folder, quick):
    rows = read_rows(folder / "fabric.csv")
    counts = list(dict.fromkeys(row["free_particles"] for row in rows))
    at_500 = next(float(r["step_us"]) for r in rows if r["free_particles"] == "500" and r["threads"] == "1")
    lines, curves = [], {"1": [], "2": []}
    for count in counts:
        mine = {r["threads"]: float(r["step_us"]) for r in rows if r["free_particles"] == count}
        for threads in ("1", "2"):
            curves[threads].append((float(count), 1e6 / mine[threads]))
        lines.append([count, f"{mine['1']:.0f}", f"{1e6 / mine['1']:,.0f}", f"{mine['2']:.0f}", f"{1e6 / mine['2']:,.0f}",
                      f"{0.0005 / (1e-6 * mine['1']):.2f}"])
    panel = HalfLogPanel((84, 46, 520, 380), (-20, 1020), (10, 1e4))
    panel.axes("Frames a second, of one step each", "free particles", "frames a second", [200 * n for n in range(6)])
    panel.curve(curves["1"], "#2b6cb0")
    panel.curve(curves["2"], "#1f7a3d")
    panel.parts.append(f"<circle cx='{panel.x(500):.1f}' cy='{panel.y(20):.1f}' r='6' fill='#d1373b'/>")
    panel.parts.append(text(panel.x(500) + 12, panel.y(20) + 4, "the paper: about 20", 11.5, "start", "#d1373b"))
    panel.legend([("ours, one thread", "#2b6cb0"), ("ours, two threads", "#1f7a3d"), ("the paper", "#d1373b")])
    (folder / "fabric.svg").write_text(document(860, 480, panel.parts), "utf-8")
    page(folder, "fabric", "Frame rate against free particles", "bench/lab/run.sh fabric", quick, f"""\
Figure 7 of the fabric paper (2016): a fabric of 29 x 29 particles falls onto a sphere and a floor, free particles onto it. The
paper has about 20 frames a second with 500 free particles on the graphics unit of a Core i7-4510U. Particles of 0.1 g and
radius 0.05 m, springs of 100 N/m, `MS_SYMPLECTIC_EULER` with steps of 0.5 ms (√(m/K) is 1 ms). Velocities decay by
0.999 a millisecond, their components stay within 20 m/s, and a step corrects a tenth of an overlap for each of two particles, as the paper's engine does; an overlap that a step would begin is prevented as a whole.

A frame is one step here. The paper does not say how many steps its frames have. If they kept up with real time, with steps of
at most 1 ms, they had about 50, and 20 frames a second are 1,000 steps of 1 ms; ours does {1e6 / at_500:,.0f} steps of 0.5 ms a second
with 500 particles on one thread, {0.0005 / (1e-6 * at_500):.2f} times real time.

{table(["free particles", "one thread, µs a step", "frames a second", "two threads, µs", "frames a second",
        "motion over time, one thread"], lines)}

![Frame rate](fabric.svg)""")
    print("fabric: written")


def main():
    folder = Path(sys.argv[1])
    quick = "--quick" in sys.argv[2:]
    for study in (stability, order, cost, quality, stretch, fabric, plan):
        if (folder / f"{study.__name__}.csv").exists():
            study(folder, quick)


if __name__ == "__main__":
    main()
