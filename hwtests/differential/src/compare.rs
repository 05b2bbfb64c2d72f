//! Runs all forms of a shader and compares their outputs.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dxil_frontend::dxil::{ResourceKind, Shader, read_shader};
use dxil_runtime::program::{BindingSlot, CompileOptions, SlotSource};
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Device, Job, Program, ShaderCode, job::ResourceId};
use dxil_translate::DescriptorKind;
use dxil_validator::{Environment, Rules};

use crate::compile::{Dxc, Form};
use crate::inputs;

/// A form of a shader with its executor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Configuration {
    /// Our SPIR-V of optimized DXIL.
    Optimized,
    /// Our SPIR-V of unoptimized DXIL.
    Unoptimized,
    /// Our SPIR-V of optimized DXIL in the portable style, through wgpu.
    Portable,
    /// DXC's SPIR-V.
    Dxc,
    /// Optimized DXIL on the CPU executor.
    Cpu,
    /// Unoptimized DXIL on the CPU executor.
    CpuUnoptimized,
}

impl Configuration {
    /// All forms, in the order in which they run.
    pub const ALL: [Configuration; 6] = [
        Configuration::Optimized,
        Configuration::Unoptimized,
        Configuration::Dxc,
        Configuration::Portable,
        Configuration::Cpu,
        Configuration::CpuUnoptimized,
    ];
}

impl fmt::Display for Configuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Configuration::Optimized => "ours -O3",
            Configuration::Unoptimized => "ours -Od",
            Configuration::Portable => "portable",
            Configuration::Dxc => "DXC",
            Configuration::Cpu => "CPU -O3",
            Configuration::CpuUnoptimized => "CPU -Od",
        })
    }
}

/// The results of a shader.
#[derive(Debug, Default)]
pub struct ComparisonReport {
    /// The forms that ran.
    pub ran: Vec<Configuration>,
    /// The forms that did not run, with the reason: a refusal, or a failure of another component.
    pub not_run: Vec<(Configuration, String)>,
    /// Errors of our code, and invalid SPIR-V.
    pub faults: Vec<(Configuration, String)>,
    /// A digest of the outputs of each form that ran. Zero has any sign.
    pub digests: Vec<(Configuration, u64)>,
    /// Differences from the results of the first form that ran.
    pub differences: Vec<(Configuration, String)>,
}

impl ComparisonReport {
    /// Returns whether nothing is wrong.
    pub fn is_clean(&self) -> bool {
        self.faults.is_empty() && self.differences.is_empty()
    }
}

/// Devices that run the forms.
#[derive(Clone)]
pub struct Devices {
    /// Vulkan, if there is a device.
    pub native: Option<Arc<dyn Device>>,
    /// wgpu without passthrough, if it takes part.
    pub portable: Option<Arc<dyn Device>>,
    /// The CPU executor, with the wave size of the other devices. A finding of its checks is an
    /// error, since the shaders have no defects.
    pub cpu: Option<Arc<dyn Device>>,
}

/// The compiled forms of a shader.
#[derive(Debug, Clone)]
pub struct Forms {
    /// HLSL.
    pub source: String,
    /// DXIL, optimized.
    pub optimized: Vec<u8>,
    /// Unoptimized DXIL, or the error message of DXC.
    pub unoptimized: Result<Vec<u8>, String>,
    /// The SPIR-V of DXC, or its error message.
    pub spirv: Result<Vec<u8>, String>,
}

impl Forms {
    /// Compiles a file with DXC to each form.
    ///
    /// # Errors
    ///
    /// If DXC does not compile the file to optimized DXIL.
    pub fn compile(dxc: &Dxc, path: &Path) -> Result<Forms, String> {
        Ok(Forms {
            optimized: dxc.compile(path, Form::Optimized)?,
            unoptimized: dxc.compile(path, Form::Unoptimized),
            spirv: dxc.compile(path, Form::SpirV),
            source: std::fs::read_to_string(path).map_err(|error| error.to_string())?,
        })
    }

    /// Writes the compiled forms beside their source.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn record(&self, source: &Path) -> Result<(), String> {
        let [optimized, unoptimized, spirv] = Forms::files(source);
        let write = |path: PathBuf, bytes: &[u8]| {
            std::fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))
        };
        write(optimized, &self.optimized)?;
        write(unoptimized, self.unoptimized.as_ref()?)?;
        write(spirv, self.spirv.as_ref()?)
    }

    /// Reads the forms that [`Self::record`] wrote beside their source.
    ///
    /// # Errors
    ///
    /// If a file cannot be read.
    pub fn recorded(source: &Path) -> Result<Forms, String> {
        let [optimized, unoptimized, spirv] = Forms::files(source).map(|path| {
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        });
        Ok(Forms {
            source: std::fs::read_to_string(source).map_err(|error| error.to_string())?,
            optimized: optimized?,
            unoptimized,
            spirv,
        })
    }

    fn files(source: &Path) -> [PathBuf; 3] {
        ["o3", "od", "spv"].map(|extension| source.with_extension(extension))
    }
}

