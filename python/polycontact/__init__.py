"""Contact forces between two bodies given as triangle meshes.

    pair = polycontact.Pair("contact.toml")
    contact = pair.evaluate(position=[0, 0, -0.095])
    contacts = pair.evaluate_many(positions)          # all cores
    pair.package("BallOnBlock.fmu")                   # for a simulation tool

All units are SI. M_e and M_f are the coordinate frames of the two meshes; a pose is that of M_f seen from M_e, velocities
are resolved in M_e, as for the FMU.
"""

from ._pair import Contact, Contacts, Pair, Pieces
from ._mesh import Mesh
from ._polycontact import __version__

__all__ = ["Contact", "Contacts", "Mesh", "Pair", "Pieces", "__version__"]
