"""What is wrong with an FMU's files is said once, through the host's logger, and nothing runs."""

import shutil

import pytest
from expected_contact import ContactPair, fmu_path
from fmpy_host import Host
from scenarios import WRENCHES

PATH = fmu_path("SphereOnPlate")
MESH = ContactPair(PATH).configuration["surface-e"]["mesh"]


def refusal(host):
    """Instantiates and initializes, one of which must fail; returns the only message."""
    with pytest.raises(Exception):
        with host:
            host.start()
    ((status, category, text),) = host.messages
    assert (status, category) == (3, "logStatusError")
    return text


def test_a_wrong_guid_is_refused():
    assert "guid" in refusal(Host(PATH, guid="{00000000-0000-0000-0000-000000000000}"))


def test_a_missing_mesh_is_named():
    text = refusal(Host(PATH, prepare=lambda folder: (folder / "resources" / MESH).unlink()))
    assert MESH in text


def test_missing_resources_are_named():
    text = refusal(Host(PATH, prepare=lambda folder: shutil.rmtree(folder / "resources")))
    assert "resources" in text


def test_a_missing_configuration_is_named():
    text = refusal(Host(PATH, prepare=lambda folder: (folder / "resources" / "contact.toml").unlink()))
    assert "contact.toml" in text


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.9, 1.0])
def test_a_damaged_mesh_is_refused(kept):
    """Cut off, or one digit changed: the guid covers every byte."""

    def damage(folder):
        file = folder / "resources" / MESH
        content = bytearray(file.read_bytes())
        if kept == 1.0:
            content[len(content) // 2] ^= 1
        file.write_bytes(content[: int(kept * len(content))])

    text = refusal(Host(PATH, prepare=damage))
    assert "guid" in text or MESH in text


def test_a_damaged_mesh_of_ones_own_is_named(tmp_path):
    """A file that replaces the bundled one is not covered by the guid, so reading it must find the damage."""
    mesh = tmp_path / "my own.obj"
    host = Host(PATH)
    lines = (host.folder / "resources" / MESH).read_text().splitlines()
    damaged = next(i for i, line in enumerate(lines) if line.startswith("v ")) + 10
    lines[damaged] = lines[damaged][:5] + "?" + lines[damaged][6:]
    mesh.write_text("\n".join(lines))
    with pytest.raises(Exception):
        with host:
            host.slave.setString([host.variables["surfaceE.file"].valueReference], [str(mesh)])
            host.start()
    ((status, category, text),) = host.messages
    assert (status, category) == (3, "logStatusError")
    assert "my own.obj" in text and str(damaged + 1) in text


@pytest.mark.parametrize("name", ["with späce", "100% {odd}+#?&;=", "日本"])
def test_odd_folders_work_without_a_temporary_folder(name, tmp_path, monkeypatch):
    """The library writes nowhere, and reads its resources from where the host has put them."""
    monkeypatch.setenv("TMPDIR", "/nonexistent")
    pair = ContactPair(PATH)
    pose = pair.at_depth(0.02 * pair.size)
    with Host(PATH, folder=str(tmp_path / name)) as host:
        host.start(pose.inputs("matrix"))
        # Resources are read by now and may vanish.
        shutil.rmtree(host.folder / "resources")
        host.step(0.0, 1e-3)
        pair.assert_outputs({output: host.get(output) for output in WRENCHES}, pair.outputs_at_rest(pose))
        assert host.messages == []
