//! The numbers of what a stage declares. Metadata, PSV0 and the tokens of DXBC share them (DXIL
//! document, "Metadata"; D3D11.3 functional specification, "Shader Instruction Reference").

use super::MeshTopology;
use super::{
    DomainShape, InputPrimitive, OutputTopology, TessellatorOutput, TessellatorPartitioning,
};

macro_rules! numbered {
    ($($ty:ident { $($number:literal => $variant:ident),* })*) => { $(
        impl $ty {
            /// Returns the enumerator with that number; `None` if there is none.
            pub fn from_number(number: u64) -> Option<Self> {
                Some(match number {
                    $($number => $ty::$variant,)*
                    _ => return None,
                })
            }

            /// Returns the enumerator's number.
            pub fn number(self) -> u8 {
                match self {
                    $($ty::$variant => $number,)*
                }
            }
        }
    )* };
}

numbered! {
    OutputTopology {
        0 => Undefined, 1 => PointList, 2 => LineList, 3 => LineStrip, 4 => TriangleList,
        5 => TriangleStrip
    }
    MeshTopology { 0 => Undefined, 1 => Line, 2 => Triangle }
    DomainShape { 0 => Undefined, 1 => IsoLine, 2 => Tri, 3 => Quad }
    TessellatorPartitioning {
        0 => Undefined, 1 => Integer, 2 => Pow2, 3 => FractionalOdd, 4 => FractionalEven
    }
    TessellatorOutput { 0 => Undefined, 1 => Point, 2 => Line, 3 => TriangleCw, 4 => TriangleCcw }
}

impl InputPrimitive {
    /// Returns the primitive with that number; `None` if there is none.
    pub fn from_number(number: u64) -> Option<Self> {
        Some(match number {
            0 => InputPrimitive::Undefined,
            1 => InputPrimitive::Point,
            2 => InputPrimitive::Line,
            3 => InputPrimitive::Triangle,
            6 => InputPrimitive::LineAdjacency,
            7 => InputPrimitive::TriangleAdjacency,
            8..=39 => InputPrimitive::Patch(u8::try_from(number - 7).ok()?),
            _ => return None,
        })
    }

    /// Returns the primitive's number.
    pub fn number(self) -> u8 {
        match self {
            InputPrimitive::Undefined => 0,
            InputPrimitive::Point => 1,
            InputPrimitive::Line => 2,
            InputPrimitive::Triangle => 3,
            InputPrimitive::LineAdjacency => 6,
            InputPrimitive::TriangleAdjacency => 7,
            InputPrimitive::Patch(points) => points.saturating_add(7),
        }
    }
}
