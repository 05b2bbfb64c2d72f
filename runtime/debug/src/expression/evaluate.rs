//! The values of expressions in a lane.

use std::rc::Rc;

use dxil_cpu::watch::Moment;

use super::{Expression, Result, problem};
use crate::number::{BinaryOp, Encoding, Number, ScalarKind};
use crate::program::Program;
use crate::registers;
use crate::resources::{self, Resource};
use crate::stack::StackFrame;
use crate::types::{Shape, SourceType};
use crate::value::{Known, Place, Value, to_module, why};
use crate::variables::{self, Globals};

/// Where an expression is evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s, 'a> {
    /// The code.
    pub program: &'s Program<'a>,
    /// The state.
    pub moment: &'s Moment<'s>,
    /// The call; none for a lane that has ended.
    pub frame: Option<&'s StackFrame>,
    /// The lane.
    pub lane: usize,
    /// Instructions that the wave has executed.
    pub time: u64,
}

/// What an expression names.
#[derive(Debug, Clone)]
pub enum Evaluated<'a> {
    /// A value.
    Value(Value),
    /// A resource, whose elements have values.
    Resource(Resource<'a>),
}

/// Returns what an expression names.
///
/// # Errors
///
/// Why it has no value.
pub(crate) fn evaluate<'a>(scope: Scope<'_, 'a>, expression: &Expression) -> Result<Evaluated<'a>> {
    let value = match expression {
        Expression::Number(number) => Value::of_number(*number),
        Expression::Name(name) => return named(scope, name),
        Expression::Register(name) => match scope.frame {
            Some(frame) => registers::named(scope.program, scope.moment, frame, (name, scope.lane))
                .map_or_else(|| problem(format!("there is no %{name} here")), Ok)?,
            None => return problem("the lane has ended"),
        },
        Expression::Member(inner, name) => member(scope, inner, name)?,
        Expression::Index(inner, indices) => return index(scope, inner, indices),
        Expression::Unary(op, inner) => {
            let value = value_of(scope, inner)?;
            each(&value, |number| {
                Some(match op {
                    '!' => Number::bool(!number.is_true()),
                    '~' => number.inverted(),
                    _ => number.negated(),
                })
            })?
        }
        Expression::Binary(op, left, right) => binary(scope, *op, left, right)?,
        Expression::Choice(parts) => {
            let [condition, first, second] = &**parts;
            let chosen = number_of(scope, condition)?.is_true();
            return evaluate(scope, if chosen { first } else { second });
        }
        Expression::Call(name, arguments) => call(scope, name, arguments)?,
    };
    Ok(Evaluated::Value(value))
}

/// Returns the value of an expression.
fn value_of(scope: Scope<'_, '_>, expression: &Expression) -> Result<Value> {
    match evaluate(scope, expression)? {
        Evaluated::Value(value) => Ok(value),
        Evaluated::Resource(resource) => match resource.constants(scope.moment) {
            Some(value) => Ok(value),
            None => problem(format!(
                "{} is a resource: choose an element",
                resource.name()
            )),
        },
    }
}

fn number_of(scope: Scope<'_, '_>, expression: &Expression) -> Result<Number> {
    number(&value_of(scope, expression)?, 0)
}

fn number(value: &Value, index: usize) -> Result<Number> {
    if value.kind().is_none() {
        return problem(format!("{} is no number", value.ty.name));
    }
    value
        .number(index)
        .or_else(|known| problem(why(known).unwrap_or_default()))
}

fn numbers(value: &Value) -> Result<Vec<Number>> {
    (0..value.leaves.len())
        .map(|at| number(value, at))
        .collect()
}

