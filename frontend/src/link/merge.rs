//! Merges modules: tables are concatenated, and every id is rewritten.

use cranelift_entity::EntityRef;

use super::ids::{Ids, number, too_large};
use super::needed::starts;
use super::resources::DeclaredResources;
use super::search::{Needed, shown};
use super::types::TypeMerger;
use super::{body, constructors, metadata};
use crate::dxil::ops::classify_callees;
use crate::dxil::{Hints, Shader, ShaderKind, Stage, TypeAnnotations};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::{
    AttributeGroup, Constant, FuncId, FunctionDecl, Global, GlobalId, Linkage, Module, Type,
    TypeId, ValueData, ValueDef, ValueId,
};
use crate::limits;
use crate::tables::HashMap;

/// Puts the needed parts of the shaders together; the first one is the shader that runs.
pub(super) fn run(parts: &[&Shader], needed: &Needed) -> Result<Shader> {
    let Some(&first) = parts.first() else {
        return Err(Error::malformed("nothing to link"));
    };
    let mut merge = Merge {
        parts,
        needed,
        module: Module {
            triple: first.module.triple.clone(),
            data_layout: first.module.data_layout.clone(),
            encoded_bytes: parts.iter().map(|part| part.module.encoded_bytes).sum(),
            ..Module::default()
        },
        ids: Vec::new(),
        declared: DeclaredResources::default(),
        global_owners: Vec::new(),
        function_owners: Vec::new(),
    };
    // The order follows what refers to what: values name types, constants name globals and
    // functions, and bodies name all of them.
    merge.types()?;
    merge.globals()?;
    merge.functions()?;
    merge.constants()?;
    merge.initializers()?;
    metadata::run(parts, &mut merge.module, &mut merge.ids)?;
    merge.attributes()?;
    merge.bodies()?;
    merge.constructors()?;
    merge.finish()
}

struct Merge<'a> {
    parts: &'a [&'a Shader],
    needed: &'a Needed,
    module: Module,
    ids: Vec<Ids>,
    declared: DeclaredResources,
    /// The library of each variable and each function of the module.
    global_owners: Vec<usize>,
    function_owners: Vec<usize>,
}

