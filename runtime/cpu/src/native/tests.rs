//! Native code gives the bits of the interpreter, for each operation and special values.

use std::cell::Cell;

use super::instance::{Call, Instance, NativeKernel};
use super::{EXIT_BITS, EXIT_LEAVE, lane_code};
use crate::decode::Kernel;
use crate::decode::code::{Block, FunctionCode, Inst, RegisterSlot, Terminator};
use crate::decode::lane_ops::RegisterKind::{D, W};
use crate::decode::lane_ops::{LaneOp, for_each_lane_op};
use crate::execute::{Lanes, Narrow, Registers, WIDTH, Wide, execute};

macro_rules! list_lane_ops {
    ($($name:ident($($operand:ident: $kind:ident),*) -> $result:ident $body:block)*) => {
        const ALL: &[LaneOp] = &[$(LaneOp::$name),*];
    };
}
for_each_lane_op!(list_lane_ops);

const LANES: u32 = 16;
const CHUNKS: usize = LANES as usize / WIDTH;
/// Groups of lanes at a time: registers of the test function are its operands and results.
const PER_CALL: usize = LANES as usize;

/// Returns numbers of 32 bits where operations have special cases.
fn special_words() -> Vec<u32> {
    let mut words = vec![
        0,
        1,
        2,
        3,
        7,
        8,
        15,
        16,
        24,
        31,
        32,
        33,
        63,
        64,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x3c00,
        0x7bff,
        0x7c00,
        0x7c01,
        0x7e00,
        0xfc00,
        0xfc01,
        0x0400,
        0x03ff,
        0x8001,
        0x8400,
        0x7fff_ffff,
        0x8000_0000,
        0x8000_0001,
        0x8000_0002,
        0xffff_ffff,
        0xffff_fffe,
        0x007f_ffff,
        0x807f_ffff,
        0x0080_0000,
        0x8080_0000,
        0x7f80_0000,
        0xff80_0000,
        0x7fc0_0000,
        0x7fc0_1234,
        0xffc0_0000,
        0xffc0_4321,
        0x7f80_0001,
        0xff80_0002,
        0x7f7f_ffff,
        0xff7f_ffff,
        0x1234_5678,
    ];
    let floats = [
        1.0_f32,
        -1.0,
        0.5,
        -0.5,
        1.5,
        2.5,
        -2.5,
        0.999_999_94,
        -1e-20,
        1e-20,
        1e20,
        3.4e38,
        255.9,
        65504.0,
        65519.996,
        65520.0,
        65535.5,
        65536.0,
        -32768.5,
        -32769.0,
        2_147_483_500.0,
        2_147_483_600.0,
        4_294_967_000.0,
        4_294_967_300.0,
        -2_147_483_600.0,
        -2_147_484_000.0,
        6.1e-5,
        6.097e-5,
        5.97e-8,
        2.98e-8,
        2.99e-8,
        1e-8,
        8_388_609.0,
        8_388_608.5,
        4_194_304.5,
    ];
    words.extend(floats.map(f32::to_bits));
    words
}

fn special_wides() -> Vec<u64> {
    let mut wides: Vec<u64> = vec![
        0,
        1,
        2,
        63,
        64,
        0xffff_ffff,
        0x1_0000_0000,
        1 << 63,
        u64::MAX,
        u64::MAX - 1,
        0x7fff_ffff_ffff_ffff,
        0x7ff0_0000_0000_0000,
        0xfff0_0000_0000_0000,
        0x7ff8_0000_0000_0000,
        0xfff8_0000_0000_0001,
        0x7ff0_0000_0000_0001,
        0x000f_ffff_ffff_ffff,
        0x0010_0000_0000_0000,
        0x1234_5678_9abc_def0,
        0x8000_0000_8000_0000,
        0x7fff_ffff_8000_0000,
    ];
    let doubles = [
        1.0_f64,
        -1.0,
        0.5,
        -0.5,
        1.5,
        1e300,
        -1e300,
        1e-300,
        3.5e38,
        1e-40,
        1e-46,
        2_147_483_647.5,
        2_147_483_648.0,
        -2_147_483_649.0,
        4_294_967_295.5,
        4_294_967_296.0,
        1.000_000_059_604_644_8,
    ];
    wides.extend(doubles.map(f64::to_bits));
    wides
}

/// Returns one of some numbers, or any other.
fn choose<T: Copy>(random: &mut fastrand::Rng, all: &[T], any: impl Fn(u64) -> T) -> T {
    match random.u32(..4) {
        0 => any(random.u64(..)),
        _ => all[random.usize(..all.len())],
    }
}

/// The registers of the function: three operands of each kind, and a result.
fn slot(kind: crate::decode::lane_ops::RegisterKind, index: u32) -> RegisterSlot {
    RegisterSlot::new(kind, index)
}

/// Returns a function with one operation; operands that are constants have bits.
fn function(op: LaneOp, constant: [Option<u64>; 3]) -> FunctionCode {
    let (result, operands) = op.signature();
    let mut args = [RegisterSlot::NONE; 3];
    let mut constants = Vec::new();
    for (index, &kind) in operands.iter().enumerate() {
        args[index] = slot(kind, index as u32);
        if let Some(bits) = constant[index] {
            constants.push((args[index], bits));
        }
    }
    let dst = slot(result, 3);
    FunctionCode {
        insts: vec![Inst::Lane { op, dst, args }],
        blocks: vec![Block {
            first: 0,
            end: 1,
            terminator: Terminator::Return(Box::new([])),
            meets: None,
        }],
        constants,
        narrow_slots: 4,
        wide_slots: 4,
        ..FunctionCode::default()
    }
}

