//! Extensions and SPIR-V versions go together: for every Vulkan version, each extension that a
//! module declares is one that its SPIR-V version may have.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::path::Path;

use dxil_frontend::dxil::{EntryPoint, SemanticKind, Shader, read_shader};
use dxil_translate::{
    DescriptorHeaps, ElementPlace, Features, Options, SignatureKind, VulkanVersion, translate,
};
use dxil_validator::{Environment, Rules, validate_all};

/// Extensions with the version that their "Dependencies" name, as `0x00010N00`.
const EXTENSIONS: &[(&str, u32)] = &[
    ("SPV_EXT_demote_to_helper_invocation", 0x0001_0000),
    ("SPV_EXT_descriptor_heap", 0x0001_0000),
    ("SPV_EXT_descriptor_indexing", 0x0001_0000),
    ("SPV_EXT_float8", 0x0001_0000),
    ("SPV_EXT_fragment_fully_covered", 0x0001_0000),
    ("SPV_EXT_fragment_shader_interlock", 0x0001_0000),
    ("SPV_EXT_long_vector", 0x0001_0300),
    ("SPV_EXT_mesh_shader", 0x0001_0400),
    ("SPV_EXT_opacity_micromap", 0x0001_0400),
    ("SPV_EXT_shader_64bit_indexing", 0x0001_0000),
    ("SPV_EXT_shader_image_int64", 0x0001_0000),
    ("SPV_EXT_shader_invocation_reorder", 0x0001_0400),
    ("SPV_EXT_shader_stencil_export", 0x0001_0000),
    ("SPV_EXT_shader_viewport_index_layer", 0x0001_0000),
    ("SPV_KHR_compute_shader_derivatives", 0x0001_0000),
    ("SPV_KHR_cooperative_matrix", 0x0001_0300),
    ("SPV_KHR_float_controls", 0x0001_0000),
    ("SPV_KHR_float_controls2", 0x0001_0200),
    ("SPV_KHR_fma", 0x0001_0000),
    ("SPV_KHR_fragment_shader_barycentric", 0x0001_0000),
    ("SPV_KHR_fragment_shading_rate", 0x0001_0000),
    ("SPV_KHR_integer_dot_product", 0x0001_0000),
    ("SPV_KHR_maximal_reconvergence", 0x0001_0000),
    ("SPV_KHR_opacity_micromap", 0x0001_0400),
    ("SPV_KHR_physical_storage_buffer", 0x0001_0300),
    ("SPV_KHR_quad_control", 0x0001_0300),
    ("SPV_KHR_ray_query", 0x0001_0000),
    ("SPV_KHR_ray_tracing", 0x0001_0400),
    ("SPV_KHR_shader_clock", 0x0001_0000),
    ("SPV_KHR_untyped_pointers", 0x0001_0000),
    ("SPV_KHR_vulkan_memory_model", 0x0001_0300),
    ("SPV_NV_shader_invocation_reorder", 0x0001_0400),
    ("SPV_NV_shader_subgroup_partitioned", 0x0001_0300),
];

/// The features that devices with old and new drivers lack.
const LACKS: [Features; 4] = [
    Features::empty(),
    Features::GEOMETRY.union(Features::TESSELLATION),
    // The older of two extensions is taken where both are there.
    Features::OPACITY_MICROMAP.union(Features::INVOCATION_REORDER),
    Features::SIGNED_ZERO_INF_NAN_F32
        .union(Features::COMPUTE_DERIVATIVES_LINEAR)
        .union(Features::COMPUTE_DERIVATIVES_QUADS),
];

/// Returns the places of a pixel shader's integers that are per primitive, as from a mesh shader.
fn per_primitive(entry: &EntryPoint) -> Vec<ElementPlace> {
    let user = |e: &&dxil_frontend::dxil::SignatureElement| {
        e.semantic == SemanticKind::Arbitrary && e.start_row.is_some()
    };
    let inputs = entry.inputs.iter().filter(user);
    inputs
        .map(|element| ElementPlace {
            signature: SignatureKind::Input,
            semantic: element.name.to_string(),
            index: element.semantic_indices.first().copied().unwrap_or(0),
            location: element.start_row.unwrap_or(0),
            component: element.start_column,
            per_primitive: true,
        })
        .collect()
}

