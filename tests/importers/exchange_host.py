"""A small host for Model Exchange: a contact and a free body as one ordinary differential equation."""

import shutil
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import fmpy
import numpy as np
from fmpy.fmi2 import FMU2Model
from landing_sphere import ssp_path
from scipy.integrate import DOP853, RK45, Radau
from scipy.optimize import brentq

SOLVERS = {"DOP853": DOP853, "RK45": RK45, "Radau": Radau}

WRENCH = [f"{name}[{i}]" for name in ("forceOnF", "torqueOnF") for i in (1, 2, 3)]
LOAD = [f"{name}[1,{i}]" for name in ("force", "torque") for i in (1, 2, 3)]
MOTION = (
    [f"relativePosition[{i}]" for i in (1, 2, 3)]
    + [f"relativeOrientation[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)]
    + [f"relativeVelocity[{i}]" for i in (1, 2, 3)]
    + [f"relativeAngularVelocity[{i}]" for i in (1, 2, 3)]
)


def unpack(name, folder):
    """An FMU of the system of the landing sphere as a file."""
    with zipfile.ZipFile(ssp_path()) as system:
        return Path(system.extract(f"resources/{name}.fmu", folder))


class Model:
    """An FMU in continuous-time mode, with variables by name."""

    def __init__(self, path, start):
        self.folder = Path(fmpy.extract(str(path)))
        description = fmpy.read_model_description(str(path))
        self.references = {variable.name: variable.valueReference for variable in description.modelVariables}
        self.states = [unknown.variable.derivative.name for unknown in description.derivatives]
        self.derivatives = [unknown.variable.name for unknown in description.derivatives]
        self.indicators = description.numberOfEventIndicators
        self.fmu = FMU2Model(
            guid=description.guid,
            unzipDirectory=str(self.folder),
            modelIdentifier=description.modelExchange.modelIdentifier,
            instanceName="model",
        )
        self.fmu.instantiate()
        self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.set(list(start), list(start.values()))
        self.fmu.exitInitializationMode()
        self.fmu.newDiscreteStates()
        self.fmu.enterContinuousTimeMode()

    def close(self):
        self.fmu.terminate()
        self.fmu.freeInstance()
        shutil.rmtree(self.folder)

    def of(self, names):
        return [self.references[name] for name in names]

    def set(self, names, values):
        self.fmu.setReal(self.of(names), list(values))

    def get(self, names):
        return np.array(self.fmu.getReal(self.of(names)))

    def jacobian(self, unknowns, knowns):
        """One column per call: the FMU keeps what it has computed for the next one."""
        unknowns = self.of(unknowns)
        columns = [self.fmu.getDirectionalDerivative(unknowns, [known], [1.0]) for known in self.of(knowns)]
        return np.array(columns).T


@dataclass
class Course:
    """What a simulation has found."""

    times: list = field(default_factory=list)
    states: list = field(default_factory=list)
    steps: int = 0
    evaluations: int = 0
    events: list = field(default_factory=list)


class BodyInContact:
    """The equations of a body under gravity and a contact, in the states of the body."""

    def __init__(self, folder, contact=None, body=None):
        self.contact = Model(unpack("BallOnGround", folder), contact or {})
        self.body = Model(unpack("Ball", folder), body or {})
        self.evaluations = 0
        self.initial = self.body.get(self.body.states)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.contact.close()
        self.body.close()

    def move(self, time, states):
        for model in (self.contact, self.body):
            model.fmu.setTime(time)
        values = (fmpy.fmi2.fmi2Real * len(states))(*states)
        self.body.fmu.setContinuousStates(values, len(states))
        self.contact.set(MOTION, self.body.get(MOTION))

    def rates(self, time, states):
        self.evaluations += 1
        self.move(time, states)
        self.body.set(LOAD, self.contact.get(WRENCH))
        return self.body.get(self.body.derivatives)

    def jacobian(self, time, states):
        """By the chain rule: the load moves the body, the motion changes the load, the states make the motion."""
        self.rates(time, states)
        body = self.body.jacobian([*self.body.derivatives, *MOTION], [*self.body.states, *LOAD])
        by_states, motion = body[: len(states), : len(states)], body[len(states) :, : len(states)]
        by_load = body[: len(states), len(states) :]
        return by_states + by_load @ self.contact.jacobian(WRENCH, MOTION) @ motion

    def gap(self, time, states):
        self.move(time, states)
        indicators = (fmpy.fmi2.fmi2Real * self.contact.indicators)()
        self.contact.fmu.getEventIndicators(indicators, self.contact.indicators)
        return indicators[0]

    def events(self, time, states):
        """Event mode of both models; returns the time of the next event that one of them announces."""
        self.move(time, states)
        next_time = np.inf
        for model in (self.contact, self.body):
            model.fmu.enterEventMode()
            *_, is_defined, announced = model.fmu.newDiscreteStates()
            next_time = min(next_time, announced if is_defined else np.inf)
            model.fmu.enterContinuousTimeMode()
        return next_time

    def completed_step(self):
        return any([model.fmu.completedIntegratorStep()[0] for model in (self.contact, self.body)])

    def zero_of_gap(self, solver, side):
        """Within the last step; at its beginning where rounding has put the zero of the last event on this side."""
        course = solver.dense_output()
        if side * self.gap(solver.t_old, course(solver.t_old)) <= 0.0:
            return solver.t_old, course(solver.t_old)
        time = brentq(lambda t: self.gap(t, course(t)), solver.t_old, solver.t, xtol=1e-14)
        return time, course(time)

    def simulate(self, end, method, uses_jacobian=False, finds_events=True, **options):
        """Integrates step by step and begins anew at zeros of the gap and where a model asks for it."""
        time, states = 0.0, self.initial
        course = Course(times=[time], states=[states])
        self.evaluations = 0
        options |= {"jac": self.jacobian} if uses_jacobian else {}
        first_step = options.pop("first_step", np.inf)
        next_event = self.events(time, states)
        side = np.sign(self.gap(time, states))
        while time < end:
            stop = min(end, next_event) if finds_events else end
            # After an event a solver begins with a step of its own choice.
            first = {"first_step": min(first_step, stop - time)} if time == 0.0 and first_step < np.inf else {}
            solver = SOLVERS[method](self.rates, time, states, stop, **first, **options)
            is_event = False
            while solver.status == "running" and not is_event:
                message = solver.step()
                assert solver.status != "failed", message
                course.steps += 1
                time, states = solver.t, solver.y
                if not finds_events:
                    continue
                if side * self.gap(time, states) < 0.0:
                    time, states = self.zero_of_gap(solver, side)
                    course.events.append(time)
                    side = -side
                    is_event = True
                self.move(time, states)
                is_event |= self.completed_step()
            course.times.append(time)
            course.states.append(states)
            if time < end:
                next_event = self.events(time, states)
        course.evaluations = self.evaluations
        return course
