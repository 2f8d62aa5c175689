within PolygonalContact.Elements;
pure function evaluateFMU "The wrenches of a contact FMU for a relative motion"
  input FMUInstance instance "The FMU";
  input Real relativePosition[3] "r_EF";
  input Real relativeOrientation[3, 3] "A_EF";
  input Real relativeVelocity[3] "v_EF";
  input Real relativeAngularVelocity[3] "w_EF";
  output Real forceOnE[3] "Force on E, resolved in M_e";
  output Real torqueOnE[3] "Torque on E, resolved in M_e";
  output Real forceOnF[3] "Force on F, resolved in M_f";
  output Real torqueOnF[3] "Torque on F, resolved in M_f";
  external "C" polygonalContactEvaluate(
    instance, relativePosition, relativeOrientation, relativeVelocity, relativeAngularVelocity,
    forceOnE, torqueOnE, forceOnF, torqueOnF)
    annotation (
      IncludeDirectory = "modelica://PolygonalContact/Resources/Include",
      Include = "#include \"polygonal_contact_fmu.h\"");
end evaluateFMU;
