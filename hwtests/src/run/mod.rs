//! Translates a shader, runs it on a device, and compares with what its case expects.

mod configuration;
mod dispatches;
mod draws;
mod fewer_features;
mod in_browser;
mod languages;
mod older_form;
mod validity;
mod verdict;
mod whole_vectors;
mod work_graphs;

pub use crate::shader::{Failure, Shader};
pub(crate) use configuration::{Configuration, shared_device};
pub use dispatches::{checked, job, job_on_cpu, linked, vulkan, wgpu};
pub use draws::{draw, draw_cpu, draw_portable, draw_wgpu};
pub use fewer_features::{linear_quads, quads_of_lanes, shuffled_quads};
pub use in_browser::{BrowserCase, dispatches as in_browser};
pub use languages::{glsl, hlsl, portable};
pub(crate) use older_form::{optimized_form, upgraded_form};
pub use validity::spirv_is_valid;
pub(crate) use verdict::{judge_listed, outcome_of};
pub use whole_vectors::whole_vectors;
pub use work_graphs::{
    GraphRoots, each_work_graph, mesh_work_graph, rooted_work_graph, work_graph,
};
