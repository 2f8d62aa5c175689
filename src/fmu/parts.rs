//! Calculated values that are computed together, each part only when one of its values is asked for.

/// A part of the calculated values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What every evaluation computes.
    Main = 1,
    /// The gap and its points.
    Gap = 2,
    /// Stiffness and damping.
    Stiffness = 4,
    /// What the exchange with the host tells of itself; only steps change it.
    Exchange = 8,
    /// The energy of the layers, which is added to what the main part knows.
    Energy = 16,
}

impl Part {
    /// All of them, in the order of their computation.
    pub const ALL: [Part; 5] = [Part::Main, Part::Gap, Part::Stiffness, Part::Exchange, Part::Energy];
}

/// Some of the parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts(u8);

impl Parts {
    pub(crate) const NONE: Parts = Parts(0);
    pub(crate) const EVERY: Parts =
        Parts(Part::Main as u8 | Part::Gap as u8 | Part::Stiffness as u8 | Part::Exchange as u8 | Part::Energy as u8);

    pub(crate) fn contain(self, part: Part) -> bool {
        self.0 & part as u8 != 0
    }

    /// With what the part needs.
    pub(crate) fn with(self, part: Part) -> Parts {
        let needed = if part == Part::Energy { Part::Main as u8 } else { 0 };
        Parts(self.0 | part as u8 | needed)
    }

    pub(crate) fn without(self, part: Part) -> Parts {
        Parts(self.0 & !(part as u8))
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Part> {
        Part::ALL.into_iter().filter(move |part| self.contain(*part))
    }

    /// For saved states; none where the bits mean nothing.
    pub(crate) fn from_bits(bits: u8) -> Option<Parts> {
        (bits & !Parts::EVERY.0 == 0).then_some(Parts(bits))
    }

    pub(crate) fn bits(self) -> u8 {
        self.0
    }
}
