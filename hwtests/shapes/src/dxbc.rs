//! DXBC containers of any size: compute shaders of shader model 5, as token streams.

use dxil_frontend::Result;
use dxil_frontend::dxbc::{Components, File, Opcode, Operand, OperandIndex, Program};
use dxil_frontend::dxil::ShaderKind;

/// A family of DXBC containers that grow with a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DxbcFamily {
    /// As many instructions on all components of one register.
    Straight,
    /// As many registers, each written from the previous one and then read.
    Registers,
    /// As many nested ifs.
    NestedIfs,
    /// As many nested loops, each with an exit.
    NestedLoops,
    /// As many nested switches of two cases.
    NestedSwitches,
    /// As many loops one after the other.
    LoopsInARow,
    /// One loop with that many conditional breaks.
    Breaks,
    /// As many conditional returns.
    Returns,
    /// One switch with that many cases.
    Cases,
    /// One switch with that many labels of one case.
    Labels,
    /// As many indexable files of four registers, each written and read at a computed index.
    IndexableFiles,
    /// As many raw buffers, each declared and stored to.
    Resources,
    /// An immediate constant buffer of as many rows, up to D3D's limit of 4,096, and as many reads
    /// of it.
    ImmediateConstants,
    /// As many calls of one subroutine.
    Calls,
}

/// All families.
pub const DXBC_FAMILIES: [DxbcFamily; 14] = [
    DxbcFamily::Straight,
    DxbcFamily::Registers,
    DxbcFamily::NestedIfs,
    DxbcFamily::NestedLoops,
    DxbcFamily::NestedSwitches,
    DxbcFamily::LoopsInARow,
    DxbcFamily::Breaks,
    DxbcFamily::Returns,
    DxbcFamily::Cases,
    DxbcFamily::Labels,
    DxbcFamily::IndexableFiles,
    DxbcFamily::Resources,
    DxbcFamily::ImmediateConstants,
    DxbcFamily::Calls,
];

/// Maximum number of rows of an immediate constant buffer (D3D11.3 functional specification,
/// "Immediate Constant Buffer").
const MAX_CONSTANT_ROWS: u32 = 4096;
/// Bit in the token of a conditional instruction: the condition holds if some bit of the operand is
/// set (D3D tokenized program format, "instruction test boolean").
const NONZERO: u32 = 1 << 18;
/// Class of custom data for an immediate constant buffer, shifted to its position in the token.
const CONSTANT_BUFFER_CLASS: u32 = 3 << 11;
const ALL: Components = Components::Mask(0xf);

/// Returns the member of size `n` of a family.
pub(crate) fn container(family: DxbcFamily, n: u32) -> Result<Vec<u8>> {
    match family {
        DxbcFamily::Straight => straight(n),
        DxbcFamily::Registers => registers(n),
        DxbcFamily::NestedIfs => nested_ifs(n),
        DxbcFamily::NestedLoops => nested_loops(n),
        DxbcFamily::NestedSwitches => nested_switches(n),
        DxbcFamily::LoopsInARow => loops_in_a_row(n),
        DxbcFamily::Breaks => breaks(n),
        DxbcFamily::Returns => returns(n),
        DxbcFamily::Cases => cases(n),
        DxbcFamily::Labels => labels(n),
        DxbcFamily::IndexableFiles => indexable_files(n),
        DxbcFamily::Resources => resources(n),
        DxbcFamily::ImmediateConstants => immediate_constants(n),
        DxbcFamily::Calls => calls(n),
    }
}

/// A program under construction.
struct Writer(Program);

impl Writer {
    /// Returns a program that has declared `u0` and `temps` temporaries.
    fn new(temps: u32) -> Result<Writer> {
        let mut writer = Writer(Program::new(ShaderKind::Compute, (5, 0)));
        writer.declare(Opcode::DclUavRaw, &[buffer().with(Components::None)], &[])?;
        writer.declare(Opcode::DclTemps, &[], &[temps])?;
        writer.declare(Opcode::DclThreadGroup, &[], &[1, 1, 1])?;
        Ok(writer)
    }

    fn declare(&mut self, opcode: Opcode, operands: &[Operand], words: &[u32]) -> Result<()> {
        self.0.push(opcode, 0, operands, words)
    }

    fn add(&mut self, opcode: Opcode, operands: &[Operand]) -> Result<()> {
        self.0.push(opcode, 0, operands, &[])
    }

