//! Each rule by itself: a function with one instruction, and what becomes of it.

use dxil_validator::{Environment, validate};

use super::{Refusal, Rules, run};
use crate::pseudo_atomics::PseudoAtomic;
use crate::spirv::{
    Builder, Capability, Decoration, Dim, ExecutionMode, ExecutionModel, GLOp, Id, ImageFormat,
    ImageType, Op, StorageClass,
};

const ALL: Rules = Rules {
    emulate_int64: true,
    casts_in_functions: true,
    image_atomics: true,
};

const INT64: Rules = Rules {
    emulate_int64: true,
    casts_in_functions: false,
    image_atomics: false,
};

/// Returns a function with parameters, in a module with an entry point.
fn module(
    types: impl FnOnce(&mut Builder) -> (Vec<Id>, Id),
    body: impl FnOnce(&mut Builder, &[Id], Id) -> Id,
) -> Builder {
    let mut b = Builder::new(0x0001_0300);
    b.capability(Capability::Shader);
    let void = b.void();
    let function_ty = b.function_type(void, &[]);
    let id = b.fresh();
    let main = b.begin_function(id, void, function_ty);
    let label = b.fresh();
    b.entry_label(label);
    b.emit_void::<u32>(Op::Return, &[]);
    let main = b.end_function(main);
    let (parameters, result) = types(&mut b);
    let function_ty = b.function_type(result, &parameters);
    let id = b.fresh();
    let function = b.begin_function(id, result, function_ty);
    let values: Vec<Id> = parameters.iter().map(|&ty| b.parameter(ty)).collect();
    let label = b.fresh();
    b.entry_label(label);
    let value = body(&mut b, &values, result);
    b.emit_void(Op::ReturnValue, &[value]);
    b.end_function(function);
    b.entry_point(ExecutionModel::GLCompute, main, "main");
    b.execution_mode(main, ExecutionMode::LocalSize, &[1, 1, 1]);
    b
}

/// Returns the valid module that the rules make of a valid one.
fn legalized(mut b: Builder, rules: Rules) -> rspirv::dr::Module {
    let check = |b: &Builder| {
        let words = b.assemble().unwrap();
        validate(
            &words,
            dxil_validator::Rules::strict(Environment::Vulkan1_1),
        )
        .unwrap();
        words
    };
    check(&b);
    run(&mut b, rules, usize::MAX).unwrap();
    rspirv::dr::load_words(check(&b)).unwrap()
}

/// Returns the instructions of the function that [`module`] makes, the return left out.
fn instructions(module: &rspirv::dr::Module) -> Vec<Op> {
    let blocks = &module.functions[1].blocks;
    let all = blocks.iter().flat_map(|block| &block.instructions);
    let mut ops: Vec<Op> = all.map(|inst| inst.class.opcode).collect();
    assert_eq!(ops.pop(), Some(Op::ReturnValue));
    ops
}

/// Returns the rewritten form of one instruction on values of these types.
fn rewritten(rules: Rules, types: impl FnOnce(&mut Builder) -> (Vec<Id>, Id), op: Op) -> Vec<Op> {
    let b = module(types, |b, values, ty| b.emit(op, ty, values));
    instructions(&legalized(b, rules))
}

fn two_words(b: &mut Builder) -> (Vec<Id>, Id) {
    let word = b.u32();
    (vec![word; 2], word)
}

fn two_wide(b: &mut Builder) -> (Vec<Id>, Id) {
    let wide = b.uint(64);
    (vec![wide; 2], wide)
}

fn compare_floats(b: &mut Builder) -> (Vec<Id>, Id) {
    (vec![b.f32(); 2], b.bool())
}

