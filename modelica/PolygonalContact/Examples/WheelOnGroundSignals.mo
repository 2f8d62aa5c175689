within PolygonalContact.Examples;
model WheelOnGroundSignals "The wheel for export as an FMU, with the contact outside"
  extends WheelAboveGround;
  output Real relativePosition[3] = contact.relativePosition "To the contact FMU";
  output Real relativeOrientation[3, 3] = contact.relativeOrientation "To the contact FMU";
  output Real relativeVelocity[3] = contact.relativeVelocity "To the contact FMU";
  output Real relativeAngularVelocity[3] = contact.relativeAngularVelocity "To the contact FMU";
  input Real forceOnE[3](each start = 0.0) "From the contact FMU";
  input Real torqueOnE[3](each start = 0.0) "From the contact FMU";
  input Real forceOnF[3](each start = 0.0) "From the contact FMU";
  input Real torqueOnF[3](each start = 0.0) "From the contact FMU";
protected
  PolygonalContact.ContactSignals contact "E is the wheel, F the ground";
equation
  contact.forceOnE = forceOnE;
  contact.torqueOnE = torqueOnE;
  contact.forceOnF = forceOnF;
  contact.torqueOnF = torqueOnF;
  connect(contact.frame_e, wheel.frame_a);
  connect(contact.frame_f, world.frame_b);
  annotation (experiment(StartTime = 0.0, StopTime = 1.0, Interval = 1.0e-3, Tolerance = 1.0e-7));
end WheelOnGroundSignals;
