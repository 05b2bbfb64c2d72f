//! Libraries through the compatible ABI: entry points by either of their names, and subobjects.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test stops at the first problem"
)]
#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "every call is to the ABI, with handles and places that live"
)]

mod session;

use std::ffi::{CStr, CString, c_char};

use dxil_jit::compat::types::*;
use dxil_jit::compat::*;
use session::*;

/// Returns a library with all kinds of subobjects.
fn subobjects() -> Vec<u8> {
    let here = env!("CARGO_MANIFEST_DIR");
    std::fs::read(format!(
        "{here}/../../frontend/tests/data/container/subobjects.dxil"
    ))
    .unwrap()
}

unsafe fn text(pointer: *const c_char) -> String {
    unsafe { CStr::from_ptr(pointer) }
        .to_str()
        .unwrap()
        .to_owned()
}

#[test]
fn entry_points_have_two_names_and_a_stage() {
    let bytes = subobjects();
    let session = Session::new(&bytes);
    let blob = session.blob();
    let mut count = 0;
    assert_eq!(
        unsafe { dxil_spv_parsed_blob_get_num_entry_points(blob, &raw mut count) },
        SUCCESS
    );
    let mut found = Vec::new();
    for index in 0..count {
        let (mut mangled, mut plain) = (std::ptr::null(), std::ptr::null());
        unsafe {
            let code = dxil_spv_parsed_blob_get_entry_point_name(blob, index, &raw mut mangled);
            assert_eq!(code, SUCCESS);
            let code =
                dxil_spv_parsed_blob_get_entry_point_demangled_name(blob, index, &raw mut plain);
            assert_eq!(code, SUCCESS);
            // Either name finds it again.
            for name in [mangled, plain] {
                let mut again = 99;
                let code = dxil_spv_parsed_blob_get_entry_index_by_name(blob, name, &raw mut again);
                assert_eq!((code, again), (SUCCESS, index));
            }
            let stage = dxil_spv_parsed_blob_get_shader_stage_for_entry(blob, mangled);
            assert_ne!(text(mangled), text(plain));
            found.push((text(plain), stage));
        }
    }
    found.sort();
    let wanted = [
        ("any", 10),
        ("box", 7),
        ("closest", 8),
        ("closestBox", 8),
        ("gen", 11),
        ("miss", 9),
    ];
    let wanted: Vec<_> = wanted.map(|(name, stage)| (name.to_owned(), stage)).into();
    assert_eq!(found, wanted);
}

/// A subobject in Rust's words.
#[derive(Debug, PartialEq)]
struct Found {
    kind: u32,
    exports: Vec<String>,
    args: [u32; 2],
    payload: Vec<u8>,
}

#[test]
fn subobjects_point_into_the_containers_bytes() {
    let bytes = subobjects();
    let session = Session::new(&bytes);
    let blob = session.blob();
    let inside = bytes.as_ptr_range();
    let mut found = std::collections::BTreeMap::new();
    let count = unsafe { dxil_spv_parsed_blob_get_num_rdat_subobjects(blob) };
    for index in 0..count {
        let mut place = std::mem::MaybeUninit::<RdatSubobject>::uninit();
        unsafe {
            dxil_spv_parsed_blob_get_rdat_subobject(blob, index, place.as_mut_ptr());
            let own = place.assume_init();
            assert!(inside.contains(&own.subobject_name.cast()));
            let exports = (0..own.num_exports as usize)
                .map(|at| text(*own.exports.add(at)))
                .collect();
            let payload = if own.payload.is_null() {
                Vec::new()
            } else {
                assert!(inside.contains(&own.payload.cast()));
                std::slice::from_raw_parts(own.payload.cast(), own.payload_size).to_vec()
            };
            let subobject = Found {
                kind: own.kind,
                exports,
                args: own.args,
                payload,
            };
            found.insert(text(own.subobject_name), subobject);
        }
    }
    let get = |name: &str| &found[name];
    // Serialized root signatures: version 1.1 has number 2, then comes the number of parameters.
    let signature = |name: &str| (get(name).kind, [0, 4].map(|at| get(name).payload[at]));
    assert_eq!(signature("grs"), (1, [2, 3]));
    assert_eq!(signature("lrs"), (2, [2, 3]));
    assert_eq!((get("state").kind, get("state").args[0]), (0, 1));
    assert_eq!((get("sc").kind, get("sc").args), (9, [16, 8]));
    assert_eq!((get("pc").kind, get("pc").args[0]), (10, 4));
    assert_eq!(get("a0").kind, 8);
    assert_eq!(get("a0").exports, ["lrs", "closest", "TriGroup"]);
    // Any-hit, closest-hit, intersection.
    assert_eq!(get("TriGroup").exports, ["any", "closest", ""]);
    assert_eq!(get("BoxGroup").exports, ["", "closestBox", "box"]);
}

