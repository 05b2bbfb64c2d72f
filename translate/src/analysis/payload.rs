//! The group-shared variable that an amplification shader passes to its mesh shaders.

use dxil_frontend::dxil::Shader;
use dxil_frontend::dxil::ops::{MeshOp, Op as DxOp, Opcode, decode, decode_opcode, op_arguments};
use dxil_frontend::ir::{FuncView, Inst, ValueDef, ValueId};

use crate::analysis::addresses::root_of;

/// The variable that `DispatchMesh` takes.
#[derive(Debug, Default)]
pub(crate) struct PayloadVariable {
    /// The variable that can be the payload itself, because the shader only writes it.
    pub(crate) shared: Option<ValueId>,
    /// The variable that is also read: threads may exchange values through it, so that it is copied
    /// where it is sent.
    pub(crate) copied: Option<ValueId>,
}

impl PayloadVariable {
    /// Adds what a function of an amplification shader does.
    pub(super) fn add(&mut self, shader: &Shader, view: FuncView<'_>) {
        let is_shared = |root: &ValueId| {
            matches!(
                view.value(*root).map(|data| data.def),
                Some(ValueDef::Global(_))
            )
        };
        let mut read = Vec::new();
        for data in view.function.insts.values() {
            match data.inst {
                Inst::Load { pointer, .. }
                | Inst::AtomicRmw { pointer, .. }
                | Inst::CmpXchg { pointer, .. } => read.extend(root_of(view, pointer)),
                Inst::Call { args, .. } => {
                    let args = view.function.values_of(args);
                    let is_op = op_arguments(view, &shader.callees, &data.inst).is_some();
                    if is_op && decode_opcode(view, args) == Ok(Opcode::DispatchMesh) {
                        // A part of a variable is copied where it is sent.
                        let root = match decode(view, args) {
                            Ok(DxOp::Mesh(MeshOp::DispatchMesh(op))) => root_of(view, op.payload)
                                .filter(|&root| view.type_of(root) == view.type_of(op.payload)),
                            _ => None,
                        };
                        let root = root.filter(is_shared);
                        self.shared = self.shared.or(root);
                    } else if !is_op {
                        let pointers = args.iter().filter(|&&arg| {
                            view.type_of(arg)
                                .is_some_and(|ty| view.module.types.pointee(ty).is_some())
                        });
                        read.extend(pointers.filter_map(|&arg| root_of(view, arg)));
                    }
                }
                _ => {}
            }
        }
        // Another function may read it, and functions are added one at a time.
        let several = view.module.bodies.len() > 1;
        if let Some(root) = self.shared
            && (several || read.contains(&root))
        {
            self.copied = self.shared.take();
        }
    }
}
