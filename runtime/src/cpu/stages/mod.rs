//! Stages of a draw by themselves, without a rasterizer: each runs for all its invocations before
//! the next one begins.

pub(super) mod geometry;
pub(super) mod link;
mod meshes;
pub(super) mod patches;
pub(super) mod pixels;
pub(super) mod runner;
mod strips;
pub(super) mod tables;
pub(super) mod vertices;

use dxil_cpu::resources::Storage;
use dxil_frontend::dxil::ShaderKind;

use super::chains::{check_alone, not_by_themselves};
use super::executable::Executable;
use crate::error::{Error, Result};
use crate::graphics::{DrawCall, GraphicsState};
use crate::job::Job;
use crate::stages::StageRun;
pub(super) use runner::Limited;
use runner::Runner;
use tables::{OutputTables, Table};

/// Runs the stages; returns what the runs leave, and the contents of each table.
pub(super) fn run(
    stages: &[&Executable],
    state: &GraphicsState,
    job: &Job,
    work: &StageRun,
    (storages, limits): (&[Storage], &Limited<'_>),
) -> Result<(dxil_cpu::Outcome, Vec<Table>)> {
    let all: Vec<ShaderKind> = stages.iter().filter_map(|s| s.kernel.stage()).collect();
    check_alone(&all)?;
    let mut runner = Runner::new(job, storages, limits);
    let mut tables = OutputTables::default();
    let kinds: Vec<_> = stages.iter().map(|stage| stage.kernel.stage()).collect();
    match (stages, &kinds[..]) {
        ([amplification, mesh], [Some(ShaderKind::Amplification), _]) => {
            let groups = groups_of(work)?;
            meshes::run_both(&mut runner, (amplification, mesh), groups, &mut tables)?;
        }
        ([amplification], [Some(ShaderKind::Amplification)]) => {
            meshes::run_amplification(&mut runner, amplification, groups_of(work)?, &mut tables)?;
        }
        ([mesh], [Some(ShaderKind::Mesh)]) => {
            let groups = groups_of(work)?;
            meshes::run_alone(&mut runner, mesh, (groups, &work.payload), &mut tables)?;
        }
        ([pixel], [Some(ShaderKind::Pixel)]) => {
            let vertices = vertices::fetched(&runner, pixel, (state, job), &work.draw)?;
            pixels::run(&mut runner, pixel, &vertices, work.pixels, &mut tables)?;
        }
        ([first, rest @ ..], [kind, ..]) => {
            let (mut set, mut from) = (
                vertices::fetched(&runner, first, (state, job), &work.draw)?,
                *first,
            );
            let mut stages = stages;
            if *kind == Some(ShaderKind::Vertex) {
                let fetch = vertices::fetch_of(&runner, first, (state, job), &work.draw)?;
                set = vertices::shaded(&mut runner, first, fetch)?;
                stages = rest;
            }
            // The control points that a domain shader gets, with their patch constants.
            let mut patches = None;
            for stage in stages {
                let linked = vertices::linked(from, stage, &set);
                match stage.kernel.stage() {
                    Some(ShaderKind::Hull) => {
                        let hull = patches::run_hull(&mut runner, stage, &linked, &mut tables)?;
                        (set, patches) = (hull.control_points.clone(), Some(hull));
                    }
                    Some(ShaderKind::Domain) => {
                        let constants = match &patches {
                            Some(hull) => patches::linked_constants(from, stage, hull),
                            None => patches::given_constants(stage, &work.patch_constants),
                        };
                        let input = (&linked, &constants[..], &work.locations[..]);
                        patches::run_domain(&mut runner, stage, input, &mut tables)?;
                    }
                    Some(ShaderKind::Geometry) => {
                        geometry::run(&mut runner, stage, &linked, &mut tables)?;
                    }
                    _ => return Err(not_by_themselves()),
                }
                from = *stage;
            }
        }
        _ => return Err(not_by_themselves()),
    }
    Ok((runner.finish(), tables.finish()))
}

/// Returns the groups of a draw of meshes.
fn groups_of(work: &StageRun) -> Result<[u32; 3]> {
    match work.draw.call {
        DrawCall::Meshes(groups) => {
            let all = groups
                .iter()
                .fold(1_u64, |all, n| all.saturating_mul(u64::from(*n)));
            // The limits of DispatchMesh (mesh shader specification, "DispatchMesh API").
            if groups.iter().any(|n| *n >= 1 << 16) || all > 1 << 22 {
                return Err(Error::BadJob(format!(
                    "{groups:?} mesh groups; 65535 in one direction and 2^22 in all are the maximum"
                )));
            }
            Ok(groups)
        }
        _ => Err(Error::BadJob(
            "a mesh or amplification shader runs for groups, not for vertices".into(),
        )),
    }
}
