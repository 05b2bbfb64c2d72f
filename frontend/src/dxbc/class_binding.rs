//! Class instances of interfaces as text: `lights[2]=Spot,cb=1`.

use std::fmt;
use std::str::FromStr;

use super::linkage::{ClassInstance, ClassLinkage, Implementation, ReflectedInterface};
use crate::container::Container;
use crate::error::{Error, Result};

/// The class instance of an interface slot, both as a user names them.
///
/// As text it is `INTERFACE=INSTANCE`. The interface is the number of a slot, or a variable of the
/// shader with an index for an array (`lights[2]`). The instance is one that the shader declares
/// (`ID3D11ClassLinkage::GetClassInstance`), or a class followed by the place of its data
/// (`CreateClassInstance`): `cb=N`, `offset=N` in registers of 16 bytes, `texture=N`, `sampler=N`,
/// each 0 by default. In a container without names the class is a function table, like `ft3`.
///
/// ```
/// use dxil_frontend::dxbc::ClassBinding;
///
/// let binding: ClassBinding = "lights[2]=Spot,cb=1,offset=4".parse()?;
/// assert_eq!(binding.to_string(), "lights[2]=Spot,cb=1,offset=4,texture=0,sampler=0");
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassBinding {
    interface: InterfaceName,
    instance: InstanceName,
}

/// A slot, or a variable of the shader.
#[derive(Debug, Clone, PartialEq, Eq)]
enum InterfaceName {
    Slot(u32),
    Variable { name: String, index: u32 },
}

/// What is bound.
#[derive(Debug, Clone, PartialEq, Eq)]
enum InstanceName {
    /// A class instance of the shader, or a class without data.
    Name(String),
    /// A class, and the place of its data.
    Placed(ClassInstance),
}

impl FromStr for ClassBinding {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (interface, instance) = text
            .split_once('=')
            .ok_or("there is no `=` in it; write SLOT=INSTANCE")?;
        Ok(ClassBinding {
            interface: interface.trim().parse()?,
            instance: instance.trim().parse()?,
        })
    }
}

impl FromStr for InterfaceName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(slot) = text.parse() {
            return Ok(InterfaceName::Slot(slot));
        }
        let (name, index) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
            Some((name, index)) => {
                let index = index.parse();
                (name, index.map_err(|_| "an index in brackets is a number")?)
            }
            None => (text, 0),
        };
        if name.is_empty() {
            return Err("write the slot or the name of an interface before `=`".into());
        }
        Ok(InterfaceName::Variable {
            name: name.to_owned(),
            index,
        })
    }
}

impl FromStr for InstanceName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut fields = text.split(',').map(str::trim);
        let name = fields.next().unwrap_or_default();
        if name.is_empty() {
            return Err("write the name of a class or of a class instance after `=`".into());
        }
        let table = name
            .strip_prefix("ft")
            .and_then(|number| number.parse().ok());
        let mut instance = ClassInstance::of_class(name);
        if let Some(table) = table {
            instance.implementation = Implementation::FunctionTable(table);
        }
        let mut is_placed = table.is_some();
        for field in fields {
            let (key, value) = field.split_once('=').unwrap_or((field, ""));
            let number = value.trim().parse();
            let number = number.map_err(|_| format!("`{field}` is no place, like cb=2"))?;
            let place = match key.trim() {
                "cb" => &mut instance.constant_buffer,
                "offset" => &mut instance.constant_offset,
                "texture" => &mut instance.texture,
                "sampler" => &mut instance.sampler,
                other => {
                    return Err(format!(
                        "`{other}` is none of cb, offset, texture and sampler"
                    ));
                }
            };
            *place = number;
            is_placed = true;
        }
        Ok(if is_placed {
            InstanceName::Placed(instance)
        } else {
            InstanceName::Name(name.to_owned())
        })
    }
}

