//! Debugging for an editor.

use std::io::BufReader;
use std::net::TcpListener;
use std::path::Path;

use clap::Parser;
use dxil_debug::Target;
use dxil_debug::dap::{Adapter, Launch};

use super::client::Client;
use super::work::debug;
use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::write_stdout;

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
    args.debug = Some(launch.target.clone().or(args.debug).unwrap_or(first));
    let ran = debug(&args, Client::Editor(adapter, launch))?;
    let Some(ran) = ran else {
        return Ok(None);
    };
    ran.write_outputs()?;
    Ok(Some(ran.text()?))
}
