use dxil_frontend::container::root_signature::{Filter, RootParameterKind, ShaderVisibility};

use super::names::filter_of;
use super::parse_text;

#[test]
fn all_kinds_of_elements_are_read() {
    let root = parse_text(
        "RootFlags(ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT | sampler_heap_directly_indexed), \
         \"RootConstants(b2, num32BitConstants = 3, visibility = SHADER_VISIBILITY_PIXEL),\" \\
         CBV(b0, space = 1), srv(t4, flags = DATA_STATIC), UAV(u0),
         DescriptorTable(SRV(t0, numDescriptors = unbounded, offset = 8),
                         UAV(u1, numDescriptors = 2, flags = 0)),
         StaticSampler(s0)",
    )
    .unwrap();
    assert_eq!(root.flags.bits(), 1 | 1 << 11);
    assert_eq!(root.parameters.len(), 5);
    assert_eq!(root.parameters[0].visibility, ShaderVisibility::Pixel);
    let RootParameterKind::Constants(constants) = root.parameters[0].kind else {
        unreachable!("the first parameter");
    };
    assert_eq!((constants.register, constants.count), (2, 3));
    let RootParameterKind::Table(ranges) = &root.parameters[4].kind else {
        unreachable!("the last parameter");
    };
    assert_eq!((ranges[0].count, ranges[0].offset), (None, Some(8)));
    assert_eq!((ranges[1].count, ranges[1].offset), (Some(2), None));
    assert_eq!(root.static_samplers[0].filter, Filter(0x55));
    assert_eq!(root.static_samplers[0].max_lod, f32::MAX);
}

#[test]
fn filters_are_three_bits_and_a_reduction() {
    for (name, bits) in [
        ("MIN_MAG_MIP_POINT", 0),
        ("MIN_MAG_POINT_MIP_LINEAR", 1),
        ("MIN_POINT_MAG_LINEAR_MIP_POINT", 4),
        ("MIN_POINT_MAG_MIP_LINEAR", 5),
        ("MIN_LINEAR_MAG_MIP_POINT", 0x10),
        ("MIN_LINEAR_MAG_POINT_MIP_LINEAR", 0x11),
        ("MIN_MAG_LINEAR_MIP_POINT", 0x14),
        ("MIN_MAG_MIP_LINEAR", 0x15),
        ("ANISOTROPIC", 0x55),
        ("COMPARISON_MIN_MAG_MIP_LINEAR", 0x95),
        ("MINIMUM_ANISOTROPIC", 0x155),
        ("MAXIMUM_MIN_MAG_MIP_POINT", 0x180),
    ] {
        assert_eq!(filter_of(name), Some(Filter(bits)), "{name}");
    }
    for name in [
        "MIN_MAG_LINEAR",
        "LINEAR",
        "MIP_MAG_MIN_POINT",
        "MIN_MAG_MIP",
        "",
    ] {
        assert_eq!(filter_of(name), None, "{name}");
    }
}

#[test]
fn deep_nesting_is_an_error_with_its_place() {
    for text in ["A(".repeat(20_000), "(".repeat(1_000_000)] {
        let error = parse_text(&text).unwrap_err();
        assert!(error.problem.contains("16 parentheses"), "{error}");
        assert!(error.offset < 40, "{error}");
    }
    let flat = "CBV(b0), ".repeat(1000);
    assert!(parse_text(&flat).is_ok());
}

#[test]
fn mistakes_are_named_with_their_place() {
    for (text, offset, problem) in [
        ("CBV(t0)", 4, "like b0"),
        ("CBV()", 0, "like b0"),
        ("CBV(b0, b1)", 8, "twice"),
        ("CBV(b0, colour = 3)", 8, "has no colour"),
        ("CBV(b0), XBV(b0)", 9, "`xbv`"),
        ("RootConstants(b0)", 0, "num32BitConstants"),
        ("RootFlags(ALLOW_ALL)", 10, "no flag ALLOW_ALL"),
        (
            "DescriptorTable(visibility = SHADER_VISIBILITY_ALL)",
            0,
            "needs a range",
        ),
        (
            "DescriptorTable(SRV(t0, numDescriptors = 1.5))",
            24,
            "whole number",
        ),
        (
            "StaticSampler(s0, filter = FILTER_LINEAR)",
            18,
            "FILTER_LINEAR",
        ),
        (
            "StaticSampler(s0, addressU = WRAP)",
            18,
            "has no value WRAP",
        ),
        ("RootFlags(0), RootFlags(0)", 14, "second"),
        ("CBV(b0", 6, ")"),
        ("CBV b0", 0, ""),
    ] {
        let error = parse_text(text).unwrap_err();
        assert!(error.problem.contains(problem), "{text}: {error}");
        assert_eq!(error.offset, offset, "{text}: {error}");
    }
    let error = parse_text("CBV(b0), // \n").unwrap_err();
    assert_eq!((error.line, error.column), (1, 10), "{error}");
    let error = parse_text("CBV(b0),\n  UAV(u0),\n  \tSRV(é)").unwrap_err();
    assert_eq!((error.line, error.column), (3, 8), "{error}");
    assert!(error.to_string().starts_with("line 3, column 8: "));
}
