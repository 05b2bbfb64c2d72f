//! Types of a SPIR-V module as layouts of buffers.

use dxil_frontend::tables::HashMap;

use dxil_frontend::dxil::ComponentType;
use dxil_frontend::reflection::{Layout, LayoutField, LayoutType};
use dxil_runtime::Format;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Decoration, ImageFormat, Op};

/// Maximum depth of structures and arrays within each other. A valid module has no cycles; this
/// ends the search in others.
const MAX_DEPTH: u32 = 32;

/// Types, constants, names and decorations of a module by id.
pub(crate) struct Types<'a> {
    instructions: HashMap<u32, &'a Instruction>,
    names: HashMap<u32, &'a str>,
    member_names: HashMap<(u32, u32), &'a str>,
    /// Decorations with their number, 0 where they have none.
    decorations: HashMap<(u32, Decoration), u32>,
    member_decorations: HashMap<(u32, u32, Decoration), u32>,
}

impl<'a> Types<'a> {
    /// Collects what a module says.
    pub(crate) fn of(module: &'a Module) -> Self {
        let globals = module.types_global_values.iter();
        let mut types = Types {
            instructions: globals
                .filter_map(|inst| Some((inst.result_id?, inst)))
                .collect(),
            names: HashMap::default(),
            member_names: HashMap::default(),
            decorations: HashMap::default(),
            member_decorations: HashMap::default(),
        };
        for name in &module.debug_names {
            match name.operands.as_slice() {
                [Operand::IdRef(id), Operand::LiteralString(text)] => {
                    types.names.insert(*id, text);
                }
                [
                    Operand::IdRef(id),
                    Operand::LiteralBit32(member),
                    Operand::LiteralString(text),
                ] => {
                    types.member_names.insert((*id, *member), text);
                }
                _ => {}
            }
        }
        let number = |operands: &[Operand]| match operands.first() {
            Some(Operand::LiteralBit32(number)) => *number,
            _ => 0,
        };
        for annotation in &module.annotations {
            match annotation.operands.as_slice() {
                [
                    Operand::IdRef(id),
                    Operand::Decoration(decoration),
                    rest @ ..,
                ] => {
                    types.decorations.insert((*id, *decoration), number(rest));
                }
                [
                    Operand::IdRef(id),
                    Operand::LiteralBit32(member),
                    Operand::Decoration(decoration),
                    rest @ ..,
                ] => {
                    let key = (*id, *member, *decoration);
                    types.member_decorations.insert(key, number(rest));
                }
                _ => {}
            }
        }
        types
    }

