# SPDX-License-Identifier: MIT
"""How the mannequin moves: clips as lists of poses, 60 a second.

Legs follow the feet by inverse kinematics; everything else is given by angles. A pose
is (position of the hips, local rotation of every joint). All clips but the walk start and end in the pose that
the body was made in, for which the garments are made.
"""

from . import shape, skeleton
from .vec import (IDENTITY, PI, add, clamp, compose, cos, cross, dot, ease, from_axes, inverse, length, minus,
                  mix, pitch, roll, rotate, sin, times, turn, unit, yaw)

FPS = 60
BIND_ABDUCTION = 48.0  # degrees from hanging, of the arms in the pose that the body was made in
ELBOW_AXIS = (0.669, 0.743, 0.0)
HIPS = skeleton.POSITION["hips"]
THIGH_LENGTH = length(minus(shape.KNEE, shape.HIP))
SHIN_LENGTH = length(minus(shape.ANKLE, shape.KNEE))
HEEL = (shape.ANKLE[0], 0.0, -0.060)
BALL = (shape.ANKLE[0], shape.BALL[1], shape.BALL[2])


def mirror_turn(q):
    return (q[0], -q[1], -q[2], q[3])


class Body:
    """Parameters of a pose. Angles in degrees; lists are (left, right)."""

    def __init__(self):
        self.hips = HIPS              # metres
        self.hips_turn = IDENTITY
        self.spine = self.chest = self.neck = self.head = IDENTITY
        self.shrug = [0.0, 0.0]       # clavicles up
        self.reach = [0.0, 0.0]       # clavicles forwards
        self.abduct = [BIND_ABDUCTION] * 2
        self.swing = [0.0, 0.0]       # upper arm forwards
        self.twist = [0.0, 0.0]       # upper arm inwards
        self.elbow = [0.0, 0.0]
        self.wrist = [0.0, 0.0]       # hand towards the palm
        self.ankle = [shape.ANKLE, skeleton.mirrored(shape.ANKLE)]
        self.foot = [IDENTITY, IDENTITY]
        self.toes = [0.0, 0.0]        # up
        self.knees_out = [4.0, 4.0]

    def pose(self):
        world = {"hips": self.hips_turn}
        local = {"hips": self.hips_turn, "spine": self.spine, "chest": self.chest, "neck": self.neck,
                 "head": self.head}
        for side, name in enumerate(("left", "right")):
            self._arm(local, side, name)
            self._leg(local, side, name, world["hips"])
        return self.hips, local

    def _arm(self, local, side, name):
        def rotate(joint, q):
            local[f"{name}_{joint}"] = q if side == 0 else mirror_turn(q)

        rotate("clavicle", compose(yaw(-self.reach[side]), roll(self.shrug[side])))
        rotate("upper_arm", compose(pitch(-self.swing[side]), roll(self.abduct[side] - BIND_ABDUCTION),
                                   turn(shape.ARM, self.twist[side])))
        rotate("forearm", turn(ELBOW_AXIS, -self.elbow[side]))
        rotate("hand", turn((0.0, 0.0, 1.0), -self.wrist[side]))

    def _leg(self, local, side, name, hips):
        sign = 1 if side == 0 else -1
        hip_rest = shape.HIP if side == 0 else skeleton.mirrored(shape.HIP)
        knee_rest = shape.KNEE if side == 0 else skeleton.mirrored(shape.KNEE)
        ankle_rest = shape.ANKLE if side == 0 else skeleton.mirrored(shape.ANKLE)
        hip = add(self.hips, rotate(hips, minus(hip_rest, HIPS)))
        pole = rotate(compose(hips, yaw(sign * self.knees_out[side])), (0.0, 0.0, 1.0))
        knee, ankle = bend_leg(hip, self.ankle[side], pole)
        hinge = unit(cross(minus(hip, ankle), pole))
        thigh = aim(minus(knee_rest, hip_rest), minus(knee, hip), hinge)
        shin = aim(minus(ankle_rest, knee_rest), minus(ankle, knee), hinge)
        local[f"{name}_thigh"] = compose(inverse(hips), thigh)
        local[f"{name}_shin"] = compose(inverse(thigh), shin)
        local[f"{name}_foot"] = compose(inverse(shin), self.foot[side])
        local[f"{name}_toes"] = pitch(-self.toes[side])


