//! GetDimensions, and what instructions take of its result.

use cranelift_entity::packed_option::PackedOption;

use super::call::Call;
use crate::dxil::ResourceKind;
use crate::dxil::ops::{Op, TextureOp};
use crate::ir::{FuncView, Inst, InstData, ValueId};
use crate::tables::HashMap;
use crate::validate::context::{InstLocation, ValidationContext};
use crate::validate::handles::handle_of;
use crate::validate::rules::Rule;

/// Returns the defined results of GetDimensions: width, height, depth or layers, and levels or
/// samples.
fn defined_dimensions(kind: ResourceKind) -> Option<&'static [u64]> {
    use ResourceKind::*;
    Some(match kind {
        Texture1D => &[0, 3],
        Texture1DArray | Texture2D | Texture2DMS | TextureCube => &[0, 1, 3],
        Texture2DArray | Texture2DMSArray | Texture3D | TextureCubeArray => &[0, 1, 2, 3],
        StructuredBuffer | RawBuffer | TypedBuffer | TBuffer => &[0],
        _ => return None,
    })
}

pub(super) fn check_dimensions(call: &Call<'_, '_>, resource: ValueId, mip: PackedOption<ValueId>) {
    use ResourceKind::*;
    let Some(handle) = call.handle(resource) else {
        return;
    };
    match handle.kind {
        StructuredBuffer | RawBuffer | TypedBuffer | TBuffer if mip.is_some() => {
            let detail = "a buffer has no mip levels";
            call.report(Rule::InstrMipLevelForGetDimension, detail);
        }
        kind if !call.allows_kind(kind) => {
            let detail = format_args!("the resource is a {kind:?}");
            call.report(Rule::InstrResourceKindForGetDim, detail);
        }
        _ => {}
    }
}

/// Results of GetDimensions, and the kinds of their resources.
#[derive(Default)]
pub(in crate::validate) struct Dimensions(HashMap<ValueId, ResourceKind>);

impl Dimensions {
    /// Notes an operation.
    pub(in crate::validate) fn note(
        &mut self,
        cx: &ValidationContext<'_>,
        view: FuncView<'_>,
        data: &InstData,
        op: &Op,
    ) {
        if let Op::Texture(TextureOp::GetDimensions(op)) = op
            && let Some(result) = data.result.expand()
            && let Some(handle) = handle_of(cx, view, op.resource)
        {
            self.0.insert(result, handle.kind);
        }
    }

    /// Checks that an instruction takes no dimension that the resource does not have.
    pub(in crate::validate) fn check_use(
        &self,
        cx: &ValidationContext<'_>,
        view: FuncView<'_>,
        location: InstLocation,
        inst: &Inst,
    ) {
        if self.0.is_empty() {
            return;
        }
        if let Inst::ExtractValue { aggregate, indices } = inst
            && let Some(&kind) = self.0.get(aggregate)
            && let Some(defined) = defined_dimensions(kind)
            && let [index] = view.function.indices_of(*indices)
            && !defined.contains(index)
        {
            let detail = format_args!("a {kind:?} has no dimension {index}");
            cx.report_at(Rule::InstrUndefResultForGetDimension, location, detail);
        }
    }
}