#[test]
fn an_entry_point_of_a_library_is_translated_by_name() {
    let mut session = Session::of("bindings/library");
    session.answers().srv.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.answers().uav.buffer_binding.descriptor_type = DESCRIPTOR_SSBO;
    session.remap();
    session.set_entry("scale");
    let code = session.run();
    assert_eq!(code, SUCCESS);
    let mut size = [0; 3];
    let [x, y, z] = &mut size;
    unsafe {
        dxil_spv_converter_get_compute_workgroup_dimensions(session.handle(), x, y, z);
    }
    assert_eq!(size, [64, 1, 1]);
    let name = CString::new("nobody").unwrap();
    let stage =
        unsafe { dxil_spv_parsed_blob_get_shader_stage_for_entry(session.blob(), name.as_ptr()) };
    assert_eq!(stage, STAGE_UNKNOWN);
}

#[test]
fn arguments_of_a_local_root_signature_are_words_of_the_shader_record() {
    let bytes = std::fs::read(format!(
        "{}/../filetests/ray_tracing/shader_record.dxil",
        env!("CARGO_MANIFEST_DIR")
    ))
    .unwrap();
    let mut session = Session::new(&bytes);
    session.answers().srv.buffer_binding.bindless.use_heap = 1;
    session.answers().sampler.bindless.use_heap = 1;
    // Root descriptors are device addresses.
    session.flag(7);
    session.remap();
    session.set_entry("Paint");
    let converter = session.handle();
    unsafe {
        dxil_spv_converter_add_local_root_constants(converter, 1, 0, 4);
        // t0 and a table of t1 and what follows, and one of samplers.
        dxil_spv_converter_add_local_root_descriptor(converter, 0, 1, 0);
        let code = dxil_spv_converter_begin_local_root_descriptor_table(converter);
        assert_eq!(code, SUCCESS);
        dxil_spv_converter_add_local_root_descriptor_table(converter, 0, 1, 1, u32::MAX, 20);
        let code = dxil_spv_converter_end_local_root_descriptor_table(converter);
        assert_eq!(code, SUCCESS);
        dxil_spv_converter_add_local_root_descriptor_table(converter, 3, 1, 0, 1, 0);
    }
    assert_eq!(session.run(), SUCCESS);
    // What the record holds itself is nobody else's matter.
    assert_eq!(session.answers().asked, ["t1", "s0"]);
    let text = session.text();
    assert!(text.contains("OpEntryPoint ClosestHitKHR"), "{text}");
    // Four words, an address, two handles of eight bytes of which the lower halves count.
    assert!(text.contains("ShaderRecordBufferKHR"), "{text}");
    assert!(!text.contains("PushConstant"), "{text}");
}

#[test]
fn what_a_context_has_made_and_nobody_freed_goes_with_it() {
    let bytes = shader("bindings/library");
    let make = || {
        let (mut blob, mut converter) = (std::ptr::null_mut(), std::ptr::null_mut());
        unsafe {
            let code = dxil_spv_parse_dxil_blob(bytes.as_ptr().cast(), bytes.len(), &raw mut blob);
            assert_eq!(code, SUCCESS);
            assert_eq!(dxil_spv_create_converter(blob, &raw mut converter), SUCCESS);
        }
        (blob, converter)
    };
    let before = make();
    dxil_spv_begin_thread_allocator_context();
    let (blob, _) = make();
    unsafe { dxil_spv_parsed_blob_free(blob) };
    dxil_spv_reset_thread_allocator_context();
    let (_, converter) = make();
    unsafe { dxil_spv_converter_free(converter) };
    dxil_spv_end_thread_allocator_context();
    // A thread's open context ends with the thread.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            dxil_spv_begin_thread_allocator_context();
            make();
        });
    });
    let mut count = 0;
    unsafe {
        // What was there before is there still.
        let code = dxil_spv_parsed_blob_get_num_entry_points(before.0, &raw mut count);
        assert_eq!((code, count), (SUCCESS, 1));
        dxil_spv_converter_free(before.1);
        dxil_spv_parsed_blob_free(before.0);
    }
}
