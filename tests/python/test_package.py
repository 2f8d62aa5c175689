"""The Python package, as it is installed from its wheel."""

import json
import pickle
import subprocess
import sys
from pathlib import Path

import fmpy
import numpy as np
import polycontact
import pytest
from fmpy.fmi2 import FMU2Slave

ROOT = Path(__file__).resolve().parents[2]
SPHERE = ROOT / "resources/contact.toml"
CAM = ROOT / "examples/cam-follower/contact.toml"

# Names in Python and in the FMU.
NAMES = {
    "force_on_e": "forceOnE",
    "torque_on_e": "torqueOnE",
    "force_on_f": "forceOnF",
    "torque_on_f": "torqueOnF",
    "contact_position": "contactPosition",
    "contact_normal": "contactNormal",
    "contact_area": "contactArea",
    "mean_penetration": "meanPenetration",
    "max_penetration": "maxPenetration",
    "mean_normal_velocity": "normalVelocity.mean",
    "max_normal_velocity": "normalVelocity.max",
    "mean_tangential_velocity": "tangentialVelocity.mean",
    "max_tangential_velocity": "tangentialVelocity.max",
    "mean_normal_stress": "normalStress.mean",
    "max_normal_stress": "normalStress.max",
    "mean_tangential_stress": "tangentialStress.mean",
    "max_tangential_stress": "tangentialStress.max",
    "elastic_energy": "elasticEnergy",
    "dissipated_power": "dissipatedPower",
}


@pytest.fixture(scope="module")
def sphere():
    return polycontact.Pair(SPHERE)


def random_motions(count, seed=1):
    """Poses of the plate about the ball, turned any way, with velocities."""
    random = np.random.default_rng(seed)
    rotations = np.linalg.qr(random.normal(size=(count, 3, 3)))[0]
    rotations[np.linalg.det(rotations) < 0, :, 0] *= -1.0
    # The plate's upper side is at the origin of its frame: so far along its normal that it dips in.
    depths = random.uniform(-0.002, 0.01, size=(count, 1))
    positions = -(0.1 - depths) * rotations[:, :, 2]
    return positions, rotations, random.normal(size=(count, 3)) * 0.1, random.normal(size=(count, 3))


def test_many_poses_are_those_of_the_fmu_bit_by_bit(tmp_path):
    pair = polycontact.Pair(ROOT / "tests/importers/sphere_by_matrix.toml")
    fmu = pair.package(tmp_path / "pair.fmu")
    motions = random_motions(60)
    contacts = pair.evaluate_many(*motions, stiffness=True)
    assert 20 < contacts.in_contact.sum()
    description = fmpy.read_model_description(str(fmu))
    references = {variable.name: variable.valueReference for variable in description.modelVariables}
    folder = fmpy.extract(str(fmu), unzipdir=tmp_path / "unzipped")
    slave = FMU2Slave(
        guid=description.guid,
        unzipDirectory=str(folder),
        modelIdentifier=description.coSimulation.modelIdentifier,
        instanceName="pair",
    )
    slave.instantiate()
    slave.setBoolean([references["stiffnessOutput"]], [True])
    slave.setupExperiment(startTime=0.0)
    slave.enterInitializationMode()
    slave.exitInitializationMode()

    def of(name, *shape):
        indices = np.ndindex(*shape) if shape else [()]
        names = [name + (f"[{','.join(str(k + 1) for k in index)}]" if index else "") for index in indices]
        return np.reshape(slave.getReal([references[name] for name in names]), shape)

    try:
        for place in range(len(contacts)):
            position, rotation, velocity, angular_velocity = (rows[place] for rows in motions)
            inputs = {
                **{f"relativePosition[{k + 1}]": position[k] for k in range(3)},
                **{f"relativeOrientation[{i + 1},{j + 1}]": rotation[i, j] for i in range(3) for j in range(3)},
                **{f"relativeVelocity[{k + 1}]": velocity[k] for k in range(3)},
                **{f"relativeAngularVelocity[{k + 1}]": angular_velocity[k] for k in range(3)},
            }
            slave.setReal([references[name] for name in inputs], list(inputs.values()))
            for attribute, name in NAMES.items():
                value = getattr(contacts, attribute)[place]
                assert np.array_equal(value, of(name, *np.shape(value))), (place, name)
            assert np.array_equal(contacts.stiffness[place], of("stiffness", 6, 6)), place
            assert np.array_equal(contacts.damping[place], of("damping", 6, 6)), place
    finally:
        slave.terminate()
        slave.freeInstance()


def test_a_ball_on_a_plate_carries_what_the_formula_says(sphere):
    contact = sphere.evaluate([0.0, 0.0, -0.095])
    # c_l = E (1 - nu) / ((1 + nu)(1 - 2 nu)) / b, and F = c_l pi d^2 (R - 2 d / 3) of a smooth ball; 1280 faces displace
    # less, by about 11 % at this depth.
    stiffness = 1e7 * 0.7 / (1.3 * 0.4) / 0.01
    smooth = stiffness * np.pi * 0.005**2 * (0.1 - 2 * 0.005 / 3)
    assert 0.85 * smooth < contact.force_on_e[2] < smooth
    assert np.allclose(contact.force_on_f, -contact.force_on_e) and contact.patch_count == 1
    assert contact.stiffness is None and "patch" in repr(contact)
    pieces = sphere.pieces([0.0, 0.0, -0.095])
    assert len(pieces) == len(pieces.corners) == len(pieces.corner_pressures)
    force = (pieces.weight * pieces.area * pieces.pressure * pieces.normal[:, 2]).sum()
    # The pressure is linear over a piece.
    assert np.isclose(force, contact.force_on_e[2], rtol=1e-9)


