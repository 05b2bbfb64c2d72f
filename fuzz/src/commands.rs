//! Targets of what the commands read besides shaders.

use crate::mutation::Mutation;
use crate::target::Target;

pub(crate) fn targets() -> Vec<Target> {
    vec![
        Target::new("cache_entry", Mutation::Bytes, |bytes| {
            dxil_runtime::oracle::cache_entry(bytes);
        }),
        Target::new("root_signature_text", Mutation::Bytes, |bytes| {
            dxil_runtime::oracle::root_signature_text(bytes);
        }),
        Target::new("work_graph", Mutation::Shader, |bytes| {
            dxil_runtime::oracle::work_graph(bytes);
        }),
        Target::new("yaml", Mutation::Bytes, |bytes| {
            dxil_jit::oracle::yaml(bytes);
        }),
        Target::new("numpy", Mutation::Bytes, |bytes| {
            dxil_jit::oracle::numpy(bytes);
        }),
        Target::new("obj", Mutation::Bytes, |bytes| {
            dxil_jit::oracle::obj(bytes);
        }),
        Target::new("picture", Mutation::Bytes, |bytes| {
            dxil_jit::oracle::picture(bytes);
        })
        // A small file may become a picture of 256 MiB, and the decoder has a row more.
        .with_memory(300 << 20),
    ]
}
