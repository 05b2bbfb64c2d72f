//! Instructions of DXBC that no compiler at hand writes, and D3D's rules for their special values:
//! programs that are put together token by token, run on the Vulkan device.

use dxil_frontend::dxbc::{Components, Dimension, File, Opcode, Operand};
use dxil_hwtests::run::Failure;

use crate::dxbc_assembler::{MASK_X, Test, float, number, part, temp, to};

/// Checks one instruction with sources `r0.x`, `r0.y`, `r0.z`, and so on, and destinations `r3.x`,
/// `r3.y`.
fn check(
    opcode: Opcode,
    inputs: &[[u32; 4]],
    expect: impl Fn([u32; 4]) -> Vec<u32>,
) -> Result<(), Failure> {
    use dxil_frontend::dxbc::OperandRole;
    let mut test = Test::new(u32::try_from(inputs.len()).unwrap_or(1))?;
    let (mut sources, mut results) = (0..4, 0..4);
    let mut operands = Vec::new();
    for slot in opcode.row().operands {
        let operand = match slot.role {
            OperandRole::Dst => results.next().map(|component| to(3, component)),
            _ => sources.next().map(|component| part(0, component)),
        };
        operands.extend(operand);
    }
    test.add(
        Opcode::Mov,
        &[temp(3).with(Components::Mask(0xf)), number(0)],
    )?;
    test.add(opcode, &operands)?;
    let got = test.run(inputs)?;
    let wrong = inputs.iter().zip(&got).find_map(|(&input, got)| {
        let expected = expect(input);
        let got = got.get(..expected.len()).unwrap_or_default();
        (got != expected)
            .then(|| format!("{opcode:?} of {input:x?} is {got:x?}, expected {expected:x?}"))
    });
    wrong.map_or(Ok(()), |text| Err(Failure::new(text)))
}

const EDGES: [u32; 8] = [
    0,
    1,
    31,
    33,
    0x7fff_ffff,
    0x8000_0000,
    u32::MAX,
    0xdead_beef,
];

fn pairs() -> Vec<[u32; 4]> {
    let all = EDGES
        .iter()
        .flat_map(|&a| EDGES.map(|b| [a, b, a ^ b, 0x1234_5678]));
    all.collect()
}

#[test]
fn umul_gives_high_and_low_word() -> Result<(), Failure> {
    check(Opcode::Umul, &pairs(), |[a, b, ..]| {
        let product = u64::from(a) * u64::from(b);
        vec![(product >> 32) as u32, product as u32]
    })
}

#[test]
fn imul_gives_high_and_low_word_of_the_signed_product() -> Result<(), Failure> {
    check(Opcode::Imul, &pairs(), |[a, b, ..]| {
        let product = i64::from(a as i32) * i64::from(b as i32);
        vec![(product >> 32) as u32, product as u32]
    })
}

#[test]
fn udiv_by_zero_gives_all_ones_twice() -> Result<(), Failure> {
    check(Opcode::Udiv, &pairs(), |[a, b, ..]| {
        vec![
            a.checked_div(b).unwrap_or(u32::MAX),
            a.checked_rem(b).unwrap_or(u32::MAX),
        ]
    })
}

#[test]
fn uaddc_and_usubb_give_carry_and_borrow() -> Result<(), Failure> {
    check(Opcode::Uaddc, &pairs(), |[a, b, ..]| {
        let (sum, carry) = a.overflowing_add(b);
        vec![sum, u32::from(carry)]
    })?;
    check(Opcode::Usubb, &pairs(), |[a, b, ..]| {
        let (difference, borrow) = a.overflowing_sub(b);
        vec![difference, u32::from(borrow)]
    })
}

#[test]
fn umad_and_imad_give_the_low_word() -> Result<(), Failure> {
    for opcode in [Opcode::Umad, Opcode::Imad] {
        check(opcode, &pairs(), |[a, b, c, _]| {
            vec![a.wrapping_mul(b).wrapping_add(c)]
        })?;
    }
    Ok(())
}

#[test]
fn shifts_look_at_five_bits_of_the_amount() -> Result<(), Failure> {
    check(Opcode::Ishl, &pairs(), |[a, b, ..]| vec![a << (b & 31)])?;
    check(Opcode::Ushr, &pairs(), |[a, b, ..]| vec![a >> (b & 31)])?;
    check(Opcode::Ishr, &pairs(), |[a, b, ..]| {
        vec![((a as i32) >> (b & 31)) as u32]
    })
}

