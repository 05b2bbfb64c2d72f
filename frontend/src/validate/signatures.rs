//! Signatures: names, types, indices and system values of their elements.

use std::collections::BTreeSet;

use super::context::ValidationContext;
use super::features::FunctionUses;
use super::packing;
use super::rules::Rule;
use super::semantics::ElementName;
use crate::dxil::interpretation::{Direction, Interpretation, interpretation};
use crate::dxil::{
    ComponentType, EntryPoint, InterpolationMode, OutputTopology, SemanticKind, ShaderFlags,
    ShaderKind, SignatureElement, Stage,
};

/// Longest semantic name in bytes.
const MAX_NAME: usize = 64;

/// Checks the signatures of all entry points.
pub(super) fn check(cx: &ValidationContext<'_>, uses: &FunctionUses) {
    for entry in &cx.shader.entry_points {
        let own = entry.function.and_then(|function| uses.get(function));
        let reads_view_id = own.is_some_and(|own| own.flags.contains(ShaderFlags::VIEW_ID));
        check_entry(cx, entry, reads_view_id);
    }
}

fn check_entry(cx: &ValidationContext<'_>, entry: &EntryPoint, reads_view_id: bool) {
    let has_any =
        !entry.inputs.is_empty() || !entry.outputs.is_empty() || !entry.patch_constants.is_empty();
    if !has_any {
        return;
    }
    match entry.kind {
        ShaderKind::Compute => {
            cx.report_entry(Rule::SmCSNoSignatures, entry, "the shader has signatures");
            return;
        }
        ShaderKind::RayGeneration
        | ShaderKind::Intersection
        | ShaderKind::AnyHit
        | ShaderKind::ClosestHit
        | ShaderKind::Miss
        | ShaderKind::Callable => {
            cx.report_entry(
                Rule::SmRayShaderSignatures,
                entry,
                "the shader has signatures",
            );
            return;
        }
        ShaderKind::Pixel => {
            check_modes(cx, entry, &entry.outputs, InterpolationMode::Undefined);
            check_depth(cx, entry);
        }
        ShaderKind::Vertex => {
            check_modes(cx, entry, &entry.inputs, InterpolationMode::Undefined);
        }
        _ => {}
    }
    let third = &entry.patch_constants;
    match entry.kind {
        ShaderKind::Mesh => check_modes(cx, entry, third, InterpolationMode::Constant),
        ShaderKind::Hull | ShaderKind::Domain => {
            check_modes(cx, entry, third, InterpolationMode::Undefined);
        }
        _ if !third.is_empty() => {
            let detail = "the shader has patch constants";
            cx.report_entry(Rule::SmPatchConstantOnlyForHSDS, entry, detail);
            return;
        }
        _ => {}
    }
    for (elements, direction) in [
        (&entry.inputs, Direction::Input),
        (&entry.outputs, Direction::Output),
        (&entry.patch_constants, Direction::Third),
    ] {
        let signature = Signature {
            cx,
            entry,
            direction,
        };
        signature.check(elements);
        packing::check(cx, entry, elements, direction, reads_view_id);
    }
}

/// Reports elements with another interpolation mode than their signature asks for.
fn check_modes(
    cx: &ValidationContext<'_>,
    entry: &EntryPoint,
    elements: &[SignatureElement],
    mode: InterpolationMode,
) {
    let rule = match mode {
        InterpolationMode::Constant => Rule::SmConstantInterpMode,
        _ => Rule::SmNoInterpMode,
    };
    for element in elements {
        if element.interpolation != mode {
            let detail = format_args!("{}: {:?}", ElementName(element), element.interpolation);
            cx.report_entry(rule, entry, detail);
        }
    }
}

