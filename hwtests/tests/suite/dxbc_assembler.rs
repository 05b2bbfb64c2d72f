//! A small assembler of DXBC for tests: programs that no compiler at hand writes, put together
//! token by token and run on the Vulkan device.

use dxil_frontend::dxbc::{Components, File, Opcode, Operand, OperandIndex, Program};
use dxil_frontend::dxil::{ShaderKind, read_shader};
use dxil_hwtests::element::{from_bytes, to_bytes};
use dxil_hwtests::run::{self, Failure};
use dxil_runtime::Register;
use dxil_runtime::job::{Job, Outcome};

/// The component x, to write.
pub(crate) const MASK_X: Components = Components::Mask(1);
/// The bit of a token that asks for a condition that is not zero.
pub(crate) const NONZERO: u32 = 1 << 18;

/// Words that each thread gets and gives.
const STRIDE: u32 = 16;

/// Returns a temporary register.
pub(crate) fn temp(index: u32) -> Operand {
    Operand::register(File::Temp, &[index])
}

/// Returns a component of a temporary register.
pub(crate) fn part(index: u32, component: u8) -> Operand {
    temp(index).with(Components::Select(component))
}

/// Returns a component of a temporary register, to write.
pub(crate) fn to(index: u32, component: u8) -> Operand {
    temp(index).with(Components::Mask(1 << component))
}

/// Returns the null register, for unused results.
pub(crate) fn null() -> Operand {
    Operand::register(File::Null, &[]).with(Components::None)
}

/// Returns a number in all components.
pub(crate) fn number(value: u32) -> Operand {
    Operand::immediate([value; 4])
}

/// Returns a float in all components.
pub(crate) fn float(value: f32) -> Operand {
    number(value.to_bits())
}

/// A compute program of one group of `threads` threads, which reads four words of `t0` into `r0`
/// for each thread and has its number in `r1.x`.
pub(crate) struct Test {
    pub(crate) program: Program,
    threads: u32,
    /// Resources that the program has besides `t0` and `u0`.
    pub(crate) job: Job,
}

impl Test {
    /// Returns the program of shader model 5.0 up to its inputs.
    pub(crate) fn new(threads: u32) -> Result<Self, Failure> {
        Test::of_version(threads, (5, 0))
    }

    /// Returns the program up to its inputs. In shader model 5.1 `t0` and `u0` are range 0 of their
    /// class.
    pub(crate) fn of_version(threads: u32, version: (u8, u8)) -> Result<Self, Failure> {
        let mut test = Test {
            program: Program::new(ShaderKind::Compute, version),
            threads,
            job: Job::dispatch([1, 1, 1]),
        };
        test.declare(Opcode::DclGlobalFlags, 1 << 11, &[], &[])?;
        for (opcode, file) in [
            (Opcode::DclResourceRaw, File::Resource),
            (Opcode::DclUavRaw, File::UnorderedAccessView),
        ] {
            // Number, first and last register; then the space.
            let (indices, space): (&[u32], &[u32]) = if test.program.has_ranges() {
                (&[0, 0, 0], &[0])
            } else {
                (&[0], &[])
            };
            let operand = Operand::register(file, indices).with(Components::None);
            test.declare(opcode, 0, &[operand], space)?;
        }
        let t0 = test.resource(File::Resource);
        test.declare(Opcode::DclTemps, 0, &[], &[8])?;
        test.declare(Opcode::DclIndexableTemp, 0, &[], &[0, 4, 4])?;
        test.declare(Opcode::DclThreadGroup, 0, &[], &[threads, 1, 1])?;
        let thread = Operand::register(File::ThreadIdInGroupFlattened, &[]).with(Components::One);
        test.add(Opcode::Mov, &[to(1, 0), thread])?;
        test.add(
            Opcode::Imul,
            &[null(), to(2, 0), part(1, 0), number(STRIDE)],
        )?;
        test.add(
            Opcode::LdRaw,
            &[temp(0).with(Components::Mask(0xf)), part(2, 0), t0],
        )?;
        Ok(test)
    }

    /// Returns the operand of `t0` or `u0`.
    fn resource(&self, file: File) -> Operand {
        if self.program.has_ranges() {
            Operand::register(file, &[0, 0])
        } else {
            Operand::register(file, &[0])
        }
    }

    /// Appends an instruction with bits of its first token, operands and plain tokens.
    pub(crate) fn declare(
        &mut self,
        opcode: Opcode,
        controls: u32,
        operands: &[Operand],
        words: &[u32],
    ) -> Result<(), Failure> {
        Ok(self.program.push(opcode, controls, operands, words)?)
    }

    /// Appends an instruction.
    pub(crate) fn add(&mut self, opcode: Opcode, operands: &[Operand]) -> Result<(), Failure> {
        self.declare(opcode, 0, operands, &[])
    }

    /// Appends an instruction whose condition is that a bit is set.
    pub(crate) fn add_if_nonzero(
        &mut self,
        opcode: Opcode,
        operands: &[Operand],
    ) -> Result<(), Failure> {
        self.declare(opcode, NONZERO, operands, &[])
    }

    /// Returns an operand of the pool, as a relative index.
    pub(crate) fn indexed(&mut self, file: File, first: u32, by: Operand) -> Operand {
        let relative = u32::try_from(self.program.operands.len()).ok();
        self.program.operands.push(by);
        let mut operand = Operand::register(file, &[first, 0]);
        if file == File::ImmediateConstantBuffer {
            operand = Operand::register(file, &[0]);
            operand.indices[0] = OperandIndex {
                offset: first,
                relative,
            };
            return operand;
        }
        operand.indices[1] = OperandIndex {
            offset: 0,
            relative,
        };
        operand
    }

    /// Ends the program, which gives `r3`, and runs it.
    pub(crate) fn run(mut self, inputs: &[[u32; 4]]) -> Result<Vec<[u32; 4]>, Failure> {
        self.store()?;
        self.run_as_it_is(inputs)
    }

    /// Runs a program that stores its result itself.
    pub(crate) fn run_as_it_is(self, inputs: &[[u32; 4]]) -> Result<Vec<[u32; 4]>, Failure> {
        Ok(self.outcome(inputs)?.0)
    }

    /// Runs a program that stores its result itself; returns that and all of the outcome.
    pub(crate) fn outcome(self, inputs: &[[u32; 4]]) -> Result<(Vec<[u32; 4]>, Outcome), Failure> {
        let shader = read_shader(&self.program.to_container()?)?;
        let mut job = self.job;
        job.bind_buffer(Register::srv(0), to_bytes(inputs));
        let empty = vec![0xa5; (self.threads * STRIDE) as usize];
        let out = job.bind_buffer(Register::uav(0), empty);
        let outcome = run::job(&shader, &job)?;
        let rows = outcome.bytes(out).map(from_bytes);
        let rows = rows.ok_or_else(|| Failure::new("nothing was read back".to_owned()))?;
        Ok((rows, outcome))
    }

    /// Stores `r3` in the thread's row of `u0` and returns.
    pub(crate) fn store(&mut self) -> Result<(), Failure> {
        let u0 = self.resource(File::UnorderedAccessView);
        let u0 = u0.with(Components::Mask(0xf));
        self.add(Opcode::StoreRaw, &[u0, part(2, 0), temp(3)])?;
        self.add(Opcode::Ret, &[])
    }
}
