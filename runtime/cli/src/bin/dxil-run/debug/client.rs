//! What drives a session, and the program that is debugged.

use std::path::Path;

use dxil_debug::dap::{Adapter, Launch};
use dxil_debug::{Breakpoints, Front, Lanes, Program as DebugProgram, Session};
use dxil_frontend::container::Container;
use dxil_frontend::dxil::debug::Sources;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::reflection::Reflection;
use dxil_runtime::job::{Job, Outcome, Work};
use dxil_runtime::program::ShaderCode;
use dxil_runtime::watch::WatchedWave;
use dxil_runtime::{Device, Kernel, Program};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::say_warning;
use crate::source;
use crate::style::Style;

/// What drives a session.
pub(super) enum Client<'c> {
    Terminal(&'c mut dyn Front),
    Tracer(&'c mut dyn Front),
    Editor(&'c mut Adapter, &'c Launch),
}

/// A program that is ready to be debugged.
pub(super) struct Debuggee<'a> {
    /// The command line, with registers in the places of names.
    pub(super) args: &'a Args,
    /// The file that is debugged.
    pub(super) path: &'a Path,
    pub(super) shader: &'a Shader,
    pub(super) reflection: &'a Reflection,
    pub(super) device: &'a dyn Device,
    pub(super) program: &'a Program,
    pub(super) job: &'a Job,
}

/// Returns the code of a kernel of a shader, which is in a file of the command line, with the texts
/// of its source.
pub(super) fn code_of<'a>(
    args: &Args,
    (number, path): (usize, &Path),
    (shader, reflection, kernel): (&'a Shader, &'a Reflection, &Kernel),
    lanes: Lanes,
) -> Result<DebugProgram<'a>> {
    let bytes = source::file(args, number, path)?;
    let sources = Container::parse(&bytes).map(|container| Sources::of_container(&container));
    let mut code = DebugProgram::new(shader, reflection, kernel, sources.unwrap_or_default());
    code.lanes = lanes;
    Ok(code)
}

/// Warns of code without debug information.
pub(super) fn warn_without_lines(code: &DebugProgram<'_>) {
    if code.debug.is_none() {
        let warning = "the shader has no debug information: the disassembly is the source; compile it with -Zi -Qembed_debug, or give its PDB file";
        say_warning(Style::for_stderr(), &warning);
    }
}

impl Debuggee<'_> {
    /// Returns the code of a kernel, with the texts of its source.
    pub(super) fn code(&self, kernel: &Kernel, lanes: Lanes) -> Result<DebugProgram<'_>> {
        let number = self.args.shaders.iter().position(|path| path == self.path);
        let parts = (self.shader, self.reflection, kernel);
        let code = code_of(self.args, (number.unwrap_or(0), self.path), parts, lanes)?;
        warn_without_lines(&code);
        Ok(code)
    }

    /// Returns the kernel of a stage; of the first one if it does not matter.
    pub(super) fn kernel(&self, stage: Option<ShaderKind>) -> Result<&Kernel> {
        let mut stages = self.program.stages.iter();
        let found = stages.find(|own| stage.is_none_or(|stage| stage == own.kind));
        match found.map(|stage| &stage.code) {
            Some(ShaderCode::Dxil(executable)) => Ok(executable.kernel()),
            _ => Err(Failure::unsupported("debugging this program")),
        }
    }

    /// Debugs a dispatch of groups or rays; returns its outcome, or nothing where the user has
    /// ended the session.
    pub(super) fn dispatch(
        &self,
        lanes: Lanes,
        target: (WatchedWave, usize, bool),
        client: Client<'_>,
    ) -> Result<Option<Outcome>> {
        let pipeline = self.device.prepare(self.program)?;
        let done = {
            let mut code = self.code(self.kernel(None)?, lanes)?;
            if let Work::Dispatch(groups) = self.job.work {
                code.groups = Some(groups);
            }
            let Some((front, breakpoints, stops_on_entry)) = client.begin(self.args, &code) else {
                return Ok(None);
            };
            let (wave, lane, follows) = target;
            let flags = (stops_on_entry, follows);
            let mut session = Session::new(&code, front, breakpoints, (wave, lane), flags);
            pipeline.run_watched(self.job, &mut session)
        };
        match done {
            Ok(outcome) => Ok(Some(outcome)),
            Err(error) if error.code() == "stopped" => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

impl<'c> Client<'c> {
    /// Returns the front end, its breakpoints, and whether the wave stops at its start; none where
    /// the client has left.
    pub(super) fn begin(
        self,
        args: &Args,
        code: &DebugProgram<'_>,
    ) -> Option<(&'c mut dyn Front, Breakpoints, bool)> {
        match self {
            Client::Terminal(front) => {
                let mut breakpoints = Breakpoints::default();
                breakpoints.on_findings = !args.check.is_empty();
                Some((front, breakpoints, true))
            }
            Client::Tracer(front) => Some((front, Breakpoints::default(), true)),
            Client::Editor(adapter, launch) => {
                let mut breakpoints = adapter.configure(code)?;
                if launch.is_plain_run {
                    breakpoints = Breakpoints::default();
                }
                Some((adapter, breakpoints, launch.stops_on_entry))
            }
        }
    }
}
