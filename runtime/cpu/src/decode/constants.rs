//! Constants, and the memory of global variables.

use std::ops::Range;

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{
    CastOp, Constant, ConstantExpr, FuncView, Function, Module, Type, TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;

use super::code::CONSTANT_BIT;
use super::lane_ops::RegisterKind;
use super::layout::{Matrices, TypeLayout};
use super::scalar_type::ScalarType;
use crate::error::{Error, Result};

/// Maximum number of words of all globals of one kind.
const MAX_WORDS: u64 = 1 << 24;
/// Deepest nesting of constants.
const MAX_DEPTH: u32 = 256;

/// Addresses and first contents of a module's global variables.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    /// Address of each variable, by its value.
    pub(crate) addresses: HashMap<ValueId, u32>,
    /// Words of variables that are constant.
    pub(crate) constants: Vec<u32>,
    /// First words of the others, which every lane has for itself.
    pub(crate) statics: Vec<u32>,
    /// Words of groupshared variables.
    pub(crate) shared_words: u32,
    /// Groupshared variables with an initializer.
    pub(crate) shared_contents: Vec<SharedContents>,
}

/// What a groupshared variable holds when a group begins (LLVM Language Reference, "Global
/// Variables": the initializer is the value at the start).
#[derive(Debug, Clone, Default)]
pub(crate) struct SharedContents {
    /// The words of the variable.
    pub(crate) place: Range<u32>,
    /// Its first words; the others are 0.
    pub(crate) words: Vec<u32>,
}

/// Reads constants; needs no function of its own for those of the module.
pub(crate) struct Reader<'a, 'b> {
    pub(crate) module: &'a Module,
    pub(crate) function: Option<&'a Function>,
    pub(crate) layout: &'b mut TypeLayout<'a>,
    pub(crate) addresses: &'b HashMap<ValueId, u32>,
}

impl Globals {
    /// Gives every global variable its place, after those of modules that came before.
    pub(crate) fn behind(
        constants: Vec<u32>,
        statics: Vec<u32>,
        shared_words: u32,
        shader: &Shader,
        matrices: &Matrices,
    ) -> Result<Globals> {
        let module = &shader.module;
        let mut layout = TypeLayout::new(&module.types, matrices);
        let mut globals = Globals {
            addresses: HashMap::default(),
            constants,
            statics,
            shared_words,
            shared_contents: Vec::new(),
        };
        let mut to_fill = Vec::new();
        let mut shared = Vec::new();
        for (_, global) in &module.globals {
            let pointee = global.ty;
            let words = layout.words(pointee);
            let end = |start: usize| {
                let end = (start as u64).saturating_add(words);
                if end <= MAX_WORDS {
                    Ok(end as usize)
                } else {
                    Err(Error::Memory {
                        what: "global variables",
                        need: end.saturating_mul(4),
                        limit: MAX_WORDS * 4,
                    })
                }
            };
            // Address space 3 is groupshared memory (DXIL document, "Load/Store/Atomics via pointer
            // in future SM").
            let start = if global.address_space == 3 {
                let start = globals.shared_words;
                globals.shared_words = end(start as usize)? as u32;
                if let Some(initializer) = global.initializer {
                    shared.push((initializer, pointee, start..globals.shared_words));
                }
                start
            } else if global.is_constant {
                let start = globals.constants.len();
                globals.constants.resize(end(start)?, 0);
                to_fill.push((global.initializer, pointee, start, true));
                start as u32 | CONSTANT_BIT
            } else {
                let start = globals.statics.len();
                globals.statics.resize(end(start)?, 0);
                to_fill.push((global.initializer, pointee, start, false));
                start as u32
            };
            globals.addresses.insert(global.value, start);
        }
        // A second pass, since an initializer may hold the address of any global.
        for (initializer, ty, start, constant) in to_fill {
            let Some(initializer) = initializer else {
                continue;
            };
            let mut reader = Reader {
                module,
                function: None,
                layout: &mut layout,
                addresses: &globals.addresses,
            };
            let memory = if constant {
                &mut globals.constants
            } else {
                &mut globals.statics
            };
            let mut at = start;
            // Types that are not memory, such as those of resources, have nothing to fill.
            let _ = reader.each_scalar(initializer, ty, 0, &mut |scalar, bits| {
                if let Some(word) = memory.get_mut(at) {
                    *word = bits as u32;
                }
                at += 1;
                if scalar == RegisterKind::D {
                    if let Some(word) = memory.get_mut(at) {
                        *word = (bits >> 32) as u32;
                    }
                    at += 1;
                }
            });
        }
        for (initializer, ty, place) in shared {
            let mut reader = Reader {
                module,
                function: None,
                layout: &mut layout,
                addresses: &globals.addresses,
            };
            let contents = reader.shared_contents(initializer, ty, place)?;
            globals.shared_contents.extend(contents);
        }
        Ok(globals)
    }
}

