//! From libraries to a ray tracing program: what the subobjects of a library say about its
//! pipeline, and the translation of its shaders.

use dxil_frontend::container::Container;
use dxil_frontend::container::rdat::{self, Rdat, Subobject, SubobjectKind};
use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{EntryPoint, Shader, ShaderKind, plain_name};
use dxil_translate::{Interface, Translation, resource_uses};

use crate::cpu;
use crate::device::Profile;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::job::Register;
use crate::program::{CompileOptions, Program, StageCode};
pub use crate::ray_stage::RayStage;
use crate::ray_tracing::{HitGroup, HitGroupKind, RayTracingState, is_ray_tracing};
use crate::root_signature::Planner;

/// A hit group as a library's subobject says it: its shaders by their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedHitGroup {
    /// Name of the subobject.
    pub name: String,
    /// The kind of its geometry.
    pub kind: HitGroupKind,
    /// Closest-hit shader.
    pub closest_hit: Option<String>,
    /// Any-hit shader.
    pub any_hit: Option<String>,
    /// Intersection shader.
    pub intersection: Option<String>,
}

/// The part of a state object that a library defines, in subobjects (DXR specification, "Subobjects
/// in DXIL libraries").
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LibraryState {
    /// The global root signature.
    pub global_root: Option<RootSignature>,
    /// Local root signatures and the names of the shaders and hit groups that they are for; none is
    /// all others.
    pub local_roots: Vec<(RootSignature, Vec<String>)>,
    /// Hit groups.
    pub hit_groups: Vec<NamedHitGroup>,
    /// Maximum number of bytes of a payload and of attributes.
    pub shader_config: Option<(u32, u32)>,
    /// Deepest recursion, and flags.
    pub pipeline_config: Option<(u32, u32)>,
}

impl LibraryState {
    /// Reads the subobjects of a container; bare bitcode has none.
    ///
    /// # Errors
    ///
    /// As [`LibraryState::of`].
    pub fn read(bytes: &[u8]) -> Result<Self> {
        match Container::parse(bytes) {
            Ok(container) => Self::of(&container),
            // Bare bitcode is a valid input that has no parts.
            Err(_) => Ok(LibraryState::default()),
        }
    }

    /// Reads the subobjects of a parsed container.
    ///
    /// # Errors
    ///
    /// [`Error::Frontend`] if the RDAT part or a root signature in it is malformed.
    pub fn of(container: &Container<'_>) -> Result<Self> {
        let mut state = LibraryState::default();
        let Some(rdat) = container.rdat()? else {
            return Ok(state);
        };
        let mut locals = Vec::new();
        let mut associations: Vec<(&str, Vec<String>)> = Vec::new();
        for subobject in rdat.iter::<Subobject>() {
            let subobject = subobject?;
            let name = rdat.string(subobject.name)?;
            match subobject.kind {
                SubobjectKind::GlobalRootSignature(bytes) => {
                    state.global_root = Some(rdat.root_signature(bytes)?);
                }
                SubobjectKind::LocalRootSignature(bytes) => {
                    locals.push((name, rdat.root_signature(bytes)?));
                }
                SubobjectKind::SubobjectToExportsAssociation { subobject, exports } => {
                    let names = rdat.string_array(exports)?;
                    let names = names.map(|name| Ok(name?.to_owned()));
                    let names = names.collect::<Result<Vec<_>>>()?;
                    associations.push((rdat.string(subobject)?, names));
                }
                SubobjectKind::RaytracingShaderConfig {
                    max_payload_bytes,
                    max_attribute_bytes,
                } => state.shader_config = Some((max_payload_bytes, max_attribute_bytes)),
                SubobjectKind::RaytracingPipelineConfig {
                    max_recursion_depth,
                    flags,
                } => state.pipeline_config = Some((max_recursion_depth, flags.unwrap_or(0))),
                SubobjectKind::HitGroup {
                    kind,
                    any_hit,
                    closest_hit,
                    intersection,
                } => state.hit_groups.push(NamedHitGroup {
                    name: name.to_owned(),
                    kind: match kind {
                        rdat::HitGroupKind::ProceduralPrimitive => HitGroupKind::Procedural,
                        _ => HitGroupKind::Triangles,
                    },
                    closest_hit: shader_name(&rdat, closest_hit)?,
                    any_hit: shader_name(&rdat, any_hit)?,
                    intersection: shader_name(&rdat, intersection)?,
                }),
                SubobjectKind::StateObjectConfig { .. } | SubobjectKind::Other(_) => {}
            }
        }
        // After the loop: an association may precede the subobject that it names.
        for (name, root) in locals {
            let for_it = associations
                .iter()
                .filter(|(subobject, _)| *subobject == name);
            let exports = for_it.flat_map(|(_, exports)| exports.iter().cloned());
            state.local_roots.push((root, exports.collect()));
        }
        Ok(state)
    }

    /// Returns the local root signature of a shader: the one that is associated with it or with a
    /// hit group that contains it, and else the default one, which has no explicit association.
    pub fn local_root(&self, shader: &str) -> Option<&RootSignature> {
        // Exports are mangled in the entry point table and plain in subobjects.
        let named = |name: &str| plain_name(name) == plain_name(shader);
        let is_for = |export: &String| {
            named(export)
                || self.hit_groups.iter().any(|group| {
                    let shaders = [&group.closest_hit, &group.any_hit, &group.intersection];
                    group.name == *export && shaders.into_iter().flatten().any(|s| named(s))
                })
        };
        // An association with a hit group applies to all of its shaders (DXR specification,
        // "Subobject associations for hit groups"); a subobject without associations is a default
        // (DXR specification, "Declaring a default association").
        let mut roots = self.local_roots.iter();
        let said = roots
            .clone()
            .find(|(_, exports)| exports.iter().any(is_for));
        let default = roots.find(|(_, exports)| exports.is_empty());
        said.or(default).map(|(root, _)| root)
    }
}

