//! The variables of the source that a lane sees, and their values.

use std::rc::Rc;

use dxil_cpu::watch::{Bound, Moment, Scalar, ScalarType, VariablePart};
use dxil_frontend::dxil::debug::{DebugInfo, DebugType, DerivedType, tag};
use dxil_frontend::ir::{Global, MdId, Type, TypeId, TypeTable, ValueId};
use dxil_frontend::tables::{HashMap, HashSet};

use crate::program::Program;
use crate::stack::StackFrame;
use crate::types::SourceType;
use crate::value::{Known, Leaf, Place, Value, to_source};

/// Deepest nesting of scopes.
const MAX_SCOPES: usize = 256;
/// Maximum number of scalars of a variable outside of functions.
const MAX_SCALARS: usize = 1 << 16;

/// What DXC puts before the names of static variables that it has made local to the entry point.
const STATIC: &str = "global.";

/// A variable with its value in a lane.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    /// Name.
    pub name: String,
    /// Its value.
    pub value: Value,
    /// Line of its declaration.
    pub line: u32,
    /// Number of the parameter, from 1; 0 for other variables.
    pub parameter: u32,
}

/// Returns the scopes around a place, innermost first, up to its function.
fn scopes(debug: DebugInfo<'_>, scope: Option<MdId>) -> Vec<MdId> {
    let mut all = Vec::new();
    let mut next = scope;
    while let Some(id) = next.filter(|_| all.len() < MAX_SCOPES) {
        all.push(id);
        next = match debug.scope(id) {
            Some(dxil_frontend::dxil::debug::Scope::Subprogram(_)) | None => None,
            Some(other) => other.parent(),
        };
    }
    all
}

/// Returns the type of a variable; of a parameter that is passed by reference, that of the
/// argument.
fn type_of(debug: DebugInfo<'_>, id: MdId) -> Option<Rc<SourceType>> {
    match debug.named_type(id)? {
        (
            _,
            DebugType::Derived(DerivedType {
                tag: tag::REFERENCE | tag::POINTER,
                base,
                ..
            }),
        ) => SourceType::of_debug(debug, base?),
        _ => SourceType::of_debug(debug, id),
    }
}

/// Returns the local variables of a call, in the order of their declarations. A name that an inner
/// scope declares again hides the outer one.
pub(crate) fn locals(
    program: &Program<'_>,
    moment: &Moment<'_>,
    frame: &StackFrame,
    lane: usize,
) -> Vec<Variable> {
    let Some(debug) = program.debug else {
        return Vec::new();
    };
    let scopes = scopes(debug, frame.scope);
    let parts = moment.variables(frame.call);
    let mut by_variable: HashMap<MdId, Vec<usize>> = HashMap::default();
    for (number, part) in parts.iter().enumerate() {
        if part.inlined_at == frame.inlined_at {
            by_variable.entry(part.variable).or_default().push(number);
        }
    }
    let mut found = Vec::new();
    for part in parts {
        // Each variable once, in the order of the code.
        let Some(numbers) = by_variable.remove(&part.variable) else {
            continue;
        };
        let Some(local) = debug.local_variable(part.variable) else {
            continue;
        };
        let depth = scopes.iter().position(|scope| Some(*scope) == local.scope);
        if let Some(depth) = depth
            && !local.name.starts_with(STATIC)
            && let Some(ty) = local.ty.and_then(|id| type_of(debug, id))
        {
            let value = value_of(moment, (frame.call, lane), &numbers, ty);
            let variable = Variable {
                name: local.name.to_owned(),
                value,
                line: local.line,
                parameter: local.parameter,
            };
            found.push((depth, variable));
        }
    }
    found.sort_by_key(|(depth, _)| *depth);
    let mut names: HashSet<String> = HashSet::default();
    found.retain(|(_, variable)| names.insert(variable.name.clone()));
    let mut variables: Vec<Variable> = found.into_iter().map(|(_, variable)| variable).collect();
    variables.sort_by_key(|variable| (variable.parameter == 0, variable.parameter, variable.line));
    variables
}

