//! Optimization: what each pass makes of code, and that everything stays valid.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use dxil_checkout::files_of;
use dxil_frontend::asm::assemble;
use dxil_frontend::build;
use dxil_frontend::container::{Container, InputKind, Signing, detect};
use dxil_frontend::dxil::{LoopHint, Shader, ShaderKind, read_shader};
use dxil_frontend::ir::{Inst, Module};
use dxil_frontend::opt::{Pass, optimize};
use dxil_frontend::validate::{Options, validate};

/// Returns a compute shader with this body, which may store to `%u` with `@dx.op.rawBufferStore`.
fn shader(functions: &str) -> Shader {
    let text = format!(
        r#"
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type {{ i8* }}
%struct.RWByteAddressBuffer = type {{ i32 }}

{functions}

declare i32 @dx.op.threadId.i32(i32, i32) #0
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32) #1
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) #2

attributes #0 = {{ nounwind readnone }}
attributes #1 = {{ nounwind }}
attributes #2 = {{ nounwind readonly }}

!dx.version = !{{!0}}
!dx.valver = !{{!1}}
!dx.shaderModel = !{{!2}}
!dx.resources = !{{!3}}
!dx.entryPoints = !{{!6}}

!0 = !{{i32 1, i32 2}}
!1 = !{{i32 1, i32 7}}
!2 = !{{!"cs", i32 6, i32 2}}
!3 = !{{null, !4, null, null}}
!4 = !{{!5}}
!5 = !{{i32 0, %struct.RWByteAddressBuffer* undef, !"u", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}}
!6 = !{{void ()* @main, !"main", null, !3, !7}}
!7 = !{{i32 0, i64 16, i32 4, !8}}
!8 = !{{i32 1, i32 1, i32 1}}
"#
    );
    Shader::decode(assemble(&text).unwrap()).unwrap()
}

/// The instructions at the start and at the end of most bodies here.
const HANDLE: &str =
    "%u = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)";

fn store(value: &str) -> String {
    format!(
        "call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %u, i32 0, i32 undef, \
         i32 {value}, i32 undef, i32 undef, i32 undef, i8 1, i32 4)"
    )
}

/// Returns the shader after the passes; it must be valid.
fn after(passes: &[Pass], shader: &Shader) -> Shader {
    let shader = optimize(shader, passes).unwrap();
    let bytes = build::container(&shader).unwrap().build(Signing::Digest);
    let bytes = bytes.unwrap();
    let report = validate(&bytes, &Options::default());
    assert!(report.violations.is_empty(), "{}", report.violations[0]);
    // What is written is what was made.
    read_shader(&bytes).unwrap()
}

/// Returns the stored constants, in order; `None` for another value.
fn stored(shader: &Shader) -> Vec<Option<u64>> {
    let function = &shader.module.bodies[0];
    let view = shader.view(function.id).unwrap();
    let stores = function.insts.values().filter_map(|data| match data.inst {
        Inst::Call { args, .. } if data.result.is_none() => Some(function.values_of(args)),
        _ => None,
    });
    stores.map(|args| view.constant_int(args[4])).collect()
}

fn count(module: &Module, is_it: impl Fn(&Inst) -> bool) -> usize {
    let insts = module.bodies.iter().flat_map(|body| body.insts.values());
    insts.filter(|data| is_it(&data.inst)).count()
}

#[test]
fn constants_are_computed_and_branches_on_them_are_gone() {
    // (7 * 6 + 1) / 2 = 21; 21 > 20, so only the first store is left.
    let shader = shader(&format!(
        "define void @main() {{
entry:
  {HANDLE}
  %a = mul i32 7, 6
  %b = add i32 %a, 1
  %c = udiv i32 %b, 2
  %d = icmp ugt i32 %c, 20
  br i1 %d, label %yes, label %no
yes:
  {}
  br label %end
no:
  {}
  br label %end
end:
  %e = phi i32 [ %c, %yes ], [ 99, %no ]
  {}
  ret void
}}",
        store("%c"),
        store("1"),
        store("%e")
    ));
    let after = after(&[Pass::Fold], &shader);
    assert_eq!(stored(&after), [Some(21), Some(21)]);
    assert_eq!(after.module.bodies[0].blocks.len(), 1);
    assert_eq!(
        count(&after.module, |inst| matches!(inst, Inst::Binary { .. })),
        0
    );
}

