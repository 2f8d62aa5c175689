"""Parts of a CAD kernel, meshed by it and by gmsh: read, packaged, and evaluated in FMPy."""

import json
import math
import os
import re
import subprocess
from pathlib import Path

import cad_parts
import pytest
from fmpy_host import Host

# The program that users have.
PROGRAM = os.environ["POLYCONTACT_PROGRAM"]

MILLIMETRE = 1e-3

TEETH = (20, 30)

PARTS = {
    "gear": (lambda: cad_parts.gear(TEETH[0]), 1.5),
    "box": (cad_parts.filleted_box, 2.0),
    "link": (cad_parts.chain_link, 2.0),
}

FORMATS = [
    "kernel stl",
    "kernel-text stl",
    "kernel obj",
    "gmsh stl",
    "gmsh obj",
    "gmsh off",
    "gmsh-surfaces stl",
    "gmsh-binary stl",
]

# Chords cut off less than this part of the volume of all parts: with 36 chords to a turn, a round wire loses
# 1 - sin(2 pi / 36) / (2 pi / 36) = 0.5 %, a wire along a bend as much again.
CHORDS = 0.012


@pytest.fixture(scope="module")
def meshes(tmp_path_factory):
    """Files of all parts, made when first asked for."""
    made = {}

    def of(name):
        if name not in made:
            make, size = PARTS[name]
            made[name] = cad_parts.mesh_files(name, make(), tmp_path_factory.mktemp(name), size)
        return made[name]

    return of


