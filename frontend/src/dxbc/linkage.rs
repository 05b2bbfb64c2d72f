//! Class linkage: which class instance each interface of a shader stands for, as the caller names
//! them (`ID3D11ClassLinkage`; D3D11.3 functional specification, 7.19.6).

use super::declared_interfaces::{DeclaredInterfaces, MAX_INTERFACE_SLOTS};
use crate::FourCc;
use crate::container::interfaces::{ClassInstanceDefinition, InterfaceCandidates, Interfaces};
use crate::container::{Container, ResourceDefinitions};
use crate::dxil::ResourceClass;
use crate::error::{Error, Result};

/// The class that implements an interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Implementation {
    /// A class by its name in the source, which the IFCE part lists.
    Class(Box<str>),
    /// A function table by its number in the program, for a container without that part.
    FunctionTable(u32),
}

/// A class instance: a class and the place of its data (`ID3D11ClassLinkage::CreateClassInstance`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassInstance {
    /// The class.
    pub implementation: Implementation,
    /// Slot of the constant buffer with the data.
    pub constant_buffer: u32,
    /// First register of 16 bytes of the data.
    pub constant_offset: u32,
    /// Slot of the first texture.
    pub texture: u32,
    /// Slot of the first sampler.
    pub sampler: u32,
}

impl ClassInstance {
    /// Returns an instance of a class that has no data.
    pub fn of_class(name: &str) -> Self {
        ClassInstance {
            implementation: Implementation::Class(name.into()),
            constant_buffer: 0,
            constant_offset: 0,
            texture: 0,
            sampler: 0,
        }
    }
}

/// The class instances of a shader's interfaces, by slot: the array that `PSSetShader` takes. A
/// slot without one may only be reached by an index that the shader computes; then it calls
/// nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClassLinkage {
    /// By interface slot.
    pub slots: Vec<Option<ClassInstance>>,
}

impl ClassLinkage {
    /// Puts an instance into a slot.
    ///
    /// # Errors
    /// If no shader has a slot of that number.
    pub fn bind(&mut self, slot: u32, instance: ClassInstance) -> Result<()> {
        if slot >= MAX_INTERFACE_SLOTS {
            return Err(Error::malformed(format!(
                "interface slot {slot}; a shader has at most {MAX_INTERFACE_SLOTS}"
            )));
        }
        let slot = slot as usize;
        if self.slots.len() <= slot {
            self.slots.resize(slot + 1, None);
        }
        if let Some(place) = self.slots.get_mut(slot) {
            *place = Some(instance);
        }
        Ok(())
    }
}

/// An interface variable of a shader, or an array of them, with the classes that it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReflectedInterface {
    /// Name in the source; empty where the container has none.
    pub name: String,
    /// First interface slot.
    pub slot: u32,
    /// Number of slots.
    pub slots: u32,
    /// Names of the classes that may be bound. Empty in a container without IFCE part.
    pub classes: Vec<String>,
    /// The function table of each class, or, without IFCE part, all that may be bound.
    pub tables: Vec<u32>,
}

impl ReflectedInterface {
    /// Returns the interfaces that a DXBC container has; none of another container.
    ///
    /// # Errors
    /// If the parts that tell of them are malformed.
    pub fn all(container: &Container<'_>) -> Result<Vec<ReflectedInterface>> {
        if !container.has_dxbc_program() {
            return Ok(Vec::new());
        }
        let program = super::Program::of_container(container)?;
        let declared = DeclaredInterfaces::of_program(&program)?;
        let parsed = interfaces_of(container)?;
        let definitions = container.part(FourCc::RDEF);
        let definitions = definitions.and_then(|part| ResourceDefinitions::parse(part).ok());
        let mut all: Vec<ReflectedInterface> = Vec::new();
        match &parsed {
            Some(parsed) => {
                all.extend(parsed.interfaces.iter().map(|found| of_part(parsed, found)))
            }
            None => all.extend(declared.list.iter().map(|found| ReflectedInterface {
                name: String::new(),
                slot: found.first_slot,
                slots: found.slots,
                classes: Vec::new(),
                tables: found.tables.clone(),
            })),
        }
        for interface in &mut all {
            let named = definitions
                .as_ref()
                .and_then(|it| variable(it, interface.slot));
            interface.name = named.unwrap_or_default().to_owned();
        }
        Ok(all)
    }
}

