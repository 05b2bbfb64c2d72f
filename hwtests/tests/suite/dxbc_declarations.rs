//! Declarations of DXBC that no compiler at hand writes: instances of phases and of geometry
//! shaders, index ranges, interfaces.

use dxil_frontend::container::Container;
use dxil_frontend::dxbc::{Components, File, Opcode, Operand, OperandIndex, Program};
use dxil_hwtests::run::Failure;

use crate::dxbc_assembler::{Test, float, null, number, part, temp, to};
use crate::dxbc_raster::{draw_quad, draw_strips, dxbc, with_program};

/// Returns a register without components, such as an instance's number.
fn plain(file: File) -> Operand {
    Operand::register(file, &[]).with(Components::One)
}

/// Appends `o[r0.x + first].x = value` of a phase.
fn store_indexed(program: &mut Program, first: u32, value: Operand) -> Result<(), Failure> {
    let relative = u32::try_from(program.operands.len()).ok();
    program.operands.push(part(0, 0));
    let mut target = Operand::register(File::Output, &[first]).with(Components::Mask(1));
    target.indices[0] = OperandIndex {
        offset: first,
        relative,
    };
    Ok(program.push(Opcode::Mov, 0, &[target, value], &[])?)
}

// D3D11.3 functional specification, 10.5.2 and 22.3.30: each instance has its number, and a range
// of outputs is indexed by it.
#[test]
fn instances_of_fork_and_join_phases_write_outputs_by_their_number() -> Result<(), Failure> {
    let container = dxbc!("tess/quad_hs");
    let old = Program::of_container(&Container::parse(container)?)?;
    let mut program = Program {
        instructions: Vec::new(),
        ..old.clone()
    };
    let mut is_fork = false;
    let mut left_out = 0;
    for instruction in &old.instructions {
        is_fork |= instruction.opcode == Opcode::HsForkPhase;
        let writes_factor = is_fork
            && instruction.opcode == Opcode::Mov
            && old.operands_of(instruction).first().is_some_and(|target| {
                target.file == File::Output
                    && target.components == Components::Mask(1)
                    && target.first_index() < 6
            });
        if writes_factor {
            left_out += 1;
            continue;
        }
        program.instructions.push(*instruction);
        if instruction.opcode == Opcode::HsDecls {
            program.push(Opcode::DclHsMaxTessFactor, 0, &[], &[64.0_f32.to_bits()])?;
        }
    }
    assert_eq!(left_out, 6, "the tessellation factors of a quad");
    let range = |first| Operand::register(File::Output, &[first]).with(Components::Mask(1));

    let number_of_fork = plain(File::InputForkInstanceId);
    program.push(Opcode::HsForkPhase, 0, &[], &[])?;
    program.push(Opcode::DclHsForkPhaseInstanceCount, 0, &[], &[4])?;
    program.push(Opcode::DclInput, 0, &[number_of_fork], &[])?;
    program.push(Opcode::DclTemps, 0, &[], &[1])?;
    program.push(Opcode::DclIndexRange, 0, &[range(0)], &[4])?;
    program.push(Opcode::Mov, 0, &[to(0, 0), number_of_fork], &[])?;
    store_indexed(&mut program, 0, float(2.0))?;
    program.push(Opcode::Ret, 0, &[], &[])?;

    // The factors inside are 2 and 3.
    let number_of_join = plain(File::InputJoinInstanceId);
    program.push(Opcode::HsJoinPhase, 0, &[], &[])?;
    program.push(Opcode::DclHsJoinPhaseInstanceCount, 0, &[], &[2])?;
    program.push(Opcode::DclInput, 0, &[number_of_join], &[])?;
    program.push(Opcode::DclTemps, 0, &[], &[1])?;
    program.push(Opcode::DclIndexRange, 0, &[range(4)], &[2])?;
    program.push(Opcode::Mov, 0, &[to(0, 0), number_of_join], &[])?;
    program.push(Opcode::Utof, 0, &[to(0, 1), part(0, 0)], &[])?;
    program.push(Opcode::Add, 0, &[to(0, 1), part(0, 1), float(2.0)], &[])?;
    store_indexed(&mut program, 4, part(0, 1))?;
    program.push(Opcode::Ret, 0, &[], &[])?;
    draw_quad(with_program(container, &program)?)
}

