//! Compilation of all stages.

/// Returns the options with which every stage is compiled.
pub(super) fn compilation_options() -> wgpu::PipelineCompilationOptions<'static> {
    wgpu::PipelineCompilationOptions {
        // D3D12 does not clear groupshared memory either.
        zero_initialize_workgroup_memory: false,
        ..Default::default()
    }
}
