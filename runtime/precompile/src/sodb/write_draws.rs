//! Writes the state of draws.

use dxil_runtime::graphics::{GraphicsState, StencilFace, TargetState};
use rusqlite::types::Value;

use super::numbers::Numbered;
use super::write::{RowKey, Writer, flag, hash, hash_of_keys, integer, key};
use crate::draw_state::{DrawState, InputElement};
use crate::error::Problem;

impl Writer {
    pub(super) fn draw_state(
        &mut self,
        draw: &DrawState,
        columns: &mut Vec<(&'static str, Value)>,
    ) -> Result<(), Problem> {
        let state = &draw.state;
        if let Some(what) = draw.left_out.first() {
            let message = format!("the state has {what}, which this program does not write");
            return Err(Problem::unsupported(message));
        }
        columns.push(("InputLayout", key(self.input_layout(&draw.inputs)?)));
        columns.push(("DepthStencilDesc", Value::Blob(self.depth_stencil(state)?)));
        columns.push((
            "RenderTargetFormats",
            Value::Blob(self.targets(&state.targets)?),
        ));
        columns.push(("BlendDesc", Value::Blob(self.blend(state)?)));
        columns.push(("RasterizerDesc", Value::Blob(self.rasterizer(state)?)));
        columns.push(("ViewInstancingDesc", key(self.views(state.view_mask)?)));
        columns.push(("StreamOutDesc", key(self.stream_output(draw)?)));
        let depth = state.depth.map_or(0, |depth| depth.format.number());
        let mask = state.sample_mask.unwrap_or(u32::MAX);
        for (name, value) in [
            ("SampleDesc_Count", i64::from(state.samples.max(1))),
            ("SampleDesc_Quality", 0),
            ("SampleMask", i64::from(mask)),
            ("IBStripCutValue", 0),
            ("PrimitiveTopology", draw.primitives.number()),
            ("DSVFormat", depth),
            ("NodeMask", 0),
            ("Flags", 0),
        ] {
            columns.push((name, Value::Integer(value)));
        }
        Ok(())
    }

    fn input_layout(&mut self, inputs: &[InputElement]) -> Result<Option<RowKey>, Problem> {
        let mut keys = Vec::new();
        for input in inputs {
            keys.push(self.row(
                "input_element_descs",
                &[
                    ("SemanticName", Value::Text(input.semantic.clone())),
                    ("SemanticIndex", integer(input.index)),
                    ("Format", Value::Integer(input.format.number())),
                    ("InputSlot", integer(input.slot)),
                    ("AlignedByteOffset", integer(input.offset)),
                    ("InputSlotClass", integer(u32::from(input.per_instance))),
                    (
                        "InstanceDataStepRate",
                        integer(u32::from(input.per_instance)),
                    ),
                ],
            )?);
        }
        if keys.is_empty() {
            return Ok(None);
        }
        let layout = hash_of_keys("input layout", &keys);
        for element in keys {
            self.join(
                "input_layout_to_input_element_associations",
                [
                    ("InputLayoutKey", Value::Blob(layout.clone())),
                    ("InputElementKey", Value::Blob(element)),
                ],
            )?;
        }
        Ok(Some(layout))
    }

    fn depth_stencil(&mut self, state: &GraphicsState) -> Result<RowKey, Problem> {
        let stencil = state.depth.and_then(|depth| depth.stencil);
        let masks = stencil.unwrap_or_default();
        let masks = (masks.read_mask, masks.write_mask);
        let face = |face: &StencilFace| {
            [
                ("StencilFailOp", Value::Integer(face.fail.number())),
                (
                    "StencilDepthFailOp",
                    Value::Integer(face.depth_fail.number()),
                ),
                ("StencilPassOp", Value::Integer(face.pass.number())),
                ("StencilFunc", Value::Integer(face.test.number())),
                ("StencilReadMask", integer(masks.0.into())),
                ("StencilWriteMask", integer(masks.1.into())),
            ]
        };
        let faces = stencil.unwrap_or_default();
        let front = self.row("depth_stencil_op_descs", &face(&faces.front))?;
        let back = self.row("depth_stencil_op_descs", &face(&faces.back))?;
        let test = state.depth.and_then(|depth| depth.test);
        let writes = state.depth.is_some_and(|depth| depth.write);
        // A state that writes without a test passes always.
        let is_enabled = test.is_some() || writes;
        let always = dxil_runtime::job::Comparison::Always;
        self.row(
            "depth_stencil_descs",
            &[
                ("DepthEnable", flag(is_enabled)),
                ("DepthWriteMask", flag(writes)),
                ("DepthFunc", Value::Integer(test.unwrap_or(always).number())),
                ("StencilEnable", flag(stencil.is_some())),
                ("FrontFace", Value::Blob(front)),
                ("BackFace", Value::Blob(back)),
                ("DepthBoundsTestEnable", flag(false)),
            ],
        )
    }

    fn targets(&mut self, targets: &[TargetState]) -> Result<RowKey, Problem> {
        const NAMES: [&str; 8] = [
            "RTFormat0",
            "RTFormat1",
            "RTFormat2",
            "RTFormat3",
            "RTFormat4",
            "RTFormat5",
            "RTFormat6",
            "RTFormat7",
        ];
        let mut columns: Vec<_> = NAMES.map(|name| (name, Value::Integer(0))).into();
        for (column, target) in columns.iter_mut().zip(targets) {
            column.1 = Value::Integer(target.format.number());
        }
        columns.push(("NumRenderTargets", Value::Integer(targets.len() as i64)));
        self.row("render_target_formats", &columns)
    }

    fn blend(&mut self, state: &GraphicsState) -> Result<RowKey, Problem> {
        const NAMES: [&str; 8] = [
            "RenderTarget0",
            "RenderTarget1",
            "RenderTarget2",
            "RenderTarget3",
            "RenderTarget4",
            "RenderTarget5",
            "RenderTarget6",
            "RenderTarget7",
        ];
        let mut columns = vec![
            ("AlphaToCoverageEnable", flag(state.alpha_to_coverage)),
            // Each target has its own row, equal or not; with a logic operation they are equal.
            ("IndependentBlendEnable", flag(state.logic_op.is_none())),
        ];
        for (name, target) in NAMES.into_iter().zip(&state.targets) {
            use dxil_runtime::graphics::{Blend, BlendFactor as F, BlendOp, LogicOp};
            let off = Blend {
                color: (F::One, F::Zero),
                color_op: BlendOp::Add,
                alpha: (F::One, F::Zero),
                alpha_op: BlendOp::Add,
            };
            let blend = target.blend.unwrap_or(off);
            let logic_op = state.logic_op.unwrap_or(LogicOp::Noop);
            let key = self.row(
                "render_target_blend_descs",
                &[
                    ("BlendEnable", flag(target.blend.is_some())),
                    ("LogicOpEnable", flag(state.logic_op.is_some())),
                    ("SrcBlend", Value::Integer(blend.color.0.number())),
                    ("DestBlend", Value::Integer(blend.color.1.number())),
                    ("BlendOp", Value::Integer(blend.color_op.number())),
                    ("SrcBlendAlpha", Value::Integer(blend.alpha.0.number())),
                    ("DestBlendAlpha", Value::Integer(blend.alpha.1.number())),
                    ("BlendOpAlpha", Value::Integer(blend.alpha_op.number())),
                    ("LogicOp", Value::Integer(logic_op.number())),
                    ("RenderTargetWriteMask", integer(target.write_mask.into())),
                ],
            )?;
            columns.push((name, Value::Blob(key)));
        }
        self.row("blend_descs", &columns)
    }

    fn rasterizer(&mut self, state: &GraphicsState) -> Result<RowKey, Problem> {
        let bias = state.depth_bias.unwrap_or_default();
        let fill = if state.wireframe { 2 } else { 3 };
        self.row(
            "rasterizer_descs",
            &[
                ("FillMode", Value::Integer(fill)),
                ("CullMode", Value::Integer(state.cull.number())),
                ("FrontCounterClockwise", flag(state.front_counter_clockwise)),
                ("DepthBias", Value::Real(f64::from(bias.constant))),
                ("DepthBiasClamp", Value::Real(f64::from(bias.clamp))),
                ("SlopeScaledDepthBias", Value::Real(f64::from(bias.slope))),
                ("DepthClipEnable", flag(!state.depth_clamp)),
                ("LineRasterizationMode", Value::Integer(0)),
                ("ForcedSampleCount", Value::Integer(0)),
                ("ConservativeRaster", Value::Integer(0)),
            ],
        )
    }

    fn views(&mut self, mask: u32) -> Result<Option<RowKey>, Problem> {
        if mask == 0 {
            return Ok(None);
        }
        let count = mask.trailing_ones();
        if mask.count_ones() != count || count > 4 {
            let message = format!("the views {mask:#b}: D3D12 has up to four, from the first on");
            return Err(Problem::unsupported(message));
        }
        const NAMES: [(&str, &str); 4] = [
            ("ViewportArrayIndex0", "RenderTargetArrayIndex0"),
            ("ViewportArrayIndex1", "RenderTargetArrayIndex1"),
            ("ViewportArrayIndex2", "RenderTargetArrayIndex2"),
            ("ViewportArrayIndex3", "RenderTargetArrayIndex3"),
        ];
        let mut columns = vec![
            ("ViewInstanceCount", integer(count)),
            ("RenderFlags", Value::Integer(0)),
        ];
        for (index, (viewport, layer)) in (0..count).zip(NAMES) {
            columns.push((viewport, Value::Integer(0)));
            columns.push((layer, integer(index)));
        }
        self.row("view_instancing_descs", &columns).map(Some)
    }

    fn stream_output(&mut self, draw: &DrawState) -> Result<Option<RowKey>, Problem> {
        let output = &draw.stream_output;
        if output.entries.is_empty() {
            return Ok(None);
        }
        let mut keys = Vec::new();
        let mut offsets = [0u32; 4];
        let mut strides = [0u32; 4];
        for entry in &output.entries {
            let slot = entry.buffer as usize;
            let (Some(offset), Some(stride)) = (offsets.get_mut(slot), strides.get_mut(slot))
            else {
                return Err(Problem::malformed(format!("stream output to slot {slot}")));
            };
            if entry.offset != *offset {
                let message = "stream output with gaps, which this program does not write";
                return Err(Problem::unsupported(message));
            }
            *offset += entry.components * 4;
            *stride = entry.stride;
            keys.push(self.row(
                "so_declarations",
                &[
                    ("Stream", integer(entry.stream)),
                    ("SemanticName", Value::Text(entry.semantic.clone())),
                    ("SemanticIndex", integer(entry.index)),
                    ("StartComponent", integer(entry.first_component)),
                    ("ComponentCount", integer(entry.components)),
                    ("OutputSlot", integer(entry.buffer)),
                ],
            )?);
        }
        let used = strides.iter().rposition(|stride| *stride != 0);
        let mut columns: Vec<(&str, Value)> = vec![
            ("BufferStride0", integer(strides[0])),
            ("BufferStride1", integer(strides[1])),
            ("BufferStride2", integer(strides[2])),
            ("BufferStride3", integer(strides[3])),
            (
                "NumStrides",
                Value::Integer(used.map_or(0, |last| last as i64 + 1)),
            ),
            ("RasterizedStream", integer(output.rasterized_stream)),
        ];
        // Declarations belong to the description without being in its row.
        let declarations = hash_of_keys("stream output", &keys);
        columns.push(("declarations", Value::Blob(declarations)));
        let key = hash("stream_out_descs", &columns);
        columns.pop();
        columns.push(("Key", Value::Blob(key.clone())));
        self.insert("stream_out_descs", &columns)?;
        for declaration in keys {
            self.join(
                "stream_output_desc_to_stream_output_decl_associations",
                [
                    ("StreamOutDescKey", Value::Blob(key.clone())),
                    ("StreamOutDeclKey", Value::Blob(declaration)),
                ],
            )?;
        }
        Ok(Some(key))
    }
}
