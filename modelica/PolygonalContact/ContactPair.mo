within PolygonalContact;
model ContactPair "Contact between the mesh in frame_e and the mesh in frame_f"
  extends Interfaces.TwoMarkers;
  replaceable block Element = Elements.SphereOnPlane constrainedby Interfaces.ContactElement
    "What answers with forces: an FMU, or a stand-in"
    annotation (choicesAllMatching = true);
  Element element "The contact element";
equation
  element.relativePosition = r_EF;
  element.relativeOrientation = A_EF;
  element.relativeVelocity = v_EF;
  element.relativeAngularVelocity = w_EF;
  f_E = element.forceOnE;
  t_E = element.torqueOnE;
  f_F = element.forceOnF;
  t_F = element.torqueOnF;
  annotation (
    defaultComponentName = "contact",
    Icon(graphics = {Text(extent = {{-150, -110}, {150, -150}}, textString = "%name")}),
    Documentation(info = "<html>
<p>Connect <code>frame_e</code> with the frame of body E in which its mesh is given, and <code>frame_f</code> likewise.
Choose the element by <code>redeclare block Element = PolygonalContact.Elements.DirectFMU(fmuFolder = \"...\")</code>.</p>
</html>"));
end ContactPair;
