# Makes the two mesh files of this folder: `python cylinder.py`, with Gmsh 4.15.2 from PyPI (`pip install gmsh`).
# A cylinder of radius 10 and height 20 (mm), second order: all kinds of physical groups, one without a name.
import gmsh

gmsh.initialize()
gmsh.model.add("cylinder")
volume = gmsh.model.occ.addCylinder(0, 0, 0, 0, 0, 20, 10)
gmsh.model.occ.synchronize()
surfaces = [tag for _, tag in gmsh.model.getEntities(2)]
top = [tag for tag in surfaces if abs(gmsh.model.occ.getCenterOfMass(2, tag)[2] - 20) < 1e-6]
gmsh.model.addPhysicalGroup(3, [volume], 7, "body")
gmsh.model.addPhysicalGroup(2, top, 3, "contact zone")
gmsh.model.addPhysicalGroup(2, [tag for tag in surfaces if tag not in top], 9)
gmsh.model.addPhysicalGroup(0, [gmsh.model.getEntities(0)[0][1]], 1, "tip")
gmsh.option.setNumber("Mesh.MeshSizeMin", 9)
gmsh.option.setNumber("Mesh.MeshSizeMax", 9)
gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
gmsh.model.mesh.generate(3)
gmsh.model.mesh.setOrder(2)
for binary, name in [(0, "cylinder_text.msh"), (1, "cylinder_binary.msh")]:
    gmsh.option.setNumber("Mesh.Binary", binary)
    gmsh.write(name)
gmsh.finalize()
