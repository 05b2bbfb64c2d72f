//! `--class-instance`: what the interfaces of a DXBC shader stand for.

use std::fmt;
use std::str::FromStr;

use dxil_frontend::container::Container;
use dxil_frontend::dxbc::{ClassInstance, ClassLinkage, Implementation};
use dxil_frontend::reflection::ReflectedInterface;

/// An argument of `--class-instance`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClassArgument {
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

impl FromStr for ClassArgument {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (interface, instance) = text
            .split_once('=')
            .ok_or("there is no `=` in it; write SLOT=INSTANCE")?;
        Ok(ClassArgument {
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

impl fmt::Display for ClassArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.interface {
            InterfaceName::Slot(slot) => write!(f, "{slot}="),
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

/// Returns the class instances of a shader; none for a shader without interfaces, and without
/// arguments.
pub(crate) fn of(
    container: &Container<'_>,
    arguments: &[ClassArgument],
) -> dxil_frontend::Result<Option<ClassLinkage>> {
    if arguments.is_empty() {
        return Ok(None);
    }
    let interfaces = ReflectedInterface::all(container)?;
    if interfaces.is_empty() {
        return Ok(None);
    }
    let mut linkage = ClassLinkage::default();
    for argument in arguments {
        let slot = match &argument.interface {
            InterfaceName::Slot(slot) => *slot,
            InterfaceName::Variable { name, index } => {
                let mut all = interfaces.iter();
                let found = all.find(|interface| interface.name == *name);
                let found = found.filter(|interface| *index < interface.slots);
                let found = found.ok_or_else(|| {
                    let known = interfaces.iter().map(|interface| match interface.slots {
                        1 => interface.name.clone(),
                        slots => format!("{}[{slots}]", interface.name),
                    });
                    dxil_frontend::Error::malformed(format!(
                        "--class-instance {argument}: the shader's interfaces are {}",
                        known.collect::<Vec<_>>().join(", ")
                    ))
                })?;
                found.slot.saturating_add(*index)
            }
        };
        let instance = match &argument.instance {
            InstanceName::Placed(instance) => instance.clone(),
            InstanceName::Name(name) => ClassInstance::named(container, name)
                .unwrap_or_else(|_| ClassInstance::of_class(name)),
        };
        linkage.bind(slot, instance)?;
    }
    Ok(Some(linkage))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<ClassArgument, String> {
        text.parse()
    }

    #[test]
    fn slots_and_variables_take_names_and_places() {
        let argument = parsed("3=g_light").unwrap();
        assert_eq!(argument.interface, InterfaceName::Slot(3));
        assert_eq!(argument.instance, InstanceName::Name("g_light".into()));
        let argument = parsed("lights[2]=Spot,cb=1,offset=4,texture=5,sampler=6").unwrap();
        assert_eq!(
            argument.interface,
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
        assert_eq!(argument.instance, InstanceName::Placed(expected));
        let argument = parsed("0=ft7").unwrap();
        let InstanceName::Placed(instance) = argument.instance else {
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
}
