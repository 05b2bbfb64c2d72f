//! The error type of this crate.

use std::time::Duration;

use dxil_frontend::escape::bounded;

use crate::device::Backend;
use crate::resource::Register;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Returns text of the input as it stands in a message.
fn shown(text: &str) -> String {
    // The whole message stays below the limit that `oracle` asserts, with room for the words around
    // it.
    const MAX: usize = 3800;
    bounded(text, MAX)
}

/// The cause of the error.
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
    /// An error about one of several stages of a program.
    #[error("stage {index}: {error}")]
    Stage {
        /// Index into the stages that were given.
        index: usize,
        /// The problem.
        error: Box<Error>,
    },
    /// No Vulkan loader.
    #[error(
        "no Vulkan loader ({0}); on Debian install it and a driver: apt install libvulkan1 mesa-vulkan-drivers"
    )]
    NoLoader(String),
    /// The Vulkan loader finds no device.
    #[error(
        "the Vulkan loader finds no device; on Debian install a driver: apt install mesa-vulkan-drivers (lavapipe, which needs no GPU, is in it)"
    )]
    NoDevice,
    /// This build of the library leaves the backend out.
    #[error("this build has no {0} backend; the feature `{0}` adds it")]
    NoBackend(Backend),
    /// The device index is out of range.
    #[error("there is no device {index}: the backend has {count}")]
    NoSuchDevice {
        /// The number that was asked for.
        index: usize,
        /// The number of devices.
        count: usize,
    },
    /// The validation layer was requested and is not installed.
    #[error(
        "the Vulkan validation layer is not installed; on Debian: apt install vulkan-validationlayers (or point VK_LAYER_PATH to it)"
    )]
    NoValidationLayer,
    /// The shader uses a register that the job does not bind.
    #[error("nothing is bound to {register} ({})", shown(.what))]
    Unbound {
        /// The register.
        register: Register,
        /// The declaration of the shader.
        what: String,
    },
    /// A view that the declaration of the shader does not allow.
    #[error("{register}: {}", shown(.problem))]
    BadView {
        /// The register.
        register: Register,
        /// The contradiction.
        problem: String,
    },
    /// The cache lacks the translation, and none was to be made
    /// ([`CompileOptions::only_cached`](crate::program::CompileOptions::only_cached)).
    #[error("the cache has no translation of this shader for this target and layout")]
    NotCached,
    /// An inconsistent job.
    #[error("{}", shown(.0))]
    BadJob(String),
    /// The root signature is inconsistent, or does not match the shader.
    #[error("root signature: {}", shown(.0))]
    RootSignature(String),
    /// Nodes that do not form a valid work graph.
    #[error("work graph: {}", shown(.0))]
    WorkGraph(String),
    /// A stage of a draw reads what the stage before it does not write in that way.
    #[error("{}", shown(&format!(
        "the {reader} reads {element}, which the {writer} does not give it: {instead}"
    )))]
    StageLink {
        /// The stage that reads, with the name of its entry point.
        reader: String,
        /// The element: semantic, type and register.
        element: String,
        /// The stage before it.
        writer: String,
        /// The element that it writes instead, or all that it writes.
        instead: String,
    },
    /// The device or backend lacks a feature.
    #[error("not supported by this device: {}", shown(.0))]
    Unsupported(String),
    /// naga cannot translate the shader to another language.
    #[error("naga refuses this shader ({who}): {}", shown(.reason))]
    Language {
        /// The part of naga.
        who: &'static str,
        /// Its message, with the causes.
        reason: String,
    },
    /// The job exceeds a limit of the device.
    #[error("{what}: {need} is more than the device's limit of {limit}")]
    Limit {
        /// The limited quantity.
        what: &'static str,
        /// The need of the job.
        need: u64,
        /// The limit of the device.
        limit: u64,
    },
    /// A profile that names what does not exist.
    #[error("profile: {}", shown(.0))]
    BadProfile(String),
    /// A compiler of [`isa`](crate::isa) is missing, crashed, or refuses a shader.
    #[error("{}", shown(.0))]
    Compiler(String),
    /// The device was lost.
    #[error("the device was lost (a fault in the shader or the driver)")]
    DeviceLost,
    /// Memory ran out.
    #[error("out of {0} memory")]
    OutOfMemory(&'static str),
    /// The work did not end in time.
    #[error(
        "the work did not end within {0:?}; allow more time, or look for an infinite loop in the shader"
    )]
    Timeout(Duration),
    /// The CPU backend reached the time limit.
    #[error(
        "{place}: the work did not end within {limit:?}; allow more time, or look for an infinite loop there"
    )]
    CpuTimeout {
        /// The limit.
        limit: Duration,
        /// The location of the wave that noticed it.
        place: Box<dxil_cpu::CodeLocation>,
    },
    /// The validation layer reported errors.
    #[error("the validation layer reported {} message(s):\n{}", .0.len(), .0.join("\n"))]
    Validation(Vec<String>),
    /// A call of the API failed.
    #[error("{call} failed: {reason}")]
    Api {
        /// The call.
        call: &'static str,
        /// Its message.
        reason: String,
    },
}

