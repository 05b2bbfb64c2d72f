//! Choices that a caller has when a program is made.

use dxil_frontend::dxil::Shader;
use dxil_translate::{
    BindingMap, Numerics, Options, SignatureOptions, SourceDebugInfo, Translation, VendorOptions,
};

use crate::cache::{Cached, SourceHash};
use crate::device::Profile;
use crate::error::{Error, Result};
use crate::root_signature::RootDescriptors;

/// Options of the compilation of a program. Begin with the defaults and set fields.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CompileOptions {
    /// Entry point; default: the only one.
    pub entry: Option<String>,
    /// Names in the code.
    pub debug_info: bool,
    /// The debug information that the code keeps; the shaders must be read with theirs.
    pub source: SourceDebugInfo,
    /// Min-precision types (`min16float` ...) in native 16 bits, on devices that have them.
    pub native_min_precision: bool,
    /// Leave out checks of indices into groupshared memory, as D3D12 layers do:
    /// [`Options::unchecked_group_memory`].
    pub unchecked_group_memory: bool,
    /// Allow operations of the preview shader model 6.10: [`Options::preview`].
    pub preview: bool,
    /// Measure the steps of translations: [`StageCode::timings`](super::StageCode::timings).
    pub timings: bool,
    /// The treatment of vendors' shader extensions.
    pub vendor: VendorOptions,
    /// The form in which root descriptors reach the shader.
    pub root_descriptors: RootDescriptors,
    /// The connection of signature elements to other stages and to the pipeline's state.
    pub signature: SignatureOptions,
    /// What the device computes by itself, if not what its driver is known for.
    pub numerics: Option<Numerics>,
    /// The cache for translations; default: none.
    pub cache: Option<Cached>,
    /// Take translations from the cache and make none: what is not there is
    /// [`Error::NotCached`].
    pub only_cached: bool,
    /// CPU only: whether a debugger can watch the code
    /// ([`Pipeline::run_watched`](crate::Pipeline::run_watched)), which makes it slower.
    pub watched: bool,
}

impl CompileOptions {
    /// Returns the translator's options that are the same for every stage of a program.
    pub(crate) fn for_translation(&self, profile: &Profile, bindings: BindingMap) -> Options {
        let mut options = Options::default();
        options.target = profile.target;
        if let Some(numerics) = self.numerics {
            options.target.numerics = numerics;
        }
        options.bindings = bindings;
        options.bounds_checks = !profile.robust;
        options.debug_info = self.debug_info;
        options.source = self.source;
        options.native_min_precision = self.native_min_precision;
        options.unchecked_group_memory = self.unchecked_group_memory;
        options.preview = self.preview;
        options.timings = self.timings;
        options.vendor = self.vendor;
        options
    }

    /// Translates one stage, or takes it from the cache; `source` is what the stage was read from.
    pub(crate) fn translate(
        &self,
        shader: &Shader,
        source: Option<SourceHash>,
        options: &Options,
    ) -> Result<Translation> {
        if self.only_cached {
            let known = self.cache.as_ref().zip(source);
            let found = known.and_then(|(kept, source)| kept.cache.find(source, options));
            return found.ok_or(Error::NotCached);
        }
        Ok(match (&self.cache, source) {
            (Some(kept), Some(source)) => kept.cache.translate(source, shader, options)?,
            _ => dxil_translate::translate(shader, options)?,
        })
    }
}
