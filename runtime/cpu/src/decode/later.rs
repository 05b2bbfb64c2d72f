//! What others make of a kernel when they need it.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A value of a type that this module does not know; none if it cannot be made.
#[derive(Clone, Default)]
pub(crate) struct Later(pub(crate) OnceLock<Option<Arc<dyn Any + Send + Sync>>>);

impl fmt::Debug for Later {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_made = matches!(self.0.get(), Some(Some(_)));
        f.debug_tuple("Later").field(&is_made).finish()
    }
}

#[cfg(test)]
impl super::Kernel {
    /// Returns a compute shader of a wave whose code is given.
    pub(crate) fn of_code(code: super::FunctionCode, wave_size: u32) -> super::Kernel {
        super::Kernel {
            functions: vec![code],
            num_threads: [wave_size, 1, 1],
            wave_size,
            stage: Some(super::ShaderKind::Compute),
            ..super::Kernel::with_checks(crate::check::Checks::default())
        }
    }
}
