//! Translates a shader, runs it on a device, and compares with what its case expects.

use std::sync::{Arc, OnceLock};

use dxil_frontend::container::{Container, RootSignature};
use dxil_runtime::language::{Language, PortableModule};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::ray_program::LibraryState;
use dxil_runtime::root_signature::{formats_of, parse_text};
use dxil_runtime::work_graph::{GraphInput, GraphOutcome, NodeLibrary, WorkGraph};
use dxil_runtime::{
    Backend, Checks, Device, OpenOptions, Outcome, Program, ShaderCode, device, job::Job,
};
use dxil_translate::{
    BindingMap, Counter, DescriptorSlot, Features, Options, RasterSamples, Style, Target,
    VulkanVersion,
};
use dxil_validator::{Environment, Rules};

use crate::round_trip::{self, Stop};
pub use crate::shader::{Failure, Shader};
use crate::{Case, DrawCase, direct};

/// How a shader gets to the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Configuration {
    Vulkan,
    /// Vulkan without robustness2: code checks bounds.
    Checked,
    /// wgpu, with SPIR-V as it is.
    Wgpu,
    /// wgpu, with WGSL; or with SPIR-V through naga where WGSL cannot express the shader.
    Portable,
    /// The CPU executor.
    Cpu,
    /// The same, looking for defects.
    CpuChecked,
}

impl Configuration {
    fn backend(self) -> Backend {
        match self {
            Configuration::Vulkan | Configuration::Checked => Backend::Vulkan,
            Configuration::Wgpu | Configuration::Portable => Backend::Wgpu,
            Configuration::Cpu | Configuration::CpuChecked => Backend::Cpu,
        }
    }
}

/// Returns the number of the device to test in a backend's list: the Vulkan device whose number
/// `DXIL_JIT_TEST_DEVICE` is, and the device of that name in wgpu's list, whose order can differ.
fn chosen_index(backend: Backend) -> Result<usize, String> {
    let Some(number) = std::env::var_os("DXIL_JIT_TEST_DEVICE") else {
        return Ok(0);
    };
    let index = number.to_str().and_then(|number| number.parse().ok());
    let index = index.ok_or("DXIL_JIT_TEST_DEVICE is not a number")?;
    let list = |backend| device::list_devices(backend).map_err(|error| error.to_string());
    match backend {
        Backend::Cpu => Ok(0),
        Backend::Vulkan => Ok(index),
        Backend::Wgpu => {
            let devices = list(Backend::Vulkan)?;
            // By name: wgpu may list the devices in another order.
            let wanted = devices.get(index).ok_or("there is no such Vulkan device")?;
            list(Backend::Wgpu)?
                .iter()
                .find(|adapter| adapter.name == wanted.name)
                .map(|adapter| adapter.index)
                .ok_or_else(|| format!("wgpu has no adapter {}", wanted.name))
        }
    }
}

/// Returns the device of a configuration; all tests of a process share it, since opening one takes
/// long.
pub(crate) fn shared_device(configuration: Configuration) -> Result<Arc<dyn Device>, Failure> {
    static VULKAN: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static CHECKED: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static WGPU: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static PORTABLE: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static CPU: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    static CPU_CHECKED: OnceLock<Result<Arc<dyn Device>, String>> = OnceLock::new();
    let cell = match configuration {
        Configuration::Vulkan => &VULKAN,
        Configuration::Checked => &CHECKED,
        Configuration::Wgpu => &WGPU,
        Configuration::Portable => &PORTABLE,
        Configuration::Cpu => &CPU,
        Configuration::CpuChecked => &CPU_CHECKED,
    };
    let validate = std::env::var_os("DXIL_JIT_TEST_VALIDATE").is_some();
    let open = || -> Result<Arc<dyn Device>, String> {
        let mut options = OpenOptions::new(configuration.backend());
        options.index = chosen_index(configuration.backend())?;
        options.portable = configuration == Configuration::Portable;
        if configuration == Configuration::CpuChecked {
            options.checks = Checks::ALL;
        }
        let without = std::env::var_os("DXIL_JIT_TEST_NO_ROBUSTNESS2").is_some();
        options.robustness2 = configuration != Configuration::Checked && !without;
        // Under the validation layer each of its messages is a failure. wgpu does not report them.
        options.validate = validate && configuration.backend() == Backend::Vulkan;
        device::open(&options).map_err(|error| error.to_string())
    };
    // GPU-assisted validation aborts at the end of a process that has not destroyed its devices,
    // and a static is never dropped: each test opens its own device then.
    let device = if validate {
        open()
    } else {
        cell.get_or_init(open).clone()
    };
    device.map_err(|error| Failure(format!("{error}\n(tools/test.sh sets up a CPU driver)")))
}

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

