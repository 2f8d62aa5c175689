"""FMPy and SciPy integrate FMUs for Model Exchange: contact, body, and both as one differential equation."""

import math

import fmpy
import numpy as np
import pytest
from cvode_host import CvodeHost
from exchange_host import MOTION, WRENCH, BodyInContact
from expected_contact import fmu_path
from fmpy_host import Host
from scenarios import FMUS

# A ball of 4.19 kg falls 50 mm onto a mat with little damping.
BOUNCING = {"arealDamping": 2.0e4, "frictionCoefficient": 0.3}
SPINNING = {"initialVelocity[1]": 0.2, "initialAngularVelocity[2]": 5.0}

# Of the height of the rebound.
REBOUND_TOLERANCE = 1e-4
MOST_STEPS = 300


@pytest.mark.parametrize("name", [*FMUS, "Ball"])
def test_both_kinds_are_in_one_archive(name):
    description = fmpy.read_model_description(str(fmu_path(name)))
    assert description.modelExchange.modelIdentifier == description.coSimulation.modelIdentifier
    assert description.modelExchange.providesDirectionalDerivative
    assert description.coSimulation.providesDirectionalDerivative
    assert description.numberOfContinuousStates == (13 if name == "Ball" else 0)
    assert description.numberOfEventIndicators == (0 if name == "Ball" else 1)


def test_flexible_bodies_are_for_co_simulation_only():
    description = fmpy.read_model_description(str(fmu_path("BallOnRod")))
    assert description.modelExchange is None
    assert not description.coSimulation.providesDirectionalDerivative
    with Host(fmu_path("BallOnRod")) as host:
        host.start()
        with pytest.raises(Exception):
            force, position = (host.variables[name].valueReference for name in ("forceOnE[3]", "relativePosition[3]"))
            host.slave.getDirectionalDerivative([force], [position], [1.0])
        assert "flexible" in host.messages[-1][2]


def test_a_throw_is_a_parabola():
    start = {"initialVelocity[1]": 1.0, "initialVelocity[3]": 5.0, "initialAngularVelocity[3]": 4.0}
    outputs = ["relativePosition[1]", "relativePosition[3]", "relativeOrientation[2,1]"]
    result = fmpy.simulate_fmu(
        str(fmu_path("Ball")),
        fmi_type="ModelExchange",
        start_values=start,
        stop_time=0.5,
        output_interval=0.1,
        relative_tolerance=1e-9,
        output=outputs,
        validate=True,
    )
    # A thousand times the tolerance of CVODE: the errors of all steps add up.
    tolerance = 1e-6
    for row in result:
        t = row["time"]
        assert abs(row["relativePosition[1]"] - t) <= tolerance
        assert abs(row["relativePosition[3]"] - (0.15 + 5.0 * t - 0.5 * 9.81 * t * t)) <= tolerance
        assert abs(row["relativeOrientation[2,1]"] - np.sin(4.0 * t)) <= tolerance


@pytest.mark.parametrize("solver", ["CVode", "Euler"])
def test_a_contact_with_given_motion_has_its_forces_and_its_event(solver):
    """The plate of the default pair rises; FMPy interpolates the inputs, and CVODE finds the zero of the gap."""
    times = np.linspace(0.0, 1.0, 11)
    inputs = np.array(
        [(t, -0.101 + 0.002 * t) for t in times], dtype=[("time", float), ("relativePosition[3]", float)]
    )
    result = fmpy.simulate_fmu(
        str(fmu_path("SphereOnPlate")),
        fmi_type="ModelExchange",
        solver=solver,
        input=inputs,
        stop_time=1.0,
        step_size=0.05,
        output_interval=0.05,
        output=["relativePosition[3]", "gap", "forceOnE[3]", "inContactReal"],
        validate=True,
    )
    for row in result:
        # A vertex is the lowest point of the sphere.
        assert row["gap"] == pytest.approx(-0.1 - row["relativePosition[3]"], abs=1e-6)
        # At the very touch rounding decides.
        if abs(row["gap"]) > 1e-9:
            assert (row["forceOnE[3]"] > 0.0) == (row["gap"] < 0.0) == (row["inContactReal"] == 1.0)
    if solver == "CVode":
        # Of the event, which is no multiple of the output interval, or doubled where it is one.
        assert len(result) > 21


def rebound(course):
    """Height to which the ball flies, from its height and velocity at the end, which is in the air."""
    height, velocity = course.states[-1][2], course.states[-1][9]
    assert velocity > 0.0
    return height + velocity**2 / (2 * 9.81)


