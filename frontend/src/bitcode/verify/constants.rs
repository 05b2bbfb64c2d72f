//! Checks of constants: operands resolve, types agree, no constant is made of itself.

use cranelift_entity::EntityRef;

use super::legality::{binary_is_legal, compare_is_legal, constant_cast_is_legal};
use crate::bitcode::types::TypeDecoder;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{
    Constant, ConstantExpr, Function, List, MdNode, Module, Type, ValueData, ValueDef, ValueId,
};
use crate::limits::MAX_CONSTANT_DEPTH;

/// The tables that a constant's operands may lie in.
struct OperandTables<'a> {
    types: &'a TypeDecoder,
    /// Values of the module.
    outer: &'a [ValueData],
    /// Values of the function, if it is a function's constants that are checked.
    inner: &'a [ValueData],
    /// Pools of the constants that are checked.
    value_pool: &'a [ValueId],
}

/// Checks the module's constants, the initial values of its globals, and values in metadata.
pub(in crate::bitcode) fn check_module(module: &Module, types: &TypeDecoder) -> Result<()> {
    let tables = OperandTables {
        types,
        outer: &module.values,
        inner: &[],
        value_pool: &module.value_pool,
    };
    tables.check(0, &module.values)?;
    for (id, global) in &module.globals {
        if let Some(initializer) = global.initializer
            && tables.constant(initializer).map(|value| value.ty) != Some(global.ty)
        {
            return Err(Error::malformed(format!(
                "global variable {id} has no initial value of its type"
            )));
        }
    }
    for (id, node) in &module.metadata.nodes {
        if let MdNode::Value(value) = node
            && tables.constant(*value).is_none()
        {
            return Err(Error::malformed(format!(
                "metadata {id} is value {value}, which does not exist"
            )));
        }
    }
    Ok(())
}

/// Checks a function's constants.
pub(super) fn check_function(
    function: &Function,
    module: &Module,
    types: &TypeDecoder,
) -> Result<()> {
    let tables = OperandTables {
        types,
        outer: &module.values,
        inner: &function.values,
        value_pool: &function.value_pool,
    };
    // Arguments and constants come first.
    let end = function
        .values
        .iter()
        .skip(function.arg_count as usize)
        .position(|value| !matches!(value.def, ValueDef::Constant(_)))
        .map_or(function.values.len(), |count| {
            function.arg_count as usize + count
        });
    let values = function.values.get(..end).unwrap_or_default();
    tables.check(module.values.len(), values)
}

