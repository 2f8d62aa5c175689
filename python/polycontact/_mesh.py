"""A mesh as the FMU would read it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _polycontact


class Mesh:
    """A mesh file, read, checked and repaired as the FMU would.

    `report` has what `polycontact check-mesh --json` prints: counts, sizes, changes, warnings. A file that the FMU would
    refuse raises a `ValueError` that says what to do.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        scale: float = 1.0,
        reversed: bool = False,
        merge_distance: float | None = None,
        repair: str = "safe",
        parts: Sequence[str] = (),
        shells: Sequence[int] = (),
    ) -> None:
        mesh = _polycontact.Mesh(
            os.fspath(path), float(scale), bool(reversed), merge_distance, repair, list(parts), list(shells)
        )
        self.vertices: NDArray[np.float64] = np.frombuffer(mesh.vertices(), dtype=np.float64).reshape(-1, 3)
        """Coordinates in m, one row per vertex."""
        self.faces: NDArray[np.uint32] = np.frombuffer(mesh.faces(), dtype=np.uint32).reshape(-1, 3)
        """Vertices of each triangle, counter-clockwise seen from outside."""
        self.report: dict[str, Any] = json.loads(mesh.report())
        """What the reader found."""

    @property
    def warnings(self) -> list[str]:
        """What the reader warns of."""
        return [warning["message"] for warning in self.report["warnings"]]

    @property
    def changes(self) -> list[str]:
        """What was repaired."""
        return [change["message"] for change in self.report["changes"]]

    def __repr__(self) -> str:
        size = np.ptp(self.vertices, axis=0)
        return f"<Mesh of {len(self.faces)} triangles, {size[0]:.4g} x {size[1]:.4g} x {size[2]:.4g} m>"
