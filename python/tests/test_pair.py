"""Pairs against formulas, against the FMU, and against themselves."""

import pickle
import threading
import time

import fmpy
import numpy as np
import polycontact
import pytest
from conftest import box, stl
from fmpy.fmi2 import FMU2Slave

YOUNG, POISSON, THICKNESS = 1.0e7, 0.3, 0.01
STIFFNESS = YOUNG * (1 - POISSON) / ((1 + POISSON) * (1 - 2 * POISSON)) / THICKNESS


def motions(count, seed=1):
    """Random motions of the block around the ball, most of them in contact."""
    random = np.random.default_rng(seed)
    quaternions = random.normal(size=(count, 4)) * [0, 0.1, 0.1, 1] + [3, 0, 0, 0]
    quaternions /= np.linalg.norm(quaternions, axis=1)[:, None]
    w, x, y, z = quaternions.T
    # Third column of the matrix: the top of the block is at right angles to it, 0.1 m below the ball's middle.
    up = np.stack([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x**2 + y**2)], axis=1)
    positions = -up * (0.1 + random.uniform(-0.006, 0.001, (count, 1)))
    return positions, quaternions, random.normal(size=(count, 3)) * 0.1, random.normal(size=(count, 3))


def test_a_block_on_a_block_has_stiffness_times_area_times_depth(folder):
    side, depth = 0.04, 1e-4
    (folder / "ball.stl").write_text(stl(box((-side / 2, -side / 2, 0.0), (side / 2, side / 2, 0.1))))
    pair = polycontact.Pair(folder / "contact.toml", {"frictionCoefficient": 0.0})
    contact = pair.evaluate([0.0, 0.0, depth])
    # At the rim of the soft block the nearest surface is its side: a strip as wide as the depth carries half.
    force = STIFFNESS * depth * (side - depth) ** 2
    assert contact.force_on_e == pytest.approx([0.0, 0.0, force], rel=2 * depth / side, abs=1e-9)
    assert contact.area == pytest.approx(side**2, rel=1e-6)
    assert contact.max_penetration == pytest.approx(depth, rel=1e-9)
    assert (contact.patch_count, contact.in_contact) == (1, True)
    assert contact.gap == pytest.approx(-depth)
    area = sum(
        np.linalg.norm(sum(np.cross(b - patch.corners[0], c - patch.corners[0]) / 2 for b, c in zip(patch.corners[1:], patch.corners[2:])))
        for patch in contact.patches
    )
    assert area == pytest.approx(contact.area, rel=1e-3)
    assert max(patch.pressure.max() for patch in contact.patches) == pytest.approx(STIFFNESS * depth, rel=1e-3)


def test_stiffness_is_the_change_of_the_force(contact):
    pair = polycontact.Pair(contact, {"frictionCoefficient": 0.0})
    at = lambda z: pair.evaluate([0.0, 0.0, z])  # noqa: E731
    step = 1e-7
    change = (at(-0.095 + step).force_on_e - at(-0.095 - step).force_on_e) / (2 * step)
    assert at(-0.095).stiffness.shape == (6, 6)
    assert at(-0.095).stiffness[2, 2] == pytest.approx(change[2], rel=1e-5)


