//! Runs the groups of mesh and amplification shaders (DirectX mesh shader specification).

use dxil_frontend::dxil::ShaderKind;

use super::budget::{Budget, Watching};
use super::group::Group;
use super::invocation::Invocation;
use super::kept_memory::KeptMemory;
use super::moment::{Watch, WatchedWave};
use super::raster_memory::{MeshDispatch, MeshGroup, RasterMemory};
use super::recorder::Recorded;
use super::shared::Limits;
use super::{Dispatch, Outcome, group_ids};
use crate::check::Checker;
use crate::error::{Error, Result};

impl Dispatch<'_> {
    /// Runs the groups of a mesh shader one after the other, with a payload, and returns what each
    /// of them gives, in the order of their numbers. Bytes that the payload lacks are zero.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run`], and [`Error::Memory`] where the outputs of all groups take more
    /// than [`Limits::memory`].
    pub fn run_mesh(
        &self,
        groups: [u32; 3],
        payload: &[u8],
        limits: &Limits<'_>,
    ) -> Result<(Vec<MeshGroup>, Outcome)> {
        self.check_stage(ShaderKind::Mesh)?;
        let memory = &self.kernel.signature;
        let (mut all, mut taken) = (Vec::new(), 0_u64);
        let outcome = self.run_groups(groups, payload, limits, &mut |raster| {
            let mut group = std::mem::take(raster.mesh.get_mut());
            let [vertices, primitives] = group.counts.map(|count| count as usize);
            group
                .vertices
                .truncate(vertices * memory.output_words as usize);
            group
                .primitives
                .truncate(primitives * memory.patch_constant_words as usize);
            group.indices.truncate(primitives);
            let words = group.vertices.len() + group.primitives.len() + 3 * group.indices.len();
            taken += 4 * words as u64 + size_of::<MeshGroup>() as u64;
            all.push(group);
            within("the outputs of mesh shaders", taken, limits)
        })?;
        Ok((all, outcome))
    }

    /// Runs the groups of an amplification shader one after the other, and returns what each of
    /// them dispatches: nothing if it does not call `DispatchMesh`.
    ///
    /// # Errors
    ///
    /// Those of [`Dispatch::run_mesh`].
    pub fn run_amplification(
        &self,
        groups: [u32; 3],
        limits: &Limits<'_>,
    ) -> Result<(Vec<MeshDispatch>, Outcome)> {
        self.check_stage(ShaderKind::Amplification)?;
        let (mut all, mut taken) = (Vec::new(), 0_u64);
        let outcome = self.run_groups(groups, &[], limits, &mut |raster| {
            let dispatch = raster.dispatch.get_mut().take().unwrap_or_default();
            taken += (dispatch.payload.len() + size_of::<MeshDispatch>()) as u64;
            all.push(dispatch);
            within("the payloads of amplification shaders", taken, limits)
        })?;
        Ok((all, outcome))
    }

    fn check_stage(&self, stage: ShaderKind) -> Result<()> {
        if self.kernel.stage() == Some(stage) {
            return Ok(());
        }
        let problem = format!("the shader is no {} shader", stage.prefix());
        Err(Error::BadInput(problem))
    }

    fn run_groups(
        &self,
        groups: [u32; 3],
        payload: &[u8],
        limits: &Limits<'_>,
        after: &mut dyn FnMut(&mut RasterMemory) -> Result<()>,
    ) -> Result<Outcome> {
        let counters = self.first_counters();
        let shared = self.shared(&counters, limits);
        let mut budget = Budget::new(limits, None);
        let mut group = self.mesh_group((groups, payload), &mut budget, limits)?;
        for (number, id) in group_ids(groups) {
            let own = self.group_invocation(id);
            if let Some(recorder) = limits.recorder.filter(|recorder| recorder.wants(&own)) {
                let kept = KeptMemory::of(shared.storages, shared.counters, |_| true);
                let kept = (kept, self.kernel.signature.view);
                recorder.found(Recorded::of_group((groups, payload), own, kept));
            }
            if let Some(raster) = group.raster() {
                raster.begin_group(self.kernel);
            }
            group.run(id, number, &shared, &mut budget)?;
            if let Some(raster) = group.raster() {
                after(raster)?;
            }
        }
        let outcome = Outcome::of(group, &mut budget);
        Ok(self.with_counters(outcome, &counters))
    }

    /// Runs a recorded group again, of which a wave is watched.
    pub(super) fn run_group_again(
        &self,
        (groups, payload): ([u32; 3], &[u8]),
        (wave, watch): (WatchedWave, &mut dyn Watch),
        memory: &KeptMemory,
        limits: &Limits<'_>,
    ) -> Result<Outcome> {
        let counters = self.first_counters();
        memory.restore_counters(&counters);
        let shared = self.shared(&counters, limits);
        let mut budget = Budget::new(limits, None);
        let mut group = self.mesh_group((groups, payload), &mut budget, limits)?;
        budget.watch(Some(Watching {
            watch,
            group: wave.group,
            first_thread: wave.wave * self.kernel.wave_size(),
        }));
        if let Some(raster) = group.raster() {
            raster.begin_group(self.kernel);
        }
        let number = group_ids(groups).find(|(_, id)| *id == wave.group);
        let (number, id) = number.ok_or_else(|| {
            Error::BadInput(format!("the dispatch has no group {:?}", wave.group))
        })?;
        group.run(id, number, &shared, &mut budget)?;
        let outcome = Outcome::of(group, &mut budget);
        Ok(self.with_counters(outcome, &counters))
    }

    pub(super) fn group_invocation(&self, group: [u32; 3]) -> Invocation {
        let stage = self.kernel.stage().unwrap_or(ShaderKind::Mesh);
        Invocation::Group { stage, group }
    }

    /// Returns the memory of a group with a payload.
    fn mesh_group(
        &self,
        (groups, payload): ([u32; 3], &[u8]),
        budget: &mut Budget<'_>,
        limits: &Limits<'_>,
    ) -> Result<Group> {
        let mut group = Group::new(self.kernel, limits)?;
        if !self.kernel.checks.is_empty() {
            budget.watch_limit();
            group.check_with(Checker::new(self.kernel, groups));
        }
        group.set_raster(RasterMemory {
            payload: payload.to_vec(),
            ..RasterMemory::default()
        });
        Ok(group)
    }
}

fn within(what: &'static str, need: u64, limits: &Limits<'_>) -> Result<()> {
    if need > limits.memory {
        return Err(Error::Memory {
            what,
            need,
            limit: limits.memory,
        });
    }
    Ok(())
}