impl<'a> Reader<'a, '_> {
    fn value(&self, id: ValueId) -> Option<&'a dxil_frontend::ir::ValueData> {
        match self.function {
            Some(function) => FuncView {
                module: self.module,
                function,
            }
            .value(id),
            None => self.module.values.get(id.as_u32() as usize),
        }
    }

    fn is_local(&self, owner: ValueId) -> Option<&'a Function> {
        self.function
            .filter(|function| owner.as_u32() >= function.first_value)
    }

    fn elements(&self, owner: ValueId, list: dxil_frontend::ir::List<ValueId>) -> &'a [ValueId] {
        let pool = match self.is_local(owner) {
            Some(function) => &function.value_pool,
            None => &self.module.value_pool,
        };
        pool.get(list.range()).unwrap_or_default()
    }

    fn data(&self, owner: ValueId, list: dxil_frontend::ir::List<u64>) -> &'a [u64] {
        let pool = match self.is_local(owner) {
            Some(function) => &function.number_pool,
            None => &self.module.number_pool,
        };
        pool.get(list.range()).unwrap_or_default()
    }

    /// Hands kind and bits of each scalar of a constant to `each`; what is undefined counts as 0.
    /// `None` where it is not a constant, or one that is not read.
    pub(crate) fn each_scalar(
        &mut self,
        id: ValueId,
        ty: TypeId,
        depth: u32,
        each: &mut dyn FnMut(RegisterKind, u64),
    ) -> Option<()> {
        // Constants may nest without a limit in malformed modules, and this is recursive.
        if depth > MAX_DEPTH {
            return None;
        }
        let value = self.value(id)?;
        match value.def {
            ValueDef::Constant(Constant::Null | Constant::Undef) => self.zeros(ty, each),
            ValueDef::Constant(Constant::Int(bits) | Constant::Float(bits)) => {
                let scalar = ScalarType::of(self.layout.types(), ty)?;
                each(scalar.kind(), bits);
                Some(())
            }
            ValueDef::Constant(Constant::Aggregate(list)) => {
                for &element in self.elements(id, list) {
                    let ty = self.value(element)?.ty;
                    self.each_scalar(element, ty, depth + 1, each)?;
                }
                Some(())
            }
            ValueDef::Constant(Constant::Data(list)) => {
                let element = match *self.layout.types().get(ty) {
                    Type::Array { element, .. } | Type::Vector { element, .. } => element,
                    _ => return None,
                };
                let kind = ScalarType::of(self.layout.types(), element)?.kind();
                for &bits in self.data(id, list) {
                    each(kind, bits);
                }
                Some(())
            }
            ValueDef::Constant(Constant::Expr(_)) | ValueDef::Global(_) => {
                let bits = self.scalar(id, depth + 1)?;
                let kind = ScalarType::of(self.layout.types(), ty)?.kind();
                each(kind, bits);
                Some(())
            }
            ValueDef::Function(_)
            | ValueDef::Argument(_)
            | ValueDef::Inst(_)
            | ValueDef::Metadata(_) => None,
        }
    }

    /// Returns what a groupshared variable begins with; `None` if that is undefined.
    fn shared_contents(
        &mut self,
        initializer: ValueId,
        ty: TypeId,
        place: Range<u32>,
    ) -> Result<Option<SharedContents>> {
        let mut words = Vec::new();
        match self.value(initializer).map(|value| value.def) {
            Some(ValueDef::Constant(Constant::Undef)) => return Ok(None),
            // A variable of zeros may be much larger than the file.
            Some(ValueDef::Constant(Constant::Null)) => {}
            _ => {
                let read = self.each_scalar(initializer, ty, 0, &mut |scalar, bits| {
                    words.push(bits as u32);
                    if scalar == RegisterKind::D {
                        words.push((bits >> 32) as u32);
                    }
                });
                if read.is_none() || words.len() > place.len() {
                    return Err(Error::Unsupported {
                        what: "an initial value of groupshared memory that code computes".into(),
                        place: Box::default(),
                    });
                }
            }
        }
        Ok(Some(SharedContents { place, words }))
    }

    fn zeros(&mut self, ty: TypeId, each: &mut dyn FnMut(RegisterKind, u64)) -> Option<()> {
        // Arrays of nothing may be of any length.
        if self.layout.words(ty) == 0 {
            return Some(());
        }
        match self.layout.types().get(ty) {
            Type::Array { element, count } => {
                // Bounded: memory of globals is zero already, and values are never this long.
                for _ in 0..(*count).min(1 << 20) {
                    self.zeros(*element, each)?;
                }
            }
            Type::Vector { element, count } => {
                for _ in 0..*count {
                    self.zeros(*element, each)?;
                }
            }
            Type::Struct { fields, .. } => {
                for &field in fields {
                    self.zeros(field, each)?;
                }
            }
            _ => each(ScalarType::of(self.layout.types(), ty)?.kind(), 0),
        }
        Some(())
    }

    /// Returns the bits of a scalar constant: a number, or an address.
    pub(crate) fn scalar(&mut self, id: ValueId, depth: u32) -> Option<u64> {
        if depth > MAX_DEPTH {
            return None;
        }
        let value = self.value(id)?;
        match value.def {
            ValueDef::Global(_) => self.addresses.get(&id).map(|&address| u64::from(address)),
            ValueDef::Constant(Constant::Null | Constant::Undef) => Some(0),
            ValueDef::Constant(Constant::Int(bits) | Constant::Float(bits)) => Some(bits),
            ValueDef::Constant(Constant::Expr(expression)) => match expression {
                ConstantExpr::Cast { op, value: inner } => {
                    let bits = self.scalar(inner, depth + 1)?;
                    match op {
                        CastOp::Bitcast | CastOp::AddrSpaceCast | CastOp::ZExt => Some(bits),
                        CastOp::Trunc => {
                            let to = self.layout.types().scalar_bits(value.ty)?;
                            Some(bits & (u64::MAX >> (64 - to.clamp(1, 64))))
                        }
                        _ => None,
                    }
                }
                ConstantExpr::Gep { operands, .. } => {
                    let operands = self.elements(id, operands);
                    let (&base, indices) = operands.split_first()?;
                    let ty = self.value(base)?.ty;
                    let address = self.scalar(base, depth + 1)?;
                    let mut ty = self.layout.types().pointee(ty)?;
                    let mut offset = 0_u64;
                    for (position, &index) in indices.iter().enumerate() {
                        let bits = self.layout.types().scalar_bits(self.value(index)?.ty)?;
                        // Indices are signed and of any width, so they are extended before the
                        // multiplication.
                        let index = sign_extended(self.scalar(index, depth + 1)?, bits);
                        let step = match position {
                            0 => self.layout.words(ty),
                            _ => match self.layout.types().get(ty) {
                                Type::Array { element, .. } | Type::Vector { element, .. } => {
                                    ty = *element;
                                    self.layout.words(ty)
                                }
                                Type::Struct { fields, .. } => {
                                    let fields = fields.clone();
                                    let (field, before) =
                                        field_offset(self.layout, &fields, index)?;
                                    ty = field;
                                    offset = offset.wrapping_add(before);
                                    continue;
                                }
                                _ => return None,
                            },
                        };
                        offset = offset.wrapping_add(index.wrapping_mul(step));
                    }
                    Some(u64::from((address as u32).wrapping_add(offset as u32)))
                }
                ConstantExpr::Binary { .. }
                | ConstantExpr::Cmp { .. }
                | ConstantExpr::Select { .. } => None,
            },
            ValueDef::Constant(Constant::Aggregate(_) | Constant::Data(_))
            | ValueDef::Function(_)
            | ValueDef::Argument(_)
            | ValueDef::Inst(_)
            | ValueDef::Metadata(_) => None,
        }
    }
}

/// Returns the type of a field and the words before it.
pub(crate) fn field_offset(
    layout: &mut TypeLayout<'_>,
    fields: &[TypeId],
    index: u64,
) -> Option<(TypeId, u64)> {
    let index = usize::try_from(index).ok()?;
    let field = *fields.get(index)?;
    let mut before = 0_u64;
    for &field in fields.get(..index)? {
        before = before.saturating_add(layout.words(field));
    }
    Some((field, before))
}

/// Returns a number of that many bits as one of 64.
pub(crate) fn sign_extended(value: u64, bits: u32) -> u64 {
    let shift = 64 - bits.clamp(1, 64);
    ((value << shift) as i64 >> shift) as u64
}
