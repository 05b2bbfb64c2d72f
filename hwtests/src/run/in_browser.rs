//! Dispatches in a browser's WebGPU: the WGSL of cases whose resources are buffers.

use std::fmt::Write;
use std::path::Path;
use std::time::Duration;

use dxil_frontend::container::Container;
use dxil_runtime::job::{Job, ResourceId, ResourceView, Storage, Work};
use dxil_runtime::language::{self, Language, PortableModule};
use dxil_runtime::program::{CompileOptions, Program, ShaderCode, SlotSource};
use dxil_runtime::{Backend, Outcome};
use dxil_translate::VulkanVersion;

use crate::browser::Site;
use crate::{Case, Shader};

/// A case: its name, its shader, and what describes it.
pub type BrowserCase = (&'static str, Shader, fn(&mut Case));

/// A buffer of a dispatch.
struct Bound {
    group: usize,
    binding: u32,
    /// WebGPU's `GPUBufferBindingType`.
    kind: &'static str,
    bytes: Vec<u8>,
    /// The resource of the job that has the contents.
    resource: Option<ResourceId>,
}

/// Runs cases in a browser, and returns what is wrong with them. `profile` is a folder that the
/// browser may fill.
///
/// # Errors
///
/// If the page does not end, or answers in another form than expected.
pub fn dispatches(
    cases: &[BrowserCase],
    command: &Path,
    profile: &Path,
) -> Result<Vec<String>, String> {
    let mut problems = Vec::new();
    let mut described = Vec::new();
    let mut texts = String::new();
    for (name, shader, describe) in cases {
        let mut case = Case::new(Backend::Wgpu, 1);
        describe(&mut case);
        match written(shader, &case.job) {
            Ok((code, buffers)) => {
                let groups = match case.job.work {
                    Work::Dispatch(groups) => groups,
                    _ => return Err(format!("{name} is no dispatch")),
                };
                let [x, y, z] = groups;
                let _ = write!(texts, "{name}\0{code}\0{x} {y} {z}\0");
                for bound in &buffers {
                    let _ = write!(
                        texts,
                        "{} {} {} {};",
                        bound.group,
                        bound.binding,
                        bound.kind,
                        hexadecimal(&bound.bytes)
                    );
                }
                texts.push('\0');
                described.push((*name, case, buffers));
            }
            Err(error) => problems.push(format!("{name}: {error}")),
        }
    }
    let mut site = Site::default();
    let page = include_bytes!("in_browser.html").to_vec();
    site.files.insert("/".to_owned(), page);
    site.files
        .insert("/dispatches".to_owned(), texts.into_bytes());
    for answer in site.visit(command, profile, Duration::from_secs(200))? {
        let answer = String::from_utf8(answer).map_err(|error| error.to_string())?;
        let mut parts = answer.split('\0');
        let (Some(name), Some(message), Some(results)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(format!("an answer of another form: {answer}"));
        };
        let Some(at) = described.iter().position(|(known, ..)| *known == name) else {
            return Err(format!("{name}: {message}"));
        };
        let (_, case, buffers) = described.swap_remove(at);
        if !message.is_empty() {
            problems.push(format!("{name}: {message}"));
            continue;
        }
        let outcome = outcome_of(&case.job, &buffers, results)?;
        let failures = case.failures(&outcome);
        problems.extend(failures.iter().map(|failure| format!("{name}: {failure}")));
    }
    problems.extend(
        described
            .iter()
            .map(|(name, ..)| format!("{name}: no answer")),
    );
    Ok(problems)
}

/// Returns the WGSL of a shader, and the buffers that a job binds to it.
fn written(shader: &Shader, job: &Job) -> Result<(String, Vec<Bound>), String> {
    let said = |error: &dyn std::fmt::Display| error.to_string();
    let parsed = dxil_frontend::dxil::read_shader(shader.bytes).map_err(|error| said(&error))?;
    let container = Container::parse(shader.bytes).map_err(|error| said(&error))?;
    let root = container.root_signature().map_err(|error| said(&error))?;
    let profile = language::profile(VulkanVersion::V1_3, Language::Wgsl).with_elements(16);
    let options = CompileOptions::default();
    let program = Program::compile(&parsed, root.as_ref(), &profile, &|_| None, &options)
        .map_err(|error| said(&error))?;
    let [stage] = &program.stages[..] else {
        return Err("several stages".into());
    };
    let ShaderCode::SpirV(words) = &stage.code else {
        return Err("no SPIR-V".into());
    };
    let text = PortableModule::read(words)
        .and_then(|module| module.write(Language::Wgsl, stage.kind, &stage.entry))
        .map_err(|error| said(&error))?;
    let mut buffers = Vec::new();
    for (group, set) in program.layout.sets.iter().enumerate() {
        for slot in &set.slots {
            let SlotSource::Registers(register) = slot.source else {
                return Err(format!("binding {} is no register", slot.binding));
            };
            let (bytes, resource) = match job.view(register) {
                Some(ResourceView::Constants(bytes)) => (bytes.clone(), None),
                Some(ResourceView::Buffer(view)) => match &job.resources[view.resource.0].storage {
                    Storage::Buffer(bytes) => (bytes.clone(), Some(view.resource)),
                    Storage::Texture(_) => return Err(format!("{register} is a texture")),
                },
                _ => return Err(format!("{register} is no buffer")),
            };
            // What the text declares, since WebGPU compares it with the layout.
            let place = format!("@group({group}) @binding({})", slot.binding);
            let declared = text.split_once(&place).map_or("", |(_, after)| after);
            let declared = declared.split_once('>').map_or("", |(before, _)| before);
            let kind = match declared.trim() {
                "var<uniform" => "uniform",
                "var<storage" | "var<storage, read" => "read-only-storage",
                _ => "storage",
            };
            buffers.push(Bound {
                group,
                binding: slot.binding,
                kind,
                bytes,
                resource,
            });
        }
    }
    Ok((text, buffers))
}

/// Returns what the buffers hold after the dispatch.
fn outcome_of(job: &Job, buffers: &[Bound], results: &str) -> Result<Outcome, String> {
    let mut resources = vec![None; job.resources.len()];
    for result in results.split(';').filter(|result| !result.is_empty()) {
        let words: Vec<&str> = result.split(' ').collect();
        let [group, binding, contents] = words[..] else {
            return Err(format!("a result of another form: {result}"));
        };
        let found = buffers
            .iter()
            .find(|bound| bound.group.to_string() == group && bound.binding.to_string() == binding);
        if let Some(Bound {
            bytes,
            resource: Some(resource),
            ..
        }) = found
        {
            let mut contents = bytes_of(contents)?;
            contents.truncate(bytes.len());
            resources[resource.0] = Some(contents);
        }
    }
    Ok(Outcome {
        resources,
        ..Outcome::default()
    })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn bytes_of(text: &str) -> Result<Vec<u8>, String> {
    let pairs = (0..text.len() / 2).map(|at| text.get(2 * at..2 * at + 2).unwrap_or(""));
    pairs
        .map(|pair| u8::from_str_radix(pair, 16).map_err(|error| format!("{pair}: {error}")))
        .collect()
}