/// Checks conservative depth and the location where the position is interpolated.
fn check_depth(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    use InterpolationMode::*;
    let is_conservative = entry.outputs.iter().any(|element| {
        matches!(
            element.semantic,
            SemanticKind::DepthGreaterEqual | SemanticKind::DepthLessEqual
        )
    });
    let runs_per_sample = entry.inputs.iter().any(|element| {
        element.semantic == SemanticKind::SampleIndex
            || matches!(
                element.interpolation,
                LinearSample | LinearNoPerspectiveSample
            )
    });
    if !is_conservative || runs_per_sample {
        return;
    }
    for element in &entry.inputs {
        let fits = matches!(
            element.interpolation,
            Undefined | LinearNoPerspectiveCentroid | LinearNoPerspectiveSample
        );
        if element.semantic == SemanticKind::Position && !fits {
            let detail = format_args!("{}: {:?}", ElementName(element), element.interpolation);
            cx.report_entry(Rule::SmPSConsistentInterp, entry, detail);
        }
    }
}

/// Returns the name of an element; an empty one means that of the system value.
fn semantic_name(element: &SignatureElement) -> &str {
    match element.semantic.hlsl_name() {
        Some(name) if element.name.is_empty() => name,
        _ => &element.name,
    }
}

/// The width of a component type in bits, and its kind of number.
#[derive(Clone, Copy, PartialEq)]
enum NumberType {
    Bool,
    Int,
    Float,
    Unknown,
}

fn number(component: ComponentType) -> (NumberType, u32) {
    use ComponentType::*;
    match component {
        I1 => (NumberType::Bool, 1),
        I16 | U16 => (NumberType::Int, 16),
        I32 | U32 => (NumberType::Int, 32),
        I64 | U64 => (NumberType::Int, 64),
        F16 | SNormF16 | UNormF16 => (NumberType::Float, 16),
        F32 | SNormF32 | UNormF32 => (NumberType::Float, 32),
        F64 | SNormF64 | UNormF64 => (NumberType::Float, 64),
        Invalid | PackedS8x32 | PackedU8x32 => (NumberType::Unknown, 0),
    }
}

/// A signature that is being checked.
struct Signature<'a, 'c> {
    cx: &'c ValidationContext<'a>,
    entry: &'c EntryPoint,
    direction: Direction,
}

impl Signature<'_, '_> {
    fn report(&self, rule: Rule, element: &SignatureElement, detail: impl std::fmt::Display) {
        let detail = format_args!("{}: {detail}", ElementName(element));
        self.cx.report_entry(rule, self.entry, detail);
    }

    fn interpretation(&self, element: &SignatureElement) -> Interpretation {
        let minor = self.cx.shader.shader_model.minor;
        interpretation(element.semantic, self.entry.kind, self.direction, minor)
    }

    fn is_geometry_output(&self) -> bool {
        self.entry.kind == ShaderKind::Geometry && self.direction == Direction::Output
    }

