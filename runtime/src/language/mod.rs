//! Shaders in the languages that naga writes: WGSL, MSL, GLSL, HLSL.
//!
//! [`profile`] describes the target of a translation that naga can read. What naga refuses is an
//! error that names the part of naga that refuses: the front end, the validator, or the language's
//! writer.
//!
//! naga 30 lacks some of what it is given, and writes some of it wrongly. The module `corrections`
//! lists everything that is corrected here, with the reasons.

mod binding_arrays;
mod blocks;
mod broadcast;
mod cast_bodies;
mod casts;
mod corrections;
mod distances;
mod handles;
mod hlsl_arrays;
mod hlsl_registers;
mod image_atomics;
mod lacking;
mod languages;
mod legalize;
mod legalize_text;
pub(crate) mod linking;
mod metal_arrays;
mod metal_slots;
mod non_finite;
mod pairings;
mod sample_masks;
mod text_context;
mod tokens;
mod uniformity;
mod unsupported;
mod webgpu;
mod words;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use dxil_frontend::dxil::ShaderKind;
use dxil_translate::{Features, Style, Target, VulkanVersion};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};

use self::casts::FloatCasts;
use self::hlsl_registers::HlslRegisters;
pub use self::hlsl_registers::{COUNTERS_SPACE, IMMEDIATES_SPACE};
pub use self::lacking::explained;
pub use self::languages::Language;
use self::legalize::Changed;
pub use self::metal_arrays::METAL_ENTRY_BYTES;
pub use self::metal_slots::{MetalSizes, MetalSlot, MetalSlots};
use self::text_context::TextContext;
pub use self::webgpu::{WebGpu, WebGpuLimits};
use crate::device::{Limits, Profile};
use crate::error::{Error, Result};
use crate::program::Layout;

/// Elements of unbounded arrays and of heaps, unless the caller knows their number
/// ([`Profile::with_elements`]): each element has a binding, and code that uses it. Shaders that
/// may name others are refused.
const UNBOUNDED_ELEMENTS: u32 = 16;

/// Maximum nesting of constructs that naga is given: it recurses for each level.
const MAX_NESTING: usize = 1000;

/// Nesting from which on naga runs on a deep stack.
const DEEP_NESTING: usize = 24;

/// Bytes of that stack: a level uses some tens of kilobytes in a build without optimization.
const DEEP_STACK: usize = 256 << 20;

/// Returns the profile of a translation for a language. There is no device, so the limits are
/// generous.
pub fn profile(vulkan: VulkanVersion, language: Language) -> Profile {
    let mut features =
        (Features::PORTABLE - Features::ROBUSTNESS2) | Features::PSEUDO_IMAGE_ATOMICS;
    // naga's writers differ in what they can express.
    match language {
        Language::Glsl => {
            features -= Features::FLOAT16
                | Features::INT64
                | Features::BUFFER_INT64_ATOMICS
                | Features::SHARED_INT64_ATOMICS;
            features |= Features::CASTS_IN_FUNCTIONS;
        }
        Language::Hlsl => {
            features -= Features::DRAW_PARAMETERS;
            features |= Features::CASTS_IN_FUNCTIONS | Features::PORTABLE_TEXTURE_ARRAYS;
        }
        // What every browser has, and subgroups. wgpu has extensions of WGSL for the others.
        Language::Wgsl => {
            features -= Features::DRAW_PARAMETERS
                | Features::FLOAT16
                | Features::FLOAT64
                | Features::INT64
                | Features::BUFFER_INT64_ATOMICS
                | Features::SHARED_INT64_ATOMICS
                | Features::PSEUDO_IMAGE_ATOMICS
                | Features::MULTIVIEW
                | Features::BARYCENTRICS;
        }
        Language::Msl => {
            features |= Features::PORTABLE_TEXTURE_ARRAYS | Features::PORTABLE_BUFFER_ARRAYS;
        }
    }
    Profile {
        target: Target::new(vulkan, Style::Portable, features),
        limits: Limits::without_device(UNBOUNDED_ELEMENTS),
        texel_buffers: false,
        storage_image_formats: true,
        dense_bindings: false,
        descriptor_heaps: None,
        device_addresses: false,
        subgroup_sizes: (4, 128),
        robust: false,
        residency: false,
        executes_dxil: false,
        keep_denormals: false,
        checks: dxil_cpu::Checks::NONE,
    }
}

/// A module that naga has read and found valid.
#[derive(Debug)]
pub struct PortableModule {
    module: naga::Module,
    info: ModuleInfo,
    casts: FloatCasts,
    nesting: usize,
}

