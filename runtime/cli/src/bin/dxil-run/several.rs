//! Folders and patterns as shaders: the job is done for each shader by itself.

use std::path::{Path, PathBuf};

use dxil_frontend::escape;
use dxil_jit::exit::Exit;
use dxil_jit::paths::{Found, InputFile, SHADERS, is_folder_or_pattern};
use dxil_jit::{files, json};
use serde_json::{Value, json};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::{captured, write_stdout};
use crate::options::{Language, Other};

/// Extensions of sources, which are taken from folders with -T.
const SOURCES: [&str; 2] = ["hlsl", "slang"];

/// Returns whether the shaders of the command line are those of folders and patterns.
pub(crate) fn is_asked_for(args: &Args) -> bool {
    args.shaders.iter().any(|path| is_folder_or_pattern(path))
}

/// Does the job for each shader. Goes on after a failure; returns the highest exit code.
pub(crate) fn run(args: &Args, once: impl Fn(&Args) -> Result<()>) -> Result<Exit> {
    refuse(args)?;
    let mut exit = Exit::Done;
    let extensions: &[&str] = if args.profile.is_empty() {
        &SHADERS
    } else {
        &SOURCES
    };
    let mut rows = Vec::new();
    let found = Found::of(&args.shaders, extensions, |path, problem| {
        let message = format!("{}: {}", path.display(), problem.message);
        rows.push(row(path, problem.exit, Some(&message), ""));
        exit = exit.max(problem.exit);
        Failure::new(problem.exit, message).print();
    });
    // What was found may have become a pipe, which nobody writes to.
    files::refuse_pipes();
    let folder = tempfile::tempdir();
    let folder = folder.map_err(|error| Failure::file(Path::new("a temporary folder"), &error))?;
    let log = folder.path().join("log.sarif");
    let mut logs = Vec::new();
    for file in &found {
        let own = for_file(args, file, &log)?;
        let (outcome, text) = captured(|| once(&own));
        let failure = outcome.err();
        if let Some(failure) = &failure {
            exit = exit.max(failure.exit());
            failure.of_file(&file.path).print();
        }
        if let Ok(text) = files::read_to_string(&log) {
            logs.extend(serde_json::from_str::<Value>(&text).ok());
            std::fs::remove_file(&log).map_err(|error| Failure::file(&log, &error))?;
        }
        let text = String::from_utf8_lossy(&text);
        if args.json {
            let (exit, message) = match &failure {
                Some(failure) => (failure.exit(), Some(failure.message())),
                None => (Exit::Done, None),
            };
            rows.push(row(&file.path, exit, message, &text));
        } else if !text.is_empty() {
            let name = file.path.display().to_string();
            let lines = format!("{}:\n{text}", escape::message(&name));
            write_stdout(lines.as_bytes())?;
        }
    }
    if args.json {
        write_stdout(json::document(&Value::Array(rows)).as_bytes())?;
    }
    if let Some(path) = &args.sarif {
        let text = json::document(&merged(logs));
        files::write(path, text.as_bytes()).map_err(|error| Failure::file(path, &error))?;
    }
    Ok(exit)
}

/// Refuses what is about one shader, or writes one file.
fn refuse(args: &Args) -> Result<()> {
    if !args.shaders.iter().all(|path| is_folder_or_pattern(path)) {
        return Err(Failure::usage(
            "folders and patterns stand for shaders by themselves, and single files for the stages or libraries of one job: give either",
        ));
    }
    let compares_files = matches!(args.compare, Some(Other::Files(_)));
    let options = [
        ("--pipeline", args.pipeline.is_some()),
        ("--graph", args.graph),
        ("--watch", args.watch),
        ("--debug", args.debug.is_some()),
        ("--trace", args.trace.is_some()),
        ("--out", !args.out.is_empty()),
        ("--difference", args.difference.is_some()),
        ("--compare with files", compares_files),
    ];
    if let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given) {
        return Err(Failure::usage(format!(
            "{option} is about one shader, not about those of a folder or pattern"
        )));
    }
    if args.emit.is_some() && args.output.is_none() {
        return Err(Failure::usage(
            "--emit of several shaders writes a file for each: -o FOLDER",
        ));
    }
    for path in args.output.iter().chain(&args.reflect) {
        if path.exists() && !path.is_dir() {
            let path = path.display();
            return Err(Failure::usage(format!(
                "{path}: this is a file; several are written to a folder"
            )));
        }
    }
    Ok(())
}

/// Returns the command line for one of the files. Folders for what it writes are made.
fn for_file(args: &Args, file: &InputFile, log: &Path) -> Result<Args> {
    let below = |folder: &PathBuf, extension: &str| {
        let path = folder.join(&file.below).with_extension(extension);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.map_err(|error| Failure::file(&path, &error))?;
        Ok::<PathBuf, Failure>(path)
    };
    let extension = args.emit.map_or("", Language::extension);
    let output = args.output.as_ref();
    let reflect = args.reflect.as_ref();
    Ok(Args {
        shaders: vec![file.path.clone()],
        output: output.map(|folder| below(folder, extension)).transpose()?,
        reflect: reflect.map(|folder| below(folder, "json")).transpose()?,
        sarif: args.sarif.as_ref().map(|_| log.to_path_buf()),
        ..args.clone()
    })
}

/// Returns what --json has of a shader.
fn row(path: &Path, exit: Exit, error: Option<&str>, printed: &str) -> Value {
    json!({
        "file": path.display().to_string(),
        "exit": exit.code(),
        "error": error,
        "result": serde_json::from_str::<Value>(printed).unwrap_or(Value::Null),
    })
}

/// Returns one log with the runs of all of them.
fn merged(logs: Vec<Value>) -> Value {
    let mut logs = logs.into_iter();
    let Some(mut first) = logs.next() else {
        return dxil_jit::sarif::document("dxil-run", &[], &[]);
    };
    for mut log in logs {
        if let (Some(runs), Some(more)) = (first["runs"].as_array_mut(), log["runs"].as_array_mut())
        {
            runs.append(more);
        }
    }
    first
}