/// Returns the value that the parts of a variable make.
fn value_of(
    moment: &Moment<'_>,
    (call, lane): (usize, usize),
    numbers: &[usize],
    ty: Rc<SourceType>,
) -> Value {
    let mut places = Vec::with_capacity(ty.scalars);
    ty.each_scalar(0, &mut |at, kind| places.push((at, kind)));
    let mut leaves = vec![Leaf::OPTIMIZED_OUT; places.len()];
    let parts = moment.variables(call);
    let size = |part: &VariablePart| part.piece.map_or(u32::MAX, |(_, size)| size);
    let mut order: Vec<usize> = numbers.to_vec();
    // A smaller part is newer than a larger one that it lies in, which otherwise would have
    // replaced it.
    order.sort_by_key(|number| std::cmp::Reverse(parts.get(*number).map_or(0, size)));
    for number in order {
        let Some(part) = parts.get(number) else {
            continue;
        };
        let inside = (0..places.len()).filter(|index| {
            let at = places.get(*index).map_or(0, |(at, _)| *at);
            part.piece
                .is_none_or(|(first, size)| at >= first && at - first < size)
        });
        let mut inside: Vec<usize> = inside.collect();
        inside.sort_by_key(|index| places.get(*index).map_or(0, |(at, _)| *at));
        let bound = moment.bound(call, part, lane);
        let scalars = match bound {
            None => {
                for index in inside {
                    if let Some(leaf) = leaves.get_mut(index)
                        && leaf.known == Known::OptimizedOut
                    {
                        leaf.known = Known::Unassigned;
                    }
                }
                continue;
            }
            Some(Bound::Values(scalars)) => {
                let scalars = scalars.into_iter().enumerate();
                let scalars = scalars.map(|(index, scalar)| {
                    let place = Place::Part {
                        frame: call,
                        part: number,
                        index,
                        ty: scalar.ty,
                    };
                    (Some(scalar), place)
                });
                scalars.collect()
            }
            Some(Bound::Memory(address)) => in_memory(address, &part.scalars, |address, ty| {
                let scalar = private_scalar(moment, lane, address, ty);
                (scalar, Place::Private { address, ty })
            }),
        };
        let scalars: Vec<(Option<Scalar>, Place)> = scalars;
        for (index, (scalar, place)) in inside.into_iter().zip(scalars) {
            if let (Some(leaf), Some((_, kind)), Some(scalar)) =
                (leaves.get_mut(index), places.get(index), scalar)
            {
                *leaf = Leaf {
                    known: Known::Bits(to_source(scalar, *kind)),
                    place,
                };
            }
        }
    }
    Value { ty, leaves }
}

/// Returns what `read` makes of each scalar of memory: pointers count words, and wide scalars take
/// two.
fn in_memory<T>(first: u32, scalars: &[ScalarType], read: impl Fn(u32, ScalarType) -> T) -> Vec<T> {
    let mut address = first;
    let each = scalars.iter().map(|&ty| {
        let value = read(address, ty);
        address = address.wrapping_add(words_of(ty));
        value
    });
    each.collect()
}

/// Returns the words that a scalar takes in memory.
pub(crate) fn words_of(ty: ScalarType) -> u32 {
    match ty {
        ScalarType::Double => 2,
        ScalarType::Int(bits) if bits > 32 => 2,
        ScalarType::Int(_) | ScalarType::Half | ScalarType::Float | ScalarType::Pointer => 1,
    }
}

fn private_scalar(
    moment: &Moment<'_>,
    lane: usize,
    address: u32,
    ty: ScalarType,
) -> Option<Scalar> {
    let word = |at: u32| moment.word(lane, address.wrapping_add(at)).map(u64::from);
    scalar_of(ty, word)
}

/// Returns the scalar that lies in words of memory.
pub(crate) fn scalar_of(ty: ScalarType, word: impl Fn(u32) -> Option<u64>) -> Option<Scalar> {
    let mut bits = word(0)?;
    if words_of(ty) == 2 {
        bits |= word(1)? << 32;
    }
    Some(Scalar { ty, bits })
}

/// Which variables outside of functions are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Globals {
    /// `groupshared`.
    Shared,
    /// `static`.
    Static,
}

/// Returns the variables outside of functions.
pub(crate) fn globals(
    program: &Program<'_>,
    moment: &Moment<'_>,
    which: Globals,
    lane: usize,
) -> Vec<Variable> {
    let Some(debug) = program.debug else {
        return shared_words(program, moment, which);
    };
    let mut seen: HashSet<MdId> = HashSet::default();
    let mut found = match which {
        Globals::Static => statics(debug, moment, lane),
        Globals::Shared => Vec::new(),
    };
    for id in debug.global_variables().filter(|id| seen.insert(*id)) {
        let Some(known) = debug.global_variable(id) else {
            continue;
        };
        let Some(global) = known.value.and_then(|value| global_of(program, value)) else {
            continue;
        };
        let is_shared = global.address_space == 3;
        if is_shared != (which == Globals::Shared) {
            continue;
        }
        if let Some(ty) = known.ty.and_then(|ty| type_of(debug, ty))
            && let Some(value) = global_value(program, moment, global, (ty, lane))
        {
            found.push(Variable {
                name: known.name.to_owned(),
                value,
                line: known.line,
                parameter: 0,
            });
        }
    }
    found
}

/// Returns the static variables that are local to the entry point in the code.
fn statics(debug: DebugInfo<'_>, moment: &Moment<'_>, lane: usize) -> Vec<Variable> {
    let mut by_variable: Vec<(MdId, Vec<usize>)> = Vec::new();
    let mut places: HashMap<MdId, usize> = HashMap::default();
    for (number, part) in moment.variables(0).iter().enumerate() {
        if part.inlined_at.is_some() {
            continue;
        }
        let place = *places.entry(part.variable).or_insert(by_variable.len());
        match by_variable.get_mut(place) {
            Some((_, numbers)) => numbers.push(number),
            None => by_variable.push((part.variable, vec![number])),
        }
    }
    let variables = by_variable.into_iter().filter_map(|(id, numbers)| {
        let local = debug.local_variable(id)?;
        let name = local.name.strip_prefix(STATIC)?;
        let ty = type_of(debug, local.ty?)?;
        Some(Variable {
            name: name.to_owned(),
            value: value_of(moment, (0, lane), &numbers, ty),
            line: local.line,
            parameter: 0,
        })
    });
    variables.collect()
}

