//! The equilibrium of contact forces and deformation: u = u_pred + C f(u).

use super::broyden;
use super::closest_point::Shape;
use super::compliance::Compliance;
use super::contact_body::{BoxTree, ContactBody};
use super::dense::{add_scaled, dot, solve_positive_definite};
use super::error::FlexibleError;
use super::node_to_surface::{Contact, Contacts, SearchSettings};
use super::parameters::{FlexibleParameters, Solver};
use crate::math::{Aabb, Body, Vector};

/// One equilibrium to be found.
pub(super) struct Problem<'a> {
    pub(super) bodies: &'a [ContactBody; 2],
    pub(super) settings: SearchSettings,
    /// None where a body does not yield within the solve.
    pub(super) compliances: [Option<&'a Compliance>; 2],
    pub(super) parameters: &'a FlexibleParameters,
}

/// What belongs to one body during a solve; lists run over the degrees of freedom of its nodes, in its frame.
#[derive(Clone, Debug, Default)]
pub(super) struct BodyMemory {
    /// Displacements without contact forces.
    pub(super) predicted: Vec<f64>,
    /// Contact forces: the warm start before, the solution after the solve.
    pub(super) forces: Vec<f64>,
    /// Displacements; always `predicted + C forces` during the solve.
    pub(super) displacements: Vec<f64>,
    /// Change of the displacements in a full Newton step.
    step: Vec<f64>,
    /// Change of the forces in a full Newton step.
    force_step: Vec<f64>,
    /// C times the derivative of every depth.
    columns: Vec<f64>,
    pub(super) positions: Vec<Vector>,
    tree: BoxTree,
}

/// Memory of a solve.
#[derive(Clone, Debug, Default)]
pub(super) struct SolveMemory {
    pub(super) bodies: [BodyMemory; 2],
    /// Contacts at the latest displacements.
    pub(super) contacts: Contacts,
    /// Forces of the latest linear solution, by [`Contact::key`].
    pub(super) linear: Vec<((Body, u32), f64)>,
    matrix: Vec<f64>,
    right: Vec<f64>,
}

/// Sufficient decrease of the energy, as a part of what the slope promises.
const DECREASE: f64 = 1.0e-4;

/// The energy is a sum of some hundred terms: changes below this part of it are rounding.
const ENERGY_ROUNDING: f64 = 1.0e-12;

/// Halvings of a step: a step shorter than a millionth makes no progress.
const HALVINGS: u32 = 20;

