"""A wheel drops on the ground: the wheel as an FMU from OpenModelica, the contact as the contact FMU, in OMSimulator.

Run in the folder with both FMUs, with the Python package OMSimulator: python wheel_on_ground.py
It writes wheel_on_ground.ssp, which other masters read too, and the results wheel_on_ground.mat.
"""

FMUS = {"wheel": "PolygonalContact.Examples.WheelOnGroundSignals.fmu", "contact": "WheelOnGround.fmu"}

# Communication step in s.
STEP_SIZE = 1e-4


def connections():
    """Element and name where a connection starts, element and name where it ends; both names are the same."""
    motion = [f"{name}[{i}]" for name in ("relativePosition", "relativeVelocity", "relativeAngularVelocity") for i in (1, 2, 3)]
    motion += [f"relativeOrientation[{i},{j}]" for i in (1, 2, 3) for j in (1, 2, 3)]
    wrenches = [f"{kind}On{body}[{i}]" for kind in ("force", "torque") for body in "EF" for i in (1, 2, 3)]
    return [("wheel", "contact", name) for name in motion] + [("contact", "wheel", name) for name in wrenches]


def main():
    from OMSimulator import SSP, CRef

    model = SSP()
    for name, file in FMUS.items():
        model.addResource(file, new_name=f"resources/{name}.fmu")
        # Without a solver of its own, a component with both kinds is run for co-simulation.
        model.addComponent(CRef("default", name), f"resources/{name}.fmu")
    for start, end, name in connections():
        model.addConnection(CRef("default", start, name), CRef("default", end, name))
    model.export("wheel_on_ground.ssp")
    run = model.instantiate()
    run.setResultFile("wheel_on_ground.mat")
    run.setStopTime(1.0)
    run.setFixedStepSize(STEP_SIZE)
    run.initialize()
    run.simulate()
    run.terminate()
    run.delete()


if __name__ == "__main__":
    main()
