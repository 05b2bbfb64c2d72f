//! Pipeline states of a database.

use std::sync::Arc;

use dxil_frontend::dxil::ShaderKind;
use dxil_runtime::Format;
use dxil_runtime::graphics::{
    Blend, DepthBias, DepthState, StencilFace, StencilOp, StencilState, TargetState,
};
use dxil_translate::{StreamOutput, StreamOutputEntry};

use super::numbers::Numbered as _;
use super::query::{Columns, Queries};
use super::rows::Values;
use crate::draw_state::{DrawState, InputElement, PrimitiveType};
use crate::error::Problem;
use crate::library::{Blob, Shape};

/// `D3D12_IA_VERTEX_INPUT_STRUCTURE_ELEMENT_COUNT`.
const MAX_ELEMENTS: usize = 32;

/// `D3D12_SO_DDI_REGISTER_INDEX_DENOTING_GAP` aside, a declaration entry writes a component or more
/// of `D3D12_SO_OUTPUT_COMPONENT_COUNT`; gaps are entries too.
const MAX_DECLARATIONS: usize = 512;

/// `D3D12_SO_NO_RASTERIZED_STREAM`.
const NO_RASTERIZED_STREAM: u32 = u32::MAX;

/// The columns of `pipeline_states` with shaders.
const SHADERS: [(&str, ShaderKind); 8] = [
    ("ByteCode_VS", ShaderKind::Vertex),
    ("ByteCode_PS", ShaderKind::Pixel),
    ("ByteCode_HS", ShaderKind::Hull),
    ("ByteCode_DS", ShaderKind::Domain),
    ("ByteCode_GS", ShaderKind::Geometry),
    ("ByteCode_AS", ShaderKind::Amplification),
    ("ByteCode_MS", ShaderKind::Mesh),
    ("ByteCode_CS", ShaderKind::Compute),
];

const STATE: Columns = Columns {
    table: "pipeline_states",
    by: "Key",
    names: &[
        "RootSignature",
        "InputLayout",
        "ByteCode_VS",
        "ByteCode_PS",
        "ByteCode_HS",
        "ByteCode_DS",
        "ByteCode_GS",
        "ByteCode_AS",
        "ByteCode_MS",
        "ByteCode_CS",
        "DepthStencilDesc",
        "RenderTargetFormats",
        "BlendDesc",
        "RasterizerDesc",
        "ViewInstancingDesc",
        "StreamOutDesc",
        "SampleDesc_Count",
        "SampleMask",
        "PrimitiveTopology",
        "DSVFormat",
    ],
};

const INPUT_LAYOUT: Columns = Columns {
    table: "input_layout_to_input_element_associations",
    by: "InputLayoutKey",
    names: &["InputElementKey"],
};

const INPUT_ELEMENT: Columns = Columns {
    table: "input_element_descs",
    by: "Key",
    names: &[
        "SemanticName",
        "SemanticIndex",
        "Format",
        "InputSlot",
        "AlignedByteOffset",
        "InputSlotClass",
        "InstanceDataStepRate",
    ],
};

const DEPTH_STENCIL: Columns = Columns {
    table: "depth_stencil_descs",
    by: "Key",
    names: &[
        "DepthEnable",
        "DepthWriteMask",
        "DepthFunc",
        "StencilEnable",
        "FrontFace",
        "BackFace",
        "DepthBoundsTestEnable",
    ],
};

const STENCIL_OPS: Columns = Columns {
    table: "depth_stencil_op_descs",
    by: "Key",
    names: &[
        "StencilFailOp",
        "StencilDepthFailOp",
        "StencilPassOp",
        "StencilFunc",
        "StencilReadMask",
        "StencilWriteMask",
    ],
};

const TARGETS: Columns = Columns {
    table: "render_target_formats",
    by: "Key",
    names: &[
        "RTFormat0",
        "RTFormat1",
        "RTFormat2",
        "RTFormat3",
        "RTFormat4",
        "RTFormat5",
        "RTFormat6",
        "RTFormat7",
        "NumRenderTargets",
    ],
};

const BLEND: Columns = Columns {
    table: "blend_descs",
    by: "Key",
    names: &[
        "RenderTarget0",
        "RenderTarget1",
        "RenderTarget2",
        "RenderTarget3",
        "RenderTarget4",
        "RenderTarget5",
        "RenderTarget6",
        "RenderTarget7",
        "AlphaToCoverageEnable",
        "IndependentBlendEnable",
    ],
};