def bend_leg(hip, ankle, pole):
    """Positions of knee and ankle. A leg never quite straightens: near its full length it bends gradually,
    and the ankle stays a little short of its target."""
    to_ankle = minus(ankle, hip)
    target = length(to_ankle)
    full, soft = (THIGH_LENGTH + SHIN_LENGTH) * 0.9995, 0.006
    near = full - soft
    reach = target if target < near else near + soft * (1 - 1 / (1 + (target - near) / soft))
    down = times(to_ankle, 1 / target)
    along = (reach * reach + THIGH_LENGTH * THIGH_LENGTH - SHIN_LENGTH * SHIN_LENGTH) / (2 * reach)
    bow_square = THIGH_LENGTH * THIGH_LENGTH - along * along
    forward = unit(minus(pole, times(down, dot(pole, down))))
    bow = bow_square ** 0.5 if bow_square > 0 else 0.0
    return add(hip, add(times(down, along), times(forward, bow))), add(hip, times(down, reach))


def aim(rest, target, hinge):
    """The rotation that takes a bone from its direction at rest to `target`, across the hinge."""
    def frame(direction, side):
        up = times(unit(direction), -1.0)
        front = unit(cross(side, up))
        return from_axes(cross(up, front), up, front)
    return compose(frame(target, hinge), inverse(frame(rest, (1.0, 0.0, 0.0))))


def ramp(t, start, end):
    return ease((t - start) / (end - start))


def hump(t, up_start, up_end, down_start, down_end):
    return ramp(t, up_start, up_end) - ramp(t, down_start, down_end)


# --- Standing ------------------------------------------------------------------------------------

RELAXED = 18.0  # degrees of abduction of arms that hang


def stand(body, t, relaxed):
    """Arms from the pose of the making (relaxed = 0) to hanging (1); breath and a little sway."""
    breath = sin(2 * PI * t / 4.0)
    for side in (0, 1):
        body.abduct[side] += (RELAXED - BIND_ABDUCTION) * relaxed
        body.elbow[side] += 12.0 * relaxed
        body.swing[side] += 4.0 * relaxed
        body.wrist[side] += 6.0 * relaxed
    body.chest = pitch(-0.5 * breath * relaxed)
    body.head = pitch(0.5 * breath * relaxed)
    body.hips = add(body.hips, (0.0, -0.006 * relaxed, 0.0))


# --- Walking -------------------------------------------------------------------------------------

STRIDE_TIME = 1.1          # seconds from heel strike to heel strike of the same foot
STRIDE = 1.06              # metres that the ground moves back meanwhile
STANCE = 0.62              # share of the stride that a foot is on the ground
HEEL_DOWN, HEEL_UP = 0.12, 0.34
STRIKE_PITCH, LEAVE_PITCH = -16.0, 52.0
LANDING = 0.290            # metres ahead of its position at rest where the heel lands


def foot_angle(phase):
    """Degrees, toes down, while the foot is on the ground."""
    if phase < HEEL_DOWN:
        return STRIKE_PITCH * (1 - ease(0.5 + 0.5 * phase / HEEL_DOWN)) * 2
    if phase < HEEL_UP:
        return 0.0
    t = (phase - HEEL_UP) / (STANCE - HEEL_UP)
    return LEAVE_PITCH * t * t * (1.6 - 0.6 * t)


def planted(phase, amount):
    """(ankle relative to its position at rest, angle) of a foot on the ground: rolls over heel and ball."""
    angle = foot_angle(phase) * amount
    back = (LANDING - STRIDE * phase) * amount
    pivot = HEEL if angle < 0 else BALL
    arm = rotate(pitch(angle), minus(shape.ANKLE, pivot))
    moved = minus(add(pivot, arm), shape.ANKLE)
    return (moved[1], moved[2] + back), angle


def hermite(a, b, slope_a, slope_b, t):
    h = t * t * (3 - 2 * t)
    return a + (b - a) * h + slope_a * t * (1 - t) * (1 - t) + slope_b * t * t * (t - 1)


