//! DXBC's instructions on resources that no compiler at hand writes: gathering with offsets that
//! are not constants, the status of tiles, sizes of buffers, atomic operations and counters.

use dxil_frontend::dxbc::{Components, Dimension, File, Opcode, Operand, OperandRole, OperandType};
use dxil_hwtests::element::{from_bytes, to_bytes};
use dxil_hwtests::run::Failure;
use dxil_runtime::job::{AddressMode, BufferView, Comparison, Filter, Sampler, Storage, Texture};
use dxil_runtime::{Format, Register, ResourceView};

use crate::dxbc_assembler::{Test, float, number, part, temp, to};

/// `float4` and `uint4` as return types of a resource.
const FLOATS: u32 = 0x5555;
const UINTS: u32 = 0x4444;

const ALL: Components = Components::Mask(0xf);

fn srv(register: u32) -> Operand {
    Operand::register(File::Resource, &[register])
}

fn uav(register: u32) -> Operand {
    Operand::register(File::UnorderedAccessView, &[register])
}

fn declare_srv(
    test: &mut Test,
    register: u32,
    dimension: Dimension,
    types: u32,
) -> Result<(), Failure> {
    let operand = srv(register).with(Components::None);
    let dimension = (dimension as u32) << 11;
    test.declare(Opcode::DclResource, dimension, &[operand], &[types])
}

/// Returns the texel (x, y) of the 4x4 texture that the tests sample.
fn texel(x: i32, y: i32) -> f32 {
    let [x, y] = [x, y].map(|at| at.clamp(0, 3));
    ((y * 4 + x) * 5 % 16) as f32 / 16.0
}

/// Returns a test with that texture in `t1` and a sampler without filters in `s0`.
fn with_texture(format: Format, comparison: Option<Comparison>) -> Result<Test, Failure> {
    let mut test = Test::new(4)?;
    declare_srv(&mut test, 1, Dimension::Texture2D, FLOATS)?;
    let sampler = Operand::register(File::Sampler, &[0]).with(Components::None);
    let mode = u32::from(comparison.is_some()) << 11;
    test.declare(Opcode::DclSampler, mode, &[sampler], &[])?;
    let texels: Vec<f32> = (0..16).map(|at| texel(at % 4, at / 4)).collect();
    let texture = Texture::new_2d(format, 4, 4, to_bytes(&texels));
    test.job.bind_texture(Register::srv(1), texture);
    let sampler = Sampler {
        min_filter: Filter::Point,
        mag_filter: Filter::Point,
        mip_filter: Filter::Point,
        address: [AddressMode::Clamp; 3],
        comparison,
        ..Sampler::default()
    };
    test.job.bind_sampler(Register::sampler(0), sampler);
    Ok(test)
}

/// Appends an instruction that samples or gathers, with coordinates in `r0.xy` and offsets in
/// `r0.zw`, and its result in `r3`. If it gives a status, the result is 0 unless all tiles are
/// mapped.
fn add_filter(test: &mut Test, opcode: Opcode, numbers: &[f32]) -> Result<(), Failure> {
    let mut numbers = numbers.iter().copied();
    let mut has_coordinates = false;
    let mut has_status = false;
    let mut operands = Vec::new();
    for (place, slot) in opcode.row().operands.iter().enumerate() {
        operands.push(match (slot.role, slot.kind) {
            (OperandRole::Dst, _) if place == 0 => temp(3).with(ALL),
            (OperandRole::Dst, _) => {
                has_status = true;
                to(4, 0)
            }
            (OperandRole::Coords, OperandType::I) => {
                temp(0).with(Components::Swizzle([2, 3, 2, 3]))
            }
            (OperandRole::Coords, _) if !has_coordinates => {
                has_coordinates = true;
                temp(0)
            }
            // Derivatives.
            (OperandRole::Coords, _) => float(0.0),
            (OperandRole::Srv, _) => srv(1),
            (OperandRole::Sampler, _) => {
                Operand::register(File::Sampler, &[0]).with(Components::Select(0))
            }
            _ => float(numbers.next().unwrap_or(0.0)),
        });
    }
    test.add(opcode, &operands)?;
    if has_status {
        keep_if_mapped(test)?;
    }
    Ok(())
}

