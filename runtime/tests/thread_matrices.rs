//! Matrices of threads and of thread groups (preview shader model 6.10) on the CPU and on Vulkan,
//! which needs no cooperative matrices for them. Each shader is assembled for one type of
//! components.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeSet;
use std::fmt::Write as _;

use dxil_frontend::asm::assemble;
use dxil_frontend::dxil::Shader;
use dxil_runtime::Error;
use dxil_runtime::device::{self, Backend, OpenOptions};
use dxil_runtime::job::{Job, Register};
use dxil_runtime::program::{CompileOptions, Program};
use dxil_runtime::root_signature::formats_of;

const THREADS: usize = 8;
/// Rows and columns of the matrix that is loaded.
const ROWS: usize = 4;
const COLUMNS: usize = 8;
/// Those where all operations are called, since each element is code of its own.
const SMALL_ROWS: usize = 2;
const SMALL_COLUMNS: usize = 4;
/// Bytes of the output that a thread writes.
const REGION: usize = 1024;

/// A type of components: its number in DXIL (`ComponentType`, and proposal 0035 for those of
/// matrices alone), and how a small whole number is written.
#[derive(Clone, Copy)]
struct Component {
    number: u32,
    bytes: usize,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Signed,
    Unsigned,
    /// Bits of exponent and fraction.
    Float(u32, u32),
}

const fn component(number: u32, bytes: usize, form: Form) -> Component {
    Component {
        number,
        bytes,
        form,
    }
}

const F32: Component = component(9, 4, Form::Float(8, 23));
const I32: Component = component(4, 4, Form::Signed);
const COMPONENTS: [Component; 11] = [
    F32,
    I32,
    component(2, 2, Form::Signed),
    component(3, 2, Form::Unsigned),
    component(5, 4, Form::Unsigned),
    component(8, 2, Form::Float(5, 10)),
    component(19, 1, Form::Signed),
    component(20, 1, Form::Unsigned),
    component(21, 1, Form::Float(4, 3)),
    component(22, 1, Form::Float(5, 2)),
    component(23, 2, Form::Float(8, 7)),
];

impl Component {
    fn is_float(self) -> bool {
        matches!(self.form, Form::Float(..))
    }

    /// Returns a whole number as this component has it (IEEE 754 and OFP8: sign, exponent with a
    /// bias, fraction after the first one).
    fn bits(self, value: i32) -> u32 {
        match self.form {
            Form::Float(exponent, fraction) => {
                let size = value.unsigned_abs();
                let Some(log) = size.checked_ilog2() else {
                    return 0;
                };
                assert!(size.trailing_zeros() + fraction >= log, "{value} is exact");
                let sign = u32::from(value < 0) << (exponent + fraction);
                let biased = log + (1 << (exponent - 1)) - 1;
                let rest = size - (1 << log);
                let rest = if fraction > log {
                    rest << (fraction - log)
                } else {
                    rest >> (log - fraction)
                };
                sign | biased << fraction | rest
            }
            Form::Signed | Form::Unsigned => {
                value as u32 & (u32::MAX >> (32 - 8 * self.bytes as u32))
            }
        }
    }

    fn write(self, value: i32) -> Vec<u8> {
        self.bits(value).to_le_bytes()[..self.bytes].to_vec()
    }

    fn all(self, values: impl IntoIterator<Item = i32>) -> Vec<u8> {
        values
            .into_iter()
            .flat_map(|value| self.write(value))
            .collect()
    }

    /// The component of sums.
    fn sum(self) -> Component {
        if self.is_float() { F32 } else { I32 }
    }

    /// Small numbers that all floats represent.
    fn value(self, index: usize) -> i32 {
        let number = ((index * 7 + index / 5 * 3 + 2) % 7) as i32;
        match self.form {
            Form::Unsigned => number,
            _ => number - 3,
        }
    }
}

/// Text of a shader with the operations on matrices.
#[derive(Default)]
struct Text {
    body: String,
    declared: BTreeSet<String>,
    types: BTreeSet<(String, [u32; 5])>,
    values: usize,
}

