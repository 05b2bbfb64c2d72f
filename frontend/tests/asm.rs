//! Assembly that is printed reads as the same module.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::PathBuf;

use dxil_checkout::files_of;
use dxil_frontend::asm::assemble;
use dxil_frontend::bitcode::{decode_module, write_module};
use dxil_frontend::container::open_program;
use dxil_frontend::ir::print::{Plain, module_text};
use dxil_frontend::ir::{Type, TypeId};

fn containers() -> Vec<PathBuf> {
    let folders = [
        "frontend/tests",
        "hwtests",
        "translate",
        "runtime",
        "bench/kernels",
        "bench/shapes",
    ];
    files_of(&folders, "dxil")
}

/// Containers whose text does not have all of the module.
const LEFT_OUT: [&str; 2] = ["vectors/big.dxil", "producers/gogpu_bits.dxil"];

/// Returns the first lines in which two texts differ.
fn first_difference(a: &str, b: &str) -> String {
    let mut pairs = a.lines().zip(b.lines());
    match pairs.find(|(a, b)| a != b) {
        Some((a, b)) => format!("\n  {a}\n  {b}"),
        None => format!("\n  {} and {} lines", a.lines().count(), b.lines().count()),
    }
}

#[test]
fn printed_modules_assemble_to_what_was_printed() {
    let (mut compared, mut with_debug) = (0, 0);
    let mut differences = String::new();
    for path in containers() {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(program) = open_program(&bytes) else {
            continue;
        };
        let Ok(module) = decode_module(program.bitcode, program.bitcode_offset) else {
            continue;
        };
        let text = module_text(&module, &Plain);
        let again = match assemble(&text) {
            Ok(again) => again,
            Err(error) if error.to_string().contains("debug information in assembly") => {
                with_debug += 1;
                continue;
            }
            // A constant of a thousand elements is cut off, and two structures have one name.
            Err(_) if LEFT_OUT.iter().any(|name| path.ends_with(name)) => continue,
            Err(error) => {
                differences += &format!("{}: {error}\n", path.display());
                continue;
            }
        };
        for (id, ty) in &again.types.types {
            let inner: Vec<TypeId> = match ty {
                Type::Pointer { pointee, .. } => vec![*pointee],
                Type::Array { element, .. } | Type::Vector { element, .. } => vec![*element],
                Type::Struct { fields, .. } => fields.to_vec(),
                Type::Function { ret, params, .. } => [&[*ret][..], params].concat(),
                _ => Vec::new(),
            };
            for inner in inner {
                let ty = again.types.get(inner);
                // LLVM's reader takes no other forward references.
                let is_named = matches!(ty, Type::Struct { name: Some(_), .. });
                assert!(inner < id || is_named, "{}: {inner}", path.display());
            }
        }
        let printed = module_text(&again, &Plain);
        if text != printed {
            let difference = first_difference(&text, &printed);
            differences += &format!("{}:{difference}\n", path.display());
        }
        compared += 1;
    }
    assert!(differences.is_empty(), "{differences}");
    assert!(compared > 1000, "{compared}");
    assert!(with_debug < 100, "{with_debug}");
}

