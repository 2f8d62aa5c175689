"""FMPy validates and simulates the FMUs."""

import fmpy
import numpy as np
import pytest
from expected_contact import MASTER_E, MASTER_F, STEP_OUTPUTS, TOLERANCE, ContactPair, fmu_path
from fmpy_host import Host
from fmpy.validation import validate_fmu
from scenarios import FMUS, MOTION_PARAMETERS, WRENCHES, LandingBody, SinkingSlide, poses_at_rest


@pytest.mark.parametrize("name", FMUS)
def test_validation_has_nothing_to_say(name):
    assert validate_fmu(str(fmu_path(name))) == []


@pytest.mark.parametrize("name", FMUS)
def test_constant_poses_give_stiffness_times_volume(name):
    path = fmu_path(name)
    pair = ContactPair(path)
    for pose in poses_at_rest(pair):
        result = fmpy.simulate_fmu(
            str(path),
            stop_time=0.01,
            output_interval=0.002,
            start_values=pose.inputs(pair.orientation),
            output=WRENCHES,
        )
        assert len(result) == 6
        expected = pair.outputs_at_rest(pose)
        for row in result:
            pair.assert_outputs({output: row[output] for output in WRENCHES}, expected)


def test_the_method_can_be_set():
    """The default example chooses `auto`: the sphere is soft, so the plate carries the pressure in its field. The other way round the force is another one, and has an exact answer."""
    path = fmu_path("SphereOnPlate")
    pair = ContactPair(path)
    pose = pair.at_depth(0.02 * pair.size)
    forces = [
        fmpy.simulate_fmu(
            str(path),
            stop_time=0.01,
            output_interval=0.01,
            start_values=pose.inputs("matrix") | parameters,
            output=["forceOnE[3]"],
        )["forceOnE[3]"][-1]
        for parameters in ({"method": MASTER_E}, {"method": MASTER_F}, {})
    ]
    expected = pair.outputs_at_rest(pose)["forceOnE[3]"]
    assert forces[0] == pytest.approx(expected, rel=TOLERANCE)
    assert forces[2] == forces[1]
    assert abs(forces[2] - forces[0]) > 100 * TOLERANCE * abs(expected)


@pytest.mark.parametrize("name", FMUS)
def test_a_moving_pose_has_damping_and_friction(name):
    """FMPy sets the inputs of the beginning of a step, and `hold` answers for them at its end."""
    path = fmu_path(name)
    slide = SinkingSlide(ContactPair(path))
    times = [i * slide.STEP_SIZE for i in range(slide.STEPS + 1)]
    columns = list(slide.inputs(0.0))
    rows = [(time, *(slide.inputs(time)[column] for column in columns)) for time in times]
    signals = np.array(rows, dtype=[("time", float)] + [(column, float) for column in columns])
    result = fmpy.simulate_fmu(
        str(path),
        stop_time=times[-1],
        output_interval=slide.STEP_SIZE,
        start_values=MOTION_PARAMETERS | {"stepOutput": STEP_OUTPUTS["hold"]},
        input=signals,
        output=WRENCHES,
    )
    assert len(result) == slide.STEPS + 1
    touching = 0
    for before, row in zip(times, result[1:]):
        touching += slide.check(before, {output: row[output] for output in WRENCHES})
    assert touching >= 10


@pytest.mark.parametrize("name", FMUS)
def test_a_body_lands_and_rests(name):
    body = LandingBody(ContactPair(fmu_path(name)))
    with Host(fmu_path(name)) as host:
        host.start(body.parameters | body.inputs())
        for i in range(body.STEPS):
            host.set(body.inputs())
            host.step(i * body.STEP_SIZE, body.STEP_SIZE)
            body.step(host.get("forceOnE[3]"))
    body.check()