#[test]
fn a_switch_on_a_constant_takes_its_case() {
    let shader = shader(&format!(
        "define void @main() {{
entry:
  {HANDLE}
  switch i32 3, label %other [
    i32 1, label %one
    i32 3, label %three
  ]
one:
  br label %end
three:
  br label %end
other:
  br label %end
end:
  %e = phi i32 [ 10, %one ], [ 30, %three ], [ 40, %other ]
  {}
  ret void
}}",
        store("%e")
    ));
    let after = after(&[Pass::Fold], &shader);
    assert_eq!(stored(&after), [Some(30)]);
    assert_eq!(after.module.bodies[0].blocks.len(), 1);
}

#[test]
fn wide_shifts_and_what_does_not_fit_are_left_to_the_device() {
    let shader = shader(&format!(
        "define void @main() {{
  {HANDLE}
  %a = fptoui float 5.000000e+09 to i32
  %b = shl i32 1, 40
  {}
  {}
  ret void
}}",
        store("%a"),
        store("%b")
    ));
    assert_eq!(stored(&after(&[Pass::Fold], &shader)), [None, None]);
}

#[test]
fn variables_become_values_across_a_loop() {
    // The sum of 0 to 4, in a variable; the loop's counter, too.
    let shader = shader(&format!(
        "define void @main() {{
entry:
  {HANDLE}
  %sum = alloca i32
  %i = alloca i32
  store i32 0, i32* %sum
  store i32 0, i32* %i
  br label %loop
loop:
  %a = load i32, i32* %i
  %b = load i32, i32* %sum
  %c = add i32 %a, %b
  store i32 %c, i32* %sum
  %d = add i32 %a, 1
  store i32 %d, i32* %i
  %e = icmp ult i32 %d, 5
  br i1 %e, label %loop, label %end
end:
  %f = load i32, i32* %sum
  {}
  ret void
}}",
        store("%f")
    ));
    let after = after(&[Pass::Mem2Reg, Pass::Fold, Pass::DeadCode], &shader);
    let is_memory = |inst: &Inst| {
        matches!(
            inst,
            Inst::Alloca { .. } | Inst::Load { .. } | Inst::Store { .. }
        )
    };
    assert_eq!(count(&after.module, is_memory), 0);
    assert_eq!(
        count(&after.module, |inst| matches!(inst, Inst::Phi { .. })),
        2
    );
    assert_eq!(stored(&after), [None]);
}

#[test]
fn elements_of_arrays_become_values_unless_an_index_is_computed() {
    let body = |index: &str| {
        shader(&format!(
            "define void @main() {{
  {HANDLE}
  %t = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %array = alloca [4 x i32]
  %p = getelementptr inbounds [4 x i32], [4 x i32]* %array, i32 0, i32 1
  store i32 11, i32* %p
  %q = getelementptr inbounds [4 x i32], [4 x i32]* %array, i32 0, i32 {index}
  %v = load i32, i32* %q
  {}
  ret void
}}",
            store("%v")
        ))
    };
    let passes = [Pass::Mem2Reg, Pass::Fold, Pass::DeadCode];
    let known = after(&passes, &body("1"));
    assert_eq!(stored(&known), [Some(11)]);
    assert_eq!(
        count(&known.module, |inst| matches!(inst, Inst::Alloca { .. })),
        0
    );
    let computed = after(&passes, &body("%t"));
    assert_eq!(stored(&computed), [None]);
    let allocas = count(&computed.module, |inst| matches!(inst, Inst::Alloca { .. }));
    assert_eq!(allocas, 1);
}

