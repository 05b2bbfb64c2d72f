//! `--isa`: machine code of GPUs that need not be there.

use std::path::Path;

use dxil_jit::isa::{self, Answer};
use dxil_jit::json;
use dxil_runtime::isa::{Request, Settings};

use crate::args::Args;
use crate::failure::{Failure, Result};
use crate::messages::write_stdout;
use crate::options::{Assembly, Other};
use crate::source::ShaderFile;
use crate::spirv_module::is_spirv_file;
use crate::{root_signature, source};

/// Compiles the shaders of the command line, and those to compare with.
pub(crate) fn run(args: &Args) -> Result<()> {
    let mut settings = Settings::default();
    settings.texts = args.assembly.is_some();
    settings.robustness2 = !args.no_robustness2;
    settings.timeout = args.timeout;
    let selections =
        isa::selections(&args.isa).map_err(|error| Failure::usage(error.to_string()))?;
    let Some(selections) = selections else {
        return write_stdout(isa::help(&settings).as_bytes());
    };
    if args.shaders.is_empty() {
        return Err(Failure::usage("--isa compiles shaders: name their files"));
    }
    let mut requests = vec![request(args)?];
    match &args.compare {
        None => {}
        Some(Other::Files(files)) => {
            let other = Args {
                shaders: files.clone(),
                ..args.clone()
            };
            requests.push(request(&other)?);
        }
        Some(_) => {
            return Err(Failure::usage(
                "--isa compares with other shaders: --compare b.dxil",
            ));
        }
    }
    let answers = isa::ask(&selections, &settings, &requests);
    let names: Vec<String> = requests.into_iter().map(|request| request.name).collect();
    let text = if args.json {
        json::document(&isa::json(&answers, &names))
    } else {
        let everything = args.assembly == Some(Assembly::All);
        isa::table(&answers) + &isa::texts(&answers, &names, everything)
    };
    let text = dxil_frontend::shown::escaped_lines(&text).to_string();
    write_stdout(text.as_bytes())?;
    failed(answers)
}

/// Returns the first error: the table has said all of them, and the exit code is that of this one.
fn failed(answers: Vec<Answer>) -> Result<()> {
    let results = answers.into_iter().flat_map(|answer| answer.results);
    let mut errors = results.filter_map(std::result::Result::err);
    match errors.next() {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// Returns the request for the shaders of a command line.
fn request(args: &Args) -> Result<Request> {
    let names = args.shaders.iter().map(|path| path.display().to_string());
    let name = names.collect::<Vec<_>>().join(" ");
    let mut root = None;
    let mut shaders = Vec::with_capacity(args.shaders.len());
    for (index, path) in args.shaders.iter().enumerate() {
        let bytes = read(args, index, path)?;
        if root.is_none() && args.root_signature.is_some() && !is_spirv_file(path) {
            let file = ShaderFile::open(args, path, &bytes)?;
            root = root_signature::root_signature(args, path, &file)?;
        }
        shaders.push(bytes);
    }
    let mut request = Request::new(&name, shaders);
    request.entry.clone_from(&args.entry);
    request.root_addresses = args.root_addresses;
    request.native_min_precision = args.native_min_precision;
    if let Some(root) = root {
        let bytes = root.to_bytes().map_err(dxil_runtime::Error::from)?;
        request.root_signature = Some(bytes);
    }
    Ok(request)
}

fn read(args: &Args, index: usize, path: &Path) -> Result<Vec<u8>> {
    if is_spirv_file(path) {
        return Ok(isa::read(path)?);
    }
    source::file(args, index, path)
}
