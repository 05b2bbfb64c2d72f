//! A DXIL module and its container: types, functions, constants and metadata that all shapes share,
//! and the additions of a shape.

use std::iter;

use dxil_frontend::bitcode::bit_writer::BitWriter;
use dxil_frontend::container::fourcc::FourCc;
use dxil_frontend::container::{Signing, write_container};

use crate::body::Body;
use crate::constants::{Constants, Function, TypeNumber, Value, ty};

const MODULE_BLOCK: u32 = 8;
const CONSTANTS_BLOCK: u32 = 11;
const VALUE_SYMTAB_BLOCK: u32 = 14;
const METADATA_BLOCK: u32 = 15;
const TYPE_BLOCK: u32 = 17;

/// A row of metadata. Nodes refer to others by their row.
enum MetadataRow {
    Text(String),
    Value(TypeNumber, Value),
    Node(Vec<Option<u32>>),
}

struct Declared {
    name: String,
    ty: TypeNumber,
    is_defined: bool,
}

/// A global variable.
struct Global {
    ty: TypeNumber,
    address_space: u64,
    /// Index of a constant.
    initializer: Option<usize>,
}

/// Indices of the constants in metadata.
#[derive(Default)]
struct Described {
    /// The integers from 0 to [`Module::highest`].
    integers: Vec<usize>,
    no: usize,
    undefined: usize,
}

/// Kind of a raw buffer (DXIL document, "Shader Resource Kinds").
const RAW_BUFFER: u32 = 11;

/// A module under construction: types, globals, functions, constants, and bodies, in this order.
pub(crate) struct Module {
    types: Vec<(u32, Vec<u64>)>,
    globals: Vec<Global>,
    functions: Vec<Declared>,
    pub(crate) constants: Constants,
    described: Described,
    bodies: Vec<Body>,
    rows: Vec<MetadataRow>,
    /// Rows of metadata in the named node `dx.shape`, which is left out if there are none.
    pub(crate) shape: Vec<u32>,
    /// Number of descriptions of a matrix type (`dx.targetTypes`, shader model 6.10).
    pub(crate) target_types: usize,
    /// Name of the entry point.
    pub(crate) entry: String,
    /// Number of raw buffers, bound from `u0` on, one range each.
    pub(crate) buffers: u32,
    /// Number of descriptors in each range.
    pub(crate) range: u32,
    /// Whether the list of ranges is reversed.
    pub(crate) reversed: bool,
}

/// The operations in bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Operations {
    pub(crate) thread_id: Function,
    pub(crate) create_handle: Function,
    pub(crate) load: Function,
    pub(crate) store: Function,
}

impl Module {
    /// Returns a module with the types of [`ty`] and nothing else.
    pub(crate) fn new() -> Module {
        let number = |ty: TypeNumber| u64::from(ty.0);
        let (void, i32_, i1, i8_) = (
            number(ty::VOID),
            number(ty::I32),
            number(ty::I1),
            number(ty::I8),
        );
        let handle = number(ty::HANDLE);
        let types = vec![
            (2, vec![]),
            (7, vec![32]),
            (7, vec![1]),
            (7, vec![8]),
            (8, vec![i8_, 0]),
            named("dx.types.Handle", &[number(ty::I8_POINTER)]),
            named("dx.types.ResRet.i32", &[i32_; 5]),
            named("struct.RWByteAddressBuffer", &[i32_]),
            (8, vec![number(ty::BUFFER), 0]),
            (21, vec![0, void]),
            (8, vec![number(ty::MAIN), 0]),
            (21, vec![0, i32_, i32_, i32_]),
            (21, vec![0, handle, i32_, i8_, i32_, i32_, i1]),
            (21, vec![0, number(ty::LOADED), i32_, handle, i32_, i32_]),
            (
                21,
                vec![
                    0, void, i32_, handle, i32_, i32_, i32_, i32_, i32_, i32_, i8_,
                ],
            ),
            (21, vec![0, i32_, i32_]),
            // Of elements of local arrays.
            (8, vec![i32_, 0]),
        ];
        Module {
            types,
            globals: Vec::new(),
            functions: Vec::new(),
            constants: Constants::default(),
            described: Described::default(),
            bodies: Vec::new(),
            rows: Vec::new(),
            shape: Vec::new(),
            target_types: 0,
            entry: "main".into(),
            buffers: 1,
            range: 1,
            reversed: false,
        }
    }

