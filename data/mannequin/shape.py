# SPDX-License-Identifier: MIT
"""The body as an implicit surface: limbs of oval cross-section, blended smoothly into one another.

field(x, y, z) is negative inside and roughly a distance in metres near the skin. 1.75 m tall, standing on
y = 0, facing +z, arms held 45 degrees from the sides. The left half (x > 0) is described; the right
mirrors it.
"""

from math import sqrt

from .vec import add, cross, dot, minus, times, unit

FAR = 1.0

# Joints of the left half in the pose that the body is made in; those with x = 0 lie in the middle.
ARM = unit((0.743, -0.669, 0.0))
FOREARM = unit((0.727, -0.671, 0.11))
SHOULDER = (0.170, 1.396, -0.016)
ELBOW = add(SHOULDER, times(ARM, 0.285))
WRIST = add(ELBOW, times(FOREARM, 0.250))
HIP = (0.090, 0.925, 0.0)
KNEE = (0.098, 0.495, 0.004)
ANKLE = (0.102, 0.085, -0.026)
BALL = (0.112, 0.020, 0.110)


class Limb:
    """Ovals along a straight line. Each row: (metres along the line, half width, half depth, shift along
    the width, shift along the depth); cubic curves lead from row to row, round caps close the ends."""

    def __init__(self, start, along, across, rows):
        self.start = start
        self.along = unit(along)
        self.across = unit(minus(across, times(self.along, dot(across, self.along))))
        self.deep = cross(self.along, self.across)
        self.rows = [tuple(row) + (0.0,) * (5 - len(row)) for row in rows]
        self.slopes = self._slopes()
        self.reach = max(max(row[1], row[2]) + max(abs(row[3]), abs(row[4])) for row in self.rows)
        self.first, self.last = self.rows[0][0], self.rows[-1][0]

    def _slopes(self):
        slopes = []
        for i in range(len(self.rows)):
            before, after = self.rows[max(i - 1, 0)], self.rows[min(i + 1, len(self.rows) - 1)]
            slopes.append(tuple((b - a) / (after[0] - before[0]) for a, b in zip(before, after)))
        return slopes

    def section(self, s):
        """Half width, half depth and shifts at s, which lies between the ends."""
        rows = self.rows
        i = 0
        while i < len(rows) - 2 and s > rows[i + 1][0]:
            i += 1
        span = rows[i + 1][0] - rows[i][0]
        t = (s - rows[i][0]) / span
        h01 = t * t * (3 - 2 * t)
        h10, h11 = t * (1 - t) * (1 - t) * span, t * t * (t - 1) * span
        a, b, m, n = rows[i], rows[i + 1], self.slopes[i], self.slopes[i + 1]
        return [a[k] + (b[k] - a[k]) * h01 + m[k] * h10 + n[k] * h11 for k in (1, 2, 3, 4)]

    def field(self, p):
        from_start = minus(p, self.start)
        s, u, v = dot(from_start, self.along), dot(from_start, self.across), dot(from_start, self.deep)
        inside = self.first if s < self.first else self.last if s > self.last else s
        beyond = s - inside
        bound = max(abs(beyond), abs(u), abs(v)) - self.reach
        if bound > 0.07:
            return bound if bound < FAR else FAR
        wide, deep, shift_u, shift_v = self.section(inside)
        u, v = u - shift_u, v - shift_v
        cap = 0.9 * (wide if wide < deep else deep)
        return oval(u, v, beyond, wide, deep, cap)


def oval(x, y, z, a, b, c):
    """Roughly the distance to the ellipsoid with those half axes."""
    x, y, z = x / a, y / b, z / c
    k0 = sqrt(x * x + y * y + z * z)
    x, y, z = x / a, y / b, z / c
    k1 = sqrt(x * x + y * y + z * z)
    return k0 * (k0 - 1.0) / k1 if k1 > 1e-9 else -min(a, b, c)


