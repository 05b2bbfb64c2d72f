//! Names of the functions of operations: `dx.op.CLASS.OVERLOAD`, and what older compilers wrote
//! instead of the class.

use super::Opcode;

/// The prefix of the names of operations.
pub(super) const PREFIX: &str = "dx.op.";

impl Opcode {
    /// Returns whether a function of that name is one for the operation's class: `dx.op.CLASS` or
    /// `dx.op.CLASS.OVERLOAD`.
    pub fn is_called_by(self, name: &str) -> bool {
        let rest = name
            .strip_prefix(PREFIX)
            .and_then(|operation| operation.strip_prefix(self.class()));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// Returns whether a call of the operation may go through a function of that name: one of its
    /// class, or one that has the operation's own name (`dx.op.fabs.f32`, `dx.op.bfi.i32`), as
    /// gogpu/naga before 0.17.4 wrote them. DXIL's validator refuses the latter; drivers look at
    /// the opcode alone.
    pub fn may_be_called_by(self, name: &str) -> bool {
        self.is_called_by(name)
            || name.strip_prefix(PREFIX).is_some_and(|operation| {
                let (given, _) = split_once(operation, b'.').unwrap_or((operation, ""));
                self.has_own_name(given)
            })
    }

    /// Returns the first operation with that own name.
    pub(super) fn with_own_name(given: &str) -> Option<Opcode> {
        Self::ALL.iter().copied().find(|op| op.has_own_name(given))
    }

    /// Returns whether a text is the operation's own name, in any case and with or without
    /// underscores.
    fn has_own_name(self, given: &str) -> bool {
        fn letters(text: &str) -> impl Iterator<Item = u8> {
            let letters = text.bytes().filter(|&letter| letter != b'_');
            letters.map(|letter| letter.to_ascii_lowercase())
        }
        let given = match given {
            "reverseBits" => Opcode::Bfrev.name(),
            given => given,
        };
        letters(self.name()).eq(letters(given))
    }
}

/// Splits a text at the first occurrence of an ASCII character. The texts are short, where a loop
/// takes less than the standard library's search.
pub(super) fn split_once(text: &str, at: u8) -> Option<(&str, &str)> {
    let index = text.bytes().position(|byte| byte == at)?;
    Some((text.get(..index)?, text.get(index + 1..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_go_through_the_class_or_the_own_name() {
        let through = |op: Opcode, name: &str| (op.is_called_by(name), op.may_be_called_by(name));
        assert_eq!(through(Opcode::Bfi, "dx.op.quaternary.i32"), (true, true));
        for (op, name) in [
            (Opcode::Bfi, "dx.op.bfi.i32"),
            (Opcode::FAbs, "dx.op.fabs.f32"),
            (Opcode::RoundNi, "dx.op.round_ni.f32"),
            (Opcode::RoundNi, "dx.op.roundNI.f32"),
            (Opcode::Countbits, "dx.op.countBits.i32"),
            (Opcode::Bfrev, "dx.op.reverseBits.i32"),
            (Opcode::FirstbitSHi, "dx.op.firstbitSHi.i32"),
        ] {
            assert_eq!(through(op, name), (false, true), "{name}");
        }
        for (op, name) in [
            (Opcode::Bfi, "dx.op.tertiary.i32"),
            (Opcode::Bfi, "dx.op.ubfe.i32"),
            (Opcode::Bfi, "bfi"),
            (Opcode::Bfi, "dx.op.bf"),
            (Opcode::Bfi, "dx.op."),
        ] {
            assert_eq!(through(op, name), (false, false), "{name}");
        }
    }
}
