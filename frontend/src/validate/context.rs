//! The context that the checks share: the shader, the kinds of its functions, and the list of
//! violations.

use std::cell::{Cell, OnceCell, RefCell};
use std::fmt::Display;

use cranelift_entity::SecondaryMap;

use super::handle_facts::HandleFacts;
use super::report::Violation;
use super::rules::Rule;
use crate::container::fourcc::FourCc;
use crate::dxil::type_sizes::TypeSizes;
use crate::dxil::{
    EntryPoint, MatrixType, Resource, ResourceClass, ResourceIndex, Shader, ShaderFlags,
    ShaderKind, Stage, matrix_types,
};
use crate::error::{Error, Location};
use crate::ir::{
    BlockId, FuncId, FuncView, Function, GlobalId, InstId, Module, TypeId, TypeTable, ValueId,
};
use crate::limits::{MAX_VIOLATION_NAME_BYTES, MAX_VIOLATIONS};
use crate::parts::module_flags;
use crate::tables::{HashMap, HashSet};

/// Minor number of the newest shader model (6.x) that is released; newer ones are experimental.
pub(super) const NEWEST_SHADER_MODEL: u8 = 9;
/// Minor number of the preview shader model.
pub(super) const PREVIEW_SHADER_MODEL: u8 = 10;

/// Collects violations of the rules that a validator version has.
#[derive(Default)]
pub(super) struct Sink {
    minor: Cell<u8>,
    /// Whether the preview shader model is taken for a released one.
    preview: Cell<bool>,
    violations: RefCell<Vec<Violation>>,
    left_out: Cell<usize>,
}

impl Sink {
    pub(super) fn new(minor: u8) -> Self {
        let sink = Sink::default();
        sink.minor.set(minor);
        sink
    }

    pub(super) fn minor(&self) -> u8 {
        self.minor.get()
    }

    /// Returns the minor number of the newest shader model (6.x) that is taken for a released one.
    pub(super) fn newest_shader_model(&self) -> u8 {
        if self.preview.get() {
            PREVIEW_SHADER_MODEL
        } else {
            NEWEST_SHADER_MODEL
        }
    }

    /// Takes the preview shader model for a released one, or not.
    pub(super) fn set_preview(&self, preview: bool) {
        self.preview.set(preview);
    }

    /// Changes the version, once the module says which one it asks for.
    pub(super) fn set_minor(&self, minor: u8) {
        self.minor.set(minor);
    }

    pub(super) fn report(&self, rule: Rule, location: Location, detail: impl Display) {
        self.push(rule, location, None, detail);
    }

    /// Reports an error of a reader as a violation.
    pub(super) fn error(&self, rule: Rule, error: &Error) {
        self.report(rule, error.location().clone(), error.kind());
    }

    /// Reports a violation in a part of the container.
    pub(super) fn in_part(&self, rule: Rule, part: FourCc, offset: u64, detail: impl Display) {
        let location = Location {
            part: Some(part),
            offset: Some(offset),
            ..Location::default()
        };
        self.report(rule, location, detail);
    }

    fn push(
        &self,
        rule: Rule,
        location: Location,
        function: Option<Box<str>>,
        detail: impl Display,
    ) {
        if rule.info().since > self.minor.get() {
            return;
        }
        let mut violations = self.violations.borrow_mut();
        if violations.len() >= MAX_VIOLATIONS {
            self.left_out.set(self.left_out.get() + 1);
            return;
        }
        violations.push(Violation {
            rule,
            severity: rule.info().severity,
            detail: detail.to_string().into(),
            location,
            function,
        });
    }

    /// Returns the number of violations so far.
    pub(super) fn len(&self) -> usize {
        self.violations.borrow().len()
    }

    /// Returns the violations, and how many more there were.
    pub(super) fn finish(self) -> (Vec<Violation>, usize) {
        (self.violations.into_inner(), self.left_out.get())
    }
}

/// An instruction, with its function and block.
#[derive(Debug, Clone, Copy)]
pub(super) struct InstLocation {
    pub(super) function: FuncId,
    pub(super) block: BlockId,
    pub(super) inst: InstId,
}