fn of_part(parsed: &Interfaces<'_>, found: &InterfaceCandidates) -> ReflectedInterface {
    let class = |number: u16| parsed.types.get(usize::from(number));
    let candidates = found.candidates.iter();
    let known: Vec<_> = candidates
        .filter_map(|&(ty, table)| Some((class(ty)?.name.to_owned(), table)))
        .collect();
    let (classes, tables) = known.into_iter().unzip();
    ReflectedInterface {
        name: String::new(),
        slot: found.first_slot,
        slots: found.slots,
        classes,
        tables,
    }
}

/// Returns the interface variable of a slot: RDEF lists them in the buffer `$ThisPointer`, with the
/// slot as offset.
fn variable<'a>(definitions: &ResourceDefinitions<'a>, slot: u32) -> Option<&'a str> {
    /// `D3D_CT_INTERFACE_POINTERS`.
    const INTERFACE_POINTERS: u32 = 2;
    let buffers = definitions.buffers.iter();
    let mut variables = buffers
        .filter(|buffer| buffer.kind == INTERFACE_POINTERS)
        .flat_map(|buffer| &buffer.variables);
    variables
        .find(|variable| variable.offset == slot)
        .map(|variable| variable.name)
}

fn interfaces_of<'a>(container: &Container<'a>) -> Result<Option<Interfaces<'a>>> {
    container
        .part(FourCc::IFCE)
        .map(Interfaces::parse)
        .transpose()
}

impl ClassInstance {
    /// Returns the instance of a name in a shader, as its author declared it
    /// (`ID3D11ClassLinkage::GetClassInstance`).
    ///
    /// # Errors
    /// If the shader has no instance of that name, or its part is malformed.
    pub fn named(container: &Container<'_>, name: &str) -> Result<Self> {
        let parsed = interfaces_of(container)?;
        let found = parsed
            .as_ref()
            .and_then(|parsed| Some((parsed, parsed.find_instance(name)?)));
        let Some((parsed, instance)) = found else {
            return Err(Error::malformed(format!(
                "the shader declares no class instance {name}"
            )));
        };
        let class = parsed.types.get(usize::from(instance.ty));
        let class = class.ok_or_else(|| Error::malformed("a class instance without a class"))?;
        let ClassInstanceDefinition {
            constant_buffer,
            constant_offset,
            texture,
            sampler,
            ..
        } = *instance;
        Ok(ClassInstance {
            implementation: Implementation::Class(class.name.into()),
            constant_buffer: constant_buffer.map_or(0, u32::from),
            constant_offset: u32::from(constant_offset),
            texture: texture.map_or(0, u32::from),
            sampler: sampler.map_or(0, u32::from),
        })
    }
}

/// The class instance that a slot has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Instance {
    /// Its `this` register: constant buffer, register, texture, sampler.
    pub(super) row: [u32; 4],
    /// Number of constant buffers, textures and samplers that it has.
    counts: [u32; 3],
}

impl Instance {
    /// Returns the register of the n-th resource of a class that it has.
    pub(super) fn register(&self, class: ResourceClass, nth: u32) -> Option<u32> {
        let (first, count) = match class {
            ResourceClass::Cbv => (self.row[0], self.counts[0]),
            ResourceClass::Srv => (self.row[2], self.counts[1]),
            ResourceClass::Sampler => (self.row[3], self.counts[2]),
            ResourceClass::Uav => return None,
        };
        first.checked_add(nth).filter(|_| nth < count)
    }
}

