//! Instructions and operands as records, and the fields of their tokens (D3D's tokenized program
//! format, "OpcodeToken0", "OperandToken0").

use super::opcode::Opcode;
use crate::dxil::ResourceKind;
use crate::enumeration::enumeration;

enumeration! {
    /// The register file of an operand.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[allow(missing_docs, reason = "D3D's own names")]
    File from u32 {
        Temp = 0,
        Input = 1,
        Output = 2,
        IndexableTemp = 3,
        Immediate32 = 4,
        Immediate64 = 5,
        Sampler = 6,
        Resource = 7,
        ConstantBuffer = 8,
        ImmediateConstantBuffer = 9,
        Label = 10,
        InputPrimitiveId = 11,
        OutputDepth = 12,
        Null = 13,
        Rasterizer = 14,
        OutputCoverageMask = 15,
        Stream = 16,
        FunctionBody = 17,
        FunctionTable = 18,
        Interface = 19,
        FunctionInput = 20,
        FunctionOutput = 21,
        OutputControlPointId = 22,
        InputForkInstanceId = 23,
        InputJoinInstanceId = 24,
        InputControlPoint = 25,
        OutputControlPoint = 26,
        InputPatchConstant = 27,
        InputDomainPoint = 28,
        ThisPointer = 29,
        UnorderedAccessView = 30,
        GroupShared = 31,
        ThreadId = 32,
        ThreadGroupId = 33,
        ThreadIdInGroup = 34,
        InputCoverageMask = 35,
        ThreadIdInGroupFlattened = 36,
        GsInstanceId = 37,
        OutputDepthGreaterEqual = 38,
        OutputDepthLessEqual = 39,
        CycleCounter = 40,
        OutputStencilRef = 41,
        InnerCoverage = 42,
    }
}

impl File {
    /// Returns whether these registers are resources or samplers, which shader model 5.1 has in
    /// ranges.
    pub(super) fn is_resource(self) -> bool {
        matches!(
            self,
            File::Resource | File::Sampler | File::UnorderedAccessView | File::ConstantBuffer
        )
    }
}

/// The components of a register that an operand names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Components {
    /// It has none (samplers, labels, the null register).
    None,
    /// It has just one.
    One,
    /// Those whose bits are set.
    Mask(u8),
    /// One each for x, y, z and w.
    Swizzle([u8; 4]),
    /// This one for all.
    Select(u8),
}

impl Components {
    /// Returns the component for the n-th one of the destination.
    pub fn source(self, component: u8) -> u8 {
        match self {
            Components::Swizzle(swizzle) => {
                swizzle.get(usize::from(component)).copied().unwrap_or(0)
            }
            Components::Select(one) => one,
            Components::Mask(_) => component,
            Components::None | Components::One => 0,
        }
    }

    /// Returns the components that may be read or written.
    pub fn named(self) -> u8 {
        match self {
            Components::Swizzle(swizzle) => {
                let bits = swizzle.iter().map(|component| 1 << (component & 3));
                bits.fold(0, |all, bit| all | bit)
            }
            other => other.mask(),
        }
    }

    /// Returns the components that are written.
    pub fn mask(self) -> u8 {
        match self {
            Components::Mask(mask) => mask,
            Components::Select(one) => 1 << (one & 3),
            Components::Swizzle(_) => 0xf,
            Components::One => 1,
            Components::None => 0,
        }
    }
}

/// The range of an [`super::Program`]'s operands or words that belong to an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First one.
    pub start: u32,
    /// Number of tokens.
    pub len: u32,
}

impl Span {
    /// Returns the span as an index range.
    pub fn range(self) -> std::ops::Range<usize> {
        let start = self.start as usize;
        start..start.saturating_add(self.len as usize)
    }
}

/// An index of an operand: a number, a register's component, or their sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OperandIndex {
    /// The constant part.
    pub offset: u32,
    /// The operand that is added: a place in [`super::Program::operands`].
    pub relative: Option<u32>,
}