/// The bytes in each output of a form.
type Outputs = Vec<(String, Vec<u8>)>;

/// Runs all forms and compares.
pub fn compare(devices: &Devices, forms: &Forms) -> ComparisonReport {
    let mut report = ComparisonReport::default();
    let optimized = read(&forms.optimized, Configuration::Optimized, &mut report);
    let unoptimized = match &forms.unoptimized {
        Ok(bytes) => read(bytes, Configuration::Unoptimized, &mut report),
        Err(error) => {
            report
                .not_run
                .push((Configuration::Unoptimized, error.clone()));
            None
        }
    };
    let shaders: Vec<&Shader> = [&optimized, &unoptimized].into_iter().flatten().collect();
    let (job, outputs) = inputs::job(&shaders, &forms.source, inputs::groups(&forms.source));
    let mut results: Vec<(Configuration, Outputs)> = Vec::new();
    for (configuration, shader) in [
        (Configuration::Optimized, &optimized),
        (Configuration::Unoptimized, &unoptimized),
    ] {
        let (Some(shader), Some(device)) = (shader, &devices.native) else {
            continue;
        };
        match translate(&**device, shader, &job) {
            Ok(program) => run(
                &**device,
                &program,
                &job,
                &outputs,
                configuration,
                &mut report,
            )
            .into_iter()
            .for_each(|result| results.push((configuration, result))),
            Err(error) => report.faults.push((configuration, error)),
        }
    }
    match (&forms.spirv, &devices.native) {
        (_, None) => {}
        (Err(error), _) => report.not_run.push((Configuration::Dxc, error.clone())),
        (Ok(bytes), Some(device)) => match direct(&shaders, bytes, &forms.source) {
            Err(error) => report.not_run.push((Configuration::Dxc, error)),
            Ok(program) => {
                run(
                    &**device,
                    &program,
                    &job,
                    &outputs,
                    Configuration::Dxc,
                    &mut report,
                )
                .into_iter()
                .for_each(|result| results.push((Configuration::Dxc, result)));
            }
        },
    }
    if let (Some(device), Some(shader)) = (&devices.portable, &optimized) {
        match compile_and_run(&**device, shader, &job) {
            Err(error) => report.not_run.push((Configuration::Portable, error)),
            Ok(outcome) => results.push((Configuration::Portable, gather(&outcome, &outputs))),
        }
    }
    for (configuration, shader) in [
        (Configuration::Cpu, &optimized),
        (Configuration::CpuUnoptimized, &unoptimized),
    ] {
        let (Some(shader), Some(device)) = (shader, &devices.cpu) else {
            continue;
        };
        match compile_and_run(&**device, shader, &job) {
            Err(error) => report.faults.push((configuration, error)),
            Ok(outcome) => {
                for finding in &outcome.findings {
                    report.faults.push((configuration, finding.to_string()));
                }
                results.push((configuration, gather(&outcome, &outputs)));
            }
        }
    }
    report.ran = results
        .iter()
        .map(|(configuration, _)| *configuration)
        .collect();
    report.digests = results
        .iter()
        .map(|(configuration, outputs)| (*configuration, digest(outputs)))
        .collect();
    if let Some(((_, first), rest)) = results.split_first() {
        for (configuration, other) in rest {
            if let Some(difference) = difference(first, other) {
                report.differences.push((*configuration, difference));
            }
        }
    }
    report
}

fn read(
    bytes: &[u8],
    configuration: Configuration,
    report: &mut ComparisonReport,
) -> Option<Shader> {
    match read_shader(bytes) {
        Ok(shader) => Some(shader),
        Err(error) => {
            report.faults.push((configuration, error.to_string()));
            None
        }
    }
}

/// Returns our SPIR-V, validated.
fn translate(device: &dyn Device, shader: &Shader, job: &Job) -> Result<Program, String> {
    let options = CompileOptions::default();
    let program = Program::compile(shader, None, device.profile(), &formats_of(job), &options)
        .map_err(|error| error.to_string())?;
    for stage in &program.stages {
        if let ShaderCode::SpirV(words) = &stage.code {
            dxil_validator::validate(words, Rules::relaxed(Environment::Vulkan1_3))
                .map_err(|error| error.to_string())?;
        }
    }
    Ok(program)
}

