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
use dxil_frontend::dxbc::{Components, File, Opcode, Operand, OperandRole, OperandType, Program};
use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_translate::{Features, Options, Style, Target, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate_all};

fn options(vulkan: VulkanVersion) -> Options {
    let mut options = Options::default();
    options.target = Target::new(vulkan, Style::Native, Features::all());
    options
}

/// The outcome for a container.
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

/// Returns a message without the numbers that differ from file to file.
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

/// Returns a compute program that computes `r1` with one instruction from four words of `t0` in
/// `r0` and stores it to `u0`, as SPIR-V. `flags` are the global ones.
fn with_instruction(
    flags: u32,
    (opcode, controls): (Opcode, u32),
    operands: &[Operand],
    options: &Options,
) -> Vec<u32> {
    with_instructions(flags, &[(opcode, controls, operands)], options)
}

/// Returns the same with any number of instructions.
fn with_instructions(
    flags: u32,
    instructions: &[(Opcode, u32, &[Operand])],
    options: &Options,
) -> Vec<u32> {
    let mut program = Program::new(ShaderKind::Compute, (5, 0));
    let mut push = |opcode, controls, operands: &[Operand], words: &[u32]| {
        program.push(opcode, controls, operands, words).unwrap();
    };
    let t0 = Operand::register(File::Resource, &[0]);
    let u0 = Operand::register(File::UnorderedAccessView, &[0]);
    let all = Components::Mask(0xf);
    let zero = Operand::immediate([0; 4]);
    push(Opcode::DclGlobalFlags, flags, &[], &[]);
    push(Opcode::DclResourceRaw, 0, &[t0.with(Components::None)], &[]);
    push(Opcode::DclUavRaw, 0, &[u0.with(Components::None)], &[]);
    push(Opcode::DclTemps, 0, &[], &[2]);
    push(Opcode::DclThreadGroup, 0, &[], &[1, 1, 1]);
    push(Opcode::LdRaw, 0, &[temp(0).with(all), zero, t0], &[]);
    for &(opcode, controls, operands) in instructions {
        push(opcode, controls, operands, &[]);
    }
    push(Opcode::StoreRaw, 0, &[u0.with(all), zero, temp(1)], &[]);
    push(Opcode::Ret, 0, &[], &[]);
    let shader = read_shader(&program.to_container().unwrap()).unwrap();
    let words = translate(&shader, options).unwrap().words;
    let rules = Rules::relaxed(Environment::Vulkan1_3);
    for result in validate_all(&[(&words[..], rules)]) {
        result.unwrap();
    }
    words
}

#[test]
fn primitive_numbers_by_the_capability_of_mesh_shaders_raise_the_version() {
    let mut program = Program::new(ShaderKind::Pixel, (5, 0));
    let mut push = |opcode, operands: &[Operand], words: &[u32]| {
        program.push(opcode, 0, operands, words).unwrap();
    };
    let u0 = Operand::register(File::UnorderedAccessView, &[0]);
    let primitive = Operand::register(File::InputPrimitiveId, &[]).with(Components::One);
    push(Opcode::DclUavRaw, &[u0.with(Components::None)], &[]);
    push(Opcode::DclTemps, &[], &[1]);
    push(
        Opcode::Mov,
        &[temp(0).with(Components::Mask(1)), primitive],
        &[],
    );
    let zero = Operand::immediate([0; 4]);
    let x = temp(0).with(Components::Select(0));
    push(
        Opcode::StoreRaw,
        &[u0.with(Components::Mask(1)), zero, x],
        &[],
    );
    push(Opcode::Ret, &[], &[]);
    let shader = read_shader(&program.to_container().unwrap()).unwrap();
    let mut options = options(VulkanVersion::V1_1);
    options.target.features -= Features::GEOMETRY | Features::TESSELLATION;
    let words = translate(&shader, &options).unwrap().words;
    // SPV_EXT_mesh_shader requires SPIR-V 1.4.
    assert_eq!(words[1], 0x0001_0400);
    for result in validate_all(&[(&words[..], Rules::relaxed(Environment::Vulkan1_1Spirv1_4))]) {
        result.unwrap();
    }
}

fn temp(index: u32) -> Operand {
    Operand::register(File::Temp, &[index])
}

/// Returns the instructions of a module: opcode and words after the first.
fn instructions(words: &[u32]) -> Vec<(u32, &[u32])> {
    let mut rest = &words[5..];
    let mut found = Vec::new();
    while let Some(&first) = rest.first() {
        let (this, behind) = rest.split_at((first >> 16) as usize);
        found.push((first & 0xffff, &this[1..]));
        rest = behind;
    }
    found
}

