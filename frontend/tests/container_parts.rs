//! The typed readers, on files whose sources (beside them) are known.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use dxil_frontend::FourCc;
use dxil_frontend::container::psv::{PsvResourceType, PsvStage};
use dxil_frontend::container::rdat::*;
use dxil_frontend::container::root_signature::*;
use dxil_frontend::container::*;
use dxil_frontend::dxil::*;

fn load(name: &str) -> Vec<u8> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/container");
    std::fs::read(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn root_signature(name: &str) -> RootSignature {
    let bytes = load(name);
    let container = Container::parse(&bytes).unwrap();
    let root = container.root_signature().unwrap().unwrap();
    // Reading and writing again gives the same bytes.
    let part = container.require(FourCc::RTS0).unwrap();
    assert_eq!(root.to_bytes().unwrap(), part.data, "{name}");
    assert_eq!(RootSignature::from_file(part.data).unwrap(), root);
    assert_eq!(RootSignature::from_file(&bytes).unwrap(), root);
    let alone = root.to_container().unwrap();
    assert_eq!(
        Container::parse(&alone).unwrap().digest(),
        DigestStatus::Valid
    );
    assert_eq!(RootSignature::from_file(&alone).unwrap(), root);
    root
}

fn words(values: &[u32]) -> Vec<u8> {
    values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect()
}

#[test]
fn root_signature_1_0_has_no_flags_on_descriptors() {
    let root = root_signature("rootsig_1_0_ps.dxil");
    assert_eq!(root.version, RootSignatureVersion::V1_0);
    let flags = RootSignatureFlags::ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT;
    assert_eq!(root.flags, flags);
    assert_eq!(root.parameters.len(), 4);
    let RootParameterKind::Constants(constants) = root.parameters[0].kind else {
        panic!("{root:?}");
    };
    assert_eq!((constants.register, constants.count), (0, 4));
    assert_eq!(root.parameters[1].visibility, ShaderVisibility::Pixel);
    let RootParameterKind::Table(ranges) = &root.parameters[2].kind else {
        panic!("{root:?}");
    };
    let range = |ty, base_register, count| DescriptorRange {
        ty,
        count: Some(count),
        base_register,
        space: 0,
        flags: DescriptorFlags::empty(),
        offset: None,
    };
    assert_eq!(
        *ranges,
        [
            range(DescriptorRangeType::Srv, 0, 3),
            range(DescriptorRangeType::Uav, 1, 1)
        ]
    );
    let sampler = &root.static_samplers[0];
    assert_eq!(sampler.address_u, TextureAddressMode::Clamp);
    assert_eq!(sampler.max_anisotropy, 4);
    assert!(sampler.filter.is_min_linear() && sampler.filter.is_mip_linear());
}

#[test]
fn root_signature_1_1_has_flags_and_unbounded_ranges() {
    let root = root_signature("rootsig_1_1_cs.dxil");
    assert_eq!(root.version, RootSignatureVersion::V1_1);
    let heaps = RootSignatureFlags::CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED
        | RootSignatureFlags::SAMPLER_HEAP_DIRECTLY_INDEXED;
    assert_eq!(root.flags, heaps);
    let RootParameterKind::Cbv(cbv) = root.parameters[0].kind else {
        panic!("{root:?}");
    };
    assert_eq!(cbv.flags, DescriptorFlags::DATA_STATIC);
    let RootParameterKind::Srv(srv) = root.parameters[1].kind else {
        panic!("{root:?}");
    };
    assert_eq!((srv.space, srv.flags), (1, DescriptorFlags::DATA_VOLATILE));
    let RootParameterKind::Table(ranges) = &root.parameters[3].kind else {
        panic!("{root:?}");
    };
    for (range, space) in ranges.iter().zip([0, 2]) {
        assert_eq!((range.count, range.offset), (None, Some(0)));
        assert_eq!(range.space, space);
        assert_eq!(range.flags, DescriptorFlags::DESCRIPTORS_VOLATILE);
    }
    let sampler = &root.static_samplers[0];
    assert_eq!(sampler.comparison, ComparisonFunction::GreaterEqual);
    assert_eq!(sampler.filter.reduction(), FilterReduction::Comparison);
    assert!(sampler.filter.is_mag_linear() && !sampler.filter.is_mip_linear());
    assert_eq!(sampler.border_color, StaticBorderColor::OpaqueWhite);
    assert_eq!(sampler.space, 3);
}

#[test]
fn root_signature_1_2_has_flags_on_samplers() {
    let root = root_signature("rootsig_1_2_ps.dxil");
    assert_eq!(root.version, RootSignatureVersion::V1_2);
    let flags: Vec<_> = root.static_samplers.iter().map(|s| s.flags).collect();
    assert_eq!(
        flags,
        [
            StaticSamplerFlags::UINT_BORDER_COLOR,
            StaticSamplerFlags::NON_NORMALIZED_COORDINATES
        ]
    );
    assert_eq!(
        root.static_samplers[0].border_color,
        StaticBorderColor::OpaqueWhiteUint
    );
}

#[test]
fn a_lone_root_signature_reads() {
    let root = root_signature("only_rootsig.dxil");
    assert_eq!(root.parameters.len(), 3);
    let sampler = &root.static_samplers[1];
    assert_eq!(
        (sampler.mip_lod_bias, sampler.min_lod, sampler.max_lod),
        (-0.5, 1.0, 7.0)
    );
    assert!(sampler.filter.is_anisotropic());
    assert_eq!(sampler.visibility, ShaderVisibility::Pixel);
}

#[test]
fn a_version_does_not_write_flags_it_has_no_place_for() {
    let mut root = root_signature("rootsig_1_2_ps.dxil");
    root.version = RootSignatureVersion::V1_1;
    let error = root.to_bytes().unwrap_err();
    assert!(
        error.to_string().contains("static sampler flags"),
        "{error}"
    );
}

/// Tables that all share one run of ranges: the result may not outgrow the part.
#[test]
fn shared_descriptor_ranges_are_bounded() {
    let tables = 500;
    let mut data = words(&[2, tables, 24, 0, 0, 0]);
    let table_at = 24 + tables * 12;
    for _ in 0..tables {
        data.extend(words(&[0, 0, table_at]));
    }
    data.extend(words(&[200, table_at + 8]));
    data.resize(data.len() + 200 * 24, 0);
    let error = RootSignature::from_file(&data).unwrap_err();
    assert!(error.to_string().contains("over the limit"), "{error}");
}

#[test]
fn mesh_psv_counts_vertices_primitives_and_payload() {
    let bytes = load("meshlet_ms.dxil");
    let psv = Container::parse(&bytes).unwrap().psv().unwrap().unwrap();
    assert_eq!(
        psv.info.stage,
        PsvStage::Mesh {
            group_shared_bytes: 0,
            group_shared_bytes_by_view: 0,
            payload_bytes: 128,
            max_vertices: 64,
            max_primitives: 96,
            topology: Some(MeshTopology::Triangle),
        }
    );
    assert_eq!(psv.info.num_threads, Some([64, 1, 1]));
    let types: Vec<_> = psv.resources.iter().map(|r| r.ty).collect();
    assert_eq!(
        types,
        [
            PsvResourceType::Cbv,
            PsvResourceType::SrvStructured,
            PsvResourceType::SrvRaw,
            PsvResourceType::SrvStructured
        ]
    );
    assert_eq!((psv.outputs.len(), psv.patch_constants.len()), (2, 2));
}

#[test]
fn hull_psv_tells_which_patch_constants_depend_on_the_view() {
    let bytes = load("tess_hs.dxil");
    let psv = Container::parse(&bytes).unwrap().psv().unwrap().unwrap();
    let PsvStage::Hull {
        input_control_points,
        output_control_points,
        domain,
        output,
    } = psv.info.stage
    else {
        panic!("{psv:?}");
    };
    assert_eq!((input_control_points, output_control_points), (4, 3));
    assert_eq!(
        (domain, output),
        (DomainShape::Quad, TessellatorOutput::Point)
    );
    assert!(psv.info.uses_view_id);
    let dependent = psv.dependencies.view_id_patch_constants.unwrap();
    // The edge factors take the view id and the inside factors derive from them; CENTER does not.
    let rows: std::collections::BTreeSet<_> = dependent.iter().map(|c| (c / 4, c % 4)).collect();
    let tess: Vec<_> = psv
        .patch_constants
        .iter()
        .filter(|e| e.semantic_name.is_empty())
        .flat_map(|e| {
            let (row, column) = e.start.unwrap();
            (0..e.rows).map(move |r| (usize::from(row + r), usize::from(column)))
        })
        .collect();
    assert_eq!(rows, tess.into_iter().collect());
    assert!(psv.dependencies.inputs_to_patch_constants.is_some());
}

#[test]
fn vertex_psv_tells_that_texture_coordinates_pass_through() {
    let bytes = load("skin_vs.dxil");
    let psv = Container::parse(&bytes).unwrap().psv().unwrap().unwrap();
    let find = |elements: &[psv::PsvElement<'_>], name: &str| {
        let element = elements.iter().find(|e| e.semantic_name == name).unwrap();
        usize::from(element.start.unwrap().0) * 4
    };
    let (input, output) = (
        find(&psv.inputs, "TEXCOORD"),
        find(&psv.outputs, "TEXCOORD"),
    );
    let table = psv.dependencies.inputs_to_outputs[0].unwrap();
    let outputs: Vec<_> = table.outputs_of(input).unwrap().iter().collect();
    assert_eq!(outputs, [output]);
    assert!(table.outputs_of(table.input_components()).is_none());
}

/// The older versions, made from version 4 by leaving out what they lacked.
#[test]
fn older_psv_versions_are_told_by_their_size() {
    let bytes = load("meshlet_ms.dxil");
    let container = Container::parse(&bytes).unwrap();
    let part = container.require(FourCc::PSV0).unwrap();
    let newest = container.psv().unwrap().unwrap();
    let old_size = u32::from_le_bytes(*part.data.first_chunk().unwrap()) as usize;
    let kind = Some(ShaderKind::Mesh);
    for (version, size) in [(0, 24), (1, 36), (2, 48), (3, 52), (4, 56), (4, 64)] {
        let mut data = words(&[size]);
        let mut info = part.data[4..4 + old_size].to_vec();
        info.resize(size as usize, 0xee);
        data.extend(info);
        data.extend(&part.data[4 + old_size..]);
        let part = Part {
            data: &data,
            ..part
        };
        let psv = Psv::parse(part, kind).unwrap();
        assert_eq!(psv.version, version, "{size} bytes");
        assert_eq!(psv.resources, newest.resources);
        assert_eq!(psv.info.num_threads.is_some(), version >= 2);
        assert_eq!(psv.entry_name.is_some(), version >= 3);
        let PsvStage::Mesh {
            max_vertices,
            topology,
            ..
        } = psv.info.stage
        else {
            panic!("{psv:?}");
        };
        assert_eq!((max_vertices, topology.is_some()), (64, version >= 1));
        assert_eq!(psv.outputs.len(), if version >= 1 { 2 } else { 0 });
    }
    let short = Part {
        data: &words(&[20, 0, 0, 0, 0, 0, 0]),
        ..part
    };
    assert!(Psv::parse(short, kind).is_err());
}

#[test]
fn psv_records_longer_than_known_are_stepped_over() {
    let mut data = words(&[24]);
    data.extend([0; 24]);
    data.extend(words(&[2, 32]));
    for register in [5, 6] {
        data.extend(words(&[2, 0, register, register, 13, 0, 77, 88]));
    }
    let bytes = write_container(&[(FourCc::PSV0, &data)], Signing::None).unwrap();
    let psv = Container::parse(&bytes).unwrap().psv().unwrap().unwrap();
    let registers: Vec<_> = psv.resources.iter().map(|r| r.lower_bound).collect();
    assert_eq!(registers, [5, 6]);
    assert_eq!(psv.resources[1].extra.unwrap().kind, ResourceKind::CBuffer);
}

#[test]
fn signatures_name_semantics_registers_and_masks() {
    let bytes = load("skin_vs.dxil");
    let container = Container::parse(&bytes).unwrap();
    let inputs = ProgramSignature::parse(container.require(FourCc::ISG1).unwrap()).unwrap();
    let names: Vec<_> = inputs.parameters.iter().map(|p| p.semantic_name).collect();
    assert_eq!(
        names,
        [
            "POSITION",
            "NORMAL",
            "BLENDINDICES",
            "BLENDWEIGHT",
            "TEXCOORD",
            "SV_InstanceID",
            "SV_VertexID"
        ]
    );
    let bones = inputs.parameters[2];
    assert_eq!(bones.component_type, SignatureComponentType::U32);
    assert_eq!((bones.register, bones.mask), (Some(2), 0xf));
    let outputs = ProgramSignature::parse(container.require(FourCc::OSG1).unwrap()).unwrap();
    assert_eq!(
        outputs.parameters[3].system_value,
        SystemValue::ClipDistance
    );
    assert_eq!(outputs.parameters[3].usage_mask, 0xe);
}

#[test]
fn older_signature_layouts_read_alike() {
    let element = [0, 3, 64, 3, 1, 0x0f07];
    let name_at = |size| 8 + size;
    let layouts: [(FourCc, Vec<u32>, Vec<u32>); 3] = [
        (FourCc::OSGN, vec![], vec![]),
        (FourCc::OSG5, vec![2], vec![]),
        (FourCc::OSG1, vec![2], vec![1]),
    ];
    for (name, before, after) in layouts {
        let size = u32::try_from(4 * (before.len() + element.len() + after.len())).unwrap();
        let mut data = words(&[1, 8]);
        data.extend(words(&before));
        data.extend(words(&[name_at(size)]));
        data.extend(words(&element[1..]));
        data.extend(words(&after));
        data.extend(b"SV_Target\0\0\0");
        let part = Part {
            name,
            offset: 0,
            data: &data,
        };
        let signature = ProgramSignature::parse(part).unwrap();
        let parameter = signature.parameters[0];
        assert_eq!(parameter.semantic_name, "SV_Target");
        assert_eq!(parameter.semantic_index, 3);
        assert_eq!(parameter.system_value, SystemValue::Target);
        assert_eq!(parameter.component_type, SignatureComponentType::F32);
        assert_eq!((parameter.register, parameter.mask), (Some(1), 7));
        assert_eq!(parameter.usage_mask, 0xf);
        assert_eq!(parameter.stream, before.first().copied().unwrap_or(0));
        let precision = after.first().copied().unwrap_or(0);
        assert_eq!(parameter.min_precision.number(), precision);
    }
}

#[test]
fn rdat_lists_functions_with_stage_and_resources() {
    let bytes = load("subobjects.dxil");
    let rdat = Container::parse(&bytes).unwrap().rdat().unwrap().unwrap();
    let functions: Vec<_> = rdat.iter::<FunctionRecord>().map(Result::unwrap).collect();
    let find = |name: &str| {
        let mut all = functions.iter();
        all.find(|f| rdat.string(f.unmangled_name).unwrap() == name)
            .unwrap()
    };
    let any = find("any");
    assert_eq!(any.kind, ShaderKind::AnyHit);
    assert_eq!((any.payload_bytes, any.attribute_bytes), (16, 8));
    let resources: Vec<_> = rdat
        .records(find("gen").resources)
        .unwrap()
        .map(|r| {
            r.map(|r| (r.class.letter(), rdat.string(r.name).unwrap()))
                .unwrap()
        })
        .collect();
    assert_eq!(resources.len(), 3, "{resources:?}");
    assert!(resources.contains(&('u', "img")) && resources.contains(&('t', "tlas")));
}

#[test]
fn rdat_lists_subobjects_with_their_root_signatures() {
    let bytes = load("subobjects.dxil");
    let rdat = Container::parse(&bytes).unwrap().rdat().unwrap().unwrap();
    let mut seen = Vec::new();
    for subobject in rdat.iter::<Subobject>() {
        let subobject = subobject.unwrap();
        let name = rdat.string(subobject.name).unwrap();
        seen.push(name);
        match (name, subobject.kind) {
            ("state", SubobjectKind::StateObjectConfig { flags }) => assert_eq!(flags, 1),
            ("grs", SubobjectKind::GlobalRootSignature(bytes)) => {
                let root = rdat.root_signature(bytes).unwrap();
                assert_eq!(root.parameters.len(), 3);
                assert_eq!(root.static_samplers.len(), 1);
            }
            ("lrs" | "lrsMiss", SubobjectKind::LocalRootSignature(bytes)) => {
                let root = rdat.root_signature(bytes).unwrap();
                assert!(
                    root.flags
                        .contains(RootSignatureFlags::LOCAL_ROOT_SIGNATURE)
                );
            }
            ("a0", SubobjectKind::SubobjectToExportsAssociation { exports, .. }) => {
                let names: Vec<_> = rdat
                    .string_array(exports)
                    .unwrap()
                    .map(Result::unwrap)
                    .collect();
                assert_eq!(names, ["closest", "TriGroup"]);
            }
            ("a1", SubobjectKind::SubobjectToExportsAssociation { subobject, .. }) => {
                assert_eq!(rdat.string(subobject).unwrap(), "lrsMiss");
            }
            (
                "sc",
                SubobjectKind::RaytracingShaderConfig {
                    max_payload_bytes,
                    max_attribute_bytes,
                },
            ) => {
                assert_eq!((max_payload_bytes, max_attribute_bytes), (16, 8));
            }
            (
                "pc",
                SubobjectKind::RaytracingPipelineConfig {
                    max_recursion_depth,
                    flags,
                },
            ) => {
                assert_eq!((max_recursion_depth, flags), (4, None));
            }
            ("TriGroup", SubobjectKind::HitGroup { kind, any_hit, .. }) => {
                assert_eq!(kind, HitGroupKind::Triangle);
                assert_eq!(rdat.string(any_hit).unwrap(), "any");
            }
            (
                "BoxGroup",
                SubobjectKind::HitGroup {
                    kind,
                    any_hit,
                    intersection,
                    ..
                },
            ) => {
                assert_eq!(kind, HitGroupKind::ProceduralPrimitive);
                assert_eq!(rdat.string(any_hit).unwrap(), "");
                assert_eq!(rdat.string(intersection).unwrap(), "box");
            }
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(seen.len(), 10);
}

#[test]
fn rdat_lists_nodes_with_their_outputs() {
    let bytes = load("output_arrays.dxil");
    let rdat = Container::parse(&bytes).unwrap().rdat().unwrap().unwrap();
    let function = rdat.row::<FunctionRecord>(0).unwrap();
    assert_eq!(rdat.string(function.name).unwrap(), "classify");
    assert_eq!(function.kind, ShaderKind::Node);
    assert!(function.flags.contains(FunctionFlags::NODE_PROGRAM_ENTRY));
    let FunctionStage::Node(node) = function.stage else {
        panic!("{function:?}");
    };
    let node = rdat.record(node).unwrap().unwrap();
    assert_eq!(node.launch, NodeLaunch::Broadcasting);
    let threads = rdat
        .records(node.attributes)
        .unwrap()
        .find_map(|a| match a.unwrap() {
            NodeFunctionAttribute::NumThreads(words) => Some(rdat.index_array(words).unwrap()),
            _ => None,
        });
    assert_eq!(threads.unwrap().iter().collect::<Vec<_>>(), [16, 1, 1]);
    let outputs: Vec<_> = rdat
        .records(node.outputs)
        .unwrap()
        .map(Result::unwrap)
        .collect();
    assert_eq!(outputs.len(), 3);
    let mut ids = Vec::new();
    for output in outputs {
        assert!(
            output
                .flags
                .contains(NodeIoFlags::OUTPUT | NodeIoFlags::NODE_ARRAY)
        );
        for attribute in rdat.records(output.attributes).unwrap() {
            if let NodeIoAttribute::OutputId(id) = attribute.unwrap() {
                let id = rdat.record(id).unwrap().unwrap();
                ids.push(rdat.string(id.name).unwrap());
            }
        }
    }
    assert_eq!(ids, ["material", "extra", "other"]);
}

#[test]
fn names_versions_and_hashes_read() {
    let bytes = load("small_pdb_cs.dxil");
    let container = Container::parse(&bytes).unwrap();
    let name = container.debug_name().unwrap().unwrap().name;
    assert!(name.ends_with(".pdb") && name.len() == 36, "{name}");
    let hash = container.shader_hash().unwrap().unwrap();
    let hex: String = hash
        .digest
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(!hash.includes_source());
    assert_eq!(hex.len(), 32);
    let bytes = load("subobjects.dxil");
    let version = Container::parse(&bytes)
        .unwrap()
        .compiler_version()
        .unwrap()
        .unwrap();
    assert_eq!(
        (version.major, version.minor, version.commit_count),
        (1, 10, 5466)
    );
    assert_eq!(
        (version.commit, version.custom),
        ("9a3e225d", "1.9.0.15466")
    );
    let bytes = load("skin_vs.dxil");
    let features = Container::parse(&bytes).unwrap().features().unwrap();
    assert_eq!(
        features,
        Some(FeatureFlags::VIEWPORT_AND_ARRAY_INDEX_FROM_ANY_STAGE)
    );
}

/// Returns RDAT as PDBI holds it: two strings, one source.
fn pdb_content() -> Vec<u8> {
    let strings = b"\0a.hlsl\0float4 main();\0\0";
    let mut rdat = words(&[
        0x10,
        4,
        24,
        24 + 8 + 24,
        24 + 8 + 24 + 24,
        24 + 8 + 24 + 24 + 24,
    ]);
    rdat.extend(words(&[1, 24]));
    rdat.extend(strings);
    assert_eq!(rdat.len(), 24 + 8 + 24);
    rdat.extend(words(&[2, 16, 1, 0, 0, 0]));
    rdat.extend(words(&[0x1_0002, 16, 1, 8, 1, 8]));
    rdat.extend(words(&[0x1_0001, 52, 1, 44]));
    rdat.extend(words(&[0, u32::MAX, u32::MAX, 0, 0, 1, 0, 0, 0, 0, 0]));
    rdat
}

#[test]
fn pdb_info_reads_packed_and_unpacked() {
    let content = pdb_content();
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&content, 6);
    for (compression, data) in [(0, &content), (1, &packed)] {
        let size = |data: &[u8]| u32::try_from(data.len()).unwrap();
        let mut part = words(&[compression << 16, size(data), size(&content)]);
        part.extend(data);
        let bytes = write_container(&[(FourCc::PDBI, &part)], Signing::None).unwrap();
        let info = Container::parse(&bytes)
            .unwrap()
            .pdb_info()
            .unwrap()
            .unwrap();
        let rdat = info.rdat().unwrap();
        let record = rdat.row::<pdb_info::PdbRecord>(0).unwrap();
        let source = rdat
            .records(record.sources)
            .unwrap()
            .next()
            .unwrap()
            .unwrap();
        assert_eq!(rdat.string(source.name).unwrap(), "a.hlsl");
        assert_eq!(rdat.string(source.content).unwrap(), "float4 main();");
        assert_eq!(rdat.string(record.pdb_name).unwrap(), "a.hlsl");
        assert_eq!(rdat.index_array(record.arguments.0).unwrap().len(), 0);
    }
}

#[test]
fn unpacking_stops_at_the_size_that_the_header_tells() {
    let bomb = miniz_oxide::deflate::compress_to_vec_zlib(&vec![0; 1 << 20], 9);
    for told in [64, u32::MAX] {
        let mut part = words(&[1 << 16, u32::try_from(bomb.len()).unwrap(), told]);
        part.extend(&bomb);
        let bytes = write_container(&[(FourCc::PDBI, &part)], Signing::None).unwrap();
        let error = Container::parse(&bytes).unwrap().pdb_info().unwrap_err();
        assert_eq!(error.location().part, Some(FourCc::PDBI), "{error}");
    }
}

#[test]
fn source_info_gives_names_texts_and_arguments() {
    let pad = |bytes: &mut Vec<u8>| bytes.resize(bytes.len().next_multiple_of(4), 0);
    let size = |bytes: &[u8]| u32::try_from(bytes.len()).unwrap();
    let section = |kind: u32, body: &[u8]| {
        let mut out = words(&[size(body) + 8, kind << 16]);
        out.extend(body);
        out
    };
    let mut entry = words(&[0, 0, 7, 5]);
    entry.extend(b"a.hlsl\0");
    pad(&mut entry);
    let entry_size = size(&entry);
    entry[..4].copy_from_slice(&entry_size.to_le_bytes());
    let mut names = words(&[0, 1]);
    names.extend(u16::try_from(entry_size).unwrap().to_le_bytes());
    names.extend(&entry);
    pad(&mut names);

    let mut text = words(&[20, 0, 5]);
    text.extend(b"main\0\0\0\0");
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&text, 6);
    let mut contents = words(&[0, 1 << 16, size(&packed), size(&text), 1]);
    contents.extend(&packed);
    pad(&mut contents);
    let contents_size = size(&contents);
    contents[..4].copy_from_slice(&contents_size.to_le_bytes());

    let list = b"T\0cs_6_0\0E\0main\0\0a.hlsl\0";
    let mut arguments = words(&[0, size(list), 3]);
    arguments.extend(list);
    pad(&mut arguments);

    let mut part = words(&[0, 3 << 16]);
    part.extend(section(1, &names));
    part.extend(section(0, &contents));
    part.extend(section(2, &arguments));
    let bytes = write_container(&[(FourCc::SRCI, &part)], Signing::None).unwrap();
    let info = Container::parse(&bytes)
        .unwrap()
        .source_info()
        .unwrap()
        .unwrap();
    assert_eq!(info.names[0].name, "a.hlsl");
    assert_eq!(info.names[0].content_bytes, 5);
    let contents = info.contents.unwrap();
    let texts: Vec<_> = contents.texts().map(Result::unwrap).collect();
    assert_eq!(texts, ["main"]);
    assert_eq!(
        info.arguments,
        [("T", "cs_6_0"), ("E", "main"), ("", "a.hlsl")]
    );
}
