"""FMPy saves and restores the state of an FMU, also in another process."""

import subprocess
import sys
from pathlib import Path

import pytest
from expected_contact import MASTER_E, STEP_OUTPUTS, ContactPair, fmu_path
from fmpy.fmi1 import FMICallException
from fmpy_host import Host
from run_from_state import FIRST_STEP, run
from scenarios import FMUS, MOTION_PARAMETERS, SinkingSlide


def started(name, step_output):
    """A host in the middle of a motion, its slide, and what came out so far."""
    slide = SinkingSlide(ContactPair(fmu_path(name)))
    host = Host(fmu_path(name)).__enter__()
    choices = {"method": MASTER_E, "stepOutput": STEP_OUTPUTS[step_output], "extrapolationSteps": 1.5}
    host.start(MOTION_PARAMETERS | choices)
    run(host, slide, 0, FIRST_STEP)
    return host, slide


@pytest.mark.parametrize("name", FMUS)
@pytest.mark.parametrize("step_output", STEP_OUTPUTS)
def test_a_restored_state_runs_on_with_the_same_bits(name, step_output, tmp_path):
    host, slide = started(name, step_output)
    state = host.slave.getFMUstate()
    serialised = host.slave.serializeFMUstate(state)
    first = run(host, slide, FIRST_STEP, slide.STEPS)
    host.slave.setFMUstate(state)
    again = run(host, slide, FIRST_STEP, slide.STEPS)
    host.slave.freeFMUstate(state)
    host.close()
    assert first.strip(b"\0"), "the outputs change, so that equality means something"
    assert again == first

    file = tmp_path / "state.bin"
    file.write_bytes(serialised)
    script = Path(__file__).parent / "run_from_state.py"
    done = subprocess.run([sys.executable, script, fmu_path(name), file], capture_output=True, text=True, check=True)
    assert bytes.fromhex(done.stdout) == first


def test_step_outputs_differ():
    """Otherwise the test above would see one of them three times."""
    traces = set()
    for step_output in STEP_OUTPUTS:
        host, slide = started("SphereOnPlate", step_output)
        traces.add(run(host, slide, FIRST_STEP, slide.STEPS))
        host.close()
    assert len(traces) == len(STEP_OUTPUTS)


def refusal(host, serialised):
    """The single message with which a byte vector is refused, at the latest where it is to be used."""
    before = len(host.messages)
    with pytest.raises(FMICallException):
        host.slave.setFMUstate(host.slave.deSerializeFMUstate(serialised))
    ((status, category, text),) = host.messages[before:]
    assert (status, category) == (3, "logStatusError")
    return text


def test_damaged_and_foreign_states_are_refused_with_a_message():
    other, _ = started("SphereByCardan", "hold")
    foreign = other.slave.serializeFMUstate(other.slave.getFMUstate())
    other.close()
    host, slide = started("SphereOnPlate", "hold")
    state = host.slave.getFMUstate()
    serialised = host.slave.serializeFMUstate(state)
    expected = run(host, slide, FIRST_STEP, slide.STEPS)
    flipped = bytearray(serialised)
    flipped[len(flipped) // 2] ^= 1
    for damaged in (bytes(flipped), serialised[:-1], serialised[:7], b"", b"not a state", foreign):
        assert "state" in refusal(host, damaged)
    # The instance is as good as before.
    host.slave.setFMUstate(state)
    assert run(host, slide, FIRST_STEP, slide.STEPS) == expected
    host.close()
