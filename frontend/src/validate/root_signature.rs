//! The root signature against what the shader declares (D3D12's rules for root signatures).

use super::context::ValidationContext;
use super::resources::ResourceName;
use super::root_values;
use super::rules::Rule;
use crate::container::Part;
use crate::container::fourcc::FourCc;
use crate::container::root_signature::{
    DescriptorRangeType, RootParameterKind, RootSignature, RootSignatureFlags,
};
use crate::dxil::{Resource, ResourceClass, ResourceKind, ShaderKind};

/// Registers that a root signature binds for a stage.
struct Binding {
    class: ResourceClass,
    space: u32,
    first: u64,
    end: u64,
    /// Whether only buffers with known layout can be bound: descriptors in the root.
    is_root: bool,
}

/// Checks the root signature of a container.
pub(super) fn check(cx: &ValidationContext<'_>, part: Part<'_>) {
    let signature = match RootSignature::parse(part) {
        Ok(signature) => signature,
        Err(error) => {
            let mut location = error.location().clone();
            location.part = Some(FourCc::RTS0);
            let rule = Rule::ContainerRootSignatureIncompatible;
            cx.sink().report(rule, location, error.kind());
            return;
        }
    };
    let kind = cx.shader.shader_model.kind;
    let report = |detail: std::fmt::Arguments<'_>| {
        let rule = Rule::ContainerRootSignatureIncompatible;
        cx.sink().in_part(rule, FourCc::RTS0, part.offset, detail);
    };
    root_values::check(&signature, &mut |what| report(what));
    if signature
        .flags
        .contains(RootSignatureFlags::LOCAL_ROOT_SIGNATURE)
    {
        report(format_args!(
            "a local root signature belongs into a library"
        ));
        return;
    }
    if signature.flags.denies(kind) && cx.shader.resources.iter().next().is_some() {
        report(format_args!(
            "the {} shader sees no parameters",
            kind.prefix()
        ));
        return;
    }
    let bindings = bindings(&signature, kind);
    for resource in cx.shader.resources.iter() {
        if let Err(problem) = find(&bindings, resource) {
            report(format_args!("{}: {problem}", ResourceName(resource)));
        }
    }
}

fn bindings(signature: &RootSignature, kind: ShaderKind) -> Vec<Binding> {
    let mut found = Vec::new();
    let single = |class, register: u32, space, is_root| Binding {
        class,
        space,
        first: u64::from(register),
        end: u64::from(register) + 1,
        is_root,
    };
    let visible = |parameter: &&crate::container::root_signature::RootParameter| {
        parameter.visibility.includes(kind)
    };
    for parameter in signature.parameters.iter().filter(visible) {
        match &parameter.kind {
            RootParameterKind::Constants(constants) => {
                let class = ResourceClass::Cbv;
                found.push(single(class, constants.register, constants.space, false));
            }
            RootParameterKind::Cbv(root) => {
                found.push(single(ResourceClass::Cbv, root.register, root.space, false));
            }
            RootParameterKind::Srv(root) => {
                found.push(single(ResourceClass::Srv, root.register, root.space, true));
            }
            RootParameterKind::Uav(root) => {
                found.push(single(ResourceClass::Uav, root.register, root.space, true));
            }
            RootParameterKind::Table(ranges) => {
                for range in ranges {
                    let class = match range.ty {
                        DescriptorRangeType::Srv => ResourceClass::Srv,
                        DescriptorRangeType::Uav => ResourceClass::Uav,
                        DescriptorRangeType::Cbv => ResourceClass::Cbv,
                        DescriptorRangeType::Sampler => ResourceClass::Sampler,
                        DescriptorRangeType::Other(_) => continue,
                    };
                    let first = u64::from(range.base_register);
                    let end = range
                        .count
                        .map_or(1 << 32, |count| first + u64::from(count));
                    found.push(Binding {
                        class,
                        space: range.space,
                        first,
                        end,
                        is_root: false,
                    });
                }
            }
        }
    }
    for sampler in &signature.static_samplers {
        if sampler.visibility.includes(kind) {
            let class = ResourceClass::Sampler;
            found.push(single(class, sampler.register, sampler.space, false));
        }
    }
    found
}

fn find(bindings: &[Binding], resource: &Resource) -> Result<(), &'static str> {
    let first = u64::from(resource.lower_bound);
    // How far an unbounded array reaches is up to the root signature, so its first register counts.
    let end = first + u64::from(resource.count.unwrap_or(1));
    let binding = bindings.iter().find(|binding| {
        binding.class == resource.class
            && binding.space == resource.space
            && binding.first <= first
            && end <= binding.end
    });
    let is_buffer = matches!(
        resource.kind,
        ResourceKind::RawBuffer
            | ResourceKind::StructuredBuffer
            | ResourceKind::RtAccelerationStructure
    );
    match binding {
        None => Err("no parameter binds it"),
        Some(binding) if binding.is_root && !is_buffer => {
            Err("a root descriptor cannot bind a typed buffer or texture")
        }
        Some(binding) if binding.is_root && resource.detail.has_counter => {
            Err("a root descriptor has no counter")
        }
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::dxil::read_shader;

    /// Returns a table's range of one class and space.
    fn range(class: ResourceClass, first: u64, end: u64) -> [Binding; 1] {
        [Binding {
            class,
            space: 0,
            first,
            end,
            is_root: false,
        }]
    }

    #[test]
    fn an_unbounded_array_needs_its_first_register_only() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/modules/mixed_cs.dxil");
        let Ok(shader) = std::fs::read(file).map(|bytes| read_shader(&bytes)) else {
            panic!("the shader is missing");
        };
        let mut textures = shader.into_iter().flat_map(|shader| shader.resources.srvs);
        let Some(mut texture) = textures.next() else {
            panic!("the shader has no texture");
        };
        (texture.space, texture.lower_bound) = (0, 4);
        texture.count = Some(3);
        assert!(find(&range(ResourceClass::Srv, 4, 7), &texture).is_ok());
        assert!(find(&range(ResourceClass::Srv, 4, 6), &texture).is_err());
        texture.count = None;
        assert!(find(&range(ResourceClass::Srv, 4, 6), &texture).is_ok());
        assert!(find(&range(ResourceClass::Srv, 5, 9), &texture).is_err());
    }
}