/// Calls a function of `GLSL.std.450`.
fn call(types: impl FnOnce(&mut Builder) -> (Vec<Id>, Id), function: GLOp) -> Vec<GLOp> {
    let b = module(types, |b, values, ty| b.glsl(function, ty, values));
    let module = legalized(b, Rules::default());
    let all = module.functions[1].blocks[0].instructions.iter();
    let number = |inst: &rspirv::dr::Instruction| match inst.operands.get(1) {
        Some(&rspirv::dr::Operand::LiteralExtInstInteger(number)) => GLOp::from_u32(number),
        _ => None,
    };
    all.filter_map(number).collect()
}

#[test]
fn instructions_that_no_rule_names_stay() {
    let mut b = module(two_words, |b, values, ty| b.emit(Op::IAdd, ty, values));
    let before = b.assemble().unwrap();
    run(&mut b, ALL, usize::MAX).unwrap();
    assert_eq!(b.assemble().unwrap(), before);
}

#[test]
fn signed_operations_have_signed_operands_and_results() {
    use Op::Bitcast;
    let division = rewritten(Rules::default(), two_words, Op::SDiv);
    assert_eq!(division, [Bitcast, Bitcast, Op::SDiv, Bitcast]);
    let shift = rewritten(Rules::default(), two_words, Op::ShiftRightArithmetic);
    assert_eq!(shift, [Bitcast, Op::ShiftRightArithmetic, Bitcast]);
    let smaller = call(two_words, GLOp::SMin);
    assert_eq!(smaller, [GLOp::SMin]);
}

#[test]
fn operands_that_have_a_sign_are_not_cast() {
    let signed = |b: &mut Builder| (vec![b.int(32); 2], b.int(32));
    assert_eq!(rewritten(Rules::default(), signed, Op::SDiv), [Op::SDiv]);
}

#[test]
fn a_remainder_is_a_difference() {
    let ops = rewritten(Rules::default(), two_words, Op::SRem);
    assert!(!ops.contains(&Op::SRem));
    assert_eq!(ops[ops.len() - 2..], [Op::IMul, Op::ISub]);
}

#[test]
fn an_unordered_comparison_is_the_opposite_one_negated() {
    for (unordered, opposite) in [
        (Op::FUnordNotEqual, Op::FOrdEqual),
        (Op::FUnordLessThan, Op::FOrdGreaterThanEqual),
        (Op::FUnordLessThanEqual, Op::FOrdGreaterThan),
        (Op::FUnordGreaterThan, Op::FOrdLessThanEqual),
        (Op::FUnordGreaterThanEqual, Op::FOrdLessThan),
    ] {
        let ops = rewritten(Rules::default(), compare_floats, unordered);
        assert_eq!(ops, [opposite, Op::LogicalNot]);
    }
}

#[test]
fn ordered_inequality_is_less_or_greater() {
    let [less, greater] = [Op::FOrdLessThan, Op::FOrdGreaterThan];
    let unequal = rewritten(Rules::default(), compare_floats, Op::FOrdNotEqual);
    assert_eq!(unequal, [less, greater, Op::LogicalOr]);
    let equal = rewritten(Rules::default(), compare_floats, Op::FUnordEqual);
    assert_eq!(equal, [less, greater, Op::LogicalOr, Op::LogicalNot]);
}

#[test]
fn functions_that_avoid_nan_become_tests_of_bits() {
    let two = |b: &mut Builder| (vec![b.f32(); 2], b.f32());
    assert_eq!(call(two, GLOp::NMin), [GLOp::FMin]);
    assert_eq!(call(two, GLOp::NMax), [GLOp::FMax]);
    let three = |b: &mut Builder| (vec![b.f32(); 3], b.f32());
    assert_eq!(call(three, GLOp::NClamp), [GLOp::FClamp]);
    let b = module(two, |b, values, ty| b.glsl(GLOp::NMin, ty, values));
    let ops = instructions(&legalized(b, Rules::default()));
    let selects = ops.iter().filter(|&&op| op == Op::Select).count();
    assert_eq!(selects, 2, "one test for each operand: {ops:?}");
}