#[test]
fn calls_become_the_bodies_of_their_functions() {
    let shader = shader(&format!(
        "define internal i32 @larger(i32 %a, i32 %b) {{
  %c = icmp sgt i32 %a, %b
  br i1 %c, label %first, label %second
first:
  ret i32 %a
second:
  ret i32 %b
}}

define internal i32 @twice(i32 %a) {{
  %b = call i32 @larger(i32 %a, i32 5)
  %c = mul i32 %b, 2
  ret i32 %c
}}

define void @main() {{
  {HANDLE}
  %a = call i32 @twice(i32 9)
  {}
  %b = call i32 @twice(i32 3)
  {}
  ret void
}}",
        store("%a"),
        store("%b")
    ));
    let inlined = after(&[Pass::Inline], &shader);
    assert_eq!(inlined.module.bodies.len(), 1);
    let folded = after(&[Pass::Inline, Pass::Fold], &shader);
    assert_eq!(stored(&folded), [Some(18), Some(10)]);
    assert_eq!(folded.module.bodies[0].blocks.len(), 1);
}

#[test]
fn dead_code_and_what_it_declared_is_gone_and_effects_stay() {
    let shader = shader(&format!(
        "define void @main() {{
  {HANDLE}
  %t = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %a = add i32 %t, 1
  %never_read = alloca i32
  store i32 %a, i32* %never_read
  {}
  ret void
}}",
        store("4")
    ));
    let after = after(&[Pass::DeadCode], &shader);
    assert_eq!(stored(&after), [Some(4)]);
    // The handle, the store, the return.
    assert_eq!(after.module.bodies[0].insts.len(), 3);
    assert_eq!(after.module.function_named("dx.op.threadId.i32"), None);
}

#[test]
fn loops_get_hints_where_they_have_none() {
    let shader = shader(&format!(
        "define void @main() {{
entry:
  {HANDLE}
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %j = add i32 %i, 1
  {}
  %k = icmp ult i32 %j, 5
  br i1 %k, label %loop, label %end
end:
  ret void
}}",
        store("%i")
    ));
    let hint = |shader: &Shader| {
        let body = &shader.module.bodies[0];
        let branches = body
            .insts
            .iter()
            .filter(|(_, data)| data.inst.is_terminator());
        let mut hints =
            branches.filter_map(|(id, _)| shader.hints.loop_hint(&shader.module, body, id));
        let first = hints.next();
        assert_eq!(hints.next(), None);
        first
    };
    let unrolled = after(&[Pass::UnrollHints], &shader);
    assert_eq!(hint(&unrolled), Some(LoopHint::Unroll));
    // A loop keeps the hint that it has.
    let kept = after(&[Pass::LoopHints], &unrolled);
    assert_eq!(hint(&kept), Some(LoopHint::Unroll));
    let stays = after(&[Pass::LoopHints], &shader);
    assert_eq!(hint(&stays), Some(LoopHint::DontUnroll));
}

#[test]
fn valid_shaders_stay_valid_and_do_not_grow() {
    let folders = ["hwtests/shaders", "hwtests/pipelines", "bench/kernels"];
    let paths = files_of(&folders, "dxil");
    let (mut compared, mut before, mut after) = (0, 0, 0);
    let mut wrong = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).unwrap();
        let is_valid = |bytes: &[u8]| validate(bytes, &Options::default()).is_valid();
        if detect(&bytes) != Some(InputKind::Container) || !is_valid(&bytes) {
            continue;
        }
        let shader = read_shader(&bytes).unwrap();
        // Subobjects of libraries and properties of nodes are not in their modules.
        if shader.shader_model.kind == ShaderKind::Library
            || Container::parse(&bytes).unwrap().program().is_err()
        {
            continue;
        }
        let size = |shader: &Shader| count(&shader.module, |_| true);
        let smaller = match optimize(&shader, Pass::DEFAULT) {
            Ok(smaller) => smaller,
            Err(error) => {
                wrong.push(format!("{}: {error}", path.display()));
                continue;
            }
        };
        let written = build::container(&smaller).unwrap().build(Signing::None);
        let report = validate(&written.unwrap(), &Options::default());
        if let Some(violation) = report.violations.first() {
            wrong.push(format!("{}: {violation}", path.display()));
        }
        if shader.module.bodies.len() == 1 {
            assert!(size(&smaller) <= size(&shader), "{}", path.display());
        }
        before += size(&shader);
        after += size(&smaller);
        compared += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(compared > 450, "{compared}");
    assert!(after < before, "{after} of {before}");
    println!("{after} of {before} instructions in {compared}");
}