/// Runs a case on wgpu without passthrough. What the portable style cannot express stands in the
/// list of `refusals`.
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

/// Runs a case on Vulkan with the HLSL that naga writes, compiled by DXC. What has no text stands in
/// the list of `refusals`.
///
/// # Errors
///
/// If the shader is refused and not in the list, or in the list and not refused, the compiler
/// rejects the text, the device fails, or a result is not the expected one.
pub fn hlsl(listed: (&str, &str), shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    around(listed, shader, describe, Language::Hlsl)
}

/// Runs a case on Vulkan with the GLSL that naga writes, compiled by glslang. What has no text stands
/// in the list of `refusals`.
///
/// # Errors
///
/// If the shader is refused and not in the list, or in the list and not refused, the compiler
/// rejects the text, the device fails, or a result is not the expected one.
pub fn glsl(listed: (&str, &str), shader: &Shader, describe: fn(&mut Case)) -> Result<(), Failure> {
    around(listed, shader, describe, Language::Glsl)
}

/// Writes the text of a case, which needs no compiler: the list is held against every shader on
/// every machine. The rest of the way is left out where there is no compiler.
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

/// The lines `name: reason` of a case in `text_refusals.txt`.
struct Listed<'a> {
    name: String,
    reasons: Vec<&'a str>,
}

impl<'a> Listed<'a> {
    fn of(refusals: &'a str, name: String) -> Self {
        let reasons = reasons_of(refusals, &name).collect();
        Listed { name, reasons }
    }

    /// Says that the case has a text. A line that is no longer true fails.
    fn is_done(&self) -> Result<(), Failure> {
        if self.reasons.is_empty() {
            return Ok(());
        }
        Err(Failure(format!(
            "{} has a text: take it from text_refusals.txt",
            self.name
        )))
    }

    /// Says that the case has no text. Where no line says so, that fails.
    fn is_refused(&self, error: &str) -> Result<(), Failure> {
        if self.reasons.iter().any(|reason| error.contains(reason)) {
            return Ok(());
        }
        Err(Failure(format!("{}: {error}", self.name)))
    }
}

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

/// Draws on wgpu, with SPIR-V as it is. What wgpu cannot do stands in the list of `refusals`.
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

/// Draws on wgpu through naga. What wgpu or naga cannot do stands in the list of `refusals`.
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

/// A case succeeds by the right pixels, or by the error that a line of the list says: `case:
/// error`, or `*: error` for what no case can do. A line of a case that can be drawn is a failure
/// too.
pub(crate) fn judge_listed(
    case: &Case,
    result: Result<(), Failure>,
    name: &str,
    (file, refusals): (&str, &str),
) -> Result<(), Failure> {
    let mut own = reasons_of(refusals, name);
    match result {
        Ok(()) if own.next().is_none() => judge(case, Ok(())),
        // The list must shrink with what works, so a line that is no longer true fails.
        Ok(()) => Err(Failure(format!("{name} is done: take it from {file}"))),
        Err(Failure(error)) => {
            if own
                .chain(reasons_of(refusals, "*"))
                .any(|reason| error.contains(reason))
            {
                return Ok(());
            }
            judge(case, Err(Failure(error)))
                .map_err(|Failure(error)| Failure(format!("{name}: {error}")))
        }
    }
}

