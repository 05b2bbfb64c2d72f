//! Runs cases in the languages that naga writes.

use dxil_frontend::container::Container;
use dxil_runtime::language::{Language, PortableModule};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Backend, Outcome, Program, ShaderCode};

use super::configuration::{Configuration, shared_device};
use super::validity::{rules_of, validate};
use super::verdict::{Listed, results, run_program};
use crate::Case;
use crate::round_trip::{self, Stop};
use crate::shader::{Failure, Shader};

/// Runs a case on wgpu without passthrough. The list of `refusals` has what the portable style
/// cannot express.
///
/// # Errors
///
/// If the shader is refused and not in the list, or in the list and not refused, the module is
/// invalid, naga or the device fails, or a result is not the expected one.
pub fn portable(
    (name, refusals): (&str, &str),
    shader: &Shader,
    describe: fn(&mut Case),
) -> Result<(), Failure> {
    let device = shared_device(Configuration::Portable)?;
    let parsed = dxil_frontend::dxil::read_shader(shader.bytes)?;
    let root = Container::parse(shader.bytes)?.root_signature()?;
    let mut case = Case::new(Backend::Wgpu, device.profile().subgroup_sizes.1);
    case.features = device.profile().target.features;
    describe(&mut case);
    let attempt = || -> dxil_runtime::Result<Outcome> {
        let formats = formats_of(&case.job);
        let options = CompileOptions::default();
        let profile = device.profile();
        let mut program = Program::compile(&parsed, root.as_ref(), profile, &formats, &options)?;
        // Text where naga can write it, since that is what users of the portable style have.
        for stage in &mut program.stages {
            if let ShaderCode::SpirV(words) = &stage.code
                && let module = PortableModule::read(words)?
                && let Ok(text) = module.write(Language::Wgsl, stage.kind, &stage.entry)
            {
                stage.code = ShaderCode::Wgsl(text.into());
            }
        }
        device.run(&program, &case.job)
    };
    let listed = Listed::of(refusals, format!("{name} portable"));
    match attempt() {
        Ok(outcome) => {
            listed.is_done()?;
            results(shader.name, &case, &outcome)
        }
        Err(dxil_runtime::Error::Translate(error))
            if error.category() == dxil_translate::Category::Unsupported =>
        {
            listed.is_refused(&error.to_string())
        }
        Err(error @ dxil_runtime::Error::Language { .. }) => listed.is_refused(&error.to_string()),
        Err(error) => match case.portable_refusal() {
            Some(text) if error.to_string().contains(text) => Ok(()),
            _ => Err(error.into()),
        },
    }
}

/// Runs a case on Vulkan with the HLSL that naga writes, compiled by DXC. The list of `refusals`
/// has the cases without a text.
///
/// # Errors
///
/// If the shader is refused and not in the list, or in the list and not refused, the compiler
/// rejects the text, the device fails, or a result is not the expected one.
pub fn hlsl(listed: (&str, &str), shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    around(listed, shader, describe, Language::Hlsl)
}

/// Runs a case on Vulkan with the GLSL that naga writes, compiled by glslang. The list of
/// `refusals` has the cases without a text.
///
/// # Errors
///
/// If the shader is refused and not in the list, or in the list and not refused, the compiler
/// rejects the text, the device fails, or a result is not the expected one.
pub fn glsl(listed: (&str, &str), shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    around(listed, shader, describe, Language::Glsl)
}

/// Writes the text of a case, and runs it if there is a compiler of the language. Writing needs no
/// compiler, so every machine checks the list for every shader.
fn around(
    (name, refusals): (&str, &str),
    shader: &Shader,
    describe: fn(&mut Case),
    language: Language,
) -> Result<(), Failure> {
    let device = shared_device(Configuration::Vulkan)?;
    // The text languages cannot express what wgpu cannot, so the case is described for wgpu.
    let mut case = Case::new(Backend::Wgpu, device.profile().subgroup_sizes.1);
    case.features = device.profile().target.features;
    describe(&mut case);
    let left_out = |why: &str| {
        eprintln!("{} is not run: {why}", shader.name);
        Ok(())
    };
    if let Some(what) = case.lost(language) {
        return left_out(&format!("{} loses {what}", language.name()));
    }
    let text = round_trip::write(shader, &case, &*device, language);
    let listed = Listed::of(
        refusals,
        format!("{name} {}", language.name().to_lowercase()),
    );
    let text = match text {
        Ok(text) => {
            listed.is_done()?;
            text
        }
        Err(Failure(error)) => return listed.is_refused(&error),
    };
    match text.compile(shader, &*device) {
        Ok(program) => {
            for stage in &program.stages {
                if let ShaderCode::SpirV(words) = &stage.code {
                    validate(shader, words, rules_of(&device.profile().target))?;
                }
            }
            run_program(&*device, shader.name, &program, &case)
        }
        Err(Stop::NoCompiler(why)) => left_out(&why),
        Err(Stop::Failed(failure)) => Err(failure),
    }
}