/// Makes `r3` zero unless the status in `r4.x` says that all tiles are mapped.
fn keep_if_mapped(test: &mut Test) -> Result<(), Failure> {
    test.add(Opcode::CheckAccessFullyMapped, &[to(4, 0), part(4, 0)])?;
    test.add(Opcode::And, &[temp(3).with(ALL), temp(3), part(4, 0)])
}

/// Returns coordinates between four texels, and offsets.
fn corner(x: i32, y: i32, offset: [i32; 2]) -> [u32; 4] {
    let [u, v] = [x, y].map(|at| ((at + 1) as f32 / 4.0).to_bits());
    let [right, down] = offset.map(i32::cast_unsigned);
    [u, v, right, down]
}

/// Returns the four texels of D3D11.3's gather4, counterclockwise from the lower left one.
fn gathered(x: i32, y: i32, value: impl Fn(f32) -> f32) -> [u32; 4] {
    [(x, y + 1), (x + 1, y + 1), (x + 1, y), (x, y)].map(|(x, y)| value(texel(x, y)).to_bits())
}

const PLACES: [(i32, i32, [i32; 2]); 4] = [
    (0, 0, [1, 1]),
    (2, 1, [-1, 0]),
    (1, 2, [-2, -1]),
    (1, 1, [65, -63]),
];

fn corners() -> [[u32; 4]; 4] {
    PLACES.map(|(x, y, offset)| corner(x, y, offset))
}

/// Returns the six bits with a sign.
fn six_bits(offset: i32) -> i32 {
    offset << 26 >> 26
}

#[test]
fn gathering_takes_offsets_from_registers_and_tells_that_tiles_are_mapped() -> Result<(), Failure> {
    for (opcode, uses_offset) in [
        (Opcode::Gather4S, false),
        (Opcode::Gather4Po, true),
        (Opcode::Gather4PoS, true),
    ] {
        let mut test = with_texture(Format::R32Float, None)?;
        add_filter(&mut test, opcode, &[])?;
        let expected = PLACES.map(|(x, y, offset)| {
            let [right, down] = offset.map(|by| if uses_offset { six_bits(by) } else { 0 });
            gathered(x + right, y + down, |texel| texel)
        });
        assert_eq!(test.run(&corners())?, expected, "{opcode:?}");
    }
    Ok(())
}

#[test]
fn gathering_comparisons_takes_offsets_from_registers_too() -> Result<(), Failure> {
    for (opcode, uses_offset) in [
        (Opcode::Gather4C, false),
        (Opcode::Gather4CS, false),
        (Opcode::Gather4PoC, true),
        (Opcode::Gather4PoCS, true),
    ] {
        let mut test = with_texture(Format::D32Float, Some(Comparison::LessEqual))?;
        add_filter(&mut test, opcode, &[0.4])?;
        let expected = PLACES.map(|(x, y, offset)| {
            let [right, down] = offset.map(|by| if uses_offset { six_bits(by) } else { 0 });
            gathered(x + right, y + down, |texel| {
                f32::from(u8::from(0.4 <= texel))
            })
        });
        assert_eq!(test.run(&corners())?, expected, "{opcode:?}");
    }
    Ok(())
}

/// Returns the centre of a texel.
fn center(x: i32, y: i32) -> [u32; 4] {
    let [u, v] = [x, y].map(|at| ((at as f32 + 0.5) / 4.0).to_bits());
    [u, v, 0, 0]
}

