within PolygonalContact.Examples;
model WheelOnGroundWithFMU "A wheel drops on the ground, with the contact FMU"
  extends WheelOnGround(
    redeclare block Element = PolygonalContact.Elements.DirectFMU(
      // Edit this line: the folder into which you have unzipped the FMU.
      fmuFolder = "WheelOnGround"));
  annotation (experiment(StartTime = 0.0, StopTime = 1.0, Interval = 1.0e-3, Tolerance = 1.0e-7));
end WheelOnGroundWithFMU;