    fn add_type(&mut self, code: u32, numbers: Vec<u64>) -> TypeNumber {
        self.types.push((code, numbers));
        TypeNumber(self.types.len() as u32 - 1)
    }

    pub(crate) fn array(&mut self, length: u32, of: TypeNumber) -> TypeNumber {
        self.add_type(11, vec![u64::from(length), u64::from(of.0)])
    }

    pub(crate) fn pointer(&mut self, to: TypeNumber, address_space: u64) -> TypeNumber {
        self.add_type(8, vec![u64::from(to.0), address_space])
    }

    /// Adds a structure with a name.
    pub(crate) fn named_structure(&mut self, name: &str, of: &[TypeNumber]) -> TypeNumber {
        let members: Vec<u64> = of.iter().map(|ty| u64::from(ty.0)).collect();
        let (code, numbers) = named(name, &members);
        self.add_type(code, numbers)
    }

    /// Returns the type of a function.
    pub(crate) fn function_type(&mut self, result: TypeNumber, of: &[TypeNumber]) -> TypeNumber {
        let numbers = [ty::VOID, result].into_iter().chain(of.iter().copied());
        self.add_type(21, numbers.map(|ty| u64::from(ty.0)).collect())
    }

    /// Adds a structure without name.
    pub(crate) fn structure(&mut self, of: &[TypeNumber]) -> TypeNumber {
        let members = of.iter().map(|ty| u64::from(ty.0));
        self.add_type(18, [0].into_iter().chain(members).collect())
    }

    /// Adds a global variable; `initializer` is the index of a constant.
    pub(crate) fn global(
        &mut self,
        ty: TypeNumber,
        address_space: u64,
        initializer: Option<usize>,
    ) -> Value {
        self.globals.push(Global {
            ty,
            address_space,
            initializer,
        });
        Value(self.globals.len() as u32 - 1)
    }

    /// Adds a function. Bodies of defined functions follow in the same order.
    pub(crate) fn function(&mut self, name: &str, ty: TypeNumber, is_defined: bool) -> Function {
        let value = Value((self.globals.len() + self.functions.len()) as u32);
        self.functions.push(Declared {
            name: name.into(),
            ty,
            is_defined,
        });
        let returns = ty != ty::MAIN && ty != ty::BUFFER_STORE;
        Function { value, ty, returns }
    }

    /// Declares the operations in bodies.
    pub(crate) fn operations(&mut self) -> Operations {
        let mut declare = |name: &str, ty| self.function(name, ty, false);
        Operations {
            thread_id: declare("dx.op.threadId.i32", ty::THREAD_ID),
            create_handle: declare("dx.op.createHandle", ty::CREATE_HANDLE),
            load: declare("dx.op.bufferLoad.i32", ty::BUFFER_LOAD),
            store: declare("dx.op.bufferStore.i32", ty::BUFFER_STORE),
        }
    }

    /// Declares the entry point. Its body is the first that is added.
    pub(crate) fn entry_point(&mut self) -> Function {
        let name = self.entry.clone();
        self.function(&name, ty::MAIN, true)
    }

    /// Returns the number of globals and functions, which is the number of the first constant.
    pub(crate) fn declared(&self) -> u32 {
        (self.globals.len() + self.functions.len()) as u32
    }

    /// Adds a row of metadata that refers to others.
    pub(crate) fn node(&mut self, of: &[Option<u32>]) -> u32 {
        self.row(MetadataRow::Node(of.to_vec()))
    }