/// A matrix type: component, rows, columns, use (A, B, accumulator), scope (thread, wave, group).
type Ty = (Component, usize, usize, u32, u32);

impl Text {
    fn name(&mut self, (of, rows, columns, usage, scope): Ty) -> String {
        let name = format!("C{}M{rows}N{columns}U{usage}S{scope}", of.number);
        let facts = [of.number, rows as u32, columns as u32, usage, scope];
        self.types.insert((name.clone(), facts));
        name
    }

    fn matrix(&mut self, ty: Ty) -> String {
        format!("%dx.types.LinAlgMatrix{}", self.name(ty))
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.body, "  {text}");
    }

    /// Calls an operation by its number in the table 0x8000; returns the name of its result.
    fn call(&mut self, number: u32, name: &str, ret: &str, args: &[(&str, &str)]) -> String {
        let params: Vec<&str> = args.iter().map(|(ty, _)| *ty).collect();
        let function = format!("@dx.op.{name}");
        let declared = format!("declare {ret} {function}(i32, {}) #0", params.join(", "));
        self.declared.insert(declared.replace(", )", ")"));
        let args: Vec<String> = args
            .iter()
            .map(|(ty, value)| format!("{ty} {value}"))
            .collect();
        let opcode = (0x8000_0000 | number).cast_signed();
        let call = format!("call {ret} {function}(i32 {opcode}, {})", args.join(", "));
        if ret == "void" {
            self.line(&call);
            return String::new();
        }
        self.values += 1;
        let value = format!("%v{}", self.values);
        self.line(&format!("{value} = {call}"));
        value
    }

    fn load(&mut self, ty: Ty, [offset, stride, layout, align]: [&str; 4]) -> String {
        let (name, ret) = (self.name(ty), self.matrix(ty));
        let operation = format!("linAlgMatrixLoadFromDescriptor.m{name}");
        let args = [
            ("%dx.types.Handle", "%in"),
            ("i32", offset),
            ("i32", stride),
            ("i32", layout),
            ("i32", align),
        ];
        self.call(14, &operation, &ret, &args)
    }

    fn store(&mut self, ty: Ty, matrix: &str, [offset, stride, layout, align]: [&str; 4]) {
        self.put(
            20,
            "linAlgMatrixStoreToDescriptor",
            ty,
            matrix,
            [offset, stride, layout, align],
        );
    }

    fn put(&mut self, number: u32, what: &str, ty: Ty, matrix: &str, place: [&str; 4]) {
        let (name, of) = (self.name(ty), self.matrix(ty));
        let [offset, stride, layout, align] = place;
        let args = [
            (of.as_str(), matrix),
            ("%dx.types.Handle", "%out"),
            ("i32", offset),
            ("i32", stride),
            ("i32", layout),
            ("i32", align),
        ];
        self.call(number, &format!("{what}.m{name}"), "void", &args);
    }

    /// Stores a matrix row by row into the thread's region.
    fn show(&mut self, ty: Ty, matrix: &str, at: usize) {
        self.values += 1;
        let place = format!("%p{}", self.values);
        self.line(&format!("{place} = add i32 %region, {at}"));
        let stride = (ty.2 * ty.0.bytes).to_string();
        self.store(ty, matrix, [&place, &stride, "0", "4"]);
    }

    fn convert(&mut self, from: Ty, to: Ty, matrix: &str, transpose: &str) -> String {
        let (old, new) = (self.name(from), self.name(to));
        let (from, ret) = (self.matrix(from), self.matrix(to));
        let operation = format!("linAlgCopyConvertMatrix.m{new}.m{old}");
        let args = [(from.as_str(), matrix), ("i1", transpose)];
        self.call(13, &operation, &ret, &args)
    }

    /// Calls an operation on several matrices.
    fn combine(&mut self, number: u32, what: &str, to: Ty, operands: &[(Ty, &str)]) -> String {
        let ret = self.matrix(to);
        let mut operation = format!("{what}.m{}", self.name(to));
        let mut types = Vec::new();
        for (ty, _) in operands {
            let _ = write!(operation, ".m{}", self.name(*ty));
            types.push(self.matrix(*ty));
        }
        let values = operands.iter().map(|(_, value)| *value);
        let args: Vec<(&str, &str)> = types.iter().map(String::as_str).zip(values).collect();
        self.call(number, &operation, &ret, &args)
    }

    fn finish(&self) -> Shader {
        let mut text = String::from(
            "target datalayout = \"e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-\
             f64:64-n8:16:32:64\"\ntarget triple = \"dxil-ms-dx\"\n\n\
             %dx.types.Handle = type { i8* }\n\
             %dx.types.ResBind = type { i32, i32, i32, i8 }\n\
             %dx.types.ResourceProperties = type { i32, i32 }\n\
             %struct.ByteAddressBuffer = type { i32 }\n\
             %struct.RWByteAddressBuffer = type { i32 }\n",
        );
        for (name, _) in &self.types {
            let _ = writeln!(text, "%dx.types.LinAlgMatrix{name} = type {{ i8* }}");
        }
        text += "\n@tile = internal addrspace(3) global [64 x float] undef, align 4\n\
                 @bytes = internal addrspace(3) global [64 x i32] undef, align 4\n\n\
                 define void @main() {\nentry:\n";
        let handle = |name: &str, bind: &str, kind: u32| {
            format!(
                "  %h{kind} = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, \
                 %dx.types.ResBind {bind}, i32 0, i1 false)\n  {name} = call %dx.types.Handle \
                 @dx.op.annotateHandle(i32 216, %dx.types.Handle %h{kind}, \
                 %dx.types.ResourceProperties {{ i32 {kind}, i32 0 }})\n"
            )
        };
        text += &handle("%in", "zeroinitializer", 11);
        text += &handle("%out", "{ i32 0, i32 0, i32 0, i8 1 }", 4107);
        let region = REGION;
        let _ = writeln!(
            text,
            "  %thread = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)\n  %region = mul \
             i32 %thread, {region}"
        );
        text += &self.body;
        text += "  ret void\n}\n\n\
             declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, \
             i32, i1) #1\n\
             declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, \
             %dx.types.ResourceProperties) #1\n\
             declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #1\n\
             declare void @dx.op.barrier(i32, i32) #2\n\
             declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, \
             i32, \
             i32, i8, i32) #0\n\
             declare void @dx.op.rawBufferVectorStore.v4f32(i32, %dx.types.Handle, i32, i32, \
             <4 x float>, i32) #0\n";
        for line in &self.declared {
            text += line;
            text += "\n";
        }
        text += "\nattributes #0 = { nounwind }\nattributes #1 = { nounwind readnone }\n\
                 attributes #2 = { noduplicate nounwind }\n\n";
        let nodes: Vec<String> = (0..self.types.len())
            .map(|n| format!("!{}", n + 20))
            .collect();
        let _ = writeln!(text, "!dx.targetTypes = !{{{}}}", nodes.join(", "));
        text += "!dx.version = !{!0}\n!dx.valver = !{!0}\n!dx.shaderModel = !{!1}\n\
                 !dx.resources = !{!2}\n!dx.entryPoints = !{!7}\n\n\
                 !0 = !{i32 1, i32 10}\n!1 = !{!\"cs\", i32 6, i32 10}\n\
                 !2 = !{!3, !5, null, null}\n!3 = !{!4}\n\
                 !4 = !{i32 0, %struct.ByteAddressBuffer* undef, !\"src\", i32 0, i32 0, i32 1, \
                 i32 11, i32 0, null}\n\
                 !5 = !{!6}\n\
                 !6 = !{i32 0, %struct.RWByteAddressBuffer* undef, !\"dst\", i32 0, i32 0, i32 1, \
                 i32 11, i1 false, i1 false, i1 false, null}\n\
                 !7 = !{void ()* @main, !\"main\", null, !2, !8}\n\
                 !8 = !{i32 0, i64 8590458896, i32 4, !9}\n";
        let _ = writeln!(text, "!9 = !{{i32 {THREADS}, i32 1, i32 1}}");
        for (node, (name, [of, rows, columns, usage, scope])) in nodes.iter().zip(&self.types) {
            let _ = writeln!(
                text,
                "{node} = !{{%dx.types.LinAlgMatrix{name} undef, i32 {of}, i32 {rows}, i32 \
                 {columns}, i32 {usage}, i32 {scope}}}"
            );
        }
        Shader::decode(assemble(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))).unwrap()
    }
}

