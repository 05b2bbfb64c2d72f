//! The body of a function: its constants and instructions.

use std::iter;

use dxil_frontend::bitcode::bit_writer::{BitWriter, rotate_sign};

use crate::constants::{Constants, Function, TypeNumber, Value};

const CONSTANTS_BLOCK: u32 = 11;
const FUNCTION_BLOCK: u32 = 12;

/// Number of a binary operator in LLVM bitcode.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Operator {
    Add = 0,
    SignedDivide = 4,
    And = 10,
}

enum Instruction {
    Binary(Operator, Value, Value),
    Equal(Value, Value),
    Call(Function, Vec<Value>),
    Extract(Value, u32),
    Phi(TypeNumber, Vec<(Value, u32)>),
    Allocate {
        array: TypeNumber,
        count_type: TypeNumber,
        count: Value,
    },
    Element {
        array: TypeNumber,
        base: Value,
        indices: [Value; 2],
    },
    Load(Value, TypeNumber),
    Store(Value, Value),
    Jump(u32),
    Branch(Value, u32, u32),
    Switch {
        ty: TypeNumber,
        selector: Value,
        default: u32,
        cases: Vec<(Value, u32)>,
    },
    Return(Option<Value>),
}

/// The body of a function. Values have the numbers of LLVM: those of the module, the parameters,
/// the constants of the body, then the results of instructions in order.
pub(crate) struct Body {
    constants: Constants,
    instructions: Vec<Instruction>,
    blocks: u32,
    next: u32,
}

impl Body {
    /// Returns an empty body for a function whose module has `module_values` values, that takes
    /// `parameters` and uses `constants`.
    pub(crate) fn new(module_values: u32, parameters: u32, mut constants: Constants) -> Body {
        let next = constants.number_from(module_values + parameters);
        Body {
            constants,
            instructions: Vec::new(),
            blocks: 0,
            next,
        }
    }

    /// Returns a constant.
    pub(crate) fn constant(&self, index: usize) -> Value {
        self.constants.value(index)
    }

    /// Returns the number of the next value.
    pub(crate) fn next_value(&self) -> Value {
        Value(self.next)
    }

