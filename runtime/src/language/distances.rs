//! Clip and cull distances of HLSL in naga's IR.
//!
//! A distance is an array of floats in the IR, as in SPIR-V, and naga's HLSL writer declares one
//! element of it (patch 0016). `SV_ClipDistance` takes vectors as well (HLSL, "Semantics"), so the
//! member of the entry point's result becomes one. The private variable that holds the array until
//! the entry point returns stays as it is.

use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use naga::{
    Arena, ArraySize, Binding, BuiltIn, Expression, Function, GlobalVariable, Handle, Module,
    Range, Scalar, Span, Statement, StructMember, Type, TypeInner, VectorSize,
};

use super::blocks::for_each_block;
use super::handles;
use super::legalize::Changed;

/// A distance of an entry point.
struct Distance {
    /// The member of the result.
    member: usize,
    /// The built-in, which the validator accepts for arrays only.
    binding: Option<Binding>,
    /// Number of floats.
    count: u32,
    /// The type of that many floats.
    vector: Handle<Type>,
}

/// Returns the module with vectors for distances; `None` if it has no distance.
///
/// # Errors
///
/// The reason for a refusal: a built-in of more than one vector.
pub(super) fn as_vectors(
    module: &Module,
    _info: &ModuleInfo,
) -> Result<Option<Changed>, &'static str> {
    const MORE: &str = "more than four clip or cull distances";
    const OTHER: &str = "clip or cull distances that are not in a variable";
    let mut changed: Option<Module> = None;
    let mut bindings: Vec<(Handle<Type>, Vec<Distance>)> = Vec::new();
    for index in 0..module.entry_points.len() {
        let module = changed.as_ref().unwrap_or(module);
        let Some((ty, members)) = result_of(module, index) else {
            continue;
        };
        let members = members.to_vec();
        let mut found = Vec::new();
        for (index, member) in members.iter().enumerate() {
            if is_distance(member) {
                found.push((index, count_of(module, member.ty).ok_or(MORE)?));
            }
        }
        if found.is_empty() {
            continue;
        }
        let mut module = module.clone();
        let distances: Vec<_> = found
            .into_iter()
            .map(|(member, count)| Distance {
                member,
                binding: members[member].binding.clone(),
                count,
                vector: vector_of(&mut module, count),
            })
            .collect();
        let ty = with_members(&mut module, ty, &distances);
        compose(&mut module, index, ty, &distances).ok_or(OTHER)?;
        bindings.push((ty, distances));
        changed = Some(module);
    }
    let Some(mut module) = changed else {
        return Ok(None);
    };
    // Members without a binding pass without this flag.
    let flags = ValidationFlags::all() - ValidationFlags::BINDINGS;
    let info = Validator::new(flags, Capabilities::all()).validate(&module);
    let info = info.map_err(|_| OTHER)?;
    for (ty, distances) in bindings {
        let mut result = module.types[ty].clone();
        if let TypeInner::Struct { members, .. } = &mut result.inner {
            for distance in distances {
                members[distance.member].binding = distance.binding;
            }
        }
        module.types.replace(ty, result);
    }
    Ok(Some((module, info)))
}

/// Returns the type and the members of an entry point's result.
fn result_of(module: &Module, index: usize) -> Option<(Handle<Type>, &[StructMember])> {
    let ty = module.entry_points[index].function.result.as_ref()?.ty;
    match &module.types[ty].inner {
        TypeInner::Struct { members, .. } => Some((ty, members)),
        _ => None,
    }
}

fn is_distance(member: &StructMember) -> bool {
    matches!(
        member.binding,
        Some(Binding::BuiltIn(
            BuiltIn::ClipDistances | BuiltIn::CullDistance
        ))
    )
}

/// Returns the length of an array that is short enough for a vector.
fn count_of(module: &Module, ty: Handle<Type>) -> Option<u32> {
    match module.types[ty].inner {
        TypeInner::Array {
            size: ArraySize::Constant(count),
            ..
        } => Some(count.get()).filter(|count| *count <= 4),
        _ => None,
    }
}

/// Returns the type of one to four floats.
fn vector_of(module: &mut Module, count: u32) -> Handle<Type> {
    let scalar = Scalar::F32;
    let size = match count {
        1 => None,
        2 => Some(VectorSize::Bi),
        3 => Some(VectorSize::Tri),
        _ => Some(VectorSize::Quad),
    };
    let inner = match size {
        Some(size) => TypeInner::Vector { size, scalar },
        None => TypeInner::Scalar(scalar),
    };
    let ty = Type { name: None, inner };
    module.types.insert(ty, Span::UNDEFINED)
}

/// Adds the type of a result whose distances are vectors without bindings. The old type stays: a
/// type may only refer to types before it.
fn with_members(module: &mut Module, ty: Handle<Type>, distances: &[Distance]) -> Handle<Type> {
    let mut result = module.types[ty].clone();
    if let TypeInner::Struct { members, span } = &mut result.inner {
        for distance in distances {
            let member = &mut members[distance.member];
            (member.ty, member.binding) = (distance.vector, None);
        }
        // Offsets of results mean nothing, and the validator wants them in order.
        let mut offset = 0;
        for member in members {
            member.offset = offset;
            offset += 16;
        }
        *span = offset;
    }
    module.types.insert(result, Span::UNDEFINED)
}

