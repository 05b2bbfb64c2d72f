//! Typed access to metadata: integers, texts and lists, with errors that name what was looked for.
//!
//! Nodes may be shared, so a small file can describe a huge structure by naming the same node again
//! and again. Reading therefore draws on a budget in proportion to the file's metadata.

use std::cell::Cell;

use crate::error::{Error, ErrorKind, Result};
use crate::ir::{
    Constant, FuncId, MdId, MdNode, Module, Type, TypeId, ValueData, ValueDef, ValueId,
};

/// The maximum number of reads of a piece of metadata, on average. DXC shares short lists widely.
const SHARING: u64 = 64;

/// A reader of a module's metadata.
pub(super) struct Meta<'a> {
    pub(super) module: &'a Module,
    budget: Cell<u64>,
    limit: u64,
}

impl<'a> Meta<'a> {
    pub(super) fn new(module: &'a Module) -> Self {
        let metadata = &module.metadata;
        let size = metadata.operands.len()
            + metadata.strings.len()
            + metadata.nodes.len()
            + module.number_pool.len();
        // A floor, so that tiny modules are not refused for reading their few nodes several times.
        let limit = (size as u64 + 1024).saturating_mul(SHARING);
        Meta {
            module,
            budget: Cell::new(limit),
            limit,
        }
    }

    /// Draws on the budget.
    fn charge(&self, amount: usize) -> Result<()> {
        // Plus one, so that empty lists are not free: they may be named any number of times.
        match self.budget.get().checked_sub(amount as u64 + 1) {
            Some(left) => {
                self.budget.set(left);
                Ok(())
            }
            None => Err(Error::new(ErrorKind::Limit {
                what: "work on shared metadata",
                value: self.limit.saturating_add(amount as u64),
                limit: self.limit,
            })),
        }
    }

