//! Calls of DXIL operations, and what most shaders do with them.

use super::code::{CodeBuilder, Value};
use super::types::Scalar;
use super::{ResourceClass, ResourceRef};
use crate::dxil::ShaderFlags;
use crate::dxil::ops::{Group, Opcode, Overload, declaration_of};
use crate::error::{Error, Result};
use crate::ir::{FastMath, Inst};

impl CodeBuilder<'_> {
    /// Calls an operation of the table. `args` are those after the opcode, in the order of
    /// [`Properties::operands`](crate::dxil::ops::Properties::operands); [`Scalar::Void`] is the
    /// overload of operations without one. The result is a structure where the operation gives
    /// several values: see [`member`](CodeBuilder::member).
    ///
    /// # Errors
    ///
    /// If the operation takes another number of arguments or arguments of other types, does not
    /// have that overload, or belongs to a newer shader model; and for operations on types of the
    /// source, such as ray payloads.
    pub fn op(&mut self, opcode: Opcode, overload: Scalar, args: &[Value]) -> Result<Value> {
        let properties = opcode.properties();
        let (class, name) = (properties.class, properties.name);
        if properties.shader_model > (self.model.major, self.model.minor) {
            let (major, minor) = properties.shader_model;
            return Err(Error::malformed(format!(
                "{name} needs shader model {major}.{minor}"
            )));
        }
        let form = Overload::from(overload);
        if !properties.overloads.allows(form) {
            let suffix = form.suffix().unwrap_or("void");
            return Err(Error::malformed(format!("{name} has no overload {suffix}")));
        }
        let declaration = declaration_of(class, overload == Scalar::Void);
        let (result, operands) = declaration
            .ok_or_else(|| Error::unsupported(format!("building the operation {name}")))?;
        let mut types = Vec::with_capacity(operands.len() + 1);
        for letter in std::iter::once(b'i').chain(operands.bytes()) {
            let ty = self.module.types.of_letter(letter, overload, class);
            types.push(ty.ok_or_else(|| {
                Error::unsupported(format!("building {name}, which takes a type of the source"))
            })?);
        }
        let letter = result.bytes().next().unwrap_or(b'v');
        let ret = self.module.types.of_letter(letter, overload, class);
        let ret = ret.ok_or_else(|| {
            Error::unsupported(format!("building {name}, which gives a type of the source"))
        })?;
        if args.len() + 1 != types.len() {
            let (wanted, given) = (types.len() - 1, args.len());
            return Err(Error::malformed(format!(
                "{name} takes {wanted} arguments, {given} are given"
            )));
        }
        let number = self.i32(opcode.number().cast_signed());
        let mut values = vec![number.0];
        for ((index, arg), ty) in args.iter().enumerate().zip(types.iter().skip(1)) {
            if self.type_of(*arg)? != *ty {
                let operand = properties.argument_name(index).unwrap_or("an argument");
                return Err(Error::malformed(format!(
                    "{name}: {operand} is of another type"
                )));
            }
            values.push(arg.0);
        }
        let function = match form.suffix() {
            None => format!("dx.op.{class}"),
            Some(suffix) => format!("dx.op.{class}.{suffix}"),
        };
        let memory = properties.memory.attribute();
        if properties.group == Group::CrossLane {
            *self.flags |= ShaderFlags::WAVE_OPS;
        }
        let callee = self.module.declare(&function, ret, &types, memory);
        let args = self.module.list(&values);
        let inst = Inst::Call {
            callee,
            args,
            fast_math: FastMath::empty(),
        };
        self.emit(inst, ret)
    }

    /// Returns the handle of a resource.
    ///
    /// # Errors
    ///
    /// If the shader model has another way to create handles, from 6.6 on, or the block has ended.
    pub fn handle(&mut self, resource: ResourceRef) -> Result<Value> {
        if self.model.minor >= 6 {
            return Err(Error::unsupported(
                "building handles of shader model 6.6 and later",
            ));
        }
        let class = self.i8(match resource.class {
            ResourceClass::Srv => 0,
            ResourceClass::Uav => 1,
            ResourceClass::Cbv => 2,
            ResourceClass::Sampler => 3,
        });
        let id = self.i32(resource.id.cast_signed());
        let index = self.i32(resource.lower_bound.cast_signed());
        let uniform = self.bool(false);
        self.op(
            Opcode::CreateHandle,
            Scalar::Void,
            &[class, id, index, uniform],
        )
    }

    /// Loads a word of a buffer of bytes. `at` is the offset in bytes.
    ///
    /// # Errors
    ///
    /// As [`op`](Self::op).
    pub fn load_word(&mut self, handle: Value, at: Value) -> Result<Value> {
        let no_offset = self.undef(Scalar::I32);
        let loaded = self.op(Opcode::BufferLoad, Scalar::I32, &[handle, at, no_offset])?;
        self.member(loaded, 0)
    }

    /// Stores a word to a buffer of bytes. `at` is the offset in bytes.
    ///
    /// # Errors
    ///
    /// As [`op`](Self::op).
    pub fn store_word(&mut self, handle: Value, at: Value, word: Value) -> Result<()> {
        let none = self.undef(Scalar::I32);
        let first_only = self.i8(1);
        let args = [handle, at, none, word, none, none, none, first_only];
        self.op(Opcode::BufferStore, Scalar::I32, &args).map(|_| ())
    }

    /// Loads four `float`s of a constant buffer: its `row`-th 16 bytes.
    ///
    /// # Errors
    ///
    /// As [`op`](Self::op).
    pub fn load_constants(&mut self, handle: Value, row: i32) -> Result<[Value; 4]> {
        let row = self.i32(row);
        let loaded = self.op(Opcode::CBufferLoadLegacy, Scalar::F32, &[handle, row])?;
        let mut member = |index| self.member(loaded, index);
        Ok([member(0)?, member(1)?, member(2)?, member(3)?])
    }
}

#[cfg(test)]
mod tests {
    use super::super::ShaderBuilder;
    use super::*;

    #[test]
    fn overloads_that_an_operation_lacks_are_refused() {
        let mut shader = ShaderBuilder::compute("main", [1, 1, 1]);
        let mut code = shader.code();
        let zero = code.i32(0);
        assert!(code.op(Opcode::ThreadId, Scalar::I32, &[zero]).is_ok());
        // DXIL.rst: the thread's number is an `i32`, and nothing else.
        let error = code.op(Opcode::ThreadId, Scalar::F32, &[zero]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("ThreadId has no overload f32"), "{error}");
    }
}
