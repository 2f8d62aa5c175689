"""What the system of a ball and the ground must do, computed from the files in its archive without the library."""

import io
import math
import os
import tomllib
import zipfile
from pathlib import Path

from expected_contact import clipped_below, cross, dot, read_obj, subtract

# Communication step that the structure proposes, and the end of its experiment, in s.
STEP_SIZE = 1e-4
STEPS = 10_000

# Relative, of the depth at rest: with the method `auto` the curved ball counts as master for less than a thousandth.
REST_TOLERANCE = 1e-3

# The first force is that of the first step within which the ball will touch, and masters pass it on a step later.
LANDING_STEPS = 3


def ssp_path():
    folder = os.environ.get("POLYCONTACT_FMUS")
    assert folder, "POLYCONTACT_FMUS must name the folder with the FMUs; `cargo xtask test` sets it"
    return Path(folder) / "LandingSphere.ssp"


class LandingSphere:
    """A ball, surface F, above the plane z = 0, the top of surface E."""

    def __init__(self):
        with zipfile.ZipFile(ssp_path()) as system:
            contact, body = (
                zipfile.ZipFile(io.BytesIO(system.read(f"resources/{name}.fmu"))) for name in ("BallOnGround", "Ball")
            )
        configuration = tomllib.loads(contact.read("resources/contact.toml").decode())
        layer, ball = configuration["surface-e"], configuration["surface-f"]
        assert ball["youngs-modulus"] == 0.0, "only the mat has a layer"
        ratio = layer["poissons-ratio"]
        modulus = layer["youngs-modulus"] * (1 - ratio) / ((1 + ratio) * (1 - 2 * ratio))
        self.layer_stiffness = modulus / layer["layer-thickness"]
        self.vertices, self.faces = read_obj(contact.read(f"resources/{ball['mesh']}").decode())
        plate, _ = read_obj(contact.read(f"resources/{configuration['surface-e']['mesh']}").decode())
        assert max(z for _, _, z in plate) == 0.0
        self.body = tomllib.loads(body.read("resources/free-body.toml").decode())["body"]
        self.start = self.body["initial-position"][2]
        self.gravity = -self.body["gravity"][2]
        self.weight = self.body["mass"] * self.gravity
        self.radius = max(math.sqrt(dot(vertex, vertex)) for vertex in self.vertices)
        # From the middle of a face to the sphere, at most.
        self.sagitta = max(self.radius - self.distance(face) for face in self.faces)

    def distance(self, face):
        a, b, c = (self.vertices[i] for i in face)
        normal = cross(subtract(b, a), subtract(c, a))
        return abs(dot(normal, a)) / math.sqrt(dot(normal, normal))

    def volume_below(self, height):
        """Volume of the mesh below z = 0 with its centre at a height, by the divergence theorem."""
        volume = 0.0
        for face in self.faces:
            corners = [subtract(self.vertices[i], (0.0, 0.0, -height)) for i in face]
            corners = clipped_below(corners, 0.0)
            for i in range(1, len(corners) - 1):
                a, b, c = corners[0], corners[i], corners[i + 1]
                area_z = 0.5 * cross(subtract(b, a), subtract(c, a))[2]
                volume += area_z * (a[2] + b[2] + c[2]) / 3
        return volume

    def rest_height(self):
        """Where the layer of the mesh carries the weight: F = c_l V."""
        return bisect(lambda height: self.weight - self.layer_stiffness * self.volume_below(height), 0.5, 1.0, self.radius)

    def smooth_rest_height(self):
        """The same for a sphere, whose cap of depth d has the volume pi d^2 (R - d / 3)."""

        def missing(height):
            depth = self.radius - height
            return self.weight - self.layer_stiffness * math.pi * depth**2 * (self.radius - depth / 3)

        return bisect(missing, 0.5, 1.0, self.radius)

    def free_height(self, time):
        return self.start - 0.5 * self.gravity * time**2

    def check(self, heights, velocities, forces):
        """One value of each per step, after the step; forces along z on the ball."""
        bottom = min(z for _, _, z in self.vertices)
        landing = math.sqrt(2 * (self.start + bottom) / self.gravity)
        first = next(i for i, force in enumerate(forces) if force > 0.0)
        assert abs(first - landing / STEP_SIZE) <= LANDING_STEPS, f"first force in step {first}, lands at {landing} s"
        for i in range(first):
            # 1e-12 m: rounding of a thousand steps.
            assert abs(heights[i] - self.free_height((i + 1) * STEP_SIZE)) <= 1e-12
        assert max(forces) > 2 * self.weight, "an impact is harder than rest"
        assert min(forces) >= 0.0, "a contact does not pull"
        # At rest: forces agree to the remains of an oscillation that decays by 1/e in about 25 ms.
        assert abs(forces[-1] - self.weight) <= 1e-9 * self.weight, f"carries {forces[-1]} N of {self.weight} N"
        assert abs(velocities[-1]) <= 1e-9
        rest, smooth = self.rest_height(), self.smooth_rest_height()
        depth = self.radius - rest
        assert abs(heights[-1] - rest) <= REST_TOLERANCE * depth, f"rests at {heights[-1]} m, expected {rest} m"
        # The faces lie inside the sphere, so that the mesh sinks in deeper, by at most their distance from it.
        assert 0.0 <= smooth - heights[-1] <= self.sagitta, f"rests at {heights[-1]} m, a sphere at {smooth} m"


def bisect(f, low, high, scale):
    """Zero of a growing function between two multiples of a scale, to the last bit."""
    low, high = low * scale, high * scale
    assert f(low) < 0.0 < f(high)
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if f(middle) < 0.0 else (low, middle)
    return low