def test_the_number_of_threads_changes_no_bit_and_progress_is_told(sphere):
    motions = random_motions(500, seed=2)
    told = []
    one = sphere.evaluate_many(*motions, threads=1, progress=told.append)
    four = sphere.evaluate_many(*motions, threads=4, progress=False)
    assert told[-1] == 500 and told == sorted(told)
    for attribute in [*NAMES, "patch_count", "in_contact"]:
        assert np.array_equal(getattr(one, attribute), getattr(four, attribute)), attribute
    alone = sphere.evaluate(*(rows[7] for rows in motions))
    assert np.array_equal(alone.wrench_on_e, one.wrench_on_e[7]) and np.array_equal(one[7].force_on_f, alone.force_on_f)


def test_one_row_holds_for_all_poses(sphere):
    positions = [[0.0, 0.0, z] for z in (-0.12, -0.096, -0.095)]
    contacts = sphere.evaluate_many(positions, [1.0, 0.0, 0.0, 0.0])
    assert len(contacts) == 3 and list(contacts.in_contact) == [False, True, True]
    assert len(sphere.evaluate_many(np.empty((0, 3)))) == 0
    by_angles = sphere.evaluate_many(positions, [0.0, 0.0, 0.0])
    assert np.array_equal(by_angles.force_on_e, contacts.force_on_e)


def test_errors_name_the_pose_and_what_is_wrong(sphere):
    positions = np.tile([0.0, 0.0, -0.095], (100, 1))
    positions[42, 1] = np.nan
    with pytest.raises(ValueError, match="pose 42: the relative position"):
        sphere.evaluate_many(positions)
    with pytest.raises(ValueError, match="is no rotation"):
        sphere.evaluate([0, 0, 0], np.diag([1.0, 1.0, 2.0]))
    with pytest.raises(ValueError, match="3 numbers"):
        sphere.evaluate([0, 0])
    with pytest.raises(ValueError, match="5 and 2 rows|2 and 5 rows"):
        sphere.evaluate_many(np.zeros((5, 3)), velocities=np.zeros((2, 3)))
    with pytest.raises(ValueError, match="missing.toml"):
        polycontact.Pair("missing.toml")
    with pytest.raises(ZeroDivisionError):
        sphere.evaluate_many(random_motions(3000)[0], progress=lambda done: 1 / 0)


def test_parameters_are_changed_by_the_keys_of_the_configuration(sphere):
    assert sphere.parameters["contact.method"] == "auto"
    softer = sphere.with_parameters({"surface-e.youngs-modulus": 5e6, "contact.method": "master-f"})
    assert softer.parameters["contact.method"] == "master-f"
    pose = [0.0, 0.0, -0.095]
    assert np.isclose(softer.evaluate(pose).force_on_e[2], 0.5 * sphere.evaluate(pose).force_on_e[2], rtol=1e-12)
    with pytest.raises(ValueError, match="did you mean `friction-coefficient`"):
        sphere.with_parameters({"contact.friction-coeficient": 0.1})
    with pytest.raises(ValueError, match="two-pass"):
        sphere.with_parameters({"contact.method": "both"})
    again = pickle.loads(pickle.dumps(softer))
    assert np.array_equal(again.evaluate(pose).force_on_e, softer.evaluate(pose).force_on_e)


def test_a_mesh_has_its_report():
    mesh = polycontact.Mesh(ROOT / "resources/sphere.obj")
    assert mesh.faces.shape == (1280, 3) and np.allclose(np.linalg.norm(mesh.vertices, axis=1), 0.1)
    assert mesh.report["accepted"] and mesh.report["borderEdges"] == 0 and not mesh.warnings
    with pytest.raises(ValueError, match="truncated"):
        polycontact.Mesh(ROOT / "tests/corpus/stl/bad/truncated--binary-facet.stl")


def test_the_program_comes_along(tmp_path):
    for name in ["sphere.obj", "plate.obj"]:
        (tmp_path / name).write_bytes((ROOT / "resources" / name).read_bytes())
    program = Path(sys.executable).with_name("polycontact")

    def run(*words):
        done = subprocess.run([program, *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("new", "sphere.obj", "plate.obj")
    assert json.loads(run("check-mesh", "contact.toml", "--json"))[0]["accepted"]
    run("view")
    assert "SphereOnPlate.fmu" in run("package")
    result = fmpy.simulate_fmu(str(tmp_path / "SphereOnPlate.fmu"), stop_time=0.001, step_size=0.001)
    assert len(result) == 2
    assert subprocess.run([program, "pakage"], capture_output=True).returncode == 2


def test_a_sweep_is_mapped_over_a_cluster(sphere):
    distributed = pytest.importorskip("distributed")
    motions = random_motions(400, seed=3)
    parts = [[rows[start::4] for rows in motions] for start in range(4)]
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            futures = client.map(lambda part: sphere.evaluate_many(*part, threads=1, progress=False).force_on_e, parts)
            forces = client.gather(futures)
    expected = sphere.evaluate_many(*motions).force_on_e
    for start, found in enumerate(forces):
        assert np.array_equal(found, expected[start::4])