    /// Adds an instruction whose condition is that `r0.x` is not zero.
    fn if_nonzero(&mut self, opcode: Opcode) -> Result<()> {
        self.0.push(opcode, NONZERO, &[x(0)], &[])
    }

    /// Adds `r0.x = r0.x + value`.
    fn increase(&mut self, value: u32) -> Result<()> {
        self.add(Opcode::Iadd, &[to_x(0), x(0), number(value)])
    }

    /// Adds `r0 = word 0 to 3 of u0`.
    fn load(&mut self) -> Result<()> {
        self.add(Opcode::LdRaw, &[temp(0).with(ALL), number(0), buffer()])
    }

    /// Adds `word 0 to 3 of u0 = r0`.
    fn store(&mut self) -> Result<()> {
        self.add(Opcode::StoreRaw, &[buffer().with(ALL), number(0), temp(0)])
    }

    /// Returns a register of a file with a first index and the last index `r0.x`.
    fn indexed(&mut self, file: File, first: &[u32]) -> Operand {
        let relative = u32::try_from(self.0.operands.len()).ok();
        self.0.operands.push(x(0));
        let mut operand = Operand::register(file, first);
        if let Some(index) = operand.indices.get_mut(first.len()) {
            *index = OperandIndex {
                offset: 0,
                relative,
            };
            operand.dimensions += 1;
        }
        operand
    }

    /// Returns the container.
    fn finish(mut self) -> Result<Vec<u8>> {
        self.add(Opcode::Ret, &[])?;
        self.0.to_container()
    }
}

fn temp(register: u32) -> Operand {
    Operand::register(File::Temp, &[register])
}

fn x(register: u32) -> Operand {
    temp(register).with(Components::Select(0))
}

fn to_x(register: u32) -> Operand {
    temp(register).with(Components::Mask(1))
}

fn number(value: u32) -> Operand {
    Operand::immediate([value; 4]).with(Components::One)
}

fn buffer() -> Operand {
    Operand::register(File::UnorderedAccessView, &[0])
}

/// Returns the container of a program that loads `r0`, runs `write` and stores `r0`.
fn between_load_and_store(
    temps: u32,
    write: impl FnOnce(&mut Writer) -> Result<()>,
) -> Result<Vec<u8>> {
    let mut writer = Writer::new(temps)?;
    writer.load()?;
    write(&mut writer)?;
    writer.store()?;
    writer.finish()
}

fn straight(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        let rotated = temp(0).with(Components::Swizzle([1, 2, 3, 0]));
        (0..n).try_for_each(|index| {
            let opcode = [Opcode::Iadd, Opcode::Xor][index as usize % 2];
            writer.add(opcode, &[temp(0).with(ALL), temp(0), rotated])
        })
    })
}

fn registers(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(n + 1, |writer| {
        for register in 0..n {
            let next = temp(register + 1).with(ALL);
            writer.add(Opcode::Iadd, &[next, temp(register), number(register)])?;
        }
        (1..=n).try_for_each(|register| {
            writer.add(Opcode::Xor, &[temp(0).with(ALL), temp(0), temp(register)])
        })
    })
}

fn nested_ifs(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        for level in 0..n {
            writer.increase(level)?;
            writer.if_nonzero(Opcode::If)?;
        }
        writer.add(Opcode::Mov, &[to_x(0), number(7)])?;
        (0..n).try_for_each(|_| writer.add(Opcode::Endif, &[]))
    })
}

fn nested_loops(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        for level in 0..n {
            writer.add(Opcode::Loop, &[])?;
            writer.increase(level)?;
            writer.if_nonzero(Opcode::Breakc)?;
        }
        (0..n).try_for_each(|_| writer.add(Opcode::Endloop, &[]))
    })
}

fn nested_switches(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        for level in 0..n {
            writer.increase(level)?;
            writer.add(Opcode::Switch, &[x(0)])?;
            writer.add(Opcode::Case, &[number(1)])?;
            writer.increase(3)?;
            writer.add(Opcode::Break, &[])?;
            writer.add(Opcode::Case, &[number(2)])?;
        }
        (0..n).try_for_each(|_| {
            writer.add(Opcode::Break, &[])?;
            writer.add(Opcode::Endswitch, &[])
        })
    })
}

fn loops_in_a_row(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        (0..n).try_for_each(|_| {
            writer.add(Opcode::Loop, &[])?;
            writer.increase(1)?;
            writer.if_nonzero(Opcode::Breakc)?;
            writer.add(Opcode::Endloop, &[])
        })
    })
}

