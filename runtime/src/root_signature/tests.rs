//! Table tests: a root signature and declarations in, places out.

use dxil_frontend::container::root_signature::{
    ComparisonFunction, DescriptorFlags, DescriptorRange, DescriptorRangeType, Filter,
    RootConstants, RootDescriptor, RootParameter, RootParameterKind, RootSignatureVersion,
    ShaderVisibility, StaticBorderColor, StaticSampler, StaticSamplerFlags, TextureAddressMode,
};
use dxil_frontend::dxil::ResourceDetail;
use dxil_translate::{Counter, Target, TexelFormat};

use super::*;
use crate::device::Limits;
use crate::job::AddressMode;

fn profile() -> Profile {
    Profile {
        target: Target::default(),
        limits: Limits {
            descriptor_sets: 4,
            push_constant_bytes: 128,
            uniform_buffer_bytes: 65536,
            storage_buffer_bytes: 1 << 27,
            texel_buffer_elements: 1 << 27,
            thread_groups: [65535; 3],
            ray_recursion: 0,
            unbounded_descriptors: 100,
            unbounded_descriptors_are_all: true,
        },
        texel_buffers: true,
        storage_image_formats: false,
        dense_bindings: false,
        descriptor_heaps: None,
        device_addresses: true,
        subgroup_sizes: (8, 8),
        robust: true,
        residency: false,
        executes_dxil: false,
        keep_denormals: false,
        checks: dxil_cpu::Checks::NONE,
    }
}

fn resource(class: ResourceClass, register: u32, count: Option<u32>) -> Resource {
    Resource {
        class,
        id: register,
        variable: None,
        ty: None,
        name: "r".into(),
        space: 0,
        lower_bound: register,
        count,
        kind: match class {
            ResourceClass::Cbv => ResourceKind::CBuffer,
            ResourceClass::Sampler => ResourceKind::Sampler,
            ResourceClass::Srv | ResourceClass::Uav => ResourceKind::RawBuffer,
        },
        detail: ResourceDetail::default(),
    }
}

fn root(parameters: Vec<RootParameterKind>) -> RootSignature {
    RootSignature {
        version: RootSignatureVersion::V1_0,
        flags: RootSignatureFlags::empty(),
        parameters: parameters
            .into_iter()
            .map(|kind| RootParameter {
                visibility: ShaderVisibility::All,
                kind,
            })
            .collect(),
        static_samplers: Vec::new(),
    }
}

fn range(ty: DescriptorRangeType, base: u32, count: Option<u32>) -> DescriptorRange {
    DescriptorRange {
        ty,
        count,
        base_register: base,
        space: 0,
        flags: DescriptorFlags::empty(),
        offset: None,
    }
}

fn constants(register: u32, count: u32) -> RootParameterKind {
    RootParameterKind::Constants(RootConstants {
        register,
        space: 0,
        count,
    })
}

fn descriptor(register: u32) -> RootDescriptor {
    RootDescriptor {
        register,
        space: 0,
        flags: DescriptorFlags::empty(),
    }
}

fn locate(
    root: Option<&RootSignature>,
    profile: &Profile,
    wish: RootDescriptors,
    resource: &Resource,
) -> Result<Location> {
    Planner::new(root, profile, &|_| None, wish).locate(resource, ShaderKind::Compute)
}

fn slot(set: u32, binding: u32) -> Location {
    Location::Descriptor {
        slot: DescriptorSlot { set, binding },
        first_index: 0,
        counter: None,
        format: None,
    }
}

#[test]
fn each_kind_of_root_parameter_has_its_place() {
    use ResourceClass::{Cbv, Srv, Uav};
    let profile = profile();
    let root = root(vec![
        constants(0, 4),
        RootParameterKind::Cbv(descriptor(1)),
        RootParameterKind::Srv(descriptor(0)),
        RootParameterKind::Uav(descriptor(0)),
        RootParameterKind::Table(vec![
            range(DescriptorRangeType::Srv, 4, Some(8)),
            range(DescriptorRangeType::Uav, 4, None),
        ]),
    ]);
    let push = Location::PushConstants {
        first_word: 0,
        words: 4,
    };
    let address = Location::DeviceAddress { first_word: 0 };
    let (bindings, addresses) = (RootDescriptors::Bindings, RootDescriptors::Addresses);
    let table = [
        (Cbv, 0, Some(1), bindings, Some(push)),
        (Cbv, 1, Some(1), bindings, Some(slot(0, 0))),
        (Cbv, 1, Some(1), addresses, Some(address)),
        (Srv, 0, Some(1), bindings, Some(slot(0, 0))),
        (Uav, 0, Some(1), addresses, Some(address)),
        (Srv, 4, Some(1), addresses, Some(slot(0, 0))),
        (Srv, 11, Some(1), bindings, Some(slot(0, 0))),
        (Srv, 5, Some(7), bindings, Some(slot(1, 0))),
        // One register more than the range has.
        (Srv, 5, Some(8), bindings, None),
        (Srv, 5, None, bindings, Some(slot(1, 0))),
        (Uav, 1000, Some(1), bindings, Some(slot(0, 0))),
        (Uav, 5, None, bindings, Some(slot(1, 0))),
        (Cbv, 2, Some(1), bindings, None),
        (Uav, 3, Some(1), bindings, None),
        // A root descriptor is one descriptor, never an array.
        (Srv, 0, Some(2), bindings, None),
    ];
    for (class, register, count, wish, want) in table {
        let resource = resource(class, register, count);
        let got = locate(Some(&root), &profile, wish, &resource).ok();
        assert_eq!(got, want, "{class:?} {register} {count:?}");
    }
}

