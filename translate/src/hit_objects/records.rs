//! Records of hit objects that share a slot of an array.
//!
//! A new index in a shader table gives an object of DXIL that is the same but for its record. Where
//! the old one is needed later, both stay in one slot, and the indices of their records are words
//! beside the slots' numbers: what depends on the record sets it first.
//!
//! ```text
//! h1 = MakeMiss                    place(array, 0)    MakeMiss
//!                                  r1 = ShaderTableIndex slot(array, 0)
//! h2 = SetShaderTableIndex h1, i   SetShaderTableIndex slot(array, 0), i
//! Invoke h1                        SetShaderTableIndex slot(array, 0), r1
//!                                  Invoke slot(array, 0)
//! ```

use dxil_frontend::dxil::ops::{Opcode, decode_opcode};
use dxil_frontend::ir::{Constant, FuncView, Inst, ValueDef, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::Result;
use crate::analysis::hit_objects::{Object, Origin};
use crate::inline::DraftInst;
use crate::vendor::writer::FunctionWriter;

/// Returns whether an operation depends on the record of its object.
pub(super) fn depends_on_record(view: FuncView<'_>, args: &[ValueId]) -> bool {
    use Opcode::{
        HitObjectInvoke, HitObjectLoadLocalRootTableConstant, HitObjectShaderTableIndex,
        MaybeReorderThread,
    };
    matches!(
        decode_opcode(view, args),
        Ok(HitObjectInvoke
            | HitObjectLoadLocalRootTableConstant
            | HitObjectShaderTableIndex
            | MaybeReorderThread)
    )
}

/// Returns whether an object may have no record: one of a ray query that got none since.
pub(super) fn may_lack_record(
    objects: &[Object],
    index: &HashMap<ValueId, usize>,
    object: usize,
) -> bool {
    let mut seen = HashSet::default();
    let mut work = vec![object];
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        match objects[next].origin {
            Origin::Made if objects[next].from_query => return true,
            Origin::Made | Origin::Changed => {}
            Origin::Chosen => {
                work.extend(objects[next].from.iter().filter_map(|from| index.get(from)));
            }
        }
    }
    false
}

/// The indices of records, by object. A phi may need one before it is known: words stand in for
/// them, which are replaced.
#[derive(Default)]
pub(super) struct Records(HashMap<usize, ValueId>);

impl Records {
    /// Returns the index of an object's record.
    pub(super) fn of(&mut self, w: &mut FunctionWriter<'_, '_, '_>, object: usize) -> ValueId {
        *self.0.entry(object).or_insert_with(|| {
            let word = w.int_ty(32);
            w.draft.value(word, ValueDef::Constant(Constant::Undef))
        })
    }

    /// Sets the index of an object's record.
    pub(super) fn set(
        &mut self,
        w: &mut FunctionWriter<'_, '_, '_>,
        object: usize,
        record: ValueId,
    ) {
        let stand_in = self.of(w, object);
        w.replace(stand_in, record);
    }

    /// Writes the choice among records beside a choice among objects.
    pub(super) fn choose(
        &mut self,
        w: &mut FunctionWriter<'_, '_, '_>,
        index: &HashMap<ValueId, usize>,
        (choice, object): (&DraftInst, usize),
    ) -> Result<()> {
        let mut record =
            |w: &mut FunctionWriter<'_, '_, '_>, value: &ValueId| match index.get(value) {
                Some(&object) => self.of(w, object),
                None => w.word(0),
            };
        let chosen = match choice.data.inst {
            Inst::Phi { incoming } => {
                let edges = w.draft.function.edges_of(incoming).to_vec();
                let edges: Vec<_> = edges
                    .iter()
                    .map(|(value, from)| (record(w, value), *from))
                    .collect();
                w.phi(&edges)?
            }
            Inst::Select {
                condition,
                if_true,
                if_false,
            } => {
                let [if_true, if_false] = [if_true, if_false].map(|value| record(w, &value));
                w.select(condition, if_true, if_false)?
            }
            _ => return Ok(()),
        };
        self.set(w, object, chosen);
        Ok(())
    }
}
