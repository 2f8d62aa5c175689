"""Lives of the library in a process of its own: loaded, used and unloaded again and again, with what malloc says of it."""

import ctypes
import json
import os
import sys
from pathlib import Path

from fmpy.fmi2 import fmi2CallbackFunctions, fmi2CallbackLoggerTYPE, fmi2CoSimulation, fmi2ModelExchange

KINDS = (fmi2CoSimulation, fmi2ModelExchange)


class MallocInfo(ctypes.Structure):
    """`struct mallinfo2` of glibc 2.33 and newer."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


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
        self.c.malloc_trim.argtypes = [ctypes.c_size_t]
        self.c.mallinfo2.restype = MallocInfo
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
                "fmi2EnterContinuousTimeMode": (status, pointer),
                "fmi2GetEventIndicators": (status, pointer, pointer, size),
                "fmi2GetDirectionalDerivative": (status, pointer, pointer, size, pointer, size, pointer, pointer),
                "fmi2Terminate": (status, pointer),
                "fmi2FreeInstance": (None, pointer),
            }.items()
        }

    def memory(self):
        """Bytes that malloc has handed out, and bytes of the process that are in memory."""
        info = self.c.mallinfo2()
        self.c.malloc_trim(0)
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return info.uordblks + info.hblkhd, pages * os.sysconf("SC_PAGE_SIZE")

    def unexpected(self, _environment, _instance, _status, _category, message):
        self.messages.append(message)

    def run(self, kind, set_references, set_values, wanted):
        handle = self.c.dlopen(self.library, os.RTLD_NOW)
        assert handle, "the library cannot be loaded"
        fmi2 = {name: make(self.c.dlsym(handle, name.encode())) for name, make in self.prototypes.items()}
        instance = fmi2["fmi2Instantiate"](
            b"life", kind, self.guid, self.resources, ctypes.addressof(self.callbacks), 0, 1
        )
        assert instance, self.messages
        count = len(set_references)
        to_set = (ctypes.c_uint * count)(*set_references)
        values = (ctypes.c_double * count)(*set_values)
        to_get, result, gap, derivative = ctypes.c_uint(wanted), ctypes.c_double(), ctypes.c_double(), ctypes.c_double()
        seed = ctypes.c_double(1.0)
        known = [ctypes.addressof(place) for place in (to_set, seed, derivative)]
        derive = (ctypes.addressof(to_get), 1, known[0], 1, known[1], known[2])
        statuses = [
            fmi2["fmi2SetupExperiment"](instance, 0, 0.0, 0.0, 0, 0.0),
            fmi2["fmi2EnterInitializationMode"](instance),
            fmi2["fmi2ExitInitializationMode"](instance),
            fmi2["fmi2SetReal"](instance, ctypes.addressof(to_set), count, ctypes.addressof(values)),
        ]
        if kind == fmi2CoSimulation:
            statuses += [fmi2["fmi2DoStep"](instance, 0.0, 1e-3, 0)]
        else:
            statuses += [
                fmi2["fmi2EnterContinuousTimeMode"](instance),
                fmi2["fmi2GetEventIndicators"](instance, ctypes.addressof(gap), 1),
            ]
        statuses += [
            fmi2["fmi2GetReal"](instance, ctypes.addressof(to_get), 1, ctypes.addressof(result)),
            fmi2["fmi2GetDirectionalDerivative"](instance, *derive),
            fmi2["fmi2Terminate"](instance),
        ]
        fmi2["fmi2FreeInstance"](instance)
        assert self.c.dlclose(handle) == 0
        assert statuses == [0] * len(statuses) and self.messages == []
        return result.value


def main(library, guid, resources, cycles, set_references, set_values, wanted):
    life = Life(library, guid, resources)
    threads = len(os.listdir("/proc/self/task"))
    results, memory = {kind: set() for kind in KINDS}, []
    for cycle in range(cycles):
        kind = KINDS[cycle % len(KINDS)]
        results[kind].add(life.run(kind, set_references, set_values, wanted))
        # Not in every life: reading it makes Python allocate.
        if cycle % 100 == 0:
            assert library not in Path("/proc/self/maps").read_text(), "unloaded means unmapped"
        # What Python and the C library set up once is there after the first lives of both kinds.
        if cycle in (9, cycles - 1):
            memory.append(life.memory())
    of_kinds = [list(of_kind) for of_kind in results.values()]
    print(json.dumps({"results": of_kinds, "memory": memory, "threads": len(os.listdir("/proc/self/task")) - threads}))


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
