//! Shaders on a device against expectations computed on the CPU.
//!
//! Every case is a module with one test per backend, and one that has the validator check the
//! SPIR-V for every Vulkan version. The shaders are HLSL of our own under `hwtests/shaders`.

#[macro_use]
mod gpu_case;

mod arith;
mod assembled;
mod atomics;
mod bindings;
mod buffers;
mod cbuffers;
mod convergence;
mod corners;
mod draw_blend;
mod draw_formats;
mod draw_inputs;
mod draw_state;
mod draw_targets;
mod draw_vertices;
mod dxbc;
mod dxbc_assembler;
mod dxbc_declarations;
mod dxbc_interfaces;
mod dxbc_loops;
mod dxbc_raster;
mod dxbc_resources;
mod feedback;
mod float_arith;
mod flow;
mod graphs;
mod groupshared;
mod ids;
mod in_browser;
mod linking;
mod litmus;
mod loops;
mod mesh;
mod min_precision;
mod newer;
mod newer_textures;
mod numbers;
mod producers;
mod quads;
mod raster;
mod ray_queries;
mod robustness;
mod sixteen;
mod special_values;
mod streams;
mod tessellation;
mod textures;
mod traps;
mod unoptimised;
mod vectors;
mod vendor;
mod waves;
mod wide;
mod work_graph_meshes;
mod work_graph_state;
mod work_graphs;
