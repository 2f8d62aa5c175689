//! Trees of bounding boxes over the faces of a surface.
#![forbid(unsafe_code)]
