//! DXBC: tokens in and out, declarations, conversion, and what is refused.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::PathBuf;

use dxil_checkout::files_of;
use dxil_frontend::container::{Container, Signing, write_container};
use dxil_frontend::dxbc::{Components, File, Opcode, Operand, Program, print};
use dxil_frontend::dxil::ops::{BufferOp, Op, decode, op_arguments};
use dxil_frontend::dxil::{Shader, ShaderKind, Stage, read_shader};
use dxil_frontend::ir::{BinaryOp, FastMath, FuncView, Inst};
use dxil_frontend::oracle::Random;
use dxil_frontend::{Category, ErrorKind, FourCc};

const MASK_X: Components = Components::Mask(1);

fn temp(index: u32) -> Operand {
    Operand::register(File::Temp, &[index])
}

fn uav() -> Operand {
    Operand::register(File::UnorderedAccessView, &[0])
}

fn number(value: u32) -> Operand {
    Operand::immediate([value; 4])
}

/// Returns a program with the raw buffer `u0` and a group of one thread.
fn compute() -> Program {
    let mut program = Program::new(ShaderKind::Compute, (5, 0));
    program
        .push(Opcode::DclGlobalFlags, 1 << 11, &[], &[])
        .unwrap();
    let u0 = uav().with(Components::None);
    program.push(Opcode::DclUavRaw, 0, &[u0], &[]).unwrap();
    program.push(Opcode::DclTemps, 0, &[], &[4]).unwrap();
    program
        .push(Opcode::DclThreadGroup, 0, &[], &[1, 1, 1])
        .unwrap();
    program
}

/// Stores `r0.x` at the start of `u0` and ends.
fn store_and_end(program: &mut Program) {
    let place = uav().with(MASK_X);
    let operands = [place, number(0).with(Components::One), temp(0)];
    program.push(Opcode::StoreRaw, 0, &operands, &[]).unwrap();
    program.push(Opcode::Ret, 0, &[], &[]).unwrap();
}

fn shader_of(program: &Program) -> dxil_frontend::Result<Shader> {
    read_shader(&program.to_container().unwrap())
}

/// Returns the operations that a shader's functions call, in order.
fn operations(shader: &Shader) -> Vec<Op> {
    let mut found = Vec::new();
    for function in &shader.module.bodies {
        let view = FuncView {
            module: &shader.module,
            function,
        };
        for data in function.insts.values() {
            if let Some(args) = op_arguments(view, &shader.callees, &data.inst) {
                found.push(decode(view, args).unwrap());
            }
        }
    }
    found
}

fn instructions(shader: &Shader) -> Vec<Inst> {
    let bodies = shader.module.bodies.iter();
    bodies
        .flat_map(|body| body.insts.values().map(|data| data.inst))
        .collect()
}

/// Returns all checked-in containers with DXBC.
fn checked_in() -> Vec<PathBuf> {
    files_of(&["hwtests/shaders"], "dxbc")
}

#[test]
fn tokens_that_are_written_are_read_as_the_same_program() {
    let mut count = 0;
    for path in checked_in() {
        let bytes = std::fs::read(&path).unwrap();
        let program = Program::of_container(&Container::parse(&bytes).unwrap()).unwrap();
        let again = program.to_container().unwrap();
        let again = Program::of_container(&Container::parse(&again).unwrap()).unwrap();
        assert_eq!(
            print::text(&program),
            print::text(&again),
            "{}",
            path.display()
        );
        assert_eq!(program.operands, again.operands, "{}", path.display());
        assert_eq!(program.words, again.words, "{}", path.display());
        assert_eq!(program.constants, again.constants, "{}", path.display());
        count += 1;
    }
    assert!(count >= 100, "{count} containers");
}

/// Returns the listing of a program of `model`'s compute shader: its last lines, without
/// indentation.
fn listed(
    model: (u8, u8),
    opcode: Opcode,
    controls: u32,
    operands: &[Operand],
    words: &[u32],
) -> String {
    let mut program = Program::new(ShaderKind::Compute, model);
    program.push(opcode, controls, operands, words).unwrap();
    let text = print::text(&program);
    text.lines().last().unwrap().trim().to_owned()
}

