//! From shaders to a program.

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{EntryPoint, ResourceClass, SemanticKind, Shader, ShaderKind};
use dxil_translate::{Interface, SignatureOptions};

use super::options::CompileOptions;
use super::stage::StageCode;
use super::{DeclaredRegisters, Program};
use crate::cpu;
use crate::device::Profile;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::mesh_link;
use crate::resource::Register;
use crate::root_signature::Planner;
use crate::stage_link;

impl Program {
    /// Translates a shader for a device. `root` is its root signature, if it has one. `formats`
    /// returns the format of the view that will be bound to a typed register, for devices on which
    /// the code depends on it ([`formats_of`](crate::root_signature::formats_of) takes it from a
    /// job).
    ///
    /// # Errors
    ///
    /// As [`Program::compile_stages`].
    pub fn compile(
        shader: &Shader,
        root: Option<&RootSignature>,
        profile: &Profile,
        formats: &dyn Fn(Register) -> Option<Format>,
        options: &CompileOptions,
    ) -> Result<Program> {
        Program::compile_stages(&[shader], root, profile, formats, options)
    }

    /// Translates the stages of a program that share one root signature.
    ///
    /// # Errors
    ///
    /// A shader cannot be translated, the root signature is inconsistent or does not match a
    /// shader, the device lacks a feature, or a stage of a draw reads what the one before it does
    /// not write ([`Error::StageLink`]). If there are several shaders, errors about one of
    /// them are [`Error::Stage`].
    pub fn compile_stages(
        shaders: &[&Shader],
        root: Option<&RootSignature>,
        profile: &Profile,
        formats: &dyn Fn(Register) -> Option<Format>,
        options: &CompileOptions,
    ) -> Result<Program> {
        if profile.executes_dxil {
            return cpu::compile(shaders, root, profile, options);
        }
        stage_link::check(shaders, options.entry.as_deref())?;
        let mut planner = Planner::new(root, profile, formats, options.root_descriptors);
        let mut translations = Vec::with_capacity(shaders.len());
        // Only the last stage before the rasterizer streams out and chooses viewports.
        let last = last_before_rasterization(shaders, options.entry.as_deref());
        // The domain shader may declare fewer patch constant rows than the hull shader, which comes
        // before it and decides where they begin.
        let mut patch_locations = options.signature.patch_location_offset;
        let mut mesh: Option<(&EntryPoint, u32)> = None;
        let mut writes_face = false;
        // It has a module, but draws nothing without its graph.
        let mut mesh_node = false;
        for (index, shader) in shaders.iter().enumerate() {
            let entry = entry_of(shader, options.entry.as_deref());
            let stage = stage_of(shader, options.entry.as_deref());
            if stage == ShaderKind::Mesh && entry.is_some_and(EntryPoint::is_node) {
                if shaders.len() > 1 {
                    return Err(Error::lone_node());
                }
                mesh_node = true;
            }
            let mut signature = signature_of(stage, last, patch_locations, &options.signature);
            // A mesh shader's outputs have two signatures, so the places of the pixel shader's
            // inputs have to come from there; all other stages share one numbering of rows.
            if let (ShaderKind::Pixel, Some(pixel), Some((mesh, base))) = (stage, entry, mesh) {
                signature
                    .places
                    .extend(mesh_link::places(mesh, base, pixel));
            }
            // A geometry shader may write `SV_IsFrontFace` itself; then it is data, and not what
            // the rasterizer found out.
            signature.front_face_is_data |= stage == ShaderKind::Pixel && writes_face;
            let in_stage = |error: Error| error.in_stage(index, shaders.len());
            let bindings = planner.stage(&shader.resources, stage).map_err(in_stage)?;
            let source = options.cache.as_ref().and_then(|c| c.sources.get(index));
            let mut translate_options = options.for_translation(profile, bindings);
            translate_options.entry = options.entry.clone();
            translate_options.required_subgroup_size =
                wave_size(shader, options.entry.as_deref(), profile).map_err(in_stage)?;
            translate_options.signature = signature;
            let translation = options
                .translate(shader, source.copied(), &translate_options)
                .map_err(in_stage)?;
            if stage == ShaderKind::Hull {
                patch_locations = Some(translation.interface.patch_location_offset);
            }
            if let (ShaderKind::Geometry, Some(entry)) = (stage, entry) {
                let mut outputs = entry.outputs.iter();
                writes_face = outputs.any(|e| e.semantic == SemanticKind::IsFrontFace);
            }
            if stage == ShaderKind::Mesh {
                mesh = entry.map(|entry| (entry, translation.interface.patch_location_offset));
            }
            translations.push(translation);
        }
        let interfaces: Vec<&Interface> = translations.iter().map(|t| &t.interface).collect();
        let mut layout = planner.layout(&interfaces)?;
        // NVAPI's atomics on textures go through views of one word, whatever the shader declares.
        if options.vendor.nvapi_uav.is_some() {
            let is_texture = |declared: &&mut DeclaredRegisters| {
                declared.first.class == ResourceClass::Uav && declared.kind.is_texture()
            };
            for declared in layout.declared.iter_mut().filter(is_texture) {
                declared.component = None;
            }
        }
        let mut stages: Vec<StageCode> = translations.into_iter().map(StageCode::from).collect();
        if let (true, [stage]) = (mesh_node, &mut stages[..]) {
            stage.kind = ShaderKind::Node;
        }
        Ok(Program {
            stages,
            layout,
            graphics: None,
            ray_tracing: None,
        })
    }
}

