"""Times other contact libraries on the meshes and poses that the benchmark sends, one request per line.

Requests on standard input, one answer line each on standard output:

  scene E.obj F.obj F.vtk X Y Z R11 … R33   two meshes and the pose of F in E
  time PEER FIRST COUNT                     nanoseconds of each of COUNT calls, poses FIRST, FIRST + 1, …
  result PEER                               what the last call found, as a number and a word
  overhead PEER COUNT                       nanoseconds of as many empty calls into the same library
  version PEER

An answer starts with "ok" or "error". The process ends with its input.
"""

import gc
import math
import sys
import time

import numpy as np

# As in the benchmark itself: the pose moves by about this much from call to call, in m.
POSE_STEP = 1e-6


def shifted(position, index):
    shift = [math.sin(index), math.sin(1.3 * index), math.sin(1.7 * index)]
    return position + POSE_STEP * np.array(shift)


class Drake:
    """Hydroelastic contact: F is compliant, with a volume mesh, E is rigid. Contact surfaces with pressures."""

    def __init__(self):
        from importlib.metadata import version

        from pydrake import geometry, math as drake_math
        from pydrake.common.value import Value

        self.geometry, self.math, self.Value = geometry, drake_math, Value
        self.version = version("drake")

    def scene(self, e, f, f_volume, position, rotation):
        geometry = self.geometry
        graph = geometry.SceneGraph()
        self.source = graph.RegisterSource("bench")
        self.frames = []
        for name, shape in (("e", geometry.Mesh(e)), ("f", geometry.Mesh(f_volume))):
            frame = graph.RegisterFrame(self.source, geometry.GeometryFrame(name))
            self.frames.append(frame)
            instance = geometry.GeometryInstance(self.math.RigidTransform(), shape, name)
            properties = geometry.ProximityProperties()
            if name == "e":
                geometry.AddRigidHydroelasticProperties(properties=properties)
            else:
                # The hint is for primitive shapes; a mesh is taken as it is.
                geometry.AddCompliantHydroelasticProperties(
                    resolution_hint=1.0, hydroelastic_modulus=1e7, properties=properties
                )
            instance.set_proximity_properties(properties)
            graph.RegisterGeometry(self.source, frame, instance)
        self.graph = graph
        self.context = graph.CreateDefaultContext()
        self.port = graph.get_source_pose_port(self.source)
        self.query_port = graph.get_query_output_port()
        self.position, self.rotation = position, self.math.RotationMatrix(rotation)
        self.representation = geometry.HydroelasticContactRepresentation.kPolygon

    def prepare(self, index):
        poses = self.geometry.FramePoseVector()
        poses.set_value(self.frames[0], self.math.RigidTransform())
        place = self.math.RigidTransform(self.rotation, shifted(self.position, index))
        poses.set_value(self.frames[1], place)
        self.port.FixValue(self.context, self.Value(poses))
        self.query = self.query_port.Eval(self.context)

    def call(self):
        return self.query.ComputeContactSurfaces(self.representation)

    def empty_call(self):
        return self.query.inspector()

    def result(self, surfaces):
        return sum(surface.num_faces() for surface in surfaces), "polygons"


class Coal:
    """Pairs of intersecting triangles by trees of oriented boxes; no forces."""

    def __init__(self):
        import coal

        self.coal = coal
        self.version = coal.__version__

    def scene(self, e, f, f_volume, position, rotation):
        coal = self.coal
        loader = coal.MeshLoader(coal.NODE_TYPE.BV_OBBRSS)
        self.e, self.f = loader.load(e, np.ones(3)), loader.load(f, np.ones(3))
        self.identity = coal.Transform3s()
        self.position, self.rotation = position, rotation
        # All pairs are wanted, not the first one.
        self.request = coal.CollisionRequest(coal.CollisionRequestFlag.CONTACT, 10_000_000)
        self.found = coal.CollisionResult()

    def prepare(self, index):
        self.pose = self.coal.Transform3s(self.rotation, shifted(self.position, index))
        self.found.clear()

    def call(self):
        self.coal.collide(self.e, self.identity, self.f, self.pose, self.request, self.found)
        return self.found

    def empty_call(self):
        return self.found.isCollision()

    def result(self, found):
        return found.numContacts(), "pairs"


PEERS = {"drake": Drake, "coal": Coal}


class Server:
    def __init__(self):
        self.peers = {}
        self.last = {}

    def peer(self, name):
        if name not in self.peers:
            self.peers[name] = PEERS[name]()
        return self.peers[name]

    def answer(self, words):
        verb, arguments = words[0], words[1:]
        if verb == "version":
            return self.peer(arguments[0]).version
        if verb == "scene":
            numbers = [float(number) for number in arguments[3:]]
            self.scene = (*arguments[:3], np.array(numbers[:3]), np.array(numbers[3:]).reshape(3, 3))
            self.ready = set()
            return ""
        peer = self.peer(arguments[0])
        if arguments[0] not in self.ready and not self.scene[2] and arguments[0] == "drake":
            # Without a volume mesh Drake has no scene: an empty call needs any earlier one.
            if verb != "overhead" or not hasattr(peer, "query"):
                return "nan"
        elif arguments[0] not in self.ready:
            peer.scene(*self.scene)
            peer.prepare(0)
            self.ready.add(arguments[0])
        if verb == "time":
            first, count = int(arguments[1]), int(arguments[2])
            times = []
            for index in range(first, first + count):
                peer.prepare(index)
                started = time.thread_time_ns()
                self.last[arguments[0]] = peer.call()
                times.append(time.thread_time_ns() - started)
            return " ".join(map(str, times))
        if verb == "overhead":
            times = []
            for _ in range(int(arguments[1])):
                started = time.thread_time_ns()
                peer.empty_call()
                times.append(time.thread_time_ns() - started)
            return " ".join(map(str, times))
        if verb == "result":
            number, word = peer.result(self.last[arguments[0]])
            return f"{number} {word}"
        raise ValueError(f"unknown request {verb}")


def main():
    # A collection in the middle of a call would be counted as the peer's time.
    gc.disable()
    server = Server()
    for line in sys.stdin:
        try:
            print("ok", server.answer(line.rstrip("\n").split("\t")), flush=True)
        except Exception as error:  # the benchmark prints it
            print("error", f"{type(error).__name__}: {error}".replace("\n", " "), flush=True)
        gc.collect()


if __name__ == "__main__":
    main()
