//! `dxil-val`: checks DXIL against the rules of its validator.
//!
//! [`dxil_frontend::validate`] judges every file; this program finds files, and prints what is
//! wrong as text, JSON or SARIF.

mod args;
mod render;

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use dxil_frontend::container::{Container, container_in_pdb, is_pdb};
use dxil_frontend::shown;
use dxil_frontend::validate::{Options, Report, Severity, validate};
use dxil_jit::exit::Exit;
use dxil_jit::input::name_of;
use dxil_jit::{console, files};

use crate::args::Args;

/// Deepest folder below one of the command line.
const MAX_DEPTH: usize = 64;

/// A file with its report, or why there is none.
pub(crate) struct Judged {
    pub(crate) file: PathBuf,
    pub(crate) report: io::Result<Report>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let (output, exit) = match args.pages.print(Args::command()) {
        Ok(true) => return ExitCode::SUCCESS,
        Ok(false) if args.rules => (render::rules(args.json), Exit::Done),
        Ok(false) => run(&args),
        Err(error) => return failed(&error),
    };
    match console::write(output.as_bytes()) {
        Ok(()) => exit.into(),
        Err(error) => failed(&error),
    }
}

fn failed(error: &io::Error) -> ExitCode {
    console::report(&format!("dxil-val: standard output: {error}"));
    Exit::from(error).into()
}

fn run(args: &Args) -> (String, Exit) {
    let mut paths = Vec::new();
    for path in &args.files {
        find(path, 0, &mut paths);
    }
    let judged = judge_all(&paths, args);
    let mut exit = Exit::Done;
    for Judged { file, report } in &judged {
        match report {
            Ok(report) => {
                let is_bad =
                    !report.is_valid() || (args.werror && report.count(Severity::Warning) > 0);
                if is_bad {
                    exit = exit.max(Exit::Mismatch);
                }
            }
            Err(error) => {
                let message = format!("{}: {error}", name_of(file));
                console::report(&format!("dxil-val: {}", shown::message(&message)));
                exit = exit.max(Exit::from(error));
            }
        }
    }
    let output = if args.json {
        render::json(&judged)
    } else if args.sarif {
        render::sarif(&judged, args.werror)
    } else {
        render::text(&judged, args.quiet)
    };
    (output, exit)
}

/// A file of the command line, or all containers below a folder in the order of their names.
fn find(path: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    if !path.is_dir() || depth > MAX_DEPTH {
        found.push(path.to_path_buf());
        return;
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut inner: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    inner.sort();
    for path in inner {
        let is_container = path
            .extension()
            .is_some_and(|end| ["dxil", "cso", "pdb", "bc"].iter().any(|e| end == *e));
        if path.is_dir() || is_container {
            find(&path, depth + 1, found);
        }
    }
}

/// Judges files on all processors; the results have the order of the files.
fn judge_all(paths: &[PathBuf], args: &Args) -> Vec<Judged> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = paths.len().div_ceil(threads).max(1);
    let judge_one = |file: &PathBuf| Judged {
        file: file.clone(),
        report: judge(file, args),
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = paths
            .chunks(share)
            .map(|files| scope.spawn(move || files.iter().map(judge_one).collect::<Vec<_>>()))
            .collect();
        let finished = workers.into_iter().flat_map(|worker| {
            let judged = worker.join();
            judged.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        finished.collect()
    })
}

fn judge(file: &Path, args: &Args) -> io::Result<Report> {
    let mut bytes = files::read(file)?;
    if is_pdb(&bytes)
        && let Ok(container) = container_in_pdb(&bytes)
        && Container::parse(&container).is_ok()
    {
        bytes = container;
    }
    let options = Options {
        validator_minor: args.validator_version,
    };
    Ok(validate(&bytes, &options))
}
