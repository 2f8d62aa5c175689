"""Ecos reads the SSP archive and runs the loop of contact and body."""

import pytest
from ecospy import EcosSimulation
from landing_sphere import STEP_SIZE, STEPS, LandingSphere, ssp_path


def run(parameter_set):
    simulation = EcosSimulation(ssp_path=str(ssp_path()), step_size=STEP_SIZE)
    try:
        # Ecos gives back whether initialization went well instead of raising.
        assert simulation.init(parameter_set=parameter_set)
        history = []
        for _ in range(STEPS):
            simulation.step(1)
            names = ("body::relativePosition[3]", "body::relativeVelocity[3]", "contact::forceOnF[3]")
            history.append([simulation.get_real(name) for name in names])
        simulation.terminate()
    finally:
        simulation.free()
    return [list(column) for column in zip(*history)]


@pytest.mark.parametrize("parameter_set", [None, "start"])
def test_the_ball_lands_and_rests(parameter_set):
    LandingSphere().check(*run(parameter_set))
