//! Device and queue, and how to wait for them.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::layout::LayoutDevice;
use crate::cache::Cache;
use crate::error::{Error, Result};

/// Device and queue; everything made from them holds an `Arc`.
pub(super) struct Gpu {
    pub(super) adapter: wgpu::Adapter,
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) passthrough: bool,
    /// The cache of the driver's data for pipelines.
    pub(super) cache: Option<Arc<Cache>>,
    /// Hash of what that depends on.
    pub(super) identity: [u8; 32],
    pub(super) timeout: Duration,
    pub(super) stuck: AtomicBool,
    /// wgpu said that the device is gone.
    pub(super) lost: Arc<AtomicBool>,
}

impl Gpu {
    /// Returns the properties of the device that the entries of layouts depend on.
    pub(super) fn layout_device(&self) -> LayoutDevice<'_> {
        LayoutDevice {
            adapter: &self.adapter,
            features: self.device.features(),
            passthrough: self.passthrough,
        }
    }

    /// Returns whether the device has a feature.
    pub(super) fn has(&self, feature: wgpu::Features) -> bool {
        self.device.features().contains(feature)
    }

    /// Waits until a submission is done, no longer than the timeout.
    pub(super) fn wait(&self, submission: wgpu::SubmissionIndex) -> Result<()> {
        let poll = wgpu::PollType::Wait {
            submission_index: Some(submission),
            timeout: Some(self.timeout),
        };
        match self.poll(poll)? {
            Ok(()) => Ok(()),
            Err(wgpu::PollError::Timeout) => {
                // The work is still running; dropping the device would wait for it without a limit.
                self.give_up();
                Err(Error::Timeout(self.timeout))
            }
            // The submission is one of this device's: its index can only be wrong because the
            // device was lost.
            Err(wgpu::PollError::WrongSubmissionIndex(..)) => Err(Error::DeviceLost),
        }
        .and_then(|()| {
            if self.is_lost() {
                Err(Error::DeviceLost)
            } else {
                Ok(())
            }
        })
    }

    /// Keeps the device and its queue alive for the rest of the process: dropping them would wait
    /// for work that never ends.
    fn give_up(&self) {
        if !self.stuck.swap(true, Ordering::AcqRel) {
            std::mem::forget(self.device.clone());
            std::mem::forget(self.queue.clone());
        }
    }

    /// Polls the device. wgpu panics where the driver reports a lost device or a lack of memory;
    /// both become errors.
    pub(super) fn poll(&self, poll: wgpu::PollType) -> Result<Result<(), wgpu::PollError>> {
        let polled = catch_unwind(AssertUnwindSafe(|| self.device.poll(poll)));
        polled.map(|polled| polled.map(drop)).map_err(|panic| {
            // wgpu was interrupted halfway, so its state must not be dropped either.
            self.give_up();
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied())
                .unwrap_or_default()
                .to_owned();
            match text.to_lowercase() {
                said if said.contains("memory") => Error::OutOfMemory("device"),
                said if said.contains("lost") => Error::DeviceLost,
                _ => Error::Api {
                    call: "wgpu poll",
                    reason: text,
                },
            }
        })
    }

    pub(super) fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Acquire)
    }

    /// Runs calls that use wgpu and returns the first error that wgpu reported in them.
    pub(super) fn checked<T>(&self, calls: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.stuck.load(Ordering::Acquire) || self.is_lost() {
            return Err(Error::DeviceLost);
        }
        // Scopes are a stack, so they are popped in the reverse order.
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = calls();
        let validation = pollster::block_on(validation.pop());
        let internal = pollster::block_on(internal.pop());
        let memory = pollster::block_on(memory.pop());
        if memory.is_some() {
            return Err(Error::OutOfMemory("device"));
        }
        // A device that is lost in the middle makes later calls invalid: the loss is the cause, not
        // they.
        if self.is_lost() {
            return Err(Error::DeviceLost);
        }
        match validation.or(internal) {
            Some(error) => Err(Error::Api {
                call: "wgpu",
                reason: chain(&error),
            }),
            None => result,
        }
    }
}

/// Returns an error with its causes.
pub(super) fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string().trim().to_owned();
    let mut cause = error.source();
    while let Some(error) = cause {
        let line = error.to_string();
        // wgpu's errors often repeat their source's text.
        if !text.contains(line.trim()) {
            text.push_str(": ");
            text.push_str(line.trim());
        }
        cause = error.source();
    }
    text
}
