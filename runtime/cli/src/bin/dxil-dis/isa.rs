//! `--isa`: machine code of GPUs that need not be there.

use anyhow::bail;
use dxil_inspect::text;
use dxil_jit::exit::Exit;
use dxil_jit::input::read_module;
use dxil_jit::isa;
use dxil_jit::json;
use dxil_runtime::isa::{Request, Settings};
use serde_json::Value;

use crate::args::Args;
use crate::streams::{report, write_output};

/// Prints tables and assembly of each file.
pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let mut settings = Settings::default();
    settings.texts = true;
    let selections = match isa::selections(&args.isa) {
        Ok(Some(selections)) => selections,
        Ok(None) => {
            write_output(args, isa::help(&settings).as_bytes())?;
            return Ok(Exit::Done);
        }
        Err(error) => {
            report(&error.to_string());
            return Ok(Exit::Usage);
        }
    };
    if args.found.is_empty() {
        bail!("--isa compiles shaders: name their files");
    }
    let mut exit = Exit::Done;
    let mut out = String::new();
    let mut values = Vec::new();
    for file in &args.found {
        let names = [file.path.display().to_string()];
        let bytes = match read_module(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                report(&error.message);
                exit = exit.max(error.exit);
                continue;
            }
        };
        let request = Request::new(&names[0], vec![bytes]);
        let answers = isa::ask(&selections, &settings, &[request]);
        for error in answers.iter().flat_map(|answer| &answer.results) {
            if let Err(error) = error {
                report(&error.to_string());
                exit = exit.max(Exit::from(error));
            }
        }
        out.push_str(&isa::table(&answers));
        out.push_str(&isa::texts(&answers, &names, isa::Forms::Machine));
        values.push(isa::json(&answers, &names));
    }
    let out = match (args.json, args.names_one_file, values.len()) {
        (false, ..) => text::guarded(&out),
        // One file gives its answers, and several give an array of them.
        (true, true, 1) => json::document(&values.remove(0)),
        (true, ..) => json::document(&Value::Array(values)),
    };
    write_output(args, out.as_bytes())?;
    Ok(exit)
}