fn global_of<'a>(program: &Program<'a>, value: ValueId) -> Option<&'a Global> {
    let mut globals = program.shader.module.globals.values();
    globals.find(|global| global.value == value)
}

/// Returns groupshared variables without debug information, as their types are in the module.
fn shared_words(program: &Program<'_>, moment: &Moment<'_>, which: Globals) -> Vec<Variable> {
    if which != Globals::Shared {
        return Vec::new();
    }
    let globals = program.shader.module.globals.values();
    let shared = globals.filter(|global| global.address_space == 3);
    let variables = shared.filter_map(|global| {
        let scalars = scalars_of(&program.shader.module.types, global.ty)?;
        let kind = kind_of(*scalars.first()?);
        let ty = SourceType::array(SourceType::scalar(kind), scalars.len());
        let name = dxil_frontend::dxil::plain_name(&global.name);
        Some(Variable {
            name: name.to_owned(),
            value: global_value(program, moment, global, (ty, 0))?,
            line: 0,
            parameter: 0,
        })
    });
    variables.collect()
}

/// Returns the kind in which a scalar of the module is shown.
pub(crate) fn kind_of(ty: ScalarType) -> crate::number::ScalarKind {
    use crate::number::{Encoding, ScalarKind};
    match ty {
        ScalarType::Int(1) => ScalarKind::BOOL,
        ScalarType::Int(bits @ (8 | 16 | 64)) => ScalarKind::new(Encoding::Signed, bits),
        ScalarType::Int(_) => ScalarKind::INT,
        ScalarType::Half => ScalarKind::new(Encoding::Float, 16),
        ScalarType::Float => ScalarKind::FLOAT,
        ScalarType::Double => ScalarKind::new(Encoding::Float, 64),
        ScalarType::Pointer => ScalarKind::UINT,
    }
}

fn global_value(
    program: &Program<'_>,
    moment: &Moment<'_>,
    global: &Global,
    (ty, lane): (Rc<SourceType>, usize),
) -> Option<Value> {
    let first = moment.global(global.value)?;
    let is_shared = global.address_space == 3;
    let scalars = scalars_of(&program.shader.module.types, global.ty)?;
    let read = |address: u32, ty: ScalarType| {
        if is_shared {
            let word = |at: u32| moment.shared_word(address.wrapping_add(at)).map(u64::from);
            (scalar_of(ty, word), Place::Shared { address, ty })
        } else {
            let scalar = private_scalar(moment, lane, address, ty);
            (scalar, Place::Private { address, ty })
        }
    };
    let values = in_memory(first, &scalars, read);
    let mut places = Vec::with_capacity(ty.scalars);
    ty.each_scalar(0, &mut |at, kind| {
        let index = places.len();
        places.push((at, index, kind));
    });
    let mut leaves = vec![Leaf::OPTIMIZED_OUT; places.len()];
    places.sort_by_key(|(at, ..)| *at);
    for ((_, index, kind), (scalar, place)) in places.into_iter().zip(values) {
        if let (Some(leaf), Some(scalar)) = (leaves.get_mut(index), scalar) {
            *leaf = Leaf {
                known: Known::Bits(to_source(scalar, kind)),
                place,
            };
        }
    }
    Some(Value { ty, leaves })
}

/// Returns the scalars of a type of the module; none if there are too many, or of another kind.
pub(crate) fn scalars_of(types: &TypeTable, ty: TypeId) -> Option<Vec<ScalarType>> {
    let mut all = Vec::new();
    add_scalars(types, ty, (&mut all, 0))?;
    Some(all)
}

fn add_scalars(
    types: &TypeTable,
    ty: TypeId,
    (all, depth): (&mut Vec<ScalarType>, u32),
) -> Option<()> {
    if depth > 32 {
        return None;
    }
    let mut repeat = |element: TypeId, count: u64| {
        let first = all.len();
        add_scalars(types, element, (all, depth + 1))?;
        let each = all.len() - first;
        let total = usize::try_from(count).ok()?.checked_mul(each)?;
        if first.saturating_add(total) > MAX_SCALARS {
            return None;
        }
        for _ in 1..count {
            all.extend_from_within(first..first + each);
        }
        (count > 0).then_some(())
    };
    match types.get(ty) {
        Type::Array { element, count } => repeat(*element, *count)?,
        Type::Vector { element, count } => repeat(*element, u64::from(*count))?,
        Type::Struct { fields, .. } => {
            for &field in fields {
                add_scalars(types, field, (all, depth + 1))?;
            }
        }
        Type::Int(bits) => all.push(ScalarType::Int(u32::from(*bits))),
        Type::Half => all.push(ScalarType::Half),
        Type::Float => all.push(ScalarType::Float),
        Type::Double => all.push(ScalarType::Double),
        Type::Pointer { .. } => all.push(ScalarType::Pointer),
        _ => return None,
    }
    (all.len() <= MAX_SCALARS).then_some(())
}
