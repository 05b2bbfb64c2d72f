//! The module under construction: its sections, ids, and the functions.

use std::collections::BTreeSet;

use dxil_frontend::tables::{HashMap, HashSet, Seeded};

use super::interner::Interner;
use super::reuse::Reuse;
use super::word_table::WordHash;
use super::{
    Capability, Decoration, ExecutionMode, ExecutionModel, Id, Op, StorageClass, Word, push_string,
};

/// A SPIR-V module under construction.
#[derive(Debug)]
pub(crate) struct Builder {
    version: u32,
    next_id: u32,
    pub(super) capabilities: Vec<Capability>,
    newer_capabilities: Vec<u32>,
    extensions: Vec<&'static str>,
    imports: Vec<u32>,
    pub(super) glsl: Id,
    memory_model: [u32; 2],
    entry_points: Vec<u32>,
    modes: Vec<u32>,
    strings: Vec<u32>,
    pub(super) debug: Vec<u32>,
    pub(super) annotations: Vec<u32>,
    /// The decorations that [`Builder::decorate_once`] has written.
    decorated: HashSet<(Id, u32)>,
    pub(super) globals: Vec<u32>,
    pub(super) interner: Interner,
    seed: Seeded,
    pub(super) strided_arrays: HashMap<(Id, u32, u32), Id>,
    /// 32-bit integer constants and their values, sorted by id.
    pub(super) literals: Vec<(Id, u32)>,
    /// Ids of the smallest 32-bit integers: indices, scopes, shifts.
    pub(super) small_literals: [Id; 64],
    pub(super) common: super::state::CommonTypes,
    /// Specialization constants by their ids.
    pub(super) specialization: Vec<(u32, Id)>,
    /// The thread group size, where it is specialized.
    pub(super) workgroup_size: Option<Id>,
    interface: Vec<Id>,
    pub(super) functions: Vec<u32>,
    locals: Vec<u32>,
    local_ids: HashSet<Id>,
    locals_at: usize,
    reuse: Reuse,
    /// Merge blocks of switches over the elements of an array of descriptors.
    pub(super) element_switches: BTreeSet<Id>,
    overlong: Option<Op>,
}

/// A function that has been begun: [`Builder::end_function`] takes it back.
#[derive(Debug)]
#[must_use]
pub(crate) struct Function {
    /// The function's id.
    pub(crate) id: Id,
}

impl Builder {
    /// Returns an empty module of that SPIR-V version (`0x00010300` is 1.3).
    pub(crate) fn new(version: u32) -> Self {
        Builder {
            version,
            next_id: 1,
            capabilities: Vec::with_capacity(8),
            newer_capabilities: Vec::new(),
            extensions: Vec::new(),
            imports: Vec::new(),
            glsl: Id::NONE,
            memory_model: [0, 1],
            entry_points: Vec::new(),
            modes: Vec::new(),
            strings: Vec::new(),
            debug: Vec::new(),
            annotations: Vec::with_capacity(64),
            decorated: HashSet::default(),
            // As much as small shaders need: allocators are slower with more than a kilobyte.
            globals: Vec::with_capacity(256),
            interner: Interner::default(),
            seed: Seeded::default(),
            strided_arrays: HashMap::default(),
            literals: Vec::with_capacity(32),
            small_literals: [Id::NONE; 64],
            common: Default::default(),
            specialization: Vec::new(),
            workgroup_size: None,
            interface: Vec::new(),
            functions: Vec::new(),
            locals: Vec::new(),
            local_ids: HashSet::default(),
            locals_at: 0,
            reuse: Reuse::default(),
            element_switches: BTreeSet::new(),
            overlong: None,
        }
    }

    /// Makes room for functions of that many IR instructions, so that the section does not move
    /// while it grows.
    pub(crate) fn reserve(&mut self, instructions: usize) {
        // Most instructions become one of four to six words; entry, resources and outputs take
        // theirs.
        self.functions.reserve(instructions * 8 + 96);
    }

