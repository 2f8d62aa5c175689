//! `documentation/index.html`: explains one FMU to the one who imports it.

use polycontact::configuration::OrientationInput;
use polycontact::fmu::{Causality, Kind, Variable, VariableTable, contact_variables};
use polycontact::math::Aabb;

use crate::contact_pair::{ContactPair, SurfaceContent, SurfaceFile};
use crate::fmu_model::FmuFacts;
use crate::model_description::start_text;

pub(super) const STYLE: &str = "
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2733; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
h1, h2 { line-height: 1.2 } h2 { margin-top: 2.2rem } img { max-width: 100%; border: 1px solid #d5dbe1 }
table { border-collapse: collapse; width: 100% } th, td { text-align: left; vertical-align: top; padding: .25rem .6rem;
border-bottom: 1px solid #e3e8ed } th { background: #f2f5f8 } code { font: .9em ui-monospace, monospace }
td.number { text-align: right; white-space: nowrap } .table { overflow-x: auto }";

/// What a pair of rigid bodies with layers is.
const LAYERED: &str = "<p>This FMU is a contact force element: a function from the relative motion of two bodies to the \
     wrenches on both. It holds two triangle surfaces, finds where they penetrate each other, and integrates the \
     pressure of an elastic layer, damping and Coulomb friction over the contact area (Hippmann's Polygonal \
     Contact Model). The masses and the equations of motion are the host's.</p>\n";

/// What a pair with a flexible body is.
const FLEXIBLE: &str = "<p>This FMU is a contact force element with elastic bodies: from the relative motion of two \
     bodies it computes their deformation and the wrenches on both. Nodes of one surface are held off the faces of the \
     other by penalty springs, without friction; low-frequency modes are integrated in every step, the local \
     deformation around the contact follows statically (after Tschigg). The rigid-body motion is the host's: give it \
     rigid bodies with the full mass and inertia, and markers in their centres of mass.</p>\n";

/// The page of a contact pair.
pub fn page(pair: &ContactPair) -> String {
    let configuration = &pair.configuration;
    let (name, description) = (escaped(&configuration.name), escaped(&configuration.description));
    let table = contact_variables(configuration);
    let of = |causality| table.variables().iter().filter(move |variable| variable.causality == causality);
    let mut html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}</title>\n\
         <style>{STYLE}\n</style>\n</head>\n<body>\n<h1>{name}</h1>\n<p>{description}</p>\n\
         <p><img src=\"../model.png\" width=\"640\" height=\"480\" alt=\"Surface E above surface F\"></p>\n\
         <p>Surface E (orange) and surface F (blue), drawn apart along z.</p>\n"
    );
    html += match configuration.flexible {
        None => LAYERED,
        Some(_) => FLEXIBLE,
    };
    html += "<h2>The pair</h2>\n<div class=\"table\"><table>\n<tr><th>surface</th><th>file in <code>resources</code>\
             </th><th>triangles</th><th>extent in its marker frame / m</th><th>volume / m³</th></tr>\n";
    html += &surface_row("E", &pair.surface_e);
    html += &surface_row("F", &pair.surface_f);
    html += "</table></div>\n";
    html += &frames(configuration.orientation);
    html += "<h2>Inputs</h2>\n";
    html += &variable_table(of(Causality::Input), "start");
    html += "<h2>Outputs</h2>\n";
    html += &variable_table(of(Causality::Output), "");
    html += "<h2>Parameters</h2>\n<p>Fixed parameters are set before or in initialization mode, tunable ones at any \
             communication point.</p>\n";
    html += &variable_table(of(Causality::Parameter), "value");
    html += "<p>Calculated from them:</p>\n";
    html += &variable_table(of(Causality::CalculatedParameter), "");
    html += &enumerations(&table);
    html += &match configuration.flexible {
        None => limits(FmuFacts::from(pair).step_size),
        Some(_) => flexible_limits(FmuFacts::from(pair).step_size),
    };
    html += "<h2>Licences</h2>\n<p><a href=\"licenses/license.txt\">Licences of all linked code</a></p>\n";
    html + "</body>\n</html>\n"
}

