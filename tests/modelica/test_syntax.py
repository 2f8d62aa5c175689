"""Every file of the package is Modelica for two parsers, and lies where Modelica tools look for it."""

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import rumoca
from modelica_package import PACKAGE, ROOT, class_files, compiled, listings
from pymoca import parser

FILES = [path.relative_to(PACKAGE) for path in class_files()]
PAGE = ROOT / "docs" / "modelica.md"


@pytest.mark.parametrize("file", FILES, ids=str)
def test_both_parsers_read_the_file(file):
    errors = [problem.message for problem in rumoca.validate(str(PACKAGE / file)) if problem.level == "error"]
    assert errors == []
    assert parser.parse((PACKAGE / file).read_text(encoding="utf-8")) is not None


def test_the_parsers_refuse_what_is_no_modelica():
    broken = "model M\n  Real x\nequation\n  x = 1;\nend M;\n"
    with pytest.raises(parser.ModelicaSyntaxError):
        parser.parse(broken)
    with pytest.raises(rumoca.RumocaError):
        compiled(broken, "M")


@pytest.mark.parametrize("file", FILES, ids=str)
def test_file_and_folder_name_the_class(file):
    lines = (PACKAGE / file).read_text(encoding="utf-8").splitlines()
    parents = file.parent.parts if file.name != "package.mo" else file.parent.parts[:-1]
    is_root = file == Path("package.mo")
    within = ".".join(("PolygonalContact", *parents))
    assert lines[0] == ("within ;" if is_root else f"within {within};")
    name = file.stem if file.name != "package.mo" else (file.parent.name or "PolygonalContact")
    assert lines[-1] == f"end {name};"


def test_package_order_lists_the_classes_of_each_folder():
    for package in PACKAGE.rglob("package.mo"):
        folder = package.parent
        listed = (folder / "package.order").read_text(encoding="utf-8").split()
        files = {path.stem for path in folder.glob("*.mo")} - {"package"}
        packages = {path.parent.name for path in folder.glob("*/package.mo")}
        assert sorted(listed) == sorted(files | packages), folder


def test_listings_of_the_page_are_modelica():
    found = listings(PAGE)
    assert found
    for listing in found:
        assert parser.parse(listing) is not None, listing


def test_classes_that_the_page_and_the_script_name_exist():
    scripts = sorted((ROOT / "modelica").glob("*.mos"))
    assert len(scripts) == 2
    names = set()
    for text in (path.read_text(encoding="utf-8") for path in [PAGE, *scripts]):
        names |= set(re.findall(r"\bPolygonalContact((?:\.[A-Za-z]+)+)\b", text))
    names = {name for name in names if name not in (".so", ".dll", ".dylib", ".mo")}
    assert len(names) >= 4
    for name in names:
        path = PACKAGE.joinpath(*name[1:].split("."))
        assert path.with_suffix(".mo").exists() or (path / "package.mo").exists(), f"PolygonalContact{name}"


def imported_name(name):
    """As OpenModelica's import writes it."""
    return re.sub(r"[\[\],.]", "_", name)


def test_the_imported_block_has_the_names_that_openmodelica_makes():
    """Of all inputs and of the wrenches; the adapter connects each of them once."""
    variables = ElementTree.parse(ROOT / "modelDescription" / "modelDescription.xml").getroot().find("ModelVariables")
    block = (PACKAGE / "Interfaces" / "ImportedBlock.mo").read_text(encoding="utf-8")
    adapter = (PACKAGE / "Elements" / "ImportedFMU.mo").read_text(encoding="utf-8")
    names = {causality: set() for causality in ("input", "output", "parameter", "calculatedParameter")}
    for variable in variables:
        names[variable.get("causality")].add(imported_name(variable.get("name")))
    declared = {kind: set(re.findall(rf"{kind} Real (\w+);", block)) for kind in ("input", "output")}
    assert declared["input"] == names["input"]
    assert declared["output"] <= names["output"] and len(declared["output"]) == 12
    for name in declared["input"] | declared["output"]:
        assert len(re.findall(rf"\bfmu\.{name}\b", adapter)) == 1, name