fn named<'a>(scope: Scope<'_, 'a>, name: &str) -> Result<Evaluated<'a>> {
    let Scope {
        program,
        moment,
        lane,
        ..
    } = scope;
    let uints = |all: [u32; 3]| Value::of_numbers(ScalarKind::UINT, &all.map(Number::uint));
    let value = match name {
        "true" => Some(Value::of_number(Number::bool(true))),
        "false" => Some(Value::of_number(Number::bool(false))),
        "$lane" => Some(Value::of_number(Number::uint(lane as u32))),
        "$group" => Some(uints(moment.group())),
        "$thread" => Some(uints(moment.thread(lane))),
        "$time" => {
            let kind = ScalarKind::new(Encoding::Unsigned, 64);
            Some(Value::of_number(Number::new(kind, scope.time)))
        }
        "$active" => Some(Value::of_number(Number::bool(
            moment.active() >> lane & 1 != 0,
        ))),
        _ => None,
    };
    if let Some(value) = value {
        return Ok(Evaluated::Value(value));
    }
    let local = scope.frame.and_then(|frame| {
        let locals = variables::locals(program, moment, frame, lane);
        locals.into_iter().find(|local| local.name == name)
    });
    let global = || {
        [Globals::Shared, Globals::Static]
            .into_iter()
            .flat_map(|which| variables::globals(program, moment, which, lane))
            .find(|global| global.name == name)
    };
    if let Some(found) = local.or_else(global) {
        return Ok(Evaluated::Value(found.value));
    }
    if let Some(resource) = resources::named(program, name) {
        return Ok(Evaluated::Resource(resource));
    }
    match resources::constant_field(program, moment, name) {
        Some(value) => Ok(Evaluated::Value(value)),
        None => problem(format!("there is no {name} here")),
    }
}

/// Returns the components that a swizzle names: `xyz`, `rgba`, `_m00_m11`, `_11_22`.
fn swizzle(shape: &Shape, name: &str) -> Option<Vec<usize>> {
    if let Shape::Matrix(_, rows, columns) = shape {
        let all = name.strip_prefix('_')?.split('_');
        let all = all.map(|part| {
            let (digits, base) = match part.strip_prefix('m') {
                Some(digits) => (digits, 0),
                None => (part, 1),
            };
            let mut digits = digits.chars().map(|c| c.to_digit(10));
            let (row, column) = (digits.next()??, digits.next()??);
            let (row, column) = (row.checked_sub(base)?, column.checked_sub(base)?);
            let (row, column) = (row as usize, column as usize);
            (row < *rows && column < *columns).then_some(row * columns + column)
        });
        return all.collect();
    }
    let count = match shape {
        Shape::Scalar(_) => 1,
        Shape::Vector(_, count) => *count,
        _ => return None,
    };
    if name.is_empty() || name.len() > 4 {
        return None;
    }
    let find = |letters: &str| -> Option<Vec<usize>> {
        let all = name.chars().map(|c| letters.find(c));
        all.map(|at| at.filter(|at| *at < count)).collect()
    };
    find("xyzw").or_else(|| find("rgba"))
}

fn member(scope: Scope<'_, '_>, inner: &Expression, name: &str) -> Result<Value> {
    let value = value_of(scope, inner)?;
    if let Shape::Struct(members) = &value.ty.shape {
        let found = members.iter().find(|member| member.name == name);
        let found = found.and_then(|member| value.part(&member.ty, member.first));
        return match found {
            Some(value) => Ok(value),
            None => problem(format!("{} has no member {name}", value.ty.name)),
        };
    }
    let (Some(kind), Some(places)) = (value.kind(), swizzle(&value.ty.shape, name)) else {
        return problem(format!("{} has no {name}", value.ty.name));
    };
    let leaves = places
        .iter()
        .filter_map(|at| value.leaves.get(*at).copied());
    Ok(Value {
        ty: SourceType::vector(kind, places.len()),
        leaves: leaves.collect(),
    })
}

fn index<'a>(
    scope: Scope<'_, 'a>,
    inner: &Expression,
    indices: &[Expression],
) -> Result<Evaluated<'a>> {
    let evaluated = evaluate(scope, inner)?;
    let mut coords = Vec::new();
    for index in indices {
        coords.extend(numbers(&value_of(scope, index)?)?);
    }
    let coords: Vec<i128> = coords.into_iter().map(Number::as_i128).collect();
    let Some(&first) = coords.first() else {
        return problem("an index is missing");
    };
    let value = match evaluated {
        Evaluated::Resource(resource) if resource.is_array => {
            let index = u32::try_from(first).ok();
            return match index.and_then(|index| resource.element(index)) {
                Some(element) => Ok(Evaluated::Resource(element)),
                None => problem(format!("{} has no element {first}", resource.name())),
            };
        }
        Evaluated::Resource(resource) => {
            let mut at = [0; 3];
            for (at, &coord) in at.iter_mut().zip(&coords) {
                *at = u32::try_from(coord).unwrap_or(u32::MAX);
            }
            return match resource.at(scope.moment, at, 0) {
                Some(value) => Ok(Evaluated::Value(value)),
                None => problem(format!("elements of {} cannot be read", resource.name())),
            };
        }
        Evaluated::Value(value) => value,
    };
    let (ty, count) = match &value.ty.shape {
        Shape::Array(element, count) => (Rc::clone(element), *count),
        Shape::Vector(kind, count) => (SourceType::scalar(*kind), *count),
        Shape::Matrix(kind, rows, columns) => (SourceType::vector(*kind, *columns), *rows),
        Shape::Scalar(_) | Shape::Struct(_) | Shape::Object => {
            return problem(format!("{} has no elements", value.ty.name));
        }
    };
    let at = usize::try_from(first).ok().filter(|at| *at < count);
    match at.and_then(|at| value.part(&ty, at * ty.scalars)) {
        Some(part) => Ok(Evaluated::Value(part)),
        None => problem(format!("index {first} of {count}")),
    }
}

