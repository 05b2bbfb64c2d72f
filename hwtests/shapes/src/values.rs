//! Values, constants, phis, memory and calls.

use crate::body::{Body, Operator};
use crate::code::{Code, Frame, one_block};
use crate::constants::{Constants, Value, ty};
use crate::module::Module;

/// Maximum nesting of constant expressions in the reader.
const DEPTH: u32 = dxil_frontend::limits::MAX_CONSTANT_DEPTH - 2;

pub(crate) fn straight(n: u32) -> Vec<u8> {
    one_block(2, |code| {
        let mut sum = code.thread;
        for _ in 0..n {
            let loaded = code.load(sum);
            sum = code.add(sum, loaded);
        }
        code.store(code.number(0), sum);
    })
}

pub(crate) fn doubling(n: u32) -> Vec<u8> {
    one_block(2, |code| {
        let mut sum = code.thread;
        for _ in 0..n {
            sum = code.add(sum, sum);
        }
        code.store(code.number(0), sum);
    })
}

pub(crate) fn constant_towers(n: u32) -> Vec<u8> {
    let frame = Frame::new(Module::new());
    let towers = |constants: &mut Constants| -> Vec<usize> {
        let tower = |first| {
            let bottom = constants.integer(ty::I32, i64::from(first));
            (0..DEPTH).fold(bottom, |below, _| constants.sum(ty::I32, below, below))
        };
        (0..n).map(tower).collect()
    };
    let (mut code, tops) = Code::new(frame.values, frame.operations, 2, towers);
    for top in tops {
        let value = code.body.constant(top);
        code.store(code.thread, value);
    }
    frame.finish(code)
}

pub(crate) fn phis(n: u32) -> Vec<u8> {
    const PREDECESSORS: u32 = 64;
    one_block(PREDECESSORS + 1, |code| {
        let block_of = |case: u32| case + 1;
        let join = PREDECESSORS + 1;
        let cases = (0..PREDECESSORS)
            .map(|case| (code.number(case), block_of(case)))
            .collect();
        let thread = code.thread;
        code.body.switch((ty::I32, thread), join, cases);
        for _ in 0..PREDECESSORS {
            code.body.jump(join);
        }
        let merged: Vec<_> = (0..n)
            .map(|index| {
                let value = |case: u32| code.number((case + index) % PREDECESSORS);
                let cases = (0..PREDECESSORS).map(|case| (value(case), block_of(case)));
                let incoming = cases.chain([(thread, 0)]).collect();
                code.body.phi(ty::I32, incoming)
            })
            .collect();
        for value in merged {
            code.store(thread, value);
        }
    })
}

/// Returns a block with up to 8,000 predecessors, and as many phis as have that many operands
/// together, one at least.
pub(crate) fn wide_phis(n: u32) -> Vec<u8> {
    let predecessors = n.min(8000);
    one_block(predecessors + 1, |code| {
        let join = predecessors + 1;
        let cases = (0..predecessors)
            .map(|case| (code.number(case), case + 1))
            .collect();
        let thread = code.thread;
        code.body.switch((ty::I32, thread), join, cases);
        for _ in 0..predecessors {
            code.body.jump(join);
        }
        let merged: Vec<_> = (0..n / predecessors)
            .map(|_| {
                let cases = (0..predecessors).map(|case| (thread, case + 1));
                let incoming = cases.chain([(thread, 0)]).collect();
                code.body.phi(ty::I32, incoming)
            })
            .collect();
        code.store(thread, merged[0]);
    })
}

/// Returns a guarded loop with its test at the end, and that many loop-carried values.
pub(crate) fn loop_phis(n: u32) -> Vec<u8> {
    one_block(2, |code| {
        const LOOP: u32 = 1;
        const AFTER: u32 = 2;
        let thread = code.thread;
        let start = code.add(thread, thread);
        let enters = code.body.equal(start, thread);
        code.body.branch(enters, LOOP, AFTER);
        let first = code.body.next_value().0;
        let next = |index: u32| Value(first + n + index);
        for index in 0..n {
            code.body
                .phi(ty::I32, vec![(start, 0), (next(index), LOOP)]);
        }
        for index in 0..n {
            code.add(Value(first + index), thread);
        }
        let again = code.body.equal(next(0), thread);
        code.body.branch(again, LOOP, AFTER);
        let left: Vec<_> = (0..n)
            .map(|index| {
                code.body
                    .phi(ty::I32, vec![(start, 0), (next(index), LOOP)])
            })
            .collect();
        for value in left {
            code.store(thread, value);
        }
    })
}

