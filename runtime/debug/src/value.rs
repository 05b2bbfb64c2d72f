//! Values of variables: their scalars, as far as they are known, and where each is.

use std::fmt::Write as _;
use std::rc::Rc;

use dxil_cpu::resources::Register;
use dxil_cpu::watch::{Scalar, ScalarType};
use half::f16;

use crate::number::{Encoding, Number, ScalarKind};
use crate::types::{Shape, SourceType};

/// Maximum number of characters of a value in one line.
const MAX_TEXT: usize = 400;

/// What is known of a scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// Its bits.
    Bits(u64),
    /// Nothing was assigned to the variable yet.
    Unassigned,
    /// The compiler has removed it.
    OptimizedOut,
    /// It lies outside of the buffer or texture.
    Outside,
}

/// Where a scalar is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: it is the result of an expression, or cannot be changed.
    None,
    /// A scalar of a part of a variable, in a call.
    Part {
        /// The call; the outermost is 0.
        frame: usize,
        /// Number of the part.
        part: usize,
        /// Number of the scalar in it.
        index: usize,
        /// Its type in the module.
        ty: ScalarType,
    },
    /// Memory of the lane.
    Private {
        /// Address of its word, or of the first of two.
        address: u32,
        /// Its type in the module.
        ty: ScalarType,
    },
    /// Groupshared memory.
    Shared {
        /// Address of its word, or of the first of two.
        address: u32,
        /// Its type in the module.
        ty: ScalarType,
    },
    /// Bytes of a buffer.
    Buffer {
        /// The buffer.
        register: Register,
        /// First byte.
        at: u64,
    },
}

/// A scalar of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    /// What is known of it.
    pub known: Known,
    /// Where it is.
    pub place: Place,
}

impl Leaf {
    /// The scalar of a variable that the compiler has removed.
    pub const OPTIMIZED_OUT: Leaf = Leaf {
        known: Known::OptimizedOut,
        place: Place::None,
    };
}

/// A value of a type.
#[derive(Debug, Clone, PartialEq)]
pub struct Value {
    /// Its type.
    pub ty: Rc<SourceType>,
    /// Its scalars, in order.
    pub leaves: Vec<Leaf>,
}

impl Value {
    /// Returns a value that is the result of an expression.
    pub fn of_number(number: Number) -> Value {
        Value {
            ty: SourceType::scalar(number.kind),
            leaves: vec![Leaf {
                known: Known::Bits(number.bits),
                place: Place::None,
            }],
        }
    }

    /// Returns a vector of numbers of one kind.
    pub fn of_numbers(kind: ScalarKind, numbers: &[Number]) -> Value {
        let leaf = |number: &Number| Leaf {
            known: Known::Bits(number.converted(kind).bits),
            place: Place::None,
        };
        Value {
            ty: SourceType::vector(kind, numbers.len().max(1)),
            leaves: numbers.iter().map(leaf).collect(),
        }
    }

    /// Returns the kind of all scalars of a scalar, vector or matrix.
    pub fn kind(&self) -> Option<ScalarKind> {
        match self.ty.shape {
            Shape::Scalar(kind) | Shape::Vector(kind, _) | Shape::Matrix(kind, ..) => Some(kind),
            Shape::Array(..) | Shape::Struct(_) | Shape::Object => None,
        }
    }

    /// Returns a scalar of a scalar, vector or matrix.
    ///
    /// # Errors
    ///
    /// What is known of the scalar instead of its bits.
    pub fn number(&self, index: usize) -> Result<Number, Known> {
        let kind = self.kind().ok_or(Known::OptimizedOut)?;
        match self.leaves.get(index).map(|leaf| leaf.known) {
            Some(Known::Bits(bits)) => Ok(Number::new(kind, bits)),
            Some(other) => Err(other),
            None => Err(Known::Outside),
        }
    }

    /// Returns a part of the value: some of its scalars, as another type.
    pub fn part(&self, ty: &Rc<SourceType>, first: usize) -> Option<Value> {
        let leaves = self.leaves.get(first..first.checked_add(ty.scalars)?)?;
        Some(Value {
            ty: Rc::clone(ty),
            leaves: leaves.to_vec(),
        })
    }

    /// Returns the members, elements, components or rows, each with its name.
    pub fn children(&self) -> Vec<(String, Value)> {
        let part = |name: String, ty: &Rc<SourceType>, first| Some((name, self.part(ty, first)?));
        match &self.ty.shape {
            Shape::Scalar(_) | Shape::Object => Vec::new(),
            Shape::Vector(kind, count) => {
                let ty = SourceType::scalar(*kind);
                let name = |index: usize| match "xyzw".get(index..=index) {
                    Some(name) if *count <= 4 => name.to_owned(),
                    _ => format!("[{index}]"),
                };
                let all = (0..*count).filter_map(|index| part(name(index), &ty, index));
                all.collect()
            }
            Shape::Matrix(kind, rows, columns) => {
                let ty = SourceType::vector(*kind, *columns);
                let all = (0..*rows).filter_map(|row| part(format!("[{row}]"), &ty, row * columns));
                all.collect()
            }
            Shape::Array(element, count) => {
                let all = (0..*count)
                    .filter_map(|at| part(format!("[{at}]"), element, at * element.scalars));
                all.collect()
            }
            Shape::Struct(members) => {
                let all = members.iter();
                all.filter_map(|member| part(member.name.clone(), &member.ty, member.first))
                    .collect()
            }
        }
    }

