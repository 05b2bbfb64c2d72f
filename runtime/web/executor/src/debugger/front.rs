//! The front end of a session that ends at its next stop.

use dxil_debug::{Breakpoints, Poll, Program, Resume, Stopped};
use serde_json::{Value, json};

use super::number::number;
use super::shown;

/// Maximum number of messages of breakpoints that are kept.
const MAX_OUTPUT: usize = 1000;

/// Goes on once from where the question says, and keeps the next stop.
pub(super) struct Front<'q> {
    question: &'q Value,
    /// How the wave goes on, while it has not yet.
    go: Option<Resume>,
    /// Whether it has come to where the question begins.
    is_begun: bool,
    /// The change that was made first.
    edit: Value,
    stop: Option<Value>,
    output: Vec<String>,
}

impl<'q> Front<'q> {
    pub(super) fn new(question: &'q Value, go: Option<Resume>) -> Self {
        Front {
            question,
            go,
            is_begun: false,
            edit: Value::Null,
            stop: None,
            output: Vec::new(),
        }
    }

    /// Returns the stop, and what breakpoints have said before it.
    pub(super) fn into_answer(self) -> (Option<Value>, Vec<String>) {
        (self.stop, self.output)
    }

    /// Makes the change that the question asks for.
    fn set(&mut self, stopped: &mut Stopped<'_, '_>) {
        let set = &self.question["set"];
        let (Some(target), Some(value)) = (set["target"].as_str(), set["value"].as_str()) else {
            return;
        };
        let (frame, lane) = (number(&set["frame"]), stopped.lane);
        self.edit = match stopped.assign(target, value, frame, lane) {
            Ok(_) => json!({
                "time": stopped.time,
                "lane": lane,
                "frame": frame,
                "target": target,
                "value": value,
            }),
            Err(error) => json!({ "problem": error.to_string() }),
        };
    }
}

impl dxil_debug::Front for Front<'_> {
    fn stopped(&mut self, stopped: &mut Stopped<'_, '_>) -> Resume {
        // The lane that the reader looks at is the one that goes on.
        if !std::mem::replace(&mut self.is_begun, true) {
            let lane = self.question["lane"].as_u64().map(|lane| lane as usize);
            if let Some(lane) = lane.filter(|lane| stopped.lanes().contains(lane)) {
                stopped.lane = lane;
            }
            self.set(stopped);
        }
        if let Some(go) = self.go.take() {
            return go;
        }
        let mut stop = shown::stop(stopped, self.question);
        stop["edit"] = self.edit.take();
        self.stop = Some(stop);
        Resume::Quit
    }

    fn output(&mut self, text: &str) {
        if self.output.len() < MAX_OUTPUT {
            self.output.push(text.to_owned());
        }
    }

    fn poll(&mut self, _program: &Program<'_>, _breakpoints: &mut Breakpoints) -> Poll {
        Poll::None
    }

    fn ended(&mut self) -> Resume {
        self.is_begun = true;
        if let Some(go) = self.go.take() {
            return go;
        }
        self.stop = Some(json!({ "ended": true }));
        Resume::Quit
    }
}
