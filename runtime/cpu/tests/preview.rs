//! The preview shader model 6.10: matrices, numbers of waves, vertices of triangles.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use dxil_cpu::resources::{Bindings, Register, ResourceView, Storage};
use dxil_cpu::{Dispatch, Kernel, Limits, Options};
use dxil_frontend::asm::assemble;
use dxil_frontend::dxil::{ResourceClass, Shader, read_shader};

fn shader(name: &str) -> Shader {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../frontend/tests/data");
    read_shader(&std::fs::read(folder.join(name)).unwrap()).unwrap()
}

/// Options of a caller who asks for the preview.
fn with_preview() -> Options {
    let mut options = Options::default();
    options.preview = true;
    options
}

fn buffer(storage: usize, size: usize) -> ResourceView {
    ResourceView::Buffer {
        storage,
        offset: 0,
        size: size as u64,
        format: None,
        counter: 0,
    }
}

fn register(class: ResourceClass) -> Register {
    Register {
        class,
        space: 0,
        index: 0,
    }
}

type Matrix = [[f32; 4]; 4];

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| (0..4).map(|k| a[row][k] * b[k][column]).sum())
    })
}

fn times(a: &Matrix, v: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|row| (0..4).map(|k| a[row][k] * v[k]).sum())
}

fn map(mut value: impl FnMut(usize, usize) -> f32) -> Matrix {
    std::array::from_fn(|row| std::array::from_fn(|column| value(row, column)))
}

/// Small whole numbers, so that sums are exact in any order.
fn number(index: usize) -> f32 {
    ((index * 7 + 3) % 11) as f32 - 5.0
}

struct Output(Vec<u8>);

impl Output {
    fn words(&self, at: usize, count: usize) -> Vec<u32> {
        let words = self.0[at..][..count * 4].chunks_exact(4);
        words
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    }

    fn floats(&self, at: usize, count: usize) -> Vec<f32> {
        self.words(at, count)
            .into_iter()
            .map(f32::from_bits)
            .collect()
    }

    fn rows(&self, at: usize) -> Matrix {
        let all = self.floats(at, 16);
        map(|row, column| all[row * 4 + column])
    }
}

/// Runs a group of eight threads of the shader that has every operation on matrices.
fn run(wave_size: u32) -> Output {
    let mut options = with_preview();
    options.wave_size = Some(wave_size);
    let kernel = Kernel::decode(&shader("ops/matrices_cs.dxil"), &options).unwrap();
    let input: Vec<u8> = (0..64).flat_map(|i| number(i).to_le_bytes()).collect();
    let storages = [Storage::buffer(&input), Storage::buffer(&vec![0; 8192])];
    let bindings = Bindings {
        registers: vec![
            (register(ResourceClass::Srv), buffer(0, 256)),
            (register(ResourceClass::Uav), buffer(1, 8192)),
        ],
        ..Bindings::default()
    };
    let dispatch = Dispatch::new(&kernel, &bindings, &storages).unwrap();
    dispatch.run([1, 1, 1], &Limits::default()).unwrap();
    Output(storages[1].to_bytes())
}

/// The input of a matrix, row by row from a word on.
fn input(first: usize) -> Matrix {
    map(|row, column| number(first + row * 4 + column))
}

fn vector(thread: usize) -> [f32; 4] {
    [thread as f32, 1.0, 2.0, -1.0]
}

