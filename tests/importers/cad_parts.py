"""Parts made by the CAD kernel of build123d, in millimetres; meshed by it and by gmsh."""

import math
from dataclasses import dataclass
from pathlib import Path

import build123d as cad
import gmsh

MODULE = 2.0
PRESSURE_ANGLE = math.radians(20.0)
GEAR_WIDTH = 10.0

BOX = (30.0, 20.0, 10.0)
FILLET = 2.0

# A link of a chain: half the straights, the bends of the wire's middle, and the wire.
HALF_STRAIGHT = 12.0
BEND = 10.0
WIRE = 3.0


def base_radius(teeth):
    return 0.5 * MODULE * teeth * math.cos(PRESSURE_ANGLE)


def gear(teeth, bore=5.0):
    """A spur gear about z with a tooth on the x axis: involutes as splines, radial feet, no clearance between teeth."""
    pitch, base = 0.5 * MODULE * teeth, base_radius(teeth)
    tip, root = pitch + MODULE, pitch - 1.25 * MODULE

    def half_tooth(radius):
        angle = math.acos(min(1.0, base / radius))
        return 0.5 * math.pi / teeth + involute(PRESSURE_ANGLE) - involute(angle)

    def point(radius, angle):
        return cad.Vector(radius * math.cos(angle), radius * math.sin(angle))

    start = 1.0001 * max(base, root)
    radii = [start + (tip - start) * i / 8 for i in range(9)]
    edges, feet = [], []
    for tooth in range(teeth):
        middle = 2.0 * math.pi * tooth / teeth
        rising = [point(radius, middle - half_tooth(radius)) for radius in radii]
        falling = [point(radius, middle + half_tooth(radius)) for radius in reversed(radii)]
        foot = [point(root, middle + sign * half_tooth(start)) for sign in (-1, 1)]
        edges += [
            cad.Edge.make_line(foot[0], rising[0]),
            cad.Edge.make_spline(rising),
            cad.Edge.make_three_point_arc(rising[-1], point(tip, middle), falling[0]),
            cad.Edge.make_spline(falling),
            cad.Edge.make_line(falling[-1], foot[1]),
        ]
        feet.append(foot)
    for tooth in range(teeth):
        middle = 2.0 * math.pi * (tooth - 0.5) / teeth
        edges.append(cad.Edge.make_three_point_arc(feet[tooth - 1][1], point(root, middle), feet[tooth][0]))
    face = cad.Face(cad.Wire(edges), [cad.Wire([cad.Edge.make_circle(bore)])])
    return cad.Solid.extrude(face, cad.Vector(0, 0, GEAR_WIDTH))


def involute(angle):
    return math.tan(angle) - angle


def filleted_box():
    """About the origin, all edges rounded."""
    return cad.fillet(cad.Box(*BOX).edges(), radius=FILLET)


def chain_link():
    """In the x-y plane, straights along x."""
    x, y = HALF_STRAIGHT, BEND
    path = cad.Wire(
        [
            cad.Edge.make_line((-x, y, 0), (x, y, 0)),
            cad.Edge.make_three_point_arc((x, y, 0), (x + y, 0, 0), (x, -y, 0)),
            cad.Edge.make_line((x, -y, 0), (-x, -y, 0)),
            cad.Edge.make_three_point_arc((-x, -y, 0), (-x - y, 0, 0), (-x, y, 0)),
        ]
    )
    section = cad.Wire([cad.Edge.make_circle(WIRE, cad.Plane((-x, y, 0), z_dir=(1, 0, 0)))])
    return cad.Solid.sweep(cad.Face(section), path)


def volume_below(part, height):
    """The volume of a part below a plane across z."""
    box = part.bounding_box()
    size = [box.max.X - box.min.X + 2, box.max.Y - box.min.Y + 2, height - box.min.Z + 1]
    centre = [0.5 * (box.min.X + box.max.X), 0.5 * (box.min.Y + box.max.Y), height - 0.5 * size[2]]
    return (part & cad.Pos(*centre) * cad.Box(*size)).volume


@dataclass
class Meshes:
    """Files of one part, with its volume in the kernel."""

    volume: float
    files: dict[str, Path]


def mesh_files(name, part, folder, size, tolerance=0.01):
    """All formats that the two can write. Chords of the kernel stay within `tolerance`; gmsh has faces of `size`."""
    files = {}

    def path(maker, ending):
        files[f"{maker} {ending}"] = folder / f"{name}-{maker}.{ending.split()[-1]}"
        return str(files[f"{maker} {ending}"])

    chords = {"tolerance": tolerance, "angular_tolerance": 0.2}
    cad.export_stl(part, path("kernel", "stl"), **chords)
    cad.export_stl(part, path("kernel-text", "stl"), ascii_format=True, **chords)
    cad.export_obj(part, path("kernel", "obj"))
    step = str(folder / f"{name}.step")
    cad.export_step(part, step)
    gmsh.initialize()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        gmsh.model.occ.importShapes(step)
        gmsh.model.occ.synchronize()
        gmsh.option.setNumber("Mesh.MeshSizeMax", size)
        gmsh.option.setNumber("Mesh.MeshSizeFromCurvature", 36)
        gmsh.model.mesh.generate(2)
        for ending in ("stl", "obj", "off"):
            gmsh.write(path("gmsh", ending))
        # One solid for each surface of the part: its edges are in the file twice.
        gmsh.option.setNumber("Mesh.StlOneSolidPerSurface", 1)
        gmsh.write(path("gmsh-surfaces", "stl"))
        gmsh.option.setNumber("Mesh.StlOneSolidPerSurface", 0)
        gmsh.option.setNumber("Mesh.Binary", 1)
        gmsh.write(path("gmsh-binary", "stl"))
    finally:
        gmsh.finalize()
    return Meshes(part.volume, files)


def round_mesh(shape, size, path):
    """A round shape of about a metre, meshed by gmsh with faces of a size in metres; returns its exact volume and area."""
    gmsh.initialize()
    try:
        gmsh.option.setNumber("General.Terminal", 0)
        if shape in ("sphere", "ellipsoid"):
            body = gmsh.model.occ.addSphere(0, 0, 0, 1)
            if shape == "ellipsoid":
                gmsh.model.occ.dilate([(3, body)], 0, 0, 0, 1, 0.7, 0.5)
        elif shape == "cylinder":
            body = gmsh.model.occ.addCylinder(0, 0, -1, 0, 0, 2, 1)
        else:
            body = gmsh.model.occ.addTorus(0, 0, 0, 2, 0.7)
        gmsh.model.occ.synchronize()
        faces = gmsh.model.getEntities(2)
        area = sum(gmsh.model.occ.getMass(2, tag) for _, tag in faces)
        gmsh.option.setNumber("Mesh.MeshSizeMax", size)
        gmsh.option.setNumber("Mesh.MeshSizeMin", 0.3 * size)
        gmsh.option.setNumber("Mesh.Binary", 1)
        gmsh.model.mesh.generate(2)
        gmsh.write(str(path))
    finally:
        gmsh.finalize()
    of_sphere = 4.0 / 3.0 * math.pi
    volumes = {"sphere": of_sphere, "ellipsoid": 0.35 * of_sphere, "cylinder": 2.0 * math.pi}
    return volumes.get(shape, 2.0 * math.pi**2 * 2.0 * 0.7**2), area