    fn row(&mut self, row: MetadataRow) -> u32 {
        self.rows.push(row);
        self.rows.len() as u32 - 1
    }

    pub(crate) fn body(&mut self, body: Body) {
        self.bodies.push(body);
    }

    /// Returns the container with the entry point `main`. [`Module::number_constants`] must have
    /// been called.
    pub(crate) fn finish(mut self, main: Function) -> Vec<u8> {
        let named = self.describe(main);
        let bitcode = self.write(&named);
        let mut program = Vec::with_capacity(bitcode.len() + 24);
        let words = (bitcode.len() + 24) / 4;
        const COMPUTE_6_0: u32 = 5 << 16 | 6 << 4;
        const DXIL_1_0: u32 = 1 << 8;
        for word in [
            COMPUTE_6_0,
            words as u32,
            u32::from_le_bytes(*b"DXIL"),
            DXIL_1_0,
            16,
            bitcode.len() as u32,
        ] {
            program.extend(word.to_le_bytes());
        }
        program.extend(bitcode);
        write_container(&[(FourCc(*b"DXIL"), &program)], Signing::None).unwrap_or_default()
    }

    /// Returns the largest integer in metadata.
    fn highest(&self) -> u32 {
        self.buffers.max(self.range).max(RAW_BUFFER)
    }

    /// Adds the constants of metadata and numbers all constants. Returns the number of the first
    /// value of a body.
    pub(crate) fn number_constants(&mut self) -> u32 {
        let highest = i64::from(self.highest());
        let constants = &mut self.constants;
        self.described = Described {
            integers: (0..=highest)
                .map(|value| constants.integer(ty::I32, value))
                .collect(),
            no: constants.integer(ty::I1, 0),
            undefined: constants.undefined(ty::BUFFER_POINTER),
        };
        let declared = self.declared();
        self.constants.number_from(declared)
    }

    /// Writes the metadata of a compute shader (DXIL document, "Metadata").
    fn describe(&mut self, main: Function) -> Vec<(&'static str, Vec<u32>)> {
        let described = std::mem::take(&mut self.described);
        let mut constant = |ty, index| {
            let value = self.constants.value(index);
            self.row(MetadataRow::Value(ty, value))
        };
        let integers: Vec<u32> = described
            .integers
            .into_iter()
            .map(|index| constant(ty::I32, index))
            .collect();
        let no = constant(ty::I1, described.no);
        let undefined = constant(ty::BUFFER_POINTER, described.undefined);
        let integer = |value: u32| Some(integers[value as usize]);
        let empty = self.row(MetadataRow::Text(String::new()));
        let compute = self.row(MetadataRow::Text("cs".into()));
        let version = self.node(&[integer(1), integer(0)]);
        let model = self.node(&[Some(compute), integer(6), integer(0)]);
        let buffers: Vec<Option<u32>> = (0..self.buffers)
            .map(|place| {
                let index = if self.reversed {
                    self.buffers - 1 - place
                } else {
                    place
                };
                let first = index * self.range;
                let lower = if self.range == 1 {
                    integer(first)
                } else {
                    integer(0)
                };
                let row = [
                    integer(index),
                    Some(undefined),
                    Some(empty),
                    integer(0),
                    lower,
                    integer(self.range),
                    integer(RAW_BUFFER),
                    Some(no),
                    Some(no),
                    Some(no),
                    None,
                ];
                Some(self.node(&row))
            })
            .collect();
        let buffers = self.node(&buffers);
        let resources = self.node(&[None, Some(buffers), None, None]);
        let group = self.node(&[integer(8), integer(1), integer(1)]);
        let properties = self.node(&[integer(4), Some(group)]);
        let name = self.row(MetadataRow::Text(self.entry.clone()));
        let main = self.row(MetadataRow::Value(ty::MAIN_POINTER, main.value));
        let entry = self.node(&[
            Some(main),
            Some(name),
            None,
            Some(resources),
            Some(properties),
        ]);
        let mut named = vec![
            ("dx.version", vec![version]),
            ("dx.shaderModel", vec![model]),
            ("dx.resources", vec![resources]),
            ("dx.entryPoints", vec![entry]),
        ];
        if !self.shape.is_empty() {
            named.push(("dx.shape", std::mem::take(&mut self.shape)));
        }
        if self.target_types > 0 {
            // A matrix of 4 by 4 floats (component type 9), an accumulator (2) of a thread (0).
            let mut row = vec![Some(undefined)];
            row.extend([9, 4, 4, 2, 0].map(integer));
            let node = self.node(&row);
            named.push(("dx.targetTypes", vec![node; self.target_types]));
        }
        named
    }

