within PolygonalContact.Interfaces;
partial model TwoMarkers "Relative motion of two frames, and wrenches on the two bodies"
  Modelica.Mechanics.MultiBody.Interfaces.Frame_a frame_e "Marker M_e: the coordinate frame of mesh E"
    annotation (Placement(transformation(extent = {{-116, -16}, {-84, 16}})));
  Modelica.Mechanics.MultiBody.Interfaces.Frame_b frame_f "Marker M_f: the coordinate frame of mesh F"
    annotation (Placement(transformation(extent = {{84, -16}, {116, 16}})));
  Real r_EF[3](each unit = "m") "Origin of M_f seen from M_e, resolved in M_e";
  Real A_EF[3, 3] "Maps coordinates in M_f to coordinates in M_e";
  Real v_EF[3](each unit = "m/s") "Time derivative of r_EF as seen from M_e, resolved in M_e";
  Real w_EF[3](each unit = "rad/s") "Angular velocity of M_f relative to M_e, resolved in M_e";
  Real f_E[3](each unit = "N") "Force on body E, resolved in M_e";
  Real t_E[3](each unit = "N.m") "Torque on body E about the origin of M_e, resolved in M_e";
  Real f_F[3](each unit = "N") "Force on body F, resolved in M_f";
  Real t_F[3](each unit = "N.m") "Torque on body F about the origin of M_f, resolved in M_f";
equation
  // In MultiBody, R.T maps world to frame coordinates, R.w is the absolute angular velocity of the frame, resolved in
  // the frame, and r_0 the absolute position, resolved in the world. So R_e.T maps world to M_e, and the transposed
  // R_f.T maps M_f to world.
  r_EF = frame_e.R.T * (frame_f.r_0 - frame_e.r_0);
  A_EF = frame_e.R.T * transpose(frame_f.R.T);
  // The observer in M_e turns with M_e: that is the second term.
  v_EF = frame_e.R.T * (der(frame_f.r_0) - der(frame_e.r_0)) - cross(frame_e.R.w, r_EF);
  w_EF = A_EF * frame_f.R.w - frame_e.R.w;
  // A cut-force of a frame acts on the component that owns the frame, which is this one. At a connection the
  // cut-forces add up to zero, so the body feels the opposite: the sign turns.
  frame_e.f = -f_E;
  frame_e.t = -t_E;
  frame_f.f = -f_F;
  frame_f.t = -t_F;
  annotation (
    Icon(graphics = {
      Polygon(points = {{-80, 60}, {-5, 20}, {-5, -20}, {-80, -60}}, fillColor = {175, 200, 230}, fillPattern = FillPattern.Solid),
      Polygon(points = {{80, 60}, {5, 20}, {5, -20}, {80, -60}}, fillColor = {230, 200, 160}, fillPattern = FillPattern.Solid),
      Text(extent = {{-130, -25}, {-90, -55}}, textString = "E"),
      Text(extent = {{90, -25}, {130, -55}}, textString = "F")}));
end TwoMarkers;
