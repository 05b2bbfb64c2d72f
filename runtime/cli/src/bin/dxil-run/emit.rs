//! `--emit`: the translated shader as words, as text, or in another language through naga.

use std::path::Path;

use dxil_frontend::container::RootSignature;
use dxil_frontend::dxil::Shader;
use dxil_frontend::escape::escaped_lines;
use dxil_frontend::reflection::Reflection;
use dxil_inspect::bindings::{Bindings, name_resources};
use dxil_jit::files;
use dxil_runtime::Profile;
use dxil_runtime::device::ProfileFile;
use dxil_runtime::isa::{Compiler, Settings};
#[cfg(feature = "languages")]
use dxil_runtime::language::{self, PortableModule, WebGpu};
use dxil_runtime::program::{Program, ShaderCode};
use dxil_translate::{Features, VulkanVersion};
use rspirv::binary::Disassemble;

use crate::args::Args;
use crate::bind_points::BindPoint;
use crate::compile_options::compile_options;
use crate::failure::{Context, Failure, Result};
use crate::options::{DebugInfo, Language, Target};

/// Translates for a device with everything (or for naga) and writes the language.
pub(crate) fn emit(
    language: Language,
    shader: &Shader,
    reflection: &Reflection,
    root: Option<&RootSignature>,
    args: &Args,
) -> Result<Emitted> {
    // Names of resources come from reflection and go into the module as debug names.
    let mut named = shader.clone();
    name_resources(&mut named, reflection);
    let shader = &named;
    let profile = profile(language, args)?;
    let formats = |register| {
        let place = BindPoint::Register(register);
        let given = args.format.iter().find(|(p, _)| *p == place);
        given.map(|(_, format)| *format)
    };
    let mut options = compile_options(args, &profile);
    options.entry = args.entry.clone();
    // Names, which only modules as bytes do without.
    options.debug_info = language != Language::Spv || args.debug_info.is_some();
    options.source = crate::source::kept(args);
    let program = Program::compile(shader, root, &profile, &formats, &options);
    #[cfg(feature = "languages")]
    let program = program.map_err(|error| match through_naga(language) {
        Some(language) => language::explained(error, language),
        None => error,
    });
    let program = program?;
    let stage = program
        .stages
        .first()
        .ok_or_else(|| Failure::unsupported("a program without stages"))?;
    crate::messages::warn(&program);
    let bindings = Bindings {
        shader,
        reflection,
        interface: stage.interface.as_ref(),
        metal: None,
    };
    let json = |bindings: &Bindings<'_>| {
        let wanted = args.reflect.as_ref();
        wanted.map(|_| dxil_jit::json::document(&bindings.json()))
    };
    let ShaderCode::SpirV(words) = &stage.code else {
        return Err(Failure::unsupported("code that is not SPIR-V"));
    };
    #[cfg(feature = "languages")]
    if let Some(language) = through_naga(language) {
        let module = PortableModule::read(words)?;
        let mut bindings = bindings;
        if language == language::Language::Msl {
            bindings.metal = Some(argument_tables(module.metal_slots()?));
        }
        let text = match language {
            language::Language::Wgsl if args.target == Some(Target::WebGpu) => {
                module.write_webgpu(&WebGpu::default())?
            }
            language::Language::Hlsl => module.write_hlsl_with_registers(&program.layout)?,
            other => module.write(other, stage.kind, &stage.entry)?,
        };
        return Ok(Emitted {
            code: shown(&format!("{}{text}", bindings.comment("//"))),
            reflection: json(&bindings),
        });
    }
    let reflection = json(&bindings);
    let emitted = |code: Vec<u8>| Emitted { code, reflection };
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    if language == Language::Spv {
        return Ok(emitted(bytes));
    }
    // rspirv's modules have no instructions of other sets outside of functions.
    if args.debug_info == Some(DebugInfo::Full) {
        let text = crate::source::disassemble(words)?;
        return Ok(emitted(shown(&format!("{}{text}", bindings.comment(";")))));
    }
    let module = rspirv::dr::load_words(words)
        .map_err(|error| Failure::job(format!("disassembling: {error}")))?;
    let mut text = module.disassemble();
    text.push('\n');
    Ok(emitted(shown(&format!("{}{text}", bindings.comment(";")))))
}

