//! `--debug`: a dispatch, rays or a draw in a debugger, in the terminal or for an editor.

mod dispatches;
mod draws;
mod rays;
mod tracing;

use std::io::{BufReader, IsTerminal};
use std::net::TcpListener;
use std::path::Path;

use clap::Parser;
use dxil_debug::dap::{Adapter, Launch};
use dxil_debug::terminal::{Shows, Terminal};
use dxil_debug::{Breakpoints, Front, Lanes, Program as DebugProgram, Session, Target};
use dxil_frontend::container::Container;
use dxil_frontend::dxil::debug::Sources;
use dxil_frontend::dxil::{Shader, ShaderKind};
use dxil_frontend::reflection::Reflection;
use dxil_runtime::job::Outcome;
use dxil_runtime::program::ShaderCode;
use dxil_runtime::watch::WatchedWave;
use dxil_runtime::{Device, Kernel, Program};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::{say_warning, write_stdout};
use crate::options::BackendName;
use crate::planned::Planned;
use crate::run::Ran;
use crate::source;
use crate::style::Style;

pub(crate) use tracing::trace;

/// What drives a session.
enum Client<'c> {
    Terminal(&'c mut dyn Front),
    Tracer(&'c mut dyn Front),
    Editor(&'c mut Adapter, &'c Launch),
}

/// Debugs what the command line runs in the terminal.
pub(crate) fn in_terminal(args: &Args) -> Result<()> {
    let input = std::io::stdin();
    let shows = if input.is_terminal() {
        Shows::Prompt
    } else {
        Shows::Nothing
    };
    let output = std::io::stdout();
    let ran = match &args.debug_commands {
        Some(commands) => {
            let commands = commands.replace(';', "\n");
            let mut terminal = Terminal::new(commands.as_bytes(), output, Shows::Commands);
            debug(args, Client::Terminal(&mut terminal))?
        }
        None => {
            let mut terminal = Terminal::new(input.lock(), output, shows);
            debug(args, Client::Terminal(&mut terminal))?
        }
    };
    match ran {
        Some(ran) => ran.finish(),
        None => Ok(()),
    }
}

/// Serves the Debug Adapter Protocol: at a port for one client after the other, or at standard
/// input and output if that is 0.
pub(crate) fn serve(port: u16) -> Result<()> {
    if port == 0 {
        let mut adapter = Adapter::new(std::io::stdin(), std::io::stdout());
        sessions(&mut adapter);
        return Ok(());
    }
    // Nobody but this machine may run shaders here.
    let address = format!("127.0.0.1:{port}");
    let socket = |error: std::io::Error| Failure::file(Path::new(&address), &error);
    let listener = TcpListener::bind(&address).map_err(socket)?;
    write_stdout(format!("listening at {address}\n").as_bytes())?;
    loop {
        let (stream, _) = listener.accept().map_err(socket)?;
        let output = stream.try_clone().map_err(socket)?;
        sessions(&mut Adapter::new(BufReader::new(stream), output));
    }
}

/// Runs what a client launches, until it leaves.
fn sessions(adapter: &mut Adapter) {
    while let Some(launch) = adapter.wait_for_launch() {
        let done = launched(adapter, &launch);
        match done {
            Ok(Some(text)) => adapter.finish(Ok(&text)),
            Ok(None) => adapter.finish(Ok("")),
            // Before the shader runs, the client may launch another one.
            Err(failure) if adapter.refuses(failure.message()) => continue,
            Err(failure) => adapter.finish(Err(failure.message())),
        }
        return;
    }
}

/// Debugs what a client launches; returns the report, or nothing where the client ended the
/// session.
fn launched(adapter: &mut Adapter, launch: &Launch) -> Result<Option<String>> {
    if let Some(folder) = &launch.folder {
        let folder = Path::new(folder);
        std::env::set_current_dir(folder).map_err(|error| Failure::file(folder, &error))?;
    }
    let line = std::iter::once("dxil-run".to_owned()).chain(launch.args.iter().cloned());
    let args = Args::try_parse_from(line);
    let mut args = args.map_err(|error| Failure::usage(error.to_string()))?;
    // What stands in the launch itself comes before what its command line says.
    let first = Target::Thread {
        group: [0; 3],
        thread: None,
    };
    args.debug = Some(launch.target.or(args.debug).unwrap_or(first));
    let ran = debug(&args, Client::Editor(adapter, launch))?;
    let Some(ran) = ran else {
        return Ok(None);
    };
    ran.write_outputs()?;
    let mut text = ran.report().render();
    for finding in &ran.outcome.findings {
        text.push_str(&format!("{finding}\n"));
    }
    Ok(Some(text))
}

/// Debugs what the command line runs; returns the run, or nothing where the user has ended it.
fn debug(args: &Args, client: Client<'_>) -> Result<Option<Ran>> {
    let Some(target) = args.debug.or(args.trace) else {
        return Err(Failure::usage("--debug says what to debug"));
    };
    if args.backend() != BackendName::Cpu {
        return Err(Failure::usage(
            "--debug runs on the CPU: leave --backend out",
        ));
    }
    if args.graph || args.pipeline.is_some() {
        return Err(Failure::unsupported(
            "debugging work graphs and pipeline files; dispatches, rays and draws are debugged",
        ));
    }
    if let Some(call) = crate::draw_call(args)? {
        return draws::debug(args, (call, target), client);
    }
    if let Some(size) = args.rays {
        return rays::debug(args, (size, target), client);
    }
    dispatches::debug(args, target, client)
}

/// A program that is ready to be debugged.
struct Debuggee<'a> {
    /// The command line, with registers in the places of names.
    args: &'a Args,
    /// The file that is debugged.
    path: &'a Path,
    shader: &'a Shader,
    reflection: &'a Reflection,
    device: &'a dyn Device,
    program: Program,
    planned: Planned,
}