/// Computes with each component.
fn each(value: &Value, compute: impl Fn(Number) -> Option<Number>) -> Result<Value> {
    let results: Option<Vec<Number>> = numbers(value)?.into_iter().map(compute).collect();
    match results {
        Some(results) => Ok(shaped(value, &results)),
        None => problem("the result is undefined"),
    }
}

/// Returns numbers in the shape of a value.
fn shaped(like: &Value, results: &[Number]) -> Value {
    let kind = results
        .first()
        .map_or(ScalarKind::INT, |number| number.kind);
    let mut value = Value::of_numbers(kind, results);
    if let Shape::Matrix(_, rows, columns) = like.ty.shape {
        value.ty = SourceType::matrix(kind, rows, columns);
    }
    value
}

fn binary(
    scope: Scope<'_, '_>,
    op: BinaryOp,
    left: &Expression,
    right: &Expression,
) -> Result<Value> {
    let left = value_of(scope, left)?;
    // `&&` and `||` look at the second operand only where it matters.
    if left.leaves.len() == 1 {
        let decides = match op {
            BinaryOp::LogicalAnd => Some(false),
            BinaryOp::LogicalOr => Some(true),
            _ => None,
        };
        if let Some(decides) = decides
            && number(&left, 0)?.is_true() == decides
        {
            return Ok(Value::of_number(Number::bool(decides)));
        }
    }
    let right = value_of(scope, right)?;
    let (a, b) = (numbers(&left)?, numbers(&right)?);
    let count = match (a.len(), b.len()) {
        (1, count) | (count, 1) => count,
        // The longer vector is cut off, as HLSL does.
        (a, b) => a.min(b),
    };
    let at = |all: &[Number], index: usize| all.get(index).or(all.first()).copied();
    let results = (0..count).map(|index| {
        let (a, b) = (at(&a, index)?, at(&b, index)?);
        Number::binary(op, a, b)
    });
    match results.collect::<Option<Vec<Number>>>() {
        Some(results) => {
            let like = if left.leaves.len() == count {
                &left
            } else {
                &right
            };
            Ok(shaped(like, &results))
        }
        None => problem("the result is undefined"),
    }
}