#[test]
fn structs_are_selected_member_by_member() {
    let types = |b: &mut Builder| {
        let (word, float) = (b.u32(), b.f32());
        let pair = b.struct_type(&[word, float]);
        (vec![b.bool(), pair, pair], pair)
    };
    let mut b = Builder::new(0x0001_0400);
    let (parameters, _) = types(&mut b);
    assert_eq!(parameters.len(), 3);
    // Valid from SPIR-V 1.4 on, so that only what is made of it is checked.
    let mut b = module(types, |b, values, ty| b.emit(Op::Select, ty, values));
    run(&mut b, Rules::default(), usize::MAX).unwrap();
    let words = b.assemble().unwrap();
    validate(
        &words,
        dxil_validator::Rules::strict(Environment::Vulkan1_1),
    )
    .unwrap();
    let ops = instructions(&rspirv::dr::load_words(words).unwrap());
    let count = |wanted| ops.iter().filter(|&&op| op == wanted).count();
    assert_eq!(count(Op::Select), 2);
    assert_eq!(ops.last(), Some(&Op::CompositeConstruct));
}

#[test]
fn logical_operations_on_vectors_are_selections() {
    let vectors = |b: &mut Builder| {
        let bool_ty = b.bool();
        let vector = b.vector(bool_ty, 3);
        (vec![vector; 2], vector)
    };
    for op in [Op::LogicalAnd, Op::LogicalOr] {
        assert_eq!(rewritten(Rules::default(), vectors, op), [Op::Select]);
    }
    let bools = |b: &mut Builder| (vec![b.bool(); 2], b.bool());
    let and = rewritten(Rules::default(), bools, Op::LogicalAnd);
    assert_eq!(and, [Op::LogicalAnd]);
}

#[test]
fn shift_amounts_have_32_bits() {
    let ops = rewritten(Rules::default(), two_wide, Op::ShiftLeftLogical);
    assert_eq!(ops, [Op::UConvert, Op::ShiftLeftLogical]);
}

#[test]
fn emulated_integers_leave_no_64_bit_type() {
    for op in [
        Op::IAdd,
        Op::ISub,
        Op::IMul,
        Op::UDiv,
        Op::SRem,
        Op::BitwiseXor,
        Op::ShiftRightArithmetic,
    ] {
        let b = module(two_wide, |b, values, ty| b.emit(op, ty, values));
        let module = legalized(b, INT64);
        let is_wide = |inst: &&rspirv::dr::Instruction| {
            let operands = inst.operands.first();
            inst.class.opcode == Op::TypeInt
                && operands == Some(&rspirv::dr::Operand::LiteralBit32(64))
        };
        assert_eq!(module.types_global_values.iter().find(is_wide), None);
        let mut capabilities = module.capabilities.iter();
        let int64 = rspirv::dr::Operand::Capability(Capability::Int64);
        assert!(capabilities.all(|inst| inst.operands[0] != int64));
    }
}

#[test]
fn arithmetic_shifts_of_emulated_integers_are_signed() {
    let ops = rewritten(INT64, two_wide, Op::ShiftRightArithmetic);
    let shifts = ops
        .windows(3)
        .filter(|ops| ops[1] == Op::ShiftRightArithmetic);
    let shifts: Vec<&[Op]> = shifts.collect();
    // That of the upper word, and the one that gives its sign.
    assert_eq!(shifts.len(), 2, "{ops:?}");
    for shift in shifts {
        assert_eq!([shift[0], shift[2]], [Op::Bitcast; 2], "{ops:?}");
    }
}