impl Debuggee<'_> {
    /// Returns the code of a kernel, with the texts of its source.
    fn code(&self, kernel: &Kernel, lanes: Lanes) -> Result<DebugProgram<'_>> {
        let number = self.args.shaders.iter().position(|path| path == self.path);
        let bytes = source::file(self.args, number.unwrap_or(0), self.path)?;
        let sources = Container::parse(&bytes).map(|container| Sources::of_container(&container));
        let sources = sources.unwrap_or_default();
        let mut code = DebugProgram::new(self.shader, self.reflection, kernel, sources);
        code.lanes = lanes;
        if code.debug.is_none() {
            let warning = "the shader has no debug information: the disassembly is the source; compile it with -Zi -Qembed_debug, or give its PDB file";
            say_warning(Style::for_stderr(), &warning);
        }
        Ok(code)
    }

    /// Returns the kernel of a stage; of the first one if it does not matter.
    fn kernel(&self, stage: Option<ShaderKind>) -> Result<&Kernel> {
        let mut stages = self.program.stages.iter();
        let found = stages.find(|own| stage.is_none_or(|stage| stage == own.kind));
        match found.map(|stage| &stage.code) {
            Some(ShaderCode::Dxil(executable)) => Ok(executable.kernel()),
            _ => Err(Failure::unsupported("debugging this program")),
        }
    }

    /// Debugs a dispatch of groups or rays.
    fn dispatch(
        self,
        lanes: Lanes,
        target: (WatchedWave, usize, bool),
        client: Client<'_>,
    ) -> Result<Option<Ran>> {
        let pipeline = self.device.prepare(&self.program)?;
        let done = {
            let code = self.code(self.kernel(None)?, lanes)?;
            let Some((front, breakpoints, stops_on_entry)) = client.begin(self.args, &code) else {
                return Ok(None);
            };
            let (wave, lane, follows) = target;
            let flags = (stops_on_entry, follows);
            let mut session = Session::new(&code, front, breakpoints, (wave, lane), flags);
            pipeline.run_watched(&self.planned.job, &mut session)
        };
        match done {
            Ok(outcome) => Ok(Some(self.ran(outcome))),
            Err(error) if error.code() == "stopped" => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    fn ran(self, outcome: Outcome) -> Ran {
        let device = self.device.info();
        Ran::of_debugger(self.args, device, self.program, self.planned, outcome)
    }
}

impl<'c> Client<'c> {
    /// Returns the front end, its breakpoints, and whether the wave stops at its start; none where
    /// the client has left.
    fn begin(
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