    fn check(&self, elements: &[SignatureElement]) {
        let mut names = BTreeSet::new();
        let mut values = BTreeSet::new();
        let mut targets = BTreeSet::new();
        let mut clip_rows: [BTreeSet<u32>; 4] = Default::default();
        let mut clip_components = [0u32; 4];
        let mut depth = None;
        let mut barycentrics: Vec<bool> = Vec::new();
        for element in elements {
            self.check_element(element);
            let stream = if self.is_geometry_output() {
                element.stream.min(3)
            } else {
                0
            };
            let name = semantic_name(element).to_ascii_uppercase();
            for &index in element.semantic_indices.iter().take(64) {
                if !names.insert((stream, name.clone(), index)) {
                    let detail = format_args!("index {index} occurs twice");
                    self.report(Rule::MetaNoSemanticOverlap, element, detail);
                }
            }
            let own = stream as usize;
            match element.semantic {
                SemanticKind::Arbitrary => {}
                SemanticKind::Target => {
                    let row = element.start_row.unwrap_or(0);
                    for row in row..row.saturating_add(element.rows.min(8)) {
                        if !targets.insert(row) {
                            let detail = format_args!("target {row} occurs twice");
                            self.report(Rule::MetaNoSemanticOverlap, element, detail);
                        }
                    }
                    if element.rows > 1 {
                        let detail = format_args!("{} rows", element.rows);
                        self.report(Rule::SmNoPSOutputIdx, element, detail);
                    }
                }
                SemanticKind::ClipDistance | SemanticKind::CullDistance => {
                    let is_packed = self.interpretation(element) == Interpretation::ClipCull;
                    if let (true, Some(rows), Some(components)) = (
                        is_packed,
                        clip_rows.get_mut(own),
                        clip_components.get_mut(own),
                    ) {
                        let row = element.start_row.unwrap_or(0);
                        rows.extend(row..row.saturating_add(element.rows.min(32)));
                        *components += element.columns;
                        if rows.len() > 2 {
                            let detail = format_args!("{} registers", rows.len());
                            self.report(Rule::MetaClipCullMaxRows, element, detail);
                        }
                        if *components > 8 {
                            let detail = format_args!("{components} components");
                            self.report(Rule::MetaClipCullMaxComponents, element, detail);
                        }
                    }
                }
                SemanticKind::Depth
                | SemanticKind::DepthGreaterEqual
                | SemanticKind::DepthLessEqual => {
                    if depth.replace(element.semantic).is_some() {
                        let detail = "a second depth";
                        self.report(Rule::SmPSMultipleDepthSemantic, element, detail);
                    }
                }
                SemanticKind::Barycentrics => {
                    use InterpolationMode::*;
                    let is_linear = matches!(
                        element.interpolation,
                        LinearNoPerspective
                            | LinearNoPerspectiveCentroid
                            | LinearNoPerspectiveSample
                    );
                    if barycentrics.len() > 1 || barycentrics.contains(&is_linear) {
                        let detail = "barycentrics of that perspective occur before";
                        self.report(Rule::MetaBarycentricsTwoPerspectives, element, detail);
                    }
                    barycentrics.push(is_linear);
                }
                kind => {
                    if !values.insert((stream, kind)) {
                        let detail = "the system value occurs before";
                        self.report(Rule::MetaDuplicateSysValue, element, detail);
                    }
                }
            }
        }
    }

    fn check_element(&self, element: &SignatureElement) {
        let own_name = semantic_name(element);
        if !(1..=MAX_NAME).contains(&own_name.len()) {
            let detail = format_args!("a name of {} bytes", own_name.len());
            self.report(Rule::MetaSemanticLen, element, detail);
        }
        if let Some(name) = element.semantic.hlsl_name()
            && !own_name.eq_ignore_ascii_case(name)
        {
            let detail = format_args!("the kind is {:?}", element.semantic);
            self.report(Rule::MetaSemaKindMatchesName, element, detail);
        }
        let (number, width) = number(element.component);
        if number == NumberType::Unknown {
            let detail = format_args!("components of {:?}", element.component);
            self.report(Rule::MetaSignatureCompType, element, detail);
        }
        let is_interpolated = !matches!(
            element.interpolation,
            InterpolationMode::Undefined | InterpolationMode::Constant
        );
        if matches!(number, NumberType::Int | NumberType::Bool) && is_interpolated {
            let detail = format_args!("{:?}", element.interpolation);
            self.report(Rule::MetaIntegerInterpMode, element, detail);
        }
        let how = self.interpretation(element);
        if !how.is_in_signature() {
            let kind = self.entry.kind.prefix();
            let direction = self.direction;
            let detail = format_args!("{:?} of a {kind} shader's {direction:?}", element.semantic);
            self.report(Rule::SmSemantic, element, detail);
            if self.entry.kind == ShaderKind::Pixel && direction == Direction::Output {
                self.report(Rule::SmPSOutputSemantic, element, detail);
            }
            return;
        }
        if how.is_packed() && element.start_row.is_none() {
            self.report(Rule::MetaSemanticShouldBeAllocated, element, "no register");
        } else if !how.is_packed() && element.start_row.is_some() {
            self.report(
                Rule::MetaSemanticShouldNotBeAllocated,
                element,
                "a register",
            );
        }
        self.check_type(element, number, width);
        self.check_stream(element);
        self.check_indices(element);
    }

