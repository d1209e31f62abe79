# SPDX-License-Identifier: MIT
"""Vectors and quaternions (x, y, z, w) with the same bits wherever they are computed.

Only + - * / and sqrt, which IEEE 754 rounds exactly. The sines are polynomials of our own, because
those of maths libraries differ in the last bit; the built-in sum() of floats is avoided, because newer
Pythons compensate its rounding.
"""

from math import sqrt

PI = 3.141592653589793


def add(a, b):
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def minus(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def times(a, s):
    return (a[0] * s, a[1] * s, a[2] * s)


def mix(a, b, t):
    return tuple(p + (q - p) * t for p, q in zip(a, b))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a):
    return sqrt(dot(a, a))


def unit(a):
    return times(a, 1.0 / length(a))


def sin(angle):
    turns = angle / (2 * PI)
    x = (turns - round(turns)) * 2 * PI  # -pi to pi
    if x > PI / 2:
        x = PI - x
    elif x < -PI / 2:
        x = -PI - x
    total, term, square = 0.0, x, x * x
    for n in range(1, 22, 2):
        total += term
        term *= -square / ((n + 1) * (n + 2))
    return total


def cos(angle):
    return sin(angle + PI / 2)


def clamp(t, low=0.0, high=1.0):
    return low if t < low else high if t > high else t


def ease(t):
    """0 to 1 with no speed and no acceleration at either end: how limbs move from rest to rest."""
    t = clamp(t)
    return t * t * t * (t * (t * 6 - 15) + 10)


# --- Quaternions ---------------------------------------------------------------------------------

IDENTITY = (0.0, 0.0, 0.0, 1.0)


def turn(axis, degrees):
    half = degrees * PI / 360
    s = sin(half)
    return (axis[0] * s, axis[1] * s, axis[2] * s, cos(half))


def pitch(degrees):
    """Around x: what faces forwards goes down, what hangs swings back."""
    return turn((1.0, 0.0, 0.0), degrees)


def yaw(degrees):
    """Around y: turns to the person's left."""
    return turn((0.0, 1.0, 0.0), degrees)


def roll(degrees):
    """Around z: the person's left side goes up."""
    return turn((0.0, 0.0, 1.0), degrees)


def compose(*turns):
    """The last acts first."""
    total = turns[0]
    for q in turns[1:]:
        total = _product(total, q)
    return total


def _product(a, b):
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (aw * bx + ax * bw + ay * bz - az * by, aw * by - ax * bz + ay * bw + az * bx,
            aw * bz + ax * by - ay * bx + az * bw, aw * bw - ax * bx - ay * by - az * bz)


def inverse(q):
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q, v):
    axis = q[:3]
    t = times(cross(axis, v), 2.0)
    return add(add(v, times(t, q[3])), cross(axis, t))


def normal(q):
    size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    return tuple(c / size for c in q)


def slerp_near(a, b, t):
    """Normalized linear interpolation from a to b along the shorter arc; accurate enough for small steps."""
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0:
        b = tuple(-c for c in b)
    return normal(mix(a, b, t))


def from_axes(x, y, z):
    """The rotation that takes the world's axes to these three, which are orthonormal."""
    trace = x[0] + y[1] + z[2]
    if trace > 0:
        s = 2 * sqrt(1 + trace)
        return normal(((y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4))
    if x[0] > y[1] and x[0] > z[2]:
        s = 2 * sqrt(1 + x[0] - y[1] - z[2])
        return normal((s / 4, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s))
    if y[1] > z[2]:
        s = 2 * sqrt(1 + y[1] - x[0] - z[2])
        return normal(((y[0] + x[1]) / s, s / 4, (z[1] + y[2]) / s, (z[0] - x[2]) / s))
    s = 2 * sqrt(1 + z[2] - x[0] - y[1])
    return normal(((z[0] + x[2]) / s, (z[1] + y[2]) / s, s / 4, (x[1] - y[0]) / s))
