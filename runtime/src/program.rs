//! Shaders that are ready for a device: code per stage, and where each register lives.

use std::sync::Arc;

use dxil_frontend::container::root_signature::RootSignature;
use dxil_frontend::dxil::{
    ComponentType, EntryPoint, ResourceClass, ResourceKind, SemanticKind, Shader, ShaderKind,
};
use dxil_translate::{
    BindingMap, DescriptorKind, Interface, Options, SignatureOptions, SourceDebugInfo, TexelFormat,
    Timings, Translation, Warning, structurize::Statistics,
};

use crate::cache::{Cached, SourceHash};
use crate::cpu::Executable;
use crate::device::Profile;
use crate::error::{Error, Result};
use crate::format::Format;
use crate::graphics::GraphicsState;
use crate::job::{Register, Sampler};
use crate::mesh_link;
use crate::ray_tracing::RayTracingState;
use crate::root_signature::{Planner, RootDescriptors};

/// Code of one stage.
#[derive(Debug, Clone)]
pub enum Code {
    /// SPIR-V words.
    SpirV(Arc<[u32]>),
    /// WGSL text (wgpu only).
    Wgsl(Arc<str>),
    /// DXIL, decoded (CPU only).
    Dxil(Arc<Executable>),
}

/// One stage of a program.
#[derive(Debug, Clone)]
pub struct StageCode {
    /// Stage.
    pub kind: ShaderKind,
    /// Its code.
    pub code: Code,
    /// Name of the entry point in the code.
    pub entry: String,
    /// Subgroup size that the pipeline must have.
    pub required_subgroup_size: Option<u32>,
    /// Reflection of translated code.
    pub interface: Option<Interface>,
    /// What the structurizer had to do.
    pub structure: Option<Statistics>,
    /// How long each step of the translation took, if [`CompileOptions::timings`] asked for it and
    /// the translation was not in the cache.
    pub timings: Option<Timings>,
    /// What the translation had to drop.
    pub warnings: Vec<Warning>,
}

/// Stages and their layout: what a pipeline is made of.
#[derive(Debug, Clone)]
pub struct Program {
    /// One stage for compute; several for graphics.
    pub stages: Vec<StageCode>,
    /// Where each register lives.
    pub layout: Layout,
    /// State of a graphics pipeline; `None` for others.
    pub graphics: Option<GraphicsState>,
    /// State of a ray tracing pipeline; `None` for others.
    pub ray_tracing: Option<RayTracingState>,
}

/// Where each register lives on the device.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Layout {
    /// Descriptor sets; the index is the set's number.
    pub sets: Vec<SetLayout>,
    /// What the push-constant words hold.
    pub push_constants: Vec<PushConstant>,
}

/// One descriptor set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SetLayout {
    /// Its bindings, by rising number.
    pub slots: Vec<Slot>,
}

/// One binding: a descriptor or an array of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Slot {
    /// Binding number.
    pub binding: u32,
    /// Descriptor type.
    pub kind: DescriptorKind,
    /// Further types that the same descriptors may have (heaps).
    pub other_kinds: Vec<DescriptorKind>,
    /// Number of descriptors.
    pub count: u32,
    /// Whether the shader declares a runtime array here.
    pub unbounded: bool,
    /// Where its descriptors come from.
    pub source: SlotSource,
    /// Shape that the shader declares; `Invalid` where it is not known.
    pub shape: ResourceKind,
    /// Format that the code was made for.
    pub format: Option<TexelFormat>,
    /// Component type that the shader declares, of textures and typed buffers.
    pub component: Option<ComponentType>,
    /// Whether a sampler compares.
    pub comparison: bool,
    /// Whether the shader may write to it.
    pub writable: bool,
    /// Bytes of an element of a structured buffer, 0 where it does not matter.
    pub stride: u32,
    /// Name in the source, for messages.
    pub name: String,
}

/// Where the descriptors of a [`Slot`] come from.
#[derive(Debug, Clone, PartialEq)]
pub enum SlotSource {
    /// Registers from that one upwards.
    Registers(Register),
    /// The hidden counters of the UAVs from that register upwards.
    Counters(Register),
    /// The job's CBV/SRV/UAV heap.
    ResourceHeap,
    /// The hidden counters of the heap's UAVs.
    HeapCounters,
    /// The job's sampler heap.
    SamplerHeap,
    /// A static sampler of the root signature.
    StaticSampler(Sampler),
    /// Nothing that the shader looks at; the binding only keeps the numbers dense.
    Unused,
}

impl Slot {
    /// One descriptor without a name, which is read, has no format of its own and no stride.
    pub fn new(
        binding: u32,
        kind: DescriptorKind,
        source: SlotSource,
        shape: ResourceKind,
    ) -> Self {
        Slot {
            binding,
            kind,
            other_kinds: Vec::new(),
            count: 1,
            unbounded: false,
            source,
            shape,
            format: None,
            component: None,
            comparison: false,
            writable: false,
            stride: 0,
            name: String::new(),
        }
    }