    /// Returns the SPIR-V version word.
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// Raises the SPIR-V version, if it is lower. Comes before the first variable: the version
    /// decides which of them join the entry point's interface.
    pub(crate) fn raise_version(&mut self, version: u32) {
        debug_assert!(self.globals.is_empty(), "the version changes too late");
        self.version = self.version.max(version);
    }

    /// Returns a new id, to be given to an instruction later.
    pub(crate) fn fresh(&mut self) -> Id {
        let id = Id(self.next_id);
        self.next_id += 1;
        id
    }

    /// Declares a capability, once.
    pub(crate) fn capability(&mut self, capability: Capability) {
        if !self.capabilities.contains(&capability) {
            self.capabilities.push(capability);
        }
    }

    /// Declares a capability that is newer than the enumeration, once.
    pub(crate) fn newer_capability(&mut self, number: u32) {
        if !self.newer_capabilities.contains(&number) {
            self.newer_capabilities.push(number);
        }
    }

    /// Declares an extension, once.
    pub(crate) fn extension(&mut self, name: &'static str) {
        if !self.extensions.contains(&name) {
            self.extensions.push(name);
        }
    }

    /// Declares an extension that became part of SPIR-V with `core_version`, unless it is.
    pub(crate) fn extension_before(&mut self, core_version: u32, name: &'static str) {
        if self.version < core_version {
            self.extension(name);
        }
    }

    /// Returns the capabilities declared so far.
    pub(crate) fn capabilities(&self) -> &[Capability] {
        &self.capabilities
    }

    /// Returns the extensions declared so far.
    pub(crate) fn extensions(&self) -> &[&'static str] {
        &self.extensions
    }

    /// Returns the id of the `GLSL.std.450` import.
    pub(crate) fn glsl_import(&mut self) -> Id {
        if self.glsl.is_none() {
            self.glsl = self.fresh();
            let at = begin(&mut self.imports, 8);
            self.imports.push(self.glsl.0);
            push_string(&mut self.imports, "GLSL.std.450");
            end(&mut self.imports, at, &mut self.overlong, Op::ExtInstImport);
        }
        self.glsl
    }

    /// Imports a set of instructions that mean nothing to the device.
    pub(crate) fn import_non_semantic(&mut self, name: &str) -> Id {
        self.extension_before(0x0001_0600, "SPV_KHR_non_semantic_info");
        let id = self.fresh();
        let at = begin(&mut self.imports, 8);
        self.imports.push(id.0);
        push_string(&mut self.imports, name);
        end(&mut self.imports, at, &mut self.overlong, Op::ExtInstImport);
        id
    }

    /// Returns a string for instructions that mean nothing to the device.
    pub(crate) fn string(&mut self, text: &str) -> Id {
        let id = self.fresh();
        let at = begin(&mut self.strings, 0);
        self.strings.push(id.0);
        push_string(&mut self.strings, text);
        end(&mut self.strings, at, &mut self.overlong, Op::String);
        id
    }

    /// Returns an instruction of such a set, outside of all functions.
    pub(crate) fn non_semantic(&mut self, set: Id, instruction: u32, operands: &[Id]) -> Id {
        let void = self.void();
        let mut words = vec![set.0, instruction];
        words.extend(operands.iter().map(|operand| operand.0));
        self.global(Op::ExtInst, void, &words)
    }

    /// Gives the text of a source file; `file` is a string.
    pub(crate) fn source(&mut self, language: u32, version: u32, file: Id, text: &str) {
        let at = begin(&mut self.strings, text.len() / 4 + 5);
        self.strings.extend([language, version, file.0]);
        push_string(&mut self.strings, text);
        end(&mut self.strings, at, &mut self.overlong, Op::Source);
    }

    /// Goes on with the text of the source file that was given last.
    pub(crate) fn source_continued(&mut self, text: &str) {
        let at = begin(&mut self.strings, text.len() / 4 + 2);
        push_string(&mut self.strings, text);
        end(
            &mut self.strings,
            at,
            &mut self.overlong,
            Op::SourceContinued,
        );
    }

