//! Common mistakes of translators of DXIL: a list with the tests for each, here or in other files;
//! and those tests that belong to no other group.

use dxil_hwtests::{Tolerance, element::Random, rows, texture};
use dxil_runtime::{
    Format,
    job::{Dimension, Texture},
};

/// The traps: what it is about, and the tests (of any file of this suite, or of the file tests).
const TRAPS: &[(&str, &[&str])] = &[
    (
        "UAddc and USubb with carry",
        &["assembled.rs: operations_with_two_results_give_the_high_half_or_quotient_first"],
    ),
    (
        "tbuffer",
        &[
            "cbuffers.rs: \"cbuffers/texture_buffer\"",
            "cbuffers/tbuffer.hlsl: check:",
        ],
    ),
    (
        "sparse feedback on raw buffers",
        &[
            "buffers.rs: \"buffers/access_status\"",
            "buffers/read_only_and_residency.hlsl: check:",
        ],
    ),
    (
        "register and space numbers of 2^31 and more",
        &["corners.rs: registers_beyond_two_billion"],
    ),
    (
        "float exchange on groupshared memory",
        &["traps.rs: a_groupshared_float_is_exchanged_bit_by_bit"],
    ),
    (
        "IsHelperLane outside of pixel shaders",
        &["corners.rs: compute_has_no_helpers"],
    ),
    (
        "the render target array index as output of a hull shader",
        &["tessellation.rs: \"tess/layer_hs\""],
    ),
    (
        "a mesh shader without topology",
        &["traps.rs: a_mesh_shader_without_topology_makes_triangles"],
    ),
    (
        "several positions of a geometry shader with several streams",
        &["streams.rs: \"streams/two_streams_gs\""],
    ),
    (
        "GetAttributeAtVertex of element 0",
        &[
            "pixel/attribute_at_vertex.hlsl: PerVertexKHR",
            "raster.rs: attributes_at_vertices",
        ],
    ),
    (
        "SV_IsFrontFace as an integer",
        &["raster.rs: \"raster/face_ps\""],
    ),
    (
        "switch on 64 bits",
        &["corners.rs: switches_compare_all_64_bits"],
    ),
    (
        "phis of handles",
        &[
            "corners.rs: handles_come_along_different_edges",
            "corners.rs: local_arrays_of_resources",
            "corners.rs: handles_from_the_heaps_along_edges",
            "bindings.rs: trap_phi_of_handles_of_different_declarations",
            "draw_inputs.rs: trap_phi_of_textures_keeps_implicit_derivatives",
        ],
    ),
    (
        "bit counts and scans of 16 and 64 bits",
        &["corners.rs: bits_of_16_and_64"],
    ),
    (
        "textures of 64-bit components",
        &["traps.rs: texels_of_64_bits_are_pairs_of_words"],
    ),
];

#[test]
fn every_trap_has_its_tests() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for (trap, tests) in TRAPS {
        assert!(!tests.is_empty(), "{trap}");
        for test in *tests {
            let Some((file, name)) = test.split_once(": ") else {
                unreachable!("{test} names a file and a test");
            };
            let path = if file.ends_with(".rs") {
                root.join("tests/suite").join(file)
            } else {
                root.join("../translate/filetests").join(file)
            };
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                text.contains(name),
                "{trap}: {} lacks {name}",
                path.display()
            );
        }
    }
}

gpu_case!(
    a_groupshared_float_is_exchanged_bit_by_bit,
    "groupshared/exchange_float",
    |t| {
        let mut data: Vec<u32> = rows(64, |i| (i as f32 * 0.75).to_bits());
        // A NaN with a payload, a denormal, and negative zero.
        data[3] = 0x7fc0_1234;
        data[40] = 0x0000_0007;
        data[63] = 0x8000_0000;
        t.input("t0", &data);
        let id = t.job.bind_buffer(
            "u0".parse().unwrap(),
            dxil_hwtests::element::to_bytes(&[0_u32; 65]),
        );
        let mut expected = data;
        expected.push((-1.0f32).to_bits());
        expected.sort_unstable();
        t.check("u0", id, move |got: &[u32]| {
            let mut got = got.to_vec();
            got.sort_unstable();
            (got == expected).then_some(()).ok_or(format!("{got:x?}"))
        });
    }
);

gpu_case!(
    texels_of_64_bits_are_pairs_of_words,
    "corners/wide_texels",
    |t| {
        let mut random = Random::new(211);
        let mut wide = || -> Vec<u64> { rows(16, |_| random.bits64()) };
        let (read, row, changed) = (wide(), wide(), wide());
        let square = |texels: &[u64]| -> Texture {
            texture(Dimension::D2, Format::Rg32Uint, [4, 4, 1], 1, texels)
        };
        t.texture("t0", square(&read));
        t.typed_input("t1", Format::Rg32Uint, &row);
        t.expect("u0", rows(16, |i| read[i].wrapping_add(row[i])));
        t.texture_update(
            "u1",
            square(&changed),
            rows(16, |i| changed[i].wrapping_sub(read[i])),
            Tolerance::Exact,
        );
        t.typed_update(
            "u2",
            Format::Rg32Uint,
            &[0_u64; 16],
            rows(16, |i| read[i].wrapping_mul(3)),
            Tolerance::Exact,
        );
    }
);

draw_case!(
    a_mesh_shader_without_topology_makes_triangles,
    ["mesh/no_topology_ms", "mesh/strip_ps"],
    |t| {
        t.meshes([4, 1, 1]);
        let wanted = rows(64, |i| {
            let (x, y) = (i % 8, i / 8);
            let (u, v) = ((x as f32 + 0.5) / 2.0, (y as f32 + 0.5) / 2.0);
            let (column, row) = ((x / 2) as f32, (y / 2) as f32);
            [u, v, row * 100.0 + column, column + row + 0.5]
        });
        t.target(
            Format::Rgba32Float,
            [8, 8, 1],
            wanted,
            Tolerance::Absolute(1e-4),
        );
    }
);