    /// Returns the operands of a tuple.
    pub(super) fn tuple(&self, node: Option<MdId>, what: &str) -> Result<&'a [Option<MdId>]> {
        let operands = node
            .and_then(|id| self.module.metadata.tuple(id))
            .ok_or_else(|| Error::malformed(format!("metadata: {what} is not a list")))?;
        self.charge(operands.len())?;
        Ok(operands)
    }

    /// Returns the operands of a tuple; none if it is `null`.
    pub(super) fn tuple_or_null(
        &self,
        node: Option<MdId>,
        what: &str,
    ) -> Result<&'a [Option<MdId>]> {
        match node {
            // DXIL document, "Entry points": `null` stands for an absent node.
            None => Ok(&[]),
            node => self.tuple(node, what),
        }
    }

    /// Returns the operands of a tuple by twos: tag and value. A tag without a value is an error.
    pub(super) fn pairs(
        &self,
        node: Option<MdId>,
        what: &str,
    ) -> Result<impl Iterator<Item = (Option<MdId>, Option<MdId>)> + use<'a>> {
        let operands = self.tuple_or_null(node, what)?;
        if !operands.len().is_multiple_of(2) {
            return Err(Error::malformed(format!(
                "metadata: {what} has a tag without a value"
            )));
        }
        Ok(operands.chunks_exact(2).filter_map(|pair| match pair {
            [tag, value] => Some((*tag, *value)),
            _ => None,
        }))
    }

    /// Returns the value of a node.
    pub(super) fn value(&self, node: Option<MdId>) -> Option<ValueId> {
        self.module.metadata.value(node?)
    }

    /// Returns an integer of up to 64 bits, zero-extended.
    pub(super) fn int(&self, node: Option<MdId>, what: &str) -> Result<u64> {
        self.constant(node)
            .and_then(|constant| match constant {
                Constant::Int(value) => Some(value),
                Constant::Null => Some(0),
                _ => None,
            })
            .ok_or_else(|| Error::malformed(format!("metadata: {what} is not an integer")))
    }

    /// Returns an integer of up to 32 bits, zero-extended.
    pub(super) fn u32(&self, node: Option<MdId>, what: &str) -> Result<u32> {
        let value = self.int(node, what)?;
        u32::try_from(value)
            .map_err(|_| Error::malformed(format!("metadata: {what} ({value}) is over 32 bits")))
    }

    /// Returns an integer of up to 8 bits.
    pub(super) fn u8(&self, node: Option<MdId>, what: &str) -> Result<u8> {
        let value = self.int(node, what)?;
        u8::try_from(value)
            .map_err(|_| Error::malformed(format!("metadata: {what} ({value}) is over 8 bits")))
    }

    /// Returns an `i1`, or another integer that is not zero.
    pub(super) fn bool(&self, node: Option<MdId>, what: &str) -> Result<bool> {
        Ok(self.int(node, what)? != 0)
    }

    /// Returns a `float`.
    pub(super) fn f32(&self, node: Option<MdId>, what: &str) -> Result<f32> {
        self.constant(node)
            .and_then(|constant| match constant {
                Constant::Float(bits) => u32::try_from(bits).ok().map(f32::from_bits),
                Constant::Null => Some(0.0),
                _ => None,
            })
            .ok_or_else(|| Error::malformed(format!("metadata: {what} is not a float")))
    }

    /// Returns an enumerator, from its number.
    pub(super) fn enumerator<T>(
        &self,
        node: Option<MdId>,
        what: &'static str,
        from_number: impl FnOnce(u64) -> Option<T>,
    ) -> Result<T> {
        let value = self.int(node, what)?;
        from_number(value).ok_or_else(|| {
            Error::new(ErrorKind::BadValue {
                what,
                value,
                rule: "DXIL has no such number",
            })
        })
    }

    /// Returns a string; `null` is empty. Invalid UTF-8 is replaced.
    pub(super) fn text(&self, node: Option<MdId>, what: &str) -> Result<Box<str>> {
        let Some(id) = node else {
            return Ok(Box::default());
        };
        let bytes = self
            .module
            .metadata
            .string_bytes(id)
            .ok_or_else(|| Error::malformed(format!("metadata: {what} is not a string")))?;
        // Text is copied, and many nodes may name the same long string.
        self.charge(bytes.len())?;
        Ok(match std::str::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(_) => String::from_utf8_lossy(bytes).into(),
        })
    }

    /// Returns a function; `null` is none.
    pub(super) fn function(&self, node: Option<MdId>, what: &str) -> Result<Option<FuncId>> {
        let Some(id) = node else { return Ok(None) };
        // Some tools write a null pointer instead of no operand.
        match self.definition(Some(id)) {
            Some(ValueDef::Function(function)) => Ok(Some(function)),
            Some(ValueDef::Constant(Constant::Null | Constant::Undef)) => Ok(None),
            _ => Err(Error::malformed(format!(
                "metadata: {what} is not a function"
            ))),
        }
    }

    /// Returns the type of a node's value.
    pub(super) fn type_of(&self, node: Option<MdId>) -> Option<TypeId> {
        let value = self.value(node)?;
        self.module
            .values
            .get(value.as_u32() as usize)
            .map(|value| value.ty)
    }

    /// Returns the numbers of a constant array.
    pub(super) fn numbers(&self, node: Option<MdId>, what: &str) -> Result<Vec<u64>> {
        let not_data = || Error::malformed(format!("metadata: {what} is not an array of integers"));
        let constant = self.constant(node).ok_or_else(not_data)?;
        match constant {
            Constant::Data(list) => {
                self.charge(list.len as usize)?;
                let numbers = self.module.number_pool.get(list.range());
                Ok(numbers.unwrap_or_default().to_vec())
            }
            Constant::Null => {
                let ty = self.type_of(node).ok_or_else(not_data)?;
                match *self.module.types.get(ty) {
                    // Zeros cost no bytes in the file, so their number is bounded here.
                    Type::Array { count, .. } if count <= 1 << 16 => {
                        Ok(vec![0; usize::try_from(count).unwrap_or(0)])
                    }
                    _ => Err(not_data()),
                }
            }
            Constant::Int(value) => Ok(vec![value]),
            // LLVM writes arrays of integers as data and reads this form as the same constant.
            Constant::Aggregate(list) => {
                self.charge(list.len as usize)?;
                let elements = self.module.value_pool.get(list.range());
                elements
                    .unwrap_or_default()
                    .iter()
                    .map(
                        |element| match self.module.values.get(element.as_u32() as usize) {
                            Some(ValueData {
                                def: ValueDef::Constant(Constant::Int(value)),
                                ..
                            }) => Ok(*value),
                            Some(ValueData {
                                def: ValueDef::Constant(Constant::Null),
                                ..
                            }) => Ok(0),
                            _ => Err(not_data()),
                        },
                    )
                    .collect()
            }
            Constant::Undef | Constant::Float(_) | Constant::Expr(_) => Err(not_data()),
        }
    }

    /// Returns whether the node is metadata at all but neither list nor string: a value.
    pub(super) fn is_value(&self, node: Option<MdId>) -> bool {
        node.is_some_and(|id| matches!(self.module.metadata.nodes.get(id), Some(MdNode::Value(_))))
    }

    fn definition(&self, node: Option<MdId>) -> Option<ValueDef> {
        let value = self.value(node)?;
        self.module
            .values
            .get(value.as_u32() as usize)
            .map(|value| value.def)
    }

    fn constant(&self, node: Option<MdId>) -> Option<Constant> {
        match self.definition(node)? {
            ValueDef::Constant(constant) => Some(constant),
            _ => None,
        }
    }
}

/// Returns the operand at `index`; absent ones are `null`.
pub(super) fn operand(operands: &[Option<MdId>], index: usize) -> Option<MdId> {
    operands.get(index).copied().flatten()
}