#[test]
fn a_module_may_be_written_by_hand() {
    let module = assemble(
        "; Sums the numbers below %n.
         @table = internal unnamed_addr constant [2 x i32] [i32 1, i32 2], align 4
         define i32 @sum(i32 %n) #0 {
         entry:
           %any = icmp sgt i32 %n, 0
           br i1 %any, label %loop, label %done
         loop:
           %i = phi i32 [ 0, %entry ], [ %next, %loop ]
           %total = phi i32 [ 0, %entry ], [ %more, %loop ]
           %more = add nsw i32 %total, %i
           %next = add nuw nsw i32 %i, 1
           %again = icmp slt i32 %next, %n
           br i1 %again, label %loop, label %done, !dx.controlflow.hints !1
         done:
           %result = phi i32 [ 0, %entry ], [ %more, %loop ]
           ret i32 %result
         }
         attributes #0 = { nounwind \"fp32-denorm-mode\"=\"preserve\" }
         !dx.version = !{!0}
         !0 = !{i32 1, i32 0}
         !1 = distinct !{!1, !\"dx.controlflow.hints\", i32 1}",
    )
    .unwrap();
    let id = module.function_named("sum").unwrap();
    assert_eq!(
        module.function_attribute(id, "fp32-denorm-mode"),
        Some("preserve")
    );
    let body = module.body(id).unwrap();
    let blocks: Vec<&str> = body.block_names.iter().map(|(_, name)| &**name).collect();
    assert_eq!(blocks, ["entry", "loop", "done"]);
    assert_eq!(body.attachments.len(), 1);
    let text = module_text(&module, &Plain);
    for line in [
        "@table = internal unnamed_addr constant [2 x i32] [i32 1, i32 2], align 4",
        "  %next = add nuw nsw i32 %i, 1",
        "  br i1 %again, label %loop, label %done, !dx.controlflow.hints !1",
        "!1 = distinct !{!1, !\"dx.controlflow.hints\", i32 1}",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert!(write_module(&module).is_ok());
}

#[test]
fn functions_without_a_name_are_called_by_number() {
    let text = "define i32 @0(i32 %x) {\n ret i32 %x\n}
                define i32 @1(i32 %x) {\n %y = call i32 @0(i32 %x)\n ret i32 %y\n}";
    let module = assemble(text).unwrap();
    assert_eq!(module.functions.len(), 2);
    assert!(module.functions.values().all(|decl| decl.name.is_empty()));
}

#[test]
fn errors_name_the_line() {
    for (text, message) in [
        (
            "define void @f() {\n ret i32 0\n}",
            "line 2: the function returns another type",
        ),
        (
            "define void @f() {\n br label %x\n}",
            "line 3: a label has no block",
        ),
        (
            "define i32 @f() {\n ret i32 %x\n}",
            "line 3: the value %x is not defined",
        ),
        (
            "define void @f() {\n %1 = add i32 1, 2\n %1 = add i32 1, 2\n ret void\n}",
            "%1 has to be %2",
        ),
        (
            "define void @f() {\n call void @g()\n ret void\n}",
            "line 2: this function is not declared",
        ),
        ("@x = global i31337 0", "line 1: `i31337` is no type"),
        ("garbage", "line 1: `garbage` begins nothing"),
        (
            "@x = global i32 0\ndefin void @f() {\n ret void\n}",
            "line 2: `defin` begins nothing",
        ),
        ("!0 = !{!1}", "line 1: the node !1 is not defined"),
        (
            "define void @f() {\n invoke void @g()\n}",
            "line 2: `invoke` is no instruction of DXIL",
        ),
        (
            "!0 = !DIFile(filename: \"a\")",
            "debug information in assembly (line 1)",
        ),
        ("define void @f() {", "is not closed"),
        (
            "define i32 @f() {\n %1 = add fast i32 1, 2\n ret i32 %1\n}",
            "line 2: a flag that the instruction cannot have",
        ),
        (
            "define float @f() {\n %1 = fadd nsw float 1.0, 2.0\n ret float %1\n}",
            "line 2: a flag that the instruction cannot have",
        ),
        (
            "define i1 @f() {\n %1 = icmp nnan eq i32 1, 2\n ret i1 %1\n}",
            "line 2: a flag that the instruction cannot have",
        ),
    ] {
        let error = assemble(text).unwrap_err().to_string();
        assert!(error.contains(message), "{text}: {error}");
    }
    // Definitions that do not dominate their uses are the bitcode reader's to find.
    let error =
        assemble("define i32 @f() {\n %1 = add i32 %2, 1\n %2 = add i32 1, 1\n ret i32 %1\n}");
    assert!(error.is_err());
}