const TARGET_BLEND: Columns = Columns {
    table: "render_target_blend_descs",
    by: "Key",
    names: &[
        "BlendEnable",
        "LogicOpEnable",
        "SrcBlend",
        "DestBlend",
        "BlendOp",
        "SrcBlendAlpha",
        "DestBlendAlpha",
        "BlendOpAlpha",
        "LogicOp",
        "RenderTargetWriteMask",
    ],
};

const RASTERIZER: Columns = Columns {
    table: "rasterizer_descs",
    by: "Key",
    names: &[
        "FillMode",
        "CullMode",
        "FrontCounterClockwise",
        "DepthBias",
        "DepthBiasClamp",
        "SlopeScaledDepthBias",
        "DepthClipEnable",
        "LineRasterizationMode",
        "ForcedSampleCount",
        "ConservativeRaster",
    ],
};

const VIEWS: Columns = Columns {
    table: "view_instancing_descs",
    by: "Key",
    names: &[
        "ViewInstanceCount",
        "ViewportArrayIndex0",
        "RenderTargetArrayIndex0",
        "ViewportArrayIndex1",
        "RenderTargetArrayIndex1",
        "ViewportArrayIndex2",
        "RenderTargetArrayIndex2",
        "ViewportArrayIndex3",
        "RenderTargetArrayIndex3",
    ],
};

const STREAM_OUT: Columns = Columns {
    table: "stream_out_descs",
    by: "Key",
    names: &[
        "BufferStride0",
        "BufferStride1",
        "BufferStride2",
        "BufferStride3",
        "RasterizedStream",
    ],
};

const STREAM_DECLARATIONS: Columns = Columns {
    table: "stream_output_desc_to_stream_output_decl_associations",
    by: "StreamOutDescKey",
    names: &["StreamOutDeclKey"],
};

const STREAM_DECLARATION: Columns = Columns {
    table: "so_declarations",
    by: "Key",
    names: &[
        "Stream",
        "SemanticName",
        "SemanticIndex",
        "StartComponent",
        "ComponentCount",
        "OutputSlot",
    ],
};

const ROOT_SIGNATURE: Columns = Columns {
    table: "root_signatures",
    by: "Key",
    names: &["value"],
};

const BYTECODE: Columns = Columns {
    table: "shader_bytecode",
    by: "Key",
    names: &["Bytecode"],
};

/// The keys of a row of `pipeline_states`.
struct StateRow {
    root: Option<Vec<u8>>,
    input_layout: Option<Vec<u8>>,
    shaders: Vec<(ShaderKind, Vec<u8>)>,
    depth_stencil: Option<Vec<u8>>,
    targets: Option<Vec<u8>>,
    blend: Option<Vec<u8>>,
    rasterizer: Option<Vec<u8>>,
    views: Option<Vec<u8>>,
    stream_out: Option<Vec<u8>>,
    samples: Option<u32>,
    sample_mask: Option<u32>,
    topology: Option<u32>,
    depth_format: Option<u32>,
}

impl StateRow {
    fn read(row: &Values<'_>) -> Result<Self, Problem> {
        let mut shaders = Vec::new();
        for (column, kind) in SHADERS {
            shaders.extend(row.key_or_null(column)?.map(|key| (kind, key)));
        }
        Ok(StateRow {
            root: row.key_or_null("RootSignature")?,
            input_layout: row.key_or_null("InputLayout")?,
            shaders,
            depth_stencil: row.key_or_null("DepthStencilDesc")?,
            targets: row.key_or_null("RenderTargetFormats")?,
            blend: row.key_or_null("BlendDesc")?,
            rasterizer: row.key_or_null("RasterizerDesc")?,
            views: row.key_or_null("ViewInstancingDesc")?,
            stream_out: row.key_or_null("StreamOutDesc")?,
            samples: row.word_or_null("SampleDesc_Count")?,
            sample_mask: row.word_or_null("SampleMask")?,
            topology: row.word_or_null("PrimitiveTopology")?,
            depth_format: row.word_or_null("DSVFormat")?,
        })
    }
}

impl Queries {
    /// Returns a serialized root signature.
    pub(super) fn root_signature(&self, key: &[u8]) -> Result<Blob, Problem> {
        self.one(&ROOT_SIGNATURE, key, |row| {
            Ok(Arc::from(row.blob("value")?))
        })
    }

    /// Returns a container.
    pub(super) fn bytecode(&self, key: &[u8]) -> Result<Blob, Problem> {
        self.one(&BYTECODE, key, |row| Ok(Arc::from(row.blob("Bytecode")?)))
    }

