within PolygonalContact;
package Interfaces "Base classes"
end Interfaces;
