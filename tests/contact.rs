//! The force element, bodies with modes, and what holds for both in every pose.
//!
//! One program for many files: it is linked once, and its tests share all cores.

mod counting;
mod fmi2_support;
mod support;

mod allocations;
mod bad_parameters;
mod block_on_two_feet;
mod bristle_derivatives;
mod bristle_energy;
mod bristle_friction;
mod brute_force_twins;
mod coherent_motion;
mod collision_energy;
mod continuity;
mod cost;
mod cylinder_on_plane;
mod degenerate_poses;
mod derivatives;
mod energy_in_loops;
mod extremes;
mod flat_patches;
mod flexible_allocations;
mod flexible_archive;
mod flexible_dynamics;
mod flexible_invariants;
mod flexible_statics;
mod force_invariants;
mod force_law;
mod friction_quadrature;
mod gap;
mod open_surfaces;
mod paraboloids;
mod patch_counts;
mod pieces;
mod rattleback;
mod registers;
mod sharp_edges;
mod smaller_faces;
mod smooth_surfaces;
mod socket_and_bush;
mod sphere_on_plane;
mod thin_parts;
mod threads;
mod wheel_on_ground;
mod whole_law;
mod work_and_energy;
