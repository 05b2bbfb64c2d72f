//! Casts between floats and their bits that naga's IR or its writers lack.
//!
//! `OpBitcast` casts a double to two words (SPIR-V specification, 3.3.11 "Conversion
//! Instructions"); naga's IR has no such cast, and its HLSL writer converts halves. The
//! translator puts each of these casts into a function by itself
//! (`Features::CASTS_IN_FUNCTIONS`). Such functions are recognized by their types and their body
//! when the module is read; `cast_bodies` writes the body that a language has for each.

use naga::{
    Expression, Function, Handle, Module, Scalar, Span, Statement, Type, TypeInner, VectorSize,
};

/// A cast between a float and its bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cast {
    /// Makes a double of two words, the low one first.
    DoubleOfWords,
    /// Returns the two words of a double, the low one first.
    WordsOfDouble,
    /// Makes a half of 16 bits.
    HalfOfBits,
    /// Returns the bits of a half.
    BitsOfHalf,
}

const PAIR: TypeInner = TypeInner::Vector {
    size: VectorSize::Bi,
    scalar: Scalar::U32,
};
const DOUBLE: TypeInner = TypeInner::Scalar(Scalar::F64);
const HALF: TypeInner = TypeInner::Scalar(Scalar::F16);
const BITS: TypeInner = TypeInner::Scalar(Scalar::U16);

impl Cast {
    /// Returns the cast that a function consists of.
    fn of(function: &Function, module: &Module) -> Option<Cast> {
        let [argument] = function.arguments.as_slice() else {
            return None;
        };
        let inner = |ty: Handle<Type>| &module.types[ty].inner;
        let result = inner(function.result.as_ref()?.ty);
        let types = (inner(argument.ty), result);
        let cast = if types == (&PAIR, &DOUBLE) {
            Cast::DoubleOfWords
        } else if types == (&DOUBLE, &PAIR) {
            Cast::WordsOfDouble
        } else if types == (&BITS, &HALF) {
            Cast::HalfOfBits
        } else if types == (&HALF, &BITS) {
            Cast::BitsOfHalf
        } else {
            return None;
        };
        let Expression::As {
            expr,
            convert: None,
            ..
        } = function.expressions[returned(function)?]
        else {
            return None;
        };
        let is_cast = matches!(function.expressions[expr], Expression::FunctionArgument(0));
        is_cast.then_some(cast)
    }

    fn is_of_double(self) -> bool {
        matches!(self, Cast::DoubleOfWords | Cast::WordsOfDouble)
    }

    /// Returns the name of the function in texts. The writer may append to it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Cast::DoubleOfWords => "double_of_words",
            Cast::WordsOfDouble => "words_of_double",
            Cast::HalfOfBits => "half_of_bits",
            Cast::BitsOfHalf => "bits_of_half",
        }
    }
}

/// The casts that functions of a module consist of.
#[derive(Debug, Clone, Default)]
pub(super) struct FloatCasts(Vec<Cast>);

impl FloatCasts {
    /// Returns them, one for each such function.
    pub(super) fn casts(&self) -> impl Iterator<Item = Cast> {
        self.0.iter().copied()
    }

    /// Returns whether one of them is a cast that the IR cannot express.
    pub(super) fn have_doubles(&self) -> bool {
        self.casts().any(Cast::is_of_double)
    }
}

/// Returns the result of a function without control flow.
fn returned(function: &Function) -> Option<Handle<Expression>> {
    let mut value = None;
    for statement in function.body.iter() {
        match *statement {
            Statement::Emit(_) => {}
            Statement::Return { value: returned } => value = returned,
            _ => return None,
        }
    }
    value
}

/// Finds and names the functions that are casts. Those of doubles, which have no form in the IR,
/// return 0 until their text is written.
pub(super) fn stand_in(module: &mut Module) -> FloatCasts {
    let functions = module.functions.iter();
    let casts: Vec<_> = functions
        .filter_map(|(handle, function)| Some((handle, Cast::of(function, module)?)))
        .collect();
    for &(handle, cast) in &casts {
        let function = &mut module.functions[handle];
        function.name = Some(cast.name().to_owned());
        if !cast.is_of_double() {
            continue;
        }
        if let (Some(value), Some(result)) = (returned(function), &function.result) {
            function.expressions[value] = Expression::ZeroValue(result.ty);
            function.named_expressions.clear();
            function.body.cull(..);
            let value = Some(value);
            function
                .body
                .push(Statement::Return { value }, Span::UNDEFINED);
        }
    }
    FloatCasts(casts.into_iter().map(|(_, cast)| cast).collect())
}

