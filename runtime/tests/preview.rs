//! The preview shader model 6.10 on Vulkan: matrices of waves as cooperative matrices, where the
//! device has them, and numbers of waves.
//!
//! The CPU driver of the tests has no cooperative matrices; the newer one has
//! (`tools/setup-vulkan.sh new-driver`, `run-new` with this test's program).

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use dxil_frontend::asm::assemble;
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_runtime::Error;
use dxil_runtime::device::{self, Backend, OpenOptions};
use dxil_runtime::job::{Job, Register};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::root_signature::formats_of;
use dxil_translate::{Features, Options, Style, Target, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate};

const SIZE: usize = 16;

type Matrix = [[i32; SIZE]; SIZE];

fn wave_matrices() -> Shader {
    Shader::decode(assemble(include_str!("data/wave_matrices_cs.ll")).unwrap()).unwrap()
}

fn map(mut value: impl FnMut(usize, usize) -> i32) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| value(row, column)))
}

/// Small whole numbers, which halves represent.
fn numbers(seed: usize) -> Matrix {
    map(|row, column| ((row * 31 + column * 17 + seed * 7) * 5 % 7) as i32 - 3)
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    map(|row, column| (0..SIZE).map(|k| a[row][k] * b[k][column]).sum())
}

fn transposed(a: &Matrix) -> Matrix {
    map(|row, column| a[column][row])
}

fn floats(matrix: &Matrix, plus: f32) -> Vec<u8> {
    let all = matrix.iter().flatten();
    all.flat_map(|value| (*value as f32 + plus).to_le_bytes())
        .collect()
}

/// Returns whole numbers below 2048 as halves: 11 significant bits (IEEE 754, binary16).
fn halves(matrix: &Matrix) -> Vec<u8> {
    let half = |value: &i32| {
        let size = value.unsigned_abs();
        let sign = if *value < 0 { 0x8000_u32 } else { 0 };
        let bits = match size.checked_ilog2() {
            None => 0,
            Some(exponent) => (exponent + 15) << 10 | (size << 10 >> exponent & 0x3ff),
        };
        ((sign | bits) as u16).to_le_bytes()
    };
    matrix.iter().flatten().flat_map(half).collect()
}

const TIMES: u32 = 3;

fn input() -> Vec<u8> {
    let mut bytes = halves(&numbers(1));
    bytes.extend(halves(&numbers(2)));
    bytes.extend(floats(&numbers(3), 0.0));
    bytes.extend(TIMES.to_le_bytes());
    bytes
}

/// Returns what the shader writes.
fn expected() -> Vec<u8> {
    let (a, b, c) = (numbers(1), numbers(2), numbers(3));
    let once = product(&a, &b);
    // The product is added in a loop.
    let sum = map(|row, column| c[row][column] + TIMES as i32 * once[row][column]);
    let mut bytes = floats(&sum, 0.0);
    bytes.extend(floats(&transposed(&sum), 0.0));
    bytes.extend(halves(&sum));
    bytes.extend(halves(&transposed(&a)));
    // A matrix that is filled, and a left operand that changes its use.
    bytes.extend(floats(&a, 2.5));
    // Each lane adds row and column to the elements that it holds.
    let placed = map(|row, column| once[row][column] + 100 * row as i32 + column as i32);
    bytes.extend(floats(&placed, 0.0));
    // Through groupshared memory by rows and by columns.
    bytes.extend(floats(&transposed(&once), 0.0));
    bytes.extend(floats(&once, 0.0));
    // The elements of all lanes, the layout of accumulators, and what no lane has.
    for word in [256, 0, u32::MAX, 0] {
        bytes.extend(word.to_le_bytes());
    }
    bytes
}

fn run(backend: Backend, shader: &Shader) -> Result<Vec<u8>, Error> {
    let device = device::open(&OpenOptions::new(backend)).unwrap();
    let mut options = CompileOptions::default();
    options.preview = true;
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_buffer(Register::srv(0), input());
    let out = job.bind_buffer(Register::uav(0), vec![0; expected().len()]);
    let program = Program::compile(shader, None, device.profile(), &formats_of(&job), &options)?;
    let outcome = device.run(&program, &job)?;
    Ok(outcome.bytes(out).unwrap().to_vec())
}

#[test]
fn waves_multiply_matrices_on_the_cpu() {
    assert_eq!(run(Backend::Cpu, &wave_matrices()).unwrap(), expected());
}

#[test]
fn waves_multiply_matrices_on_devices_that_have_them() {
    match run(Backend::Vulkan, &wave_matrices()) {
        Ok(bytes) => assert_eq!(bytes, expected()),
        Err(error) => {
            let device = device::open(&OpenOptions::new(Backend::Vulkan)).unwrap();
            let sizes = Features::COOPERATIVE_MATRIX | Features::COOPERATIVE_MATRIX_8;
            assert!(
                !device.profile().target.features.intersects(sizes),
                "{error}"
            );
            assert_eq!(error.code(), "target-lacks-feature", "{error}");
        }
    }
}

