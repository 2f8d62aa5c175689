"""FMPy runs the FMU of every example; what comes out is compared with formulas."""

import math

import fmpy
import pytest
from expected_contact import MASTER_E, STEP_OUTPUTS, TOLERANCE, ContactPair, Pose, fmu_path
from fmpy.validation import validate_fmu
from fmpy_host import Host

EXAMPLES = ["WheelOnGround", "TwoSpheres", "CamFollower", "Gears", "Latch", "BubbleInFunnel", "TwoBubbles", "BallOnRod"]

GRAVITY = 9.81


def inputs(position=(0.0, 0.0, 0.0), rotation=((1, 0, 0), (0, 1, 0), (0, 0, 1)), velocity=(0.0, 0.0, 0.0)):
    """Inputs by name: r_EF, A_EF row by row, v_EF."""
    values = {f"relativePosition[{i + 1}]": position[i] for i in range(3)}
    values |= {f"relativeVelocity[{i + 1}]": velocity[i] for i in range(3)}
    return values | {f"relativeOrientation[{i + 1},{j + 1}]": rotation[i][j] for i in range(3) for j in range(3)}


def vector(host, name):
    return [host.get(f"{name}[{i}]") for i in (1, 2, 3)]


@pytest.mark.parametrize("name", EXAMPLES)
def test_validation_has_nothing_to_say(name):
    assert validate_fmu(str(fmu_path(name))) == []


class TestWheelOnGround:
    RADIUS = 0.2855
    # A_EF of the upright wheel: its axis z is horizontal, turned by 90 degrees about x as in the Modelica example.
    ANGLES = (-math.pi / 2, 0.0, 0.0)

    def test_material_is_that_of_the_dissertation(self):
        with Host(fmu_path("WheelOnGround")) as host:
            host.start()
            # Three digits are published.
            assert host.get("combinedLayerStiffness") == pytest.approx(5.76e8, rel=1e-3)
            assert host.get("penetrationRatio") == pytest.approx(0.896, abs=5e-4)

    def test_the_ground_as_master_carries_stiffness_times_volume(self):
        pair = ContactPair(fmu_path("WheelOnGround"))
        with Host(fmu_path("WheelOnGround")) as host:
            host.start({"method": MASTER_E})
            for step, depth in enumerate([0.1e-3, 1e-3, 5e-3, 20e-3]):
                pose = Pose((0.3, 0.1, self.RADIUS - depth), self.ANGLES)
                host.set(pose.inputs("matrix"))
                host.step(step * 1e-3, 1e-3)
                force = pair.layer_stiffness() * pair.overlap(pose).volume
                assert 0.0 < force
                assert vector(host, "forceOnF") == pytest.approx([0.0, 0.0, -force], abs=TOLERANCE * force)

    def test_a_wheel_lands_and_carries_its_weight(self):
        mass, step_size = 20.0, 1e-4
        with Host(fmu_path("WheelOnGround")) as host:
            height, velocity = self.RADIUS + 1e-3, 0.0
            # Enough to come to rest within the test.
            host.start({"arealDamping": 2e6})
            largest, force = 0.0, 0.0
            for step in range(3000):
                pose = Pose((0.0, 0.0, height), self.ANGLES)
                host.set(pose.inputs("matrix", velocity=(0.0, 0.0, velocity)))
                host.step(step * step_size, step_size)
                force = -host.get("forceOnF[3]")
                largest = max(largest, force)
                velocity += (force / mass - GRAVITY) * step_size
                height += velocity * step_size
            assert 2.0 * mass * GRAVITY < largest
            assert force == pytest.approx(mass * GRAVITY, rel=1e-3)


def test_two_spheres_follow_the_elastic_foundation():
    """F = pi c_l R d^2, less what the flat faces lie below the paraboloids: h^2 / (6 R) on average, of d / 2."""
    radius, grid = 1 / (1 / 0.2 + 1 / 0.1), 0.030 / 19
    upside_down = ((1, 0, 0), (0, -1, 0), (0, 0, -1))
    with Host(fmu_path("TwoSpheres")) as host:
        host.start(inputs((0.0, 0.0, 1e-4), upside_down))
        assert vector(host, "forceOnE") == [0.0, 0.0, 0.0]
        for step, depth in enumerate([0.4e-3, 0.7e-3, 1.0e-3]):
            host.set(inputs((0.0, 0.0, -depth), upside_down))
            host.step(step * 1e-3, 1e-3)
            formula = math.pi * host.get("combinedLayerStiffness") * radius * depth**2
            mesh = grid**2 / (3 * radius * depth)
            # One per cent for the slopes at the border, whose squares the theory neglects.
            assert -host.get("forceOnE[3]") / formula == pytest.approx(1 - mesh, abs=0.01)
            # Both caps are symmetric about two vertical planes, up to the diagonals of their cells.
            assert abs(host.get("forceOnE[1]")) < 0.01 * formula
            assert host.get("patchCount") == 1


