//! Shader records: the arguments of local root signatures (DirectX Raytracing, "Shader record"), which Vulkan has
//! as a buffer of its own storage class. It begins behind the shader's identifier, and is seen as words here.

use dxil_frontend::dxil::ResourceClass;

use crate::interface::View;
use crate::lower::Lowering;
use crate::lower::resources::variables::Leaf;
use crate::node_protocol::LOCAL_ROOT;
use crate::spirv::{Id, Op, StorageClass};
use crate::{Error, Result};

impl Lowering<'_> {
    /// A word of the shader record.
    pub(in crate::lower) fn record_word(&mut self, view: &View, index: Id) -> Result<Id> {
        if self.is_node() {
            // The layer says where.
            let address = self.push_member(LOCAL_ROOT)?;
            let wide = self.b.uint(64);
            let index = self.b.emit(Op::UConvert, wide, &[index]);
            let four = self.b.const_uint(64, 4);
            let bytes = self.b.emit(Op::IMul, wide, &[index, four]);
            let address = self.b.emit(Op::IAdd, wide, &[address, bytes]);
            return Ok(self.load_word_at(address));
        }
        if !self.is_ray_tracing() {
            return Err(Error::unsupported(format!(
                "{} in a local root signature of a {} shader",
                view.describe(),
                self.entry.kind.prefix()
            )));
        }
        let class = StorageClass::ShaderRecordBufferKHR;
        let record = match self.resources.record {
            Some(record) => record,
            None => {
                let words = self.resources.plan.table.record_words.max(1);
                let block = self.data_block(Leaf::U32, words, false);
                let pointer = self.b.pointer(class, block.ty);
                let id = self.b.global_variable(class, pointer, None);
                if self.options.debug_info {
                    self.b.name(id, "shader_record");
                }
                self.resources.record = Some(id);
                id
            }
        };
        let word = self.b.u32();
        let pointer_ty = self.b.pointer(class, word);
        let zero = self.b.const_u32(0);
        let pointer = self.b.access_chain(pointer_ty, record, &[zero, index]);
        Ok(self.b.load(word, pointer))
    }

    /// The first index of a descriptor table: push constants have it, shader records have a descriptor's handle.
    pub(in crate::lower) fn local_table(&mut self, view: &View, word: Id) -> Id {
        if !view.local {
            return word;
        }
        let tables = self.options.bindings.local_tables;
        self.b.u32_shr(
            word,
            match view.class {
                ResourceClass::Sampler => tables.sampler_shift,
                _ => tables.resource_shift,
            },
        )
    }
}