def ellipsoid(p, center, a, b, c):
    x, y, z = p[0] - center[0], p[1] - center[1], p[2] - center[2]
    bound = max(abs(x) - a, abs(y) - b, abs(z) - c)
    return bound if bound > 0.07 else oval(x, y, z, a, b, c)


def blend(a, b, width):
    """The union of two fields with a fillet that starts where they differ by less than width."""
    h = width - abs(a - b)
    low = a if a < b else b
    return low if h <= 0 else low - h * h / (4 * width)


def carve(a, b, width):
    """What of a lies where b is positive, with a rounded edge."""
    return -blend(-a, b, width)


UP, LEFT, FORWARD = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0)

# Along y. across = -x makes the depth axis point forwards: y x (-x) = z.
TORSO = Limb((0.0, 0.0, 0.0), UP, (-1.0, 0.0, 0.0), (
    (0.860, 0.132, 0.092, 0.0, -0.008),
    (0.900, 0.152, 0.104, 0.0, -0.010),
    (0.950, 0.157, 0.106, 0.0, -0.006),
    (1.000, 0.150, 0.100, 0.0, 0.000),
    (1.060, 0.137, 0.094, 0.0, 0.004),
    (1.110, 0.133, 0.092, 0.0, 0.004),
    (1.170, 0.138, 0.096, 0.0, 0.002),
    (1.240, 0.150, 0.105, 0.0, -0.001),
    (1.310, 0.159, 0.110, 0.0, -0.006),
    (1.370, 0.150, 0.100, 0.0, -0.014),
    (1.410, 0.124, 0.084, 0.0, -0.020),
    (1.445, 0.084, 0.066, 0.0, -0.024),
))
NECK = Limb((0.0, 1.430, -0.030), (0.0, 0.155, 0.040), (-1.0, 0.0, 0.0), (
    (0.000, 0.075, 0.066),
    (0.040, 0.061, 0.060),
    (0.090, 0.054, 0.057),
    (0.160, 0.055, 0.060),
))
YOKE = Limb((0.02, 1.452, -0.030), minus((0.160, 1.406, -0.020), (0.02, 1.452, -0.030)), UP, (
    (0.000, 0.036, 0.046),
    (0.075, 0.036, 0.046),
    (0.145, 0.040, 0.048),
))
# Along the arm the width is front to back, the depth is in the plane of the arms.
UPPER_ARM = Limb(SHOULDER, ARM, FORWARD, (
    (-0.025, 0.038, 0.034),
    (0.030, 0.049, 0.045),
    (0.080, 0.051, 0.048, 0.0, 0.002),
    (0.140, 0.048, 0.044, 0.0, 0.001),
    (0.200, 0.044, 0.041),
    (0.245, 0.039, 0.037),
    (0.285, 0.036, 0.035),
))
FORE_ARM = Limb(ELBOW, FOREARM, FORWARD, (
    (0.000, 0.036, 0.035),
    (0.045, 0.041, 0.039, 0.002),
    (0.090, 0.040, 0.037, 0.002),
    (0.150, 0.034, 0.030),
    (0.200, 0.028, 0.024),
    (0.250, 0.026, 0.020),
))
HAND = Limb(WRIST, add(FOREARM, (-0.10, 0.0, 0.03)), FORWARD, (
    (-0.010, 0.026, 0.020),
    (0.030, 0.036, 0.019, 0.004),
    (0.065, 0.042, 0.018, 0.004),
    (0.095, 0.041, 0.016, 0.003),
    (0.130, 0.036, 0.013, 0.001, -0.002),
    (0.165, 0.026, 0.011, -0.002, -0.006),
))
THUMB = Limb(add(WRIST, (0.018, -0.022, 0.016)), add(FOREARM, (-0.20, -0.05, 0.62)), UP, (
    (0.000, 0.016, 0.018),
    (0.035, 0.014, 0.015),
    (0.075, 0.010, 0.011),
))
THIGH = Limb(HIP, minus(KNEE, HIP), LEFT, (
    (-0.050, 0.050, 0.066, 0.010, 0.000),
    (0.000, 0.068, 0.082, 0.004, 0.000),
    (0.070, 0.079, 0.091, -0.003, -0.001),
    (0.140, 0.075, 0.087, -0.002, 0.002),
    (0.220, 0.068, 0.079, 0.0, 0.005),
    (0.300, 0.059, 0.068, 0.0, 0.005),
    (0.370, 0.051, 0.058, 0.0, 0.004),
    (0.430, 0.047, 0.053, 0.0, 0.004),
))
SHIN = Limb(KNEE, minus(ANKLE, KNEE), LEFT, (
    (0.000, 0.047, 0.053, 0.0, 0.004),
    (0.045, 0.046, 0.050, 0.0, -0.002),
    (0.110, 0.052, 0.055, 0.001, -0.010),
    (0.165, 0.050, 0.053, 0.001, -0.011),
    (0.240, 0.040, 0.044, 0.0, -0.006),
    (0.320, 0.031, 0.036, 0.0, -0.001),
    (0.385, 0.030, 0.038, 0.0, 0.0),
    (0.415, 0.031, 0.040, 0.0, 0.0),
))
# Along the sole from the heel; the width goes left, the depth is height, measured from the ground.
FOOT = Limb((0.099, 0.0, -0.050), (0.075, 0.0, 1.0), LEFT, (
    (-0.012, 0.030, 0.038, 0.0, 0.036),
    (0.030, 0.034, 0.046, 0.0, 0.042),
    (0.080, 0.034, 0.046, 0.0, 0.040),
    (0.130, 0.040, 0.036, 0.003, 0.030),
    (0.180, 0.046, 0.026, 0.006, 0.021),
    (0.215, 0.041, 0.020, 0.004, 0.017),
    (0.240, 0.026, 0.014, -0.002, 0.013),
))


