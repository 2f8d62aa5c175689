"""The Modelica package as the tests see it: its files, and models compiled with it by rumoca."""

import re
from pathlib import Path

import rumoca

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGE = ROOT / "modelica" / "PolygonalContact"
# Stands in for the Modelica Standard Library, which the package index of Python does not have.
STANDARD_LIBRARY = Path(__file__).resolve().parent / "standard_library"


def class_files():
    return sorted(PACKAGE.rglob("*.mo"))


def listings(page):
    """The Modelica listings of a page."""
    return re.findall(r"```modelica\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def compiled(source, model):
    """A model of a source text that uses the package."""
    session = rumoca.Session(roots=[str(STANDARD_LIBRARY), str(PACKAGE.parent)])
    # Libraries are loaded when the source names them.
    naming = "model UsesModelica Modelica.Blocks.Interfaces.RealOutput y = 0; end UsesModelica;"
    return session.loads(f"{source}\n{naming}", model=model)