def swinging(phase, amount):
    """The same for a foot in the air: leaves and lands with the speed that it has on the ground."""
    e = 1e-3
    span = 1 - STANCE
    t = (phase - STANCE) / span
    (y0, z0), a0 = planted(STANCE, amount)
    (y0e, z0e), a0e = planted(STANCE - e, amount)
    (y1, z1), a1 = planted(0.0, amount)
    (y1e, z1e), a1e = planted(e, amount)
    scale = span / e
    y = hermite(y0, y1, (y0 - y0e) * scale, (y1e - y1) * scale, t)
    z = hermite(z0, z1, (z0 - z0e) * scale, (z1e - z1) * scale, t)
    angle = hermite(a0, a1, (a0 - a0e) * scale * 0.0, -20.0 * amount, t)
    lift = 16 * t * t * (1 - t) * (1 - t)
    return (y + 0.034 * lift * amount, z), angle


def step_foot(body, side, phase, amount):
    (up, forward), angle = planted(phase, amount) if phase < STANCE else swinging(phase, amount)
    rest = shape.ANKLE if side == 0 else skeleton.mirrored(shape.ANKLE)
    narrow = -0.030 * amount * (1 if side == 0 else -1)
    body.ankle[side] = add(rest, (narrow, up, forward))
    body.foot[side] = pitch(angle)
    flat = 1.0 if phase < STANCE else 1 - ease((phase - STANCE) / 0.22)  # toes stay on the ground
    body.toes[side] = clamp(angle, 0.0, 60.0) * flat


def walk(body, phase, amount):
    """phase 0: the left heel lands. amount 0 stands, 1 walks; between, steps on the spot grow."""
    turn_phase = 2 * PI * phase
    stand(body, 0.0, 1.0)
    for side in (0, 1):
        step_foot(body, side, (phase + 0.5 * side) % 1.0, amount)
    # The hips are lowest with both feet on the ground, over the standing foot in between.
    bob = -0.023 - 0.017 * cos(2 * (turn_phase - 0.30))
    sway = 0.017 * sin(turn_phase - 0.1)
    body.hips = add(HIPS, (sway * amount, bob * amount, 0.004 * sin(2 * turn_phase) * amount))
    twist = cos(turn_phase)                       # left leg ahead at phase 0
    list_side = sin(turn_phase - 0.15)            # weight on the left in the first half
    body.hips_turn = compose(yaw(-5.0 * twist * amount), roll(2.6 * list_side * amount),
                             pitch(2.0 * amount))
    body.spine = compose(yaw(5.0 * twist * amount), roll(-2.2 * list_side * amount), pitch(0.5 * amount))
    body.chest = compose(yaw(6.0 * twist * amount), roll(-1.0 * list_side * amount), pitch(0.5 * amount))
    body.neck = compose(yaw(-3.0 * twist * amount), pitch(-1.0 * amount))
    body.head = compose(yaw(-3.0 * twist * amount), roll(0.8 * list_side * amount),
                        pitch((-1.5 + 0.8 * cos(2 * turn_phase)) * amount))
    for side, sign in ((0, -1.0), (1, 1.0)):
        forward = sign * cos(turn_phase - 0.25)   # opposite to the leg of the same side
        body.swing[side] += (18.0 * forward - 3.0) * amount
        body.elbow[side] += (6.0 + 9.0 * forward) * amount
        body.abduct[side] += (3.0 - 1.0 * forward) * amount
        body.reach[side] += 2.0 * forward * amount
        body.wrist[side] += 4.0 * forward * amount


# --- Raising the arms ----------------------------------------------------------------------------

