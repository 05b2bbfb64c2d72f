//! The variables that represent the resources of a library: what may use them, and that each stands
//! for one resource.

use super::context::ValidationContext;
use super::handles::global_in_module;
use super::resources::ResourceName;
use super::rules::Rule;
use crate::dxil::{Resource, ResourceClass, ResourceDetail, ResourceKind};
use crate::ir::{Constant, ConstantExpr, Function, GlobalId, Inst, InstId, ValueDef, ValueId};
use crate::tables::{HashMap, HashSet};

/// Checks the variables of all resources. Only libraries have them.
pub(super) fn check(cx: &ValidationContext<'_>) {
    if !cx.is_library() {
        return;
    }
    let module = cx.module();
    let mut owners: HashMap<GlobalId, &Resource> = HashMap::default();
    for resource in cx.shader.resources.iter() {
        let value = resource.variable;
        let Some(global) = value.and_then(|value| global_in_module(module, value)) else {
            continue;
        };
        let first = *owners.entry(global).or_insert(resource);
        if properties(first) != properties(resource) {
            let detail = format_args!(
                "its variable is that of {}, with other properties",
                ResourceName(first)
            );
            report(cx, Rule::InstrResourceMapToSingleEntry, resource, &detail);
        }
    }
    if owners.is_empty() {
        return;
    }
    let mut uses = VariableUses {
        cx,
        derived: HashMap::default(),
        reported: HashSet::default(),
    };
    for (index, value) in (0u32..).zip(&module.values) {
        if let ValueDef::Global(global) = value.def
            && let Some(resource) = owners.get(&global)
        {
            uses.derived.insert(ValueId::from_u32(index), resource);
        }
    }
    uses.constants(
        0,
        module.values.iter().map(|value| value.def),
        &module.value_pool,
    );
    for (_, body) in cx.bodies() {
        uses.function(body);
    }
}

/// Returns what two records of one variable must share.
fn properties(resource: &Resource) -> (ResourceClass, ResourceKind, ResourceDetail) {
    let detail = ResourceDetail {
        atomic64: false,
        ..resource.detail
    };
    (resource.class, resource.kind, detail)
}

fn report(
    cx: &ValidationContext<'_>,
    rule: Rule,
    resource: &Resource,
    detail: &dyn std::fmt::Display,
) {
    cx.report(rule, format_args!("{}: {detail}", ResourceName(resource)));
}

/// Follows addresses of variables and what is loaded from them.
struct VariableUses<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    /// Values that are a variable, an address in it or its content.
    derived: HashMap<ValueId, &'a Resource>,
    /// Resources that were reported, by class and id.
    reported: HashSet<(ResourceClass, u32)>,
}

impl<'a> VariableUses<'a, '_> {
    /// Follows the addresses among constants.
    fn constants(
        &mut self,
        first: u32,
        definitions: impl Iterator<Item = ValueDef>,
        pool: &[ValueId],
    ) {
        for (index, def) in (first..).zip(definitions) {
            // What a cast gives is not followed: DXC leaves some without uses.
            let ValueDef::Constant(Constant::Expr(ConstantExpr::Gep { operands, .. })) = def else {
                continue;
            };
            let operands = pool.get(operands.range()).unwrap_or_default();
            let base = operands.first();
            if let Some(&resource) = base.and_then(|base| self.derived.get(base)) {
                self.derived.insert(ValueId::from_u32(index), resource);
            }
        }
    }

    fn function(&mut self, body: &Function) {
        let constants = body.values.iter().map(|value| value.def);
        self.constants(body.first_value, constants, &body.value_pool);
        // All uses, by value: definitions need not come before them in the order of blocks.
        let mut uses: Vec<(ValueId, InstId)> = Vec::new();
        for (inst, data) in &body.insts {
            body.for_each_operand(&data.inst, |value| uses.push((value, inst)));
        }
        uses.sort_unstable();
        let mut list: Vec<(ValueId, &'a Resource)> = Vec::new();
        let mut last = None;
        for &(value, _) in &uses {
            if last != Some(value)
                && let Some(resource) = self.derived.get(&value)
            {
                list.push((value, resource));
            }
            last = Some(value);
        }
        let mut seen: HashSet<ValueId> = list.iter().map(|(value, _)| *value).collect();
        while let Some((value, resource)) = list.pop() {
            let start = uses.partition_point(|(used, _)| *used < value);
            let own = uses
                .iter()
                .skip(start)
                .take_while(|(used, _)| *used == value);
            for (_, inst) in own {
                let Some(data) = body.insts.get(*inst) else {
                    continue;
                };
                match data.inst {
                    Inst::Call { .. } => {}
                    Inst::Gep { .. } | Inst::Load { .. } => {
                        if let Some(result) = data.result.expand()
                            && seen.insert(result)
                        {
                            list.push((result, resource));
                        }
                    }
                    _ => self.report_user(body, *inst, resource),
                }
            }
        }
    }

    fn report_user(&mut self, body: &Function, inst: InstId, resource: &'a Resource) {
        if !self.reported.insert((resource.class, resource.id)) {
            return;
        }
        let name = self.cx.name_of(body.id);
        let detail = format_args!("instruction {} of {name} uses the variable", inst.as_u32());
        report(self.cx, Rule::InstrResourceUser, resource, &detail);
    }
}