impl Problem<'_> {
    /// Finds the equilibrium and returns the iterations. On entry `predicted` and `forces` (a guess) are given.
    pub(super) fn solve(&self, memory: &mut SolveMemory) -> Result<u32, FlexibleError> {
        let iterations = match self.parameters.solver() {
            _ if self.compliances.iter().all(Option::is_none) => {
                self.find_contacts(memory, None);
                0
            }
            Solver::Newton => self.newton(memory)?,
            Solver::Broyden => broyden::solve(self, memory)?,
        };
        memory.contacts.check_depths(&self.settings)?;
        for (b, body) in Body::BOTH.into_iter().zip(&mut memory.bodies) {
            nodal_forces(&memory.contacts.list, b, &mut body.forces);
        }
        Ok(iterations)
    }

    fn newton(&self, memory: &mut SolveMemory) -> Result<u32, FlexibleError> {
        for (body, compliance) in memory.bodies.iter_mut().zip(self.compliances) {
            body.displacements.clone_from(&body.predicted);
            match compliance {
                Some(compliance) => yield_to(compliance, &body.forces, &mut body.displacements),
                None => body.forces.fill(0.0),
            }
        }
        self.find_contacts(memory, None);
        if memory.contacts.list.is_empty() && memory.bodies.iter().all(|body| body.forces.iter().all(|&f| f == 0.0)) {
            return Ok(0);
        }
        let mut residual = f64::INFINITY;
        for iteration in 1..=self.parameters.iteration_limit() {
            self.linear_solution(memory)?;
            self.line_search(memory);
            residual = force_change(&memory.linear, &memory.contacts.list, self.settings.depth_rounding);
            if residual <= self.parameters.tolerance() {
                return Ok(iteration);
            }
        }
        Err(self.not_converged(Solver::Newton, residual, memory))
    }

    pub(super) fn not_converged(&self, solver: Solver, residual: f64, memory: &SolveMemory) -> FlexibleError {
        FlexibleError::NotConverged {
            solver,
            iterations: self.parameters.iteration_limit(),
            residual,
            tolerance: self.parameters.tolerance(),
            contacts: memory.contacts.list.len(),
        }
    }

    /// Finds the contacts at the displacements, or a part of the step further.
    pub(super) fn find_contacts(&self, memory: &mut SolveMemory, part_of_step: Option<f64>) {
        let SolveMemory { bodies: [e, f], contacts, .. } = memory;
        e.place(&self.bodies[0], part_of_step);
        f.place(&self.bodies[1], part_of_step);
        let shapes = [e.shape(&self.bodies[0]), f.shape(&self.bodies[1])];
        contacts.find(&self.settings, &shapes);
    }

    /// Solves (diag(1/k) + Nᵀ C N) f = g + Nᵀ (u_pred − u) for the forces of the present contacts, and sets the steps
    /// of forces and displacements to there.
    fn linear_solution(&self, memory: &mut SolveMemory) -> Result<(), FlexibleError> {
        let SolveMemory { bodies, contacts, linear, matrix, right } = memory;
        let contacts = &contacts.list;
        let count = contacts.len();
        matrix.clear();
        matrix.resize(count * count, 0.0);
        right.clear();
        right.extend(contacts.iter().map(|contact| contact.depth));
        for (k, contact) in contacts.iter().enumerate() {
            matrix[k * count + k] = 1.0 / contact.stiffness;
        }
        for (b, (body, compliance)) in Body::BOTH.into_iter().zip(bodies.iter_mut().zip(self.compliances)) {
            let Some(compliance) = compliance else { continue };
            let size = body.displacements.len();
            body.columns.clear();
            body.columns.resize(count * size, 0.0);
            for (contact, column) in contacts.iter().zip(body.columns.chunks_exact_mut(size)) {
                contact.for_each_derivative(b, |dof, derivative| add_scaled(column, derivative, compliance.row(dof)));
            }
            for (k, (contact, column)) in contacts.iter().zip(body.columns.chunks_exact(size)).enumerate() {
                contact.for_each_derivative(b, |dof, derivative| {
                    right[k] += derivative * (body.predicted[dof] - body.displacements[dof]);
                });
                // One column against all derivatives: it stays in the fastest memory.
                for (entry, other) in matrix[k * count..].iter_mut().zip(&contacts[..=k]) {
                    other.for_each_derivative(b, |dof, derivative| *entry += derivative * column[dof]);
                }
            }
        }
        if !solve_positive_definite(matrix, right) {
            return Err(FlexibleError::NotFinite { quantity: "the compliance of the contacts" });
        }
        linear.clear();
        linear.extend(contacts.iter().zip(right.iter()).map(|(contact, &force)| (contact.key(), force)));
        for (b, (body, compliance)) in Body::BOTH.into_iter().zip(bodies.iter_mut().zip(self.compliances)) {
            body.step.clear();
            body.force_step.clear();
            body.step.resize(body.displacements.len(), 0.0);
            body.force_step.resize(body.displacements.len(), 0.0);
            if compliance.is_none() {
                continue;
            }
            body.step.copy_from_slice(&body.predicted);
            add_scaled(&mut body.step, -1.0, &body.displacements);
            add_scaled(&mut body.force_step, -1.0, &body.forces);
            let size = body.step.len();
            for ((contact, &force), column) in contacts.iter().zip(right.iter()).zip(body.columns.chunks_exact(size)) {
                add_scaled(&mut body.step, -force, column);
                contact.for_each_derivative(b, |dof, derivative| body.force_step[dof] -= force * derivative);
            }
        }
        Ok(())
    }

    /// Goes along the step until the energy of bodies and penalty springs falls enough.
    fn line_search(&self, memory: &mut SolveMemory) {
        // Elastic energy ½ f·(u − u_pred) along the step: a parabola, since C is symmetric.
        let (mut start, mut linear, mut square) = (0.0, 0.0, 0.0);
        let mut slope = 0.0;
        for (b, body) in Body::BOTH.into_iter().zip(&memory.bodies) {
            if self.compliances[b].is_none() {
                continue;
            }
            start += 0.5 * (dot(&body.forces, &body.displacements) - dot(&body.forces, &body.predicted));
            linear += dot(&body.forces, &body.step);
            square += 0.5 * dot(&body.force_step, &body.step);
            for contact in &memory.contacts.list {
                let force = contact.force();
                contact.for_each_derivative(b, |dof, derivative| slope += force * derivative * body.step[dof]);
            }
        }
        slope += linear;
        let energy = start + memory.contacts.energy();
        let forces: f64 = memory.contacts.list.iter().map(Contact::force).sum();
        let rounding = ENERGY_ROUNDING * energy.abs() + self.settings.depth_rounding * forces;
        let mut part = 1.0;
        for halving in 0..=HALVINGS {
            self.find_contacts(memory, Some(part));
            let trial = start + part * (linear + part * square) + memory.contacts.energy();
            if trial <= energy + DECREASE * part * slope.min(0.0) + rounding || halving == HALVINGS {
                break;
            }
            part *= 0.5;
        }
        for body in &mut memory.bodies {
            let BodyMemory { displacements, forces, step, force_step, .. } = body;
            add_scaled(displacements, part, step);
            add_scaled(forces, part, force_step);
        }
    }
}

