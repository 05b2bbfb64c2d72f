//! What the shader sees of buffers and textures.

use std::rc::Rc;

use dxil_cpu::resources::Register;
use dxil_cpu::watch::Moment;
use dxil_frontend::dxil::{ComponentType, ResourceClass, ResourceKind};
use dxil_frontend::reflection::{LayoutField, LayoutType, ReflectedResource};

use crate::number::ScalarKind;
use crate::program::Program;
use crate::types::{Shape, SourceType, kind_of_component};
use crate::value::{Known, Leaf, Place, Value};

/// Maximum number of scalars of a value in a buffer.
const MAX_SCALARS: usize = 1 << 16;

/// A resource, or an array of them.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'a> {
    /// What is known of its declaration.
    pub declared: &'a ReflectedResource,
    /// The register, of an array that of an element.
    pub register: Register,
    /// Whether it is an array of which no element was chosen.
    pub is_array: bool,
}

/// Returns the resource of a name.
pub(crate) fn named<'a>(program: &Program<'a>, name: &str) -> Option<Resource<'a>> {
    let found = program.reflection.named(name);
    found.map(resource)
}

/// Returns all resources but samplers and acceleration structures.
pub(crate) fn all<'a>(program: &Program<'a>) -> impl Iterator<Item = Resource<'a>> + use<'a> {
    let resources = program.reflection.resources.iter();
    let is_shown = |resource: &&ReflectedResource| {
        resource.class != ResourceClass::Sampler
            && resource.kind != ResourceKind::RtAccelerationStructure
    };
    resources.filter(is_shown).map(resource)
}

fn resource(declared: &ReflectedResource) -> Resource<'_> {
    Resource {
        declared,
        register: Register {
            class: declared.class,
            space: declared.space,
            index: declared.register,
        },
        is_array: declared.count != Some(1),
    }
}

impl<'a> Resource<'a> {
    /// Returns its name in HLSL, or else its register.
    pub fn name(&self) -> String {
        match self.declared.name.as_str() {
            "" => self.declared.registers(),
            name => name.to_owned(),
        }
    }

