//! The table of targets.

use dxil_frontend::FourCc;
use dxil_frontend::container::Container;
use dxil_shapes::{Family, GraphFamily, all_families};
use dxil_translate::oracle::graphs::{Random as GraphRandom, random_graph};

use crate::mutation::Mutation;
use crate::target::Target;

impl Target {
    /// Returns the target with this name.
    pub fn named(name: &str) -> Option<Target> {
        targets().into_iter().find(|target| target.name == name)
    }
}

/// Returns all targets.
pub fn targets() -> Vec<Target> {
    let shader = Mutation::Shader;
    let mut all = vec![
        Target::new("shader", shader, |bytes| drop(crate::shader::run(bytes))),
        Target::new("grammar", Mutation::Grammar, |bytes| {
            drop(crate::shader::run(bytes));
        }),
        Target::new("cpu", shader, |bytes| {
            crate::cpu::run(bytes);
        }),
        Target::new("container", shader, container),
        Target::new("bitcode", shader, bitcode),
        Target::new("translate", shader, translate),
        Target::new("dxbc", shader, translate),
        Target::new("options", Mutation::Tail(8), options),
        Target::new("validate", shader, validate),
        Target::new("shapes", Mutation::Bytes, shapes),
        Target::new("structurize", Mutation::Bytes, structurize),
        Target::new("linking", Mutation::Bytes, linking),
        Target::new("pdb", Mutation::Bytes, pdb),
        Target::new("root_signature", Mutation::Bytes, root_signature),
    ];
    #[cfg(feature = "commands")]
    all.extend(crate::commands::targets());
    // So that their order does not depend on features.
    all.sort_by_key(|target| target.name);
    all
}

fn container(bytes: &[u8]) {
    let _ = dxil_frontend::oracle::container(bytes);
}

/// Reads a container of the corpus; other bytes are bitcode.
fn bitcode(bytes: &[u8]) {
    let program = dxil_frontend::container::open_program(bytes);
    let _ = dxil_frontend::oracle::bitcode(program.map_or(bytes, |program| program.bitcode));
}

fn translate(bytes: &[u8]) {
    let _ = dxil_translate::oracle::translate(bytes);
}

fn options(bytes: &[u8]) {
    let _ = dxil_translate::oracle::translate_with_any_options(bytes);
}

/// Validates a container. One that the reader calls malformed has a violation.
fn validate(bytes: &[u8]) {
    let report = dxil_frontend::validate::validate(bytes, &Default::default());
    // A container may hold nothing but a root signature: no shader, and nothing is wrong with it.
    let is_root_signature = Container::parse(bytes)
        .is_ok_and(|container| matches!(container.parts(), [part] if part.name == FourCc::RTS0));
    if let Err(error) = dxil_frontend::dxil::read_shader(bytes)
        && error.category() == dxil_frontend::Category::Malformed
        && !is_root_signature
    {
        assert!(!report.violations.is_empty(), "no violation: {error}");
    }
}

/// Reads bytes as the number of a family, its size in two bytes, then changes of the container's
/// bytes.
fn shapes(bytes: &[u8]) {
    let Some((&[family, low, high], changes)) = bytes.split_first_chunk::<3>() else {
        return;
    };
    let n = u32::from(u16::from_le_bytes([low, high])) % 2000;
    let family = all_families()
        .nth(usize::from(family))
        .unwrap_or(Family::Graph(GraphFamily::Random(u64::from(family))));
    let mut shader = dxil_shapes::container(family, n);
    let length = shader.len();
    // Each change is a place, as a fraction of the container, and a byte.
    for &[a, b, c, value] in changes.as_chunks::<4>().0.iter().take(8) {
        let place = u32::from_le_bytes([a, b, c, 0]) as usize;
        shader[place * length >> 24] ^= value;
    }
    container(&shader);
    let _ = dxil_frontend::validate::validate(&shader, &Default::default());
    translate(&shader);
}

fn structurize(bytes: &[u8]) {
    let graph = random_graph(&mut GraphRandom::scripted(bytes), 40);
    if let Err(report) = dxil_translate::oracle::structurize(&graph, 4) {
        panic!("{report}");
    }
}

fn linking(bytes: &[u8]) {
    let _ = dxil_frontend::oracle::linking(bytes);
}

fn pdb(bytes: &[u8]) {
    let _ = dxil_frontend::oracle::pdb(bytes);
}

fn root_signature(bytes: &[u8]) {
    let _ = dxil_frontend::oracle::root_signature(bytes);
}