fn call(scope: Scope<'_, '_>, name: &str, arguments: &[Expression]) -> Result<Value> {
    let values: Result<Vec<Value>> = arguments.iter().map(|a| value_of(scope, a)).collect();
    let values = values?;
    if let Some((kind, count)) = constructor(name) {
        let mut all = Vec::new();
        for value in &values {
            all.extend(numbers(value)?);
        }
        let all = match (all.as_slice(), values.as_slice()) {
            // A scalar fills a vector, and a vector keeps its length in a cast.
            ([one], _) => vec![*one; count],
            (all, [_]) if count == 1 => all.to_vec(),
            (all, _) if all.len() >= count => all.get(..count).unwrap_or_default().to_vec(),
            (all, _) => {
                return problem(format!("{name} has {count} components, not {}", all.len()));
            }
        };
        return Ok(Value::of_numbers(kind, &all));
    }
    let one = || match values.as_slice() {
        [value] => Ok(value),
        _ => problem(format!("{name} takes one argument")),
    };
    let two = || match values.as_slice() {
        [a, b] => Ok((numbers(a)?, numbers(b)?, a)),
        _ => problem(format!("{name} takes two arguments")),
    };
    let bits_as = |encoding| {
        each(one()?, |number| {
            let kind = ScalarKind::new(encoding, number.kind.bits);
            Some(Number::new(kind, number.bits))
        })
    };
    match name {
        "asfloat" => bits_as(Encoding::Float),
        "asint" => bits_as(Encoding::Signed),
        "asuint" => bits_as(Encoding::Unsigned),
        "abs" => each(one()?, |number| {
            let is_negative = number.as_f64() < 0.0;
            Some(if is_negative {
                number.negated()
            } else {
                number
            })
        }),
        "any" | "all" => {
            let numbers = numbers(one()?)?;
            let mut truths = numbers.into_iter().map(Number::is_true);
            let result = if name == "any" {
                truths.any(|t| t)
            } else {
                truths.all(|t| t)
            };
            Ok(Value::of_number(Number::bool(result)))
        }
        "min" | "max" => {
            let (a, b, like) = two()?;
            let op = if name == "min" {
                BinaryOp::Less
            } else {
                BinaryOp::Greater
            };
            let pairs = a.iter().zip(&b).map(|(&a, &b)| {
                let first = Number::binary(op, a, b).is_some_and(Number::is_true);
                if first { a } else { b }
            });
            Ok(shaped(like, &pairs.collect::<Vec<_>>()))
        }
        "dot" => {
            let (a, b, _) = two()?;
            let mut sum: Option<Number> = None;
            for (&a, &b) in a.iter().zip(&b) {
                let product = Number::binary(BinaryOp::Mul, a, b);
                sum = match (sum, product) {
                    (Some(sum), Some(product)) => Number::binary(BinaryOp::Add, sum, product),
                    (None, product) => product,
                    (sum, None) => sum,
                };
            }
            sum.map_or_else(
                || problem("dot of nothing"),
                |sum| Ok(Value::of_number(sum)),
            )
        }
        _ => problem(format!("{name} is no function of the debugger")),
    }
}

/// Returns the kind and the number of components that a constructor or a cast makes.
fn constructor(name: &str) -> Option<(ScalarKind, usize)> {
    if let Some(kind) = ScalarKind::named(name) {
        return Some((kind, 1));
    }
    let digit = name.chars().next_back()?.to_digit(10)?;
    let kind = ScalarKind::named(name.get(..name.len() - 1)?)?;
    (1..=4).contains(&digit).then_some((kind, digit as usize))
}

/// Changes what an expression names.
///
/// # Errors
///
/// Why it cannot be changed, or what is wrong with the value.
pub(crate) fn assign(scope: Scope<'_, '_>, target: &Expression, value: &Value) -> Result<Value> {
    let known = value_of(scope, target)?;
    let Some(kind) = known.kind() else {
        return problem("change one number at a time: a member or an element");
    };
    let given = numbers(value)?;
    let moment = scope.moment;
    for (index, leaf) in known.leaves.iter().enumerate() {
        let Some(number) = given
            .get(index)
            .or(given.first().filter(|_| given.len() == 1))
        else {
            return problem(format!("{} components are missing", known.leaves.len()));
        };
        let number = number.converted(kind);
        let is_done = match leaf.place {
            Place::None => false,
            Place::Part {
                frame,
                part,
                index,
                ty,
            } => moment.variables(frame).get(part).is_some_and(|part| {
                let bits = to_module(number, ty);
                moment.assign(frame, part, index, (scope.lane, bits))
            }),
            Place::Private { address, ty } => {
                let bits = to_module(number, ty);
                let is_wide = variables::words_of(ty) == 2;
                moment.set_word(scope.lane, address, bits as u32)
                    && (!is_wide || moment.set_word(scope.lane, address + 1, (bits >> 32) as u32))
            }
            Place::Shared { address, ty } => {
                let bits = to_module(number, ty);
                let is_wide = variables::words_of(ty) == 2;
                moment.set_shared_word(address, bits as u32)
                    && (!is_wide || moment.set_shared_word(address + 1, (bits >> 32) as u32))
            }
            Place::Buffer { register, at } => {
                moment.set_buffer_word(register, at, kind.bits / 8, number.bits)
            }
        };
        if !is_done {
            return problem(match leaf.known {
                Known::Bits(_) => {
                    "it cannot be changed: it is a constant in the code, or the result of an expression"
                }
                Known::Unassigned | Known::OptimizedOut | Known::Outside => {
                    why(leaf.known).unwrap_or_default()
                }
            });
        }
    }
    value_of(scope, target)
}