/// Makes an entry point return the new type: loads each element of a distance in front of the
/// expression that composes the result.
fn compose(
    module: &mut Module,
    index: usize,
    ty: Handle<Type>,
    distances: &[Distance],
) -> Option<()> {
    let function = &mut module.entry_points[index].function;
    let result = returned(function)?;
    let Expression::Compose { components, .. } = &function.expressions[result] else {
        return None;
    };
    let mut variables = Vec::with_capacity(distances.len());
    for distance in distances {
        variables.push(loaded(function, *components.get(distance.member)?)?);
    }
    // Handles of the new expressions: the arena that they are made in has no others either.
    let mut new = Arena::new();
    let mut add = |expression| new.append(expression, Span::UNDEFINED);
    let mut vectors = Vec::with_capacity(distances.len());
    let mut emitted = Vec::new();
    for (distance, variable) in distances.iter().zip(variables) {
        let base = add(Expression::GlobalVariable(variable));
        let mut elements = Vec::with_capacity(4);
        for index in 0..distance.count {
            let pointer = add(Expression::AccessIndex { base, index });
            let element = add(Expression::Load { pointer });
            emitted.extend([pointer, element]);
            elements.push(element);
        }
        vectors.push(match elements.as_slice() {
            [element] => *element,
            _ => {
                let vector = add(Expression::Compose {
                    ty: distance.vector,
                    components: elements,
                });
                emitted.push(vector);
                vector
            }
        });
    }
    let new = new.drain().map(|(_, expression, _)| expression);
    handles::prepend(function, new.collect());
    let result = returned(function)?;
    if let Expression::Compose {
        ty: composed,
        components,
    } = &mut function.expressions[result]
    {
        *composed = ty;
        for (distance, vector) in distances.iter().zip(vectors) {
            components[distance.member] = vector;
        }
    }
    if let Some(result) = &mut function.result {
        result.ty = ty;
    }
    emit_before(function, result, &emitted);
    Some(())
}

/// Returns the value that a function returns at its end.
fn returned(function: &Function) -> Option<Handle<Expression>> {
    match function.body.last()? {
        Statement::Return { value } => *value,
        _ => None,
    }
}

/// Returns the variable that an expression loads.
fn loaded(function: &Function, value: Handle<Expression>) -> Option<Handle<GlobalVariable>> {
    let Expression::Load { pointer } = function.expressions[value] else {
        return None;
    };
    match function.expressions[pointer] {
        Expression::GlobalVariable(variable) => Some(variable),
        _ => None,
    }
}

/// Emits expressions in front of the statement that emits `result`.
fn emit_before(
    function: &mut Function,
    result: Handle<Expression>,
    emitted: &[Handle<Expression>],
) {
    for_each_block(&mut function.body, &mut |block| {
        let is_it = |statement: &Statement| match statement {
            Statement::Emit(range) => range.clone().any(|handle| handle == result),
            _ => false,
        };
        if let Some(at) = block.iter().position(is_it) {
            let mut front = naga::Block::with_capacity(emitted.len());
            for &handle in emitted {
                let range = Range::new_from_bounds(handle, handle);
                front.push(Statement::Emit(range), Span::UNDEFINED);
            }
            block.splice(at..at, front);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the HLSL of a vertex shader with `count` clip distances.
    fn hlsl(count: u32) -> Result<String, &'static str> {
        let wgsl = format!(
            "enable clip_distances;
            var<private> distances: array<f32, {count}>;
            struct Out {{
                @builtin(position) position: vec4<f32>,
                @builtin(clip_distances) distances: array<f32, {count}>,
            }}
            @vertex fn main() -> Out {{
                distances[0] = 2.0;
                return Out(vec4(1.0), distances);
            }}"
        );
        let module = naga::front::wgsl::parse_str(&wgsl).unwrap();
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        let info = validator.validate(&module).unwrap();
        let (module, info) = as_vectors(&module, &info)?.unwrap();
        let options = naga::back::hlsl::Options::default();
        let pipeline = naga::back::hlsl::PipelineOptions::default();
        let mut text = String::new();
        let mut writer = naga::back::hlsl::Writer::new(&mut text, &options, &pipeline);
        writer.write(&module, &info, None).unwrap();
        Ok(text)
    }

    #[test]
    fn distances_are_one_vector() {
        for (count, declaration) in [
            (1, "float distances : SV_ClipDistance"),
            (3, "float3 distances : SV_ClipDistance"),
            (4, "float4 distances : SV_ClipDistance"),
        ] {
            let text = hlsl(count).unwrap();
            assert!(text.contains(declaration), "{text}");
        }
        assert_eq!(hlsl(5), Err("more than four clip or cull distances"));
    }

    #[test]
    fn modules_without_distances_stay() {
        let wgsl = "@vertex fn main() -> @builtin(position) vec4<f32> { return vec4(1.0); }";
        let module = naga::front::wgsl::parse_str(wgsl).unwrap();
        let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
        let info = validator.validate(&module).unwrap();
        assert!(as_vectors(&module, &info).unwrap().is_none());
    }
}
