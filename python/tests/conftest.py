"""A contact pair in a folder of its own: a ball of radius 0.1 m around the origin of E, a block with its top at z = 0 of F."""

import math
from itertools import product

import pytest


def stl(triangles) -> str:
    facets = (
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {!r} {!r} {!r}\n".format(*corner) for corner in triangle)
        + "endloop\nendfacet\n"
        for triangle in triangles
    )
    return "solid part\n" + "".join(facets) + "endsolid part\n"


def box(low, high):
    """Triangles of a box, counter-clockwise seen from outside."""
    corners = [tuple((low, high)[side][axis] for axis, side in enumerate(sides)) for sides in product((0, 1), repeat=3)]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return [tuple(corners[k] for k in face) for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]


def ball(radius, rings=16, segments=32):
    """Triangles of a ball of rings."""

    def point(ring, segment):
        polar, around = math.pi * ring / rings, 2 * math.pi * (segment % segments) / segments
        if ring in (0, rings):
            return (0.0, 0.0, radius * math.cos(polar))
        return (
            radius * math.sin(polar) * math.cos(around),
            radius * math.sin(polar) * math.sin(around),
            radius * math.cos(polar),
        )

    triangles = []
    for ring, segment in product(range(rings), range(segments)):
        a, b = point(ring, segment), point(ring + 1, segment)
        c, d = point(ring + 1, segment + 1), point(ring, segment + 1)
        if ring < rings - 1:
            triangles.append((a, b, c))
        if ring > 0:
            triangles.append((a, c, d))
    return triangles


CONFIGURATION = """
name = "BallOnBlock"

[surface-e]
mesh = "ball.stl"
youngs-modulus = 1.0e7
layer-thickness = 0.01

[surface-f]
mesh = "block.stl"
youngs-modulus = 0.0

[contact]
areal-damping = 1.0e5
friction-coefficient = 0.3
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "ball.stl").write_text(stl(ball(0.1)))
    (tmp_path / "block.stl").write_text(stl(box((-0.2, -0.2, -0.1), (0.2, 0.2, 0.0))))
    (tmp_path / "contact.toml").write_text(CONFIGURATION)
    return tmp_path


@pytest.fixture
def contact(folder):
    return folder / "contact.toml"
