//! Conversion of Python's bindings to a job, and of the job's results to Python.

use dxil_jit::samplers::sampler_of;
use dxil_runtime::job::{Dimension, Job, Outcome, ResourceId, ResourceView, Texture, Timing};
use dxil_runtime::{Error, Format, Register};

/// Register, kind, bytes, shape and format.
///
/// Kinds are `buffer` (raw and structured), `typed` (a typed buffer, with a format), `texture`
/// (with shape and format), `constants`, `sampler` (with its description in the place of the
/// format) and `null`. The shape is that of a texture: dimensions (1 to 3), width, height, depth
/// and layers.
pub(crate) type Binding = (String, String, Vec<u8>, Option<[u32; 5]>, Option<String>);

/// Bytes by register, hidden counters by register, and times in microseconds.
pub(crate) type Results = (Vec<(String, Vec<u8>)>, Vec<(String, u32)>, Vec<f64>);

/// A job, and where its results are.
pub(crate) struct Planned {
    /// The job.
    pub(crate) job: Job,
    outputs: Vec<(String, ResourceId)>,
}

/// Returns the dispatch of these thread groups with these bindings.
///
/// # Errors
///
/// [`Error::BadJob`] for a register, format or sampler that is none.
pub(crate) fn plan(
    groups: [u32; 3],
    bindings: Vec<Binding>,
    iterations: u32,
) -> Result<Planned, Error> {
    let mut job = Job::dispatch(groups);
    let mut outputs = Vec::new();
    for (name, kind, bytes, shape, format) in bindings {
        let register: Register = name.parse().map_err(bad)?;
        let parse = |format: Option<String>| -> Result<Format, Error> {
            let format = format.ok_or_else(|| bad(format!("{name}: no format")))?;
            format.parse().map_err(bad)
        };
        let id = match kind.as_str() {
            "buffer" => job.bind_buffer(register, bytes),
            "typed" => job.bind_typed_buffer(register, parse(format)?, bytes),
            "texture" => {
                let format = parse(format)?;
                let [dimensions, width, height, depth, layers] =
                    shape.ok_or_else(|| bad(format!("{name}: a texture without shape")))?;
                let texture = Texture {
                    dimension: match dimensions {
                        1 => Dimension::D1,
                        2 => Dimension::D2,
                        _ => Dimension::D3,
                    },
                    format,
                    width,
                    height,
                    depth,
                    layers,
                    mips: 1,
                    samples: 1,
                    data: bytes,
                };
                job.bind_texture(register, texture)
            }
            "constants" => {
                job.bind_constants(register, bytes);
                continue;
            }
            "sampler" => {
                let sampler = sampler_of(&format.unwrap_or_default());
                let sampler = sampler.map_err(|why| bad(format!("{name}: {why}")))?;
                job.bind_sampler(register, sampler);
                continue;
            }
            "null" => {
                job.bind(register, ResourceView::Null);
                continue;
            }
            other => return Err(bad(format!("{name}: unknown kind of binding {other}"))),
        };
        if job
            .resources
            .get(id.0)
            .is_some_and(|resource| resource.read_back)
        {
            outputs.push((name, id));
        }
    }
    job.timing = (iterations > 0).then_some(Timing {
        warm_up: 1,
        iterations,
    });
    Ok(Planned { job, outputs })
}

impl Planned {
    /// Returns the results for Python.
    pub(crate) fn results(self, mut outcome: Outcome) -> Results {
        let resources = &mut outcome.resources;
        let outputs = self.outputs.into_iter().filter_map(|(name, id)| {
            let bytes = resources.get_mut(id.0)?.take()?;
            Some((name, bytes))
        });
        let outputs = outputs.collect();
        let counters = outcome.counters.iter();
        let counters = counters.map(|(register, value)| (register.to_string(), *value));
        let times = outcome.timings.iter().map(|time| time.as_secs_f64() * 1e6);
        (outputs, counters.collect(), times.collect())
    }
}

fn bad(message: impl std::fmt::Display) -> Error {
    Error::BadJob(message.to_string())
}
