//! The function being rewritten.

use dxil_frontend::dxil::Shader;
use dxil_frontend::ir::{BlockId, FuncId, FuncView, TypeId, ValueData, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::vectors::rules::Written;
use crate::vectors::tables::ModuleTables;
use crate::vectors::whole_vectors::WholeVectors;

/// A range of the pool of elements.
#[derive(Debug, Clone, Copy)]
pub(in crate::vectors) struct Elements {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Elements {
    pub(in crate::vectors) fn len(self) -> u32 {
        self.len
    }
}

/// A constant scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::vectors) enum Plain {
    Undef,
    Int(u64),
    Float(u64),
}

/// The function being rewritten.
pub(in crate::vectors) struct VectorRewrite<'a, 't, 'm> {
    pub(in crate::vectors) shader: &'a Shader,
    /// The function as it was.
    pub(in crate::vectors) old: FuncView<'a>,
    pub(in crate::vectors) tables: &'t mut ModuleTables<'m>,
    /// The function's values, and those that come to them.
    pub(in crate::vectors) values: Vec<ValueData>,
    pub(in crate::vectors) value_pool: Vec<ValueId>,
    pub(in crate::vectors) edge_pool: Vec<(ValueId, BlockId)>,
    pub(in crate::vectors) number_pool: Vec<u64>,
    /// Elements of vectors.
    pub(in crate::vectors) elements: HashMap<ValueId, Elements>,
    pub(in crate::vectors) pool: Vec<ValueId>,
    /// Scalars that are elements of vectors.
    pub(in crate::vectors) replaced: HashMap<ValueId, ValueId>,
    pub(in crate::vectors) constants: HashMap<(TypeId, Plain), ValueId>,
    /// Operations as values.
    pub(in crate::vectors) functions: HashMap<FuncId, ValueId>,
    /// The number of uses of each vector.
    pub(in crate::vectors) uses: HashMap<ValueId, u32>,
    /// The vectors that stay whole.
    pub(in crate::vectors) whole: WholeVectors,
    /// Vectors that stay whole, besides constants.
    pub(in crate::vectors) kept: HashSet<ValueId>,
    /// Vectors as whole values.
    pub(in crate::vectors) wholes: HashMap<ValueId, ValueId>,
    /// Vectors that are used as wholes.
    pub(in crate::vectors) whole_uses: HashSet<ValueId>,
    /// Loads from buffers whose vectors are used as wholes.
    pub(in crate::vectors) whole_loads: HashSet<ValueId>,
    /// Vectors that were taken apart in the block being written, whose elements are known there
    /// only.
    pub(in crate::vectors) apart_here: Vec<ValueId>,
    /// Vectors of which a computed index picks an element, and the variables they are written to.
    pub(in crate::vectors) picked: HashSet<ValueId>,
    pub(in crate::vectors) variables: HashMap<ValueId, ValueId>,
    /// Results of vector loads: the first of the loads that they became.
    pub(in crate::vectors) vector_loads: HashMap<ValueId, ValueId>,
    /// Variables, at the start of the function.
    pub(in crate::vectors) allocas: Vec<Written>,
    /// Code at the start of the function.
    pub(in crate::vectors) prologue: Vec<Written>,
    /// The block being written.
    pub(in crate::vectors) code: Vec<Written>,
    /// Phis to be written to variables after the last phi of the block.
    pub(in crate::vectors) pending: Vec<ValueId>,
    /// Operands of phis to be filled in: block, place, and the element, if the vector is not whole.
    pub(in crate::vectors) phis: Vec<(BlockId, usize, Option<u32>)>,
}