fn run(backend: Backend, shader: &Shader, input: &[u8]) -> Result<Vec<u8>, Error> {
    let device = device::open(&OpenOptions::new(backend)).unwrap();
    let mut options = CompileOptions::default();
    options.preview = true;
    let mut job = Job::dispatch([1, 1, 1]);
    job.bind_buffer(Register::srv(0), input.to_vec());
    let out = job.bind_buffer(Register::uav(0), vec![0; (THREADS + 1) * REGION]);
    let program = Program::compile(shader, None, device.profile(), &formats_of(&job), &options)?;
    let outcome = device.run(&program, &job)?;
    Ok(outcome.bytes(out).unwrap().to_vec())
}

/// Runs a shader on both backends, and compares some of the output.
fn check(what: &str, shader: &Shader, input: &[u8], expected: &[(usize, Vec<u8>)]) {
    for backend in [Backend::Cpu, Backend::Vulkan] {
        let output = run(backend, shader, input).unwrap_or_else(|error| panic!("{what}: {error}"));
        for (at, bytes) in expected {
            let found = &output[*at..][..bytes.len()];
            assert_eq!(found, bytes, "{what} on {backend:?} at {at}");
        }
    }
}

/// The numbers that [`matrices`] loads, and what they become.
struct Numbers {
    rows: usize,
    columns: usize,
    m: Vec<i32>,
    product: Vec<i32>,
}