    /// Sets addressing and memory model (default: Logical, GLSL450).
    pub(crate) fn memory_model(&mut self, addressing: u32, memory: u32) {
        self.memory_model = [addressing, memory];
    }

    /// Returns addressing and memory model.
    pub(crate) fn current_memory_model(&self) -> [u32; 2] {
        self.memory_model
    }

    /// Declares an entry point; the interface list is made of all global variables at the end, so
    /// this comes after the last of them.
    pub(crate) fn entry_point(&mut self, model: ExecutionModel, function: Id, name: &str) {
        let words = &mut self.entry_points;
        let at = begin(words, 4 + name.len() / 4 + self.interface.len());
        words.extend([model as u32, function.0]);
        push_string(words, name);
        words.extend(self.interface.iter().map(|id| id.0));
        end(words, at, &mut self.overlong, Op::EntryPoint);
    }

    /// Adds an execution mode.
    pub(crate) fn execution_mode(&mut self, function: Id, mode: ExecutionMode, operands: &[u32]) {
        push_parts(
            &mut self.modes,
            &mut self.overlong,
            Op::ExecutionMode,
            &[function.0, mode as u32],
            operands,
        );
    }

    /// Adds an execution mode, by number, whose operands are ids.
    pub(crate) fn execution_mode_id(&mut self, function: Id, mode: u32, operands: &[Id]) {
        let words = &mut self.modes;
        let at = begin(words, operands.len() + 3);
        words.extend([function.0, mode]);
        words.extend(operands.iter().map(|id| id.0));
        end(words, at, &mut self.overlong, Op::ExecutionModeId);
    }

    /// Names an id, for readers of the module.
    pub(crate) fn name(&mut self, id: Id, name: &str) {
        if name.is_empty() {
            return;
        }
        let at = begin(&mut self.debug, 0);
        self.debug.push(id.0);
        push_string(&mut self.debug, name);
        end(&mut self.debug, at, &mut self.overlong, Op::Name);
    }

    /// Names a member of a struct.
    pub(crate) fn member_name(&mut self, ty: Id, member: u32, name: &str) {
        let at = begin(&mut self.debug, 0);
        self.debug.extend([ty.0, member]);
        push_string(&mut self.debug, name);
        end(&mut self.debug, at, &mut self.overlong, Op::MemberName);
    }

    /// Decorates an id.
    pub(crate) fn decorate(&mut self, id: Id, decoration: Decoration, operands: &[u32]) {
        let header = [id.0, decoration as u32];
        push_parts(
            &mut self.annotations,
            &mut self.overlong,
            Op::Decorate,
            &header,
            operands,
        );
    }

    /// Decorates an id with a decoration whose operand is an id.
    pub(crate) fn decorate_id(&mut self, id: Id, decoration: Decoration, operand: Id) {
        let header = [id.0, decoration as u32];
        push_parts(
            &mut self.annotations,
            &mut self.overlong,
            Op::DecorateId,
            &header,
            &[operand.0],
        );
    }

    /// Decorates an id, unless this has given it that decoration already.
    pub(crate) fn decorate_once(&mut self, id: Id, decoration: Decoration) {
        if self.decorated.insert((id, decoration as u32)) {
            self.decorate(id, decoration, &[]);
        }
    }

    /// Decorates a member of a struct.
    pub(crate) fn member_decorate(
        &mut self,
        ty: Id,
        member: u32,
        decoration: Decoration,
        operands: &[u32],
    ) {
        let header = [ty.0, member, decoration as u32];
        push_parts(
            &mut self.annotations,
            &mut self.overlong,
            Op::MemberDecorate,
            &header,
            operands,
        );
    }

    /// Returns a type or constant that is the same wherever its words are the same. `ty` is the
    /// result type of a constant, [`Id::NONE`] for a type.
    #[inline(never)]
    pub(super) fn intern<W: Word>(&mut self, op: Op, ty: Id, operands: &[W]) -> Id {
        self.intern_here(op, ty, operands)
    }

