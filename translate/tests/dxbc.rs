//! Shaders of shader models 4 and 5 through the whole translator.
//!
//! `DXBC_CORPUS=FOLDER cargo test -p dxil-translate --test dxbc -- --ignored --nocapture`
//! translates all containers below a folder (`.dxbc`), validates what comes out and reports what
//! was refused and why.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dxil_frontend::container::Container;
use dxil_frontend::dxbc::{Kind, Opcode, Program, Role};
use dxil_frontend::dxil::read_shader;
use dxil_translate::{Features, Options, Style, Target, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate_all};

fn options(vulkan: VulkanVersion) -> Options {
    let mut options = Options::default();
    options.target = Target::new(vulkan, Style::Native, Features::all());
    options
}

/// What became of a container.
enum Outcome {
    Words(Vec<u32>),
    Refused(String),
}

fn outcome(path: &Path, vulkan: VulkanVersion) -> Outcome {
    let bytes = std::fs::read(path).unwrap();
    let done = read_shader(&bytes)
        .map_err(|error| format!("reading: {:?}: {error}", error.category()))
        .and_then(|shader| {
            translate(&shader, &options(vulkan))
                .map_err(|error| format!("translating: {:?}: {error}", error.category()))
        });
    match done {
        Ok(translation) => Outcome::Words(translation.words),
        Err(error) => Outcome::Refused(error),
    }
}

/// A message without the numbers that differ from file to file.
fn pattern(message: &str) -> String {
    let mut pattern = String::new();
    let mut in_number = false;
    for c in message.chars() {
        let is_digit =
            c.is_ascii_hexdigit() && (c.is_ascii_digit() || in_number) || (in_number && c == 'x');
        if !is_digit {
            pattern.push(c);
        } else if !in_number {
            pattern.push('#');
        }
        in_number = is_digit;
    }
    pattern
}

#[test]
#[ignore = "needs a folder of containers, which DXBC_CORPUS names"]
fn every_container_of_a_folder_gives_valid_spirv_or_a_typed_refusal() {
    let folder = std::env::var("DXBC_CORPUS").unwrap();
    let paths = dxil_checkout::files(Path::new(&folder), "dxbc");
    let mut invalid = 0;
    for (vulkan, environment) in [
        (VulkanVersion::V1_3, Environment::Vulkan1_3),
        (VulkanVersion::V1_1, Environment::Vulkan1_1),
    ] {
        let mut refusals: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
        let mut modules: Vec<(&Path, Vec<u32>)> = Vec::new();
        for path in &paths {
            // A panic names the container.
            let found = std::panic::catch_unwind(|| outcome(path, vulkan));
            match found.unwrap_or_else(|_| panic!("{} made it panic", path.display())) {
                Outcome::Words(words) => modules.push((path, words)),
                Outcome::Refused(error) => refusals.entry(pattern(&error)).or_default().push(path),
            }
        }
        let rules = Rules::relaxed(environment);
        let all: Vec<(&[u32], Rules)> = modules
            .iter()
            .map(|(_, words)| (&words[..], rules))
            .collect();
        let mut problems = Vec::new();
        for ((path, _), result) in modules.iter().zip(validate_all(&all)) {
            if let Err(failure) = result {
                problems.push(format!("{}: {failure}", path.display()));
            }
        }
        let refused: usize = refusals.values().map(Vec::len).sum();
        println!(
            "{environment:?}: {} containers, {} valid, {refused} refused, {} invalid",
            paths.len(),
            modules.len() - problems.len(),
            problems.len(),
        );
        let mut sorted: Vec<_> = refusals.iter().collect();
        sorted.sort_by_key(|(_, paths)| std::cmp::Reverse(paths.len()));
        for (message, paths) in sorted {
            println!("  {:4} {message} ({})", paths.len(), paths[0].display());
        }
        for problem in problems.iter().take(20) {
            println!("INVALID {problem}");
        }
        invalid += problems.len();
    }
    assert_eq!(invalid, 0);
}

