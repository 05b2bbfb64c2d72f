//! Text of constants.

use std::fmt::Write as _;

use cranelift_entity::EntityRef;

use super::{names, types};
use crate::ir::{
    BinaryOp, CastOp, CmpPredicate, Constant, ConstantExpr, Function, List, Module, Type, TypeId,
    ValueData, ValueDef, ValueId,
};

/// Maximum number of elements that are written for an operand.
pub(super) const SHORT: usize = 64;
/// Maximum number of elements that are written for a global's initial value.
pub(super) const FULL: usize = 1 << 16;

/// The tables that values lie in.
#[derive(Clone, Copy)]
pub(super) struct ValueTables<'a> {
    module: &'a Module,
    function: Option<&'a Function>,
}

impl<'a> ValueTables<'a> {
    pub(super) fn of_module(module: &'a Module) -> Self {
        ValueTables {
            module,
            function: None,
        }
    }

    pub(super) fn of_function(module: &'a Module, function: &'a Function) -> Self {
        ValueTables {
            module,
            function: Some(function),
        }
    }

    /// Returns the value.
    pub(super) fn get(self, id: ValueId) -> Option<&'a ValueData> {
        let index = id.index();
        match self.module.values.get(index) {
            Some(value) => Some(value),
            None => self.function?.values.get(index - self.module.values.len()),
        }
    }

    fn is_own(self, id: ValueId) -> bool {
        id.index() >= self.module.values.len()
    }

    fn elements(self, owner: ValueId, list: List<ValueId>) -> &'a [ValueId] {
        match self.function {
            Some(function) if self.is_own(owner) => function.values_of(list),
            _ => self.module.value_pool.get(list.range()).unwrap_or_default(),
        }
    }

    fn numbers(self, owner: ValueId, list: List<u64>) -> &'a [u64] {
        let pool = match self.function {
            Some(function) if self.is_own(owner) => &function.number_pool,
            _ => &self.module.number_pool,
        };
        pool.get(list.range()).unwrap_or_default()
    }
}

/// Writes a constant, global or function without its type; at most `limit` elements.
pub(super) fn write(out: &mut String, values: ValueTables<'_>, id: ValueId, limit: usize) {
    let mut left = limit;
    write_within(out, values, id, &mut left);
}

/// Writes it with its type before it.
pub(super) fn write_typed(out: &mut String, values: ValueTables<'_>, id: ValueId, limit: usize) {
    let mut left = limit;
    typed(out, values, id, &mut left);
}

fn typed(out: &mut String, values: ValueTables<'_>, id: ValueId, left: &mut usize) {
    if let Some(value) = values.get(id) {
        types::write(out, &values.module.types, value.ty);
        out.push(' ');
    }
    write_within(out, values, id, left);
}

/// Writes a constant. The decoder bounds the nesting of constants, and thereby this recursion.
fn write_within(out: &mut String, values: ValueTables<'_>, id: ValueId, left: &mut usize) {
    let module = values.module;
    let Some(value) = values.get(id) else {
        out.push_str("<no value>");
        return;
    };
    match value.def {
        ValueDef::Global(id) => {
            let name = module.globals.get(id).map_or("", |global| &*global.name);
            names::write_name(out, '@', name);
        }
        ValueDef::Function(id) => {
            let name = module.functions.get(id).map_or("", |decl| &*decl.name);
            names::write_name(out, '@', name);
        }
        ValueDef::Constant(constant) => {
            write_constant(out, values, id, value.ty, constant, left);
        }
        // Not constants: the caller writes these.
        ValueDef::Argument(_) | ValueDef::Inst(_) | ValueDef::Metadata(_) => {
            out.push_str("<not a constant>");
        }
    }
}

fn write_constant(
    out: &mut String,
    values: ValueTables<'_>,
    owner: ValueId,
    ty: TypeId,
    constant: Constant,
    left: &mut usize,
) {
    let types = &values.module.types;
    match constant {
        Constant::Null => match types.get(ty) {
            Type::Int(1) => out.push_str("false"),
            Type::Int(_) => out.push('0'),
            Type::Half | Type::Float | Type::Double => write_scalar(out, types.get(ty), 0),
            Type::Pointer { .. } => out.push_str("null"),
            _ => out.push_str("zeroinitializer"),
        },
        Constant::Undef => out.push_str("undef"),
        Constant::Int(bits) | Constant::Float(bits) => write_scalar(out, types.get(ty), bits),
        Constant::Aggregate(list) => {
            let (open, close) = brackets(types.get(ty));
            out.push_str(open);
            let elements = values.elements(owner, list);
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                // One budget for all elements, however deeply they nest: shared constants can make
                // a text of any length.
                if !spend(out, left) {
                    break;
                }
                typed(out, values, *element, left);
            }
            out.push_str(close);
        }
        Constant::Data(list) => {
            let element = match *types.get(ty) {
                Type::Array { element, .. } | Type::Vector { element, .. } => element,
                _ => ty,
            };
            let numbers = values.numbers(owner, list);
            if matches!(types.get(element), Type::Int(8))
                // LLVM's assembler has `c"..."` for arrays of bytes only, not for vectors.
                && matches!(types.get(ty), Type::Array { .. })
            {
                write_bytes(out, numbers, left);
                return;
            }
            let (open, close) = brackets(types.get(ty));
            out.push_str(open);
            for (index, number) in numbers.iter().enumerate() {
                if index > 0 {
                    out.push_str(", ");
                }
                if !spend(out, left) {
                    break;
                }
                types::write(out, types, element);
                out.push(' ');
                write_scalar(out, types.get(element), *number);
            }
            out.push_str(close);
        }
        Constant::Expr(expr) => write_expr(out, values, owner, ty, expr, left),
    }
}

