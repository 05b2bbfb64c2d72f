//! `--emit`: the translated shader as words, as text, or in another language through naga.

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::Shader;
use dxil_runtime::device::{Limits, Profile};
use dxil_runtime::program::{Code, CompileOptions, Program};
use dxil_runtime::root_signature::RootDescriptors;
use dxil_translate::{Features, Style, Target, VulkanVersion};
use rspirv::binary::Disassemble;

use crate::args::{Args, Language};
use crate::failure::{Failure, Result};

/// Translates for a device with everything (or for naga) and writes the language.
pub(crate) fn emit(
    language: Language,
    shader: &Shader,
    root: Option<&RootSignature>,
    args: &Args,
) -> Result<Vec<u8>> {
    let native = matches!(language, Language::Spv | Language::Spvasm);
    let profile = offline_profile(args, native);
    let formats = |register| {
        let said = args.format.iter().rfind(|(r, _)| *r == register);
        said.map(|(_, format)| *format)
    };
    let options = CompileOptions {
        entry: args.entry.clone(),
        debug_info: language == Language::Spvasm,
        root_descriptors: if args.root_addresses {
            RootDescriptors::Addresses
        } else {
            RootDescriptors::Bindings
        },
        ..CompileOptions::default()
    };
    let program = Program::compile(shader, root, &profile, &formats, &options)?;
    let stage = program
        .stages
        .first()
        .ok_or_else(|| Failure::unsupported("a program without stages"))?;
    let Code::SpirV(words) = &stage.code else {
        return Err(Failure::unsupported("code that is not SPIR-V"));
    };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    match language {
        Language::Spv => Ok(bytes),
        Language::Spvasm => {
            let module = rspirv::dr::load_words(words)
                .map_err(|error| Failure::job(format!("disassembling: {error}")))?;
            let mut text = module.disassemble();
            text.push('\n');
            Ok(text.into_bytes())
        }
        Language::Wgsl | Language::Msl | Language::Glsl | Language::Hlsl => {
            through_naga(language, &bytes, &stage.entry).map(String::into_bytes)
        }
    }
}

/// A device that has everything; for naga, what naga's front end takes.
fn offline_profile(args: &Args, native: bool) -> Profile {
    let version = args.target.map_or(VulkanVersion::V1_3, |t| t.version());
    let portable = Features::FLOAT16
        | Features::FLOAT64
        | Features::INT64
        | Features::SUBGROUP
        | Features::SUBGROUP_QUAD
        | Features::IMAGE_GATHER_EXTENDED
        | Features::IMAGE_CUBE_ARRAY
        | Features::IMAGE_1D
        | Features::STORES_AND_ATOMICS;
    Profile {
        target: Target {
            vulkan: version,
            style: if native {
                Style::Native
            } else {
                Style::Portable
            },
            features: if native { Features::all() } else { portable },
        },
        limits: Limits {
            descriptor_sets: 4,
            push_constant_bytes: 128,
            uniform_buffer_bytes: 65536,
            storage_buffer_bytes: 1 << 30,
            texel_buffer_elements: 1 << 27,
            thread_groups: [65535; 3],
            unbounded_descriptors: 1024,
        },
        texel_buffers: native,
        storage_image_formats: !native,
        dense_bindings: false,
        device_addresses: native,
        subgroup_sizes: (4, 128),
        robust: native,
    }
}

fn through_naga(language: Language, spirv: &[u8], entry: &str) -> Result<String> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};
    let refused = |stage: &str, error: String| {
        Failure::unsupported(format!(
            "naga {stage}: {error}\nnaga reads only part of SPIR-V; --emit spvasm shows the whole shader"
        ))
    };
    let options = naga::front::spv::Options {
        adjust_coordinate_space: false,
        strict_capabilities: false,
        block_ctx_dump_prefix: None,
    };
    let module = naga::front::spv::parse_u8_slice(spirv, &options)
        .map_err(|error| refused("does not take this shader", chain(&error)))?;
    let info = Validator::new(ValidationFlags::all(), Capabilities::all())
        .validate(&module)
        .map_err(|error| refused("finds this shader invalid", chain(&error.into_inner())))?;
    let failed = |error: String| refused("cannot write this shader", error);
    match language {
        Language::Msl => {
            let options = naga::back::msl::Options {
                fake_missing_bindings: true,
                ..Default::default()
            };
            naga::back::msl::write_string(&module, &info, &options, &Default::default())
                .map(|(text, _)| text)
                .map_err(|error| failed(chain(&error)))
        }
        Language::Glsl => {
            let options = naga::back::glsl::Options {
                version: naga::back::glsl::Version::Desktop(460),
                ..Default::default()
            };
            let point = module.entry_points.iter().find(|point| point.name == entry);
            let pipeline = naga::back::glsl::PipelineOptions {
                shader_stage: point.map_or(naga::ShaderStage::Compute, |point| point.stage),
                entry_point: entry.to_owned(),
                multiview: None,
            };
            let mut text = String::new();
            let mut writer = naga::back::glsl::Writer::new(
                &mut text,
                &module,
                &info,
                &options,
                &pipeline,
                naga::proc::BoundsCheckPolicies::default(),
            )
            .map_err(|error| failed(chain(&error)))?;
            writer.write().map_err(|error| failed(chain(&error)))?;
            Ok(text)
        }
        Language::Hlsl => {
            let options = naga::back::hlsl::Options {
                shader_model: naga::back::hlsl::ShaderModel::V6_6,
                fake_missing_bindings: true,
                ..Default::default()
            };
            let pipeline = naga::back::hlsl::PipelineOptions::default();
            let mut text = String::new();
            let mut writer = naga::back::hlsl::Writer::new(&mut text, &options, &pipeline);
            writer
                .write(&module, &info, None)
                .map_err(|error| failed(chain(&error)))?;
            Ok(text)
        }
        Language::Wgsl | Language::Spv | Language::Spvasm => {
            let flags = naga::back::wgsl::WriterFlags::empty();
            naga::back::wgsl::write_string(&module, &info, flags)
                .map_err(|error| failed(chain(&error)))
        }
    }
}

/// An error with its causes on one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