// Lines of fxc's own listings.
#[test]
fn numbers_are_listed_as_fxc_writes_them() {
    let to = temp(1).with(Components::Mask(0xf));
    let bits = |words| Operand::immediate(words);
    let line = |opcode, words| listed((5, 0), opcode, 0, &[to, bits(words)], &[]);
    // Of bits without a type, those of normal floats and -0 are floats, and nothing follows a
    // comma.
    assert_eq!(line(Opcode::Mov, [0; 4]), "mov r1.xyzw, l(0,0,0,0)");
    assert_eq!(
        line(Opcode::Mov, [0x3f80_0000, 128, 0x8000, 0x0080_0000]),
        "mov r1.xyzw, l(1.000000,128,0x00008000,0.000000)"
    );
    assert_eq!(
        line(Opcode::Mov, [u32::MAX, 0x8000_0000, 9999, 10_000]),
        "mov r1.xyzw, l(-1,-0.000000,9999,0x00002710)"
    );
    assert_eq!(
        line(Opcode::Not, [0xffff, 255, 0x00ff_ffff, 0]),
        "not r1.xyzw, l(0x0000ffff, 255, 0x00ffffff, 0)"
    );
    assert_eq!(
        line(Opcode::Itof, [0u32.wrapping_sub(10_000), u32::MAX, 0, 1]),
        "itof r1.xyzw, l(0xffffd8f0, -1, 0, 1)"
    );
}

#[test]
fn registers_and_declarations_are_listed_as_fxc_writes_them() {
    let to = temp(2).with(MASK_X);
    let x = Components::Select(0);
    let register = |file, indices: &[u32]| Operand::register(file, indices);
    let patch = register(File::InputPatchConstant, &[14]).with(x);
    let constant = register(File::ConstantBuffer, &[0, 7, 4]).with(x);
    let list = |model, operand| listed(model, Opcode::Mov, 0, &[to, operand], &[]);
    assert_eq!(list((5, 0), patch), "mov r2.x, vpc14.x");
    // From 5.1 on: the declaration's number, the register, and the row.
    assert_eq!(list((5, 1), constant), "mov r2.x, CB0[7][4].x");

    let list = |opcode, words: &[u32]| listed((5, 0), opcode, 0, &[], words);
    assert_eq!(list(Opcode::DclFunctionBody, &[3]), "dcl_function_body fb3");
    assert_eq!(
        list(Opcode::DclFunctionTable, &[6, 2, 6, 19]),
        "dcl_function_table ft6 = {fb6, fb19}"
    );
    assert_eq!(
        list(Opcode::DclInterface, &[0, 1, 2 << 16 | 3, 0, 1, 2]),
        "dcl_interface fp0[2][1] = {ft0, ft1, ft2}"
    );
    let interface = register(File::Interface, &[0, 1]).with(Components::None);
    assert_eq!(
        listed((5, 0), Opcode::InterfaceCall, 0, &[interface], &[4]),
        "fcall fp0[1][4]"
    );
    let texture = register(File::Resource, &[45]).with(Components::None);
    // Dimension 4 is a multisampled texture, here of one sample; type 5 is float.
    assert_eq!(
        listed(
            (5, 0),
            Opcode::DclResource,
            4 << 11 | 1 << 16,
            &[texture],
            &[0x5555]
        ),
        "dcl_resource_texture2dms(1) (float,float,float,float) t45"
    );
}

#[test]
fn minimum_precision_is_listed_with_what_it_is_converted_to() {
    let with = |mut operand: Operand, precision| {
        operand.modifiers.min_precision = precision;
        operand
    };
    let x = Components::Select(0);
    let (r0, r1) = (temp(0).with(x), temp(1).with(x));
    let add = [temp(2).with(MASK_X), with(r0, 1), with(r1, 2)];
    assert_eq!(
        listed((5, 0), Opcode::Add, 0, &add, &[]),
        "add r2.x, r0.x {min16f as def32}, r1.x {min2_8f as def32}"
    );
    // A condition and an integer are not converted.
    let movc = [
        with(temp(0).with(MASK_X), 1),
        with(temp(5).with(x), 5),
        Operand::immediate([0; 4]).with(Components::One),
        with(r1, 1),
    ];
    assert_eq!(
        listed((5, 0), Opcode::Movc, 0, &movc, &[]),
        "movc r0.x {min16f}, r5.x {min16u}, l(0) {def32 as min16f}, r1.x {min16f}"
    );
    let itof = [temp(2).with(MASK_X), with(temp(3).with(x), 4)];
    assert_eq!(
        listed((5, 0), Opcode::Itof, 0, &itof, &[]),
        "itof r2.x, r3.x {min16i}"
    );
}

