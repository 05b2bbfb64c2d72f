//! `--debug`: a dispatch in a debugger, in the terminal or for an editor.

use std::io::{BufReader, IsTerminal};
use std::net::TcpListener;
use std::path::Path;

use clap::Parser;
use dxil_debug::dap::{Adapter, Launch};
use dxil_debug::terminal::{Shows, Terminal};
use dxil_debug::{Breakpoints, Front, Program as DebugProgram, Session};
use dxil_frontend::container::Container;
use dxil_frontend::dxil::debug::Sources;
use dxil_runtime::Program;
use dxil_runtime::program::{CompileOptions, ShaderCode};
use dxil_runtime::root_signature::formats_of;
use dxil_runtime::watch::WatchedWave;

use crate::args::Args;
use crate::entries::{check_entry, must_be_dispatched};
use crate::failure::{Failure, Result};
use crate::linking::Linked;
use crate::messages::{say_warning, write_stdout};
use crate::opening::open_device;
use crate::options::BackendName;
use crate::parse::Debugged;
use crate::run::Ran;
use crate::style::Style;
use crate::{job, names, source};

/// What drives a session.
enum Client<'c> {
    Terminal(&'c mut dyn Front),
    Editor(&'c mut Adapter, &'c Launch),
}

/// Debugs a dispatch in the terminal.
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
    let said = args
        .debug
        .filter(|_| launch.thread.is_none() && launch.group == [0; 3]);
    args.debug = Some(said.unwrap_or(Debugged {
        group: launch.group,
        thread: launch.thread,
    }));
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

/// Debugs a dispatch; returns the run, or nothing where the user has ended it.
fn debug(args: &Args, client: Client<'_>) -> Result<Option<Ran>> {
    let Linked {
        path,
        root,
        shader,
        reflection,
        ..
    } = Linked::read(args)?;
    let reflections = [reflection];
    let args = &names::resolve(args, &reflections)?;
    check_entry(args, std::iter::once((path, &shader)))?;
    let (Some(groups), Some(debugged)) = (args.dispatch, args.debug) else {
        return Err(Failure::usage(
            "a debugged shader is dispatched: --dispatch X,Y,Z",
        ));
    };
    if args.backend() != BackendName::Cpu {
        return Err(Failure::usage(
            "--debug runs on the CPU: leave --backend out",
        ));
    }
    must_be_dispatched(&shader, args.entry.as_deref())?;
    let shaders = [shader];
    let planned = job::plan(&shaders, &reflections, root.as_ref(), args, groups)?;
    let device = open_device(args, None)?;
    let mut options = CompileOptions::default();
    options.entry.clone_from(&args.entry);
    options.watched = true;
    let stages = [&shaders[0]];
    let program = {
        let formats = formats_of(&planned.job);
        Program::compile_stages(&stages, root.as_ref(), device.profile(), &formats, &options)?
    };
    let pipeline = device.prepare(&program)?;
    let kernel = match program.stages.first().map(|stage| &stage.code) {
        Some(ShaderCode::Dxil(executable)) => executable.kernel(),
        _ => return Err(Failure::unsupported("debugging this program")),
    };
    let bytes = source::file(args, 0, path)?;
    let sources = Container::parse(&bytes).map(|container| Sources::of_container(&container));
    let sources = sources.unwrap_or_default();
    let code = DebugProgram::new(&shaders[0], &reflections[0], kernel, sources);
    if code.debug.is_none() {
        let warning = "the shader has no debug information: the disassembly is the source; compile it with -Zi -Qembed_debug, or give its PDB file";
        say_warning(Style::for_stderr(), &warning);
    }
    let (front, breakpoints, stops_on_entry): (&mut dyn Front, Breakpoints, bool) = match client {
        Client::Terminal(front) => {
            let mut breakpoints = Breakpoints::default();
            breakpoints.on_findings = !args.check.is_empty();
            (front, breakpoints, true)
        }
        Client::Editor(adapter, launch) => {
            let Some(mut breakpoints) = adapter.configure(&code) else {
                return Ok(None);
            };
            if launch.is_plain_run {
                breakpoints = Breakpoints::default();
            }
            (adapter, breakpoints, launch.stops_on_entry)
        }
    };
    let thread = debugged.thread.unwrap_or(0);
    let lanes = kernel.wave_size();
    let wave = WatchedWave {
        group: debugged.group,
        wave: thread / lanes,
    };
    let lane = (thread % lanes) as usize;
    let follows = debugged.thread.is_some();
    let flags = (stops_on_entry, follows);
    let mut session = Session::new(&code, front, breakpoints, (wave, lane), flags);
    match pipeline.run_watched(&planned.job, &mut session) {
        Ok(outcome) => {
            let device = device.info();
            Ok(Some(Ran::of_debugger(
                args, device, program, planned, outcome,
            )))
        }
        Err(error) if error.code() == "stopped" => Ok(None),
        Err(error) => Err(error.into()),
    }
}
