//! Kernels without one of their barriers, or with a store in place of an atomic operation: the
//! checks of the CPU executor must find the data race.

use dxil_frontend::dxil::ops::{Callee, Op, Opcode, ResourceAtomicOp, decode, op_arguments};
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::ir::{
    Constant, FuncId, FuncView, Function, Inst, InstId, List, Type, TypeId, TypeTable, ValueDef,
    ValueId,
};
use dxil_runtime::device::{self, Backend, Device, OpenOptions};
use dxil_runtime::program::CompileOptions;
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::{Checks, Program};

use super::{Kernel, all};

/// Kernels and numbers of barriers and atomic operations that order nothing. The last pass of `fft`
/// writes `lane` and `lane + 256`, and only the same thread reads them after the last barrier. All
/// threads of `bfs_step` store the same depth, and writes of the same value do not race.
const NEEDLESS: [(&str, usize); 2] = [("fft", 1), ("bfs_step", 0)];

/// The operation that a mutant lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Defect {
    Barrier,
    /// An atomic operation on groupshared memory whose result is unused.
    Atomic,
    /// An atomic operation on a structured buffer whose result is unused.
    BufferAtomic,
}

/// Returns the instructions of a shader that synchronize.
fn synchronization(shader: &Shader) -> Vec<(usize, InstId, Defect)> {
    let mut found = Vec::new();
    for (number, body) in shader.module.bodies.iter().enumerate() {
        let view = FuncView {
            module: &shader.module,
            function: body,
        };
        let mut used: Vec<ValueId> = body.value_pool.clone();
        for data in body.insts.values() {
            let mut inst = data.inst;
            inst.for_each_own_operand(|&mut value| used.push(value));
        }
        used.extend(body.edge_pool.iter().map(|&(value, _)| value));
        for (id, data) in &body.insts {
            let op = op_arguments(view, &shader.callees, &data.inst)
                .and_then(|arguments| decode(view, arguments).ok());
            let is_unused = || data.result.expand().is_some_and(|it| !used.contains(&it));
            let defect = match (data.inst, op) {
                (_, Some(Op::Barrier(_))) => Defect::Barrier,
                (Inst::AtomicRmw { .. }, _) if is_unused() => Defect::Atomic,
                (_, Some(Op::ResourceAtomic(ResourceAtomicOp::AtomicBinOp(_)))) if is_unused() => {
                    Defect::BufferAtomic
                }
                _ => continue,
            };
            found.push((number, id, defect));
        }
    }
    found
}

fn integer(types: &TypeTable, bits: u16) -> TypeId {
    let ids = (0..types.len()).map(|index| TypeId::from_u32(index as u32));
    let mut ids = ids.filter(|&id| *types.get(id) == Type::Int(bits));
    ids.next().unwrap()
}

/// Returns the arguments of the `rawBufferStore` of what `atomicBinOp` combines with the word in
/// memory.
fn store_arguments(body: &mut Function, types: &TypeTable, atomic: List<ValueId>) -> List<ValueId> {
    let &[_, handle, _, index, offset, _, value] = body.values_of(atomic) else {
        panic!("atomicBinOp has seven arguments");
    };
    let (word, byte) = (integer(types, 32), integer(types, 8));
    let constant = |body: &mut Function, value, ty| {
        body.push_value(ty, ValueDef::Constant(Constant::Int(value)))
    };
    let opcode = constant(body, Opcode::RawBufferStore as u64, word);
    let none = body.push_value(word, ValueDef::Constant(Constant::Undef));
    let first_component = constant(body, 1, byte);
    let align = constant(body, 4, word);
    body.push_list(&[
        opcode,
        handle,
        index,
        offset,
        value,
        none,
        none,
        none,
        first_component,
        align,
    ])
}

/// Returns a kernel's shader without an instruction that synchronizes.
fn mutant(kernel: &Kernel, (body, inst, defect): (usize, InstId, Defect)) -> Shader {
    let mut shader = read_shader(kernel.dxil).unwrap();
    // A function that does nothing, such as LLVM's markers.
    let nothing = FuncId::from_u32(shader.module.functions.len() as u32);
    shader.callees[nothing] = Callee::Ignored;
    let body = &mut shader.module.bodies[body];
    let ty = body.insts[inst].ty;
    body.insts[inst].inst = match (body.insts[inst].inst, defect) {
        (
            Inst::Call {
                args, fast_math, ..
            },
            Defect::Barrier,
        ) => {
            let callee = body.push_value(ty, ValueDef::Function(nothing));
            Inst::Call {
                callee,
                args,
                fast_math,
            }
        }
        (
            Inst::Call {
                callee,
                args,
                fast_math,
            },
            Defect::BufferAtomic,
        ) => {
            body.insts[inst].result = None.into();
            Inst::Call {
                callee,
                args: store_arguments(body, &shader.module.types, args),
                fast_math,
            }
        }
        (Inst::AtomicRmw { pointer, value, .. }, Defect::Atomic) => {
            body.insts[inst].result = None.into();
            Inst::Store {
                pointer,
                value,
                align: 4,
                volatile: false,
            }
        }
        (other, _) => panic!("{other:?} is neither"),
    };
    shader
}

/// Returns the data races that the checks find in a kernel.
fn races(kernel: &Kernel, shader: &Shader, device: &dyn Device) -> usize {
    let case = (kernel.case)(0);
    let options = CompileOptions::default();
    let formats = formats_of(&case.job);
    let program = Program::compile(shader, None, device.profile(), &formats, &options)
        .unwrap_or_else(|error| panic!("{}: {error}", kernel.name));
    let outcome = device.run(&program, &case.job).unwrap();
    let races = outcome.findings.iter();
    races
        .filter(|finding| finding.to_string().contains("data race"))
        .count()
}

#[test]
fn a_kernel_without_a_barrier_or_an_atomic_operation_races() {
    let mut options = OpenOptions::new(Backend::Cpu);
    options.checks = Checks::standard();
    let device = device::open(&options).unwrap();
    let (mut barriers, mut atomics, mut buffer_atomics) = (0, 0, 0);
    let mut wrong = Vec::new();
    for kernel in all() {
        let places = synchronization(&read_shader(kernel.dxil).unwrap());
        for (number, place) in places.into_iter().enumerate() {
            match place.2 {
                Defect::Barrier => barriers += 1,
                Defect::Atomic => atomics += 1,
                Defect::BufferAtomic => buffer_atomics += 1,
            }
            let has_race = races(&kernel, &mutant(&kernel, place), &*device) > 0;
            if has_race == NEEDLESS.contains(&(kernel.name, number)) {
                wrong.push(format!("{} {number} ({:?})", kernel.name, place.2));
            }
        }
    }
    assert!(wrong.is_empty(), "wrong about {}", wrong.join(", "));
    assert_eq!(
        (barriers, atomics, buffer_atomics),
        (26, 5, 1),
        "barriers and atomic operations"
    );
}
