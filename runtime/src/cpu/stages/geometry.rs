//! Geometry shaders: primitives in, streams of primitives out.

use dxil_cpu::watch::Invocation;
use dxil_cpu::{Invocations, SystemValues};
use dxil_frontend::dxil::{OutputTopology, Stage};

use super::super::executable::Executable;
use super::runner::Runner;
use super::strips::Strip;
use super::tables::{Columns, OutputTables};
use super::vertices::VertexSet;
use crate::error::{Error, Result};
use crate::stages::{StageOutput, tables_of};

/// What a geometry shader runs for.
#[derive(Clone, Copy)]
pub(in crate::cpu) struct InputPrimitives<'a> {
    /// The vertices, primitive by primitive.
    pub(in crate::cpu) set: &'a VertexSet,
    /// The number of each primitive; none: they count from 0 in each instance of the draw.
    pub(in crate::cpu) ids: Option<&'a [u32]>,
}

struct Primitives<'a> {
    given: InputPrimitives<'a>,
    /// Vertices of a primitive.
    vertices: u32,
    /// Invocations for each primitive.
    instances: u32,
    topology: OutputTopology,
    strips: [Strip; 4],
    /// The invocation whose strips these are.
    number: u64,
    /// Takes stream and words of the vertices of whole primitives.
    give: &'a mut dyn FnMut(u32, &[u32]),
}

impl Primitives<'_> {
    fn split(&self, number: u64) -> (u64, u32) {
        let instances = u64::from(self.instances);
        (number / instances, (number % instances) as u32)
    }
}

impl Invocations for Primitives<'_> {
    fn inputs(&mut self, number: u64, words: &mut [u32]) {
        let (primitive, _) = self.split(number);
        let given = self.given.set.primitive(primitive, self.vertices);
        if let Some(place) = words.get_mut(..given.len()) {
            place.copy_from_slice(given);
        }
    }

    fn system_values(&mut self, number: u64) -> SystemValues {
        let (primitive, instance) = self.split(number);
        let each = u64::from(self.given.set.primitives(self.vertices).max(1));
        let own = self.given.ids.and_then(|ids| ids.get(primitive as usize));
        SystemValues {
            // Primitives count from 0 in each instance of the draw (D3D11.3, 8.17).
            primitive: own.copied().unwrap_or((primitive % each) as u32),
            instance,
            ..SystemValues::default()
        }
    }

    fn invocation(&mut self, number: u64) -> Option<Invocation> {
        let (primitive, instance) = self.split(number);
        Some(Invocation::Primitive {
            primitive: primitive as u32,
            instance,
        })
    }

    fn outputs(&mut self, _number: u64, _words: &[u32]) {}

    fn emit(&mut self, number: u64, stream: u32, vertex: Option<&[u32]>) {
        if number != self.number {
            // The end of an invocation ends its strips.
            self.strips.iter_mut().for_each(Strip::cut);
            self.number = number;
        }
        let Some(strip) = self.strips.get_mut(stream as usize) else {
            return;
        };
        match vertex {
            Some(words) => strip.add(self.topology, words, |words| (self.give)(stream, words)),
            None => strip.cut(),
        }
    }
}

/// Runs a geometry shader; its vertices become rows of tables.
pub(super) fn run(
    runner: &mut Runner<'_>,
    stage: &Executable,
    set: &VertexSet,
    tables: &mut OutputTables,
) -> Result<()> {
    let Some(entry) = stage.stage.as_ref().map(|stage| &stage.entry) else {
        return Err(Error::BadJob("the shader is no geometry shader".into()));
    };
    for (table, _) in tables_of(entry) {
        tables.table(table);
    }
    let of_stream = |stream: u32| {
        let own = entry.outputs.iter().filter(move |e| e.stream == stream);
        Columns::new(own, stage.kernel.outputs().1)
    };
    let columns = [0, 1, 2, 3].map(of_stream);
    let given = InputPrimitives { set, ids: None };
    run_for(runner, stage, given, &mut |stream, words| {
        if let Some(columns) = columns.get(stream as usize) {
            tables.row(StageOutput::Stream(stream), columns.of(words));
        }
    })?;
    Ok(())
}

/// Runs a geometry shader, hands over the vertices of whole primitives, and returns the number of
/// its invocations. Of a primitive the vertices follow each other.
pub(in crate::cpu) fn run_for(
    runner: &mut Runner<'_>,
    stage: &Executable,
    given: InputPrimitives<'_>,
    give: &mut dyn FnMut(u32, &[u32]),
) -> Result<u64> {
    let entry = stage.stage.as_ref().map(|stage| &stage.entry.stage);
    let Some(Stage::Geometry {
        topology,
        instances,
        ..
    }) = entry
    else {
        return Err(Error::BadJob("the shader is no geometry shader".into()));
    };
    let vertices = stage.kernel.input_vertices();
    let instances = (*instances).max(1);
    let total = u64::from(given.set.primitives(vertices)) * u64::from(given.set.count[1]);
    let mut primitives = Primitives {
        given,
        vertices,
        instances,
        topology: *topology,
        strips: <[Strip; 4]>::default(),
        number: u64::MAX,
        give,
    };
    let count = total.saturating_mul(u64::from(instances));
    runner.run(stage, |dispatch, limits| {
        let done = dispatch.run_invocations(count, &mut primitives, limits)?;
        Ok(((), done))
    })?;
    Ok(count)
}