#[test]
fn each_thread_multiplies_its_matrix_with_a_vector() {
    let output = run(32);
    let matrix = input(0);
    let mut outer = map(|_, _| 0.0);
    let mut sums = [0.0; 4];
    for thread in 0..8 {
        let once = times(&matrix, vector(thread));
        // The second product adds the first one.
        let twice = once.map(|x| 2.0 * x);
        assert_eq!(output.floats(thread * 16, 4), twice, "thread {thread}");
        outer = map(|row, column| outer[row][column] + vector(thread)[row] * once[column]);
        sums = std::array::from_fn(|i| sums[i] + once[i]);
        // OCP floats of 8 bits have four significant bits: whole numbers up to 16 are exact.
        let bytes = output.words(3072 + thread * 4, 1)[0].to_le_bytes();
        for (byte, value) in bytes.into_iter().zip(once) {
            let (sign, exponent) = (byte >> 7, i32::from(byte >> 3 & 15));
            let whole = f64::from(byte & 7 | 8) * 2.0_f64.powi(exponent - 10);
            let read = match (byte & 0x7f, sign) {
                (0, _) => 0.0,
                (_, 0) => whole,
                _ => -whole,
            };
            let step = 2.0_f64.powi(f64::from(value).abs().max(16.0).log2().floor() as i32 - 3);
            assert!(
                (read - f64::from(value)).abs() <= step / 2.0,
                "{value}: {read}"
            );
        }
    }
    assert_eq!(output.rows(1024), outer);
    assert_eq!(output.floats(2048, 4), sums);
}

#[test]
fn a_wave_multiplies_matrices_and_sees_its_elements() {
    let output = run(32);
    let (a, right) = (input(16), input(32));
    // Loaded column by column.
    let b = map(|row, column| right[column][row]);
    let product = product(&a, &b);
    let sum = map(|row, column| product[row][column] + 0.5 + a[row][column]);
    // Eight threads hold two elements each. Each adds to its first one 10,000 times their number
    // and 100 times its row, and its column.
    let expected = map(|row, column| {
        let is_first = row * 4 + column < 8;
        let added = 20_000.0 + 100.0 * row as f32 + column as f32;
        sum[row][column] + if is_first { added } else { 0.0 }
    });
    assert_eq!(output.rows(4096), expected);
    // Stored by rows, loaded by columns, transposed.
    assert_eq!(output.rows(4352), product);
    let twice: Vec<f32> = product.iter().flatten().take(8).map(|x| 2.0 * x).collect();
    assert_eq!(output.floats(4608, 8), twice);
    assert_eq!(output.words(6400, 8), [2; 8]);
}

#[test]
fn a_group_of_two_waves_multiplies_once() {
    // Waves of four lanes: the group has two of them.
    for wave_size in [4, 8, 32] {
        let output = run(wave_size);
        let (a, right) = (input(16), input(32));
        let b = map(|row, column| right[column][row]);
        let product = product(&a, &b);
        // Stored column by column.
        let stored = output.rows(5120);
        assert_eq!(
            map(|row, column| stored[column][row]),
            product,
            "{wave_size}"
        );
        assert_eq!(output.words(6144, 8), [0; 8]);
    }
}

#[test]
fn waves_have_numbers_in_their_group() {
    // The shader adds its numbers per wave, and then what the waves have.
    for (wave_size, groups) in [(32_u32, 2_u32), (64, 1), (16, 1)] {
        let mut options = with_preview();
        options.wave_size = Some(wave_size);
        let kernel = Kernel::decode(&shader("container/sm610_cs.dxil"), &options).unwrap();
        let count = (groups * 256) as usize;
        let storages = [Storage::buffer(&vec![0; count * 8])];
        let bindings = Bindings {
            registers: vec![(register(ResourceClass::Uav), buffer(0, count * 8))],
            ..Bindings::default()
        };
        let dispatch = Dispatch::new(&kernel, &bindings, &storages).unwrap();
        dispatch.run([groups, 1, 1], &Limits::default()).unwrap();
        let output = Output(storages[0].to_bytes());
        for id in 0..groups * 256 {
            let first = id / 256 * 256;
            let total: u32 = (first..first + 256).sum();
            let found = output.words(id as usize * 8, 2);
            assert_eq!(found, [id % 256 / wave_size, total], "thread {id}");
        }
    }
}

#[test]
fn without_leave_the_preview_is_refused() {
    for (file, name) in [
        ("ops/matrices_cs.dxil", "LinAlgMatrixLoadFromDescriptor"),
        ("container/sm610_cs.dxil", "GetGroupWave"),
    ] {
        let shader = shader(file);
        let error = Kernel::decode(&shader, &Options::default())
            .unwrap_err()
            .to_string();
        assert!(
            error.contains(name) && error.contains("without leave"),
            "{error}"
        );
    }
}

