"""Meshes and their reports."""

import numpy as np
import polycontact
import pytest
from conftest import box, stl


def test_a_mesh_is_read_with_its_report(folder):
    mesh = polycontact.Mesh(folder / "block.stl", scale=1e-3)
    assert mesh.vertices.shape == (8, 3)
    assert mesh.faces.shape == (12, 3)
    assert np.ptp(mesh.vertices, axis=0) == pytest.approx([4e-4, 4e-4, 1e-4])
    assert mesh.report["volume"] == pytest.approx(1.6e-11)
    assert mesh.refusal is None
    # The normals point outwards: the divergence theorem gives the volume.
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    assert np.einsum("ij,ij", a, np.cross(b, c)) / 6 == pytest.approx(1.6e-11)


def test_an_open_mesh_says_so(folder):
    (folder / "open.stl").write_text(stl(box((0, 0, 0), (1, 1, 1))[:-1]))
    mesh = polycontact.Mesh(folder / "open.stl")
    assert mesh.report["volume"] is None
    assert any("open" in warning for warning in mesh.warnings), mesh.warnings


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="missing.stl"):
        polycontact.Mesh(tmp_path / "missing.stl")
