//! Runs `spirv-val` and `spirv-dis` of SPIRV-Tools on modules of tests.
//!
//! This is a separate crate, so that the tests of every crate can use it. The tools are at
//! `DXIL_JIT_SPIRV_VAL` and `DXIL_JIT_SPIRV_DIS`, or where `tools/setup-vulkan.sh` installs them. A
//! missing tool is an error, never a pass. The search path is not used, since packages of older
//! distributions reject valid modules.
//!
//! One process validates one module (about 14 ms); [`validate_all`] runs several at a time.

#![forbid(unsafe_code)]

mod shapes;

use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
    thread,
};

/// The environment of a validation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Environment {
    /// Vulkan 1.1, SPIR-V 1.3.
    Vulkan1_1,
    /// Vulkan 1.1 with VK_KHR_spirv_1_4.
    Vulkan1_1Spirv1_4,
    /// Vulkan 1.2, SPIR-V up to 1.5.
    Vulkan1_2,
    /// Vulkan 1.3, SPIR-V up to 1.6.
    Vulkan1_3,
    /// Vulkan 1.4, SPIR-V up to 1.6.
    Vulkan1_4,
}

impl Environment {
    /// Returns the environment for a module that was translated for this one: on Vulkan 1.1 a
    /// module of SPIR-V 1.4 needs VK_KHR_spirv_1_4.
    pub fn of_module(self, words: &[u32]) -> Environment {
        match (self, words.get(1)) {
            (Environment::Vulkan1_1, Some(0x0001_0400)) => Environment::Vulkan1_1Spirv1_4,
            _ => self,
        }
    }

    /// Returns the name of the environment for `spirv-val`.
    fn argument(self) -> &'static str {
        match self {
            Environment::Vulkan1_1 => "vulkan1.1",
            Environment::Vulkan1_1Spirv1_4 => "vulkan1.1spv1.4",
            Environment::Vulkan1_2 => "vulkan1.2",
            Environment::Vulkan1_3 => "vulkan1.3",
            Environment::Vulkan1_4 => "vulkan1.4",
        }
    }
}

/// The environment and the device features that change the validator's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Environment.
    pub environment: Environment,
    /// The device has scalarBlockLayout.
    pub scalar_block_layout: bool,
    /// The device has maintenance8: offsets of image operations need not be constant.
    pub maintenance8: bool,
}

impl Rules {
    /// Returns an environment without the optional features.
    pub fn strict(environment: Environment) -> Self {
        Rules {
            environment,
            scalar_block_layout: false,
            maintenance8: false,
        }
    }

    /// Returns an environment with all optional features.
    pub fn relaxed(environment: Environment) -> Self {
        Rules {
            environment,
            scalar_block_layout: true,
            maintenance8: true,
        }
    }
}

/// The failure of a validation.
#[derive(Debug, thiserror::Error)]
pub enum ValidatorFailure {
    /// The tool is not installed.
    #[error("{variable} is not set and {default} does not exist: run tools/setup-vulkan.sh")]
    Missing {
        /// Environment variable that can name the tool.
        variable: &'static str,
        /// Path where the setup script installs it.
        default: PathBuf,
    },
    /// The tool could not be run.
    #[error("{path}: {source}")]
    Start {
        /// The tool.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The module breaks a rule.
    #[error("invalid SPIR-V: {message}")]
    Invalid {
        /// Message of the validator.
        message: String,
    },
    /// The module is valid, but a driver compiles it wrongly.
    #[error("{0}")]
    Shape(String),
}

/// Returns the folder that `tools/setup-vulkan.sh` fills.
fn cache() -> PathBuf {
    if let Some(folder) = std::env::var_os("DXIL_JIT_CACHE") {
        return folder.into();
    }
    let base = std::env::var_os("XDG_CACHE_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache"),
        PathBuf::from,
    );
    base.join("dxil-jit")
}

fn tool(variable: &'static str, name: &str) -> Result<PathBuf, ValidatorFailure> {
    if let Some(path) = std::env::var_os(variable) {
        return Ok(path.into());
    }
    let default = cache().join(name);
    if default.exists() {
        Ok(default)
    } else {
        Err(ValidatorFailure::Missing { variable, default })
    }
}

/// Runs a tool with a module on its standard input, and returns its output.
fn run(
    path: &PathBuf,
    arguments: &[&str],
    words: &[u32],
) -> Result<(bool, String), ValidatorFailure> {
    let start = |source| ValidatorFailure::Start {
        path: path.clone(),
        source,
    };
    let mut child = Command::new(path)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(start)?;
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    // Both tools read all of their input before they print, so writing first cannot block. A tool
    // that stops early closes the pipe, and its output has the reason.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(&bytes);
    }
    let output = child.wait_with_output().map_err(start)?;
    let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    Ok((output.status.success(), text))
}

