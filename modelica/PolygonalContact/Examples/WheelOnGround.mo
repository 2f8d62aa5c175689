within PolygonalContact.Examples;
model WheelOnGround "A wheel drops on the ground, slides, and starts to roll"
  extends WheelAboveGround;
  replaceable block Element = PolygonalContact.Elements.SphereOnPlane
    constrainedby PolygonalContact.Interfaces.ContactElement "The contact element"
    annotation (choicesAllMatching = true);
  PolygonalContact.ContactPair contact(redeclare block Element = Element) "E is the wheel, F the ground";
equation
  connect(contact.frame_e, wheel.frame_a);
  connect(contact.frame_f, world.frame_b);
  annotation (
    experiment(StartTime = 0.0, StopTime = 1.0, Interval = 1.0e-3, Tolerance = 1.0e-7),
    Documentation(info = "<html>
<p>Runs as it is, with the stand-in: a sphere of the wheel's radius. Nothing keeps a sphere upright, but in this motion
nothing tips it over either.</p>
</html>"));
end WheelOnGround;
