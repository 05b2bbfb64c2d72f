//! Operations on an element of an array of descriptors that is chosen at run time. naga has one
//! variable for each element, so the lowering writes a switch with the operation once per element
//! (`lower/resources/descriptor_arrays.rs`). Switches that differ in nothing but the values that
//! they start from become calls of one function, which has the switch.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind, OperandQuantifier};

use crate::spirv::reader::{ResultForm, instructions};
use crate::spirv::{Builder, Id, Op};

/// Marks a word of a key as the number of an id that the switch defines.
const OWN: u32 = 1 << 31;
/// Marks a word of a key as the number of a value that the switch starts from.
const PARAMETER: u32 = 3 << 30;

/// A switch: from its merge instruction to the phis of its merge block.
struct Switch {
    /// Its words.
    words: Range<usize>,
    /// The first word of the merge block's label.
    merge: usize,
    /// The label of the block that it ends.
    header: Id,
    /// Number of the key in the order of their first switches.
    key: usize,
    /// The values that it starts from, in the order of their first uses.
    parameters: Vec<Id>,
}

/// Turns switches that are the same but for the values that they start from into calls of
/// functions.
pub(super) fn share(b: &mut Builder, functions: Vec<u32>) -> Vec<u32> {
    let marked = b.take_element_switches();
    if marked.len() < 2 {
        return functions;
    }
    let mut types = Types::of(b);
    let (switches, keys) = find(&functions, &marked, &mut types);
    let mut users = vec![0; keys];
    for switch in &switches {
        if let Some(users) = users.get_mut(switch.key) {
            *users += 1;
        }
    }
    let is_shared = |key: usize| users.get(key).is_some_and(|&users| users > 1);
    let mut writer = Writer {
        b,
        types: &types,
        functions: vec![None; keys],
        bodies: Vec::new(),
        labels: BTreeMap::new(),
        removed: BTreeSet::new(),
    };
    let mut out = Vec::with_capacity(functions.len());
    let mut written = 0;
    for switch in switches.iter().filter(|switch| is_shared(switch.key)) {
        out.extend_from_slice(&functions[written..switch.words.start]);
        writer.call(&functions, switch, &mut out);
        written = switch.words.end;
    }
    out.extend_from_slice(&functions[written..]);
    let (labels, removed, bodies) = (writer.labels, writer.removed, writer.bodies);
    rename_predecessors(&mut out, &labels);
    out.extend(bodies);
    if !removed.is_empty() {
        b.retain_annotations(|_, words| !is_about(words, &removed));
        b.retain_names(|_, words| !is_about(words, &removed));
    }
    out
}

/// Returns whether a decoration or a name is that of one of the ids.
fn is_about(words: &[u32], ids: &BTreeSet<Id>) -> bool {
    words.get(1).is_some_and(|&id| ids.contains(&Id(id)))
}

/// The types of the values in functions.
struct Types {
    of: BTreeMap<Id, Id>,
    /// Types of which functions of languages take no values.
    opaque: BTreeSet<Id>,
}

impl Types {
    fn of(b: &Builder) -> Types {
        let opaque = b.globals().filter_map(|(op, words)| {
            let is_opaque = matches!(
                op,
                Op::TypeImage | Op::TypeSampler | Op::TypeSampledImage | Op::TypePointer
            );
            is_opaque.then(|| words.get(1).map(|&id| Id(id))).flatten()
        });
        Types {
            of: BTreeMap::new(),
            opaque: opaque.collect(),
        }
    }

    /// Returns the type of a value; `None` of one outside of functions.
    fn get(&self, id: Id) -> Option<Id> {
        self.of.get(&id).copied()
    }
}

/// Returns the marked switches that can be functions, and the number of different ones.
fn find(functions: &[u32], marked: &BTreeSet<Id>, types: &mut Types) -> (Vec<Switch>, usize) {
    let mut switches = Vec::new();
    let mut keys: BTreeMap<Vec<u32>, usize> = BTreeMap::new();
    let mut label = Id::NONE;
    let mut at = 0;
    let mut end_of_last = 0;
    for (op, words) in instructions(functions) {
        let start = at;
        at += words.len();
        match (ResultForm::of(op), words) {
            (ResultForm::Value, &[_, ty, id, ..]) if op != Op::Function => {
                types.of.insert(Id(id), Id(ty));
            }
            (ResultForm::Type, &[_, id]) if op == Op::Label => label = Id(id),
            _ => {}
        }
        let &[_, merge, ..] = words else { continue };
        // A switch inside of another one goes with that.
        if op != Op::SelectionMerge || start < end_of_last || !marked.contains(&Id(merge)) {
            continue;
        }
        let Some((length, merge)) = extent(&functions[start..], merge) else {
            continue;
        };
        end_of_last = start + length;
        let Some((key, parameters)) = key_of(&functions[start..end_of_last], types) else {
            continue;
        };
        let next = keys.len();
        switches.push(Switch {
            words: start..end_of_last,
            merge: start + merge,
            header: label,
            key: *keys.entry(key).or_insert(next),
            parameters,
        });
    }
    (switches, keys.len())
}

