//! The functions that the page calls and gives.
//!
//! A plain C interface of four functions: messages are bytes in the module's memory. wasm-bindgen
//! would add a program to the build and more glue than this file has.

#![allow(
    unsafe_code,
    reason = "the page writes into and reads from the module's memory"
)]

use std::cell::RefCell;

use crate::message::Message;

thread_local! {
    /// The bytes of the question, then those of the answer. The module has one thread.
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for a question of `length` bytes, and returns where the page writes it.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn question(length: usize) -> *mut u8 {
    BYTES.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.resize(length, 0);
        bytes.as_mut_ptr()
    })
}

/// Answers the question that was written, and returns the number of bytes of the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ask() -> usize {
    let question = BYTES.take();
    let answer = crate::answer(&Message::decode(&question)).encode();
    let length = answer.len();
    BYTES.replace(answer);
    length
}

/// Returns where the answer is.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn answer_bytes() -> *const u8 {
    BYTES.with_borrow(|bytes| bytes.as_ptr())
}

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Writes random bytes.
    fn random_bytes(to: *mut u8, length: usize);
    /// Takes the text of a panic, after which the module is dead.
    fn panicked(text: *const u8, length: usize);
}

/// Makes panics tell the page their text. Called once, before everything else.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn start() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        // SAFETY: the page reads as many bytes as the text has.
        unsafe { panicked(text.as_ptr(), text.len()) };
    }));
}

/// The function that getrandom calls (`getrandom_backend="custom"`).
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(
    to: *mut u8,
    length: usize,
) -> Result<(), getrandom::Error> {
    // SAFETY: getrandom gives as many bytes to write to.
    unsafe { random_bytes(to, length) };
    Ok(())
}
