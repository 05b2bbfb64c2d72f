//! Sample masks in naga's IR.
//!
//! A sample mask is an array of words in SPIR-V (Vulkan specification, 15.9 "Built-In Variables",
//! VUID-SampleMask-SampleMask-04359). naga's front end keeps the array in a private variable, which
//! the entry point fills from its argument or returns; the validator accepts scalars only
//! (patch 0011).

use naga::{
    ArraySize, Binding, Block, BuiltIn, Expression, Function, GlobalVariable, Handle, Literal,
    Module, Range, Scalar, Span, Statement, Type, TypeInner,
};

use super::blocks::for_each_block;

/// Makes the sample masks of entry points scalars, and the variables that hold them too.
pub(super) fn make_scalar(module: &mut Module) -> Result<(), &'static str> {
    let variables = mask_variables(module);
    if variables.is_empty() {
        return Ok(());
    }
    let word = Type {
        name: None,
        inner: TypeInner::Scalar(Scalar::U32),
    };
    let word = module.types.insert(word, Span::UNDEFINED);
    for &variable in &variables {
        let variable = &mut module.global_variables[variable];
        variable.ty = word;
        // The front end initializes outputs with a word already.
        if let Some(init) = variable.init
            && !matches!(
                module.global_expressions[init],
                Expression::Literal(Literal::U32(_))
            )
        {
            variable.init = None;
        }
    }
    for (_, function) in module.functions.iter_mut() {
        access_as_scalars(function, &variables);
    }
    for point in &mut module.entry_points {
        for argument in &mut point.function.arguments {
            if is_mask(argument.binding.as_ref()) {
                argument.ty = word;
            }
        }
        let Some(result) = &mut point.function.result else {
            continue;
        };
        if is_mask(result.binding.as_ref()) {
            result.ty = word;
        }
        let mut ty = module.types[result.ty].clone();
        let TypeInner::Struct { members, .. } = &mut ty.inner else {
            continue;
        };
        let mut masks = members.iter_mut();
        if let Some(mask) = masks.find(|member| is_mask(member.binding.as_ref()))
            && mask.ty != word
        {
            mask.ty = word;
            // Replaced in place: WGSL has no struct with another type of mask, even if nothing uses
            // it.
            module.types.replace(result.ty, ty);
        }
    }
    Ok(())
}

fn is_mask(binding: Option<&Binding>) -> bool {
    binding == Some(&Binding::BuiltIn(BuiltIn::SampleMask))
}

/// Returns the private variables that hold sample masks as arrays of one word.
fn mask_variables(module: &Module) -> Vec<Handle<GlobalVariable>> {
    let mut variables = Vec::new();
    for point in &module.entry_points {
        let function = &point.function;
        for statement in function.body.iter() {
            let pointer = match *statement {
                Statement::Store { pointer, value } => match function.expressions[value] {
                    Expression::FunctionArgument(index)
                        if is_mask_argument(function, index as usize) =>
                    {
                        Some(pointer)
                    }
                    _ => None,
                },
                Statement::Return { value: Some(value) } => returned_mask(module, function, value),
                _ => None,
            };
            if let Some(pointer) = pointer
                && let Expression::GlobalVariable(variable) = function.expressions[pointer]
                && holds_one_word(module, variable)
            {
                variables.push(variable);
            }
        }
    }
    variables
}

fn is_mask_argument(function: &Function, index: usize) -> bool {
    let argument = function.arguments.get(index);
    argument.is_some_and(|argument| is_mask(argument.binding.as_ref()))
}

/// Returns the pointer through which an entry point loads the mask that it returns.
fn returned_mask(
    module: &Module,
    function: &Function,
    value: Handle<Expression>,
) -> Option<Handle<Expression>> {
    let result = function.result.as_ref()?;
    let mut value = value;
    if let TypeInner::Struct { members, .. } = &module.types[result.ty].inner {
        let mut members = members.iter();
        let index = members.position(|member| is_mask(member.binding.as_ref()))?;
        let Expression::Compose { components, .. } = &function.expressions[value] else {
            return None;
        };
        value = *components.get(index)?;
    } else if !is_mask(result.binding.as_ref()) {
        return None;
    }
    match function.expressions[value] {
        Expression::Load { pointer } => Some(pointer),
        _ => None,
    }
}

fn holds_one_word(module: &Module, variable: Handle<GlobalVariable>) -> bool {
    match module.types[module.global_variables[variable].ty].inner {
        TypeInner::Array {
            base,
            size: ArraySize::Constant(count),
            ..
        } => count.get() == 1 && module.types[base].inner == TypeInner::Scalar(Scalar::U32),
        _ => false,
    }
}