/// The modifier of a source operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Modifiers {
    /// Its absolute value is taken first.
    pub absolute: bool,
    /// It is negated.
    pub negate: bool,
    /// Minimum precision: D3D's number, 0 for 32 bits.
    pub min_precision: u8,
    /// The index may differ between lanes.
    pub non_uniform: bool,
}

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// Register file.
    pub file: File,
    /// The components.
    pub components: Components,
    /// Modifiers.
    pub modifiers: Modifiers,
    /// Number of indices.
    pub dimensions: u8,
    /// The indices; those beyond `dimensions` are 0.
    pub indices: [OperandIndex; 3],
    /// Immediate words: one or four; of doubles two or four, low word first.
    pub words: [u32; 4],
}

impl Operand {
    /// Returns the indices that it has.
    pub fn indices(&self) -> &[OperandIndex] {
        self.indices
            .get(..usize::from(self.dimensions))
            .unwrap_or_default()
    }

    /// Returns the first index's number.
    pub fn first_index(&self) -> u32 {
        self.indices[0].offset
    }

    /// Returns whether it is an immediate.
    pub fn is_immediate(&self) -> bool {
        matches!(self.file, File::Immediate32 | File::Immediate64)
    }
}

enumeration! {
    /// Dimension of a resource.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[allow(missing_docs, reason = "D3D's own names")]
    Dimension from u32 {
        Unknown = 0,
        Buffer = 1,
        Texture1D = 2,
        Texture2D = 3,
        Texture2DMS = 4,
        Texture3D = 5,
        TextureCube = 6,
        Texture1DArray = 7,
        Texture2DArray = 8,
        Texture2DMSArray = 9,
        TextureCubeArray = 10,
        RawBuffer = 11,
        StructuredBuffer = 12,
    }
}

impl Dimension {
    /// Returns whether texels have samples.
    pub(super) fn is_multisampled(self) -> bool {
        matches!(self, Dimension::Texture2DMS | Dimension::Texture2DMSArray)
    }

    /// Returns the kind of a typed resource of that dimension; `None` for raw and structured
    /// buffers.
    pub(super) fn typed_kind(self) -> Option<ResourceKind> {
        Some(match self {
            Dimension::Buffer => ResourceKind::TypedBuffer,
            Dimension::Texture1D => ResourceKind::Texture1D,
            Dimension::Texture2D => ResourceKind::Texture2D,
            Dimension::Texture2DMS => ResourceKind::Texture2DMS,
            Dimension::Texture3D => ResourceKind::Texture3D,
            Dimension::TextureCube => ResourceKind::TextureCube,
            Dimension::Texture1DArray => ResourceKind::Texture1DArray,
            Dimension::Texture2DArray => ResourceKind::Texture2DArray,
            Dimension::Texture2DMSArray => ResourceKind::Texture2DMSArray,
            Dimension::TextureCubeArray => ResourceKind::TextureCubeArray,
            Dimension::Unknown | Dimension::RawBuffer | Dimension::StructuredBuffer => return None,
        })
    }
}

/// The contents of extended opcode tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extended {
    /// Offsets in texels, -8 to 7; 0 where there is no token for them.
    pub offsets: [i8; 3],
    /// Whether there is a token for offsets, of which all may be 0.
    pub has_offsets: bool,
    /// Dimension of the resource, and the stride of a structured buffer.
    pub dimension: Option<(Dimension, u32)>,
    /// Return types of the resource, four bits each.
    pub return_types: Option<u16>,
}

/// An instruction or declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// Its operation.
    pub opcode: Opcode,
    /// The first token, which has the opcode's controls.
    pub token: u32,
    /// Extended tokens.
    pub extended: Extended,
    /// Its operands in [`super::Program::operands`].
    pub operands: Span,
    /// Its plain tokens in [`super::Program::words`].
    pub words: Span,
    /// Byte offset in the input.
    pub offset: u32,
}

impl Instruction {
    /// Returns the bits `first..first + count` of the first token.
    pub fn control(&self, first: u32, count: u32) -> u32 {
        (self.token >> first) & ((1 << count) - 1)
    }

    /// Returns whether results are clamped to 0 to 1.
    pub fn saturates(&self) -> bool {
        self.control(13, 1) != 0
    }

    /// Returns whether a condition holds if a bit is set; otherwise if none is.
    pub fn tests_nonzero(&self) -> bool {
        self.control(18, 1) != 0
    }

    /// Returns the components whose value must be computed exactly as written.
    pub fn precise_mask(&self) -> u32 {
        self.control(19, 4)
    }
}
