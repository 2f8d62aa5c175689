within PolygonalContact.Elements;
class FMUInstance "An instance of an unzipped contact FMU"
  extends ExternalObject;
  function constructor "Loads the library and initializes an instance"
    input String fmuFolder "Folder into which the FMU has been unzipped";
    input String instanceName "Name in messages";
    output FMUInstance instance;
    external "C" instance = polygonalContactOpen(fmuFolder, instanceName)
      annotation (
        IncludeDirectory = "modelica://PolygonalContact/Resources/Include",
        Include = "#include \"polygonal_contact_fmu.h\"");
  end constructor;

  function destructor "Frees the instance and unloads the library"
    input FMUInstance instance;
    external "C" polygonalContactClose(instance)
      annotation (
        IncludeDirectory = "modelica://PolygonalContact/Resources/Include",
        Include = "#include \"polygonal_contact_fmu.h\"");
  end destructor;
end FMUInstance;
