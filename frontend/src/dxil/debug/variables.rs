//! Variables of the source, and the calls that bind them to values at run time.

use super::DebugInfo;
use super::record::{EXPRESSION, GLOBAL_VARIABLE, LOCAL_VARIABLE};
use crate::ir::{FuncView, Inst, InstId, MdId, ValueDef, ValueId};

/// DILocalVariable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalVariable<'a> {
    /// The scope of the name.
    pub scope: Option<MdId>,
    /// Name.
    pub name: &'a str,
    /// File.
    pub file: Option<MdId>,
    /// Line.
    pub line: u32,
    /// Type.
    pub ty: Option<MdId>,
    /// Number of the parameter, from 1; 0 for other variables.
    pub parameter: u32,
}

/// DIGlobalVariable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GlobalVariable<'a> {
    /// The scope of the name.
    pub scope: Option<MdId>,
    /// Name.
    pub name: &'a str,
    /// Mangled name; may be empty.
    pub linkage_name: &'a str,
    /// File.
    pub file: Option<MdId>,
    /// Line.
    pub line: u32,
    /// Type.
    pub ty: Option<MdId>,
    /// The global of the module that it became.
    pub value: Option<ValueId>,
}

/// DIExpression, as far as DXC writes it: which bits of the variable are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Expression {
    /// First bit and number of bits; none for all of the variable.
    pub piece: Option<(u32, u32)>,
}

/// A call of `llvm.dbg.declare` or `llvm.dbg.value`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VariableUse {
    /// The value of the variable, or the memory that it is in.
    pub value: ValueId,
    /// Whether `value` is the memory.
    pub is_memory: bool,
    /// The variable: a [`LocalVariable`].
    pub variable: MdId,
    /// The bits of the variable that the value covers.
    pub expression: Expression,
}

impl<'a> DebugInfo<'a> {
    /// Returns a local variable.
    pub fn local_variable(self, id: MdId) -> Option<LocalVariable<'a>> {
        let record = self.record(id, LOCAL_VARIABLE)?;
        Some(LocalVariable {
            scope: record.node(2),
            name: record.text(3),
            file: record.node(4),
            line: record.u32(5),
            ty: record.node(6),
            parameter: record.u32(7),
        })
    }

    /// Returns a global variable.
    pub fn global_variable(self, id: MdId) -> Option<GlobalVariable<'a>> {
        let record = self.record(id, GLOBAL_VARIABLE)?;
        Some(GlobalVariable {
            scope: record.node(1),
            name: record.text(2),
            linkage_name: record.linkage_name(3),
            file: record.node(4),
            line: record.u32(5),
            ty: record.node(6),
            value: record
                .node(9)
                .and_then(|node| self.module.metadata.value(node)),
        })
    }

    /// Returns all global variables that the compile units list.
    pub fn global_variables(self) -> impl Iterator<Item = MdId> + 'a {
        self.listed(12)
    }

    /// Returns an expression; `None` for one that computes.
    fn expression(self, id: MdId) -> Option<Expression> {
        /// DW_OP_bit_piece.
        const BIT_PIECE: u64 = 0x9d;
        /// DW_OP_deref: of parameters that are references, whose value is the memory.
        const DEREF: u64 = 0x06;
        match self.record(id, EXPRESSION)?.rest(1) {
            [] | [DEREF] => Some(Expression { piece: None }),
            [BIT_PIECE, offset, size] | [DEREF, BIT_PIECE, offset, size] => Some(Expression {
                piece: Some((u32::try_from(*offset).ok()?, u32::try_from(*size).ok()?)),
            }),
            _ => None,
        }
    }

    /// Returns the binding that a call gives a variable; `None` for other calls.
    pub fn variable_use(self, view: FuncView<'a>, inst: InstId) -> Option<VariableUse> {
        let Inst::Call { callee, args, .. } = view.function.insts.get(inst)?.inst else {
            return None;
        };
        let callee = view.as_function(callee)?;
        let name = &*self.module.functions.get(callee)?.name;
        let args = view.function.values_of(args);
        let (&value, variable, expression) = match (name, args) {
            ("llvm.dbg.declare", [value, variable, expression])
            | ("llvm.dbg.value", [value, _, variable, expression]) => {
                (value, *variable, *expression)
            }
            _ => return None,
        };
        let node = |value: ValueId| match view.value(value)?.def {
            ValueDef::Metadata(node) => Some(node),
            _ => None,
        };
        let variable = node(variable)?;
        // Calls about nodes of another kind are broken debug information, which counts as absent.
        self.local_variable(variable)?;
        Some(VariableUse {
            value: self.module.metadata.value(node(value)?)?,
            is_memory: name == "llvm.dbg.declare",
            variable,
            expression: self.expression(node(expression)?)?,
        })
    }
}
