//! Every checked-in shader of the project, for a matrix of targets: each entry point's SPIR-V
//! passes the validator, or a typed error says why there is none.
//!
//! The targets are Vulkan 1.1 to 1.4, in the native and in the portable style, with every feature,
//! with none, with all but one and with only one. Most features leave most shaders alone, so a
//! module that came out before is not validated again. The ordinary test takes every shader for the
//! targets with all features and with none, and a part of the others, chosen by a hash; the whole
//! matrix is an ignored test:
//!
//! ```text
//! cargo test -p dxil-translate --test every_shader -- --ignored
//! ```
//!
//! `MATRIX_PART=20` makes that one in twenty.
//!
//! For 1.3 with every feature nothing is refused but what is not of this project's stages and
//! shader models yet (libraries of functions, 6.9), what a file test asks to be refused, and bytes
//! that are malformed on purpose. For less, an error may also name what the target lacks.

#![allow(
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use dxil_frontend::Category;
use dxil_frontend::dxil::{Shader, ShaderKind, read_shader};
use dxil_frontend::tables::HashSet;
use dxil_translate::{
    BindingMap, Counter, DescriptorSlot, ErrorKind, Features, Options, Style, Target,
    VulkanVersion, translate,
};
use dxil_validator::{Environment, Rules, validate_all};

/// The folders of shaders, with a minimum number for each.
const FOLDERS: [(&str, usize); 6] = [
    ("hwtests/shaders", 300),
    ("hwtests/pipelines", 5),
    ("translate/filetests", 150),
    ("frontend/tests/data", 50),
    ("bench", 40),
    ("runtime/tests/data", 5),
];

const VERSIONS: [(VulkanVersion, Environment); 4] = [
    (VulkanVersion::V1_1, Environment::Vulkan1_1),
    (VulkanVersion::V1_2, Environment::Vulkan1_2),
    (VulkanVersion::V1_3, Environment::Vulkan1_3),
    (VulkanVersion::V1_4, Environment::Vulkan1_4),
];

/// A column of the matrix.
struct Column {
    name: String,
    target: Target,
    rules: Rules,
    /// Whether every shader is translated for it, or only a part of them.
    always: bool,
}

fn column(name: String, style: Style, version: usize, features: Features, always: bool) -> Column {
    let (vulkan, environment) = VERSIONS[version];
    Column {
        name: format!("{style:?} {vulkan:?} {name}"),
        target: Target::new(vulkan, style, features),
        rules: Rules {
            environment,
            scalar_block_layout: features.contains(Features::SCALAR_BLOCK_LAYOUT),
            maintenance8: features.contains(Features::MAINTENANCE8),
        },
        always,
    }
}

fn columns() -> Vec<Column> {
    let mut columns = Vec::new();
    for (style, all) in [
        (Style::Native, Features::all()),
        (Style::Portable, Features::PORTABLE),
    ] {
        for (version, &(vulkan, _)) in VERSIONS.iter().enumerate() {
            let oldest = vulkan == VulkanVersion::V1_1 && style == Style::Native;
            let always = oldest || vulkan == VulkanVersion::V1_3;
            columns.push(column("all".to_owned(), style, version, all, always));
            let none = Features::empty();
            columns.push(column("none".to_owned(), style, version, none, always));
            for (name, feature) in all.iter_names() {
                let without = all - feature;
                columns.push(column(format!("-{name}"), style, version, without, false));
                columns.push(column(format!("+{name}"), style, version, feature, false));
            }
        }
    }
    columns
}

fn options(target: Target, entry: &str) -> Options {
    let heap = |binding| Some(DescriptorSlot { set: 10, binding });
    let mut bindings = BindingMap::new();
    (bindings.resource_heap, bindings.sampler_heap) = (heap(0), heap(1));
    bindings.resource_heap_counters = heap(2).map(Counter::Buffer);
    {
        let mut options = Options::default();
        options.target = target;
        options.bindings = bindings;
        options.entry = Some(entry.to_owned());
        options
    }
}

