"""Goes on from a serialised state in a process of its own: `run_from_state.py FMU STATE`, prints the outputs as hex."""

import struct
import sys
from pathlib import Path

from expected_contact import ContactPair
from fmpy_host import Host
from scenarios import SinkingSlide

FIRST_STEP = 8


def run(host, slide, first, last):
    """All real outputs after each step, bit by bit. The velocity is given once, before the first step."""
    references = [v.valueReference for v in host.variables.values() if v.causality == "output" and v.type == "Real"]
    trace = b""
    for i in range(first, last):
        inputs = slide.inputs(i * slide.STEP_SIZE)
        if i == 0:
            host.set(inputs)
            velocity = [host.variables[f"relativeVelocity[{j}]"].valueReference for j in (1, 2, 3)]
            host.slave.setRealInputDerivatives(velocity, [1, 1, 1], [0.3, -0.2, 1.5])
        host.set({name: value for name, value in inputs.items() if name.startswith("relativePosition")})
        host.step(i * slide.STEP_SIZE, slide.STEP_SIZE)
        values = host.slave.getReal(references)
        trace += struct.pack(f"<{len(values)}d", *values)
    return trace


if __name__ == "__main__":
    path = Path(sys.argv[1])
    slide = SinkingSlide(ContactPair(path))
    with Host(path) as host:
        host.start()
        state = host.slave.deSerializeFMUstate(Path(sys.argv[2]).read_bytes())
        host.slave.setFMUstate(state)
        host.slave.freeFMUstate(state)
        print(run(host, slide, FIRST_STEP, slide.STEPS).hex())
