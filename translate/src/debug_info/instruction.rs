//! Instructions of `NonSemantic.Shader.DebugInfo.100` that the translator writes, with the numbers
//! of the extended instruction set's specification.

/// Defines [`DebugInstruction`] and the name of each number.
macro_rules! define_instructions {
    ($($name:ident = $number:literal,)*) => {
        /// An instruction of the set; the discriminant is its number.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u32)]
        #[allow(clippy::enum_variant_names, reason = "the specification's names")]
        pub(super) enum DebugInstruction { $($name = $number),* }

        /// Returns the name of an instruction of `NonSemantic.Shader.DebugInfo.100` by its number,
        /// if the translator writes that instruction.
        pub const fn debug_instruction_name(number: u32) -> Option<&'static str> {
            match number {
                $($number => Some(stringify!($name)),)*
                _ => None,
            }
        }
    };
}

define_instructions! {
    DebugInfoNone = 0,
    DebugCompilationUnit = 1,
    DebugTypeBasic = 2,
    DebugTypeArray = 5,
    DebugTypeVector = 6,
    DebugTypeFunction = 8,
    DebugTypeComposite = 10,
    DebugTypeMember = 11,
    DebugGlobalVariable = 18,
    DebugFunction = 20,
    DebugLexicalBlock = 21,
    DebugScope = 23,
    DebugNoScope = 24,
    DebugInlinedAt = 25,
    DebugLocalVariable = 26,
    DebugDeclare = 28,
    DebugValue = 29,
    DebugExpression = 31,
    DebugSource = 35,
    DebugFunctionDefinition = 101,
    DebugSourceContinued = 102,
    DebugLine = 103,
    DebugNoLine = 104,
    DebugEntryPoint = 107,
    DebugTypeMatrix = 108,
}
