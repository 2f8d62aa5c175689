"""Models with the stand-in element, compiled and simulated by rumoca, against mechanics."""

import numpy
import pytest
from modelica_package import compiled
from rumoca import SimConfig

GRAVITY = 9.80665
MASS, AXIAL_INERTIA = 20.0, 0.8
RADIUS, STIFFNESS = 0.2855, 2.0e5
SPEED = 0.5

# Two free bodies without gravity; the plane of the stand-in belongs to the second. A start pose and spins of no
# special direction; E is the sphere, and F moves towards it.
TWO_BODIES = """
model TwoBodies
  inner Modelica.Mechanics.MultiBody.World world(g = 0);
  Modelica.Mechanics.MultiBody.Joints.FreeMotion motionE(
    r_rel_a(start = {0.02, 0.03, 0.31}, each fixed = true), v_rel_a(start = {0.2, -0.1, -0.5}, each fixed = true),
    angles_start = {0.7, 0, 0}, w_rel_b(start = {1.0, -2.0, 0.5}));
  Modelica.Mechanics.MultiBody.Joints.FreeMotion motionF(
    r_rel_a(start = {0, 0, 0}, each fixed = true), v_rel_a(start = {0, 0.05, 0.3}, each fixed = true),
    angles_start = {0.1, 0, 0}, w_rel_b(start = {0.3, 0.2, -0.4}));
  Modelica.Mechanics.MultiBody.Parts.Body bodyE(m = 2.0, I_11 = 0.05, I_22 = 0.07, I_33 = 0.06);
  Modelica.Mechanics.MultiBody.Parts.Body bodyF(m = 3.0, I_11 = 0.09, I_22 = 0.10, I_33 = 0.15);
  PolygonalContact.ContactPair contact(element(stiffness = 2.0e3, damping = %s, frictionCoefficient = %s));
equation
  connect(world.frame_b, motionE.frame_a);
  connect(world.frame_b, motionF.frame_a);
  connect(motionE.frame_b, bodyE.frame_a);
  connect(motionF.frame_b, bodyF.frame_a);
  connect(contact.frame_e, bodyE.frame_a);
  connect(contact.frame_f, bodyF.frame_a);
end TwoBodies;
"""
# Solver tolerance, relative and absolute.
SOLVER_TOLERANCE = 1e-9
# What the solver may lose over the run, relative to the initial values.
LOSS = 1e-5


def simulated(source, model, stop):
    result = compiled(source, model).simulate(
        t=(0, stop), config=SimConfig(rtol=SOLVER_TOLERANCE, atol=SOLVER_TOLERANCE, dt=1e-3)
    )
    return numpy.array(result.time), lambda name: numpy.array(result.to_numpy([name])).ravel()


def vectors(column, name):
    return numpy.stack([column(f"{name}[{i}]") for i in (1, 2, 3)], axis=1)


def momenta(column):
    """Total momentum, total angular momentum about the world's origin, and kinetic energy, over time."""
    momentum = angular = energy = 0.0
    bodies = {"E": (2.0, (0.05, 0.07, 0.06)), "F": (3.0, (0.09, 0.10, 0.15))}
    for body, (mass, inertia) in bodies.items():
        position, velocity = vectors(column, f"motion{body}.r_rel_a"), vectors(column, f"motion{body}.v_rel_a")
        spin = vectors(column, f"motion{body}.w_rel_b")
        to_body = numpy.stack(
            [[column(f"motion{body}.T[{i},{j}]") for j in (1, 2, 3)] for i in (1, 2, 3)]
        ).transpose(2, 0, 1)
        in_world = numpy.einsum("tji,tj->ti", to_body, spin * inertia)
        momentum = momentum + mass * velocity
        angular = angular + mass * numpy.cross(position, velocity) + in_world
        energy = energy + 0.5 * mass * (velocity**2).sum(1) + 0.5 * (spin**2 * inertia).sum(1)
    return momentum, angular, energy


