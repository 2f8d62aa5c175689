within PolygonalContact.Elements;
block SphereOnPlane "Stand-in without an FMU: a sphere around M_e on the plane z = 0 of M_f"
  extends Interfaces.ContactElement;
  parameter Real radius(unit = "m") = 0.2855 "Radius of the sphere";
  parameter Real stiffness(unit = "N/m") = 2.0e5 "Normal force per depth";
  parameter Real damping(unit = "N.s/m") = 1.0e3 "Normal force per speed of approach";
  parameter Real frictionCoefficient = 0.3 "Tangential force per normal force";
  parameter Real regularizationVelocity(unit = "m/s") = 1.0e-2 "Slip at which friction has 71 % of its full value";
  Real depth(unit = "m") "How far the sphere reaches below the plane";
protected
  Real centre[3](each unit = "m") "Centre of the sphere, resolved in M_f";
  Real point[3](each unit = "m") "Contact point on the plane, resolved in M_f";
  Real pointInE[3](each unit = "m") "The same point, resolved in M_e";
  Real slip[3](each unit = "m/s") "Velocity of E at the point relative to F, resolved in M_f";
  Real normalForce(unit = "N") "Never pulls";
  Real force[3](each unit = "N") "Force on E, resolved in M_f";
equation
  centre = -transpose(relativeOrientation) * relativePosition;
  depth = radius - centre[3];
  point = {centre[1], centre[2], 0.0};
  pointInE = relativePosition + relativeOrientation * point;
  slip = -transpose(relativeOrientation) * (relativeVelocity + cross(relativeAngularVelocity, pointInE - relativePosition));
  normalForce = if depth > 0.0 then max(0.0, stiffness * depth - damping * slip[3]) else 0.0;
  force = {
    -frictionCoefficient * normalForce * slip[1] / sqrt(slip[1]^2 + slip[2]^2 + regularizationVelocity^2),
    -frictionCoefficient * normalForce * slip[2] / sqrt(slip[1]^2 + slip[2]^2 + regularizationVelocity^2),
    normalForce};
  forceOnE = relativeOrientation * force;
  torqueOnE = cross(pointInE, forceOnE);
  forceOnF = -force;
  torqueOnF = cross(point, forceOnF);
end SphereOnPlane;