    /// One descriptor for what a job binds to a register: as [`Self::new`], but UAVs are written
    /// to.
    pub fn of_register(
        binding: u32,
        kind: DescriptorKind,
        register: Register,
        shape: ResourceKind,
    ) -> Self {
        Slot {
            writable: register.class == ResourceClass::Uav,
            ..Slot::new(binding, kind, SlotSource::Registers(register), shape)
        }
    }
}

impl SlotSource {
    /// Where an element's descriptor comes from, if this is an array's first one.
    pub(crate) fn element(&self, element: u32) -> SlotSource {
        let at = |first: &Register| Register {
            index: first.index.saturating_add(element),
            ..*first
        };
        match self {
            SlotSource::Registers(first) => SlotSource::Registers(at(first)),
            SlotSource::Counters(first) => SlotSource::Counters(at(first)),
            other => other.clone(),
        }
    }
}

/// A run of push-constant words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushConstant {
    /// First word.
    pub first_word: u32,
    /// What they hold.
    pub source: PushSource,
}

/// What push-constant words hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PushSource {
    /// Root constants: the first words of what the job binds to this constant-buffer register.
    Constants {
        /// The register.
        register: Register,
        /// Number of words.
        words: u32,
    },
    /// Two words: the device address of what the job binds to this register.
    Address(Register),
    /// Two words: the device address of the acceleration structure that the job binds to this
    /// register.
    StructureAddress(Register),
}

impl Layout {
    /// Whether the code looks at an acceleration structure.
    pub(crate) fn sees_structures(&self) -> bool {
        let structure = DescriptorKind::AccelerationStructure;
        let mut slots = self.sets.iter().flat_map(|set| &set.slots);
        let mut pushed = self.push_constants.iter();
        slots.any(|slot| slot.kind == structure || slot.other_kinds.contains(&structure))
            || pushed.any(|run| matches!(run.source, PushSource::StructureAddress(_)))
    }

    /// Bytes of push constants, from 0.
    pub fn push_constant_bytes(&self) -> u32 {
        self.push_constants
            .iter()
            .map(|run| {
                let words = match run.source {
                    PushSource::Constants { words, .. } => words,
                    PushSource::Address(_) | PushSource::StructureAddress(_) => 2,
                };
                (run.first_word + words) * 4
            })
            .max()
            .unwrap_or(0)
    }
}

/// Choices that a caller has when a program is made.
#[derive(Debug, Clone, Default)]
pub struct CompileOptions {
    /// Entry point; default: the only one.
    pub entry: Option<String>,
    /// Names in the code.
    pub debug_info: bool,
    /// What the code says of the source; the shaders have to be read with their debug information.
    pub source: SourceDebugInfo,
    /// Min-precision types (`min16float` ...) in native 16 bits, on devices that have them.
    pub native_min_precision: bool,
    /// Measure the steps of translations: [`StageCode::timings`].
    pub timings: bool,
    /// How root descriptors reach the shader.
    pub root_descriptors: RootDescriptors,
    /// How signature elements meet other stages and the pipeline's state.
    pub signature: SignatureOptions,
    /// Where translations are kept; default: nowhere.
    pub cache: Option<Cached>,
}

impl StageCode {
    /// SPIR-V of another origin, of which no more is known than where it begins.
    pub fn of_spirv(kind: ShaderKind, words: impl Into<Arc<[u32]>>, entry: &str) -> Self {
        StageCode {
            kind,
            code: Code::SpirV(words.into()),
            entry: entry.to_owned(),
            required_subgroup_size: None,
            interface: None,
            structure: None,
            warnings: Vec::new(),
            timings: None,
        }
    }
}

impl From<Translation> for StageCode {
    fn from(translation: Translation) -> Self {
        StageCode {
            kind: translation.interface.stage,
            entry: translation.interface.entry.clone(),
            required_subgroup_size: translation.interface.required_subgroup_size,
            code: Code::SpirV(translation.words.into()),
            interface: Some(translation.interface),
            structure: Some(translation.structure),
            warnings: translation.warnings,
            timings: translation.timings,
        }
    }
}

impl CompileOptions {
    /// The translator's options that are the same for every stage of a program.
    pub(crate) fn for_translation(&self, profile: &Profile, bindings: BindingMap) -> Options {
        Options {
            target: profile.target,
            bindings,
            bounds_checks: !profile.robust,
            debug_info: self.debug_info,
            source: self.source,
            native_min_precision: self.native_min_precision,
            timings: self.timings,
            ..Options::default()
        }
    }

    /// Translates one stage, or takes it from the cache; `source` is what the stage was read from.
    pub(crate) fn translate(
        &self,
        shader: &Shader,
        source: Option<SourceHash>,
        options: &Options,
    ) -> Result<Translation> {
        Ok(match (&self.cache, source) {
            (Some(kept), Some(source)) => kept.cache.translate(source, shader, options)?,
            _ => dxil_translate::translate(shader, options)?,
        })
    }
}