fn variants(shader: &Shader, vulkan: VulkanVersion) -> Vec<(String, Options)> {
    let mut made = Vec::new();
    for entry in shader.entry_points.iter().filter(|e| !e.name.is_empty()) {
        for lacks in LACKS {
            let mut options = Options::default();
            options.target.vulkan = vulkan;
            options.target.features = Features::all() - lacks;
            options.entry = Some(entry.name.to_string());
            made.push((format!("{} without {lacks:?}", entry.name), options.clone()));
            if lacks.is_empty() {
                let mut options = options.clone();
                options.bindings.descriptor_heaps = Some(DescriptorHeaps::default());
                options.large_buffers = true;
                made.push((format!("{} with heaps, large", entry.name), options));
            }
            options.signature.places = per_primitive(entry);
            if lacks.is_empty() && !options.signature.places.is_empty() {
                made.push((format!("{} per primitive", entry.name), options));
            }
        }
    }
    made
}

#[test]
fn extensions_are_declared_only_in_modules_of_a_version_that_may_have_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    for folder in ["hwtests/shaders", "translate/filetests"] {
        paths.extend(dxil_checkout::files(&root.join(folder), "dxil"));
    }
    paths.sort();
    let mut report = String::new();
    let mut raised: Vec<(String, Vec<u32>)> = Vec::new();
    let mut met: Vec<&str> = Vec::new();
    for path in &paths {
        let Ok(shader) = read_shader(&std::fs::read(path).unwrap()) else {
            continue;
        };
        let shader = dxil_checkout::linked(path, shader);
        for vulkan in [
            VulkanVersion::V1_1,
            VulkanVersion::V1_2,
            VulkanVersion::V1_3,
            VulkanVersion::V1_4,
        ] {
            for (label, options) in variants(&shader, vulkan) {
                // What cannot be said is another test's.
                let Ok(translation) = translate(&shader, &options) else {
                    continue;
                };
                let label = format!("{} {label} for {vulkan:?}", path.display());
                let version = translation.words[1];
                for declared in &translation.interface.extensions {
                    let row = EXTENSIONS.iter().find(|(name, _)| *name == &**declared);
                    match row {
                        None => writeln!(report, "{label}: {declared} has no row").unwrap(),
                        Some(&(_, minimum)) if version < minimum => {
                            writeln!(report, "{label}: {declared} in {version:#x}").unwrap();
                        }
                        Some(&(name, _)) if !met.contains(&name) => met.push(name),
                        Some(_) => {}
                    }
                }
                let own = vulkan.spirv_version();
                if version != own {
                    // So does whether a pixel shader reads its inputs per primitive.
                    let may_read = !options.signature.places.is_empty();
                    let needs = may_read
                        || translation.interface.extensions.iter().any(|declared| {
                            // Whether a query's flags ask for micromaps shows only when they are
                            // emitted.
                            &**declared == "SPV_KHR_ray_query"
                                || EXTENSIONS
                                    .iter()
                                    .any(|&(name, minimum)| name == &**declared && minimum > own)
                        });
                    if !needs {
                        writeln!(report, "{label}: {version:#x} for nothing").unwrap();
                    }
                    raised.push((label, translation.words));
                }
            }
        }
    }
    let rules = Rules::relaxed(Environment::Vulkan1_1Spirv1_4);
    let inputs: Vec<_> = raised
        .iter()
        .map(|(_, words)| (words.as_slice(), rules))
        .collect();
    for ((label, _), answer) in raised.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            writeln!(report, "{label}: {failure}").unwrap();
        }
    }
    assert!(report.is_empty(), "\n{report}");
    let unmet: Vec<_> = EXTENSIONS
        .iter()
        .filter(|(name, _)| !met.contains(name))
        .collect();
    assert!(unmet.is_empty(), "no shader declares {unmet:?}");
    assert!(raised.len() > 20, "{} raised", raised.len());
}
