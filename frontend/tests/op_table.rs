//! Every call of a DXIL operation in the checked-in shaders agrees with the op table: the opcode is
//! known, the function's name has the row's class and one of its overloads, and the operands
//! decode.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise"
)]

use std::collections::BTreeSet;
use std::path::PathBuf;

use dxil_checkout::files_of;
use dxil_frontend::ErrorKind;
use dxil_frontend::bitcode::decode_module;
use dxil_frontend::container::open_program;
use dxil_frontend::dxil::ops::{Opcode, Overload, decode};
use dxil_frontend::ir::{FuncView, Inst, Module};

/// Returns all shaders of the workspace, and their modules; containers without code are left out.
fn corpus() -> Vec<(PathBuf, Module)> {
    let paths = files_of(&["frontend/tests/data", "hwtests/shaders"], "dxil");
    let mut modules = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let program = match open_program(&bytes) {
            Ok(program) => program,
            Err(error) if matches!(error.kind(), ErrorKind::MissingPart { .. }) => continue,
            Err(error) => panic!("{}: {error}", path.display()),
        };
        match decode_module(program.bitcode, program.bitcode_offset) {
            Ok(module) => modules.push((path, module)),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
    modules
}

/// Returns the overload in a function's name, which follows the class.
fn overload_of(suffix: &str) -> Overload {
    match suffix {
        "" => Overload::Void,
        "f16" => Overload::F16,
        "f32" => Overload::F32,
        "f64" => Overload::F64,
        "i1" => Overload::I1,
        "i8" => Overload::I8,
        "i16" => Overload::I16,
        "i32" => Overload::I32,
        "i64" => Overload::I64,
        _ => Overload::Other,
    }
}

#[test]
fn every_call_in_the_corpus_agrees_with_its_row() {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    let mut experimental = 0;
    for (path, module) in corpus() {
        for function in &module.bodies {
            let view = FuncView {
                module: &module,
                function,
            };
            for (id, data) in &function.insts {
                let Inst::Call { callee, args, .. } = data.inst else {
                    continue;
                };
                let Some(callee) = view.as_function(callee) else {
                    continue;
                };
                let Some(name) = module.functions[callee].name.strip_prefix("dx.op.") else {
                    continue;
                };
                let args = function.values_of(args);
                let op = match decode(view, args) {
                    Ok(op) => op,
                    Err(error) => {
                        problems.push(format!("{} {id} {name}: {error}", path.display()));
                        continue;
                    }
                };
                experimental += usize::from(op.opcode().is_preview());
                let row = op.opcode().properties();
                let (class, suffix) = name.split_once('.').unwrap_or((name, ""));
                // The one shader of a compiler that wrote other names.
                if class != row.class && !path.ends_with("producers/own_names.dxil") {
                    problems.push(format!("{}: {name} calls {}", path.display(), row.name));
                }
                if !row.overloads.allows(overload_of(suffix)) {
                    problems.push(format!(
                        "{}: {} has no overload {suffix}",
                        path.display(),
                        row.name
                    ));
                }
                seen.insert(op.opcode());
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    // Previews of shader model 6.10 are in the corpus.
    assert!(experimental > 0);
    let missing: Vec<&str> = Opcode::ALL
        .iter()
        .filter(|op| !seen.contains(op))
        .map(|op| op.name())
        .collect();
    assert!(
        seen.len() >= MIN_OPERATIONS,
        "the corpus calls {} operations; not {missing:?}",
        seen.len()
    );
}

/// Operations that the corpus is known to call; raise it when shaders are added.
const MIN_OPERATIONS: usize = 256;

#[test]
fn only_the_first_argument_of_a_list_has_its_name() {
    let properties = Opcode::Sample.properties();
    let names: Vec<_> = (0..11).map(|i| properties.argument_name(i)).collect();
    let expected = [
        Some("texture"),
        Some("sampler"),
        Some("coords"),
        None,
        None,
        None,
        Some("offsets"),
        None,
        None,
        Some("clamp"),
        None,
    ];
    assert_eq!(names, expected);
}