/// Returns DXC's SPIR-V as a program.
fn direct(shaders: &[&Shader], bytes: &[u8], source: &str) -> Result<Program, String> {
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("no whole number of words".to_owned());
    }
    let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    dxil_validator::validate_foreign(&words, Rules::relaxed(Environment::Vulkan1_3))
        .map_err(|error| error.to_string())?;
    let mut program: Option<Program> = None;
    for shader in shaders {
        let mut next = dxil_hwtests::direct::program(shader, &words);
        if let Some(program) = &program {
            // Optimization takes resources out that the other forms still name.
            for (set, known) in next.layout.sets.iter_mut().zip(&program.layout.sets) {
                for slot in &known.slots {
                    if set.slots.iter().all(|s| s.binding != slot.binding) {
                        set.slots.push(slot.clone());
                    }
                }
                set.slots.sort_by_key(|slot| slot.binding);
            }
        }
        program = Some(next);
    }
    let mut program = program.ok_or("no shader says what it binds")?;
    let mut sets = program.layout.sets.iter_mut();
    let set = sets.next().ok_or("no shader binds anything")?;
    for binding in bindings(&words) {
        if set.slots.iter().all(|slot| slot.binding != binding) {
            set.slots.push(unused(binding, source));
        }
    }
    set.slots.sort_by_key(|slot| slot.binding);
    Ok(program)
}

/// Returns a slot for a resource that only DXC's SPIR-V names: both compilers know that it does not
/// matter.
fn unused(binding: u32, source: &str) -> BindingSlot {
    let (letter, index) = match binding {
        0..1000 => ('b', binding),
        1000..2000 => ('t', binding - 1000),
        2000..3000 => ('s', binding - 2000),
        3000.. => ('u', binding - 3000),
    };
    let at = format!("register({letter}{index})");
    let mut lines = source.lines();
    let declared = lines.find(|line| line.contains(&at)).unwrap_or_default();
    let kind = match (letter, declared) {
        ('b', _) => DescriptorKind::UniformBuffer,
        ('s', _) => DescriptorKind::Sampler,
        ('t', line) if line.starts_with("Buffer<") => DescriptorKind::UniformTexelBuffer,
        ('t', line) if line.starts_with("Texture") => DescriptorKind::SampledImage,
        (_, line) if line.starts_with("RWBuffer<") => DescriptorKind::StorageTexelBuffer,
        (_, line) if line.starts_with("RWTexture") => DescriptorKind::StorageImage,
        _ => DescriptorKind::StorageBuffer,
    };
    BindingSlot::new(binding, kind, SlotSource::Unused, ResourceKind::Invalid)
}

/// Returns the binding numbers that a module decorates variables with.
fn bindings(words: &[u32]) -> Vec<u32> {
    const DECORATE: u32 = 71;
    const BINDING: u32 = 33;
    let mut found = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let length = (words[at] >> 16).max(1) as usize;
        if let [head, _, BINDING, binding, ..] = words[at..]
            && head & 0xffff == DECORATE
        {
            found.push(binding);
        }
        at += length;
    }
    found
}

fn run(
    device: &dyn Device,
    program: &Program,
    job: &Job,
    outputs: &[(String, ResourceId)],
    configuration: Configuration,
    report: &mut ComparisonReport,
) -> Option<Outputs> {
    match device.run(program, job) {
        Ok(outcome) => Some(gather(&outcome, outputs)),
        Err(error) => {
            report.faults.push((configuration, error.to_string()));
            None
        }
    }
}

fn compile_and_run(
    device: &dyn Device,
    shader: &Shader,
    job: &Job,
) -> Result<dxil_runtime::Outcome, String> {
    let options = CompileOptions::default();
    let program = Program::compile(shader, None, device.profile(), &formats_of(job), &options)
        .map_err(|error| error.to_string())?;
    device.run(&program, job).map_err(|error| error.to_string())
}

fn gather(outcome: &dxil_runtime::Outcome, outputs: &[(String, ResourceId)]) -> Outputs {
    outputs
        .iter()
        .filter_map(|(name, id)| Some((name.clone(), outcome.bytes(*id)?.to_vec())))
        .collect()
}

/// Returns a digest of the words. Zero has any sign.
fn digest(outputs: &Outputs) -> u64 {
    let words = outputs
        .iter()
        .flat_map(|(_, bytes)| bytes.as_chunks::<4>().0);
    let mut hasher = blake3::Hasher::new();
    for word in words {
        let is_zero = u32::from_le_bytes(*word) == 0x8000_0000;
        hasher.update(if is_zero { &[0; 4] } else { word });
    }
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// Returns the first words that differ, and how many do. Zero has any sign.
fn difference(first: &Outputs, other: &Outputs) -> Option<String> {
    let mut text = String::new();
    for ((name, a), (_, b)) in first.iter().zip(other) {
        let words = a.as_chunks::<4>().0.iter().zip(b.as_chunks::<4>().0);
        let different: Vec<(usize, u32, u32)> = words
            .map(|(a, b)| (u32::from_le_bytes(*a), u32::from_le_bytes(*b)))
            .enumerate()
            .filter(|(_, (a, b))| a != b && (a | b) != 0x8000_0000)
            .map(|(index, (a, b))| (index, a, b))
            .collect();
        if different.is_empty() {
            continue;
        }
        text.push_str(&format!("  {name}: {} words", different.len()));
        for (index, a, b) in different.iter().take(6) {
            text.push_str(&format!(", [{index}] {a:#x} and {b:#x}"));
        }
        text.push('\n');
    }
    (!text.is_empty()).then_some(text)
}
