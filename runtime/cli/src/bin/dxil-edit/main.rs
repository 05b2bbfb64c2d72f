//! `dxil-edit`: changes the parts of a container.

mod args;

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use args::{Args, Version};
use clap::{CommandFactory, Parser};
use dxil_frontend::build::{DebugParts, Remake};
use dxil_frontend::container::{
    Container, ContainerBuilder, DigestStatus, InputKind, RootSignature, Signing, container_in_pdb,
    detect, is_pdb,
};
use dxil_frontend::dxil::{Shader, read_shader};
use dxil_frontend::{Error, FourCc, build, parts};
use dxil_jit::batch::{Batch, Failure, Input, Made};
use dxil_jit::command::Command;
use dxil_jit::exit::Exit;
use dxil_jit::files;
use dxil_jit::input::{debug_file_name, has_same_hash, name_of};
use dxil_jit::paths::is_folder_or_pattern;
use serde_json::json;

const COMMAND: Command = Command("dxil-edit");

/// Extensions of the files that are taken from folders.
const CONTAINERS: [&str; 5] = ["dxil", "cso", "dxbc", "pdb", "bc"];

fn main() -> ExitCode {
    let args = Args::parse();
    COMMAND.main(&args.pages, Args::command(), || run(&args))
}

fn run(args: &Args) -> Exit {
    let extracts = !args.extract.is_empty() || args.extract_root_signature.is_some();
    if args.output.is_none() && !args.list && !extracts {
        COMMAND.report("nothing to do: give -o, --list, --extract or --extract-root-signature");
        return Exit::Usage;
    }
    let is_alone = matches!(&args.files[..], [one] if !is_folder_or_pattern(one));
    if extracts && !is_alone {
        COMMAND.report("--extract and --extract-root-signature take one file");
        return Exit::Usage;
    }
    let batch = Batch {
        command: COMMAND,
        extensions: &CONTAINERS,
        output: args.output.as_deref(),
        new_extension: None,
        report: args.report,
    };
    batch.run(&args.files, |input| made(args, input))
}

fn made(args: &Args, input: &Input<'_>) -> Result<Made, Failure> {
    let name = &input.name;
    let failed = |error: Error| Failure::of(name, &error);
    let unpacked = unpacked(&input.bytes).map_err(failed)?;
    let input = unpacked.as_ref();
    // Bitcode becomes a container first, so everything else takes it like one.
    let bytes = match detect(input) {
        _ if !args.link.is_empty() => Cow::Owned(linked(args, input, name)?),
        Some(InputKind::Bitcode | InputKind::WrappedBitcode) => {
            let whole = build::remake(input, &Remake::default());
            let whole = whole.and_then(|whole| whole.build(Signing::None));
            Cow::Owned(whole.map_err(failed)?)
        }
        _ => unpacked,
    };
    let container = Container::parse(&bytes).map_err(failed)?;
    extract(args, &container, name)?;
    let changed = change(args, &container, name)?;
    let is_signed = container.digest() == DigestStatus::Valid;
    let signing = if args.digest || is_signed && !args.no_digest {
        Signing::Digest
    } else {
        Signing::None
    };
    let changed = changed.build(signing).map_err(failed)?;
    let mut made = Made::default();
    let written = Container::parse(&changed).map_err(failed)?;
    if args.list {
        made.text = list(&written, changed.len());
    }
    let parts = written.parts().iter();
    let parts = parts.map(|part| {
        json!({ "name": part.name.to_string(), "offset": part.offset, "bytes": part.data.len() })
    });
    made.facts.insert("parts".into(), parts.collect());
    made.facts.insert("bytes".into(), changed.len().into());
    made.facts.insert("digest".into(), digest(&written).into());
    made.bytes = args.output.is_some().then_some(changed);
    Ok(made)
}

/// Returns the container of a shader with the functions of libraries.
fn linked(args: &Args, input: &[u8], name: &str) -> Result<Vec<u8>, Failure> {
    let mut libraries = Vec::new();
    for file in &args.link {
        let library = read_shader(&read_shader_file(file)?);
        libraries.push(library.map_err(|error| Failure::of(&name_of(file), &error))?);
    }
    let libraries: Vec<&Shader> = libraries.iter().collect();
    let linked = build::linked(input, &libraries).and_then(|linked| linked.build(Signing::None));
    linked.map_err(|error| Failure::of(name, &error))
}

/// Returns what of the parts is to be made anew.
fn wanted(args: &Args) -> Remake<'_> {
    let mut wanted = Remake::default();
    wanted.debug = args.debug_info.map(DebugParts::from);
    wanted.reflection = args.reflection;
    wanted.version = args.compiler_version.as_ref().map(Version::content);
    wanted
}

fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    files::read(file).map_err(|error| Failure::of(&name_of(file), &error))
}

/// Reads a file, and takes the container out of a shader PDB.
fn read_shader_file(file: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read(file)?;
    let bytes = unpacked(&bytes).map_err(|error| Failure::of(&name_of(file), &error))?;
    Ok(bytes.into_owned())
}

/// Takes the container out of a shader PDB.
fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, Error> {
    if is_pdb(bytes) {
        return container_in_pdb(bytes).map(Cow::Owned);
    }
    Ok(Cow::Borrowed(bytes))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = files::write(file, bytes);
    written.map_err(|error| Failure::of(&file.display().to_string(), &error))
}