#[test]
fn root_constants_beyond_the_limit_become_a_uniform_buffer() {
    let mut profile = profile();
    profile.limits.push_constant_bytes = 12;
    let root = root(vec![constants(0, 4)]);
    let resource = resource(ResourceClass::Cbv, 0, Some(1));
    let got = locate(Some(&root), &profile, RootDescriptors::Bindings, &resource);
    assert_eq!(got.unwrap(), slot(0, 0));
}

#[test]
fn a_parameter_that_the_stage_does_not_see_is_not_there() {
    let mut root = root(vec![constants(0, 4)]);
    root.parameters[0].visibility = ShaderVisibility::Pixel;
    let resource = resource(ResourceClass::Cbv, 0, Some(1));
    let profile = profile();
    let error = locate(Some(&root), &profile, RootDescriptors::Bindings, &resource).unwrap_err();
    assert_eq!(
        error.to_string(),
        "root signature: it has no place for b0 (cbuffer r), which the shader declares"
    );
}

#[test]
fn static_samplers_need_no_binding_by_the_job() {
    let mut root = root(Vec::new());
    root.static_samplers.push(StaticSampler {
        filter: Filter(0x15),
        address_u: TextureAddressMode::Wrap,
        address_v: TextureAddressMode::Border,
        address_w: TextureAddressMode::Clamp,
        mip_lod_bias: 0.5,
        max_anisotropy: 16,
        comparison: ComparisonFunction::None,
        border_color: StaticBorderColor::OpaqueWhite,
        min_lod: 1.0,
        max_lod: 4.0,
        register: 2,
        space: 0,
        visibility: ShaderVisibility::All,
        flags: StaticSamplerFlags::empty(),
    });
    let profile = profile();
    let formats = |_| None;
    let mut planner = Planner::new(Some(&root), &profile, &formats, RootDescriptors::Bindings);
    let resource = resource(ResourceClass::Sampler, 2, Some(1));
    planner.locate(&resource, ShaderKind::Compute).unwrap();
    let SlotSource::StaticSampler(sampler) = &planner.places[0].source else {
        panic!("{:?}", planner.places[0]);
    };
    assert_eq!(
        sampler.address,
        [AddressMode::Wrap, AddressMode::Border, AddressMode::Clamp]
    );
    assert_eq!(sampler.anisotropy, 0);
    assert_eq!(sampler.border, [1.0; 4]);
    assert_eq!((sampler.min_lod, sampler.max_lod), (1.0, 4.0));
    assert_eq!(sampler.min_filter, crate::job::Filter::Linear);
}

#[test]
fn without_a_root_signature_every_declaration_has_a_place() {
    let profile = profile();
    let formats = |_| None;
    let mut planner = Planner::new(None, &profile, &formats, RootDescriptors::Bindings);
    let mut uav = resource(ResourceClass::Uav, 3, Some(1));
    uav.detail.has_counter = true;
    let resources = Resources {
        srvs: vec![
            resource(ResourceClass::Srv, 0, Some(1)),
            resource(ResourceClass::Srv, 1, None),
        ],
        uavs: vec![uav],
        cbvs: vec![resource(ResourceClass::Cbv, 7, Some(3))],
        samplers: vec![resource(ResourceClass::Sampler, 0, Some(1))],
    };
    let map = planner.stage(&resources, ShaderKind::Compute).unwrap();
    let at = |class, id| *map.get(ResourceKey { class, id }).unwrap();
    assert_eq!(at(ResourceClass::Srv, 0), slot(0, 0));
    assert_eq!(at(ResourceClass::Srv, 1), slot(1, 0));
    assert_eq!(
        at(ResourceClass::Uav, 3),
        Location::Descriptor {
            slot: DescriptorSlot { set: 0, binding: 1 },
            first_index: 0,
            counter: Some(Counter::Buffer(DescriptorSlot { set: 0, binding: 2 })),
            format: None,
        }
    );
    assert_eq!(at(ResourceClass::Cbv, 7), slot(1, 1));
    assert_eq!(at(ResourceClass::Sampler, 0), slot(0, 3));
    // Unbounded ranges get what the device's profile says.
    assert_eq!(planner.places[1].count, 100);
}

