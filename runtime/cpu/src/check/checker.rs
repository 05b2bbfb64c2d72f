//! Gathers findings while groups run one after the other.

use std::ops::Range;

use dxil_frontend::tables::{HashMap, HashSet};

use super::finding::{AccessKind, Finding, Participant};
use super::kinds::{Check, Checks, FindingKind};
use super::reads::{EarlyReads, Missing};
use super::report::Report;
use super::words::{Conflict, GroupsharedWord, MemoryWord, Other, Site, WordAccess};
use crate::decode::Kernel;
use crate::decode::code::Fence;
use crate::error::CodeLocation;
use crate::resources::{Descriptor, Table};

/// Findings that count as equal: kind, resource, origin of the value, and sites.
type Key = (FindingKind, String, u32, (Site, Site));

/// Maximum number of different findings. A shader can have one for each pair of instructions.
const MAX_FINDINGS: usize = 1 << 12;

/// The names in descriptions of accesses.
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
    /// Threads whose accesses since the last barrier no fence of their own follows.
    groupshared_unfenced: HashSet<u32>,
    uav_unfenced: HashSet<u32>,
    groupshared: Vec<GroupsharedWord>,
    /// The words of groupshared memory that have initializers.
    initialized: Vec<Range<u32>>,
    memory: HashMap<(usize, usize), MemoryWord>,
    early_reads: EarlyReads,
    numbers: HashMap<Key, usize>,
    findings: Vec<Finding>,
    /// Times that a finding was met, and the last one.
    met: (u64, usize),
}

impl Checker {
    /// Returns a checker without findings, for a dispatch of that many groups.
    pub(crate) fn new(kernel: &Kernel, groups: [u32; 3]) -> Self {
        Checker {
            checks: kernel.checks,
            group: (0, [0; 3]),
            size: groups,
            groupshared_epoch: 0,
            uav_epoch: 0,
            groupshared_unfenced: HashSet::default(),
            uav_unfenced: HashSet::default(),
            groupshared: vec![GroupsharedWord::default(); kernel.shared_words as usize],
            initialized: (kernel.shared_contents.iter())
                .map(|contents| contents.place.clone())
                .collect(),
            memory: HashMap::default(),
            early_reads: EarlyReads::default(),
            numbers: HashMap::default(),
            findings: Vec::new(),
            met: (0, 0),
        }
    }

    /// Returns whether a check is on.
    pub(crate) fn has(&self, check: Check) -> bool {
        self.checks.contains(check)
    }

    /// Notes that a group begins.
    pub(crate) fn begin_group(&mut self, number: u32, id: [u32; 3]) {
        self.group = (number, id);
        // The epochs count on, so that marks of the last group are out of date.
        self.groupshared_epoch += 1;
        self.uav_epoch += 1;
        self.groupshared.fill(GroupsharedWord::default());
        for place in &self.initialized {
            let words = place.start as usize..place.end as usize;
            for word in self.groupshared.get_mut(words).unwrap_or_default() {
                word.is_written = true;
            }
        }
        self.early_reads.clear();
        self.groupshared_unfenced.clear();
        self.uav_unfenced.clear();
    }

    /// Reports reads of words that nothing has written until a barrier or the group's end.
    pub(crate) fn end_interval(&mut self, subject: Subject<'_>) {
        let words = &self.groupshared;
        self.early_reads.end_interval(|address| {
            let word = words.get(address as usize)?;
            word.early_read?;
            Some(groupshared(subject, address))
        });
        for address in 0..self.groupshared.len() {
            let word = &mut self.groupshared[address];
            let Some(read) = word.early_read.take().filter(|_| word.is_used) else {
                continue;
            };
            // Once is enough.
            word.is_written = true;
            let report = groupshared(subject, address as u32);
            self.report(subject, FindingKind::UninitializedRead, report, read);
        }
    }

    /// Notes that all waves of the group pass a barrier.
    pub(crate) fn pass_barrier(&mut self, subject: Subject<'_>, fence: Fence) {
        self.end_interval(subject);
        // What all threads have fenced themselves needs no fence of the barrier.
        let groupshared = fence.groupshared || self.groupshared_unfenced.is_empty();
        let uavs = fence.uavs || self.uav_unfenced.is_empty();
        self.groupshared_epoch += u32::from(groupshared);
        self.uav_epoch += u32::from(uavs);
        if groupshared {
            self.groupshared_unfenced.clear();
        }
        if uavs {
            self.uav_unfenced.clear();
        }
    }