impl Program {
    /// A compute shader with a layout that its maker knows.
    pub fn of_compute(stage: StageCode, layout: Layout) -> Self {
        Program {
            stages: vec![stage],
            layout,
            graphics: None,
            ray_tracing: None,
        }
    }

    /// Translates a shader for a device. `root` is its root signature, if it has one; `formats`
    /// tells the format that a typed register will see, for devices whose code must know it
    /// ([`formats_of`](crate::root_signature::formats_of) takes them from a job).
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
    pub fn compile_stages(
        shaders: &[&Shader],
        root: Option<&RootSignature>,
        profile: &Profile,
        formats: &dyn Fn(Register) -> Option<Format>,
        options: &CompileOptions,
    ) -> Result<Program> {
        if profile.executes_dxil {
            return crate::cpu::compile(shaders, root, profile, options);
        }
        let mut planner = Planner::new(root, profile, formats, options.root_descriptors);
        let mut translations = Vec::with_capacity(shaders.len());
        // The domain shader may declare fewer rows than the hull shader, which comes before it.
        let last = last_before_rasterization(shaders, options.entry.as_deref());
        let mut patch_locations = options.signature.patch_location_offset;
        let mut mesh: Option<(&EntryPoint, u32)> = None;
        let mut writes_face = false;
        for (index, shader) in shaders.iter().enumerate() {
            let entry = entry_of(shader, options.entry.as_deref());
            let stage = stage_of(shader, options.entry.as_deref());
            let mut signature = signature_of(stage, last, patch_locations, &options.signature);
            if let (ShaderKind::Pixel, Some(pixel), Some((mesh, base))) = (stage, entry, mesh) {
                signature
                    .places
                    .extend(mesh_link::places(mesh, base, pixel));
            }
            signature.front_face_is_data |= stage == ShaderKind::Pixel && writes_face;
            let bindings = planner.stage(&shader.resources, stage)?;
            let source = options.cache.as_ref().and_then(|c| c.sources.get(index));
            let translate_options = Options {
                entry: options.entry.clone(),
                required_subgroup_size: wave_size(shader, options.entry.as_deref(), profile)?,
                signature,
                ..options.for_translation(profile, bindings)
            };
            let translation = options.translate(shader, source.copied(), &translate_options)?;
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
        let layout = planner.layout(&interfaces)?;
        Ok(Program {
            stages: translations.into_iter().map(StageCode::from).collect(),
            layout,
            graphics: None,
            ray_tracing: None,
        })
    }
}

/// The stage that feeds the rasterizer: only it streams out and chooses viewports.
fn last_before_rasterization(shaders: &[&Shader], entry: Option<&str>) -> Option<ShaderKind> {
    use ShaderKind::{Domain, Geometry, Mesh, Vertex};
    let stages = shaders.iter().map(|shader| stage_of(shader, entry));
    let order = [Vertex, Domain, Geometry, Mesh];
    let rank = |stage: &ShaderKind| order.iter().position(|other| other == stage);
    stages
        .filter(|stage| rank(stage).is_some())
        .max_by_key(rank)
}

/// What of the caller's signature options is for this stage.
fn signature_of(
    stage: ShaderKind,
    last: Option<ShaderKind>,
    patch_location_offset: Option<u32>,
    options: &SignatureOptions,
) -> SignatureOptions {
    let mut options = SignatureOptions {
        patch_location_offset,
        ..options.clone()
    };
    if Some(stage) != last {
        options.stream_output.entries.clear();
        options.write_point_size = false;
        options.views.viewports = None;
        options.views.layers = None;
    }
    options
}

/// Wave size to ask the device for: one that the shader allows and the device has, the shader's
/// preferred one if possible; 0 where the shader does not care.
pub(crate) fn wave_size(shader: &Shader, entry: Option<&str>, profile: &Profile) -> Result<u32> {
    let Some(wanted) = entry_of(shader, entry).and_then(|point| point.wave_size) else {
        return Ok(0);
    };
    let (least, most) = profile.subgroup_sizes;
    let (low, high) = (wanted.min.max(least), wanted.max.max(wanted.min).min(most));
    if low > high {
        return Err(Error::Unsupported(format!(
            "the shader wants waves of {} to {} lanes, the device has {least} to {most}",
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

/// The stage that will be translated.
fn stage_of(shader: &Shader, entry: Option<&str>) -> ShaderKind {
    entry_of(shader, entry).map_or(shader.shader_model.kind, |entry| entry.kind)
}

/// The entry point that will be translated.
fn entry_of<'a>(shader: &'a Shader, entry: Option<&str>) -> Option<&'a EntryPoint> {
    match entry {
        Some(name) => shader.entry_point(name),
        // A library's own entry has no function.
        None => shader
            .entry_points
            .iter()
            .find(|point| point.kind != ShaderKind::Library),
    }
}
