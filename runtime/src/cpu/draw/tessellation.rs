//! Hull shader, tessellator and domain shader.

use dxil_cpu::raster::Tessellator;
use dxil_cpu::watch::Invocation;
use dxil_cpu::{Invocations, SystemValues};
use dxil_frontend::dxil::{EntryPoint, SemanticKind, Stage};

use super::super::executable::Executable;
use super::super::fetch::place_of;
use super::super::stages::patches::{self, HullOutputs};
use super::super::stages::runner::Runner;
use super::super::stages::tables::OutputTables;
use super::super::stages::vertices::{self, VertexSet};
use super::counts::Counts;
use super::primitives::PrimitiveSet;
use crate::error::{Error, Result};

/// A point of a tessellated patch.
#[derive(Debug, Clone, Copy)]
struct Point {
    patch: u32,
    location: [f32; 3],
}

/// A domain shader over the points of all patches.
struct Points<'a> {
    /// Control points, `size` of them for each patch.
    set: &'a VertexSet,
    size: u32,
    /// Words of the constants of each patch.
    constants: &'a [u32],
    /// Patches of an instance of the draw.
    patches: u32,
    points: &'a [Point],
    words: Vec<u32>,
}

impl Points<'_> {
    fn point(&self, number: u64) -> Point {
        let nowhere = Point {
            patch: 0,
            location: [0.0; 3],
        };
        self.points.get(number as usize).copied().unwrap_or(nowhere)
    }
}

fn copy(given: &[u32], words: &mut [u32]) {
    let count = given.len().min(words.len());
    words[..count].copy_from_slice(&given[..count]);
}

impl Invocations for Points<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        let first = self.point(number).patch as usize * self.size as usize;
        copy(self.set.get(first, self.size as usize), words);
    }

    fn system_values(&mut self, number: u64) -> SystemValues {
        let point = self.point(number);
        SystemValues {
            // Patches count from 0 in each instance of the draw (D3D11.3, 8.17).
            primitive: point.patch % self.patches.max(1),
            location: point.location,
            ..SystemValues::default()
        }
    }

    fn patch_constants(&mut self, number: u64, words: &mut [u32]) {
        let first = self.point(number).patch as usize * words.len();
        copy(self.constants.get(first..).unwrap_or_default(), words);
    }

    fn invocation(&mut self, number: u64) -> Option<Invocation> {
        let patch = self.point(number).patch;
        let first = self.points.partition_point(|point| point.patch < patch);
        let point = (number as u32).saturating_sub(first as u32);
        Some(Invocation::DomainPoint { patch, point })
    }

    fn outputs(&mut self, _number: u64, words: &[u32]) {
        self.words.extend_from_slice(words);
    }
}

/// Returns the first words of the rows of a patch constant.
fn rows_of(hull: &Executable, entry: &EntryPoint, semantic: SemanticKind) -> Vec<usize> {
    let places = hull.kernel.patch_constants().1;
    let own = entry
        .patch_constants
        .iter()
        .filter(|e| e.semantic == semantic);
    let rows = own.filter_map(|element| Some((place_of(places, element.id)?, element.rows)));
    rows.flat_map(|(first, rows)| (0..rows as usize).map(move |row| first + 4 * row))
        .collect()
}

/// Runs the stages for patches that lie one after the other; returns the primitives.
pub(super) fn run<'a>(
    runner: &mut Runner<'_>,
    (vertex, hull, domain): (&Executable, &Executable, &'a Executable),
    set: &VertexSet,
    counts: &mut Counts,
) -> Result<PrimitiveSet<'a>> {
    let entry = hull.stage.as_ref().map(|stage| &stage.entry);
    let Some((
        entry,
        &Stage::Hull {
            domain: shape,
            partitioning,
            output,
            max_tessellation_factor,
            ..
        },
    )) = entry.map(|entry| (entry, &entry.stage))
    else {
        return Err(Error::BadJob("the shader is no hull shader".into()));
    };
    let tessellator = Tessellator {
        domain: shape,
        partitioning,
        output,
        max_factor: max_tessellation_factor,
    };
    let given = vertices::linked(vertex, hull, set);
    let patches = set.primitives(hull.kernel.input_vertices());
    let total = patches * set.count[1];
    let made = patches::run_hull(runner, hull, &given, &mut OutputTables::default())?;
    counts.statistics.hull_patches += u64::from(total);
    let [outer, inner] = [SemanticKind::TessFactor, SemanticKind::InsideTessFactor]
        .map(|semantic| rows_of(hull, entry, semantic));
    let width = domain.kernel.outputs().0 as usize;
    let mut primitives = PrimitiveSet {
        producer: domain,
        width,
        words: Vec::new(),
        size: 1,
        indices: Vec::new(),
        ids: Vec::new(),
        constants: (0, Vec::new()),
    };
    let mut points: Vec<Point> = Vec::new();
    for patch in 0..total {
        let factor = |at: usize| made.constant(hull, patch, at);
        let edges: Vec<f32> = outer.iter().map(|at| factor(*at)).collect();
        let inside = [0, 1].map(|axis| inner.get(axis).map_or(1.0, |at| factor(*at)));
        let Some(tessellation) = tessellator.tessellate(&edges, inside) else {
            continue;
        };
        let first = points.len() as u32;
        let locations = tessellation.points.iter();
        points.extend(locations.map(|&location| Point { patch, location }));
        primitives.size = tessellation.size as usize;
        let vertices = tessellation.vertices.iter();
        primitives
            .indices
            .extend(vertices.map(|vertex| first + vertex));
        // All primitives of a patch have its number (11.7.9.1).
        primitives
            .ids
            .resize(primitives.count(), patch % patches.max(1));
        let words = points.len() as u64 * (width as u64 + 4) + primitives.indices.len() as u64;
        runner.check_memory("the points of patches", words)?;
    }
    primitives.words = run_domain(runner, (hull, domain), &made, (&points, patches))?;
    counts.statistics.domain_invocations += points.len() as u64;
    Ok(primitives)
}

/// Runs the domain shader; returns the words of its outputs.
fn run_domain(
    runner: &mut Runner<'_>,
    (hull, domain): (&Executable, &Executable),
    made: &HullOutputs,
    (points, patches): (&[Point], u32),
) -> Result<Vec<u32>> {
    let control_points = vertices::linked(hull, domain, &made.control_points);
    let constants = patches::linked_constants(hull, domain, made);
    let mut run = Points {
        set: &control_points,
        size: hull.kernel.output_control_points(),
        constants: &constants,
        patches,
        points,
        words: Vec::new(),
    };
    runner.run(domain, |dispatch, limits| {
        let done = dispatch.run_invocations(points.len() as u64, &mut run, limits)?;
        Ok(((), done))
    })?;
    Ok(run.words)
}
