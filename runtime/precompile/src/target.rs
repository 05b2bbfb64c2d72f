//! What modules are made for.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use dxil_jit::files;
use dxil_runtime::cache::Cache;
use dxil_runtime::device::{self, Backend, Device, OpenOptions, Profile, ProfileFile};
use dxil_runtime::isa::{Compiler, Selection, Settings};
use dxil_translate::VulkanVersion;

use crate::error::Problem;

/// The target of translations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Any device with that version of Vulkan.
    Version(VulkanVersion),
    /// The device that a profile file describes.
    File(PathBuf),
    /// A GPU: one of this machine, or one that need not be there (`docs/isa.md`).
    Gpu(Selection),
}

const VERSIONS: [(&str, VulkanVersion); 4] = [
    ("vulkan1.1", VulkanVersion::V1_1),
    ("vulkan1.2", VulkanVersion::V1_2),
    ("vulkan1.3", VulkanVersion::V1_3),
    ("vulkan1.4", VulkanVersion::V1_4),
];

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((_, version)) = VERSIONS.iter().find(|(name, _)| *name == text) {
            return Ok(Target::Version(*version));
        }
        if Path::new(text)
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            return Ok(Target::File(text.into()));
        }
        let gpu: Result<Selection, dxil_runtime::Error> = text.parse();
        gpu.map(Target::Gpu).map_err(|error| {
            format!("{error}; other targets are vulkan1.1 to vulkan1.4, and a profile, FILE.json")
        })
    }
}

impl Target {
    /// Returns the profile that translations are made for.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is no profile, or the GPU's driver does not start.
    pub fn profile(&self) -> Result<Profile, Problem> {
        match self {
            Target::Version(version) => Ok(Profile::offline(*version)),
            Target::File(path) => {
                let text = files::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
                let file: Result<ProfileFile, _> = serde_json::from_str(&text);
                let file = file
                    .map_err(|error| Problem::malformed(format!("{}: {error}", path.display())))?;
                Ok(file.profile().map_err(Problem::from)?)
            }
            Target::Gpu(Selection::Present(index)) => Ok(*open(*index, None, false)?.profile()),
            Target::Gpu(selection) => {
                let compiler = Compiler::start(selection, &Settings::default())?;
                Ok(compiler.profile().profile()?)
            }
        }
    }

    /// Returns the number of the device of this machine that it is.
    pub fn device(&self) -> Option<usize> {
        match self {
            Target::Gpu(Selection::Present(index)) => Some(*index),
            _ => None,
        }
    }
}

/// Opens a Vulkan device of this machine as `dxil-run` does.
///
/// # Errors
///
/// There is no loader or no such device.
pub fn open(
    index: usize,
    cache: Option<&Arc<Cache>>,
    validate: bool,
) -> Result<Arc<dyn Device>, Problem> {
    let mut options = OpenOptions::new(Backend::Vulkan);
    options.index = index;
    options.cache = cache.cloned();
    options.validate = validate;
    Ok(device::open(&options)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_versions_files_and_gpus() {
        let read = |text: &str| text.parse::<Target>().unwrap();
        assert_eq!(read("vulkan1.2"), Target::Version(VulkanVersion::V1_2));
        assert_eq!(read("a/b.json"), Target::File("a/b.json".into()));
        assert_eq!(read("device:1").device(), Some(1));
        assert_eq!(read("navi31").device(), None);
        assert!(
            "vulkan2"
                .parse::<Target>()
                .unwrap_err()
                .contains("vulkan1.1 to")
        );
    }
}