impl PortableModule {
    /// Reads SPIR-V words.
    ///
    /// # Errors
    ///
    /// [`Error::Limit`] for constructs that are nested too deeply, and [`Error::Language`] for a
    /// module that naga does not accept.
    pub fn read(words: &[u32]) -> Result<Self> {
        let nesting = words::nesting(words);
        if nesting > MAX_NESTING {
            return Err(Error::Limit {
                what: "constructs inside of one another, for naga",
                need: nesting as u64,
                limit: MAX_NESTING as u64,
            });
        }
        if words::has_geometry_stage(words) {
            return Err(lacks(
                "its IR",
                "a geometry stage, which HLSL and GLSL have (docs/upstream/README.md)",
            ));
        }
        guarded("its SPIR-V front end", nesting, || {
            PortableModule::parse(words, nesting)
        })
    }

    fn parse(words: &[u32], nesting: usize) -> Result<Self> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let options = naga::front::spv::Options {
            // The vertex shader's output is D3D's already.
            adjust_coordinate_space: false,
            strict_capabilities: false,
            block_ctx_dump_prefix: None,
        };
        let mut module = naga::front::spv::parse_u8_slice(&bytes, &options)
            .map_err(|error| refused("its SPIR-V front end", &error))?;
        let casts = corrections::correct_parsed(&mut module)
            .map_err(|reason| lacks("its SPIR-V front end", reason))?;
        let info = validated(&module)?;
        corrections::correct_validated(&mut module, &info);
        Ok(PortableModule {
            module,
            info,
            casts,
            nesting,
        })
    }

    /// Returns the naga module.
    ///
    /// # Errors
    ///
    /// [`Error::Language`] if only the text of a language can express the module.
    pub(crate) fn into_naga(self) -> Result<naga::Module> {
        if self.casts.have_doubles() {
            return Err(lacks("its IR", "a cast between a double and two words"));
        }
        Ok(self.module)
    }

    /// Returns the binding in GLSL of each group and binding: their rank, since GLSL has no groups.
    /// A texture that is read with several samplers has further bindings after these, which
    /// comments at the end of the text describe.
    pub fn glsl_bindings(&self) -> BTreeMap<(u32, u32), u8> {
        let variables = self.module.global_variables.iter();
        let bound = variables.filter_map(|(_, variable)| variable.binding);
        let mut slots: Vec<_> = bound.map(|slot| (slot.group, slot.binding)).collect();
        slots.sort_unstable();
        slots.dedup();
        // GLSL backends have no more than 256 bindings; what lies beyond has none.
        slots.into_iter().zip(0..=u8::MAX).collect()
    }

    /// Returns the places of the entry point's arguments in MSL. Vertex buffers, whose numbers the
    /// host chooses, need others than these.
    ///
    /// # Errors
    ///
    /// [`Error::Language`] if Metal has too few places.
    pub fn metal_slots(&self) -> Result<MetalSlots> {
        let changed = self.for_writer(Language::Msl, "its MSL writer")?;
        let (module, info) = self.or_own(&changed);
        match module.entry_points.first() {
            Some(_) => MetalSlots::of(module, info.get_entry_point(0)).map_err(too_few_slots),
            None => Ok(MetalSlots::default()),
        }
    }

    /// Returns the module in a language. `stage` and `entry` name the entry point.
    ///
    /// # Errors
    ///
    /// [`Error::Language`] if the language or its writer lacks what the module uses.
    pub fn write(&self, language: Language, stage: ShaderKind, entry: &str) -> Result<String> {
        match language {
            Language::Wgsl => guarded("its WGSL writer", self.nesting, || self.write_wgsl(None)),
            Language::Msl => guarded("its MSL writer", self.nesting, || self.write_msl()),
            Language::Glsl => guarded("its GLSL writer", self.nesting, || {
                self.write_glsl(stage, entry)
            }),
            Language::Hlsl => guarded("its HLSL writer", self.nesting, || {
                self.write_hlsl(&HlslRegisters::default())
            }),
        }
    }

    /// Returns the module in WGSL for a device of WebGPU, as browsers have them. What
    /// [`PortableModule::write`] returns may need more than the device has.
    ///
    /// # Errors
    ///
    /// As [`PortableModule::write`]; [`Error::Unsupported`] with a feature that the device lacks,
    /// and [`Error::Limit`] with a limit that the stage exceeds.
    pub fn write_webgpu(&self, device: &WebGpu) -> Result<String> {
        guarded("its WGSL writer", self.nesting, || {
            self.write_wgsl(Some(device))
        })
    }

    /// Returns the module in HLSL with the registers that the program's layout was made for. In
    /// [`PortableModule::write`], register and space are binding and descriptor set.
    ///
    /// Root constants keep their register too. Hidden counters have none in the source; they are in
    /// [`COUNTERS_SPACE`]. If a register space is above 255, which the writer cannot express, all
    /// registers are bindings.
    ///
    /// # Errors
    ///
    /// As [`PortableModule::write`].
    pub fn write_hlsl_with_registers(&self, layout: &Layout) -> Result<String> {
        guarded("its HLSL writer", self.nesting, || {
            self.write_hlsl(&HlslRegisters::of(layout))
        })
    }

    /// Returns the module that the writer of a language gets, with the validator's facts about it;
    /// `None` if it is this one.
    fn for_writer(&self, language: Language, who: &'static str) -> Result<Option<Changed>> {
        corrections::for_writer(&self.module, &self.info, &self.casts, language)
            .map_err(|reason| lacks(who, reason))
    }

    /// Returns a changed module, or else this one.
    fn or_own<'a>(&'a self, changed: &'a Option<Changed>) -> (&'a naga::Module, &'a ModuleInfo) {
        match changed {
            Some((module, info)) => (module, info),
            None => (&self.module, &self.info),
        }
    }

    /// Returns the text that a writer wrote, corrected.
    fn corrected(
        &self,
        text: String,
        registers: &HlslRegisters,
        metal: Option<&MetalSlots>,
        (language, who): (Language, &'static str),
    ) -> Result<String> {
        let written = TextContext {
            module: &self.module,
            casts: &self.casts,
            metal,
            registers,
        };
        corrections::correct_text(&written, language, text).map_err(|reason| lacks(who, reason))
    }

    /// Writes WGSL, and reads and validates it again, since naga writes some WGSL that it cannot
    /// read, such as 64-bit literals without their type.
    /// Returns the module in WGSL; with a device, only if it has what the module needs.
    fn write_wgsl(&self, device: Option<&WebGpu>) -> Result<String> {
        let changed = self.for_writer(Language::Wgsl, "its WGSL writer")?;
        let (module, info) = self.or_own(&changed);
        let flags = naga::back::wgsl::WriterFlags::empty();
        let text = naga::back::wgsl::write_string(module, info, flags)
            .map_err(|error| refused("its WGSL writer", &error))?;
        let parsed = naga::front::wgsl::parse_str(&text)
            .map_err(|error| refused("its WGSL front end", &error))?;
        // The text gets a directive that allows derivatives anywhere.
        let flags = ValidationFlags::all() - ValidationFlags::CONTROL_FLOW_UNIFORMITY;
        Validator::new(flags, Capabilities::all())
            .validate(&parsed)
            .map_err(|error| refused("its validator, of the WGSL", &error.into_inner()))?;
        let registers = HlslRegisters::default();
        let text = self.corrected(text, &registers, None, (Language::Wgsl, "its WGSL writer"))?;
        if let Some(device) = device {
            device.check(module, info, &text)?;
        }
        Ok(text)
    }

    fn write_msl(&self) -> Result<String> {
        let changed = self.for_writer(Language::Msl, "its MSL writer")?;
        let (module, info) = self.or_own(&changed);
        let is_double = |inner: &naga::TypeInner| inner.scalar() == Some(naga::Scalar::F64);
        if self.module.types.iter().any(|(_, ty)| is_double(&ty.inner)) {
            return Err(Error::Language {
                who: "its MSL writer",
                reason: "Metal has no 64-bit floats".to_owned(),
            });
        }
        let slots = self.metal_slots()?;
        let resources = slots.for_naga();
        let points = module.entry_points.iter();
        let options = naga::back::msl::Options {
            lang_version: self.metal_version(),
            per_entry_point_map: points
                .map(|point| (point.name.clone(), resources.clone()))
                .collect(),
            fake_missing_bindings: false,
            ..Default::default()
        };
        let pipeline = naga::back::msl::PipelineOptions::default();
        let (text, written) = naga::back::msl::write_string(module, info, &options, &pipeline)
            .map_err(|error| refused("its MSL writer", &error))?;
        // Entry points without a place for each argument are left out of the text.
        let mut points = written.entry_point_names.into_iter();
        if let Some(error) = points.find_map(std::result::Result::err) {
            return Err(refused("its MSL writer", &error));
        }
        let registers = HlslRegisters::default();
        let who = (Language::Msl, "its MSL writer");
        self.corrected(text, &registers, Some(&slots), who)
    }

    /// Returns 3.1, or 4.0 for per-vertex inputs.
    fn metal_version(&self) -> (u8, u8) {
        if unsupported::has_inputs_per_vertex(&self.module) {
            (4, 0)
        } else {
            (3, 1)
        }
    }

    fn write_glsl(&self, stage: ShaderKind, entry: &str) -> Result<String> {
        if let Some(paired) = corrections::paired(&self.module, Language::Glsl) {
            let module = PortableModule {
                info: validated(&paired.module)?,
                module: paired.module,
                // The functions are the same, with other variables in them.
                casts: self.casts.clone(),
                nesting: self.nesting,
            };
            return Ok(module.write_glsl(stage, entry)? + &paired.notes);
        }
        let changed = self.for_writer(Language::Glsl, "its GLSL writer")?;
        let (module, info) = self.or_own(&changed);
        let refused = |error: &dyn std::error::Error| refused("its GLSL writer", error);
        let options = naga::back::glsl::Options {
            version: naga::back::glsl::Version::Desktop(460),
            // The vertex shader's output is D3D's already, as on the way in.
            writer_flags: naga::back::glsl::WriterFlags::empty(),
            binding_map: self
                .glsl_bindings()
                .into_iter()
                .map(|((group, binding), number)| {
                    (naga::ResourceBinding { group, binding }, number)
                })
                .collect(),
            ..Default::default()
        };
        let shader_stage = match stage {
            ShaderKind::Vertex => naga::ShaderStage::Vertex,
            ShaderKind::Pixel => naga::ShaderStage::Fragment,
            _ => naga::ShaderStage::Compute,
        };
        let pipeline = naga::back::glsl::PipelineOptions {
            shader_stage,
            entry_point: entry.to_owned(),
            multiview: None,
        };
        let mut text = String::new();
        let mut writer = naga::back::glsl::Writer::new(
            &mut text,
            module,
            info,
            &options,
            &pipeline,
            naga::proc::BoundsCheckPolicies::default(),
        )
        .map_err(|error| refused(&error))?;
        writer.write().map_err(|error| refused(&error))?;
        let registers = HlslRegisters::default();
        self.corrected(text, &registers, None, (Language::Glsl, "its GLSL writer"))
    }

    fn write_hlsl(&self, registers: &HlslRegisters) -> Result<String> {
        let changed = self.for_writer(Language::Hlsl, "its HLSL writer")?;
        let (module, info) = self.or_own(&changed);
        let module = registers.with_uavs(module);
        let mut bindings = registers.binding_map();
        hlsl_arrays::give_sizes(&module, &mut bindings);
        let options = naga::back::hlsl::Options {
            shader_model: naga::back::hlsl::ShaderModel::V6_7,
            fake_missing_bindings: true,
            binding_map: bindings,
            immediates_target: Some(registers.immediates()),
            ..Default::default()
        };
        let pipeline = naga::back::hlsl::PipelineOptions::default();
        let mut text = String::new();
        let mut writer = naga::back::hlsl::Writer::new(&mut text, &options, &pipeline);
        writer
            .write(&module, info, None)
            .map_err(|error| refused("its HLSL writer", &error))?;
        self.corrected(text, registers, None, (Language::Hlsl, "its HLSL writer"))
    }
}