/// The output of `--emit`.
pub(crate) struct Emitted {
    /// The code.
    pub(crate) code: Vec<u8>,
    /// The output of `--reflect`.
    pub(crate) reflection: Option<String>,
}

/// Escapes control characters: the text has names and sources of the shader, and may go to a
/// terminal.
fn shown(text: &str) -> Vec<u8> {
    escaped_lines(text).to_string().into_bytes()
}

/// Returns Metal's slots as the output has them.
#[cfg(feature = "languages")]
fn argument_tables(slots: language::MetalSlots) -> dxil_inspect::bindings::ArgumentTables {
    use language::MetalSlot;
    let resources = slots.resources.into_iter().map(|(at, slot)| {
        let place = match slot {
            MetalSlot::Buffer(number) => ("buffer", number),
            MetalSlot::Texture(number) => ("texture", number),
            MetalSlot::Sampler(number) => ("sampler", number),
            MetalSlot::ArgumentBuffer(number) => ("argument_buffer", number),
        };
        (at, place)
    });
    dxil_inspect::bindings::ArgumentTables {
        resources: resources.collect(),
        entry_bytes: language::METAL_ENTRY_BYTES,
        root_constants: slots.root_constants,
        sizes: slots.sizes.map(|sizes| (sizes.buffer, sizes.of)),
        threadgroup: slots.threadgroup,
    }
}

/// Returns the language that naga writes; `None` for SPIR-V.
#[cfg(feature = "languages")]
fn through_naga(language: Language) -> Option<language::Language> {
    match language {
        Language::Spv | Language::Spvasm => None,
        Language::Wgsl => Some(language::Language::Wgsl),
        Language::Msl => Some(language::Language::Msl),
        Language::Glsl => Some(language::Language::Glsl),
        Language::Hlsl => Some(language::Language::Hlsl),
    }
}

/// Reads a profile.
fn read_profile(path: &Path) -> Result<Profile> {
    let bytes = files::read(path).map_err(|error| Failure::file(path, &error))?;
    let file: serde_json::Result<ProfileFile> = serde_json::from_slice(&bytes);
    let file = file.map_err(|error| Failure::malformed(format!("{}: {error}", path.display())))?;
    file.profile().context(path)
}

/// Returns the device of `--target`, or one that has everything; for naga, what naga's front end
/// takes.
#[cfg_attr(
    feature = "languages",
    allow(clippy::unnecessary_wraps, reason = "fails without languages")
)]
fn profile(language: Language, args: &Args) -> Result<Profile> {
    let version = match &args.target {
        None => VulkanVersion::V1_3,
        Some(Target::WebGpu) if language == Language::Wgsl => VulkanVersion::V1_3,
        Some(Target::WebGpu) => {
            return Err(Failure::usage("--target webgpu is about --emit wgsl"));
        }
        Some(Target::Version(version)) => version.version(),
        Some(Target::Gpu(_) | Target::File(_))
            if !matches!(language, Language::Spv | Language::Spvasm) =>
        {
            return Err(Failure::usage(
                "--target of a device is about SPIR-V; other languages take a version",
            ));
        }
        Some(Target::Gpu(selection)) => {
            let compiler = Compiler::start(selection, &Settings::default())?;
            return Ok(compiler.profile().profile()?);
        }
        Some(Target::File(path)) => return read_profile(path),
    };
    if args.long_vectors && !matches!(language, Language::Spv | Language::Spvasm) {
        return Err(Failure::usage(
            "--long-vectors is about SPIR-V, and would change nothing in this language",
        ));
    }
    if args.elements.is_some() && matches!(language, Language::Spv | Language::Spvasm) {
        return Err(Failure::usage(
            "--elements is about WGSL, MSL, GLSL and HLSL; arrays of SPIR-V have no end",
        ));
    }
    #[cfg(feature = "languages")]
    if let Some(language) = through_naga(language) {
        let profile = language::profile(version, language);
        return Ok(match args.elements {
            Some(elements) => profile.with_elements(elements),
            None => profile,
        });
    }
    #[cfg(not(feature = "languages"))]
    if !matches!(language, Language::Spv | Language::Spvasm) {
        return Err(Failure::unsupported(
            "this build writes SPIR-V only; the feature `languages` adds WGSL, MSL, GLSL and HLSL",
        ));
    }
    let mut profile = Profile::offline(version);
    if args.long_vectors {
        profile.target.features |= Features::LONG_VECTOR;
    }
    Ok(profile)
}
