//! Records pipelines in a Fossilize archive, which `fossilize-replay` and Steam play.
//!
//! The archive has what the runtime would create: modules, descriptor set layouts, pipeline layouts
//! and pipelines for dynamic rendering. Entries are named by the hash of their own contents, so
//! that the same library gives the same archive.

mod archive;
mod resources;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use ash::vk;
use dxil_frontend::dxil::ShaderKind;
use dxil_runtime::Program;
use dxil_runtime::interop::{FixedState, SetBindings};
use dxil_runtime::program::{Layout, ShaderCode, StageCode};
use dxil_translate::VulkanVersion;
use serde_json::{Value, json};

use crate::error::Problem;
use archive::Archive;
pub use archive::Tag;

/// Why there is no pipeline with such a layout: the player refuses types of mutable descriptors
/// that not every device takes (`pnext_chain_is_supported` in fossilize_feature_filter.cpp), and
/// then all that refers to the layout, whatever the device says.
const PLAYER_LIMIT: &str =
    "Fossilize plays no heap with acceleration structures beside descriptors of other types";

/// An archive that threads record pipelines in.
pub struct Recorder {
    archive: Mutex<Archive>,
    path: PathBuf,
}

/// What an archive holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Recorded {
    /// SPIR-V modules.
    pub modules: u64,
    /// Descriptor set layouts.
    pub set_layouts: u64,
    /// Pipeline layouts.
    pub pipeline_layouts: u64,
    /// Compute pipelines.
    pub compute: u64,
    /// Graphics pipelines, those with mesh shaders among them.
    pub graphics: u64,
    /// Ray tracing pipelines.
    pub ray_tracing: u64,
}

impl Recorder {
    /// Begins an archive for pipelines of devices with that version of Vulkan; `robust` says that
    /// out-of-bounds accesses are the device's work.
    ///
    /// # Errors
    ///
    /// The folder cannot be written to.
    pub fn create(path: &Path, vulkan: VulkanVersion, robust: bool) -> Result<Self, Problem> {
        let archive = Archive::create(path).map_err(|error| Problem::file(path, &error))?;
        let recorder = Recorder {
            archive: Mutex::new(archive),
            path: path.to_owned(),
        };
        let version = match vulkan {
            VulkanVersion::V1_1 => vk::API_VERSION_1_1,
            VulkanVersion::V1_2 => vk::API_VERSION_1_2,
            // Modules for 1.4 are of SPIR-V 1.6 as well, and loaders are often older than drivers:
            // Fossilize plays no archive of a later version than the loader's.
            VulkanVersion::V1_3 | VulkanVersion::V1_4 => vk::API_VERSION_1_3,
        };
        let (application, features) = resources::application(version, robust);
        let document = json!({
            "version": archive::VERSION,
            "applicationInfo": application,
            "physicalDeviceFeatures": features,
        });
        let payload = document.to_string().into_bytes();
        let mut archive = recorder.lock();
        let added = archive.add(Tag::ApplicationInfo, hash_of(&payload), &payload);
        added.map_err(|error| Problem::file(path, &error))?;
        drop(archive);
        Ok(recorder)
    }

    fn lock(&self) -> MutexGuard<'_, Archive> {
        self.archive
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// Records a program's pipeline. The inner result says why there is none: stages of a draw
    /// without the rest of it are recorded as modules alone, which is no problem.
    ///
    /// # Errors
    ///
    /// The archive cannot be written.
    pub fn record(&self, program: &Program) -> Result<Result<(), Problem>, Problem> {
        match self.try_record(program) {
            Ok(()) => Ok(Ok(())),
            Err(Failed::Program(problem)) => Ok(Err(problem)),
            Err(Failed::File(error)) => Err(Problem::file(&self.path, &error)),
        }
    }

    fn try_record(&self, program: &Program) -> Result<(), Failed> {
        let mut stages = Vec::with_capacity(program.stages.len());
        for stage in &program.stages {
            let ShaderCode::SpirV(words) = &stage.code else {
                return Err(Failed::Program(Problem::unsupported(
                    "code that is not SPIR-V",
                )));
            };
            stages.push((stage, flag_of(stage), self.module(words)?));
        }
        let is_compute = matches!(&stages[..], [(_, vk::ShaderStageFlags::COMPUTE, _)]);
        let is_pipeline = is_compute || program.ray_tracing.is_some() || program.graphics.is_some();
        if is_pipeline && program.layout.mixes_structures() {
            return Err(Failed::Program(Problem::skipped(PLAYER_LIMIT)));
        }
        let (tag, key, value) = if is_compute {
            let layout = self.layout(&program.layout)?;
            let value = resources::compute(layout, stages[0]);
            (Tag::Compute, "computePipelines", value)
        } else if let Some(state) = &program.ray_tracing {
            let layout = self.layout(&program.layout)?;
            let value = resources::ray_tracing(layout, &stages, state);
            (Tag::RayTracing, "raytracingPipelines", value)
        } else if let Some(state) = &program.graphics {
            state
                .check()
                .map_err(|error| Failed::Program(error.into()))?;
            let layout = self.layout(&program.layout)?;
            let fixed = FixedState::of(state);
            let value = resources::graphics(layout, &stages, &fixed, state.rasterized_stream);
            (Tag::Graphics, "graphicsPipelines", value)
        } else {
            return Ok(());
        };
        self.resource(tag, key, value)?;
        Ok(())
    }