    /// Does the same as [`Self::intern`], with code of its own for the caller's opcode and number
    /// of operands: for what modules have most of.
    #[inline(always)]
    pub(super) fn intern_here<W: Word>(&mut self, op: Op, ty: Id, operands: &[W]) -> Id {
        self.find_or_intern_next(op, ty, operands)
            .unwrap_or_else(|| self.global(op, ty, operands))
    }

    /// Returns the type or constant with these words. If there is none, interns the global
    /// instruction that comes next, which the caller writes.
    #[inline(always)]
    pub(super) fn find_or_intern_next<W: Word>(
        &mut self,
        op: Op,
        ty: Id,
        operands: &[W],
    ) -> Option<Id> {
        let (skip, header, hash) = self.interned_words(op, ty, operands);
        let globals = &self.globals;
        let is_same = |at| is_same_global(&globals[at..], skip, header, ty, operands);
        let found = self.interner.find_or_put(hash, globals.len(), is_same)?;
        Some(Id(globals[found + skip - 1]))
    }

    /// Returns the type or constant with these words.
    pub(super) fn find_global(&mut self, op: Op, ty: Id, operands: &[u32]) -> Option<Id> {
        let (skip, header, hash) = self.interned_words(op, ty, operands);
        let globals = &self.globals;
        let is_same = |at| is_same_global(&globals[at..], skip, header, ty, operands);
        let found = self.interner.find(hash, is_same)?;
        Some(Id(globals[found + skip - 1]))
    }

    /// Returns the number of words before the operands of a type or constant, its first word, and
    /// its hash.
    #[inline(always)]
    fn interned_words<W: Word>(
        &mut self,
        op: Op,
        ty: Id,
        operands: &[W],
    ) -> (usize, u32, WordHash) {
        // Words of a type: header, result, operands; of a constant: header, type, result, operands.
        let skip = if ty.is_none() { 2 } else { 3 };
        let header = self.header(op, operands.len() + skip);
        let hash = WordHash::new(self.seed, header, ty.0, operands);
        (skip, header, hash)
    }

    /// Returns a global instruction that is not interned (variables, decorated types).
    #[inline]
    pub(super) fn global<W: Word>(&mut self, op: Op, ty: Id, operands: &[W]) -> Id {
        let id = self.fresh();
        self.push_global(op, ty, id, operands);
        id
    }

    #[inline]
    pub(super) fn push_global<W: Word>(&mut self, op: Op, ty: Id, id: Id, operands: &[W]) {
        let operands = operands.iter().map(|operand| operand.word());
        if ty.is_none() {
            let header = self.header(op, operands.len() + 2);
            self.globals
                .extend([header, id.0].into_iter().chain(operands));
        } else {
            let header = self.header(op, operands.len() + 3);
            let words = [header, ty.0, id.0].into_iter().chain(operands);
            self.globals.extend(words);
        }
    }

    /// Returns a module-scope variable. It joins the entry point's interface where the version asks
    /// for it.
    pub(crate) fn global_variable(
        &mut self,
        class: StorageClass,
        pointer_ty: Id,
        initializer: Option<Id>,
    ) -> Id {
        let id = match initializer {
            Some(initializer) => {
                self.global(Op::Variable, pointer_ty, &[class as u32, initializer.0])
            }
            None => self.global(Op::Variable, pointer_ty, &[class as u32]),
        };
        self.join_interface(class, id);
        id
    }

    /// Returns a module-scope variable without a type.
    pub(crate) fn untyped_variable(&mut self, class: StorageClass) -> Id {
        let pointer_ty = self.untyped_pointer(class);
        let id = self.global(Op::UntypedVariableKHR, pointer_ty, &[class as u32]);
        self.join_interface(class, id);
        id
    }