#[test]
fn sampling_at_a_level_or_with_derivatives_tells_that_tiles_are_mapped() -> Result<(), Failure> {
    let places = [(0, 0), (3, 1), (2, 2), (1, 3)];
    for opcode in [Opcode::SampleLS, Opcode::SampleDClS] {
        let mut test = with_texture(Format::R32Float, None)?;
        add_filter(&mut test, opcode, &[0.0])?;
        let got = test.run(&places.map(|(x, y)| center(x, y)))?;
        // A format without green, blue and alpha reads (0, 0, 1) there.
        let expected = places.map(|(x, y)| [texel(x, y), 0.0, 0.0, 1.0].map(f32::to_bits));
        assert_eq!(got, expected, "{opcode:?}");
    }
    let mut test = with_texture(Format::D32Float, Some(Comparison::LessEqual))?;
    add_filter(&mut test, Opcode::SampleCLzS, &[0.4])?;
    let got = test.run(&places.map(|(x, y)| center(x, y)))?;
    let first: Vec<u32> = got.iter().map(|row| row[0]).collect();
    let expected = places.map(|(x, y)| f32::from(u8::from(0.4 <= texel(x, y))).to_bits());
    assert_eq!(first, expected);
    Ok(())
}

#[test]
fn loads_tell_that_tiles_are_mapped() -> Result<(), Failure> {
    // Texels of a texture that is read, and of one that may be written.
    let places = [[0, 0, 0, 0], [3, 1, 0, 0], [2, 2, 0, 0], [1, 3, 0, 0]];
    let mut test = with_texture(Format::R32Float, None)?;
    test.add(Opcode::LdS, &[temp(3).with(ALL), to(4, 0), temp(0), srv(1)])?;
    keep_if_mapped(&mut test)?;
    let expected =
        places.map(|[x, y, ..]| [texel(x as i32, y as i32), 0.0, 0.0, 1.0].map(f32::to_bits));
    assert_eq!(test.run(&places)?, expected);

    let mut test = Test::new(4)?;
    let u1 = uav(1).with(Components::None);
    let dimension = (Dimension::Texture2D as u32) << 11;
    test.declare(Opcode::DclUavTyped, dimension, &[u1], &[UINTS])?;
    let texels: Vec<u32> = (0..16).map(|at| at * 3 + 1).collect();
    let texture = Texture::new_2d(Format::R32Uint, 4, 4, to_bytes(&texels));
    test.job.bind_texture(Register::uav(1), texture);
    let operands = [temp(3).with(ALL), to(4, 0), temp(0), uav(1)];
    test.add(Opcode::LdUavTypedS, &operands)?;
    keep_if_mapped(&mut test)?;
    let expected = places.map(|[x, y, ..]| [(y * 4 + x) * 3 + 1, 0, 0, 1]);
    assert_eq!(test.run(&places)?, expected);
    Ok(())
}

#[test]
fn loads_of_buffers_tell_that_tiles_are_mapped() -> Result<(), Failure> {
    let rows = [[4, 5, 6, 7], [8, 9, 10, 11]];
    let mut test = Test::new(2)?;
    let operands = [temp(3).with(ALL), to(4, 0), part(2, 0), srv(0)];
    test.add(Opcode::LdRawS, &operands)?;
    keep_if_mapped(&mut test)?;
    assert_eq!(test.run(&rows)?, rows);

    let mut test = Test::new(2)?;
    let t1 = srv(1).with(Components::None);
    test.declare(Opcode::DclResourceStructured, 0, &[t1], &[16])?;
    let elements = [[1u32, 2, 3, 4], [5, 6, 7, 8]];
    test.job.bind_buffer(Register::srv(1), to_bytes(&elements));
    let zero = number(0).with(Components::One);
    let operands = [temp(3).with(ALL), to(4, 0), part(1, 0), zero, srv(1)];
    test.add(Opcode::LdStructuredS, &operands)?;
    keep_if_mapped(&mut test)?;
    assert_eq!(test.run(&rows)?, elements);
    Ok(())
}

