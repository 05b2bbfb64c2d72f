//! Gathers findings while groups run one after the other.

use rustc_hash::FxHashMap;

use super::finding::{AccessKind, Checks, Finding, FindingKind, Participant};
use super::words::{Access, GroupsharedWord, MemoryWord, Race, Site};
use crate::decode::Kernel;
use crate::decode::code::Fence;
use crate::resources::{Descriptor, Table};

/// Findings that count as equal.
type Key = (FindingKind, String, (Site, Site));

/// What accesses are described by.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a> {
    pub(crate) kernel: &'a Kernel,
    pub(crate) table: &'a Table,
}

/// The state of the checks of a dispatch.
#[derive(Debug)]
pub(crate) struct Checker {
    checks: Checks,
    /// The group that runs: its number, and `SV_GroupID`.
    group: (u32, [u32; 3]),
    size: [u32; 3],
    /// Barriers passed, by the memory that they order.
    groupshared_epoch: u32,
    uav_epoch: u32,
    groupshared: Vec<GroupsharedWord>,
    memory: FxHashMap<(usize, usize), MemoryWord>,
    numbers: FxHashMap<Key, usize>,
    findings: Vec<Finding>,
}

impl Checker {
    /// No findings yet, for a dispatch of so many groups.
    pub(crate) fn new(checks: Checks, kernel: &Kernel, groups: [u32; 3]) -> Self {
        Checker {
            checks,
            group: (0, [0; 3]),
            size: groups,
            groupshared_epoch: 0,
            uav_epoch: 0,
            groupshared: vec![GroupsharedWord::default(); kernel.shared_words as usize],
            memory: FxHashMap::default(),
            numbers: FxHashMap::default(),
            findings: Vec::new(),
        }
    }

    /// A group begins.
    pub(crate) fn begin_group(&mut self, number: u32, id: [u32; 3]) {
        self.group = (number, id);
        // The epochs count on, so that marks of the last group are out of date.
        self.groupshared_epoch += 1;
        self.uav_epoch += 1;
        self.groupshared.fill(GroupsharedWord::default());
    }

    /// Reports reads of words that nothing has written until a barrier or the group's end.
    pub(crate) fn end_interval(&mut self, subject: Subject<'_>) {
        for address in 0..self.groupshared.len() {
            let word = &mut self.groupshared[address];
            let Some(read) = word.early_read.take() else {
                continue;
            };
            // Once is enough.
            word.is_written = true;
            if self.checks.uninitialized {
                let byte = address as u64 * 4;
                let kind = FindingKind::UninitializedRead;
                self.report(subject, kind, groupshared(), byte, None, read);
            }
        }
    }

    /// All waves of the group pass a barrier.
    pub(crate) fn pass_barrier(&mut self, subject: Subject<'_>, fence: Fence) {
        self.end_interval(subject);
        self.groupshared_epoch += u32::from(fence.groupshared);
        self.uav_epoch += u32::from(fence.uavs);
    }

    /// Returns the findings, in the order in which they were first met.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// An access to a word of groupshared memory.
    pub(crate) fn groupshared(&mut self, subject: Subject<'_>, address: u32, access: Access) {
        let epoch = self.groupshared_epoch;
        let Some(word) = self.groupshared.get_mut(address as usize) else {
            if self.checks.bounds {
                let at = u64::from(address) * 4;
                self.report(
                    subject,
                    FindingKind::OutOfBounds,
                    groupshared(),
                    at,
                    None,
                    access,
                );
            }
            return;
        };
        let race = word.interval.note(epoch, access);
        let byte = u64::from(address) * 4;
        if access.kind == AccessKind::Write {
            word.is_written = true;
            // If another thread read it in this interval, that is a race, and is reported as one.
            word.early_read = None;
        } else if !word.is_written {
            word.early_read = word.early_read.or(Some(access));
        }
        if let Some(other) = race.filter(|_| self.checks.races) {
            let first = Some((self.group.0, other));
            self.report(
                subject,
                FindingKind::GroupsharedRace,
                groupshared(),
                byte,
                first,
                access,
            );
        }
    }

    /// An access to a word of a storage through a handle; `at` is its byte in the storage.
    pub(crate) fn memory(
        &mut self,
        subject: Subject<'_>,
        (handle, storage): (u32, usize),
        at: usize,
        access: Access,
    ) {
        // Memory that nothing writes has no races.
        if !self.checks.races || !subject.table.is_written(storage) {
            return;
        }
        let is_coherent = subject.table.is_coherent(subject.kernel, handle);
        let word = self.memory.entry((storage, at / 4)).or_default();
        let race = word.note(self.group.0, self.uav_epoch, is_coherent, access);
        let (kind, first) = match race {
            None => return,
            Some(Race::InGroup(other)) => (FindingKind::UavRace, (self.group.0, other)),
            Some(Race::AcrossGroups(group, other)) => (FindingKind::CrossGroupRace, (group, other)),
        };
        let start = match &subject.table.descriptors.get(handle as usize) {
            Some(Descriptor::Buffer(buffer)) => buffer.offset,
            _ => at,
        };
        let byte = at.saturating_sub(start) as u64;
        let resource = subject.table.name_of(subject.kernel, handle);
        self.report(subject, kind, resource, byte, Some(first), access);
    }

    /// An access out of the bounds of a view.
    pub(crate) fn out_of_bounds(
        &mut self,
        subject: Subject<'_>,
        handle: u32,
        byte: u64,
        access: Access,
    ) {
        if self.checks.bounds {
            let resource = subject.table.name_of(subject.kernel, handle);
            self.report(
                subject,
                FindingKind::OutOfBounds,
                resource,
                byte,
                None,
                access,
            );
        }
    }

    /// A thread waits at a barrier that others do not reach.
    pub(crate) fn divergent_barrier(&mut self, subject: Subject<'_>, access: Access) {
        if self.checks.barriers {
            let kind = FindingKind::DivergentBarrier;
            self.report(subject, kind, String::new(), 0, None, access);
        }
    }

    fn report(
        &mut self,
        subject: Subject<'_>,
        kind: FindingKind,
        resource: String,
        byte: u64,
        first: Option<(u32, Access)>,
        second: Access,
    ) {
        // Which of two accesses comes first is chance.
        let other = first.map_or(second.site, |(_, access)| access.site);
        let sites = (other.min(second.site), other.max(second.site));
        let key = (kind, resource, sites);
        if let Some(&number) = self.numbers.get(&key) {
            self.findings[number].count += 1;
            return;
        }
        let first = first.map(|(group, access)| self.participant(subject, group, access));
        self.findings.push(Finding {
            kind,
            resource: key.1.clone(),
            byte,
            first,
            second: self.participant(subject, self.group.0, second),
            count: 1,
        });
        self.numbers.insert(key, self.findings.len() - 1);
    }

    fn participant(&self, subject: Subject<'_>, group: u32, access: Access) -> Participant {
        let [width, height, _] = self.size.map(|n| n.max(1));
        Participant {
            group: [
                group % width,
                group / width % height,
                group / (width * height),
            ],
            thread: subject.kernel.thread(access.thread),
            access: access.kind,
            place: *subject
                .kernel
                .place_of(access.site.function, access.site.index),
        }
    }
}

fn groupshared() -> String {
    "groupshared".into()
}
