//! Matrices of single threads and of thread groups (preview shader model 6.10, HLSL proposal 0035)
//! as scalars, before vectors become scalars.
//!
//! Vulkan's cooperative matrices belong to waves (`lower/waves/linalg`). Of the other scopes each
//! element is a word of the thread: the bits of a float, or an integer of 32 bits that holds the
//! component's value. The first thread of a group holds the group's matrices; the other threads
//! compute the same with their own copies, which nobody sees. Operations on vectors (conversion,
//! accumulation) have no matrix and are rewritten, too.
//!
//! * [`numbers`]: components as words, and arithmetic.
//! * [`memory`]: buffers and groupshared arrays.
//! * [`operations`]: one arm for each operation.

mod memory;
mod numbers;
mod operations;

use dxil_frontend::dxil::ops::{Callee, LinAlgOp, Op, decode, op_arguments};
use dxil_frontend::dxil::{MatrixScope, MatrixType, Shader, matrix_types};
use dxil_frontend::ir::{
    Constant, FuncId, FuncView, Function, Inst, InstData, TypeId, ValueDef, ValueId,
};
use dxil_frontend::tables::HashMap;

use crate::vectors::ModuleTables;
use crate::vendor::writer::FunctionWriter;
use crate::{Error, Options, Result};

/// Maximum number of elements of a matrix. Each is a value of the module.
const MAX_ELEMENTS: usize = 1 << 10;

/// Returns the shader without matrices of threads and thread groups, if it has operations on
/// matrices or on vectors that are taken for their rows.
pub(crate) fn scalarize_matrices(
    shader: &Shader,
    functions: &[FuncId],
    options: &Options,
) -> Result<Option<Box<Shader>>> {
    let declared = shader.module.functions.iter().any(|(id, decl)| {
        matches!(shader.callees[id], Callee::DxOp(_)) && decl.name.starts_with("dx.op.linAlg")
    });
    // Without leave the lowering refuses the operations by name.
    if !declared || !options.preview {
        return Ok(None);
    }
    let types = matrix_types(&shader.module);
    let mut changed = Box::new(shader.clone());
    let mut tables = ModuleTables::new(&mut changed.module, &mut changed.callees);
    let mut bodies = Vec::new();
    for &id in functions {
        if let Some(view) = shader.view(id) {
            let pass = MatrixScalarizer {
                shader,
                view,
                types: &types,
                w: FunctionWriter::new(view, &mut tables),
                matrices: HashMap::default(),
                placeholders: HashMap::default(),
                loaded: HashMap::default(),
            };
            let body = pass.run().map_err(|mut error| {
                error.location_mut().function = Some(id);
                error
            })?;
            bodies.push((id, body));
        }
    }
    for (id, body) in bodies {
        let slot = changed.module.functions.get(id).and_then(|decl| decl.body);
        if let Some(slot) = slot.and_then(|index| changed.module.bodies.get_mut(index as usize)) {
            *slot = body;
        }
    }
    Ok(Some(changed))
}

/// The pass over a function.
struct MatrixScalarizer<'a, 't, 'm> {
    shader: &'a Shader,
    view: FuncView<'a>,
    types: &'a HashMap<TypeId, MatrixType>,
    w: FunctionWriter<'a, 't, 'm>,
    /// The elements of each matrix, row by row.
    matrices: HashMap<ValueId, Vec<ValueId>>,
    /// Values that stand for the elements of matrices that come later.
    placeholders: HashMap<ValueId, Vec<ValueId>>,
    /// Words of a buffer that the operation at hand has loaded, by line and place.
    loaded: HashMap<(u32, u32), ValueId>,
}

