//! Geometry shaders: primitives in, streams of primitives out.

use dxil_cpu::{Invocations, SystemValues};
use dxil_frontend::dxil::{OutputTopology, Stage};

use super::super::executable::Executable;
use super::runner::Runner;
use super::strips::Strip;
use super::tables::{Columns, OutputTables};
use super::vertices::VertexSet;
use crate::error::{Error, Result};
use crate::stages::{StageOutput, tables_of};

struct Primitives<'a> {
    set: &'a VertexSet,
    /// Vertices of a primitive.
    vertices: u32,
    /// Invocations for each primitive.
    instances: u32,
    topology: OutputTopology,
    /// The columns of each stream's vertices.
    streams: [Columns; 4],
    strips: [Strip; 4],
    /// The invocation whose strips these are.
    number: u64,
    tables: &'a mut OutputTables,
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
        let given = self.set.primitive(primitive, self.vertices);
        if let Some(place) = words.get_mut(..given.len()) {
            place.copy_from_slice(given);
        }
    }

    fn system_values(&mut self, number: u64) -> SystemValues {
        let (primitive, instance) = self.split(number);
        let each = u64::from(self.set.primitives(self.vertices).max(1));
        SystemValues {
            // Primitives count from 0 in each instance of the draw (D3D11.3, 8.17).
            primitive: (primitive % each) as u32,
            instance,
            ..SystemValues::default()
        }
    }

    fn outputs(&mut self, _number: u64, _words: &[u32]) {}

    fn emit(&mut self, number: u64, stream: u32, vertex: Option<&[u32]>) {
        if number != self.number {
            // The end of an invocation ends its strips.
            self.strips.iter_mut().for_each(Strip::cut);
            self.number = number;
        }
        let at = stream as usize;
        let (Some(strip), Some(columns)) = (self.strips.get_mut(at), self.streams.get(at)) else {
            return;
        };
        let tables = &mut *self.tables;
        match vertex {
            Some(words) => strip.add(self.topology, words, |words| {
                tables.row(StageOutput::Stream(stream), columns.of(words));
            }),
            None => strip.cut(),
        }
    }
}

/// Runs a geometry shader.
pub(super) fn run(
    runner: &mut Runner<'_>,
    stage: &Executable,
    set: &VertexSet,
    tables: &mut OutputTables,
) -> Result<()> {
    let entry = stage.stage.as_ref().map(|stage| &stage.entry);
    let Some((
        entry,
        Stage::Geometry {
            topology,
            instances,
            ..
        },
    )) = entry.map(|entry| (entry, &entry.stage))
    else {
        return Err(Error::BadJob("the shader is no geometry shader".into()));
    };
    for (table, _) in tables_of(entry) {
        tables.table(table);
    }
    let vertices = stage.kernel.input_vertices();
    let instances = (*instances).max(1);
    let of_stream = |stream: u32| {
        let own = entry.outputs.iter().filter(move |e| e.stream == stream);
        Columns::new(own, stage.kernel.outputs().1)
    };
    let total = u64::from(set.primitives(vertices)) * u64::from(set.count[1]);
    let mut primitives = Primitives {
        set,
        vertices,
        instances,
        topology: *topology,
        streams: [0, 1, 2, 3].map(of_stream),
        strips: <[Strip; 4]>::default(),
        number: u64::MAX,
        tables,
    };
    let count = total.saturating_mul(u64::from(instances));
    runner.run(stage, |dispatch, limits| {
        let done = dispatch.run_invocations(count, &mut primitives, limits)?;
        Ok(((), done))
    })
}
