//! Constants: each is in its table once.

use cranelift_entity::EntityRef;

use super::lexer::{Name, TokenKind};
use super::names;
use super::parser::Parser;
use super::types::Types;
use crate::error::Result;
use crate::ir::{
    BinaryOp, CastOp, CmpPredicate, Constant, ConstantExpr, List, Type, TypeId, ValueData,
    ValueDef, ValueId,
};
use crate::limits::MAX_TYPE_DEPTH;
use crate::tables::HashMap;

/// A constant as it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    Null,
    Undef,
    Int(u64),
    Float(u64),
    Aggregate(Vec<ValueId>),
    Data(Vec<u64>),
    Gep(bool, Vec<ValueId>),
    Cast(CastOp, ValueId),
    Binary(BinaryOp, ValueId, ValueId),
    Cmp(CmpPredicate, ValueId, ValueId),
    Select(ValueId, ValueId, ValueId),
}

/// Values of the module, or of a function.
#[derive(Debug, Default)]
pub(super) struct ConstantTable {
    /// Id of the first value.
    pub(super) first: usize,
    pub(super) values: Vec<ValueData>,
    pub(super) value_pool: Vec<ValueId>,
    pub(super) number_pool: Vec<u64>,
    known: HashMap<(TypeId, Key), ValueId>,
}

/// What constants may refer to.
pub(super) struct Context<'m> {
    pub(super) types: &'m mut Types,
    /// Variables and functions with their types.
    pub(super) globals: &'m HashMap<Name, (ValueId, TypeId)>,
}

impl ConstantTable {
    pub(super) fn new(first: usize) -> Self {
        ConstantTable {
            first,
            ..ConstantTable::default()
        }
    }

    pub(super) fn push(&mut self, ty: TypeId, def: ValueDef) -> ValueId {
        self.values.push(ValueData { ty, def });
        ValueId::new(self.first + self.values.len() - 1)
    }

    fn list(&mut self, ids: &[ValueId]) -> List<ValueId> {
        let start = self.value_pool.len();
        self.value_pool.extend_from_slice(ids);
        List::from_range(start..self.value_pool.len())
    }

    fn intern(&mut self, ty: TypeId, key: Key) -> ValueId {
        if let Some(id) = self.known.get(&(ty, key.clone())) {
            return *id;
        }
        let constant = match &key {
            Key::Null => Constant::Null,
            Key::Undef => Constant::Undef,
            Key::Int(bits) => Constant::Int(*bits),
            Key::Float(bits) => Constant::Float(*bits),
            Key::Aggregate(ids) => Constant::Aggregate(self.list(ids)),
            Key::Data(numbers) => {
                let start = self.number_pool.len();
                self.number_pool.extend_from_slice(numbers);
                Constant::Data(List::from_range(start..self.number_pool.len()))
            }
            Key::Gep(inbounds, ids) => Constant::Expr(ConstantExpr::Gep {
                inbounds: *inbounds,
                operands: self.list(ids),
            }),
            Key::Cast(op, value) => Constant::Expr(ConstantExpr::Cast {
                op: *op,
                value: *value,
            }),
            Key::Binary(op, lhs, rhs) => Constant::Expr(ConstantExpr::Binary {
                op: *op,
                lhs: *lhs,
                rhs: *rhs,
            }),
            Key::Cmp(predicate, lhs, rhs) => Constant::Expr(ConstantExpr::Cmp {
                predicate: *predicate,
                lhs: *lhs,
                rhs: *rhs,
            }),
            Key::Select(condition, if_true, if_false) => Constant::Expr(ConstantExpr::Select {
                condition: *condition,
                if_true: *if_true,
                if_false: *if_false,
            }),
        };
        let id = self.push(ty, ValueDef::Constant(constant));
        self.known.insert((ty, key), id);
        id
    }

    /// Returns an integer constant.
    pub(super) fn int(&mut self, ty: TypeId, value: u64) -> ValueId {
        self.intern(
            ty,
            if value == 0 {
                Key::Null
            } else {
                Key::Int(value)
            },
        )
    }

    /// Reads a type and a constant of it.
    pub(super) fn parse_typed(
        &mut self,
        parser: &mut Parser<'_>,
        context: &mut Context<'_>,
    ) -> Result<(ValueId, TypeId)> {
        self.typed(parser, context, 0)
    }

    /// Reads a constant, a variable or a function.
    pub(super) fn parse(
        &mut self,
        parser: &mut Parser<'_>,
        context: &mut Context<'_>,
        ty: TypeId,
    ) -> Result<ValueId> {
        self.nested(parser, context, ty, 0)
    }

    fn typed(
        &mut self,
        parser: &mut Parser<'_>,
        context: &mut Context<'_>,
        depth: u32,
    ) -> Result<(ValueId, TypeId)> {
        let ty = context.types.parse(parser)?;
        let id = self.nested(parser, context, ty, depth)?;
        Ok((id, ty))
    }