#[test]
fn a_vector_of_two_words_is_declared_once() {
    // The validator refuses a second declaration of a vector or function type.
    let types = |b: &mut Builder| {
        let (wide, word) = (b.uint(64), b.u32());
        let vector = b.vector(word, 2);
        let (array, of_words) = (b.array(wide, 3), b.array(vector, 3));
        b.function_type(wide, &[wide]);
        b.function_type(vector, &[vector]);
        (vec![wide, vector, array, of_words], wide)
    };
    let b = module(types, |b, values, ty| {
        let pointer = b.pointer(StorageClass::Function, ty);
        let variable = b.local_variable(pointer, None);
        b.store(variable, values[0]);
        let element = b.extract(ty, values[2], 1);
        let loaded = b.load(ty, variable);
        b.emit(Op::IAdd, ty, &[element, loaded])
    });
    legalized(b, INT64);
}

#[test]
fn constants_of_64_bits_fold_as_words() {
    let types = |b: &mut Builder| {
        let wide = b.uint(64);
        (vec![wide], wide)
    };
    let b = module(types, |b, values, ty| {
        let amount = b.const_uint(64, 32);
        b.emit(Op::ShiftLeftLogical, ty, &[values[0], amount])
    });
    let ops = instructions(&legalized(b, INT64));
    let moved = [
        Op::CompositeExtract,
        Op::CompositeExtract,
        Op::CompositeConstruct,
    ];
    assert_eq!(ops, moved, "a shift by 32 moves a word");
}

#[test]
fn division_is_a_function() {
    let b = module(two_wide, |b, values, ty| {
        let quotient = b.emit(Op::UDiv, ty, values);
        b.emit(Op::UMod, ty, &[quotient, values[1]])
    });
    let module = legalized(b, INT64);
    assert_eq!(module.functions.len(), 3, "one for both divisions");
    let ops = instructions(&module);
    let calls = ops.iter().filter(|&&op| op == Op::FunctionCall).count();
    assert_eq!(calls, 2);
}

#[test]
fn atomics_on_emulated_integers_are_refused() {
    let types = |b: &mut Builder| {
        let wide = b.uint(64);
        (vec![wide], wide)
    };
    let mut b = module(types, |b, values, ty| {
        b.capability(Capability::Int64Atomics);
        let pointer = b.pointer(StorageClass::Workgroup, ty);
        let variable = b.global_variable(StorageClass::Workgroup, pointer, None);
        let [scope, semantics] = [2, 0].map(|word| b.const_u32(word));
        let operands = [variable, scope, semantics, values[0]];
        b.emit(Op::AtomicIAdd, ty, &operands)
    });
    assert_eq!(
        run(&mut b, INT64, usize::MAX),
        Err(Refusal::Int64(Op::AtomicIAdd))
    );
}

#[test]
fn a_cast_to_the_bits_of_a_double_is_a_function_by_itself() {
    let types = |b: &mut Builder| (vec![b.float(64)], b.uint(64));
    let words = |b: &mut Builder| {
        let word = b.u32();
        (vec![b.float(64)], b.vector(word, 2))
    };
    let functions = Rules {
        emulate_int64: false,
        casts_in_functions: true,
        image_atomics: false,
    };
    for rules in [ALL, functions] {
        for types in [types, words] {
            let b = module(types, |b, values, ty| b.emit(Op::Bitcast, ty, values));
            let module = legalized(b, rules);
            let ops = instructions(&module);
            assert_eq!(ops.first(), Some(&Op::FunctionCall));
            assert!(!ops.contains(&Op::Bitcast));
            let cast = module.functions[2].blocks[0].instructions.iter();
            let cast: Vec<Op> = cast.map(|inst| inst.class.opcode).collect();
            assert_eq!(cast, [Op::Bitcast, Op::ReturnValue]);
        }
    }
    let mut b = module(types, |b, values, ty| b.emit(Op::Bitcast, ty, values));
    assert_eq!(
        run(&mut b, INT64, usize::MAX),
        Err(Refusal::Int64(Op::Bitcast)),
        "words have no cast"
    );
}

#[test]
fn a_type_of_words_that_emulation_declares_too_is_known() {
    let types = |b: &mut Builder| {
        let (double, word, _) = (b.float(64), b.u32(), b.uint(64));
        (vec![double], b.vector(word, 2))
    };
    let ops = rewritten(ALL, types, Op::Bitcast);
    assert_eq!(ops, [Op::FunctionCall]);
}

