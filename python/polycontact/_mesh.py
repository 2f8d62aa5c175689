"""Meshes with what there is to know about them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _native


class Mesh:
    """A mesh file, read, checked and repaired as the FMU does it.

    The keywords are the keys of a surface in `contact.toml`.
    A file that cannot be read at all is a `ValueError`; one that an FMU would refuse is read, and says so in `refusal`.
    """

    vertices: NDArray[np.float64]
    """Positions in m, one row per vertex."""
    faces: NDArray[np.uint32]
    """Vertices of the triangles, counter-clockwise seen from outside."""
    report: dict[str, Any]
    """Counts, measures, changes and warnings, as `polycontact check-mesh --json` prints them."""

    def __init__(
        self,
        file: str | os.PathLike[str],
        *,
        scale: float = 1.0,
        reversed: bool = False,
        merge_distance: float | None = None,
        repair: bool = True,
        parts: Sequence[str] = (),
        shells: Sequence[int] = (),
        smooth_angle: float = 0.0,
        sag: float | None = None,
    ) -> None:
        vertices, faces, report = _native.read_mesh(
            Path(file), scale, reversed, merge_distance, repair, list(parts), list(shells), smooth_angle, sag
        )
        self.vertices = np.frombuffer(vertices, dtype="<f8").reshape(-1, 3)
        self.faces = np.frombuffer(faces, dtype="<u4").reshape(-1, 3)
        self.report = json.loads(report)

    @property
    def refusal(self) -> str | None:
        """Why an FMU would refuse the mesh; none where it would not."""
        refusal = self.report["refusal"]
        return refusal and refusal["message"]

    @property
    def warnings(self) -> list[str]:
        """What is unusual but accepted."""
        return [warning["message"] for warning in self.report.get("warnings", [])]

    def __repr__(self) -> str:
        return f"Mesh({self.report['file']!r}, {len(self.vertices)} vertices, {len(self.faces)} faces)"
