//! Options of a stage's signatures: where elements live, stream output, view instancing. They are
//! plain data in D3D12's terms; the default suits a pipeline all of whose stages this crate
//! translates.

use dxil_frontend::dxil::{EntryPoint, ShaderKind, SignatureElement};

use crate::DescriptorSlot;

/// The connection of a stage's signature elements to other stages and to the pipeline's state.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub struct SignatureOptions {
    /// Elements that do not live at location = packed row, component = packed column.
    pub places: Vec<ElementPlace>,
    /// Location of row 0 of the patch constants (hull and domain shaders). Default: after the last
    /// row of the control points' signature. A domain shader may declare fewer rows than its hull
    /// shader writes: pass it [`Interface::patch_location_offset`](crate::Interface) of that hull
    /// shader.
    pub patch_location_offset: Option<u32>,
    /// `SV_Target1` is the second source of the blend of target 0 (pixel shaders).
    pub dual_source_blending: bool,
    /// The component of the shader's output for each component of render target `n`
    /// (`output_swizzles[n]`); targets past the end are not swizzled.
    pub output_swizzles: Vec<[u8; 4]>,
    /// The position is computed the same way in every pipeline (`Invariant`), so that passes over
    /// the same geometry compute equal positions.
    pub invariant_position: bool,
    /// The geometry shader before this pixel shader writes `SV_IsFrontFace`: the pixel shader reads
    /// it as an ordinary input, not as the built-in.
    pub front_face_is_data: bool,
    /// Stream output, and the stream that is rasterized.
    pub stream_output: StreamOutput,
    /// View instancing.
    pub views: ViewInstancing,
    /// Write a point size of 1 from the last stage before rasterization, for devices without
    /// maintenance5 whose pipeline draws points: there Vulkan leaves the point size undefined.
    /// Domain and geometry shaders need shaderTessellationAndGeometryPointSize for it.
    pub write_point_size: bool,
    /// `SV_VertexID` and `SV_InstanceID` are the API's numbers, which include the draw's first
    /// vertex and instance. Default: they count from 0 in every draw, as in D3D12, if the target
    /// has shaderDrawParameters.
    pub raw_vertex_and_instance_ids: bool,
    /// Samples of the render targets that a pixel shader is run for.
    pub raster_samples: RasterSamples,
}

impl SignatureOptions {
    /// Returns the location of row 0 of the patch constants, or of a mesh shader's outputs per
    /// primitive: after the last row of the control points' or vertices' signature, system values
    /// included, unless the caller sets it. 0 for the other stages.
    pub fn patch_location(&self, entry: &EntryPoint) -> u32 {
        let control_points = match entry.kind {
            ShaderKind::Hull | ShaderKind::Mesh => &entry.outputs,
            ShaderKind::Domain => &entry.inputs,
            _ => return 0,
        };
        self.patch_location_offset
            .unwrap_or_else(|| rows_of(control_points))
    }
}

/// Samples per pixel of the pipeline: the value of `GetRenderTargetSampleCount`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RasterSamples {
    /// A fixed number.
    Constant(u32),
    /// The specialization constant with this id; 1 unless specialized.
    Specialized {
        /// Id of the specialization constant.
        spec_id: u32,
    },
}

impl Default for RasterSamples {
    fn default() -> Self {
        RasterSamples::Constant(1)
    }
}

/// One of the signatures of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SignatureKind {
    /// Inputs: vertex attributes, the previous stage's outputs, control points.
    Input,
    /// Outputs: of a hull shader its control points.
    Output,
    /// Patch constants of hull and domain shaders, per-primitive outputs of mesh shaders.
    PatchConstant,
}

/// Location of a signature element that is not a system value in its stage.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ElementPlace {
    /// The signature.
    pub signature: SignatureKind,
    /// Semantic name without index; case does not matter.
    pub semantic: String,
    /// Semantic index of the element's first row.
    pub index: u32,
    /// Location of the first row; further rows follow.
    pub location: u32,
    /// First component.
    pub component: u32,
    /// A pixel shader's input that a mesh shader writes once per primitive.
    pub per_primitive: bool,
}

/// Stream output (transform feedback): set it for the last stage before rasterization only. Hull,
/// pixel and compute shaders ignore it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct StreamOutput {
    /// The elements that are written, like `D3D12_SO_DECLARATION_ENTRY` without gaps.
    pub entries: Vec<StreamOutputEntry>,
    /// Geometry shader stream that is rasterized: only its system values are built-ins.
    pub rasterized_stream: u32,
}

/// Some components of one row of an output element go into a buffer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct StreamOutputEntry {
    /// Geometry shader stream, 0 to 3; 0 for other stages.
    pub stream: u32,
    /// Semantic name without index; case does not matter.
    pub semantic: String,
    /// Semantic index.
    pub index: u32,
    /// First component, counted from the element's own first.
    pub first_component: u32,
    /// Number of components; 0 is all from the first on.
    pub components: u32,
    /// Buffer, 0 to 3.
    pub buffer: u32,
    /// Bytes from the start of a vertex in the buffer, a multiple of 4.
    pub offset: u32,
    /// Bytes from one vertex to the next in the buffer, a multiple of 4; the same in all entries of
    /// a buffer.
    pub stride: u32,
}

/// View instancing: what `SV_ViewID` is, and where each view instance goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[non_exhaustive]
pub struct ViewInstancing {
    /// The source of `SV_ViewID`.
    pub id: ViewIdSource,
    /// Specialization constant (by its id) that holds a viewport index for each of up to four view
    /// instances, eight bits each, view instance 0 lowest. It is added to what the shader writes to
    /// `SV_ViewportArrayIndex`, or is written if the shader does not. Only for the last stage
    /// before rasterization.
    pub viewports: Option<u32>,
    /// The same for render target array indices; not together with multiview, which selects layers
    /// itself.
    pub layers: Option<u32>,
    /// Uniform buffer whose first word has the offset of the drawn view instance in layers, in its
    /// upper 16 bits: added to what the shader writes to `SV_RenderTargetArrayIndex`, or written if
    /// the shader does not. Only for the last stage before rasterization; not together with
    /// multiview.
    pub layer_offset: Option<DescriptorSlot>,
    /// Uniform buffer whose first word has a bit for each view instance that is drawn: for the
    /// others the last stage before rasterization emits nothing.
    pub mask: Option<DescriptorSlot>,
}

/// The source of `SV_ViewID`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum ViewIdSource {
    /// Multiview's view index.
    #[default]
    ViewIndex,
    /// Multiview's view index through a table: the specialization constant with this id holds a
    /// view instance for each view index, two bits each, view index 0 lowest.
    ViewIndexTable {
        /// Id of the specialization constant.
        spec_id: u32,
    },
    /// A constant: there is one view, or a pipeline for each.
    Constant(u32),
    /// The lower 16 bits of the first word of a uniform buffer: there is a draw for each.
    UniformWord(DescriptorSlot),
    /// The specialization constant with this id, 0 unless specialized.
    Specialized {
        /// Id of the specialization constant.
        spec_id: u32,
    },
}

/// Returns one past the last row that the elements take.
pub(crate) fn rows_of<'a>(elements: impl IntoIterator<Item = &'a SignatureElement>) -> u32 {
    elements
        .into_iter()
        .map(|element| {
            let first = element.start_row.unwrap_or(0);
            first.saturating_add(element.rows)
        })
        .max()
        .unwrap_or(0)
}
