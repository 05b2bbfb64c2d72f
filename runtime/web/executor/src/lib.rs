//! Runs dispatches on the CPU for the page.
//!
//! A module of its own, which the page loads when somebody runs a shader: a first visit does not
//! wait for it.
//!
//! ```text
//! plan   the registers of a compute shader, with default sizes
//! run    a dispatch
//! bytes  the first contents of its resources, for the same dispatch in the browser's WebGPU
//! debug  the dispatch in the debugger: the next stop of a wave
//! ```

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod abi;
mod contents;
mod debugger;
mod failure;
mod message;
mod plan;
mod resources;
mod run;
mod source;

use serde_json::json;

use crate::failure::{Failure, Result};

pub use message::Message;

/// Answers a question. A failure is an answer too: `error` has its kind and its message.
pub fn answer(question: &Message) -> Message {
    answered(question).unwrap_or_else(|failure| Message::new(json!({ "error": failure.json() })))
}

fn answered(question: &Message) -> Result<Message> {
    match question.text("ask") {
        "plan" => plan::answer(question),
        "run" => run::run(question),
        "debug" => debugger::debug(question),
        "bytes" => run::first_contents(question),
        other => Err(Failure::job(format!("no such question: `{other}`"))),
    }
}