#[test]
fn two_stages_share_the_places_of_their_registers() {
    let profile = profile();
    let root = root(vec![constants(0, 4), constants(1, 2)]);
    let formats = |_| None;
    let mut planner = Planner::new(Some(&root), &profile, &formats, RootDescriptors::Bindings);
    let b0 = resource(ResourceClass::Cbv, 0, Some(1));
    let b1 = resource(ResourceClass::Cbv, 1, Some(1));
    let vertex = planner.locate(&b1, ShaderKind::Vertex).unwrap();
    let pixel = planner.locate(&b0, ShaderKind::Pixel).unwrap();
    assert_eq!(planner.locate(&b1, ShaderKind::Pixel).unwrap(), vertex);
    assert_ne!(vertex, pixel);
}

#[test]
fn typed_buffers_tell_their_format_only_where_there_are_no_texel_buffers() {
    let mut profile = profile();
    let mut typed = resource(ResourceClass::Uav, 0, Some(1));
    typed.kind = ResourceKind::TypedBuffer;
    let formats = |register: Register| (register.index == 0).then_some(Format::Rgba8Unorm);
    for texel_buffers in [true, false] {
        profile.texel_buffers = texel_buffers;
        let mut planner = Planner::new(None, &profile, &formats, RootDescriptors::Bindings);
        let Location::Descriptor { format, .. } =
            planner.locate(&typed, ShaderKind::Compute).unwrap()
        else {
            panic!("a typed buffer is a descriptor");
        };
        let want = (!texel_buffers).then_some(TexelFormat::Rgba8Unorm);
        assert_eq!(format, want);
    }
}

#[test]
fn ranges_of_every_type_cover_registers_of_their_class() {
    use DescriptorRangeType as T;
    let profile = profile();
    let classes = [
        (T::Srv, ResourceClass::Srv),
        (T::Uav, ResourceClass::Uav),
        (T::Cbv, ResourceClass::Cbv),
        (T::Sampler, ResourceClass::Sampler),
    ];
    for (ty, class) in classes {
        for (count, register, declared, fits) in [
            (Some(1), 5, Some(1), true),
            (Some(1), 4, Some(1), false),
            (Some(1), 6, Some(1), false),
            (Some(3), 5, Some(3), true),
            (Some(3), 6, Some(2), true),
            (Some(3), 6, Some(3), false),
            (Some(3), 7, None, true),
            (Some(3), 8, None, false),
            (None, 5, Some(1), true),
            (None, 5000, Some(7), true),
            (None, 5, None, true),
            (None, 4, Some(1), false),
        ] {
            let ranges = vec![range(ty, 5, count)];
            let mut root = root(vec![RootParameterKind::Table(ranges)]);
            let mut resource = resource(class, register, declared);
            let set = u32::from(declared != Some(1));
            let wish = RootDescriptors::Bindings;
            let said = format!("{ty:?} {count:?}: {register} {declared:?}");
            let got = locate(Some(&root), &profile, wish, &resource).ok();
            assert_eq!(got, fits.then(|| slot(set, 0)), "{said}");
            // Another space has other registers; another type another class.
            resource.space = 1;
            let got = locate(Some(&root), &profile, wish, &resource);
            assert!(got.is_err(), "{said}");
            resource.space = 0;
            if let RootParameterKind::Table(ranges) = &mut root.parameters[0].kind {
                ranges[0].ty = T::Other(9);
            }
            let got = locate(Some(&root), &profile, wish, &resource);
            assert!(got.is_err(), "{said}");
        }
    }
}

