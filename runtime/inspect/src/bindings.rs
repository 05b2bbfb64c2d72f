//! The locations of registers in the translated code: a table for people, and JSON for scripts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use dxil_frontend::dxil::{Resource, Shader, SignatureElement};
use dxil_frontend::escape::escaped;
use dxil_frontend::reflection::{
    LayoutField, LayoutType, ReflectedInterface, ReflectedResource, Reflection,
};
use dxil_translate::{BindingUse, DescriptorSlot, Interface};
use serde_json::{Value, json};

/// The bindings of a translated stage.
#[derive(Debug)]
pub struct Bindings<'a> {
    /// The shader that was translated.
    pub shader: &'a Shader,
    /// Names and layouts of its resources.
    pub reflection: &'a Reflection,
    /// The interface of the translation.
    pub interface: Option<&'a Interface>,
    /// Metal's slots, for its language.
    pub metal: Option<ArgumentTables>,
}

/// Places in Metal's argument tables: the kind, as in `[[buffer(n)]]`, and the number.
#[derive(Debug)]
pub struct ArgumentTables {
    /// Resources, by set and binding. An `argument_buffer` is a buffer of descriptors.
    pub resources: BTreeMap<(u32, u32), (&'static str, u8)>,
    /// Bytes of a descriptor in an argument buffer.
    pub entry_bytes: u32,
    /// The buffer with the root constants.
    pub root_constants: Option<u8>,
    /// The buffer with the sizes of other buffers, and set and binding of these.
    pub sizes: Option<(u8, Vec<(u32, u32)>)>,
    /// Bytes of the arguments in threadgroup memory.
    pub threadgroup: Vec<u32>,
}

impl ArgumentTables {
    /// Returns the place of a binding as Metal writes it.
    fn text(&self, slot: DescriptorSlot) -> String {
        let found = self.resources.get(&(slot.set, slot.binding));
        found.map_or_else(
            || "-".to_owned(),
            |&(kind, number)| match kind {
                "argument_buffer" => format!("buffer({number})[]"),
                kind => format!("{kind}({number})"),
            },
        )
    }

    fn json(&self) -> Value {
        let sizes = self.sizes.as_ref().map(|(buffer, of)| {
            let of = of.iter();
            let of: Vec<_> = of
                .map(|&(set, binding)| json!({ "set": set, "binding": binding }))
                .collect();
            json!({ "buffer": buffer, "of": of })
        });
        json!({
            "root_constants": self.root_constants,
            "sizes": sizes,
            "threadgroup_bytes": self.threadgroup,
        })
    }
}

impl Bindings<'_> {
    fn resource(&self, binding: &BindingUse) -> Option<&Resource> {
        self.shader
            .resources
            .find(binding.resource.class, binding.resource.id)
    }

    /// Returns the name and layout of the resource that a binding serves, as far as known.
    fn reflected(&self, resource: &Resource) -> Option<&ReflectedResource> {
        self.reflection
            .at(resource.class, resource.space, resource.lower_bound)
    }

    fn registers(&self, binding: &BindingUse) -> String {
        let found = self
            .resource(binding)
            .and_then(|resource| self.reflected(resource));
        let text = found.map_or_else(|| "-".to_owned(), |found| found.registers());
        if binding.is_counter {
            format!("{text} (counter)")
        } else {
            text
        }
    }

    /// Returns the table as comments of a language.
    pub fn comment(&self, prefix: &str) -> String {
        let Some(interface) = self.interface else {
            return String::new();
        };
        let mut text = format!("{prefix} entry {}", escaped(&interface.entry));
        if let Some([x, y, z]) = interface.workgroup_size {
            _ = write!(text, ", {x}x{y}x{z} threads");
        }
        text.push('\n');
        if interface.push_constant_bytes > 0 {
            let bytes = interface.push_constant_bytes;
            _ = write!(text, "{prefix} push constants: {bytes} bytes");
            if let Some(buffer) = self.metal.as_ref().and_then(|metal| metal.root_constants) {
                _ = write!(text, ", buffer({buffer})");
            }
            text.push('\n');
        }
        if let Some((buffer, of)) = self.metal.as_ref().and_then(|metal| metal.sizes.as_ref()) {
            _ = write!(
                text,
                "{prefix} sizes in bytes: buffer({buffer}), of set and binding"
            );
            for (set, binding) in of {
                _ = write!(text, " {set} {binding},");
            }
            text.pop();
            text.push('\n');
        }
        let groups = self.metal.as_ref().map(|metal| &metal.threadgroup);
        for (number, bytes) in groups.into_iter().flatten().enumerate() {
            _ = writeln!(text, "{prefix} threadgroup({number}): {bytes} bytes");
        }
        let place = if self.metal.is_some() {
            "  Metal      "
        } else {
            ""
        };
        if !interface.bindings.is_empty() {
            _ = writeln!(
                text,
                "{prefix} set binding{place}  register      kind                name"
            );
        }
        for binding in &interface.bindings {
            let (slot, registers) = (binding.slot, self.registers(binding));
            let kind = format!("{:?}", binding.kind);
            let place = self
                .metal
                .as_ref()
                .map(|metal| format!("  {:<11}", metal.text(slot)));
            let place = place.unwrap_or_default();
            let line = format!(
                "{:>3} {:>7}{place}  {registers:<12}  {kind:<18}  {}",
                slot.set, slot.binding, binding.name
            );
            _ = writeln!(text, "{prefix} {}", escaped(line.trim_end()));
        }
        text
    }