impl Merge<'_> {
    fn is_used(&self, part: usize, value: ValueId) -> bool {
        let used = self.needed.used.get(part);
        used.and_then(|used| used.get(value.index())) == Some(&true)
    }

    fn ids(&self, part: usize) -> Result<&Ids> {
        self.ids.get(part).ok_or_else(too_large)
    }

    fn push(&mut self, ty: TypeId, def: ValueDef) -> Result<ValueId> {
        let id = ValueId::from_u32(number(self.module.values.len())?);
        self.module.values.push(ValueData { ty, def });
        Ok(id)
    }

    fn types(&mut self) -> Result<()> {
        let mut types = TypeMerger::default();
        for (part, shader) in self.parts.iter().enumerate() {
            self.ids.push(Ids {
                types: types.add(&shader.module.types)?,
                values: vec![None; shader.module.values.len()],
                functions: vec![None; shader.module.functions.len()],
                first_local: 0,
                first_node: 0,
                first_set: 0,
                kinds: HashMap::default(),
                keeps_debug: part == 0,
            });
        }
        self.module.types = types.table;
        Ok(())
    }

    /// Merges variables; those of resources that have one name are one.
    fn globals(&mut self) -> Result<()> {
        let mut names: HashMap<Box<str>, usize> = HashMap::default();
        for (part, shader) in self.parts.iter().enumerate() {
            let resources = super::resources::by_variable(shader);
            for global in shader.module.globals.values() {
                // `llvm.global_ctors` and its like describe their own module; `constructors` reads
                // what matters.
                let is_llvms = part != 0 && global.name.starts_with("llvm.");
                if !self.is_used(part, global.value) || is_llvms {
                    continue;
                }
                let ids = self.ids(part)?;
                if let Some(resource) = resources.get(&global.value) {
                    let ty = resource.ty.map(|ty| ids.ty(ty)).transpose()?;
                    let known = self.declared.find(&global.name, resource, ty)?;
                    if let Some(known) = known {
                        self.set(part, global.value, known);
                        continue;
                    }
                // Internal variables belong to their library, so equal names are different
                // variables.
                } else if global.linkage != Linkage::Internal {
                    let other = names.insert(global.name.clone(), part);
                    if other.is_some_and(|other| other != part) {
                        return Err(Error::new(ErrorKind::DefinedTwice(global.name.to_string())));
                    }
                }
                let ids = self.ids(part)?;
                let ty = ids.ty(global.ty)?;
                let pointer = match shader.module.values.get(global.value.index()) {
                    Some(data) => ids.ty(data.ty)?,
                    None => ty,
                };
                let id = GlobalId::from_u32(number(self.module.globals.len())?);
                let value = self.push(pointer, ValueDef::Global(id))?;
                self.set(part, global.value, value);
                self.global_owners.push(part);
                self.module.globals.push(Global {
                    ty,
                    value,
                    ..global.clone()
                });
                if let Some(resource) = resources.get(&global.value) {
                    let ids = self.ids(part)?;
                    let ty = resource.ty.map(|ty| ids.ty(ty)).transpose()?;
                    self.declared.add(&global.name, resource, ty, value)?;
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, part: usize, value: ValueId, now: ValueId) {
        if let Some(ids) = self.ids.get_mut(part) {
            ids.set(value, now);
        }
    }

    /// Merges functions: definitions first, so that declarations find them.
    fn functions(&mut self) -> Result<()> {
        for &(part, function) in &self.needed.bodies {
            self.add_function(part, function)?;
        }
        let mut declared: HashMap<(Box<str>, TypeId), (FuncId, ValueId)> = HashMap::default();
        for (part, shader) in self.parts.iter().enumerate() {
            for (id, decl) in &shader.module.functions {
                if decl.body.is_some() || !self.is_used(part, decl.value) {
                    continue;
                }
                let ty = self.ids(part)?.ty(decl.ty)?;
                let now = match self.needed.definitions.get(&(part, id)) {
                    Some(&(other, definition)) => self.definition(decl, ty, other, definition)?,
                    None => {
                        // With the type, since one operation is declared under one name with
                        // structures of different libraries.
                        let key = (decl.name.clone(), ty);
                        match declared.get(&key) {
                            Some(&now) => now,
                            None => {
                                let now = self.add_function(part, id)?;
                                declared.insert(key, now);
                                now
                            }
                        }
                    }
                };
                if let Some(ids) = self.ids.get_mut(part) {
                    ids.set_function(id, decl.value, now);
                }
            }
        }
        Ok(())
    }

    /// Returns the definition that a declaration refers to; it has to be called as it is defined.
    fn definition(
        &self,
        decl: &FunctionDecl,
        ty: TypeId,
        part: usize,
        function: FuncId,
    ) -> Result<(FuncId, ValueId)> {
        let found = self.ids(part)?.function(function);
        let found = found.and_then(|id| self.module.functions.get(id).map(|found| (id, found)));
        match found {
            Some((id, found)) if found.ty == ty => Ok((id, found.value)),
            Some(_) => Err(Error::new(ErrorKind::Conflict {
                name: shown(&decl.name),
                problem: "it is called with other types than it is defined with",
            })),
            None => Err(Error::new(ErrorKind::Internal("a definition is not there"))),
        }
    }

    fn add_function(&mut self, part: usize, function: FuncId) -> Result<(FuncId, ValueId)> {
        let shader = self.parts.get(part).ok_or_else(too_large)?;
        let decl = shader.module.functions.get(function);
        let decl = decl.ok_or_else(too_large)?;
        let ids = self.ids(part)?;
        let ty = ids.ty(decl.ty)?;
        let pointer = match shader.module.values.get(decl.value.index()) {
            Some(data) => ids.ty(data.ty)?,
            None => ty,
        };
        let id = FuncId::from_u32(number(self.module.functions.len())?);
        let value = self.push(pointer, ValueDef::Function(id))?;
        self.function_owners.push(part);
        self.module.functions.push(FunctionDecl {
            name: decl.name.clone(),
            ty,
            body: None,
            attributes: decl.attributes,
            convention: decl.convention,
            linkage: decl.linkage,
            value,
        });
        if let Some(ids) = self.ids.get_mut(part) {
            ids.set_function(function, decl.value, (id, value));
        }
        Ok((id, value))
    }

    fn constants(&mut self) -> Result<()> {
        // Constants may name such as come later.
        let mut added: Vec<(usize, usize, Constant)> = Vec::new();
        for (part, shader) in self.parts.iter().enumerate() {
            for (index, data) in shader.module.values.iter().enumerate() {
                if let ValueDef::Constant(constant) = data.def {
                    let ty = self.ids(part)?.ty(data.ty)?;
                    let at = self.module.values.len();
                    // A placeholder: all constants need their ids before any operand can be
                    // rewritten.
                    let value = self.push(ty, ValueDef::Constant(Constant::Undef))?;
                    self.set(part, ValueId::new(index), value);
                    added.push((part, at, constant));
                }
            }
        }
        let first_local = number(self.module.values.len())?;
        let (mut first_value, mut first_number) = (Vec::new(), Vec::new());
        for (ids, shader) in self.ids.iter_mut().zip(self.parts) {
            ids.first_local = first_local;
            first_value.push(number(self.module.value_pool.len())?);
            first_number.push(number(self.module.number_pool.len())?);
            let pool = shader.module.value_pool.iter();
            // What is not there now is not read either.
            let now = |value: &ValueId| ids.value(*value).unwrap_or(*value);
            self.module.value_pool.extend(pool.map(now));
            self.module
                .number_pool
                .extend_from_slice(&shader.module.number_pool);
        }
        for (part, at, constant) in added {
            let ids = self.ids(part)?;
            let shader = self.parts.get(part).ok_or_else(too_large)?;
            let mut is_there = true;
            constant.for_each_operand(&shader.module.value_pool, |value| {
                is_there &= ids.value(value).is_ok();
            });
            // A constant that names something unneeded is unneeded, too, and stays `undef`.
            if !is_there {
                continue;
            }
            let values = first_value.get(part).copied().unwrap_or(0);
            let numbers = first_number.get(part).copied().unwrap_or(0);
            let constant = match body::expression(constant, ids)? {
                Constant::Aggregate(mut list) => {
                    list.start = list.start.checked_add(values).ok_or_else(too_large)?;
                    Constant::Aggregate(list)
                }
                Constant::Data(mut list) => {
                    list.start = list.start.checked_add(numbers).ok_or_else(too_large)?;
                    Constant::Data(list)
                }
                Constant::Expr(crate::ir::ConstantExpr::Gep {
                    inbounds,
                    mut operands,
                }) => {
                    operands.start = operands.start.checked_add(values).ok_or_else(too_large)?;
                    Constant::Expr(crate::ir::ConstantExpr::Gep { inbounds, operands })
                }
                other => other,
            };
            if let Some(data) = self.module.values.get_mut(at) {
                data.def = ValueDef::Constant(constant);
            }
        }
        Ok(())
    }

    /// Adds the initial values: they are constants, which come after the variables.
    fn initializers(&mut self) -> Result<()> {
        let owners = std::mem::take(&mut self.global_owners);
        for (part, global) in owners.into_iter().zip(self.module.globals.values_mut()) {
            let ids = self.ids.get(part).ok_or_else(too_large)?;
            let initializer = global.initializer.map(|value| ids.value(value));
            global.initializer = initializer.transpose()?;
        }
        Ok(())
    }

    fn attributes(&mut self) -> Result<()> {
        let mut first_set = Vec::new();
        for shader in self.parts {
            let module = &shader.module;
            let groups = number(self.module.attribute_groups.len())?;
            first_set.push(number(self.module.attribute_sets.len())?);
            let all: &[AttributeGroup] = &module.attribute_groups;
            self.module.attribute_groups.extend_from_slice(all);
            for set in &module.attribute_sets {
                let moved = set.iter().map(|group| group.saturating_add(groups));
                self.module.attribute_sets.push(moved.collect());
            }
        }
        let functions = self.module.functions.values_mut();
        for (&part, decl) in self.function_owners.iter().zip(functions) {
            // Zero is none.
            if decl.attributes != 0 {
                let first = first_set.get(part).copied().unwrap_or(0);
                decl.attributes = decl.attributes.saturating_add(first);
            }
        }
        for (ids, first) in self.ids.iter_mut().zip(first_set) {
            ids.first_set = first;
        }
        Ok(())
    }

    fn bodies(&mut self) -> Result<()> {
        for &(part, function) in &self.needed.bodies {
            let shader = self.parts.get(part).ok_or_else(too_large)?;
            let ids = self.ids(part)?;
            let (Some(old), Some(id)) = (shader.module.body(function), ids.function(function))
            else {
                continue;
            };
            let body = body::run(old, id, ids)?;
            let index = number(self.module.bodies.len())?;
            self.module.bodies.push(body);
            if let Some(decl) = self.module.functions.get_mut(id) {
                decl.body = Some(index);
            }
        }
        Ok(())
    }

    /// Lets the entry points fill in the variables of imported functions.
    fn constructors(&mut self) -> Result<()> {
        let mut callees = Vec::new();
        for &(part, function) in &self.needed.constructors {
            let id = self.ids(part)?.function(function);
            let decl = id.and_then(|id| self.module.functions.get(id));
            callees.extend(decl.map(|decl| decl.value));
        }
        if callees.is_empty() {
            return Ok(());
        }
        let mut types = self.module.types.types.iter();
        let void = types.find(|(_, ty)| matches!(ty, Type::Void));
        let void = void.map(|(id, _)| id).ok_or_else(too_large)?;
        let entries = match self.parts.first() {
            Some(first)
                if first
                    .entry_points
                    .iter()
                    .any(|entry| entry.function.is_some()) =>
            {
                starts(first)
            }
            _ => Vec::new(),
        };
        // Each entry point calls each of them: the product of two counts of the input.
        let calls = entries.len() as u64 * callees.len() as u64;
        if calls > limits::MAX_INITIALIZER_CALLS {
            return Err(Error::new(ErrorKind::Limit {
                what: "calls of initializers",
                value: calls,
                limit: limits::MAX_INITIALIZER_CALLS,
            }));
        }
        for function in entries {
            let id = self.ids(0)?.function(function);
            let body = id.and_then(|id| self.module.functions.get(id)?.body);
            let body = body.and_then(|body| self.module.bodies.get_mut(body as usize));
            if let Some(body) = body {
                constructors::call_first(body, &callees, void);
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Shader> {
        let Some(&first) = self.parts.first() else {
            return Err(too_large());
        };
        let resources = self.declared.finish(first, self.ids(0)?)?;
        let mut type_annotations = TypeAnnotations::default();
        for (part, shader) in self.parts.iter().enumerate() {
            let ids = self.ids(part)?;
            for structure in &shader.type_annotations.structs {
                let mut structure = structure.clone();
                structure.ty = ids.ty(structure.ty)?;
                type_annotations.structs.push(structure);
            }
            for function in &shader.type_annotations.functions {
                if let Some(now) = ids.function(function.function) {
                    let mut function = function.clone();
                    function.function = now;
                    type_annotations.functions.push(function);
                }
            }
        }
        type_annotations
            .structs
            .sort_by_key(|structure| structure.ty);
        let ids = self.ids(0)?;
        let mut entry_points = first.entry_points.clone();
        let libraries = self.parts.iter().skip(1);
        let flags = libraries
            .flat_map(|library| &library.entry_points)
            .filter(|entry| entry.kind == ShaderKind::Library)
            .fold(crate::dxil::ShaderFlags::empty(), |flags, entry| {
                flags | entry.flags
            });
        for entry in &mut entry_points {
            entry.function = entry.function.and_then(|function| ids.function(function));
            if let Stage::Hull {
                patch_constant_function: Some(function),
                ..
            } = &mut entry.stage
                && let Some(now) = ids.function(*function)
            {
                *function = now;
            }
            // Imported code brings the features that it uses.
            entry.flags |= flags;
        }
        // Imported code may use operations of a newer shader model than its caller.
        let newest = self.parts.iter().map(|part| part.shader_model);
        let newest = newest.max_by_key(|model| (model.major, model.minor));
        let mut shader_model = first.shader_model;
        if let Some(newest) = newest {
            (shader_model.major, shader_model.minor) = (newest.major, newest.minor);
        }
        let versions = self.parts.iter().map(|part| part.dxil_version);
        Ok(Shader {
            shader_model,
            dxil_version: versions.max().unwrap_or(first.dxil_version),
            validator_version: first.validator_version,
            entry_points,
            resources,
            callees: classify_callees(&self.module)?,
            view_id_state: first.view_id_state.clone(),
            type_annotations,
            hints: Hints::new(&self.module),
            contradictions: first.contradictions.clone(),
            sources: first.sources.clone(),
            module: self.module,
        })
    }
}
