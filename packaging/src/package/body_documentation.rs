//! `documentation/index.html` of a free body.

use polycontact::fmu::Causality;

use super::documentation::{STYLE, escaped, variable_table};
use crate::fmu_model::FmuFacts;
use crate::free_body::FreeBody;

const WHAT_IT_IS: &str = "<p>This FMU is a free rigid body. Wrenches of contacts go in, the motion of its marker comes \
     out, in the form that a contact FMU takes when its body E is fixed in space.</p>\n\
     <h2>Frames and signs</h2>\n<ul>\n\
     <li>M_e is the frame in which the body moves: that of the fixed surface E. M_f is the body's marker: the frame of \
     mesh F.</li>\n\
     <li>Connect <code>forceOnF</code> and <code>torqueOnF</code> of the contact with the rows of <code>force</code> \
     and <code>torque</code>: they act at the origin of M_f and are resolved in M_f. Connect the outputs with the inputs \
     of the same names.</li>\n\
     <li>The inertia is about the centre of mass, in axes parallel to those of M_f. The products are the entries of the \
     tensor, with its sign.</li>\n\
     <li>All units are SI.</li>\n</ul>\n";

const STEPS: &str = "<h2>Steps and limits</h2>\n<ul>\n\
     <li>Within a step the wrench is held as it is resolved, in M_f: it turns with the body. With \
     <code>fmi2SetRealInputDerivatives</code> it changes linearly.</li>\n\
     <li>After a step the outputs are the motion at its end. They depend on the inputs by steps only, so that loops \
     through this FMU are no algebraic loops.</li>\n\
     <li>The motion is integrated by a rule of fourth order in sub-steps of at most 0.01 rad; flight without rotation \
     is exact. A body that turns by more than about 1000 rad within a step is refused.</li>\n</ul>\n";

/// The page of a body.
pub fn page(body: &FreeBody) -> String {
    let facts = FmuFacts::from(body);
    let (name, description) = (escaped(facts.name), escaped(facts.description));
    let of = |causality| facts.variables.variables().iter().filter(move |variable| variable.causality == causality);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}</title>\n\
         <style>{STYLE}\n</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p>{description}</p>\n{WHAT_IT_IS}"
    );
    html += "<h2>Inputs</h2>\n";
    html += &variable_table(of(Causality::Input), "start");
    html += "<h2>Outputs</h2>\n";
    html += &variable_table(of(Causality::Output), "");
    html += "<h2>Parameters</h2>\n<p>All of them are fixed: set them before or in initialization mode.</p>\n";
    html += &variable_table(of(Causality::Parameter), "value");
    html += STEPS;
    html += "<h2>Licences</h2>\n<p><a href=\"licenses/license.txt\">Licences of all linked code</a></p>\n";
    html + "</body>\n</html>\n"
}