def test_the_cam_presses_as_its_curvature_says():
    """F = c_l w 4/3 d sqrt(2 rho d): on the base circle rho is its radius, on the nose 40 mm."""
    depth, width = 0.05e-3, 0.010
    with Host(fmu_path("CamFollower")) as host:
        host.start(inputs((0.0, 0.1, 0.0)))
        # The nose points along x of the cam, so does the follower's axis in the first pose, in the second -x.
        poses = [
            ((0.040 - depth, 0.0, 0.0), ((0, 0, 1), (0, 1, 0), (-1, 0, 0)), 0.040, 1.0),
            ((-0.030 + depth, 0.0, 0.0), ((0, 0, -1), (0, 1, 0), (1, 0, 0)), 0.030, -1.0),
        ]
        for step, (position, rotation, curvature, sign) in enumerate(poses):
            host.set(inputs(position, rotation))
            host.step(step * 1e-3, 1e-3)
            stiffness = host.get("combinedLayerStiffness")
            formula = stiffness * width * 4 / 3 * depth * math.sqrt(2 * curvature * depth)
            # Facets of 1 degree lie up to 1.5 micrometres inside the cam: 6 % of the force at most.
            ratio = -sign * host.get("forceOnE[1]") / formula
            assert 0.94 < ratio < 1.0


def at_rest(host, position, angle):
    """Sets a place and a turn about z as Cardan angles."""
    values = {f"relativePosition[{i + 1}]": position[i] for i in range(3)}
    host.set(values | {f"relativeAngles[{i + 1}]": (0.0, 0.0, angle)[i] for i in range(3)})


def test_flanks_of_gears_press_along_the_line_of_action():
    """Involutes press along the tangent of both base circles: the torque is the force times their radii."""
    base = [radius * math.cos(math.radians(20)) for radius in (0.020, 0.030)]
    carrying = set()
    with Host(fmu_path("Gears")) as host:
        host.start({"frictionCoefficient": 0.0, "stepOutput": STEP_OUTPUTS["hold"]})
        for step in range(60):
            roll = 2 * math.pi / 20 * step / 60
            turn = math.pi / 30 + 2e-5 / base[1] - roll * 20 / 30 - roll
            at_rest(host, (0.05 * math.cos(roll), -0.05 * math.sin(roll), 0.0), turn)
            host.step(step * 1e-3, 1e-3)
            force = math.hypot(*vector(host, "forceOnE"))
            assert 50.0 < force
            # Chords of the flanks turn by up to 8 degrees from each to the next: some per cent of the lever where one carries.
            assert -host.get("torqueOnE[3]") == pytest.approx(force * base[0], rel=0.02)
            assert -host.get("torqueOnF[3]") == pytest.approx(force * base[1], rel=0.02)
            carrying.add(host.get("patchCount"))
    # The contact ratio is between 1 and 2.
    assert carrying == {1, 2}


def test_slopes_of_a_latch_press_at_right_angles():
    """Parallel planes press with stiffness times area times depth: to enter, and then to hold."""
    young, poisson, layer, width = 2.8e9, 0.35, 1e-3, 0.006
    # Two equal layers in series.
    stiffness = young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson)) / layer / 2
    way = 2e-5
    # Where the slopes touch, the direction to push, rise and run of the slope.
    cases = [((0.03775, 0.0045), -1.0, 2.5e-3, 2.25e-3), ((0.03325, 0.0055), 1.0, 1.5e-3, 0.75e-3)]
    with Host(fmu_path("Latch")) as host:
        host.start({"frictionCoefficient": 0.0, "stepOutput": STEP_OUTPUTS["hold"]})
        for step, ((x, y), sense, rise, run) in enumerate(cases):
            at_rest(host, (x + sense * way, y, 0.0), math.pi)
            host.step(step * 1e-3, 1e-3)
            length = math.hypot(rise, run)
            sine, cosine = rise / length, run / length
            depth, overlap = way * sine, length - way * cosine
            force = stiffness * width * overlap * depth
            # At both ends of the overlap the corners of the beams press a little, too: a strip as wide as the depth.
            margin = 2 * depth / overlap
            assert vector(host, "forceOnE") == pytest.approx(
                [sense * force * sine, -force * cosine, 0.0], abs=margin * force
            )