def test_many_are_what_the_fmu_says_bit_by_bit(contact, tmp_path):
    pair = polycontact.Pair(contact)
    positions, quaternions, velocities, spins = motions(500)
    outputs = ["forceOnE", "torqueOnE", "forceOnF", "torqueOnF", "contactArea", "elasticEnergy", "gap", "patchCount", "stiffness"]
    contact.write_text('orientation = "quaternion"\n' + contact.read_text())
    fmu = polycontact.Pair(contact).package(tmp_path / "quaternion.fmu")
    description = fmpy.read_model_description(str(fmu))
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    unpacked = fmpy.extract(str(fmu), str(tmp_path / "unpacked"))
    host = FMU2Slave(
        guid=description.guid, unzipDirectory=unpacked, modelIdentifier=description.coSimulation.modelIdentifier
    )
    host.instantiate()
    host.setBoolean([references["stiffnessOutput"]], [True])
    host.setupExperiment()
    host.enterInitializationMode()
    names = [f"relativePosition[{k}]" for k in (1, 2, 3)] + [f"relativeQuaternion[{k}]" for k in (1, 2, 3, 4)]
    names += [f"relative{kind}[{k}]" for kind in ("Velocity", "AngularVelocity") for k in (1, 2, 3)]
    inputs = [references[name] for name in names]
    asked = {output: [v.name for v in pair.variables.values() if v.name.split("[")[0] == output] for output in outputs}
    expected = {output: [] for output in outputs}
    for row in np.hstack([positions, quaternions, velocities, spins]):
        host.setReal(inputs, list(row))
        for output in outputs:
            get = host.getInteger if output == "patchCount" else host.getReal
            expected[output].append(get([references[name] for name in asked[output]]))
    host.freeInstance()
    for threads in (1, 2, 5):
        result = pair.evaluate_many(positions, quaternions, velocities, spins, outputs=outputs, threads=threads)
        for output in outputs:
            values = result[output].reshape(len(positions), -1)
            assert np.array_equal(values, expected[output]), (threads, output)
    assert 300 < np.count_nonzero(result["patchCount"])
    one = pair.evaluate(positions[7], quaternions[7], velocities[7], spins[7])
    assert np.array_equal(one.force_on_e, result["forceOnE"][7])
    assert np.array_equal(one.stiffness, result["stiffness"][7])


