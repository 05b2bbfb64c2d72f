//! Where SPIR-V comes from in the source: lines, scopes, types and variables, for debuggers and
//! profilers.
//!
//! Two forms, of which the caller chooses one ([`crate::SourceDebugInfo`]):
//!
//! * **lines**, core SPIR-V: `OpString` and `OpSource` with the texts, `OpLine` in front of
//!   instructions. An instruction that was inlined has its own line, not that of the call.
//! * **full**, the instruction set `NonSemantic.Shader.DebugInfo.100`: texts, functions, blocks,
//!   what was inlined where, types, local and global variables.
//!
//! Everything is made when it is first named, so that what the entry point does not use is not
//! there. What the metadata says wrongly (cycles, nodes of another kind, lines that the file does
//! not have) is left out: debug information can neither fail a translation nor make its result
//! invalid.
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
use rustc_hash::FxHashMap;

use crate::cfg::Dominators;
use crate::debug_info::source_file::SourceFile;
use crate::spirv::{Builder, Id, Op};

pub(crate) use errors::with_source_position;
pub use instruction::debug_instruction_name;

use instruction::DebugInstruction;

/// Name of the instruction set.
const SET: &str = "NonSemantic.Shader.DebugInfo.100";

/// Types, scopes and calls that lie in each other: deeper ones are left out.
const MAX_DEPTH: u32 = 64;

/// Operands of all lists together: shared lists could make a small file large.
const MAX_OPERANDS: usize = 1 << 18;

/// `DebugInfoFlags` (NonSemantic.Shader.DebugInfo.100, "Debug Info Flags").
mod flag {
    pub(super) const PUBLIC: u32 = 3;
    pub(super) const LOCAL: u32 = 4;
    pub(super) const DEFINITION: u32 = 8;
}

/// HLSL in SPIR-V's list of source languages.
const HLSL: u32 = 5;

/// Which form is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DebugForm {
    /// `OpLine`.
    Lines,
    /// The instruction set.
    Full {
        /// Its import.
        set: Id,
    },
}

/// What is known of the source, and what of it the module has already.
#[derive(Debug)]
pub(crate) struct SourceWriter<'a> {
    info: DebugInfo<'a>,
    sources: Option<&'a Sources>,
    form: DebugForm,
    /// Major version times 100, minor version times 10, as DXC writes it.
    version: u32,
    /// Whether values of the functions are those that the metadata names.
    has_values: bool,
    operands_left: usize,
    strings: FxHashMap<Box<str>, Id>,
    /// By name.
    files: FxHashMap<&'a str, SourceFile>,
    unit: Option<Id>,
    nothing: Option<Id>,
    expression: Option<Id>,
    scopes: FxHashMap<MdId, Id>,
    inlined: FxHashMap<MdId, Option<Id>>,
    types: FxHashMap<MdId, Option<Id>>,
    variables: FxHashMap<MdId, Option<Id>>,
    /// What holds for the code being written.
    state: SourceState,
    /// What held before the last position was written, and from where to where that stands.
    before: Option<(SourceState, usize, usize)>,
    /// Blocks of the function that is being written.
    dominators: Option<Dominators>,
    /// The block that is being written, and those that define a value.
    block: u32,
    defined: FxHashMap<Id, u32>,
}

/// What holds at the end of the code written so far.
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
    /// For a shader, if it has debug information; `has_values` says whether values are still those
    /// of the file.
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
            strings: FxHashMap::default(),
            files: FxHashMap::default(),
            unit: None,
            nothing: None,
            expression: None,
            scopes: FxHashMap::default(),
            inlined: FxHashMap::default(),
            types: FxHashMap::default(),
            variables: FxHashMap::default(),
            state: SourceState::default(),
            before: None,
            dominators: None,
            block: 0,
            defined: FxHashMap::default(),
        };
        writer.write_sources(b);
        Some(writer)
    }

    /// An instruction of the set that stands outside of functions.
    fn global(&mut self, b: &mut Builder, instruction: DebugInstruction, operands: &[Id]) -> Id {
        let DebugForm::Full { set } = self.form else {
            return Id::NONE;
        };
        self.operands_left = self.operands_left.saturating_sub(operands.len());
        b.non_semantic(set, instruction as u32, operands)
    }

    /// An instruction of the set that stands in the code.
    fn local(&self, b: &mut Builder, instruction: DebugInstruction, operands: &[Id]) {
        let DebugForm::Full { set } = self.form else {
            return;
        };
        let void = b.void();
        let mut words = vec![set.0, instruction as u32];
        words.extend(operands.iter().map(|operand| operand.0));
        b.emit(Op::ExtInst, void, &words);
    }

    /// `DebugInfoNone`.
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

    /// A string, once.
    fn string(&mut self, b: &mut Builder, text: &str) -> Id {
        // What is longer than an instruction can be is cut; names never are.
        let text = source_file::truncated(text, source_file::MAX_BYTES);
        if let Some(&id) = self.strings.get(text) {
            return id;
        }
        let id = b.string(text);
        self.strings.insert(text.into(), id);
        id
    }
}
