"""What a new user types, from nothing to the replay of a run: every line is run in a clean environment."""

import os
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest
from conftest import box, stl

SIDE, LENGTH, DEPTH = 0.04, 0.05, 1e-4
"""Of the block on the plate in m, and how deep it is pressed in."""

SIMULATION = f"""
import fmpy
import numpy as np

motion = np.zeros(101, dtype=[("time", float), ("relativePosition[3]", float)])
motion["time"] = np.linspace(0.0, 0.1, 101)
motion["relativePosition[3]"] = np.linspace(-0.001, {DEPTH}, 101)
result = fmpy.simulate_fmu(
    "OnPlate.fmu",
    stop_time=0.1,
    output_interval=0.001,
    input=motion,
    # 1 is `hold`: the motion is given, so there is no energy to exchange.
    start_values={{"recordFile": "run.pcr", "stepOutput": 1, "frictionCoefficient": 0.0, "arealDamping": 0.0}},
    output=["forceOnE[3]"],
)
print(result["forceOnE[3]"][-1])
"""

STEPS = 'step {:5.1f} s  $ {}'


def processor_seconds():
    """Of all programs that were started here."""
    times = os.times()
    return times.children_user + times.children_system


@pytest.fixture
def meshes(tmp_path):
    """As a CAD program writes them: in millimetres. The bottom of the block and the top of the plate are at z = 0."""
    half, length = 500 * SIDE, 1000 * LENGTH
    (tmp_path / "a.stl").write_text(stl(box((-half, -half, 0.0), (half, half, length))))
    (tmp_path / "b.stl").write_text(stl(box((-100.0, -100.0, -20.0), (100.0, 100.0, 0.0))))
    return tmp_path


@pytest.mark.skipif("POLYCONTACT_WHEEL" not in os.environ, reason="`cargo xtask test` names the wheel")
def test_from_two_meshes_to_a_replay(meshes):
    wheel = os.environ["POLYCONTACT_WHEEL"]
    pinned = (Path(__file__).parent / "requirements.txt").read_text().splitlines()
    fmpy = next(line for line in pinned if line.startswith("FMPy=="))
    folder = meshes / "env" / ("Scripts" if os.name == "nt" else "bin")
    # Nothing of this environment or of the project may help.
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "POLYCONTACT"))}
    variables["PATH"] = os.pathsep.join([str(folder), "/usr/bin", "/bin"])
    transcript, started = [], processor_seconds()

    def typed(*words, program=None):
        start = time.monotonic()
        done = subprocess.run(
            [program or shutil.which(words[0], path=str(folder)), *words[1:]],
            cwd=meshes, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        shown = " ".join(words[:2] + ("…",) if len(" ".join(words)) > 100 else words)
        transcript.append(STEPS.format(time.monotonic() - start, shown))
        assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    typed("python3", "-m", "venv", "env", program=sys.executable)
    typed("pip", "install", "--quiet", "--disable-pip-version-check", wheel, fmpy)
    typed("polycontact", "new", "a.stl", "b.stl", "--name", "OnPlate")
    typed("polycontact", "view")
    printed = typed("polycontact", "package")
    assert "OnPlate.fmu" in printed and "linux64" in printed if sys.platform == "linux" else True
    force = float(typed("python", "-c", SIMULATION).split()[-1])
    typed("polycontact", "replay", "run.pcr", "--csv", "run.csv")
    seconds = processor_seconds() - started
    print("\n" + "\n".join(transcript) + f"\n{seconds:10.1f} s of a processor in all")

    for page in ("OnPlate.html", "run.html"):
        assert "<canvas" in (meshes / page).read_text()
    table = (meshes / "run.csv").read_text().splitlines()
    assert len(table) == 1 + 100
    # `new` wrote the layer of the block; the plate is rigid. The last step of the host begins one step before the end.
    layer = tomllib.loads((meshes / "contact.toml").read_text())["surface-e"]
    young, poisson = layer["youngs-modulus"], layer.get("poissons-ratio", 0.3)
    stiffness = young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson)) / layer["layer-thickness"]
    depth = DEPTH - (DEPTH + 0.001) / 100
    # A strip at the rim, as wide as the depth, is a little softer.
    assert force == pytest.approx(stiffness * SIDE**2 * depth, rel=3 * depth / SIDE)
    # Two minutes, whatever else the machine does.
    assert seconds < 120
