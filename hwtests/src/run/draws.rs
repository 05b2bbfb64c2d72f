//! Draws with several stages.

use dxil_frontend::container::Container;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Program, ShaderCode};
use dxil_translate::RasterSamples;

use super::configuration::{Configuration, shared_device};
use super::older_form::{older_form, optimized_form, upgraded_form};
use super::validity::{rules_of, validate};
use super::verdict::{judge, judge_listed, run_program};
use crate::shader::{Failure, Shader};
use crate::{Case, DrawCase};

/// Draws with several stages on Vulkan.
///
/// # Errors
///
/// If the translator refuses the shader, the module is invalid, the device fails, or a result is
/// not the expected one.
pub fn draw(shaders: &[Shader], describe: fn(&mut DrawCase)) -> Result<(), Failure> {
    let (case, result) = draw_on(Configuration::Vulkan, shaders, describe)?;
    judge(&case, result)?;
    // The same case runs with the DXBC of its shaders, where there is one: both forms must agree.
    let older: Vec<Option<Vec<u8>>> = shaders.iter().map(older_form).collect();
    if older.iter().all(Option::is_none) {
        return Ok(());
    }
    // Stages without DXBC stay DXIL: stages of both forms link.
    let (case, result) = draw_with(Configuration::Vulkan, shaders, &older, describe)?;
    judge(&case, result).map_err(|Failure(error)| Failure(format!("as DXBC: {error}")))
}

/// Draws on wgpu with SPIR-V passthrough. The list of `refusals` has what wgpu cannot do.
///
/// # Errors
///
/// If the draw is refused and not in the list, or in the list and not refused, the module is
/// invalid, or a result is not the expected one.
pub fn draw_wgpu(
    (name, refusals): (&str, &str),
    shaders: &[Shader],
    describe: fn(&mut DrawCase),
) -> Result<(), Failure> {
    let (case, result) = draw_on(Configuration::Wgpu, shaders, describe)?;
    let listed = ("wgpu_refusals.txt", refusals);
    judge_listed(&case, result, &format!("{name} wgpu"), listed)
}

/// Draws on wgpu through naga. The list of `refusals` has what wgpu or naga cannot do.
///
/// # Errors
///
/// If the draw is refused and not in the list, or in the list and not refused, the module is
/// invalid, or a result is not the expected one.
pub fn draw_portable(
    (name, refusals): (&str, &str),
    shaders: &[Shader],
    describe: fn(&mut DrawCase),
) -> Result<(), Failure> {
    let (case, result) = draw_on(Configuration::Portable, shaders, describe)?;
    let listed = ("wgpu_refusals.txt", refusals);
    judge_listed(&case, result, &format!("{name} portable"), listed)
}

/// Draws on the CPU. The list of `refusals` has what the executor cannot do.
///
/// # Errors
///
/// If the draw is refused and not in the list, or in the list and not refused, or a result is not
/// the expected one.
pub fn draw_cpu(
    (name, refusals): (&str, &str),
    shaders: &[Shader],
    describe: fn(&mut DrawCase),
) -> Result<(), Failure> {
    let listed = ("cpu_refusals.txt", refusals);
    let (case, result) = draw_on(Configuration::Cpu, shaders, describe)?;
    let runs = result.is_ok();
    judge_listed(&case, result, name, listed)?;
    if runs {
        let smaller = shaders.iter().map(optimized_form);
        let smaller: Vec<Option<Vec<u8>>> = smaller.collect::<Result<_, _>>()?;
        draw_with(Configuration::Cpu, shaders, &smaller, describe)?
            .1
            .map_err(|Failure(error)| Failure(format!("optimized: {error}")))?;
    }
    // The same case runs with the DXBC of its shaders, where there is one, as on Vulkan.
    let older: Vec<Option<Vec<u8>>> = shaders.iter().map(older_form).collect();
    if older.iter().all(Option::is_none) {
        return Ok(());
    }
    let (case, result) = draw_with(Configuration::Cpu, shaders, &older, describe)?;
    judge_listed(&case, result, name, listed)
        .map_err(|Failure(error)| Failure(format!("as DXBC: {error}")))?;
    // And with that DXBC converted to DXIL.
    let newer = shaders.iter().map(upgraded_form);
    let newer: Vec<Option<Vec<u8>>> = newer.collect::<Result<_, _>>()?;
    let (case, result) = draw_with(Configuration::Cpu, shaders, &newer, describe)?;
    judge_listed(&case, result, name, listed)
        .map_err(|Failure(error)| Failure(format!("from DXBC: {error}")))
}

/// Returns a case with the result of its draw.
fn draw_on(
    configuration: Configuration,
    shaders: &[Shader],
    describe: fn(&mut DrawCase),
) -> Result<(Case, Result<(), Failure>), Failure> {
    draw_with(configuration, shaders, &[], describe)
}

/// Returns a case with the result of its draw, with other forms of some of the shaders.
fn draw_with(
    configuration: Configuration,
    shaders: &[Shader],
    others: &[Option<Vec<u8>>],
    describe: fn(&mut DrawCase),
) -> Result<(Case, Result<(), Failure>), Failure> {
    let device = shared_device(configuration)?;
    let mut drawn = DrawCase::new(configuration.backend(), device.profile().subgroup_sizes.1);
    drawn.features = device.profile().target.features;
    describe(&mut drawn);
    let (case, state, signature, edit) = drawn.finish();
    let attempt = || {
        let mut parsed = shaders
            .iter()
            .enumerate()
            .map(|(index, shader)| {
                let other = others.get(index).and_then(Option::as_deref);
                dxil_frontend::dxil::read_shader(other.unwrap_or(shader.bytes))
            })
            .collect::<Result<Vec<_>, _>>()?;
        parsed.iter_mut().for_each(edit);
        let stages: Vec<_> = parsed.iter().collect();
        let mut options = CompileOptions::default();
        options.signature = signature;
        options.signature.raster_samples = RasterSamples::Constant(state.samples);
        let formats = formats_of(&case.job);
        let profile = device.profile();
        // The root signature is taken from the first container that has one, as D3D12 does.
        let root = shaders
            .iter()
            .filter_map(|shader| Container::parse(shader.bytes).ok()?.root_signature().ok()?)
            .next();
        let root = root.as_ref();
        let mut program = Program::compile_stages(&stages, root, profile, &formats, &options)?;
        program.graphics = Some(state);
        let names: Vec<_> = shaders.iter().map(|shader| shader.name).collect();
        for (shader, stage) in shaders.iter().zip(&program.stages) {
            if let ShaderCode::SpirV(words) = &stage.code {
                validate(shader, words, rules_of(&profile.target))?;
            }
        }
        run_program(&*device, &names.join(" + "), &program, &case)
    };
    let result = attempt();
    Ok((case, result))
}