/// Writes parts of the input to files.
fn extract(args: &Args, container: &Container<'_>, name: &str) -> Result<(), Failure> {
    for (part, file) in &args.extract {
        let part = container
            .require(*part)
            .map_err(|error| Failure::of(name, &error))?;
        write(file, part.data)?;
    }
    if let Some(file) = &args.extract_root_signature {
        let part = container.require(FourCc::RTS0);
        let part = part.map_err(|error| Failure::of(name, &error))?;
        let mut alone = ContainerBuilder::new();
        alone.set(FourCc::RTS0, part.data);
        let alone = alone.build(Signing::Digest);
        write(file, &alone.map_err(|error| Failure::of(name, &error))?)?;
    }
    Ok(())
}

/// Returns the changed parts.
fn change<'a>(
    args: &Args,
    container: &Container<'a>,
    name: &str,
) -> Result<ContainerBuilder<'a>, Failure> {
    let changed = if args.rewrite {
        parts::rewrite(container, |_, _| Ok(()))
    } else if args.make_parts {
        build::remake(container.bytes(), &wanted(args))
    } else {
        Ok(ContainerBuilder::of(container))
    };
    let mut builder = changed.map_err(|error| Failure::of(name, &error))?;
    for part in args.strip.iter().flat_map(|kind| kind.parts()) {
        // What is not there needs not be stripped.
        builder.remove(*part);
    }
    for part in &args.remove {
        if !builder.remove(*part) {
            return Err(Failure::of(name, &missing(*part)));
        }
    }
    for (part, file) in &args.replace {
        builder.set(*part, read(file)?);
    }
    if let Some(file) = &args.root_signature {
        builder.set(FourCc::RTS0, root_signature(file)?);
    }
    if let Some(file) = &args.debug_from {
        builder.set(FourCc::ILDB, debug_module(container, name, file)?);
    }
    if !args.order.is_empty() {
        builder.reorder(&args.order);
    }
    Ok(builder)
}

/// Returns the module with debug information of the PDB that belongs to a shader: of the file, or
/// of the one in a folder that the shader names, or else that has its hash.
fn debug_module(shader: &Container<'_>, name: &str, place: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |error: Error| Failure::of(name, &error);
    shader.require(FourCc::HASH).map_err(failed)?;
    let file = if place.is_dir() {
        let named = debug_file_name(shader).map(|named| place.join(named));
        match named.filter(|named| named.is_file()) {
            Some(named) => named,
            None => pdb_with_hash(shader, place)?
                .ok_or_else(|| failed(no_pdb(shader, &name_of(place))))?,
        }
    } else {
        place.to_path_buf()
    };
    let bytes = read_shader_file(&file)?;
    let failed_there = |error: Error| Failure::of(&name_of(&file), &error);
    let pdb = Container::parse(&bytes).map_err(failed_there)?;
    if !has_same_hash(shader, &pdb) {
        let why = format!("its hash is not that of {}", name_of(&file));
        return Err(failed(Error::malformed(why)));
    }
    let module = pdb.require(FourCc::ILDB).map_err(failed_there)?;
    Ok(module.data.to_vec())
}

/// Returns the first PDB of a folder, by name, with debug information and the hash of a shader.
fn pdb_with_hash(shader: &Container<'_>, folder: &Path) -> Result<Option<PathBuf>, Failure> {
    let failed = |error: std::io::Error| Failure::of(&name_of(folder), &error);
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|extension| extension == "pdb") && file.is_file() {
            files.push(file);
        }
    }
    files.sort();
    // A file that is no PDB is not the one.
    let is_it = |file: &PathBuf| {
        let Ok(bytes) = read_shader_file(file) else {
            return false;
        };
        Container::parse(&bytes)
            .is_ok_and(|pdb| pdb.part(FourCc::ILDB).is_some() && has_same_hash(shader, &pdb))
    };
    Ok(files.into_iter().find(is_it))
}

fn no_pdb(shader: &Container<'_>, folder: &str) -> Error {
    let named = debug_file_name(shader);
    let named = named.map_or_else(String::new, |named| format!(", and no file {named}"));
    Error::malformed(format!("{folder} has no PDB with the shader's hash{named}"))
}

fn missing(part: FourCc) -> Error {
    dxil_frontend::ErrorKind::MissingPart { part }.into()
}

/// Returns the serialized root signature that a file is or holds.
fn root_signature(file: &Path) -> Result<Vec<u8>, Failure> {
    let bytes = read(file)?;
    let failed = |error: Error| Failure::of(&name_of(file), &error);
    // Checked, since a runtime refuses a shader whose root signature is malformed; but the bytes
    // stay those of the file.
    RootSignature::from_file(&bytes).map_err(failed)?;
    if detect(&bytes) != Some(InputKind::Container) {
        return Ok(bytes);
    }
    let container = Container::parse(&bytes).map_err(failed)?;
    Ok(container
        .require(FourCc::RTS0)
        .map_err(failed)?
        .data
        .to_vec())
}

/// Returns the table of a container's parts.
fn list(container: &Container<'_>, bytes: usize) -> String {
    let mut text = String::from("part    offset     bytes\n");
    for part in container.parts() {
        let line = format!("{}  {:#9x} {:9}\n", part.name, part.offset, part.data.len());
        text.push_str(&line);
    }
    text.push_str(&format!("{bytes} bytes, digest: {}\n", digest(container)));
    text
}

fn digest(container: &Container<'_>) -> &'static str {
    match container.digest() {
        DigestStatus::Unsigned => "none",
        DigestStatus::Valid => "valid",
        DigestStatus::Preview => "that of preview compilers",
        DigestStatus::Bypass => "the mark that skips the check",
        DigestStatus::Mismatch => "wrong",
    }
}