def test_orientations_can_be_written_in_three_ways(contact):
    pair = polycontact.Pair(contact)
    angle = 0.3
    matrix = [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    ways = [matrix, [np.cos(angle / 2), 0, 0, np.sin(angle / 2)], [0, 0, angle]]
    forces = [pair.evaluate([0.01, 0, -0.096], way, [0.1, 0, 0]).force_on_f for way in ways]
    assert np.linalg.norm(forces[0]) > 100
    assert forces[1] == pytest.approx(forces[0], rel=1e-9)
    assert forces[2] == pytest.approx(forces[0], rel=1e-9)


def test_python_goes_on_while_cores_compute(contact):
    pair = polycontact.Pair(contact)
    positions, quaternions, *_ = motions(3000)
    counts = []
    worker = threading.Thread(target=lambda: counts.append(pair.evaluate_many(positions, quaternions)))
    worker.start()
    ticks = 0
    while worker.is_alive():
        time.sleep(0.001)
        ticks += 1
    assert len(counts[0]["contactArea"]) == 3000
    assert ticks > 10


def test_a_bar_shows_the_progress_and_an_interrupt_ends_the_work(contact, capsys, monkeypatch):
    pair = polycontact.Pair(contact)
    positions, quaternions, *_ = motions(200)
    pair.evaluate_many(positions, quaternions, progress=True)
    assert "200/200" in capsys.readouterr().err

    def interrupted(done):
        raise KeyboardInterrupt

    rows, numbers = positions, quaternions
    many = np.hstack([np.tile(rows, (50, 1)), np.tile(numbers, (50, 1)), np.zeros((10000, 6))])
    with pytest.raises(KeyboardInterrupt):
        pair._native.evaluate_many(many.tobytes(), 4, ["contactArea"], 2, interrupted)


def test_parameters_have_names_and_so_have_their_values(contact, tmp_path):
    pair = polycontact.Pair(contact, {"frictionModel": "regularized", "arealDamping": 0})
    assert pair["frictionModel"] == "regularized"
    assert pair["arealDamping"] == 0.0
    assert pair.variables["method"].values == ("auto", "collisionOnly", "twoPass", "masterE", "masterF")
    pair.set("method", "masterF")
    assert pair["method"] == "masterF"
    again = pickle.loads(pickle.dumps(pair))
    assert (again["method"], again["arealDamping"]) == ("masterF", 0.0)


def test_an_fmu_starts_with_the_parameters_that_were_set(contact, tmp_path):
    (tmp_path / "elsewhere.stl").write_text(stl(box((-0.2, -0.2, -0.1), (0.2, 0.2, 0.0))))
    changed = {
        "surfaceE.youngsModulus": 2.0e7,
        "surfaceE.smoothAngle": 30.0,
        "surfaceE.sag": 1e-4,
        "surfaceF.file": str(tmp_path / "elsewhere.stl"),
        "surfaceF.scale": 1.0,
        "arealDamping": 0.0,
        "frictionModel": "regularized",
        "elements": "centroid",
        "stepOutput": "extrapolate",
        "extrapolationSteps": 1.5,
        "threads": 2,
        "bodyE.mass": 4.0,
        "bodyF.momentsOfInertia[2]": 0.5,
    }
    pair = polycontact.Pair(contact, changed)
    fmu = pair.package(tmp_path / "changed.fmu")
    variables = {v.name: v for v in fmpy.read_model_description(str(fmu)).modelVariables}
    for name, value in changed.items():
        if name == "surfaceF.file":
            assert variables[name].start == "elsewhere.stl"
        elif isinstance(value, str):
            assert pair.variables[name].values[int(variables[name].start) - 1] == value
        else:
            assert float(variables[name].start) == value
    position = [0.0, 0.0, -0.095]
    starts = {f"relativePosition[{k + 1}]": x for k, x in enumerate(position)}
    run = fmpy.simulate_fmu(str(fmu), stop_time=1e-4, step_size=1e-4, start_values=starts, output=["forceOnE[3]"])
    force = pair.evaluate(position).force_on_e[2]
    assert force > 1000
    assert run["forceOnE[3]"][0] == force
    unchanged = polycontact.Pair(contact).evaluate(position).force_on_e[2]
    assert force > 1.5 * unchanged

    pair.set("measureTime", True)
    with pytest.raises(ValueError, match="`measureTime` has no key in contact.toml"):
        pair.package(tmp_path / "x.fmu")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda pair: pair.set("method", "master"), "one of auto, collisionOnly, twoPass, masterE, masterF"),
        (lambda pair: pair.set("forceOnE[1]", 1.0), "no parameter `forceOnE"),
        (lambda pair: pair.set("arealDamping", -1.0), "arealDamping"),
        (lambda pair: pair.set("stiffnessOutput", 2.5), "Boolean"),
        (lambda pair: pair.evaluate([0, 0]), "three components"),
        (lambda pair: pair.evaluate([0, 0, np.nan]), "NaN"),
        (lambda pair: pair.evaluate([0, 0, 0], np.eye(2)), "shape"),
        (lambda pair: pair.evaluate([0, 0, 0], np.ones((3, 3))), "rotation"),
        (lambda pair: pair.evaluate(np.zeros((2, 3))), "evaluate_many"),
        (lambda pair: pair.evaluate_many(np.zeros((3, 3)), np.zeros((3, 3))), "three rows of angles"),
        (lambda pair: pair.evaluate_many(np.zeros((3, 3)), velocities=np.zeros((2, 3))), "different numbers"),
        (lambda pair: pair.evaluate_many(np.zeros((3, 3)), outputs=["force"]), "no output `force`"),
        (lambda pair: pair.evaluate_many(np.zeros((3, 3)), outputs=[]), "empty"),
        (lambda pair: pair.package("x.fmu", ["linux128"]), "linux128"),
    ],
)
def test_what_is_wrong_is_said(contact, wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong(polycontact.Pair(contact))


def test_an_error_names_its_motion(contact):
    positions, quaternions, *_ = motions(40)
    quaternions[33] = 0.0
    with pytest.raises(ValueError, match="motion 33: .*no rotation"):
        polycontact.Pair(contact).evaluate_many(positions, quaternions)


def test_no_motions_are_no_rows(contact):
    result = polycontact.Pair(contact).evaluate_many(np.zeros((0, 3)))
    assert result["forceOnE"].shape == (0, 3)