impl BodyMemory {
    /// Moves nodes and boxes to the displacements, or a part of the step further.
    fn place(&mut self, body: &ContactBody, part_of_step: Option<f64>) {
        if body.modes.is_none() {
            return;
        }
        self.positions.clear();
        let nodes = body.nodes.iter().zip(self.displacements.chunks_exact(3));
        match part_of_step {
            None => self.positions.extend(nodes.map(|(node, u)| node + Vector::new(u[0], u[1], u[2]))),
            Some(part) => self.positions.extend(nodes.zip(self.step.chunks_exact(3)).map(|((node, u), step)| {
                node + Vector::new(u[0] + part * step[0], u[1] + part * step[1], u[2] + part * step[2])
            })),
        }
        let positions = &self.positions;
        self.tree.refit(&body.tree, |face| Aabb::of(&body.corners(positions, face)));
    }

    fn shape<'a>(&'a self, body: &'a ContactBody) -> Shape<'a> {
        match body.modes {
            None => Shape { body, positions: &body.nodes, tree: &body.tree },
            Some(_) => Shape { body, positions: &self.positions, tree: &self.tree },
        }
    }
}

/// `displacements += C forces`.
fn yield_to(compliance: &Compliance, forces: &[f64], displacements: &mut [f64]) {
    for (dof, &force) in forces.iter().enumerate() {
        if force != 0.0 {
            add_scaled(displacements, force, compliance.row(dof));
        }
    }
}

/// Contact forces on the nodes of a body.
pub(super) fn nodal_forces(contacts: &[Contact], body: Body, forces: &mut [f64]) {
    forces.fill(0.0);
    if forces.is_empty() {
        return;
    }
    for contact in contacts {
        let force = contact.force();
        contact.for_each_derivative(body, |dof, derivative| forces[dof] -= force * derivative);
    }
}

/// Largest difference between expected and present contact forces, relative to the largest of them; contacts that
/// came or went count with their whole force. What rounding of depths makes of the forces does not count.
pub(super) fn force_change(expected: &[((Body, u32), f64)], contacts: &[Contact], depth_rounding: f64) -> f64 {
    let stiffest = contacts.iter().fold(0.0_f64, |stiffest, contact| stiffest.max(contact.stiffness));
    let rounding = depth_rounding * stiffest;
    let (mut change, mut largest) = (0.0_f64, 0.0_f64);
    let (mut old, mut new) = (expected.iter().peekable(), contacts.iter().peekable());
    loop {
        let order = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(_), None) => std::cmp::Ordering::Less,
            (None, Some(_)) => std::cmp::Ordering::Greater,
            (Some((key, _)), Some(contact)) => key.cmp(&contact.key()),
        };
        let before = if order.is_le() { old.next().map_or(0.0, |(_, force)| *force) } else { 0.0 };
        let after = if order.is_ge() { new.next().map_or(0.0, Contact::force) } else { 0.0 };
        change = change.max((after - before).abs());
        largest = largest.max(after).max(before.abs());
    }
    if change > rounding { (change - rounding) / largest } else { 0.0 }
}