    /// Returns the root signature and the stages of a pipeline state.
    pub(super) fn pipeline_state(&self, key: &[u8]) -> Result<(Option<Blob>, Shape), Problem> {
        let row = self.one(&STATE, key, StateRow::read)?;
        let root = match &row.root {
            Some(root) => Some(self.root_signature(root)?),
            None => None,
        };
        let is_compute = matches!(row.shaders[..], [(ShaderKind::Compute, _)]);
        let draw = if is_compute {
            None
        } else {
            Some(Box::new(self.draw_state(&row)?))
        };
        let shaders = row.shaders.iter().map(|(_, key)| self.bytecode(key));
        let shaders = shaders.collect::<Result<Vec<Blob>, Problem>>()?;
        if shaders.is_empty() {
            return Err(Problem::malformed("the pipeline state has no shader"));
        }
        Ok((root, Shape::Stages { shaders, draw }))
    }

    fn draw_state(&self, row: &StateRow) -> Result<DrawState, Problem> {
        let mut draw = DrawState::default();
        if let Some(key) = &row.input_layout {
            self.input_layout(key, &mut draw)?;
        }
        if let Some(number) = row.topology.filter(|number| *number != 0) {
            let found = PrimitiveType::from_number(number.into());
            draw.primitives = found.ok_or_else(|| {
                Problem::unsupported(format!("primitives of the topology type {number}"))
            })?;
        }
        draw.state.samples = row.samples.unwrap_or(1);
        draw.state.sample_mask = row.sample_mask.filter(|mask| *mask != u32::MAX);
        self.targets(row, &mut draw)?;
        self.depth(row, &mut draw)?;
        if let Some(key) = &row.rasterizer {
            self.rasterizer(key, &mut draw)?;
        } else {
            // The default of D3D12 (`CD3DX12_RASTERIZER_DESC(D3D12_DEFAULT)`).
            draw.state.cull = dxil_runtime::graphics::Cull::Back;
        }
        if let Some(key) = &row.views {
            self.views(key, &mut draw)?;
        }
        if let Some(key) = &row.stream_out {
            draw.stream_output = self.stream_output(key)?;
            draw.state.rasterized_stream = match draw.stream_output.rasterized_stream {
                NO_RASTERIZED_STREAM => {
                    draw.leave_out("no rasterized stream");
                    0
                }
                stream => stream,
            };
            draw.stream_output.rasterized_stream = draw.state.rasterized_stream;
        }
        Ok(draw)
    }

    fn input_layout(&self, key: &[u8], draw: &mut DrawState) -> Result<(), Problem> {
        let mut keys = Vec::new();
        self.each(&INPUT_LAYOUT, key, MAX_ELEMENTS, |row| {
            keys.push(row.key("InputElementKey")?);
            Ok(())
        })?;
        for key in keys {
            let (element, step_rate) = self.one(&INPUT_ELEMENT, &key, |row| {
                let element = InputElement {
                    semantic: row.text("SemanticName")?,
                    index: row.word("SemanticIndex")?,
                    format: row.one_of("Format")?,
                    slot: row.word("InputSlot")?,
                    offset: row.word("AlignedByteOffset")?,
                    per_instance: row.word("InputSlotClass")? != 0,
                };
                Ok((element, row.word("InstanceDataStepRate")?))
            })?;
            if element.per_instance && step_rate != 1 {
                draw.leave_out(format!("an instance data step rate of {step_rate}"));
            }
            draw.inputs.push(element);
        }
        Ok(())
    }

    fn targets(&self, row: &StateRow, draw: &mut DrawState) -> Result<(), Problem> {
        let Some(key) = &row.targets else {
            return Ok(());
        };
        let formats = self.one(&TARGETS, key, |row| {
            let count = row.word("NumRenderTargets")?.min(8) as usize;
            let names = TARGETS.names[..count].iter();
            names
                .map(|name| row.word(name))
                .collect::<Result<Vec<_>, _>>()
        })?;
        for (index, number) in formats.iter().enumerate() {
            // DXGI_FORMAT_UNKNOWN: nothing is drawn there.
            if *number == 0 {
                if formats[index..].iter().any(|later| *later != 0) {
                    draw.leave_out("a gap between render targets");
                }
                continue;
            }
            let format = Format::from_number(i64::from(*number));
            let format = format.ok_or_else(|| {
                Problem::unsupported(format!("a render target of the DXGI format {number}"))
            })?;
            draw.state.targets.push(TargetState::new(format));
        }
        let Some(key) = &row.blend else {
            return Ok(());
        };
        let (keys, to_coverage, independent) = self.one(&BLEND, key, |row| {
            let names = BLEND.names[..8].iter();
            let keys = names.map(|name| row.key_or_null(name));
            let keys = keys.collect::<Result<Vec<_>, _>>()?;
            let independent = row.flag("IndependentBlendEnable")?;
            Ok((keys, row.flag("AlphaToCoverageEnable")?, independent))
        })?;
        draw.state.alpha_to_coverage = to_coverage;
        let count = draw.state.targets.len();
        for index in 0..count {
            let Some(key) = keys[if independent { index } else { 0 }].as_deref() else {
                continue;
            };
            self.target_blend(key, index, draw)?;
        }
        Ok(())
    }