pub(crate) fn long_live_ranges(n: u32) -> Vec<u8> {
    one_block(2, |code| {
        let mut values = Vec::new();
        for _ in 0..n {
            let last = values.last().copied().unwrap_or(code.thread);
            values.push(code.add(last, code.thread));
        }
        for value in values.into_iter().rev() {
            code.store(code.thread, value);
        }
    })
}

pub(crate) fn dead_code(n: u32) -> Vec<u8> {
    one_block(2, |code| {
        let mut sum = code.thread;
        for _ in 0..n {
            sum = code.body.binary(Operator::And, sum, code.thread);
        }
        code.store(code.number(0), code.thread);
    })
}

pub(crate) fn divisions(n: u32) -> Vec<u8> {
    one_block(2, |code| {
        let mut quotient = code.thread;
        for _ in 0..n {
            quotient = code.body.binary(Operator::SignedDivide, quotient, quotient);
        }
        code.store(code.number(0), quotient);
    })
}

pub(crate) fn local_array(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    let array = module.array(n, ty::I32);
    module.pointer(array, 0);
    let frame = Frame::new(module);
    let mut code = frame.code(n);
    let (zero, one) = (code.number(0), code.number(1));
    let base = code.body.allocate(array, (ty::I32, one));
    for index in 0..n {
        let element = code.body.element(array, base, zero, code.number(index));
        code.body.store(element, code.thread);
    }
    for index in 0..n {
        let element = code.body.element(array, base, zero, code.number(index));
        let value = code.body.load(element, ty::I32);
        code.store(code.thread, value);
    }
    frame.finish(code)
}

/// Returns `n` functions that each call the previous one `times` times.
pub(crate) fn calls(n: u32, times: u32) -> Vec<u8> {
    let mut module = Module::new();
    let operations = module.operations();
    let helpers: Vec<_> = (0..n)
        .map(|index| module.function(&format!("helper{index}"), ty::HELPER, true))
        .collect();
    let main = module.entry_point();
    let mut frame = Frame::with(module, operations, main);
    for index in 0..n as usize {
        let mut body = Body::new(frame.values, 1, Constants::default());
        let mut value = Value(frame.values);
        value = match index.checked_sub(1) {
            Some(before) => {
                (0..times).fold(value, |value, _| body.call(helpers[before], vec![value]))
            }
            None => body.binary(Operator::Add, value, value),
        };
        body.return_value(value);
        frame.module.body(body);
    }
    frame.run(2, |code| {
        let value = code.body.call(helpers[n as usize - 1], vec![code.thread]);
        code.store(code.thread, value);
    })
}

/// Adds functions that the entry point calls, and as many descriptions of a matrix type.
pub(crate) fn target_types(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    module.target_types = n as usize;
    let operations = module.operations();
    let helpers: Vec<_> = (0..n)
        .map(|index| module.function(&format!("helper{index}"), ty::HELPER, true))
        .collect();
    let main = module.entry_point();
    let mut frame = Frame::with(module, operations, main);
    for _ in 0..n {
        let mut body = Body::new(frame.values, 1, Constants::default());
        body.return_value(Value(frame.values));
        frame.module.body(body);
    }
    frame.run(2, |code| {
        let mut value = code.thread;
        for helper in helpers {
            value = code.body.call(helper, vec![value]);
        }
        code.store(code.thread, value);
    })
}

pub(crate) fn calls_of_one(n: u32) -> Vec<u8> {
    let mut module = Module::new();
    let operations = module.operations();
    let helper = module.function("helper", ty::HELPER, true);
    let main = module.entry_point();
    let mut frame = Frame::with(module, operations, main);
    let mut body = Body::new(frame.values, 1, Constants::default());
    let parameter = Value(frame.values);
    let sum = (0..16).fold(parameter, |sum, _| {
        body.binary(Operator::Add, sum, parameter)
    });
    body.return_value(sum);
    frame.module.body(body);
    frame.run(2, |code| {
        let mut value = code.thread;
        for _ in 0..n {
            value = code.body.call(helper, vec![value]);
        }
        code.store(code.thread, value);
    })
}