def raise_arms(body, t):
    """5 s: up sideways over the head, a stretch, and down in front."""
    up = hump(t, 0.3, 1.7, 2.7, 4.2)
    stretch = hump(t, 1.3, 1.9, 2.4, 2.9)
    front = hump(t, 2.3, 2.9, 3.5, 4.4)
    for side in (0, 1):
        late = up if side == 0 else hump(t, 0.36, 1.76, 2.72, 4.22)
        body.shrug[side] = 22.0 * late + 6.0 * stretch
        body.abduct[side] += 76.0 * late + 4.0 * stretch
        body.swing[side] = 26.0 * front * late
        body.elbow[side] = 14.0 * late * (1 - stretch) + 4.0 * stretch + 10.0 * front
        body.twist[side] = -20.0 * late
        body.wrist[side] = -8.0 * late
    body.spine = pitch(-3.0 * up - 2.0 * stretch)
    body.chest = pitch(-4.0 * up - 3.0 * stretch)
    body.neck = pitch(-4.0 * up)
    body.head = pitch(-8.0 * up + 4.0 * front)
    body.hips = add(body.hips, (0.006 * sin(2 * PI * t / 5.0), -0.004 * up, 0.012 * up))


# --- Sitting down --------------------------------------------------------------------------------

SEAT, SEAT_BEHIND = 0.430, 0.36  # metres: height that it sits at, and how far behind


def sit(body, t):
    """6 s: hangs the arms, leans forward, sits down, rests the hands on the thighs, rises again."""
    relaxed = hump(t, 0.0, 0.7, 5.2, 6.0)
    down = hump(t, 0.6, 2.0, 3.7, 5.1)
    lean = hump(t, 0.5, 1.2, 1.5, 2.3) + hump(t, 3.3, 3.9, 4.2, 5.0)
    rest = hump(t, 1.5, 2.3, 3.3, 3.9)
    stand(body, t, relaxed)
    path = sin(PI * down)  # hips go back before they go down
    body.hips = add(HIPS, (0.0, -0.372 * down + 0.010 * path, -0.395 * down - 0.055 * path))
    body.hips_turn = pitch(26.0 * lean - 4.0 * rest)
    body.spine = pitch(12.0 * lean + 5.0 * rest)
    body.chest = pitch(7.0 * lean + 2.0 * rest)
    body.neck = pitch(-12.0 * lean)
    body.head = pitch(-14.0 * lean + 2.0 * rest)
    for side in (0, 1):
        body.swing[side] += 34.0 * lean * (1 - rest) + 24.0 * rest
        body.elbow[side] += 14.0 * lean * (1 - rest) + 27.0 * rest
        body.abduct[side] += 2.0 * lean + 9.0 * rest
        body.twist[side] = 14.0 * rest
        body.wrist[side] += -10.0 * rest
        body.knees_out[side] = 4.0 + 8.0 * down


# --- Clips ---------------------------------------------------------------------------------------

def clip_walk(t):
    body = Body()
    walk(body, t / STRIDE_TIME, 1.0)
    return body


def clip_raise_arms(t):
    body = Body()
    raise_arms(body, t)
    return body


def clip_sit(t):
    body = Body()
    sit(body, t)
    return body


def clip_raise_arms_and_sit(t):
    return clip_raise_arms(t) if t < 5.0 else clip_sit(t - 5.0)


def clip_set_off(t):
    """Hangs the arms, starts to walk on the spot, six strides, stops, and holds the arms out again."""
    walking = hump(t, 0.7, 1.9, 8.3, 9.5)
    out = 1 - hump(t, 0.0, 0.9, 9.2, 10.2)
    body = Body()
    walk(body, ((t - 0.7) / STRIDE_TIME) % 1.0, walking)
    for side in (0, 1):  # walk() hangs the arms
        body.abduct[side] += (BIND_ABDUCTION - RELAXED) * out
        body.elbow[side] -= 12.0 * out
        body.swing[side] -= 4.0 * out
        body.wrist[side] -= 6.0 * out
    body.hips = add(body.hips, (0.0, 0.006 * out * (1 - walking), 0.0))
    return body


CLIPS = (  # name, what happens at a time, seconds; the walk ends one frame before it begins again
    ("walk", clip_walk, 2 * STRIDE_TIME),
    ("raise_arms", clip_raise_arms, 5.0),
    ("sit", clip_sit, 6.0),
    ("raise_arms_and_sit", clip_raise_arms_and_sit, 11.0),
    ("set_off", clip_set_off, 10.2),
)


def frames(at, seconds):
    """Poses from 0 to the end inclusive, so that a clip that loops ends as it began."""
    return [at(frame / FPS).pose() for frame in range(round(seconds * FPS) + 1)]
