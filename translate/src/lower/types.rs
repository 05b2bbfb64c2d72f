//! SPIR-V types of IR types, and how a scalar is represented.
//!
//! Integers of a width that the target (or SPIR-V) does not have live in the next wider one with
//! *undefined upper bits*: sums, products and bitwise operations need no care, and whoever looks at
//! the upper bits (comparisons, divisions, right shifts, extensions, conversions) extends first.
//! Min-precision `half` lives in a relaxed-precision 32-bit float.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ShaderFlags;
use dxil_frontend::ir::{Type, TypeId, TypeList};

use super::Lowering;
use crate::options::{Features, Style};
use crate::spirv::{Builder, Decoration, Id};
use crate::{Error, ErrorKind, Options, Result};

/// IR type to SPIR-V type, and the representation of 16-bit scalars.
#[derive(Debug)]
pub(super) struct TypeMap {
    ids: Vec<Id>,
    /// `half` is a 16-bit float.
    pub(super) native_half: bool,
    /// `i16` is a 16-bit integer.
    pub(super) native_short: bool,
    /// 16-bit types are the program's own wish, not min-precision ones.
    pub(super) strict_16bit: bool,
    /// `half` is a 32-bit float whose values are rounded to those of a half: for portable targets without
    /// 16-bit floats.
    pub(super) rounded_half: bool,
}

/// A scalar type: what it means (`bits`) and what it lives in (`width`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scalar {
    /// `i1`.
    Bool,
    /// An integer.
    Int {
        /// Bits that count.
        bits: u32,
        /// Bits of the SPIR-V type.
        width: u32,
    },
    /// A float.
    Float {
        /// Bits in the IR.
        bits: u32,
        /// Bits of the SPIR-V type.
        width: u32,
    },
}

/// A scalar or a vector of 2 to 4 scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    /// The scalar.
    pub(super) scalar: Scalar,
    /// Number of elements; 1 is a scalar.
    pub(super) count: u32,
}

impl Scalar {
    /// 32-bit integer.
    pub(super) const U32: Scalar = Scalar::Int {
        bits: 32,
        width: 32,
    };
    /// 32-bit float.
    pub(super) const F32: Scalar = Scalar::Float {
        bits: 32,
        width: 32,
    };
    /// 64-bit float.
    pub(super) const F64: Scalar = Scalar::Float {
        bits: 64,
        width: 64,
    };

    /// Width of the SPIR-V type; 1 for a boolean.
    pub(super) fn width(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { width, .. } | Scalar::Float { width, .. } => width,
        }
    }

    /// Bits in the IR.
    pub(super) fn bits(self) -> u32 {
        match self {
            Scalar::Bool => 1,
            Scalar::Int { bits, .. } | Scalar::Float { bits, .. } => bits,
        }
    }

    /// Whether it is a min-precision float in a 32-bit one.
    pub(super) fn is_relaxed(self) -> bool {
        matches!(
            self,
            Scalar::Float {
                bits: 16,
                width: 32
            }
        )
    }

    /// Whether the upper bits of its representation are undefined.
    pub(super) fn is_widened(self) -> bool {
        matches!(self, Scalar::Int { bits, width } if bits < width)
    }
}

impl Shape {
    /// The scalar.
    pub(super) const fn scalar(scalar: Scalar) -> Self {
        Shape { scalar, count: 1 }
    }

    /// As many of another scalar.
    pub(super) const fn with(self, scalar: Scalar) -> Self {
        Shape {
            scalar,
            count: self.count,
        }
    }

    /// As many 32-bit integers.
    pub(super) const fn u32(self) -> Self {
        self.with(Scalar::U32)
    }

    /// As many booleans.
    pub(super) const fn bool(self) -> Self {
        self.with(Scalar::Bool)
    }
}

impl TypeMap {
    /// Decides how 16-bit types are represented.
    pub(super) fn new(flags: ShaderFlags, options: &Options, types: usize) -> Self {
        let strict = flags.contains(ShaderFlags::USE_NATIVE_LOW_PRECISION);
        let features = options.target.features;
        let wanted = strict || options.native_min_precision;
        TypeMap {
            ids: vec![Id::NONE; types],
            native_half: wanted && features.contains(Features::FLOAT16),
            native_short: wanted && features.contains(Features::INT16),
            strict_16bit: strict,
            rounded_half: strict
                && options.target.style == Style::Portable
                && !features.contains(Features::FLOAT16),
        }
    }
}