fn surface_row(letter: &str, file: &SurfaceFile) -> String {
    let number = |value: f64| format!("{}", format!("{value:.5e}").parse::<f64>().unwrap_or(value));
    let bounds = Aabb::of(file.shape.vertices.iter());
    let range = |axis: usize| format!("{} … {}", number(bounds.min[axis]), number(bounds.max[axis]));
    let (triangles, last) = match &file.content {
        SurfaceContent::Mesh(report) => (report.faces, report.volume.map_or("open surface".to_owned(), number)),
        SurfaceContent::Flexible(body) => {
            (body.model().contact_faces.len(), format!("flexible, {} kg", number(body.model().mass)))
        }
    };
    format!(
        "<tr><td>{letter}</td><td><code>{}</code></td><td class=\"number\">{triangles}</td><td>x {}, y {}, z {}</td>\
         <td class=\"number\">{last}</td></tr>\n",
        escaped(&file.name),
        range(0),
        range(1),
        range(2),
    )
}

fn frames(orientation: OrientationInput) -> String {
    let orientation = match orientation {
        OrientationInput::Matrix => "the nine entries of the matrix A_EF, row by row",
        OrientationInput::Quaternion => "a unit quaternion (w, x, y, z) of A_EF",
        OrientationInput::Cardan => "Cardan angles with A_EF = A_x(α) A_y(β) A_z(γ)",
    };
    format!(
        "<h2>Frames and signs</h2>\n<ul>\n\
         <li>Marker M_e is the coordinate frame of mesh E and moves with body E; M_f likewise.</li>\n\
         <li>The pose is that of M_f seen from M_e: r_EF is its origin, A_EF maps coordinates in M_f to coordinates \
         in M_e. It comes as {orientation}.</li>\n\
         <li>The relative velocity is what an observer on M_e sees: the time derivative of the three numbers \
         <code>relativePosition</code>. When M_e turns, it is not the difference of the two absolute velocities.</li>\n\
         <li><code>forceOnE</code> and <code>torqueOnE</code> act on body E, reduced to the origin of M_e and resolved \
         in M_e. <code>forceOnF</code> and <code>torqueOnF</code> act on body F, reduced to the origin of M_f and \
         resolved in M_f. Apply each at its marker: no sign has to be turned.</li>\n\
         <li>All units are SI.</li>\n</ul>\n"
    )
}

pub(super) fn variable_table<'a>(variables: impl Iterator<Item = &'a Variable>, start_title: &str) -> String {
    let mut html = String::from("<div class=\"table\"><table>\n<tr><th>name</th><th>type</th>");
    if !start_title.is_empty() {
        html += &format!("<th>{start_title}</th>");
    }
    html += "<th>meaning [unit]</th></tr>\n";
    for variable in variables {
        let kind = match variable.kind {
            Kind::Enumeration(enumeration) => enumeration.name,
            kind => kind.name(),
        };
        let kind = match variable.causality {
            Causality::Parameter => format!("{kind}, {}", variable.variability.name()),
            _ => kind.to_owned(),
        };
        html += &format!("<tr><td><code>{}</code></td><td>{kind}</td>", escaped(&variable.name));
        if !start_title.is_empty() {
            html +=
                &format!("<td class=\"number\">{}</td>", variable.start.as_ref().map_or(String::new(), shown_start));
        }
        html += &format!("<td>{}</td></tr>\n", escaped(&variable.description));
    }
    html + "</table></div>\n"
}

fn shown_start(start: &polycontact::fmu::Value) -> String {
    escaped(&start_text(start))
}

