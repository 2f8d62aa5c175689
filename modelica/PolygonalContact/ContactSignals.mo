within PolygonalContact;
model ContactSignals "Relative motion as outputs, wrenches as inputs: the other end of the contact FMU"
  extends Interfaces.TwoMarkers;
  Modelica.Blocks.Interfaces.RealOutput relativePosition[3](each unit = "m") "r_EF, resolved in M_e";
  Modelica.Blocks.Interfaces.RealOutput relativeOrientation[3, 3] "A_EF, maps coordinates in M_f to M_e";
  Modelica.Blocks.Interfaces.RealOutput relativeVelocity[3](each unit = "m/s") "v_EF, resolved in M_e";
  Modelica.Blocks.Interfaces.RealOutput relativeAngularVelocity[3](each unit = "rad/s") "w_EF, resolved in M_e";
  Modelica.Blocks.Interfaces.RealInput forceOnE[3](each unit = "N") "Force on E, resolved in M_e";
  Modelica.Blocks.Interfaces.RealInput torqueOnE[3](each unit = "N.m") "Torque on E about the origin of M_e";
  Modelica.Blocks.Interfaces.RealInput forceOnF[3](each unit = "N") "Force on F, resolved in M_f";
  Modelica.Blocks.Interfaces.RealInput torqueOnF[3](each unit = "N.m") "Torque on F about the origin of M_f";
equation
  relativePosition = r_EF;
  relativeOrientation = A_EF;
  relativeVelocity = v_EF;
  relativeAngularVelocity = w_EF;
  f_E = forceOnE;
  t_E = torqueOnE;
  f_F = forceOnF;
  t_F = torqueOnF;
  annotation (
    defaultComponentName = "contact",
    Icon(graphics = {Text(extent = {{-150, -110}, {150, -150}}, textString = "%name")}),
    Documentation(info = "<html>
<p>The names are those of the contact FMU, so that equal names are connected. The outputs depend on positions and
velocities only, not on the inputs: coupling the two FMUs makes no algebraic loop.</p>
</html>"));
end ContactSignals;
