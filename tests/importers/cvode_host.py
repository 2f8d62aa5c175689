"""CVODE, as FMPy brings it along, integrates a contact and a body as one system."""

from ctypes import CFUNCTYPE, POINTER, byref, c_double, c_int, c_long, c_void_p

import numpy as np
from exchange_host import Course
from fmpy.sundials import NV_DATA_S, CVodeSolver
from fmpy.sundials.libraries import sundials_cvode, sundials_sunmatrixdense
from fmpy.sundials.sundials_matrix import SUNMatrix
from fmpy.sundials.sundials_nvector import N_Vector

# FMPy has no Jacobian of its own; SUNDIALS 7 takes one (cvode_ls.h).
JACOBIAN = CFUNCTYPE(c_int, c_double, N_Vector, N_Vector, SUNMatrix, c_void_p, N_Vector, N_Vector, N_Vector)
sundials_cvode.CVodeSetJacFn.argtypes = [c_void_p, JACOBIAN]
sundials_sunmatrixdense.SUNDenseMatrix_Data.argtypes = [SUNMatrix]
sundials_sunmatrixdense.SUNDenseMatrix_Data.restype = POINTER(c_double)
for counter in ("CVodeGetNumSteps", "CVodeGetNumJacEvals"):
    getattr(sundials_cvode, counter).argtypes = [c_void_p, POINTER(c_long)]


class NoInput:
    """The system has no inputs of its own."""

    def apply(self, _time):
        pass


class CvodeHost:
    """Drives a `BodyInContact` with FMPy's solver, as FMPy's own loop for one FMU does."""

    def __init__(self, system, tolerance, uses_jacobian):
        self.system, self.time, self.states = system, 0.0, system.initial.copy()
        self.count = len(self.states)
        self.jacobians = 0
        self.solver = CVodeSolver(
            nx=self.count,
            nz=1,
            get_x=self.get_states,
            set_x=self.set_states,
            get_dx=self.get_rates,
            get_z=self.get_gap,
            get_nominals=lambda values, count: self.fill(values, np.ones(count)),
            set_time=self.set_time,
            input=NoInput(),
            startTime=0.0,
            relativeTolerance=tolerance,
            maxNumSteps=100_000,
        )
        if uses_jacobian:
            self.function = JACOBIAN(self.jacobian)
            assert sundials_cvode.CVodeSetJacFn(self.solver.cvode_mem, self.function) == 0

    def fill(self, values, numbers):
        np.ctypeslib.as_array(values, (len(numbers),))[:] = numbers

    def set_time(self, time):
        self.time = time

    def get_states(self, values, count):
        self.fill(values, self.states)

    def set_states(self, values, count):
        self.states = np.ctypeslib.as_array(values, (count,)).copy()

    def get_rates(self, values, count):
        self.fill(values, self.system.rates(self.time, self.states))

    def get_gap(self, values, count):
        self.fill(values, [self.system.gap(self.time, self.states)])

    def jacobian(self, time, states, _rates, matrix, *_):
        self.jacobians += 1
        states = np.ctypeslib.as_array(NV_DATA_S(states), (self.count,)).copy()
        data = sundials_sunmatrixdense.SUNDenseMatrix_Data(matrix)
        # Column by column.
        self.fill(data, self.system.jacobian(time, states).T.ravel())
        return 0

    def steps(self):
        steps = c_long()
        assert sundials_cvode.CVodeGetNumSteps(self.solver.cvode_mem, byref(steps)) == 0
        return steps.value

    def simulate(self, end, interval=0.01):
        """Steps from output point to output point, and begins anew at events."""
        course = Course()
        self.system.evaluations = 0
        next_event, time = self.system.events(0.0, self.states), 0.0
        while time < end:
            stop = min(end, time + interval, next_event)
            _, roots, time = self.solver.step(time, stop)
            self.time = time
            self.system.move(time, self.states)
            asks = self.system.completed_step()
            if roots.any():
                course.events.append(time)
            if roots.any() or asks or time >= next_event:
                course.steps += self.steps()
                next_event = self.system.events(time, self.states)
                self.solver.reset(time)
        course.steps += self.steps()
        course.times, course.states = [time], [self.states]
        course.evaluations = self.system.evaluations
        return course