impl Numbers {
    fn of(component: Component, rows: usize, columns: usize) -> Numbers {
        let m: Vec<i32> = (0..rows * columns).map(|i| component.value(i)).collect();
        let dot = |a: usize, b: usize| -> i32 {
            let products = (0..columns).map(|k| m[a * columns + k] * m[b * columns + k]);
            products.sum()
        };
        let product = (0..rows * rows).map(|i| dot(i / rows, i % rows)).collect();
        Numbers {
            rows,
            columns,
            m,
            product,
        }
    }

    /// The matrix column by column.
    fn by_columns(&self) -> Vec<i32> {
        let all = 0..self.rows * self.columns;
        all.map(|i| self.m[i % self.rows * self.columns + i / self.rows])
            .collect()
    }
}

fn doubled(values: &[i32]) -> Vec<i32> {
    values.iter().map(|value| 2 * value).collect()
}

/// The operations that matrices of threads and of groups have: loads, stores, conversions,
/// products, sums, elements. Expectations are at the start of the region of the first thread.
fn matrices(of: Component, scope: u32) -> (Text, Vec<(usize, Vec<u8>)>) {
    let numbers = Numbers::of(of, SMALL_ROWS, SMALL_COLUMNS);
    let sum = of.sum();
    let mut text = Text::default();
    let (a, b) = (
        (of, SMALL_ROWS, SMALL_COLUMNS, 0, scope),
        (of, SMALL_COLUMNS, SMALL_ROWS, 1, scope),
    );
    let wide = (sum, SMALL_ROWS, SMALL_COLUMNS, 2, scope);
    let square = (sum, SMALL_ROWS, SMALL_ROWS, 2, scope);
    let row = (SMALL_COLUMNS * of.bytes).to_string();
    let mut expected = Vec::new();
    let m = text.load(a, ["0", &row, "0", "4"]);
    // The same numbers one element further on: neither lines nor elements begin at whole words.
    let step = of.bytes.to_string();
    text.line(&format!("%odd = add i32 {row}, {step}"));
    let odd_offset = (SMALL_ROWS * SMALL_COLUMNS * of.bytes + of.bytes).to_string();
    let odd = text.load(a, [&odd_offset, "%odd", "0", &step]);
    text.show(a, &odd, 0);
    expected.push((0, of.all(numbers.m.clone())));
    // Column by column, where words are shared by columns if the components are short.
    let place = "%columns";
    text.line("%columns = add i32 %region, 128");
    text.store(
        a,
        &m,
        [place, &(SMALL_ROWS * of.bytes).to_string(), "1", &step],
    );
    expected.push((128, of.all(numbers.by_columns())));
    let f = text.convert(a, wide, &m, "false");
    text.show(wide, &f, 256);
    expected.push((256, sum.all(numbers.m.clone())));
    let t = text.convert(a, b, &m, "true");
    let p = text.combine(23, "linAlgMatrixMultiply", square, &[(a, &m), (b, &t)]);
    text.show(square, &p, 384);
    expected.push((384, sum.all(numbers.product.clone())));
    let operands = [(a, m.as_str()), (b, t.as_str()), (square, p.as_str())];
    let q = text.combine(11, "linAlgMatrixMultiplyAccumulate", square, &operands);
    text.show(square, &q, 448);
    expected.push((448, sum.all(doubled(&numbers.product))));
    let s = text.combine(24, "linAlgMatrixAccumulate", wide, &[(wide, &f), (a, &m)]);
    text.show(wide, &s, 512);
    expected.push((512, sum.all(doubled(&numbers.m))));
    // Back to the component, through its range.
    let back = text.convert(wide, a, &f, "false");
    text.show(a, &back, 640);
    expected.push((640, of.all(numbers.m.clone())));
    // An element of the first thread becomes twice as large and one more. Threads have their whole
    // matrix; how a group's elements are dealt is the device's choice, but for the first one.
    let element = if scope == 0 {
        text.line("%at = add i32 5, 0");
        5
    } else {
        text.line("%first = icmp eq i32 %thread, 0");
        text.line("%at = select i1 %first, i32 0, i32 99");
        0
    };
    let (name, ty) = (text.name(wide), text.matrix(wide));
    let scalar = if sum.is_float() {
        ("float", "f32")
    } else {
        ("i32", "i32")
    };
    let operation = format!("linAlgMatrixGetElement.{}.m{name}", scalar.1);
    let old = text.call(18, &operation, scalar.0, &[(&ty, &f), ("i32", "%at")]);
    let (add, one) = if sum.is_float() {
        ("fadd", "1.000000e+00")
    } else {
        ("add", "1")
    };
    text.line(&format!("%twice = {add} {} {old}, {old}", scalar.0));
    text.line(&format!("%new = {add} {} %twice, {one}", scalar.0));
    let operation = format!("linAlgMatrixSetElement.m{name}.m{name}.{}", scalar.1);
    let args = [
        (ty.as_str(), f.as_str()),
        ("i32", "%at"),
        (scalar.0, "%new"),
    ];
    let changed = text.call(19, &operation, &ty, &args);
    text.show(wide, &changed, 768);
    let mut with_new = numbers.m.clone();
    with_new[element] = 2 * with_new[element] + 1;
    expected.push((768, sum.all(with_new)));
    let length = text.call(
        16,
        &format!("linAlgMatrixLength.m{name}"),
        "i32",
        &[(&ty, &f)],
    );
    let operation = format!("linAlgMatrixGetCoordinate.m{name}");
    let (index, row, column) = if scope == 0 { ("6", 1, 2) } else { ("0", 0, 0) };
    let place = text.call(17, &operation, "<2 x i32>", &[(&ty, &f), ("i32", index)]);
    let outside = text.call(17, &operation, "<2 x i32>", &[(&ty, &f), ("i32", "32")]);
    for (name, from, index) in [("r", &place, 0), ("c", &place, 1), ("n", &outside, 0)] {
        text.line(&format!(
            "%{name} = extractelement <2 x i32> {from}, i32 {index}"
        ));
    }
    text.line("%words = add i32 %region, 896");
    text.line(&format!(
        "call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 %words, \
         i32 undef, i32 %r, i32 %c, i32 %n, i32 {length}, i8 15, i32 4)"
    ));
    // Of 8 elements the 7th is in row 1, column 2.
    let mut words = vec![row, column, u32::MAX];
    if scope == 0 {
        words.push(8);
    }
    expected.push((
        896,
        words.iter().flat_map(|word| word.to_le_bytes()).collect(),
    ));
    (text, expected)
}

