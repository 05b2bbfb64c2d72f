//! Types of the source: from debug information, and from the layouts of buffers.

use std::rc::Rc;

use dxil_frontend::dxil::ComponentType;
use dxil_frontend::dxil::debug::{BasicType, CompositeType, DebugInfo, DebugType, tag};
use dxil_frontend::ir::MdId;

use crate::number::{Encoding, ScalarKind};

/// Deepest nesting of types; debug information may have cycles.
const MAX_DEPTH: u32 = 32;
/// Maximum number of scalars of a type.
const MAX_SCALARS: usize = 1 << 16;

/// The composition of a type.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A scalar.
    Scalar(ScalarKind),
    /// A vector: its components and their number.
    Vector(ScalarKind, usize),
    /// A matrix: its components, rows and columns; row by row.
    Matrix(ScalarKind, usize, usize),
    /// An array: its elements and their number.
    Array(Rc<SourceType>, usize),
    /// A structure.
    Struct(Vec<Member>),
    /// An object, such as a resource, which has no value of its own.
    Object,
}

/// A member of a structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Name.
    pub name: String,
    /// Type.
    pub ty: Rc<SourceType>,
    /// Number of its first scalar among those of the structure.
    pub first: usize,
    /// First bit in the structure.
    pub offset_bits: u32,
}

/// A type.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceType {
    /// Name in HLSL.
    pub name: String,
    /// Composition.
    pub shape: Shape,
    /// Number of scalars.
    pub scalars: usize,
    /// Bits from one to the next in an array.
    pub bits: u32,
}

impl SourceType {
    /// Returns the type of a scalar.
    pub fn scalar(kind: ScalarKind) -> Rc<SourceType> {
        Rc::new(SourceType {
            name: kind.name().to_owned(),
            shape: Shape::Scalar(kind),
            scalars: 1,
            bits: kind.bits,
        })
    }

    /// Returns the type of a vector; of one component, that of a scalar.
    pub fn vector(kind: ScalarKind, count: usize) -> Rc<SourceType> {
        if count == 1 {
            return SourceType::scalar(kind);
        }
        let name = if count <= 4 {
            format!("{}{count}", kind.name())
        } else {
            format!("vector<{}, {count}>", kind.name())
        };
        Rc::new(SourceType {
            name,
            shape: Shape::Vector(kind, count),
            scalars: count,
            bits: kind.bits.saturating_mul(count as u32),
        })
    }

    /// Returns the type of a matrix.
    pub fn matrix(kind: ScalarKind, rows: usize, columns: usize) -> Rc<SourceType> {
        Rc::new(SourceType {
            name: format!("{}{rows}x{columns}", kind.name()),
            shape: Shape::Matrix(kind, rows, columns),
            scalars: rows * columns,
            bits: kind.bits.saturating_mul((rows * columns) as u32),
        })
    }

    /// Returns the type of an array.
    pub fn array(element: Rc<SourceType>, count: usize) -> Rc<SourceType> {
        // An array of arrays is written with the outer length first.
        let base = element.name.find('[').unwrap_or(element.name.len());
        let (before, after) = element.name.split_at(base);
        Rc::new(SourceType {
            name: format!("{before}[{count}]{after}"),
            scalars: element.scalars.saturating_mul(count),
            bits: element.bits.saturating_mul(count as u32),
            shape: Shape::Array(element, count),
        })
    }

    /// Returns the type of an object.
    pub fn object(name: &str) -> Rc<SourceType> {
        Rc::new(SourceType {
            name: name.to_owned(),
            shape: Shape::Object,
            scalars: 0,
            bits: 0,
        })
    }

