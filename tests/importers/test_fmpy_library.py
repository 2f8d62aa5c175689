"""The library is loaded, used and unloaded a thousand times, and leaves nothing behind."""

import json
import os
import subprocess
import sys
from pathlib import Path

import fmpy
import pytest
from expected_contact import ContactPair, fmu_path

CYCLES = 1000
# Resident memory, once malloc has given back what it can, in bytes: 64 per life.
ALLOWED_GROWTH = 64 * 1024

# Without the freed blocks that malloc keeps at hand per thread, and counts as used: its stock of them grows for
# thousands of lives, by some 20 KiB in all, and hides what is lost. Likewise it gives back the free end of its heap or
# keeps it, as the last freed block falls: up to 450 KiB.
MALLOC = {"GLIBC_TUNABLES": "glibc.malloc.tcache_count=0:glibc.malloc.mxfast=0"}


# Common functions, those for Model Exchange, those for co-simulation: FMI 2.0.4, sections 2.1, 3.2 and 4.2.
FUNCTIONS = """
    GetTypesPlatform GetVersion SetDebugLogging Instantiate FreeInstance SetupExperiment
    EnterInitializationMode ExitInitializationMode Terminate Reset
    GetReal GetInteger GetBoolean GetString SetReal SetInteger SetBoolean SetString
    GetFMUstate SetFMUstate FreeFMUstate SerializedFMUstateSize SerializeFMUstate DeSerializeFMUstate
    GetDirectionalDerivative SetRealInputDerivatives GetRealOutputDerivatives DoStep CancelStep
    EnterEventMode NewDiscreteStates EnterContinuousTimeMode CompletedIntegratorStep SetTime SetContinuousStates
    GetDerivatives GetEventIndicators GetContinuousStates GetNominalsOfContinuousStates
    GetStatus GetRealStatus GetIntegerStatus GetBooleanStatus GetStringStatus
""".split()


def test_the_library_exports_the_functions_of_the_standard_and_nothing_else(tmp_path):
    folder = Path(fmpy.extract(str(fmu_path("SphereOnPlate")), unzipdir=str(tmp_path / "fmu")))
    (library,) = (folder / "binaries" / "linux64").iterdir()
    listing = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    assert sorted(line.split()[-1] for line in listing.splitlines()) == sorted(f"fmi2{name}" for name in FUNCTIONS)


def test_a_thousand_lives_leave_nothing_behind(tmp_path):
    path = fmu_path("SphereOnPlate")
    folder = Path(fmpy.extract(str(path), unzipdir=str(tmp_path / "fmu")))
    description = fmpy.read_model_description(str(path))
    library = folder / "binaries" / "linux64" / f"{description.coSimulation.modelIdentifier}.so"
    pair = ContactPair(path)
    inputs = pair.at_depth(0.02 * pair.size).inputs("matrix")
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    arguments = {
        "library": str(library),
        "guid": description.guid,
        "resources": (folder / "resources").as_uri(),
        "cycles": CYCLES,
        "set_references": [references[name] for name in inputs],
        "set_values": list(inputs.values()),
        "wanted": references["forceOnE[3]"],
    }
    script = Path(__file__).parent / "library_lives.py"
    done = subprocess.run(
        [sys.executable, script, json.dumps(arguments)], env=os.environ | MALLOC, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    (used, resident), (used_at_last, resident_at_last) = found["memory"]
    assert used_at_last == used, "bytes that malloc has handed out and not got back"
    assert resident_at_last - resident <= ALLOWED_GROWTH
    assert found["threads"] == 0
    # The same bits in every life of a kind. In co-simulation it is the wrench for a step, which is the same but for rounding.
    (co_simulation,), (model_exchange,) = found["results"]
    assert 0.0 < co_simulation == pytest.approx(model_exchange, rel=1e-14)