#[test]
fn comparisons_give_all_ones_or_nothing() -> Result<(), Failure> {
    let mask = |holds: bool| vec![if holds { u32::MAX } else { 0 }];
    check(Opcode::Ult, &pairs(), |[a, b, ..]| mask(a < b))?;
    check(Opcode::Uge, &pairs(), |[a, b, ..]| mask(a >= b))?;
    check(Opcode::Ilt, &pairs(), |[a, b, ..]| {
        mask((a as i32) < b as i32)
    })?;
    check(Opcode::Ige, &pairs(), |[a, b, ..]| {
        mask(a as i32 >= b as i32)
    })?;
    check(Opcode::Ieq, &pairs(), |[a, b, ..]| mask(a == b))?;
    check(Opcode::Ine, &pairs(), |[a, b, ..]| mask(a != b))
}

fn float_pairs() -> Vec<[u32; 4]> {
    let values = [0.0, -0.0, 1.5, -2.0, 3e9, -3e9, f32::INFINITY, f32::NAN].map(f32::to_bits);
    let all = values.iter().flat_map(|&a| values.map(|b| [a, b, 0, 0]));
    all.collect()
}

#[test]
fn comparisons_with_nan_fail_but_for_ne() -> Result<(), Failure> {
    let mask = |holds: bool| vec![if holds { u32::MAX } else { 0 }];
    let of = f32::from_bits;
    check(Opcode::Eq, &float_pairs(), |[a, b, ..]| {
        mask(of(a) == of(b))
    })?;
    check(Opcode::Ne, &float_pairs(), |[a, b, ..]| {
        mask(of(a) != of(b))
    })?;
    check(Opcode::Lt, &float_pairs(), |[a, b, ..]| mask(of(a) < of(b)))?;
    check(Opcode::Ge, &float_pairs(), |[a, b, ..]| {
        mask(of(a) >= of(b))
    })
}

#[test]
fn floats_become_integers_within_their_range_and_nan_0() -> Result<(), Failure> {
    // Rust's conversions have D3D's rule.
    check(Opcode::Ftoi, &float_pairs(), |[a, ..]| {
        vec![f32::from_bits(a) as i32 as u32]
    })?;
    check(Opcode::Ftou, &float_pairs(), |[a, ..]| {
        vec![f32::from_bits(a) as u32]
    })
}

#[test]
fn bits_are_counted_found_and_reversed() -> Result<(), Failure> {
    check(Opcode::Countbits, &pairs(), |[a, ..]| vec![a.count_ones()])?;
    check(Opcode::Bfrev, &pairs(), |[a, ..]| vec![a.reverse_bits()])?;
    let found = |a: u32, zeros: u32| vec![if a == 0 { u32::MAX } else { zeros }];
    check(Opcode::FirstbitHi, &pairs(), |[a, ..]| {
        found(a, a.leading_zeros())
    })?;
    check(Opcode::FirstbitLo, &pairs(), |[a, ..]| {
        found(a, a.trailing_zeros())
    })?;
    check(Opcode::FirstbitShi, &pairs(), |[a, ..]| {
        let unsigned = if (a as i32) < 0 { !a } else { a };
        found(unsigned, unsigned.leading_zeros())
    })
}

#[test]
fn swapc_exchanges_where_a_bit_is_set() -> Result<(), Failure> {
    check(Opcode::Swapc, &pairs(), |[a, b, c, _]| {
        if a != 0 { vec![c, b] } else { vec![b, c] }
    })
}

#[test]
fn msad_skips_bytes_whose_reference_is_0() -> Result<(), Failure> {
    check(Opcode::Msad, &pairs(), |[a, b, c, _]| {
        let bytes = a.to_le_bytes().into_iter().zip(b.to_le_bytes());
        let sum: u32 = bytes
            .filter(|&(reference, _)| reference != 0)
            .map(|(reference, source)| u32::from(reference.abs_diff(source)))
            .sum();
        vec![c.wrapping_add(sum)]
    })
}