#[test]
fn loads_of_samples_tell_that_tiles_are_mapped() -> Result<(), Failure> {
    let mut test = Test::new(1)?;
    declare_srv(&mut test, 1, Dimension::Texture2DMS, FLOATS)?;
    let texture = Texture {
        samples: 4,
        ..Texture::new_2d(Format::Rgba8Unorm, 2, 2, Vec::new())
    };
    test.job.bind_texture(Register::srv(1), texture);
    let operands = [temp(3).with(ALL), to(4, 0), temp(0), srv(1), number(2)];
    test.add(Opcode::LdMsS, &operands)?;
    test.add(Opcode::CheckAccessFullyMapped, &[to(3, 3), part(4, 0)])?;
    // The texture is all zero; what is seen is the status.
    assert_eq!(test.run(&[[1, 1, 0, 0]])?, [[0, 0, 0, u32::MAX]]);
    Ok(())
}

#[test]
fn bufinfo_counts_bytes_of_raw_buffers_and_elements_of_others() -> Result<(), Failure> {
    let mut test = Test::new(3)?;
    declare_srv(&mut test, 1, Dimension::Buffer, UINTS)?;
    let t2 = srv(2).with(Components::None);
    test.declare(Opcode::DclResourceStructured, 0, &[t2], &[12])?;
    let words = |count: usize| to_bytes(&vec![0u32; count]);
    test.job
        .bind_typed_buffer(Register::srv(1), Format::R32Uint, words(7));
    test.job.bind_buffer(Register::srv(2), words(15));
    test.add(Opcode::Bufinfo, &[to(3, 0), srv(0)])?;
    test.add(Opcode::Bufinfo, &[to(3, 1), srv(1)])?;
    test.add(Opcode::Bufinfo, &[to(3, 2), srv(2)])?;
    test.add(Opcode::Bufinfo, &[to(3, 3), uav(0)])?;
    assert_eq!(test.run(&[[0; 4]; 3])?, [[48, 7, 5, 48]; 3]);
    Ok(())
}

// A root signature has 64 words, and a root descriptor takes two. Without a root signature there is
// no such limit.
#[test]
fn more_buffers_than_root_descriptors_need_no_root_signature() -> Result<(), Failure> {
    const COUNT: u32 = 70;
    let mut test = Test::new(1)?;
    for register in 1..=COUNT {
        let buffer = srv(register).with(Components::None);
        test.declare(Opcode::DclResourceRaw, 0, &[buffer], &[])?;
        test.job
            .bind_buffer(Register::srv(register), to_bytes(&[register * register]));
    }
    test.add(Opcode::Mov, &[temp(3).with(ALL), number(0)])?;
    for register in 1..=COUNT {
        test.add(Opcode::LdRaw, &[to(4, 0), number(0), srv(register)])?;
        test.add(Opcode::Iadd, &[to(3, 0), part(3, 0), part(4, 0)])?;
    }
    let sum = (1..=COUNT).map(|register| register * register).sum();
    assert_eq!(test.run(&[[0; 4]])?, [[sum, 0, 0, 0]]);
    Ok(())
}

#[test]
fn resinfo_gives_no_size_for_a_mip_beyond_the_last() -> Result<(), Failure> {
    // The level is the same for all threads: lavapipe takes that of the first one.
    for (level, expected) in [(1, [4, 2, 0, 3]), (2, [2, 1, 0, 3]), (3, [0, 0, 0, 3])] {
        let mut test = Test::new(1)?;
        declare_srv(&mut test, 1, Dimension::Texture2D, FLOATS)?;
        let texture = Texture {
            mips: 3,
            ..Texture::new_2d(Format::R32Float, 8, 4, Vec::new())
        };
        test.job.bind_texture(Register::srv(1), texture);
        const UINT: u32 = 2 << 11;
        let operands = [temp(3).with(ALL), part(0, 0), srv(1)];
        test.declare(Opcode::Resinfo, UINT, &operands, &[])?;
        assert_eq!(test.run(&[[level, 0, 0, 0]])?, [expected], "mip {level}");
    }
    Ok(())
}

