"""libcosim drives flexible bodies with free bodies in its loop."""

from ball_on_rod import ENERGIES, FORCE, STEP_SIZE, STEPS, BallOnRod
from test_libcosim import Master


def test_a_ball_rebounds_from_a_rod():
    impact = BallOnRod()
    master = Master(impact.path, STEP_SIZE, {})
    for _ in range(STEPS):
        master.step(impact.inputs())
        impact.step(master.outputs([FORCE, *ENERGIES]))
    impact.check()