#[test]
fn nop_and_debug_break_do_nothing() -> Result<(), Failure> {
    let mut test = Test::new(1)?;
    test.add(Opcode::Nop, &[])?;
    test.add(Opcode::DebugBreak, &[])?;
    test.add(Opcode::Mov, &[temp(3).with(Components::Mask(0xf)), temp(0)])?;
    let got = test.run(&[[1, 2, 3, 4]])?;
    assert_eq!(got, [[1, 2, 3, 4]]);
    Ok(())
}

#[test]
fn indexable_registers_beyond_their_end_read_0_and_drop_writes() -> Result<(), Failure> {
    // x0[r0.x].xyzw = r0, then r3 = x0[r0.y].
    let mut test = Test::new(4)?;
    for row in 0..4 {
        let place = Operand::register(File::IndexableTemp, &[0, row]);
        test.add(
            Opcode::Mov,
            &[place.with(Components::Mask(0xf)), number(row + 100)],
        )?;
    }
    let place = test.indexed(File::IndexableTemp, 0, part(0, 0));
    test.add(Opcode::Mov, &[place.with(Components::Mask(0xf)), temp(0)])?;
    let source = test.indexed(File::IndexableTemp, 0, part(0, 1));
    test.add(Opcode::Mov, &[temp(3).with(Components::Mask(0xf)), source])?;
    let inputs = [
        [2, 2, 7, 8],
        [9, 3, 7, 8],
        [0, 4, 7, 8],
        [u32::MAX, u32::MAX, 7, 8],
    ];
    let got = test.run(&inputs)?;
    assert_eq!(got, [[2, 2, 7, 8], [103; 4], [0; 4], [0; 4]]);
    Ok(())
}

#[test]
fn a_switch_falls_through_and_has_a_default() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    let all = temp(3).with(Components::Mask(0xf));
    test.add(Opcode::Mov, &[all, number(0)])?;
    test.add(Opcode::Switch, &[part(0, 0)])?;
    test.add(Opcode::Case, &[number(1).with(Components::One)])?;
    test.add(Opcode::Iadd, &[to(3, 0), part(3, 0), number(10)])?;
    test.add(Opcode::Case, &[number(2).with(Components::One)])?;
    test.add(Opcode::Iadd, &[to(3, 0), part(3, 0), number(100)])?;
    test.add(Opcode::Break, &[])?;
    test.add(Opcode::Default, &[])?;
    test.add(Opcode::Mov, &[to(3, 0), number(7)])?;
    test.add(Opcode::Break, &[])?;
    test.add(Opcode::Endswitch, &[])?;
    let got = test.run(&[[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0], [0, 0, 0, 0]])?;
    let first: Vec<u32> = got.iter().map(|row| row[0]).collect();
    assert_eq!(first, [110, 100, 7, 7]);
    Ok(())
}

#[test]
fn subroutines_return_early_and_callc_calls_by_a_condition() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    let label = Operand::register(File::Label, &[0]).with(Components::None);
    let all = temp(3).with(Components::Mask(0xf));
    test.add(Opcode::Mov, &[all, number(1)])?;
    test.add_if_nonzero(Opcode::Callc, &[part(0, 0), label])?;
    test.add(Opcode::Call, &[label])?;
    let u0 = Operand::register(File::UnorderedAccessView, &[0]).with(Components::Mask(0xf));
    test.add(Opcode::StoreRaw, &[u0, part(2, 0), temp(3)])?;
    test.add(Opcode::Ret, &[])?;
    test.add(Opcode::Label, &[label])?;
    test.add(Opcode::Iadd, &[to(3, 0), part(3, 0), number(10)])?;
    test.add_if_nonzero(Opcode::Retc, &[part(0, 1)])?;
    test.add(Opcode::Iadd, &[to(3, 0), part(3, 0), number(100)])?;
    test.add(Opcode::Ret, &[])?;
    let got = test.run_as_it_is(&[[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]])?;
    let first: Vec<u32> = got.iter().map(|row| row[0]).collect();
    assert_eq!(first, [111, 221, 11, 21]);
    Ok(())
}

