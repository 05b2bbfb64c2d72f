//! Amplification and mesh shaders.

use dxil_cpu::{MeshDispatch, MeshGroup};
use dxil_frontend::dxil::{MeshTopology, Stage};

use super::super::executable::Executable;
use super::runner::Runner;
use super::tables::{Columns, OutputTables};
use crate::error::Result;
use crate::stages::{StageOutput, WORD};

/// Runs an amplification shader; returns what its groups dispatch.
pub(super) fn run_amplification(
    runner: &mut Runner<'_>,
    stage: &Executable,
    groups: [u32; 3],
    tables: &mut OutputTables,
) -> Result<Vec<MeshDispatch>> {
    let dispatches = runner.run(stage, |dispatch, limits| {
        dispatch.run_amplification(groups, limits)
    })?;
    let entry = stage.stage.as_ref().map(|stage| &stage.entry.stage);
    let payload_words = match entry {
        Some(Stage::Amplification { payload_bytes }) => (payload_bytes / WORD).min(1 << 12),
        _ => 0,
    };
    tables.table(StageOutput::MeshDispatches);
    for (group, dispatch) in (0..).zip(&dispatches) {
        let word = |number: u32| {
            let start = (number * WORD) as usize;
            let bytes = dispatch.payload.get(start..).and_then(<[u8]>::first_chunk);
            bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
        };
        let [x, y, z] = dispatch.groups;
        let row = [group, x, y, z]
            .into_iter()
            .chain((0..payload_words).map(word));
        tables.row(StageOutput::MeshDispatches, row);
    }
    Ok(dispatches)
}

/// Runs an amplification shader and the mesh shaders that it dispatches.
pub(super) fn run_both(
    runner: &mut Runner<'_>,
    (amplification, mesh): (&Executable, &Executable),
    groups: [u32; 3],
    tables: &mut OutputTables,
) -> Result<()> {
    let dispatches = run_amplification(runner, amplification, groups, tables)?;
    let mut number = 0;
    tables.table(StageOutput::MeshVertices);
    tables.table(StageOutput::MeshPrimitives);
    for dispatch in dispatches {
        number += run_mesh(
            runner,
            mesh,
            (dispatch.groups, &dispatch.payload),
            number,
            tables,
        )?;
    }
    Ok(())
}

/// Runs a mesh shader without an amplification shader.
pub(super) fn run_alone(
    runner: &mut Runner<'_>,
    stage: &Executable,
    (groups, payload): ([u32; 3], &[u8]),
    tables: &mut OutputTables,
) -> Result<()> {
    tables.table(StageOutput::MeshVertices);
    tables.table(StageOutput::MeshPrimitives);
    run_mesh(runner, stage, (groups, payload), 0, tables)?;
    Ok(())
}

/// Runs groups of a mesh shader; returns how many there were.
fn run_mesh(
    runner: &mut Runner<'_>,
    stage: &Executable,
    (groups, payload): ([u32; 3], &[u8]),
    first: u32,
    tables: &mut OutputTables,
) -> Result<u32> {
    let given = runner.run(stage, |dispatch, limits| {
        dispatch.run_mesh(groups, payload, limits)
    })?;
    for (number, group) in (first..).zip(&given) {
        add(stage, number, group, tables);
    }
    Ok(given.len() as u32)
}

fn add(stage: &Executable, number: u32, group: &MeshGroup, tables: &mut OutputTables) {
    let Some(interface) = &stage.stage else {
        return;
    };
    let entry = &interface.entry;
    let (vertex_words, places) = stage.kernel.outputs();
    let columns = Columns::new(entry.outputs.iter(), places);
    for vertex in 0..group.counts[0] {
        let start = (vertex * vertex_words) as usize;
        let words = group.vertices.get(start..).unwrap_or_default();
        let row = [number, vertex].into_iter().chain(columns.of(words));
        tables.row(StageOutput::MeshVertices, row);
    }
    let corners = match entry.stage {
        Stage::Mesh {
            topology: MeshTopology::Line,
            ..
        } => 2,
        _ => 3,
    };
    let (primitive_words, places) = stage.kernel.patch_constants();
    let columns = Columns::new(entry.patch_constants.iter(), places);
    for (primitive, indices) in (0..).zip(&group.indices) {
        let start = (primitive * primitive_words) as usize;
        let words = group.primitives.get(start..).unwrap_or_default();
        let indices = indices.iter().take(corners).copied();
        let row = std::iter::once(number)
            .chain(indices)
            .chain(columns.of(words));
        tables.row(StageOutput::MeshPrimitives, row);
    }
}