/// Handles of a function that were looked up before.
#[derive(Default)]
pub(super) struct KnownHandles {
    pub(super) function: Option<FuncId>,
    pub(super) handles: HashMap<ValueId, Option<HandleFacts>>,
}

/// Values of a function with uses besides markers of lifetimes.
#[derive(Default)]
pub(super) struct UsedValues {
    pub(super) function: Option<FuncId>,
    pub(super) values: HashSet<ValueId>,
}

/// A shader that is being validated.
pub(super) struct ValidationContext<'a> {
    pub(super) shader: &'a Shader,
    pub(super) layout: TypeSizes<'a>,
    pub(super) known_handles: RefCell<KnownHandles>,
    pub(super) used_beyond_lifetimes: RefCell<UsedValues>,
    pub(super) resources: ResourceIndex<'a>,
    /// Resources by their variables; made at the first search.
    variables: OnceCell<HashMap<GlobalId, (ResourceClass, usize)>>,
    /// Types of matrices; read at the first use.
    matrix_types: OnceCell<HashMap<TypeId, MatrixType>>,
    sink: &'a Sink,
    /// Entry points by function.
    entries: SecondaryMap<FuncId, Option<u32>>,
    /// Hull shaders by patch-constant function.
    hulls: SecondaryMap<FuncId, Option<u32>>,
}

impl<'a> ValidationContext<'a> {
    pub(super) fn new(shader: &'a Shader, sink: &'a Sink) -> Self {
        let mut entries = SecondaryMap::with_capacity(shader.module.functions.len());
        let mut hulls = SecondaryMap::with_capacity(shader.module.functions.len());
        for (index, entry) in (0u32..).zip(&shader.entry_points) {
            if let Some(function) = entry.function {
                #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
                {
                    entries[function] = Some(index);
                }
            }
            if let Stage::Hull {
                patch_constant_function: Some(function),
                ..
            } = entry.stage
            {
                #[allow(clippy::indexing_slicing, reason = "a secondary map grows on demand")]
                {
                    hulls[function] = Some(index);
                }
            }
        }
        let native = module_flags(shader).contains(ShaderFlags::USE_NATIVE_LOW_PRECISION);
        ValidationContext {
            shader,
            layout: TypeSizes::new(&shader.module.types, !native),
            known_handles: RefCell::default(),
            used_beyond_lifetimes: RefCell::default(),
            resources: ResourceIndex::new(&shader.resources),
            variables: OnceCell::new(),
            matrix_types: OnceCell::new(),
            sink,
            entries,
            hulls,
        }
    }