#[test]
fn loops_continue_break_and_carry_values() -> Result<(), Failure> {
    // Sums the odd numbers below r0.x.
    let mut test = Test::new(4)?;
    let all = temp(3).with(Components::Mask(0xf));
    test.add(Opcode::Mov, &[all, number(0)])?;
    test.add(Opcode::Mov, &[to(4, 0), number(u32::MAX)])?;
    test.add(Opcode::Loop, &[])?;
    test.add(Opcode::Iadd, &[to(4, 0), part(4, 0), number(1)])?;
    test.add(Opcode::Uge, &[to(5, 0), part(4, 0), part(0, 0)])?;
    test.add_if_nonzero(Opcode::Breakc, &[part(5, 0)])?;
    test.add(Opcode::And, &[to(5, 0), part(4, 0), number(1)])?;
    test.add(Opcode::Continuec, &[part(5, 0)])?;
    test.add(Opcode::Iadd, &[to(3, 0), part(3, 0), part(4, 0)])?;
    test.add(Opcode::Endloop, &[])?;
    let got = test.run(&[[0, 0, 0, 0], [1, 0, 0, 0], [4, 0, 0, 0], [10, 0, 0, 0]])?;
    let first: Vec<u32> = got.iter().map(|row| row[0]).collect();
    assert_eq!(first, [0, 0, 4, 25]);
    Ok(())
}

#[test]
fn registers_that_are_used_again_for_another_type_keep_their_bits() -> Result<(), Failure> {
    // Each register goes through joins as a float, then as an integer, then as a condition.
    let mut test = Test::new(4)?;
    test.add(Opcode::Mov, &[to(4, 0), part(0, 0)])?;
    test.add_if_nonzero(Opcode::If, &[part(0, 1)])?;
    test.add(Opcode::Mul, &[to(4, 0), part(4, 0), float(2.0)])?;
    test.add(Opcode::Endif, &[])?;
    test.add(Opcode::Add, &[to(3, 0), part(4, 0), float(1.0)])?;
    // The bits of a float as an integer, and after a join.
    test.add(Opcode::Iadd, &[to(3, 1), part(4, 0), number(1)])?;
    test.add(Opcode::Mov, &[to(4, 0), part(0, 1)])?;
    test.add(Opcode::Loop, &[])?;
    test.add(Opcode::Ige, &[to(5, 0), part(4, 0), number(5)])?;
    test.add_if_nonzero(Opcode::Breakc, &[part(5, 0)])?;
    test.add(Opcode::Iadd, &[to(4, 0), part(4, 0), number(3)])?;
    test.add(Opcode::Endloop, &[])?;
    test.add(Opcode::Iadd, &[to(3, 2), part(4, 0), part(4, 0)])?;
    test.add(Opcode::Mov, &[to(4, 0), number(0)])?;
    test.add_if_nonzero(Opcode::If, &[part(0, 1)])?;
    test.add(Opcode::Lt, &[to(4, 0), part(0, 0), float(2.0)])?;
    test.add(Opcode::Endif, &[])?;
    test.add(Opcode::And, &[to(3, 3), part(4, 0), number(7)])?;
    test.add_if_nonzero(Opcode::If, &[part(4, 0)])?;
    test.add(Opcode::Iadd, &[to(3, 3), part(3, 3), number(10)])?;
    test.add(Opcode::Endif, &[])?;
    let one = 1.0f32.to_bits();
    let got = test.run(&[
        [one, 0, 0, 0],
        [one, 1, 0, 0],
        [4.0f32.to_bits(), 0, 0, 0],
        [4.0f32.to_bits(), 6, 0, 0],
    ])?;
    let row =
        |float: f32, sum: f32, doubled, flag| [sum.to_bits(), float.to_bits() + 1, doubled, flag];
    let expected = [
        row(1.0, 2.0, 12, 0),
        row(2.0, 3.0, 14, 17),
        row(4.0, 5.0, 12, 0),
        row(8.0, 9.0, 12, 0),
    ];
    assert_eq!(got, expected);
    Ok(())
}

#[test]
fn modifiers_change_the_sign_and_saturation_clamps() -> Result<(), Failure> {
    let mut test = Test::new(2)?;
    let mut negated = part(0, 0);
    negated.modifiers.negate = true;
    let mut absolute = negated;
    absolute.modifiers.absolute = true;
    test.add(Opcode::Add, &[to(3, 0), negated, float(0.5)])?;
    test.add(Opcode::Mov, &[to(3, 1), absolute])?;
    // mul_sat
    test.declare(
        Opcode::Mul,
        1 << 13,
        &[to(3, 2), part(0, 0), float(4.0)],
        &[],
    )?;
    test.add(Opcode::Mov, &[to(3, 3), number(0)])?;
    let inputs = [
        [2.0f32.to_bits(), 0, 0, 0],
        [(-0.125f32).to_bits(), 0, 0, 0],
    ];
    let got = test.run(&inputs)?;
    let floats: Vec<[f32; 4]> = got.iter().map(|row| row.map(f32::from_bits)).collect();
    assert_eq!(floats, [[-1.5, -2.0, 1.0, 0.0], [0.625, -0.125, 0.0, 0.0]]);
    Ok(())
}

