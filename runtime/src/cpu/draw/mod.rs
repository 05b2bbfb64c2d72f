//! Draws: the stages of shaders, and between them the fixed functions of `dxil_cpu::raster`.
//!
//! Each stage before the rasterizer runs for all its invocations before the next one begins. Pixels
//! run in the order of their primitives, some quads at a time; tiles of the target run side by side
//! unless the pixel shader writes to memory.
//!
//! ```text
//! calls -> input -> tessellation -> stream_output
//!          meshes   primitives  \-> setup -> tiles -> raster -> fragments -> attachments
//! ```

mod attachments;
mod calls;
mod counts;
mod fragments;
mod input;
mod meshes;
mod pixel_inputs;
mod primitives;
mod raster;
mod setup;
mod stage_set;
mod stream_output;
mod tessellation;
mod tiles;
mod vertex_layout;

use dxil_cpu::resources::Storage;
use dxil_cpu::{Dispatch, Limits, Outcome};
use dxil_frontend::dxil::ShaderKind;

use super::executable::Executable;
use super::stages::Limited;
use super::stages::runner::Runner;
use super::stopwatch::Stopwatch;
use crate::error::{Error, Result};
use crate::graphics::{Draw, DrawCall, GraphicsState, QueryResult};
use crate::job::Job;
use attachments::Attachments;
use counts::Counts;
use fragments::{Fragments, Pixels};
use primitives::PrimitiveSet;
use setup::Setup;
use stage_set::Stages;
use stream_output::Capture;
use tiles::{Tile, tiles};

/// What a draw is made of.
#[derive(Clone, Copy)]
pub(super) struct DrawInput<'a> {
    pub(super) stages: &'a [&'a Executable],
    pub(super) state: &'a GraphicsState,
    pub(super) job: &'a Job,
    pub(super) draw: &'a Draw,
}

/// Draws; returns what the runs of the stages leave, and the results of the queries.
pub(super) fn run(
    input: &DrawInput<'_>,
    storages: &[Storage],
    limits: &Limited<'_>,
) -> Result<(Outcome, Vec<QueryResult>)> {
    let DrawInput {
        state, job, draw, ..
    } = *input;
    let is_mesh = Stages(input.stages).of(ShaderKind::Mesh).is_some();
    draw.check(job, state, is_mesh)?;
    check_begin(input.stages)?;
    let start = Stopwatch::start();
    let attachments = Attachments::new(state, job, draw, storages)?;
    let mut run = DrawRun {
        runner: Runner::new(job, storages, limits),
        state,
        job,
        limits,
        attachments,
        counts: Counts::new(start),
        capture: None,
    };
    run.attachments.clear(draw);
    let calls = calls::calls(draw, is_mesh, storages)?;
    let views: Vec<u32> = match state.view_mask {
        0 => vec![0],
        mask => (0..32).filter(|view| mask >> view & 1 != 0).collect(),
    };
    let last = last_before_rasterizer(input.stages)?;
    run.capture = Capture::new(last, draw, storages);
    for call in &calls {
        for &view in &views {
            if view == 0 {
                run.draw_view(input.stages, call, view)?;
                continue;
            }
            let stages: Vec<Executable> = input
                .stages
                .iter()
                .map(|stage| stage.with_view(view))
                .collect();
            let stages: Vec<&Executable> = stages.iter().collect();
            run.draw_view(&stages, call, view)?;
        }
    }
    run.attachments.resolve(job, draw, storages)?;
    run.counts.stream_output(run.capture.as_ref());
    let results = draw.queries.iter().map(|query| run.counts.result(*query));
    let results = results.collect();
    Ok((run.runner.finish(), results))
}

/// A draw does not begin in the middle.
fn check_begin(stages: &[&Executable]) -> Result<()> {
    let kinds: Vec<_> = stages.iter().filter_map(|s| s.kernel.stage()).collect();
    use ShaderKind::{Amplification, Domain, Hull, Mesh, Vertex};
    let has = |kind| kinds.contains(&kind);
    let begins = matches!(kinds.first(), Some(Vertex | Mesh | Amplification));
    let is_whole = has(Hull) == has(Domain) && (!has(Amplification) || has(Mesh));
    if begins && is_whole {
        return Ok(());
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind.prefix()).collect();
    Err(Error::BadJob(format!(
        "a draw with the stages {}: it begins with a vertex, mesh or amplification shader, and hull \
         and domain shaders are drawn together",
        names.join(", ")
    )))
}

/// Returns the stage that feeds the rasterizer and the stream output.
fn last_before_rasterizer<'a>(stages: &[&'a Executable]) -> Result<&'a Executable> {
    let mut all = stages.iter().rev();
    all.find(|stage| stage.kernel.stage() != Some(ShaderKind::Pixel))
        .copied()
        .ok_or_else(|| Error::BadJob("a draw of a pixel shader alone".into()))
}

