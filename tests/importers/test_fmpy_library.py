"""The library is loaded, used and unloaded a thousand times, and leaves nothing behind."""

import ctypes
import os
import subprocess
from pathlib import Path

import fmpy
from expected_contact import ContactPair, fmu_path
from fmpy.fmi2 import fmi2CallbackFunctions, fmi2CallbackLoggerTYPE, fmi2CoSimulation

CYCLES = 1000
# Python and the C library reach their working size within these.
WARM_UP = 200
# A leak of one page of 4 KiB per cycle would be eight times more.
# The heap of the process settles by some hundred pages; a single surface that stayed behind in each life would be 600 KiB times 800.
ALLOWED_GROWTH = 2 * 1024 * 1024


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
    life = Life(library, description.guid, (folder / "resources").as_uri())
    set_references, set_values = [references[name] for name in inputs], list(inputs.values())

    threads = len(os.listdir("/proc/self/task"))
    forces = set()
    for cycle in range(CYCLES):
        forces.add(life.run(set_references, set_values, references["forceOnE[3]"]))
        assert str(library) not in Path("/proc/self/maps").read_text(), "unloaded means unmapped"
        if cycle == WARM_UP:
            memory = resident_memory()
    growth = resident_memory() - memory
    assert growth <= ALLOWED_GROWTH, f"{growth} bytes more after {CYCLES - WARM_UP} cycles"
    assert len(os.listdir("/proc/self/task")) == threads
    assert len(forces) == 1 and min(forces) > 0.0


class Life:
    """Loads, instantiates, steps, frees and unloads; its messages would fail the test."""

    def __init__(self, library, guid, resources):
        self.library, self.guid, self.resources = str(library).encode(), guid.encode(), resources.encode()
        self.callbacks = fmi2CallbackFunctions()
        self.callbacks.logger = fmi2CallbackLoggerTYPE(self.unexpected)
        self.messages = []
        self.c = ctypes.CDLL(None)
        self.c.dlopen.restype = self.c.dlsym.restype = ctypes.c_void_p
        self.c.dlopen.argtypes = [ctypes.c_char_p, ctypes.c_int]
        self.c.dlsym.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
        self.c.dlclose.argtypes = [ctypes.c_void_p]
        # One prototype for all cycles: making them is what grows in ctypes.
        pointer, text, real, size = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_double, ctypes.c_size_t
        flag, status = ctypes.c_int, ctypes.c_int
        self.prototypes = {
            name: ctypes.CFUNCTYPE(*types)
            for name, types in {
                "fmi2Instantiate": (pointer, text, ctypes.c_int, text, text, pointer, flag, flag),
                "fmi2SetupExperiment": (status, pointer, flag, real, real, flag, real),
                "fmi2EnterInitializationMode": (status, pointer),
                "fmi2ExitInitializationMode": (status, pointer),
                "fmi2SetReal": (status, pointer, pointer, size, pointer),
                "fmi2GetReal": (status, pointer, pointer, size, pointer),
                "fmi2DoStep": (status, pointer, real, real, flag),
                "fmi2Terminate": (status, pointer),
                "fmi2FreeInstance": (None, pointer),
            }.items()
        }

    def unexpected(self, _environment, _instance, _status, _category, message):
        self.messages.append(message)

    def run(self, set_references, set_values, wanted):
        handle = self.c.dlopen(self.library, os.RTLD_NOW)
        assert handle, "the library cannot be loaded"
        fmi2 = {name: make(self.c.dlsym(handle, name.encode())) for name, make in self.prototypes.items()}
        instance = fmi2["fmi2Instantiate"](
            b"life", fmi2CoSimulation, self.guid, self.resources, ctypes.addressof(self.callbacks), 0, 1
        )
        assert instance, self.messages
        count = len(set_references)
        to_set = (ctypes.c_uint * count)(*set_references)
        values = (ctypes.c_double * count)(*set_values)
        to_get, result = ctypes.c_uint(wanted), ctypes.c_double()
        statuses = [
            fmi2["fmi2SetupExperiment"](instance, 0, 0.0, 0.0, 0, 0.0),
            fmi2["fmi2EnterInitializationMode"](instance),
            fmi2["fmi2ExitInitializationMode"](instance),
            fmi2["fmi2SetReal"](instance, ctypes.addressof(to_set), count, ctypes.addressof(values)),
            fmi2["fmi2DoStep"](instance, 0.0, 1e-3, 0),
            fmi2["fmi2GetReal"](instance, ctypes.addressof(to_get), 1, ctypes.addressof(result)),
            fmi2["fmi2Terminate"](instance),
        ]
        fmi2["fmi2FreeInstance"](instance)
        assert self.c.dlclose(handle) == 0
        assert statuses == [0] * len(statuses) and self.messages == []
        return result.value


def resident_memory():
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