/// Returns the tokens of a message with an operand, `r0.x`, in a compute shader.
fn message_tokens(operands: u32) -> Vec<u32> {
    let text = *b"is %d\n\0\0";
    let [low, high] =
        [&text[..4], &text[4..]].map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap()));
    // Custom data of class 4, ten words: the number of the message, printf, six characters, one
    // operand in two words.
    let message = [
        53 | 4 << 11,
        11,
        0x0020_0102,
        1,
        6,
        operands,
        2,
        0x0010_000a,
        0,
        low,
        high,
    ];
    let mut tokens = vec![5 << 16 | 0x50, 0];
    tokens.extend(message);
    tokens.push(1 << 24 | 62);
    tokens[1] = u32::try_from(tokens.len()).unwrap();
    tokens
}

fn program_of(tokens: &[u32]) -> Program {
    let bytes: Vec<u8> = tokens.iter().flat_map(|word| word.to_le_bytes()).collect();
    let container = write_container(&[(FourCc::SHEX, &bytes)], Signing::Digest).unwrap();
    Program::of_container(&Container::parse(&container).unwrap()).unwrap()
}

#[test]
fn messages_are_listed_and_written_again() {
    let program = program_of(&message_tokens(1));
    let listed = "cs_5_0\nprintf \"is %d\\n\", r0.x\nret\n";
    assert_eq!(print::text(&program), listed);
    assert_eq!(program.to_tokens().unwrap(), message_tokens(1));
    // A message that claims more operands than it has is one without text, and nothing else is
    // lost.
    let program = program_of(&message_tokens(1000));
    assert_eq!(print::text(&program), "cs_5_0\ncustomdata 4\nret\n");
    assert!(program.operands.is_empty() && program.words.is_empty());
}

/// Stores `value` at byte `offset` of element `index` of `u0`, a structured buffer.
fn store_at(program: &mut Program, mask: u8, index: Operand, offset: u32, value: Operand) {
    let offset = number(offset).with(Components::One);
    let target = uav().with(Components::Mask(mask));
    let operands = [target, index, offset, value];
    let pushed = program.push(Opcode::StoreStructured, 0, &operands, &[]);
    pushed.unwrap();
}

/// Returns the number of stores of a shader that writes a structured buffer as `add` says.
fn stores(add: impl FnOnce(&mut Program)) -> usize {
    let mut program = Program::new(ShaderKind::Compute, (5, 0));
    let u0 = uav().with(Components::None);
    let mut declare = |opcode, operands: &[Operand], words: &[u32]| {
        program.push(opcode, 0, operands, words).unwrap();
    };
    declare(Opcode::DclUavStructured, &[u0], &[32]);
    declare(Opcode::DclTemps, &[], &[4]);
    declare(Opcode::DclThreadGroup, &[], &[1, 1, 1]);
    add(&mut program);
    program.push(Opcode::Ret, 0, &[], &[]).unwrap();
    let stores = operations(&shader_of(&program).unwrap());
    let is_store = |op: &&Op| matches!(op, Op::Buffer(BufferOp::RawBufferStore { .. }));
    stores.iter().filter(is_store).count()
}

#[test]
fn stores_of_neighboring_words_become_one() {
    let of = |register, component| temp(register).with(Components::Select(component));
    let index = of(1, 0);
    let words = |program: &mut Program, count: u32| {
        for word in 0..count {
            let component = u8::try_from(word % 4).unwrap();
            store_at(program, 1, index, 4 * word, of(0, component));
        }
    };
    assert_eq!(stores(|program| words(program, 4)), 1);
    // No more than four words at once.
    assert_eq!(stores(|program| words(program, 6)), 2);
    assert_eq!(
        stores(|program| {
            store_at(program, 3, index, 8, of(0, 0));
            store_at(program, 3, index, 16, of(0, 1));
        }),
        1
    );
    // A gap, another element, another register, and what lies between.
    let apart: [&dyn Fn(&mut Program); 4] = [
        &|program| store_at(program, 1, index, 8, of(0, 1)),
        &|program| store_at(program, 1, of(1, 1), 4, of(0, 1)),
        &|program| store_at(program, 1, index, 4, of(2, 1)),
        &|program| {
            let changed = temp(0).with(Components::Mask(2));
            program
                .push(Opcode::Mov, 0, &[changed, number(7)], &[])
                .unwrap();
            store_at(program, 1, index, 4, of(0, 1));
        },
    ];
    for second in apart {
        let count = stores(|program| {
            store_at(program, 1, index, 0, of(0, 0));
            second(program);
        });
        assert_eq!(count, 2);
    }
}

