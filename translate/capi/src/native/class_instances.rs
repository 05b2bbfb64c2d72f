//! Class instances of a DXBC shader's interfaces.

use std::ffi::{CStr, c_char};

use dxil_frontend::container::Container;
use dxil_frontend::dxbc::{ClassInstance, ClassLinkage, Implementation};
use dxil_frontend::dxil::Shader;

/// A class instance that an interface slot stands for (`ID3D11ClassInstance`).
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DxilJitClassInstance {
    /// Name of a class instance that the shader declares
    /// (`ID3D11ClassLinkage::GetClassInstance`); the other fields but `slot` are not used then.
    /// Null for an instance that they describe (`CreateClassInstance`).
    pub instance_name: *const c_char,
    /// Name of a class that the slot takes; null for `function_table`.
    pub class_name: *const c_char,
    /// Interface slot.
    pub slot: u32,
    /// Function table, in a container without names of classes.
    pub function_table: u32,
    /// Slot of the constant buffer with the instance's data.
    pub constant_buffer: u32,
    /// First register of 16 bytes of the data.
    pub constant_offset: u32,
    /// Slot of the first texture.
    pub texture: u32,
    /// Slot of the first sampler.
    pub sampler: u32,
}

/// A copy of an instance.
#[derive(Debug)]
pub(super) struct NamedInstance {
    slot: u32,
    name: Name,
}

#[derive(Debug)]
enum Name {
    /// An instance of the shader.
    Declared(String),
    Placed(ClassInstance),
}

/// Copies instances; `None` for a null pointer.
///
/// # Errors
/// What is wrong with the arguments.
///
/// # Safety
/// The pointer is null or points to `count` instances, whose names are null or end with a zero.
pub(super) unsafe fn read(
    instances: *const DxilJitClassInstance,
    count: usize,
) -> Result<Option<Vec<NamedInstance>>, &'static str> {
    if instances.is_null() {
        return match count {
            0 => Ok(None),
            _ => Err("the class instances are null"),
        };
    }
    // SAFETY: the caller keeps the rules above.
    let all = unsafe { std::slice::from_raw_parts(instances, count) };
    let text = |name: *const c_char| -> Result<Option<String>, &'static str> {
        if name.is_null() {
            return Ok(None);
        }
        // SAFETY: as above.
        let name = unsafe { CStr::from_ptr(name) };
        let name = name.to_str().map_err(|_| "a name is no UTF-8")?;
        Ok(Some(name.to_owned()))
    };
    let one = |own: &DxilJitClassInstance| {
        let name = match (text(own.instance_name)?, text(own.class_name)?) {
            (Some(name), _) => Name::Declared(name),
            (None, class) => Name::Placed(ClassInstance {
                implementation: match class {
                    Some(class) => Implementation::Class(class.into()),
                    None => Implementation::FunctionTable(own.function_table),
                },
                constant_buffer: own.constant_buffer,
                constant_offset: own.constant_offset,
                texture: own.texture,
                sampler: own.sampler,
            }),
        };
        Ok(NamedInstance {
            slot: own.slot,
            name,
        })
    };
    all.iter().map(one).collect::<Result<_, _>>().map(Some)
}

/// Reads a shader with its class instances.
pub(super) fn read_shader(
    bytes: &[u8],
    instances: &[NamedInstance],
) -> dxil_frontend::Result<Shader> {
    let container = Container::parse(bytes)?;
    let mut linkage = ClassLinkage::default();
    for NamedInstance { slot, name } in instances {
        let instance = match name {
            Name::Declared(name) => ClassInstance::named(&container, name)?,
            Name::Placed(instance) => instance.clone(),
        };
        linkage.bind(*slot, instance)?;
    }
    Shader::read_linked(&container, &linkage)
}