/// A product of matrices of a wave with 256 rows and columns, 16 million multiplications.
const LARGE_PRODUCT: &str = r#"
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.LinAlgMatrixC9M256N256U0S1 = type { i8* }
%dx.types.LinAlgMatrixC9M256N256U1S1 = type { i8* }
%dx.types.LinAlgMatrixC9M256N256U2S1 = type { i8* }

define void @main() {
  br label %again
again:
  %a = call %dx.types.LinAlgMatrixC9M256N256U0S1 @dx.op.linAlgFillMatrix.mC9M256N256U0S1.f32(i32 -2147483636, float 5.000000e-01)
  %b = call %dx.types.LinAlgMatrixC9M256N256U1S1 @dx.op.linAlgFillMatrix.mC9M256N256U1S1.f32(i32 -2147483636, float 2.000000e+00)
  %c = call %dx.types.LinAlgMatrixC9M256N256U2S1 @dx.op.linAlgMatrixMultiply.mC9M256N256U2S1.mC9M256N256U0S1.mC9M256N256U1S1(i32 -2147483625, %dx.types.LinAlgMatrixC9M256N256U0S1 %a, %dx.types.LinAlgMatrixC9M256N256U1S1 %b)
  br label %again
}

declare %dx.types.LinAlgMatrixC9M256N256U0S1 @dx.op.linAlgFillMatrix.mC9M256N256U0S1.f32(i32, float) #0
declare %dx.types.LinAlgMatrixC9M256N256U1S1 @dx.op.linAlgFillMatrix.mC9M256N256U1S1.f32(i32, float) #0
declare %dx.types.LinAlgMatrixC9M256N256U2S1 @dx.op.linAlgMatrixMultiply.mC9M256N256U2S1.mC9M256N256U0S1.mC9M256N256U1S1(i32, %dx.types.LinAlgMatrixC9M256N256U0S1, %dx.types.LinAlgMatrixC9M256N256U1S1) #0

attributes #0 = { nounwind }

!dx.targetTypes = !{!20, !21, !22}
!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!7}

!0 = !{i32 1, i32 10}
!1 = !{!"cs", i32 6, i32 10}
!7 = !{void ()* @main, !"main", null, null, !8}
!8 = !{i32 0, i64 0, i32 4, !9}
!9 = !{i32 16, i32 1, i32 1}
!20 = !{%dx.types.LinAlgMatrixC9M256N256U0S1 undef, i32 9, i32 256, i32 256, i32 0, i32 1}
!21 = !{%dx.types.LinAlgMatrixC9M256N256U1S1 undef, i32 9, i32 256, i32 256, i32 1, i32 1}
!22 = !{%dx.types.LinAlgMatrixC9M256N256U2S1 undef, i32 9, i32 256, i32 256, i32 2, i32 1}
"#;

/// A large product asks the callback for each row, and counts as the steps that its work is.
#[test]
fn a_large_product_can_be_stopped_and_counts() {
    let shader = Shader::decode(assemble(LARGE_PRODUCT).unwrap()).unwrap();
    let mut options = with_preview();
    options.wave_size = Some(16);
    let kernel = Kernel::decode(&shader, &options).unwrap();
    let bindings = Bindings::default();
    let dispatch = Dispatch::new(&kernel, &bindings, &[]).unwrap();
    let looks = AtomicU32::new(0);
    let stop = || looks.fetch_add(1, Ordering::Relaxed) == 3;
    let mut limits = Limits::default();
    limits.stop = Some(&stop);
    let error = dispatch.run([1, 1, 1], &limits).unwrap_err();
    assert_eq!(error.code(), "stopped", "{error}");
    // Far from the end of the first product, which has 256 rows.
    assert_eq!(looks.into_inner(), 4);
    // 64 multiplications are a step: one round of the loop is over a limit of 100,000.
    let mut limits = Limits::default();
    limits.steps = 100_000;
    let error = dispatch.run([1, 1, 1], &limits).unwrap_err();
    assert_eq!(error.code(), "step-limit", "{error}");
}
