//! The table of SemanticKind and SigPointKind of the DXIL document, cell by cell.
//!
//! A shader of each stage has a `float4`, a `uint` and a `float` in each of its signatures. Each
//! cell gives one of them another semantic and says what must come of it. Every module that comes
//! out is valid. System values that an operation reads are the file tests' matter.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use std::path::Path;

use dxil_frontend::dxil::{ComponentType, SemanticKind, Shader, SignatureElement, read_shader};
use dxil_translate::{Category, Features, Options, VulkanVersion, translate};
use dxil_validator::{Environment, Rules, validate_all};
use rspirv::binary::Disassemble;

use SemanticKind as S;

/// The outcome for an element with a semantic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    /// Not available: refused as malformed.
    Na,
    /// A variable at a location.
    Data,
    /// This built-in.
    BuiltIn(&'static str),
    /// This built-in, and a variable for a stage that reads it as data.
    Both(&'static str),
    /// Refused as not supported.
    Unsupported,
}
use Cell::{Both, BuiltIn, Data, Na, Unsupported};

/// A place where elements stand: stage, and which signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Point {
    VsIn,
    VsOut,
    HsCpIn,
    HsCpOut,
    PcOut,
    DsIn,
    DsCpIn,
    DsOut,
    GsVIn,
    GsOut,
    PsIn,
    PsOut,
}

const POINTS: [Point; 12] = [
    Point::VsIn,
    Point::VsOut,
    Point::HsCpIn,
    Point::HsCpOut,
    Point::PcOut,
    Point::DsIn,
    Point::DsCpIn,
    Point::DsOut,
    Point::GsVIn,
    Point::GsOut,
    Point::PsIn,
    Point::PsOut,
];

/// One row per semantic, one cell per point, in the order of [`POINTS`].
#[rustfmt::skip]
const TABLE: &[(S, [Cell; 12])] = &[
    // Between stages the rasterizer's indices are data; what may feed it writes both.
    (S::Arbitrary,              [Data, Data, Data, Data, Data, Data, Data, Data, Data, Data, Data, Na]),
    (S::VertexId,               [BuiltIn("VertexIndex"), Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Na]),
    (S::InstanceId,             [BuiltIn("InstanceIndex"), Data, Data, Data, Na, Na, Data, Data, Data, Data, Data, Na]),
    (S::Position,               [Data, POSITION, POSITION, POSITION, Data, Data, POSITION, POSITION, POSITION, POSITION, BuiltIn("FragCoord"), Na]),
    (S::RenderTargetArrayIndex, [Data, Both("Layer"), Data, Data, Data, Data, Data, Both("Layer"), Data, BuiltIn("Layer"), BuiltIn("Layer"), Na]),
    (S::ViewPortArrayIndex,     [Data, Both("ViewportIndex"), Data, Data, Data, Data, Data, Both("ViewportIndex"), Data, BuiltIn("ViewportIndex"), BuiltIn("ViewportIndex"), Na]),
    (S::ClipDistance,           [Data, CLIP, CLIP, CLIP, Data, Data, CLIP, CLIP, CLIP, CLIP, CLIP, Na]),
    (S::CullDistance,           [Data, CULL, CULL, CULL, Data, Data, CULL, CULL, CULL, CULL, CULL, Na]),
    (S::OutputControlPointId,   [Na; 12]),
    (S::DomainLocation,         [Na; 12]),
    (S::PrimitiveId,            [Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("PrimitiveId"), BuiltIn("PrimitiveId"), Na]),
    (S::GsInstanceId,           [Na; 12]),
    (S::SampleIndex,            [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("SampleId"), Na]),
    (S::IsFrontFace,            [Na, Na, Na, Na, Na, Na, Na, Na, Na, Data, BuiltIn("FrontFacing"), Na]),
    (S::Coverage,               [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("SampleMask")]),
    (S::InnerCoverage,          [Na; 12]),
    (S::Target,                 [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Data]),
    (S::Depth,                  [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("FragDepth")]),
    (S::DepthLessEqual,         [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("FragDepth")]),
    (S::DepthGreaterEqual,      [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("FragDepth")]),
    (S::StencilRef,             [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("FragStencilRefEXT")]),
    (S::DispatchThreadId,       [Na; 12]),
    (S::GroupId,                [Na; 12]),
    (S::GroupIndex,             [Na; 12]),
    (S::GroupThreadId,          [Na; 12]),
    (S::TessFactor,             [Na, Na, Na, Na, BuiltIn("TessLevelOuter"), BuiltIn("TessLevelOuter"), Na, Na, Na, Na, Na, Na]),
    (S::InsideTessFactor,       [Na, Na, Na, Na, BuiltIn("TessLevelInner"), BuiltIn("TessLevelInner"), Na, Na, Na, Na, Na, Na]),
    (S::ViewId,                 [Na; 12]),
    (S::Barycentrics,           [Na, Na, Na, Na, Na, Na, Na, Na, Na, Na, BuiltIn("BaryCoordKHR"), Na]),
    (S::ShadingRate,            [Na, Both("PrimitiveShadingRateKHR"), Data, Data, Na, Na, Data, Unsupported, Data, BuiltIn("PrimitiveShadingRateKHR"), BuiltIn("ShadingRateKHR"), Na]),
    (S::StartVertexLocation,    [Na; 12]),
    (S::StartInstanceLocation,  [Na; 12]),
];
const POSITION: Cell = BuiltIn("Position");
const CLIP: Cell = BuiltIn("ClipDistance");
const CULL: Cell = BuiltIn("CullDistance");