    /// Notes that a thread passes a fence without group sync.
    pub(crate) fn pass_fence(&mut self, thread: u32, fence: Fence) {
        if fence.groupshared {
            self.groupshared_unfenced.remove(&thread);
        }
        if fence.uavs {
            self.uav_unfenced.remove(&thread);
        }
    }

    /// Returns how often a finding was met so far, and the one that was met last.
    pub(crate) fn met(&self) -> (u64, Option<&Finding>) {
        (self.met.0, self.findings.get(self.met.1))
    }

    /// Returns the findings, in the order in which they were first met.
    pub(crate) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// Notes a read without a value; whether it is reported depends on the uses of the result.
    pub(crate) fn defer(&mut self, what: Missing, access: WordAccess) {
        self.early_reads.push(what, access);
    }

    /// Notes that an instruction that reads is done; its values have this origin.
    pub(crate) fn end_read(&mut self, origin: u32) {
        self.early_reads.end_instruction(origin);
    }

    /// Notes that a thread uses a value from reads without a value.
    pub(crate) fn use_read(&mut self, subject: Subject<'_>, origin: u32, thread: u32) {
        let Some(read) = self.early_reads.take(origin, thread) else {
            return;
        };
        match read.what {
            Missing::Outside(kind, report) => self.report(subject, kind, report, read.access),
            Missing::Unwritten(address) => {
                // If a thread has written it since, that is a race.
                if let Some(word) = self.groupshared.get_mut(address as usize)
                    && word.early_read.is_some()
                {
                    word.early_read = Some(read.access);
                    word.is_used = true;
                }
            }
        }
    }

    /// Handles an access to a word of groupshared memory. Returns what is missing for a read whose
    /// value is followed.
    pub(crate) fn groupshared(
        &mut self,
        subject: Subject<'_>,
        address: u32,
        access: WordAccess,
        is_followed: bool,
    ) -> Option<Missing> {
        let epoch = self.groupshared_epoch;
        let Some(word) = self.groupshared.get_mut(address as usize) else {
            // The probe of the index has reported it, if there is one.
            let inst = subject.kernel.inst_of(access.site);
            let is_known = |key: &Key| {
                key.0 == FindingKind::OutOfBounds && subject.kernel.inst_of(key.3.0) == inst
            };
            let kind = FindingKind::OutOfBounds;
            if is_followed {
                return Some(Missing::Outside(kind, groupshared(subject, address)));
            }
            #[expect(clippy::disallowed_methods, reason = "whether there is one")]
            let is_reported = self.numbers.keys().any(is_known);
            if !is_reported {
                self.report(subject, kind, groupshared(subject, address), access);
            }
            return None;
        };
        self.groupshared_unfenced.insert(access.thread);
        let conflict = word.interval.note(epoch, access);
        if access.kind == AccessKind::Write {
            word.is_written = true;
            // If another thread read it in this interval, that is a race, and is reported as one.
            (word.early_read, word.is_used) = (None, false);
        } else if !word.is_written {
            word.early_read = word.early_read.or(Some(access));
            word.is_used |= !is_followed;
        }
        let is_missing = is_followed && !word.is_written && self.has(Check::Uninitialized);
        if let Some((conflict, other)) = conflict {
            let report = Report {
                first: Some((self.group.0, other)),
                ..groupshared(subject, address)
            };
            let kind = kind_of(conflict, FindingKind::GroupsharedRace);
            self.report(subject, kind, report, access);
        }
        is_missing.then_some(Missing::Unwritten(address))
    }

