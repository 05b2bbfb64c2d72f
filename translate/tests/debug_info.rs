//! Shaders compiled with `-Zi`: whatever their debug information says, the module is valid, and the
//! same as without it but for what tells of the source.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::PathBuf;

use dxil_checkout::files_of;
use dxil_frontend::dxil::{Shader, read_shader, read_shader_with_debug_info};
use dxil_frontend::ir::{MdId, MdNode};
use dxil_frontend::oracle::Random;
use dxil_translate::{
    Features, Options, SourceDebugInfo, Style, Target, VulkanVersion, translate, translate_bytes,
};
use dxil_validator::{Environment, Rules, validate_all};
use rspirv::spirv::Op;

const FORMS: [SourceDebugInfo; 2] = [SourceDebugInfo::Lines, SourceDebugInfo::Full];

fn files() -> Vec<(String, Vec<u8>)> {
    let folders = [
        "hwtests/shaders/debug",
        "translate/filetests/debug",
        "frontend/tests/data/modules",
        "frontend/tests/data/container",
    ];
    let paths = files_of(&folders, "dxil");
    let read = |path: &PathBuf| (path.display().to_string(), std::fs::read(path).unwrap());
    let mut files: Vec<_> = paths.iter().map(read).collect();
    files.retain(|(_, bytes)| bytes.windows(4).any(|name| name == b"ILDB"));
    assert!(files.len() >= 8, "test data is missing");
    files
}

fn options(shader: &Shader, vulkan: VulkanVersion, source: SourceDebugInfo) -> Vec<Options> {
    let entries = shader
        .entry_points
        .iter()
        .filter(|entry| entry.function.is_some());
    let of = |entry: String| {
        let mut options = Options::default();
        options.target = Target::new(vulkan, Style::Native, Features::all());
        options.entry = Some(entry);
        options.source = source;
        options
    };
    entries.map(|entry| of(entry.name.to_string())).collect()
}

/// Returns the opcode and number of words of each instruction of the functions, without those about
/// the source.
fn code(words: &[u32]) -> Vec<(u32, usize)> {
    let mut rest = &words[5..];
    let (mut sets, mut code, mut in_function) = (Vec::new(), Vec::new(), false);
    while let [header, ..] = *rest {
        let (opcode, length) = (header & 0xffff, (header >> 16) as usize);
        let (inst, next) = rest.split_at(length);
        rest = next;
        in_function |= opcode == Op::Function as u32;
        let is = |op: Op| opcode == op as u32;
        if is(Op::ExtInstImport) && inst[2].to_le_bytes() == *b"NonS" {
            sets.push(inst[1]);
        }
        let of_source =
            is(Op::Line) || is(Op::NoLine) || is(Op::ExtInst) && sets.contains(&inst[3]);
        if in_function && !of_source {
            code.push((opcode, length));
        }
    }
    code
}

/// Returns whether a module has an instruction.
fn has(words: &[u32], op: Op) -> bool {
    let mut rest = &words[5..];
    while let [header, ..] = *rest {
        if header & 0xffff == op as u32 {
            return true;
        }
        rest = &rest[(header >> 16) as usize..];
    }
    false
}

#[test]
fn modules_with_source_are_valid_and_compute_the_same() {
    let mut report = String::new();
    let mut modules = Vec::new();
    for (name, bytes) in files() {
        let shader = read_shader_with_debug_info(&bytes).unwrap();
        for (vulkan, environment) in [
            (VulkanVersion::V1_1, Environment::Vulkan1_1),
            (VulkanVersion::V1_3, Environment::Vulkan1_3),
        ] {
            for source in FORMS {
                for options in options(&shader, vulkan, source) {
                    let label = format!("{name} {:?} {source:?} {vulkan:?}", options.entry);
                    let mut plain = options.clone();
                    plain.source = SourceDebugInfo::None;
                    let (with, without) =
                        (translate(&shader, &options), translate(&shader, &plain));
                    let (Ok(with), Ok(without)) = (&with, &without) else {
                        assert_eq!(
                            with.err().map(|e| e.to_string()),
                            without.err().map(|e| e.to_string())
                        );
                        continue;
                    };
                    if code(&with.words) != code(&without.words) {
                        writeln!(report, "{label}: other code").unwrap();
                    }
                    let lines = source == SourceDebugInfo::Lines;
                    if has(&with.words, Op::Line) != lines || has(&with.words, Op::Source) != lines
                    {
                        writeln!(report, "{label}: lines in the other form").unwrap();
                    }
                    if with.words.len() <= without.words.len() {
                        writeln!(report, "{label}: nothing of the source").unwrap();
                    }
                    let rules = Rules::relaxed(environment.of_module(&with.words));
                    modules.push((label, with.words.clone(), rules));
                }
            }
        }
    }
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, words, rules)| (words.as_slice(), *rules))
        .collect();
    for ((label, ..), answer) in modules.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            writeln!(report, "{label}: {failure}").unwrap();
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(modules.len() > 30, "only {} modules", modules.len());
}

