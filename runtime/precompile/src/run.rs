//! Runs through a library with several threads.

use dxil_frontend::tables::HashSet;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, sync_channel};
use std::time::{Duration, Instant};

use dxil_frontend::dxil::ShaderKind;
use dxil_jit::exit::Exit;
use dxil_runtime::isa::Selection;
use dxil_runtime::program::ShaderCode;

use crate::error::Problem;
use crate::foz::Recorder;
use crate::gpus::{Compilers, GpuCounts};
use crate::library::{ObjectKind, Pipeline, Shape};
use crate::shard::Shard;
use crate::source::{Item, Sources};
use crate::work::{Done, Workshop};

/// Problems that a summary lists, and pipelines that it lists as skipped; further ones are counted.
pub const MAX_PROBLEMS: usize = 10_000;
/// Reasons to skip pipelines that a summary counts apart, and what the others are counted as.
const MAX_REASONS: usize = 1000;
const OTHER_REASONS: &str = "other reasons";

/// How to run.
pub struct Plan<'a> {
    /// Threads that work.
    pub threads: usize,
    /// The part of the library that is this run's.
    pub shard: Option<Shard>,
    /// The archive that receives pipelines.
    pub recorder: Option<&'a Recorder>,
    /// GPUs whose compilers are asked.
    pub gpus: &'a [Selection],
    /// Is called after each pipeline, of this part or not.
    pub progress: &'a (dyn Fn() + Sync),
    /// Is asked before each pipeline for a reason to go on no more.
    pub obstacle: &'a (dyn Fn() -> Option<Problem> + Sync),
}

impl Plan<'_> {
    /// Returns the plan of a run through the whole library with so many threads.
    pub fn new(threads: usize) -> Self {
        Plan {
            threads: threads.max(1),
            shard: None,
            recorder: None,
            gpus: &[],
            progress: &|| {},
            obstacle: &|| None,
        }
    }
}

/// A pipeline with a problem, or one that the target lacks something for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its name.
    pub pipeline: String,
    /// The problem.
    pub problem: Problem,
}

/// Counts of one kind of pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KindCounts {
    /// Pipelines.
    pub pipelines: u64,
    /// Those with problems.
    pub failed: u64,
    /// Those that are left out, whole or in part, for something that the target lacks.
    pub skipped: u64,
    /// SPIR-V modules.
    pub modules: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What came of a run.
#[derive(Debug, Clone, Default)]
pub struct Summary {
    /// Counts by kind.
    pub kinds: BTreeMap<&'static str, KindCounts>,
    /// Pipelines that other parts have.
    pub elsewhere: u64,
    /// Pipelines with the contents of an earlier one.
    pub duplicates: u64,
    /// Vulkan pipelines that were created.
    pub created: u64,
    /// Counts of the GPUs that were asked.
    pub gpus: Vec<(String, GpuCounts)>,
    /// Problems, sorted by name.
    pub failures: Vec<Failure>,
    /// Problems beyond [`MAX_PROBLEMS`].
    pub left_out: u64,
    /// Pipelines that the target lacks something for, sorted by name. They are no errors: the exit
    /// code does not depend on them.
    pub skipped: Vec<Failure>,
    /// Those beyond [`MAX_PROBLEMS`].
    pub skipped_left_out: u64,
    /// Numbers of those pipelines by what the target lacks.
    pub lacks: BTreeMap<String, u64>,
    /// The exit code.
    pub exit: Option<Exit>,
    /// Time.
    pub time: Duration,
}

impl Summary {
    /// Returns the sum over all kinds.
    pub fn total(&self) -> KindCounts {
        let mut total = KindCounts::default();
        for counts in self.kinds.values() {
            total.pipelines += counts.pipelines;
            total.failed += counts.failed;
            total.skipped += counts.skipped;
            total.modules += counts.modules;
            total.bytes += counts.bytes;
        }
        total
    }

    fn fail(&mut self, pipeline: &str, problem: Problem) {
        self.exit = self.exit.max(Some(problem.exit));
        if self.failures.len() < MAX_PROBLEMS {
            self.failures.push(Failure {
                pipeline: pipeline.to_owned(),
                problem,
            });
        } else {
            self.left_out += 1;
        }
    }

    fn skip(&mut self, pipeline: &str, reason: &str, problem: Problem) {
        // Reasons name features and limits, of which there are few, but some quote the shader.
        let is_known = self.lacks.contains_key(reason);
        let reason = if is_known || self.lacks.len() < MAX_REASONS {
            reason
        } else {
            OTHER_REASONS
        };
        *self.lacks.entry(reason.to_owned()).or_default() += 1;
        if self.skipped.len() < MAX_PROBLEMS {
            self.skipped.push(Failure {
                pipeline: pipeline.to_owned(),
                problem,
            });
        } else {
            self.skipped_left_out += 1;
        }
    }

    /// Counts a pipeline and what came of it.
    fn add(&mut self, name: &str, kind: &'static str, done: Done) {
        let is_lacking = |problem: &Problem| problem.lacks.is_some();
        let failed = !done.problems.iter().all(is_lacking);
        let skipped = !failed && !done.problems.is_empty();
        let counts = self.kinds.entry(kind).or_default();
        counts.pipelines += 1;
        counts.failed += u64::from(failed);
        counts.skipped += u64::from(skipped);
        for stage in done.programs.iter().flat_map(|program| &program.stages) {
            if let ShaderCode::SpirV(words) = &stage.code {
                counts.modules += 1;
                counts.bytes += words.len() as u64 * 4;
            }
        }
        self.created += done.created;
        let mut problems = done.problems.into_iter();
        if skipped {
            // The first says why, and counts the pipeline once.
            if let Some(problem) = problems.next() {
                let reason = problem.lacks.clone().unwrap_or_default();
                self.skip(name, &reason, problem);
            }
            return;
        }
        for problem in problems {
            self.fail(name, problem);
        }
    }

