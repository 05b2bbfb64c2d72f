//! Whether the groups of a thread are interpreted or run native code.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::code_choice::CodeChoice;
use super::native_wave::Native;
use super::shared::Limits;
use crate::decode::Kernel;
use crate::native::{self, Instance};

/// Time that an instruction takes to be compiled, roughly, and a kernel takes in any case.
const COMPILE_TIME: (Duration, Duration) = (Duration::from_micros(5), Duration::from_millis(1));

/// The code that the groups of a thread run.
pub(super) struct CodeOfGroup {
    choice: CodeChoice,
    memory: u64,
    instance: Option<Instance>,
    /// Time that groups took while they were interpreted.
    interpreted: Duration,
    started: Option<Instant>,
}

impl CodeOfGroup {
    pub(super) fn new(limits: &Limits<'_>) -> CodeOfGroup {
        CodeOfGroup {
            choice: limits.code,
            memory: limits.memory,
            instance: None,
            interpreted: Duration::ZERO,
            started: None,
        }
    }

    /// Interprets what comes.
    pub(super) fn interpret(&mut self) {
        (self.choice, self.instance) = (CodeChoice::Interpret, None);
    }

    /// Decides how the next group is executed.
    pub(super) fn begin_group(&mut self, kernel: &Kernel) {
        if self.instance.is_some() || self.choice == CodeChoice::Interpret {
            return;
        }
        let native = match self.choice {
            CodeChoice::Native => native::compiled(kernel),
            _ if self.interpreted >= compile_time(kernel) => native::compiled(kernel),
            _ => native::known(kernel),
        };
        let instance = native
            .filter(|native| native.bytes() <= self.memory)
            .and_then(Instance::new);
        let is_decided = self.choice == CodeChoice::Native || native::is_decided(kernel);
        match instance {
            Some(instance) => self.instance = Some(instance),
            None if is_decided => self.interpret(),
            None => self.started = Some(Instant::now()),
        }
    }

    /// Returns groupshared memory of native code.
    pub(super) fn groupshared(&mut self) -> Option<&[Cell<u32>]> {
        let instance = self.instance.as_mut()?;
        Some(instance.view(0, 0).groupshared)
    }

    pub(super) fn end_group(&mut self) {
        if let Some(started) = self.started.take() {
            self.interpreted += started.elapsed();
        }
    }

    /// Returns the code for a wave; none if the group is interpreted.
    pub(super) fn native<'a>(&'a mut self, kernel: &'a Kernel, wave: usize) -> Option<Native<'a>> {
        Some(Native {
            instance: self.instance.as_mut()?,
            kernel: native::known(kernel)?,
            wave,
        })
    }
}

/// Returns how long it takes to compile a kernel, roughly.
fn compile_time(kernel: &Kernel) -> Duration {
    let (each, first) = COMPILE_TIME;
    let insts: usize = kernel.functions.iter().map(|code| code.insts.len()).sum();
    first + each * insts as u32
}