    /// Notes an access to a word of a storage through a handle; `at` is its byte in the storage,
    /// `texel` its place in a texture.
    pub(crate) fn memory(
        &mut self,
        subject: Subject<'_>,
        (handle, storage): (u32, usize),
        at: usize,
        texel: Option<[i64; 3]>,
        access: WordAccess,
    ) {
        // Memory that nothing writes has no races.
        let follows = self.checks.look_at_races() || self.has(Check::Unwritten);
        if !follows || !subject.table.is_written(storage) {
            return;
        }
        self.uav_unfenced.insert(access.thread);
        let is_coherent = subject.table.is_coherent(subject.kernel, handle);
        let word = self.memory.entry((storage, at / 4)).or_default();
        let is_first = access.kind == AccessKind::Read && !word.is_written();
        let conflict = word.note(self.group.0, self.uav_epoch, is_coherent, access);
        if is_first {
            word.set_written();
        }
        let found = conflict.map(|(conflict, other)| match other {
            Other::InGroup(other) => (
                kind_of(conflict, FindingKind::UavRace),
                (self.group.0, other),
            ),
            Other::AcrossGroups(group, other) => (
                kind_of(conflict, FindingKind::CrossGroupRace),
                (group, other),
            ),
        });
        if found.is_none() && !(is_first && self.has(Check::Unwritten)) {
            return;
        }
        let byte = match &subject.table.descriptors.get(handle as usize) {
            Some(Descriptor::Buffer(buffer)) => Some(at.saturating_sub(buffer.offset) as u64),
            _ => None,
        };
        let report = |first| Report {
            resource: subject.table.name_of(subject.kernel, handle),
            byte,
            texel,
            first,
            ..Report::default()
        };
        if is_first {
            self.report(subject, FindingKind::UnwrittenUav, report(None), access);
        }
        if let Some((kind, first)) = found {
            self.report(subject, kind, report(Some(first)), access);
        }
    }

    /// Reports a thread that waits at a barrier which others do not reach.
    pub(crate) fn divergent_barrier(&mut self, subject: Subject<'_>, access: WordAccess) {
        let kind = FindingKind::DivergentBarrier;
        self.report(subject, kind, Report::default(), access);
    }

    /// Notes that the dispatch comes near the limit of steps at a block.
    pub(crate) fn near_step_limit(&mut self, place: CodeLocation, steps: u64, limit: u64) {
        if !self.has(Check::Loops) {
            return;
        }
        self.findings.push(Finding {
            kind: FindingKind::NearStepLimit,
            resource: String::new(),
            byte: None,
            texel: None,
            detail: format!("{steps} of {limit}"),
            first: None,
            second: Participant {
                group: self.group.1,
                thread: [0; 3],
                access: AccessKind::Use,
                place,
            },
            origin: None,
            count: 1,
        });
    }

    /// Counts a finding, if its check is on.
    pub(crate) fn report(
        &mut self,
        subject: Subject<'_>,
        kind: FindingKind,
        report: Report,
        second: WordAccess,
    ) {
        if !self.has(kind.check()) {
            return;
        }
        // Which of two accesses comes first is chance.
        let other = report.first.map_or(second.site, |(_, access)| access.site);
        let sites = (other.min(second.site), other.max(second.site));
        let key = (kind, report.resource, report.origin, sites);
        if let Some(&number) = self.numbers.get(&key) {
            self.findings[number].count += 1;
            self.met = (self.met.0 + 1, number);
            return;
        }
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        let first = report.first;
        let first = first.map(|(group, access)| self.participant(subject, group, access));
        self.findings.push(Finding {
            kind,
            resource: key.1.clone(),
            byte: report.byte,
            texel: report.texel,
            detail: report.detail,
            first,
            second: self.participant(subject, self.group.0, second),
            origin: subject.kernel.origin(report.origin),
            count: 1,
        });
        self.numbers.insert(key, self.findings.len() - 1);
        self.met = (self.met.0 + 1, self.findings.len() - 1);
    }

    fn participant(&self, subject: Subject<'_>, group: u32, access: WordAccess) -> Participant {
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

/// Returns the kind of a finding whose kind is this one if the order of the accesses matters.
fn kind_of(conflict: Conflict, race: FindingKind) -> FindingKind {
    match conflict {
        Conflict::Race => race,
        Conflict::SameValue => FindingKind::SameValueRace,
    }
}

/// Returns a report about a word of groupshared memory.
fn groupshared(subject: Subject<'_>, address: u32) -> Report {
    let (resource, byte) = subject.kernel.groupshared_variable(address);
    Report {
        resource,
        byte: Some(byte),
        ..Report::default()
    }
}
