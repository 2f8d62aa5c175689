within ;
package Modelica "A few classes of the Modelica Standard Library 4.0, as far as PolygonalContact needs them"
  // The library itself cannot be installed in the tests. This one is written for them: names, types, sign conventions
  // and equations are those of the library's interface; animation, initialization options and the handling of
  // overdetermined connections are left out. The world is the root, orientations are rotation matrices as states.
  package Blocks
    package Interfaces
      connector RealInput = input Real;
      connector RealOutput = output Real;
    end Interfaces;
  end Blocks;

  package Mechanics
    package MultiBody
      package Frames
        record Orientation
          Real T[3, 3] "Maps world to frame coordinates";
          Real w[3] "Absolute angular velocity of the frame, resolved in the frame";
        end Orientation;
      end Frames;

      package Interfaces
        connector Frame
          Real r_0[3] "Absolute position, resolved in the world";
          Frames.Orientation R;
          flow Real f[3] "Cut-force, resolved in the frame";
          flow Real t[3] "Cut-torque, resolved in the frame";
        end Frame;

        connector Frame_a
          extends Frame;
        end Frame_a;

        connector Frame_b
          extends Frame;
        end Frame_b;
      end Interfaces;

      model World
        Interfaces.Frame_b frame_b;
        parameter Real g = 9.80665;
        parameter Real n[3] = {0, -1, 0};
        // Scalars, here and in Body: rumoca 0.10 does not follow `outer` in equations between arrays.
        Real gravity_x = g * n[1];
        Real gravity_y = g * n[2];
        Real gravity_z = g * n[3];
      equation
        frame_b.r_0 = zeros(3);
        frame_b.R.T = identity(3);
        frame_b.R.w = zeros(3);
      end World;

      package Joints
        model FreeMotion
          Interfaces.Frame_a frame_a;
          Interfaces.Frame_b frame_b;
          Real r_rel_a[3];
          Real v_rel_a[3];
          parameter Boolean angles_fixed = false;
          parameter Real angles_start[3] = {0, 0, 0};
          parameter Boolean w_rel_a_fixed = false;
          Real T[3, 3](start = [1, 0, 0; 0, cos(angles_start[1]), sin(angles_start[1]); 0, -sin(angles_start[1]), cos(angles_start[1])], each fixed = true)
            "Maps frame_a to frame_b; only a start rotation about x is provided for";
          Real w_rel_b[3](each start = 0, each fixed = true);
        equation
          der(r_rel_a) = v_rel_a;
          der(T) = -skew(w_rel_b) * T;
          frame_b.r_0 = frame_a.r_0 + transpose(frame_a.R.T) * r_rel_a;
          frame_b.R.T = T * frame_a.R.T;
          frame_b.R.w = T * frame_a.R.w + w_rel_b;
          frame_a.f = zeros(3);
          frame_a.t = zeros(3);
          frame_b.f = zeros(3);
          frame_b.t = zeros(3);
        end FreeMotion;
      end Joints;

      package Parts
        model Body
          Interfaces.Frame_a frame_a;
          parameter Real r_CM[3] = {0, 0, 0};
          parameter Real m = 1;
          parameter Real I_11 = 0.001;
          parameter Real I_22 = 0.001;
          parameter Real I_33 = 0.001;
          Real v_0[3];
          Real a_0[3];
          Real w_a[3];
          Real g_x = world.gravity_x;
          Real g_y = world.gravity_y;
          Real g_z = world.gravity_z;
        protected
          outer Modelica.Mechanics.MultiBody.World world;
          parameter Real I[3, 3] = diagonal({I_11, I_22, I_33});
        equation
          v_0 = der(frame_a.r_0);
          a_0 = der(v_0);
          w_a = frame_a.R.w;
          frame_a.f = m * (frame_a.R.T * (a_0 - {g_x, g_y, g_z}));
          frame_a.t = I * der(w_a) + cross(w_a, I * w_a);
        end Body;
      end Parts;
    end MultiBody;
  end Mechanics;
end Modelica;
