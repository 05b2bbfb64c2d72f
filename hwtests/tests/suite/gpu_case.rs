//! The macro that makes the tests of one case.

/// `gpu_case!(name, "group/shader", |case| { ... })` describes a case and makes the tests
/// `name::vulkan`, `name::wgpu`, `name::portable` (wgpu through WGSL), `name::cpu`,
/// `name::cpu_checked` (with all checks), `name::hlsl` and `name::glsl` (Vulkan, through the text
/// and a compiler of the language, where there is one) and `name::spirv_is_valid` of it.
///
/// A case that wgpu cannot run calls `case.wgpu_refuses("why")`; then `name::wgpu` expects the
/// error. What has no text (for `name::portable`: none that wgpu takes) is listed with the reason
/// in `text_refusals.txt`.
macro_rules! gpu_case {
    ($name:ident, $shader:literal, |$case:ident| $describe:block) => {
        gpu_case!(@ $name, $shader, |$case| $describe, [vulkan wgpu], [portable hlsl glsl]);
    };
    (@ $name:ident, $shader:literal, |$case:ident| $describe:block, [$($backend:ident)*] $(, [$($text:ident)*])?) => {
        pub(crate) mod $name {
            #[allow(unused_imports, reason = "not every case uses all that its group imports")]
            use super::*;
            use dxil_hwtests::Shader;

            pub(crate) const SHADER: Shader = Shader {
                name: $shader,
                bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $shader, ".dxil")),
            };

            #[allow(clippy::unwrap_used, reason = "a case is part of a test")]
            pub(crate) fn describe($case: &mut dxil_hwtests::Case) $describe

            $(
                #[test]
                fn $backend() -> Result<(), dxil_hwtests::run::Failure> {
                    dxil_hwtests::run::$backend(&SHADER, describe)
                }
            )*

            $($(
                #[test]
                fn $text() -> Result<(), dxil_hwtests::run::Failure> {
                    let listed = (module_path!(), include_str!("text_refusals.txt"));
                    dxil_hwtests::run::$text(listed, &SHADER, describe)
                }
            )*)?

            #[test]
            fn cpu() -> Result<(), dxil_hwtests::run::Failure> {
                let listed = (module_path!(), include_str!("cpu_refusals.txt"));
                dxil_hwtests::cpu::plain(listed, &SHADER, describe)
            }

            #[test]
            fn cpu_checked() -> Result<(), dxil_hwtests::run::Failure> {
                let listed = (module_path!(), include_str!("cpu_findings.txt"));
                dxil_hwtests::cpu::with_checks(listed, &SHADER, describe)
            }

            #[test]
            fn spirv_is_valid() -> Result<(), dxil_hwtests::run::Failure> {
                dxil_hwtests::run::spirv_is_valid(&SHADER)
            }
        }
    };
}

/// `bounds_case!(name, "group/shader", |case| { ... })`: a `gpu_case!` that also runs on Vulkan
/// without robustness2, where code checks bounds.
macro_rules! bounds_case {
    ($name:ident, $shader:literal, |$case:ident| $describe:block) => {
        gpu_case!(@ $name, $shader, |$case| $describe, [vulkan checked wgpu], [portable hlsl glsl]);
    };
}

/// `vector_case!(name, "group/shader", |case| { ... })`: a `bounds_case!` that also runs with
/// vectors that stay whole in SPIR-V.
macro_rules! vector_case {
    ($name:ident, $shader:literal, |$case:ident| $describe:block) => {
        gpu_case!(@ $name, $shader, |$case| $describe, [vulkan checked whole_vectors wgpu], [portable hlsl glsl]);
    };
}

/// `quad_case!(name, "group/shader", |case| { ... })`: a `gpu_case!` of a thread group's quads that
/// also runs on Vulkan without square derivative groups, without any, and without operations of
/// quads.
macro_rules! quad_case {
    ($name:ident, $shader:literal, |$case:ident| $describe:block) => {
        gpu_case!(
            @ $name, $shader, |$case| $describe,
            [vulkan linear_quads quads_of_lanes shuffled_quads wgpu], [portable hlsl glsl]
        );
    };
}

/// `null_case!(name, "group/shader", |case| { ... })`: the same for null descriptors, which wgpu
/// has not.
macro_rules! null_case {
    ($name:ident, $shader:literal, |$case:ident| $describe:block) => {
        gpu_case!(@ $name, $shader, |$case| $describe, [vulkan checked]);
    };
}