def test_a_bubble_in_the_middle_of_the_funnel_feels_no_side_force():
    """The bubble lies along a diagonal plane of symmetry: what the left does, the right does too."""
    with Host(fmu_path("BubbleInFunnel")) as host:
        # z of the bubble along x of the funnel, its x up; the funnel's tip is below.
        rotation = ((0, 0, 1), (0, -1, 0), (1, 0, 0))
        forces = []
        host.start(inputs((-0.3, 0.0, 0.0), rotation))
        for step, height in enumerate([0.3, 0.14, 0.12]):
            host.set(inputs((-height, 0.0, 0.0), rotation))
            host.step(step * 1e-3, 1e-3)
            up, across, along = vector(host, "forceOnE")
            forces.append(up)
            # Rounding of forces that cancel.
            assert abs(across) <= 1e-9 * up and abs(along) <= 1e-9 * up
        assert forces[0] == 0.0 and 0.0 < forces[1] < forces[2]
        # E (1 - nu) / ((1 + nu)(1 - 2 nu)) / b of the bubble alone: the funnel is rigid.
        assert host.get("combinedLayerStiffness") == pytest.approx(5500 * 0.6 / (1.4 * 0.2) / 0.01, rel=1e-12)


def test_two_bubbles_push_each_other_apart_alike():
    with Host(fmu_path("TwoBubbles")) as host:
        host.start(inputs((0.25, 0.0, 0.0)))
        assert host.get("patchCount") == 0
        # Side by side, 1 cm into each other: both bulges touch.
        host.set(inputs((0.19, 0.0, 0.0)))
        host.step(0.0, 1e-3)
        assert host.get("patchCount") == 2
        on_e, on_f = vector(host, "forceOnE"), vector(host, "forceOnF")
        assert on_e[0] < 0.0
        assert on_f == pytest.approx([-value for value in on_e], abs=1e-9 * abs(on_e[0]))
        # Two layers in series: half the stiffness of one.
        assert host.get("combinedLayerStiffness") == pytest.approx(5500 * 0.6 / (1.4 * 0.2) / 0.01 / 2, rel=1e-12)


def impulse_of_a_ball_on_a_long_rod(ball_mass, speed):
    """Hertz's spring between a rigid ball and a rod that answers as waves run away: its end moves with F / (rho c A)."""
    compliance = (1 - 0.33**2) / 72.8e9 + (1 - 0.3**2) / 210e9
    spring = 4 / 3 / compliance * math.sqrt(0.015)
    impedance = math.sqrt(72.8e9 * 2789) * math.pi * 0.010**2
    depth, velocity, impulse, step = 0.0, speed, 0.0, 1e-8
    while True:
        force = spring * max(depth, 0.0) ** 1.5
        if impulse > 0.0 and force == 0.0:
            return impulse
        velocity -= force / ball_mass * step
        depth += (velocity - force / impedance) * step
        impulse += force * step


def test_the_ball_rebounds_from_the_rod_as_waves_take_its_energy():
    speed, step_size = 0.3, 1e-6
    # Markers are the centres of mass; rod.npz ends at z = 0.499995 m, the ball at z = -0.014994 m.
    touch = 0.499995 + 0.014994
    with Host(fmu_path("BallOnRod")) as host:
        height, ball_velocity, rod_velocity = touch + 1e-6, -speed, 0.0
        host.start(inputs((0.0, 0.0, height), velocity=(0.0, 0.0, -speed)))
        rod, ball = host.get("surfaceE.mass"), host.get("surfaceF.mass")
        impulse, largest = 0.0, 0.0
        for step in range(350):
            host.set(inputs((0.0, 0.0, height), velocity=(0.0, 0.0, ball_velocity - rod_velocity)))
            host.step(step * step_size, step_size)
            force = host.get("forceOnF[3]")
            assert vector(host, "forceOnE")[2] == pytest.approx(-force, abs=1e-9)
            ball_velocity += force / ball * step_size
            rod_velocity -= force / rod * step_size
            height += (ball_velocity - rod_velocity) * step_size
            impulse += force * step_size
            largest = max(largest, force)
        # It has left again, and has lost energy to the waves in the rod.
        assert force == 0.0 and 0.0 < largest
        assert 0.0 < ball_velocity - rod_velocity < speed
        # The theory knows neither the shape of the waves near the impact nor the ball's own ringing.
        assert impulse == pytest.approx(impulse_of_a_ball_on_a_long_rod(ball, speed), rel=0.05)
