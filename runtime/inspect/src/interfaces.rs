//! IFCE: classes, their instances, and the interfaces that they may be bound to.

use dxil_frontend::container::Interfaces;
use dxil_frontend::container::interfaces::{
    ClassInstanceDefinition, ClassType, InterfaceCandidates,
};
use serde_json::{Value, json};

use crate::describe::{Fields, list};

/// Returns the contents of the part.
pub(crate) fn section(found: &Interfaces<'_>) -> Value {
    let class = |number: u16| {
        let class = found.types.get(usize::from(number));
        class.map_or("?", |class| class.name)
    };
    json!({
        "classes": list(&found.types, class_type),
        "instances": list(&found.instances, |one| instance(one, class(one.ty))),
        "interfaces": list(&found.interfaces, |one| interface(one, class)),
    })
}

fn class_type(class: &ClassType<'_>) -> Value {
    json!({
        "name": class.name,
        "registers": class.registers,
        "textures": class.textures,
        "samplers": class.samplers,
    })
}

fn instance(instance: &ClassInstanceDefinition<'_>, class: &str) -> Value {
    let mut fields = Fields::default();
    fields.set("name", instance.name).set("class", class);
    if let Some(buffer) = instance.constant_buffer {
        fields
            .set("constant_buffer", buffer)
            .set("constant_offset", instance.constant_offset);
    }
    if let Some(texture) = instance.texture {
        fields.set("texture", texture);
    }
    if let Some(sampler) = instance.sampler {
        fields.set("sampler", sampler);
    }
    fields.finish()
}

fn interface<'a>(interface: &InterfaceCandidates, class: impl Fn(u16) -> &'a str) -> Value {
    json!({
        "slot": interface.first_slot,
        "slots": interface.slots,
        "candidates": list(&interface.candidates, |&(ty, table)| {
            json!({ "class": class(ty), "function_table": table })
        }),
    })
}