/// `same_case!(name, "group/shader", path::describe)`: another build of a shader, with the inputs
/// and expectations of that case.
macro_rules! same_case {
    ($name:ident, $shader:literal, $describe:path) => {
        mod $name {
            const SHADER: dxil_hwtests::Shader = dxil_hwtests::Shader {
                name: $shader,
                bytes: include_bytes!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/shaders/",
                    $shader,
                    ".dxil"
                )),
            };

            #[test]
            fn vulkan() -> Result<(), dxil_hwtests::run::Failure> {
                dxil_hwtests::run::vulkan(&SHADER, $describe)
            }

            #[test]
            fn cpu() -> Result<(), dxil_hwtests::run::Failure> {
                let listed = (module_path!(), include_str!("cpu_refusals.txt"));
                dxil_hwtests::cpu::plain(listed, &SHADER, $describe)
            }

            #[test]
            fn cpu_checked() -> Result<(), dxil_hwtests::run::Failure> {
                let listed = (module_path!(), include_str!("cpu_findings.txt"));
                dxil_hwtests::cpu::with_checks(listed, &SHADER, $describe)
            }

            #[test]
            fn spirv_is_valid() -> Result<(), dxil_hwtests::run::Failure> {
                dxil_hwtests::run::spirv_is_valid(&SHADER)
            }
        }
    };
}

/// `valid_case!(name, "group/shader")`: the translated shader passes the validator; nothing is run.
macro_rules! valid_case {
    ($name:ident, $shader:literal) => {
        mod $name {
            const SHADER: dxil_hwtests::Shader = dxil_hwtests::Shader {
                name: $shader,
                bytes: include_bytes!(concat!(
                    env!("CARGO_MANIFEST_DIR"),
                    "/shaders/",
                    $shader,
                    ".dxil"
                )),
            };

            #[test]
            fn spirv_is_valid() -> Result<(), dxil_hwtests::run::Failure> {
                dxil_hwtests::run::spirv_is_valid(&SHADER)
            }
        }
    };
}

/// `draw_case!(name, ["group/vertex", "group/pixel"], |draw| { ... })` describes a draw and makes
/// the tests `name::vulkan`, `name::wgpu`, `name::portable` (wgpu through naga), `name::cpu` and
/// `name::spirv_is_valid` of it.
///
/// `wgpu_refusals.txt` lists the draws that wgpu refuses, with the reasons, and
/// `cpu_refusals.txt` those that the CPU executor refuses.
macro_rules! draw_case {
    ($name:ident, [$($shader:literal),* $(,)?], |$case:ident| $describe:block) => {
        mod $name {
            #[allow(unused_imports, reason = "not every case uses all that its group imports")]
            use super::*;
            use dxil_hwtests::Shader;

            const SHADERS: &[Shader] = &[$(Shader {
                name: $shader,
                bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $shader, ".dxil")),
            }),*];

            #[allow(clippy::unwrap_used, reason = "a case is part of a test")]
            fn describe($case: &mut dxil_hwtests::DrawCase) $describe

            #[test]
            fn vulkan() -> Result<(), dxil_hwtests::run::Failure> {
                dxil_hwtests::run::draw(SHADERS, describe)
            }

            const NAME_AND_REFUSALS: (&str, &str) =
                (module_path!(), include_str!("wgpu_refusals.txt"));

            #[test]
            fn wgpu() -> Result<(), dxil_hwtests::run::Failure> {
                dxil_hwtests::run::draw_wgpu(NAME_AND_REFUSALS, SHADERS, describe)
            }

            #[test]
            fn portable() -> Result<(), dxil_hwtests::run::Failure> {
                dxil_hwtests::run::draw_portable(NAME_AND_REFUSALS, SHADERS, describe)
            }

            #[test]
            fn cpu() -> Result<(), dxil_hwtests::run::Failure> {
                let listed = (module_path!(), include_str!("cpu_refusals.txt"));
                dxil_hwtests::run::draw_cpu(listed, SHADERS, describe)
            }

            #[test]
            fn spirv_is_valid() -> Result<(), dxil_hwtests::run::Failure> {
                SHADERS.iter().try_for_each(dxil_hwtests::run::spirv_is_valid)
            }
        }
    };
}

/// `linked_case!(name, ["group/caller", "group/callee"], |case| { ... })`: the first library's
/// compute shader, linked with the others.
macro_rules! linked_case {
    ($name:ident, [$($shader:literal),* $(,)?], |$case:ident| $describe:block) => {
        #[test]
        fn $name() -> Result<(), dxil_hwtests::run::Failure> {
            const SHADERS: &[dxil_hwtests::Shader] = &[$(dxil_hwtests::Shader {
                name: $shader,
                bytes: include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/shaders/", $shader, ".dxil")),
            }),*];
            fn describe($case: &mut dxil_hwtests::Case) $describe
            dxil_hwtests::run::linked(SHADERS, describe)
        }
    };
}