/// Returns the number of words up to the end of the merge block's phis, and those before its label.
fn extent(words: &[u32], merge: u32) -> Option<(usize, usize)> {
    let mut at = 0;
    let mut label = None;
    for (op, instruction) in instructions(words) {
        match op {
            Op::FunctionEnd => return None,
            Op::Label if instruction.get(1) == Some(&merge) => label = Some(at),
            Op::Phi => {}
            _ if label.is_some() => break,
            _ => {}
        }
        at += instruction.len();
    }
    Some((at, label?))
}

/// Returns the words of a switch with numbers instead of its ids, and the values that it starts
/// from. `None` where they cannot be passed, or an instruction has another form than is known here.
fn key_of(words: &[u32], types: &Types) -> Option<(Vec<u32>, Vec<Id>)> {
    let mut own = BTreeMap::new();
    for (op, instruction) in instructions(words) {
        if let Some(id) = result_of(op, instruction) {
            own.insert(id, own.len() as u32);
        }
    }
    let mut key = Vec::with_capacity(words.len());
    let mut parameters: Vec<Id> = Vec::new();
    for (op, instruction) in instructions(words) {
        if matches!(op, Op::Line | Op::NoLine) {
            continue;
        }
        if matches!(op, Op::Kill | Op::Return | Op::ReturnValue | Op::Variable) {
            return None;
        }
        let first = key.len();
        key.extend_from_slice(instruction);
        for position in id_positions(op, instruction)? {
            let word = key.get_mut(first + position)?;
            let id = Id(*word);
            if let Some(&number) = own.get(&id) {
                *word = OWN | number;
            } else if let Some(ty) = types.get(id) {
                if types.opaque.contains(&ty) {
                    return None;
                }
                let known = parameters.iter().position(|&parameter| parameter == id);
                let number = known.unwrap_or(parameters.len());
                if known.is_none() {
                    parameters.push(id);
                }
                *word = PARAMETER | number as u32;
            }
        }
    }
    // Values of different types need functions of different types.
    key.extend(
        parameters
            .iter()
            .filter_map(|&id| types.get(id))
            .map(|ty| ty.0),
    );
    Some((key, parameters))
}

fn result_of(op: Op, words: &[u32]) -> Option<Id> {
    let at = match ResultForm::of(op) {
        ResultForm::Nothing => return None,
        ResultForm::Type => 1,
        ResultForm::Value => 2,
    };
    words.get(at).map(|&id| Id(id))
}

/// Returns the places of the ids among an instruction's words.
fn id_positions(op: Op, words: &[u32]) -> Option<Vec<usize>> {
    use OperandKind as K;
    let mut found = Vec::new();
    let mut at = 1;
    for &(kind, quantifier) in operands_of(op)? {
        let mut is_first = true;
        while at < words.len() && (is_first || quantifier == OperandQuantifier::ZeroOrMore) {
            is_first = false;
            match kind {
                K::IdResultType | K::IdResult | K::IdRef | K::IdScope | K::IdMemorySemantics => {
                    found.push(at);
                    at += 1;
                }
                K::PairIdRefIdRef => {
                    found.extend([at, at + 1]);
                    at += 2;
                }
                // Selectors have 32 bits here.
                K::PairLiteralIntegerIdRef => {
                    found.push(at + 1);
                    at += 2;
                }
                K::LiteralInteger | K::LiteralExtInstInteger | K::SelectionControl => at += 1,
                // The mask, and the operands that it names.
                K::ImageOperands => {
                    found.extend(at + 1..words.len());
                    at = words.len();
                }
                // Neither availability nor visibility, which have scopes, exists in this style.
                K::MemoryAccess => at = words.len(),
                _ => return None,
            }
        }
    }
    (at == words.len()).then_some(found)
}

/// The operands of an opcode.
type Operands = Vec<(OperandKind, OperandQuantifier)>;

fn operands_of(op: Op) -> Option<&'static [(OperandKind, OperandQuantifier)]> {
    // rspirv's grammar is a list, so it is turned into a table once.
    static OPERANDS: OnceLock<Vec<Option<Operands>>> = OnceLock::new();
    let all = OPERANDS.get_or_init(|| {
        let mut all = Vec::new();
        for instruction in INSTRUCTION_TABLE.iter() {
            let opcode = instruction.opcode as usize;
            if all.len() <= opcode {
                all.resize(opcode + 1, None);
            }
            let operands = instruction.operands.iter();
            all[opcode] = Some(operands.map(|one| (one.kind, one.quantifier)).collect());
        }
        all
    });
    all.get(op as usize)?.as_deref()
}

/// Writes calls and functions.
struct Writer<'a> {
    b: &'a mut Builder,
    types: &'a Types,
    /// By key: the function, its result type, and the types of its results.
    functions: Vec<Option<(Id, Id)>>,
    bodies: Vec<u32>,
    /// Merge blocks that are gone, and the blocks that continue instead.
    labels: BTreeMap<Id, Id>,
    /// Ids that are defined nowhere any more.
    removed: BTreeSet<Id>,
}