#[test]
fn only_a_precise_sum_keeps_a_summand_of_0() {
    let sums = |is_precise: bool, summand: f32| {
        let mut program = compute();
        let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
        let x = temp(0).with(MASK_X);
        let of_x = temp(0).with(Components::Select(0));
        program.push(Opcode::Utof, 0, &[x, input], &[]).unwrap();
        let summand = number(summand.to_bits());
        let precise = u32::from(is_precise) << 19;
        let sum = program.push(Opcode::Add, precise, &[x, summand, of_x], &[]);
        sum.unwrap();
        store_and_end(&mut program);
        let all = instructions(&shader_of(&program).unwrap());
        let is_sum = |inst: &&Inst| {
            matches!(
                inst,
                Inst::Binary {
                    op: BinaryOp::FAdd,
                    ..
                }
            )
        };
        all.iter().filter(is_sum).count()
    };
    assert_eq!(
        [0.0, -0.0, 1.0].map(|summand| sums(false, summand)),
        [0, 0, 1]
    );
    assert_eq!(
        [0.0, -0.0, 1.0].map(|summand| sums(true, summand)),
        [1, 1, 1]
    );
}

#[test]
fn a_value_that_both_branches_write_is_a_phi() {
    let mut program = compute();
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    let x = temp(0).with(MASK_X);
    program.push(Opcode::If, 1 << 18, &[input], &[]).unwrap();
    program.push(Opcode::Mov, 0, &[x, number(1)], &[]).unwrap();
    program.push(Opcode::Else, 0, &[], &[]).unwrap();
    program
        .push(Opcode::Iadd, 0, &[x, input, number(2)], &[])
        .unwrap();
    program.push(Opcode::Endif, 0, &[], &[]).unwrap();
    store_and_end(&mut program);
    let shader = shader_of(&program).unwrap();
    let phis = instructions(&shader);
    let phis = phis.iter().filter(|inst| matches!(inst, Inst::Phi { .. }));
    assert_eq!(phis.count(), 1);
}

/// Returns the conditional branches of a program that counts from a register or from 0 to 16, and
/// reads memory for each number or not.
fn branches_of_a_loop(starts_at_zero: bool, reads: bool) -> usize {
    let mut program = compute();
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    let (x, y) = (temp(0).with(MASK_X), temp(1).with(MASK_X));
    let of = |index| temp(index).with(Components::Select(0));
    let buffer = Operand::register(File::UnorderedAccessView, &[0]);
    let start = if starts_at_zero { number(0) } else { input };
    let mut push = |opcode, controls, operands: &[Operand]| {
        program.push(opcode, controls, operands, &[]).unwrap();
    };
    push(Opcode::Mov, 0, &[x, start]);
    push(Opcode::Loop, 0, &[]);
    push(Opcode::Ige, 0, &[y, of(0), number(16)]);
    push(Opcode::Breakc, 1 << 18, &[of(1)]);
    if reads {
        push(Opcode::LdRaw, 0, &[y, of(0), buffer]);
        push(Opcode::Iadd, 0, &[x, of(0), of(1)]);
    }
    push(Opcode::Iadd, 0, &[x, of(0), number(1)]);
    push(Opcode::Endloop, 0, &[]);
    store_and_end(&mut program);
    let all = instructions(&shader_of(&program).unwrap());
    all.iter()
        .filter(|inst| matches!(inst, Inst::CondBr { .. }))
        .count()
}

#[test]
fn a_loop_has_a_guard_if_it_reads_memory_and_may_have_no_round() {
    assert_eq!(branches_of_a_loop(false, true), 2);
    assert_eq!(branches_of_a_loop(false, false), 1);
    assert_eq!(branches_of_a_loop(true, true), 1);
    assert_eq!(branches_of_a_loop(true, false), 1);
}

#[test]
fn a_test_that_is_known_for_the_first_round_is_there_once() {
    let mut program = compute();
    let (x, y) = (temp(0).with(MASK_X), temp(1).with(MASK_X));
    let of = |index| temp(index).with(Components::Select(0));
    let mut push = |opcode, controls, operands: &[Operand]| {
        program.push(opcode, controls, operands, &[]).unwrap();
    };
    push(Opcode::Mov, 0, &[x, number(0)]);
    push(Opcode::Loop, 0, &[]);
    push(Opcode::Uge, 0, &[y, of(0), number(16)]);
    push(Opcode::Not, 0, &[y, of(1)]);
    push(Opcode::If, 0, &[of(1)]);
    push(Opcode::Break, 0, &[]);
    push(Opcode::Endif, 0, &[]);
    push(Opcode::Iadd, 0, &[x, of(0), number(1)]);
    push(Opcode::Endloop, 0, &[]);
    store_and_end(&mut program);
    let all = instructions(&shader_of(&program).unwrap());
    let comparisons = all.iter().filter(|inst| matches!(inst, Inst::Cmp { .. }));
    assert_eq!(comparisons.count(), 1);
    // A negated condition is a branch the other way.
    let negations = all.iter().filter(|inst| {
        matches!(
            inst,
            Inst::Binary {
                op: BinaryOp::Xor,
                ..
            }
        )
    });
    assert_eq!(negations.count(), 0);
}

