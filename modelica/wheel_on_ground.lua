-- A wheel drops on the ground: the wheel as an FMU from OpenModelica, the contact as the contact FMU.
-- Run in the folder with both FMUs: OMSimulator wheel_on_ground.lua

oms_setTempDirectory("./temporary/")
oms_newModel("drop")
oms_addSystem("drop.root", oms_system_wc)
oms_addSubModel("drop.root.wheel", "PolygonalContact.Examples.WheelOnGroundSignals.fmu")
oms_addSubModel("drop.root.contact", "WheelOnGround.fmu")

local function connect(from, to, name)
  oms_addConnection("drop.root." .. from .. "." .. name, "drop.root." .. to .. "." .. name)
end

for i = 1, 3 do
  for _, name in ipairs({"relativePosition", "relativeVelocity", "relativeAngularVelocity"}) do
    connect("wheel", "contact", name .. "[" .. i .. "]")
  end
  for j = 1, 3 do
    connect("wheel", "contact", "relativeOrientation[" .. i .. "," .. j .. "]")
  end
  for _, name in ipairs({"forceOnE", "torqueOnE", "forceOnF", "torqueOnF"}) do
    connect("contact", "wheel", name .. "[" .. i .. "]")
  end
end

oms_setResultFile("drop", "wheel_on_ground.mat")
oms_setStopTime("drop", 1.0)
oms_setFixedStepSize("drop.root", 1e-4)
oms_instantiate("drop")
oms_initialize("drop")
oms_simulate("drop")
oms_terminate("drop")
oms_delete("drop")