#[test]
fn casts_between_words_and_64_bits_are_shifts() {
    let pair = |b: &mut Builder| {
        let word = b.u32();
        b.vector(word, 2)
    };
    for bits in [|b: &mut Builder| b.uint(64), |b: &mut Builder| b.float(64)] {
        let join = |b: &mut Builder| (vec![pair(b)], bits(b));
        let split = |b: &mut Builder| (vec![bits(b)], pair(b));
        let joined = rewritten(Rules::default(), join, Op::Bitcast);
        assert!(joined.contains(&Op::ShiftLeftLogical), "{joined:?}");
        let parts = rewritten(Rules::default(), split, Op::Bitcast);
        assert!(parts.contains(&Op::ShiftRightLogical), "{parts:?}");
        // A cast of as many components is naga's own.
        let casts = |ops: &[Op]| ops.iter().filter(|&&op| op == Op::Bitcast).count();
        assert!(casts(&joined) <= 1 && casts(&parts) <= 1);
    }
    let join = |b: &mut Builder| (vec![pair(b)], b.uint(64));
    assert!(!rewritten(Rules::default(), join, Op::Bitcast).contains(&Op::Bitcast));
}

#[test]
fn tests_for_nan_and_infinity_look_at_the_bits() {
    for (op, compare) in [(Op::IsNan, Op::UGreaterThan), (Op::IsInf, Op::IEqual)] {
        let single = |b: &mut Builder| (vec![b.f32()], b.bool());
        let ops = rewritten(Rules::default(), single, op);
        assert_eq!(ops, [Op::Bitcast, Op::BitwiseAnd, compare]);
        let vector = |b: &mut Builder| {
            let (float, bools) = (b.f32(), b.bool());
            (vec![b.vector(float, 3)], b.vector(bools, 3))
        };
        let ops = rewritten(Rules::default(), vector, op);
        assert!(!ops.contains(&op) && ops.contains(&compare), "{ops:?}");
        let double = |b: &mut Builder| (vec![b.float(64)], b.bool());
        assert!(!rewritten(ALL, double, op).contains(&op));
    }
}

#[test]
fn products_of_64_bits_are_made_of_words() {
    for op in [Op::UMulExtended, Op::SMulExtended] {
        let types = |b: &mut Builder| {
            let word = b.u32();
            (vec![word; 2], word)
        };
        let b = module(types, |b, values, word| {
            let pair = b.struct_type(&[word, word]);
            let both = b.emit(op, pair, values);
            b.extract(word, both, 1)
        });
        let ops = instructions(&legalized(b, Rules::default()));
        assert!(!ops.contains(&op), "{ops:?}");
        assert!(!ops.contains(&Op::CompositeExtract), "the word is known");
    }
}

/// Writes a label.
fn label(b: &mut Builder, id: Id) {
    b.label(id);
}

#[test]
fn a_switch_on_64_bits_is_one_on_the_number_of_the_case() {
    for rules in [Rules::default(), INT64] {
        let types = |b: &mut Builder| (vec![b.uint(64)], b.u32());
        let b = module(types, |b, values, word| {
            let [one, two, merge] = [b.fresh(), b.fresh(), b.fresh()];
            b.emit_void(Op::SelectionMerge, &[merge.0, 0]);
            let switch = [values[0].0, merge.0, 7, 1, one.0, 7, 0, two.0];
            b.emit_void(Op::Switch, &switch);
            for target in [one, two] {
                label(b, target);
                b.emit_void(Op::Branch, &[merge]);
            }
            label(b, merge);
            b.const_u32(3);
            let _ = word;
            b.const_u32(3)
        });
        let module = legalized(b, rules);
        let first = &module.functions[1].blocks[0].instructions;
        let switch = first.last().unwrap();
        assert_eq!(switch.class.opcode, Op::Switch);
        let literals = switch.operands.iter().filter_map(|operand| match operand {
            rspirv::dr::Operand::LiteralBit32(literal) => Some(*literal),
            _ => None,
        });
        assert_eq!(literals.collect::<Vec<_>>(), [0, 1]);
        assert_eq!(first[first.len() - 2].class.opcode, Op::SelectionMerge);
    }
}

