"""The C file with which Elements.DirectFMU calls an FMU, compiled and driven as a Modelica tool does."""

import ctypes
import shutil
import subprocess
import zipfile

import pytest
from expected_contact import ContactPair, fmu_path
from modelica_package import PACKAGE

# What a Modelica tool provides. Its errors do not return to the caller; here the message is kept instead.
UTILITIES = "void ModelicaError(const char *);\nvoid ModelicaFormatError(const char *, ...);\nvoid ModelicaFormatMessage(const char *, ...);\n"
CALLS = r"""
#include "polygonal_contact_fmu.h"
char lastError[4096];
void ModelicaError(const char *text) { snprintf(lastError, sizeof lastError, "%s", text); }
void ModelicaFormatError(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(lastError, sizeof lastError, format, arguments);
    va_end(arguments);
}
void ModelicaFormatMessage(const char *format, ...) { (void)format; }
void *openFMU(const char *folder) { return polygonalContactOpen(folder, "contact"); }
void closeFMU(void *object) { polygonalContactClose(object); }
void evaluate(void *object, double *in, double *out) {
    polygonalContactEvaluate(object, in, in + 3, in + 12, in + 15, out, out + 3, out + 6, out + 9);
}
"""
INPUTS = (
    [f"relativePosition[{i}]" for i in (1, 2, 3)]
    + [f"relativeOrientation[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)]
    + [f"relativeVelocity[{i}]" for i in (1, 2, 3)]
    + [f"relativeAngularVelocity[{i}]" for i in (1, 2, 3)]
)
OUTPUTS = [f"{name}[{i}]" for name in ("forceOnE", "torqueOnE", "forceOnF", "torqueOnF") for i in (1, 2, 3)]


@pytest.fixture(scope="module")
def glue(tmp_path_factory):
    folder = tmp_path_factory.mktemp("glue")
    (folder / "ModelicaUtilities.h").write_text(UTILITIES)
    (folder / "calls.c").write_text(CALLS)
    warnings = ["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-Wno-format-truncation"]
    include = PACKAGE / "Resources" / "Include"
    subprocess.run(
        ["cc", "-std=gnu99", "-O1", *warnings, "-shared", "-fPIC", "-I", folder, "-I", include]
        + ["-o", folder / "calls.so", folder / "calls.c"],
        check=True,
    )
    library = ctypes.CDLL(str(folder / "calls.so"))
    library.openFMU.restype = ctypes.c_void_p
    library.closeFMU.argtypes = [ctypes.c_void_p]
    library.evaluate.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    return library


def last_error(glue):
    return ctypes.c_char_p(ctypes.addressof(ctypes.c_char.in_dll(glue, "lastError"))).value.decode()


def unzipped(name, folder):
    with zipfile.ZipFile(fmu_path(name)) as archive:
        archive.extractall(folder)
    return folder


def answer(glue, instance, inputs):
    values = (ctypes.c_double * len(INPUTS))(*(inputs[name] for name in INPUTS))
    wrenches = (ctypes.c_double * len(OUTPUTS))()
    glue.evaluate(instance, values, wrenches)
    return dict(zip(OUTPUTS, wrenches))


def test_wrenches_are_those_of_the_exact_answer(glue, tmp_path):
    pair = ContactPair(fmu_path("SphereByMatrix"))
    folder = unzipped("SphereByMatrix", tmp_path / "späce in %20 name")
    instance = glue.openFMU(str(folder).encode())
    assert instance, last_error(glue)
    # Depths in no order, as a solver that rejects steps asks for them.
    for depth in (0.02, 0.001, 0.01, -0.001, 0.02):
        pose = pair.at_depth(depth * pair.size, x=0.01, y=-0.02, angles=(0.3, -0.2, 0.5))
        expected = pair.outputs_at_rest(pose)
        pair.assert_outputs(answer(glue, instance, pose.inputs("matrix")), expected)
    glue.closeFMU(instance)


def test_two_instances_do_not_disturb_each_other(glue, tmp_path):
    pair = ContactPair(fmu_path("SphereByMatrix"))
    folder = unzipped("SphereByMatrix", tmp_path / "fmu")
    first, second = (glue.openFMU(str(folder).encode()) for _ in range(2))
    deep, shallow = (pair.at_depth(depth * pair.size).inputs("matrix") for depth in (0.03, 0.01))
    alone = answer(glue, first, deep)
    answer(glue, second, shallow)
    assert answer(glue, first, deep) == alone
    glue.closeFMU(second)
    assert answer(glue, first, deep) == alone
    glue.closeFMU(first)


def test_errors_say_what_to_do(glue, tmp_path):
    assert not glue.openFMU(str(tmp_path / "nothing").encode())
    assert "unzip the FMU" in last_error(glue) and "nothing" in last_error(glue)

    assert not glue.openFMU(str(unzipped("SphereByQuaternion", tmp_path / "quaternion")).encode())
    assert 'orientation = "matrix"' in last_error(glue)

    folder = unzipped("SphereByMatrix", tmp_path / "no library")
    shutil.rmtree(folder / "binaries")
    assert not glue.openFMU(str(folder).encode())
    assert "cannot load its library" in last_error(glue)

    folder = unzipped("SphereByMatrix", tmp_path / "no mesh")
    (folder / "resources" / "sphere.obj").unlink()
    assert not glue.openFMU(str(folder).encode())
    assert "sphere.obj" in last_error(glue)


def test_a_refused_input_is_reported_with_the_fmus_words(glue, tmp_path):
    pair = ContactPair(fmu_path("SphereByMatrix"))
    instance = glue.openFMU(str(unzipped("SphereByMatrix", tmp_path / "fmu")).encode())
    inputs = pair.at_depth(0.01 * pair.size).inputs("matrix")
    answer(glue, instance, inputs | {"relativeOrientation[1,1]": float("nan")})
    assert "relativeOrientation" in last_error(glue)
    glue.closeFMU(instance)