    fn nested(
        &mut self,
        parser: &mut Parser<'_>,
        context: &mut Context<'_>,
        ty: TypeId,
        depth: u32,
    ) -> Result<ValueId> {
        if depth > MAX_TYPE_DEPTH {
            return Err(parser.error("a constant nests too deeply"));
        }
        match parser.peek() {
            Some(TokenKind::Global(name)) => {
                let known = context.globals.get(name);
                let (id, known_ty) = known.ok_or_else(|| parser.error("it is not defined"))?;
                if *known_ty != ty {
                    return Err(parser.error("it has another type"));
                }
                parser.at += 1;
                Ok(*id)
            }
            Some(TokenKind::Bytes(bytes)) => {
                parser.at += 1;
                let numbers: Vec<u64> = bytes.iter().map(|byte| u64::from(*byte)).collect();
                self.data(parser, context, ty, numbers)
            }
            Some(TokenKind::Punct(b'{' | b'[' | b'<')) => {
                self.aggregate(parser, context, ty, depth)
            }
            _ => self.word(parser, context, ty, depth),
        }
    }

    /// Reads a number, or a constant that begins with a word.
    fn word(
        &mut self,
        parser: &mut Parser<'_>,
        context: &mut Context<'_>,
        ty: TypeId,
        depth: u32,
    ) -> Result<ValueId> {
        let word = parser.word()?;
        let key = match word {
            "zeroinitializer" | "null" | "false" => Key::Null,
            "undef" => Key::Undef,
            "true" => Key::Int(1),
            _ if parser.is_punct(b'(') || matches!(word, "getelementptr" | "icmp" | "fcmp") => {
                return self.expression(parser, context, ty, word, depth);
            }
            _ => {
                let bits = number(context.types.table.get(ty), word).ok_or_else(|| {
                    parser.at -= 1;
                    parser.error(&format!("`{word}` is no constant of its type"))
                })?;
                match (bits, context.types.table.get(ty)) {
                    // LLVM has one constant for zero.
                    (0, _) => Key::Null,
                    (bits, Type::Int(_)) => Key::Int(bits),
                    (bits, _) => Key::Float(bits),
                }
            }
        };
        Ok(self.intern(ty, key))
    }

    fn aggregate(
        &mut self,
        parser: &mut Parser<'_>,
        context: &mut Context<'_>,
        ty: TypeId,
        depth: u32,
    ) -> Result<ValueId> {
        let packed = parser.is_punct(b'<') && parser.peek_at(1) == Some(&TokenKind::Punct(b'{'));
        parser.at += usize::from(packed);
        let close = match parser.next() {
            Some(TokenKind::Punct(b'{')) => b'}',
            Some(TokenKind::Punct(b'[')) => b']',
            _ => b'>',
        };
        let mut ids = Vec::new();
        parser.list(close, |parser| {
            ids.push(self.typed(parser, context, depth + 1)?.0);
            Ok(())
        })?;
        if packed {
            parser.expect(b'>')?;
        }
        // Scalars in a row are data, as LLVM has them.
        let element = match *context.types.table.get(ty) {
            Type::Array { element, .. } | Type::Vector { element, .. } => Some(element),
            _ => None,
        };
        let is_scalar = element.is_some_and(|ty| match context.types.table.get(ty) {
            Type::Int(bits) => matches!(bits, 8 | 16 | 32 | 64),
            Type::Float | Type::Double => true,
            _ => false,
        });
        let numbers = is_scalar.then(|| ids.iter().map(|id| self.scalar(*id)).collect());
        if let Some(Some(numbers)) = numbers {
            return self.data(parser, context, ty, numbers);
        }
        Ok(self.intern(ty, Key::Aggregate(ids)))
    }

    /// Returns the bits of a scalar constant.
    pub(super) fn scalar(&self, id: ValueId) -> Option<u64> {
        let data = self.values.get(id.index().checked_sub(self.first)?)?;
        match data.def {
            ValueDef::Constant(Constant::Int(bits) | Constant::Float(bits)) => Some(bits),
            ValueDef::Constant(Constant::Null) => Some(0),
            _ => None,
        }
    }

    fn data(
        &mut self,
        parser: &Parser<'_>,
        context: &Context<'_>,
        ty: TypeId,
        numbers: Vec<u64>,
    ) -> Result<ValueId> {
        let count = match *context.types.table.get(ty) {
            Type::Array { count, .. } => count,
            Type::Vector { count, .. } => u64::from(count),
            _ => 0,
        };
        if count != numbers.len() as u64 {
            return Err(parser.error("a constant has another length than its type"));
        }
        // LLVM has one constant for zeros.
        let is_zero = numbers.iter().all(|number| *number == 0);
        Ok(self.intern(
            ty,
            if is_zero {
                Key::Null
            } else {
                Key::Data(numbers)
            },
        ))
    }

