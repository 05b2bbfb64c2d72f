//! The one error type of this crate. Each message says what to do next where there is something.

use std::time::Duration;

use dxil_frontend::shown::bounded;

use crate::job::Register;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Text of the input within a message.
fn shown(text: &str) -> String {
    const MAX: usize = 3800;
    bounded(text, MAX)
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The container or module is bad or not supported.
    #[error(transparent)]
    Frontend(#[from] dxil_frontend::Error),
    /// The shader could not be translated.
    #[error(transparent)]
    Translate(#[from] dxil_translate::Error),
    /// The CPU backend cannot decode or execute the shader.
    #[error(transparent)]
    Cpu(#[from] dxil_cpu::Error),
    /// No Vulkan loader.
    #[error(
        "no Vulkan loader ({0}); on Debian install it and a driver: apt install libvulkan1 mesa-vulkan-drivers"
    )]
    NoLoader(String),
    /// A loader, but no device.
    #[error(
        "the Vulkan loader finds no device; on Debian install a driver: apt install mesa-vulkan-drivers (lavapipe, which needs no GPU, is in it)"
    )]
    NoDevice,
    /// There are devices, but not that many.
    #[error("there is no device {index}; --list-devices shows the {count} that are there")]
    NoSuchDevice {
        /// The wished number.
        index: usize,
        /// How many there are.
        count: usize,
    },
    /// The validation layer is wished for and missing.
    #[error(
        "the Vulkan validation layer is not installed; on Debian: apt install vulkan-validationlayers (or point VK_LAYER_PATH to it)"
    )]
    NoValidationLayer,
    /// A register that the shader uses and the job does not bind.
    #[error("nothing is bound to {register} ({}); bind it with --bind {register}=...", shown(.what))]
    Unbound {
        /// The register.
        register: Register,
        /// What the shader declares there.
        what: String,
    },
    /// A view that does not fit what the shader declares.
    #[error("{register}: {}", shown(.problem))]
    BadView {
        /// The register.
        register: Register,
        /// Why it does not fit.
        problem: String,
    },
    /// A job that contradicts itself.
    #[error("{}", shown(.0))]
    BadJob(String),
    /// The root signature does not fit the shader or contradicts itself.
    #[error("root signature: {}", shown(.0))]
    RootSignature(String),
    /// Nodes that make no graph.
    #[error("work graph: {}", shown(.0))]
    WorkGraph(String),
    /// The device lacks something.
    #[error("this device cannot do it: {}", shown(.0))]
    Unsupported(String),
    /// naga cannot bring the shader into another language.
    #[error("naga refuses this shader ({who}): {}", shown(.reason))]
    Language {
        /// Which part of naga.
        who: &'static str,
        /// What it said, with the causes.
        reason: String,
    },
    /// A limit of the device.
    #[error("{what}: {need} is more than the device's limit of {limit}")]
    Limit {
        /// What is limited.
        what: &'static str,
        /// What the job needs.
        need: u64,
        /// What the device has.
        limit: u64,
    },
    /// The device was lost.
    #[error("the device was lost (a fault in the shader or the driver)")]
    DeviceLost,
    /// No memory.
    #[error("out of {0} memory")]
    OutOfMemory(&'static str),
    /// The work did not end in time.
    #[error(
        "the work did not end within {0:?}; give it more with --timeout, or look for an endless loop in the shader"
    )]
    Timeout(Duration),
    /// The validation layer complained.
    #[error("the validation layer reported {} message(s):\n{}", .0.len(), .0.join("\n"))]
    Validation(Vec<String>),
    /// A call of the API failed.
    #[error("{call} failed: {reason}")]
    Api {
        /// The call.
        call: &'static str,
        /// What it said.
        reason: String,
    },
}