// D3D11.3 functional specification, 22.3.11: the shader runs once per instance and primitive.
#[test]
fn instances_of_a_geometry_shader_emit_a_strip_each() -> Result<(), Failure> {
    let container = dxbc!("streams/strips_gs");
    let old = Program::of_container(&Container::parse(container)?)?;
    let mut program = Program {
        instructions: Vec::new(),
        ..old.clone()
    };
    let is_kept = |opcode: Opcode| {
        opcode.is_declaration()
            && !matches!(opcode, Opcode::DclMaxOutputVertexCount | Opcode::DclTemps)
    };
    for instruction in &old.instructions {
        if is_kept(instruction.opcode) {
            program.instructions.push(*instruction);
        }
    }
    let mut push = |opcode, operands: &[Operand], words: &[u32]| -> Result<(), Failure> {
        Ok(program.push(opcode, 0, operands, words)?)
    };
    let instance = plain(File::GsInstanceId);
    let row = Operand::register(File::Input, &[0, 1]).with(Components::Select(0));
    let output = |register, component: u8| {
        Operand::register(File::Output, &[register]).with(Components::Mask(1 << component))
    };
    push(Opcode::DclMaxOutputVertexCount, &[], &[3])?;
    push(Opcode::DclGsInstanceCount, &[], &[2])?;
    push(Opcode::DclInput, &[instance], &[])?;
    push(Opcode::DclTemps, &[], &[2])?;
    // r1 is the corner of the strip: a half of the target by instance, a row by the point's number.
    push(Opcode::Utof, &[to(1, 0), instance], &[])?;
    push(Opcode::Add, &[to(1, 0), part(1, 0), float(-1.0)], &[])?;
    push(Opcode::Utof, &[to(1, 1), row], &[])?;
    let mut up = part(1, 1);
    up.modifiers.negate = true;
    push(Opcode::Add, &[to(1, 1), up, float(1.0)], &[])?;
    let primitive = plain(File::InputPrimitiveId);
    push(
        Opcode::Imul,
        &[null(), to(0, 0), primitive, number(10)],
        &[],
    )?;
    push(Opcode::Iadd, &[to(0, 0), part(0, 0), number(5)], &[])?;
    push(Opcode::Iadd, &[to(0, 0), part(0, 0), instance], &[])?;
    let stream = Operand::register(File::Stream, &[0]).with(Components::None);
    for [right, down] in [[0.0, 0.0], [2.0, 0.0], [0.0, -2.0]] {
        push(Opcode::Add, &[output(0, 0), part(1, 0), float(right)], &[])?;
        push(Opcode::Add, &[output(0, 1), part(1, 1), float(down)], &[])?;
        push(Opcode::Mov, &[output(0, 2), float(0.5)], &[])?;
        push(Opcode::Mov, &[output(0, 3), float(1.0)], &[])?;
        push(Opcode::Mov, &[output(1, 0), part(0, 0)], &[])?;
        push(Opcode::EmitStream, &[stream], &[])?;
    }
    push(Opcode::CutStream, &[stream], &[])?;
    push(Opcode::Ret, &[], &[])?;
    draw_strips(with_program(container, &program)?)
}