#[test]
fn atomics_of_group_shared_memory_give_the_old_value() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    let shared = Operand::register(File::GroupShared, &[0]);
    let bare = shared.with(Components::None);
    test.declare(Opcode::DclTgsmRaw, 0, &[bare], &[16])?;
    let zero = number(0).with(Components::One);
    test.add(Opcode::StoreRaw, &[shared.with(MASK_X), zero, number(5)])?;
    // sync_g_t
    test.declare(Opcode::Sync, 1 << 11 | 1 << 12, &[], &[])?;
    test.add(
        Opcode::Mov,
        &[temp(3).with(Components::Mask(0xf)), number(0)],
    )?;
    test.add(Opcode::ImmAtomicIadd, &[to(3, 0), bare, zero, number(2)])?;
    test.declare(Opcode::Sync, 1 << 11 | 1 << 12, &[], &[])?;
    // The component y of the destination takes the word that the swizzle's y names.
    let first = shared.with(Components::Swizzle([0; 4]));
    test.add(Opcode::LdRaw, &[to(3, 1), zero, first])?;
    let got = test.run(&[[0; 4]; 4])?;
    let mut old: Vec<u32> = got.iter().map(|row| row[0]).collect();
    old.sort_unstable();
    assert_eq!(old, [5, 7, 9, 11]);
    assert!(got.iter().all(|row| row[1] == 13));
    Ok(())
}

/// Returns rows that differ in every word.
fn counted_rows() -> Vec<[u32; 4]> {
    (0..4)
        .map(|row| [0, 1, 2, 3].map(|word| row * 4 + word + 1))
        .collect()
}

fn raw_input() -> Operand {
    Operand::register(File::Resource, &[0])
}

#[test]
fn a_structured_load_of_a_raw_buffer_counts_by_the_instructions_stride() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    test.add(
        Opcode::Mov,
        &[temp(3).with(Components::Mask(0xf)), number(0)],
    )?;
    let second = raw_input().with(Components::Swizzle([0; 4]));
    test.add(
        Opcode::LdStructured,
        &[to(3, 0), part(1, 0), number(4), second],
    )?;
    let Some(load) = test.program.instructions.last_mut() else {
        return Err(Failure::new("no instruction".to_owned()));
    };
    load.extended.dimension = Some((Dimension::StructuredBuffer, 16));
    let rows = counted_rows();
    let got = test.run(&rows)?;
    for (row, got) in rows.iter().zip(&got) {
        assert_eq!(got[0], row[1]);
    }
    Ok(())
}

#[test]
fn a_typed_load_of_a_raw_buffer_reads_words_from_the_texels_number_on() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    test.add(Opcode::Ishl, &[to(4, 0), part(1, 0), number(2)])?;
    let all = temp(3).with(Components::Mask(0xf));
    test.add(Opcode::Ld, &[all, temp(4), raw_input()])?;
    let rows = counted_rows();
    assert_eq!(test.run(&rows)?, rows);
    Ok(())
}

#[test]
fn a_typed_store_to_a_raw_buffer_writes_words_from_the_texels_number_on() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    test.add(Opcode::Ishl, &[to(4, 0), part(1, 0), number(2)])?;
    let u0 = Operand::register(File::UnorderedAccessView, &[0]).with(Components::Mask(0xf));
    test.add(Opcode::StoreUavTyped, &[u0, temp(4), temp(0)])?;
    test.add(Opcode::Ret, &[])?;
    let rows = counted_rows();
    assert_eq!(test.run_as_it_is(&rows)?, rows);
    Ok(())
}

