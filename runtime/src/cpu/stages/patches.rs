//! Hull and domain shaders: control points, patch constants, and places in patches. There is no
//! tessellator: the caller says where domain shaders run.

use dxil_cpu::watch::Invocation;
use dxil_cpu::{Invocations, SystemValues};
use dxil_frontend::dxil::{DomainShape, Stage};

use super::super::executable::Executable;
use super::link::Link;
use super::runner::Runner;
use super::tables::{Columns, OutputTables};
use super::vertices::VertexSet;
use crate::error::{Error, Result};
use crate::stages::{StageOutput, default_locations};

/// The outputs of a hull shader.
pub(in crate::cpu) struct HullOutputs {
    pub(in crate::cpu) control_points: VertexSet,
    /// Words of the constants of each patch.
    constants: Vec<u32>,
}

impl HullOutputs {
    /// Returns a word of a patch's constants as a float; 0 if there is none.
    pub(in crate::cpu) fn constant(&self, hull: &Executable, patch: u32, at: usize) -> f32 {
        let width = hull.kernel.patch_constants().0 as usize;
        let word = self.constants.get(patch as usize * width + at);
        f32::from_bits(word.copied().unwrap_or(0))
    }
}

/// Patches that a stage runs for.
struct Patches<'a> {
    set: &'a VertexSet,
    /// Control points of a patch that come in.
    points: u32,
    /// Invocations for each patch.
    each: u64,
    /// What an invocation is of, by patch and place in the patch.
    of: fn(u32, u32) -> Invocation,
    /// The outputs of the invocations.
    words: Vec<u32>,
    /// The outputs of the control point phase, for the patch constant function.
    outputs: Option<&'a VertexSet>,
    /// Words of the constants of each patch, and where the domain shader runs in it.
    constants: &'a [u32],
    locations: &'a [[f32; 3]],
}

impl<'a> Patches<'a> {
    fn new(
        set: &'a VertexSet,
        points: u32,
        each: u64,
        of: fn(u32, u32) -> Invocation,
    ) -> Patches<'a> {
        Patches {
            set,
            points,
            each: each.max(1),
            of,
            words: Vec::new(),
            outputs: None,
            constants: &[],
            locations: &[],
        }
    }
}

fn copy(given: &[u32], words: &mut [u32]) {
    let count = given.len().min(words.len());
    words[..count].copy_from_slice(&given[..count]);
}

impl Invocations for Patches<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        copy(self.set.primitive(number / self.each, self.points), words);
    }

    fn system_values(&mut self, number: u64) -> SystemValues {
        let (patch, place) = (number / self.each, (number % self.each) as usize);
        let patches = u64::from(self.set.primitives(self.points).max(1));
        SystemValues {
            // Patches count from 0 in each instance of the draw (D3D11.3, 8.17).
            primitive: (patch % patches) as u32,
            control_point: place as u32,
            location: self.locations.get(place).copied().unwrap_or_default(),
            ..SystemValues::default()
        }
    }

    fn control_points(&mut self, number: u64, words: &mut [u32]) {
        if let Some(outputs) = self.outputs {
            let count = words.len().checked_div(outputs.width).unwrap_or(0);
            let first = usize::try_from(number).unwrap_or(usize::MAX);
            copy(outputs.get(first.saturating_mul(count), count), words);
        }
    }

    fn patch_constants(&mut self, number: u64, words: &mut [u32]) {
        let first = (number / self.each) as usize * words.len();
        copy(self.constants.get(first..).unwrap_or_default(), words);
    }

    fn invocation(&mut self, number: u64) -> Option<Invocation> {
        let (patch, place) = (number / self.each, number % self.each);
        Some((self.of)(patch as u32, place as u32))
    }

    fn outputs(&mut self, _number: u64, words: &[u32]) {
        self.words.extend_from_slice(words);
    }
}