    fn target_blend(&self, key: &[u8], index: usize, draw: &mut DrawState) -> Result<(), Problem> {
        let (blend, logic_op, mask) = self.one(&TARGET_BLEND, key, |row| {
            let blend = if row.flag("BlendEnable")? {
                Some(Blend {
                    color: (row.one_of("SrcBlend")?, row.one_of("DestBlend")?),
                    color_op: row.one_of("BlendOp")?,
                    alpha: (row.one_of("SrcBlendAlpha")?, row.one_of("DestBlendAlpha")?),
                    alpha_op: row.one_of("BlendOpAlpha")?,
                })
            } else {
                None
            };
            let logic_op = if row.flag("LogicOpEnable")? {
                Some(row.one_of("LogicOp")?)
            } else {
                None
            };
            Ok((blend, logic_op, row.word("RenderTargetWriteMask")?))
        })?;
        let target = &mut draw.state.targets[index];
        target.blend = blend;
        target.write_mask = (mask & 15) as u8;
        // All targets share the operation: D3D12 allows none with independent blending.
        draw.state.logic_op = draw.state.logic_op.or(logic_op);
        Ok(())
    }

    fn depth(&self, row: &StateRow, draw: &mut DrawState) -> Result<(), Problem> {
        let Some(number) = row.depth_format.filter(|number| *number != 0) else {
            return Ok(());
        };
        let format = Format::from_number(i64::from(number)).filter(|format| format.is_depth());
        let format = format.ok_or_else(|| {
            Problem::unsupported(format!("a depth buffer of the DXGI format {number}"))
        })?;
        let mut depth = DepthState::new(format);
        if let Some(key) = &row.depth_stencil {
            let (faces, test, bounds) = self.one(&DEPTH_STENCIL, key, |row| {
                let faces = if row.flag("StencilEnable")? {
                    Some((row.key("FrontFace")?, row.key("BackFace")?))
                } else {
                    None
                };
                let test = if row.flag("DepthEnable")? {
                    (Some(row.one_of("DepthFunc")?), row.flag("DepthWriteMask")?)
                } else {
                    (None, false)
                };
                Ok((faces, test, row.flag("DepthBoundsTestEnable")?))
            })?;
            (depth.test, depth.write) = test;
            if bounds {
                draw.leave_out("the depth bounds test");
            }
            if let Some((front, back)) = faces.filter(|_| format.has_stencil()) {
                let (front, read, write) = self.stencil(&front)?;
                let (back, back_read, back_write) = self.stencil(&back)?;
                if (read, write) != (back_read, back_write) {
                    draw.leave_out("stencil masks that differ between faces");
                }
                depth.stencil = Some(StencilState {
                    front,
                    back,
                    read_mask: read,
                    write_mask: write,
                });
            }
        }
        draw.state.depth = Some(depth);
        Ok(())
    }

    fn stencil(&self, key: &[u8]) -> Result<(StencilFace, u8, u8), Problem> {
        self.one(&STENCIL_OPS, key, |row| {
            let op = |name| row.one_of::<StencilOp>(name);
            let face = StencilFace {
                test: row.one_of("StencilFunc")?,
                fail: op("StencilFailOp")?,
                depth_fail: op("StencilDepthFailOp")?,
                pass: op("StencilPassOp")?,
            };
            // `UINT8` in the structure.
            let mask = |name| row.word(name).map(|mask| (mask & 0xff) as u8);
            Ok((face, mask("StencilReadMask")?, mask("StencilWriteMask")?))
        })
    }