    /// Checks component type and count of system values.
    fn check_type(&self, element: &SignatureElement, number: NumberType, width: u32) {
        use SemanticKind::*;
        let is_float = number == NumberType::Float && width <= 32;
        let single = element.columns == 1;
        let (fits, wanted) = match element.semantic {
            Depth | DepthGreaterEqual | DepthLessEqual => (is_float && single, "a float"),
            Coverage | InnerCoverage | OutputControlPointId => {
                (element.component == ComponentType::U32 && single, "a uint")
            }
            Position => (is_float && element.columns == 4, "a float4"),
            Target => (width <= 32, "of 32 bits at most"),
            ClipDistance | CullDistance | TessFactor | InsideTessFactor => {
                (is_float, "made of floats")
            }
            Barycentrics => {
                let is_interpolated = !matches!(
                    element.interpolation,
                    InterpolationMode::Undefined | InterpolationMode::Constant
                );
                if !is_interpolated {
                    let detail = format_args!("{:?}", element.interpolation);
                    self.report(Rule::MetaBarycentricsInterpolation, element, detail);
                }
                if element.columns != 3 {
                    let detail = format_args!("{} components", element.columns);
                    self.report(Rule::MetaBarycentricsFloat3, element, detail);
                }
                (is_float, "made of floats")
            }
            IsFrontFace => (number == NumberType::Int && width == 32 && single, "a uint"),
            RenderTargetArrayIndex
            | ViewPortArrayIndex
            | VertexId
            | PrimitiveId
            | InstanceId
            | GsInstanceId
            | SampleIndex
            | StencilRef
            | ShadingRate => {
                let is_uint = matches!(element.component, ComponentType::U32 | ComponentType::U16);
                (is_uint && single, "a uint")
            }
            CullPrimitive => (number == NumberType::Bool && single, "a bool"),
            _ => return,
        };
        if !fits {
            let detail = format_args!(
                "{} {:?}, it must be {wanted}",
                element.columns, element.component
            );
            self.report(Rule::MetaSemanticCompType, element, detail);
        }
    }

    fn check_stream(&self, element: &SignatureElement) {
        let stream = element.stream;
        let limit = if self.is_geometry_output() { 3 } else { 0 };
        if stream > limit {
            let detail = format_args!("stream {stream}");
            self.report(Rule::SmStreamIndexRange, element, detail);
        } else if stream > 0
            && let Stage::Geometry { topology, .. } = self.entry.stage
            && topology != OutputTopology::PointList
        {
            let detail = format_args!("stream {stream} of {topology:?}");
            self.report(Rule::SmMultiStreamMustBePoint, element, detail);
        }
    }

    fn check_indices(&self, element: &SignatureElement) {
        use SemanticKind::*;
        let kind = element.semantic;
        let first = element.semantic_indices.first().copied().unwrap_or(0);
        if kind == Target {
            let row = element.start_row.unwrap_or(0);
            let mut rows = (row..=u32::MAX).zip(&element.semantic_indices);
            if rows.any(|(row, index)| row != *index) {
                let detail = format_args!("index {first} in register {row}");
                self.report(Rule::SmPSTargetIndexMatchesRow, element, detail);
            }
            if element.start_column != 0 {
                let detail = format_args!("component {}", element.start_column);
                self.report(Rule::SmPSTargetCol0, element, detail);
            }
            if row.saturating_add(element.rows) > 8 {
                let detail = format_args!("index {first}, 7 is the largest");
                self.report(Rule::MetaSemanticIndexMax, element, detail);
            }
            return;
        }
        // Where the hardware does not look at it, a system value is like any other.
        if kind == Arbitrary || self.interpretation(element) == Interpretation::Arbitrary {
            return;
        }
        let is_clip = matches!(kind, ClipDistance | CullDistance);
        let limit = if kind == Barycentrics { 1 } else { 0 };
        if !is_clip && first > limit {
            let detail = format_args!("index {first}, {limit} is the largest");
            self.report(Rule::MetaSemanticIndexMax, element, detail);
        }
        let may_have_rows = is_clip || matches!(kind, TessFactor | InsideTessFactor);
        if !may_have_rows && element.rows > 1 {
            let detail = format_args!("{} rows", element.rows);
            self.report(Rule::MetaSystemValueRows, element, detail);
        }
    }
}