    fn write(&self, named: &[(&'static str, Vec<u32>)]) -> Vec<u8> {
        let mut out = BitWriter::with_magic();
        out.enter(MODULE_BLOCK, 4);
        out.record(1, [1]);
        out.record(2, Vec::from_iter(text("dxil-ms-dx")));
        out.enter(TYPE_BLOCK, 4);
        out.record(1, [self.types.len() as u64]);
        for (code, numbers) in &self.types {
            if *code == NAMED {
                let length = numbers[0] as usize;
                out.record(19, &numbers[1..=length]);
                let members = numbers[length + 1..].iter().copied();
                out.record(20, Vec::from_iter(iter::once(0).chain(members)));
            } else {
                out.record(*code, numbers);
            }
        }
        out.leave();
        for global in &self.globals {
            const EXPLICIT_TYPE: u64 = 2;
            const INTERNAL: u64 = 3;
            let is_initialized = u64::from(global.initializer.is_some());
            let flags = global.address_space << 2 | EXPLICIT_TYPE | is_initialized;
            let initializer = global.initializer.map_or(0, |index| {
                let value = self.constants.value(index);
                u64::from(value.0) + 1
            });
            out.record(
                7,
                [u64::from(global.ty.0), flags, initializer, INTERNAL, 3, 0],
            );
        }
        for function in &self.functions {
            let is_declaration = u64::from(!function.is_defined);
            out.record(
                8,
                [u64::from(function.ty.0), 0, is_declaration, 0, 0, 0, 0, 0],
            );
        }
        out.enter(CONSTANTS_BLOCK, 4);
        self.constants.write(&mut out);
        out.leave();
        out.enter(METADATA_BLOCK, 4);
        for row in &self.rows {
            match row {
                MetadataRow::Text(characters) => out.record(1, Vec::from_iter(text(characters))),
                MetadataRow::Value(ty, value) => {
                    out.record(2, [u64::from(ty.0), u64::from(value.0)])
                }
                MetadataRow::Node(of) => {
                    let rows = of.iter().map(|row| row.map_or(0, |row| u64::from(row) + 1));
                    out.record(3, Vec::from_iter(rows));
                }
            }
        }
        for (name, rows) in named {
            out.record(4, Vec::from_iter(text(name)));
            let rows = rows.iter().map(|row| u64::from(*row));
            out.record(10, Vec::from_iter(rows));
        }
        out.leave();
        out.enter(VALUE_SYMTAB_BLOCK, 4);
        for (number, function) in (self.globals.len() as u64..).zip(&self.functions) {
            let numbers = iter::once(number).chain(text(&function.name));
            out.record(1, Vec::from_iter(numbers));
        }
        out.leave();
        for body in &self.bodies {
            body.write(&mut out);
        }
        out.leave();
        out.finish()
    }
}

/// Marks a row of the type table that consists of two records: a name and the structure.
const NAMED: u32 = 20;

fn named(name: &str, members: &[u64]) -> (u32, Vec<u64>) {
    let numbers = iter::once(name.len() as u64).chain(text(name));
    (NAMED, numbers.chain(members.iter().copied()).collect())
}

fn text(characters: &str) -> impl Iterator<Item = u64> {
    characters.bytes().map(u64::from)
}
