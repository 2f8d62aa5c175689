"""What an FMU must answer, computed from its own resources without its library.

All expectations rest on one case that has an exact answer: E touches the flat top of F, and its faces
carry the pressure, in the field of F. Then the depth is that below the top, so that force and torque
are integrals over the part of E below that plane.

The method is `master-e` by the configuration of the FMU: some importers ignore enumerations, so that
the parameter `method` cannot be set in them.
"""

import math
import os
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

# Values of the enumeration `method`.
MASTER_E, MASTER_F = 4, 5

# Values of the enumeration `stepOutput`.
STEP_OUTPUTS = {"hold": 1, "extrapolate": 2, "mean": 3, "energy": 4}

# Relative. Both sides are sums of about a hundred rounded terms; the tolerance leaves room for
# importers that hand over inputs with a rounding of their own.
TOLERANCE = 1e-9

# With the method `auto` the soft sphere has the field, and the flat F the faces. Its depths are distances to the faces
# of the sphere: of the volume of a cap π δ² (R − δ/3) about a part of δ/(3 R) is missing, and of coarse meshes more.
TOLERANCE_OF_AUTO = 0.05


def fmu_path(name):
    """An FMU of the folder that `cargo xtask test` packages into."""
    folder = os.environ.get("POLYCONTACT_FMUS")
    assert folder, "POLYCONTACT_FMUS must name the folder with the FMUs; `cargo xtask test` sets it"
    return Path(folder) / f"{name}.fmu"


@dataclass(frozen=True)
class Pose:
    """Where E is, seen from F: its origin, and the Cardan angles of A_EF."""

    origin: tuple
    angles: tuple = (0.0, 0.0, 0.0)

    def rotation(self):
        """A_EF = A_x A_y A_z, which maps coordinates in F to coordinates in E."""
        product = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        for axis, angle in enumerate(self.angles):
            i, j = (axis + 1) % 3, (axis + 2) % 3
            turn = [[float(row == column) for column in range(3)] for row in range(3)]
            turn[i][i] = turn[j][j] = math.cos(angle)
            turn[i][j], turn[j][i] = -math.sin(angle), math.sin(angle)
            product = [[dot(row, column) for column in zip(*turn)] for row in product]
        return product

    def quaternion(self):
        """The same rotation as (w, x, y, z)."""
        w, v = 1.0, (0.0, 0.0, 0.0)
        for axis, angle in enumerate(self.angles):
            turn_w, turn_v = math.cos(angle / 2), [0.0, 0.0, 0.0]
            turn_v[axis] = math.sin(angle / 2)
            w, v = w * turn_w - dot(v, turn_v), tuple(
                w * b + turn_w * a + c for a, b, c in zip(v, turn_v, cross(v, turn_v))
            )
        return (w, *v)

    def to_e(self, vector_f):
        return tuple(dot(row, vector_f) for row in self.rotation())

    def inputs(self, orientation, velocity=(0.0, 0.0, 0.0)):
        """Inputs of the FMU by name; `velocity` is that of the origin of E, resolved in F, without turning."""
        values = {}
        for i in range(3):
            values[f"relativePosition[{i + 1}]"] = -self.to_e(self.origin)[i]
            values[f"relativeVelocity[{i + 1}]"] = -self.to_e(velocity)[i]
            values[f"relativeAngularVelocity[{i + 1}]"] = 0.0
        if orientation == "matrix":
            for i, row in enumerate(self.rotation()):
                values |= {f"relativeOrientation[{i + 1},{j + 1}]": entry for j, entry in enumerate(row)}
        elif orientation == "quaternion":
            values |= {f"relativeQuaternion[{i + 1}]": part for i, part in enumerate(self.quaternion())}
        else:
            values |= {f"relativeAngles[{i + 1}]": angle for i, angle in enumerate(self.angles)}
        return values


@dataclass(frozen=True)
class Overlap:
    """The part of E below the top of F."""

    # Section with the plane of the top, in m².
    area: float
    # In m³.
    volume: float
    # Integrals of x and y over the volume, in m⁴ and in frame F.
    moment_x: float
    moment_y: float