    fn push(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    fn value(&mut self, instruction: Instruction) -> Value {
        self.instructions.push(instruction);
        self.next += 1;
        Value(self.next - 1)
    }

    pub(crate) fn binary(&mut self, operator: Operator, a: Value, b: Value) -> Value {
        self.value(Instruction::Binary(operator, a, b))
    }

    pub(crate) fn equal(&mut self, a: Value, b: Value) -> Value {
        self.value(Instruction::Equal(a, b))
    }

    /// Adds a call of a function with a result.
    pub(crate) fn call(&mut self, function: Function, arguments: Vec<Value>) -> Value {
        self.value(Instruction::Call(function, arguments))
    }

    /// Adds a call of a function without result.
    pub(crate) fn call_void(&mut self, function: Function, arguments: Vec<Value>) {
        self.push(Instruction::Call(function, arguments));
    }

    pub(crate) fn extract(&mut self, aggregate: Value, index: u32) -> Value {
        self.value(Instruction::Extract(aggregate, index))
    }

    /// Adds a phi, whose operands may come later in the body.
    pub(crate) fn phi(&mut self, ty: TypeNumber, incoming: Vec<(Value, u32)>) -> Value {
        self.value(Instruction::Phi(ty, incoming))
    }

    pub(crate) fn allocate(
        &mut self,
        array: TypeNumber,
        (count_type, count): (TypeNumber, Value),
    ) -> Value {
        self.value(Instruction::Allocate {
            array,
            count_type,
            count,
        })
    }

    pub(crate) fn element(
        &mut self,
        array: TypeNumber,
        base: Value,
        zero: Value,
        index: Value,
    ) -> Value {
        self.value(Instruction::Element {
            array,
            base,
            indices: [zero, index],
        })
    }

    pub(crate) fn load(&mut self, pointer: Value, ty: TypeNumber) -> Value {
        self.value(Instruction::Load(pointer, ty))
    }

    pub(crate) fn store(&mut self, pointer: Value, value: Value) {
        self.push(Instruction::Store(pointer, value));
    }

    fn terminate(&mut self, instruction: Instruction) {
        self.push(instruction);
        self.blocks += 1;
    }

    pub(crate) fn jump(&mut self, to: u32) {
        self.terminate(Instruction::Jump(to));
    }

    pub(crate) fn branch(&mut self, condition: Value, if_true: u32, if_false: u32) {
        self.terminate(Instruction::Branch(condition, if_true, if_false));
    }

    pub(crate) fn switch(
        &mut self,
        (ty, selector): (TypeNumber, Value),
        default: u32,
        cases: Vec<(Value, u32)>,
    ) {
        self.terminate(Instruction::Switch {
            ty,
            selector,
            default,
            cases,
        });
    }

    pub(crate) fn ret(&mut self) {
        self.terminate(Instruction::Return(None));
    }

    pub(crate) fn return_value(&mut self, value: Value) {
        self.terminate(Instruction::Return(Some(value)));
    }

    /// Writes the function block ("LLVM Bitcode File Format", "FUNCTION_BLOCK Contents").
    pub(crate) fn write(&self, out: &mut BitWriter) {
        out.enter(FUNCTION_BLOCK, 4);
        out.record(1, [u64::from(self.blocks)]);
        if !self.constants.is_empty() {
            out.enter(CONSTANTS_BLOCK, 4);
            self.constants.write(out);
            out.leave();
        }
        let mut number = self.constants.end();
        for instruction in &self.instructions {
            number += u32::from(write(instruction, number, out));
        }
        out.leave();
    }
}

/// Writes an instruction. `number` is the number of the next value. Returns whether the instruction
/// defines a value.
fn write(instruction: &Instruction, number: u32, out: &mut BitWriter) -> bool {
    // Operands are distances back from the next value.
    let back = |value: &Value| u64::from(number.wrapping_sub(value.0));
    match instruction {
        Instruction::Binary(operator, a, b) => {
            out.record(2, [back(a), back(b), *operator as u64]);
        }
        Instruction::Equal(a, b) => out.record(28, [back(a), back(b), 32]),
        Instruction::Call(function, arguments) => {
            const EXPLICIT_TYPE: u64 = 1 << 15;
            let head = [
                0,
                EXPLICIT_TYPE,
                u64::from(function.ty.0),
                back(&function.value),
            ];
            let arguments = arguments.iter().map(back);
            out.record(34, Vec::from_iter(head.into_iter().chain(arguments)));
            return function.returns;
        }
        Instruction::Extract(aggregate, index) => {
            out.record(26, [back(aggregate), u64::from(*index)]);
        }
        Instruction::Phi(ty, incoming) => {
            let pairs = incoming.iter().flat_map(|(value, block)| {
                let distance = i64::from(number) - i64::from(value.0);
                [rotate_sign(distance), u64::from(*block)]
            });
            out.record(16, Vec::from_iter(iter::once(u64::from(ty.0)).chain(pairs)));
        }
        Instruction::Allocate {
            array,
            count_type,
            count,
        } => {
            const EXPLICIT_TYPE: u64 = 1 << 6;
            let align = 3;
            out.record(
                19,
                [
                    u64::from(array.0),
                    u64::from(count_type.0),
                    u64::from(count.0),
                    EXPLICIT_TYPE | align,
                ],
            );
        }
        Instruction::Element {
            array,
            base,
            indices,
        } => {
            let [zero, index] = indices;
            let numbers = [1, u64::from(array.0), back(base), back(zero), back(index)];
            out.record(43, numbers);
        }
        Instruction::Load(pointer, ty) => {
            out.record(20, [back(pointer), u64::from(ty.0), 3, 0]);
        }
        Instruction::Store(pointer, value) => {
            out.record(44, [back(pointer), back(value), 3, 0]);
            return false;
        }
        Instruction::Jump(to) => {
            out.record(11, [u64::from(*to)]);
            return false;
        }
        Instruction::Branch(condition, if_true, if_false) => {
            out.record(
                11,
                [u64::from(*if_true), u64::from(*if_false), back(condition)],
            );
            return false;
        }
        Instruction::Switch {
            ty,
            selector,
            default,
            cases,
        } => {
            let head = [u64::from(ty.0), back(selector), u64::from(*default)];
            let pairs = cases
                .iter()
                .flat_map(|(value, block)| [u64::from(value.0), u64::from(*block)]);
            out.record(12, Vec::from_iter(head.into_iter().chain(pairs)));
            return false;
        }
        Instruction::Return(value) => {
            out.record(10, Vec::from_iter(value.iter().map(back)));
            return false;
        }
    }
    true
}
