//! What comes out does not depend on the order of hash tables, whose seed differs from process to
//! process: modules, errors, listings and validation messages of every checked-in shader are the
//! same in two processes.

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking; its child process prints"
)]

use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
use std::process::Command;

use dxil_frontend::dxil::{Shader, read_shader_with_debug_info};
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::tables::Seeded;
use dxil_frontend::validate;
use dxil_translate::{Features, Options, SourceDebugInfo, Style, Target, VulkanVersion, translate};

/// The variable that makes the test print its results.
const CHILD: &str = "DXIL_PROCESS_SEEDS_CHILD";

/// Returns a hash that is the same in all processes.
fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns hashes of the modules or errors of a shader.
fn translations(shader: &Shader) -> Vec<u64> {
    let targets = [
        (Style::Native, Features::all()),
        (Style::Native, Features::empty()),
        (Style::Portable, Features::PORTABLE),
    ];
    let entries = shader.entry_points.iter().take(4);
    entries
        .flat_map(|entry| {
            targets.map(|(style, features)| {
                let mut options = Options::default();
                options.target = Target::new(VulkanVersion::V1_3, style, features);
                options.entry = Some(entry.name.to_string());
                options.debug_info = true;
                options.source = SourceDebugInfo::Full;
                match translate(shader, &options) {
                    Ok(translation) => hash(&(translation.words, translation.warnings)),
                    Err(error) => hash(&error.to_string()),
                }
            })
        })
        .collect()
}

fn print_results() {
    println!("seed {}", Seeded::default().hash_one("main"));
    for path in dxil_checkout::shaders() {
        let bytes = std::fs::read(&path).unwrap();
        let report = validate::validate(&bytes, &validate::Options::default());
        let (listing, words) = match read_shader_with_debug_info(&bytes) {
            Ok(shader) => {
                let listing = module_text(&shader.module, &Plain);
                let shader = dxil_checkout::linked(&path, shader);
                (hash(&listing), translations(&shader))
            }
            Err(error) => (hash(&error.to_string()), Vec::new()),
        };
        let messages = hash(&format!("{report:?}"));
        println!("{} {messages} {listing} {words:?}", path.display());
    }
}

#[test]
fn results_do_not_depend_on_the_seed_of_the_process() {
    if std::env::var_os(CHILD).is_some() {
        return print_results();
    }
    let results = || {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "--nocapture"])
            .arg("results_do_not_depend_on_the_seed_of_the_process")
            .env(CHILD, "1")
            .output()
            .unwrap();
        assert!(child.status.success(), "{child:?}");
        let text = String::from_utf8(child.stdout).unwrap();
        let (seeds, lines): (Vec<String>, Vec<String>) = text
            .lines()
            .map(str::to_owned)
            .partition(|line| line.contains("seed "));
        let lines: Vec<String> = lines.into_iter().filter(|l| l.contains(".dxil ")).collect();
        (seeds, lines)
    };
    let ((one_seed, one), (other_seed, other)) = (results(), results());
    assert_eq!((one_seed.len(), other_seed.len()), (1, 1));
    assert_ne!(one_seed, other_seed);
    assert!(one.len() > 500, "{}", one.len());
    for (one, other) in one.iter().zip(&other) {
        assert_eq!(one, other);
    }
    assert_eq!(one.len(), other.len());
}