#[cfg(test)]
mod tests {
    use dxil_frontend::dxil::ShaderKind;
    use rspirv::binary::Assemble as _;
    use rspirv::dr::{Builder, Operand};
    use rspirv::spirv::{
        AddressingModel, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl,
        MemoryModel, StorageClass, Word,
    };

    use crate::language::{Language, PortableModule};

    /// Returns a module that adds 1 to the double in a buffer of two words. The casts are in
    /// functions by themselves; `name` is what both are called.
    fn words(name: &str) -> Vec<u32> {
        let mut b = Builder::new();
        b.set_version(1, 3);
        b.capability(Capability::Shader);
        b.capability(Capability::Float64);
        b.memory_model(AddressingModel::Logical, MemoryModel::GLSL450);
        let (void, word, double) = (b.type_void(), b.type_int(32, 0), b.type_float(64, None));
        let pair = b.type_vector(word, 2);
        let block = b.type_struct([pair]);
        b.decorate(block, Decoration::Block, []);
        let offset = Operand::LiteralBit32(0);
        b.member_decorate(block, 0, Decoration::Offset, [offset]);
        let [to_block, to_pair] =
            [block, pair].map(|ty| b.type_pointer(None, StorageClass::StorageBuffer, ty));
        let buffer = b.variable(to_block, None, StorageClass::StorageBuffer, None);
        for decoration in [Decoration::DescriptorSet, Decoration::Binding] {
            b.decorate(buffer, decoration, [Operand::LiteralBit32(0)]);
        }
        let zero = b.constant_bit32(word, 0);
        let one = b.constant_bit64(double, 1.0_f64.to_bits());
        let mut cast = |from: Word, to: Word| {
            let ty = b.type_function(to, [from]);
            let function = b
                .begin_function(to, None, FunctionControl::NONE, ty)
                .unwrap();
            b.name(function, name);
            let value = b.function_parameter(from).unwrap();
            b.begin_block(None).unwrap();
            let value = b.bitcast(to, None, value).unwrap();
            b.ret_value(value).unwrap();
            b.end_function().unwrap();
            function
        };
        let [to_double, to_words] = [cast(pair, double), cast(double, pair)];
        let ty = b.type_function(void, []);
        let main = b
            .begin_function(void, None, FunctionControl::NONE, ty)
            .unwrap();
        b.begin_block(None).unwrap();
        let pointer = b.access_chain(to_pair, None, buffer, [zero]).unwrap();
        let value = b.load(pair, None, pointer, None, []).unwrap();
        let value = b.function_call(double, None, to_double, [value]).unwrap();
        let value = b.f_add(double, None, value, one).unwrap();
        let value = b.function_call(pair, None, to_words, [value]).unwrap();
        b.store(pointer, value, None, []).unwrap();
        b.ret().unwrap();
        b.end_function().unwrap();
        b.entry_point(ExecutionModel::GLCompute, main, "main", []);
        b.execution_mode(main, ExecutionMode::LocalSize, [1, 1, 1]);
        b.module().assemble()
    }

    #[test]
    fn functions_that_cast_doubles_are_found_by_their_body_and_get_another_one() {
        // A name is not a mark: any will do.
        for name in ["main_0", "double_of_words", ""] {
            let module = PortableModule::read(&words(name)).unwrap();
            let write = |language| module.write(language, ShaderKind::Compute, "main");
            let glsl = write(Language::Glsl).unwrap();
            assert!(glsl.contains("return packDouble2x32("), "{glsl}");
            assert!(glsl.contains("return unpackDouble2x32("), "{glsl}");
            let hlsl = write(Language::Hlsl).unwrap();
            assert!(hlsl.contains("return asdouble("), "{hlsl}");
            assert!(hlsl.contains("asuint("), "{hlsl}");
            for language in [Language::Wgsl, Language::Msl] {
                assert!(write(language).is_err(), "the body would return 0");
            }
            assert!(module.into_naga().is_err(), "the body would return 0");
        }
    }
}