/// The bytes of the matrix, and once more with gaps of an element.
fn input(of: Component, rows: usize, columns: usize) -> Vec<u8> {
    let m = Numbers::of(of, rows, columns).m;
    let mut bytes = of.all(m.clone());
    for row in m.chunks(columns) {
        // One element before each line.
        bytes.extend(of.write(1));
        bytes.extend(of.all(row.to_vec()));
    }
    bytes.resize(512, 0);
    bytes
}

#[test]
fn threads_have_matrices_of_all_components() {
    for of in COMPONENTS {
        let (text, expected) = matrices(of, 0);
        // Each thread has its own region with the same numbers.
        let everywhere: Vec<(usize, Vec<u8>)> = (0..THREADS)
            .flat_map(|thread| {
                let here = expected.iter().cloned();
                here.map(move |(at, bytes)| (thread * REGION + at, bytes))
            })
            .collect();
        let what = format!("component {}", of.number);
        check(
            &what,
            &text.finish(),
            &input(of, SMALL_ROWS, SMALL_COLUMNS),
            &everywhere,
        );
    }
}

#[test]
fn thread_groups_have_matrices_of_all_components() {
    for of in COMPONENTS {
        let (text, expected) = matrices(of, 2);
        let what = format!("component {} of a group", of.number);
        check(
            &what,
            &text.finish(),
            &input(of, SMALL_ROWS, SMALL_COLUMNS),
            &expected,
        );
    }
}

