"""FMPy validates the FMU of a body and throws it; the SSP archive follows the schema of SSP 1.0."""

import io
import zipfile
from pathlib import Path

import fmpy
import numpy as np
import pytest
from expected_contact import fmu_path
from fmpy.ssp.ssd import read_ssd
from fmpy.validation import validate_fmu
from landing_sphere import STEP_SIZE, ssp_path
from lxml import etree

# Rounding of a thousand steps with numbers of the size of 1.
ROUNDING = 1e-11

# Error of a turn in rad per rad: 2 (0.01 / 2)^5 / 120 in each of the 100 sub-steps of a radian, and twice that as a margin.
TURN_ERROR = 1e-11


def structure():
    with zipfile.ZipFile(ssp_path()) as archive:
        return etree.parse(io.BytesIO(archive.read("SystemStructure.ssd")))


def schema(name="SystemStructureDescription"):
    folder = Path(fmpy.__file__).parent / "ssp" / "schema"
    return etree.XMLSchema(etree.parse(str(folder / f"{name}.xsd")))


def test_the_description_is_valid():
    assert validate_fmu(str(fmu_path("Ball"))) == []
    description = fmpy.read_model_description(str(fmu_path("Ball")))
    assert description.coSimulation.modelIdentifier == "FreeBody"
    # Inputs reach the outputs by the states only.
    known = {variable.name for unknown in description.outputs for variable in unknown.dependencies}
    assert known and all(name.startswith("state.") for name in known)


@pytest.mark.parametrize("step_size", [1e-3, 0.1])
def test_a_throw_is_a_parabola(step_size):
    start, velocity, spin = np.array([0.1, 0.2, 0.3]), np.array([1.0, -2.0, 5.0]), 4.0
    values = {f"initialPosition[{i + 1}]": start[i] for i in range(3)}
    values |= {f"initialVelocity[{i + 1}]": velocity[i] for i in range(3)}
    values |= {"initialAngularVelocity[3]": spin}
    outputs = [f"relativePosition[{i}]" for i in (1, 2, 3)] + ["relativeOrientation[1,1]", "relativeOrientation[2,1]"]
    result = fmpy.simulate_fmu(
        str(fmu_path("Ball")),
        start_values=values,
        stop_time=1.0,
        step_size=step_size,
        output_interval=step_size,
        output=outputs,
        validate=True,
    )
    assert len(result) == round(1.0 / step_size) + 1
    for row in result:
        t = row["time"]
        expected = start + t * velocity + 0.5 * t**2 * np.array([0.0, 0.0, -9.81])
        assert np.abs(expected - [row[name] for name in outputs[:3]]).max() <= ROUNDING
        # A ball spins uniformly.
        assert abs(row["relativeOrientation[1,1]"] - np.cos(spin * t)) <= ROUNDING + TURN_ERROR * spin * t
        assert abs(row["relativeOrientation[2,1]"] - np.sin(spin * t)) <= ROUNDING + TURN_ERROR * spin * t


def test_a_force_accelerates():
    """x = F t^2 / (2 m), with the weight balanced by the force along z."""
    force = {"force[1,1]": 8.38, "force[1,3]": 4.19 * 9.81}
    result = fmpy.simulate_fmu(
        str(fmu_path("Ball")),
        start_values=force,
        stop_time=1.0,
        step_size=1e-2,
        output_interval=1e-2,
        output=["relativePosition[1]", "relativePosition[3]"],
    )
    for row in result:
        assert abs(row["relativePosition[1]"] - row["time"] ** 2) <= ROUNDING
        assert abs(row["relativePosition[3]"] - 0.15) <= ROUNDING


def test_the_structure_follows_the_schema():
    assert schema().validate(structure()), schema().error_log


def test_the_schema_would_find_a_wrong_kind():
    """Shows that silence means something."""
    document = structure()
    document.getroot().find(".//{*}Connector").set("kind", "inward")
    assert not schema().validate(document)


def test_the_parameter_set_follows_its_schema():
    """The schema of the structure does not look into it."""
    sets = list(structure().getroot().iter("{http://ssp-standard.org/SSP1/SystemStructureParameterValues}ParameterSet"))
    assert [parameters.get("name") for parameters in sets] == ["start"]
    values = schema("SystemStructureParameterValues")
    assert values.validate(sets[0]), values.error_log
    sets[0][0][0][0].set("value", "high")
    assert not values.validate(sets[0])


def test_fmpy_reads_the_structure():
    description = read_ssd(str(ssp_path()), validate=True)
    assert [element.name for element in description.system.elements] == ["contact", "body"]
    assert len(description.system.connections) == 24


def test_units_are_declared_once():
    root = structure().getroot()
    declared = [unit.get("name") for unit in root.find("{*}Units")]
    assert len(declared) == len(set(declared))
    assert {real.get("unit") for real in root.find("{*}System").iter("{*}Real") if real.get("unit")} <= set(declared)


def test_masters_are_told_the_same_step():
    """Each by the annotation of its own that it reads: libcosim and OMSimulator, which loads no system without."""
    root = structure().getroot()
    annotations = {annotation.get("type"): annotation for annotation in root.iter("{*}Annotation")}
    of_libcosim = annotations["com.opensimulationplatform"].find("{*}Algorithm/{*}FixedStepAlgorithm")
    master = annotations["org.openmodelica"].find("{*}Annotations/{*}SimulationInformation/{*}FixedStepMaster")
    assert annotations["org.openmodelica"].getparent().getparent() is root.find("{*}System")
    assert master.get("description") == "oms-ma"
    assert "e" not in master.get("stepSize").lower()
    assert float(of_libcosim.get("baseStepSize")) == float(master.get("stepSize")) == STEP_SIZE


def test_connectors_and_parameters_are_variables_of_the_fmus(tmp_path):
    root = structure().getroot()
    connectors = {}
    for component in root.iter("{*}Component"):
        with zipfile.ZipFile(ssp_path()) as archive:
            fmu = Path(archive.extract(component.get("source"), tmp_path))
        variables = {variable.name: variable for variable in fmpy.read_model_description(str(fmu)).modelVariables}
        for connector in component.iter("{*}Connector"):
            variable = variables[connector.get("name")]
            assert connector.get("kind") == variable.causality
            assert etree.QName(connector[0]).localname == variable.type
            connectors[component.get("name"), variable.name] = variable
        for parameter in component.iter("{http://ssp-standard.org/SSP1/SystemStructureParameterValues}Parameter"):
            assert float(parameter[0].get("value")) == float(variables[parameter.get("name")].start)
    ends = set()
    for connection in root.iter("{*}Connection"):
        start = connectors[connection.get("startElement"), connection.get("startConnector")]
        end = connectors[connection.get("endElement"), connection.get("endConnector")]
        assert (start.causality, end.causality, start.unit) == ("output", "input", end.unit)
        ends.add((connection.get("endElement"), end.name))
    assert ends == {key for key, variable in connectors.items() if variable.causality == "input"}
