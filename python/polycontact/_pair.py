"""A contact pair, evaluated in one pose or in many."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _polycontact

Floats = NDArray[np.float64]

# Numbers of stiffness and of damping.
_MATRIX = 36

# Columns of a piece and of its corners, as the extension writes them.
_PIECE = 16
_CORNER = 5


@dataclass(frozen=True, repr=False)
class Contacts:
    """Results in many poses: arrays with one row per pose.

    Forces are in N, torques in N m. Each wrench is at the origin of its own marker and resolved in it; positions and
    normals are in M_e.
    """

    force_on_e: Floats
    torque_on_e: Floats
    force_on_f: Floats
    torque_on_f: Floats
    contact_position: Floats
    contact_normal: Floats
    contact_area: Floats
    mean_penetration: Floats
    max_penetration: Floats
    mean_normal_velocity: Floats
    max_normal_velocity: Floats
    mean_tangential_velocity: Floats
    max_tangential_velocity: Floats
    mean_normal_stress: Floats
    max_normal_stress: Floats
    mean_tangential_stress: Floats
    max_tangential_stress: Floats
    elastic_energy: Floats
    dissipated_power: Floats
    patch_count: NDArray[np.int64]
    element_count: NDArray[np.int64]
    polygon_count: NDArray[np.int64]
    in_contact: NDArray[np.bool_]
    enclosed: NDArray[np.bool_]
    border_in_contact: NDArray[np.bool_]
    defect_in_contact: NDArray[np.bool_]
    beyond_layer: NDArray[np.bool_]
    beyond_half_thickness: NDArray[np.bool_]
    stiffness: Floats | None = None
    damping: Floats | None = None

    @property
    def wrench_on_e(self) -> Floats:
        """Force and torque on E, six numbers per pose."""
        return np.concatenate([self.force_on_e, self.torque_on_e], axis=-1)

    @property
    def wrench_on_f(self) -> Floats:
        """Force and torque on F, six numbers per pose."""
        return np.concatenate([self.force_on_f, self.torque_on_f], axis=-1)

    def __len__(self) -> int:
        return len(self.contact_area)

    def __getitem__(self, place: int) -> Contact:
        """The result in one pose."""
        return Contact(**{name: None if values is None else values[place] for name, values in vars(self).items()})

    def __repr__(self) -> str:
        return f"<Contacts in {len(self)} poses, {int(self.in_contact.sum())} of them in contact>"


@dataclass(frozen=True, repr=False)
class Contact(Contacts):
    """The result in one pose: vectors and numbers instead of rows and columns."""

    def __len__(self) -> int:
        raise TypeError("one contact has no length")

    def __getitem__(self, place: int) -> Contact:
        raise TypeError("one contact has no rows")

    def __repr__(self) -> str:
        force = np.array2string(self.force_on_e, precision=6)
        return f"<Contact: force on E {force} N, area {self.contact_area:.6g} m2, {self.patch_count} patch(es)>"


@dataclass(frozen=True, repr=False)
class Pieces:
    """The contact in detail: convex parts of faces, each with its pressure; resolved in M_e."""

    is_of_f: NDArray[np.bool_]
    """Whether the face belongs to F; it belongs to E otherwise."""
    face: NDArray[np.int64]
    weight: Floats
    """Share of this body's faces in the contact; the force of a piece is weight times area times pressure."""
    area: Floats
    normal: Floats
    """Into E."""
    position: Floats
    """Centroids."""
    penetration: Floats
    pressure: Floats
    """At the centroids, in Pa."""
    slip_velocity: Floats
    corners: list[Floats]
    """Of each piece, one row per corner."""
    corner_pressures: list[Floats]

    def __len__(self) -> int:
        return len(self.area)

    def __repr__(self) -> str:
        return f"<{len(self)} pieces of contact>"


