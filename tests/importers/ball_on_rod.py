"""A flexible ball that hits a flexible rod, both free: the host's half of the example."""

import io
import struct
import zipfile

import pytest
from expected_contact import fmu_path

# Of the ball, in m/s, and the gap at the start in m.
SPEED = 0.3
GAP = 1e-6

# Communication step in s, and how many: the contact lasts about 0.2 ms.
STEP_SIZE = 1e-6
STEPS = 300

# The library alone, driven in the same way by `tests/fmi2_flexible.rs`, leaves its rebound beside the FMUs.
REBOUND_FILE = "ball-on-rod-rebound.txt"

# Relative: the library is compiled differently for its tests, and differences of rounding may grow over 300 steps.
REBOUND_TOLERANCE = 1e-9

# Coefficient of restitution by explicit finite elements, as published. The example has a coarse mesh: its impulse,
# which is proportional to 1 + e, is right to 2 %.
RESTITUTION = 0.64
IMPULSE_TOLERANCE = 0.02

# Part of the start energy that an undamped impact may lose or gain.
ENERGY_TOLERANCE = 1e-3

FORCE = "forceOnE[3]"
ENERGIES = ["elasticEnergy", "surfaceE.modalKineticEnergy", "surfaceF.modalKineticEnergy"]


def numbers(archive, name):
    """Double-precision numbers of an array: a header with its length in bytes 8 and 9, then the data."""
    data = archive.read(f"{name}.npy")
    assert data[:8] == b"\x93NUMPY\x01\x00" and b"'<f8'" in data
    return [number for (number,) in struct.iter_unpack("<d", data[10 + int.from_bytes(data[8:10], "little") :])]


class BallOnRod:
    """Two rigid bodies that move along z; E is the rod, F the ball, with markers in their centres of mass."""

    def __init__(self):
        self.path = fmu_path("BallOnRod")
        with zipfile.ZipFile(self.path) as fmu:
            rod, ball = (
                zipfile.ZipFile(io.BytesIO(fmu.read(f"resources/{name}.npz"))) for name in ("rod", "ball")
            )
        self.masses = [numbers(body, "mass")[0] for body in (rod, ball)]
        # Both meshes touch the origin of their coordinates.
        centres = [numbers(body, "centre_of_mass") for body in (rod, ball)]
        self.position = [of_ball - of_rod for of_rod, of_ball in zip(*centres)]
        self.position[2] += GAP
        self.velocities = [0.0, -SPEED]
        self.start_energy = self.kinetic_energy()
        self.energy_error = 0.0
        self.peak_force = 0.0

    def relative_velocity(self):
        return self.velocities[1] - self.velocities[0]

    def kinetic_energy(self):
        return sum(0.5 * mass * velocity**2 for mass, velocity in zip(self.masses, self.velocities))

    def inputs(self):
        position = {f"relativePosition[{i + 1}]": self.position[i] for i in range(3)}
        return position | {"relativeVelocity[3]": self.relative_velocity()}

    def step(self, outputs):
        """The mean force of the step acts on both bodies."""
        force, before = outputs[FORCE], self.relative_velocity()
        self.velocities[0] += STEP_SIZE * force / self.masses[0]
        self.velocities[1] -= STEP_SIZE * force / self.masses[1]
        self.position[2] += 0.5 * STEP_SIZE * (before + self.relative_velocity())
        self.peak_force = max(self.peak_force, -force)
        energy = self.kinetic_energy() + sum(outputs[name] for name in ENERGIES)
        self.energy_error = max(self.energy_error, abs(energy / self.start_energy - 1))

    def check(self):
        # A rebound without contact would be none; published peaks are some hundred newtons.
        assert self.peak_force > 100
        assert self.energy_error <= ENERGY_TOLERANCE
        assert 1 + self.relative_velocity() / SPEED == pytest.approx(1 + RESTITUTION, rel=IMPULSE_TOLERANCE)
        reference = self.path.parent / REBOUND_FILE
        assert reference.exists(), f"{reference} is written by `cargo test --test fmi2 fmi2_flexible::`"
        assert self.relative_velocity() == pytest.approx(float(reference.read_text()), rel=REBOUND_TOLERANCE)
