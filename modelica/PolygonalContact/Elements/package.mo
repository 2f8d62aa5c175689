within PolygonalContact;
package Elements "Contact elements: the FMU, and a stand-in without one"
end Elements;
