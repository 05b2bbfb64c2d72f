//! Runs cases of one shader, and jobs.

use dxil_frontend::container::{Container, RootSignature};
use dxil_runtime::job::Job;
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Backend, Device, Outcome, Profile, Program, ShaderCode};

use super::configuration::{Configuration, shared_device};
use super::older_form::older_form;
use super::validity::{parsed_is_valid, rules_of, validate};
use super::verdict::{judge, run_program};
use crate::shader::{Failure, Shader};
use crate::{Case, direct};

/// Runs a case on Vulkan.
///
/// # Errors
///
/// If the translator refuses the shader, the module is invalid, the device fails, or a result is
/// not the expected one.
pub fn vulkan(shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    on(Configuration::Vulkan, shader, describe)
}

/// Runs a case on Vulkan, with bounds checks in code.
///
/// # Errors
///
/// If the translator refuses the shader, the module is invalid, the device fails, or a result is
/// not the expected one.
pub fn checked(shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    on(Configuration::Checked, shader, describe)
}

/// Runs a case on wgpu.
///
/// # Errors
///
/// If the translator refuses the shader, the module is invalid, the device fails, or a result is
/// not the expected one.
pub fn wgpu(shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    on(Configuration::Wgpu, shader, describe)
}

/// Runs the compute shader of the first library on Vulkan, with the functions that the other
/// libraries define. The validator checks the linked shader for every target.
///
/// # Errors
///
/// If the libraries do not fit together, a module is invalid, the device fails, or a result is not
/// the expected one.
pub fn linked(libraries: &[Shader], describe: fn(&mut Case)) -> Result<(), Failure> {
    let read = |library: &Shader| dxil_frontend::dxil::read_shader(library.bytes);
    let parsed = libraries.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let parsed: Vec<&dxil_frontend::dxil::Shader> = parsed.iter().collect();
    let [first, others @ ..] = parsed.as_slice() else {
        return Err(Failure("no libraries".to_owned()));
    };
    let linked = dxil_frontend::link::link(first, others)?;
    let shader = Shader {
        name: libraries[0].name,
        bytes: &[],
    };
    parsed_is_valid(&shader, &linked)?;
    let device = shared_device(Configuration::Vulkan)?;
    let mut case = Case::new(Backend::Vulkan, device.profile().subgroup_sizes.1);
    case.features = device.profile().target.features;
    describe(&mut case);
    let attempt = || {
        let options = CompileOptions::default();
        let formats = formats_of(&case.job);
        let program = Program::compile(&linked, None, device.profile(), &formats, &options)?;
        run_program(&*device, shader.name, &program, &case)
    };
    let result = attempt();
    judge(&case, result)
}

/// Translates a shader for the Vulkan device, validates the module, and runs a job with it.
///
/// # Errors
///
/// If the translator refuses the shader, the module is invalid, or the device fails.
pub fn job(parsed: &dxil_frontend::dxil::Shader, job: &Job) -> Result<Outcome, Failure> {
    job_on(Configuration::Vulkan, parsed, job)
}

/// Runs a job on the CPU executor, which translates nothing.
///
/// # Errors
///
/// If the executor refuses the shader or fails.
pub fn job_on_cpu(parsed: &dxil_frontend::dxil::Shader, job: &Job) -> Result<Outcome, Failure> {
    job_on(Configuration::Cpu, parsed, job)
}

fn job_on(
    configuration: Configuration,
    parsed: &dxil_frontend::dxil::Shader,
    job: &Job,
) -> Result<Outcome, Failure> {
    let device = shared_device(configuration)?;
    let options = CompileOptions::default();
    let program = Program::compile(parsed, None, device.profile(), &formats_of(job), &options)?;
    let shader = Shader {
        name: "a shader that was made for this test",
        bytes: &[],
    };
    for stage in &program.stages {
        if let ShaderCode::SpirV(words) = &stage.code {
            validate(&shader, words, rules_of(&device.profile().target))?;
        }
    }
    Ok(device.run(&program, job)?)
}

fn on(
    configuration: Configuration,
    shader: &Shader,
    describe: fn(&mut Case),
) -> Result<(), Failure> {
    let device = shared_device(configuration)?;
    let mut case = Case::new(configuration.backend(), device.profile().subgroup_sizes.1);
    case.features = device.profile().target.features;
    describe(&mut case);
    let result = attempt(&*device, shader, &case);
    judge(&case, result)?;
    match older_form(shader).filter(|_| configuration == Configuration::Vulkan) {
        Some(bytes) => run_older(&*device, shader, &bytes, describe),
        None => Ok(()),
    }
}

fn attempt(device: &dyn Device, shader: &Shader, case: &Case) -> Result<(), Failure> {
    let program = match direct::words_of(shader) {
        Some(words) => {
            let parsed = dxil_frontend::dxil::read_shader(shader.bytes)?;
            direct::program(&parsed, &words?)
        }
        None => {
            let parsed = dxil_frontend::dxil::read_shader(shader.bytes)?;
            let root = Container::parse(shader.bytes)?.root_signature()?;
            compile(device.profile(), &parsed, root.as_ref(), case)?
        }
    };
    let target = &device.profile().target;
    for stage in &program.stages {
        if let ShaderCode::SpirV(words) = &stage.code {
            validate(shader, words, rules_of(target))?;
        }
    }
    run_program(device, shader.name, &program, case)
}

/// Runs a case with the DXBC of the shader, with the root signature of its DXIL and the same
/// expectations.
fn run_older(
    device: &dyn Device,
    shader: &Shader,
    bytes: &[u8],
    describe: fn(&mut Case),
) -> Result<(), Failure> {
    let mut case = Case::new(Backend::Vulkan, device.profile().subgroup_sizes.1);
    case.features = device.profile().target.features;
    describe(&mut case);
    let attempt = || {
        let parsed = dxil_frontend::dxil::read_shader(bytes)?;
        parsed_is_valid(shader, &parsed)?;
        let root = Container::parse(shader.bytes)?.root_signature()?;
        let program = compile(device.profile(), &parsed, root.as_ref(), &case)?;
        run_program(device, shader.name, &program, &case)
    };
    let result = attempt();
    judge(&case, result).map_err(|Failure(error)| Failure(format!("as DXBC: {error}")))
}

/// Compiles the shader of a case for a device.
pub(super) fn compile(
    profile: &Profile,
    parsed: &dxil_frontend::dxil::Shader,
    root: Option<&RootSignature>,
    case: &Case,
) -> dxil_runtime::Result<Program> {
    let mut options = CompileOptions::default();
    options.native_min_precision = case.native_min_precision;
    options.numerics = case.numerics;
    options.vendor = case.vendor;
    let formats = formats_of(&case.job);
    Program::compile(parsed, root, profile, &formats, &options)
}
