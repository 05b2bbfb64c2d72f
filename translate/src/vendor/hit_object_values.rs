//! Hit objects of vendors' operations: calls that take and return them, and the phis that they go
//! through, which were phis of words.

use dxil_frontend::dxil::ops::{Opcode, Overload};
use dxil_frontend::ir::{BlockId, Inst, List, Type, TypeId, ValueDef, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::writer::FunctionWriter;
use crate::{Error, Result};

/// The overload of an operation on a hit object.
#[derive(Debug, Clone, Copy)]
pub(super) enum HitOverload {
    None,
    Scalar(TypeId),
    /// The type that a pointer among its operands points to; each has a function of its own.
    Pointee(TypeId),
}

fn not_an_object() -> Error {
    Error::unsupported("hit objects of NVAPI in memory, in selections and as arguments")
}

impl FunctionWriter<'_, '_, '_> {
    /// Returns a call of a DXIL operation on a hit object, which comes first; it may be a word that
    /// [`FunctionWriter::settle_hit_objects`] makes one.
    pub(super) fn of_hit_object(
        &mut self,
        opcode: Opcode,
        overload: HitOverload,
        ret: TypeId,
        hit: Option<ValueId>,
        operands: &[ValueId],
    ) -> Result<ValueId> {
        let number = self.word(u32::from(opcode.number()));
        let mut args = vec![number];
        let mut params = self.types_of(&args);
        if let Some(hit) = hit {
            args.push(hit);
            params.push(self.hit_object_ty());
        }
        args.extend(operands);
        params.extend(self.types_of(operands));
        let class = opcode.properties().class;
        let like = self.view.function.id;
        let tables = &mut *self.tables;
        let void = tables.void();
        let function = match overload {
            HitOverload::None => tables.operation(class, void, ret, &params, like)?,
            HitOverload::Scalar(ty) => tables.operation(class, ty, ret, &params, like)?,
            HitOverload::Pointee(ty) => {
                let name = format!("dx.op.{class}.struct.{}", ty.as_u32());
                tables.operation_named(&name, Overload::Other, ret, &params, like)
            }
        };
        self.call(function, ret, &args)
    }

    /// Returns the type of hit objects.
    pub(super) fn hit_object_ty(&mut self) -> TypeId {
        let byte = self.tables.int(8);
        let pointer = self.tables.ty(Type::Pointer {
            pointee: byte,
            address_space: 0,
        });
        self.tables.ty(Type::Struct {
            name: Some("dx.types.HitObject".into()),
            fields: [pointer].into_iter().collect(),
            packed: false,
            opaque: false,
        })
    }

    /// Makes the phis of hit objects phis of that type, where they were phis of words: `made` are
    /// the objects, `used` what operations take for objects. Where a word comes in that is none, an
    /// empty object does.
    ///
    /// # Errors
    ///
    /// `Unsupported` if an object goes through memory, a selection or a call.
    pub(super) fn settle_hit_objects(&mut self, made: &[ValueId], used: &[ValueId]) -> Result<()> {
        if made.is_empty() && used.is_empty() {
            return Ok(());
        }
        let ty = self.hit_object_ty();
        let mut objects: FxHashSet<ValueId> = made.iter().copied().collect();
        let phis: Vec<(ValueId, List<(ValueId, BlockId)>)> = (self.draft.blocks.iter().flatten())
            .filter_map(|line| match line.data.inst {
                Inst::Phi { incoming } => Some((line.data.result.expand()?, incoming)),
                _ => None,
            })
            .collect();
        let mut users: FxHashMap<ValueId, Vec<ValueId>> = FxHashMap::default();
        for &(phi, incoming) in &phis {
            for &(value, _) in self.draft.function.edges_of(incoming) {
                let value = self.draft.resolved(value);
                users.entry(value).or_default().push(phi);
            }
        }
        let mut work = made.to_vec();
        while let Some(object) = work.pop() {
            let phis = users.remove(&object).unwrap_or_default();
            work.extend(phis.into_iter().filter(|&phi| objects.insert(phi)));
        }
        if !used
            .iter()
            .all(|&value| objects.contains(&self.draft.resolved(value)))
        {
            return Err(not_an_object());
        }
        for line in self.draft.blocks.iter_mut().flatten() {
            let result = line.data.result.expand();
            if matches!(line.data.inst, Inst::Phi { .. })
                && result.is_some_and(|result| objects.contains(&result))
            {
                line.data.ty = ty;
            }
        }
        let first = self.draft.function.first_value as usize;
        for &(phi, incoming) in &phis {
            if !objects.contains(&phi) {
                continue;
            }
            let at = (phi.as_u32() as usize).checked_sub(first);
            if let Some(data) = at.and_then(|at| self.draft.function.values.get_mut(at)) {
                data.ty = ty;
            }
            for edge in incoming.range() {
                let Some(&(value, block)) = self.draft.function.edge_pool.get(edge) else {
                    continue;
                };
                if objects.contains(&self.draft.resolved(value)) {
                    continue;
                }
                let empty = self.empty_object_at_end(block, ty)?;
                objects.insert(empty);
                if let Some(edge) = self.draft.function.edge_pool.get_mut(edge) {
                    edge.0 = empty;
                }
            }
        }
        self.no_object_escapes(&objects)
    }

    /// Writes an empty hit object before the terminator of a block.
    fn empty_object_at_end(&mut self, block: BlockId, ty: TypeId) -> Result<ValueId> {
        self.code.clear();
        let opcode = Opcode::HitObjectMakeNop;
        let empty = self.of_hit_object(opcode, HitOverload::None, ty, None, &[])?;
        let code = std::mem::take(&mut self.code);
        if let Some(lines) = self.draft.blocks.get_mut(block.as_u32() as usize) {
            let end = lines.len().saturating_sub(1);
            lines.splice(end..end, code);
        }
        Ok(empty)
    }

    fn no_object_escapes(&self, objects: &FxHashSet<ValueId>) -> Result<()> {
        for line in self.draft.blocks.iter().flatten() {
            let result = line.data.result.expand();
            let is_followed = match line.data.inst {
                Inst::Phi { .. } => result.is_some_and(|result| objects.contains(&result)),
                Inst::Call { callee, .. } => self.is_operation(callee),
                _ => false,
            };
            let mut escapes = false;
            self.draft
                .function
                .for_each_operand(&line.data.inst, |value| {
                    escapes |= objects.contains(&self.draft.resolved(value));
                });
            if escapes && !is_followed {
                return Err(not_an_object());
            }
        }
        Ok(())
    }

    fn is_operation(&self, callee: ValueId) -> bool {
        let first = self.draft.function.first_value;
        let own = callee.as_u32().checked_sub(first);
        let own = own.and_then(|at| self.draft.function.values.get(at as usize));
        let function = match own.map(|data| data.def) {
            Some(ValueDef::Function(function)) => Some(function),
            _ => self.view.as_function(callee),
        };
        function.is_some_and(|function| self.tables.is_operation(function))
    }
}
