within ;
package PolygonalContact "Contact between triangle meshes for MultiBody models, by the polycontact FMU"
  annotation (
    version = "0.2.0",
    uses(Modelica(version = "4.0.0")),
    Documentation(info = "<html>
<p>Two bodies, E and F, carry a triangle mesh each. The meshes lie in the frames (markers) M_e and M_f.
<a href=\"modelica://PolygonalContact.ContactPair\">ContactPair</a> connects the two frames: it hands their
relative motion to a contact element and applies the forces and torques that the element answers with.</p>
<ul>
<li><a href=\"modelica://PolygonalContact.Elements.DirectFMU\">Elements.DirectFMU</a> calls an unzipped contact FMU.</li>
<li><a href=\"modelica://PolygonalContact.Elements.SphereOnPlane\">Elements.SphereOnPlane</a> is plain Modelica: it
stands in for an FMU, so that a model can be tried without one.</li>
<li><a href=\"modelica://PolygonalContact.ContactSignals\">ContactSignals</a> has inputs and outputs instead of an
element, for a model that is exported as an FMU and coupled with the contact FMU in OMSimulator.</li>
</ul>
<p>Start with <a href=\"modelica://PolygonalContact.Examples.WheelOnGround\">Examples.WheelOnGround</a>. The page
docs/modelica.md of the project says what to click and to type.</p>
</html>"));
end PolygonalContact;