// Only a call through an interface (`fcall`) needs what these declare.
#[test]
fn a_shader_that_declares_interfaces_and_calls_none_runs() -> Result<(), Failure> {
    let mut test = Test::new(1)?;
    // Function body 0 is in table 0, which interface 0 may point to.
    test.declare(Opcode::DclFunctionBody, 0, &[], &[0])?;
    test.declare(Opcode::DclFunctionTable, 0, &[], &[0, 1, 0])?;
    test.declare(Opcode::DclInterface, 0, &[], &[0, 1, 1 << 16 | 1, 0])?;
    let all = temp(3).with(Components::Mask(0xf));
    test.add(Opcode::Iadd, &[all, temp(0), number(1)])?;
    assert_eq!(test.run(&[[1, 2, 3, 4]])?, [[2, 3, 4, 5]]);
    Ok(())
}

#[test]
fn min_precision_has_at_least_the_precision_that_it_asks_for() -> Result<(), Failure> {
    // All results have few enough bits for both precisions: 16 bits, and 2.8 for the second.
    for precision in [1, 2] {
        let to = |component| {
            let mut to = to(3, component);
            to.modifiers.min_precision = precision;
            to
        };
        let mut negated = part(0, 0);
        negated.modifiers.negate = true;
        let mut test = Test::new(1)?;
        test.add(Opcode::Add, &[to(0), part(0, 0), part(0, 1)])?;
        test.add(Opcode::Mad, &[to(1), part(0, 0), float(0.25), negated])?;
        test.declare(Opcode::Mul, 1 << 13, &[to(2), part(0, 0), part(0, 1)], &[])?;
        test.add(Opcode::Dp2, &[to(3), temp(0), temp(0)])?;
        let got = test.run(&[[0.5f32.to_bits(), 1.25f32.to_bits(), 0, 0]])?;
        let floats = got[0].map(f32::from_bits);
        assert_eq!(floats, [1.75, -0.375, 0.625, 1.8125]);
    }
    Ok(())
}

#[test]
fn integers_of_minimum_precision_keep_the_values_of_16_bits() -> Result<(), Failure> {
    let (a, b) = (-300_i32, 7_i32);
    let [unsigned_a, unsigned_b] = [65_000_u32, 3];
    let input = [a as u32, b as u32, unsigned_a, unsigned_b];
    let marked = |mut operand: Operand, precision| {
        operand.modifiers.min_precision = precision;
        operand
    };
    // D3D11.3 functional specification, 7.20.3.2.1: 4 is a signed integer, 5 an unsigned one.
    let signed = |operand| marked(operand, 4);
    let unsigned = |operand| marked(operand, 5);
    let (x, y) = (signed(part(0, 0)), signed(part(0, 1)));
    let (z, w) = (unsigned(part(0, 2)), unsigned(part(0, 3)));

    let mut test = Test::new(1)?;
    test.add(Opcode::Iadd, &[signed(to(3, 0)), x, y])?;
    test.add(Opcode::Ishr, &[signed(to(3, 1)), x, w])?;
    test.add(Opcode::Imin, &[signed(to(3, 2)), signed(part(3, 0)), y])?;
    test.add(Opcode::Itof, &[to(3, 3), signed(part(3, 1))])?;
    let got = test.run(&[input])?;
    let quotient = (a >> unsigned_b) as f32;
    let words = [a + b, a >> unsigned_b, a + b].map(i32::cast_unsigned);
    assert_eq!(got[0], [words[0], words[1], words[2], quotient.to_bits()]);

    let mut test = Test::new(1)?;
    test.add(Opcode::Iadd, &[unsigned(to(3, 0)), z, w])?;
    test.add(
        Opcode::Udiv,
        &[unsigned(to(3, 1)), unsigned(to(3, 2)), z, w],
    )?;
    test.add(Opcode::Utof, &[to(3, 3), unsigned(part(3, 0))])?;
    let got = test.run(&[input])?;
    let sum = unsigned_a + unsigned_b;
    let (quotient, rest) = (unsigned_a / unsigned_b, unsigned_a % unsigned_b);
    assert_eq!(got[0], [sum, quotient, rest, (sum as f32).to_bits()]);
    Ok(())
}