#[test]
fn the_place_in_a_table_does_not_matter_to_a_register() {
    let text = "DescriptorTable(SRV(t0, numDescriptors = 2), UAV(u3), CBV(b1, offset = 20), SRV(t8, \
                offset = DESCRIPTOR_RANGE_OFFSET_APPEND)), DescriptorTable(Sampler(s0, \
                numDescriptors = unbounded, space = 2))";
    let root = parse_text(text).unwrap();
    let profile = profile();
    let (formats, wish) = (|_| None, RootDescriptors::Bindings);
    let mut planner = Planner::new(Some(&root), &profile, &formats, wish);
    use ResourceClass::{Cbv, Sampler, Srv, Uav};
    // Places come in the order in which they are asked for.
    for (index, (class, register)) in [(Srv, 8), (Cbv, 1), (Uav, 3), (Srv, 1), (Srv, 0)]
        .into_iter()
        .enumerate()
    {
        let resource = resource(class, register, Some(1));
        let got = planner.locate(&resource, ShaderKind::Compute).unwrap();
        assert_eq!(got, slot(0, index as u32), "{class:?} {register}");
    }
    let mut samplers = resource(Sampler, 4, None);
    samplers.space = 2;
    let got = planner.locate(&samplers, ShaderKind::Compute).unwrap();
    assert_eq!(got, slot(1, 0));
    assert_eq!(
        planner.places[5].count,
        profile.limits.unbounded_descriptors
    );
}

#[test]
fn each_stage_sees_what_is_visible_to_it() {
    use ShaderKind as K;
    use ShaderVisibility as V;
    let stages = [
        (
            K::Vertex,
            V::Vertex,
            RootSignatureFlags::DENY_VERTEX_SHADER_ROOT_ACCESS,
        ),
        (
            K::Hull,
            V::Hull,
            RootSignatureFlags::DENY_HULL_SHADER_ROOT_ACCESS,
        ),
        (
            K::Domain,
            V::Domain,
            RootSignatureFlags::DENY_DOMAIN_SHADER_ROOT_ACCESS,
        ),
        (
            K::Geometry,
            V::Geometry,
            RootSignatureFlags::DENY_GEOMETRY_SHADER_ROOT_ACCESS,
        ),
        (
            K::Pixel,
            V::Pixel,
            RootSignatureFlags::DENY_PIXEL_SHADER_ROOT_ACCESS,
        ),
        (
            K::Amplification,
            V::Amplification,
            RootSignatureFlags::DENY_AMPLIFICATION_SHADER_ROOT_ACCESS,
        ),
        (
            K::Mesh,
            V::Mesh,
            RootSignatureFlags::DENY_MESH_SHADER_ROOT_ACCESS,
        ),
    ];
    let profile = profile();
    let b0 = resource(ResourceClass::Cbv, 0, Some(1));
    let sees = |root: &RootSignature, stage| {
        let (formats, wish) = (|_| None, RootDescriptors::Bindings);
        Planner::new(Some(root), &profile, &formats, wish)
            .locate(&b0, stage)
            .is_ok()
    };
    for kind in [
        constants(0, 1),
        RootParameterKind::Cbv(descriptor(0)),
        RootParameterKind::Table(vec![range(DescriptorRangeType::Cbv, 0, Some(1))]),
    ] {
        for (_, visibility, deny) in &stages {
            let mut root = root(vec![kind.clone()]);
            root.parameters[0].visibility = *visibility;
            for (stage, own, _) in &stages {
                assert_eq!(
                    sees(&root, *stage),
                    own == visibility,
                    "{stage:?} {visibility:?}"
                );
            }
            // Compute sees only what all see.
            assert!(!sees(&root, K::Compute), "{visibility:?}");
            root.parameters[0].visibility = V::All;
            root.flags = *deny;
            for (stage, own, _) in &stages {
                assert_eq!(sees(&root, *stage), own != visibility, "{stage:?} {deny:?}");
            }
            assert!(sees(&root, K::Compute), "{deny:?}");
        }
    }
}

#[test]
fn heaps_are_there_only_where_the_flags_allow_them() {
    let profile = profile();
    let formats = |_| None;
    for (flags, resources, samplers) in [
        (RootSignatureFlags::empty(), false, false),
        (
            RootSignatureFlags::CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED,
            true,
            false,
        ),
        (
            RootSignatureFlags::SAMPLER_HEAP_DIRECTLY_INDEXED,
            false,
            true,
        ),
    ] {
        let mut root = root(Vec::new());
        root.flags = flags;
        let wish = RootDescriptors::Bindings;
        let mut planner = Planner::new(Some(&root), &profile, &formats, wish);
        let map = planner.stage(&Resources::default(), ShaderKind::Compute);
        let map = map.unwrap();
        assert_eq!(map.resource_heap.is_some(), resources, "{flags:?}");
        assert_eq!(map.resource_heap_counters.is_some(), resources, "{flags:?}");
        assert_eq!(map.sampler_heap.is_some(), samplers, "{flags:?}");
    }
}
