"""FMPy drives flexible bodies: the example, and bodies that NumPy wrote."""

import math

import fmpy
import numpy as np
import pytest
from ball_on_rod import ENERGIES, FORCE, STEP_SIZE, STEPS, BallOnRod
from expected_contact import fmu_path
from fmpy.validation import validate_fmu
from fmpy_host import Host

# Half the sides of a rectangular patch in m, and where its middle is.
HALF_SIDES = (4e-3, 3e-3)
MIDDLE = (1e-3, 5e-4)

# A mode that moves the whole patch along its normal: shape in 1/sqrt(kg), angular frequency in rad/s.
SHAPE = 2.0
FREQUENCY = 5e3

# In N/m per node, and the weight of the pass in which the plate is the master.
PENALTY_STIFFNESS = 1e6
WEIGHT = 0.5

# All four nodes of the patch are in contact with the plate; no node of the plate is above the patch.
CONTACT_STIFFNESS = 4 * WEIGHT * PENALTY_STIFFNESS

# In m: small against the patch, as the contact asks for.
DEPTH = 1e-5

# Relative, of sums of a few rounded numbers; depths are differences of positions of 1 cm.
STATIC_TOLERANCE = 1e-9


def rectangle(half_sides, middle, upwards):
    """Nodes and faces of a flat patch in the plane z = 0."""
    (a, b), (x, y) = half_sides, middle
    nodes = np.array([[x - a, y - b, 0], [x + a, y - b, 0], [x + a, y + b, 0], [x - a, y + b, 0]])
    faces = np.array([[0, 1, 2], [0, 2, 3]])
    return nodes, faces if upwards else faces[:, ::-1]


def write_body(path, nodes, faces, modes, frequencies, low_frequency_modes):
    np.savez(
        path,
        version=1,
        units="m kg s",
        mass=0.25,
        inertia=np.diag([1e-5, 1e-5, 2e-5]),
        centre_of_mass=np.zeros(3),
        contact_nodes=nodes,
        contact_faces=faces,
        modes=modes,
        angular_frequencies=frequencies,
        damping_ratios=np.zeros(len(frequencies)),
        low_frequency_modes=low_frequency_modes,
    )


@pytest.fixture
def spring_and_plate(tmp_path):
    """A function that starts the FMU with a patch on one mode below a large rigid patch, both from NumPy."""

    def start(host, low_frequency_modes, parameters):
        nodes, faces = rectangle(HALF_SIDES, MIDDLE, upwards=True)
        shape = np.zeros((1, len(nodes), 3))
        shape[:, :, 2] = SHAPE
        write_body(tmp_path / "spring.npz", nodes, faces, shape, np.array([FREQUENCY]), low_frequency_modes)
        # Without any mode, a body of an archive is rigid.
        nodes, faces = rectangle((0.05, 0.05), (0.0, 0.0), upwards=False)
        write_body(tmp_path / "plate.npz", nodes, faces, np.zeros((0, len(nodes), 3)), np.zeros(0), 0)
        for surface, name in (("surfaceE", "spring"), ("surfaceF", "plate")):
            reference = host.variables[f"{surface}.file"].valueReference
            host.slave.setString([reference], [str(tmp_path / f"{name}.npz")])
        parameters = {"flexible.penaltyStiffness": PENALTY_STIFFNESS} | parameters
        host.start(parameters | {"relativePosition[3]": -DEPTH})

    return start


def test_validation_has_nothing_to_say():
    path = str(fmu_path("BallOnRod"))
    assert validate_fmu(path) == []
    description = fmpy.read_model_description(path, validate=True)
    assert description.coSimulation.maxOutputDerivativeOrder == 0
    assert description.coSimulation.canSerializeFMUstate


def test_a_ball_rebounds_from_a_rod():
    impact = BallOnRod()
    with Host(impact.path) as host:
        host.start()
        assert [host.get(f"surface{letter}.mass") for letter in "EF"] == impact.masses
        for i in range(STEPS):
            host.set(impact.inputs())
            host.step(i * STEP_SIZE, STEP_SIZE)
            impact.step({name: host.get(name) for name in [FORCE, *ENERGIES]})
        assert host.messages == []
    impact.check()


def test_a_body_from_numpy_is_a_spring_in_series_with_the_penalty(spring_and_plate):
    """Without inertia the mode yields by SHAPE^2 / FREQUENCY^2 per newton."""
    force = DEPTH / (1 / CONTACT_STIFFNESS + SHAPE**2 / FREQUENCY**2)
    with Host(fmu_path("BallOnRod")) as host:
        spring_and_plate(host, 0, {})
        assert (host.get("surfaceE.modes"), host.get("surfaceF.modes")) == (1, 0)
        assert host.get("surfaceE.mass") == 0.25
        assert host.get("elementCount") == 4
        assert host.get("forceOnE[3]") == pytest.approx(-force, rel=STATIC_TOLERANCE)
        # About the marker of E: the force acts in the middle of the patch.
        assert host.get("torqueOnE[1]") == pytest.approx(-force * MIDDLE[1], rel=STATIC_TOLERANCE)
        assert host.get("torqueOnE[2]") == pytest.approx(force * MIDDLE[0], rel=STATIC_TOLERANCE)
        assert host.get("maxPenetration") == pytest.approx(force / CONTACT_STIFFNESS, rel=STATIC_TOLERANCE)
        assert host.get("elasticEnergy") == pytest.approx(0.5 * force * DEPTH, rel=STATIC_TOLERANCE)


def test_a_body_from_numpy_oscillates_under_a_plate(spring_and_plate):
    """A plate that is suddenly there: the mode swings about its equilibrium, and the contact stiffens it."""
    step_size, internal_step, steps = 2e-5, 1e-6, 60
    stiffening = SHAPE**2 * CONTACT_STIFFNESS
    # The contact does not open: the swing back ends at the undeformed body, the other end is twice the equilibrium.
    assert stiffening < FREQUENCY**2
    frequency = math.sqrt(FREQUENCY**2 + stiffening)
    equilibrium = stiffening * DEPTH / frequency**2
    # Second order: the phase errs by (frequency h)^2 / 24 of itself; three times that as a margin.
    tolerance = 3 * (frequency * internal_step) ** 2 / 24 * frequency * step_size * steps

    def mean_force(start, end):
        """Contact stiffness times penetration, DEPTH - equilibrium (1 - cos), over an interval."""
        mean_cosine = (math.sin(frequency * end) - math.sin(frequency * start)) / (frequency * (end - start))
        return CONTACT_STIFFNESS * (DEPTH - equilibrium * (1 - mean_cosine))

    with Host(fmu_path("BallOnRod")) as host:
        spring_and_plate(host, 1, {"flexible.internalStep": internal_step})
        for i in range(steps):
            host.step(i * step_size, step_size)
            expected = mean_force(i * step_size, (i + 1) * step_size)
            assert host.get("forceOnE[3]") == pytest.approx(-expected, abs=tolerance * CONTACT_STIFFNESS * DEPTH)
        assert abs(host.get("energyBalance")) <= tolerance * CONTACT_STIFFNESS * DEPTH**2
    # More than a period was seen.
    assert frequency * step_size * steps > 2 * math.pi
