//! The special values of float operations, cell by cell of the tables that define them
//! (`hwtests/tables/special_values.txt`).

use std::collections::BTreeSet;

use dxil_hwtests::Case;
use dxil_hwtests::element::f16;
use dxil_hwtests::special::{Denormals, Float, Number, SpecialValueTables};
use dxil_runtime::Backend;
use dxil_translate::Features;

/// The operations of `numbers/unary.hlsl`, in its order.
const UNARY: [&str; 20] = [
    "FAbs", "Saturate", "Cos", "Sin", "Tan", "Acos", "Asin", "Atan", "Hcos", "Hsin", "Htan", "Exp",
    "Frc", "Log", "Sqrt", "Rsqrt", "RoundNe", "RoundNi", "RoundPi", "RoundZ",
];

/// The operations of `numbers/binary.hlsl`, in its order.
const BINARY: [&str; 5] = ["FAdd", "FMul", "FDiv", "FMin", "FMax"];

/// Runs operations over all operands that the tables name, and asks the tables about each result.
fn check<T: Number>(
    t: &mut Case,
    operations: &'static [&'static str],
    arity: usize,
    denormals: Denormals,
) -> Result<(), String> {
    let tables = SpecialValueTables::read()?;
    let numbers = tables.numbers(T::FLOAT);
    let mut operands: Vec<Vec<f64>> = if arity == 1 {
        numbers.iter().map(|&x| vec![x]).collect()
    } else {
        let pairs = |&a| numbers.iter().map(move |&b| vec![a, b]);
        numbers.iter().flat_map(pairs).collect()
    };
    // Whole groups of threads.
    let count = operands.len().next_multiple_of(64);
    operands.resize(count, vec![0.0; arity]);
    let input: Vec<T> = operands.iter().flatten().map(|&x| T::of(x)).collect();
    t.groups((count / 64) as u32, 1, 1);
    t.input("t0", &input);
    t.expect_that("u0", count * operations.len(), move |got: &[T]| {
        let mut wrong = Vec::new();
        let mut seen = BTreeSet::new();
        for (operands, results) in operands.iter().zip(got.chunks_exact(operations.len())) {
            for (name, result) in operations.iter().zip(results) {
                seen.extend(tables.cell_name(T::FLOAT, name, operands));
                let judged = tables.judge(T::FLOAT, name, operands, result.value(), denormals);
                wrong.extend(judged.err());
            }
        }
        for name in operations {
            let missing = tables.cells(T::FLOAT, name);
            let missing = missing.difference(&seen);
            wrong.extend(missing.map(|cell| format!("{cell}: no operands")));
        }
        if wrong.is_empty() {
            return Ok(());
        }
        Err(format!(
            "{} results are wrong:\n  {}",
            wrong.len(),
            wrong.join("\n  ")
        ))
    });
    Ok(())
}

/// Returns the treatment of denormals that a shader may choose if a device that has this feature
/// must follow its declaration.
fn held_to(t: &Case, feature: Features, what: Denormals) -> Denormals {
    if t.features.contains(feature) {
        what
    } else {
        Denormals::Either
    }
}

/// Returns the treatment of denormals in a shader that leaves it to the device. The CPU executor
/// does as D3D11 devices must (D3D11.3 functional specification, 3.1.3.2).
fn left_open(t: &Case) -> Denormals {
    match t.backend() {
        Backend::Cpu => Denormals::Flushed,
        _ => Denormals::Either,
    }
}

gpu_case!(@ functions_of_a_float, "numbers/unary", |t| {
    check::<f32>(t, &UNARY, 1, left_open(t)).unwrap();
}, [vulkan wgpu], [portable]);

gpu_case!(@ functions_of_a_half, "numbers/unary_half", |t| {
    let denormals = held_to(t, Features::DENORM_PRESERVE_F16, Denormals::Kept);
    check::<f16>(t, &UNARY, 1, denormals).unwrap();
}, [vulkan wgpu]);

gpu_case!(@ arithmetic_of_floats, "numbers/binary", |t| {
    check::<f32>(t, &BINARY, 2, left_open(t)).unwrap();
}, [vulkan wgpu], [portable]);

gpu_case!(@ arithmetic_that_keeps_denormals, "numbers/binary_preserve", |t| {
    let denormals = held_to(t, Features::DENORM_PRESERVE_F32, Denormals::Kept);
    check::<f32>(t, &BINARY, 2, denormals).unwrap();
}, [vulkan wgpu]);

gpu_case!(@ arithmetic_that_flushes_denormals, "numbers/binary_flush", |t| {
    let denormals = held_to(t, Features::DENORM_FLUSH_F32, Denormals::Flushed);
    check::<f32>(t, &BINARY, 2, denormals).unwrap();
}, [vulkan wgpu]);

gpu_case!(@ arithmetic_of_halves, "numbers/binary_half", |t| {
    let denormals = held_to(t, Features::DENORM_PRESERVE_F16, Denormals::Kept);
    check::<f16>(t, &BINARY, 2, denormals).unwrap();
}, [vulkan wgpu]);

gpu_case!(@ arithmetic_of_doubles, "numbers/binary_double", |t| {
    let denormals = held_to(t, Features::DENORM_PRESERVE_F64, Denormals::Kept);
    check::<f64>(t, &BINARY, 2, denormals).unwrap();
}, [vulkan wgpu]);

gpu_case!(@ functions_of_a_double, "numbers/unary_double", |t| {
    let denormals = held_to(t, Features::DENORM_PRESERVE_F64, Denormals::Kept);
    check::<f64>(t, &UNARY[..2], 1, denormals).unwrap();
}, [vulkan wgpu]);

/// Expects the classes of the tables' numbers: NaN (1), infinite (2) or finite (4).
fn classes<T: Number>(t: &mut Case) -> Result<(), String> {
    let mut numbers = SpecialValueTables::read()?.numbers(T::FLOAT);
    numbers.resize(64, 1.0);
    let input: Vec<T> = numbers.iter().map(|&x| T::of(x)).collect();
    t.input("t0", &input);
    let class = |x: f64| {
        u32::from(x.is_nan()) | u32::from(x.is_infinite()) << 1 | u32::from(x.is_finite()) << 2
    };
    t.expect("u0", numbers.into_iter().map(class).collect());
    Ok(())
}

gpu_case!(classes_of_floats, "numbers/classes", |t| {
    classes::<f32>(t).unwrap();
});

gpu_case!(@ classes_of_halves, "numbers/classes_half", |t| {
    classes::<f16>(t).unwrap();
}, [vulkan wgpu]);

#[test]
fn each_type_has_its_tables() {
    let tables = SpecialValueTables::read().unwrap();
    for (float, operations) in [(Float::F16, 25), (Float::F32, 25), (Float::F64, 7)] {
        let with_cells = |name: &&&str| !tables.cells(float, name).is_empty();
        let names = UNARY.iter().chain(&BINARY);
        assert_eq!(names.filter(with_cells).count(), operations, "{float:?}");
    }
}