class ContactPair:
    """Meshes and parameters of an FMU, read from its archive."""

    def __init__(self, path):
        with zipfile.ZipFile(path) as archive:
            self.configuration = tomllib.loads(archive.read("resources/contact.toml").decode())
            self.mesh_e, self.mesh_f = (
                read_obj(archive.read(f"resources/{self.configuration[section]['mesh']}").decode())
                for section in ("surface-e", "surface-f")
            )
        for section in ("surface-e", "surface-f"):
            assert self.configuration[section].get("scale", 1.0) == 1.0, "meshes are taken as they are"
        self.orientation = self.configuration.get("orientation", "matrix")
        is_exact = self.configuration.get("contact", {}).get("method") == "master-e"
        self.tolerance = TOLERANCE if is_exact else TOLERANCE_OF_AUTO
        self.top = max(z for _, _, z in self.mesh_f[0])
        self.bottom = min(z for _, _, z in self.mesh_e[0])
        # From the origin of E to its lowest point, the radius of a sphere.
        self.size = -self.bottom

    def layer_stiffness(self):
        """c_l of both layers in series, each with K / b of an elastic layer on a rigid base."""
        compliance = 0.0
        for section in ("surface-e", "surface-f"):
            layer = self.configuration[section]
            modulus = layer["youngs-modulus"]
            if modulus > 0.0:
                ratio = layer["poissons-ratio"]
                foundation = modulus * (1 - ratio) / ((1 + ratio) * (1 - 2 * ratio))
                compliance += layer["layer-thickness"] / foundation
        return 1 / compliance

    def at_depth(self, depth, x=0.0, y=0.0, angles=(0.0, 0.0, 0.0)):
        """E pressed into F: its lowest point without a turn is `depth` below the top."""
        return Pose((x, y, self.top - self.bottom - depth), angles)

    def overlap(self, pose):
        """Cuts E with the plane of the top and integrates, by the divergence theorem, over its skin below."""
        columns = list(zip(*pose.rotation()))
        vertices = [tuple(dot(column, v) + o for column, o in zip(columns, pose.origin)) for v in self.mesh_e[0]]
        area = volume = moment_x = moment_y = 0.0
        for face in self.mesh_e[1]:
            corners = clipped_below([vertices[i] for i in face], self.top)
            for i in range(1, len(corners) - 1):
                a, b, c = corners[0], corners[i], corners[i + 1]
                area_z = 0.5 * cross(subtract(b, a), subtract(c, a))[2]
                heights = [p[2] - self.top for p in (a, b, c)]
                area -= area_z
                volume += area_z * sum(heights) / 3
                moment_x += area_z * mean_product([p[0] for p in (a, b, c)], heights)
                moment_y += area_z * mean_product([p[1] for p in (a, b, c)], heights)
        return Overlap(area, volume, moment_x, moment_y)

    def outputs_at_rest(self, pose):
        """Wrenches on both bodies without velocity, by name of the output."""
        overlap = self.overlap(pose)
        stiffness = self.layer_stiffness()
        force = stiffness * overlap.volume
        torque_on_f = (-stiffness * overlap.moment_y, stiffness * overlap.moment_x, 0.0)
        outputs = {}
        for i in range(3):
            outputs[f"forceOnE[{i + 1}]"] = pose.to_e((0.0, 0.0, force))[i]
            outputs[f"forceOnF[{i + 1}]"] = (0.0, 0.0, -force)[i]
            outputs[f"torqueOnF[{i + 1}]"] = torque_on_f[i]
        return outputs

    def assert_outputs(self, actual, expected):
        """Compares outputs by name; the tolerance is relative to the force, for torques with the size as arm.

        Without a force, the outputs must vanish exactly.
        """
        force = max(abs(value) for name, value in expected.items() if name.startswith("force"))
        for name, value in expected.items():
            allowed = self.tolerance * force * (self.size if name.startswith("torque") else 1.0)
            assert abs(actual[name] - value) <= allowed, f"{name} = {actual[name]!r}, expected {value!r}"

    def outputs_in_motion(self, pose, velocity, damping, friction):
        """Forces while E sinks and slides with a velocity resolved in F, without a transition depth.

        Pressure and friction act on each face of E along its own normal and plane.
        """
        columns = list(zip(*pose.rotation()))
        vertices = [tuple(dot(column, v) + o for column, o in zip(columns, pose.origin)) for v in self.mesh_e[0]]
        stiffness = self.layer_stiffness()
        on_f = [0.0, 0.0, 0.0]
        for face in self.mesh_e[1]:
            a, b, c = (vertices[i] for i in face)
            normal = cross(subtract(b, a), subtract(c, a))
            length = math.sqrt(dot(normal, normal))
            normal = tuple(part / length for part in normal)
            closing = dot(velocity, normal)
            slip = tuple(v - closing * n for v, n in zip(velocity, normal))
            speed = math.sqrt(dot(slip, slip))
            # What would pull is left out: the pressure vanishes at this height.
            height = min(self.top, self.top + damping * closing / stiffness)
            corners = clipped_below([a, b, c], height)
            load = 0.0
            for i in range(1, len(corners) - 1):
                p, q, r = corners[0], corners[i], corners[i + 1]
                area = 0.5 * dot(normal, cross(subtract(q, p), subtract(r, p)))
                depth = self.top - (p[2] + q[2] + r[2]) / 3
                load += area * (stiffness * depth + damping * closing)
            for i in range(3):
                on_f[i] += load * (normal[i] + friction * slip[i] / speed)
        on_e = pose.to_e(tuple(-component for component in on_f))
        return {f"forceOnF[{i + 1}]": on_f[i] for i in range(3)} | {f"forceOnE[{i + 1}]": on_e[i] for i in range(3)}


def read_obj(text):
    """Vertices and triangles of the plain OBJ files of the examples."""
    vertices, faces = [], []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["v"]:
            vertices.append(tuple(float(word) for word in words[1:4]))
        elif words[:1] == ["f"]:
            corners = [int(word.split("/")[0]) - 1 for word in words[1:]]
            faces.extend((corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1))
    return vertices, faces


def clipped_below(corners, height):
    """The part of a polygon at or below a horizontal plane."""
    kept = []
    for (a, b) in zip(corners, corners[1:] + corners[:1]):
        if a[2] <= height:
            kept.append(a)
        if (a[2] <= height) != (b[2] <= height):
            share = (height - a[2]) / (b[2] - a[2])
            kept.append(tuple(p + share * (q - p) for p, q in zip(a, b)))
    return kept


def mean_product(f, g):
    """Mean over a triangle of the product of two linear functions, given at its corners."""
    return (sum(map(lambda p, q: p * q, f, g)) + sum(f) * sum(g)) / 12


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def subtract(a, b):
    return tuple(p - q for p, q in zip(a, b))