/// Validates a module of our translator, and checks it for control flow that a driver compiles
/// wrongly.
///
/// # Errors
///
/// The message of the validator, or a description of the control flow.
pub fn validate(words: &[u32], rules: Rules) -> Result<(), ValidatorFailure> {
    validate_foreign(words, rules)?;
    shapes::find(words).map_or(Ok(()), |shape| Err(ValidatorFailure::Shape(shape)))
}

/// Validates a module of any origin.
///
/// # Errors
///
/// The message of the validator.
pub fn validate_foreign(words: &[u32], rules: Rules) -> Result<(), ValidatorFailure> {
    let path = tool("DXIL_JIT_SPIRV_VAL", "spirv-val")?;
    let mut arguments = vec!["--target-env", rules.environment.argument()];
    if rules.scalar_block_layout {
        arguments.push("--scalar-block-layout");
        arguments.push("--workgroup-scalar-block-layout");
    }
    if rules.maintenance8 {
        arguments.push("--allow-offset-texture-operand");
    }
    arguments.push("-");
    match run(&path, &arguments, words)? {
        (true, _) => Ok(()),
        (false, message) => Err(ValidatorFailure::Invalid {
            message: message.trim().to_owned(),
        }),
    }
}

/// Validates many modules, several at a time, and returns the results in order.
pub fn validate_all(modules: &[(&[u32], Rules)]) -> Vec<Result<(), ValidatorFailure>> {
    let at_once = thread::available_parallelism().map_or(2, usize::from);
    let mut answers = Vec::with_capacity(modules.len());
    for group in modules.chunks(at_once) {
        thread::scope(|scope| {
            let running: Vec<_> = group
                .iter()
                .map(|&(words, rules)| scope.spawn(move || validate(words, rules)))
                .collect();
            for handle in running {
                answers.push(handle.join().unwrap_or_else(|_| {
                    Err(ValidatorFailure::Invalid {
                        message: "the validator's thread died".to_owned(),
                    })
                }));
            }
        });
    }
    answers
}

/// Returns a module as assembly text, for messages of failed tests.
///
/// # Errors
///
/// If the words are not a SPIR-V module.
pub fn disassemble(words: &[u32]) -> Result<String, ValidatorFailure> {
    let path = tool("DXIL_JIT_SPIRV_DIS", "spirv-dis")?;
    let (_, text) = run(&path, &["--no-color", "-"], words)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a module of OpCapability Shader, OpMemoryModel Logical GLSL450, and a void function
    /// as entry point.
    fn smallest_compute_module() -> Vec<u32> {
        vec![
            0x0723_0203,
            0x0001_0300,
            0,
            5,
            0,
            2 << 16 | 17,
            1,
            3 << 16 | 14,
            0,
            1,
            5 << 16 | 15,
            5,
            3,
            0x6e69_616d,
            0,
            6 << 16 | 16,
            3,
            17,
            1,
            1,
            1,
            2 << 16 | 19,
            1,
            3 << 16 | 33,
            2,
            1,
            5 << 16 | 54,
            1,
            3,
            0,
            2,
            2 << 16 | 248,
            4,
            1 << 16 | 253,
            1 << 16 | 56,
        ]
    }

    #[test]
    fn a_valid_module_passes_in_every_environment() {
        let words = smallest_compute_module();
        let modules: Vec<_> = [
            Environment::Vulkan1_1,
            Environment::Vulkan1_1Spirv1_4,
            Environment::Vulkan1_2,
            Environment::Vulkan1_3,
            Environment::Vulkan1_4,
        ]
        .into_iter()
        .flat_map(|environment| [Rules::strict(environment), Rules::relaxed(environment)])
        .map(|rules| (words.as_slice(), rules))
        .collect();
        for answer in validate_all(&modules) {
            answer.unwrap();
        }
    }

    #[test]
    fn a_module_that_breaks_a_rule_is_refused_with_the_validators_words() {
        let mut words = smallest_compute_module();
        words.truncate(words.len() - 1); // without OpFunctionEnd
        let failure = validate(&words, Rules::strict(Environment::Vulkan1_3)).unwrap_err();
        assert!(failure.to_string().contains("OpFunctionEnd"), "{failure}");
    }

    #[test]
    fn disassembly_names_the_entry_point() {
        let text = disassemble(&smallest_compute_module()).unwrap();
        assert!(
            text.contains("OpEntryPoint GLCompute %3 \"main\""),
            "{text}"
        );
    }
}
