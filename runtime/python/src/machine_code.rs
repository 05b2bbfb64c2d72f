//! Machine code of GPUs that need not be there.

use std::time::Duration;

use dxil_jit::isa;
use dxil_runtime::isa::{GPUS, Request, Selection, Settings, serve_if_worker};
use pyo3::prelude::*;

use crate::error::{ToPython, argument};

/// Compiles the stages of a pipeline for GPUs, and returns what their compilers say as JSON. The
/// worker is the command that starts Python with [`serve_machine_code`].
#[pyfunction]
#[allow(clippy::too_many_arguments, reason = "the Python part has them as keywords")]
pub(crate) fn machine_code(
    py: Python<'_>,
    shaders: Vec<Vec<u8>>,
    gpus: Vec<String>,
    entry: Option<String>,
    root_signature: Option<Vec<u8>>,
    texts: bool,
    source_lines: bool,
    timeout: f64,
    worker: (String, Vec<String>),
) -> PyResult<String> {
    let selections: Vec<Selection> = gpus
        .iter()
        .map(|name| name.parse())
        .collect::<Result<_, dxil_runtime::Error>>()
        .map_err(|error| argument(py, error.to_string()))?;
    let mut settings = Settings::default();
    settings.texts = texts || source_lines;
    settings.source_lines = source_lines;
    settings.timeout = Duration::try_from_secs_f64(timeout)
        .map_err(|error| argument(py, format!("timeout: {error}")))?;
    let (program, arguments) = worker;
    settings.worker = Some((program.into(), arguments.into_iter().map(Into::into).collect()));
    let mut request = Request::new("the shader", shaders);
    (request.entry, request.root_signature) = (entry, root_signature);
    py.detach(|| {
        let answers = isa::ask(&selections, &settings, &[request]);
        Ok(isa::json(&answers, &["the shader".to_owned()]).to_string())
    })
    .to_python(py)
}

/// Returns names, aliases, descriptions, and whether a driver for it is there.
#[pyfunction]
pub(crate) fn machine_code_gpus() -> Vec<(String, Vec<String>, String, bool)> {
    let each = GPUS.iter().map(|gpu| {
        let of_it = |one: &Selection| matches!(one, Selection::Absent(found, _) if *found == gpu);
        let available = Selection::all().filter(of_it).any(|one| one.is_available());
        let aliases = gpu.aliases.iter().map(|name| (*name).to_owned());
        let (name, about) = (gpu.name.to_owned(), gpu.about.to_owned());
        (name, aliases.collect(), about, available)
    });
    each.collect()
}

/// Serves as a worker, and does not return, in the process that [`machine_code`] started.
#[pyfunction]
pub(crate) fn serve_machine_code() {
    serve_if_worker();
}
