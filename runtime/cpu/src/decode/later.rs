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