/// Runs both phases of a hull shader.
pub(in crate::cpu) fn run_hull(
    runner: &mut Runner<'_>,
    stage: &Executable,
    set: &VertexSet,
    tables: &mut OutputTables,
) -> Result<HullOutputs> {
    let Some(interface) = &stage.stage else {
        return Err(Error::BadJob("the shader is no hull shader".into()));
    };
    let (kernel, entry) = (&stage.kernel, &interface.entry);
    let points = kernel.input_vertices();
    let each = kernel.output_control_points();
    let patches = u64::from(set.primitives(points)) * u64::from(set.count[1]);
    let (width, places) = kernel.outputs();
    let (constant_words, constant_places) = kernel.patch_constants();
    let per_patch = u64::from(each) * u64::from(width) + u64::from(constant_words);
    runner.check_memory("the patches of a draw", patches.saturating_mul(per_patch))?;

    let count = patches * u64::from(each);
    let words = if kernel.passes_control_points() {
        // Input and output have as many points.
        let link = Link::through((&entry.inputs, kernel.inputs().1), (&entry.outputs, places));
        let mut words = vec![0; count as usize * width as usize];
        if width > 0 {
            for (number, words) in words.chunks_exact_mut(width as usize).enumerate() {
                link.copy(set.get(number, 1), words);
            }
        }
        words
    } else {
        let mut phase = Patches::new(set, points, u64::from(each), |patch, point| {
            Invocation::ControlPoint { patch, point }
        });
        runner.run(stage, |dispatch, limits| {
            let done = dispatch.run_invocations(count, &mut phase, limits)?;
            Ok(((), done))
        })?;
        phase.words
    };
    let control_points = VertexSet {
        width: width as usize,
        words,
        count: [set.primitives(points) * each, set.count[1]],
    };
    let columns = Columns::new(entry.outputs.iter(), places);
    tables.table(StageOutput::ControlPoints);
    for number in 0..count {
        let words = control_points.get(number as usize, 1);
        let place = [number / u64::from(each), number % u64::from(each)].map(|n| n as u32);
        let row = place.into_iter().chain(columns.of(words));
        tables.row(StageOutput::ControlPoints, row);
    }

    let mut phase = Patches::new(set, points, 1, |patch, _| Invocation::PatchConstants {
        patch,
    });
    phase.outputs = Some(&control_points);
    runner.run(stage, |dispatch, limits| {
        let done = dispatch.run_patch_constants(patches, &mut phase, limits)?;
        Ok(((), done))
    })?;
    let constants = phase.words;
    let columns = Columns::new(entry.patch_constants.iter(), constant_places);
    tables.table(StageOutput::PatchConstants);
    for patch in 0..patches {
        let first = patch as usize * constant_words as usize;
        let words = constants.get(first..).unwrap_or_default();
        let row = std::iter::once(patch as u32).chain(columns.of(words));
        tables.row(StageOutput::PatchConstants, row);
    }
    Ok(HullOutputs {
        control_points,
        constants,
    })
}

/// Returns the patch constants of a hull shader as a domain shader reads them.
pub(in crate::cpu) fn linked_constants(
    from: &Executable,
    to: &Executable,
    hull: &HullOutputs,
) -> Vec<u32> {
    let (Some(first), Some(second)) = (&from.stage, &to.stage) else {
        return Vec::new();
    };
    let (from_words, from_places) = from.kernel.patch_constants();
    let (to_words, to_places) = to.kernel.patch_constants();
    let link = Link::new(
        (&first.entry.patch_constants, from_places),
        (&second.entry.patch_constants, to_places),
    );
    let mut all = Vec::new();
    if from_words > 0 {
        for patch in hull.constants.chunks_exact(from_words as usize) {
            let start = all.len();
            all.resize(start + to_words as usize, 0);
            link.copy(patch, &mut all[start..]);
        }
    }
    all
}

/// Returns the patch constants that the caller gives: each patch has those of its own, or the ones
/// of the first patch where there are no others.
pub(in crate::cpu) fn given_constants(stage: &Executable, given: &[u32]) -> Vec<u32> {
    let width = stage.kernel.patch_constants().0 as usize;
    let mut all = given.to_vec();
    all.resize(given.len().next_multiple_of(width.max(1)), 0);
    all
}

/// Runs a domain shader.
pub(in crate::cpu) fn run_domain(
    runner: &mut Runner<'_>,
    stage: &Executable,
    (set, constants, locations): (&VertexSet, &[u32], &[[f32; 3]]),
    tables: &mut OutputTables,
) -> Result<()> {
    let entry = stage.stage.as_ref().map(|stage| &stage.entry);
    let Some((entry, Stage::Domain { domain, .. })) = entry.map(|entry| (entry, &entry.stage))
    else {
        return Err(Error::BadJob("the shader is no domain shader".into()));
    };
    let generated = default_locations(*domain);
    let locations = if locations.is_empty() {
        &generated
    } else {
        locations
    };
    let points = stage.kernel.input_vertices();
    let patches = u64::from(set.primitives(points)) * u64::from(set.count[1]);
    let (width, places) = stage.kernel.outputs();
    let count = patches.saturating_mul(locations.len() as u64);
    runner.check_memory(
        "the vertices of patches",
        count.saturating_mul(u64::from(width)),
    )?;
    let mut phase = Patches::new(set, points, locations.len() as u64, |patch, point| {
        Invocation::DomainPoint { patch, point }
    });
    (phase.constants, phase.locations) = (constants, locations);
    runner.run(stage, |dispatch, limits| {
        let done = dispatch.run_invocations(count, &mut phase, limits)?;
        Ok(((), done))
    })?;
    let parts = if *domain == DomainShape::Tri { 3 } else { 2 };
    let columns = Columns::new(entry.outputs.iter(), places);
    tables.table(StageOutput::DomainVertices);
    for number in 0..count as usize {
        let (patch, place) = (number / locations.len(), number % locations.len());
        let location = locations[place]
            .iter()
            .take(parts)
            .map(|part| part.to_bits());
        let words = phase
            .words
            .get(number * width as usize..)
            .unwrap_or_default();
        let prefix = std::iter::once(patch as u32).chain(location);
        tables.row(StageOutput::DomainVertices, prefix.chain(columns.of(words)));
    }
    Ok(())
}
