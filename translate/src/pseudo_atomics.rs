//! Atomics on images in portable SPIR-V, for readers that implement these pseudo-operations.
//!
//! naga's IR has atomics on images without a result, but its SPIR-V front end has no
//! `OpImageTexelPointer`. With
//! [`Features::PSEUDO_IMAGE_ATOMICS`](crate::Features::PSEUDO_IMAGE_ATOMICS) each becomes an
//! `OpImageWrite` whose texel has two components: the operand, and the number of a
//! [`PseudoAtomic`]. Only `R32` formats have atomics, so that one component is enough for SPIR-V;
//! every other store in a portable module has a texel of four components. The reader of the module
//! replaces the store by an atomic.

/// The effect of the pseudo-operation; its number is the texel's second component.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
#[allow(missing_docs, reason = "the names say it")]
pub enum PseudoAtomic {
    Add,
    And,
    Or,
    Xor,
    /// In the order of the texel's sign.
    Min,
    Max,
}

impl PseudoAtomic {
    /// Returns the operation with a number.
    pub fn from_number(number: u32) -> Option<Self> {
        use PseudoAtomic as A;
        let all = [A::Add, A::And, A::Or, A::Xor, A::Min, A::Max];
        all.into_iter().find(|atomic| *atomic as u32 == number)
    }
}
