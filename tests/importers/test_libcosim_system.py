"""libcosim reads the SSP archive and runs the loop of contact and body without a line of master code."""

import pytest
from landing_sphere import STEP_SIZE, STEPS, LandingSphere, ssp_path
from libcosimpy.CosimExecution import CosimExecution
from libcosimpy.CosimObserver import CosimObserver


def run(step_size):
    """Heights, velocities and forces after each step; with no step size, the one of the archive."""
    execution = CosimExecution.from_ssp_file(str(ssp_path()), step_size)
    observer = CosimObserver.create_last_value()
    assert execution.add_observer(observer)
    references = [
        {variable.name.decode(): variable.reference for variable in execution.slave_variables(slave)} for slave in (0, 1)
    ]
    body = next(slave for slave in (0, 1) if "mass" in references[slave])
    contact = 1 - body
    of_body = [references[body][name] for name in ("relativePosition[3]", "relativeVelocity[3]")]
    of_contact = [references[contact]["forceOnF[3]"]]
    history = []
    for _ in range(STEPS):
        assert execution.step()
        height, velocity = observer.last_real_values(body, of_body)
        (force,) = observer.last_real_values(contact, of_contact)
        history.append((height, velocity, force))
    return [list(column) for column in zip(*history)]


@pytest.mark.parametrize("step_size", [None, round(STEP_SIZE * 1e9)])
def test_the_ball_lands_and_rests(step_size):
    LandingSphere().check(*run(step_size))
