//! The expectations in the comments of a file test.

use dxil_frontend::dxil::ResourceClass;
use dxil_translate::{
    BindingMap, Counter, DescriptorHeaps, DescriptorSlot, ElementPlace, Features, FeedbackTexel,
    InstructionCheck, InstructionChecks, LocalTables, Location, Numerics, Options, RangeTable,
    ResourceKey, SignatureKind, SignatureOptions, SourceDebugInfo, StreamOutputEntry, Style,
    TexelFormat, ViewIdSource, VulkanVersion,
};

/// The expectations of a test.
#[derive(Default)]
pub(crate) struct Spec {
    pub(crate) targets: Vec<VulkanVersion>,
    without: Features,
    options: Vec<String>,
    bindings: BindingMap,
    signature: SignatureOptions,
    entry: Option<String>,
    /// Register and space of NVAPI's UAV.
    nvapi: Option<(u32, u32)>,
    pub(crate) checks: Vec<Vec<String>>,
    pub(crate) nots: Vec<Vec<String>>,
    pub(crate) counts: Vec<(usize, Vec<String>)>,
    pub(crate) error: Option<String>,
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Reads the comments of a test.
pub(crate) fn parse(source: &str) -> Spec {
    let mut spec = Spec {
        targets: vec![VulkanVersion::V1_1, VulkanVersion::V1_3],
        ..Spec::default()
    };
    for line in source.lines() {
        let line = line.trim();
        let Some(comment) = line.strip_prefix("//").or_else(|| line.strip_prefix(';')) else {
            continue;
        };
        let comment = comment.trim();
        if let Some(setting) = comment.strip_prefix('!') {
            let (name, value) = setting.split_once('=').expect("`//! name = value`");
            match name.trim() {
                "targets" => {
                    spec.targets = value
                        .split_whitespace()
                        .map(|target| match target {
                            "vulkan1.1" => VulkanVersion::V1_1,
                            "vulkan1.2" => VulkanVersion::V1_2,
                            "vulkan1.3" => VulkanVersion::V1_3,
                            "vulkan1.4" => VulkanVersion::V1_4,
                            other => panic!("unknown target {other}"),
                        })
                        .collect();
                }
                "without" => {
                    for name in value.split_whitespace() {
                        spec.without |= Features::from_name(name)
                            .unwrap_or_else(|| panic!("unknown feature {name}"));
                    }
                }
                "options" => spec.options = words(value),
                "entry" => spec.entry = Some(value.trim().to_owned()),
                "nvapi" => {
                    let numbers = words(value);
                    let number = |at: usize| numbers[at].parse().unwrap();
                    spec.nvapi = Some((number(0), number(1)));
                }
                "bind" => bind(&words(value), &mut spec.bindings),
                "signature" => signature(&words(value), &mut spec.signature),
                other => panic!("unknown setting {other}"),
            }
        } else if let Some(text) = comment.strip_prefix("check:") {
            spec.checks.push(words(text));
        } else if let Some(text) = comment.strip_prefix("not:") {
            spec.nots.push(words(text));
        } else if let Some(text) = comment.strip_prefix("count:") {
            let mut all = words(text);
            let count = all.remove(0).parse().expect("`count: N words`");
            spec.counts.push((count, all));
        } else if let Some(text) = comment.strip_prefix("error:") {
            spec.error = Some(text.trim().to_owned());
        }
    }
    spec
}

/// Takes the words of a `bind` setting.
fn bind(words: &[String], map: &mut BindingMap) {
    if words[0] == "root_constants" {
        map.root_constants = Some(DescriptorSlot {
            set: words[1].parse().unwrap(),
            binding: words[2].parse().unwrap(),
        });
        return;
    }
    if words[0] == "local_tables" {
        map.local_tables = LocalTables {
            resource_shift: words[1].parse().unwrap(),
            sampler_shift: words[2].parse().unwrap(),
        };
        return;
    }
    let (letter, id) = words[0].split_at(1);
    let class = match letter {
        "t" => ResourceClass::Srv,
        "u" => ResourceClass::Uav,
        "b" => ResourceClass::Cbv,
        "s" => ResourceClass::Sampler,
        other => panic!("unknown class {other}"),
    };
    let key = ResourceKey {
        class,
        id: id.parse().unwrap(),
    };
    if words[1] == "local" {
        map.make_local(key);
        let mut rest = words.to_vec();
        rest.remove(1);
        return bind(&rest, map);
    }
    let number = |n: usize| words[n].parse::<u32>().unwrap();
    let slot = || DescriptorSlot {
        set: number(2),
        binding: number(3),
    };
    // Four numbers after a name: slot, stride and offset of a table beside a heap.
    let addition = |name: &str| {
        let at = words.iter().position(|word| word == name)?;
        Some([1, 2, 3, 4].map(|n| number(at + n)))
    };
    let location = match words[1].as_str() {
        "push" => Location::PushConstants {
            first_word: number(2),
            words: number(3),
        },
        "address" => Location::DeviceAddress {
            first_word: number(2),
        },
        "table" => Location::AddressTable {
            slot: slot(),
            offset: number(4),
            table_word: (words[5] != "-").then(|| number(5)),
            stride: number(6),
            first: number(7),
        },
        "heap" => Location::Heap {
            slot: slot(),
            offset: number(4),
            table_word: (words[5] != "-").then(|| number(5)),
            counter: addition("addresses").map(|[set, binding, stride, offset]| {
                Counter::Addresses {
                    slot: DescriptorSlot { set, binding },
                    stride,
                    offset,
                }
            }),
            ranges: addition("ranges").map(|[set, binding, stride, offset]| RangeTable {
                slot: DescriptorSlot { set, binding },
                stride,
                offset,
            }),
        },
        "texels" => Location::Descriptor {
            slot: slot(),
            first_index: 0,
            counter: None,
            format: Some(
                TexelFormat::ALL
                    .iter()
                    .copied()
                    .find(|format| format!("{format:?}") == words[4])
                    .expect("a texel format"),
            ),
        },
        other => panic!("unknown location {other}"),
    };
    map.insert(key, location);
}

/// Takes the words of a `signature` setting.
fn signature(words: &[String], options: &mut SignatureOptions) {
    let number = |n: usize| words[n].parse::<u32>().unwrap();
    match words[0].as_str() {
        "dual_source" => options.dual_source_blending = true,
        "front_face_is_data" => options.front_face_is_data = true,
        "invariant_position" => options.invariant_position = true,
        "swizzle" => options
            .output_swizzles
            .push([1, 2, 3, 4].map(|n| number(n) as u8)),
        "point_size" => options.write_point_size = true,
        "raw_ids" => options.raw_vertex_and_instance_ids = true,
        "patch_offset" => options.patch_location_offset = Some(number(1)),
        "rasterized_stream" => options.stream_output.rasterized_stream = number(1),
        // place SIGNATURE SEMANTIC INDEX LOCATION COMPONENT [per_primitive]
        "place" => options.places.push(ElementPlace {
            signature: match words[1].as_str() {
                "input" => SignatureKind::Input,
                "output" => SignatureKind::Output,
                "patch" => SignatureKind::PatchConstant,
                other => panic!("unknown signature {other}"),
            },
            semantic: words[2].clone(),
            index: number(3),
            location: number(4),
            component: number(5),
            per_primitive: words.len() > 6,
        }),
        // stream STREAM SEMANTIC INDEX FIRST_COMPONENT COMPONENTS BUFFER OFFSET STRIDE
        "stream" => options.stream_output.entries.push(StreamOutputEntry {
            stream: number(1),
            semantic: words[2].clone(),
            index: number(3),
            first_component: number(4),
            components: number(5),
            buffer: number(6),
            offset: number(7),
            stride: number(8),
        }),
        "view" => match words[1].as_str() {
            "constant" => options.views.id = ViewIdSource::Constant(number(2)),
            "specialized" => options.views.id = ViewIdSource::Specialized { spec_id: number(2) },
            "table" => options.views.id = ViewIdSource::ViewIndexTable { spec_id: number(2) },
            "viewports" => options.views.viewports = Some(number(2)),
            "layers" => options.views.layers = Some(number(2)),
            other => panic!("unknown view {other}"),
        },
        other => panic!("unknown signature option {other}"),
    }
}

/// Returns the options that a test asks for.
pub(crate) fn options(spec: &Spec, vulkan: VulkanVersion) -> Options {
    let mut options = Options::default();
    options.bindings = spec.bindings.clone();
    options.signature = spec.signature.clone();
    options.entry = spec.entry.clone();
    options.vendor.nvapi_uav = spec.nvapi;
    options.target.vulkan = vulkan;
    options.target.features = Features::all() - spec.without;
    for option in &spec.options {
        match option.as_str() {
            "bounds_checks" => options.bounds_checks = true,
            "numerics_radv" => options.target.numerics = Numerics::of_driver(3),
            "numerics_nvidia" => options.target.numerics = Numerics::of_driver(4),
            "numerics_turnip" => options.target.numerics = Numerics::of_driver(18),
            "numerics_honeykrisp" => options.target.numerics = Numerics::of_driver(26),
            "fast_half_packing" => options.fast_half_packing = true,
            "zero_missing" => options.vendor.zero_missing = true,
            "portable" => options.target.style = Style::Portable,
            "heaps" => {
                let slot = |binding| DescriptorSlot { set: 7, binding };
                options.bindings.resource_heap = Some(slot(0));
                options.bindings.sampler_heap = Some(slot(1));
                options.bindings.resource_heap_counters = Some(Counter::Buffer(slot(2)));
            }
            "descriptor_heaps" => {
                options.bindings.descriptor_heaps = Some(DescriptorHeaps {
                    resource_stride: 64,
                    sampler_stride: 32,
                });
            }
            "device_strides" => {
                options.bindings.descriptor_heaps = Some(DescriptorHeaps::default());
            }
            "large_buffers" => options.large_buffers = true,
            "debug_info" => options.debug_info = true,
            "source_lines" => options.source = SourceDebugInfo::Lines,
            "source_full" => options.source = SourceDebugInfo::Full,
            "entry_main" => options.entry_name = Some("main".to_owned()),
            "feedback_neighbours" => options.feedback = FeedbackTexel::Neighbours,
            "assumptions" => {
                let slot = |binding| DescriptorSlot { set: 7, binding };
                let check = InstructionCheck::Assumptions;
                let checks = InstructionChecks::new(slot(3), slot(4), 1, check);
                options.instrumentation.instructions = Some(checks);
            }
            "helper_lanes_in_waves" => options.helper_lanes_in_waves = true,
            "unchecked_group_memory" => options.unchecked_group_memory = true,
            "preview" => options.preview = true,
            "native_min_precision" => options.native_min_precision = true,
            "full_min_precision" => options.workarounds.full_min_precision = true,
            other => panic!("unknown option {other}"),
        }
    }
    options
}
