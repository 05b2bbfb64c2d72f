//! The search for the functions and values that are needed, and for the definition that a
//! declaration means.

use cranelift_entity::EntityRef;

use crate::dxil::Shader;
use crate::dxil::ops::Callee;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{FuncId, Linkage, ValueDef, ValueId};
use crate::tables::HashMap;

/// A function of one of the shaders.
pub(super) type FuncRef = (usize, FuncId);

/// The functions, initializers and values that are needed of the shaders, the first of which is the
/// one that runs.
#[derive(Default)]
pub(super) struct Needed {
    /// Whether a module-level value is used, by shader. All are of the first one.
    pub(super) used: Vec<Vec<bool>>,
    /// Functions whose bodies are needed, in the order in which they were found; the first shader's
    /// first.
    pub(super) bodies: Vec<FuncRef>,
    /// Definitions that declarations refer to.
    pub(super) definitions: HashMap<FuncRef, FuncRef>,
    /// Initializers of variables, to be called where an entry point begins.
    pub(super) constructors: Vec<FuncRef>,
    /// Names of functions that no shader defines.
    pub(super) unresolved: Vec<String>,
}

/// The definition of an exported name.
#[derive(Clone, Copy)]
enum Export {
    /// The only one.
    Once(FuncRef),
    /// Several libraries have one.
    Repeated,
}

/// Returns the functions that the shaders export, by name.
fn exports<'a>(parts: &[&'a Shader]) -> HashMap<&'a str, Export> {
    let mut exports = HashMap::default();
    for (part, shader) in parts.iter().enumerate() {
        for (id, decl) in &shader.module.functions {
            // Internal functions cannot be called from another library.
            if decl.body.is_some() && decl.linkage != Linkage::Internal {
                let export = exports.entry(&*decl.name);
                export
                    .and_modify(|known| {
                        // A module's last definition of a name is the one that counts.
                        *known = match *known {
                            Export::Once((other, _)) if other == part => Export::Once((part, id)),
                            _ => Export::Repeated,
                        };
                    })
                    .or_insert(Export::Once((part, id)));
            }
        }
    }
    exports
}

/// The search for what is needed.
pub(super) struct Search<'a> {
    pub(super) parts: &'a [&'a Shader],
    /// One map for all shaders: there may be as many of them as calls.
    exports: HashMap<&'a str, Export>,
    pub(super) needed: Needed,
    /// Bodies that have not been searched yet.
    queue: Vec<FuncRef>,
    pub(super) seen: HashMap<FuncRef, ()>,
    /// Variables that were found and that [`super::constructors`] has not looked at yet.
    pub(super) variables: Vec<(usize, ValueId)>,
}

impl<'a> Search<'a> {
    /// Begins a search in these shaders, with nothing needed yet.
    pub(super) fn new(parts: &'a [&'a Shader]) -> Self {
        let used = parts
            .iter()
            .map(|part| vec![false; part.module.values.len()]);
        Search {
            parts,
            exports: exports(parts),
            needed: Needed {
                used: used.collect(),
                ..Needed::default()
            },
            queue: Vec::new(),
            seen: HashMap::default(),
            variables: Vec::new(),
        }
    }

    /// Records that a function with a body is needed.
    pub(super) fn body(&mut self, place: FuncRef) {
        if self.seen.insert(place, ()).is_none() {
            self.needed.bodies.push(place);
            self.queue.push(place);
        }
    }

    /// Searches all bodies in the queue.
    ///
    /// # Errors
    ///
    /// `DefinedTwice` if a function that is needed has two definitions.
    pub(super) fn run(&mut self) -> Result<()> {
        while let Some((part, function)) = self.queue.pop() {
            let Some(module) = self.parts.get(part).map(|part| &part.module) else {
                continue;
            };
            let Some(body) = module.body(function) else {
                continue;
            };
            let mut found: Vec<ValueId> = Vec::new();
            for data in body.insts.values() {
                body.for_each_operand(&data.inst, |value| found.push(value));
            }
            // Constants of the function, which may name the module's values.
            for value in &body.values {
                if let ValueDef::Constant(constant) = value.def {
                    constant.for_each_operand(&body.value_pool, |value| found.push(value));
                }
            }
            self.values(part, found)?;
        }
        Ok(())
    }

    /// Records that values of a function or a module are used, and the values that they consist of.
    fn values(&mut self, part: usize, mut pending: Vec<ValueId>) -> Result<()> {
        let Some(shader) = self.parts.get(part).copied() else {
            return Ok(());
        };
        let module = &shader.module;
        while let Some(value) = pending.pop() {
            let used = self.needed.used.get_mut(part);
            let Some(used) = used.and_then(|used| used.get_mut(value.index())) else {
                continue;
            };
            // Each value is followed once, so shared and recursive structures cost linear time.
            if std::mem::replace(used, true) {
                continue;
            }
            match module.values.get(value.index()).map(|data| data.def) {
                Some(ValueDef::Global(global)) => {
                    self.variables.push((part, value));
                    let global = module.globals.get(global);
                    pending.extend(global.and_then(|global| global.initializer));
                }
                Some(ValueDef::Constant(constant)) => {
                    constant.for_each_operand(&module.value_pool, |value| pending.push(value));
                }
                Some(ValueDef::Function(function)) => self.function(part, shader, function)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn function(&mut self, part: usize, shader: &Shader, function: FuncId) -> Result<()> {
        let Some(decl) = shader.module.functions.get(function) else {
            return Ok(());
        };
        if decl.body.is_some() {
            self.body((part, function));
            return Ok(());
        }
        // DXIL operations and LLVM intrinsics have no body anywhere.
        if shader.callees.get(function) != Some(&Callee::Function) || is_intrinsic(&decl.name) {
            return Ok(());
        }
        match self.exports.get(&*decl.name).copied() {
            Some(Export::Once(definition)) => {
                self.needed.definitions.insert((part, function), definition);
                self.body(definition);
            }
            Some(Export::Repeated) => {
                return Err(Error::new(ErrorKind::DefinedTwice(shown(&decl.name))));
            }
            None => self.needed.unresolved.push(shown(&decl.name)),
        }
        Ok(())
    }
}

/// Returns a name without the byte 1, which tells LLVM not to mangle it again.
pub(super) fn shown(name: &str) -> String {
    name.strip_prefix('\u{1}').unwrap_or(name).to_owned()
}

/// Returns whether a name is reserved for the compiler.
fn is_intrinsic(name: &str) -> bool {
    // DXIL document, "Identifiers": these prefixes are reserved.
    name.starts_with("llvm.") || name.starts_with("dx.")
}