    fn join_interface(&mut self, class: StorageClass, id: Id) {
        // Before SPIR-V 1.4 the interface lists inputs and outputs only (3.3.5, `OpEntryPoint`).
        if self.version >= 0x0001_0400
            || matches!(class, StorageClass::Input | StorageClass::Output)
        {
            self.interface.push(id);
        }
    }

    /// Returns the variables outside of functions.
    pub(crate) fn global_variables(&self) -> Vec<Id> {
        variables_among(&self.globals)
    }

    /// Returns whether this is a variable of the function under construction.
    pub(crate) fn is_local_variable(&self, id: Id) -> bool {
        self.local_ids.contains(&id)
    }

    /// Begins a function; its parameters follow ([`Self::parameter`]), then the entry block's label
    /// ([`Self::entry_label`]).
    pub(crate) fn begin_function(&mut self, id: Id, ret: Id, function_ty: Id) -> Function {
        self.emit_as(Op::Function, ret, id, &[0, function_ty.0]);
        self.locals.clear();
        self.local_ids.clear();
        Function { id }
    }

    /// Notes the merge block of a switch over the elements of an array of descriptors.
    pub(crate) fn mark_element_switch(&mut self, merge: Id) {
        self.element_switches.insert(merge);
    }

    /// Returns a parameter of the function that was begun last.
    pub(crate) fn parameter(&mut self, ty: Id) -> Id {
        self.emit::<u32>(Op::FunctionParameter, ty, &[])
    }

    /// Writes the label of the function's first block; local variables go right after it.
    pub(crate) fn entry_label(&mut self, id: Id) {
        self.emit_void(Op::Label, &[id]);
        self.reuse.begin_block(true);
        self.locals_at = self.functions.len();
    }

    /// Writes the label of any other block.
    pub(crate) fn label(&mut self, id: Id) {
        self.emit_void(Op::Label, &[id]);
        self.reuse.begin_block(false);
    }

    /// Returns a variable of the function under construction, wherever the code is at.
    pub(crate) fn local_variable(&mut self, pointer_ty: Id, initializer: Option<Id>) -> Id {
        let id = self.fresh();
        self.local_ids.insert(id);
        let class = StorageClass::Function as u32;
        match initializer {
            Some(init) => {
                let header = self.header(Op::Variable, 5);
                self.locals
                    .extend([header, pointer_ty.0, id.0, class, init.0]);
            }
            None => {
                let header = self.header(Op::Variable, 4);
                self.locals.extend([header, pointer_ty.0, id.0, class]);
            }
        }
        id
    }

    /// Ends the function.
    pub(crate) fn end_function(&mut self, function: Function) -> Id {
        self.emit_void::<u32>(Op::FunctionEnd, &[]);
        if !self.locals.is_empty() {
            let at = self.locals_at;
            // Variables stand at the start of the first block (2.4), but the lowering finds out
            // that it needs one anywhere. They are moved once per function, at its end.
            self.functions.splice(at..at, self.locals.drain(..));
        }
        // Results of a function are used in it alone (2.16.1).
        self.reuse.forget();
        function.id
    }

    /// Appends an instruction with a result to the current block.
    pub(crate) fn emit<W: Word>(&mut self, op: Op, ty: Id, operands: &[W]) -> Id {
        let id = self.fresh();
        self.emit_as(op, ty, id, operands);
        id
    }

    /// Lets [`Self::emit_once`] reuse results from here on.
    pub(crate) fn reuse_results(&mut self) {
        self.reuse.is_on = true;
    }

    /// Returns the result of an instruction that depends on its operands alone: of an equal one
    /// that was written before and whose block dominates this one, if it is known.
    #[inline(never)]
    pub(crate) fn emit_once<W: Word>(&mut self, op: Op, ty: Id, operands: &[W]) -> Id {
        self.emit_once_here(op, ty, operands)
    }