fn write_expr(
    out: &mut String,
    values: ValueTables<'_>,
    owner: ValueId,
    ty: TypeId,
    expr: ConstantExpr,
    left: &mut usize,
) {
    if !spend(out, left) {
        return;
    }
    let types = &values.module.types;
    let mut operands = |out: &mut String, ids: &[ValueId]| {
        for (index, id) in ids.iter().enumerate() {
            if index > 0 {
                out.push_str(", ");
            }
            typed(out, values, *id, left);
        }
    };
    match expr {
        ConstantExpr::Gep {
            inbounds,
            operands: list,
        } => {
            out.push_str(if inbounds {
                "getelementptr inbounds ("
            } else {
                "getelementptr ("
            });
            let list = values.elements(owner, list);
            let base = list.first().and_then(|base| values.get(*base));
            if let Some(pointee) = base.and_then(|base| types.pointee(base.ty)) {
                types::write(out, types, pointee);
                out.push_str(", ");
            }
            operands(out, list);
        }
        ConstantExpr::Cast { op, value } => {
            let _ = write!(out, "{} (", cast_name(op));
            operands(out, &[value]);
            out.push_str(" to ");
            types::write(out, types, ty);
        }
        ConstantExpr::Binary { op, lhs, rhs } => {
            let _ = write!(out, "{} (", binary_name(op));
            operands(out, &[lhs, rhs]);
        }
        ConstantExpr::Cmp {
            predicate,
            lhs,
            rhs,
        } => {
            let (instruction, predicate) = predicate_name(predicate);
            let _ = write!(out, "{instruction} {predicate} (");
            operands(out, &[lhs, rhs]);
        }
        ConstantExpr::Select {
            condition,
            if_true,
            if_false,
        } => {
            out.push_str("select (");
            operands(out, &[condition, if_true, if_false]);
        }
    }
    out.push(')');
}

/// Takes one element off what may still be written.
fn spend(out: &mut String, left: &mut usize) -> bool {
    match left.checked_sub(1) {
        Some(less) => {
            *left = less;
            true
        }
        None => {
            out.push_str("...");
            false
        }
    }
}

fn brackets(ty: &Type) -> (&'static str, &'static str) {
    match ty {
        Type::Vector { .. } => ("<", ">"),
        Type::Struct { packed: true, .. } => ("<{ ", " }>"),
        Type::Struct { .. } => ("{ ", " }"),
        _ => ("[", "]"),
    }
}

/// Writes bytes as `c"text"`.
fn write_bytes(out: &mut String, bytes: &[u64], left: &mut usize) {
    out.push_str("c\"");
    for byte in bytes {
        if !spend(out, left) {
            break;
        }
        let byte = (byte & 0xff) as u8;
        match byte {
            b'"' | b'\\' | 0..=0x1f | 0x7f.. => {
                let _ = write!(out, "\\{byte:02X}");
            }
            _ => out.push(char::from(byte)),
        }
    }
    out.push('"');
}

/// Writes a number of that type.
pub(super) fn write_scalar(out: &mut String, ty: &Type, bits: u64) {
    match *ty {
        Type::Int(1) => out.push_str(if bits & 1 == 0 { "false" } else { "true" }),
        Type::Int(width) => {
            // Constants are stored zero-extended, but LLVM writes integers as signed.
            let shift = 64 - u32::from(width.min(64));
            let _ = write!(out, "{}", ((bits << shift) as i64) >> shift);
        }
        Type::Half => {
            let _ = write!(out, "0xH{bits:04X}");
        }
        Type::Float => {
            // LLVM writes a `float` in hexadecimal as the bits of the double of the same value.
            let value = f32::from_bits((bits & 0xffff_ffff) as u32);
            write_float(out, f64::from(value));
        }
        Type::Double => write_float(out, f64::from_bits(bits)),
        _ => {
            let _ = write!(out, "{bits}");
        }
    }
}

