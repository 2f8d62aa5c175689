within PolygonalContact.Interfaces;
partial block ContactElement "Relative motion in, wrenches out: the interface of the contact FMU"
  input Real relativePosition[3](each unit = "m")
    "r_EF: origin of M_f seen from M_e, resolved in M_e";
  input Real relativeOrientation[3, 3]
    "A_EF: maps coordinates in M_f to coordinates in M_e";
  input Real relativeVelocity[3](each unit = "m/s")
    "v_EF: time derivative of r_EF as seen from M_e, resolved in M_e";
  input Real relativeAngularVelocity[3](each unit = "rad/s")
    "w_EF: angular velocity of M_f relative to M_e, resolved in M_e";
  output Real forceOnE[3](each unit = "N") "Force on body E, resolved in M_e";
  output Real torqueOnE[3](each unit = "N.m") "Torque on body E about the origin of M_e, resolved in M_e";
  output Real forceOnF[3](each unit = "N") "Force on body F, resolved in M_f";
  output Real torqueOnF[3](each unit = "N.m") "Torque on body F about the origin of M_f, resolved in M_f";
end ContactElement;