#[test]
fn bit_fields_are_taken_signed_and_unsigned_and_put_in() -> Result<(), Failure> {
    // Width, offset, value: only the low five bits of the first two count.
    let rows: Vec<[u32; 4]> = [
        [0, 0, 0xffff_ffff, 0],
        [4, 8, 0x0000_0f00, 0],
        [4, 8, 0x0000_0700, 0],
        [31, 3, 0x8000_0008, 0],
        [36, 40, 0x0000_0a00, 0],
        [16, 24, 0x9876_5432, 0],
    ]
    .to_vec();
    let field = |[width, offset, value, _]: [u32; 4]| {
        let (width, offset) = (width & 31, offset & 31);
        let shifted = value >> offset;
        (
            width,
            offset,
            if width == 0 {
                0
            } else {
                shifted & (u32::MAX >> (32 - width))
            },
        )
    };
    check(Opcode::Ubfe, &rows, |row| vec![field(row).2])?;
    check(Opcode::Ibfe, &rows, |row| {
        let (width, offset, bits) = field(row);
        let width = width.min(32 - offset);
        let shift = 32 - width;
        let signed = if width == 0 {
            0
        } else {
            (bits << shift) as i32 >> shift
        };
        vec![signed as u32]
    })?;
    let rows: Vec<[u32; 4]> = [
        [0, 0, 0xffff_ffff, 0x1234_5678],
        [8, 4, 0xab, 0x1234_5678],
        [31, 1, 0xffff_ffff, 1],
        [40, 36, 0xcd, 0],
    ]
    .to_vec();
    check(Opcode::Bfi, &rows, |[width, offset, value, base]| {
        let (width, offset) = (width & 31, offset & 31);
        let mask = ((1_u32 << width) - 1) << offset;
        vec![(value << offset) & mask | base & !mask]
    })
}

#[test]
fn rcp_of_zero_is_infinity() -> Result<(), Failure> {
    let rows: Vec<[u32; 4]> = [2.0_f32, -4.0, 0.0, -0.0, f32::INFINITY]
        .map(|value| [value.to_bits(), 0, 0, 0])
        .to_vec();
    check(Opcode::Rcp, &rows, |[a, ..]| {
        vec![(1.0 / f32::from_bits(a)).to_bits()]
    })
}

/// Returns the words of two doubles.
fn doubles(a: f64, b: f64) -> [u32; 4] {
    let (a, b) = (a.to_bits(), b.to_bits());
    [a as u32, (a >> 32) as u32, b as u32, (b >> 32) as u32]
}

/// The operands of an instruction on doubles.
#[derive(Clone, Copy)]
enum Given {
    /// Both doubles.
    Doubles,
    /// A word that is not a double.
    Word,
}

/// Checks an instruction whose sources are `r0.xy`, `r0.zw` and `r0.xy` again as doubles, or
/// `r0.x`, and whose result is a double or a word.
fn check_double(
    opcode: Opcode,
    given: Given,
    inputs: &[[u32; 4]],
    expect: impl Fn([u32; 4]) -> Vec<u32>,
) -> Result<(), Failure> {
    use dxil_frontend::dxbc::{OperandRole, OperandType};
    let mut test = Test::new(u32::try_from(inputs.len()).unwrap_or(1))?;
    test.add(
        Opcode::Mov,
        &[temp(3).with(Components::Mask(0xf)), number(0)],
    )?;
    let mut sources = [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1]].into_iter();
    let mut operands = Vec::new();
    for slot in opcode.row().operands {
        operands.extend(match (slot.role, slot.kind) {
            (OperandRole::Dst, OperandType::D) => Some(temp(3).with(Components::Mask(3))),
            (OperandRole::Dst, _) => Some(to(3, 0)),
            // Conditions of movc: one for the pair.
            (_, OperandType::B) => Some(number(1)),
            _ => match given {
                Given::Word => Some(part(0, 0)),
                Given::Doubles => sources
                    .next()
                    .map(|swizzle| temp(0).with(Components::Swizzle(swizzle))),
            },
        });
    }
    test.add(opcode, &operands)?;
    let got = test.run(inputs)?;
    for (&input, got) in inputs.iter().zip(&got) {
        let expected = expect(input);
        if got.get(..expected.len()) != Some(&expected[..]) {
            return Err(Failure::new(format!(
                "{opcode:?} of {input:x?} is {got:x?}, expected {expected:x?}"
            )));
        }
    }
    Ok(())
}

