//! Hull and domain shaders.

use super::context::ValidationContext;
use super::rules::Rule;
use crate::dxil::{
    DomainShape, EntryPoint, SemanticKind, SignatureElement, Stage, TessellatorOutput,
    TessellatorPartitioning,
};

/// Maximum number of control points of a patch.
const MAX_POINTS: u32 = 32;
/// Maximum number of scalars of all output control points (D3D11.3 specification, hull shader
/// limits).
const MAX_SCALARS: u64 = 3968;

/// Checks an entry point.
pub(super) fn check(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    match entry.stage {
        Stage::Domain {
            domain,
            input_control_points,
        } => {
            if input_control_points > MAX_POINTS {
                let detail = format_args!("{input_control_points} control points");
                cx.report_entry(Rule::SmDSInputControlPointCountRange, entry, detail);
            }
            check_factors(cx, entry, domain, false);
        }
        Stage::Hull { .. } => check_hull(cx, entry),
        _ => {}
    }
}

fn check_hull(cx: &ValidationContext<'_>, entry: &EntryPoint) {
    let Stage::Hull {
        input_control_points: inputs,
        output_control_points: outputs,
        domain,
        partitioning,
        output,
        max_tessellation_factor: factor,
        ..
    } = entry.stage
    else {
        return;
    };
    let report = |rule, detail: std::fmt::Arguments<'_>| cx.report_entry(rule, entry, detail);
    if inputs == 0 && !entry.inputs.is_empty() {
        let rule = Rule::SmZeroHSInputControlPointWithInput;
        report(rule, format_args!("inputs without control points"));
    } else if inputs > MAX_POINTS {
        let rule = Rule::SmHSInputControlPointCountRange;
        report(rule, format_args!("{inputs} control points"));
    }
    if !(1..=MAX_POINTS).contains(&outputs) {
        let rule = Rule::SmOutputControlPointCountRange;
        report(rule, format_args!("{outputs} control points"));
    }
    let body = entry.function.and_then(|id| cx.module().body(id));
    if body.is_none() && inputs < outputs {
        let rule = Rule::SmHullPassThruControlPointCountMatch;
        report(rule, format_args!("{outputs} control points of {inputs}"));
    }
    let all = scalars(&entry.outputs).saturating_mul(u64::from(outputs));
    if all > MAX_SCALARS {
        let rule = Rule::SmOutputControlPointsTotalScalars;
        report(rule, format_args!("{all} scalars"));
    }
    if partitioning == TessellatorPartitioning::Undefined {
        report(
            Rule::MetaTessellatorPartition,
            format_args!("there is none"),
        );
    }
    if output == TessellatorOutput::Undefined {
        report(
            Rule::MetaTessellatorOutputPrimitive,
            format_args!("there is none"),
        );
    }
    if !(1.0..=64.0).contains(&factor) {
        report(Rule::MetaMaxTessFactor, format_args!("{factor}"));
    }
    let is_triangle = matches!(
        output,
        TessellatorOutput::TriangleCw | TessellatorOutput::TriangleCcw
    );
    if domain == DomainShape::IsoLine && is_triangle {
        let rule = Rule::SmIsoLineOutputPrimitiveMismatch;
        report(rule, format_args!("isolines as {output:?}"));
    }
    if matches!(domain, DomainShape::Tri | DomainShape::Quad) && output == TessellatorOutput::Line {
        let rule = Rule::SmTriOutputPrimitiveMismatch;
        report(rule, format_args!("{domain:?} as lines"));
    }
    check_factors(cx, entry, domain, true);
}

/// Checks the number of edge and inside tessellation factors against the domain.
fn check_factors(
    cx: &ValidationContext<'_>,
    entry: &EntryPoint,
    domain: DomainShape,
    is_hull: bool,
) {
    let (edges, insides) = match domain {
        DomainShape::IsoLine => (2, 0),
        DomainShape::Tri => (3, 1),
        DomainShape::Quad => (4, 2),
        DomainShape::Undefined => {
            cx.report_entry(Rule::SmValidDomain, entry, "the domain is undefined");
            return;
        }
    };
    let (mut has_edges, mut has_insides) = (false, false);
    for element in &entry.patch_constants {
        let (found, count, rule) = match element.semantic {
            SemanticKind::TessFactor => (&mut has_edges, edges, Rule::SmTessFactorSizeMatchDomain),
            SemanticKind::InsideTessFactor => (
                &mut has_insides,
                insides,
                Rule::SmInsideTessFactorSizeMatchDomain,
            ),
            _ => continue,
        };
        *found = true;
        if element.rows != count || element.columns > 1 {
            let detail = format_args!(
                "{} by {} factors for {domain:?}",
                element.rows, element.columns
            );
            cx.report_entry(rule, entry, detail);
        }
    }
    if is_hull && (!has_edges || (!has_insides && insides > 0)) {
        let detail = format_args!("factors of {domain:?} are missing");
        cx.report_entry(Rule::SmTessFactorForDomain, entry, detail);
    }
}

/// Returns the number of scalars of a signature.
pub(super) fn scalars(elements: &[SignatureElement]) -> u64 {
    elements.iter().fold(0, |sum, element| {
        sum + u64::from(element.rows) * u64::from(element.columns)
    })
}