impl Writer<'_> {
    /// Writes a call instead of a switch, and the function before the first one.
    fn call(&mut self, functions: &[u32], switch: &Switch, out: &mut Vec<u32>) {
        let words = functions.get(switch.words.clone()).unwrap_or_default();
        let (code, end) = words.split_at(switch.merge - switch.words.start);
        let phis: Vec<(Id, Id)> = instructions(end)
            .filter(|(op, _)| *op == Op::Phi)
            .filter_map(|(_, phi)| Some((Id(*phi.get(1)?), Id(*phi.get(2)?))))
            .collect();
        let known = self.functions.get(switch.key).copied().flatten();
        let (function, result) = match known {
            Some(known) => {
                let gone = instructions(code).filter_map(|(op, words)| result_of(op, words));
                self.removed.extend(gone);
                known
            }
            None => self.function(switch, code, end, &phis),
        };
        let label = end.get(1).map_or(Id::NONE, |&id| Id(id));
        self.removed.extend(known.map(|_| label));
        let before = self.labels.get(&switch.header).copied();
        self.labels.insert(label, before.unwrap_or(switch.header));
        let id = match *phis {
            [(_, id)] => id,
            _ => self.b.fresh(),
        };
        let mut push = |op: Op, words: &[u32]| {
            out.push((words.len() as u32 + 1) << 16 | op as u32);
            out.extend_from_slice(words);
        };
        let mut call = vec![result.0, id.0, function.0];
        call.extend(switch.parameters.iter().map(|parameter| parameter.0));
        push(Op::FunctionCall, &call);
        if phis.len() > 1 {
            for (member, (ty, phi)) in (0..).zip(&phis) {
                push(Op::CompositeExtract, &[ty.0, phi.0, id.0, member]);
            }
        }
    }

    /// Writes the function of a key. It takes the ids over, but for the results.
    fn function(
        &mut self,
        switch: &Switch,
        code: &[u32],
        end: &[u32],
        phis: &[(Id, Id)],
    ) -> (Id, Id) {
        let b = &mut *self.b;
        let result = match phis {
            [] => b.void(),
            [(ty, _)] => *ty,
            phis => {
                let members: Vec<Id> = phis.iter().map(|(ty, _)| *ty).collect();
                b.struct_type(&members)
            }
        };
        let types = switch
            .parameters
            .iter()
            .filter_map(|&id| self.types.get(id));
        let types: Vec<Id> = types.collect();
        let function_type = b.function_type(result, &types);
        let (function, entry) = (b.fresh(), b.fresh());
        let mut renamed: BTreeMap<Id, Id> = BTreeMap::new();
        let mut body = Vec::with_capacity(code.len() + end.len());
        let mut push = |op: Op, words: &[u32]| {
            body.push((words.len() as u32 + 1) << 16 | op as u32);
            body.extend_from_slice(words);
        };
        push(Op::Function, &[result.0, function.0, 0, function_type.0]);
        for (&value, ty) in switch.parameters.iter().zip(&types) {
            let parameter = b.fresh();
            push(Op::FunctionParameter, &[ty.0, parameter.0]);
            renamed.insert(value, parameter);
        }
        push(Op::Label, &[entry.0]);
        renamed.extend(phis.iter().map(|(_, id)| (*id, b.fresh())));
        for (op, words) in instructions(code).chain(instructions(end)) {
            if matches!(op, Op::Line | Op::NoLine) {
                continue;
            }
            let mut words = words.to_vec();
            for position in id_positions(op, &words).into_iter().flatten() {
                if let Some(word) = words.get_mut(position)
                    && let Some(new) = renamed.get(&Id(*word))
                {
                    *word = new.0;
                }
            }
            push(op, &words[1..]);
        }
        let new = |id: &Id| renamed.get(id).map_or(id.0, |id| id.0);
        match phis {
            [] => push(Op::Return, &[]),
            [(_, id)] => push(Op::ReturnValue, &[new(id)]),
            phis => {
                let whole = b.fresh();
                let mut words = vec![result.0, whole.0];
                words.extend(phis.iter().map(|(_, id)| new(id)));
                push(Op::CompositeConstruct, &words);
                push(Op::ReturnValue, &[whole.0]);
            }
        }
        push(Op::FunctionEnd, &[]);
        self.bodies.extend(body);
        if let Some(place) = self.functions.get_mut(switch.key) {
            *place = Some((function, result));
        }
        (function, result)
    }
}

/// Replaces merge blocks that are gone where phis name the block that a value comes from.
fn rename_predecessors(functions: &mut [u32], labels: &BTreeMap<Id, Id>) {
    let mut at = 0;
    while let Some(&first) = functions.get(at) {
        let length = (first >> 16).max(1) as usize;
        if first & 0xffff == Op::Phi as u32 {
            for word in functions
                .iter_mut()
                .take(at + length)
                .skip(at + 4)
                .step_by(2)
            {
                if let Some(label) = labels.get(&Id(*word)) {
                    *word = label.0;
                }
            }
        }
        at += length;
    }
}
