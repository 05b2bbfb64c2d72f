//! SPIRV-Tools' validator, as a process for each module.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dxil_jit::exit::Exit;
use dxil_runtime::Program;
use dxil_runtime::program::ShaderCode;
use dxil_translate::VulkanVersion;

use crate::error::Problem;

/// The validator.
#[derive(Debug, Clone)]
pub struct SpirvVal(PathBuf);

impl SpirvVal {
    /// Finds the validator: `DXIL_JIT_SPIRV_VAL`, the one that `tools/setup-vulkan.sh` installs, or
    /// `spirv-val` on the search path.
    ///
    /// # Errors
    ///
    /// None of them starts.
    pub fn find() -> Result<Self, Problem> {
        let named = std::env::var_os("DXIL_JIT_SPIRV_VAL").map(PathBuf::from);
        let cached = dxil_runtime::Cache::default_folder().map(|f| f.join("spirv-val"));
        let program = named
            .or_else(|| cached.filter(|path| path.is_file()))
            .unwrap_or_else(|| PathBuf::from("spirv-val"));
        let version = Command::new(&program).arg("--version").output();
        match version {
            Ok(output) if output.status.success() => Ok(SpirvVal(program)),
            _ => Err(Problem::new(
                Exit::File,
                format!(
                    "--validate spirv: `{}` does not start; install SPIRV-Tools, or name its \
                     spirv-val in DXIL_JIT_SPIRV_VAL",
                    program.display()
                ),
            )),
        }
    }

    /// Returns what the validator says against the modules of a program.
    pub(crate) fn check(&self, program: &Program, vulkan: VulkanVersion) -> Vec<Problem> {
        let mut problems = Vec::new();
        for stage in &program.stages {
            let ShaderCode::SpirV(words) = &stage.code else {
                continue;
            };
            if let Err(said) = validate(&self.0, words, vulkan) {
                let at = format!("spirv-val, {}", stage.entry);
                problems.push(Problem::new(Exit::Mismatch, said).at(at));
            }
        }
        problems
    }
}

fn validate(program: &Path, words: &[u32], vulkan: VulkanVersion) -> Result<(), String> {
    let environment = match vulkan {
        // A module of SPIR-V 1.4 needs VK_KHR_spirv_1_4 there.
        VulkanVersion::V1_1 if words.get(1) == Some(&0x0001_0400) => "vulkan1.1spv1.4",
        VulkanVersion::V1_1 => "vulkan1.1",
        VulkanVersion::V1_2 => "vulkan1.2",
        VulkanVersion::V1_3 => "vulkan1.3",
        VulkanVersion::V1_4 => "vulkan1.4",
    };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let mut child = Command::new(program)
        .args(["--target-env", environment, "--scalar-block-layout"])
        .arg("--workgroup-scalar-block-layout")
        .args(["--allow-offset-texture-operand", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    if let Some(mut input) = child.stdin.take() {
        // A validator that ends early has said why.
        drop(input.write_all(&bytes));
    }
    let output = child
        .wait_with_output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    Err(String::from_utf8_lossy(&said).trim().to_owned())
}