#[test]
fn a_value_of_a_back_edge_passes_through_the_continue_block() {
    let b = module(two_words, |b, values, word| {
        let [before, header, body, next, merge] = [(); 5].map(|()| b.fresh());
        b.emit_void(Op::Branch, &[before]);
        label(b, before);
        b.emit_void(Op::Branch, &[header]);
        label(b, header);
        let sum = b.fresh();
        let one = b.const_u32(1);
        let [counter, old] = [values[0], b.fresh()];
        let incoming = [counter, before, sum, next];
        b.emit_as(Op::Phi, word, old, &incoming);
        // A constant needs no phi of its own.
        b.emit(Op::Phi, word, &[counter, before, one, next]);
        b.emit_void(Op::LoopMerge, &[merge.0, next.0, 0]);
        b.emit_void(Op::Branch, &[body]);
        label(b, body);
        b.emit_as(Op::IAdd, word, sum, &[old, one]);
        let bool_ty = b.bool();
        let ends = b.emit(Op::IEqual, bool_ty, &[sum, values[1]]);
        b.emit_void(Op::BranchConditional, &[ends, merge, next]);
        label(b, next);
        b.emit_void(Op::Branch, &[header]);
        label(b, merge);
        sum
    });
    let module = legalized(b, Rules::default());
    let [.., header, body, next, _] = module.functions[1].blocks.as_slice() else {
        panic!("the loop has gone");
    };
    let [phi, branch] = next.instructions.as_slice() else {
        panic!("one phi and a branch: {:?}", next.instructions);
    };
    assert_eq!(
        (phi.class.opcode, branch.class.opcode),
        (Op::Phi, Op::Branch)
    );
    let sum = body.instructions[0].result_id;
    assert_eq!(phi.operands[0].id_ref_any(), sum);
    let carried = header.instructions[0].operands[2].id_ref_any();
    assert_eq!(carried, phi.result_id);
}

#[test]
fn decorations_hold_for_what_replaces_an_instruction() {
    let b = module(two_words, |b, values, ty| {
        let quotient = b.emit(Op::SDiv, ty, values);
        b.decorate(quotient, Decoration::RelaxedPrecision, &[]);
        quotient
    });
    let module = legalized(b, Rules::default());
    let decorated = module.annotations[0].operands[0].unwrap_id_ref();
    let results = module.functions[1].blocks[0].instructions.iter();
    let mut results = results.filter_map(|inst| inst.result_id);
    assert!(results.any(|id| id == decorated));
}

#[test]
fn coordinates_of_arrayed_images_have_a_type_without_the_layer() {
    let image = |arrayed| {
        let mut b = module(two_words, |_, values, _| values[0]);
        let word = b.u32();
        b.image(ImageType {
            sampled: word,
            dim: Dim::Dim2D,
            arrayed,
            multisampled: false,
            storage: false,
            format: ImageFormat::Unknown,
        });
        legalized(b, Rules::default())
    };
    for arrayed in [false, true] {
        let module = image(arrayed);
        let mut globals = module.types_global_values.iter();
        let pair = globals.any(|global| global.class.opcode == Op::TypeVector);
        assert_eq!(pair, arrayed);
    }
}