    /// Returns a structure with members, each with its first bit.
    pub fn structure(
        name: &str,
        members: impl IntoIterator<Item = (String, Rc<SourceType>, u32)>,
        bits: u32,
    ) -> Rc<SourceType> {
        let mut first = 0;
        let members = members.into_iter().map(|(name, ty, offset_bits)| {
            let member = Member {
                name,
                first,
                offset_bits,
                ty,
            };
            first += member.ty.scalars;
            member
        });
        let members: Vec<Member> = members.collect();
        Rc::new(SourceType {
            name: name.to_owned(),
            shape: Shape::Struct(members),
            scalars: first,
            bits,
        })
    }

    /// Returns a type of debug information.
    pub fn of_debug(debug: DebugInfo<'_>, id: MdId) -> Option<Rc<SourceType>> {
        of_debug(debug, id, 0).filter(|ty| ty.scalars <= MAX_SCALARS)
    }

    /// Calls `each` with the first bit and the kind of each scalar of a variable, in the order of
    /// the value: matrices row by row.
    pub fn each_scalar(&self, base: u32, each: &mut dyn FnMut(u32, ScalarKind)) {
        match &self.shape {
            Shape::Scalar(kind) => each(base, *kind),
            Shape::Vector(kind, _) => {
                for index in 0..self.scalars as u32 {
                    each(base.saturating_add(index * kind.bits), *kind);
                }
            }
            // DXC keeps the matrices of variables column by column.
            Shape::Matrix(kind, rows, columns) => {
                let (rows, columns) = (*rows as u32, *columns as u32);
                for row in 0..rows {
                    for column in 0..columns {
                        let place = (column * rows + row) * kind.bits;
                        each(base.saturating_add(place), *kind);
                    }
                }
            }
            Shape::Array(element, count) => {
                for index in 0..*count as u32 {
                    let at = base.saturating_add(index.saturating_mul(element.bits));
                    element.each_scalar(at, each);
                }
            }
            Shape::Struct(members) => {
                for member in members {
                    let at = base.saturating_add(member.offset_bits);
                    member.ty.each_scalar(at, each);
                }
            }
            Shape::Object => {}
        }
    }
}

fn of_debug(debug: DebugInfo<'_>, id: MdId, depth: u32) -> Option<Rc<SourceType>> {
    if depth > MAX_DEPTH {
        return None;
    }
    let named = match debug.ty(id)? {
        DebugType::Basic(basic) => return of_basic(&basic),
        DebugType::Subroutine(_) => return None,
        DebugType::Composite(composite) => return of_composite(debug, &composite, depth),
        DebugType::Derived(derived) => derived,
    };
    let base = of_debug(debug, named.base?, depth + 1)?;
    // A structure has its own name; `float4` is the name of a class.
    if named.tag == tag::TYPEDEF && !named.name.is_empty() && base.name != named.name {
        return Some(Rc::new(SourceType {
            name: named.name.to_owned(),
            ..(*base).clone()
        }));
    }
    Some(base)
}

/// DW_ATE numbers (DWARF 4, 7.8).
fn of_basic(basic: &BasicType<'_>) -> Option<Rc<SourceType>> {
    let encoding = match basic.encoding {
        2 => Encoding::Bool,
        4 => Encoding::Float,
        5 | 6 => Encoding::Signed,
        7 | 8 => Encoding::Unsigned,
        _ => return None,
    };
    let kind = ScalarKind::new(encoding, basic.bits.clamp(8, 64));
    let name = match basic.name {
        "unsigned int" => "uint",
        "" => kind.name(),
        name => name,
    };
    Some(Rc::new(SourceType {
        name: name.to_owned(),
        shape: Shape::Scalar(kind),
        scalars: 1,
        bits: kind.bits,
    }))
}

