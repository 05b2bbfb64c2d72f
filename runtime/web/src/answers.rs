//! Passes each question to what answers it.

use serde_json::json;

use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::{check, code, languages, open, source, spirv};

/// Answers a question. A failure is an answer too: `error` has its kind and its message.
pub fn answer(question: &Message) -> Message {
    answered(question).unwrap_or_else(|failure| Message::new(json!({ "error": failure.json() })))
}

fn answered(question: &Message) -> Result<Message> {
    match question.text("ask") {
        "open" => open::open(question),
        "overview" => source::overview(question),
        "code" => code::code(question),
        "flow" => code::flow(question),
        "spirv" => spirv::spirv(question),
        "portable" => languages::portable(question),
        "check" => check::check(question),
        "compare" => check::compare(question),
        other => Err(Failure::job(format!("no such question: `{other}`"))),
    }
}