    /// Records a module: JSON, a zero, and the words with seven bits in a byte, the lowest first
    /// and the high bit set but in the last one.
    fn module(&self, words: &[u32]) -> io::Result<u64> {
        let hash = hash_of(
            &words
                .iter()
                .flat_map(|w| w.to_le_bytes())
                .collect::<Vec<u8>>(),
        );
        // Most modules of a library occur in several pipelines.
        if self.lock().has(Tag::Module, hash) {
            return Ok(hash);
        }
        let code = encode_words(words);
        let module = json!({
            "varintOffset": 0,
            "varintSize": code.len(),
            "codeSize": words.len() * 4,
            "flags": 0,
        });
        let mut payload = document("shaderModules", hash, &module);
        payload.push(0);
        payload.extend_from_slice(&code);
        self.lock().add(Tag::Module, hash, &payload)?;
        Ok(hash)
    }

    fn layout(&self, layout: &Layout) -> io::Result<u64> {
        let mut sets = Vec::with_capacity(layout.sets.len());
        for set in &layout.sets {
            let value = resources::set_layout(&SetBindings::of(set, true));
            sets.push(self.resource(Tag::SetLayout, "setLayouts", value)?);
        }
        let value = resources::pipeline_layout(&sets, layout.push_constant_bytes());
        self.resource(Tag::PipelineLayout, "pipelineLayouts", value)
    }

    fn resource(&self, tag: Tag, key: &str, value: Value) -> io::Result<u64> {
        let hash = hash_of(value.to_string().as_bytes());
        let mut archive = self.lock();
        if !archive.has(tag, hash) {
            archive.add(tag, hash, &document(key, hash, &value))?;
        }
        Ok(hash)
    }

    /// Completes the archive, which replaces a file of its name.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn finish(self) -> Result<Recorded, Problem> {
        let archive = self.archive.into_inner();
        let archive = archive.unwrap_or_else(|poison| poison.into_inner());
        let recorded = Recorded {
            modules: archive.count(Tag::Module),
            set_layouts: archive.count(Tag::SetLayout),
            pipeline_layouts: archive.count(Tag::PipelineLayout),
            compute: archive.count(Tag::Compute),
            graphics: archive.count(Tag::Graphics),
            ray_tracing: archive.count(Tag::RayTracing),
        };
        let finished = archive.finish();
        finished.map_err(|error| Problem::file(&self.path, &error))?;
        Ok(recorded)
    }
}

/// Why a program is not recorded.
enum Failed {
    File(io::Error),
    Program(Problem),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Failed::File(error)
    }
}

/// Returns the payload of a resource.
fn document(key: &str, hash: u64, value: &Value) -> Vec<u8> {
    let name = format!("{hash:016x}");
    json!({ "version": archive::VERSION, key: { name: value } })
        .to_string()
        .into_bytes()
}

/// Returns the hash that names contents; never zero, which stands for no resource.
fn hash_of(bytes: &[u8]) -> u64 {
    let hash = blake3::hash(bytes);
    let first = hash.as_bytes().first_chunk();
    first.map_or(0, |bytes| u64::from_le_bytes(*bytes)).max(1)
}

fn encode_words(words: &[u32]) -> Vec<u8> {
    let mut out = Vec::with_capacity(words.len() * 2);
    for word in words {
        let mut rest = *word;
        while rest >= 0x80 {
            out.push((rest & 0x7f) as u8 | 0x80);
            rest >>= 7;
        }
        out.push(rest as u8);
    }
    out
}

fn flag_of(stage: &StageCode) -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as S;
    match stage.kind {
        ShaderKind::Vertex => S::VERTEX,
        ShaderKind::Hull => S::TESSELLATION_CONTROL,
        ShaderKind::Domain => S::TESSELLATION_EVALUATION,
        ShaderKind::Geometry => S::GEOMETRY,
        ShaderKind::Pixel => S::FRAGMENT,
        ShaderKind::Amplification => S::TASK_EXT,
        ShaderKind::Mesh => S::MESH_EXT,
        ShaderKind::RayGeneration => S::RAYGEN_KHR,
        ShaderKind::Miss => S::MISS_KHR,
        ShaderKind::ClosestHit => S::CLOSEST_HIT_KHR,
        ShaderKind::AnyHit => S::ANY_HIT_KHR,
        ShaderKind::Intersection => S::INTERSECTION_KHR,
        ShaderKind::Callable => S::CALLABLE_KHR,
        // Nodes of work graphs run as compute shaders.
        ShaderKind::Compute | ShaderKind::Node | ShaderKind::Library => S::COMPUTE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_seven_bits_in_a_byte() {
        assert_eq!(encode_words(&[0, 0x7f, 0x80]), [0, 0x7f, 0x80, 1]);
        assert_eq!(encode_words(&[0x0723_0203]), [0x83, 0x84, 0x8c, 0x39]);
        assert_eq!(encode_words(&[u32::MAX]), [0xff, 0xff, 0xff, 0xff, 0x0f]);
    }
}