fn enumerations(table: &VariableTable) -> String {
    let mut html = String::from("<h2>Values of enumerations</h2>\n");
    for enumeration in table.enumerations() {
        html += &format!("<h3>{}</h3>\n<p>{}:</p>\n<ol>\n", enumeration.name, escaped(enumeration.description));
        for item in enumeration.items {
            html += &format!(
                "<li value=\"{}\"><code>{}</code>: {}</li>\n",
                item.value,
                item.name,
                escaped(item.description)
            );
        }
        html += "</ol>\n";
    }
    html
}

fn limits(step_size: f64) -> String {
    format!(
        "<h2>Steps and limits</h2>\n<ul>\n\
         <li>The force follows from the inputs and, with bristles, from what they remember. In co-simulation a master \
         applies a force over a step: with <code>stepOutput</code> <code>energy</code>, the default, it is the one whose \
         work over the step is the change of the contact's energy. Impacts want steps of a fifth of the contact time or \
         less; the description proposes {step_size:?} s. With <code>hold</code> outputs belong to the inputs.</li>\n\
         <li>The layer is a foundation of independent springs: a loaded spot does not lower its neighbourhood. Its \
         pressure is proportional to the penetration, so penetrations should stay well below the thickness of the \
         layers.</li>\n\
         <li>With <code>frictionModel</code> <code>bristle</code> bodies stick below the limit of friction: a memory of six \
         numbers is advanced by steps. With <code>regularized</code> there is no memory, and below \
         <code>frictionRegularizationVelocity</code> bodies creep.</li>\n\
         <li>A body that moves through the other within one step, or starts inside it, meets no force; \
         <code>enclosed</code> reports a body wholly inside the other.</li>\n\
         <li>An orientation that is off a rotation by up to 1e-3 in an entry of AᵀA − I is projected with one warning; \
         beyond that the step fails with a message.</li>\n\
         <li>Meshes are read while initializing; later, the extracted files are not needed any more.</li>\n</ul>\n"
    )
}

fn flexible_limits(step_size: f64) -> String {
    format!(
        "<h2>Steps and limits</h2>\n<ul>\n\
         <li>The FMU integrates the modes within <code>fmi2DoStep</code>, along the motion that the inputs predict. A \
         sequential master that steps this FMU first and applies <code>stepOutput = mean</code> over the same interval \
         keeps the impulse; the description proposes {step_size:?} s.</li>\n\
         <li>Contact is frictionless and undamped, deformation small and linear elastic.</li>\n\
         <li>Only the contact faces of a flexible body can be touched; <code>borderInContact</code> says when they are \
         too small.</li>\n\
         <li>What the rotation of the bodies in space does to their vibration is neglected: the inputs do not carry \
         it.</li>\n\
         <li>When the equilibrium is not found or a node lies too deep, the step fails with a message.</li>\n</ul>\n"
    )
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::default_configuration;

    #[test]
    fn the_page_has_every_variable_with_its_start_and_both_meshes() {
        let pair = ContactPair::read(&default_configuration()).unwrap();
        let page = page(&pair);
        for variable in contact_variables(&pair.configuration).variables() {
            let row = page.lines().find(|line| line.contains(&format!("<code>{}</code>", variable.name)));
            let row = row.unwrap_or_else(|| panic!("{} is missing", variable.name));
            assert!(row.contains(&escaped(&variable.description)), "{row}");
            if let Some(start) = &variable.start {
                assert!(row.contains(&format!(">{}</td>", shown_start(start))), "{row}");
            }
        }
        assert!(page.contains("<code>sphere.obj</code></td><td class=\"number\">1280<"));
        assert!(page.contains("<code>plate.obj</code></td><td class=\"number\">12<"));
        assert!(page.contains("x -0.2 … 0.2, y -0.2 … 0.2, z -0.1 … 0"));
    }

    #[test]
    fn texts_of_the_user_are_escaped() {
        let mut pair = ContactPair::read(&default_configuration()).unwrap();
        pair.configuration.description = "<script>".to_owned();
        assert!(page(&pair).contains("<p>&lt;script&gt;</p>"));
    }
}