/// The checked-in containers: those of the execution tests.
fn checked_in() -> Vec<PathBuf> {
    dxil_checkout::files(&dxil_checkout::root().join("hwtests/shaders"), "dxbc")
}

/// The family under which the table lists an instruction.
fn family(opcode: Opcode) -> &'static str {
    use Opcode as O;
    let row = opcode.row();
    let has = |roles: &[Role]| row.operands.iter().any(|slot| roles.contains(&slot.role));
    let has_kind = |kind| row.operands.iter().any(|slot| slot.kind == kind);
    match opcode {
        _ if opcode.is_declaration() || opcode == O::CustomData => "Declarations",
        O::HsControlPointPhase | O::HsForkPhase | O::HsJoinPhase => "Declarations",
        O::Emit | O::Cut | O::EmitThenCut | O::EmitStream | O::CutStream | O::EmitThenCutStream => {
            "Geometry and interpolation"
        }
        O::EvalSnapped | O::EvalSampleIndex | O::EvalCentroid => "Geometry and interpolation",
        _ if has(&[Role::Atomic]) => "Atomics and counters",
        _ if has(&[Role::Memory, Role::Store]) || has(&[Role::Uav]) => "Loads and stores",
        O::Ld | O::LdS | O::LdMs | O::LdMsS => "Loads and stores",
        _ if has(&[Role::Srv, Role::Resource]) || opcode == O::CheckAccessFullyMapped => {
            "Sampling and queries"
        }
        _ if has_kind(Kind::D) => "Doubles",
        _ if has(&[Role::Dst]) => "Arithmetic and moves",
        _ => "Control flow and synchronization",
    }
}

const FAMILIES: [&str; 8] = [
    "Arithmetic and moves",
    "Doubles",
    "Control flow and synchronization",
    "Loads and stores",
    "Sampling and queries",
    "Atomics and counters",
    "Geometry and interpolation",
    "Declarations",
];

/// Instructions that conversion refuses.
fn is_refused(opcode: Opcode) -> bool {
    opcode == Opcode::InterfaceCall
}

/// The instructions that the execution tests of hwtests put together themselves: those that their
/// sources name.
fn assembled() -> BTreeSet<Opcode> {
    let mut text = String::new();
    for file in [
        "dxbc.rs",
        "dxbc_assembler.rs",
        "dxbc_raster.rs",
        "dxbc_resources.rs",
    ] {
        let path = dxil_checkout::root().join("hwtests/tests/suite").join(file);
        text += &std::fs::read_to_string(path).unwrap();
    }
    let names: BTreeSet<&str> = text
        .split("Opcode::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_alphanumeric()).next())
        .collect();
    let all = Opcode::ALL.iter().copied();
    all.filter(|opcode| names.contains(format!("{opcode:?}").as_str()))
        .collect()
}

#[test]
fn the_table_of_dxbc_instructions_is_true() {
    let mut used = assembled();
    for path in checked_in() {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        let program = Program::of_container(&container).unwrap();
        used.extend(
            program
                .instructions
                .iter()
                .map(|instruction| instruction.opcode),
        );
    }
    let mut table =
        String::from("| Family | known | converted | run | not run |\n|---|---:|---:|---:|---|\n");
    for name in FAMILIES {
        let all: Vec<Opcode> = Opcode::ALL
            .iter()
            .copied()
            .filter(|&opcode| family(opcode) == name)
            .collect();
        let converted = all.iter().filter(|&&opcode| !is_refused(opcode)).count();
        let missing: Vec<String> = all
            .iter()
            .filter(|opcode| !used.contains(opcode))
            .map(|opcode| format!("`{}`", opcode.mnemonic()))
            .collect();
        writeln!(
            table,
            "| {name} | {} | {converted} | {} | {} |",
            all.len(),
            all.len() - missing.len(),
            missing.join(" ")
        )
        .unwrap();
    }
    dxil_checkout::assert_coverage_table("dxbc", &table);
}
