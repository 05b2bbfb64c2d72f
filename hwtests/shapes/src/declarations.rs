//! Tables: types, globals, metadata, names, resources.

use crate::code::{Code, Frame};
use crate::constants::ty;
use crate::module::Module;

/// Maximum nesting of types in the reader.
const DEPTH: u32 = dxil_frontend::limits::MAX_TYPE_DEPTH - 2;

/// Adds structures that each contain the previous one twice. A type has at most `MAX_TYPE_LEAVES`
/// scalars, so the doubling starts again after 16 levels.
pub(crate) fn types(n: u32) -> Vec<u8> {
    const LEVELS: u32 = if DEPTH < 16 { DEPTH } else { 16 };
    let mut module = Module::new();
    let mut last = ty::I32;
    for index in 0..n {
        if index % LEVELS == 0 {
            last = ty::I32;
        }
        last = module.structure(&[last, last]);
    }
    stored_thread(Frame::new(module))
}

pub(crate) fn group_shared(n: u32) -> Vec<u8> {
    const GROUP_SHARED: u64 = 3;
    let mut module = Module::new();
    let array = module.array(2, ty::I32);
    module.pointer(array, GROUP_SHARED);
    module.pointer(ty::I32, GROUP_SHARED);
    let variables: Vec<_> = (0..n)
        .map(|_| module.global(array, GROUP_SHARED, None))
        .collect();
    Frame::new(module).run(2, |code| {
        let zero = code.number(0);
        for variable in variables {
            let element = code.body.element(array, variable, zero, code.thread);
            code.body.store(element, code.thread);
        }
    })
}

pub(crate) fn constant_array(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    let array = module.array(n, ty::I32);
    module.pointer(array, 0);
    let elements: Vec<usize> = (0..n)
        .map(|index| module.constants.integer(ty::I32, i64::from(index)))
        .collect();
    let initializer = module.constants.aggregate(array, elements);
    let table = module.global(array, 0, Some(initializer));
    Frame::new(module).run(2, |code| {
        let element = code.body.element(array, table, code.number(0), code.thread);
        let value = code.body.load(element, ty::I32);
        code.store(code.thread, value);
    })
}

/// Adds `n` nodes that each refer to the previous one `times` times.
pub(crate) fn metadata(n: u32, times: usize) -> Vec<u8> {
    let mut frame = Frame::new(Module::new());
    let mut last = None;
    for _ in 0..n {
        last = Some(frame.module.node(&vec![last; times]));
    }
    frame.module.shape = last.into_iter().collect();
    stored_thread(frame)
}

pub(crate) fn long_name(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    module.entry = "m".repeat(n as usize);
    stored_thread(Frame::new(module))
}

pub(crate) fn names(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    let operations = module.operations();
    for index in 0..n {
        module.function(
            &format!("a.function.that.nothing.calls.{index:010}"),
            ty::HELPER,
            false,
        );
    }
    let main = module.entry_point();
    stored_thread(Frame::with(module, operations, main))
}

pub(crate) fn resources(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    module.buffers = n;
    Frame::new(module).run(n, |code| {
        for index in 0..n {
            let number = code.number(index);
            code.take_handle(number, number);
            code.store(code.thread, number);
        }
    })
}

/// Adds handles of one range each, from the last range to the first, by register
/// (`createHandleFromBinding`, shader model 6.6).
pub(crate) fn bindings(n: u32) -> Vec<u8> {
    // Opcodes, class and kind (DXIL document, "DXIL operations" and "Resource properties").
    const CREATE_HANDLE_FROM_BINDING: i64 = 217;
    const ANNOTATE_HANDLE: i64 = 216;
    const UAV: i64 = 1;
    const RAW_UAV: i64 = 1 << 12 | 11;
    let mut module = Module::new();
    module.buffers = n;
    module.reversed = true;
    let binding = module.named_structure("dx.types.ResBind", &[ty::I32, ty::I32, ty::I32, ty::I8]);
    let properties = module.named_structure("dx.types.ResourceProperties", &[ty::I32, ty::I32]);
    let create = module.function_type(ty::HANDLE, &[ty::I32, binding, ty::I32, ty::I1]);
    let annotate = module.function_type(ty::HANDLE, &[ty::I32, ty::HANDLE, properties]);
    let operations = module.operations();
    let create = module.function("dx.op.createHandleFromBinding", create, false);
    let annotate = module.function("dx.op.annotateHandle", annotate, false);
    let main = module.entry_point();
    let frame = Frame::with(module, operations, main);
    let (mut code, (fixed, bindings)) = Code::new(frame.values, frame.operations, n, |constants| {
        let create = constants.integer(ty::I32, CREATE_HANDLE_FROM_BINDING);
        let annotate = constants.integer(ty::I32, ANNOTATE_HANDLE);
        let (zero, kind) = (
            constants.integer(ty::I32, 0),
            constants.integer(ty::I32, RAW_UAV),
        );
        let uav = constants.integer(ty::I8, UAV);
        let no = constants.integer(ty::I1, 0);
        let what = constants.aggregate(properties, vec![kind, zero]);
        let bindings: Vec<usize> = (0..n)
            .map(|register| {
                let register = constants.integer(ty::I32, i64::from(register));
                constants.aggregate(binding, vec![register, register, zero, uav])
            })
            .collect();
        ([create, annotate, no, what], bindings)
    });
    let [create_opcode, annotate_opcode, no, what] = fixed.map(|index| code.body.constant(index));
    for register in (0..n).rev() {
        let binding = code.body.constant(bindings[register as usize]);
        let number = code.number(register);
        let handle = code
            .body
            .call(create, vec![create_opcode, binding, number, no]);
        let handle = code
            .body
            .call(annotate, vec![annotate_opcode, handle, what]);
        code.use_handle(handle);
        code.store(code.thread, number);
    }
    frame.finish(code)
}

pub(crate) fn handles(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    module.range = 32;
    Frame::new(module).run(2, |code| {
        let zero = code.number(0);
        let mut index = code.thread;
        for _ in 0..n {
            index = code.add(index, code.thread);
            code.take_handle(zero, index);
            code.store(code.thread, index);
        }
    })
}

/// Returns the container of a module whose entry point stores the number of the thread.
fn stored_thread(frame: Frame) -> Vec<u8> {
    frame.run(2, |code| code.store(code.thread, code.thread))
}