/// The source of what the shader's interfaces stand for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Linked {
    /// The constant buffer that the shader reads it from.
    Buffer {
        /// Number of interface slots.
        slots: u32,
    },
    /// The caller's instances.
    Known {
        /// The instance of each slot.
        this: Vec<Instance>,
        /// The function table of each slot that has an instance.
        tables: Vec<Option<u32>>,
    },
}

impl Linked {
    /// Returns what a container's interfaces stand for; `None` for a shader without any.
    pub(super) fn new(
        container: &Container<'_>,
        declared: &DeclaredInterfaces,
        linkage: Option<&ClassLinkage>,
    ) -> Result<Option<Linked>> {
        let slots = declared.slots();
        let Some(linkage) = linkage else {
            return Ok((slots != 0).then_some(Linked::Buffer { slots }));
        };
        if linkage.slots.len() > slots as usize {
            return Err(Error::malformed(format!(
                "interface slot {} has a class instance, and the shader has {slots} slots",
                linkage.slots.len() - 1
            )));
        }
        let parsed = interfaces_of(container)?;
        let mut this = vec![Instance::default(); slots as usize];
        let mut tables = vec![None; slots as usize];
        let places = this.iter_mut().zip(&mut tables);
        for (slot, (instance, (this, table))) in (0..).zip(linkage.slots.iter().zip(places)) {
            let Some(instance) = instance else { continue };
            *table = Some(table_of(parsed.as_ref(), declared, slot, instance)?);
            *this = Instance {
                row: [
                    instance.constant_buffer,
                    instance.constant_offset,
                    instance.texture,
                    instance.sampler,
                ],
                counts: counts_of(parsed.as_ref(), instance),
            };
        }
        Ok((slots != 0).then_some(Linked::Known { this, tables }))
    }
}

/// Returns how many constant buffers, textures and samplers an instance has; any number where
/// nothing tells.
fn counts_of(parsed: Option<&Interfaces<'_>>, instance: &ClassInstance) -> [u32; 3] {
    let Implementation::Class(name) = &instance.implementation else {
        return [u32::MAX; 3];
    };
    let types = parsed.map_or(&[][..], |parsed| &parsed.types);
    let class = types.iter().find(|class| class.name == &**name);
    class.map_or([u32::MAX; 3], |class| {
        [
            u32::from(class.registers != 0),
            u32::from(class.textures),
            u32::from(class.samplers),
        ]
    })
}

/// Returns the function table that an instance stands for in a slot.
fn table_of(
    parsed: Option<&Interfaces<'_>>,
    declared: &DeclaredInterfaces,
    slot: u32,
    instance: &ClassInstance,
) -> Result<u32> {
    let table = match &instance.implementation {
        Implementation::FunctionTable(table) => *table,
        Implementation::Class(name) => {
            let Some(parsed) = parsed else {
                return Err(Error::malformed(
                    "the container has no IFCE part with the names of classes; name function tables",
                ));
            };
            let candidates = parsed.at_slot(slot).map_or(&[][..], |it| &it.candidates);
            let number = parsed.find_type(name);
            let found = candidates.iter().find(|(ty, _)| Some(*ty) == number);
            let Some(&(_, table)) = found else {
                let classes = candidates.iter();
                let classes: Vec<&str> = classes
                    .filter_map(|&(ty, _)| Some(parsed.types.get(usize::from(ty))?.name))
                    .collect();
                return Err(Error::malformed(format!(
                    "class {name} cannot be bound to interface slot {slot}, which takes {}",
                    classes.join(", ")
                )));
            };
            table
        }
    };
    let interface = declared.at_slot(slot);
    if !interface.is_some_and(|interface| interface.tables.contains(&table)) {
        return Err(Error::malformed(format!(
            "function table {table} cannot be bound to interface slot {slot}"
        )));
    }
    Ok(table)
}