    /// Returns an element of an array of resources.
    pub fn element(&self, index: u32) -> Option<Resource<'a>> {
        let is_inside = self.declared.count.is_none_or(|count| index < count);
        is_inside.then(|| Resource {
            register: Register {
                index: self.register.index.saturating_add(index),
                ..self.register
            },
            is_array: false,
            ..*self
        })
    }

    /// Returns whether it is a raw buffer, whose elements are at byte addresses.
    pub fn is_raw(&self) -> bool {
        self.declared.kind == ResourceKind::RawBuffer
    }

    /// Returns what it is, in a few words.
    pub fn summary(&self, moment: &Moment<'_>) -> String {
        let kind = format!("{:?}", self.declared.kind);
        let register = self.declared.registers();
        match (self.texels(moment), self.count(moment)) {
            (Some([x, 1, 1]), _) => format!("{kind} {register}, {x} texels"),
            (Some([x, y, 1]), _) => format!("{kind} {register}, {x}x{y} texels"),
            (Some([x, y, z]), _) => format!("{kind} {register}, {x}x{y}x{z} texels"),
            (None, Some(count)) if !self.is_array => {
                format!("{kind} {register}, {count} elements")
            }
            _ => format!("{kind} {register}"),
        }
    }

    /// Returns the number of elements of a buffer.
    pub fn count(&self, moment: &Moment<'_>) -> Option<u64> {
        let bytes = moment.buffer_bytes(self.register)?;
        let stride = match self.declared.kind {
            ResourceKind::StructuredBuffer => u64::from(self.stride()?),
            ResourceKind::RawBuffer => 4,
            _ => return None,
        };
        (stride > 0).then(|| bytes / stride)
    }

    /// Returns the number of texels of a typed buffer or texture along x, y, and z or layers.
    pub fn texels(&self, moment: &Moment<'_>) -> Option<[u32; 3]> {
        let kind = self.declared.kind;
        let has_texels = kind == ResourceKind::TypedBuffer || kind.is_texture();
        moment
            .texels(self.register)
            .filter(|_| has_texels && !self.is_array)
    }

    /// Returns the number of parts that it is looked at in: elements, words or texels.
    pub fn parts(&self, moment: &Moment<'_>) -> Option<u64> {
        if self.is_array {
            return None;
        }
        let texels = self.texels(moment);
        let texels = texels.map(|sides| sides.map(u64::from).iter().product());
        texels.or(self.count(moment))
    }

    /// Returns a part by its number, with the index that names it in HLSL: x before y before z.
    pub fn part(&self, moment: &Moment<'_>, number: u64) -> Option<(String, Value)> {
        let Some([width, height, depth]) = self.texels(moment) else {
            let step = if self.is_raw() { 4 } else { 1 };
            let index = u32::try_from(number.checked_mul(step)?).ok()?;
            return Some((format!("[{index}]"), self.at(moment, [index, 0, 0], 0)?));
        };
        let [width, height] = [width, height].map(|side| u64::from(side.max(1)));
        let row = number / width;
        let at = [number % width, row % height, row / height].map(|n| n as u32);
        let [x, y, z] = at;
        let name = match self.declared.kind {
            ResourceKind::TypedBuffer | ResourceKind::Texture1D => format!("[{x}]"),
            ResourceKind::Texture1DArray => format!("[uint2({x}, {y})]"),
            ResourceKind::Texture2D | ResourceKind::Texture2DMS if depth <= 1 => {
                format!("[uint2({x}, {y})]")
            }
            _ => format!("[uint3({x}, {y}, {z})]"),
        };
        Some((name, self.at(moment, at, 0)?))
    }

    /// Returns the bytes of an element of a structured buffer.
    pub(crate) fn stride(&self) -> Option<u32> {
        let layout = self.declared.layout.as_ref().map(|layout| layout.size);
        layout.or(self.declared.element.as_ref().map(|element| element.size))
    }

    /// Returns the value of a constant buffer.
    pub fn constants(&self, moment: &Moment<'_>) -> Option<Value> {
        let is_constants = matches!(
            self.declared.kind,
            ResourceKind::CBuffer | ResourceKind::TBuffer
        );
        let layout = self.declared.layout.as_ref().filter(|_| is_constants)?;
        let (ty, leaves) = of_fields(&self.declared.name, &layout.fields, 0)?;
        Some(self.read(moment, ty, &leaves))
    }

    /// Returns an element: of a structured buffer, a word of a raw one, a texel.
    pub fn at(&self, moment: &Moment<'_>, coords: [u32; 3], mip: u32) -> Option<Value> {
        match self.declared.kind {
            ResourceKind::StructuredBuffer => {
                let stride = u64::from(self.stride()?);
                let base = stride.checked_mul(u64::from(coords[0]))?;
                let (ty, leaves) = self.element_type(base)?;
                Some(self.read(moment, ty, &leaves))
            }
            ResourceKind::RawBuffer => {
                let ty = SourceType::scalar(ScalarKind::UINT);
                let at = u64::from(coords[0]);
                Some(self.read(moment, ty, &[(at, ScalarKind::UINT)]))
            }
            kind if kind == ResourceKind::TypedBuffer || kind.is_texture() => {
                Some(self.texel(moment, coords, mip))
            }
            _ => None,
        }
    }

    fn texel(&self, moment: &Moment<'_>, coords: [u32; 3], mip: u32) -> Value {
        let element = self.declared.element.as_ref();
        let scalars = element.map_or(&[][..], |element| &element.scalars);
        let component = scalars.first().map_or(ComponentType::F32, |s| s.component);
        // Texels are 32 bits wide in registers, whatever the format has.
        let kind = ScalarKind {
            bits: 32,
            ..kind_of_component(component)
        };
        let count = scalars.len().clamp(1, 4);
        let found = moment.texel(self.register, coords, mip);
        let leaf = |index: usize| Leaf {
            known: match found {
                Some(bits) => Known::Bits(u64::from(bits[index])),
                None => Known::Outside,
            },
            place: Place::None,
        };
        Value {
            ty: SourceType::vector(kind, count),
            leaves: (0..count).map(leaf).collect(),
        }
    }

    /// Returns the type of an element of a structured buffer, and the byte of each scalar.
    fn element_type(&self, base: u64) -> Option<Laid> {
        if let Some(layout) = &self.declared.layout {
            // The element of a `StructuredBuffer<float3>` is one field without a name.
            if let [field] = layout.fields.as_slice()
                && field.name.is_empty()
            {
                return of_field(field, base);
            }
            return of_fields("", &layout.fields, base);
        }
        let element = self.declared.element.as_ref()?;
        let scalars = element.scalars.iter();
        let members = scalars.map(|scalar| {
            let ty = SourceType::scalar(kind_of_component(scalar.component));
            (scalar.path.clone(), ty, scalar.offset * 8)
        });
        let ty = SourceType::structure("element", members, element.size * 8);
        let scalars = element.scalars.iter();
        let leaves = scalars.map(|scalar| {
            let at = base + u64::from(scalar.offset);
            (at, kind_of_component(scalar.component))
        });
        Some((ty, leaves.collect()))
    }

    fn read(&self, moment: &Moment<'_>, ty: Rc<SourceType>, leaves: &[(u64, ScalarKind)]) -> Value {
        let register = self.register;
        let leaf = |&(at, kind): &(u64, ScalarKind)| Leaf {
            known: match moment.buffer_word(register, at, kind.bits / 8) {
                Some(bits) => Known::Bits(bits),
                None => Known::Outside,
            },
            place: Place::Buffer { register, at },
        };
        Value {
            ty,
            leaves: leaves.iter().map(leaf).collect(),
        }
    }
}

