"""The Lua script for OMSimulator, run against functions that only record what it asks for."""

import xml.etree.ElementTree as ElementTree

import lupa
from modelica_package import PACKAGE, ROOT

SCRIPT = ROOT / "modelica" / "wheel_on_ground.lua"
DESCRIPTION = ROOT / "modelDescription" / "modelDescription.xml"


def recorded():
    """The calls of the script, in order: name and arguments."""
    calls = []
    lua = lupa.LuaRuntime()
    names = """
        setTempDirectory newModel addSystem addSubModel addConnection setResultFile setStopTime setFixedStepSize
        instantiate initialize simulate terminate delete
    """
    for name in names.split():
        lua.globals()[f"oms_{name}"] = lambda *arguments, name=name: calls.append((name, *arguments))
    lua.globals()["oms_system_wc"] = "wc"
    lua.execute(SCRIPT.read_text(encoding="utf-8"))
    return calls


def contact_variables(causality):
    variables = ElementTree.parse(DESCRIPTION).getroot().find("ModelVariables")
    return {variable.get("name") for variable in variables if variable.get("causality") == causality}


def test_every_input_of_the_contact_is_connected_to_the_same_name():
    connections = [call[1:] for call in recorded() if call[0] == "addConnection"]
    assert len(connections) == len(set(connections))
    to_contact = [(a, b) for a, b in connections if b.startswith("drop.root.contact.")]
    to_wheel = [(a, b) for a, b in connections if b.startswith("drop.root.wheel.")]
    assert len(connections) == len(to_contact) + len(to_wheel)
    names = {b.removeprefix("drop.root.contact.") for _, b in to_contact}
    assert names == contact_variables("input")
    assert {a.removeprefix("drop.root.wheel.") for a, _ in to_contact} == names
    wrenches = {a.removeprefix("drop.root.contact.") for a, _ in to_wheel}
    assert {b.removeprefix("drop.root.wheel.") for _, b in to_wheel} == wrenches
    assert wrenches <= contact_variables("output")
    assert wrenches == {f"{w}On{b}[{i}]" for w in ("force", "torque") for b in "EF" for i in (1, 2, 3)}
    for a, b in connections:
        assert a.rsplit(".", 1)[1] == b.rsplit(".", 1)[1]


def test_the_exported_model_has_these_names():
    text = (PACKAGE / "Examples" / "WheelOnGroundSignals.mo").read_text(encoding="utf-8")
    for call in recorded():
        if call[0] == "addConnection":
            from_wheel = call[1].startswith("drop.root.wheel.")
            name = call[1].rsplit(".", 1)[1].split("[")[0]
            assert f"{'output' if from_wheel else 'input'} Real {name}[3" in text


def test_the_model_is_run_in_the_order_that_omsimulator_needs():
    order = [call[0] for call in recorded() if call[0] != "addConnection"]
    assert order[:3] == ["setTempDirectory", "newModel", "addSystem"]
    assert order[-5:] == ["instantiate", "initialize", "simulate", "terminate", "delete"]
