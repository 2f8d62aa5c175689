"""Contact pairs as functions of pose and velocity."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _native
from ._program import FOLDER

Array = NDArray[np.float64]

USUAL_OUTPUTS = ("forceOnE", "torqueOnE", "contactArea", "patchCount", "maxPenetration")
"""What `Pair.evaluate_many` returns where nothing is asked for."""

_INDEX = re.compile(r"\[([\d,]+)\]$")


@dataclass(frozen=True)
class Variable:
    """A variable of the FMU."""

    name: str
    description: str
    causality: str
    """`parameter`, `input`, `output`, …"""
    unit: str
    type: str
    """`Real`, `Integer`, `Boolean`, `String` or `Enumeration`"""
    values: tuple[str, ...]
    """Names of the values of an enumeration; empty otherwise."""
    is_extra: bool
    """Whether it takes a computation of its own, such as the energy and the gap: ask for it where you need it."""


@dataclass(frozen=True)
class Patch:
    """A piece of the contact, flat, in M_e."""

    corners: Array
    """Positions in m, one row per corner; rounded to 1/65535 of the extent of all patches."""
    pressure: Array
    """In Pa, one number per corner."""


@dataclass(frozen=True)
class Contact:
    """The contact at one motion. Every output of the FMU is in `outputs`; the attributes are the ones most used."""

    outputs: dict[str, Any]
    """By the name in the FMU without indices: numbers, and arrays for vectors and matrices."""
    _pair: Pair
    _motion: tuple[bytes, int]

    @property
    def force_on_e(self) -> Array:
        """Force on body E in N, resolved in M_e."""
        return self.outputs["forceOnE"]

    @property
    def torque_on_e(self) -> Array:
        """Torque on body E about the origin of M_e in N·m, resolved in M_e."""
        return self.outputs["torqueOnE"]

    @property
    def force_on_f(self) -> Array:
        """Force on body F in N, resolved in M_f."""
        return self.outputs["forceOnF"]

    @property
    def torque_on_f(self) -> Array:
        """Torque on body F about the origin of M_f in N·m, resolved in M_f."""
        return self.outputs["torqueOnF"]

    @property
    def area(self) -> float:
        """Contact area in m²."""
        return self.outputs["contactArea"]

    @property
    def max_penetration(self) -> float:
        """Largest depth in m."""
        return self.outputs["maxPenetration"]

    @property
    def patch_count(self) -> int:
        """Connected patches."""
        return self.outputs["patchCount"]

    @property
    def in_contact(self) -> bool:
        """Whether the surfaces intersect."""
        return self.outputs["inContact"]

    @property
    def stiffness(self) -> Array:
        """Minus the derivative of the wrench on F by small motions of F, 6 × 6 in SI units: see `stiffness` of the FMU."""
        return self._extra("stiffness")

    @property
    def damping(self) -> Array:
        """The same by velocities: see `damping` of the FMU."""
        return self._extra("damping")

    @property
    def elastic_energy(self) -> float:
        """Energy stored in the layers, in J."""
        return self._extra("elasticEnergy")

    @property
    def gap(self) -> float:
        """Distance of the bodies in m; minus the depth where they touch."""
        return self._extra("gap")

    @property
    def patches(self) -> list[Patch]:
        """The pieces of the contact with their pressure; the first 20,000 where there are more."""
        counts, corners = self._pair._native.patches(*self._motion)
        rows = np.frombuffer(corners, dtype="<f8").reshape(-1, 4)
        pieces = np.split(rows, np.cumsum(counts)[:-1]) if counts else []
        return [Patch(piece[:, :3], piece[:, 3]) for piece in pieces]

    def _extra(self, name: str) -> Any:
        if name not in self.outputs:
            numbers = self._pair._native.evaluate_one(*self._motion, self._pair._names(name))
            self.outputs[name] = self._pair._shaped(name, np.frombuffer(numbers, dtype="<f8"), ())
        return self.outputs[name]

    def __repr__(self) -> str:
        return f"Contact(force_on_e={self.force_on_e} N, area={self.area:.4g} m², patches={self.patch_count})"


class Pair:
    """A contact pair: two meshes with their layers, friction and damping.

    A pair remembers nothing: every evaluation is that of an FMU which has just been initialized at the motion, bit by bit.
    So bristles of friction are straight; what rests at a slope needs a simulation.

    `parameters` are those of the FMU by name, such as `{"frictionCoefficient": 0.2, "method": "masterF"}`.
    """

    def __init__(
        self,
        configuration: str | os.PathLike[str] = "contact.toml",
        parameters: Mapping[str, bool | int | float | str] | None = None,
    ) -> None:
        self._path = Path(configuration).absolute()
        self._native = _native.Pair(self._path)
        facts = self._native.variables()
        self.variables = {name: Variable(name, *rest, tuple(values), extra) for name, *rest, values, extra in facts}
        """The variables of the FMU by name."""
        self._groups: dict[str, list[Variable]] = {}
        for variable in self.variables.values():
            if variable.causality == "output":
                self._groups.setdefault(_INDEX.sub("", variable.name), []).append(variable)
        self._usual = [name for name, group in self._groups.items() if not group[0].is_extra]
        self._usual_names = [name for group in self._usual for name in self._names(group)]
        self._changed: dict[str, bool | int | float | str] = {}
        for name, value in (parameters or {}).items():
            self.set(name, value)
        self._warn()

    @property
    def name(self) -> str:
        """Name of the model."""
        return self._native.name

    @property
    def outputs(self) -> list[str]:
        """What `evaluate_many` can be asked for, without indices."""
        return list(self._groups)

    def __getitem__(self, parameter: str) -> bool | int | float | str:
        """The value of a parameter of the FMU; of an enumeration its name."""
        return self._native.parameter(parameter)

    def set(self, parameter: str, value: bool | int | float | str) -> None:
        """Sets a parameter of the FMU; enumerations by name: `pair.set("method", "masterF")`."""
        self._native.set_parameter(parameter, value)
        self._changed[parameter] = value
        self._warn()

    def evaluate(
        self,
        position: ArrayLike,
        orientation: ArrayLike | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
    ) -> Contact:
        """The contact at one motion of F relative to E.

        `position` is the origin of M_f seen from M_e, in m. `orientation` is the matrix that maps coordinates in M_f to
        coordinates in M_e, a quaternion (w, x, y, z), or three angles about x, y and z in rad; without it the axes are
        parallel. Velocities, in m/s and rad/s, are resolved in M_e; without them the bodies are at rest.
        """
        rows, orientation_numbers = _motions(position, orientation, velocity, angular_velocity)
        if len(rows) != 1:
            raise ValueError("`evaluate` takes one motion, `evaluate_many` takes many")
        motion = (rows.tobytes(), orientation_numbers)
        numbers = np.frombuffer(self._native.evaluate_one(*motion, self._usual_names), dtype="<f8")
        return Contact(self._split(self._usual, numbers, ()), self, motion)

    def evaluate_many(
        self,
        positions: ArrayLike,
        orientations: ArrayLike | None = None,
        velocities: ArrayLike | None = None,
        angular_velocities: ArrayLike | None = None,
        *,
        outputs: Iterable[str] = USUAL_OUTPUTS,
        threads: int | None = None,
        progress: bool = False,
    ) -> dict[str, NDArray[Any]]:
        """The contact at many motions, with all cores: arrays by name, with one row per motion.

        Arguments are as those of `evaluate`, with one row per motion; a single row stands for all of them.
        `outputs` are names of the FMU without indices. The result is that of `evaluate`, bit by bit, whatever the number
        of threads; Python goes on meanwhile in other threads. `progress` shows a bar.
        """
        rows, orientation_numbers = _motions(positions, orientations, velocities, angular_velocities)
        wanted = list(dict.fromkeys(outputs))
        names = [name for output in wanted for name in self._names(output)]
        if not names:
            raise ValueError("`outputs` is empty: name at least one")
        threads = threads or _cores()
        motions = (rows.tobytes(), orientation_numbers)
        if progress:
            from tqdm.auto import tqdm

            with tqdm(total=len(rows), unit="pose") as bar:
                show = lambda done: bar.update(done - bar.n) and None  # noqa: E731
                numbers = self._native.evaluate_many(*motions, names, threads, show)
        else:
            numbers = self._native.evaluate_many(*motions, names, threads, None)
        table = np.frombuffer(numbers, dtype="<f8").reshape(len(rows), len(names))
        return self._split(wanted, table, (len(rows),))

    def package(self, file: str | os.PathLike[str], platforms: Iterable[str] = ()) -> Path:
        """Makes the FMU for platforms such as "linux64"; without them for all that are at hand.

        It starts with the parameters that the pair has now. Those without a key in `contact.toml`, such as `recordFile`,
        belong to a simulation: where one was set, that is a `ValueError`.
        """
        self._native.package(Path(file), FOLDER, list(platforms))
        return Path(file)

    def __repr__(self) -> str:
        return f"Pair({str(self._path)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes read the files again."""
        return Pair, (self._path, dict(self._changed))

    def _names(self, output: str) -> list[str]:
        if output not in self._groups:
            raise ValueError(f"there is no output `{output}`; `Pair.outputs` has their names")
        return [variable.name for variable in self._groups[output]]

    def _split(self, outputs: list[str], numbers: NDArray[Any], rows: tuple[int, ...]) -> dict[str, Any]:
        result = {}
        start = 0
        for output in outputs:
            end = start + len(self._groups[output])
            result[output] = self._shaped(output, numbers[..., start:end], rows)
            start = end
        return result

    def _shaped(self, output: str, numbers: NDArray[Any], rows: tuple[int, ...]) -> Any:
        group = self._groups[output]
        kinds: dict[str, type] = {"Real": np.float64, "Boolean": np.bool_}
        numbers = numbers.astype(kinds.get(group[0].type, np.int64))
        index = _INDEX.search(group[-1].name)
        if index:
            return numbers.reshape(*rows, *(int(size) for size in index[1].split(",")))
        return numbers[..., 0] if rows else numbers[0].item()

    def _warn(self) -> None:
        for text in self._native.take_warnings():
            warnings.warn(text, stacklevel=3)


