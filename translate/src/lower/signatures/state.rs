//! Stage inputs and outputs in use: the data, without the code that works on it.

use dxil_frontend::dxil::SemanticKind;
use dxil_frontend::tables::HashMap;

use crate::lower::type_map::Scalar;
use crate::spirv::{BuiltIn, Id, StorageClass};

/// The signature that an element belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::lower) enum Direction {
    /// Inputs of the stage.
    Input,
    /// Outputs of the stage.
    Output,
    /// Patch constants, which a hull shader writes and a domain shader reads; a mesh shader's
    /// outputs per primitive.
    Patch,
}

/// A signature element in SPIR-V.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct InterfaceVariable {
    pub(in crate::lower) variable: Id,
    pub(in crate::lower) class: StorageClass,
    /// Scalar of the variable.
    pub(in crate::lower) scalar: Scalar,
    /// Type of one vertex's value.
    pub(super) ty: Id,
    pub(in crate::lower) variable_type: VariableType,
    /// Components of a row, 1 to 4.
    pub(in crate::lower) columns: u32,
    pub(super) adjust: Adjust,
    /// Whether it is an array over vertices or control points.
    pub(super) arrayed: bool,
}

/// The shape in which the variable's type is built from the scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum VariableType {
    /// A scalar.
    Scalar,
    /// A vector.
    Vector,
    /// An array of scalars or vectors, one per row.
    Rows {
        /// Each row is a vector.
        vectors: bool,
    },
    /// An array of scalars: row after row, from `base` on (clip and cull distances).
    Flat {
        /// First scalar.
        base: u32,
        /// Scalars per row.
        columns: u32,
    },
    /// An array of one scalar (sample mask).
    One,
}

/// The variables of an element's rows, where the whole cannot be one variable of its type.
#[derive(Debug)]
pub(in crate::lower) struct RowVariables {
    /// Inputs or outputs.
    pub(in crate::lower) direction: Direction,
    /// The variable that the code of the shader accesses.
    pub(in crate::lower) inner: Id,
    /// Whether that is an array of rows, or the only row.
    pub(in crate::lower) is_array: bool,
    /// Type of a row.
    pub(in crate::lower) row_ty: Id,
    /// Type of the variable of a row: that, or the same with a sign.
    pub(in crate::lower) outer_ty: Id,
    /// One per row.
    pub(in crate::lower) variables: Vec<Id>,
}

/// Components that a signature element occupies.
#[derive(Debug)]
pub(super) struct Claim {
    /// Signature, and the index of dual-source blending.
    pub(super) space: (Direction, Option<u32>),
    pub(super) locations: std::ops::Range<u32>,
    /// Bit per component.
    pub(super) components: u32,
}

/// Input and output variables of the module that is being built.
#[derive(Debug, Default)]
pub(in crate::lower) struct StageIo {
    pub(super) built_ins: Vec<(StorageClass, BuiltIn, Id)>,
    /// Signature elements in use.
    pub(super) elements: HashMap<(Direction, u32), InterfaceVariable>,
    /// The locations that the variables of elements occupy.
    pub(super) claims: Vec<Claim>,
    /// Arrays that have a variable per row.
    pub(in crate::lower) rows: Vec<RowVariables>,
    /// Variables that are written together with output elements.
    pub(super) copies: Vec<OutputCopy>,
    /// The next free location after all outputs, once it was needed.
    pub(super) next_output: Option<u32>,
    /// Components of an output that wait for the others.
    pub(in crate::lower) waiting: Option<Waiting>,
    /// Whether an input is declared that makes the pixel shader run per sample.
    pub(super) per_sample: bool,
    /// Whether the pixel shader writes a stencil reference.
    pub(in crate::lower) stencil_output: bool,
    /// The kind of depth that the pixel shader writes.
    pub(in crate::lower) depth_output: Option<SemanticKind>,
    /// Whether lanes exchange values after they may have taken different paths.
    pub(in crate::lower) convergent: bool,
    /// Whether lanes read their neighbours in the quad (derivatives, implicit levels) where not all
    /// lanes come.
    pub(in crate::lower) gradients: bool,
    /// Whether derivatives are taken in a stage with thread groups.
    pub(in crate::lower) derivatives: bool,
}

/// A variable that is written together with an output element.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutputCopy {
    /// The element.
    pub(super) element: u32,
    /// The one row it copies; `None` copies all.
    pub(super) row: Option<u32>,
    /// First column it copies.
    pub(super) first_column: u32,
    /// Columns it copies.
    pub(super) columns: u32,
    pub(super) interface: InterfaceVariable,
}

/// The difference between D3D's system value and SPIR-V's built-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adjust {
    /// Nothing.
    None,
    /// The built-in counts from the draw's first vertex or instance; this variable holds it.
    Minus(Id),
    /// `w` is the reciprocal.
    ReciprocalW,
    /// A boolean: all ones if true.
    Bool,
}

/// Components of one row of an output, gathered into one store.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Waiting {
    pub(in crate::lower) interface: InterfaceVariable,
    pub(in crate::lower) row: Id,
    /// Vertex or primitive of a mesh shader.
    pub(in crate::lower) vertex: Option<Id>,
    /// Components that are there.
    pub(in crate::lower) values: [Id; 4],
}
