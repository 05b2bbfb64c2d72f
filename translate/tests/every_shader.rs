//! Every checked-in shader of the project, for Vulkan 1.1 and 1.3 with every feature: each entry point's
//! SPIR-V passes the validator, or a typed error says why there is none.
//!
//! For 1.3 nothing is refused but what is not of this project's stages and shader models yet (libraries of
//! functions, work graphs, 6.9), what a file test asks to be refused, and bytes that are
//! malformed on purpose. For 1.1 an error may also name what the target lacks.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dxil_frontend::Category;
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader};
use dxil_translate::{
    BindingMap, Counter, DescriptorSlot, ErrorKind, Features, Options, Style, Target,
    VulkanVersion, translate,
};
use dxil_validator::{Environment, Rules, validate_all};

/// Where shaders are, and how many at least.
const FOLDERS: [(&str, usize); 6] = [
    ("hwtests/shaders", 300),
    ("hwtests/pipelines", 5),
    ("translate/filetests", 150),
    ("frontend/tests/data", 50),
    ("bench", 40),
    ("runtime/tests/data", 5),
];

/// All containers below a folder.
fn containers(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap_or_else(|e| panic!("{}: {e}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            containers(&path, found);
        } else if path.extension().is_some_and(|found| found == "dxil") {
            found.push(path);
        }
    }
}

fn options(vulkan: VulkanVersion, entry: &str) -> Options {
    let heap = |binding| Some(DescriptorSlot { set: 10, binding });
    let mut bindings = BindingMap::new();
    (bindings.resource_heap, bindings.sampler_heap) = (heap(0), heap(1));
    bindings.resource_heap_counters = heap(2).map(Counter::Buffer);
    Options {
        target: Target {
            vulkan,
            style: Style::Native,
            features: Features::all(),
        },
        bindings,
        entry: Some(entry.to_owned()),
        ..Options::default()
    }
}

/// Whether the shader belongs to what this translator does not do yet: its error names that.
fn is_later(shader: &Shader, kind: ShaderKind) -> bool {
    let model = shader.shader_model;
    kind == ShaderKind::Library || (model.major, model.minor) >= (6, 9)
}

fn check(vulkan: VulkanVersion, environment: Environment) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut report = String::new();
    let mut modules: Vec<(String, Vec<u32>)> = Vec::new();
    let mut refused = 0;
    for (folder, least) in FOLDERS {
        let mut paths = Vec::new();
        containers(&root.join(folder), &mut paths);
        assert!(paths.len() >= least, "{folder} has {}", paths.len());
        for path in paths {
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            let bytes = std::fs::read(&path).unwrap();
            let shader = match read_shader(&bytes) {
                Ok(shader) => dxil_checkout::linked(&path, shader),
                Err(error) => {
                    // Containers that test the reader.
                    if folder != "frontend/tests/data" || error.category() == Category::Internal {
                        writeln!(report, "{name}: {error}").unwrap();
                    }
                    refused += 1;
                    continue;
                }
            };
            // A library's own entry has no function.
            let named = shader.entry_points.iter().filter(|e| !e.name.is_empty());
            for entry in named {
                let label = format!("{name} {}", entry.name);
                match translate(&shader, &options(vulkan, &entry.name)) {
                    Ok(translation) => modules.push((label, translation.words)),
                    Err(error) => {
                        refused += 1;
                        let text = error.to_string();
                        let expected = match (error.kind(), error.category()) {
                            (ErrorKind::TargetLacks { .. }, _) => vulkan == VulkanVersion::V1_1,
                            (_, Category::Unsupported) => is_later(&shader, entry.kind),
                            _ => false,
                        };
                        let asked = ["hlsl", "ll"].iter().any(|extension| {
                            std::fs::read_to_string(path.with_extension(extension))
                                .is_ok_and(|source| source.contains(" error: "))
                        });
                        if !expected && !asked {
                            writeln!(report, "{label}: {text}").unwrap();
                        }
                    }
                }
            }
        }
    }
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, words)| {
            let rules = Rules::relaxed(environment.of_module(words));
            (words.as_slice(), rules)
        })
        .collect();
    for ((label, _), answer) in modules.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            writeln!(report, "{label}: {failure}").unwrap();
        }
    }
    println!("{} modules, {refused} refused", modules.len());
    assert!(report.is_empty(), "\n{report}");
    assert!(modules.len() > 500, "{} modules", modules.len());
}

#[test]
fn every_shader_is_valid_for_vulkan_1_1_or_says_what_it_needs() {
    check(VulkanVersion::V1_1, Environment::Vulkan1_1);
}

#[test]
fn every_shader_is_valid_for_vulkan_1_3() {
    check(VulkanVersion::V1_3, Environment::Vulkan1_3);
}