/// A type of a buffer's memory, with the byte and the kind of each scalar.
type Laid = (Rc<SourceType>, Vec<(u64, ScalarKind)>);

fn of_fields(name: &str, fields: &[LayoutField], base: u64) -> Option<Laid> {
    let mut leaves = Vec::new();
    let mut members = Vec::new();
    for field in fields {
        let (ty, inner) = of_field(field, base + u64::from(field.offset))?;
        leaves.extend(inner);
        members.push((field.name.clone(), ty, field.offset.saturating_mul(8)));
        if leaves.len() > MAX_SCALARS {
            return None;
        }
    }
    Some((SourceType::structure(name, members, 0), leaves))
}

fn of_field(field: &LayoutField, base: u64) -> Option<Laid> {
    let count: u32 = field.elements();
    let mut leaves = Vec::new();
    let mut ty = None;
    for index in 0..count {
        let at = base + u64::from(index) * u64::from(field.stride);
        let (element, inner) = of_type(&field.ty, at)?;
        ty = Some(element);
        leaves.extend(inner);
        if leaves.len() > MAX_SCALARS {
            return None;
        }
    }
    let mut ty = ty?;
    for &length in field.array.iter().rev() {
        ty = SourceType::array(ty, length as usize);
    }
    Some((ty, leaves))
}

fn of_type(ty: &LayoutType, base: u64) -> Option<Laid> {
    match ty {
        LayoutType::Struct { name, fields } => of_fields(name, fields, base),
        LayoutType::Numeric {
            component,
            rows,
            columns,
            row_major,
            vector_stride,
        } => {
            let kind = kind_of_component(*component);
            let (rows, columns) = (u64::from(*rows), u64::from(*columns));
            if rows * columns == 0 || rows * columns > 16 * 1024 {
                return None;
            }
            let mut leaves = Vec::new();
            for row in 0..rows {
                for column in 0..columns {
                    let (vector, index) = if *row_major || rows == 1 {
                        (row, column)
                    } else {
                        (column, row)
                    };
                    let at = vector * u64::from(*vector_stride) + index * u64::from(kind.bits / 8);
                    leaves.push((base + at, kind));
                }
            }
            let ty = if rows == 1 {
                SourceType::vector(kind, columns as usize)
            } else {
                SourceType::matrix(kind, rows as usize, columns as usize)
            };
            Some((ty, leaves))
        }
    }
}

/// Returns a field of a `cbuffer`, whose fields are names of their own.
pub(crate) fn constant_field(
    program: &Program<'_>,
    moment: &Moment<'_>,
    name: &str,
) -> Option<Value> {
    let buffers = all(program).filter(|resource| resource.declared.kind == ResourceKind::CBuffer);
    for buffer in buffers {
        let layout = buffer.declared.layout.as_ref();
        let has_it = layout.is_some_and(|layout| layout.fields.iter().any(|f| f.name == name));
        if !has_it {
            continue;
        }
        let value = buffer.constants(moment)?;
        if let Shape::Struct(members) = &value.ty.shape
            && let Some(member) = members.iter().find(|member| member.name == name)
        {
            return value.part(&member.ty, member.first);
        }
    }
    None
}