def _trunk(p):
    d = TORSO.field(p)
    d = blend(d, YOKE.field(p), 0.060)
    d = blend(d, ellipsoid(p, (0.072, 1.320, 0.050), 0.086, 0.064, 0.050), 0.050)  # chest
    d = blend(d, ellipsoid(p, (0.080, 1.330, -0.070), 0.078, 0.100, 0.040), 0.060)  # shoulder blade
    d = blend(d, ellipsoid(p, (0.072, 0.890, -0.054), 0.080, 0.086, 0.074), 0.050)  # seat
    d = carve(d, ellipsoid(p, (0.0, 1.19, -0.160), 0.022, 0.190, 0.060), 0.060)  # hollow of the back
    return blend(d, NECK.field(p), 0.050)


def _head(p):
    d = ellipsoid(p, (0.0, 1.650, 0.002), 0.0765, 0.100, 0.097)
    d = blend(d, ellipsoid(p, (0.0, 1.592, 0.034), 0.057, 0.070, 0.064), 0.060)  # jaw
    d = blend(d, ellipsoid(p, (0.0, 1.546, 0.066), 0.024, 0.018, 0.024), 0.040)  # chin
    return blend(d, ellipsoid(p, (0.0, 1.618, 0.098), 0.014, 0.034, 0.016), 0.024)  # nose


def _arm(p):
    d = blend(UPPER_ARM.field(p), FORE_ARM.field(p), 0.012)
    d = blend(d, HAND.field(p), 0.016)
    return blend(d, THUMB.field(p), 0.018)


def _leg(p):
    d = blend(THIGH.field(p), SHIN.field(p), 0.012)
    sole = carve(FOOT.field(p), p[1], 0.012)  # flat where it stands
    return blend(d, sole, 0.035)


def field(x, y, z):
    p = (abs(x), y, z)
    d = FAR
    if y > 0.70:
        d = _trunk(p)
    if y > 1.42:
        d = blend(d, _head(p), 0.030)
    if p[0] > 0.06:
        d = blend(d, _arm(p), 0.040)
    if y < 1.1:
        leg = _leg(p)
        if p[0] < 0.06:  # the thighs meet softly, and only at the top
            leg = blend(leg, _leg((-p[0], y, z)), 0.020)
        d = blend(d, leg, 0.050)
    return d
