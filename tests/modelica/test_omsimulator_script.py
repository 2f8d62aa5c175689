"""The script for OMSimulator, run against classes that only record what it asks for."""

import importlib.util
import sys
import types
import xml.etree.ElementTree as ElementTree

from modelica_package import PACKAGE, ROOT

SCRIPT = ROOT / "modelica" / "wheel_on_ground.py"
DESCRIPTION = ROOT / "modelDescription" / "modelDescription.xml"


def script():
    spec = importlib.util.spec_from_file_location("wheel_on_ground", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def recorded(monkeypatch):
    """The calls of the script, in order: name and arguments."""
    calls = []

    class Recorder:
        def __getattr__(self, name):
            return lambda *arguments, **options: calls.append((name, *arguments)) or Recorder()

    stand_in = types.ModuleType("OMSimulator")
    stand_in.SSP, stand_in.CRef = Recorder, lambda *names: names
    monkeypatch.setitem(sys.modules, "OMSimulator", stand_in)
    script().main()
    return calls


def contact_variables(causality):
    variables = ElementTree.parse(DESCRIPTION).getroot().find("ModelVariables")
    return {variable.get("name") for variable in variables if variable.get("causality") == causality}


def test_every_input_of_the_contact_is_connected_to_the_same_name(monkeypatch):
    connections = [call[1:] for call in recorded(monkeypatch) if call[0] == "addConnection"]
    assert len(connections) == len(set(connections)) == 30
    to_contact = {end[2] for _, end in connections if end[1] == "contact"}
    to_wheel = {end[2] for _, end in connections if end[1] == "wheel"}
    assert to_contact == contact_variables("input")
    assert to_wheel <= contact_variables("output")
    assert to_wheel == {f"{w}On{b}[{i}]" for w in ("force", "torque") for b in "EF" for i in (1, 2, 3)}
    assert all(start[0] == end[0] == "default" and start[2] == end[2] for start, end in connections)


def test_the_exported_model_has_these_names():
    text = (PACKAGE / "Examples" / "WheelOnGroundSignals.mo").read_text(encoding="utf-8")
    for start, _, name in script().connections():
        assert f"{'output' if start == 'wheel' else 'input'} Real {name.split('[')[0]}[3" in text


def test_the_model_is_run_in_the_order_that_omsimulator_needs(monkeypatch):
    order = [call[0] for call in recorded(monkeypatch) if call[0] != "addConnection"]
    assert order[:4] == ["addResource", "addComponent"] * 2
    assert order[4:6] == ["export", "instantiate"]
    assert order[-4:] == ["initialize", "simulate", "terminate", "delete"]