    /// Does the same as [`Self::emit_once`], with code of its own for the caller's opcode and
    /// number of operands: for what modules have most of.
    #[inline(always)]
    pub(super) fn emit_once_here<W: Word>(&mut self, op: Op, ty: Id, operands: &[W]) -> Id {
        if !self.reuse.is_on {
            return self.emit(op, ty, operands);
        }
        let header = self.header(op, operands.len() + 3);
        let hash = WordHash::new(self.seed, header, ty.0, operands);
        let functions = &self.functions;
        let is_same = |at: usize| {
            matches!(functions.get(at..), Some([first, known_ty, _, rest @ ..])
                if (*first, *known_ty) == (header, ty.0)
                    && operands.iter().zip(rest).all(|(word, &known)| word.word() == known))
        };
        let serving = self.reuse.find_or_put(hash, functions.len(), is_same);
        if let Some(&id) = serving.and_then(|at| functions.get(at + 2)) {
            return Id(id);
        }
        self.emit(op, ty, operands)
    }

    /// Appends an instruction whose result id was made before.
    pub(crate) fn emit_as<W: Word>(&mut self, op: Op, ty: Id, id: Id, operands: &[W]) {
        let operands = operands.iter().map(|operand| operand.word());
        let header = self.header(op, operands.len() + 3);
        let words = [header, ty.0, id.0].into_iter().chain(operands);
        self.functions.extend(words);
    }

    /// Appends an instruction with a result whose operands are in two parts.
    pub(super) fn emit_parts<W: Word, const N: usize>(
        &mut self,
        op: Op,
        ty: Id,
        first: [u32; N],
        rest: &[W],
    ) -> Id {
        let id = self.fresh();
        let header = self.header(op, 3 + N + rest.len());
        let words = [header, ty.0, id.0].into_iter().chain(first);
        self.functions
            .extend(words.chain(rest.iter().map(|operand| operand.word())));
        id
    }

    /// Appends an instruction without result to the current block.
    pub(crate) fn emit_void<W: Word>(&mut self, op: Op, operands: &[W]) {
        let header = self.header(op, operands.len() + 1);
        self.functions.push(header);
        self.functions
            .extend(operands.iter().map(|operand| operand.word()));
    }

    /// Returns the position of the next instruction of the function under construction.
    pub(crate) fn position(&self) -> usize {
        self.functions.len()
    }

    /// Takes the instructions from that position on back. Nothing may refer to them, so none of
    /// them may be from [`Self::emit_once`].
    pub(crate) fn take_back(&mut self, position: usize) {
        self.functions.truncate(position);
    }

    /// Fills in an operand that was not known when its instruction was written (phis of loops).
    pub(crate) fn patch(&mut self, position: usize, id: Id) {
        if let Some(word) = self.functions.get_mut(position) {
            *word = id.0;
        }
    }

    /// Returns the first word of an instruction of `words` words, this one included.
    fn header(&mut self, op: Op, words: usize) -> u32 {
        header(&mut self.overlong, op, words)
    }

    /// Returns the module's words, or the opcode of an instruction that has more than 65,535.
    pub(crate) fn assemble(&self) -> Result<Vec<u32>, Op> {
        if let Some(op) = self.overlong {
            return Err(op);
        }
        // In the order of 2.4 "Logical Layout of a Module".
        let sections = [
            &self.imports,
            &self.entry_points,
            &self.modes,
            &self.strings,
            &self.debug,
            &self.annotations,
            &self.globals,
            &self.functions,
        ];
        let size: usize = sections.iter().map(|section| section.len()).sum();
        let mut words = Vec::with_capacity(size + 64);
        // The generator word is 0: this tool has no number in Khronos' registry.
        words.extend([
            rspirv::spirv::MAGIC_NUMBER,
            self.version,
            0,
            self.next_id,
            0,
        ]);
        let capabilities = self
            .capabilities
            .iter()
            .map(|&capability| capability as u32);
        for capability in capabilities.chain(self.newer_capabilities.iter().copied()) {
            words.extend([(2 << 16) | Op::Capability as u32, capability]);
        }
        let mut overlong = None;
        for name in &self.extensions {
            let at = begin(&mut words, 0);
            push_string(&mut words, name);
            end(&mut words, at, &mut overlong, Op::Extension);
        }
        words.extend_from_slice(&self.imports);
        words.push((3 << 16) | Op::MemoryModel as u32);
        words.extend(self.memory_model);
        for section in &sections[1..] {
            words.extend_from_slice(section);
        }
        Ok(words)
    }
}