#[test]
fn a_register_that_a_loop_leaves_alone_needs_no_phi() {
    let mut program = compute();
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    let (x, y) = (temp(0).with(MASK_X), temp(1).with(MASK_X));
    let of = |index| temp(index).with(Components::Select(0));
    program.push(Opcode::Mov, 0, &[x, input], &[]).unwrap();
    program.push(Opcode::Mov, 0, &[y, number(0)], &[]).unwrap();
    program.push(Opcode::Loop, 0, &[], &[]).unwrap();
    program
        .push(Opcode::Iadd, 0, &[y, of(1), number(1)], &[])
        .unwrap();
    program
        .push(Opcode::Breakc, 1 << 18, &[of(1)], &[])
        .unwrap();
    program.push(Opcode::Endloop, 0, &[], &[]).unwrap();
    store_and_end(&mut program);
    let shader = shader_of(&program).unwrap();
    let all = instructions(&shader);
    // The counter's alone.
    let phis = all.iter().filter(|inst| matches!(inst, Inst::Phi { .. }));
    assert_eq!(phis.count(), 1);
    let stores = operations(&shader);
    assert!(
        stores
            .iter()
            .any(|op| matches!(op, Op::Buffer(BufferOp::RawBufferStore(_))))
    );
}

#[test]
fn shift_amounts_are_masked_and_constants_folded() {
    let mut program = compute();
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    let x = temp(0).with(MASK_X);
    program
        .push(Opcode::Ishl, 0, &[x, number(1), input], &[])
        .unwrap();
    store_and_end(&mut program);
    let all = instructions(&shader_of(&program).unwrap());
    let is = |op: BinaryOp| move |inst: &Inst| matches!(inst, Inst::Binary { op: found, .. } if *found == op);
    assert!(all.iter().any(is(BinaryOp::And)));

    let mut program = compute();
    program
        .push(Opcode::Ishl, 0, &[x, number(3), number(33)], &[])
        .unwrap();
    store_and_end(&mut program);
    let all = instructions(&shader_of(&program).unwrap());
    assert!(!all.iter().any(is(BinaryOp::Shl)));
}

#[test]
fn a_subroutine_becomes_part_of_its_callers() {
    let mut program = compute();
    let label = Operand::register(File::Label, &[0]).with(Components::None);
    let x = temp(0).with(MASK_X);
    let of = temp(0).with(Components::Select(0));
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    program.push(Opcode::Mov, 0, &[x, input], &[]).unwrap();
    program.push(Opcode::Call, 0, &[label], &[]).unwrap();
    program.push(Opcode::Call, 0, &[label], &[]).unwrap();
    store_and_end(&mut program);
    program.push(Opcode::Label, 0, &[label], &[]).unwrap();
    program
        .push(Opcode::Iadd, 0, &[x, of, number(5)], &[])
        .unwrap();
    program.push(Opcode::Ret, 0, &[], &[]).unwrap();
    let all = instructions(&shader_of(&program).unwrap());
    let sums = all.iter().filter(|inst| {
        matches!(
            inst,
            Inst::Binary {
                op: BinaryOp::Add,
                ..
            }
        )
    });
    assert_eq!(sums.count(), 2);
}

#[test]
fn recursion_ends_at_a_limit() {
    let mut program = compute();
    let label = Operand::register(File::Label, &[0]).with(Components::None);
    program.push(Opcode::Call, 0, &[label], &[]).unwrap();
    store_and_end(&mut program);
    program.push(Opcode::Label, 0, &[label], &[]).unwrap();
    program.push(Opcode::Call, 0, &[label], &[]).unwrap();
    program.push(Opcode::Ret, 0, &[], &[]).unwrap();
    let error = shader_of(&program).unwrap_err();
    assert!(
        error.to_string().contains("depth of subroutine calls"),
        "{error}"
    );
}