    /// Returns the first resource that a variable represents; `behind` finds the variable that a
    /// declaration names.
    pub(super) fn of_variable(
        &self,
        variable: GlobalId,
        behind: impl Fn(ValueId) -> Option<GlobalId>,
    ) -> Option<&'a Resource> {
        let variables = self.variables.get_or_init(|| {
            let mut variables = HashMap::default();
            for (place, resource) in self.shader.resources.places() {
                if let Some(variable) = resource.variable.and_then(&behind) {
                    variables.entry(variable).or_insert(place);
                }
            }
            variables
        });
        let &(class, position) = variables.get(&variable)?;
        self.shader.resources.of(class).get(position)
    }

    pub(super) fn module(&self) -> &'a Module {
        &self.shader.module
    }

    pub(super) fn types(&self) -> &'a TypeTable {
        &self.shader.module.types
    }

    /// Returns the matrix types that the module describes.
    pub(super) fn matrix_types(&self) -> &HashMap<TypeId, MatrixType> {
        self.matrix_types
            .get_or_init(|| matrix_types(self.module()))
    }

    pub(super) fn sink(&self) -> &'a Sink {
        self.sink
    }

    /// Returns the minor number of the validator version.
    pub(super) fn minor(&self) -> u8 {
        self.sink.minor()
    }

    /// Returns whether the shader model is at least that.
    pub(super) fn is_sm(&self, minor: u8) -> bool {
        self.shader.shader_model.minor >= minor
    }

    pub(super) fn is_library(&self) -> bool {
        self.shader.shader_model.kind == ShaderKind::Library
    }

    /// Returns the flags that the module declares.
    pub(super) fn flags(&self) -> ShaderFlags {
        module_flags(self.shader)
    }

    /// Returns whether 16-bit types are min-precision types.
    pub(super) fn uses_min_precision(&self) -> bool {
        !self.flags().contains(ShaderFlags::USE_NATIVE_LOW_PRECISION)
    }

    /// Returns the functions that have a body.
    pub(super) fn bodies(&self) -> impl Iterator<Item = (FuncId, &'a Function)> + use<'a> {
        let module = &self.shader.module;
        module
            .functions
            .keys()
            .filter_map(|id| Some((id, module.body(id)?)))
    }

    pub(super) fn view(&self, function: &'a Function) -> FuncView<'a> {
        FuncView {
            module: &self.shader.module,
            function,
        }
    }

    /// Returns the entry point that the function is.
    pub(super) fn entry(&self, function: FuncId) -> Option<&'a EntryPoint> {
        let index = self.entries.get(function).copied().flatten()?;
        self.shader.entry_points.get(index as usize)
    }

    /// Returns the hull shader whose patch-constant function it is.
    pub(super) fn hull_of(&self, function: FuncId) -> Option<&'a EntryPoint> {
        let index = self.hulls.get(function).copied().flatten()?;
        self.shader.entry_points.get(index as usize)
    }

    /// Returns the stage of the shader that a function is; `Library` for one that is none.
    pub(super) fn kind_of(&self, function: FuncId) -> ShaderKind {
        if !self.is_library() {
            return self.shader.shader_model.kind;
        }
        match (self.entry(function), self.hull_of(function)) {
            (Some(entry), _) => entry.kind,
            (None, Some(_)) => ShaderKind::Hull,
            (None, None) => ShaderKind::Library,
        }
    }

    /// Returns the name of a function, cut to what a message may hold.
    pub(super) fn name_of(&self, function: FuncId) -> &'a str {
        let decl = self.shader.module.functions.get(function);
        decl.map_or("", |decl| short(&decl.name))
    }

    /// Reports a violation of the module as a whole.
    pub(super) fn report(&self, rule: Rule, detail: impl Display) {
        self.sink.push(rule, in_program(), None, detail);
    }

    /// Reports a violation in a function.
    pub(super) fn report_function(&self, rule: Rule, function: FuncId, detail: impl Display) {
        let location = Location {
            function: Some(function),
            ..in_program()
        };
        let name = Some(self.name_of(function).into());
        self.sink.push(rule, location, name, detail);
    }

    /// Reports a violation of an entry point.
    pub(super) fn report_entry(&self, rule: Rule, entry: &EntryPoint, detail: impl Display) {
        match entry.function {
            Some(function) => self.report_function(rule, function, detail),
            None => self.report(rule, detail),
        }
    }

    /// Reports a violation in a block.
    pub(super) fn report_block(
        &self,
        rule: Rule,
        function: FuncId,
        block: BlockId,
        detail: impl Display,
    ) {
        let location = Location {
            function: Some(function),
            block: Some(block),
            ..in_program()
        };
        let name = Some(self.name_of(function).into());
        self.sink.push(rule, location, name, detail);
    }

    /// Reports a violation by an instruction.
    pub(super) fn report_at(&self, rule: Rule, at: InstLocation, detail: impl Display) {
        let location = Location {
            function: Some(at.function),
            block: Some(at.block),
            inst: Some(at.inst),
            ..in_program()
        };
        let name = Some(self.name_of(at.function).into());
        self.sink.push(rule, location, name, detail);
    }
}

fn in_program() -> Location {
    Location {
        part: Some(FourCc::DXIL),
        ..Location::default()
    }
}

/// Returns a name, cut to what a message may hold.
pub(super) fn short(name: &str) -> &str {
    let mut end = name.len().min(MAX_VIOLATION_NAME_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    name.get(..end).unwrap_or_default()
}

/// Returns the offset of the first byte that differs, or the length of the shorter one.
pub(super) fn first_difference(expected: &[u8], stored: &[u8]) -> usize {
    let differs = expected.iter().zip(stored).position(|(a, b)| a != b);
    differs.unwrap_or(expected.len().min(stored.len()))
}
