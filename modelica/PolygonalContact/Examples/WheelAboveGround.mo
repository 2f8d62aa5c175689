within PolygonalContact.Examples;
partial model WheelAboveGround "A free wheel above the ground, without contact"
  inner Modelica.Mechanics.MultiBody.World world(n = {0, 0, -1}) "The ground is the plane z = 0 of the world";
  // The wheel's axis is the z axis of its mesh: turned by 90 degrees about x, the wheel stands upright.
  Modelica.Mechanics.MultiBody.Joints.FreeMotion motion(
    r_rel_a(start = {0, 0, 0.3055}, each fixed = true),
    v_rel_a(start = {0.5, 0, 0}, each fixed = true),
    angles_fixed = true,
    angles_start = {1.5707963267948966, 0, 0},
    w_rel_a_fixed = true) "20 mm above the ground, 0.5 m/s forward, not turning";
  Modelica.Mechanics.MultiBody.Parts.Body wheel(
    r_CM = {0, 0, 0},
    m = 20.0,
    I_11 = 0.5,
    I_22 = 0.5,
    I_33 = 0.8) "571 mm in diameter";
equation
  connect(world.frame_b, motion.frame_a);
  connect(motion.frame_b, wheel.frame_a);
end WheelAboveGround;
