//! First contents of depth textures: wgpu copies no floats into them, so they are drawn.

use super::gpu::Gpu;
use super::rows::{Rows, place};
use crate::format::Format;
use crate::job::Texture;

/// A triangle over everything, whose pixels have the depths of a texture.
const SHADER: &str = "
@group(0) @binding(0) var depths: texture_2d<f32>;

@vertex fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
  return vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment fn pixel(@builtin(position) at: vec4<f32>) -> @builtin(frag_depth) f32 {
  return textureLoad(depths, vec2<i32>(at.xy), 0).x;
}
";

/// Fills a texture of `D32_FLOAT` or `D32_FLOAT_S8X24_UINT`, which is a render target and 2D.
pub(super) fn fill(gpu: &Gpu, raw: &wgpu::Texture, texture: &Texture) {
    let module = gpu
        .device
        .create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(SHADER.into()),
        });
    let pipeline = gpu
        .device
        .create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: raw.format(),
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("pixel"),
                compilation_options: Default::default(),
                targets: &[],
            }),
            multiview_mask: None,
            cache: None,
        });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    let mut at = 0;
    for layer in 0..texture.layers {
        for mip in 0..texture.mips {
            let bytes = texture.mip_bytes(mip) as usize;
            let data = texture.data.get(at..at + bytes).unwrap_or_default();
            at += bytes;
            let texels = data.chunks_exact(texture.format.block_bytes() as usize);
            let depths: Vec<u8> = texels
                .clone()
                .flat_map(|texel| &texel[..4])
                .copied()
                .collect();
            // wgpu copies into the stencil of this format, but not into its depth.
            if texture.format == Format::D32FloatS8Uint {
                let stencils: Vec<u8> = texels.map(|texel| texel[4]).collect();
                let rows = Rows::of(texture, mip, 1);
                let target = wgpu::TexelCopyTextureInfo {
                    aspect: wgpu::TextureAspect::StencilOnly,
                    ..place(raw, mip, layer)
                };
                let target_layout = rows.packed_layout();
                gpu.queue
                    .write_texture(target, &stencils, target_layout, rows.extent);
            }
            draw(
                gpu,
                &mut encoder,
                &pipeline,
                raw,
                texture,
                (mip, layer),
                &depths,
            );
        }
    }
    gpu.queue.submit([encoder.finish()]);
}

fn draw(
    gpu: &Gpu,
    encoder: &mut wgpu::CommandEncoder,
    pipeline: &wgpu::RenderPipeline,
    raw: &wgpu::Texture,
    texture: &Texture,
    (mip, layer): (u32, u32),
    depths: &[u8],
) {
    let rows = Rows::of(texture, mip, 4);
    let source = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: rows.extent,
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R32Float,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    });
    gpu.queue.write_texture(
        place(&source, 0, 0),
        depths,
        rows.packed_layout(),
        rows.extent,
    );
    let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry {
            binding: 0,
            resource: wgpu::BindingResource::TextureView(&source.create_view(&Default::default())),
        }],
    });
    let view = raw.create_view(&wgpu::TextureViewDescriptor {
        dimension: Some(wgpu::TextureViewDimension::D2),
        usage: Some(wgpu::TextureUsages::RENDER_ATTACHMENT),
        base_mip_level: mip,
        mip_level_count: Some(1),
        base_array_layer: layer,
        array_layer_count: Some(1),
        ..Default::default()
    });
    // The stencil was copied before the draw, so the pass must keep it.
    let kept = wgpu::Operations {
        load: wgpu::LoadOp::Load,
        store: wgpu::StoreOp::Store,
    };
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: None,
        color_attachments: &[],
        depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
            view: &view,
            depth_ops: Some(wgpu::Operations {
                load: wgpu::LoadOp::Clear(0.0),
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: raw.format().has_stencil_aspect().then_some(kept),
        }),
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    });
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.draw(0..3, 0..1);
}