/// Without being asked nothing of the source is there, even if the program with debug information
/// is translated.
#[test]
fn nothing_is_said_of_the_source_unless_asked() {
    for (name, bytes) in files() {
        let (plain, debug) = (
            read_shader(&bytes).unwrap(),
            read_shader_with_debug_info(&bytes).unwrap(),
        );
        for options in options(&plain, VulkanVersion::V1_3, SourceDebugInfo::None) {
            let (Ok(plain), Ok(debug)) = (translate(&plain, &options), translate(&debug, &options))
            else {
                continue;
            };
            assert_eq!(code(&plain.words), code(&debug.words), "{name}");
            assert!(!has(&debug.words, Op::String), "{name}");
            assert!(!has(&debug.words, Op::Source), "{name}");
        }
    }
}

#[test]
fn an_error_names_the_line_of_the_source() {
    let (_, bytes) = files()
        .into_iter()
        .find(|(name, _)| name.ends_with("typed.dxil"))
        .unwrap();
    // 64-bit integers are a feature that this target does not have.
    let error = translate_bytes(&bytes, &Options::default()).unwrap_err();
    let source = error.location().source.as_ref().unwrap();
    let shader = read_shader_with_debug_info(&bytes).unwrap();
    let line = shader
        .sources
        .as_ref()
        .unwrap()
        .line(&source.file, source.line);
    assert!(line.unwrap().contains("uint64_t wide"), "{error}");
    let start = format!("hwtests/shaders/debug/typed.hlsl:{}:", source.line);
    assert!(error.to_string().starts_with(&start), "{error}");
}

/// Bits of the file are others: what can be read becomes a valid module.
#[test]
fn mutated_files_never_become_an_invalid_module() {
    let files = files();
    mutants(1_500, |random| {
        let (_, bytes) = &files[random.below(files.len())];
        let mut bytes = bytes.clone();
        for _ in 0..=random.below(2) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        read_shader_with_debug_info(&bytes).ok()
    });
}

/// Numbers of debug information are changed, so that nodes have the wrong kind, contain each other
/// in cycles or are missing, and lines are beyond the file: such information is dropped, or
/// describes other code.
#[test]
fn mutated_debug_information_never_makes_a_module_invalid() {
    let shaders: Vec<Shader> = files()
        .iter()
        .map(|(_, bytes)| read_shader_with_debug_info(bytes).unwrap())
        .collect();
    let refused = mutants(1_000, |random| {
        let mut shader = shaders[random.below(shaders.len())].clone();
        let nodes = &mut shader.module.metadata.nodes;
        let count = nodes.len();
        for _ in 0..=random.below(40) {
            let at = MdId::from_u32(u32::try_from(random.below(count)).unwrap());
            let other = MdId::from_u32(u32::try_from(random.below(count)).unwrap());
            match random.below(8) {
                // Another node of debug information in its place.
                0 if matches!(nodes[at], MdNode::Debug { .. }) => nodes[at] = nodes[other].clone(),
                _ => {
                    if let MdNode::Debug { record, .. } = &mut nodes[at]
                        && !record.is_empty()
                    {
                        let field = random.below(record.len());
                        record[field] = match random.below(6) {
                            0 => 0,
                            1 => u64::MAX,
                            2 => u64::from(at.as_u32()) + 1,
                            3 => random.next() & 0xff,
                            _ => random.below(count + 8) as u64,
                        };
                    }
                }
            }
        }
        for body in &mut shader.module.bodies {
            for inst in body.insts.keys() {
                if let Some(Some(place)) = body.debug_locs.get(inst).copied()
                    && random.below(40) == 0
                {
                    let mut place = place;
                    match random.below(3) {
                        0 => place.line = (random.next() & 0x3ff) as u32,
                        1 => place.column = u32::MAX,
                        _ => place.inlined_at = place.scope,
                    }
                    body.debug_locs[inst] = Some(place);
                }
            }
        }
        Some(shader)
    });
    // Whatever debug information says, the shader is translated.
    assert_eq!(refused, 0);
}

/// Translates what `make` gives and validates it; gives the number of refused ones.
fn mutants(count: usize, mut make: impl FnMut(&mut Random) -> Option<Shader>) -> usize {
    let count = std::env::var("DXIL_JIT_MUTANTS").map_or(count, |n| n.parse().unwrap());
    let mut random = Random::new(23);
    let (mut modules, mut refused) = (Vec::new(), 0);
    let mut seen = dxil_frontend::tables::HashSet::default();
    for case in 0..count {
        let Some(shader) = make(&mut random) else {
            continue;
        };
        let form = FORMS[random.below(4).min(1)];
        for options in options(&shader, VulkanVersion::V1_3, form)
            .into_iter()
            .take(4)
        {
            match translate(&shader, &options) {
                Ok(done) if seen.insert(done.words.clone()) => modules.push((case, done.words)),
                Ok(_) => {}
                Err(_) => refused += 1,
            }
        }
    }
    let rules = Rules::relaxed(Environment::Vulkan1_3);
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, words)| (words.as_slice(), rules))
        .collect();
    let mut report = String::new();
    for ((case, _), answer) in modules.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            writeln!(report, "case {case}: {failure}").unwrap();
        }
    }
    assert!(report.is_empty(), "\n{report}");
    assert!(modules.len() > 100, "only {} modules", modules.len());
    refused
}
