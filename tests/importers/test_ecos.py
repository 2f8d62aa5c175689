"""Ecos, a co-simulation master, drives the FMUs through ecospy."""

import pytest
from ecospy import EcosSimulation, EcosSimulationStructure
from expected_contact import ContactPair, fmu_path
from scenarios import FMUS, FMUS_THAT_HOLD, MOTION_PARAMETERS, WRENCHES, LandingBody, SinkingSlide, poses_at_rest


class Master:
    """A simulation with one FMU, which Ecos calls `contact`."""

    def __init__(self, path, step_size, parameters):
        with EcosSimulationStructure() as structure:
            structure.add_model("contact", str(path))
            structure.add_parameter_set("test", {f"contact::{name}": value for name, value in parameters.items()})
            self.simulation = EcosSimulation(structure=structure, step_size=step_size)
        # Ecos gives back whether initialization went well instead of raising.
        assert self.simulation.init(parameter_set="test")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.simulation.terminate()
        self.simulation.free()

    def step(self, inputs):
        for name, value in inputs.items():
            self.simulation.set_real(f"contact::{name}", value)
        self.simulation.step(1)

    def outputs(self, names=WRENCHES):
        return {name: self.simulation.get_real(f"contact::{name}") for name in names}


@pytest.mark.parametrize("name", FMUS_THAT_HOLD)
def test_constant_poses_give_stiffness_times_volume(name):
    pair = ContactPair(fmu_path(name))
    with Master(fmu_path(name), 1e-3, {}) as master:
        for pose in poses_at_rest(pair):
            for _ in range(3):
                master.step(pose.inputs(pair.orientation))
                pair.assert_outputs(master.outputs(), pair.outputs_at_rest(pose))


@pytest.mark.parametrize("name", FMUS_THAT_HOLD)
def test_a_moving_pose_has_damping_and_friction(name):
    slide = SinkingSlide(ContactPair(fmu_path(name)))
    with Master(fmu_path(name), slide.STEP_SIZE, MOTION_PARAMETERS) as master:
        touching = 0
        for i in range(slide.STEPS):
            time = i * slide.STEP_SIZE
            master.step(slide.inputs(time))
            touching += slide.check(time, master.outputs())
    assert touching >= 10


@pytest.mark.parametrize("name", FMUS)
def test_a_body_lands_and_rests(name):
    body = LandingBody(ContactPair(fmu_path(name)))
    with Master(fmu_path(name), body.STEP_SIZE, body.parameters) as master:
        for _ in range(body.STEPS):
            master.step(body.inputs())
            body.step(master.outputs(["forceOnE[3]"])["forceOnE[3]"])
    body.check()
