//! DXC, as `tools/get-dxc.sh` installs it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The compiler, and a folder for its files.
#[derive(Debug)]
pub struct Dxc {
    program: PathBuf,
    folder: PathBuf,
}

/// Output of DXC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// DXIL, optimized.
    Optimized,
    /// DXIL without optimization.
    Unoptimized,
    /// SPIR-V.
    SpirV,
}

impl Form {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Form::Optimized => &["-O3"],
            Form::Unoptimized => &["-Od"],
            Form::SpirV => &[
                "-spirv",
                "-fspv-target-env=vulkan1.3",
                "-fvk-use-dx-layout",
                "-fvk-t-shift",
                "1000",
                "all",
                "-fvk-s-shift",
                "2000",
                "all",
                "-fvk-u-shift",
                "3000",
                "all",
                "-fvk-b-shift",
                "0",
                "all",
            ],
        }
    }
}

impl Dxc {
    /// Returns the compiler at a path, or the one that `tools/get-dxc.sh` has installed.
    pub fn new(program: Option<PathBuf>, folder: PathBuf) -> Self {
        let default = || {
            let base = std::env::var_os("DXIL_JIT_CACHE").map_or_else(
                || {
                    let cache = std::env::var_os("XDG_CACHE_HOME").map_or_else(
                        || {
                            PathBuf::from(std::env::var_os("HOME").unwrap_or_default())
                                .join(".cache")
                        },
                        PathBuf::from,
                    );
                    cache.join("dxil-jit")
                },
                PathBuf::from,
            );
            base.join("dxc").join("dxc")
        };
        Dxc {
            program: program.unwrap_or_else(default),
            folder,
        }
    }

    /// Compiles a file whose first line contains the arguments of DXC.
    ///
    /// # Errors
    ///
    /// The messages of DXC, or the reason why it could not run.
    pub fn compile(&self, source: &Path, form: Form) -> Result<Vec<u8>, String> {
        let text =
            std::fs::read_to_string(source).map_err(|e| format!("{}: {e}", source.display()))?;
        let said = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("// dxc: "))
            .ok_or_else(|| format!("{}: the first line has no arguments", source.display()))?;
        let object = self.folder.join("object");
        // The output of an earlier call must not be taken for this one.
        let _ = std::fs::remove_file(&object);
        let output = Command::new(&self.program)
            .args(said.split_whitespace())
            .args(form.arguments())
            .arg("-Fo")
            .arg(&object)
            .arg(source)
            .output()
            .map_err(|error| {
                format!(
                    "{}: {error} (tools/get-dxc.sh installs it)",
                    self.program.display()
                )
            })?;
        if !output.status.success() {
            return Err(format!(
                "DXC: {}: {}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        std::fs::read(&object).map_err(|error| format!("{}: {error}", object.display()))
    }
}