impl Error {
    /// Returns the stages of a draw by themselves, on another backend than the CPU.
    pub(crate) fn stages_alone() -> Error {
        Error::Unsupported("stages of a draw by themselves, which the CPU backend runs".into())
    }

    /// Returns the error for a node that is dispatched like a compute shader.
    pub(crate) fn lone_node() -> Error {
        Error::BadJob("a node of a work graph runs as part of its graph".into())
    }

    /// Adds which of `stages` stages the error is about. A program of one stage needs no number.
    pub(crate) fn in_stage(self, index: usize, stages: usize) -> Self {
        match self {
            error @ Error::Stage { .. } => error,
            error if stages < 2 => error,
            error => Error::Stage {
                index,
                error: Box::new(error),
            },
        }
    }

    /// Returns a stable name of the kind of error, for callers that match on it.
    ///
    /// The errors of decoding, translation and the CPU executor keep their own codes, and so does
    /// the error within an [`Error::Stage`]. The others are:
    ///
    /// | code | kind |
    /// |---|---|
    /// | `no-backend` | [`Error::NoBackend`] |
    /// | `no-loader` | [`Error::NoLoader`] |
    /// | `no-device` | [`Error::NoDevice`] |
    /// | `no-such-device` | [`Error::NoSuchDevice`] |
    /// | `no-validation-layer` | [`Error::NoValidationLayer`] |
    /// | `unbound-register` | [`Error::Unbound`] |
    /// | `bad-view` | [`Error::BadView`] |
    /// | `not-cached` | [`Error::NotCached`] |
    /// | `bad-job` | [`Error::BadJob`] |
    /// | `root-signature` | [`Error::RootSignature`] |
    /// | `stage-link` | [`Error::StageLink`] |
    /// | `work-graph` | [`Error::WorkGraph`] |
    /// | `device-lacks` | [`Error::Unsupported`] |
    /// | `language` | [`Error::Language`] |
    /// | `device-limit` | [`Error::Limit`] |
    /// | `bad-profile` | [`Error::BadProfile`] |
    /// | `compiler` | [`Error::Compiler`] |
    /// | `device-lost` | [`Error::DeviceLost`] |
    /// | `out-of-memory` | [`Error::OutOfMemory`] |
    /// | `timeout` | [`Error::Timeout`], [`Error::CpuTimeout`] |
    /// | `validation` | [`Error::Validation`] |
    /// | `api` | [`Error::Api`] |
    pub fn code(&self) -> &'static str {
        match self {
            Error::Frontend(error) => error.code(),
            Error::Translate(error) => error.code(),
            Error::Cpu(error) => error.code(),
            Error::Stage { error, .. } => error.code(),
            Error::NoBackend(_) => "no-backend",
            Error::NoLoader(_) => "no-loader",
            Error::NoDevice => "no-device",
            Error::NoSuchDevice { .. } => "no-such-device",
            Error::NoValidationLayer => "no-validation-layer",
            Error::Unbound { .. } => "unbound-register",
            Error::BadView { .. } => "bad-view",
            Error::NotCached => "not-cached",
            Error::BadJob(_) => "bad-job",
            Error::RootSignature(_) => "root-signature",
            Error::StageLink { .. } => "stage-link",
            Error::WorkGraph(_) => "work-graph",
            Error::Unsupported(_) => "device-lacks",
            Error::Language { .. } => "language",
            Error::Limit { .. } => "device-limit",
            Error::BadProfile(_) => "bad-profile",
            Error::Compiler(_) => "compiler",
            Error::DeviceLost => "device-lost",
            Error::OutOfMemory(_) => "out-of-memory",
            Error::Timeout(_) | Error::CpuTimeout { .. } => "timeout",
            Error::Validation(_) => "validation",
            Error::Api { .. } => "api",
        }
    }
}