    /// Reads an expression behind its first word.
    fn expression(
        &mut self,
        parser: &mut Parser<'_>,
        context: &mut Context<'_>,
        ty: TypeId,
        word: &str,
        depth: u32,
    ) -> Result<ValueId> {
        let inbounds = word == "getelementptr" && parser.take_word("inbounds");
        let predicate = match word {
            "icmp" | "fcmp" => {
                let name = parser.word()?;
                let predicate = names::predicate(word, name);
                Some(predicate.ok_or_else(|| parser.error("an unknown comparison"))?)
            }
            _ => None,
        };
        parser.expect(b'(')?;
        if word == "getelementptr" {
            context.types.parse(parser)?;
            parser.expect(b',')?;
        }
        let mut ids = Vec::new();
        let cast = names::cast_op(word);
        if let Some(op) = cast {
            let (value, _) = self.typed(parser, context, depth + 1)?;
            parser.expect_word("to")?;
            if context.types.parse(parser)? != ty {
                return Err(parser.error("a cast gives another type"));
            }
            parser.expect(b')')?;
            return Ok(self.intern(ty, Key::Cast(op, value)));
        }
        parser.list(b')', |parser| {
            ids.push(self.typed(parser, context, depth + 1)?.0);
            Ok(())
        })?;
        let key = match (word, predicate, &ids[..]) {
            ("getelementptr", _, [_, ..]) => Key::Gep(inbounds, ids.clone()),
            ("select", _, [a, b, c]) => Key::Select(*a, *b, *c),
            (_, Some(predicate), [lhs, rhs]) => Key::Cmp(predicate, *lhs, *rhs),
            (word, None, [lhs, rhs]) => match names::binary_op(word) {
                Some(op) => Key::Binary(op, *lhs, *rhs),
                None => return Err(parser.error(&format!("`{word}` is no constant"))),
            },
            _ => return Err(parser.error(&format!("`{word}` has other operands"))),
        };
        Ok(self.intern(ty, key))
    }
}

/// Returns the bits of a number: decimal, or hexadecimal for floats, where LLVM writes a `float` as
/// the double of the same value.
fn number(ty: &Type, word: &str) -> Option<u64> {
    match *ty {
        Type::Int(width) => {
            let bits = match word.strip_prefix('-') {
                Some(_) => word.parse::<i64>().ok()? as u64,
                None => word.parse::<u64>().ok()?,
            };
            let mask = u64::MAX >> (64 - u32::from(width.min(64)));
            Some(bits & mask)
        }
        Type::Half => u64::from_str_radix(word.strip_prefix("0xH")?, 16).ok(),
        Type::Float => {
            let double = double(word)?;
            let bits = single_bits(double);
            Some(u64::from(bits))
        }
        Type::Double => double(word).map(f64::to_bits),
        _ => None,
    }
}

fn double(word: &str) -> Option<f64> {
    match word.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok().map(f64::from_bits),
        None if word.contains(['.', 'e']) => word.parse().ok(),
        None => None,
    }
}

/// Returns the bits of a number as `float`. A NaN keeps the upper bits of its payload, signaling or
/// not, as in LLVM; one that has none of them becomes the quiet NaN, as no payload is an infinity.
fn single_bits(double: f64) -> u32 {
    if !double.is_nan() {
        #[allow(clippy::cast_possible_truncation, reason = "LLVM writes no others")]
        return (double as f32).to_bits();
    }
    let bits = double.to_bits();
    let sign = (bits >> 32 & 0x8000_0000) as u32;
    let payload = (bits >> 29 & 0x007f_ffff) as u32;
    sign | 0x7f80_0000 | if payload == 0 { 0x0040_0000 } else { payload }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_bits_of_their_type() {
        assert_eq!(number(&Type::Int(8), "-1"), Some(0xff));
        assert_eq!(number(&Type::Int(64), "-1"), Some(u64::MAX));
        assert_eq!(number(&Type::Float, "1.500000e+00"), Some(0x3fc0_0000));
        assert_eq!(
            number(&Type::Float, "0x3FB99999A0000000"),
            Some(0x3dcc_cccd)
        );
        assert_eq!(
            number(&Type::Float, "0xFFF0000000000001"),
            Some(0xffc0_0000)
        );
        assert_eq!(
            number(&Type::Float, "0x7FF8000000000000"),
            Some(0x7fc0_0000)
        );
        assert_eq!(
            number(&Type::Double, "1.000000e+02"),
            Some(0x4059_0000_0000_0000)
        );
        assert_eq!(number(&Type::Half, "0xH3C00"), Some(0x3c00));
        assert_eq!(number(&Type::Float, "1"), None);
        assert_eq!(number(&Type::Int(32), "x"), None);
    }
}
