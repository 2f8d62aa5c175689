"""One instance of an FMU in FMPy, with variables by name and a logger that remembers."""

import shutil
from pathlib import Path

import fmpy
from fmpy.fmi2 import FMU2Slave, fmi2CallbackFunctions, fmi2CallbackLoggerTYPE


class Host:
    """Extracts, instantiates, and cleans up at the end of a `with` block."""

    def __init__(self, path, guid=None, prepare=None, folder=None):
        """`prepare` may change the extracted folder before the library is loaded."""
        self.messages = []
        self.folder = Path(fmpy.extract(str(path), unzipdir=folder))
        if prepare:
            prepare(self.folder)
        description = fmpy.read_model_description(str(path))
        self.variables = {variable.name: variable for variable in description.modelVariables}
        self.slave = FMU2Slave(
            guid=guid or description.guid,
            unzipDirectory=str(self.folder),
            modelIdentifier=description.coSimulation.modelIdentifier,
            instanceName="instance",
        )
        self.is_instantiated = False

    def __enter__(self):
        callbacks = fmi2CallbackFunctions()
        # The message is a finished text: a host that ignores the variadic arguments loses nothing.
        callbacks.logger = fmi2CallbackLoggerTYPE(
            lambda environment, instance, status, category, message: self.messages.append(
                (status, category.decode(), message.decode())
            )
        )
        try:
            self.slave.instantiate(callbacks=callbacks, loggingOn=True)
            self.is_instantiated = True
        except Exception:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.is_instantiated:
            self.slave.freeInstance()
        else:
            self.slave.freeLibrary()
        shutil.rmtree(self.folder)

    def start(self, values=None):
        self.slave.setupExperiment(startTime=0.0)
        self.slave.enterInitializationMode()
        self.set(values or {})
        self.slave.exitInitializationMode()

    def set(self, values):
        for name, value in values.items():
            variable = self.variables[name]
            setter = self.slave.setReal if variable.type == "Real" else self.slave.setInteger
            setter([variable.valueReference], [value])

    def get(self, name):
        variable = self.variables[name]
        getters = {"Real": self.slave.getReal, "Boolean": self.slave.getBoolean}
        return getters.get(variable.type, self.slave.getInteger)([variable.valueReference])[0]

    def step(self, time, size):
        self.slave.doStep(currentCommunicationPoint=time, communicationStepSize=size)