    /// Returns a JSON object with everything that a host needs to bind resources.
    pub fn json(&self) -> Value {
        let interface = self.interface;
        let bindings = interface.map_or(&[][..], |interface| &interface.bindings);
        let point =
            self.shader.entry_points.iter().find(|point| {
                interface.is_none_or(|interface| point.plain_name() == interface.entry)
            });
        let point = point.or_else(|| {
            let mut points = self.shader.entry_points.iter();
            points.find(|point| point.function.is_some())
        });
        let elements = |elements: &[SignatureElement]| -> Vec<Value> {
            elements.iter().map(element).collect()
        };
        let mut value = json!({
            "entry": interface.map(|interface| interface.entry.as_str()),
            "stage": interface.map(|interface| format!("{:?}", interface.stage)),
            "workgroup_size": interface.and_then(|interface| interface.workgroup_size),
            "required_subgroup_size":
                interface.and_then(|interface| interface.required_subgroup_size),
            "push_constant_bytes": interface.map(|interface| interface.push_constant_bytes),
            "bindings": bindings.iter().map(|binding| self.binding(binding)).collect::<Vec<_>>(),
            "inputs": point.map_or(Vec::new(), |point| elements(&point.inputs)),
            "outputs": point.map_or(Vec::new(), |point| elements(&point.outputs)),
        });
        if let Some(metal) = &self.metal {
            value["metal"] = metal.json();
        }
        if !self.reflection.interfaces.is_empty() {
            let interfaces = self.reflection.interfaces.iter();
            value["interfaces"] = interfaces.map(reflected_interface).collect();
        }
        value
    }

    fn binding(&self, binding: &BindingUse) -> Value {
        let resource = self.resource(binding);
        let found = resource.and_then(|resource| self.reflected(resource));
        let mut value = json!({
            "name": binding.name,
            "set": binding.slot.set,
            "binding": binding.slot.binding,
            "kind": format!("{:?}", binding.kind),
            "count": binding.count,
            "writable": binding.writable,
            "is_counter": binding.is_counter,
            "stride": binding.stride,
        });
        if let Some(resource) = resource {
            value["class"] = json!(format!("{:?}", resource.class));
            value["register"] = json!(resource.lower_bound);
            value["space"] = json!(resource.space);
        }
        if let Some(metal) = &self.metal {
            let slot = (binding.slot.set, binding.slot.binding);
            value["metal"] = match metal.resources.get(&slot) {
                Some(&(kind @ "argument_buffer", number)) => {
                    json!({ kind: number, "entry_bytes": metal.entry_bytes })
                }
                Some(&(kind, number)) => json!({ kind: number }),
                None => Value::Null,
            };
        }
        if let Some(layout) = found.and_then(|found| found.layout.as_ref()) {
            let fields = layout.fields.iter().map(field).collect::<Vec<_>>();
            value["layout"] = json!({ "bytes": layout.size, "fields": fields });
        }
        value
    }
}

/// Gives the resources of a shader the names that are known of them, so that its code has them too.
pub fn name_resources(shader: &mut Shader, reflection: &Reflection) {
    let resources = &mut shader.resources;
    let classes = [
        &mut resources.srvs,
        &mut resources.uavs,
        &mut resources.cbvs,
        &mut resources.samplers,
    ];
    for resource in classes.into_iter().flatten() {
        let found = reflection.at(resource.class, resource.space, resource.lower_bound);
        if let Some(found) = found.filter(|_| resource.name.is_empty()) {
            resource.name = found.name.as_str().into();
        }
    }
}

fn reflected_interface(interface: &ReflectedInterface) -> Value {
    json!({
        "name": interface.name,
        "slot": interface.slot,
        "slots": interface.slots,
        "classes": interface.classes,
        "function_tables": interface.tables,
    })
}

fn element(element: &SignatureElement) -> Value {
    json!({
        "semantic": &*element.name,
        "indices": element.semantic_indices,
        "row": element.start_row,
        "rows": element.rows,
        "columns": element.columns,
        "type": format!("{:?}", element.component),
    })
}

fn field(field: &LayoutField) -> Value {
    let mut value = json!({
        "name": field.name,
        "type": field.type_name(),
        "offset": field.offset,
        "bytes": field.size,
    });
    if !field.array.is_empty() {
        value["array"] = json!(field.array);
        value["stride"] = json!(field.stride);
    }
    if let LayoutType::Struct { fields, .. } = &field.ty {
        let inner = fields.iter().map(self::field).collect::<Vec<_>>();
        value["fields"] = json!(inner);
    }
    value
}