fn of_composite(
    debug: DebugInfo<'_>,
    composite: &CompositeType<'_>,
    depth: u32,
) -> Option<Rc<SourceType>> {
    match composite.tag {
        tag::ARRAY => {
            let element = of_debug(debug, composite.base?, depth + 1)?;
            let counts = composite.elements.iter().flatten();
            let counts: Vec<u32> = counts.filter_map(|id| debug.dimension(*id)).collect();
            let mut ty = element;
            for &count in counts.iter().rev() {
                ty = SourceType::array(ty, count as usize);
                if ty.scalars > MAX_SCALARS {
                    return None;
                }
            }
            Some(ty)
        }
        tag::ENUMERATION => {
            let kind = ScalarKind::new(Encoding::Signed, composite.bits.clamp(8, 64));
            Some(SourceType::scalar(kind))
        }
        tag::CLASS | tag::STRUCTURE => {
            if let Some(numeric) = numeric_class(debug, composite, depth) {
                return Some(numeric);
            }
            let members = composite.elements.iter().flatten();
            let members = members.filter_map(|id| match debug.ty(*id)? {
                DebugType::Derived(member) if member.tag == tag::MEMBER => {
                    let ty = of_debug(debug, member.base?, depth + 1)?;
                    Some((member.name.to_owned(), ty, member.offset_bits))
                }
                // The members of a base class are members of the structure.
                DebugType::Derived(base) if base.tag == tag::INHERITANCE => {
                    let ty = of_debug(debug, base.base?, depth + 1)?;
                    Some((ty.name.clone(), ty, base.offset_bits))
                }
                _ => None,
            });
            let members: Vec<_> = members.collect();
            if members.is_empty() {
                return Some(SourceType::object(composite.name));
            }
            Some(SourceType::structure(
                composite.name,
                members,
                composite.bits,
            ))
        }
        _ => None,
    }
}

/// Returns the type of the classes that DXC writes for vectors and matrices: `vector<float, 4>`.
fn numeric_class(
    debug: DebugInfo<'_>,
    composite: &CompositeType<'_>,
    depth: u32,
) -> Option<Rc<SourceType>> {
    let (template, arguments) = composite.name.strip_suffix('>')?.split_once('<')?;
    if !matches!(template, "vector" | "matrix") {
        return None;
    }
    let mut parts = arguments.rsplit(',').map(str::trim);
    let last: usize = parts.next()?.parse().ok()?;
    let rows: usize = match template {
        "matrix" => parts.next()?.parse().ok()?,
        _ => 1,
    };
    if rows == 0 || last == 0 || rows.saturating_mul(last) > MAX_SCALARS {
        return None;
    }
    // The component's size is that of a member, which a name does not say: `half` may have 32 bits.
    let member = composite.elements.iter().flatten().next();
    let member = member.and_then(|id| match debug.ty(*id)? {
        DebugType::Derived(member) => of_debug(debug, member.base?, depth + 1),
        _ => None,
    });
    let kind = match member.map(|ty| ty.shape.clone()) {
        Some(Shape::Scalar(kind)) => kind,
        _ => ScalarKind::named(parts.next()?)?,
    };
    Some(match template {
        "matrix" => SourceType::matrix(kind, rows, last),
        _ if last == 1 => SourceType::vector(kind, 1),
        _ => SourceType::vector(kind, last),
    })
}

/// Returns the kind of a component in the memory of a buffer or texture.
pub(crate) fn kind_of_component(component: ComponentType) -> ScalarKind {
    use ComponentType as C;
    use Encoding as E;
    let (encoding, bits) = match component {
        C::I1 => (E::Bool, 32),
        C::I16 => (E::Signed, 16),
        C::U16 => (E::Unsigned, 16),
        C::I64 => (E::Signed, 64),
        C::U64 => (E::Unsigned, 64),
        C::F16 | C::SNormF16 | C::UNormF16 => (E::Float, 16),
        C::F64 | C::SNormF64 | C::UNormF64 => (E::Float, 64),
        C::F32 | C::SNormF32 | C::UNormF32 => (E::Float, 32),
        C::I32 => (E::Signed, 32),
        C::U32 | C::Invalid | C::PackedS8x32 | C::PackedU8x32 => (E::Unsigned, 32),
    };
    ScalarKind::new(encoding, bits)
}
