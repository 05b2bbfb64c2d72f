//! The structures of the code have the layouts that a C compiler gives to those of the headers:
//! size, alignment, and place and size of every field. All structures of the headers are looked at.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]

mod toolchain;

use std::collections::BTreeMap;
use std::fmt::Write;

use dxil_jit::compat::option_shapes::*;
use dxil_jit::compat::types::*;
use dxil_jit::native::*;
use toolchain::*;

/// A structure as the code has it. Fields are named as C names them; members of members with a dot.
struct Layout {
    name: &'static str,
    size: usize,
    align: usize,
    fields: Vec<(&'static str, usize, usize)>,
}

fn field_size<T, F>(_: impl Fn(&T) -> &F) -> usize {
    size_of::<F>()
}

macro_rules! layout {
    ($name:ident, $ty:ty: $($c:literal = $($field:tt).+),* $(,)?) => {
        Layout {
            name: stringify!($name),
            size: size_of::<$ty>(),
            align: align_of::<$ty>(),
            fields: vec![$((
                $c,
                std::mem::offset_of!($ty, $($field).+),
                field_size(|own: &$ty| &own.$($field).+),
            )),*],
        }
    };
}

/// A structure whose fields have the same names in both languages.
macro_rules! same {
    ($name:ident, $ty:ty: $($field:ident),* $(,)?) => {
        Layout {
            name: stringify!($name),
            size: size_of::<$ty>(),
            align: align_of::<$ty>(),
            fields: vec![$((
                stringify!($field),
                std::mem::offset_of!($ty, $field),
                field_size(|own: &$ty| &own.$field),
            )),*],
        }
    };
}

/// An option: a shape whose fields have numbers. The base has number 0.
macro_rules! option {
    ($name:ident, $ty:ty: $($number:tt = $field:ident),* $(,)?) => {
        Layout {
            name: concat!("dxil_spv_option_", stringify!($name)),
            size: size_of::<$ty>(),
            align: align_of::<$ty>(),
            fields: vec![
                ("base", std::mem::offset_of!($ty, 0), size_of::<OptionBase>()),
                $((
                    stringify!($field),
                    std::mem::offset_of!($ty, $number),
                    field_size(|own: &$ty| &own.$number),
                )),*
            ],
        }
    };
}

fn abi_types() -> Vec<Layout> {
    vec![
        same!(dxil_spv_d3d_vertex_input, D3dVertexInput: semantic, semantic_index, start_row, rows),
        same!(dxil_spv_vulkan_vertex_input, VulkanVertexInput: location),
        same!(dxil_spv_d3d_stream_output, D3dStreamOutput: semantic, semantic_index),
        same!(dxil_spv_vulkan_stream_output, VulkanStreamOutput: offset, stride, buffer_index, enable),
        same!(dxil_spv_d3d_shader_stage_io, D3dStageIo: semantic, semantic_index, start_row, rows),
        same!(dxil_spv_vulkan_shader_stage_io, VulkanStageIo: location, component, flags),
        same!(dxil_spv_d3d_binding, D3dBinding:
            stage, kind, resource_index, register_space, register_index, range_size, alignment),
        layout!(dxil_spv_vulkan_binding, VulkanBinding:
            "set" = set,
            "binding" = binding,
            "root_constant_index" = root_constant_index,
            "input_attachment_index" = root_constant_index,
            "bindless" = bindless,
            "bindless.heap_root_offset" = bindless.heap_root_offset,
            "bindless.use_heap" = bindless.use_heap,
            "descriptor_type" = descriptor_type),
        same!(dxil_spv_uav_d3d_binding, D3dUavBinding: d3d_binding, has_counter),
        same!(dxil_spv_srv_vulkan_binding, SrvVulkanBinding: buffer_binding, offset_binding),
        same!(dxil_spv_uav_vulkan_binding, UavVulkanBinding:
            buffer_binding, counter_binding, offset_binding),
        layout!(dxil_spv_cbv_vulkan_binding, CbvVulkanBinding:
            "vulkan" = uniform_binding,
            "vulkan.uniform_binding" = uniform_binding,
            "vulkan.push_constant.offset_in_words" = uniform_binding.set,
            "push_constant" = push_constant),
        same!(dxil_spv_compiled_spirv, CompiledSpirv: data, size),
        same!(dxil_spv_rdat_subobject, RdatSubobject:
            kind, subobject_name, hit_group_type, exports, num_exports, args, payload, payload_size),
        same!(dxil_spv_node_input_data, NodeInputData:
            node_id, payload_stride, launch_type, node_array_index, dispatch_grid_offset,
            dispatch_grid_type_bits, dispatch_grid_components, broadcast_grid,
            thread_group_size_spec_id, max_broadcast_grid_spec_id, recursion_factor, coalesce_factor,
            node_share_input_id, node_share_input_array_index, local_root_arguments_table_index,
            is_indirect_bda_stride_program_entry_spec_id, is_entry_point_spec_id,
            dispatch_grid_is_upper_bound_spec_id, is_static_broadcast_node_spec_id,
            dispatch_grid_is_upper_bound, node_track_rw_input_sharing, is_program_entry),
        same!(dxil_spv_node_output_data, NodeOutputData:
            node_id, node_array_index, node_array_size, node_index_spec_constant_id, max_records,
            sparse_array),
    ]
}

fn abi_options() -> Vec<Layout> {
    vec![
        layout!(dxil_spv_option_base, OptionBase: "type" = number),
        option!(shader_demote_to_helper, Flag: 1 = supported),
        option!(dual_source_blending, Flag: 1 = enabled),
        option!(output_swizzle, Array: 1 = swizzles, 2 = swizzle_count),
        option!(rasterizer_sample_count, NumberFlag: 1 = sample_count, 2 = spec_constant),
        option!(root_constant_inline_uniform_block, Numbers2Flag: 1 = desc_set, 2 = binding, 3 = enable),
        option!(bindless_cbv_ssbo_emulation, Flag: 1 = enable),
        option!(physical_storage_buffer, Flag: 1 = enable),
        option!(sbt_descriptor_size_log2, Numbers2: 1 = size_log2_srv_uav_cbv, 2 = size_log2_sampler),
        option!(ssbo_alignment, Number: 1 = alignment),
        option!(typed_uav_read_without_format, Flag: 1 = supported),
        option!(shader_source_file, Text: 1 = name),
        option!(bindless_typed_buffer_offsets, Flag: 1 = enable),
        option!(bindless_offset_buffer_layout, Numbers3: 1 = untyped_offset, 2 = typed_offset, 3 = stride),
        option!(storage_input_output_16bit, Flag: 1 = supported),
        option!(descriptor_qa, DescriptorInstrumentation:
            1 = enabled, 2 = version, 3 = global_desc_set, 4 = global_binding, 5 = heap_desc_set,
            6 = heap_binding, 7 = shader_hash),
        option!(min_precision_native_16bit, Flag: 1 = enabled),
        option!(shader_i8_dot, Flag: 1 = supported),
        option!(shader_ray_tracing_primitive_culling, Flag: 1 = supported),
        option!(invariant_position, Flag: 1 = enabled),
        option!(scalar_block_layout, Flags2: 1 = supported, 2 = supports_per_component_robustness),
        option!(barycentric_khr, Flag: 1 = supported),
        option!(robust_physical_cbv_load, Flag: 1 = enabled),
        option!(arithmetic_relaxed_precision, Flag: 1 = enabled),
        option!(physical_address_descriptor_indexing, Numbers2: 1 = element_stride, 2 = element_offset),
        option!(force_subgroup_size, NumberFlag: 1 = forced_value, 2 = wave_size_enable),
        option!(denorm_preserve_support, Flags2:
            1 = supports_float16_denorm_preserve, 2 = supports_float64_denorm_preserve),
        option!(strict_helper_lane_wave_ops, Flag: 1 = enable),
        option!(subgroup_partitioned_nv, Flag: 1 = supported),
        option!(dead_code_eliminate, Flag: 1 = enabled),
        option!(precise_control, Flags2: 1 = force_precise, 2 = propagate_precise),
        option!(sample_grad_optimization_control, Flags2: 1 = enabled, 2 = assume_uniform_scale),
        option!(opacity_micromap, Flags2:
            1 = trace_ray_enabled, 2 = ray_query_force_omm_execution_mode_in_legacy_sm),
        option!(branch_control, Flags5:
            1 = use_shader_metadata, 2 = force_unroll, 3 = force_loop, 4 = force_flatten,
            5 = force_branch),
        option!(subgroup_properties, Numbers2: 1 = minimum_size, 2 = maximum_size),
        option!(descriptor_heap_robustness, Flag: 1 = enabled),
        option!(compute_shader_derivatives_nv, Flag: 1 = supported),
        option!(quad_control_reconvergence, Flags3:
            1 = supports_quad_control, 2 = supports_maximal_reconvergence,
            3 = force_maximal_reconvergence),
        option!(raw_access_chains_nv, Flag: 1 = supported),
        option!(driver_version, Numbers2: 1 = driver_id, 2 = driver_version),
        option!(compute_shader_derivatives, Flags2: 1 = supports_nv, 2 = supports_khr),
        option!(instruction_instrumentation, InstructionInstrumentation:
            1 = enabled, 2 = version, 3 = control_desc_set, 4 = control_binding, 5 = payload_desc_set,
            6 = payload_binding, 7 = shader_hash, 8 = type),
        option!(shader_quirk, Number: 1 = quirk),
        option!(extended_robustness, Flags3:
            1 = robust_group_shared, 2 = robust_alloca, 3 = robust_constant_lut),
        option!(max_tess_factor, Number: 1 = max_tess_factor),
        option!(vulkan_memory_model, Flag: 1 = enabled),
        option!(float8_support, Flags2: 1 = wmma_fp8, 2 = nv_cooperative_matrix2_conversions),
        option!(nvapi, FlagNumbers2: 1 = enabled, 2 = register_index, 3 = register_space),
        option!(extended_non_semantic, Flag: 1 = enabled),
        option!(view_instancing, MultiviewOption:
            1 = enabled, 2 = last_pre_rasterization_stage, 3 = view_index_to_view_instance_spec_id,
            4 = view_instance_to_viewport_spec_id),
        option!(mixed_float_dot_product, FlagReserved: 1 = fp16_fp16_fp32, 2 = reserved),
        option!(compute_shader_derivatives_quad, Flag: 1 = supports_quad),
        option!(ssbo_addressing_behavior, Flags2:
            1 = ssbo_wraps_32bit_offset_before_robustness,
            2 = raw_access_chain_wraps_32bit_offset_before_robustness),
        option!(float_controls_2, Flag: 1 = supported),
        option!(shader_abort, Flag: 1 = enabled),
        option!(shader_fma, Flags3:
            1 = supported_float16, 2 = supported_float32, 3 = supported_float64),
    ]
}

fn own_types() -> Vec<Layout> {
    vec![
        same!(dxil_jit_options, DxilJitOptions:
            vulkan_version, subgroup_size, features, entry, portable, bounds_checks, debug_info,
            native_min_precision, heap_set, has_heaps, has_patch_location,
            fast_half_packing, source_debug_info, patch_location, resource_heap_stride,
            sampler_heap_stride, descriptor_heaps, large_buffers, preview),
        same!(dxil_jit_binding, DxilJitBinding:
            register_class, space, first_register, place, set, binding, offset, word, counter_set,
            counter_binding),
        same!(dxil_jit_class_instance, DxilJitClassInstance:
            instance_name, class_name, slot, function_table, constant_buffer, constant_offset, texture,
            sampler),
        same!(dxil_jit_error, DxilJitError:
            code, function, block, instruction, offset, part, message, name),
        same!(dxil_jit_cache_counts, DxilJitCacheStatistics: entries, bytes, hits, misses),
        same!(dxil_jit_use, DxilJitUse:
            set, binding, descriptor, count, register_class, space, first_register, stride, writable,
            is_counter, name),
        same!(dxil_jit_reflection, DxilJitReflection:
            stage, workgroup_size, subgroup_size, push_constant_bytes, entry, uses, use_count,
            shader_flags, wave_lanes, control_points, patch_location, inputs, input_count, outputs,
            output_count, patch_constants, patch_constant_count, capabilities, capability_count,
            extensions, extension_count),
        same!(dxil_jit_element, DxilJitElement:
            name, semantic_index, system_value, component_type, interpolation, rows, columns,
            first_row, first_column, stream),
        same!(dxil_jit_violation, DxilJitViolation:
            rule, detail, message, function_name, file, offset, severity, function, block,
            instruction, line, column, part),
        same!(dxil_jit_report_data, DxilJitReportContent:
            is_valid, validator_minor, violations, violation_count, omitted_count),
        same!(dxil_jit_part, DxilJitPart: name, content, size),
        same!(dxil_jit_bytes, DxilJitBytes: bytes, size),
        same!(dxil_jit_part_options, DxilJitPartOptions:
            debug, reflection, has_version, version_major, version_minor, commit_count, commit,
            custom),
    ]
}

/// Returns the number of fields per structure that a header defines, those of members without a
/// type's name among them.
fn structures(header: &str) -> BTreeMap<String, usize> {
    let mut found = BTreeMap::new();
    let mut open: Option<usize> = None;
    let code = |line: &&str| !line.trim_start().starts_with("//");
    for line in header.lines().filter(code) {
        if line.starts_with("typedef struct") && line.ends_with('{') {
            open = Some(0);
        } else if let Some(fields) = open {
            if let Some(name) = line.strip_prefix("} ") {
                found.insert(name.trim_end_matches(';').to_owned(), fields);
                open = None;
            } else if line.ends_with(';') && line.trim() != "};" {
                open = Some(fields + 1);
            }
        }
    }
    found
}

/// Has a C compiler say the layouts of a header's structures and compares them with ours. `unseen`
/// are structures that only appear inside others.
fn compare(name: &str, headers: &[&str], own: &[Layout], unseen: &[&str]) {
    let text: String = headers.iter().map(|name| header(name)).collect();
    let mut theirs = structures(&text);
    for name in unseen {
        assert!(theirs.remove(*name).is_some(), "{name}");
    }
    let mut expected = String::new();
    let mut program = format!(
        "#include <stddef.h>\n#include <stdalign.h>\n#include <stdio.h>\n#include \"{}\"\nint main(void) {{\n",
        headers[0]
    );
    for layout in own {
        let Layout {
            name, size, align, ..
        } = layout;
        let fields = theirs.remove(*name);
        assert_eq!(fields, Some(layout.fields.len()), "fields of {name}");
        writeln!(expected, "{name} {size} {align}").unwrap();
        writeln!(
            program,
            "printf(\"{name} %zu %zu\\n\", sizeof({name}), alignof({name}));"
        )
        .unwrap();
        for (field, offset, size) in &layout.fields {
            writeln!(expected, "{name}.{field} {offset} {size}").unwrap();
            writeln!(
                program,
                "printf(\"{name}.{field} %zu %zu\\n\", offsetof({name}, {field}), sizeof((({name} *)0)->{field}));"
            )
            .unwrap();
        }
    }
    assert!(theirs.is_empty(), "not compared: {theirs:?}");
    program.push_str("return 0;\n}\n");
    let folder = folder(name);
    let source = folder.join("offsets.c");
    std::fs::write(&source, program).unwrap();
    let said = run(&compile_in(&folder, &source, Library::Static, &[]), &[]);
    let (mut said, mut expected) = (said.lines(), expected.lines());
    loop {
        match (said.next(), expected.next()) {
            (None, None) => break,
            (theirs, ours) => assert_eq!(theirs, ours, "C on the left, Rust on the right"),
        }
    }
}

#[test]
fn the_compatible_abis_structures_are_the_headers() {
    let mut own = abi_types();
    own.extend(abi_options());
    // A union's member.
    compare(
        "offsets-compat",
        &HEADERS,
        &own,
        &["dxil_spv_push_constant_mapping"],
    );
}

#[test]
fn our_own_apis_structures_are_the_headers() {
    compare(
        "offsets-own",
        &["dxil_jit.h"],
        &own_types(),
        // Its functions are those of the feature `precompiled`.
        &["dxil_jit_shader"],
    );
}