fn shader_name(rdat: &Rdat<'_>, name: rdat::StringRef) -> Result<Option<String>> {
    let name = rdat.string(name)?;
    // An empty string is how RDAT says that a hit group lacks a shader.
    Ok(Some(name.to_owned()).filter(|name| !name.is_empty()))
}

/// Returns the names and stages of the ray tracing shaders of a library.
pub fn ray_shaders(shader: &Shader) -> impl Iterator<Item = (&str, ShaderKind)> {
    let entries = shader.entry_points.iter();
    entries
        .filter(|entry| is_ray_tracing(entry.kind))
        .map(|entry| (&*entry.name, entry.kind))
}

impl Program {
    /// Translates the shaders of a ray tracing pipeline. `root` is their global root signature.
    ///
    /// # Errors
    ///
    /// A shader cannot be translated, a root signature is inconsistent or does not match a shader,
    /// or the device lacks a feature. If there are several stages, errors about one of them are
    /// [`Error::Stage`].
    pub fn compile_rays(
        stages: &[RayStage<'_>],
        state: RayTracingState,
        root: Option<&RootSignature>,
        profile: &Profile,
        formats: &dyn Fn(Register) -> Option<Format>,
        options: &CompileOptions,
    ) -> Result<Program> {
        if profile.executes_dxil {
            for stage in stages {
                check_sizes(stage.entry_point()?, &state)?;
            }
            return cpu::compile_rays(stages, state, root, profile, options);
        }
        // One planner for all shaders: the global root signature has one layout, and a pipeline has
        // one pipeline layout.
        let mut planner = Planner::new(root, profile, formats, options.root_descriptors);
        let mut translations = Vec::with_capacity(stages.len());
        for (index, stage) in stages.iter().enumerate() {
            let translation = translate_stage(&mut planner, stage, &state, profile, options);
            translations.push(translation.map_err(|error| error.in_stage(index, stages.len()))?);
        }
        let interfaces: Vec<&Interface> = translations.iter().map(|t| &t.interface).collect();
        let layout = planner.layout(&interfaces)?;
        Ok(Program {
            stages: translations.into_iter().map(StageCode::from).collect(),
            layout,
            graphics: None,
            ray_tracing: Some(state),
        })
    }
}

/// Translates one shader of a ray tracing pipeline.
fn translate_stage(
    planner: &mut Planner<'_>,
    stage: &RayStage<'_>,
    state: &RayTracingState,
    profile: &Profile,
    options: &CompileOptions,
) -> Result<Translation> {
    let (name, entry) = (stage.entry, stage.entry_point()?);
    check_sizes(entry, state)?;
    let used = resource_uses(stage.shader, Some(name))?;
    let bindings = planner.ray_stage(&used, entry.kind, stage.local_root)?;
    let mut translate_options = options.for_translation(profile, bindings);
    translate_options.entry = Some(name.to_owned());
    options.translate(stage.shader, stage.source, &translate_options)
}

/// Checks that payload and attributes of a shader are no larger than the pipeline's maximum
/// (`D3D12_RAYTRACING_SHADER_CONFIG`; 0 is not set).
fn check_sizes(entry: &EntryPoint, state: &RayTracingState) -> Result<()> {
    let is_hit = matches!(entry.kind, ShaderKind::AnyHit | ShaderKind::ClosestHit);
    let takes_payload = is_hit || entry.kind == ShaderKind::Miss;
    for (what, takes, need, limit) in [
        (
            "payload",
            takes_payload,
            entry.payload_bytes,
            state.max_payload_bytes,
        ),
        (
            "attributes",
            is_hit,
            entry.attribute_bytes,
            state.max_attribute_bytes,
        ),
    ] {
        if let Some(need) = need.filter(|need| takes && limit != 0 && *need > limit) {
            let name = plain_name(&entry.name);
            return Err(Error::BadJob(format!(
                "the {what} of {name} have {need} bytes, the pipeline's may have {limit}"
            )));
        }
    }
    Ok(())
}

/// Returns the hit groups of a library with the indices of their shaders in `stages`, the names of
/// a program's stages.
///
/// # Errors
///
/// [`Error::BadJob`] if a group names a shader that is not among the stages.
pub fn hit_groups(groups: &[NamedHitGroup], stages: &[&str]) -> Result<Vec<HitGroup>> {
    let find = |group: &str, shader: &Option<String>| match shader {
        None => Ok(None),
        Some(shader) => {
            let found = stages
                .iter()
                .position(|stage| plain_name(stage) == plain_name(shader));
            found.map(Some).ok_or_else(|| {
                Error::BadJob(format!(
                    "hit group `{group}`: there is no shader `{shader}`"
                ))
            })
        }
    };
    groups
        .iter()
        .map(|group| {
            Ok(HitGroup {
                name: group.name.clone(),
                kind: group.kind,
                closest_hit: find(&group.name, &group.closest_hit)?,
                any_hit: find(&group.name, &group.any_hit)?,
                intersection: find(&group.name, &group.intersection)?,
            })
        })
        .collect()
}