#[test]
fn subroutines_that_call_each_other_twice_end_at_a_limit() {
    let mut program = compute();
    let label = |number| Operand::register(File::Label, &[number]).with(Components::None);
    let x = temp(0).with(MASK_X);
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    program.push(Opcode::Mov, 0, &[x, input], &[]).unwrap();
    program.push(Opcode::Call, 0, &[label(0)], &[]).unwrap();
    store_and_end(&mut program);
    for number in 0..30 {
        program
            .push(Opcode::Label, 0, &[label(number)], &[])
            .unwrap();
        for _ in 0..2 {
            let called = [label(number + 1)];
            program.push(Opcode::Call, 0, &called, &[]).unwrap();
        }
        program.push(Opcode::Ret, 0, &[], &[]).unwrap();
    }
    program.push(Opcode::Label, 0, &[label(30)], &[]).unwrap();
    program
        .push(Opcode::Iadd, 0, &[x, temp(0), number(1)], &[])
        .unwrap();
    program.push(Opcode::Ret, 0, &[], &[]).unwrap();
    let error = shader_of(&program).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("subroutines and phases written out"),
        "{error}"
    );
}

#[test]
fn an_instruction_that_the_stage_lacks_is_malformed() {
    let mut program = compute();
    program
        .push(
            Opcode::Discard,
            1 << 18,
            &[number(1).with(Components::One)],
            &[],
        )
        .unwrap();
    store_and_end(&mut program);
    let error = shader_of(&program).unwrap_err();
    assert_eq!(error.category(), Category::Malformed);
    assert!(
        error.to_string().contains("discard in a cs shader"),
        "{error}"
    );

    let mut program = compute();
    let primitive = Operand::register(File::InputPrimitiveId, &[]).with(Components::One);
    let x = temp(0).with(MASK_X);
    program.push(Opcode::Mov, 0, &[x, primitive], &[]).unwrap();
    store_and_end(&mut program);
    let error = shader_of(&program).unwrap_err();
    assert_eq!(error.category(), Category::Malformed);
    assert!(error.to_string().contains("InputPrimitiveId"), "{error}");
}

/// Returns the number of float instructions of a program that adds, and how many of them are
/// precise.
fn precise_additions(flags: u32, precise: u32) -> (usize, usize) {
    let mut program = compute();
    program.instructions[0].token |= flags;
    program.instructions[0].token &= flags | 0x7ff;
    let all = Components::Mask(0xf);
    let load = [temp(0).with(all), number(0).with(Components::One), uav()];
    program.push(Opcode::LdRaw, 0, &load, &[]).unwrap();
    let sum = [temp(0).with(all), temp(0), number(0x3f80_0000)];
    program.push(Opcode::Add, precise << 19, &sum, &[]).unwrap();
    let place = uav().with(all);
    let operands = [place, number(0).with(Components::One), temp(0)];
    program.push(Opcode::StoreRaw, 0, &operands, &[]).unwrap();
    program.push(Opcode::Ret, 0, &[], &[]).unwrap();
    let all = instructions(&shader_of(&program).unwrap());
    let flags: Vec<FastMath> = all
        .iter()
        .filter_map(|inst| match inst {
            Inst::Binary {
                op: BinaryOp::FAdd,
                fast_math,
                ..
            } => Some(*fast_math),
            _ => None,
        })
        .collect();
    let exact = flags.iter().filter(|flags| !flags.contains(FastMath::FAST));
    (flags.len(), exact.count())
}

#[test]
fn precision_is_that_of_each_component_unless_nothing_may_be_refactored() {
    const REFACTORING_ALLOWED: u32 = 1 << 11;
    assert_eq!(precise_additions(REFACTORING_ALLOWED, 0), (4, 0));
    assert_eq!(precise_additions(REFACTORING_ALLOWED, 0b0101), (4, 2));
    assert_eq!(precise_additions(0, 0), (4, 4));
}

