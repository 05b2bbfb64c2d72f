//! `--isa`: asks the compilers of several GPUs, and shows their answers.

mod show;

pub use show::{Forms, json, table, texts, value};

use std::fmt::Write as _;

use dxil_runtime::Error;
use dxil_runtime::device::ProfileFile;
use dxil_runtime::isa::{Compiled, Compiler, GPUS, Request, Selection, Settings};

/// What a compiler said of each request.
pub struct Answer {
    /// The GPU.
    pub selection: Selection,
    /// Its name in the driver.
    pub device: String,
    /// The driver with its version.
    pub driver: String,
    /// What modules for it may use.
    pub profile: Option<ProfileFile>,
    /// One result for each request, in their order.
    pub results: Vec<Result<Compiled, Error>>,
}

/// Asks the compilers of these GPUs. One that does not start is an error for each request.
pub fn ask(selections: &[Selection], settings: &Settings, requests: &[Request]) -> Vec<Answer> {
    let each = selections.iter();
    each.map(|selection| match Compiler::start(selection, settings) {
        Ok(mut compiler) => {
            let results = requests.iter().map(|request| compiler.compile(request));
            let results = results.collect();
            Answer {
                selection: *selection,
                device: compiler.device().trim().to_owned(),
                driver: compiler.driver().to_owned(),
                profile: Some(compiler.profile().clone()),
                results,
            }
        }
        Err(error) => Answer {
            selection: *selection,
            device: String::new(),
            driver: String::new(),
            profile: None,
            results: vec![Err(error)],
        },
    })
    .collect()
}

/// Reads names of GPUs; `None` if one of them is `help`.
///
/// # Errors
///
/// For a name that no GPU has.
pub fn selections(names: &[String]) -> Result<Option<Vec<Selection>>, Error> {
    if names.iter().any(|name| name == "help") {
        return Ok(None);
    }
    let parsed = names.iter().map(|name| name.parse());
    parsed.collect::<Result<_, _>>().map(Some)
}

/// Returns the list of GPUs, each with its drivers and their versions.
pub fn help(settings: &Settings) -> String {
    let mut text = String::from("GPUs for --isa (a driver is chosen with NAME@DRIVER):\n");
    for gpu in GPUS {
        let also = match gpu.aliases {
            [] => String::new(),
            aliases => format!(" (also {})", aliases.join(", ")),
        };
        let _ = writeln!(text, "  {}: {}{also}", gpu.name, gpu.about);
        let of_it = |s: &Selection| matches!(s, Selection::Absent(found, _) if *found == gpu);
        for selection in Selection::all().filter(of_it) {
            let Selection::Absent(_, driver) = selection else {
                continue;
            };
            let state = if selection.is_available() {
                match Compiler::start(&selection, settings) {
                    Ok(compiler) => compiler.driver().to_owned(),
                    Err(error) => format!("does not start: {error}"),
                }
            } else {
                "not there; tools/setup-vulkan.sh compilers unpacks it".to_owned()
            };
            let _ = writeln!(text, "      @{:<12} {state}", driver.name);
        }
    }
    text.push_str("  device, device:N: a GPU of this machine, if its driver shows machine code\n");
    text
}
