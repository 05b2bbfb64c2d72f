//! Runs one stage after the other on the same resources.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::Builder;

use dxil_cpu::resources::{Bindings, ResourceView, Storage};
use dxil_cpu::{Dispatch, Limits, Outcome};

use super::super::executable::Executable;
use super::super::inputs;
use crate::error::{Error, Result};
use crate::job::Job;

/// Limits of a run, and what becomes of the executor's errors.
pub(in crate::cpu) struct Limited<'a> {
    pub(in crate::cpu) limits: Limits<'a>,
    pub(in crate::cpu) error: &'a dyn Fn(dxil_cpu::Error) -> Error,
}

/// Runs stages, and keeps what they leave.
pub(in crate::cpu) struct Runner<'a> {
    job: &'a Job,
    storages: &'a [Storage],
    limits: &'a Limited<'a>,
    done: Outcome,
}

impl<'a> Runner<'a> {
    pub(in crate::cpu) fn new(
        job: &'a Job,
        storages: &'a [Storage],
        limits: &'a Limited<'a>,
    ) -> Self {
        Runner {
            job,
            storages,
            limits,
            done: Outcome::default(),
        }
    }

    /// Runs a part of a stage. Hidden counters continue from the values of the run before.
    pub(in crate::cpu) fn run<T>(
        &mut self,
        stage: &Executable,
        run: impl FnOnce(&Dispatch<'_>, &Limits<'_>) -> dxil_cpu::Result<(T, Outcome)>,
    ) -> Result<T> {
        let bindings = self.bindings(stage)?;
        let dispatch = Dispatch::new(&stage.kernel, &bindings, self.storages)?;
        let (result, done) =
            run(&dispatch, &self.limits.limits).map_err(|error| (self.limits.error)(error))?;
        self.add(done);
        Ok(result)
    }

    /// Runs parts of a stage, which write nothing that another one reads or writes, side by side if
    /// they may; returns their results in the order of the parts.
    pub(in crate::cpu) fn run_parts<P: Sync, T: Send>(
        &mut self,
        stage: &Executable,
        (parts, is_parallel): (&[P], bool),
        run: impl Fn(&P, &Dispatch<'_>, &Limits<'_>) -> dxil_cpu::Result<(T, Outcome)> + Sync,
    ) -> Result<Vec<T>> {
        let bindings = self.bindings(stage)?;
        let dispatch = Dispatch::new(&stage.kernel, &bindings, self.storages)?;
        let limits = &self.limits.limits;
        let next = AtomicUsize::new(0);
        let failed = AtomicBool::new(false);
        let worker = || {
            let mut made = Vec::new();
            while !failed.load(Ordering::Relaxed) {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(part) = parts.get(number) else { break };
                let result = run(part, &dispatch, limits);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                made.push((number, result));
            }
            made
        };
        let threads = if is_parallel {
            limits.threads.min(parts.len())
        } else {
            1
        };
        let mut made = if threads <= 1 {
            worker()
        } else {
            std::thread::scope(|scope| {
                // Where the system gives no more threads, those that there are do the work.
                let spawn = |_| Builder::new().spawn_scoped(scope, worker).ok();
                let others: Vec<_> = (1..threads).map_while(spawn).collect();
                let mut made = worker();
                for other in others {
                    match other.join() {
                        Ok(more) => made.extend(more),
                        Err(panic) => std::panic::resume_unwind(panic),
                    }
                }
                made
            })
        };
        made.sort_by_key(|(number, _)| *number);
        let mut results = Vec::with_capacity(parts.len());
        for (_, result) in made {
            let (result, done) = result.map_err(|error| (self.limits.error)(error))?;
            self.add(done);
            results.push(result);
        }
        Ok(results)
    }

    /// Returns the bindings of a stage, with the counters as the runs before have left them.
    fn bindings(&self, stage: &Executable) -> Result<Bindings> {
        let mut bindings = inputs::bindings(self.job, &stage.static_samplers)?;
        for (at, view) in &mut bindings.registers {
            let left = self
                .done
                .counters
                .iter()
                .find(|(register, _)| register == at);
            if let (ResourceView::Buffer { counter, .. }, Some((_, value))) = (view, left) {
                *counter = *value;
            }
        }
        for (slot, (_, view)) in (0..).zip(&mut bindings.resource_heap) {
            let left = self.done.heap_counters.iter().find(|(at, _)| *at == slot);
            if let (ResourceView::Buffer { counter, .. }, Some((_, value))) = (view, left) {
                *counter = *value;
            }
        }
        Ok(bindings)
    }

    fn add(&mut self, done: Outcome) {
        self.done.steps += done.steps;
        self.done.findings.extend(done.findings);
        self.done.events = self.done.events.plus(done.events);
        for (register, value) in done.counters {
            self.done.counters.retain(|(known, _)| *known != register);
            self.done.counters.push((register, value));
        }
        for (slot, value) in done.heap_counters {
            self.done.heap_counters.retain(|(known, _)| *known != slot);
            self.done.heap_counters.push((slot, value));
        }
    }

    /// Checks that words fit into the memory that the run may take.
    pub(in crate::cpu) fn check_memory(&self, what: &'static str, words: u64) -> Result<()> {
        let (need, limit) = (words.saturating_mul(4), self.limits.limits.memory);
        if need > limit {
            return Err((self.limits.error)(dxil_cpu::Error::Memory {
                what,
                need,
                limit,
            }));
        }
        Ok(())
    }

    /// Returns the outcome of all runs.
    pub(in crate::cpu) fn finish(self) -> Outcome {
        self.done
    }
}