fn too_few_slots(reason: String) -> Error {
    Error::Language {
        who: "its MSL writer",
        reason,
    }
}

/// Validates a module.
fn validated(module: &naga::Module) -> Result<ModuleInfo> {
    Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(module)
        .map_err(|error| refused("its validator", &error.into_inner()))
}

/// Returns the naga module of a WGSL text.
pub(crate) fn parse_wgsl(text: &str) -> Result<naga::Module> {
    guarded("its WGSL front end", 0, || {
        let text = legalize_text::wgsl_for_naga(text);
        naga::front::wgsl::parse_str(text).map_err(|error| refused("its WGSL front end", &error))
    })
}

/// Turns a panic of naga into an error, and gives it a deep stack where it needs one.
fn guarded<T: Send>(
    who: &'static str,
    nesting: usize,
    work: impl FnOnce() -> Result<T> + Send,
) -> Result<T> {
    if nesting > DEEP_NESTING {
        return deep(who, || guarded(who, 0, work));
    }
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let reason = format!("it panicked: {}", text.unwrap_or("without a message"));
        Err(Error::Language { who, reason })
    })
}

/// Runs work that recurses deeply on a thread with a deep stack.
fn deep<T: Send>(who: &'static str, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    let failed = |reason: String| Error::Language { who, reason };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(DEEP_STACK);
        let running = thread
            .spawn_scoped(scope, work)
            .map_err(|error| failed(format!("a thread with a deep stack: {error}")))?;
        let end = running.join();
        end.unwrap_or_else(|_| Err(failed("its thread panicked".to_owned())))
    })
}

/// Returns the error for what a language or a part of naga lacks.
fn lacks(who: &'static str, reason: &str) -> Error {
    Error::Language {
        who,
        reason: reason.to_owned(),
    }
}

fn refused(who: &'static str, error: &dyn std::error::Error) -> Error {
    let mut reason = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        reason.push_str(": ");
        reason.push_str(&error.to_string());
        cause = error.source();
    }
    Error::Language { who, reason }
}