/// The vector of each thread: its number, then 1, 2, ...
fn vector(thread: usize) -> Vec<i32> {
    (0..COLUMNS)
        .map(|k| if k == 0 { thread as i32 } else { k as i32 % 4 })
        .collect()
}

fn times(m: &[i32], vector: &[i32]) -> Vec<i32> {
    let rows = m.chunks(COLUMNS);
    rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
        .collect()
}

/// Products with vectors, outer products, and what all threads add to one place.
#[test]
fn threads_multiply_vectors_and_accumulate_in_buffers() {
    for of in COMPONENTS.into_iter().filter(|of| of.is_float()) {
        let m = Numbers::of(of, ROWS, COLUMNS).m;
        let mut text = Text::default();
        let a = (of, ROWS, COLUMNS, 0, 0);
        let loaded = text.load(a, ["0", &(COLUMNS * of.bytes).to_string(), "0", "4"]);
        text.line("%tf = uitofp i32 %thread to float");
        let mut whole = "undef".to_owned();
        for k in 0..COLUMNS {
            let element = match k {
                0 => "%tf".to_owned(),
                k => format!("{}.000000e+00", k % 4),
            };
            text.line(&format!(
                "%x{k} = insertelement <8 x float> {whole}, float {element}, i32 {k}"
            ));
            whole = format!("%x{k}");
        }
        let (name, ty) = (text.name(a), text.matrix(a));
        let first = [(ty.as_str(), loaded.as_str()), ("i1", "true")];
        let vector_of = [("<8 x float>", whole.as_str()), ("i32", "9")];
        let operation = format!("linAlgMatVecMul.v4f32.m{name}.v8f32");
        let args = [&first[..], &vector_of].concat();
        let once = text.call(25, &operation, "<4 x float>", &args);
        let operation = format!("linAlgMatVecMulAdd.v4f32.m{name}.v8f32.v4f32");
        let args = [&args[..], &[("<4 x float>", once.as_str())]].concat();
        let twice = text.call(26, &operation, "<4 x float>", &args);
        text.line(&format!(
            "call void @dx.op.rawBufferVectorStore.v4f32(i32 304, %dx.types.Handle %out, i32 \
             %region, i32 undef, <4 x float> {twice}, i32 4)"
        ));
        let square = (F32, ROWS, ROWS, 2, 0);
        let (name, ty) = (text.name(square), text.matrix(square));
        let operation = format!("linAlgMatrixOuterProduct.m{name}.v4f32.v4f32");
        let args = [
            ("<4 x float>", once.as_str()),
            ("<4 x float>", twice.as_str()),
        ];
        let outer = text.call(29, &operation, &ty, &args);
        let common = THREADS * REGION;
        let what = "linAlgMatrixAccumulateToDescriptor";
        text.put(
            27,
            what,
            square,
            &outer,
            [&common.to_string(), "16", "0", "4"],
        );
        let args = [
            ("%dx.types.Handle", "%out"),
            ("i32", &(common + 64).to_string()),
            ("i32", "4"),
            ("<4 x float>", once.as_str()),
        ];
        text.call(
            31,
            "linAlgVectorAccumulateToDescriptor.v4f32",
            "void",
            &args,
        );
        let mut expected = Vec::new();
        let mut outer = vec![0; ROWS * ROWS];
        let mut sums = vec![0; ROWS];
        for thread in 0..THREADS {
            let once = times(&m, &vector(thread));
            expected.push((thread * REGION, F32.all(doubled(&once))));
            for (place, sum) in outer.iter_mut().enumerate() {
                *sum += once[place / ROWS] * 2 * once[place % ROWS];
            }
            for (sum, value) in sums.iter_mut().zip(once) {
                *sum += value;
            }
        }
        expected.push((common, F32.all(outer)));
        expected.push((common + 64, F32.all(sums)));
        let what = format!("vectors and component {}", of.number);
        check(&what, &text.finish(), &input(of, ROWS, COLUMNS), &expected);
    }
}