impl MatrixScalarizer<'_, '_, '_> {
    fn run(mut self) -> Result<Function> {
        for block in 0..self.w.blocks() {
            for line in self.w.take_block(block) {
                if !self.rewrites(&line.data)? {
                    self.w.keep(line);
                }
            }
            self.w.end_block(block);
        }
        Ok(self.w.finish())
    }

    /// Writes an instruction anew if it is one on matrices or their vectors; returns whether it is.
    fn rewrites(&mut self, data: &InstData) -> Result<bool> {
        let result = data.result.expand();
        if let Some(args) = op_arguments(self.view, &self.shader.callees, &data.inst)
            && let Ok(Op::LinAlg(op)) = decode(self.view, args)
        {
            return self.rewrites_operation(&op, data);
        }
        let matrix = self.matrix_type(data.ty);
        match (data.inst, matrix, result) {
            (Inst::Phi { incoming }, Some(matrix), Some(result)) => {
                let edges = self.view.function.edges_of(incoming).to_vec();
                let mut all = Vec::with_capacity(edges.len());
                for (value, block) in edges {
                    all.push((self.elements(value)?, block));
                }
                let mut phis = Vec::new();
                for element in 0..count(&matrix)? {
                    let of = |(elements, block): &(Vec<ValueId>, _)| {
                        elements.get(element).map(|element| (*element, *block))
                    };
                    let edges: Vec<_> = all.iter().filter_map(of).collect();
                    phis.push(self.w.phi(&edges)?);
                }
                self.define(result, phis);
                Ok(true)
            }
            (
                Inst::Select {
                    condition,
                    if_true,
                    if_false,
                },
                Some(_),
                Some(result),
            ) => {
                let (yes, no) = (self.elements(if_true)?, self.elements(if_false)?);
                let mut chosen = Vec::with_capacity(yes.len());
                for (yes, no) in yes.into_iter().zip(no) {
                    chosen.push(self.w.select(condition, yes, no)?);
                }
                self.define(result, chosen);
                Ok(true)
            }
            _ if self.has_matrix(data) => Err(in_memory()),
            _ => Ok(false),
        }
    }

    /// Whether an operation is one that this pass writes, and writes it.
    fn rewrites_operation(&mut self, op: &LinAlgOp, data: &InstData) -> Result<bool> {
        let has_vectors = matches!(
            op,
            LinAlgOp::LinAlgConvert(_) | LinAlgOp::LinAlgVectorAccumulateToDescriptor(_)
        );
        if !has_vectors && !self.has_matrix(data) {
            return Ok(false);
        }
        self.loaded.clear();
        self.operation(op, data)?;
        Ok(true)
    }

    /// Returns whether the result or an operand is a matrix that this pass takes apart.
    fn has_matrix(&self, data: &InstData) -> bool {
        let mut found = self.matrix_type(data.ty).is_some();
        let function = self.view.function;
        function.for_each_operand(&data.inst, |value| {
            let ty = self.view.type_of(value);
            found |= ty.is_some_and(|ty| self.matrix_type(ty).is_some());
        });
        found
    }

    /// Returns the matrix that a type is, if this pass takes it apart.
    fn matrix_type(&self, ty: TypeId) -> Option<MatrixType> {
        let matrix = self.types.get(&ty).copied();
        matrix.filter(|matrix| matrix.scope != MatrixScope::Wave)
    }

    /// Returns the matrix type of a value.
    fn matrix(&self, value: ValueId) -> Result<MatrixType> {
        let ty = self.view.type_of(value);
        let matrix = ty.and_then(|ty| self.matrix_type(ty));
        matrix.ok_or_else(|| Error::malformed("an operation on matrices of different scopes"))
    }

    /// Returns the elements of a matrix, row by row. Those of one that comes later are put in at
    /// the end.
    fn elements(&mut self, value: ValueId) -> Result<Vec<ValueId>> {
        if let Some(known) = self.matrices.get(&value) {
            return Ok(known.clone());
        }
        let count = count(&self.matrix(value)?)?;
        let def = self.view.value(value).map(|data| data.def);
        if let Some(ValueDef::Constant(Constant::Null | Constant::Undef)) = def {
            return Ok(vec![self.w.word(0); count]);
        }
        if !matches!(def, Some(ValueDef::Inst(_))) {
            return Err(in_memory());
        }
        if let Some(known) = self.placeholders.get(&value) {
            return Ok(known.clone());
        }
        let new: Vec<ValueId> = (0..count).map(|_| self.w.undef_word()).collect();
        self.placeholders.insert(value, new.clone());
        Ok(new)
    }

    /// Sets the elements of a matrix.
    fn define(&mut self, result: ValueId, elements: Vec<ValueId>) {
        let early = self.placeholders.remove(&result).unwrap_or_default();
        for (placeholder, &element) in early.into_iter().zip(&elements) {
            self.w.replace(placeholder, element);
        }
        self.matrices.insert(result, elements);
    }
}

/// Returns the number of elements of a matrix.
///
/// # Errors
///
/// If it has more than the pass writes.
fn count(matrix: &MatrixType) -> Result<usize> {
    matrix
        .elements()
        .filter(|count| *count <= MAX_ELEMENTS)
        .ok_or_else(|| {
            let (rows, columns) = (matrix.rows, matrix.columns);
            Error::unsupported(format!(
                "a matrix of {rows} by {columns} of a thread or a thread group: up to \
                 {MAX_ELEMENTS} elements are translated"
            ))
        })
}

fn in_memory() -> Error {
    Error::unsupported("a matrix of a thread or a thread group in a variable or a call")
}
