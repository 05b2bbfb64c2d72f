//! Creates handles for the resource names that variables held, and for phis and selections of
//! names.

use cranelift_entity::EntityRef;
use dxil_frontend::dxil::ops::Opcode;
use dxil_frontend::ir::{BlockId, Constant, FastMath, Inst, InstData, Type, ValueDef, ValueId};

use super::DraftInst;
use super::ssa_construction::UNSET;
use crate::inline::state::SsaConstruction;
use crate::{Error, Result};

/// Maximum nesting depth of phis and selections of resources.
const MAX_NESTED: u32 = 256;

/// Maximum number of lookups of a variable of objects.
const MAX_LOOKED_UP: usize = 1 << 14;

/// Maximum number of rounds that search for phis of a single value. Phis that remain are correct.
const MAX_ROUNDS: usize = 64;

/// An operand of a phi, with its block.
type Edges = Vec<(ValueId, BlockId)>;

impl SsaConstruction<'_, '_> {
    /// Returns the handle of a name, or of a phi or selection of names.
    pub(super) fn handle(&mut self, name: ValueId) -> Result<ValueId> {
        let name = self.draft.resolved(name);
        if let Some(&known) = self.handles.get(&name) {
            return Ok(known);
        }
        let Some(ty) = self.type_of(name) else {
            return Err(Error::internal("an object without a type"));
        };
        if self.objects.values.contains(&ty) {
            return Ok(name);
        }
        let Some(&creator) = self.objects.creators.get(&ty) else {
            return Err(Error::unsupported("an object that is no resource"));
        };
        let Some(&(block, data)) = self.defined.get(&name) else {
            // Undefined, or the null handle.
            let undefined = ValueDef::Constant(Constant::Undef);
            let undefined = self.draft.value(creator.handle, undefined);
            self.handles.insert(name, undefined);
            return Ok(undefined);
        };
        if matches!(data.inst, Inst::Call { .. }) && ty == creator.handle {
            // The value is a handle already; from shader model 6.6 on names have the same type.
            return Ok(name);
        }
        if self.depth > MAX_NESTED {
            return Err(Error::unsupported(format!(
                "phis and selections of resources nested more than {MAX_NESTED} deep"
            )));
        }
        self.depth += 1;
        let result = self.draft.value(creator.handle, UNSET);
        // Before the operands, so that phis which refer to each other end.
        self.handles.insert(name, result);
        self.handles.insert(result, result);
        let inst = match data.inst {
            Inst::Load { .. } => {
                let decl = self.shader.module.functions.get(creator.function);
                let decl = decl.ok_or_else(|| Error::internal("an operation is lost"))?;
                let number = match self.shader.module.types.get(decl.ty) {
                    Type::Function { params, .. } => params.first().copied(),
                    _ => None,
                };
                let number = number.ok_or_else(|| Error::internal("an operation is lost"))?;
                let opcode = u64::from(Opcode::CreateHandleForLib.number());
                let opcode = ValueDef::Constant(Constant::Int(opcode));
                let opcode = self.draft.value(number, opcode);
                Inst::Call {
                    callee: decl.value,
                    args: self.draft.list(&[opcode, name]),
                    fast_math: FastMath::default(),
                }
            }
            Inst::Phi { incoming } => {
                let incoming = self.draft.function.edges_of(incoming).to_vec();
                let mut edges = Vec::with_capacity(incoming.len());
                for (value, from) in incoming {
                    edges.push((self.handle(value)?, from));
                }
                let incoming = self.draft.edges(&edges);
                Inst::Phi { incoming }
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => Inst::Select {
                condition,
                if_true: self.handle(if_true)?,
                if_false: self.handle(if_false)?,
            },
            _ => return Err(Error::unsupported("a resource that an expression gives")),
        };
        let line = DraftInst::new(InstData {
            inst,
            ty: creator.handle,
            result: result.into(),
        });
        self.depth -= 1;
        match inst {
            Inst::Phi { .. } => {
                if let Some(head) = self.heads.get_mut(block) {
                    head.push(line);
                }
            }
            _ => self.behind.entry(name).or_default().push(line),
        }
        Ok(result)
    }

    /// Makes the selections that this pass wrote choose among handles.
    pub(super) fn choices(&mut self) -> Result<()> {
        for block in 0..self.draft.blocks.len() {
            let lines = self.draft.blocks.get(block).map_or(0, Vec::len);
            for at in 0..lines {
                let line = self.draft.blocks.get(block).and_then(|lines| lines.get(at));
                let Some(data) = line.map(|line| line.data) else {
                    continue;
                };
                let is_chosen = data
                    .result
                    .expand()
                    .is_some_and(|result| self.chosen.contains(&result));
                if let (
                    true,
                    Inst::Select {
                        condition,
                        if_true,
                        if_false,
                    },
                ) = (is_chosen, data.inst)
                {
                    let inst = Inst::Select {
                        condition,
                        if_true: self.handle(if_true)?,
                        if_false: self.handle(if_false)?,
                    };
                    let line = self.draft.blocks.get_mut(block);
                    if let Some(line) = line.and_then(|lines| lines.get_mut(at)) {
                        line.data.inst = inst;
                    }
                }
            }
        }
        Ok(())
    }

    /// Sets the operands of the phis for slots. A phi of a single value is replaced by the value.
    pub(super) fn phis(&mut self) -> Result<()> {
        let mut operands: Vec<(usize, ValueId, Edges)> = Vec::new();
        let mut next = 0;
        while let Some(&(slot, block, phi)) = self.started.get(next) {
            next += 1;
            if next > MAX_LOOKED_UP {
                return Err(Error::unsupported("objects in memory in too many blocks"));
            }
            let predecessors = self.predecessors.get(block).cloned().unwrap_or_default();
            let mut edges = Vec::with_capacity(predecessors.len());
            for from in predecessors {
                let value = self.read(slot, from);
                edges.push((self.handle(value)?, BlockId::new(from)));
            }
            operands.push((block, phi, edges));
        }
        // Replacing one phi can leave another with a single value, so this repeats.
        for _ in 0..MAX_ROUNDS {
            let before = operands.len();
            let draft = &mut *self.draft;
            operands.retain(|(_, phi, edges)| {
                let mut others = edges
                    .iter()
                    .map(|&(value, _)| draft.resolved(value))
                    .filter(|value| value != phi);
                let Some(first) = others.next() else {
                    return true;
                };
                if others.all(|other| other == first) {
                    draft.replace(*phi, first);
                    return false;
                }
                true
            });
            if operands.len() == before {
                break;
            }
        }
        for (block, phi, edges) in operands {
            // A switch may lead to a block several times, and a phi names its block as often.
            let mut all = Vec::with_capacity(edges.len());
            for (value, from) in edges {
                let successors = self.draft.successors(from.index());
                let times = successors.iter().filter(|to| to.index() == block).count();
                all.extend(std::iter::repeat_n((value, from), times));
            }
            let incoming = self.draft.edges(&all);
            let ty = self.type_of(phi).unwrap_or(self.bool);
            if let Some(head) = self.heads.get_mut(block) {
                head.push(DraftInst::new(InstData {
                    inst: Inst::Phi { incoming },
                    ty,
                    result: phi.into(),
                }));
            }
        }
        Ok(())
    }

    /// Inserts the new instructions.
    pub(super) fn write(&mut self) {
        for (block, head) in std::mem::take(&mut self.heads).into_iter().enumerate() {
            let Some(lines) = self.draft.blocks.get_mut(block) else {
                continue;
            };
            let old = std::mem::take(lines);
            let mut new = head;
            for line in old {
                let behind = line
                    .data
                    .result
                    .expand()
                    .and_then(|result| self.behind.remove(&result));
                new.push(line);
                new.extend(behind.into_iter().flatten());
            }
            *lines = new;
        }
    }
}