    fn rasterizer(&self, key: &[u8], draw: &mut DrawState) -> Result<(), Problem> {
        /// `D3D12_FILL_MODE_WIREFRAME`.
        const WIREFRAME: u32 = 2;
        let mut state = draw.state.clone();
        let mut left_out = Vec::new();
        let read = self.each(&RASTERIZER, key, 1, |row| {
            state.wireframe = row.word("FillMode")? == WIREFRAME;
            state.cull = row.one_of("CullMode")?;
            state.front_counter_clockwise = row.flag("FrontCounterClockwise")?;
            let bias = DepthBias {
                // A number of depth steps: the fraction that `D3D12_RASTERIZER_DESC1` allows has no
                // place in the runtime's state.
                constant: row.real("DepthBias")? as i32,
                slope: row.real("SlopeScaledDepthBias")?,
                clamp: row.real("DepthBiasClamp")?,
            };
            state.depth_bias = Some(bias).filter(|bias| *bias != DepthBias::default());
            state.depth_clamp = !row.flag("DepthClipEnable")?;
            for (name, what) in [
                ("ForcedSampleCount", "a forced sample count"),
                ("ConservativeRaster", "conservative rasterization"),
            ] {
                if row.flag(name)? {
                    left_out.push(what);
                }
            }
            if row.word("LineRasterizationMode")? != 0 {
                left_out.push("a mode of line rasterization");
            }
            Ok(())
        })?;
        if read == 0 {
            return Err(Problem::malformed(
                "rasterizer_descs lacks the row of the state",
            ));
        }
        draw.state = state;
        for what in left_out {
            draw.leave_out(what);
        }
        Ok(())
    }

    fn views(&self, key: &[u8], draw: &mut DrawState) -> Result<(), Problem> {
        let (count, plain) = self.one(&VIEWS, key, |row| {
            let count = row.word("ViewInstanceCount")?;
            let mut plain = count <= 4;
            for index in 0..count.min(4) {
                let viewport = VIEWS.names[1 + 2 * index as usize];
                let layer = VIEWS.names[2 + 2 * index as usize];
                plain &= row.word_or_null(viewport)?.unwrap_or(0) == 0
                    && row.word_or_null(layer)?.unwrap_or(0) == index;
            }
            Ok((count, plain))
        })?;
        match (count, plain) {
            (0, _) => {}
            // One layer for each view, as multiview draws them.
            (_, true) => draw.state.view_mask = (1 << count) - 1,
            (_, false) => {
                draw.leave_out("views that go to other layers or viewports than their own")
            }
        }
        Ok(())
    }

    fn stream_output(&self, key: &[u8]) -> Result<StreamOutput, Problem> {
        let (strides, rasterized) = self.one(&STREAM_OUT, key, |row| {
            let strides = STREAM_OUT.names[..4].iter().map(|name| row.word(name));
            let strides = strides.collect::<Result<Vec<u32>, _>>()?;
            Ok((strides, row.word("RasterizedStream")?))
        })?;
        let mut keys = Vec::new();
        self.each(&STREAM_DECLARATIONS, key, MAX_DECLARATIONS, |row| {
            keys.push(row.key("StreamOutDeclKey")?);
            Ok(())
        })?;
        let mut offsets = [0u32; 4];
        let mut output = StreamOutput {
            entries: Vec::new(),
            rasterized_stream: rasterized,
        };
        for key in keys {
            let mut entry = self.one(&STREAM_DECLARATION, &key, |row| {
                Ok(StreamOutputEntry {
                    stream: row.word("Stream")?,
                    semantic: row.text("SemanticName")?,
                    index: row.word("SemanticIndex")?,
                    first_component: row.word("StartComponent")?,
                    components: row.word("ComponentCount")?,
                    buffer: row.word("OutputSlot")?,
                    offset: 0,
                    stride: 0,
                })
            })?;
            let slot = entry.buffer as usize;
            let (Some(offset), Some(stride)) = (offsets.get_mut(slot), strides.get(slot)) else {
                return Err(Problem::malformed(format!("stream output to slot {slot}")));
            };
            if entry.components > 4 {
                let message = format!("stream output of {} components", entry.components);
                return Err(Problem::malformed(message));
            }
            entry.offset = *offset;
            *offset += entry.components * 4;
            entry.stride = *stride;
            // An entry without a name leaves a gap.
            if !entry.semantic.is_empty() {
                output.entries.push(entry);
            }
        }
        // A stride of zero means that vertices are packed.
        for entry in &mut output.entries {
            if entry.stride == 0 {
                entry.stride = offsets[entry.buffer as usize];
            }
        }
        Ok(output)
    }
}
