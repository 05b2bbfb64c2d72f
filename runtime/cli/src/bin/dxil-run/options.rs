//! Values of options that are words.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ValueEnum;
use dxil_runtime::Backend;
use dxil_runtime::graphics::{Cull, Query};
use dxil_runtime::isa::Selection;
use dxil_runtime::job::Comparison;
use dxil_runtime::{Check, CodeChoice};
use dxil_translate::VulkanVersion;

/// The debug information that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DebugInfo {
    /// Source texts and line numbers (OpSource, OpLine).
    Lines,
    /// Also functions, inlined calls, types and variables (NonSemantic.Shader.DebugInfo.100).
    Full,
}

/// The output of --emit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// SPIR-V words.
    Spv,
    /// SPIR-V as text.
    Spvasm,
    /// WGSL, through naga.
    Wgsl,
    /// Metal Shading Language, through naga.
    Msl,
    /// GLSL 4.60, through naga.
    Glsl,
    /// HLSL for shader model 6, through naga.
    Hlsl,
}

impl Language {
    /// Returns the extension of its files.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Language::Spv => "spv",
            Language::Spvasm => "spvasm",
            Language::Wgsl => "wgsl",
            Language::Msl => "metal",
            Language::Glsl => "glsl",
            Language::Hlsl => "hlsl",
        }
    }
}

/// The texts that --assembly prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Assembly {
    /// The machine code.
    Machine,
    /// Also the driver's form with source lines, if it has one.
    Source,
    /// Also the forms that the driver had on the way to it.
    All,
}

/// Vulkan versions by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TargetVersion {
    /// SPIR-V 1.3.
    #[value(name = "vulkan1.1")]
    V1_1,
    /// SPIR-V 1.5.
    #[value(name = "vulkan1.2")]
    V1_2,
    /// SPIR-V 1.6.
    #[value(name = "vulkan1.3")]
    V1_3,
    /// SPIR-V 1.6.
    #[value(name = "vulkan1.4")]
    V1_4,
}

impl TargetVersion {
    /// Returns the translator's value.
    pub(crate) fn version(self) -> VulkanVersion {
        match self {
            TargetVersion::V1_1 => VulkanVersion::V1_1,
            TargetVersion::V1_2 => VulkanVersion::V1_2,
            TargetVersion::V1_3 => VulkanVersion::V1_3,
            TargetVersion::V1_4 => VulkanVersion::V1_4,
        }
    }
}

/// How the CPU backend executes arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CpuCode {
    /// Interpreted at first, and native code where that pays.
    Auto,
    /// Interpreted.
    Interpret,
    /// Native code from the start.
    Native,
}

impl CpuCode {
    /// Returns the runtime's value.
    pub(crate) fn choice(self) -> CodeChoice {
        match self {
            CpuCode::Auto => CodeChoice::Auto,
            CpuCode::Interpret => CodeChoice::Interpret,
            CpuCode::Native => CodeChoice::Native,
        }
    }
}

/// The device that modules are made for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Target {
    /// Any device with that version of Vulkan.
    Version(TargetVersion),
    /// One of those of --isa.
    Gpu(Selection),
    /// The device that a profile file describes.
    File(PathBuf),
    /// Any device of WebGPU.
    WebGpu,
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(version) = TargetVersion::from_str(text, true) {
            return Ok(Target::Version(version));
        }
        if text.eq_ignore_ascii_case("webgpu") {
            return Ok(Target::WebGpu);
        }
        if text.ends_with(".json") {
            return Ok(Target::File(text.into()));
        }
        let gpu = text.parse().map(Target::Gpu);
        gpu.map_err(|error: dxil_runtime::Error| {
            format!("{error}; other targets are vulkan1.1 to vulkan1.4, webgpu, and a profile, FILE.json")
        })
    }
}

/// Queries by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryName {
    /// Number of samples that pass all tests.
    Occlusion,
    /// Whether any sample passes.
    AnySample,
    /// Pipeline statistics.
    Statistics,
    /// Device ticks between the start and the end.
    Timestamps,
}

impl QueryName {
    /// Returns the runtime's value.
    pub(crate) fn query(self) -> Query {
        match self {
            QueryName::Occlusion => Query::Occlusion,
            QueryName::AnySample => Query::BinaryOcclusion,
            QueryName::Timestamps => Query::Timestamps,
            QueryName::Statistics => Query::PipelineStatistics,
        }
    }
}

/// The depth test of --depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DepthTest {
    /// No depth buffer.
    Off,
    /// No fragment passes.
    Never,
    /// Nearer fragments pass.
    Less,
    /// Nearer fragments pass, and those of the same depth.
    LessEqual,
    /// Fragments of the same depth pass.
    Equal,
    /// Farther fragments pass, and those of the same depth. The buffer is cleared to 0.
    GreaterEqual,
    /// Farther fragments pass. The buffer is cleared to 0.
    Greater,
    /// Fragments of another depth pass.
    NotEqual,
    /// All fragments pass.
    Always,
}