/// Returns the number of ids that a module decorates with a decoration of that number.
fn decorated(words: &[u32], decoration: u32) -> usize {
    const OP_DECORATE: u32 = 71;
    let instructions = instructions(words);
    let mut decorations = instructions.iter().filter(|(op, _)| *op == OP_DECORATE);
    let count = decorations
        .by_ref()
        .filter(|(_, words)| words[1] == decoration);
    count.count()
}

/// Returns the number of instructions of that number in a module.
fn count(words: &[u32], opcode: u32) -> usize {
    let instructions = instructions(words);
    instructions.iter().filter(|(op, _)| *op == opcode).count()
}

const REFACTORING_ALLOWED: u32 = 1 << 11;
const NO_CONTRACTION: u32 = 42;
const OP_F_MUL: u32 = 133;
const OP_F_ADD: u32 = 129;
const OP_EXT_INST: u32 = 12;

/// Returns `mad r1.x, r0.x, r0.y, r0.z`, with a changed sign of the first source if asked for.
fn mad(flags: u32, controls: u32, negate: bool) -> Vec<u32> {
    let part = |component| temp(0).with(Components::Select(component));
    let mut first = part(0);
    first.modifiers.negate = negate;
    let to = temp(1).with(Components::Mask(1));
    with_instruction(
        flags,
        (Opcode::Mad, controls),
        &[to, first, part(1), part(2)],
        &options(VulkanVersion::V1_3),
    )
}

// D3D11.3 functional specification, 22.19.2: a precise `mad` must not be split into a product and a
// sum, and without `refactoringAllowed` everything is precise.
#[test]
fn a_precise_mad_is_one_operation() {
    const PRECISE_X: u32 = 1 << 19;
    for (flags, controls) in [(0, 0), (REFACTORING_ALLOWED, PRECISE_X)] {
        for negate in [false, true] {
            let words = mad(flags, controls, negate);
            assert_eq!(count(&words, OP_F_MUL) + count(&words, OP_F_ADD), 0);
            assert_eq!(count(&words, OP_EXT_INST), 1);
            // The negation is exact, but not all drivers keep its place without the decoration.
            assert!(decorated(&words, NO_CONTRACTION) >= 1);
        }
    }
}

#[test]
fn a_mad_that_may_be_refactored_is_left_to_the_driver() {
    let words = mad(REFACTORING_ALLOWED, 0, false);
    assert_eq!(count(&words, OP_EXT_INST), 1);
    assert_eq!(decorated(&words, NO_CONTRACTION), 0);
}

/// A register of which most uses are integers joins as a float in one live range and as a condition
/// in another.
#[test]
fn a_phi_has_the_type_of_its_live_range() {
    const OP_BITCAST: u32 = 124;
    const OP_PHI: u32 = 245;
    const NONZERO: u32 = 1 << 18;
    let part = |register, component| temp(register).with(Components::Select(component));
    let to = |register, component: u8| temp(register).with(Components::Mask(1 << component));
    let float = |value: f32| Operand::immediate([value.to_bits(); 4]);
    let zero = Operand::immediate([0; 4]);
    let words = with_instructions(
        REFACTORING_ALLOWED,
        &[
            (Opcode::Utof, 0, &[to(1, 0), part(0, 0)]),
            (Opcode::If, NONZERO, &[part(0, 1)]),
            (Opcode::Mul, 0, &[to(1, 0), part(1, 0), float(2.0)]),
            (Opcode::Endif, 0, &[]),
            (Opcode::Ftou, 0, &[to(1, 1), part(1, 0)]),
            (Opcode::Mov, 0, &[to(1, 0), zero]),
            (Opcode::If, NONZERO, &[part(0, 1)]),
            (Opcode::Ult, 0, &[to(1, 0), part(0, 2), part(0, 3)]),
            (Opcode::Endif, 0, &[]),
            (Opcode::If, NONZERO, &[part(1, 0)]),
            (Opcode::Iadd, 0, &[to(1, 1), part(1, 1), part(0, 3)]),
            (Opcode::Endif, 0, &[]),
            (Opcode::Iadd, 0, &[to(1, 0), part(0, 0), part(0, 2)]),
            (Opcode::Iadd, 0, &[to(1, 0), part(1, 0), part(1, 0)]),
        ],
        &options(VulkanVersion::V1_3),
    );
    let types: Vec<u32> = instructions(&words)
        .iter()
        .filter(|(opcode, _)| *opcode == OP_PHI)
        .map(|(_, words)| words[0])
        .collect();
    let names: Vec<u32> = types
        .iter()
        .flat_map(|ty| {
            let all = instructions(&words).into_iter();
            all.filter(move |(opcode, words)| (20..23).contains(opcode) && words[0] == *ty)
                .map(|(opcode, _)| opcode)
        })
        .collect();
    // OpTypeFloat, OpTypeBool, OpTypeInt.
    assert_eq!(names, [22, 20, 21]);
    assert_eq!(count(&words, OP_BITCAST), 0);
}