impl OperandTables<'_> {
    /// Returns the value, if it is one that constants may be made of.
    fn constant(&self, id: ValueId) -> Option<&ValueData> {
        let index = id.index();
        let value = match self.outer.get(index) {
            Some(value) => value,
            None => self.inner.get(index - self.outer.len())?,
        };
        match value.def {
            ValueDef::Constant(_) | ValueDef::Global(_) | ValueDef::Function(_) => Some(value),
            // A constant is known before the function runs, so it cannot be made of these.
            ValueDef::Argument(_) | ValueDef::Inst(_) | ValueDef::Metadata(_) => None,
        }
    }

    fn list(&self, list: List<ValueId>) -> &[ValueId] {
        self.value_pool.get(list.range()).unwrap_or_default()
    }

    /// Checks `values`, the first of which has number `first`.
    fn check(&self, first: usize, values: &[ValueData]) -> Result<()> {
        // Most tables hold plain numbers, and structures of these: they skip the second walk.
        let mut nests = false;
        for (index, value) in values.iter().enumerate() {
            let ValueDef::Constant(constant) = value.def else {
                continue;
            };
            nests |= match constant {
                Constant::Aggregate(list) => !self.list(list).iter().all(|id| self.is_plain(*id)),
                Constant::Expr(_) => true,
                _ => false,
            };
            if !self.is_legal(value, constant) {
                return Err(Error::malformed(format!(
                    "constant %{} is not well formed",
                    first + index
                )));
            }
        }
        if nests {
            self.check_nesting(first, values)?;
        }
        Ok(())
    }

    /// Returns whether the value is a constant that is not made of others.
    fn is_plain(&self, id: ValueId) -> bool {
        self.constant(id).is_some_and(|value| {
            !matches!(
                value.def,
                ValueDef::Constant(Constant::Aggregate(_) | Constant::Expr(_))
            )
        })
    }

    fn is_legal(&self, value: &ValueData, constant: Constant) -> bool {
        let types = self.types;
        let ty_of = |id: ValueId| self.constant(id).map(|value| value.ty);
        match constant {
            Constant::Null | Constant::Undef | Constant::Int(_) | Constant::Float(_) => true,
            Constant::Data(list) => match *types.get(value.ty) {
                Type::Array { count, .. } => count == u64::from(list.len),
                Type::Vector { count, .. } => count == list.len,
                _ => false,
            },
            Constant::Aggregate(list) => {
                let count_fits = match types.get(value.ty) {
                    Type::Array { count, .. } => *count == u64::from(list.len),
                    Type::Vector { count, .. } => *count == list.len,
                    Type::Struct { fields, .. } => fields.len() == list.len as usize,
                    _ => false,
                };
                count_fits
                    && (0..)
                        .zip(self.list(list))
                        .all(|(index, id)| ty_of(*id) == types.member(value.ty, Some(index)))
            }
            Constant::Expr(expr) => match expr {
                ConstantExpr::Gep { operands, .. } => self.gep_is_legal(value, operands),
                ConstantExpr::Cast { op, value: from } => ty_of(from)
                    .is_some_and(|from| constant_cast_is_legal(types, op, from, value.ty)),
                ConstantExpr::Binary { op, lhs, rhs } => {
                    ty_of(lhs) == Some(value.ty)
                        && ty_of(rhs) == Some(value.ty)
                        && binary_is_legal(types, op, value.ty)
                }
                ConstantExpr::Cmp {
                    predicate,
                    lhs,
                    rhs,
                } => match (ty_of(lhs), ty_of(rhs)) {
                    (Some(lhs), Some(rhs)) => {
                        lhs == rhs && compare_is_legal(types, predicate, lhs, value.ty)
                    }
                    _ => false,
                },
                ConstantExpr::Select {
                    condition,
                    if_true,
                    if_false,
                } => {
                    ty_of(if_true) == Some(value.ty)
                        && ty_of(if_false) == Some(value.ty)
                        && ty_of(condition).is_some_and(|ty| {
                            matches!(types.get(types.table.scalar_of(ty)), Type::Int(1))
                        })
                }
            },
        }
    }

    fn gep_is_legal(&self, value: &ValueData, operands: List<ValueId>) -> bool {
        let types = self.types;
        let mut operands = self.list(operands).iter();
        let base = operands.next().and_then(|base| self.constant(*base));
        let Some(Type::Pointer {
            pointee,
            address_space: space,
        }) = base.map(|base| types.get(base.ty))
        else {
            return false;
        };
        let mut ty = *pointee;
        for (step, index) in operands.enumerate() {
            let Some(index) = self.constant(*index) else {
                return false;
            };
            if !matches!(types.get(index.ty), Type::Int(_)) {
                return false;
            }
            let number = match index.def {
                ValueDef::Constant(Constant::Int(number)) => Some(number),
                ValueDef::Constant(Constant::Null) => Some(0),
                _ => None,
            };
            if step > 0 {
                match types.member(ty, number) {
                    Some(member) => ty = member,
                    None => return false,
                }
            }
        }
        matches!(types.get(value.ty), Type::Pointer { pointee, address_space }
            if *pointee == ty && address_space == space)
    }

    /// Returns the operands of a constant, by index in the table that is checked.
    fn operand(&self, constant: Constant, index: usize) -> Option<ValueId> {
        let pick = |operands: &[ValueId]| operands.get(index).copied();
        match constant {
            Constant::Aggregate(list)
            | Constant::Expr(ConstantExpr::Gep { operands: list, .. }) => pick(self.list(list)),
            Constant::Expr(ConstantExpr::Cast { value, .. }) => pick(&[value]),
            Constant::Expr(
                ConstantExpr::Binary { lhs, rhs, .. } | ConstantExpr::Cmp { lhs, rhs, .. },
            ) => pick(&[lhs, rhs]),
            Constant::Expr(ConstantExpr::Select {
                condition,
                if_true,
                if_false,
            }) => pick(&[condition, if_true, if_false]),
            Constant::Null
            | Constant::Undef
            | Constant::Int(_)
            | Constant::Float(_)
            | Constant::Data(_) => None,
        }
    }

    /// Checks that constants nest finitely and not too deeply: depth first, without recursion.
    fn check_nesting(&self, first: usize, values: &[ValueData]) -> Result<()> {
        const NEW: u32 = 0;
        const OPEN: u32 = u32::MAX;
        // Depth plus one of those that are done.
        // Without memory of finished constants, sums that name each other twice would take
        // exponential time.
        let mut state = vec![NEW; values.len()];
        // Index, next operand, depth so far. An explicit stack, since the depth is what is being
        // checked.
        let mut stack: Vec<(usize, usize, u32)> = Vec::new();
        for root in 0..values.len() {
            if state.get(root) != Some(&NEW) {
                continue;
            }
            stack.push((root, 0, 1));
            while let Some((index, next, depth)) = stack.pop() {
                let operand = match values.get(index).map(|value| value.def) {
                    Some(ValueDef::Constant(constant)) => self.operand(constant, next),
                    _ => None,
                };
                let Some(slot) = state.get_mut(index) else {
                    continue;
                };
                let Some(operand) = operand else {
                    if depth > MAX_CONSTANT_DEPTH {
                        return Err(Error::new(ErrorKind::Limit {
                            what: "nesting of a constant",
                            value: u64::from(depth),
                            limit: u64::from(MAX_CONSTANT_DEPTH),
                        }));
                    }
                    *slot = depth;
                    continue;
                };
                *slot = OPEN;
                // Operands of another table are checked with that.
                let inner = operand.index().wrapping_sub(first);
                match state.get(inner).copied() {
                    None => stack.push((index, next + 1, depth)),
                    Some(NEW) => {
                        stack.push((index, next, depth));
                        stack.push((inner, 0, 1));
                    }
                    Some(OPEN) => {
                        return Err(Error::malformed(format!(
                            "constant {operand} is made of itself"
                        )));
                    }
                    Some(done) => stack.push((index, next + 1, depth.max(done.saturating_add(1)))),
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::bitcode::decode_module;
    use crate::bitcode::writer::{ModuleWriter, ty};

    const SETTYPE: u32 = 1;
    const INTEGER: u32 = 4;
    const AGGREGATE: u32 = 7;
    const ARRAY: u32 = 11;

    /// Returns a module with constants of `[2 x i32]`, after `i32` 7 as value 1.
    fn module(aggregates: &[&[u64]]) -> ModuleWriter {
        let mut writer = ModuleWriter {
            types: vec![(ARRAY, vec![2, ty::I32])],
            constants: vec![
                (SETTYPE, vec![ty::I32]),
                (INTEGER, vec![14]),
                (SETTYPE, vec![ty::OWN]),
            ],
            blocks: 1,
            body: vec![(10, Vec::new())],
            ..ModuleWriter::default()
        };
        for ops in aggregates {
            writer.constants.push((AGGREGATE, ops.to_vec()));
        }
        writer
    }

    #[test]
    fn aggregates_have_the_members_of_their_type() {
        assert!(decode_module(&module(&[&[1, 1]]).finish(), 0).is_ok());
        for wrong in [&[1][..], &[1, 1, 1], &[1, 0], &[1, 99], &[1, 2]] {
            let error = decode_module(&module(&[wrong]).finish(), 0).unwrap_err();
            assert!(error.to_string().contains("constant %2"), "{error}");
        }
    }

    #[test]
    fn a_constant_bitcast_may_change_the_address_space_and_an_instruction_may_not() {
        const POINTER: u32 = 8;
        const CAST: u32 = 11;
        const BITCAST: u64 = 11;
        // Types 5 and 6: `i32*`, `i32 addrspace(3)*`. Value 1 is a null pointer.
        let null = || ModuleWriter {
            types: vec![(POINTER, vec![ty::I32, 0]), (POINTER, vec![ty::I32, 3])],
            constants: vec![(SETTYPE, vec![ty::OWN + 1]), (2, vec![])],
            blocks: 1,
            body: vec![(10, Vec::new())],
            ..ModuleWriter::default()
        };
        let mut constant = null();
        constant.constants.push((SETTYPE, vec![ty::OWN]));
        constant
            .constants
            .push((CAST, vec![BITCAST, ty::OWN + 1, 1]));
        let module = decode_module(&constant.finish(), 0).unwrap();
        let again = crate::bitcode::write_module(&module).unwrap();
        let again = decode_module(&again, 0).unwrap();
        assert_eq!(module.values.len(), again.values.len());
        // A number is no pointer.
        constant.constants[2] = (SETTYPE, vec![ty::I32]);
        let error = decode_module(&constant.finish(), 0).unwrap_err();
        assert!(error.to_string().contains("constant %2"), "{error}");
        // The arguments are values 2 and 3, so the null pointer is three before the cast.
        let mut instruction = null();
        instruction.body.insert(0, (3, vec![3, ty::OWN, BITCAST]));
        let error = decode_module(&instruction.finish(), 0).unwrap_err();
        assert!(!error.to_string().contains("constant"), "{error}");
    }

    #[test]
    fn no_constant_is_made_of_itself() {
        // Two sums, each an operand of the other.
        let mut writer = module(&[]);
        writer.constants.push((SETTYPE, vec![ty::I32]));
        writer.constants.push((10, vec![0, 3, 1]));
        writer.constants.push((10, vec![0, 2, 1]));
        let error = decode_module(&writer.finish(), 0).unwrap_err();
        assert!(error.to_string().contains("made of itself"), "{error}");
    }

    #[test]
    fn deep_nesting_of_constants_is_an_error() {
        let mut writer = module(&[]);
        writer.constants.push((SETTYPE, vec![ty::I32]));
        for value in 1..400 {
            writer.constants.push((10, vec![0, value, 1]));
        }
        let error = decode_module(&writer.finish(), 0).unwrap_err();
        assert!(
            error.to_string().contains("nesting of a constant"),
            "{error}"
        );
    }
}
