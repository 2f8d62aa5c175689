"""libcosim, a co-simulation master, drives the FMUs through libcosimpy."""

import pytest
from expected_contact import ContactPair, fmu_path
from libcosimpy.CosimEnums import CosimVariableCausality, CosimVariableType
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimManipulator import CosimManipulator
from libcosimpy.CosimObserver import CosimObserver
from libcosimpy.CosimSlave import CosimLocalSlave
from scenarios import FMUS, FMUS_THAT_HOLD, MOTION_PARAMETERS, WRENCHES, LandingBody, SinkingSlide, poses_at_rest


class Master:
    """An execution with one FMU. Inputs are overrides, which hold from the next step on."""

    def __init__(self, path, step_size, parameters):
        # Times are in nanoseconds.
        self.execution = CosimExecution.from_step_size(round(step_size * 1e9))
        self.slave = CosimLocalSlave(fmu_path=str(path), instance_name="contact")
        self.index = self.execution.add_local_slave(self.slave)
        self.references = {
            variable.name.decode(): variable.reference
            for variable in self.execution.slave_variables(self.index)
            if variable.type == CosimVariableType.REAL.value
        }
        for name, value in parameters.items():
            assert self.execution.real_initial_value(self.index, self.references[name], value), name
        self.observer = CosimObserver.create_last_value()
        self.manipulator = CosimManipulator.create_override()
        assert self.execution.add_observer(self.observer)
        assert self.execution.add_manipulator(self.manipulator)

    def step(self, inputs):
        references = [self.references[name] for name in inputs]
        assert self.manipulator.slave_real_values(self.index, references, list(inputs.values()))
        assert self.execution.step()

    def outputs(self, names=WRENCHES):
        references = [self.references[name] for name in names]
        return dict(zip(names, self.observer.last_real_values(self.index, references)))


@pytest.mark.parametrize("name", FMUS)
def test_the_variables_are_known(name):
    master = Master(fmu_path(name), 1e-3, {})
    inputs = [
        variable
        for variable in master.execution.slave_variables(master.index)
        if variable.causality == CosimVariableCausality.INPUT.value
    ]
    assert len(inputs) == 9 + {"SphereByQuaternion": 4, "SphereByCardan": 3}.get(name, 9)


@pytest.mark.parametrize("name", FMUS_THAT_HOLD)
def test_constant_poses_give_stiffness_times_volume(name):
    pair = ContactPair(fmu_path(name))
    master = Master(fmu_path(name), 1e-3, {})
    for pose in poses_at_rest(pair):
        for _ in range(3):
            master.step(pose.inputs(pair.orientation))
            pair.assert_outputs(master.outputs(), pair.outputs_at_rest(pose))


@pytest.mark.parametrize("name", FMUS_THAT_HOLD)
def test_a_moving_pose_has_damping_and_friction(name):
    slide = SinkingSlide(ContactPair(fmu_path(name)))
    master = Master(fmu_path(name), slide.STEP_SIZE, MOTION_PARAMETERS)
    touching = 0
    for i in range(slide.STEPS):
        time = i * slide.STEP_SIZE
        master.step(slide.inputs(time))
        touching += slide.check(time, master.outputs())
    assert touching >= 10


@pytest.mark.parametrize("name", FMUS)
def test_a_body_lands_and_rests(name):
    body = LandingBody(ContactPair(fmu_path(name)))
    master = Master(fmu_path(name), body.STEP_SIZE, body.parameters)
    for _ in range(body.STEPS):
        master.step(body.inputs())
        body.step(master.outputs(["forceOnE[3]"])["forceOnE[3]"])
    body.check()