#[test]
fn hints_about_memory_are_removed_and_other_decorations_stay() {
    let mut b = module(two_words, |b, values, ty| {
        let pointer = b.pointer(StorageClass::Workgroup, ty);
        let variable = b.global_variable(StorageClass::Workgroup, pointer, None);
        for decoration in [
            Decoration::NonReadable,
            Decoration::Aliased,
            Decoration::Restrict,
        ] {
            b.decorate(variable, decoration, &[]);
        }
        values[0]
    });
    run(&mut b, Rules::default(), usize::MAX).unwrap();
    let module = rspirv::dr::load_words(b.assemble().unwrap()).unwrap();
    let decorations = module.annotations.iter();
    let left: Vec<_> = decorations.map(|inst| inst.operands[1].clone()).collect();
    assert_eq!(left, [rspirv::dr::Operand::Decoration(Decoration::Aliased)]);
}

/// Returns a module with an atomic on an image of 32-bit integers. The function returns its
/// operand.
fn image_atomic(signed: bool, op: Op) -> Builder {
    let types = |b: &mut Builder| {
        let word = b.u32();
        let coords = b.vector(word, 2);
        let texel = if signed { b.int(32) } else { word };
        (vec![coords, texel], texel)
    };
    module(types, |b, values, texel| {
        let image = b.image(ImageType {
            sampled: texel,
            dim: Dim::Dim2D,
            arrayed: false,
            multisampled: false,
            storage: true,
            format: if signed {
                ImageFormat::R32i
            } else {
                ImageFormat::R32ui
            },
        });
        let pointer = b.pointer(StorageClass::UniformConstant, image);
        let variable = b.global_variable(StorageClass::UniformConstant, pointer, None);
        b.decorate(variable, Decoration::DescriptorSet, &[0]);
        b.decorate(variable, Decoration::Binding, &[0]);
        let pointer = b.pointer(StorageClass::Image, texel);
        let [device, zero] = [1, 0].map(|word| b.const_u32(word));
        let texels = b.emit(Op::ImageTexelPointer, pointer, &[variable, values[0], zero]);
        b.emit(op, texel, &[texels, device, zero, values[1]]);
        values[1]
    })
}

#[test]
fn an_atomic_on_an_image_is_a_store_of_two_components() {
    for (signed, op, number) in [
        (false, Op::AtomicIAdd, PseudoAtomic::Add),
        (true, Op::AtomicIAdd, PseudoAtomic::Add),
        (false, Op::AtomicUMin, PseudoAtomic::Min),
        (true, Op::AtomicSMax, PseudoAtomic::Max),
        (true, Op::AtomicXor, PseudoAtomic::Xor),
    ] {
        let module = legalized(image_atomic(signed, op), ALL);
        let ops = instructions(&module);
        assert_eq!(ops, [Op::CompositeConstruct, Op::Load, Op::ImageWrite]);
        // The texel's second component is the number of the operation.
        let second = module.functions[1].blocks[0].instructions[0].operands[1].unwrap_id_ref();
        let mut globals = module.types_global_values.iter();
        let constant = globals.find(|global| global.result_id == Some(second));
        assert_eq!(
            constant.map(|constant| &constant.operands[0]),
            Some(&rspirv::dr::Operand::LiteralBit32(number as u32))
        );
        let mut types = module.types_global_values.iter();
        let image = rspirv::dr::Operand::StorageClass(StorageClass::Image);
        assert!(types.all(|ty| ty.operands.first() != Some(&image)));
    }
}

#[test]
fn atomics_on_images_that_naga_lacks_are_refused() {
    for (signed, op) in [
        (false, Op::AtomicExchange),
        (false, Op::AtomicSMin),
        (true, Op::AtomicUMax),
    ] {
        let mut b = image_atomic(signed, op);
        assert_eq!(run(&mut b, ALL, usize::MAX), Err(Refusal::ImageAtomic(op)));
    }
    let mut b = image_atomic(false, Op::AtomicIAdd);
    let refusal = Refusal::ImageAtomic(Op::AtomicIAdd);
    assert_eq!(
        run(&mut b, INT64, usize::MAX),
        Err(refusal),
        "the rule is off"
    );
}