/// The result of an atomic operation on memory and an operand.
type Rule = fn(u32, u32) -> u32;

const ATOMICS: [(Opcode, Opcode, Rule); 8] = [
    (Opcode::AtomicIadd, Opcode::ImmAtomicIadd, u32::wrapping_add),
    (Opcode::AtomicAnd, Opcode::ImmAtomicAnd, |a, b| a & b),
    (Opcode::AtomicOr, Opcode::ImmAtomicOr, |a, b| a | b),
    (Opcode::AtomicXor, Opcode::ImmAtomicXor, |a, b| a ^ b),
    (Opcode::AtomicUmax, Opcode::ImmAtomicUmax, u32::max),
    (Opcode::AtomicUmin, Opcode::ImmAtomicUmin, u32::min),
    (Opcode::AtomicImax, Opcode::ImmAtomicImax, |a, b| {
        a.cast_signed().max(b.cast_signed()).cast_unsigned()
    }),
    (Opcode::AtomicImin, Opcode::ImmAtomicImin, |a, b| {
        a.cast_signed().min(b.cast_signed()).cast_unsigned()
    }),
];

/// Memory, operand and value to compare with.
const CHANGES: [[u32; 4]; 4] = [
    [5, 9, 5, 0],
    [u32::MAX, 3, 4, 0],
    [0x8000_0000, 0x7fff_ffff, 0x8000_0000, 0],
    [0x1234_5678, 0x00ff_00ff, 0, 0],
];

/// Returns a test with the first word of each row in the raw buffer `u1`, whose place is in `r4.x`.
fn with_memory() -> Result<Test, Failure> {
    let mut test = Test::new(4)?;
    let u1 = uav(1).with(Components::None);
    test.declare(Opcode::DclUavRaw, 0, &[u1], &[])?;
    let memory = CHANGES.map(|[memory, ..]| memory);
    test.job.bind_buffer(Register::uav(1), to_bytes(&memory));
    test.add(Opcode::Ishl, &[to(4, 0), part(1, 0), number(2)])?;
    test.add(Opcode::Mov, &[temp(3).with(ALL), number(0)])?;
    Ok(test)
}

/// Runs a program and returns `r3.x` of each thread, and the memory.
fn run_on_memory(mut test: Test) -> Result<(Vec<u32>, Vec<u32>), Failure> {
    test.store()?;
    let memory = test.job.resources.iter().position(|r| r.name == "u1");
    let (rows, outcome) = test.outcome(&CHANGES)?;
    let bytes = memory.and_then(|at| outcome.resources.get(at)?.as_deref());
    let bytes = bytes.ok_or_else(|| Failure::new("u1 was not read back".to_owned()))?;
    Ok((rows.iter().map(|row| row[0]).collect(), from_bytes(bytes)))
}

#[test]
fn atomic_operations_change_memory_and_give_the_old_value_if_asked() -> Result<(), Failure> {
    let u1 = uav(1).with(Components::None);
    for (plain, with_old, rule) in ATOMICS {
        let changed: Vec<u32> = CHANGES.iter().map(|row| rule(row[0], row[1])).collect();
        let mut test = with_memory()?;
        test.add(plain, &[u1, part(4, 0), part(0, 1)])?;
        assert_eq!(
            run_on_memory(test)?,
            (vec![0; 4], changed.clone()),
            "{plain:?}"
        );
        let mut test = with_memory()?;
        test.add(with_old, &[to(3, 0), u1, part(4, 0), part(0, 1)])?;
        let old: Vec<u32> = CHANGES.iter().map(|row| row[0]).collect();
        assert_eq!(run_on_memory(test)?, (old, changed), "{with_old:?}");
    }
    Ok(())
}

