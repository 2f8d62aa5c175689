"""fmutool (FMU Manipulation Toolbox) checks the FMUs against the schema and its own rules."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from expected_contact import fmu_path
from scenarios import FMUS


def check(path):
    """Lines of the check, with the level of each in front."""
    fmutool = Path(sys.executable).parent / "fmutool"
    done = subprocess.run([fmutool, "-input", path, "-check"], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, (done.stdout + done.stderr).splitlines()


def complaints(lines):
    return [line for line in lines if re.match(r"(WARNING|ERROR|FATAL|CRITICAL)", line)]


@pytest.mark.parametrize("name", [*FMUS, "Ball"])
def test_the_check_finds_nothing(name):
    code, lines = check(fmu_path(name))
    assert code == 0, lines
    assert complaints(lines) == []
    assert any("compliant with FMI-2.0" in line for line in lines), lines


def test_the_check_would_find_a_wrong_attribute(tmp_path):
    """Shows that silence means something."""
    damaged = tmp_path / "damaged.fmu"
    with zipfile.ZipFile(fmu_path("SphereOnPlate")) as original, zipfile.ZipFile(damaged, "w") as copy:
        for entry in original.infolist():
            content = original.read(entry)
            if entry.filename == "modelDescription.xml":
                assert b'causality="input"' in content
                content = content.replace(b'causality="input"', b'causality="inward"', 1)
            copy.writestr(entry, content)
    code, lines = check(damaged)
    assert code != 0 or complaints(lines), lines
