"""Situations that every importer goes through: poses at rest, a moving pose, a body that lands."""

import math

# What the exact expectations need: full damping from the surface on.
DAMPING = 1.0e5
FRICTION = 0.25
MOTION_PARAMETERS = {
    "dampingTransitionDepth": 0.0,
    "arealDamping": DAMPING,
    "frictionCoefficient": FRICTION,
    "frictionRegularizationVelocity": 1e-3,
}

WRENCHES = [f"{name}[{i}]" for name in ("forceOnE", "forceOnF", "torqueOnF") for i in (1, 2, 3)]

# The FMUs: the default example, and one for each way to give an orientation.
FMUS = ["SphereOnPlate", "SphereByMatrix", "SphereByQuaternion", "SphereByCardan"]

# Those that are packaged with `step-output = "hold"`: their outputs belong to the inputs, also where a test moves the
# bodies as it likes. The default example has the default, for which bodies that follow forces are needed.
FMUS_THAT_HOLD = FMUS[1:]


def poses_at_rest(pair):
    """Out of contact, shallow, deep, beside the middle, and turned about all axes."""
    size = pair.size
    return [
        pair.at_depth(-0.01 * size),
        pair.at_depth(0.005 * size),
        pair.at_depth(0.02 * size, x=0.1 * size, y=-0.15 * size),
        pair.at_depth(0.02 * size, angles=(0.4, -0.3, 1.1)),
        pair.at_depth(0.05 * size, x=-0.05 * size, angles=(-2.0, 0.9, 0.2)),
    ]


class SinkingSlide:
    """E comes down on F with a tilt and slides, both at constant speed, from outside to a depth of 1.5 % of its size."""

    STEPS = 20
    STEP_SIZE = 1e-3
    ANGLES = (0.2, -0.5, 0.7)

    def __init__(self, pair):
        self.pair = pair
        size = pair.size
        duration = self.STEPS * self.STEP_SIZE
        self.velocity = (0.06 * size / duration, 0.03 * size / duration, -0.02 * size / duration)

    def pose(self, time):
        size = self.pair.size
        depth = -0.005 * size - self.velocity[2] * time
        return self.pair.at_depth(depth, self.velocity[0] * time, self.velocity[1] * time, self.ANGLES)

    def inputs(self, time):
        return self.pose(time).inputs(self.pair.orientation, self.velocity)

    def check(self, time, outputs):
        """Returns whether there was a force, so that a test can count."""
        expected = self.pair.outputs_in_motion(self.pose(time), self.velocity, DAMPING, FRICTION)
        self.pair.assert_outputs(outputs, expected)
        return expected["forceOnF[3]"] < 0.0


class LandingBody:
    """A body with the shape of E falls on F, which is fixed; the host integrates it (semi-implicit Euler).

    The mass makes the body rest at 0.5 % of its size; the damping is near the critical one there,
    so that the body comes to rest within the simulated time.
    """

    GRAVITY = 9.81
    STEP_SIZE = 2e-4
    STEPS = 2500

    def __init__(self, pair):
        self.pair = pair
        self.rest_depth = 0.005 * pair.size
        at_rest = pair.overlap(pair.at_depth(self.rest_depth))
        self.mass = pair.layer_stiffness() * at_rest.volume / self.GRAVITY
        # The stiffness of the contact is the slope of c_l V, c_l times the area.
        critical = 2 * math.sqrt(pair.layer_stiffness() * at_rest.area * self.mass)
        self.parameters = {"dampingTransitionDepth": 0.0, "arealDamping": critical / at_rest.area}
        # Falls from 5 % of its size, in contact from about 30 ms on.
        self.depth = -0.05 * pair.size
        self.velocity = 0.0
        self.forces = []

    def inputs(self):
        return self.pair.at_depth(self.depth).inputs(self.pair.orientation, (0.0, 0.0, self.velocity))

    def step(self, force):
        """Moves the body over one step with a force on E along z."""
        self.forces.append(force)
        self.velocity += (force / self.mass - self.GRAVITY) * self.STEP_SIZE
        self.depth -= self.velocity * self.STEP_SIZE

    def check(self):
        weight = self.mass * self.GRAVITY
        fall_steps = math.sqrt(2 * 0.05 * self.pair.size / self.GRAVITY) / self.STEP_SIZE
        first_contact = next(i for i, force in enumerate(self.forces) if force > 0.0)
        assert abs(first_contact - fall_steps) <= 3, f"lands at step {first_contact}, expected {fall_steps:.1f}"
        assert max(self.forces) > 2 * weight, "an impact is harder than rest"
        assert min(self.forces) >= 0.0, "a contact does not pull"
        # The loop has settled: the remains of the oscillation are far below this.
        mean = sum(self.forces[-500:]) / 500
        assert abs(mean - weight) <= 1e-6 * weight, f"carries {mean} N of {weight} N"
        assert abs(self.velocity) <= 1e-9
        assert abs(self.depth - self.rest_depth) <= max(1e-6, self.pair.tolerance) * self.rest_depth
