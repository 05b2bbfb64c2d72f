//! Amplification shaders: `dispatchMesh` and its payload.
//!
//! SPIR-V's instruction ends the invocation and must be the last of the entry point, D3D's is a call
//! that code may follow. So the shader's function only notes the numbers of groups, and an entry
//! point around it, where all threads come together again, starts the mesh shaders:
//!
//! ```text
//! entry: call shader; [thread 0 copies the payload]; OpEmitMeshTasksEXT counts payload
//! ```
//!
//! A payload that the shader only writes *is* the variable that mesh shaders see. One that is also
//! read, which may be a conversation between threads, stays in groupshared memory and is copied.

use dxil_frontend::dxil::ops::{Opcode, calls, decode_opcode, op_arguments};
use dxil_frontend::dxil::{ShaderKind, Stage};
use dxil_frontend::ir::{FuncId, Inst, ValueDef, ValueId};

use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::lower::memory::variables::{Pointer, PointerId, root_of};
use crate::spirv::{BuiltIn, Id, MemorySemantics, Op, Scope, StorageClass};
use crate::{Error, Result};

/// The payload between amplification and mesh shaders.
#[derive(Debug, Default)]
pub(in crate::lower) struct Payload {
    /// A mesh shader's view of it.
    pub(in crate::lower) received: Option<PointerId>,
    /// The groupshared variable that is the payload itself.
    pub(in crate::lower) shared: Option<ValueId>,
    /// The groupshared variable that is read too, hence copied.
    copied: Option<ValueId>,
    /// Numbers of groups, where `dispatchMesh` notes them.
    counts: Option<Id>,
    /// The variable that is handed over, if there is one.
    sent: Option<Id>,
}

