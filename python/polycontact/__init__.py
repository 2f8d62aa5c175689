"""Contact forces between two bodies given as triangle meshes.

>>> import polycontact
>>> pair = polycontact.Pair("contact.toml")
>>> contact = pair.evaluate(position=[0.0, 0.0, -0.095])
>>> contact.force_on_e, contact.area

Lengths are in metres, forces in newtons, all units SI. M_e and M_f are the coordinate frames of the mesh files.
"""

from importlib.metadata import version

from ._mesh import Mesh
from ._pair import Contact, Pair, Patch, Variable

__version__ = version("polycontact")

__all__ = ["Contact", "Mesh", "Pair", "Patch", "Variable", "__version__"]
