"""The equations of TwoMarkers, taken from its file, against finite differences of random absolute motions."""

import re
import types

import numpy
import pytest
from modelica_package import PACKAGE

# s. Central differences of second order; rotations and paths have derivatives of about 1.
STEP = 1e-5
# Error of the differences, STEP² / 6 times third derivatives below 100, and of rounding, 1e-16 / STEP.
TOLERANCE = 1e-8


def equations():
    """Left and right sides of the equations in the file, as Python."""
    text = (PACKAGE / "Interfaces" / "TwoMarkers.mo").read_text(encoding="utf-8")
    section = text.split("\nequation\n")[1].split("\n  annotation")[0]
    section = re.sub(r"//[^\n]*", "", section)
    sides = {}
    for equation in section.split(";"):
        if equation.strip():
            left, right = equation.split(" = ")
            # In Modelica, * between arrays is the matrix product; der(frame_e.r_0) is handed over as frame_e.der_r_0.
            right = right.replace("*", "@").replace("transpose", "numpy.transpose").replace("cross", "numpy.cross")
            sides[left.strip()] = re.sub(r"der\((\w+)\.(\w+)\)", r"\1.der_\2", right.strip())
    return sides


def rotation(axis, angle):
    x, y, z = axis / numpy.linalg.norm(axis)
    skew = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + numpy.sin(angle) * skew + (1 - numpy.cos(angle)) * skew @ skew


class Motion:
    """A smooth random motion of a frame: position and axes in the world as functions of time."""

    def __init__(self, random):
        self.amplitudes, self.phases = random.normal(size=(3, 3)), random.uniform(0, 6, size=(3, 3))
        self.axes, self.rates = random.normal(size=(2, 3)), random.uniform(-2, 2, size=2)
        self.start = rotation(random.normal(size=3), random.uniform(0, 3))

    def position(self, time):
        return sum(a * numpy.sin((i + 1) * time + p) for i, (a, p) in enumerate(zip(self.amplitudes, self.phases)))

    def axes_in_world(self, time):
        """Maps frame to world coordinates."""
        first, second = (rotation(axis, rate * time) for axis, rate in zip(self.axes, self.rates))
        return first @ second @ self.start

    def frame(self, time):
        """The connector as MultiBody defines it: R.T maps world to frame, skew(R.w) = R.T der(transpose(R.T))."""
        transformation = self.axes_in_world(time).T
        rate = difference(self.axes_in_world, time)
        return types.SimpleNamespace(
            r_0=self.position(time),
            der_r_0=difference(self.position, time),
            R=types.SimpleNamespace(T=transformation, w=vector(transformation @ rate)),
        )


def difference(function, time):
    return (function(time + STEP) - function(time - STEP)) / (2 * STEP)


def vector(skew):
    return numpy.array([skew[2, 1] - skew[1, 2], skew[0, 2] - skew[2, 0], skew[1, 0] - skew[0, 1]]) / 2


@pytest.mark.parametrize("seed", range(20))
def test_relative_motion_is_what_an_observer_in_e_sees(seed):
    random = numpy.random.default_rng(seed)
    motion_e, motion_f = Motion(random), Motion(random)
    time = random.uniform(0, 3)

    def seen_position(t):
        return motion_e.axes_in_world(t).T @ (motion_f.position(t) - motion_e.position(t))

    def seen_axes(t):
        return motion_e.axes_in_world(t).T @ motion_f.axes_in_world(t)

    values = {"numpy": numpy, "frame_e": motion_e.frame(time), "frame_f": motion_f.frame(time)}
    formulas = equations()
    for name in ("r_EF", "A_EF", "v_EF", "w_EF"):
        values[name] = eval(formulas[name], values)
    expected = {
        "r_EF": seen_position(time),
        "A_EF": seen_axes(time),
        "v_EF": difference(seen_position, time),
        "w_EF": vector(difference(seen_axes, time) @ seen_axes(time).T),
    }
    for name, value in expected.items():
        assert numpy.allclose(values[name], value, rtol=0, atol=TOLERANCE), name


def test_the_bodies_feel_the_opposite_of_the_cut_forces():
    assert {name: equations()[name] for name in ("frame_e.f", "frame_e.t", "frame_f.f", "frame_f.t")} == {
        "frame_e.f": "-f_E", "frame_e.t": "-t_E", "frame_f.f": "-f_F", "frame_f.t": "-t_F",
    }
