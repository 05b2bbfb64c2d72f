//! Whether waves are interpreted or run native code.

#[cfg(feature = "native")]
use std::cell::Cell;
#[cfg(feature = "native")]
use std::time::{Duration, Instant};

#[cfg(feature = "native")]
use super::native_wave::Native;
#[cfg(feature = "native")]
use super::shared::Limits;
#[cfg(feature = "native")]
use crate::decode::Kernel;
#[cfg(feature = "native")]
use crate::native::Instance;

/// How the arithmetic of a dispatch is executed. The results are the same.
///
/// Only builds with the feature `native` have native code; others interpret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CodeChoice {
    /// Interpreted at first, and native code once compiling it is worth the time.
    #[default]
    Auto,
    /// Interpreted.
    Interpret,
    /// Native code from the start, where the kernel can have it: not with checks, not when it is
    /// watched, and not beyond limits of its size.
    Native,
}

/// Time that an instruction takes to be compiled, roughly, and a kernel takes in any case.
#[cfg(feature = "native")]
const COMPILE_TIME: (Duration, Duration) = (Duration::from_micros(5), Duration::from_millis(1));

/// The code that the groups of a thread run.
#[cfg(feature = "native")]
pub(super) struct CodeOfGroup {
    choice: CodeChoice,
    memory: u64,
    instance: Option<Instance>,
    /// Time that groups took while they were interpreted.
    interpreted: Duration,
    started: Option<Instant>,
}

#[cfg(feature = "native")]
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
            CodeChoice::Native => kernel.native.get(kernel),
            _ if self.interpreted >= compile_time(kernel) => kernel.native.get(kernel),
            _ => kernel.native.known(),
        };
        let instance = native
            .filter(|native| native.bytes() <= self.memory)
            .and_then(Instance::new);
        let is_decided = self.choice == CodeChoice::Native || kernel.native.is_decided();
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
            kernel: kernel.native.known()?,
            wave,
        })
    }
}

/// Returns how long it takes to compile a kernel, roughly.
#[cfg(feature = "native")]
fn compile_time(kernel: &Kernel) -> Duration {
    let (each, first) = COMPILE_TIME;
    let insts: usize = kernel.functions.iter().map(|code| code.insts.len()).sum();
    first + each * insts as u32
}