class Pair:
    """Two bodies and the contact between them, as a `contact.toml` describes them.

    Evaluations give the bits of the FMU. A pair is never changed; `with_parameters` makes another one.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._pair = _polycontact.Pair(os.fspath(path))

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._pair.name

    @property
    def warnings(self) -> list[str]:
        """What the readers of the meshes warn of."""
        return self._pair.warnings

    @property
    def parameters(self) -> dict[str, float | int | str | bool]:
        """Keys of the configuration, with their section, and values; enumerations by name."""
        sections = tomllib.loads(self._pair.to_toml())
        return {
            f"{section}.{key}": value
            for section, keys in sections.items()
            if isinstance(keys, dict) and section != "pose"
            for key, value in keys.items()
        }

    def with_parameters(self, changes: Mapping[str, float | int | str | bool]) -> Pair:
        """The same bodies with other parameters, such as {"contact.friction-coefficient": 0.2, "contact.method": "two-pass"}.

        A wrong key or value raises a `ValueError` that names the nearest key or the allowed values.
        """
        other = Pair.__new__(Pair)
        other._path = self._path
        other._pair = self._pair.with_parameters([(key, _toml(value)) for key, value in changes.items()])
        return other

    @property
    def start_position(self) -> Floats:
        """Position of M_f seen from M_e in the start pose, in m."""
        return np.frombuffer(self._pair.start_pose())[:3]

    @property
    def start_orientation(self) -> Floats:
        """Rotation matrix of the start pose, from M_f to M_e."""
        return np.frombuffer(self._pair.start_pose())[3:].reshape(3, 3)

    def evaluate(
        self,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
        *,
        stiffness: bool = False,
    ) -> Contact:
        """The contact in one pose.

        position: of M_f seen from M_e in m; without it that of the start pose.
        orientation: a rotation matrix (3 x 3), a quaternion (w, x, y, z), or angles about x, y and z in rad, from M_f to
            M_e; without it that of the start pose.
        velocity, angular_velocity: of M_f relative to M_e, resolved in M_e, in m/s and rad/s.
        stiffness: also stiffness and damping (6 x 6), at M_f and resolved in it.
        """
        pose = self._pose(position, orientation)
        arguments = _motions(*pose, velocity, angular_velocity)
        if len(arguments[0]) != 1:
            raise ValueError("one pose was expected; for many there is `evaluate_many`")
        return self._sweep(arguments, stiffness, 1, None)[0]

    def evaluate_many(
        self,
        positions: ArrayLike,
        orientations: ArrayLike | None = None,
        velocities: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocities: ArrayLike = (0.0, 0.0, 0.0),
        *,
        stiffness: bool = False,
        threads: int | None = None,
        progress: bool | Callable[[int], object] | None = None,
    ) -> Contacts:
        """The contacts in many poses, on all cores; other Python threads go on meanwhile.

        Arrays have one row per pose, and what has one row holds for all poses. The result does not depend on the number
        of threads. A pose that is refused raises a `ValueError` that names it.

        threads: how many; without it one per core.
        progress: True shows a bar, False none, None one where the sweep takes more than two seconds; or a function that
            is called with the number of poses that are done.
        """
        arguments = _motions(*self._pose(positions, orientations), velocities, angular_velocities)
        threads = threads or _cores()
        if callable(progress) or progress is False:
            return self._sweep(arguments, stiffness, threads, progress or None)
        with _Bar(len(arguments[0]), delay=0.0 if progress else 2.0) as bar:
            return self._sweep(arguments, stiffness, threads, bar)

    def pieces(
        self,
        position: ArrayLike | None = None,
        orientation: ArrayLike | None = None,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
        angular_velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> Pieces:
        """The pieces of the contact in one pose, for plots and sums of your own; arguments as for `evaluate`."""
        arguments = _motions(*self._pose(position, orientation), velocity, angular_velocity)
        table, corners = self._pair.pieces(*(np.ascontiguousarray(rows).tobytes() for rows in arguments))
        rows = np.frombuffer(table).reshape(-1, _PIECE)
        points = np.frombuffer(corners).reshape(-1, _CORNER)
        ends = np.cumsum(rows[:, 4].astype(np.int64))[:-1] if len(rows) else []
        return Pieces(
            is_of_f=rows[:, 0] != 0.0,
            face=rows[:, 1].astype(np.int64),
            weight=rows[:, 2],
            area=rows[:, 3],
            normal=rows[:, 5:8],
            position=rows[:, 8:11],
            penetration=rows[:, 11],
            pressure=rows[:, 12],
            slip_velocity=rows[:, 13:16],
            corners=np.split(points[:, :3], ends) if len(rows) else [],
            corner_pressures=np.split(points[:, 4], ends) if len(rows) else [],
        )

    def package(self, path: str | os.PathLike[str] | None = None) -> Path:
        """Makes an FMU of the pair, with the parameters that it has; returns its path, by default NAME.fmu."""
        output = Path(path if path is not None else f"{self.name}.fmu")
        self._pair.package(os.fspath(output), str(Path(__file__).parent))
        return output

    def _pose(self, position: ArrayLike | None, orientation: ArrayLike | None) -> tuple[ArrayLike, ArrayLike]:
        start = self.start_position if position is None else position
        return start, self.start_orientation if orientation is None else orientation

    def _sweep(self, arguments: tuple[Floats, ...], stiffness: bool, threads: int, progress: Any) -> Contacts:
        positions, orientations, *velocities = (np.ascontiguousarray(rows) for rows in arguments)
        table = np.frombuffer(
            self._pair.sweep(
                positions.tobytes(),
                orientations.tobytes(),
                orientations.shape[1],
                *(rows.tobytes() for rows in velocities),
                stiffness,
                int(threads),
                progress,
            )
        ).reshape(len(positions), -1)
        columns: dict[str, Any] = {}
        start = 0
        for name, width, kind in _polycontact.columns():
            values = table[:, start : start + width]
            start += width
            if width == 1:
                values = values[:, 0]
            columns[name] = {"real": lambda v: v, "count": lambda v: v.astype(np.int64), "flag": lambda v: v != 0.0}[
                kind
            ](values)
        if stiffness:
            columns["stiffness"] = table[:, start : start + _MATRIX].reshape(-1, 6, 6)
            columns["damping"] = table[:, start + _MATRIX :].reshape(-1, 6, 6)
        return Contacts(**columns)

    def __reduce__(self) -> tuple[Any, ...]:
        # For other processes and machines that see the same files, as with Dask.
        return _remade, (os.fspath(self._path.absolute()), self.parameters)

    def __repr__(self) -> str:
        return f"<Pair {self.name}>"


def _remade(path: str, parameters: dict[str, Any]) -> Pair:
    """A pair from its file, with the parameters that it had."""
    pair = Pair(path)
    own = pair.parameters
    changes = {key: value for key, value in parameters.items() if own.get(key) != value}
    return pair.with_parameters(changes) if changes else pair


def _cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _toml(value: float | int | str | bool) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(int(value)) if isinstance(value, (int, np.integer)) else repr(float(value))


def _motions(position: ArrayLike, orientation: ArrayLike, *velocities: ArrayLike) -> tuple[Floats, ...]:
    """Rows of positions, orientations and velocities, as many of each."""
    positions = _rows("position", position, 3)
    matrices = np.asarray(orientation, dtype=np.float64)
    if matrices.shape[-2:] == (3, 3) and matrices.ndim in (2, 3):
        matrices = matrices.reshape(-1, 9)
    elif matrices.ndim not in (1, 2) or matrices.shape[-1] not in (3, 4, 9):
        raise ValueError(
            f"the orientation has the shape {matrices.shape}, but must be rotation matrices (3, 3), quaternions (4) or "
            "angles (3), alone or one per pose"
        )
    rows = [positions, np.atleast_2d(matrices), *(_rows("velocity", velocity, 3) for velocity in velocities)]
    count = max(map(len, rows)) if all(map(len, rows)) else 0
    for row in rows:
        if len(row) not in (1, count):
            raise ValueError(f"arrays of a motion have {len(row)} and {count} rows; one or as many are needed")
    return tuple(row[:count] if len(row) == count or not count else np.repeat(row, count, axis=0) for row in rows)


def _rows(name: str, values: ArrayLike, width: int) -> Floats:
    rows = np.atleast_2d(np.asarray(values, dtype=np.float64))
    if rows.size == 0:
        return rows.reshape(0, width)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"a {name} has {width} numbers, but the array has the shape {rows.shape}")
    return rows


class _Bar:
    """A bar that appears when a sweep takes longer than a delay."""

    def __init__(self, total: int, delay: float) -> None:
        self._total, self._delay, self._bar = total, delay, None

    def __enter__(self) -> _Bar:
        from tqdm.auto import tqdm

        self._bar = tqdm(total=self._total, unit=" poses", delay=self._delay)
        return self

    def __call__(self, done: int) -> None:
        self._bar.update(done - self._bar.n)

    def __exit__(self, *_: object) -> None:
        self._bar.close()