impl Point {
    fn file(self) -> &'static str {
        match self {
            Point::VsIn | Point::VsOut => "vertex",
            Point::HsCpIn | Point::HsCpOut | Point::PcOut => "hull",
            Point::DsIn | Point::DsCpIn | Point::DsOut => "domain",
            Point::GsVIn | Point::GsOut => "geometry",
            Point::PsIn | Point::PsOut => "pixel",
        }
    }

    fn signature(self, shader: &mut Shader) -> &mut Vec<SignatureElement> {
        let entry = &mut shader.entry_points[0];
        match self {
            Point::VsIn | Point::HsCpIn | Point::DsCpIn | Point::GsVIn | Point::PsIn => {
                &mut entry.inputs
            }
            Point::VsOut | Point::HsCpOut | Point::DsOut | Point::GsOut | Point::PsOut => {
                &mut entry.outputs
            }
            Point::PcOut | Point::DsIn => &mut entry.patch_constants,
        }
    }
}

/// Returns the columns and base type that the system value has.
fn shape(semantic: S) -> (u32, bool) {
    match semantic {
        S::Position | S::Barycentrics | S::Target | S::Arbitrary => (4, false),
        S::ClipDistance
        | S::CullDistance
        | S::Depth
        | S::DepthLessEqual
        | S::DepthGreaterEqual
        | S::TessFactor
        | S::InsideTessFactor => (1, false),
        _ => (1, true),
    }
}

fn is_factor(semantic: S) -> bool {
    matches!(semantic, S::TessFactor | S::InsideTessFactor)
}

fn translated(point: Point, semantic: S, vulkan: VulkanVersion) -> Result<Vec<u32>, Category> {
    let path = format!(
        "{}/filetests/sigpoints/{}.dxil",
        env!("CARGO_MANIFEST_DIR"),
        point.file()
    );
    let mut shader = read_shader(&std::fs::read(Path::new(&path)).unwrap()).unwrap();
    if is_factor(semantic) {
        // The shader's own factors give way where the cell is about factors.
        for element in &mut shader.entry_points[0].patch_constants {
            if element.semantic == semantic {
                element.semantic = S::Arbitrary;
            }
        }
    }
    let (columns, integer) = shape(semantic);
    let element = point
        .signature(&mut shader)
        .iter_mut()
        .find(|element| {
            let is_integer = matches!(element.component, ComponentType::U32);
            !element.name.contains("Factor") && (element.columns, is_integer) == (columns, integer)
        })
        .unwrap();
    element.semantic = semantic;
    let mut options = Options::default();
    options.target.vulkan = vulkan;
    options.target.features = Features::all();
    match translate(&shader, &options) {
        Ok(translation) => Ok(translation.words),
        Err(error) => Err(error.category()),
    }
}

/// Returns the built-ins that the plain shader does not have, and the number of locations.
fn summary(words: &[u32]) -> (Vec<String>, usize) {
    let text = rspirv::dr::load_words(words).unwrap().disassemble();
    let mut built_ins = Vec::new();
    let mut locations = 0;
    for line in text.lines() {
        if let Some((_, built_in)) = line.split_once(" BuiltIn ") {
            built_ins.push(built_in.to_owned());
        }
        locations += usize::from(line.contains(" Location "));
    }
    (built_ins, locations)
}

#[test]
fn every_cell_of_the_table_becomes_what_it_says() {
    assert_eq!(TABLE.len(), 32, "all semantics but the mesh shaders' own");
    let versions = [
        (VulkanVersion::V1_2, Environment::Vulkan1_2),
        (VulkanVersion::V1_3, Environment::Vulkan1_3),
    ];
    let mut wrong = Vec::new();
    let mut modules = Vec::new();
    for &(vulkan, environment) in &versions {
        for &point in &POINTS {
            let neutral = match point {
                Point::PsOut => S::Target,
                _ => S::Arbitrary,
            };
            let plain = translated(point, neutral, vulkan).unwrap();
            let (plain_built_ins, plain_locations) = summary(&plain);
            for &(semantic, cells) in TABLE {
                let place = POINTS.iter().position(|other| *other == point).unwrap();
                let want = cells[place];
                let label = format!("{semantic:?} at {point:?} for {vulkan:?}");
                let got = match translated(point, semantic, vulkan) {
                    Err(Category::Malformed) => Na,
                    Err(Category::Unsupported) => Unsupported,
                    Err(Category::Internal) => panic!("{label}: an internal error"),
                    Ok(words) => {
                        let (built_ins, locations) = summary(&words);
                        modules.push((label.clone(), words, Rules::strict(environment)));
                        let name = match want {
                            BuiltIn(name) | Both(name) => name,
                            _ => "none",
                        };
                        let count = |list: &[String]| list.iter().filter(|b| *b == name).count();
                        // The plain hull shader has its own factors already.
                        let before = if is_factor(semantic) {
                            0
                        } else {
                            count(&plain_built_ins)
                        };
                        match count(&built_ins) > before {
                            true if is_factor(semantic) => BuiltIn(name),
                            true if locations == plain_locations => Both(name),
                            true => BuiltIn(name),
                            false => Data,
                        }
                    }
                };
                if got != want {
                    wrong.push(format!("{label}: {got:?}, not {want:?}"));
                }
            }
        }
    }
    let inputs: Vec<_> = modules
        .iter()
        .map(|(_, words, rules)| (words.as_slice(), *rules))
        .collect();
    for ((label, ..), answer) in modules.iter().zip(validate_all(&inputs)) {
        if let Err(failure) = answer {
            wrong.push(format!("{label}: {failure}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