/// Returns the reasons of the lines `name: reason` of a list.
fn reasons_of<'a>(refusals: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let lines = refusals.lines().filter_map(|line| line.split_once(": "));
    lines
        .filter(move |(listed, _)| *listed == name)
        .map(|(_, reason)| reason)
}

/// Returns a case with the result of its draw.
fn draw_on(
    configuration: Configuration,
    shaders: &[Shader],
    describe: fn(&mut DrawCase),
) -> Result<(Case, Result<(), Failure>), Failure> {
    draw_with(configuration, shaders, &[], describe)
}

/// As [`draw_on`], with other forms of some of the shaders.
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

/// Returns the shader as DXBC (shader model 5.1), where that lies beside its DXIL.
fn older_form(shader: &Shader) -> Option<Vec<u8>> {
    let folder = crate::data_folder().join("hwtests/shaders");
    std::fs::read(folder.join(format!("{}.dxbc", shader.name))).ok()
}

/// Runs a case with the shader's DXBC, bound by the root signature of its DXIL, and with the same
/// expectation.
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
        let program = compile(device, &parsed, root.as_ref(), &case)?;
        run_program(device, shader.name, &program, &case)
    };
    let result = attempt();
    judge(&case, result).map_err(|Failure(error)| Failure(format!("as DXBC: {error}")))
}

fn compile(
    device: &dyn Device,
    parsed: &dxil_frontend::dxil::Shader,
    root: Option<&RootSignature>,
    case: &Case,
) -> dxil_runtime::Result<Program> {
    let mut options = CompileOptions::default();
    options.native_min_precision = case.native_min_precision;
    options.vendor = case.vendor;
    let formats = formats_of(&case.job);
    Program::compile(parsed, root, device.profile(), &formats, &options)
}

/// Runs the first library's compute shader with the functions that the other libraries define, on
/// Vulkan; the validator looks at what becomes of it for every target.
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