#[test]
fn an_index_that_components_share_is_computed_once() {
    let mut program = compute();
    let cb0 = Operand::register(File::ConstantBuffer, &[0, 8]).with(Components::None);
    program
        .push(Opcode::DclConstantBuffer, 1 << 11, &[cb0], &[])
        .unwrap();
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    let (x, all) = (temp(0).with(MASK_X), Components::Mask(0xf));
    program.push(Opcode::Mov, 0, &[x, input], &[]).unwrap();
    let relative = u32::try_from(program.operands.len()).ok();
    program.operands.push(temp(0).with(Components::Select(0)));
    let mut row = Operand::register(File::ConstantBuffer, &[0, 3]);
    row.indices[1].relative = relative;
    program
        .push(Opcode::Mov, 0, &[temp(0).with(all), row], &[])
        .unwrap();
    store_and_end(&mut program);
    let shader = shader_of(&program).unwrap();
    let sums = instructions(&shader);
    let is_sum = |inst: &&Inst| {
        matches!(
            inst,
            Inst::Binary {
                op: BinaryOp::Add,
                ..
            }
        )
    };
    assert_eq!(sums.iter().filter(is_sum).count(), 1);
    let loads = operations(&shader);
    let is_load = |op: &&Op| matches!(op, Op::Buffer(BufferOp::CBufferLoadLegacy(_)));
    assert_eq!(loads.iter().filter(is_load).count(), 1);
}

/// Returns how often a program loads `cb0[0]` that reads it in front of, in or after an `if` and
/// its `else`.
fn row_loads([front, then, other, behind]: [bool; 4]) -> usize {
    let mut program = compute();
    let cb0 = |row| Operand::register(File::ConstantBuffer, &[0, row]);
    let input = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
    let x = temp(0).with(MASK_X);
    let mut push = |opcode, controls, operands: &[Operand]| {
        program.push(opcode, controls, operands, &[]).unwrap();
    };
    push(
        Opcode::DclConstantBuffer,
        1 << 11,
        &[cb0(8).with(Components::None)],
    );
    push(Opcode::Mov, 0, &[x, input]);
    let mut part = 0;
    let mut add = |push: &mut dyn FnMut(Opcode, u32, &[Operand]), reads: bool| {
        if reads {
            let source = cb0(0).with(Components::Select(part));
            let sum = temp(0).with(Components::Select(0));
            push(Opcode::Iadd, 0, &[x, sum, source]);
            part += 1;
        }
    };
    add(&mut push, front);
    push(Opcode::If, 1 << 18, &[input]);
    add(&mut push, then);
    push(Opcode::Else, 0, &[]);
    add(&mut push, other);
    push(Opcode::Endif, 0, &[]);
    add(&mut push, behind);
    store_and_end(&mut program);
    let loads = operations(&shader_of(&program).unwrap());
    let is_load = |op: &&Op| matches!(op, Op::Buffer(BufferOp::CBufferLoadLegacy(_)));
    loads.iter().filter(is_load).count()
}

#[test]
fn a_row_of_constants_is_loaded_again_where_the_first_load_may_be_skipped() {
    assert_eq!(row_loads([true, true, true, true]), 1);
    assert_eq!(row_loads([true, false, true, true]), 1);
    assert_eq!(row_loads([false, true, true, false]), 2);
    assert_eq!(row_loads([false, true, false, true]), 2);
}

#[test]
fn calls_of_interfaces_that_are_not_declared_are_malformed() {
    let mut program = compute();
    let interface = Operand::register(File::Interface, &[0, 0]).with(Components::None);
    program
        .push(Opcode::InterfaceCall, 0, &[interface], &[0])
        .unwrap();
    store_and_end(&mut program);
    let error = shader_of(&program).unwrap_err();
    assert_eq!(error.category(), Category::Malformed);
    assert!(error.to_string().contains("fcall"), "{error}");
}

#[test]
fn interfaces_have_slots_of_their_own_up_to_253() {
    let refused = |declarations: &[[u32; 3]]| {
        let mut program = compute();
        for [first, slots, table] in declarations {
            let words = [*first, 1, slots << 16 | 1, *table];
            program.push(Opcode::DclInterface, 0, &[], &words).unwrap();
        }
        store_and_end(&mut program);
        shader_of(&program).err().map(|error| error.to_string())
    };
    assert_eq!(refused(&[[0, 4, 0], [4, 249, 0]]), None);
    let message = refused(&[[0, 4, 0], [3, 1, 0]]).unwrap();
    assert!(message.contains("slot 3 is declared twice"), "{message}");
    let message = refused(&[[0, 254, 0]]).unwrap();
    assert!(message.contains("over the limit of 253"), "{message}");
}

