within PolygonalContact.Elements;
block DirectFMU "A contact FMU, evaluated whenever the solver asks"
  extends Interfaces.ContactElement;
  parameter String fmuFolder "Folder into which the FMU has been unzipped";
protected
  FMUInstance instance = FMUInstance(fmuFolder, "contact");
equation
  (forceOnE, torqueOnE, forceOnF, torqueOnF) = evaluateFMU(
    instance, relativePosition, relativeOrientation, relativeVelocity, relativeAngularVelocity);
  annotation (Documentation(info = "<html>
<p>The wrenches of the contact FMU are a function of its inputs: it holds no states. So it needs no communication
steps here, and the solver of the whole model controls the error of the contact as well. Parameters are those with which
the FMU was packaged. The FMU must have been packaged with <code>orientation = \"matrix\"</code>.</p>
<p>A C compiler is needed, as for every Modelica model in OpenModelica; nothing else is linked.</p>
</html>"));
end DirectFMU;