/// All threads add integers, and halves of which two share a word.
#[test]
fn threads_accumulate_integers_and_halves() {
    let half = component(8, 2, Form::Float(5, 10));
    for (of, scalar, suffix) in [(I32, "i32", "i32"), (half, "float", "f32")] {
        let mut text = Text::default();
        text.line("%tf = uitofp i32 %thread to float");
        let value = if scalar == "i32" { "%thread" } else { "%tf" };
        let m = (of, 3, 3, 2, 0);
        let (name, ty) = (text.name(m), text.matrix(m));
        let operation = format!("linAlgFillMatrix.m{name}.{suffix}");
        let filled = text.call(12, &operation, &ty, &[(scalar, value)]);
        let stride = (3 * of.bytes).to_string();
        let common = (THREADS * REGION).to_string();
        let what = "linAlgMatrixAccumulateToDescriptor";
        text.put(27, what, m, &filled, [&common, &stride, "0", "2"]);
        // 0 + 1 + ... + 7, and nothing past the last element.
        let mut bytes = of.all([28; 9]);
        bytes.extend(of.all([0; 3]));
        let what = format!("sums of component {}", of.number);
        check(
            &what,
            &text.finish(),
            &input(of, ROWS, COLUMNS),
            &[(THREADS * REGION, bytes)],
        );
    }
}

/// Eight floats become eight bytes and come back: whole numbers up to 16 are exact in both formats'
/// larger one, those up to 8 in both.
#[test]
fn vectors_are_converted_through_floats_of_8_bits() {
    for of in COMPONENTS.into_iter().filter(|of| of.bytes == 1) {
        let mut text = Text::default();
        text.line("%tf = uitofp i32 %thread to float");
        let mut whole = "undef".to_owned();
        for k in 0..4 {
            let element = if k == 0 {
                "%tf".to_owned()
            } else {
                format!("{k}.000000e+00")
            };
            text.line(&format!(
                "%x{k} = insertelement <4 x float> {whole}, float {element}, i32 {k}"
            ));
            whole = format!("%x{k}");
        }
        let number = of.number.to_string();
        let args = [
            ("<4 x float>", whole.as_str()),
            ("i32", "9"),
            ("i32", &number),
        ];
        let packed = text.call(30, "linAlgConvert.v1i32.v4f32", "<1 x i32>", &args);
        text.line(&format!("%w = extractelement <1 x i32> {packed}, i32 0"));
        let args = [
            ("<1 x i32>", packed.as_str()),
            ("i32", &number),
            ("i32", "9"),
        ];
        let back = text.call(30, "linAlgConvert.v4f32.v1i32", "<4 x float>", &args);
        text.line(&format!(
            "call void @dx.op.rawBufferVectorStore.v4f32(i32 304, %dx.types.Handle %out, i32 \
             %region, i32 undef, <4 x float> {back}, i32 4)"
        ));
        text.line("%after = add i32 %region, 16");
        text.line(
            "call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 %after, i32 \
             undef, i32 %w, i32 undef, i32 undef, i32 undef, i8 1, i32 4)",
        );
        let mut expected = Vec::new();
        for thread in 0..THREADS {
            let values = [thread as i32, 1, 2, 3];
            let mut bytes = F32.all(values);
            bytes.extend(of.all(values));
            expected.push((thread * REGION, bytes));
        }
        let what = format!("conversion to component {}", of.number);
        check(&what, &text.finish(), &input(of, ROWS, COLUMNS), &expected);
    }
}

