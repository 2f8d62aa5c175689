within PolygonalContact;
package Examples "A wheel that drops on the ground"
end Examples;