/// Turns pointers to the element of these variables into pointers to the variables.
fn access_as_scalars(function: &mut Function, variables: &[Handle<GlobalVariable>]) {
    let mut accesses = Vec::new();
    for (handle, expression) in function.expressions.iter() {
        let (Expression::AccessIndex { base, .. } | Expression::Access { base, .. }) = *expression
        else {
            continue;
        };
        if let Expression::GlobalVariable(variable) = function.expressions[base]
            && variables.contains(&variable)
        {
            accesses.push((handle, variable));
        }
    }
    for &(handle, variable) in &accesses {
        function.expressions[handle] = Expression::GlobalVariable(variable);
    }
    if accesses.is_empty() {
        return;
    }
    // A variable's expression is always there and must not be emitted.
    let is_access = |handle| accesses.iter().any(|&(access, _)| access == handle);
    for_each_block(&mut function.body, &mut |block| {
        let statements = std::mem::take(block).span_into_iter();
        let mut rest = Block::new();
        for (statement, span) in statements {
            let Statement::Emit(range) = statement else {
                rest.push(statement, span);
                continue;
            };
            let mut run: Option<(Handle<Expression>, Handle<Expression>)> = None;
            for handle in range {
                if !is_access(handle) {
                    run = Some((run.map_or(handle, |(first, _)| first), handle));
                } else if let Some((first, last)) = run.take() {
                    rest.push(Statement::Emit(Range::new_from_bounds(first, last)), span);
                }
            }
            if let Some((first, last)) = run {
                rest.push(Statement::Emit(Range::new_from_bounds(first, last)), span);
            }
        }
        *block = rest;
    });
}

#[cfg(test)]
mod tests {
    use dxil_frontend::dxil::ShaderKind;
    use rspirv::binary::Assemble as _;
    use rspirv::dr::{Builder, Operand};
    use rspirv::spirv::{
        AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel,
        FunctionControl, MemoryModel, StorageClass,
    };

    use crate::language::{Language, PortableModule};

    /// Returns a pixel shader whose mask is the sum of the rasterizer's and 1, and which may also
    /// have a depth, so that its outputs are a struct.
    fn words(has_depth: bool) -> Vec<u32> {
        let mut b = Builder::new();
        b.set_version(1, 3);
        b.capability(Capability::Shader);
        b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
        let void = b.type_void();
        let word = b.type_int(32, 0);
        let [zero, one] = [0, 1].map(|value| b.constant_bit32(word, value));
        let array = b.type_array(word, one);
        let [(input, to_input), (output, to_output)] = [StorageClass::Input, StorageClass::Output]
            .map(|class| {
                let ty = b.type_pointer(None, class, array);
                let variable = b.variable(ty, None, class, None);
                let built_in = Operand::BuiltIn(BuiltIn::SampleMask);
                b.decorate(variable, Decoration::BuiltIn, [built_in]);
                (variable, b.type_pointer(None, class, word))
            });
        b.decorate(input, Decoration::Flat, []);
        let ty = b.type_function(void, []);
        let main = b
            .begin_function(void, None, FunctionControl::NONE, ty)
            .unwrap();
        b.begin_block(None).unwrap();
        let from = b.access_chain(to_input, None, input, [zero]).unwrap();
        let mask = b.load(word, None, from, None, []).unwrap();
        let sum = b.i_add(word, None, mask, one).unwrap();
        let to = b.access_chain(to_output, None, output, [zero]).unwrap();
        b.store(to, sum, None, []).unwrap();
        b.ret().unwrap();
        b.end_function().unwrap();
        let mut interface = vec![input, output];
        if has_depth {
            let float = b.type_float(32, None);
            let ty = b.type_pointer(None, StorageClass::Output, float);
            let depth = b.variable(ty, None, StorageClass::Output, None);
            let built_in = Operand::BuiltIn(BuiltIn::FragDepth);
            b.decorate(depth, Decoration::BuiltIn, [built_in]);
            b.execution_mode(main, ExecutionMode::DepthReplacing, []);
            interface.push(depth);
        }
        b.entry_point(ExecutionModel::Fragment, main, "main", interface);
        b.execution_mode(main, ExecutionMode::OriginUpperLeft, []);
        b.module().assemble()
    }

    #[test]
    fn arrays_of_one_word_become_scalars() {
        for has_depth in [false, true] {
            let module = PortableModule::read(&words(has_depth)).unwrap();
            let write = |language| module.write(language, ShaderKind::Pixel, "main");
            let wgsl = write(Language::Wgsl).unwrap();
            assert_eq!(wgsl.matches("@builtin(sample_mask)").count(), 2, "{wgsl}");
            assert!(!wgsl.contains("array"), "{wgsl}");
            let refused = write(Language::Glsl).unwrap_err();
            assert!(refused.to_string().contains("a sample mask"), "{refused}");
        }
    }
}