// D3D11.3 functional specification, 7.20.3.4: the precision of the destination is the minimum for
// the operation.
#[test]
fn a_destination_of_minimum_precision_relaxes_the_operation() {
    const RELAXED_PRECISION: u32 = 0;
    const FLOAT_16: u32 = 1;
    const FLOAT_2_8: u32 = 2;
    const SINT_16: u32 = 4;
    const OP_TYPE_FLOAT: u32 = 22;
    let with = |precision: u32, options: &Options| {
        let mut to = temp(1).with(Components::Mask(0xf));
        to.modifiers.min_precision = u8::try_from(precision).unwrap();
        let sources = [to, temp(0), temp(0)];
        with_instruction(REFACTORING_ALLOWED, (Opcode::Mul, 0), &sources, options)
    };
    let usual = options(VulkanVersion::V1_3);
    for precision in [FLOAT_16, FLOAT_2_8] {
        let words = with(precision, &usual);
        assert_eq!(decorated(&words, RELAXED_PRECISION), 4);
    }
    for precision in [0, SINT_16] {
        assert_eq!(decorated(&with(precision, &usual), RELAXED_PRECISION), 0);
    }
    // On request the operation has 16 bits, as DXIL's.
    let mut native = usual;
    native.native_min_precision = true;
    let words = with(FLOAT_16, &native);
    let halves = instructions(&words);
    let halves = halves
        .iter()
        .filter(|(op, words)| *op == OP_TYPE_FLOAT && words[1] == 16);
    assert_eq!(halves.count(), 1);
}

/// Returns the checked-in containers: those of the execution tests.
fn checked_in() -> Vec<PathBuf> {
    dxil_checkout::files(&dxil_checkout::root().join("hwtests/shaders"), "dxbc")
}

/// Returns the family under which the table lists an instruction.
fn family(opcode: Opcode) -> &'static str {
    use Opcode as O;
    let row = opcode.row();
    let has = |roles: &[OperandRole]| row.operands.iter().any(|slot| roles.contains(&slot.role));
    let has_kind = |kind| row.operands.iter().any(|slot| slot.kind == kind);
    match opcode {
        _ if opcode.is_declaration() || opcode == O::CustomData => "Declarations",
        O::HsControlPointPhase | O::HsForkPhase | O::HsJoinPhase => "Declarations",
        O::Emit | O::Cut | O::EmitThenCut | O::EmitStream | O::CutStream | O::EmitThenCutStream => {
            "Geometry and interpolation"
        }
        O::EvalSnapped | O::EvalSampleIndex | O::EvalCentroid => "Geometry and interpolation",
        _ if has(&[OperandRole::Atomic]) => "Atomics and counters",
        _ if has(&[OperandRole::Memory, OperandRole::Store]) || has(&[OperandRole::Uav]) => {
            "Loads and stores"
        }
        O::Ld | O::LdS | O::LdMs | O::LdMsS => "Loads and stores",
        _ if has(&[OperandRole::Srv, OperandRole::Resource])
            || opcode == O::CheckAccessFullyMapped =>
        {
            "Sampling and queries"
        }
        _ if has_kind(OperandType::D) => "Doubles",
        _ if has(&[OperandRole::Dst]) => "Arithmetic and moves",
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

/// Returns the instructions that the execution tests of hwtests put together themselves: those that
/// their sources name.
fn assembled() -> BTreeSet<Opcode> {
    let mut text = String::new();
    for file in [
        "dxbc.rs",
        "dxbc_assembler.rs",
        "dxbc_declarations.rs",
        "dxbc_interfaces.rs",
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
    let mut table = String::from("| Family | known | run | not run |\n|---|---:|---:|---|\n");
    for name in FAMILIES {
        let all: Vec<Opcode> = Opcode::ALL
            .iter()
            .copied()
            .filter(|&opcode| family(opcode) == name)
            .collect();
        let missing: Vec<String> = all
            .iter()
            .filter(|opcode| !used.contains(opcode))
            .map(|opcode| format!("`{}`", opcode.mnemonic()))
            .collect();
        writeln!(
            table,
            "| {name} | {} | {} | {} |",
            all.len(),
            all.len() - missing.len(),
            missing.join(" ")
        )
        .unwrap();
    }
    dxil_checkout::assert_coverage_table("dxbc", &table);
}
