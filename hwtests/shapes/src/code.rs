//! Code that shapes share: a handle of the first buffer, the number of the thread, loads and
//! stores.

use crate::body::{Body, Operator};
use crate::constants::{Constants, Function, Value, ty};
use crate::module::{Module, Operations};

/// Opcodes (DXIL document, "DXIL operations").
const CREATE_HANDLE: i64 = 57;
const BUFFER_LOAD: i64 = 68;
const BUFFER_STORE: i64 = 69;
const THREAD_ID: i64 = 93;

/// A body that starts with a handle and the number of the thread.
pub(crate) struct Code {
    pub(crate) body: Body,
    operations: Operations,
    fixed: Fixed,
    /// Index of the first of the numbers 0, 1, 2 ... among the constants.
    numbers: usize,
    handle: Value,
    /// The thread's number.
    pub(crate) thread: Value,
}

/// Indices of constants.
#[derive(Clone, Copy)]
struct Fixed {
    create_handle: usize,
    load: usize,
    store: usize,
    thread_id: usize,
    undefined: usize,
    uav: usize,
    no: usize,
}

impl Code {
    /// Begins the body of a function without parameters that uses the integers below `numbers`;
    /// `more` adds constants.
    pub(crate) fn new<T>(
        module_values: u32,
        operations: Operations,
        numbers: u32,
        more: impl FnOnce(&mut Constants) -> T,
    ) -> (Code, T) {
        let mut constants = Constants::default();
        let mut word = |value| constants.integer(ty::I32, value);
        let (create_handle, load, store, thread_id) = (
            word(CREATE_HANDLE),
            word(BUFFER_LOAD),
            word(BUFFER_STORE),
            word(THREAD_ID),
        );
        let first = word(0);
        for number in 1..numbers.max(2) {
            word(i64::from(number));
        }
        let fixed = Fixed {
            create_handle,
            load,
            store,
            thread_id,
            undefined: constants.undefined(ty::I32),
            uav: constants.integer(ty::I8, 1),
            no: constants.integer(ty::I1, 0),
        };
        let more = more(&mut constants);
        let mut body = Body::new(module_values, 0, constants);
        let zero = body.constant(first);
        let arguments = [fixed.create_handle, fixed.uav].map(|index| body.constant(index));
        let no = body.constant(fixed.no);
        let arguments = vec![arguments[0], arguments[1], zero, zero, no];
        let handle = body.call(operations.create_handle, arguments);
        let opcode = body.constant(fixed.thread_id);
        let thread = body.call(operations.thread_id, vec![opcode, zero]);
        let code = Code {
            body,
            operations,
            fixed,
            numbers: first,
            handle,
            thread,
        };
        (code, more)
    }

    /// Returns an integer constant below `numbers` of the body.
    pub(crate) fn number(&self, value: u32) -> Value {
        self.body.constant(self.numbers + value as usize)
    }

    pub(crate) fn add(&mut self, a: Value, b: Value) -> Value {
        self.body.binary(Operator::Add, a, b)
    }

    /// Makes a handle of range `range` at `index`, and uses it for later stores.
    pub(crate) fn take_handle(&mut self, range: Value, index: Value) {
        let arguments = vec![
            self.body.constant(self.fixed.create_handle),
            self.body.constant(self.fixed.uav),
            range,
            index,
            self.body.constant(self.fixed.no),
        ];
        self.handle = self.body.call(self.operations.create_handle, arguments);
    }

    /// Uses this handle for later stores.
    pub(crate) fn use_handle(&mut self, handle: Value) {
        self.handle = handle;
    }

    /// Loads the word at a byte offset.
    pub(crate) fn load(&mut self, offset: Value) -> Value {
        let arguments = vec![
            self.body.constant(self.fixed.load),
            self.handle,
            offset,
            self.body.constant(self.fixed.undefined),
        ];
        let loaded = self.body.call(self.operations.load, arguments);
        self.body.extract(loaded, 0)
    }

    /// Stores a word at a byte offset.
    pub(crate) fn store(&mut self, offset: Value, value: Value) {
        let undefined = self.body.constant(self.fixed.undefined);
        let arguments = vec![
            self.body.constant(self.fixed.store),
            self.handle,
            offset,
            undefined,
            value,
            undefined,
            undefined,
            undefined,
            self.body.constant(self.fixed.uav),
        ];
        self.body.call_void(self.operations.store, arguments);
    }

    /// Ends the function.
    pub(crate) fn finish(mut self) -> Body {
        self.body.ret();
        self.body
    }
}

/// A module with operations and an entry point, and with numbered constants.
pub(crate) struct Frame {
    pub(crate) module: Module,
    pub(crate) operations: Operations,
    pub(crate) main: Function,
    /// Number of the first value of a body.
    pub(crate) values: u32,
}

impl Frame {
    /// Numbers the constants of `module`, and adds operations and an entry point.
    pub(crate) fn new(mut module: Module) -> Frame {
        let operations = module.operations();
        let main = module.entry_point();
        Frame::with(module, operations, main)
    }

    /// Returns the frame for a module that has operations and an entry point.
    pub(crate) fn with(mut module: Module, operations: Operations, main: Function) -> Frame {
        let values = module.number_constants();
        Frame {
            module,
            operations,
            main,
            values,
        }
    }

    /// Returns the start of a body that may use the integers below `numbers`.
    pub(crate) fn code(&self, numbers: u32) -> Code {
        let (code, ()) = Code::new(self.values, self.operations, numbers, |_| ());
        code
    }

    /// Returns the container whose entry point consists of the code that `write` appends, which may
    /// use the integers below `numbers`.
    pub(crate) fn run(self, numbers: u32, write: impl FnOnce(&mut Code)) -> Vec<u8> {
        let mut code = self.code(numbers);
        write(&mut code);
        self.finish(code)
    }

    /// Returns the container whose entry point consists of this code.
    pub(crate) fn finish(mut self, code: Code) -> Vec<u8> {
        self.module.body(code.finish());
        self.module.finish(self.main)
    }
}

/// Returns a container of one block, to which `write` appends code. It may use the integers below
/// `numbers`.
pub(crate) fn one_block(numbers: u32, write: impl FnOnce(&mut Code)) -> Vec<u8> {
    Frame::new(Module::new()).run(numbers, write)
}