def run(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def fmu_of(folder, name, pair, **surfaces):
    """Packages two meshes in millimetres; `pair` has the numbers of the contact, the rest those of the surfaces."""
    text = f'name = "{name}"\n'
    for letter in "ef":
        settings = {"scale": MILLIMETRE} | surfaces[letter]
        text += f"[surface-{letter}]\n" + "".join(f"{key} = {value!r}\n" for key, value in settings.items())
    text += "[contact]\n" + "".join(f"{key} = {value}\n" for key, value in pair.items())
    configuration = Path(folder) / f"{name}.toml"
    configuration.write_text(text.replace("'", '"'))
    run("package", configuration, "-o", Path(folder) / f"{name}.fmu")
    return Path(folder) / f"{name}.fmu"


FRICTIONLESS = {"areal-damping": 0, "friction-coefficient": 0}
SOFT = {"youngs-modulus": 1e9, "poissons-ratio": 0.3, "layer-thickness": 1e-3}
RIGID = {"youngs-modulus": 0.0}


def pose(position, rows=((1, 0, 0), (0, 1, 0), (0, 0, 1))):
    """Inputs by name; the position in millimetres."""
    values = {f"relativePosition[{i + 1}]": position[i] * MILLIMETRE for i in range(3)}
    return values | {f"relativeOrientation[{i + 1},{j + 1}]": float(rows[i][j]) for i in range(3) for j in range(3)}


def vector(host, name):
    return [host.get(f"{name}[{i}]") for i in (1, 2, 3)]


@pytest.mark.parametrize("mesh_format", FORMATS)
@pytest.mark.parametrize("part", PARTS)
def test_meshes_are_read_whole(meshes, part, mesh_format):
    report = run("check-mesh", meshes(part).files[mesh_format], "--scale", MILLIMETRE)
    assert "accepted" in report and "REFUSED" not in report, report

    def line(name):
        return re.search(rf"^ +{re.escape(name)} +(.*)$", report, re.MULTILINE).group(1)

    assert line("shells") == "1"
    assert line("border") == "0 edges in 0 loops"
    assert line("self-intersecting") == "0 pairs of faces"
    volume = meshes(part).volume * MILLIMETRE**3
    assert float(line("volume / m³")) == pytest.approx(volume, rel=CHORDS)


@pytest.mark.parametrize("shape", ["sphere", "ellipsoid", "cylinder", "torus"])
def test_coarse_meshes_become_round(tmp_path, shape):
    """Refined meshes are within the sag of the exact surface, by their volume; hardly a face has to stay flat."""
    sag = 3e-4
    path = tmp_path / f"{shape}.stl"
    volume, area = cad_parts.round_mesh(shape, 0.3, path)

    def smoothing(*options):
        return json.loads(run("check-mesh", path, "--json", *options))[0]["smoothing"]

    plain = smoothing("--smooth-angle", 0)
    loss = volume - plain["volume"]
    fine = smoothing("--smooth-angle", 45, "--sag", sag)
    assert fine["isRefined"] and fine["keptFlat"] < 0.01 * plain["faces"]
    assert abs(fine["volume"] - volume) < sag * area < 0.1 * loss


@pytest.mark.parametrize("part", PARTS)
def test_parts_become_round_without_flat_faces(meshes, part):
    """Chords of a CAD kernel cut off volume at outer curves and add it at inner ones; refined ones are within the sag."""
    sag = 0.005
    path = meshes(part).files["kernel stl"]
    found = run("check-mesh", path, "--json", "--smooth-angle", 30, "--sag", sag)
    fine = json.loads(found)[0]["smoothing"]
    assert fine["keptFlat"] < 0.01 * json.loads(found)[0]["faces"]
    area = json.loads(found)[0]["area"]
    assert abs(fine["volume"] - meshes(part).volume) < sag * area


def test_one_of_two_bodies_in_a_file_is_taken(tmp_path):
    """The larger one is the first shell."""
    bodies = cad_parts.cad.Compound([cad_parts.filleted_box(), cad_parts.cad.Pos(0, 0, 30) * cad_parts.cad.Box(4, 4, 4)])
    path = str(tmp_path / "two.stl")
    cad_parts.cad.export_stl(bodies, path)
    assert re.search(r"^ +shells +2$", run("check-mesh", path, "--scale", MILLIMETRE), re.MULTILINE)
    small = {"mesh": path, "shells": [2]} | RIGID
    fmu = fmu_of(tmp_path, "OneOfTwo", FRICTIONLESS, e={"mesh": path} | SOFT, f=small)
    with Host(fmu) as host:
        host.start(pose((0.0, 0.0, 100.0)))
        assert host.get("surfaceF.triangles") == 12
        assert 12 < host.get("surfaceE.triangles")


@pytest.mark.parametrize("mesh_format", ["kernel stl", "gmsh off"])
def test_a_rigid_box_displaces_a_soft_plate(meshes, tmp_path, mesh_format):
    """A flat soft plate carries c_l times the volume below its surface, here that of the exact box with its fillets."""
    plate = tmp_path / "plate.stl"
    cad_parts.cad.export_stl(cad_parts.cad.Box(100, 100, 40), str(plate))
    box, part = meshes("box").files[mesh_format], cad_parts.filleted_box()
    fmu = fmu_of(tmp_path, "BoxInPlate", FRICTIONLESS, e={"mesh": str(plate)} | SOFT, f={"mesh": str(box)} | RIGID)
    with Host(fmu) as host:
        host.start()
        for step, depth in enumerate([0.1, 0.5, 1.5]):
            host.set(pose((3.0, 2.0, 20.0 + 0.5 * cad_parts.BOX[2] - depth)))
            host.step(step * 1e-3, 1e-3)
            volume = cad_parts.volume_below(part, depth - 0.5 * cad_parts.BOX[2]) * MILLIMETRE**3
            force = host.get("combinedLayerStiffness") * volume
            # Chords of fillets: 2 mm × (1 − cos 5°) = 8 µm at most, over a rim of 100 mm × 1 mm.
            assert vector(host, "forceOnF") == pytest.approx([0.0, 0.0, force], rel=0.02, abs=1e-3 * force)
            assert not host.get("defectInContact") and not host.get("borderInContact")
            assert host.get("beyondLayer") == (1.0 < depth)


@pytest.mark.parametrize("mesh_format", ["kernel stl", "kernel obj", "gmsh stl"])
def test_gears_press_along_the_line_of_action(tmp_path, mesh_format):
    """Involutes press along a line that touches both base circles: torque over force is the base radius."""
    other = cad_parts.mesh_files("gear30", cad_parts.gear(TEETH[1]), tmp_path, 0.8, tolerance=0.002).files[mesh_format]
    gear = cad_parts.mesh_files("gear20", cad_parts.gear(TEETH[0]), tmp_path, 0.8, tolerance=0.002).files[mesh_format]
    fmu = fmu_of(tmp_path, "Gears", FRICTIONLESS, e={"mesh": str(gear)} | SOFT, f={"mesh": str(other)} | SOFT)
    distance = 0.5 * cad_parts.MODULE * sum(TEETH)
    depth = 0.05
    with Host(fmu) as host:
        host.start(pose((2.0 * distance, 0.0, 0.0)))
        for step in range(8):
            # E stands still and F goes around it, so that teeth come into mesh and leave it.
            along = step / 8 * 2.0 * math.pi / TEETH[0]
            angle = math.pi / TEETH[1] + along * (1.0 + TEETH[0] / TEETH[1]) + depth / cad_parts.base_radius(TEETH[1])
            cosine, sine = math.cos(angle), math.sin(angle)
            centre = (distance * math.cos(along), distance * math.sin(along), 0.0)
            host.set(pose(centre, ((cosine, -sine, 0), (sine, cosine, 0), (0, 0, 1))))
            host.step(step * 1e-3, 1e-3)
            force = math.hypot(*vector(host, "forceOnE")[:2])
            assert 10.0 < force
            for body, teeth in zip("EF", TEETH):
                torque = abs(host.get(f"torqueOn{body}[3]"))
                radius = cad_parts.base_radius(teeth) * MILLIMETRE
                # Normals of flanks turn by chords of up to 0.1 rad.
                assert torque / force == pytest.approx(radius, rel=0.02), (step, body)
            # Flat ends in one plane do not press.
            assert abs(host.get("forceOnE[3]")) < 0.02 * force


@pytest.mark.parametrize("mesh_format", ["kernel stl", "gmsh obj"])
def test_links_of_a_chain_pull_each_other(tmp_path, mesh_format):
    """Where two links cross, each is a saddle: 1/WIRE across and -1/(BEND - WIRE) along it. The gap between them is that
    of a paraboloid of revolution of radius R, 1/R = 1/WIRE - 1/(BEND - WIRE), which carries pi c_l R depth^2."""
    size = 0.5
    link = cad_parts.mesh_files("link", cad_parts.chain_link(), tmp_path, size, tolerance=0.001).files[mesh_format]
    fmu = fmu_of(tmp_path, "Links", FRICTIONLESS, e={"mesh": str(link)} | RIGID, f={"mesh": str(link)} | SOFT)
    radius = 1.0 / (1.0 / cad_parts.WIRE - 1.0 / (cad_parts.BEND - cad_parts.WIRE))
    # The inner sides of the bends, where the links touch.
    touching = 2.0 * (cad_parts.HALF_STRAIGHT + cad_parts.BEND - cad_parts.WIRE)
    # Faces lie below the saddles by up to this across the wires, and above them along the bends, on both links.
    sag = size**2 / (6.0 * cad_parts.WIRE)
    upright = ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    with Host(fmu) as host:
        host.start(pose((2.0 * touching, 0.0, 0.0), upright))
        for step, depth in enumerate([0.1, 0.2, 0.3]):
            host.set(pose((touching + depth, 0.0, 0.0), upright))
            host.step(step * 1e-3, 1e-3)
            force = math.pi * host.get("combinedLayerStiffness") * radius * depth**2 * MILLIMETRE**3
            # Besides, the paraboloid is off by a part of depth / WIRE.
            low, high = (1.0 - 2.0 * sag / depth) ** 2, (1.0 + 2.0 * sag / depth) ** 2 + depth / cad_parts.WIRE
            assert low * force < host.get("forceOnE[1]") < high * force, depth
            assert abs(host.get("forceOnE[2]")) + abs(host.get("forceOnE[3]")) < 0.05 * force