/// Holds a function with one operation against the interpreter.
fn compare(
    op: LaneOp,
    constant: [Option<u64>; 3],
    rows: &[[u64; 3]],
    mask: u128,
) -> Result<usize, String> {
    let code = function(op, constant);
    let operands = op.signature().1;
    let Inst::Lane { dst, args, .. } = code.insts[0] else {
        unreachable!("the function has one operation");
    };
    let kernel = Kernel::of_code(code, LANES);
    let native = NativeKernel::new(&kernel).expect("the kernel is compiled");
    let mut instance = Instance::new(&native).expect("there is memory");
    let mut words = [[0; WIDTH]; CHUNKS];
    for (chunk, words) in words.iter_mut().enumerate() {
        for (i, word) in words.iter_mut().enumerate() {
            *word = if mask >> (chunk * WIDTH + i) & 1 != 0 {
                u32::MAX
            } else {
                0
            };
        }
    }
    instance.set_masks(&words);
    let narrow: Vec<Narrow> = vec![Cell::new([0; WIDTH]); 4 * CHUNKS];
    let wide: Vec<Wide> = vec![Cell::new([0; WIDTH]); 4 * CHUNKS];
    let mut compared = 0;
    for rows in rows.chunks(PER_CALL) {
        let fill = |registers: &Registers<'_>| {
            for (index, &kind) in operands.iter().enumerate() {
                for (lane, row) in rows.iter().enumerate() {
                    let bits = constant[index].unwrap_or(row[index]);
                    registers.set(slot(kind, index as u32), lane, bits);
                }
            }
            for lane in 0..LANES as usize {
                registers.set(dst, lane, 0x5555_5555_5555_5555);
            }
        };
        let own = Registers {
            narrow: &narrow,
            wide: &wide,
            chunks: CHUNKS,
        };
        fill(&own);
        let on = Lanes {
            registers: own,
            mask: &words,
            all: mask == (1 << LANES) - 1,
        };
        execute(op, dst, args, &on);
        let (narrow, wide) = instance.registers(0);
        fill(&Registers {
            narrow,
            wide,
            chunks: CHUNKS,
        });
        let call = Call {
            function: 0,
            point: 0,
            narrow: 0,
            wide: 0,
            fuel: 0,
            meets: None,
            is_full: on.all,
        };
        let exit = instance.call(0, &call).expect("it does not trap");
        assert_eq!(exit.code >> EXIT_BITS, EXIT_LEAVE);
        let (narrow, wide) = instance.registers(0);
        let theirs = Registers {
            narrow,
            wide,
            chunks: CHUNKS,
        };
        for (lane, row) in rows.iter().enumerate() {
            let (expected, found) = (own.get(dst, lane), theirs.get(dst, lane));
            if found != expected {
                return Err(format!(
                    "{op:?} of {row:x?} (constants {constant:x?}) in lane {lane}: {found:x}, not \
                     {expected:x}",
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// Returns operands of an operation: all pairs of special values, and others.
fn rows(op: LaneOp) -> Vec<[u64; 3]> {
    let (_, operands) = op.signature();
    let (words, wides) = (special_words(), special_wides());
    let all = |index: usize| -> Vec<u64> {
        match operands.get(index) {
            Some(W) => words.iter().map(|&word| u64::from(word)).collect(),
            Some(D) => wides.clone(),
            None => vec![0],
        }
    };
    let mut rows = Vec::new();
    for &a in &all(0) {
        for &b in &all(1) {
            rows.push([a, b, 0]);
        }
    }
    let mut random = fastrand::Rng::with_seed(1);
    for _ in 0..4000 {
        rows.push([0, 1, 2].map(|index| match operands.get(index) {
            Some(W) => u64::from(choose(&mut random, &words, |bits| (bits >> 32) as u32)),
            Some(D) => choose(&mut random, &wides, |bits| bits),
            None => 0,
        }));
    }
    rows
}

#[test]
fn each_operation_gives_the_bits_of_the_interpreter() {
    let (mut left, mut wrong) = (Vec::new(), Vec::new());
    for &op in ALL {
        if !lane_code::has_code(op, [false; 3]) {
            left.push(op);
            continue;
        }
        let rows = rows(op);
        match compare(op, [None; 3], &rows, (1 << LANES) - 1) {
            Ok(count) => assert_eq!(count, rows.len()),
            Err(problem) => wrong.push(problem),
        }
        let some = &rows[..rows.len().min(640)];
        wrong.extend(compare(op, [None; 3], some, 0b1010_0110_0000_1101).err());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(ALL.len() - left.len() > 120, "these have no code: {left:?}");
}

#[test]
fn constants_give_the_bits_of_the_interpreter() {
    let mut wrong = Vec::new();
    for &op in ALL {
        let (_, operands) = op.signature();
        for constant in 1..1 << operands.len() {
            let is_constant = [0, 1, 2].map(|index| constant >> index & 1 != 0);
            if !lane_code::has_code(op, is_constant) {
                continue;
            }
            let rows = rows(op);
            for row in rows.iter().step_by(rows.len() / 5) {
                let bits = [0, 1, 2].map(|index| is_constant[index].then_some(row[index]));
                let some = &rows[..rows.len().min(160)];
                wrong.extend(compare(op, bits, some, (1 << LANES) - 1).err());
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
