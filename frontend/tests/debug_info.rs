//! Debug information: sources, positions, variables and types of shaders compiled with `-Zi`.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use dxil_frontend::dxil::debug::{DebugInfo, DebugType, Position, tag};
use dxil_frontend::dxil::{Shader, read_shader, read_shader_with_debug_info};
use dxil_frontend::ir::Inst;

fn bytes(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hwtests/shaders/debug");
    std::fs::read(folder.join(name).with_extension("dxil")).unwrap()
}

fn shader(name: &str) -> Shader {
    read_shader_with_debug_info(&bytes(name)).unwrap()
}

/// Returns the line of a shader's source that has this text, from 1.
fn line_of(shader: &Shader, file: &str, text: &str) -> u32 {
    let source = shader.sources.as_ref().unwrap().text(file).unwrap();
    let at = source.lines().position(|line| line.contains(text));
    u32::try_from(at.unwrap()).unwrap() + 1
}

#[test]
fn sources_are_those_of_the_compiler() {
    let shader = shader("inlined");
    let sources = shader.sources.as_ref().unwrap();
    let names: Vec<&str> = sources.files.iter().map(|file| &*file.name).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names[0].ends_with("inlined.hlsl"), "{names:?}");
    assert!(names[1].ends_with("inlined.hlsli"), "{names:?}");
    assert!(
        sources.files[0]
            .text
            .contains("groupshared float tile[64];")
    );
    assert_eq!(sources.line("inlined.hlsli", 2), Some("struct Item"));
    assert!(sources.main.as_ref().unwrap().ends_with("inlined.hlsl"));
    assert!(
        sources
            .arguments
            .iter()
            .any(|argument| &**argument == "-Zi")
    );
    let defines = self::shader("typed").sources.unwrap().defines;
    assert_eq!(defines, ["SCALE=3".into()]);
}

#[test]
fn without_being_asked_the_program_without_debug_information_is_read() {
    let shader = read_shader(&bytes("inlined")).unwrap();
    assert!(shader.sources.is_none());
    assert!(DebugInfo::of(&shader.module).is_none());
}

/// Returns the positions of the instructions of a kind in the only body.
fn positions(shader: &Shader, wanted: impl Fn(&Inst) -> bool) -> Vec<(Position<'_>, usize)> {
    let info = DebugInfo::of(&shader.module).unwrap();
    let body = &shader.module.bodies[0];
    let insts = body.insts.iter().filter(|(_, data)| wanted(&data.inst));
    insts
        .filter_map(|(inst, _)| {
            let place = body.debug_locs.get(inst).copied().flatten()?;
            Some((info.position(&place)?, info.inlined_at(&place).count()))
        })
        .collect()
}

#[test]
fn an_instruction_has_file_line_and_the_calls_it_was_inlined_by() {
    let shader = shader("inlined");
    let multiplied = line_of(&shader, "inlined.hlsli", "return x * x");
    let found = positions(&shader, |inst| matches!(inst, Inst::Binary { .. }));
    let (position, depth) = found
        .iter()
        .find(|(position, _)| position.file.ends_with(".hlsli"))
        .unwrap();
    assert_eq!((position.line, *depth), (multiplied, 2));
    let barrier = line_of(&shader, "inlined.hlsl", "GroupMemoryBarrier");
    let found = positions(&shader, |inst| matches!(inst, Inst::Call { .. }));
    assert!(
        found
            .iter()
            .any(|(position, depth)| position.line == barrier && *depth == 0)
    );
}

#[test]
fn variables_have_names_types_and_pieces() {
    let shader = shader("inlined");
    let info = DebugInfo::of(&shader.module).unwrap();
    let view = shader
        .view(shader.entry_points[0].function.unwrap())
        .unwrap();
    let uses: Vec<_> = (view.function.insts.keys())
        .filter_map(|inst| info.variable_use(view, inst))
        .collect();
    let of = |name: &str| {
        let named = uses
            .iter()
            .filter(|used| info.local_variable(used.variable).unwrap().name == name);
        named.collect::<Vec<_>>()
    };
    let scaled = info.local_variable(of("scaled")[0].variable).unwrap();
    assert_eq!(
        scaled.line,
        line_of(&shader, "inlined.hlsl", "float3 scaled")
    );
    let Some((_, DebugType::Composite(vector))) = info.named_type(scaled.ty.unwrap()) else {
        panic!("a vector is a class")
    };
    assert_eq!((vector.tag, vector.bits), (tag::CLASS, 96));
    // The second component of a vector in registers.
    assert!(
        of("scaled")
            .iter()
            .any(|used| used.expression.piece == Some((32, 32)))
    );
    assert!(
        of("total")
            .iter()
            .all(|used| used.expression.piece.is_none())
    );
    assert!(
        info.global_variables()
            .any(|node| { info.global_variable(node).unwrap().name == "tile" })
    );
}

#[test]
fn every_function_of_the_source_is_listed() {
    let shader = shader("traced");
    let info = DebugInfo::of(&shader.module).unwrap();
    for entry in &shader.entry_points {
        let Some(function) = entry.function else {
            continue;
        };
        let subprogram = info
            .subprogram(info.subprogram_of(function).unwrap())
            .unwrap();
        assert_eq!(subprogram.name, entry.plain_name());
    }
    let names: Vec<_> = info
        .subprograms()
        .map(|node| info.subprogram(node).unwrap().name)
        .collect();
    assert!(names.contains(&"sky"), "{names:?}");
}
