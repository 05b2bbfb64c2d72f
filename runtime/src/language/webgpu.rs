//! What a module needs of a device of WebGPU.
//!
//! A text of WGSL can be right and still not be accepted: WebGPU limits the resources of a stage
//! (3.6.2 "Limits"), and has features that a device may lack (24 "Feature Index"; WGSL, 4.1.1
//! "Enable Extensions").

use naga::valid::ModuleInfo;
use naga::{
    AddressSpace, GlobalVariable, ImageClass, Module, ShaderStage, StorageAccess, StorageFormat,
    TypeInner,
};

use crate::error::{Error, Result};

/// A device of WebGPU: its features, and the limits that matter for a shader.
///
/// [`WebGpu::default`] is what every adapter has: no features, and the limits of the specification.
/// With more, `features` and limits are those of a `GPUDevice`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WebGpu {
    /// The features by name, as `texture-formats-tier2`.
    pub features: Vec<String>,
    /// The limits.
    pub limits: WebGpuLimits,
}

macro_rules! limits {
    ($($field:ident $name:literal $default:literal $what:literal,)*) => {
        /// Limits of WebGPU (3.6.2 "Limits"), for one stage.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct WebGpuLimits {
            $(#[doc = $what] pub $field: u32,)*
        }

        impl Default for WebGpuLimits {
            fn default() -> Self {
                WebGpuLimits { $($field: $default,)* }
            }
        }

        impl WebGpuLimits {
            /// The names of the limits in a `GPUSupportedLimits`.
            pub const NAMES: &'static [&'static str] = &[$($name,)*];

            /// Returns a limit by its name in a `GPUSupportedLimits`.
            pub fn get_mut(&mut self, name: &str) -> Option<&mut u32> {
                match name {
                    $($name => Some(&mut self.$field),)*
                    _ => None,
                }
            }

            /// Returns what uses nothing.
            fn none() -> Self {
                WebGpuLimits { $($field: 0,)* }
            }

            /// Returns the first limit that is exceeded.
            fn fits(&self, limits: &WebGpuLimits) -> Result<()> {
                $(if self.$field > limits.$field {
                    return Err(Error::Limit {
                        what: $name,
                        need: self.$field.into(),
                        limit: limits.$field.into(),
                    });
                })*
                Ok(())
            }
        }
    };
}

limits! {
    bind_groups "maxBindGroups" 4 "Bind groups.",
    bindings "maxBindingsPerBindGroup" 1000 "Bindings of a group: numbers are below it.",
    sampled_textures "maxSampledTexturesPerShaderStage" 16 "Sampled textures.",
    samplers "maxSamplersPerShaderStage" 16 "Samplers.",
    storage_buffers "maxStorageBuffersPerShaderStage" 8 "Storage buffers.",
    storage_textures "maxStorageTexturesPerShaderStage" 4 "Storage textures.",
    uniform_buffers "maxUniformBuffersPerShaderStage" 12 "Uniform buffers.",
    workgroup_bytes "maxComputeWorkgroupStorageSize" 16_384 "Bytes of groupshared memory.",
    invocations "maxComputeInvocationsPerWorkgroup" 256 "Threads of a group.",
    size_x "maxComputeWorkgroupSizeX" 256 "Threads of a group along x.",
    size_y "maxComputeWorkgroupSizeY" 256 "Threads of a group along y.",
    size_z "maxComputeWorkgroupSizeZ" 64 "Threads of a group along z.",
    immediate_bytes "maxImmediateSize" 64 "Bytes of root constants.",
}

impl WebGpu {
    /// Checks a module, whose text begins with directives.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] names a feature that the device lacks or that WebGPU does not have,
    /// and [`Error::Limit`] a limit.
    pub(super) fn check(&self, module: &Module, info: &ModuleInfo, text: &str) -> Result<()> {
        self.check_directives(text)?;
        let Some(point) = module.entry_points.first() else {
            return Ok(());
        };
        let used = info.get_entry_point(0);
        let mut need = WebGpuLimits::none();
        for (handle, variable) in module.global_variables.iter() {
            // A text with a format that WebGPU lacks is refused, whether or not something uses it.
            self.check_type(module, variable)?;
            if !used[handle].is_empty() {
                need.add(module, variable);
            }
        }
        if point.stage == ShaderStage::Compute {
            let [x, y, z] = point.workgroup_size;
            (need.size_x, need.size_y, need.size_z) = (x, y, z);
            need.invocations = x.saturating_mul(y).saturating_mul(z);
        }
        need.fits(&self.limits)
    }

    fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|there| there == feature)
    }

    fn require(&self, feature: &'static str, user: &str) -> Result<()> {
        if self.has(feature) {
            return Ok(());
        }
        Err(Error::Unsupported(format!(
            "{user} needs the WebGPU feature `{feature}`"
        )))
    }

    /// Checks the extensions that the text enables.
    fn check_directives(&self, text: &str) -> Result<()> {
        let directives = text.lines().take_while(|line| {
            let words = ["enable ", "requires ", "diagnostic"];
            line.is_empty() || words.iter().any(|word| line.starts_with(word))
        });
        let enabled = directives.filter_map(|line| line.strip_prefix("enable "));
        for names in enabled {
            for name in names.trim_end_matches(';').split(',') {
                let name = name.trim();
                let feature = match name {
                    "clip_distances" => "clip-distances",
                    "dual_source_blending" => "dual-source-blending",
                    "f16" => "shader-f16",
                    "primitive_index" => "primitive-index",
                    "subgroups" => "subgroups",
                    other => return Err(never(&format!("the extension `{other}` of WGSL"))),
                };
                self.require(feature, &format!("`enable {name}`"))?;
            }
        }
        Ok(())
    }

    /// Checks the format of a storage texture (WebGPU, 26.1.1 "Plain color formats").
    fn check_type(&self, module: &Module, variable: &GlobalVariable) -> Result<()> {
        let TypeInner::Image {
            class: ImageClass::Storage { format, access },
            ..
        } = module.types[variable.ty].inner
        else {
            return Ok(());
        };
        let name = format!("{format:?}").to_lowercase();
        if access.contains(StorageAccess::ATOMIC) {
            return Err(never(&format!("an atomic on a texture of {name}")));
        }
        match Tier::of(format) {
            Tier::None => return Err(never(&format!("a storage texture of {name}"))),
            Tier::Bgra => self.require("bgra8unorm-storage", "a storage texture of bgra8unorm")?,
            // The second tier has the first.
            Tier::Formats if !self.has("texture-formats-tier2") => {
                let user = format!("a storage texture of {name}");
                self.require("texture-formats-tier1", &user)?;
            }
            Tier::Formats | Tier::Core => {}
        }
        if access.contains(StorageAccess::LOAD | StorageAccess::STORE) {
            let user = format!("a texture of {name} that is read and written");
            match Access::of(format) {
                Access::Core => {}
                Access::Tier2 => self.require("texture-formats-tier2", &user)?,
                Access::Never => return Err(never(&user)),
            }
        }
        Ok(())
    }
}

fn never(what: &str) -> Error {
    Error::Unsupported(format!("{what} (WebGPU has none)"))
}

/// What a storage texture of a format needs.
enum Tier {
    Core,
    /// `texture-formats-tier1`.
    Formats,
    /// `bgra8unorm-storage`.
    Bgra,
    None,
}

impl Tier {
    fn of(format: StorageFormat) -> Tier {
        use StorageFormat as F;
        match format {
            F::R32Uint
            | F::R32Sint
            | F::R32Float
            | F::Rgba8Unorm
            | F::Rgba8Snorm
            | F::Rgba8Uint
            | F::Rgba8Sint
            | F::Rg32Uint
            | F::Rg32Sint
            | F::Rg32Float
            | F::Rgba16Uint
            | F::Rgba16Sint
            | F::Rgba16Float
            | F::Rgba32Uint
            | F::Rgba32Sint
            | F::Rgba32Float => Tier::Core,
            F::Bgra8Unorm => Tier::Bgra,
            F::R64Uint => Tier::None,
            _ => Tier::Formats,
        }
    }
}

/// What reading and writing a storage texture of a format needs.
enum Access {
    Core,
    /// `texture-formats-tier2`.
    Tier2,
    Never,
}

impl Access {
    fn of(format: StorageFormat) -> Access {
        use StorageFormat as F;
        match format {
            F::R32Uint | F::R32Sint | F::R32Float => Access::Core,
            F::R8Unorm
            | F::R8Uint
            | F::R8Sint
            | F::R16Uint
            | F::R16Sint
            | F::R16Float
            | F::Rgba8Unorm
            | F::Rgba8Uint
            | F::Rgba8Sint
            | F::Rgba16Uint
            | F::Rgba16Sint
            | F::Rgba16Float
            | F::Rgba32Uint
            | F::Rgba32Sint
            | F::Rgba32Float => Access::Tier2,
            _ => Access::Never,
        }
    }
}

impl WebGpuLimits {
    /// Adds what a variable takes.
    fn add(&mut self, module: &Module, variable: &GlobalVariable) {
        if let Some(at) = &variable.binding {
            self.bind_groups = self.bind_groups.max(at.group.saturating_add(1));
            self.bindings = self.bindings.max(at.binding.saturating_add(1));
        }
        let size = || {
            let inner = &module.types[variable.ty].inner;
            inner.try_size(module.to_ctx()).unwrap_or(u32::MAX)
        };
        match variable.space {
            AddressSpace::Uniform => self.uniform_buffers += 1,
            AddressSpace::Storage { .. } => self.storage_buffers += 1,
            // Each variable begins at a multiple of 16 bytes.
            AddressSpace::WorkGroup => {
                let bytes = size().checked_next_multiple_of(16).unwrap_or(u32::MAX);
                self.workgroup_bytes = self.workgroup_bytes.saturating_add(bytes);
            }
            AddressSpace::Immediate => self.immediate_bytes = self.immediate_bytes.max(size()),
            AddressSpace::Handle => match module.types[variable.ty].inner {
                TypeInner::Sampler { .. } => self.samplers += 1,
                TypeInner::Image {
                    class: ImageClass::Storage { .. },
                    ..
                } => self.storage_textures += 1,
                TypeInner::Image { .. } => self.sampled_textures += 1,
                _ => {}
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests;