    /// Returns whether any part of it is known.
    pub fn is_known(&self) -> bool {
        let mut leaves = self.leaves.iter();
        leaves.any(|leaf| why(leaf.known).is_none())
    }

    /// Returns the value in one line.
    pub fn text(&self, hex: bool) -> String {
        let mut out = String::new();
        self.write(&mut out, hex);
        if out.len() > MAX_TEXT {
            let mut end = MAX_TEXT;
            while !out.is_char_boundary(end) {
                end -= 1;
            }
            out.truncate(end);
            out.push_str(" ...");
        }
        out
    }

    fn write(&self, out: &mut String, hex: bool) {
        if out.len() > MAX_TEXT {
            return;
        }
        let first = self.leaves.first().map(|leaf| leaf.known);
        if let Some(known) = first
            && self.leaves.iter().all(|leaf| leaf.known == known)
            && let Some(why) = why(known)
        {
            out.push_str(why);
            return;
        }
        match self.ty.shape {
            Shape::Object => out.push_str("an object"),
            Shape::Scalar(_) => {
                let _ = match self.number(0) {
                    Ok(number) if hex => write!(out, "{}", number.hex()),
                    Ok(number) => write!(out, "{number}"),
                    Err(known) => write!(out, "{}", why(known).unwrap_or_default()),
                };
            }
            Shape::Vector(..) | Shape::Matrix(..) | Shape::Array(..) | Shape::Struct(_) => {
                let (open, close) = match self.ty.shape {
                    Shape::Vector(..) => ('(', ')'),
                    _ => ('{', '}'),
                };
                let named = matches!(self.ty.shape, Shape::Struct(_));
                out.push(open);
                for (index, (name, child)) in self.children().into_iter().enumerate() {
                    if index > 0 {
                        out.push_str(", ");
                    }
                    if named {
                        let _ = write!(out, "{name} = ");
                    }
                    child.write(out, hex);
                    if out.len() > MAX_TEXT {
                        return;
                    }
                }
                out.push(close);
            }
        }
    }
}

/// Returns the words for a scalar without a value.
pub(crate) fn why(known: Known) -> Option<&'static str> {
    match known {
        Known::Bits(_) => None,
        Known::Unassigned => Some("not assigned yet"),
        Known::OptimizedOut => Some("optimized out"),
        Known::Outside => Some("out of bounds"),
    }
}

/// Returns the bits that a scalar of the module has as a scalar of the source.
pub(crate) fn to_source(scalar: Scalar, kind: ScalarKind) -> u64 {
    let Scalar { ty, bits } = scalar;
    let value = match ty {
        ScalarType::Int(1) => return Number::new(kind, bits & 1).bits,
        // Integers hold the bits of whatever the source has.
        ScalarType::Int(width) => {
            let of = Number::new(ScalarKind::new(Encoding::Signed, width.max(8)), bits);
            match kind.encoding {
                Encoding::Float => return Number::new(kind, bits).bits,
                Encoding::Bool => of.is_true(),
                Encoding::Signed => return of.converted(kind).bits,
                Encoding::Unsigned => return Number::new(kind, bits).bits,
            }
        }
        ScalarType::Pointer => return Number::new(kind, bits).bits,
        ScalarType::Half | ScalarType::Float | ScalarType::Double => {
            let value = match ty {
                ScalarType::Half => f16::from_bits(bits as u16).to_f64(),
                ScalarType::Double => f64::from_bits(bits),
                _ => f64::from(f32::from_bits(bits as u32)),
            };
            let width = if ty == ScalarType::Half {
                16
            } else {
                kind.bits
            };
            return match kind.encoding {
                Encoding::Float if same_width(ty, kind) => Number::new(kind, bits).bits,
                Encoding::Float => float_bits(value, kind.bits),
                Encoding::Bool => u64::from(value != 0.0),
                Encoding::Signed | Encoding::Unsigned => {
                    Number::new(ScalarKind::new(kind.encoding, width), bits).bits
                }
            };
        }
    };
    u64::from(value)
}

fn same_width(ty: ScalarType, kind: ScalarKind) -> bool {
    let bits = match ty {
        ScalarType::Half => 16,
        ScalarType::Double => 64,
        _ => 32,
    };
    bits == kind.bits
}

fn float_bits(value: f64, bits: u32) -> u64 {
    match bits {
        16 => u64::from(f16::from_f64(value).to_bits()),
        64 => value.to_bits(),
        _ => u64::from((value as f32).to_bits()),
    }
}

/// Returns the bits that a scalar of the source has in the module.
pub(crate) fn to_module(number: Number, ty: ScalarType) -> u64 {
    match (ty, number.kind.encoding) {
        (ScalarType::Half, Encoding::Float) => float_bits(number.as_f64(), 16),
        (ScalarType::Float, Encoding::Float) => float_bits(number.as_f64(), 32),
        (ScalarType::Double, Encoding::Float) => number.as_f64().to_bits(),
        (ScalarType::Int(1), _) => u64::from(number.is_true()),
        (ScalarType::Int(_), Encoding::Signed) => number.as_i128() as u64,
        _ => number.bits,
    }
}