@pytest.mark.parametrize("damping, friction", [(0.0, 0.0), (20.0, 0.4)])
def test_a_collision_keeps_momentum_and_angular_momentum(damping, friction):
    time, column = simulated(TWO_BODIES % (damping, friction), "TwoBodies", 0.4)
    momentum, angular, energy = momenta(column)
    depth = column("contact.element.depth")
    assert depth[0] < 0.0 and depth.max() > 0.005, "they must collide"
    for name, total in (("momentum", momentum), ("angular momentum", angular)):
        drift = numpy.abs(total - total[0]).max()
        assert drift <= LOSS * numpy.abs(total[0]).max(), f"{name} drifts by {drift}"
    stored = 0.5 * 2.0e3 * numpy.clip(depth, 0.0, None) ** 2
    if damping == 0.0:
        assert numpy.abs(energy + stored - energy[0]).max() <= LOSS * energy[0]
    else:
        assert (energy + stored)[-1] < 0.99 * energy[0]


def test_the_wheel_falls_rests_and_rolls():
    source = "model Wheel extends PolygonalContact.Examples.WheelOnGround; end Wheel;"
    time, column = simulated(source, "Wheel", 1.0)
    height, speed = column("motion.r_rel_a[3]"), column("motion.v_rel_a[1]")
    depth = column("contact.element.depth")
    # Free fall over the first 60 ms; the ground is reached after sqrt(2 * 0.02 / g) = 64 ms.
    falling = time < 0.06
    assert numpy.abs(height - (0.3055 - 0.5 * GRAVITY * time**2))[falling].max() < 1e-7
    assert (depth[falling] < 0.0).all()
    # At rest, the stand-in carries the weight.
    assert depth[-1] == pytest.approx(MASS * GRAVITY / STIFFNESS, rel=1e-3)
    # Friction takes J from m v and gives J times a mean arm to I w, until v = w h. The arm is the height of the centre
    # while the wheel is on the ground, which the simulation bounds.
    final_height = RADIUS - MASS * GRAVITY / STIFFNESS
    arms = height[depth > 0.0].min(), RADIUS
    slowest, fastest = (SPEED / (1.0 + AXIAL_INERTIA / (MASS * final_height * arm)) for arm in arms)
    assert fastest - slowest < 0.01 * SPEED, "the bounds must say something"
    assert slowest < speed[-1] < fastest
    # The z axis of the wheel points to -y of the world, so that rolling along x is a negative spin.
    assert column("motion.w_rel_b[3]")[-1] == pytest.approx(-speed[-1] / final_height, rel=1e-3)


def test_the_wheel_for_export_takes_wrenches_and_gives_motion():
    source = """
model Driven
  extends PolygonalContact.Examples.WheelOnGroundSignals(
    forceOnE = {0.0, 40.0, 0.0}, torqueOnE = {0.0, 0.0, 0.4},
    forceOnF = {0.0, 0.0, 0.0}, torqueOnF = {0.0, 0.0, 0.0});
end Driven;
"""
    time, column = simulated(source, "Driven", 0.5)
    # A torque about the axis, where the wheel's frame does not move: w = t / I. The force turns with the wheel; at the
    # start it acts along the wheel's y axis, which is the world's z axis.
    spin = 0.4 / AXIAL_INERTIA * time
    assert column("motion.w_rel_b[3]") == pytest.approx(spin, abs=1e-6)
    assert -column("relativeAngularVelocity[3]") == pytest.approx(spin, abs=1e-6)
    angle = 0.5 * 0.4 / AXIAL_INERTIA * time**2
    acceleration = 40.0 / MASS * numpy.cos(angle) - GRAVITY
    vertical = numpy.concatenate(([0.0], numpy.cumsum(0.5 * (acceleration[1:] + acceleration[:-1]) * numpy.diff(time))))
    assert column("motion.v_rel_a[3]") == pytest.approx(vertical, abs=1e-5)
