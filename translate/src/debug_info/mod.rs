//! Writes debug information for debuggers and profilers: the source lines, scopes, types and
//! variables that the code comes from.
//!
//! There are two forms; the caller chooses one ([`crate::SourceDebugInfo`]):
//!
//! * **lines**, core SPIR-V: `OpString` and `OpSource` with the texts, `OpLine` in front of
//!   instructions. An instruction that was inlined has its own line, not that of the call.
//! * **full**, the instruction set `NonSemantic.Shader.DebugInfo.100`: texts, functions, blocks,
//!   what was inlined where, types, local and global variables.
//!
//! Everything is written when it is first referenced, so nothing is written that the entry point
//! does not use. Malformed metadata (cycles, nodes of another kind, lines that the file does not
//! have) is left out: debug information can neither fail a translation nor make its result invalid.
//!
//! ```text
//! instruction.rs numbers and names of the set's instructions
//! sources.rs     strings, files and their texts
//! scopes.rs      compile unit, functions, blocks, calls that were inlined
//! types.rs       types
//! variables.rs   variables and their values
//! positions.rs   what lowering calls: the position of an instruction, and its scope
//! ```

mod errors;
mod instruction;
mod positions;
mod scopes;
mod source_file;
mod sources;
mod types;
mod variables;

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::debug::{DebugInfo, Sources};
use dxil_frontend::ir::{DebugLoc, MdId};
use dxil_frontend::tables::HashMap;

use crate::cfg::Dominators;
use crate::debug_info::source_file::SourceFile;
use crate::spirv::{Builder, Id, Op};

pub(crate) use errors::with_source_position;
pub use instruction::debug_instruction_name;

use instruction::DebugInstruction;

/// Name of the instruction set.
const SET: &str = "NonSemantic.Shader.DebugInfo.100";

/// Maximum nesting depth of types, scopes and inlined calls; deeper ones are left out.
const MAX_DEPTH: u32 = 64;

/// Maximum number of operands of all lists together. Metadata lists can be shared, so a small input
/// could otherwise become a huge module.
const MAX_OPERANDS: usize = 1 << 18;

/// `DebugInfoFlags` (NonSemantic.Shader.DebugInfo.100, "Debug Info Flags").
mod flag {
    pub(super) const PUBLIC: u32 = 3;
    pub(super) const LOCAL: u32 = 4;
    pub(super) const DEFINITION: u32 = 8;
}

/// The source language HLSL (SPIR-V specification, 3.2.1 "Source Language").
const HLSL: u32 = 5;

/// The form of debug information that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DebugForm {
    /// Lines only: `OpLine`.
    Lines,
    /// The extended instruction set.
    Full {
        /// Id of the import.
        set: Id,
    },
}

/// Writes debug information, and remembers what it has written.
#[derive(Debug)]
pub(crate) struct SourceWriter<'a> {
    info: DebugInfo<'a>,
    sources: Option<&'a Sources>,
    form: DebugForm,
    /// Version of the source language: the major version times 100 plus the minor version times 10,
    /// as DXC writes it.
    version: u32,
    /// Whether values of the functions are those that the metadata names.
    has_values: bool,
    operands_left: usize,
    strings: HashMap<Box<str>, Id>,
    /// By name.
    files: HashMap<&'a str, SourceFile>,
    unit: Option<Id>,
    nothing: Option<Id>,
    expression: Option<Id>,
    scopes: HashMap<MdId, Id>,
    inlined: HashMap<MdId, Option<Id>>,
    types: HashMap<MdId, Option<Id>>,
    variables: HashMap<MdId, Option<Id>>,
    /// Position and scope that apply to the code being written.
    state: SourceState,
    /// The state before the last position was written, and the range of words of that position.
    before: Option<(SourceState, usize, usize)>,
    /// Blocks of the function that is being written.
    dominators: Option<Dominators>,
    /// The block that is being written, and those that define a value.
    block: u32,
    defined: HashMap<Id, u32>,
}

/// Position and scope at the end of the code written so far.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
struct SourceState {
    /// Position of the instruction that is being lowered.
    wanted: Option<DebugLoc>,
    /// Position that was written last in the block.
    written: Option<DebugLoc>,
    /// Line: file, line, column.
    line: Option<(Id, u32, u32)>,
    /// Scope, and where it was inlined at.
    scope: Option<(Id, Option<Id>)>,
}

impl<'a> SourceWriter<'a> {
    /// Returns a writer, if the shader has debug information. `has_values` says whether values are
    /// still those that the metadata names.
    pub(crate) fn new(
        shader: &'a Shader,
        full: bool,
        has_values: bool,
        b: &mut Builder,
    ) -> Option<Self> {
        let info = DebugInfo::of(&shader.module)?;
        let form = if full {
            DebugForm::Full {
                set: b.import_non_semantic(SET),
            }
        } else {
            DebugForm::Lines
        };
        let model = shader.shader_model;
        let mut writer = SourceWriter {
            info,
            sources: shader.sources.as_deref(),
            form,
            version: u32::from(model.major) * 100 + u32::from(model.minor) * 10,
            has_values,
            operands_left: MAX_OPERANDS,
            strings: HashMap::default(),
            files: HashMap::default(),
            unit: None,
            nothing: None,
            expression: None,
            scopes: HashMap::default(),
            inlined: HashMap::default(),
            types: HashMap::default(),
            variables: HashMap::default(),
            state: SourceState::default(),
            before: None,
            dominators: None,
            block: 0,
            defined: HashMap::default(),
        };
        writer.write_sources(b);
        Some(writer)
    }

    /// Writes an instruction of the set outside of functions, and returns its id.
    fn global(&mut self, b: &mut Builder, instruction: DebugInstruction, operands: &[Id]) -> Id {
        let DebugForm::Full { set } = self.form else {
            return Id::NONE;
        };
        self.operands_left = self.operands_left.saturating_sub(operands.len());
        b.non_semantic(set, instruction as u32, operands)
    }

    /// Writes an instruction of the set into the current block.
    fn local(&self, b: &mut Builder, instruction: DebugInstruction, operands: &[Id]) {
        let DebugForm::Full { set } = self.form else {
            return;
        };
        let void = b.void();
        let mut words = vec![set.0, instruction as u32];
        words.extend(operands.iter().map(|operand| operand.0));
        b.emit(Op::ExtInst, void, &words);
    }

    /// Returns the id of `DebugInfoNone`.
    fn nothing(&mut self, b: &mut Builder) -> Id {
        match self.nothing {
            Some(id) => id,
            None => {
                let id = self.global(b, DebugInstruction::DebugInfoNone, &[]);
                self.nothing = Some(id);
                id
            }
        }
    }

    /// Returns the id of a string; equal strings share one.
    fn string(&mut self, b: &mut Builder, text: &str) -> Id {
        // An instruction has at most 65,535 words (SPIR-V specification, 2.3), so a longer string
        // is cut. Names are never that long.
        let text = source_file::truncated(text, source_file::MAX_BYTES);
        if let Some(&id) = self.strings.get(text) {
            return id;
        }
        let id = b.string(text);
        self.strings.insert(text.into(), id);
        id
    }
}