/// Judges a result: a case that must be refused succeeds with the right error.
fn judge(case: &Case, result: Result<(), Failure>) -> Result<(), Failure> {
    match (case.refusal(), result) {
        // The device lacks what the case needs, and said so: the case is not run.
        (None, Err(Failure(error))) if case.lacking().is_some_and(|text| error.contains(text)) => {
            eprintln!("not run: {error}");
            Ok(())
        }
        (None, result) => result,
        (Some(text), Err(Failure(error))) if error.contains(text) => Ok(()),
        (Some(text), Err(Failure(error))) => Err(Failure(format!(
            "refused, but not because of '{text}': {error}"
        ))),
        (Some(text), Ok(())) => Err(Failure(format!("not refused because of '{text}'"))),
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
            compile(device, &parsed, root.as_ref(), case)?
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

fn run_program(
    device: &dyn Device,
    name: &str,
    program: &Program,
    case: &Case,
) -> Result<(), Failure> {
    results(name, case, &device.run(program, &case.job)?)
}

/// Runs a case, and returns the outcome if it is the expected one.
pub(crate) fn outcome_of(
    device: &dyn Device,
    name: &str,
    program: &Program,
    case: &Case,
) -> Result<Outcome, Failure> {
    let outcome = device.run(program, &case.job)?;
    results(name, case, &outcome).map(|()| outcome)
}

/// Compares an outcome with what a case expects.
fn results(name: &str, case: &Case, outcome: &Outcome) -> Result<(), Failure> {
    let failures = case.failures(outcome);
    if failures.is_empty() {
        return Ok(());
    }
    Err(Failure(format!(
        "{name}: wrong results\n{}",
        failures.join("\n")
    )))
}

/// Translates a shader for the Vulkan device, has the validator look at it, and runs a job with it.
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

/// Runs the nodes of a work graph library on Vulkan and on the CPU, level by level, for records from
/// the host, and compares. The validator looks at every node.
///
/// # Errors
///
/// If the translator refuses a node, a module is invalid, or the device fails.
pub fn work_graph(
    shader: &Shader,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome, Failure> {
    rooted_work_graph(&[*shader], GraphRoots::default(), job, inputs)
}

/// The root signatures of a work graph, as HLSL's text.
#[derive(Debug, Clone, Copy, Default)]
pub struct GraphRoots<'a> {
    /// The global one.
    pub global: Option<&'a str>,
    /// The local one of all nodes.
    pub local: Option<&'a str>,
}

/// Returns the same with several libraries and root signatures.
///
/// # Errors
///
/// If the translator refuses a node, a module is invalid, or the device fails.
pub fn rooted_work_graph(
    shaders: &[Shader],
    roots: GraphRoots<'_>,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome, Failure> {
    let [on_vulkan, on_cpu] = each_work_graph(shaders, roots, job, inputs)?;
    let same = on_vulkan.results.resources == on_cpu.results.resources
        && on_vulkan.levels == on_cpu.levels
        && on_vulkan.lost == on_cpu.lost;
    if same {
        Ok(on_vulkan)
    } else {
        Err(Failure(format!(
            "{}: the CPU says {on_cpu:?}, Vulkan {on_vulkan:?}",
            shaders[0].name
        )))
    }
}

/// Runs a work graph on Vulkan and on the CPU, for graphs whose results depend on the size of waves
/// or on the order of groups.
///
/// # Errors
///
/// If the translator refuses a node, a module is invalid, or a device fails.
pub fn each_work_graph(
    shaders: &[Shader],
    roots: GraphRoots<'_>,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<[GraphOutcome; 2], Failure> {
    let on_vulkan = work_graph_on(Configuration::Vulkan, shaders, roots, job, inputs)?;
    let on_cpu = work_graph_on(Configuration::Cpu, shaders, roots, job, inputs)
        .map_err(|error| Failure(format!("on the CPU: {}", error.0)))?;
    Ok([on_vulkan, on_cpu])
}

fn work_graph_on(
    configuration: Configuration,
    shaders: &[Shader],
    roots: GraphRoots<'_>,
    job: &Job,
    inputs: &[GraphInput],
) -> Result<GraphOutcome, Failure> {
    let device = shared_device(configuration)?;
    let root = |text: &str| parse_text(text).map_err(|error| Failure(error.to_string()));
    let global = roots.global.map(root).transpose()?;
    let mut parsed = Vec::new();
    for shader in shaders {
        let mut state = LibraryState::read(shader.bytes)?;
        if let Some(local) = roots.local {
            state.local_roots.push((root(local)?, Vec::new()));
        }
        parsed.push((dxil_frontend::dxil::read_shader(shader.bytes)?, state));
    }
    let libraries: Vec<NodeLibrary<'_>> = parsed
        .iter()
        .map(|(shader, state)| NodeLibrary {
            state: Some(state),
            ..NodeLibrary::new(shader)
        })
        .collect();
    let options = CompileOptions::default();
    let formats = formats_of(job);
    let profile = device.profile();
    let graph = WorkGraph::compile(&libraries, global.as_ref(), profile, &formats, &options)?;
    // The CPU backend has no words.
    for (_, words) in graph.modules().filter(|(_, words)| !words.is_empty()) {
        validate(&shaders[0], words, rules_of(&profile.target))?;
    }
    Ok(graph.run(&*device, job, inputs)?)
}

/// Returns the validator's rules for a target.
fn rules_of(target: &Target) -> Rules {
    Rules {
        environment: match target.vulkan {
            VulkanVersion::V1_1 => Environment::Vulkan1_1,
            VulkanVersion::V1_2 => Environment::Vulkan1_2,
            VulkanVersion::V1_3 => Environment::Vulkan1_3,
            VulkanVersion::V1_4 => Environment::Vulkan1_4,
        },
        scalar_block_layout: target.features.contains(Features::SCALAR_BLOCK_LAYOUT),
        maintenance8: target.features.contains(Features::MAINTENANCE8),
    }
}

/// Returns whether `DXIL_JIT_SPIRV_VAL=off` asks for execution without validation, for machines
/// that have no validator (`bench/gpu/run.sh`).
fn validator_is_off() -> bool {
    std::env::var_os("DXIL_JIT_SPIRV_VAL").is_some_and(|value| value == "off")
}

/// Checks a module; the message of a bad one holds the whole module as text.
fn validate(shader: &Shader, words: &[u32], rules: Rules) -> Result<(), Failure> {
    if validator_is_off() {
        return Ok(());
    }
    // On Vulkan 1.1 a module of SPIR-V 1.4 needs VK_KHR_spirv_1_4, and is checked with it.
    let rules = Rules {
        environment: rules.environment.of_module(words),
        ..rules
    };
    match dxil_validator::validate(words, rules) {
        Ok(()) => Ok(()),
        Err(
            error @ (dxil_validator::ValidatorFailure::Invalid { .. }
            | dxil_validator::ValidatorFailure::Shape(_)),
        ) => {
            let text = dxil_validator::disassemble(words)?;
            Err(Failure(format!(
                "{} for {:?}: {error}\n{text}",
                shader.name, rules.environment
            )))
        }
        Err(error) => Err(error.into()),
    }
}

/// Features that no Vulkan 1.1 device needs an extension for, and that are everywhere.
fn plain_features() -> Features {
    Features::STORAGE_READ_WITHOUT_FORMAT
        | Features::STORAGE_WRITE_WITHOUT_FORMAT
        | Features::IMAGE_GATHER_EXTENDED
        | Features::SUBGROUP
        | Features::SUBGROUP_QUAD
        | Features::IMAGE_1D
        | Features::IMAGE_CUBE_ARRAY
        | Features::STORES_AND_ATOMICS
        | Features::INT16
        | Features::INT64
        | Features::FLOAT64
}

/// Translates a shader for every Vulkan version, with all features and with few, and has the
/// validator check each module. With few features the translator may refuse the shader with a typed
/// error.
///
/// # Errors
///
/// If a module is invalid, or the translator refuses a shader although the target has all features.
pub fn spirv_is_valid(shader: &Shader) -> Result<(), Failure> {
    if validator_is_off() {
        return Err(Failure("the validator is off: this test needs it".into()));
    }
    parsed_is_valid(shader, &dxil_frontend::dxil::read_shader(shader.bytes)?)
}

fn parsed_is_valid(shader: &Shader, parsed: &dxil_frontend::dxil::Shader) -> Result<(), Failure> {
    let mut bindings = BindingMap::new();
    // Shaders that index the heaps need their places; all others ignore them.
    let heap = |binding| Some(DescriptorSlot { set: 10, binding });
    (bindings.resource_heap, bindings.sampler_heap) = (heap(0), heap(1));
    bindings.resource_heap_counters = heap(2).map(Counter::Buffer);
    for vulkan in [
        VulkanVersion::V1_1,
        VulkanVersion::V1_2,
        VulkanVersion::V1_3,
        VulkanVersion::V1_4,
    ] {
        for (features, all) in [(Features::all(), true), (plain_features(), false)] {
            let mut options = Options::default();
            options.target = Target::new(vulkan, Style::Native, features);
            options.bindings = bindings.clone();
            match dxil_translate::translate(parsed, &options) {
                Ok(translation) => {
                    let rules = rules_of(&options.target);
                    validate(shader, &translation.words, rules)?;
                }
                // A target that lacks a feature may refuse the shader; with all features only an
                // old version may.
                Err(error)
                    if (!all || needs_newer(vulkan, parsed))
                        && matches!(
                            error.kind(),
                            dxil_translate::ErrorKind::TargetLacks { .. }
                        ) => {}
                Err(error) => {
                    return Err(Failure(format!("{} for {vulkan:?}: {error}", shader.name)));
                }
            }
        }
    }
    Ok(())
}

/// Returns whether a shader needs more than a Vulkan version has: mesh shaders need SPIR-V 1.4,
/// which came with Vulkan 1.2.
fn needs_newer(vulkan: VulkanVersion, shader: &dxil_frontend::dxil::Shader) -> bool {
    use dxil_frontend::dxil::ShaderKind::{Amplification, Mesh};
    vulkan == VulkanVersion::V1_1 && matches!(shader.shader_model.kind, Mesh | Amplification)
}
