//! A dispatch in the debugger.
//!
//! A worker cannot wait for its user in the middle of a call. So each question says where the wave
//! has stopped: the wave runs again from its start up to there, as the executor gives the same
//! values each time, and goes on from there as the question asks. The answer is the next stop.

mod debuggee;
mod front;
mod number;
mod points;
mod shown;

use dxil_debug::{Edit, Lanes, Program as Code, Resume, Resumption, Session, Step, wave_of_thread};
use dxil_frontend::container::Container;
use dxil_frontend::dxil::debug::Sources;
use serde_json::{Value, json};

use self::debuggee::Debuggee;
use self::front::Front;
use self::number::number;
use crate::failure::{Failure, Result};
use crate::message::Message;

/// Answers where the wave stops next:
///
/// ```text
/// group, thread   the wave; without a thread all of its lanes stop
/// at              where it has stopped: `time`, `lane`, `findings`, or `ended`; null at its start
/// edits           variables that were changed on the way
/// go              how it goes on: `look` (not at all), `continue`, `next`, `step`, `out`, `stepi`,
///                 `back`, `backi`, `rcontinue`
/// set             a variable to change before that: `target`, `value`, `frame`
/// breakpoints     `place` as `dxil-run --debug` takes it, or `data`; `condition`, `hit`, `log`
/// lane, frame, lanes, watches, parts   what is looked at
/// files           whether the texts of the source are wanted
/// ```
pub(crate) fn debug(question: &Message) -> Result<Message> {
    debuggee::with(question, |debuggee| answer(question, debuggee))
}

fn answer(question: &Message, debuggee: &Debuggee) -> Result<Message> {
    let head = &question.head;
    let kernel = debuggee.kernel()?;
    let container = Container::parse(question.payload(0));
    let sources = container.map(|container| Sources::of_container(&container));
    let sources = sources.unwrap_or_default();
    let mut code = Code::new(&debuggee.shader, &debuggee.reflection, kernel, sources);
    code.lanes = Lanes::Threads;
    let (breakpoints, placed) = points::read(&code, head);
    let thread = head["thread"].as_u64().map(|thread| thread as u32);
    let (wave, lane) = wave_of_thread(
        debuggee::group(head),
        thread.unwrap_or(0),
        kernel.wave_size(),
    );
    let mut front = Front::new(head, go(head)?);
    let wave = (wave, lane);
    let mut session = Session::new(
        &code,
        &mut front,
        breakpoints,
        wave,
        (true, thread.is_some()),
    );
    let at = &head["at"];
    if at.is_object() {
        session.resume(Resumption {
            time: at["time"].as_u64().filter(|_| at["ended"] != true),
            lane: number(&at["lane"]).min(kernel.wave_size() as usize - 1),
            findings: at["findings"].as_u64().unwrap_or(0),
            edits: edits(head)?,
        });
    }
    debuggee.run(&mut session)?;
    let (stop, output) = front.into_answer();
    let stop = stop.ok_or_else(|| Failure::job("the wave does not come to this moment"))?;
    let mut answer = json!({ "stop": stop, "output": output, "breakpoints": placed });
    if head["files"] == true {
        answer["files"] = shown::files(&code);
        answer["has_source"] = json!(code.debug.is_some());
    }
    Ok(Message::new(answer))
}

/// Returns how the wave goes on; none where it does not.
fn go(head: &Value) -> Result<Option<Resume>> {
    Ok(Some(match head["go"].as_str().unwrap_or("look") {
        "look" => return Ok(None),
        "continue" => Resume::Continue,
        "next" => Resume::Step(Step::Over),
        "step" => Resume::Step(Step::In),
        "out" => Resume::Step(Step::Out),
        "stepi" => Resume::Step(Step::Instruction),
        "wave" => Resume::Step(Step::Wave),
        "barrier" => Resume::Step(Step::Barrier),
        "who" => Resume::BackWrite(head["data"].as_str().unwrap_or_default().to_owned()),
        "back" => Resume::Back,
        "backi" => Resume::BackInstruction,
        "rcontinue" => Resume::BackContinue,
        other => return Err(Failure::job(format!("`{other}` is no way to go on"))),
    }))
}

fn edits(head: &Value) -> Result<Vec<Edit>> {
    let edits = head["edits"].as_array().into_iter().flatten();
    let edits = edits.map(|edit| {
        let text = |name: &str| edit[name].as_str().unwrap_or_default();
        let time = edit["time"].as_u64().unwrap_or(0);
        let place = (number(&edit["lane"]), number(&edit["frame"]));
        Edit::new(time, place, (text("target"), text("value")))
            .map_err(|error| Failure::job(error.to_string()))
    });
    edits.collect()
}