/// Writes six decimals where that is exact, else the bits of the double, as LLVM does.
fn write_float(out: &mut String, value: f64) {
    if value.is_finite() {
        let text = format!("{value:.6e}");
        // Only if the decimals read back as the same number: a listing must not lose bits.
        if text.parse() == Ok(value) {
            // Rust writes e0, LLVM e+00.
            if let Some((digits, exponent)) = text.split_once('e') {
                let (sign, exponent) = match exponent.strip_prefix('-') {
                    Some(exponent) => ('-', exponent),
                    None => ('+', exponent),
                };
                let _ = write!(out, "{digits}e{sign}{exponent:0>2}");
                return;
            }
        }
    }
    let _ = write!(out, "0x{:X}", value.to_bits());
}

/// Returns LLVM's word for arithmetic.
pub(crate) fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "add",
        BinaryOp::Sub => "sub",
        BinaryOp::Mul => "mul",
        BinaryOp::UDiv => "udiv",
        BinaryOp::SDiv => "sdiv",
        BinaryOp::URem => "urem",
        BinaryOp::SRem => "srem",
        BinaryOp::Shl => "shl",
        BinaryOp::LShr => "lshr",
        BinaryOp::AShr => "ashr",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
        BinaryOp::Xor => "xor",
        BinaryOp::FAdd => "fadd",
        BinaryOp::FSub => "fsub",
        BinaryOp::FMul => "fmul",
        BinaryOp::FDiv => "fdiv",
        BinaryOp::FRem => "frem",
    }
}

/// Returns LLVM's word for a conversion.
pub(crate) fn cast_name(op: CastOp) -> &'static str {
    match op {
        CastOp::Trunc => "trunc",
        CastOp::ZExt => "zext",
        CastOp::SExt => "sext",
        CastOp::FpToUi => "fptoui",
        CastOp::FpToSi => "fptosi",
        CastOp::UiToFp => "uitofp",
        CastOp::SiToFp => "sitofp",
        CastOp::FpTrunc => "fptrunc",
        CastOp::FpExt => "fpext",
        CastOp::PtrToInt => "ptrtoint",
        CastOp::IntToPtr => "inttoptr",
        CastOp::Bitcast => "bitcast",
        CastOp::AddrSpaceCast => "addrspacecast",
    }
}

/// Returns LLVM's names for a comparison: instruction and predicate.
pub(crate) fn predicate_name(predicate: CmpPredicate) -> (&'static str, &'static str) {
    let name = match predicate {
        CmpPredicate::FFalse => "false",
        CmpPredicate::FOeq => "oeq",
        CmpPredicate::FOgt => "ogt",
        CmpPredicate::FOge => "oge",
        CmpPredicate::FOlt => "olt",
        CmpPredicate::FOle => "ole",
        CmpPredicate::FOne => "one",
        CmpPredicate::FOrd => "ord",
        CmpPredicate::FUno => "uno",
        CmpPredicate::FUeq => "ueq",
        CmpPredicate::FUgt => "ugt",
        CmpPredicate::FUge => "uge",
        CmpPredicate::FUlt => "ult",
        CmpPredicate::FUle => "ule",
        CmpPredicate::FUne => "une",
        CmpPredicate::FTrue => "true",
        CmpPredicate::IEq => "eq",
        CmpPredicate::INe => "ne",
        CmpPredicate::IUgt => "ugt",
        CmpPredicate::IUge => "uge",
        CmpPredicate::IUlt => "ult",
        CmpPredicate::IUle => "ule",
        CmpPredicate::ISgt => "sgt",
        CmpPredicate::ISge => "sge",
        CmpPredicate::ISlt => "slt",
        CmpPredicate::ISle => "sle",
    };
    (if predicate.is_float() { "fcmp" } else { "icmp" }, name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(ty: Type, bits: u64) -> String {
        let mut out = String::new();
        write_scalar(&mut out, &ty, bits);
        out
    }

    #[test]
    fn numbers_look_as_llvm_writes_them() {
        assert_eq!(text(Type::Int(32), 0xffff_ffff), "-1");
        assert_eq!(text(Type::Int(1), 1), "true");
        assert_eq!(text(Type::Float, 0x3fc0_0000), "1.500000e+00");
        assert_eq!(text(Type::Float, 0x3dcc_cccd), "0x3FB99999A0000000");
        assert_eq!(text(Type::Float, 0x7f80_0000), "0x7FF0000000000000");
        assert_eq!(text(Type::Double, 0x4059_0000_0000_0000), "1.000000e+02");
        assert_eq!(text(Type::Half, 0x3c00), "0xH3C00");
    }
}
