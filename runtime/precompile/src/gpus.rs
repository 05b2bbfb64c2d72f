//! A library on GPUs that need not be there: what their compilers count, and what they fail at.

use std::collections::BTreeMap;

use dxil_jit::isa::value;
use dxil_runtime::isa::{Compiler, Request, Selection, Settings};

use crate::error::Problem;
use crate::library::{Pipeline, Shape};

/// Rows of the report: statistics that drivers have under one name or another.
pub const ROWS: [&str; 4] = ["instructions", "registers", "spills", "code bytes"];

/// The compilers of one thread.
pub struct Compilers {
    all: Vec<(Selection, Option<Compiler>)>,
    settings: Settings,
}

/// Sums over the library for one GPU.
#[derive(Debug, Clone, Default)]
pub struct GpuCounts {
    /// Pipelines that were compiled.
    pub compiled: u64,
    /// Pipelines that could not be.
    pub failed: u64,
    /// Pieces of machine code.
    pub executables: u64,
    /// Sum and maximum of each of [`ROWS`].
    pub rows: BTreeMap<&'static str, (f64, f64)>,
}

/// What one compiler said of a pipeline.
pub type Answer = Result<Vec<BTreeMap<&'static str, f64>>, Problem>;

impl Compilers {
    /// Returns compilers that start with the first pipeline.
    pub fn new(selections: &[Selection]) -> Self {
        Compilers {
            all: selections
                .iter()
                .map(|selection| (*selection, None))
                .collect(),
            settings: Settings::default(),
        }
    }

    /// Compiles a pipeline for each GPU.
    pub fn compile(&mut self, pipeline: &Pipeline) -> Vec<(Selection, Answer)> {
        if self.all.is_empty() {
            // The request copies all shaders.
            return Vec::new();
        }
        let request = request_of(pipeline);
        let settings = &self.settings;
        let each = self.all.iter_mut();
        each.map(|(selection, compiler)| {
            let answer = match &request {
                Ok(request) => compile(selection, compiler, settings, request),
                Err(problem) => Err(problem.clone()),
            };
            (*selection, answer)
        })
        .collect()
    }
}

fn compile(
    selection: &Selection,
    compiler: &mut Option<Compiler>,
    settings: &Settings,
    request: &Request,
) -> Answer {
    let compiler = match compiler {
        Some(compiler) => compiler,
        none => none.insert(Compiler::start(selection, settings)?),
    };
    let compiled = compiler.compile(request)?;
    let each = compiled.executables.iter();
    Ok(each
        .map(|executable| {
            let rows = ROWS.iter();
            let values = rows.filter_map(|row| Some((*row, value(executable, row)?)));
            values.collect()
        })
        .collect())
}

fn request_of(pipeline: &Pipeline) -> Result<Request, Problem> {
    let shaders = match &pipeline.shape {
        Shape::Stages { shaders, .. } => shaders.iter().map(|bytes| bytes.to_vec()).collect(),
        Shape::Object(object) => match &object.libraries[..] {
            [library] => vec![library.bytes.to_vec()],
            _ => {
                return Err(Problem::unsupported(
                    "machine code of a state object with several libraries",
                ));
            }
        },
    };
    let mut request = Request::new("machine code", shaders);
    request.root_signature = pipeline.root.as_ref().map(|root| root.to_vec());
    Ok(request)
}

impl GpuCounts {
    /// Adds what a compiler said of a pipeline.
    pub fn add(&mut self, answer: &Answer) {
        let Ok(executables) = answer else {
            self.failed += 1;
            return;
        };
        self.compiled += 1;
        self.executables += executables.len() as u64;
        for (row, value) in executables.iter().flatten() {
            let (sum, most) = self.rows.entry(row).or_default();
            *sum += value;
            *most = most.max(*value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_sums_and_maxima() {
        let mut counts = GpuCounts::default();
        let one = |registers| BTreeMap::from([("registers", registers), ("spills", 0.0)]);
        counts.add(&Ok(vec![one(8.0), one(24.0)]));
        counts.add(&Ok(vec![one(16.0)]));
        counts.add(&Err(Problem::unsupported("no")));
        assert_eq!(
            (counts.compiled, counts.failed, counts.executables),
            (2, 1, 3)
        );
        assert_eq!(counts.rows["registers"], (48.0, 24.0));
    }
}
