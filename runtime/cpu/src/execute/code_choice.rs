//! The choice of how arithmetic is executed.

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
