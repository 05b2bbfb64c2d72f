//! Loops of DXBC that test at their start and are converted to loops that test at their end: the
//! test runs as often as before, and so does the body.

use dxil_frontend::dxbc::{Components, File, Opcode, Operand};
use dxil_hwtests::run::Failure;

use crate::dxbc_assembler::{Test, number, part, temp, to};

/// Adds the word of `t0` at byte `r6.x` to `r3.x`.
fn add_word(test: &mut Test) -> Result<(), Failure> {
    let t0 = Operand::register(File::Resource, &[0]);
    test.add(Opcode::LdRaw, &[to(7, 0), part(6, 0), t0])?;
    test.add(Opcode::Iadd, &[to(3, 0), part(3, 0), part(7, 0)])
}

/// Adds the words of `t0` from the `r4.x`th to that in front of the `end`th one.
fn add_words(test: &mut Test, end: Operand) -> Result<(), Failure> {
    test.add(Opcode::Loop, &[])?;
    // The body reads what the test computes.
    test.add(Opcode::Ishl, &[to(6, 0), part(4, 0), number(2)])?;
    test.add(Opcode::Uge, &[to(5, 0), part(4, 0), end])?;
    test.add_if_nonzero(Opcode::If, &[part(5, 0)])?;
    test.add(Opcode::Break, &[])?;
    test.add(Opcode::Endif, &[])?;
    add_word(test)?;
    test.add(Opcode::Iadd, &[to(4, 0), part(4, 0), number(1)])?;
    test.add(Opcode::Endloop, &[])
}

fn clear(test: &mut Test) -> Result<(), Failure> {
    let all = temp(3).with(Components::Mask(0xf));
    test.add(Opcode::Mov, &[all, number(0)])
}

const ROWS: [[u32; 4]; 4] = [[0, 0, 1, 5], [1, 4, 2, 6], [9, 3, 3, 7], [0, 16, 4, 8]];

/// Sum of the words of the input from one to another.
fn sum(first: u32, end: u32) -> u32 {
    let words = ROWS.as_flattened();
    words
        .get(first as usize..end as usize)
        .map_or(0, |words| words.iter().sum())
}

#[test]
fn a_loop_that_reads_memory_may_have_no_round() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    clear(&mut test)?;
    test.add(Opcode::Mov, &[to(4, 0), part(0, 0)])?;
    add_words(&mut test, part(0, 1))?;
    // What the test and the body wrote last.
    test.add(Opcode::Mov, &[to(3, 1), part(6, 0)])?;
    test.add(Opcode::Mov, &[to(3, 2), part(4, 0)])?;
    test.add(Opcode::Mov, &[to(3, 3), part(5, 0)])?;
    let got = test.run(&ROWS)?;
    let expected = ROWS.map(|[first, end, ..]| {
        let last = first.max(end);
        [sum(first, end), last * 4, last, u32::MAX]
    });
    assert_eq!(got, expected);
    Ok(())
}

#[test]
fn a_loop_that_surely_has_a_round_may_be_left_in_each_of_them() -> Result<(), Failure> {
    // Adds the words of the input up to the r0.z-th, at most ten.
    let mut test = Test::new(4)?;
    clear(&mut test)?;
    test.add(Opcode::Mov, &[to(4, 0), number(0)])?;
    test.add(Opcode::Loop, &[])?;
    test.add(Opcode::Ilt, &[to(5, 0), part(4, 0), number(10)])?;
    // Leaves if no bit is set.
    test.declare(Opcode::Breakc, 0, &[part(5, 0)], &[])?;
    test.add(Opcode::Ishl, &[to(6, 0), part(4, 0), number(2)])?;
    add_word(&mut test)?;
    test.add(Opcode::Ieq, &[to(5, 0), part(4, 0), part(0, 2)])?;
    test.add_if_nonzero(Opcode::Breakc, &[part(5, 0)])?;
    test.add(Opcode::Iadd, &[to(4, 0), part(4, 0), number(1)])?;
    test.add(Opcode::Endloop, &[])?;
    test.add(Opcode::Mov, &[to(3, 1), part(4, 0)])?;
    let mut rows = ROWS;
    rows[0][2] = 0;
    rows[3][2] = 99;
    let words = rows.as_flattened().to_vec();
    let got = test.run(&rows)?;
    let expected = rows.map(|[_, _, last, _]| {
        let end = (last + 1).min(10);
        let sum = words.iter().take(end as usize).sum();
        [sum, last.min(10), 0, 0]
    });
    assert_eq!(got, expected);
    Ok(())
}

#[test]
fn loops_that_read_memory_nest() -> Result<(), Failure> {
    // For each k below r0.z, the words from r0.x to the k-th.
    let mut test = Test::new(4)?;
    clear(&mut test)?;
    test.add(Opcode::Mov, &[to(4, 1), number(0)])?;
    test.add(Opcode::Loop, &[])?;
    test.add(Opcode::Uge, &[to(5, 1), part(4, 1), part(0, 2)])?;
    test.add_if_nonzero(Opcode::Breakc, &[part(5, 1)])?;
    test.add(Opcode::Mov, &[to(4, 0), part(0, 0)])?;
    add_words(&mut test, part(4, 1))?;
    test.add(Opcode::Iadd, &[to(3, 1), part(3, 1), part(5, 0)])?;
    test.add(Opcode::Iadd, &[to(4, 1), part(4, 1), number(1)])?;
    test.add(Opcode::Endloop, &[])?;
    let got = test.run(&ROWS)?;
    let expected = ROWS.map(|[first, _, rounds, _]| {
        let sums = (0..rounds).map(|k| sum(first, k)).sum();
        [sums, 0_u32.wrapping_sub(rounds), 0, 0]
    });
    assert_eq!(got, expected);
    Ok(())
}

#[test]
fn a_loop_that_reads_memory_may_go_on_early() -> Result<(), Failure> {
    // The words of the input from r0.x on, of odd numbers alone: `continue` goes to the test.
    let mut test = Test::new(4)?;
    clear(&mut test)?;
    test.add(Opcode::Iadd, &[to(4, 0), part(0, 0), number(u32::MAX)])?;
    test.add(Opcode::Loop, &[])?;
    test.add(Opcode::Iadd, &[to(4, 0), part(4, 0), number(1)])?;
    test.add(Opcode::Uge, &[to(5, 0), part(4, 0), part(0, 1)])?;
    test.add_if_nonzero(Opcode::Breakc, &[part(5, 0)])?;
    test.add(Opcode::And, &[to(5, 0), part(4, 0), number(1)])?;
    test.declare(Opcode::Continuec, 0, &[part(5, 0)], &[])?;
    test.add(Opcode::Ishl, &[to(6, 0), part(4, 0), number(2)])?;
    add_word(&mut test)?;
    test.add(Opcode::Endloop, &[])?;
    let got = test.run(&ROWS)?;
    let expected = ROWS.map(|[first, end, ..]| {
        let odd = (first..end).filter(|number| number % 2 == 1);
        [odd.map(|number| sum(number, number + 1)).sum(), 0, 0, 0]
    });
    assert_eq!(got, expected);
    Ok(())
}
