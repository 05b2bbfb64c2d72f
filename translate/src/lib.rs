//! Translates a decoded DXIL shader into SPIR-V words plus a reflection of what they bind.
//!
//! ```text
//! Shader -> interface (where each resource lives) -> Cfg -> StructuredCfg -> lower -> words
//! ```
//!
//! The crate does not access a device: the target is data ([`Target`]), and so is the location of
//! every resource ([`BindingMap`]). No input makes it panic.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use dxil_frontend::dxil::read_shader;
//! use dxil_translate::{BindingMap, DescriptorSlot, Location, Options, ResourceKey, translate};
//!
//! # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../runtime/tests/data/saxpy.dxil");
//! let shader = read_shader(&std::fs::read(file)?)?;
//! // All resources in set 0, in the order of their declarations.
//! let mut bindings = BindingMap::new();
//! for (resource, binding) in shader.resources.iter().zip(0..) {
//!     let key = ResourceKey { class: resource.class, id: resource.id };
//!     let location = Location::Descriptor {
//!         slot: DescriptorSlot { set: 0, binding },
//!         first_index: 0,
//!         counter: None,
//!         format: None,
//!     };
//!     bindings.insert(key, location);
//! }
//! let mut options = Options::default();
//! options.bindings = bindings;
//! let translation = translate(&shader, &options)?;
//! // The magic number of SPIR-V, section 2.3.
//! assert_eq!(translation.words[0], 0x0723_0203);
//! assert_eq!(translation.interface.workgroup_size, Some([64, 1, 1]));
//! assert_eq!(translation.interface.bindings.len(), 3);
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]
#![warn(clippy::missing_errors_doc)]

mod analysis;
mod binding_map;
mod budget;
mod bytes;
pub mod cfg;
mod consumer;
mod debug_info;
mod entry;
mod error;
mod hit_objects;
mod inline;
mod instrumentation;
mod interface;
mod lint;
mod lower;
mod matrices;
pub mod node_protocol;
mod numerics;
mod options;
#[cfg(any(test, feature = "oracle"))]
#[doc(hidden)]
pub mod oracle;
mod pipeline;
mod pseudo;
pub mod pseudo_arrays;
pub mod pseudo_atomics;
mod reflection;
mod signature_note;
mod signature_options;
#[allow(
    dead_code,
    reason = "the builder offers whole families of types and instructions"
)]
mod spirv;
pub mod structurize;
mod texel_format;
mod timings;
mod vectors;
mod vendor;
mod workarounds;

pub use binding_map::{
    BindingMap, Counter, DescriptorHeaps, DescriptorSlot, HeapSize, LocalTables, Location,
    RangeTable, ResourceKey,
};
pub use bytes::{in_source, translate_bytes};
pub use debug_info::debug_instruction_name;
pub use dxil_texel::ComponentBits;
pub use error::{Category, Error, ErrorKind, PortableForm, Result};
pub use instrumentation::{
    Assumption, DescriptorChecks, InstructionCheck, InstructionChecks, Instrumentation,
};
pub use interface::{
    BindingUse, DenormalMode, DescriptorKind, Interface, Translation, Warning, heap_uses,
    resource_uses,
};
pub use lint::{Lint, lint};
pub use numerics::{
    BufferAccess, ConstantOperands, Division, FloatToInt, Fract, HalfPacking, MultiplyAdd, Numerics,
};
pub use options::{
    Features, FeedbackTexel, Options, SourceDebugInfo, Style, Target, VulkanVersion,
};
pub use pipeline::translate;
pub use signature_note::SignatureNote;
pub use signature_options::{
    ElementPlace, RasterSamples, SignatureKind, SignatureOptions, StreamOutput, StreamOutputEntry,
    ViewIdSource, ViewInstancing,
};
pub use texel_format::{Numeric, TexelFormat};
pub use timings::{Step, Timings};
pub use vendor::{AGS_SPACE, Vendor, VendorOperation, VendorOptions, describe_vendor_operation};
pub use workarounds::{Quirks, Workarounds};

/// Version of this crate and a hash of the sources of everything between container and words. A
/// cache of translations has to compare it besides the input and the [`Options`].
pub const TRANSLATOR_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "-",
    env!("DXIL_TRANSLATOR_SOURCES")
);