fn breaks(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        writer.add(Opcode::Loop, &[])?;
        for index in 0..n {
            writer.increase(index)?;
            writer.if_nonzero(Opcode::Breakc)?;
        }
        writer.add(Opcode::Endloop, &[])
    })
}

fn returns(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        (0..n).try_for_each(|index| {
            writer.increase(index)?;
            writer.store()?;
            writer.if_nonzero(Opcode::Retc)
        })
    })
}

fn cases(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        writer.add(Opcode::Switch, &[x(0)])?;
        for label in 0..n {
            writer.add(Opcode::Case, &[number(label)])?;
            writer.increase(label)?;
            writer.add(Opcode::Break, &[])?;
        }
        writer.add(Opcode::Endswitch, &[])
    })
}

fn labels(n: u32) -> Result<Vec<u8>> {
    between_load_and_store(1, |writer| {
        writer.add(Opcode::Switch, &[x(0)])?;
        for label in 0..n {
            writer.add(Opcode::Case, &[number(label)])?;
        }
        writer.increase(1)?;
        writer.add(Opcode::Break, &[])?;
        writer.add(Opcode::Endswitch, &[])
    })
}

fn indexable_files(n: u32) -> Result<Vec<u8>> {
    let mut writer = Writer::new(2)?;
    for file in 0..n {
        writer.declare(Opcode::DclIndexableTemp, &[], &[file, 4, 4])?;
    }
    writer.load()?;
    for file in 0..n {
        let register = writer.indexed(File::IndexableTemp, &[file]).with(ALL);
        writer.add(Opcode::Mov, &[register, temp(0)])?;
        writer.increase(1)?;
        let register = writer.indexed(File::IndexableTemp, &[file]);
        let register = register.with(Components::Swizzle([0, 1, 2, 3]));
        writer.add(Opcode::Iadd, &[temp(0).with(ALL), temp(0), register])?;
    }
    writer.store()?;
    writer.finish()
}

/// Returns a container with `n` resources, of shader model 5.1, since 5.0 has at most 64 unordered
/// access views.
fn resources(n: u32) -> Result<Vec<u8>> {
    let mut writer = Writer(Program::new(ShaderKind::Compute, (5, 1)));
    for index in 0..n {
        let range = Operand::register(File::UnorderedAccessView, &[index, index, index]);
        let space = 0;
        writer.declare(Opcode::DclUavRaw, &[range], &[space])?;
    }
    writer.declare(Opcode::DclTemps, &[], &[1])?;
    writer.declare(Opcode::DclThreadGroup, &[], &[1, 1, 1])?;
    for index in 0..n {
        let register = Operand::register(File::UnorderedAccessView, &[index, index]);
        writer.add(
            Opcode::StoreRaw,
            &[register.with(Components::Mask(1)), number(0), number(index)],
        )?;
    }
    writer.finish()
}

fn immediate_constants(n: u32) -> Result<Vec<u8>> {
    let rows = n.min(MAX_CONSTANT_ROWS);
    let mut writer = Writer(Program::new(ShaderKind::Compute, (5, 0)));
    writer.0.constants = (0..rows).map(|row| [row, row ^ 5, row * 3, 1]).collect();
    writer
        .0
        .push(Opcode::CustomData, CONSTANT_BUFFER_CLASS, &[], &[])?;
    writer.declare(Opcode::DclUavRaw, &[buffer().with(Components::None)], &[])?;
    writer.declare(Opcode::DclTemps, &[], &[1])?;
    writer.declare(Opcode::DclThreadGroup, &[], &[1, 1, 1])?;
    writer.load()?;
    for _ in 0..n {
        let row = writer.indexed(File::ImmediateConstantBuffer, &[]);
        writer.add(Opcode::Iadd, &[temp(0).with(ALL), temp(0), row])?;
    }
    writer.store()?;
    writer.finish()
}

fn calls(n: u32) -> Result<Vec<u8>> {
    const SUBROUTINE: u32 = 0;
    let label = Operand::register(File::Label, &[SUBROUTINE]).with(Components::None);
    let mut writer = Writer::new(1)?;
    writer.load()?;
    for _ in 0..n {
        writer.add(Opcode::Call, &[label])?;
    }
    writer.store()?;
    writer.add(Opcode::Ret, &[])?;
    writer.add(Opcode::Label, &[label])?;
    writer.increase(1)?;
    writer.finish()
}
