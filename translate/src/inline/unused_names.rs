//! Removal of resource names that nothing uses once handles have taken their place.

use dxil_frontend::ir::{Inst, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use super::objects::Objects;
use super::{DraftFunction, DraftInst};

/// Removes the loads, phis and selections of names that no other instruction needs, those that only
/// need each other included: names are no values, so that nothing can be written for them.
pub(super) fn remove(objects: &Objects, draft: &mut DraftFunction) {
    let is_name = |line: &DraftInst| {
        let chooses = matches!(
            line.data.inst,
            Inst::Load { .. } | Inst::Phi { .. } | Inst::Select { .. }
        );
        chooses && objects.creators.contains_key(&line.data.ty)
    };
    let mut names: HashMap<ValueId, Inst> = HashMap::default();
    let mut work: Vec<ValueId> = Vec::new();
    for line in draft.blocks.iter().flatten() {
        match line.data.result.expand().filter(|_| is_name(line)) {
            Some(name) => {
                names.insert(name, line.data.inst);
            }
            None => {
                let function = &draft.function;
                function.for_each_operand(&line.data.inst, |value| work.push(value));
            }
        }
    }
    if names.is_empty() {
        return;
    }
    let mut needed: HashSet<ValueId> = HashSet::default();
    while let Some(value) = work.pop() {
        if let Some(inst) = names.get(&value)
            && needed.insert(value)
        {
            draft
                .function
                .for_each_operand(inst, |value| work.push(value));
        }
    }
    for block in &mut draft.blocks {
        block.retain(|line| {
            let name = line.data.result.expand();
            let name = name.filter(|name| names.contains_key(name));
            name.is_none_or(|name| needed.contains(&name))
        });
    }
}
