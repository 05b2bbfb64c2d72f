//! The dispatch that is debugged, which is kept from one question to the next: the groups before
//! the watched one run once.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};

use dxil_debug::Session;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::reflection::Reflection;
use dxil_runtime::job::Job;
use dxil_runtime::program::{CompileOptions, ShaderCode};
use dxil_runtime::watch::Recorded;
use dxil_runtime::{Backend, Checks, Kernel, OpenOptions, Pipeline, Program, device};
use serde_json::Value;

use crate::failure::{Failure, Result};
use crate::message::Message;
use crate::plan::plan;
use crate::source::{Source, entry_name};

/// Maximum number of basic blocks that waves execute for an answer.
const MAX_STEPS: u64 = 1 << 32;

thread_local! {
    /// The last one, with the hash of what it was made of. It only saves time: the page may end the
    /// module whenever it wants to.
    static KEPT: RefCell<Option<(u64, Debuggee)>> = const { RefCell::new(None) };
}

/// A dispatch that is debugged.
pub(super) struct Debuggee {
    pub(super) shader: Shader,
    pub(super) reflection: Reflection,
    program: Program,
    pipeline: Box<dyn Pipeline>,
    job: Job,
    /// The watched group, with memory as it is before it. The checks look at all groups, so with
    /// them all run each time.
    recorded: Option<Recorded>,
}

/// Returns the group of a question.
pub(super) fn group(head: &Value) -> [u32; 3] {
    let side = |axis: usize| head["group"][axis].as_u64().unwrap_or(0) as u32;
    [side(0), side(1), side(2)]
}

/// Gives a function the dispatch that a question is about.
pub(super) fn with<T>(
    question: &Message,
    answer: impl FnOnce(&Debuggee) -> Result<T>,
) -> Result<T> {
    let key = key(question);
    KEPT.with_borrow_mut(|kept| {
        // The memory of the one before is free before there is another.
        let known = kept.take().filter(|(known, _)| *known == key);
        let debuggee = match known {
            Some((_, debuggee)) => debuggee,
            None => Debuggee::of(question)?,
        };
        let (_, debuggee) = kept.insert((key, debuggee));
        answer(debuggee)
    })
}

/// Returns a hash of everything that the dispatch depends on.
fn key(question: &Message) -> u64 {
    let mut hasher = DefaultHasher::new();
    question.payloads.hash(&mut hasher);
    for name in ["entry", "groups", "registers", "group", "check"] {
        question.head[name].to_string().hash(&mut hasher);
    }
    hasher.finish()
}

impl Debuggee {
    fn of(question: &Message) -> Result<Debuggee> {
        let source = Source::with_debug_info(question)?;
        if source.entry(question)?.kind != ShaderKind::Compute {
            return Err(Failure::unsupported(
                "the page debugs compute shaders; dxil-run --debug debugs draws and rays",
            ));
        }
        let planned = plan(&source, question)?;
        let checks = question.head["check"] == true;
        let mut options = OpenOptions::new(Backend::Cpu);
        options.max_steps = Some(MAX_STEPS);
        if checks {
            options.checks = Checks::standard();
        }
        let device = device::open(&options)?;
        let mut compile = CompileOptions::default();
        compile.entry = entry_name(question);
        compile.watched = true;
        let program = Program::compile(
            &source.shader,
            source.root.as_ref(),
            device.profile(),
            &|_| None,
            &compile,
        )?;
        let pipeline = device.prepare(&program)?;
        let recorded = if checks {
            None
        } else {
            Some(pipeline.record_group(&planned.job, group(&question.head))?)
        };
        Ok(Debuggee {
            shader: source.shader,
            reflection: source.reflection,
            program,
            pipeline,
            job: planned.job,
            recorded,
        })
    }

    /// Returns the code.
    pub(super) fn kernel(&self) -> Result<&Kernel> {
        match self.program.stages.first().map(|stage| &stage.code) {
            Some(ShaderCode::Dxil(executable)) => Ok(executable.kernel()),
            _ => Err(Failure::unsupported("debugging this program")),
        }
    }

    /// Runs the watched wave, until the session ends it.
    pub(super) fn run(&self, session: &mut Session<'_, '_>) -> Result<()> {
        let done = match &self.recorded {
            Some(recorded) => self.pipeline.run_recorded(&self.job, recorded, session),
            None => self.pipeline.run_watched(&self.job, session).map(|_| ()),
        };
        match done {
            Err(error) if error.code() != "stopped" => Err(error.into()),
            _ => Ok(()),
        }
    }
}