/// Returns the results of the `OpVariable`s among instructions.
fn variables_among(mut words: &[u32]) -> Vec<Id> {
    let mut found = Vec::new();
    while let [header, ..] = *words {
        if let ([_, _, id, ..], true) = (words, header & 0xffff == Op::Variable as u32) {
            found.push(Id(*id));
        }
        let length = (header >> 16).max(1) as usize;
        words = words.get(length..).unwrap_or_default();
    }
    found
}

fn header(overlong: &mut Option<Op>, op: Op, words: usize) -> u32 {
    if words > 0xffff {
        // The word count has 16 bits (2.3). The error waits for `assemble`, so that writing an
        // instruction cannot fail.
        overlong.get_or_insert(op);
    }
    ((words as u32) << 16) | op as u32
}

/// Returns whether words begin with a type or constant, apart from its id: `skip` words stand
/// before its operands.
#[inline(always)]
fn is_same_global<W: Word>(
    words: &[u32],
    skip: usize,
    header: u32,
    ty: Id,
    operands: &[W],
) -> bool {
    words[0] == header
        && (ty.is_none() || words[1] == ty.0)
        && words[skip..]
            .iter()
            .zip(operands)
            .all(|(&word, operand)| word == operand.word())
}

/// Begins an instruction of about that many words; [`end`] fills its header in.
fn begin(section: &mut Vec<u32>, words: usize) -> usize {
    section.reserve(words);
    section.push(0);
    section.len() - 1
}

/// Ends the instruction that began at that place.
fn end(section: &mut [u32], at: usize, overlong: &mut Option<Op>, op: Op) {
    section[at] = header(overlong, op, section.len() - at);
}

fn push_parts(section: &mut Vec<u32>, overlong: &mut Option<Op>, op: Op, a: &[u32], b: &[u32]) {
    section.push(header(overlong, op, a.len() + b.len() + 1));
    section.extend_from_slice(a);
    section.extend_from_slice(b);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locals_stand_at_the_start_of_the_entry_block() {
        let mut b = Builder::new(0x0001_0300);
        let void = b.void();
        let function_ty = b.function_type(void, &[]);
        let u32_ty = b.u32();
        let pointer = b.pointer(StorageClass::Function, u32_ty);
        let id = b.fresh();
        let function = b.begin_function(id, void, function_ty);
        let label = b.fresh();
        b.entry_label(label);
        b.emit_void::<u32>(Op::Nop, &[]);
        b.local_variable(pointer, None);
        b.emit_void::<u32>(Op::Return, &[]);
        b.end_function(function);
        let words = b.assemble().unwrap();
        let module = rspirv::dr::load_words(&words).unwrap();
        let ops: Vec<_> = module.functions[0].blocks[0]
            .instructions
            .iter()
            .map(|inst| inst.class.opcode)
            .collect();
        assert_eq!(ops, [Op::Variable, Op::Nop, Op::Return]);
    }

    #[test]
    fn equal_types_and_constants_share_an_id() {
        let mut b = Builder::new(0x0001_0600);
        let u32_ty = b.u32();
        assert_eq!(b.vector(u32_ty, 4), b.vector(u32_ty, 4));
        assert_ne!(b.vector(u32_ty, 4), b.vector(u32_ty, 3));
        assert_eq!(b.const_u32(7), b.const_u32(7));
        assert_ne!(b.const_u32(7), b.const_u32(8));
        let members = [u32_ty, u32_ty];
        assert_eq!(b.struct_type(&members), b.struct_type(&members));
        assert_ne!(b.struct_type(&members), b.struct_type(&members[..1]));
    }
}
