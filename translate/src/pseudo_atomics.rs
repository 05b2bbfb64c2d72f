//! Atomics on images in portable SPIR-V, for readers that implement these pseudo-operations.
//!
//! naga's IR has atomics on images without a result, but its SPIR-V front end does not accept any.
//! With [`Features::PSEUDO_IMAGE_ATOMICS`](crate::Features::PSEUDO_IMAGE_ATOMICS) each becomes a
//! store of a marked texel: the operand, the two words of [`MARK`], and the operation's number.
//! Only `R32` formats have atomics, so the other three components of a texel have no meaning; the
//! reader of the module replaces the store by an atomic.

/// The second and third component of the texel of a pseudo-operation.
pub const MARK: [u32; 2] = [0x4154_4f4d, 0xb2e7_319c];

/// What the pseudo-operation does; its number is the fourth component.
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