impl Lowering<'_> {
    /// Finds the variable that is dispatched with, and whether it is only written. Runs over all
    /// functions before the first is lowered.
    pub(in crate::lower) fn find_payload(&mut self) {
        if self.entry.kind != ShaderKind::Amplification {
            return;
        }
        let view = self.view;
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
                    let is_op = op_arguments(view, &self.shader.callees, &data.inst).is_some();
                    if is_op && decode_opcode(view, args) == Ok(Opcode::DispatchMesh) {
                        // A part of a variable is copied where it is sent.
                        let root = args.get(4).and_then(|&payload| {
                            let ty = view.type_of(payload);
                            root_of(view, payload).filter(|&root| view.type_of(root) == ty)
                        });
                        let root = root.filter(is_shared);
                        self.payload.shared = self.payload.shared.or(root);
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
        let several = self.view.module.bodies.len() > 1;
        if let Some(root) = self.payload.shared
            && (several || read.contains(&root))
        {
            self.payload.copied = self.payload.shared.take();
        }
    }

    /// `dispatchMesh`: notes how many groups there will be.
    pub(in crate::lower) fn dispatch_mesh(&mut self, op: &calls::DispatchMesh) -> Result<Value> {
        if self.entry.kind != ShaderKind::Amplification {
            return Err(self.stage_unsupported("DispatchMesh"));
        }
        let word = self.b.u32();
        let vector = self.b.vector(word, 3);
        let mut counts = [Id::NONE; 3];
        for (count, value) in counts.iter_mut().zip(op.group_count) {
            *count = self.to_u32(value)?;
        }
        let value = self.b.construct(vector, &counts);
        let variable = self.group_counts();
        self.b.store(variable, value);
        self.send_payload(op.payload)?;
        Ok(Value::Unset)
    }

    /// The variable with the numbers of groups: none until the shader says otherwise.
    fn group_counts(&mut self) -> Id {
        if let Some(variable) = self.payload.counts {
            return variable;
        }
        let word = self.b.u32();
        let vector = self.b.vector(word, 3);
        let none = self.b.const_null(vector);
        let pointer = self.b.pointer(StorageClass::Private, vector);
        let variable = self
            .b
            .global_variable(StorageClass::Private, pointer, Some(none));
        self.payload.counts = Some(variable);
        variable
    }

    fn send_payload(&mut self, payload: ValueId) -> Result<()> {
        let Stage::Amplification { payload_bytes } = self.entry.stage else {
            return Ok(());
        };
        if payload_bytes == 0 {
            return Ok(());
        }
        let root = root_of(self.view, payload);
        let pointer = self.pointer(payload)?;
        let (variable, ty, class) = match self.pointer_data(pointer)? {
            Pointer::Typed {
                id, pointee, class, ..
            } => (id, self.ty(pointee)?, class),
            Pointer::Cells { cell, .. } => {
                let array = cell.array;
                let element = self.b.uint(array.width);
                let count = payload_bytes.div_ceil(array.width / 8);
                (array.variable, self.b.array(element, count), array.class)
            }
            Pointer::Address { .. } => {
                return Err(Error::malformed("a payload in a node's record"));
            }
        };
        if root.is_some() && root == self.payload.shared {
            self.payload.sent = Some(variable);
            return Ok(());
        }
        let is_copied = root.is_some() && root == self.payload.copied;
        if self.payload.shared.is_some() || (self.payload.copied.is_some() && !is_copied) {
            return Err(Error::unsupported("a choice among several payloads"));
        }
        let sent = match self.payload.sent {
            Some(sent) => sent,
            None => {
                let class = StorageClass::TaskPayloadWorkgroupEXT;
                let pointer = self.b.pointer(class, ty);
                let sent = self.b.global_variable(class, pointer, None);
                self.payload.sent = Some(sent);
                sent
            }
        };
        // What one thread wrote into groupshared memory another one sends.
        if is_copied {
            return Ok(());
        }
        // Each thread has its own, and D3D wants them equal; of groupshared memory all see the same.
        if class == StorageClass::Workgroup {
            let group = self.b.const_u32(Scope::Workgroup as u32);
            let semantics = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
            let semantics = self.b.const_u32(semantics.bits());
            self.b
                .emit_void(Op::ControlBarrier, &[group, group, semantics]);
        }
        self.b.emit_void(Op::CopyMemory, &[sent, variable]);
        Ok(())
    }

    /// The function that an amplification shader starts with.
    pub(in crate::lower) fn amplification_entry(&mut self, body: FuncId) -> Result<Id> {
        self.entry_around(|l| {
            l.call_root(body)?;
            if let (Some(shared), Some(sent)) = (l.payload.copied, l.payload.sent) {
                l.copy_payload(shared, sent)?;
            }
            let word = l.b.u32();
            let vector = l.b.vector(word, 3);
            let counts = l.group_counts();
            let counts = l.b.load(vector, counts);
            let mut operands = Vec::with_capacity(4);
            for index in 0..3 {
                operands.push(l.b.extract(word, counts, index));
            }
            operands.extend(l.payload.sent);
            l.b.emit_void(Op::EmitMeshTasksEXT, &operands);
            Ok(())
        })
    }

    /// Thread 0 copies the payload when all have written it.
    fn copy_payload(&mut self, shared: ValueId, sent: Id) -> Result<()> {
        let pointer = self.pointer(shared)?;
        let shared = match self.pointer_data(pointer)? {
            Pointer::Typed { id, .. } => id,
            Pointer::Cells { cell, .. } => cell.array.variable,
            Pointer::Address { .. } => {
                return Err(Error::malformed("a payload in a node's record"));
            }
        };
        let group = self.b.const_u32(Scope::Workgroup as u32);
        let semantics = MemorySemantics::WORKGROUP_MEMORY | MemorySemantics::ACQUIRE_RELEASE;
        let semantics = self.b.const_u32(semantics.bits());
        self.b
            .emit_void(Op::ControlBarrier, &[group, group, semantics]);
        let thread = self.load_u32_built_in(BuiltIn::LocalInvocationIndex);
        self.only_first(thread, |l| {
            l.b.emit_void(Op::CopyMemory, &[sent, shared]);
            Ok(())
        })
    }
}
