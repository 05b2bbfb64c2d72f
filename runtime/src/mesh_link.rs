//! Matches the inputs of a pixel shader with the outputs of a mesh shader. Each has its own
//! signature: the mesh shader packs outputs per vertex and per primitive separately, the pixel
//! shader packs all its inputs together without telling them apart. D3D12 matches them by semantic,
//! Vulkan by location.

use dxil_frontend::dxil::{EntryPoint, SignatureElement};
use dxil_translate::{ElementPlace, SignatureKind};

/// Returns the places of a pixel shader's inputs as the mesh shader writes them.
/// `per_primitive_base` is the location of row 0 of the outputs per primitive
/// ([`Interface::patch_location_offset`](dxil_translate::Interface::patch_location_offset)).
pub(crate) fn places(
    mesh: &EntryPoint,
    per_primitive_base: u32,
    pixel: &EntryPoint,
) -> Vec<ElementPlace> {
    // An array of one shader may be several elements of the other, one per row, as in DXBC.
    let find = |outputs: &[SignatureElement], input: &SignatureElement| {
        let wanted = input.semantic_indices.first().copied().unwrap_or(0);
        let row_of = |output: &SignatureElement| {
            let indices = output.semantic_indices.iter();
            let row = indices.clone().position(|&index| index == wanted);
            row.or((indices.len() == 0 && wanted == 0).then_some(0))
        };
        outputs.iter().find_map(|output| {
            if !output.name.eq_ignore_ascii_case(&input.name) {
                return None;
            }
            let row = u32::try_from(row_of(output)?).ok()?;
            let first = output.start_row.unwrap_or(output.id);
            Some((first.saturating_add(row), output.start_column))
        })
    };
    let mut places = Vec::new();
    for input in &pixel.inputs {
        // Per-vertex outputs come first: a pixel shader cannot tell which kind it wants, and an
        // output is in one of the two signatures only.
        let per_vertex = find(&mesh.outputs, input).map(|place| (place, 0, false));
        let per_primitive =
            || find(&mesh.patch_constants, input).map(|place| (place, per_primitive_base, true));
        let Some(((row, column), base, per_primitive)) = per_vertex.or_else(per_primitive) else {
            // What the mesh shader does not write keeps its place in the pixel shader's own
            // signature.
            continue;
        };
        places.push(ElementPlace {
            signature: SignatureKind::Input,
            semantic: input.name.to_string(),
            index: input.semantic_indices.first().copied().unwrap_or(0),
            location: base.saturating_add(row),
            component: column,
            per_primitive,
        });
    }
    places
}