@pytest.mark.parametrize("solver", ["Radau", "CVODE"])
def test_a_rebound_is_that_of_the_reference_in_few_steps(tmp_path, capsys, solver):
    """Contact and body as one ordinary differential equation, with the directional derivatives as Jacobian and without."""
    end = 0.19
    with BodyInContact(tmp_path, contact=BOUNCING, body=SPINNING) as system:
        reference = system.simulate(end, "DOP853", rtol=1e-10, atol=1e-12)
        if solver == "Radau":
            courses = [
                system.simulate(end, "Radau", uses_jacobian=uses_jacobian, rtol=1e-6, atol=1e-8)
                for uses_jacobian in (True, False)
            ]
        else:
            hosts = [CvodeHost(system, 1e-7, uses_jacobian) for uses_jacobian in (True, False)]
            courses = [host.simulate(end) for host in hosts]
            assert hosts[0].jacobians > 0 and hosts[1].jacobians == 0
    with capsys.disabled():
        for name, course in zip(("DOP853", f"{solver} with derivatives", f"{solver} without"), (reference, *courses)):
            error = abs(rebound(course) / rebound(reference) - 1.0)
            print(f"\n{name}: {course.steps} steps, {course.evaluations} evaluations, rebound off by {error:.0e}")
    assert len(reference.events) >= 2
    for course in courses:
        assert abs(rebound(course) / rebound(reference) - 1.0) <= REBOUND_TOLERANCE
        assert course.steps < MOST_STEPS
        assert len(course.events) == len(reference.events)
    assert courses[0].evaluations < courses[1].evaluations


def test_the_jacobian_is_that_of_differences(tmp_path):
    with BodyInContact(tmp_path, contact=BOUNCING, body=SPINNING) as system:
        states = system.initial.copy()
        states[2] = 0.097
        states[9] = -0.3
        exact = system.jacobian(0.0, states)
        steps = np.diag(np.full(len(states), 1e-7))
        differences = np.array(
            [(system.rates(0.0, states + step) - system.rates(0.0, states - step)) / 2e-7 for step in steps]
        ).T
        # The quadrature of friction, of the largest derivative of the same rates.
        for rows in (slice(0, 3), slice(3, 7), slice(7, 10), slice(10, 13)):
            largest = np.abs(differences[rows]).max()
            assert np.abs(exact[rows] - differences[rows]).max() <= 1e-3 * largest


@pytest.mark.parametrize("finds_events", [True, False])
def test_a_fast_ball_does_not_step_over_a_thin_plate(tmp_path, finds_events):
    """A ball of 20 mm at 10 m/s, a plate of 5 mm, steps of up to 10 ms: 100 mm."""
    contact = {
        "surfaceE.scale": 0.05,
        "surfaceF.scale": 0.1,
        "surfaceE.youngsModulus": 2.0e9,
        "surfaceE.layerThickness": 1.0e-3,
        "arealDamping": 0.0,
        "frictionCoefficient": 0.0,
    }
    body = {"mass": 0.033, "initialPosition[3]": 0.0433, "initialVelocity[3]": -10.0}
    body |= {f"momentsOfInertia[{i}]": 1.3e-6 for i in (1, 2, 3)}
    with BodyInContact(tmp_path, contact=contact, body=body) as system:
        course = system.simulate(
            0.02, "RK45", finds_events=finds_events, max_step=1e-2, first_step=1e-2, rtol=1e-6, atol=1e-9
        )
    height, velocity = course.states[-1][2], course.states[-1][9]
    if finds_events:
        # 33.3 mm at 10 m/s and with gravity.
        touch = (math.sqrt(10.0**2 + 2 * 9.81 * 0.0333) - 10.0) / 9.81
        assert course.events[0] == pytest.approx(touch, rel=1e-6)
        # Nothing takes energy: at the height where it started it is as fast as it was.
        assert velocity**2 + 2 * 9.81 * (height - 0.0433) == pytest.approx(10.0**2, rel=1e-4)
        assert velocity > 0.0
    else:
        assert velocity < -10.0 and height < -0.1, "steps over the plate: shows that the event matters"


def test_misuse_is_refused_with_one_message(tmp_path):
    with BodyInContact(tmp_path) as system:
        with pytest.raises(Exception):
            system.contact.fmu.newDiscreteStates()
        with pytest.raises(Exception):
            system.body.set(["mass"], [1.0])
        system.body.set(["mass"], [4.19])
        assert system.contact.get(WRENCH).shape == (6,) and len(MOTION) == 18