impl fmt::Display for ClassBinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.interface {
            InterfaceName::Slot(slot) => write!(f, "{slot}="),
            InterfaceName::Variable { name, index: 0 } => write!(f, "{name}="),
            InterfaceName::Variable { name, index } => write!(f, "{name}[{index}]="),
        }?;
        match &self.instance {
            InstanceName::Name(name) => f.write_str(name),
            InstanceName::Placed(instance) => {
                let ClassInstance {
                    implementation,
                    constant_buffer,
                    constant_offset,
                    texture,
                    sampler,
                } = instance;
                match implementation {
                    Implementation::Class(name) => f.write_str(name)?,
                    Implementation::FunctionTable(table) => write!(f, "ft{table}")?,
                }
                write!(
                    f,
                    ",cb={constant_buffer},offset={constant_offset},texture={texture},\
                     sampler={sampler}"
                )
            }
        }
    }
}

impl ClassBinding {
    /// Returns the slot, of a shader with these interfaces.
    fn slot(&self, interfaces: &[ReflectedInterface]) -> Result<u32> {
        let (name, index) = match &self.interface {
            InterfaceName::Slot(slot) => return Ok(*slot),
            InterfaceName::Variable { name, index } => (name, *index),
        };
        let found = interfaces.iter().find(|it| it.name == *name);
        let found = found.filter(|interface| index < interface.slots);
        let found = found.ok_or_else(|| {
            let known = interfaces.iter().map(|interface| match interface.slots {
                1 => interface.name.clone(),
                slots => format!("{}[{slots}]", interface.name),
            });
            Error::malformed(format!(
                "class instance {self}: the shader's interfaces are {}",
                known.collect::<Vec<_>>().join(", ")
            ))
        })?;
        Ok(found.slot.saturating_add(index))
    }
}

impl ClassLinkage {
    /// Returns the class instances that these bindings mean in a shader; none if there are no
    /// bindings, or if the shader has no interfaces.
    ///
    /// # Errors
    ///
    /// If the shader has no such slot or variable, or if its parts that tell of interfaces are
    /// malformed. Whether a class fits a slot is found when the shader is read.
    pub fn of_bindings(
        container: &Container<'_>,
        bindings: &[ClassBinding],
    ) -> Result<Option<ClassLinkage>> {
        if bindings.is_empty() {
            return Ok(None);
        }
        let interfaces = ReflectedInterface::all(container)?;
        if interfaces.is_empty() {
            return Ok(None);
        }
        let mut linkage = ClassLinkage::default();
        for binding in bindings {
            let instance = match &binding.instance {
                InstanceName::Placed(instance) => instance.clone(),
                InstanceName::Name(name) => ClassInstance::named(container, name)
                    .unwrap_or_else(|_| ClassInstance::of_class(name)),
            };
            linkage.bind(binding.slot(&interfaces)?, instance)?;
        }
        Ok(Some(linkage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<ClassBinding, String> {
        text.parse()
    }

    #[test]
    fn slots_and_variables_take_names_and_places() {
        let binding = parsed("3=g_light").unwrap();
        assert_eq!(binding.interface, InterfaceName::Slot(3));
        assert_eq!(binding.instance, InstanceName::Name("g_light".into()));
        let binding = parsed("lights[2]=Spot,cb=1,offset=4,texture=5,sampler=6").unwrap();
        assert_eq!(
            binding.interface,
            InterfaceName::Variable {
                name: "lights".into(),
                index: 2
            }
        );
        let expected = ClassInstance {
            implementation: Implementation::Class("Spot".into()),
            constant_buffer: 1,
            constant_offset: 4,
            texture: 5,
            sampler: 6,
        };
        assert_eq!(binding.instance, InstanceName::Placed(expected));
        let binding = parsed("0=ft7").unwrap();
        let InstanceName::Placed(instance) = binding.instance else {
            panic!("a function table has a place");
        };
        assert_eq!(instance.implementation, Implementation::FunctionTable(7));
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for text in ["3", "=A", "a[x]=A", "0=", "0=A,cb", "0=A,buffer=3"] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_shown_is_read_again() {
        for text in ["3=A", "light=A", "light[7]=A,cb=1", "0=ft7,texture=2"] {
            let binding = parsed(text).unwrap();
            assert_eq!(parsed(&binding.to_string()), Ok(binding), "{text}");
        }
    }
}
