//! Matrices that stay whole: nobody looks at their words, which only come back together as the
//! matrix that they were taken out of. Such words need no code.

use dxil_frontend::ir::{FuncView, Inst, InstData, Type, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::lower::context::Context;
use crate::lower::values::Call;
use crate::pseudo::matrix::{Format, MatrixType, Role};
use crate::pseudo::{PseudoCall, PseudoOp};

/// What decides about the type of a matrix in the module.
type Kind = (Format, Role);

/// Returns whether the words of a call's result need no code.
pub(in crate::lower) fn stays_whole(cx: &mut Context<'_>, call: &Call) -> bool {
    // Debuggers look at words.
    if cx.source.is_some() {
        return false;
    }
    let view = cx.function.view;
    let known = &mut cx.function.whole_matrices.known;
    let known = known.get_or_insert_with(|| find(view));
    call.result.is_some_and(|result| known.contains(&result))
}

fn kind_of(ty: MatrixType) -> Kind {
    (ty.format, ty.role)
}

/// Returns the kind of the matrix that a call gives.
fn given(call: &PseudoCall<'_>) -> Option<Kind> {
    Some(match *call {
        PseudoCall::MatrixLoad { ty, .. }
        | PseudoCall::MatrixSharedLoad { ty, .. }
        | PseudoCall::MatrixGlobalLoad { ty, .. }
        | PseudoCall::MatrixFill { ty, .. }
        | PseudoCall::MatrixElementwise { ty, .. }
        | PseudoCall::MatrixConvert { new: ty, .. } => kind_of(ty),
        PseudoCall::MatrixMultiply { formats, .. } => (formats[2], Role::Accumulator),
        _ => return None,
    })
}

/// Returns the matrices that a call takes, as words, and their kinds.
fn taken<'a>(call: &PseudoCall<'a>) -> Vec<(&'a [ValueId], Kind)> {
    match *call {
        PseudoCall::MatrixStore { words, ty, .. }
        | PseudoCall::MatrixSharedStore { words, ty, .. }
        | PseudoCall::MatrixGlobalStore { words, ty, .. }
        | PseudoCall::MatrixConvert { words, old: ty, .. } => vec![(words, kind_of(ty))],
        PseudoCall::MatrixElementwise { a, b, ty, .. } => {
            vec![(a, kind_of(ty)), (b, kind_of(ty))]
        }
        PseudoCall::MatrixMultiply { formats, a, b, c } => vec![
            (a, (formats[0], Role::A)),
            (b, (formats[1], Role::B)),
            (c, (formats[2], Role::Accumulator)),
        ],
        _ => Vec::new(),
    }
}

fn pseudo_call<'a>(view: FuncView<'a>, inst: &Inst) -> Option<PseudoCall<'a>> {
    let Inst::Call { callee, args, .. } = *inst else {
        return None;
    };
    let decl = view.module.functions.get(view.as_function(callee)?)?;
    let op = PseudoOp::named(&decl.name)?;
    // A malformed call is an error when it is lowered.
    PseudoCall::decode(view, op, view.function.values_of(args)).ok()
}

/// A word of a matrix: the matrix, and the number of the word.
fn word_of(view: FuncView<'_>, data: &InstData) -> Option<(ValueId, u64)> {
    let Inst::ExtractValue { aggregate, indices } = data.inst else {
        return None;
    };
    match view.function.indices_of(indices) {
        [number] => Some((aggregate, *number)),
        _ => None,
    }
}

fn find(view: FuncView<'_>) -> HashSet<ValueId> {
    let function = view.function;
    // What a call gives, and its number of words.
    let mut made: HashMap<ValueId, (Kind, usize)> = HashMap::default();
    let mut words: HashMap<ValueId, (ValueId, u64)> = HashMap::default();
    let mut calls = Vec::new();
    for data in function.insts.values() {
        let call = pseudo_call(view, &data.inst);
        if let Some(result) = data.result.expand() {
            if let Some(kind) = call.as_ref().and_then(given) {
                let count = match view.module.types.get(data.ty) {
                    Type::Struct { fields, .. } => fields.len(),
                    _ => 0,
                };
                made.insert(result, (kind, count));
            }
            if let Some(word) = word_of(view, data) {
                words.insert(result, word);
            }
        }
        calls.extend(call);
    }
    words.retain(|_, (matrix, _)| made.contains_key(matrix));

    // Uses that need no code, by value: a matrix is taken apart, and its words are put together.
    let mut harmless: HashMap<ValueId, u32> = HashMap::default();
    #[expect(
        clippy::disallowed_methods,
        clippy::iter_over_hash_type,
        reason = "sums"
    )]
    for &(matrix, _) in words.values() {
        *harmless.entry(matrix).or_default() += 1;
    }
    for (list, kind) in calls.iter().flat_map(taken) {
        let Some(&(matrix, _)) = list.first().and_then(|first| words.get(first)) else {
            continue;
        };
        let is_whole = made.get(&matrix) == Some(&(kind, list.len()))
            && (0..)
                .zip(list)
                .all(|(at, word)| words.get(word) == Some(&(matrix, at)));
        if is_whole {
            for word in list {
                *harmless.entry(*word).or_default() += 1;
            }
        }
    }

    let uses = function.count_uses();
    let is_harmless = |value: ValueId| {
        let local = value.as_u32().checked_sub(function.first_value);
        let uses = local.and_then(|local| uses.get(local as usize));
        uses.copied() == Some(harmless.get(&value).copied().unwrap_or(0))
    };
    #[expect(
        clippy::disallowed_methods,
        reason = "the order of a set makes no difference"
    )]
    let looked_into: HashSet<ValueId> = words
        .iter()
        .filter(|&(&word, _)| !is_harmless(word))
        .map(|(_, &(matrix, _))| matrix)
        .collect();
    #[expect(
        clippy::disallowed_methods,
        reason = "the order of a set makes no difference"
    )]
    let whole = made
        .keys()
        .copied()
        .filter(|matrix| is_harmless(*matrix) && !looked_into.contains(matrix))
        .collect();
    whole
}
