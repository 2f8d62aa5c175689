//! Compares moduli and thicknesses with what materials and bodies have, and says what to change.

use polycontact::configuration::Configuration;
use polycontact::contact::RawLayer;
use polycontact::math::Vector;

use crate::numbers::significant;

/// Young's moduli of solids in Pa: from gels to a little above diamond.
const SOFTEST: f64 = 1e4;
const STIFFEST: f64 = 1.3e12;

/// Layers thinner than this part of the body are probably in another unit.
const THINNEST_PART: f64 = 1e-6;

/// What is hardly meant; `sizes` are the sides of the boxes around E and F in m.
pub fn doubts(configuration: &Configuration, sizes: [Vector; 2]) -> Vec<String> {
    if configuration.flexible.is_some() {
        return Vec::new();
    }
    let layers = [configuration.parameters.layer_e, configuration.parameters.layer_f];
    let named = ["surface-e", "surface-f"].into_iter().zip(layers).zip(sizes);
    named.flat_map(|((section, layer), size)| doubts_of(section, &layer, &size)).collect()
}

fn doubts_of(section: &str, layer: &RawLayer, size: &Vector) -> Vec<String> {
    let mut doubts = Vec::new();
    let (modulus, thickness) = (layer.youngs_modulus, layer.layer_thickness);
    if modulus == 0.0 {
        return doubts;
    }
    if !(SOFTEST..=STIFFEST).contains(&modulus) {
        let unit = [(1e6, "MPa"), (1e9, "GPa")].into_iter().find(|(factor, _)| {
            let other = modulus * factor;
            (1e6..=STIFFEST).contains(&other)
        });
        let advice = match unit {
            Some((factor, unit)) if modulus < SOFTEST => {
                format!("if it is in {unit}, write {}", significant(modulus * factor, 6))
            }
            _ => "steel has 2.1e11, plastics 2.5e9, rubber 5e6".to_owned(),
        };
        doubts.push(format!(
            "`{section}.youngs-modulus` is {} Pa, which no solid has; {advice}",
            significant(modulus, 6)
        ));
    }
    let shortest = size.iter().copied().filter(|side| 0.0 < *side).fold(f64::INFINITY, f64::min);
    if shortest < thickness {
        doubts.push(format!(
            "`{section}.layer-thickness` is {} m, but the body is only {} m thick; take at most a part of that, or check \
             the units",
            significant(thickness, 4),
            significant(shortest, 4)
        ));
    }
    if thickness < THINNEST_PART * size.max() {
        doubts.push(format!(
            "`{section}.layer-thickness` is {} m on a body of {} m; a layer is usually 1 % to 10 % of the body, check \
             the units",
            significant(thickness, 4),
            significant(size.max(), 4)
        ));
    }
    doubts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doubt(youngs_modulus: f64, layer_thickness: f64) -> String {
        let layer = RawLayer { youngs_modulus, poissons_ratio: 0.3, layer_thickness };
        doubts_of("surface-e", &layer, &Vector::new(0.2, 0.2, 0.1)).join("\n")
    }

    #[test]
    fn moduli_and_thicknesses_of_other_units_are_doubted() {
        assert_eq!(doubt(2.1e11, 0.01), "");
        assert_eq!(doubt(0.0, 10.0), "", "a rigid body has no layer");
        assert!(doubt(10.0, 0.01).contains("no solid has; if it is in MPa, write 1e7"));
        assert!(doubt(2.1e14, 0.01).contains("steel has 2.1e11"));
        assert!(doubt(1e7, 10.0).contains("10 m, but the body is only 0.1 m thick"));
        assert!(doubt(1e7, 1e-8).contains("check the units"));
    }
}