fn double_pairs() -> Vec<[u32; 4]> {
    let values = [0.0, 1.0, -2.5, 3.0, 1.0e100, -7.25];
    let pairs = values.iter().flat_map(|&a| values.map(|b| doubles(a, b)));
    pairs.collect()
}

fn both([a, b, c, d]: [u32; 4]) -> (f64, f64) {
    let double = |low: u32, high: u32| f64::from_bits(u64::from(high) << 32 | u64::from(low));
    (double(a, b), double(c, d))
}

fn words(value: f64) -> Vec<u32> {
    doubles(value, 0.0)[..2].to_vec()
}

fn truth(holds: bool) -> Vec<u32> {
    vec![if holds { u32::MAX } else { 0 }]
}

#[test]
fn arithmetic_on_doubles_is_that_of_ieee() -> Result<(), Failure> {
    type Rule = fn(f64, f64) -> f64;
    let rules: [(Opcode, Rule); 8] = [
        (Opcode::Dadd, |a, b| a + b),
        (Opcode::Dmul, |a, b| a * b),
        (Opcode::Dmax, f64::max),
        (Opcode::Dmin, f64::min),
        (Opcode::Dmov, |a, _| a),
        (Opcode::Dmovc, |a, _| a),
        (Opcode::Dfma, |a, b| a.mul_add(b, a)),
        (Opcode::Ddiv, |a, b| a / b),
    ];
    for (opcode, rule) in rules {
        let pairs: Vec<[u32; 4]> = double_pairs()
            .into_iter()
            .filter(|&row| match opcode {
                Opcode::Ddiv => both(row).1 != 0.0,
                // lavapipe rounds twice, which small whole numbers do not show.
                Opcode::Dfma => both(row).0.abs() < 1e50 && both(row).1.abs() < 1e50,
                _ => true,
            })
            .collect();
        check_double(opcode, Given::Doubles, &pairs, |row| {
            let (a, b) = both(row);
            words(rule(a, b))
        })?;
    }
    let halves = [1.0, -2.0, 4.0, 0.5].map(|a| doubles(a, 0.0));
    check_double(Opcode::Drcp, Given::Doubles, &halves, |row| {
        words(1.0 / both(row).0)
    })
}

#[test]
fn comparisons_of_doubles_give_all_ones_and_nan_equals_nothing() -> Result<(), Failure> {
    type Rule = fn(f64, f64) -> bool;
    let rules: [(Opcode, Rule); 4] = [
        (Opcode::Deq, |a, b| a == b),
        (Opcode::Dne, |a, b| a != b),
        (Opcode::Dge, |a, b| a >= b),
        (Opcode::Dlt, |a, b| a < b),
    ];
    let mut pairs = double_pairs();
    pairs.push(doubles(f64::NAN, 1.0));
    for (opcode, rule) in rules {
        check_double(opcode, Given::Doubles, &pairs, |row| {
            let (a, b) = both(row);
            truth(rule(a, b))
        })?;
    }
    Ok(())
}

#[test]
fn conversions_of_doubles_clamp_and_round() -> Result<(), Failure> {
    let values = [0.0, 1.5, -1.5, 3.0e9, -3.0e9, 1.0e300, f64::NAN, 2.5];
    let rows = values.map(|a| doubles(a, 0.0));
    check_double(Opcode::Dtoi, Given::Doubles, &rows, |row| {
        vec![both(row).0 as i32 as u32]
    })?;
    check_double(Opcode::Dtou, Given::Doubles, &rows, |row| {
        vec![both(row).0 as u32]
    })?;
    let rows = [0.0, 1.5, -0.375, 65536.25].map(|a| doubles(a, 0.0));
    check_double(Opcode::Dtof, Given::Doubles, &rows, |row| {
        vec![(both(row).0 as f32).to_bits()]
    })?;
    let rows = [1.5_f32, -0.1, 0.0, 1.0e30].map(|a| [a.to_bits(), 0, 0, 0]);
    check_double(Opcode::Ftod, Given::Word, &rows, |[a, ..]| {
        words(f64::from(f32::from_bits(a)))
    })?;
    let rows = EDGES.map(|a| [a, 0, 0, 0]);
    check_double(Opcode::Itod, Given::Word, &rows, |[a, ..]| {
        words(f64::from(a as i32))
    })?;
    check_double(Opcode::Utod, Given::Word, &rows, |[a, ..]| {
        words(f64::from(a))
    })
}