// Each call has a case for each function table.
#[test]
fn calls_through_interfaces_do_not_grow_with_the_square_of_the_tokens() {
    let mut program = compute();
    let tables: Vec<u32> = (0..2000).collect();
    for table in &tables {
        let words = [*table, 1, *table];
        program
            .push(Opcode::DclFunctionTable, 0, &[], &words)
            .unwrap();
    }
    // Interfaces of few tables each: an instruction of more tokens counts itself.
    for (slot, tables) in (0..).zip(tables.chunks(100)) {
        let mut words = vec![slot, 1, 1 << 16 | u32::try_from(tables.len()).unwrap()];
        words.extend(tables);
        program.push(Opcode::DclInterface, 0, &[], &words).unwrap();
    }
    for call in 0..2000 {
        let interface = Operand::register(File::Interface, &[call % 20, 0]);
        let interface = interface.with(Components::None);
        program
            .push(Opcode::InterfaceCall, 0, &[interface], &[0])
            .unwrap();
    }
    store_and_end(&mut program);
    let error = shader_of(&program).unwrap_err().to_string();
    assert!(error.contains("calls through interfaces"), "{error}");
}

#[test]
fn open_control_flow_is_malformed() {
    for opcode in [Opcode::If, Opcode::Loop, Opcode::Switch] {
        let mut program = compute();
        let operands = [number(1).with(Components::One)];
        let count = opcode.row().operands.len();
        program
            .push(opcode, 1 << 18, &operands[..count], &[])
            .unwrap();
        store_and_end(&mut program);
        let error = shader_of(&program).unwrap_err();
        assert_eq!(error.category(), Category::Malformed, "{error}");
    }
    for opcode in [
        Opcode::Else,
        Opcode::Endif,
        Opcode::Endloop,
        Opcode::Endswitch,
        Opcode::Break,
    ] {
        let mut program = compute();
        program.push(opcode, 0, &[], &[]).unwrap();
        store_and_end(&mut program);
        let error = shader_of(&program).unwrap_err();
        assert_eq!(error.category(), Category::Malformed, "{error}");
    }
}

#[test]
fn errors_name_part_and_byte() {
    // An opcode that is reserved.
    let tokens: [u32; 3] = [0x0005_0050, 3, 0x0100_006b];
    let bytes: Vec<u8> = tokens
        .iter()
        .flat_map(|token| token.to_le_bytes())
        .collect();
    let container = write_container(&[(FourCc::SHEX, &bytes)], Signing::Digest).unwrap();
    let error = read_shader(&container).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("part SHEX, byte 0x34: opcode is 0x6b"),
        "{error}"
    );
}

#[test]
fn a_container_without_a_program_is_named() {
    let container = write_container(&[(FourCc::RDEF, &[0; 4])], Signing::Digest).unwrap();
    let error = read_shader(&container).unwrap_err();
    assert_eq!(*error.kind(), ErrorKind::Dxbc { part: FourCc::RDEF });
}

#[test]
fn the_group_size_is_that_of_the_declaration() {
    let mut program = compute();
    store_and_end(&mut program);
    let shader = shader_of(&program).unwrap();
    let entry = &shader.entry_points[0];
    assert_eq!(entry.num_threads, Some([1, 1, 1]));
    assert_eq!(entry.kind, ShaderKind::Compute);
    assert_eq!(entry.stage, Stage::Other);
    assert_eq!(
        (shader.shader_model.major, shader.shader_model.minor),
        (5, 0)
    );
}

#[test]
fn damaged_tokens_never_panic() {
    let mut random = Random::new(0xdbc);
    let (mut read, mut refused) = (0, 0);
    for path in checked_in() {
        let bytes = std::fs::read(&path).unwrap();
        let container = Container::parse(&bytes).unwrap();
        let part = container
            .part(FourCc::SHEX)
            .or_else(|| container.part(FourCc::SHDR))
            .unwrap();
        let start = usize::try_from(part.offset).unwrap();
        let words = part.data.len() / 4;
        for _ in 0..40 {
            let mut damaged = bytes.clone();
            for _ in 0..=random.below(3) {
                let at = start + 4 * random.below(words);
                let word = u32::from_le_bytes(damaged[at..at + 4].try_into().unwrap());
                let low = u32::try_from(random.next() & 0xffff_ffff).unwrap();
                let new = match random.below(4) {
                    0 => word ^ 1 << (low & 31),
                    1 => low,
                    2 => word.wrapping_add(low & 7).wrapping_sub(3),
                    _ => u32::MAX,
                };
                damaged[at..at + 4].copy_from_slice(&new.to_le_bytes());
            }
            match read_shader(&damaged) {
                Ok(_) => read += 1,
                Err(error) => {
                    assert_ne!(
                        error.category(),
                        Category::Internal,
                        "{}: {error}",
                        path.display()
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(
        read > 100 && refused > 100,
        "{read} read, {refused} refused"
    );
}