def _cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _motions(
    position: ArrayLike,
    orientation: ArrayLike | None,
    velocity: ArrayLike | None,
    angular_velocity: ArrayLike | None,
) -> tuple[Array, int]:
    """One row of inputs per motion, and the numbers of an orientation."""
    turn = np.eye(3) if orientation is None else np.asarray(orientation, dtype=float)
    if orientation is not None and turn.shape == np.shape(position) == (3, 3):
        raise ValueError("three rows of angles or one matrix? Write matrices for three motions with the shape (3, 3, 3)")
    if turn.shape[-2:] == (3, 3) and turn.ndim < 4:
        turn = turn.reshape(*turn.shape[:-2], 9)
    if turn.ndim not in (1, 2) or turn.shape[-1] not in (9, 4, 3):
        raise ValueError(f"an orientation is a matrix, a quaternion or three angles; the shape {turn.shape} is none")
    parts = [("position", position), ("velocity", velocity), ("angular velocity", angular_velocity)]
    vectors = []
    for name, value in parts:
        vector = np.zeros(3) if value is None else np.asarray(value, dtype=float)
        if vector.ndim not in (1, 2) or vector.shape[-1] != 3:
            raise ValueError(f"a {name} has three components; the shape {vector.shape} has not")
        vectors.append(np.atleast_2d(vector))
    columns = [vectors[0], np.atleast_2d(turn), *vectors[1:]]
    counts = {len(column) for column in columns} - {1}
    if len(counts) > 1:
        raise ValueError(f"different numbers of motions: {sorted(counts)}")
    count = counts.pop() if counts else 1
    rows = np.hstack([np.broadcast_to(column, (count, column.shape[1])) for column in columns])
    return np.ascontiguousarray(rows, dtype="<f8"), turn.shape[-1]
