//! Amplification and mesh shaders (DirectX mesh shader specification).

use dxil_cpu::MeshGroup;
use dxil_frontend::dxil::{MeshTopology, ShaderKind, Stage};

use super::super::executable::Executable;
use super::super::stages::runner::Runner;
use super::counts::Counts;
use super::primitives::PrimitiveSet;
use super::stage_set::Stages;
use crate::error::{Error, Result};

/// Groups in one direction, and in all (mesh shader specification, "DispatchMesh API").
const MAX_GROUPS: u32 = 1 << 16;
const MAX_GROUPS_IN_ALL: u64 = 1 << 22;

/// Runs the stages; returns the primitives.
pub(super) fn run<'a>(
    runner: &mut Runner<'_>,
    stages: Stages<'a>,
    groups: [u32; 3],
    counts: &mut Counts,
) -> Result<PrimitiveSet<'a>> {
    let Some(mesh) = stages.of(ShaderKind::Mesh) else {
        return Err(Error::BadJob(
            "a draw of thread groups without a mesh shader".into(),
        ));
    };
    let all = number_of(groups);
    if groups.iter().any(|n| *n >= MAX_GROUPS) || all > MAX_GROUPS_IN_ALL {
        return Err(Error::BadJob(format!(
            "{groups:?} mesh groups; 65535 in one direction and 2^22 in all are the maximum"
        )));
    }
    let size = match mesh.stage.as_ref().map(|stage| &stage.entry.stage) {
        Some(Stage::Mesh {
            topology: MeshTopology::Line,
            ..
        }) => 2,
        _ => 3,
    };
    let mut set = PrimitiveSet {
        producer: mesh,
        width: mesh.kernel.outputs().0 as usize,
        words: Vec::new(),
        size,
        indices: Vec::new(),
        ids: Vec::new(),
        constants: (mesh.kernel.patch_constants().0 as usize, Vec::new()),
    };
    let threads =
        |stage: &Executable| u64::from(stage.kernel.num_threads().iter().product::<u32>());
    match stages.of(ShaderKind::Amplification) {
        Some(stage) => {
            let dispatches = runner.run(stage, |dispatch, limits| {
                dispatch.run_amplification(groups, limits)
            })?;
            counts.statistics.amplification_invocations += all * threads(stage);
            for dispatch in dispatches {
                let made = runner.run(mesh, |run, limits| {
                    run.run_mesh(dispatch.groups, &dispatch.payload, limits)
                })?;
                counts.statistics.mesh_invocations += number_of(dispatch.groups) * threads(mesh);
                add(runner, &mut set, &made)?;
            }
        }
        None => {
            let made = runner.run(mesh, |run, limits| run.run_mesh(groups, &[], limits))?;
            counts.statistics.mesh_invocations += all * threads(mesh);
            add(runner, &mut set, &made)?;
        }
    }
    counts.statistics.mesh_primitives += set.count() as u64;
    Ok(set)
}

fn number_of(groups: [u32; 3]) -> u64 {
    let all = groups.iter().map(|n| u64::from(*n));
    all.fold(1, u64::saturating_mul)
}

/// Adds the primitives of groups.
fn add(runner: &Runner<'_>, set: &mut PrimitiveSet<'_>, groups: &[MeshGroup]) -> Result<()> {
    for group in groups {
        let first = set.words.len().checked_div(set.width).unwrap_or(0) as u32;
        let last = group.counts[0].saturating_sub(1);
        set.words.extend_from_slice(&group.vertices);
        // Primitives count on in the whole draw. An index beyond the last vertex is undefined.
        for indices in &group.indices {
            let own = indices.iter().take(set.size);
            set.indices
                .extend(own.map(|index| first + index.min(&last)));
            set.ids.push(set.ids.len() as u32);
        }
        set.constants.1.extend_from_slice(&group.primitives);
        let words = set.words.len() + set.indices.len() + set.constants.1.len();
        runner.check_memory("the outputs of mesh shaders", words as u64)?;
    }
    Ok(())
}
