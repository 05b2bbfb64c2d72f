//! `dxil-val`: checks DXIL against the rules of its validator.
//!
//! [`dxil_frontend::validate`] checks each file. This program finds the files, and prints
//! violations as text, JSON or SARIF.

mod args;
mod checked_file;
mod render;

use std::io;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{CommandFactory, Parser};
use dxil_frontend::container::{container_in_pdb, is_pdb};
use dxil_frontend::escape;
use dxil_frontend::validate::{Options, Severity, ValidationReport, validate, validate_pdb};
use dxil_jit::console;
use dxil_jit::exit::Exit;
use dxil_jit::input::name_of;
use dxil_jit::paths::{Found, InputFile, SHADERS};
use indicatif::{ProgressBar, ProgressStyle};

use crate::args::Args;
use crate::checked_file::CheckedFile;

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
    let mut exit = Exit::Done;
    let mut found = Found::new(&SHADERS);
    for path in &args.files {
        if let Err(problem) = found.add(path) {
            let message = format!("{}: {}", name_of(path), problem.message);
            console::report(&format!("dxil-val: {}", escape::message(&message)));
            exit = exit.max(problem.exit);
        }
    }
    let checked = check_all(&found.files, args);
    for CheckedFile { file, report } in &checked {
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
                console::report(&format!("dxil-val: {}", escape::message(&message)));
                exit = exit.max(Exit::from(error));
            }
        }
    }
    let output = if args.json {
        render::json(&checked)
    } else if args.sarif {
        render::sarif(&checked, args.werror)
    } else {
        render::text(&checked, args.quiet)
    };
    (output, exit)
}

/// Checks files on all processors. The results have the order of the files. On a terminal, a bar
/// shows progress.
fn check_all(paths: &[InputFile], args: &Args) -> Vec<CheckedFile> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let bar = progress(paths.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut checked = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(file) = paths.get(index) else {
                return checked;
            };
            let report = check(file, args);
            let file = file.path.clone();
            checked.push((index, CheckedFile { file, report }));
            bar.inc(1);
        }
    };
    let mut checked = std::thread::scope(|scope| {
        let count = threads.min(paths.len());
        let workers: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        let finished = workers.into_iter().flat_map(|worker| {
            let checked = worker.join();
            checked.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        });
        finished.collect::<Vec<_>>()
    });
    bar.finish_and_clear();
    checked.sort_by_key(|(index, _)| *index);
    checked.into_iter().map(|(_, checked)| checked).collect()
}

/// Returns a progress bar for `count` files, which draws nothing for a single file or if standard
/// error is not a terminal.
fn progress(files: usize) -> ProgressBar {
    if files < 2 {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(files as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos} of {len} files ({elapsed})") {
        bar.set_style(style);
    }
    bar
}

fn check(file: &InputFile, args: &Args) -> io::Result<ValidationReport> {
    let bytes = file.read()?;
    let mut options = Options::default();
    options.validator_minor = args.validator_version;
    options.uniformity = args.uniformity;
    options.preview = args.preview;
    if is_pdb(&bytes)
        && let Ok(container) = container_in_pdb(&bytes)
    {
        return Ok(validate_pdb(&container, &options));
    }
    Ok(validate(&bytes, &options))
}
