//! Reading sources and writing destinations, with their modifiers.

use super::body::InsertPoint;
use super::context::{FunctionConverter, FunctionPart};
use super::index_value::IndexValue;
use super::registers::{RegisterLocation, components, locate};
use super::ssa::Def;
use super::{constants, inputs, instances, memory, resources};
use crate::dxbc::tokens::{File, Instruction, Modifiers, Operand, OperandIndex};
use crate::dxil::ops::Opcode as Op;
use crate::error::{Error, Result};
use crate::ir::{BinaryOp, ValueId};

impl<'a> FunctionConverter<'a, '_> {
    /// Returns the location of a register operand's components.
    pub(super) fn locate(&self, operand: &Operand) -> RegisterLocation {
        locate(self.declarations, &self.shared.arrays, operand)
    }

    /// Returns an index of an operand.
    pub(super) fn index(&mut self, index: OperandIndex) -> Result<IndexValue> {
        let program = self.program;
        let Some(operand) = program.relative(index) else {
            return Ok(IndexValue::Known(index.offset));
        };
        let def = self.bits(operand, 0, false)?;
        if let Def::Bits(bits) = def {
            // D3D11.3 functional specification, 7.8.6: indices are unsigned 32-bit integers.
            return Ok(IndexValue::Known(bits.wrapping_add(index.offset)));
        }
        let value = self.as_int(def);
        if index.offset == 0 {
            return Ok(IndexValue::Value(value));
        }
        let offset = self.int(index.offset);
        let ty = self.i32();
        Ok(IndexValue::Value(self.binary(
            BinaryOp::Add,
            ty,
            value,
            offset,
        )))
    }

    /// Returns an index as an `i32`.
    pub(super) fn index_id(&mut self, index: IndexValue) -> ValueId {
        match index {
            IndexValue::Known(known) => self.int(known),
            IndexValue::Value(value) => value,
        }
    }

    /// Returns the component of a source for a component of the destination, without modifiers. A
    /// source without a type is read as floats or integers, as the caller prefers.
    pub(super) fn bits(
        &mut self,
        operand: &Operand,
        component: u8,
        wants_float: bool,
    ) -> Result<Def> {
        let source = operand.components.source(component);
        Ok(match operand.file {
            File::Immediate32 => {
                let word = operand.words.get(usize::from(source)).copied();
                Def::Bits(word.unwrap_or(0))
            }
            File::Immediate64 => {
                let word = operand.words.get(usize::from(source)).copied();
                Def::Bits(word.unwrap_or(0))
            }
            File::Temp | File::IndexableTemp | File::Output => self.register(operand, source)?,
            File::InputPatchConstant if self.part == FunctionPart::PatchConstant => {
                self.register(operand, source)?
            }
            File::ConstantBuffer => resources::load_constant(self, operand, source, wants_float)?,
            File::ImmediateConstantBuffer => constants::load_immediate(self, operand, source)?,
            File::ThisPointer => instances::this(self, operand, source)?,
            File::FunctionTable => instances::table(self, operand)?,
            File::Null => Def::Bits(0),
            _ => inputs::load(self, operand, source)?,
        })
    }

    fn register(&mut self, operand: &Operand, component: u8) -> Result<Def> {
        match self.locate(operand) {
            RegisterLocation::Variables { file, index } => {
                if operand.file == File::Temp && operand.indices[0].relative.is_some() {
                    // D3D11.3 functional specification, 7.3: only `x#` arrays can be indexed.
                    return Err(Error::malformed("a temporary register is indexed"));
                }
                Ok(self.read(super::ssa::RegisterComponent {
                    file,
                    index,
                    component,
                }))
            }
            RegisterLocation::Array { key } => memory::load_local(self, key, operand, component),
            RegisterLocation::Null | RegisterLocation::Other => Ok(Def::Bits(0)),
        }
    }

    /// Returns a source as a `float`, with its modifiers.
    pub(super) fn float_source(&mut self, operand: &Operand, component: u8) -> Result<ValueId> {
        let def = self.float_def(operand, component)?;
        Ok(self.as_float(def))
    }

    /// Returns a source as a float component, with its modifiers.
    pub(super) fn float_def(&mut self, operand: &Operand, component: u8) -> Result<Def> {
        let def = self.bits(operand, component, true)?;
        let Modifiers {
            absolute, negate, ..
        } = operand.modifiers;
        if !absolute && !negate {
            return Ok(def);
        }
        if let Def::Bits(bits) = def {
            const SIGN: u32 = 1 << 31;
            let bits = if absolute { bits & !SIGN } else { bits };
            return Ok(Def::Bits(if negate { bits ^ SIGN } else { bits }));
        }
        let mut value = self.as_float(def);
        let ty = self.f32();
        if absolute {
            value = self.pure_call(Op::FAbs, ty, value, None)?;
        }
        if negate {
            value = self.negated(value);
        }
        Ok(Def::Float(value))
    }

    /// Returns the negative of a `float` or a `half`.
    pub(super) fn negated(&mut self, value: ValueId) -> ValueId {
        let ty = self.body.type_of(value).unwrap_or(self.f32());
        // -0 - x and not 0 - x: the negative of +0 is -0, but 0 - 0 is +0.
        let zero = if ty == self.f32() {
            self.float(-0.0)
        } else {
            self.body.constant(ty, true, Some(1 << 15))
        };
        self.binary(BinaryOp::FSub, ty, zero, value)
    }

    /// Returns a source in the type that the instruction computes in, with its modifiers.
    pub(super) fn real_source(&mut self, operand: &Operand, component: u8) -> Result<ValueId> {
        let value = self.float_source(operand, component)?;
        Ok(self.narrowed(value))
    }

    /// Returns the same without its sign, and whether it is to be negated. IEEE's sums and products
    /// are the same however the sign is brought in, so that a difference needs no negation.
    pub(super) fn signed_source(
        &mut self,
        operand: &Operand,
        component: u8,
    ) -> Result<(ValueId, bool)> {
        let mut plain = *operand;
        plain.modifiers.negate = false;
        Ok(match self.float_def(&plain, component)? {
            Def::Bits(_) => (self.real_source(operand, component)?, false),
            def => {
                let value = self.as_float(def);
                (self.narrowed(value), operand.modifiers.negate)
            }
        })
    }

    /// Returns the sum of two values, each of which may be negated.
    pub(super) fn signed_sum(&mut self, a: (ValueId, bool), b: (ValueId, bool)) -> ValueId {
        let ty = self.real();
        match (a, b) {
            ((a, false), (b, false)) => self.binary(BinaryOp::FAdd, ty, a, b),
            ((a, false), (b, true)) => self.binary(BinaryOp::FSub, ty, a, b),
            ((a, true), (b, false)) => self.binary(BinaryOp::FSub, ty, b, a),
            ((a, true), (b, true)) => {
                let a = self.negated(a);
                self.binary(BinaryOp::FSub, ty, a, b)
            }
        }
    }

    /// Returns a source as an `i32`, with its modifiers.
    pub(super) fn int_source(&mut self, operand: &Operand, component: u8) -> Result<ValueId> {
        let def = self.int_def(operand, component)?;
        Ok(self.as_int(def))
    }

    /// Returns a source as an integer component, with its modifiers.
    pub(super) fn int_def(&mut self, operand: &Operand, component: u8) -> Result<Def> {
        let def = self.bits(operand, component, false)?;
        if !operand.modifiers.negate && !operand.modifiers.absolute {
            return Ok(def);
        }
        if let Def::Bits(bits) = def {
            let bits = if operand.modifiers.absolute {
                // Wraps for the minimum integer, as the instructions below do.
                bits.cast_signed().wrapping_abs().cast_unsigned()
            } else {
                bits
            };
            return Ok(Def::Bits(if operand.modifiers.negate {
                bits.wrapping_neg()
            } else {
                bits
            }));
        }
        let mut value = self.as_int(def);
        let ty = self.i32();
        let zero = self.int(0);
        let negated = |c: &mut Self, value| c.binary(BinaryOp::Sub, ty, zero, value);
        if operand.modifiers.absolute {
            let other = negated(self, value);
            value = self.pure_call(Op::IMax, ty, value, Some(other))?;
        }
        if operand.modifiers.negate {
            value = negated(self, value);
        }
        Ok(Def::Int(value))
    }

    /// Returns a source of any type: bits, but floats where it has modifiers.
    pub(super) fn any_def(
        &mut self,
        operand: &Operand,
        component: u8,
        wants_float: bool,
    ) -> Result<Def> {
        if operand.modifiers.negate || operand.modifiers.absolute {
            // D3D11.3 functional specification, 22.9.2: modifiers of a move assume floats; without
            // them its bits do not change.
            self.float_def(operand, component)
        } else {
            self.bits(operand, component, wants_float)
        }
    }

    /// Returns whether any bit of a source is set.
    pub(super) fn condition(&mut self, operand: &Operand, component: u8) -> Result<ValueId> {
        let def = self.bits(operand, component, false)?;
        Ok(self.as_bool(def))
    }

    /// Returns a double: the pair of components for the n-th pair of the destination.
    pub(super) fn double_source(&mut self, operand: &Operand, pair: u8) -> Result<ValueId> {
        let low = self.bits(operand, pair * 2, false)?;
        let high = self.bits(operand, pair * 2 + 1, false)?;
        let ty = self.f64();
        let mut value = match (low, high) {
            (Def::Bits(low), Def::Bits(high)) => {
                self.double(u64::from(low) | u64::from(high) << 32)
            }
            _ => {
                let parts = [self.as_int(low), self.as_int(high)];
                self.call(Op::MakeDouble, Some(ty), ty, &parts)?
            }
        };
        if operand.modifiers.absolute {
            value = self.call(Op::FAbs, Some(ty), ty, &[value])?;
        }
        if operand.modifiers.negate {
            let zero = self.double(1 << 63);
            value = self.binary(BinaryOp::FSub, ty, zero, value);
        }
        Ok(value)
    }

    /// Returns the words of a double.
    pub(super) fn split_double(&mut self, value: ValueId) -> Result<[Def; 2]> {
        let int = self.i32();
        let overload = self.f64();
        let ret = self
            .shared
            .module
            .structure("dx.types.splitdouble", [int, int]);
        let split = self.call(Op::SplitDouble, Some(overload), ret, &[value])?;
        Ok([
            Def::Int(self.member(split, 0, int)?),
            Def::Int(self.member(split, 1, int)?),
        ])
    }

    /// Writes components of a destination: a value for each component of its mask, by component.
    pub(super) fn write(
        &mut self,
        instruction: &Instruction,
        operand: &Operand,
        values: &[Option<Def>; 4],
    ) -> Result<()> {
        let location = self.locate(operand);
        for component in components(operand.components.mask()) {
            let Some(mut def) = values.get(usize::from(component)).copied().flatten() else {
                continue;
            };
            if instruction.saturates() && instruction.opcode.writes_float() {
                let ty = self.real();
                let value = self.as_float(def);
                let value = self.narrowed(value);
                let value = self.call(Op::Saturate, Some(ty), ty, &[value])?;
                def = self.float_result(value);
            }
            match location {
                RegisterLocation::Variables { file, index } => {
                    let register = super::ssa::RegisterComponent {
                        file,
                        index,
                        component,
                    };
                    if let Some(variable) = self.variables.find(register) {
                        self.variables.define(variable, self.step, def);
                    }
                }
                RegisterLocation::Array { key } => {
                    memory::store_local(self, key, operand, component, def)?;
                }
                RegisterLocation::Null => {}
                RegisterLocation::Other => {
                    return Err(Error::malformed(format!(
                        "{} writes a register that cannot be written",
                        instruction.opcode.mnemonic()
                    )));
                }
            }
        }
        Ok(())
    }

    /// Returns whether what has no type is better moved to a destination as a float.
    pub(super) fn prefers_float(&self, operand: &Operand) -> bool {
        let mask = operand.components.mask();
        let location = self.locate(operand);
        let mut known = components(mask).filter_map(|component| location.variable(component));
        known.all(|register| self.variables.is_mostly_float(register, self.step))
    }

    /// The start of the function, where what is needed everywhere is computed once.
    pub(super) const START: InsertPoint = InsertPoint::Start;
}