#[test]
fn exchanging_depends_on_the_value_to_compare_with_where_there_is_one() -> Result<(), Failure> {
    let u1 = uav(1).with(Components::None);
    let old: Vec<u32> = CHANGES.iter().map(|row| row[0]).collect();
    let exchanged: Vec<u32> = CHANGES.iter().map(|row| row[1]).collect();
    let compared: Vec<u32> = CHANGES
        .iter()
        .map(|&[memory, value, compare, _]| if memory == compare { value } else { memory })
        .collect();
    let mut test = with_memory()?;
    test.add(
        Opcode::ImmAtomicExch,
        &[to(3, 0), u1, part(4, 0), part(0, 1)],
    )?;
    assert_eq!(run_on_memory(test)?, (old.clone(), exchanged));
    let mut test = with_memory()?;
    let operands = [to(3, 0), u1, part(4, 0), part(0, 2), part(0, 1)];
    test.add(Opcode::ImmAtomicCmpExch, &operands)?;
    assert_eq!(run_on_memory(test)?, (old, compared.clone()));
    let mut test = with_memory()?;
    test.add(Opcode::AtomicCmpStore, &operands[1..])?;
    assert_eq!(run_on_memory(test)?, (vec![0; 4], compared));
    Ok(())
}

#[test]
fn alloc_gives_the_counter_as_it_was_and_consume_as_it_is_then() -> Result<(), Failure> {
    for (opcode, counts, left) in [
        (Opcode::ImmAtomicAlloc, [10, 11, 12, 13], 14),
        (Opcode::ImmAtomicConsume, [6, 7, 8, 9], 6),
    ] {
        let mut test = Test::new(4)?;
        let u1 = uav(1).with(Components::None);
        test.declare(Opcode::DclUavStructured, 1 << 23, &[u1], &[4])?;
        let elements = Storage::Buffer(vec![0; 64]);
        let resource = test.job.add_resource("u1", elements, true);
        let view = ResourceView::Buffer(BufferView {
            resource,
            offset: 0,
            size: None,
            format: None,
            counter: Some(10),
        });
        test.job.bind(Register::uav(1), view);
        test.add(Opcode::Mov, &[temp(3).with(ALL), number(0)])?;
        test.add(opcode, &[to(3, 0), u1])?;
        test.store()?;
        let (rows, outcome) = test.outcome(&[[0; 4]; 4])?;
        let mut got: Vec<u32> = rows.iter().map(|row| row[0]).collect();
        got.sort_unstable();
        assert_eq!(got, counts, "{opcode:?}");
        assert_eq!(outcome.counters, [(Register::uav(1), left)], "{opcode:?}");
    }
    Ok(())
}

#[test]
fn the_immediate_constant_buffer_reads_0_beyond_its_end() -> Result<(), Failure> {
    let mut test = Test::new(4)?;
    let rows = [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]];
    test.program.constants = rows.to_vec();
    test.declare(Opcode::CustomData, 3 << 11, &[], &[])?;
    let source = test.indexed(File::ImmediateConstantBuffer, 1, part(0, 0));
    test.add(Opcode::Mov, &[temp(3).with(ALL), source])?;
    let got = test.run(&[[0; 4], [1; 4], [2; 4], [u32::MAX; 4]])?;
    assert_eq!(got, [rows[1], rows[2], [0; 4], rows[0]]);
    Ok(())
}

#[test]
fn abort_goes_on_without_a_debug_layer() -> Result<(), Failure> {
    let mut test = Test::new(1)?;
    test.add(Opcode::Abort, &[])?;
    test.add(Opcode::Mov, &[temp(3).with(ALL), temp(0)])?;
    assert_eq!(test.run(&[[1, 2, 3, 4]])?, [[1, 2, 3, 4]]);
    Ok(())
}