/// Returns whether the shader belongs to what this translator does not do yet: its error names
/// that.
fn is_later(shader: &Shader, kind: ShaderKind) -> bool {
    let model = shader.shader_model;
    kind == ShaderKind::Library || (model.major, model.minor) >= (6, 9)
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// The outcomes for the shaders.
#[derive(Default)]
struct Outcome {
    report: String,
    translations: usize,
    refused: usize,
    /// Modules that no other shader or target gave before.
    modules: Vec<(String, Vec<u32>, Rules)>,
    seen: HashSet<u64>,
}

impl Outcome {
    /// Validates what has come together.
    fn validate(&mut self) {
        let modules = std::mem::take(&mut self.modules);
        let inputs: Vec<_> = modules
            .iter()
            .map(|(_, words, rules)| (words.as_slice(), *rules))
            .collect();
        for ((label, ..), answer) in modules.iter().zip(validate_all(&inputs)) {
            if let Err(failure) = answer {
                writeln!(self.report, "{label}: {failure}").unwrap();
            }
        }
    }

    fn translate(&mut self, label: &str, shader: &Shader, path: &Path, entry: &str, of: &Column) {
        let kind = shader.entry_point(entry).map(|entry| entry.kind);
        self.translations += 1;
        match translate(shader, &options(of.target, entry)) {
            Ok(translation) => {
                let rules = Rules {
                    environment: of.rules.environment.of_module(&translation.words),
                    ..of.rules
                };
                let key = (&translation.words, format!("{rules:?}"));
                if self.seen.insert(hash(&key)) {
                    let label = format!("{label} ({})", of.name);
                    self.modules.push((label, translation.words, rules));
                }
            }
            Err(error) => {
                self.refused += 1;
                let is_whole = of.target.style == Style::Native
                    && of.target.features == Features::all()
                    && of.target.vulkan >= VulkanVersion::V1_3;
                let expected = match (error.kind(), error.category()) {
                    (ErrorKind::TargetLacks { .. }, _) => !is_whole,
                    (_, Category::Unsupported) => {
                        of.target.style == Style::Portable
                            || !is_whole
                            || kind.is_some_and(|kind| is_later(shader, kind))
                    }
                    _ => false,
                };
                if !expected && !asks_for_an_error(path) {
                    writeln!(self.report, "{label} ({}): {error}", of.name).unwrap();
                }
            }
        }
    }
}

/// Returns whether a file test wants its shader to be refused.
fn asks_for_an_error(path: &Path) -> bool {
    ["hlsl", "ll"].iter().any(|extension| {
        std::fs::read_to_string(path.with_extension(extension))
            .is_ok_and(|source| source.contains(" error: "))
    })
}

/// Translates every shader for one in `part` of the columns that are not for all.
fn check(part: u64) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let columns = columns();
    let mut outcome = Outcome::default();
    let mut validated = 0;
    for (folder, minimum) in FOLDERS {
        let paths = dxil_checkout::files(&root.join(folder), "dxil");
        assert!(paths.len() >= minimum, "{folder} has {}", paths.len());
        for path in paths {
            let name = path.strip_prefix(&root).unwrap().display().to_string();
            let bytes = std::fs::read(&path).unwrap();
            let shader = match read_shader(&bytes) {
                Ok(shader) => dxil_checkout::linked(&path, shader),
                Err(error) => {
                    // Containers that test the reader.
                    if folder != "frontend/tests/data" || error.category() == Category::Internal {
                        writeln!(outcome.report, "{name}: {error}").unwrap();
                    }
                    outcome.refused += 1;
                    continue;
                }
            };
            // A library's own entry has no function.
            for entry in shader.entry_points.iter().filter(|e| !e.name.is_empty()) {
                let label = format!("{name} {}", entry.name);
                for column in &columns {
                    if column.always || hash(&(&label, &column.name)).is_multiple_of(part) {
                        outcome.translate(&label, &shader, &path, &entry.name, column);
                    }
                }
            }
            if outcome.modules.len() >= 64 {
                validated += outcome.modules.len();
                outcome.validate();
            }
        }
    }
    validated += outcome.modules.len();
    outcome.validate();
    println!(
        "{} targets, {} translations, {validated} different modules, {} refused",
        columns.len(),
        outcome.translations,
        outcome.refused
    );
    assert!(outcome.report.is_empty(), "\n{}", outcome.report);
    validated
}

#[test]
fn every_shader_is_valid_with_all_features_and_with_none() {
    let validated = check(400);
    assert!(validated > 500, "{validated} modules");
}

#[test]
#[ignore = "takes an hour; a part of it is in the other test"]
fn every_shader_is_valid_for_every_target() {
    let part = std::env::var("MATRIX_PART").ok();
    check(part.map_or(1, |part| part.parse().unwrap()));
}