/// Returns the stage that feeds the rasterizer: only it streams out and chooses viewports.
fn last_before_rasterization(shaders: &[&Shader], entry: Option<&str>) -> Option<ShaderKind> {
    use ShaderKind::{Domain, Geometry, Mesh, Vertex};
    let stages = shaders.iter().map(|shader| stage_of(shader, entry));
    let order = [Vertex, Domain, Geometry, Mesh];
    let rank = |stage: &ShaderKind| order.iter().position(|other| other == stage);
    stages
        .filter(|stage| rank(stage).is_some())
        .max_by_key(rank)
}

/// Returns the part of the caller's signature options for this stage.
fn signature_of(
    stage: ShaderKind,
    last: Option<ShaderKind>,
    patch_location_offset: Option<u32>,
    options: &SignatureOptions,
) -> SignatureOptions {
    let mut options = options.clone();
    options.patch_location_offset = patch_location_offset;
    // Each of these belongs to the last stage before the rasterizer; an earlier one would write
    // outputs that the next stage does not declare.
    if Some(stage) != last {
        options.stream_output.entries.clear();
        options.write_point_size = false;
        options.views.viewports = None;
        options.views.layers = None;
    }
    options
}

/// Returns the wave size to ask the device for: one that the shader allows and the device has, the
/// shader's preferred one if possible; 0 where the shader does not care.
pub(crate) fn wave_size(shader: &Shader, entry: Option<&str>, profile: &Profile) -> Result<u32> {
    let Some(wanted) = entry_of(shader, entry).and_then(|point| point.wave_size) else {
        return Ok(0);
    };
    let (minimum, maximum) = profile.subgroup_sizes;
    // A maximum below the minimum counts as a fixed size.
    let (low, high) = (
        wanted.min.max(minimum),
        wanted.max.max(wanted.min).min(maximum),
    );
    if low > high {
        return Err(Error::Unsupported(format!(
            "the shader requires waves of {} to {} lanes, the device has {minimum} to {maximum}",
            wanted.min,
            wanted.max.max(wanted.min),
        )));
    }
    Ok(if wanted.preferred == 0 {
        low
    } else {
        wanted.preferred.clamp(low, high)
    })
}

/// Returns the stage that will be translated.
fn stage_of(shader: &Shader, entry: Option<&str>) -> ShaderKind {
    entry_of(shader, entry).map_or(shader.shader_model.kind, |entry| entry.kind)
}

/// Returns the entry point that will be translated.
fn entry_of<'a>(shader: &'a Shader, entry: Option<&str>) -> Option<&'a EntryPoint> {
    match entry {
        Some(name) => shader.entry_point(name),
        // The library itself is listed as an entry point and has no function.
        None => shader
            .entry_points
            .iter()
            .find(|point| point.kind != ShaderKind::Library),
    }
}
