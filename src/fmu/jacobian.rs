//! Partial derivatives of real values: by formula where the model has one, otherwise by central differences, and kept
//! until something changes.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::instance::Instance;
use super::model::{Fault, Model, Notes};
use super::parts::{Part, Parts};
use super::values::Values;
use super::variables::{Causality, Kind, Variability, Variable};

/// Derivatives that a model computes together, by formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Formula {
    /// What solvers ask for.
    Motion,
    /// All of the main part.
    Everything,
    /// Of the gap.
    Gap,
}

/// Derivatives by one real value, by formula.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExactColumn {
    /// Real slot of the value that changes.
    pub(crate) known: usize,
    /// Real slots of values that depend on it, ascending, with their derivatives.
    entries: Vec<(usize, f64)>,
}

impl ExactColumn {
    /// From real slots in any order, with their derivatives.
    pub(crate) fn new(known: usize, entries: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut entries: Vec<(usize, f64)> = entries.into_iter().collect();
        entries.sort_unstable_by_key(|(slot, _)| *slot);
        ExactColumn { known, entries }
    }

    fn entry(&self, slot: usize) -> Option<f64> {
        let place = self.entries.binary_search_by_key(&slot, |(slot, _)| *slot).ok()?;
        Some(self.entries[place].1)
    }
}

/// Partial derivatives at the present values, as far as they were asked for.
#[derive(Debug, Default)]
pub(crate) struct Jacobian {
    exact: BTreeMap<Formula, Vec<ExactColumn>>,
    /// Derivatives of all reals by a known slot, where they were found by differences of this part.
    differences: BTreeMap<(usize, Part), Vec<f64>>,
}

impl Jacobian {
    pub(crate) fn clear(&mut self) {
        self.exact.clear();
        self.differences.clear();
    }

    /// The derivative of the real value `unknown` by the one in the slot `known`.
    fn entry(
        &mut self,
        model: &mut dyn Model,
        values: &Values,
        unknown: (usize, Part),
        known: usize,
    ) -> Result<f64, Fault> {
        if let Some(formula) = model.formula(values, unknown.0, known) {
            let columns = match self.exact.entry(formula) {
                Entry::Occupied(found) => found.into_mut(),
                Entry::Vacant(place) => place.insert(model.exact_derivatives(formula, values)?),
            };
            let column = columns.iter().find(|column| column.known == known);
            if let Some(derivative) = column.and_then(|column| column.entry(unknown.0)) {
                return Ok(derivative);
            }
        }
        let column = match self.differences.entry((known, unknown.1)) {
            Entry::Occupied(found) => found.into_mut(),
            Entry::Vacant(place) => place.insert(central_difference(model, values, known, unknown.1)?),
        };
        Ok(column[unknown.0])
    }
}

/// Derivatives of all reals of a part by one real value, by a difference of the model: of second order, and of first
/// order where a parameter is at the end of its range.
fn central_difference(model: &mut dyn Model, values: &Values, known: usize, part: Part) -> Result<Vec<f64>, Fault> {
    let [down, up] = model.difference_steps(known, values)?;
    let mut at = |change: f64| -> Result<(f64, Vec<f64>), Fault> {
        let mut changed = values.clone();
        let place = changed.reals[known] + change;
        let states = model.states();
        if states.contains(&known) {
            let mut numbers = changed.reals[states.clone()].to_vec();
            numbers[known - states.start] = place;
            model.set_states(&numbers, &mut changed)?;
        } else {
            changed.reals[known] = place;
        }
        match part {
            Part::Main => model.evaluate(&mut changed, &mut Notes::default())?,
            Part::Energy => {
                model.evaluate(&mut changed, &mut Notes::default())?;
                model.evaluate_part(part, &mut changed, &[], 0.0)?;
            }
            Part::Gap | Part::Stiffness | Part::Exchange => model.evaluate_part(part, &mut changed, &[], 0.0)?,
        }
        Ok((place, changed.reals))
    };
    let ((low, before), (high, after)) = (at(-down)?, at(up)?);
    // What was added, not what should have been: the sum is rounded.
    Ok(before.iter().zip(&after).map(|(before, after)| (after - before) / (high - low)).collect())
}

impl Instance {
    /// The derivatives of `unknowns` along a direction: the sum over the knowns of their partial derivatives times the
    /// seeds. They belong to the inputs, also where outputs of a step are elsewhere.
    pub(crate) fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
        results: &mut [f64],
    ) -> Result<(), Fault> {
        for reference in unknowns {
            check_unknown(self.real(*reference)?)?;
        }
        for (reference, seed) in knowns.iter().zip(seeds) {
            let variable = self.real(*reference)?;
            check_known(variable)?;
            if !seed.is_finite() {
                return Err(Fault::Refused(format!("the seed of `{}` is {seed}, but must be finite", variable.name)));
            }
        }
        // States are read from the values, so these must be current.
        self.model.prepare(&self.run.values, None, &mut self.run.notes)?;
        if !self.model.states().is_empty() {
            self.bring_up_to_date(Parts::NONE.with(Part::Main))?;
        }
        let mut sums = vec![0.0; unknowns.len()];
        let Instance { model, run, jacobian, .. } = self;
        for (unknown, sum) in unknowns.iter().zip(&mut sums) {
            for (known, seed) in knowns.iter().zip(seeds) {
                let table = model.table();
                let (Some(unknown), Some(known)) = (table.get(*unknown), table.get(*known)) else { continue };
                let position = known.value_reference as usize;
                let depends =
                    unknown.dependencies.contains(&position) || unknown.initial_dependencies.contains(&position);
                if *seed == 0.0 || !depends {
                    continue;
                }
                let (unknown, known) = ((unknown.slot, unknown.part), known.slot);
                *sum += seed * jacobian.entry(model.as_mut(), &run.values, unknown, known)?;
            }
        }
        results.copy_from_slice(&sums);
        Ok(())
    }

    fn real(&self, reference: u32) -> Result<&Variable, Fault> {
        self.variable(reference, |kind| matches!(kind, Kind::Real { .. }), "Real")
    }
}

fn check_unknown(variable: &Variable) -> Result<(), Fault> {
    if variable.is_calculated() {
        return Ok(());
    }
    Err(Fault::Refused(format!("`{}` is set, not calculated, so it has no derivative", variable.name)))
}

fn check_known(variable: &Variable) -> Result<(), Fault> {
    let name = &variable.name;
    match variable.causality {
        Causality::Input => Ok(()),
        Causality::Parameter if variable.variability == Variability::Tunable => Ok(()),
        Causality::Local if variable.derivative_of.is_none() => Ok(()),
        _ => Err(Fault::Refused(format!(
            "derivatives by `{name}` are not available; they are by inputs, states and tunable parameters"
        ))),
    }
}