    /// Returns the instruction that defines a type or constant.
    pub(crate) fn instruction(&self, id: u32) -> Option<&'a Instruction> {
        self.instructions.get(&id).copied()
    }

    /// Returns the opcode of that instruction.
    pub(crate) fn opcode(&self, id: u32) -> Option<Op> {
        self.instruction(id).map(|inst| inst.class.opcode)
    }

    /// Returns the operands of that instruction.
    pub(crate) fn operands(&self, id: u32) -> &'a [Operand] {
        self.instruction(id)
            .map_or(&[][..], |inst| inst.operands.as_slice())
    }

    /// Returns a name from debug instructions, if it is not empty.
    pub(crate) fn name(&self, id: u32) -> Option<&'a str> {
        self.names.get(&id).copied().filter(|name| !name.is_empty())
    }

    /// Returns the number of a decoration, 0 for one without a number.
    pub(crate) fn decoration(&self, id: u32, decoration: Decoration) -> Option<u32> {
        self.decorations.get(&(id, decoration)).copied()
    }

    /// Returns the type that a pointer points to.
    pub(crate) fn pointee(&self, pointer: u32) -> Option<u32> {
        match (self.opcode(pointer)?, self.operands(pointer)) {
            (Op::TypePointer, [_, Operand::IdRef(ty)]) => Some(*ty),
            _ => None,
        }
    }

    /// Returns element type and length of an array; the length of a runtime array is `None`.
    pub(crate) fn array(&self, ty: u32) -> Option<(u32, Option<u32>)> {
        match (self.opcode(ty)?, self.operands(ty)) {
            (Op::TypeArray, [Operand::IdRef(element), Operand::IdRef(length)]) => {
                Some((*element, Some(self.constant(*length)?)))
            }
            (Op::TypeRuntimeArray, [Operand::IdRef(element)]) => Some((*element, None)),
            _ => None,
        }
    }

    fn constant(&self, id: u32) -> Option<u32> {
        match self.operands(id) {
            [Operand::LiteralBit32(value)] => Some(*value),
            _ => None,
        }
    }

    fn members(&self, ty: u32) -> Option<Vec<u32>> {
        let members = match self.opcode(ty)? {
            Op::TypeStruct => self.operands(ty).iter(),
            _ => return None,
        };
        let members = members.map(|operand| match operand {
            Operand::IdRef(member) => Some(*member),
            _ => None,
        });
        members.collect()
    }

    /// Returns whether all members of a structure have a decoration.
    pub(crate) fn all_members_have(&self, ty: u32, decoration: Decoration) -> bool {
        let count = self.members(ty).map_or(0, |members| members.len() as u32);
        let has = |member| {
            self.member_decorations
                .contains_key(&(ty, member, decoration))
        };
        count > 0 && (0..count).all(has)
    }

    /// Returns the layout of a block.
    pub(crate) fn layout(&self, ty: u32) -> Option<Layout> {
        let fields = self.fields(ty, 0)?;
        let ends = fields.iter().map(|f| f.offset.saturating_add(f.size));
        Some(Layout {
            size: ends.max().unwrap_or(0),
            fields,
        })
    }

    /// Returns the layout of an element of a storage block whose only member is a runtime array.
    pub(crate) fn elements_of_block(&self, ty: u32) -> Option<Layout> {
        let members = self.members(ty)?;
        let [array] = members.as_slice() else {
            return None;
        };
        let (element, None) = self.array(*array)? else {
            return None;
        };
        let size = self.decoration(*array, Decoration::ArrayStride)?;
        let fields = match self.fields(element, 0) {
            Some(fields) => fields,
            None => {
                let ty = self.field_type(element, None, 0)?;
                let size = ty.size();
                vec![LayoutField {
                    name: String::new(),
                    offset: 0,
                    size,
                    array: Vec::new(),
                    stride: 0,
                    ty,
                    is_used: None,
                }]
            }
        };
        Some(Layout { size, fields })
    }

    /// Returns the fields of a structure; `None` for other types and for members without an offset.
    fn fields(&self, ty: u32, depth: u32) -> Option<Vec<LayoutField>> {
        let members = self.members(ty)?;
        let fields = (0u32..).zip(members).map(|(index, member)| {
            let offset = *self
                .member_decorations
                .get(&(ty, index, Decoration::Offset))?;
            self.field((ty, index), member, offset, depth)
        });
        let mut fields = fields.collect::<Option<Vec<_>>>()?;
        // SPIR-V lets members be declared in another order than they lie in memory.
        fields.sort_by_key(|field| field.offset);
        Some(fields)
    }

    fn field(
        &self,
        (parent, index): (u32, u32),
        ty: u32,
        offset: u32,
        depth: u32,
    ) -> Option<LayoutField> {
        let name = self.member_names.get(&(parent, index)).copied();
        let name = name.filter(|name| !name.is_empty());
        let mut element = ty;
        let mut array = Vec::new();
        let mut stride = 0;
        while let Some((inner, length)) = self.array(element) {
            // The stride of the innermost array is that of the elements.
            stride = self.decoration(element, Decoration::ArrayStride)?;
            array.push(length?);
            element = inner;
            // A malformed module may have an array of itself.
            if array.len() as u32 > MAX_DEPTH {
                return None;
            }
        }
        let ty = self.field_type(element, Some((parent, index)), depth)?;
        let count = array.iter().fold(1u32, |all, n| all.saturating_mul(*n));
        let size = match count {
            0 => 0,
            count => stride.saturating_mul(count - 1).saturating_add(ty.size()),
        };
        Some(LayoutField {
            name: name.map_or_else(|| format!("f{index}"), str::to_owned),
            offset,
            size,
            array,
            stride,
            ty,
            is_used: None,
        })
    }

    /// Returns the type of a member, or of an element that no structure holds.
    fn field_type(&self, ty: u32, member: Option<(u32, u32)>, depth: u32) -> Option<LayoutType> {
        if depth > MAX_DEPTH {
            return None;
        }
        let numeric = |scalar: u32, rows, columns, row_major, vector_stride| {
            Some(LayoutType::Numeric {
                component: component_of(self.instruction(scalar))?,
                rows,
                columns,
                row_major,
                vector_stride,
            })
        };
        match (self.opcode(ty)?, self.operands(ty)) {
            (Op::TypeStruct, _) => Some(LayoutType::Struct {
                name: self.name(ty).unwrap_or_default().to_owned(),
                fields: self.fields(ty, depth + 1)?,
            }),
            (Op::TypeInt | Op::TypeFloat, _) => numeric(ty, 1, 1, true, 0),
            (Op::TypeVector, [Operand::IdRef(scalar), Operand::LiteralBit32(count)]) => {
                numeric(*scalar, 1, *count, true, 0)
            }
            (Op::TypeMatrix, [Operand::IdRef(column), Operand::LiteralBit32(columns)]) => {
                let [Operand::IdRef(scalar), Operand::LiteralBit32(rows)] = self.operands(*column)
                else {
                    return None;
                };
                let (parent, index) = member?;
                let of = |decoration| self.member_decorations.get(&(parent, index, decoration));
                let stride = *of(Decoration::MatrixStride)?;
                let row_major = of(Decoration::RowMajor).is_some();
                numeric(*scalar, *rows, *columns, row_major, stride)
            }
            _ => None,
        }
    }
}