    fn gpu(&mut self, selection: &Selection) -> &mut GpuCounts {
        let name = selection.to_string();
        let index = match self.gpus.iter().position(|(own, _)| *own == name) {
            Some(index) => index,
            None => {
                self.gpus.push((name, GpuCounts::default()));
                self.gpus.len() - 1
            }
        };
        &mut self.gpus[index].1
    }
}

/// Returns the kind of a pipeline in reports.
fn kind_of(pipeline: &Pipeline, kinds: &[ShaderKind]) -> &'static str {
    use ShaderKind as K;
    match &pipeline.shape {
        Shape::Object(object) => match object.kind {
            ObjectKind::Collection => "collections",
            ObjectKind::RayTracing => "ray tracing",
            ObjectKind::Executable => "work graphs",
        },
        Shape::Stages { draw: None, .. } => match kinds {
            [kind] if *kind != K::Compute => "lone stages",
            _ => "compute",
        },
        Shape::Stages { .. } if kinds.contains(&K::Mesh) => "mesh",
        Shape::Stages { .. } => "graphics",
    }
}

/// Works through all pipelines of the sources that belong to this part. A problem of one pipeline
/// is noted, and the run goes on.
///
/// # Errors
///
/// A source that cannot be read any further, an archive that cannot be written, and the plan's
/// obstacle.
pub fn run(sources: &Sources, workshop: &Workshop, plan: &Plan<'_>) -> Result<Summary, Problem> {
    let start = Instant::now();
    let summary = Mutex::new(Summary::default());
    // Few wait at a time, so that a library of any size takes the same memory.
    let (sender, receiver) = sync_channel::<Pipeline>(plan.threads * 2);
    let receiver = Mutex::new(receiver);
    let stopped: Mutex<Option<Problem>> = Mutex::new(None);
    let read = std::thread::scope(|scope| {
        for _ in 0..plan.threads {
            scope.spawn(|| {
                if let Err(problem) = work(&receiver, workshop, plan, &summary) {
                    lock(&stopped).get_or_insert(problem);
                    // Whoever sends waits for somebody who takes.
                    while lock(&receiver).recv().is_ok() {}
                }
            });
        }
        let mut seen = HashSet::default();
        let read = sources.each(|item: Item| {
            let pipeline = match item {
                Ok(pipeline) => pipeline,
                Err((name, problem)) => {
                    // Nobody knows its content: the first part reports it.
                    if plan.shard.is_none_or(|shard| shard.index == 0) {
                        let mut summary = lock(&summary);
                        let counts = summary.kinds.entry("unread").or_default();
                        counts.pipelines += 1;
                        counts.failed += 1;
                        summary.fail(&name, problem);
                    }
                    (plan.progress)();
                    return true;
                }
            };
            let content = pipeline.content_hash();
            if plan.shard.is_some_and(|shard| !shard.has(&content)) {
                lock(&summary).elsewhere += 1;
                (plan.progress)();
                return true;
            }
            // Eight bytes tell them apart: of a million contents, two are mistaken for each other
            // with a probability of 3e-8.
            let short = content
                .first_chunk()
                .map_or(0, |bytes| u64::from_le_bytes(*bytes));
            if !seen.insert(short) {
                lock(&summary).duplicates += 1;
                (plan.progress)();
                return true;
            }
            // Without threads that take it, there is nothing to go on for.
            sender.send(pipeline).is_ok() && lock(&stopped).is_none()
        });
        drop(sender);
        read
    });
    read?;
    if let Some(problem) = stopped
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner())
    {
        return Err(problem);
    }
    let mut summary = summary
        .into_inner()
        .unwrap_or_else(|poison| poison.into_inner());
    summary.time = start.elapsed();
    // Threads end in any order.
    for list in [&mut summary.failures, &mut summary.skipped] {
        list.sort_by(|a, b| {
            (&a.pipeline, &a.problem.message).cmp(&(&b.pipeline, &b.problem.message))
        });
    }
    Ok(summary)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // A thread that panicked ends the scope anyway.
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

fn work(
    receiver: &Mutex<Receiver<Pipeline>>,
    workshop: &Workshop,
    plan: &Plan<'_>,
    summary: &Mutex<Summary>,
) -> Result<(), Problem> {
    let mut compilers = Compilers::new(plan.gpus);
    loop {
        let next = lock(receiver).recv();
        let Ok(pipeline) = next else {
            return Ok(());
        };
        if let Some(problem) = (plan.obstacle)() {
            return Err(problem);
        }
        // Whatever a driver or a shader brings to a panic concerns this pipeline alone.
        let done = catch_unwind(AssertUnwindSafe(|| workshop.run(&pipeline)));
        let mut done = done.unwrap_or_else(|_| Done {
            problems: vec![Problem::new(Exit::Internal, "this program panicked")],
            ..Done::default()
        });
        if let Some(recorder) = plan.recorder {
            for program in &done.programs {
                if let Err(problem) = recorder.record(program)? {
                    done.problems.push(problem.at("recording"));
                }
            }
        }
        let answers = compilers.compile(&pipeline);
        let kind = kind_of(&pipeline, &done.kinds);
        let mut summary = lock(summary);
        summary.add(&pipeline.name, kind, done);
        for (selection, answer) in answers {
            summary.gpu(&selection).add(&answer);
            if let Err(problem) = answer {
                summary.fail(&pipeline.name, problem);
            }
        }
        drop(summary);
        (plan.progress)();
    }
}