struct DrawRun<'a> {
    runner: Runner<'a>,
    state: &'a GraphicsState,
    job: &'a Job,
    limits: &'a Limited<'a>,
    attachments: Attachments<'a>,
    counts: Counts,
    capture: Option<Capture<'a>>,
}

impl DrawRun<'_> {
    /// Draws one call to one view.
    fn draw_view(&mut self, stages: &[&Executable], call: &Draw, view: u32) -> Result<()> {
        let stages = Stages(stages);
        let set = match call.call {
            DrawCall::Meshes(groups) => {
                meshes::run(&mut self.runner, stages, groups, &mut self.counts)?
            }
            _ => self.vertices(stages, call)?,
        };
        let pixel = stages.of(ShaderKind::Pixel);
        let has_depth = self.attachments.depth.is_some();
        // Without a pixel shader and a depth buffer the rasterizer is off (D3D11.3, 15.2).
        if pixel.is_none() && !has_depth {
            return Ok(());
        }
        let mut setup = Setup::new(&set, self.state, &self.attachments, view);
        let fragments = Fragments::new(pixel, &set, self.state, &self.attachments, call);
        while let Some(parts) = setup.next_parts() {
            let Some(stage) = pixel else {
                let tile = Tile::whole(&parts);
                let mut pixels = Pixels::new(&fragments, &parts, &tile);
                pixels.test_all();
                self.counts.add_pixels(&pixels.counts);
                self.check_time()?;
                continue;
            };
            // Shaders that write to memory run in the order of the primitives.
            let tiles = if stage.kernel.may_write() || stage.kernel.has_checks() {
                vec![Tile::whole(&parts)]
            } else {
                tiles(&parts)
            };
            let run = |tile: &Tile, dispatch: &Dispatch<'_>, limits: &Limits<'_>| {
                let mut pixels = Pixels::new(&fragments, &parts, tile);
                let done = dispatch.run_invocations(u64::MAX, &mut pixels, limits)?;
                Ok((pixels.counts, done))
            };
            let is_parallel = self.attachments.has_word_rows();
            let counts = self.runner.run_parts(stage, (&tiles, is_parallel), run)?;
            counts
                .iter()
                .for_each(|counts| self.counts.add_pixels(counts));
            self.check_time()?;
        }
        self.counts.add_clipped(setup.clipped);
        Ok(())
    }

    /// Checks that the run is not to stop.
    fn check_time(&self) -> Result<()> {
        if self.limits.limits.stop.is_some_and(|stop| stop()) {
            let place = Box::default();
            return Err((self.limits.error)(dxil_cpu::Error::Stopped { place }));
        }
        Ok(())
    }

    /// Runs the stages before the rasterizer; returns the primitives of the rasterized stream.
    fn vertices<'s>(&mut self, stages: Stages<'s>, call: &Draw) -> Result<PrimitiveSet<'s>> {
        let (Some(vertex), source) = (stages.of(ShaderKind::Vertex), (self.state, self.job)) else {
            return Err(Error::BadJob(
                "a draw of vertices without a vertex shader".into(),
            ));
        };
        let runner = &mut self.runner;
        let shaded = input::shaded(runner, vertex, source, call, &mut self.counts)?;
        let geometry = stages.of(ShaderKind::Geometry);
        let tessellated = match (stages.of(ShaderKind::Hull), stages.of(ShaderKind::Domain)) {
            (Some(hull), Some(domain)) => {
                let patches = input::expanded(runner, &shaded)?;
                let stages = (vertex, hull, domain);
                Some(tessellation::run(
                    runner,
                    stages,
                    &patches,
                    &mut self.counts,
                )?)
            }
            _ => None,
        };
        if let Some(geometry) = geometry {
            let (from, given, ids) = match &tessellated {
                Some(set) => (set.producer, set.expanded(), Some(&set.ids[..])),
                None => (vertex, input::expanded(runner, &shaded)?, None),
            };
            let stages = (from, geometry);
            let streams = primitives::emitted(runner, stages, (&given, ids), &mut self.counts)?;
            if let Some(capture) = &mut self.capture {
                for (stream, words) in (0..).zip(&streams.words) {
                    capture.add(stream, words, streams.size);
                }
            }
            return Ok(streams.rasterized(self.state.rasterized_stream));
        }
        let set = match tessellated {
            Some(set) => set,
            None => input::drawn(runner, vertex, shaded, self.state.topology)?,
        };
        if let Some(capture) = &mut self.capture {
            capture.add(0, &set.listed(), set.size);
        }
        Ok(set)
    }
}
