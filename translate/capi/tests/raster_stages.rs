//! Mesh and pixel shaders through the compatible ABI: where outputs per primitive lie, and what
//! needs no option.
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

use dxil_jit::compat::option_shapes::*;
use dxil_jit::compat::types::*;
use dxil_jit::compat::*;
use session::*;

/// Keeps where each element is, as a layer does to hand it to the next stage.
unsafe extern "C" fn note_place(
    user: *mut std::ffi::c_void,
    asked: *const D3dStageIo,
    place: *mut VulkanStageIo,
) -> Bool {
    unsafe {
        let semantic = std::ffi::CStr::from_ptr((*asked).semantic);
        let place = &*place;
        let note = format!(
            "{} at {} flags {}",
            semantic.to_str().unwrap(),
            place.location,
            place.flags
        );
        (*user.cast::<Answers>()).asked.push(note);
    }
    1
}

/// Says that everything is where the mesh shader's output per primitive was.
unsafe extern "C" fn behind_the_vertices(
    _: *mut std::ffi::c_void,
    _: *const D3dStageIo,
    place: *mut VulkanStageIo,
) -> Bool {
    unsafe {
        (*place).location = 2;
        (*place).flags = STAGE_IO_PER_PRIMITIVE;
    }
    1
}

/// Returns the locations of the variables with that decoration.
fn locations_of(text: &str, decoration: &str) -> Vec<String> {
    let ids: Vec<&str> = text
        .lines()
        .filter(|line| line.ends_with(decoration))
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    let mut found: Vec<String> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (first, id, what) = (words.next()?, words.next()?, words.next()?);
            ((first, what) == ("OpDecorate", "Location") && ids.contains(&id))
                .then(|| words.next().unwrap().to_owned())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn outputs_per_primitive_are_where_the_layer_is_told_even_if_the_last_row_is_a_system_value() {
    let mut session = Session::new(&container("translate/filetests/mesh/patch_location"));
    let user_data = session.user();
    unsafe {
        dxil_spv_converter_set_stage_output_remapper(session.handle(), Some(note_place), user_data);
    }
    let text = session.text();
    assert_eq!(
        session.answers().asked,
        ["UV at 0 flags 0", "MATERIAL at 2 flags 1"]
    );
    assert_eq!(locations_of(&text, "PerPrimitiveEXT"), ["2"]);
    let told = session.number(dxil_spv_converter_get_patch_location_offset);
    assert_eq!(told, 2);
}

#[test]
fn a_pixel_shader_with_an_input_per_primitive_is_of_a_version_that_has_mesh_shading() {
    let mut session = Session::new(&container("translate/filetests/pixel/per_primitive"));
    let user_data = session.user();
    // Two elements cannot share a location; only one of them is moved.
    unsafe extern "C" fn only_the_material(
        user: *mut std::ffi::c_void,
        asked: *const D3dStageIo,
        place: *mut VulkanStageIo,
    ) -> Bool {
        unsafe {
            let semantic = std::ffi::CStr::from_ptr((*asked).semantic);
            match semantic.to_str() {
                Ok("MATERIAL") => behind_the_vertices(user, asked, place),
                _ => 1,
            }
        }
    }
    unsafe {
        dxil_spv_converter_set_stage_input_remapper(
            session.handle(),
            Some(only_the_material),
            user_data,
        );
    }
    let text = session.text();
    assert_eq!(locations_of(&text, "PerPrimitiveEXT"), ["2"]);
    assert_eq!(session.words()[1], 0x0001_0400);
    // Others stay as old as they can be.
    let mut plain = Session::of("draw/color_ps");
    plain.text();
    assert_eq!(plain.words()[1], 0x0001_0300);
}

#[test]
fn inner_coverage_needs_no_option() {
    let mut session = Session::new(&container("translate/filetests/pixel/inner_coverage"));
    let text = session.text();
    assert!(has(&text, &["OpCapability", "FragmentFullyCoveredEXT"]));
    assert!(has(&text, &["BuiltIn", "FullyCoveredEXT"]));
}

#[test]
fn typed_uavs_without_the_format_option_ask_for_no_extended_formats() {
    let mut session = Session::new(&container(
        "translate/capi/tests/shaders/loads_without_format",
    ));
    let text = session.text();
    assert!(has(&text, &["OpTypeImage", "R32f"]));
    assert!(!has(&text, &["StorageImageExtendedFormats"]));
    session.flag(10);
    let text = session.text();
    assert!(has(
        &text,
        &["OpCapability", "StorageImageReadWithoutFormat"]
    ));
}

/// The options by which devices report features, alone and together.
const GRANTS: [&[u32]; 6] = [
    &[],
    // Native 16-bit operations, inputs and outputs.
    &[14, 16, 23],
    // Demotion, loads without a format, integer dot products, barycentrics, the memory model.
    &[1, 10, 17, 21, 45],
    // Partitioned subgroups, quads with reconvergence, derivatives, float controls.
    &[28, 37, 40, 54],
    // Pointers, scalar layout.
    &[7, 20],
    &[1, 7, 10, 14, 16, 17, 20, 21, 23, 26, 28, 37, 40, 45, 54],
];

#[test]
fn modules_are_valid_whatever_a_device_grants() {
    let shaders = [
        "translate/filetests/mesh/patch_location",
        "translate/filetests/mesh/payload_read",
        "translate/filetests/mesh/payload_written",
        "translate/filetests/pixel/unused_sample_input",
        "translate/filetests/pixel/min_precision",
        "translate/filetests/floats/denormals_of_halves",
        "translate/filetests/floats/denormals_of_doubles",
        "translate/filetests/floats/denormals_flushed",
        "translate/filetests/arithmetic/dot2add",
        "translate/filetests/waves/quads",
        "translate/filetests/waves/match",
    ];
    for shader in shaders {
        let bytes = container(shader);
        for grants in GRANTS {
            for denormals in [[0, 0], [1, 0], [1, 1]] {
                let mut session = Session::new(&bytes);
                for &option in grants {
                    match option {
                        26 => {}
                        20 | 40 => session.option(Flags2(OptionBase { number: option }, 1, 1)),
                        37 => session.option(Flags3(OptionBase { number: option }, 1, 1, 1)),
                        _ => session.flag(option),
                    }
                }
                let [halves, doubles] = denormals;
                session.option(Flags2(OptionBase { number: 26 }, halves, doubles));
                // Validates.
                session.text();
            }
        }
    }
}

/// Returns a session of a shader whose SRVs are input attachments with that index.
fn with_attachments(path: &str, index: u32) -> Session {
    let mut session = Session::new(&container(path));
    let srv = &mut session.answers().srv.buffer_binding;
    srv.descriptor_type = DESCRIPTOR_INPUT_ATTACHMENT;
    srv.root_constant_index = index;
    session.remap();
    session
}

#[test]
fn input_attachments_are_read_at_the_pixel() {
    let shader = "translate/capi/tests/shaders/attachments";
    let text = with_attachments(shader, 3).text();
    assert_eq!(lines(&text, &["OpCapability", "InputAttachment"]), 1);
    // Two textures of floats that are bound to one place are one variable.
    assert_eq!(
        lines(&text, &["OpDecorate", "InputAttachmentIndex", "3"]),
        3
    );
    // Floats of one and of several samples, and integers.
    assert_eq!(lines(&text, &["OpTypeImage"]), 3);
    assert_eq!(lines(&text, &["OpImageRead"]), 4);
    assert_eq!(lines(&text, &["OpImageRead", "Sample"]), 1);
    assert!(!has(&text, &["OpImageFetch"]));
    // Depth and stencil have no index.
    let text = with_attachments(shader, u32::MAX).text();
    assert!(!has(&text, &["InputAttachmentIndex"]));
}

#[test]
fn input_attachments_are_read_by_pixel_shaders_and_by_loads_only() {
    for shader in [
        "hwtests/shaders/draw/uv_ps",
        "hwtests/shaders/textures/gather",
    ] {
        let mut session = with_attachments(shader, 0);
        assert_eq!(session.run(), ERROR_UNSUPPORTED_FEATURE, "{shader}");
    }
}