impl DepthTest {
    /// Returns the runtime's value; `None` without depth buffer.
    pub(crate) fn comparison(self) -> Option<Comparison> {
        Some(match self {
            DepthTest::Off => return None,
            DepthTest::Never => Comparison::Never,
            DepthTest::Less => Comparison::Less,
            DepthTest::LessEqual => Comparison::LessEqual,
            DepthTest::Equal => Comparison::Equal,
            DepthTest::GreaterEqual => Comparison::GreaterEqual,
            DepthTest::Greater => Comparison::Greater,
            DepthTest::NotEqual => Comparison::NotEqual,
            DepthTest::Always => Comparison::Always,
        })
    }

    /// Returns the depth that the buffer is cleared to: that of nothing, which every fragment
    /// passes.
    pub(crate) fn clear(self) -> f32 {
        match self {
            DepthTest::Greater | DepthTest::GreaterEqual => 0.0,
            _ => 1.0,
        }
    }
}

/// The faces that --cull leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CullName {
    /// None.
    None,
    /// Front faces: those whose vertices are clockwise in the picture.
    Front,
    /// Back faces.
    Back,
}

impl CullName {
    /// Returns the runtime's value.
    pub(crate) fn cull(self) -> Cull {
        match self {
            CullName::None => Cull::None,
            CullName::Front => Cull::Front,
            CullName::Back => Cull::Back,
        }
    }
}

/// Checks by name, with `standard`, `strict` and `all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CheckName {
    /// Those that are on by default.
    Standard,
    /// The same, and unordered writes of the same value.
    Strict,
    /// All.
    All,
    /// One.
    One(Check),
}

impl std::str::FromStr for CheckName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut all = Check::ALL.iter();
        match text {
            "standard" => Ok(CheckName::Standard),
            "strict" => Ok(CheckName::Strict),
            "all" => Ok(CheckName::All),
            _ => match all.find(|check| check.name() == text) {
                Some(check) => Ok(CheckName::One(*check)),
                None => {
                    let names: Vec<&str> = Check::ALL.iter().map(|check| check.name()).collect();
                    Err(format!(
                        "checks are standard, strict, all, {}",
                        names.join(", ")
                    ))
                }
            },
        }
    }
}

/// The subject of --validate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Validation {
    /// Everything that the backend has.
    All,
    /// Calls of Vulkan, by the validation layer.
    Layer,
    /// The shader, by the rules of DXIL's validator.
    Dxil,
}

/// Backends by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BackendName {
    /// Vulkan through ash.
    Vulkan,
    /// wgpu.
    Wgpu,
    /// The CPU; needs no driver.
    Cpu,
}

impl BackendName {
    /// Returns the runtime's value.
    pub(crate) fn backend(self) -> Backend {
        match self {
            BackendName::Vulkan => Backend::Vulkan,
            BackendName::Wgpu => Backend::Wgpu,
            BackendName::Cpu => Backend::Cpu,
        }
    }
}

/// The other way to run a job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Other {
    /// The same way again.
    Again,
    /// On another backend or device; what is absent is as on the command line.
    Device {
        /// Backend.
        backend: Option<BackendName>,
        /// Device number.
        index: Option<usize>,
    },
    /// With what DXC makes for Vulkan of the same HLSL.
    Dxc,
    /// With other shaders.
    Files(Vec<PathBuf>),
}

impl FromStr for Other {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "again" {
            return Ok(Other::Again);
        }
        if text == "dxc" {
            return Ok(Other::Dxc);
        }
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, number.parse().ok()),
            None => (text, None),
        };
        let backend = BackendName::from_str(name, true).ok();
        let is_device = match (text.contains(':'), number) {
            (true, Some(_)) => name.is_empty() || backend.is_some(),
            (true, None) => false,
            (false, _) => backend.is_some(),
        };
        if is_device {
            return Ok(Other::Device {
                backend,
                index: number,
            });
        }
        Ok(Other::Files(text.split(',').map(PathBuf::from).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_other_way_is_a_device_or_files() {
        let parse = |text: &str| text.parse::<Other>().unwrap();
        let device = |backend, index| Other::Device { backend, index };
        assert_eq!(parse("again"), Other::Again);
        assert_eq!(parse("dxc"), Other::Dxc);
        assert_eq!(parse("cpu"), device(Some(BackendName::Cpu), None));
        assert_eq!(
            parse("vulkan:1"),
            device(Some(BackendName::Vulkan), Some(1))
        );
        assert_eq!(parse(":1"), device(None, Some(1)));
        assert_eq!(
            parse("a.dxil,b.dxil"),
            Other::Files(vec!["a.dxil".into(), "b.dxil".into()])
        );
        assert_eq!(parse("c:/x.dxil"), Other::Files(vec!["c:/x.dxil".into()]));
    }
}