fn options(features: Features) -> Options {
    let mut options = Options::default();
    options.preview = true;
    options.target = Target::new(VulkanVersion::V1_3, Style::Native, features);
    options
}

/// Matrices of 16 rows are whole, or four tiles where the target has smaller ones.
#[test]
fn modules_with_matrices_are_valid() {
    let shader = wave_matrices();
    let without = Features::all() - Features::COOPERATIVE_MATRIX;
    let mut sizes = Vec::new();
    for features in [Features::all(), without] {
        let words = translate(&shader, &options(features)).unwrap().words;
        validate(&words, Rules::strict(Environment::Vulkan1_3)).unwrap();
        // OpCooperativeMatrixMulAddKHR (SPV_KHR_cooperative_matrix) in the loop and after it.
        let instructions = instructions(&words);
        sizes.push(instructions.iter().filter(|op| **op == 4459).count());
    }
    // The product of two grids of 2 by 2 tiles is eight products of tiles.
    assert_eq!(sizes, [2, 16]);
}

/// Returns the number of each instruction.
fn instructions(words: &[u32]) -> Vec<u32> {
    let mut found = Vec::new();
    let mut rest = words.get(5..).unwrap_or_default();
    while let [head, ..] = rest {
        found.push(head & 0xffff);
        rest = &rest[(*head >> 16) as usize..];
    }
    found
}

#[test]
fn what_the_target_lacks_is_told() {
    let sizes = Features::COOPERATIVE_MATRIX | Features::COOPERATIVE_MATRIX_8;
    let text = include_str!("data/wave_matrices_cs.ll");
    let other = |from: &str, to: &str| {
        let text = text.replace(from, to);
        Shader::decode(assemble(&text).unwrap()).unwrap()
    };
    let cases = [
        (wave_matrices(), Features::all() - sizes, "16 by 16"),
        // Rows that are no whole tiles, and more tiles than a matrix may have.
        (
            other(
                "i32 16, i32 16, i32 2, i32 1}",
                "i32 12, i32 16, i32 2, i32 1}",
            ),
            Features::all(),
            "cooperativeMatrix",
        ),
        (
            other(
                "i32 16, i32 16, i32 0, i32 1}",
                "i32 4096, i32 4096, i32 0, i32 1}",
            ),
            Features::all(),
            "4096 by 4096",
        ),
        (
            other(
                "i32 16, i32 16, i32 0, i32 1}",
                "i32 16, i32 16, i32 0, i32 0}",
            ),
            Features::all(),
            "different scopes",
        ),
        (
            other(
                "i32 16, i32 16, i32 0, i32 1}",
                "i32 16, i32 16, i32 0, i32 2}",
            ),
            Features::all(),
            "different scopes",
        ),
    ];
    for (shader, features, message) in cases {
        let error = translate(&shader, &options(features))
            .unwrap_err()
            .to_string();
        assert!(error.contains(message), "{error}");
    }
    let mut unasked = options(Features::all());
    unasked.preview = false;
    let error = translate(&wave_matrices(), &unasked)
        .unwrap_err()
        .to_string();
    assert!(error.contains("without leave"), "{error}");
}

/// The shader writes the number of each thread's wave, and the sum of the group's ids, added up
/// wave by wave.
#[test]
fn waves_have_numbers_on_vulkan() {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../frontend/tests/data/container/sm610_cs.dxil"
    );
    let shader = read_shader(&std::fs::read(file).unwrap()).unwrap();
    let device = device::open(&OpenOptions::new(Backend::Vulkan)).unwrap();
    let mut options = CompileOptions::default();
    options.preview = true;
    let mut job = Job::dispatch([2, 1, 1]);
    let out = job.bind_buffer(Register::uav(0), vec![0; 512 * 8]);
    let formats = formats_of(&job);
    let program = Program::compile(&shader, None, device.profile(), &formats, &options).unwrap();
    let outcome = device.run(&program, &job).unwrap();
    let bytes = outcome.bytes(out).unwrap();
    let words: Vec<u32> = (bytes.chunks_exact(4))
        .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
        .collect();
    // The waves' size is that of the first one.
    let size = words
        .chunks_exact(2)
        .take_while(|pair| pair[0] == 0)
        .count() as u32;
    assert!(
        size.is_power_of_two() && (4..=128).contains(&size),
        "{size}"
    );
    for (id, pair) in (0_u32..).zip(words.chunks_exact(2)) {
        let first = id / 256 * 256;
        let total: u32 = (first..first + 256).sum();
        assert_eq!(pair, [id % 256 / size, total], "thread {id}");
    }
}