/// A group's matrix in groupshared memory: floats as they are, bytes four to a word.
#[test]
fn thread_groups_keep_matrices_in_groupshared_memory() {
    let byte = component(19, 1, Form::Signed);
    for (of, array, element, per) in [(F32, "@tile", "float", 1), (byte, "@bytes", "i32", 4)] {
        let m = Numbers::of(of, ROWS, COLUMNS).m;
        let mut text = Text::default();
        let a = (of, ROWS, COLUMNS, 0, 2);
        let loaded = text.load(a, ["0", &(COLUMNS * of.bytes).to_string(), "0", "4"]);
        let pointer = format!(
            "getelementptr inbounds ([64 x {element}], [64 x {element}] addrspace(3)* {array}, i32 \
             0, i32 0)"
        );
        let pointer_ty = format!("{element} addrspace(3)*");
        let (name, ty) = (text.name(a), text.matrix(a));
        let suffix = if element == "float" { "f32" } else { "i32" };
        let stride = (COLUMNS / per).to_string();
        let place = [
            (pointer_ty.as_str(), pointer.as_str()),
            ("i32", "2"),
            ("i32", &stride),
        ];
        let barrier = "call void @dx.op.barrier(i32 80, i32 9)";
        let operation = format!("linAlgMatrixStoreToMemory.m{name}.{suffix}");
        let args = [
            &[(ty.as_str(), loaded.as_str())][..],
            &place,
            &[("i32", "0")],
        ]
        .concat();
        text.call(21, &operation, "void", &args);
        text.line(barrier);
        let mut times = 1;
        if per == 1 {
            let operation = format!("linAlgMatrixAccumulateToMemory.m{name}.{suffix}");
            let number = of.number.to_string();
            let [pointer, offset, stride] = place;
            let args = [(ty.as_str(), loaded.as_str()), pointer, ("i32", &number)];
            let args = [&args[..], &[offset, stride, ("i32", "0")]].concat();
            text.call(28, &operation, "void", &args);
            text.line(barrier);
            times = 2;
        }
        let operation = format!("linAlgMatrixLoadFromMemory.m{name}.{suffix}");
        let args = [&place[..], &[("i32", "0")]].concat();
        let again = text.call(15, &operation, &ty, &args);
        text.show(a, &again, 0);
        let sums = m.iter().map(|value| times * value);
        let what = format!("groupshared component {}", of.number);
        check(
            &what,
            &text.finish(),
            &input(of, ROWS, COLUMNS),
            &[(0, of.all(sums))],
        );
    }
}

#[test]
fn what_is_not_translated_is_told() {
    let wide = component(10, 8, Form::Float(11, 52));
    let byte = component(21, 1, Form::Float(4, 3));
    let cases: [(Component, [usize; 2], bool, &str); 3] = [
        (wide, [4, 4], false, "64 bits"),
        (F32, [64, 64], false, "64 by 64"),
        (byte, [4, 4], true, "F8E4M3FN"),
    ];
    for (of, [rows, columns], adds, message) in cases {
        let mut text = Text::default();
        let m = (of, rows, columns, 2, 0);
        let place = ["0", "256", "0", "4"];
        let loaded = text.load(m, place);
        if adds {
            text.put(27, "linAlgMatrixAccumulateToDescriptor", m, &loaded, place);
        } else {
            text.store(m, &loaded, place);
        }
        let error = run(Backend::Vulkan, &text.finish(), &[0; 64]).unwrap_err();
        assert_eq!(error.code(), "unsupported", "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}