impl Lowering<'_> {
    /// The SPIR-V type of an IR type.
    pub(super) fn ty(&mut self, ty: TypeId) -> Result<Id> {
        if let Some(&id) = self.types.ids.get(ty.index())
            && !id.is_none()
        {
            return Ok(id);
        }
        let id = self.make_type(ty)?;
        if let Some(slot) = self.types.ids.get_mut(ty.index()) {
            *slot = id;
        }
        Ok(id)
    }

    fn make_type(&mut self, ty: TypeId) -> Result<Id> {
        let types = &self.view.module.types;
        Ok(match types.get(ty) {
            Type::Void => self.b.void(),
            Type::Half | Type::Float | Type::Double | Type::Int(_) | Type::Vector { .. } => {
                let shape = self.shape(ty)?;
                self.shape_ty(shape)?
            }
            Type::Array { element, count } => {
                let count = u32::try_from(*count)
                    .map_err(|_| Error::unsupported(format!("an array of {count} elements")))?;
                let element = self.ty(*element)?;
                // SPIR-V has no arrays without elements; nothing can look at the one we give.
                self.b.array(element, count.max(1))
            }
            Type::Struct { .. } if self.is_object(ty) => self.b.u32(),
            Type::Struct { fields, .. } => {
                let mut members = Vec::with_capacity(fields.len());
                for &field in fields {
                    members.push(self.ty(field)?);
                }
                self.b.struct_type(&members)
            }
            other => return Err(Error::unsupported(format!("values of type {other:?}"))),
        })
    }

    /// Types of a struct's fields.
    pub(super) fn fields(&self, ty: TypeId) -> Result<TypeList> {
        match self.view.module.types.get(ty) {
            Type::Struct { fields, .. } => Ok(fields.clone()),
            other => Err(Error::malformed(format!("{other:?} is not a struct"))),
        }
    }

    /// The scalar that an IR type is.
    pub(super) fn scalar(&self, ty: TypeId) -> Result<Scalar> {
        Ok(match *self.view.module.types.get(ty) {
            Type::Int(1) => Scalar::Bool,
            Type::Int(bits) => self.int_scalar(u32::from(bits))?,
            Type::Half => self.half_scalar(),
            Type::Float => Scalar::F32,
            Type::Double => Scalar::Float {
                bits: 64,
                width: 64,
            },
            ref other => return Err(Error::unsupported(format!("arithmetic on {other:?}"))),
        })
    }

    /// An integer scalar of that many bits.
    pub(super) fn int_scalar(&self, bits: u32) -> Result<Scalar> {
        let width = match bits {
            16 if self.types.native_short => 16,
            0..=32 => 32,
            33..=64 => 64,
            _ => return Err(Error::unsupported(format!("integers of {bits} bits"))),
        };
        Ok(Scalar::Int { bits, width })
    }

    /// The scalar that `half` is.
    pub(super) fn half_scalar(&self) -> Scalar {
        Scalar::Float {
            bits: 16,
            width: if self.types.native_half { 16 } else { 32 },
        }
    }

    /// The shape of a scalar or vector type.
    pub(super) fn shape(&self, ty: TypeId) -> Result<Shape> {
        match *self.view.module.types.get(ty) {
            Type::Vector { element, count } if (2..=4).contains(&count) => Ok(Shape {
                scalar: self.scalar(element)?,
                count,
            }),
            Type::Vector { element, count: 1 } => Ok(Shape::scalar(self.scalar(element)?)),
            Type::Vector { count, .. } => {
                Err(Error::unsupported(format!("vectors of {count} elements")))
            }
            _ => Ok(Shape::scalar(self.scalar(ty)?)),
        }
    }

    /// Whether values of the type are handles, which are numbers here: the index of a descriptor, the number of
    /// a node or the offset of its records (`graphs/nodes.rs`), the number of a hit object's variable.
    pub(super) fn is_object(&self, ty: TypeId) -> bool {
        let Type::Struct {
            name: Some(name), ..
        } = self.view.module.types.get(ty)
        else {
            return false;
        };
        matches!(
            &**name,
            "dx.types.Handle"
                | "dx.types.NodeHandle"
                | "dx.types.NodeRecordHandle"
                | "dx.types.HitObject"
        )
    }

    /// The shape of a value.
    pub(super) fn shape_of(&self, value: dxil_frontend::ir::ValueId) -> Result<Shape> {
        self.shape(self.type_of(value)?)
    }

    /// SPIR-V type of a scalar.
    pub(super) fn scalar_ty(&mut self, scalar: Scalar) -> Result<Id> {
        self.require_width(scalar)?;
        Ok(match scalar {
            Scalar::Bool => self.b.bool(),
            Scalar::Int { width, .. } => self.b.uint(width),
            Scalar::Float { width, .. } => self.b.float(width),
        })
    }

    /// SPIR-V type of a shape.
    pub(super) fn shape_ty(&mut self, shape: Shape) -> Result<Id> {
        let scalar = self.scalar_ty(shape.scalar)?;
        Ok(self.b.vector_or_scalar(scalar, shape.count))
    }

    /// Refuses a scalar that the target does not have.
    fn require_width(&self, scalar: Scalar) -> Result<()> {
        let (feature, name, user) = match scalar {
            // The builder makes them of words.
            Scalar::Int { width: 64, .. } if self.is_portable() => return Ok(()),
            Scalar::Int { width: 64, .. } => (Features::INT64, "shaderInt64", "64-bit integers"),
            Scalar::Float { width: 64, .. } => (Features::FLOAT64, "shaderFloat64", "double"),
            Scalar::Float {
                bits: 16,
                width: 32,
            } if self.types.strict_16bit && !self.types.rounded_half => {
                (Features::FLOAT16, "shaderFloat16", "half")
            }
            _ => return Ok(()),
        };
        if self.options.target.features.contains(feature) {
            Ok(())
        } else {
            Err(Error::new(ErrorKind::TargetLacks {
                feature: name,
                user: user.to_owned(),
            }))
        }
    }

    /// The integer `value` in every element.
    pub(super) fn const_int(&mut self, shape: Shape, value: u64) -> Result<Id> {
        self.require_width(shape.scalar)?;
        let scalar = match shape.scalar {
            Scalar::Bool => self.b.const_bool(value & 1 != 0),
            Scalar::Int { width, .. } => self.b.const_uint(width, value),
            Scalar::Float { .. } => {
                return Err(Error::internal("an integer constant of a float type"));
            }
        };
        self.splat(shape, scalar)
    }

    /// The float `value` in every element; it must be exact in the shape's width.
    pub(super) fn const_float(&mut self, shape: Shape, value: f64) -> Result<Id> {
        self.require_width(shape.scalar)?;
        let scalar = self.b.const_float(shape.scalar.width(), value);
        self.splat(shape, scalar)
    }

    /// A constant in every element.
    pub(super) fn splat(&mut self, shape: Shape, scalar: Id) -> Result<Id> {
        if shape.count == 1 {
            return Ok(scalar);
        }
        let ty = self.shape_ty(shape)?;
        Ok(self
            .b
            .const_composite(ty, &[scalar; 4][..shape.count as usize]))
    }

    /// What an instruction computed as a half, rounded to one. Sums, products, quotients and square roots of
    /// halves come out as halves would: a float has more than twice their bits.
    pub(super) fn round_half(&mut self, shape: Shape, id: Id) -> Result<Id> {
        if !self.types.rounded_half || !shape.scalar.is_relaxed() {
            return Ok(id);
        }
        let float = self.b.f32();
        let mut rounded = Vec::with_capacity(4);
        for index in 0..shape.count {
            let value = match shape.count {
                1 => id,
                _ => self.b.extract(float, id, index),
            };
            let word = self.half_to_bits(Shape::scalar(shape.scalar), value)?;
            rounded.push(self.half_from_bits(word)?);
        }
        if let [one] = rounded.as_slice() {
            return Ok(*one);
        }
        let ty = self.shape_ty(shape)?;
        Ok(self.b.construct(ty, &rounded))
    }

    /// Marks a result as relaxed where its shape says so.
    pub(super) fn relax(&mut self, shape: Shape, id: Id) {
        if shape.scalar.is_relaxed() && !self.options.workarounds.full_min_precision {
            relax(&mut self.b, id);
        }
    }
}

fn relax(b: &mut Builder, id: Id) {
    b.decorate(id, Decoration::RelaxedPrecision, &[]);
}
