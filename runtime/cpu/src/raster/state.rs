//! State of the fixed functions, in terms of D3D12.

use crate::resources::Comparison;

/// The way in which vertices form primitives.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum Topology {
    PointList,
    LineList,
    LineStrip,
    #[default]
    TriangleList,
    TriangleStrip,
    LineListAdjacency,
    LineStripAdjacency,
    TriangleListAdjacency,
    TriangleStripAdjacency,
    /// Patches of that many control points.
    PatchList(u32),
}

/// The faces that are culled.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum Cull {
    #[default]
    None,
    Front,
    Back,
}

/// Factor of a blend.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum BlendFactor {
    Zero,
    One,
    SourceColor,
    InverseSourceColor,
    SourceAlpha,
    InverseSourceAlpha,
    DestinationColor,
    InverseDestinationColor,
    DestinationAlpha,
    InverseDestinationAlpha,
    /// The lesser of source alpha and what destination alpha leaves.
    SourceAlphaSaturate,
    /// The draw's blend constants.
    Constant,
    InverseConstant,
    /// The last one of them.
    ConstantAlpha,
    InverseConstantAlpha,
    Source1Color,
    InverseSource1Color,
    Source1Alpha,
    InverseSource1Alpha,
}

/// Operation of a blend.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum BlendOp {
    #[default]
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
}

/// Operation on the bits of a fragment (`s`) and of what is there (`d`), of targets of unsigned
/// integers.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum LogicOp {
    Clear,
    Set,
    Copy,
    CopyInverted,
    Noop,
    Invert,
    And,
    Nand,
    Or,
    Nor,
    Xor,
    Equivalent,
    /// `s & !d`.
    AndReverse,
    /// `!s & d`.
    AndInverted,
    /// `s | !d`.
    OrReverse,
    /// `!s | d`.
    OrInverted,
}

/// The blending of a fragment's colour with the render target's.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Blend {
    /// Factors of colour: source, destination.
    pub color: (BlendFactor, BlendFactor),
    /// Operation on colour.
    pub color_op: BlendOp,
    /// Factors of alpha: source, destination.
    pub alpha: (BlendFactor, BlendFactor),
    /// Operation on alpha.
    pub alpha_op: BlendOp,
}

/// An operation on a stencil value.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs, reason = "D3D's own names")]
pub enum StencilOp {
    #[default]
    Keep,
    Zero,
    Replace,
    IncrementSaturate,
    DecrementSaturate,
    Invert,
    Increment,
    Decrement,
}

/// Stencil test and operations of one kind of face.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StencilFace {
    /// The comparison of the reference with the stored value.
    pub test: Comparison,
    /// The operation if the stencil test fails.
    pub fail: StencilOp,
    /// The operation if only the depth test fails.
    pub depth_fail: StencilOp,
    /// The operation if both tests pass.
    pub pass: StencilOp,
}

impl Default for StencilFace {
    /// Passes and changes nothing.
    fn default() -> Self {
        StencilFace {
            test: Comparison::Always,
            fail: StencilOp::Keep,
            depth_fail: StencilOp::Keep,
            pass: StencilOp::Keep,
        }
    }
}

/// State of the stencil test.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StencilState {
    /// Front faces, points and lines.
    pub front: StencilFace,
    /// Back faces.
    pub back: StencilFace,
    /// Bits that are compared.
    pub read_mask: u8,
    /// Bits that are written.
    pub write_mask: u8,
}

/// The bias that is added to the depth of each fragment.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct DepthBias {
    /// In units of the smallest depth step.
    pub constant: i32,
    /// Per unit of the steepest slope.
    pub slope: f32,
    /// Bound of the sum; 0 is none.
    pub clamp: f32,
}

/// A part of the targets that a draw goes to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Viewport {
    /// Left, top, width and height in pixels.
    pub area: [f32; 4],
    /// Depths of the near and the far plane.
    pub depths: [f32; 2],
}

impl From<[f32; 4]> for Viewport {
    /// Returns an area with the whole range of depths.
    fn from(area: [f32; 4]) -> Self {
        Viewport {
            area,
            depths: [0.0, 1.0],
        }
    }
}
