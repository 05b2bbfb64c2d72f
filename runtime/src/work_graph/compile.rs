//! From the nodes of libraries to programs: each node is translated by itself, with a layout of its
//! own.

use std::sync::Arc;

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{EntryPoint, Node, Shader, ShaderKind, Stage};
use dxil_translate::{Features, Options, resource_uses};

use super::mesh::{self, MeshProgram};
use crate::cache::SourceHash;
use crate::cpu;
use crate::device::Profile;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::{Job, Register};
use crate::program::{CompileOptions, Program, ShaderCode, StageCode, wave_size};
use crate::ray_program::LibraryState;
use crate::ray_tracing::LocalArgument;
use crate::root_signature::Planner;

/// A library with nodes.
#[derive(Debug, Clone, Copy)]
pub struct NodeLibrary<'a> {
    /// Its shaders.
    pub shader: &'a Shader,
    /// The root signatures that its subobjects define.
    pub state: Option<&'a LibraryState>,
    /// Its bytes, for the cache.
    pub source: Option<SourceHash>,
    /// The programs of its mesh nodes.
    pub mesh_programs: &'a [MeshProgram<'a>],
}

impl<'a> NodeLibrary<'a> {
    /// Returns a library without subobjects.
    pub fn new(shader: &'a Shader) -> Self {
        NodeLibrary {
            shader,
            state: None,
            source: None,
            mesh_programs: &[],
        }
    }

    /// Returns the nodes of the library.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (&'a EntryPoint, &'a Node)> {
        let entries = self.shader.entry_points.iter();
        entries.filter_map(|entry| match (entry.kind, &entry.stage) {
            (ShaderKind::Node | ShaderKind::Mesh, Stage::Node(node)) => Some((entry, &**node)),
            _ => None,
        })
    }

    /// Returns the local root signature of a node.
    pub(super) fn local_root(&self, entry: &EntryPoint) -> Option<&'a RootSignature> {
        self.state.and_then(|state| state.local_root(&entry.name))
    }
}

/// Translates a node. Constants and tables of its local root signature are in the record of the
/// local root arguments table; root descriptors are bound like those of the global root signature.
pub(super) fn compile(
    library: &NodeLibrary<'_>,
    entry: &EntryPoint,
    root: Option<&RootSignature>,
    profile: &Profile,
    formats: &dyn Fn(Register) -> Option<Format>,
    options: &CompileOptions,
) -> Result<(Program, Arc<[u32]>)> {
    let mesh_program = match entry.kind {
        ShaderKind::Mesh => Some(mesh::program_of(library.mesh_programs, entry)?),
        _ => None,
    };
    if profile.executes_dxil {
        if mesh_program.is_some() {
            return Err(Error::Unsupported("a mesh node on the CPU".into()));
        }
        let local = library.local_root(entry);
        let program = cpu::compile_node(library.shader, entry, (root, local), profile, options)?;
        return Ok((program, Arc::from([])));
    }
    // Records of a mesh node are told apart by the number of the draw.
    if mesh_program.is_some() && !profile.target.features.contains(Features::DRAW_PARAMETERS) {
        return Err(Error::Unsupported(
            "a mesh node on a device without shaderDrawParameters".into(),
        ));
    }
    let mut profile = *profile;
    // The graph itself takes all push constants, for the addresses of records; root constants lie
    // in uniform buffers.
    profile.limits.push_constant_bytes = 0;
    let mut planner = Planner::new(root, &profile, formats, options.root_descriptors);
    let used = resource_uses(library.shader, Some(&entry.name))?;
    let bindings = planner.node_stage(&used, entry.kind, library.local_root(entry))?;
    let mut translate_options = Options::default();
    translate_options.target = profile.target;
    translate_options.bindings = bindings;
    translate_options.entry = Some(entry.name.to_string());
    translate_options.bounds_checks = !profile.robust;
    translate_options.debug_info = options.debug_info;
    translate_options.source = options.source;
    translate_options.native_min_precision = options.native_min_precision;
    translate_options.vendor = options.vendor;
    translate_options.preview = options.preview;
    translate_options.required_subgroup_size =
        wave_size(library.shader, Some(&entry.name), &profile)?;
    let cache = options.cache.as_ref().map(|cached| &cached.cache);
    let translation = match (cache, library.source) {
        (Some(cache), Some(source)) => {
            cache.translate(source, library.shader, &translate_options)?
        }
        _ => dxil_translate::translate(library.shader, &translate_options)?,
    };
    let pixel = match mesh_program.and_then(|program| program.pixel) {
        Some(pixel) => {
            let node = (entry, &translation.interface);
            let stage = mesh::pixel_stage(&mut planner, node, pixel, &translate_options, options)?;
            Some(stage)
        }
        None => None,
    };
    let mut interfaces = vec![&translation.interface];
    interfaces.extend(pixel.iter().filter_map(|stage| stage.interface.as_ref()));
    let mut layout = planner.layout(&interfaces)?;
    // The job of a graph binds the registers of all its nodes to each of them.
    layout.declared.clear();
    let words: Arc<[u32]> = translation.words.into();
    let stage = StageCode {
        // Other nodes run as compute shaders.
        kind: match mesh_program {
            Some(_) => ShaderKind::Mesh,
            None => ShaderKind::Compute,
        },
        code: ShaderCode::SpirV(Arc::clone(&words)),
        entry: translation.interface.entry.clone(),
        required_subgroup_size: translation.interface.required_subgroup_size,
        interface: Some(translation.interface),
        structure: Some(translation.structure),
        warnings: translation.warnings,
        timings: translation.timings,
    };
    let program = Program {
        stages: std::iter::once(stage).chain(pixel).collect(),
        layout,
        graphics: mesh_program.map(|program| program.state.clone()),
        ray_tracing: None,
    };
    Ok((program, words))
}

/// Returns the record of the local root arguments table: what the job binds to the registers of a
/// local root signature.
pub(super) fn local_arguments(job: &mut Job, local: &RootSignature) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for argument in job.local_arguments(local)? {
        if !matches!(argument, LocalArgument::Constants(_)) {
            bytes.resize(bytes.len().next_multiple_of(8), 0);
        }
        match argument {
            LocalArgument::Constants(constants) => bytes.extend_from_slice(&constants),
            LocalArgument::Table(slot) => bytes.extend_from_slice(&u64::from(slot).to_le_bytes()),
            // The shader does not read it: a descriptor is bound in its place.
            LocalArgument::Address(_) => bytes.extend_from_slice(&[0; 8]),
        }
    }
    Ok(bytes)
}