/// Returns the component type of a numeric type.
pub(crate) fn component_of(ty: Option<&Instruction>) -> Option<ComponentType> {
    use ComponentType as C;
    let ty = ty?;
    Some(match (ty.class.opcode, ty.operands.as_slice()) {
        (Op::TypeFloat, [Operand::LiteralBit32(bits), ..]) => match bits {
            16 => C::F16,
            32 => C::F32,
            64 => C::F64,
            _ => return None,
        },
        (Op::TypeInt, [Operand::LiteralBit32(bits), Operand::LiteralBit32(signed)]) => {
            match (bits, signed) {
                (16, 0) => C::U16,
                (16, _) => C::I16,
                (32, 0) => C::U32,
                (32, _) => C::I32,
                (64, 0) => C::U64,
                (64, _) => C::I64,
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Returns the format of a storage image that a module declares; `None` where it declares none.
pub(crate) fn texel_format(format: ImageFormat) -> Option<Format> {
    use ImageFormat as I;
    Some(match format {
        I::Rgba32f => Format::Rgba32Float,
        I::Rgba16f => Format::Rgba16Float,
        I::R32f => Format::R32Float,
        I::Rgba8 => Format::Rgba8Unorm,
        I::Rgba8Snorm => Format::Rgba8Snorm,
        I::Rg32f => Format::Rg32Float,
        I::Rg16f => Format::Rg16Float,
        I::R11fG11fB10f => Format::Rg11b10Float,
        I::R16f => Format::R16Float,
        I::Rgba16 => Format::Rgba16Unorm,
        I::Rgb10A2 => Format::Rgb10a2Unorm,
        I::Rg16 => Format::Rg16Unorm,
        I::Rg8 => Format::Rg8Unorm,
        I::R16 => Format::R16Unorm,
        I::R8 => Format::R8Unorm,
        I::Rgba16Snorm => Format::Rgba16Snorm,
        I::Rg16Snorm => Format::Rg16Snorm,
        I::Rg8Snorm => Format::Rg8Snorm,
        I::R16Snorm => Format::R16Snorm,
        I::R8Snorm => Format::R8Snorm,
        I::Rgba32i => Format::Rgba32Sint,
        I::Rgba16i => Format::Rgba16Sint,
        I::Rgba8i => Format::Rgba8Sint,
        I::R32i => Format::R32Sint,
        I::Rg32i => Format::Rg32Sint,
        I::Rg16i => Format::Rg16Sint,
        I::Rg8i => Format::Rg8Sint,
        I::R16i => Format::R16Sint,
        I::R8i => Format::R8Sint,
        I::Rgba32ui => Format::Rgba32Uint,
        I::Rgba16ui => Format::Rgba16Uint,
        I::Rgba8ui => Format::Rgba8Uint,
        I::R32ui => Format::R32Uint,
        I::Rgb10a2ui => Format::Rgb10a2Uint,
        I::Rg32ui => Format::Rg32Uint,
        I::Rg16ui => Format::Rg16Uint,
        I::Rg8ui => Format::Rg8Uint,
        I::R16ui => Format::R16Uint,
        I::R8ui => Format::R8Uint,
        I::R64ui => Format::R64Uint,
        I::R64i => Format::R64Sint,
        I::Unknown => return None,
    })
}
