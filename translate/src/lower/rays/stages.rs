//! The ray tracing stages (DirectX Raytracing, "Shaders"; `SPV_KHR_ray_tracing`).
//!
//! D3D12 hands payload, hit attributes and callable data to a shader as parameters, and takes a pointer to
//! whatever a shader sends along with a ray. SPIR-V has variables of their own storage classes for both:
//!
//! ```text
//! any hit (payload, attributes) -> IncomingRayPayloadKHR, HitAttributeKHR
//! TraceRay(..., payload)        -> copy payload to a RayPayloadKHR; OpTraceRayKHR; copy it back
//! ```
//!
//! Such variables always have the type that the source gave: the stages of a pipeline have to agree on where
//! its members lie. A parameter that is looked at through another type is copied to a variable of cells (see
//! [`crate::lower::memory::variables`]) and back.
//!
//! Ray flags, masks, hit kinds and the indices of shader tables are the same numbers in D3D and in SPIR-V.

use dxil_frontend::dxil::ShaderKind;
use dxil_frontend::dxil::ops::calls;
use dxil_frontend::ir::{FuncId, Inst, TypeId, TypeList, ValueId};

use crate::lower::Lowering;
use crate::lower::context::Value;
use crate::lower::memory::variables::{Pointer, PointerId, root_of};
use crate::options::Features;
use crate::spirv::{BuiltIn, Capability, Decoration, Id, Op, StorageClass};
use crate::{Error, ErrorKind, Result};

/// `RAY_FLAG_SKIP_TRIANGLES` and `RAY_FLAG_SKIP_PROCEDURAL_PRIMITIVES`.
const SKIP_FLAGS: u32 = 0x300;
/// `RAY_FLAG_FORCE_OMM_2_STATE`.
const FORCE_2_STATE: u32 = 0x400;

/// Payloads, attributes and callable data of the module under construction.
#[derive(Debug, Default)]
pub(in crate::lower) struct RayTracing {
    /// The entry point's function, whose parameters are variables here.
    main: Option<FuncId>,
    /// Parameters that are copies, with the variables that they came from and go back to.
    copies: Vec<(PointerId, TypeId, Id)>,
    /// Variables that are sent along: storage class, type, variable.
    sent: Vec<(StorageClass, Id, Id)>,
    /// Type and variable of the attributes that an intersection shader reports.
    reported: Option<(Id, Id)>,
}

impl RayTracing {
    /// Of an entry point with that function.
    pub(in crate::lower) fn of(main: FuncId) -> Self {
        RayTracing {
            main: Some(main),
            ..RayTracing::default()
        }
    }
}

impl Lowering<'_> {
    /// Whether the entry point is of a ray tracing stage.
    pub(in crate::lower) fn is_ray_tracing(&self) -> bool {
        is_ray_tracing(self.entry.kind)
    }

    /// Capability and extension of the ray tracing stages.
    pub(in crate::lower) fn ray_tracing_modes(&mut self) -> Result<()> {
        if !self.is_ray_tracing() {
            return Ok(());
        }
        let user = || format!("a {} shader", self.entry.kind.prefix());
        self.need_feature(Features::RAY_TRACING, "rayTracingPipeline", user)?;
        if self.b.version() < 0x0001_0400 {
            return Err(Error::new(ErrorKind::TargetLacks {
                feature: "SPIR-V 1.4",
                user: user(),
            }));
        }
        self.b.capability(Capability::RayTracingKHR);
        self.b.extension("SPV_KHR_ray_tracing");
        // Whether primitives are skipped may be said by the pipeline too, for all of its shaders.
        if self.has(Features::RAY_PRIMITIVE_CULLING) && !self.ray_tracing.sent.is_empty() {
            self.b
                .capability(Capability::RayTraversalPrimitiveCullingKHR);
        }
        Ok(())
    }

    /// Whether other shaders run in the middle of this one: which lanes go on together after that is left to
    /// the device (VUID-StandaloneSpirv-MaximallyReconvergesKHR-09565).
    pub(in crate::lower) fn invokes_shaders(&self) -> bool {
        !self.ray_tracing.sent.is_empty()
            || self.ray_tracing.reported.is_some()
            || self.hit_objects.reorders
    }

    /// Whether the function's parameters are variables of the entry point.
    pub(in crate::lower) fn has_stage_parameters(&self, func: FuncId) -> bool {
        self.is_ray_tracing() && self.ray_tracing.main == Some(func)
    }

    /// Makes the variables that stand for the entry point's parameters. Its first block is begun.
    pub(in crate::lower) fn stage_parameters(&mut self, params: &TypeList) -> Result<()> {
        use StorageClass::{HitAttributeKHR, IncomingCallableDataKHR, IncomingRayPayloadKHR};
        let classes: &[StorageClass] = match self.entry.kind {
            ShaderKind::AnyHit | ShaderKind::ClosestHit => {
                &[IncomingRayPayloadKHR, HitAttributeKHR]
            }
            ShaderKind::Miss => &[IncomingRayPayloadKHR],
            ShaderKind::Callable => &[IncomingCallableDataKHR],
            _ => &[],
        };
        if params.len() != classes.len() {
            return Err(Error::malformed(format!(
                "a {} shader with {} parameters",
                self.entry.kind.prefix(),
                params.len()
            )));
        }
        for (index, (&param, &class)) in (0..).zip(params.iter().zip(classes)) {
            let Some(pointee) = self.view.module.types.pointee(param) else {
                return Err(Error::malformed(
                    "a parameter of a ray tracing shader that is no address",
                ));
            };
            let value = ValueId::from_u32(self.view.function.first_value + index);
            let ty = self.ty(pointee)?;
            let pointer_ty = self.b.pointer(class, ty);
            let outer = self.b.global_variable(class, pointer_ty, None);
            let in_cells = self.memory.cells.contains_key(&self.root_key(value));
            // Attributes belong to the hit: a shader that changes them changes its own copy.
            let own = class == HitAttributeKHR && self.may_be_written(value);
            let pointer = if in_cells || own {
                let inner = self.variable(value, pointee, StorageClass::Function, None)?;
                let whole = self.b.load(ty, outer);
                self.store_whole(inner, pointee, whole)?;
                if class != HitAttributeKHR {
                    self.ray_tracing.copies.push((inner, pointee, outer));
                }
                inner
            } else {
                self.memory.add(Pointer::Typed {
                    id: outer,
                    pointee,
                    place: None,
                    class,
                })
            };
            self.values.set(value, Value::Pointer(pointer));
        }
        Ok(())
    }

    /// Whether anything but loads looks at what the parameter points to.
    fn may_be_written(&self, parameter: ValueId) -> bool {
        let view = self.view;
        let mut insts = view.function.insts.values();
        insts.any(|data| match data.inst {
            Inst::Store { pointer, .. }
            | Inst::AtomicRmw { pointer, .. }
            | Inst::CmpXchg { pointer, .. } => root_of(view, pointer) == Some(parameter),
            Inst::Call { args, .. } => view
                .function
                .values_of(args)
                .iter()
                .any(|&arg| self.is_address(arg) && root_of(view, arg) == Some(parameter)),
            _ => false,
        })
    }

    fn is_address(&self, value: ValueId) -> bool {
        let ty = self.view.type_of(value);
        ty.is_some_and(|ty| self.view.module.types.pointee(ty).is_some())
    }

    /// Gives back the parameters that are copies; the invocation ends.
    pub(in crate::lower) fn return_parameters(&mut self) -> Result<()> {
        if self.ray_tracing.main != Some(self.view.function.id) {
            return Ok(());
        }
        for (inner, pointee, outer) in self.ray_tracing.copies.clone() {
            let whole = self.load_whole(inner, pointee)?;
            self.b.store(outer, whole);
        }
        Ok(())
    }

    /// What an operand points to, as a pointer and the type of the whole.
    pub(in crate::lower) fn sent_data(&mut self, value: ValueId) -> Result<(PointerId, TypeId)> {
        let ty = self.type_of(value)?;
        let Some(pointee) = self.view.module.types.pointee(ty) else {
            return Err(Error::malformed(
                "data for another shader without an address",
            ));
        };
        let pointer = self.pointer(value)?;
        if let Pointer::Typed { pointee: own, .. } = self.pointer_data(pointer)? {
            self.same_type(own, pointee)?;
        }
        Ok((pointer, pointee))
    }

    /// Sends data along with an instruction, and takes back what became of it.
    pub(in crate::lower) fn with_sent(
        &mut self,
        data: ValueId,
        class: StorageClass,
        instruction: impl FnOnce(&mut Self, Id) -> Result<()>,
    ) -> Result<()> {
        let (pointer, pointee) = self.sent_data(data)?;
        let ty = self.ty(pointee)?;
        let known = self.ray_tracing.sent.iter();
        let known = known
            .filter(|&&(other, other_ty, _)| (other, other_ty) == (class, ty))
            .map(|&(.., id)| id)
            .next();
        let variable = known.unwrap_or_else(|| {
            let pointer_ty = self.b.pointer(class, ty);
            let id = self.b.global_variable(class, pointer_ty, None);
            self.ray_tracing.sent.push((class, ty, id));
            id
        });
        let before = self.load_whole(pointer, pointee)?;
        self.b.store(variable, before);
        instruction(self, variable)?;
        let after = self.b.load(ty, variable);
        self.store_whole(pointer, pointee, after)
    }

    /// `traceRay`.
    pub(in crate::lower) fn trace_ray(&mut self, op: &calls::TraceRay) -> Result<Value> {
        use ShaderKind::{ClosestHit, Miss, RayGeneration};
        self.only_in(&[RayGeneration, ClosestHit, Miss], "TraceRay")?;
        let structure = self.acceleration_structure(op.acceleration_structure)?;
        let mut operands = vec![structure];
        operands.extend(self.ray_words([
            op.ray_flags,
            op.instance_mask,
            op.ray_contribution,
            op.geometry_multiplier,
            op.miss_index,
        ])?);
        operands.extend(self.ray_description(op.origin, op.t_min, op.direction, op.t_max)?);
        self.with_sent(op.payload, StorageClass::RayPayloadKHR, |l, payload| {
            operands.push(payload);
            l.b.emit_void(Op::TraceRayKHR, &operands);
            Ok(())
        })?;
        Ok(Value::Unset)
    }

    /// Flags, mask, and what chooses the records of shader tables.
    pub(in crate::lower) fn ray_words(&mut self, words: [ValueId; 5]) -> Result<[Id; 5]> {
        let mut ids = self.ids(words)?;
        if let Some(flags) = self.b.literal(ids[0]) {
            ids[0] = self.ray_flags(flags)?;
        }
        Ok(ids)
    }

    /// Known flags as far as the target has a meaning for them.
    fn ray_flags(&mut self, mut flags: u32) -> Result<Id> {
        if flags & SKIP_FLAGS != 0 {
            self.need_feature(
                Features::RAY_PRIMITIVE_CULLING,
                "rayTraversalPrimitiveCulling",
                || "a ray that skips a kind of primitive".to_owned(),
            )?;
        }
        if flags & FORCE_2_STATE != 0 && self.has_micromaps() {
            self.declare_micromaps();
        } else {
            // Without micromaps it asks for nothing.
            flags &= !FORCE_2_STATE;
        }
        Ok(self.b.const_u32(flags))
    }

    /// Origin, beginning, direction and end of a ray.
    pub(in crate::lower) fn ray_description(
        &mut self,
        origin: [ValueId; 3],
        t_min: ValueId,
        direction: [ValueId; 3],
        t_max: ValueId,
    ) -> Result<[Id; 4]> {
        Ok([
            self.float_vector(origin)?,
            self.id(t_min)?,
            self.float_vector(direction)?,
            self.id(t_max)?,
        ])
    }

    fn float_vector(&mut self, values: [ValueId; 3]) -> Result<Id> {
        let parts = self.ids(values)?;
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        Ok(self.b.construct(vector, &parts))
    }

    /// `callShader`.
    pub(in crate::lower) fn call_shader(&mut self, op: &calls::CallShader) -> Result<Value> {
        use ShaderKind::{Callable, ClosestHit, Miss, RayGeneration};
        self.only_in(&[RayGeneration, ClosestHit, Miss, Callable], "CallShader")?;
        let index = self.id(op.shader_index)?;
        self.with_sent(op.parameter, StorageClass::CallableDataKHR, |l, data| {
            l.b.emit_void(Op::ExecuteCallableKHR, &[index, data]);
            Ok(())
        })?;
        Ok(Value::Unset)
    }

    /// `reportHit`: whether the hit was accepted.
    pub(in crate::lower) fn report_hit(&mut self, op: &calls::ReportHit) -> Result<Value> {
        self.only_in(&[ShaderKind::Intersection], "ReportHit")?;
        let [t_hit, hit_kind] = self.ids([op.t_hit, op.hit_kind])?;
        let (pointer, pointee) = self.sent_data(op.attributes)?;
        let ty = self.ty(pointee)?;
        let variable = match self.ray_tracing.reported {
            Some((known, variable)) if known == ty => variable,
            // A stage has one such variable at most (Vulkan, "Ray Tracing Pipeline" interfaces).
            Some(_) => {
                return Err(Error::unsupported(
                    "hit attributes of several types in one intersection shader",
                ));
            }
            None => {
                let pointer_ty = self.b.pointer(StorageClass::HitAttributeKHR, ty);
                let class = StorageClass::HitAttributeKHR;
                let variable = self.b.global_variable(class, pointer_ty, None);
                self.ray_tracing.reported = Some((ty, variable));
                variable
            }
        };
        let attributes = self.load_whole(pointer, pointee)?;
        self.b.store(variable, attributes);
        let bool_ty = self.b.bool();
        let operands = [t_hit, hit_kind];
        Ok(Value::Id(self.b.emit(
            Op::ReportIntersectionKHR,
            bool_ty,
            &operands,
        )))
    }

    /// `ignoreHit`, `acceptHitAndEndSearch`: the invocation ends here.
    pub(in crate::lower) fn end_hit(&mut self, instruction: Op) -> Result<Value> {
        self.only_in(&[ShaderKind::AnyHit], "the end of a hit")?;
        let func = self.view.function.id;
        let (_, params) = self.signature(func)?;
        let writes_back = |&ty: &TypeId| self.view.module.types.pointee(ty).is_some();
        if self.ray_tracing.main != Some(func) && params.iter().any(writes_back) {
            return Err(Error::unsupported(
                "the end of a hit in a function that takes addresses",
            ));
        }
        self.return_parameters()?;
        self.leave_loop_header();
        self.b.emit_void::<u32>(instruction, &[]);
        self.place.has_ended = true;
        Ok(Value::Unset)
    }

    pub(in crate::lower) fn only_in(&self, kinds: &[ShaderKind], op: &str) -> Result<()> {
        match kinds.contains(&self.entry.kind) {
            true => Ok(()),
            false => Err(self.stage_unsupported(op)),
        }
    }

    /// A `uint` that the ray tracing stages are given.
    pub(in crate::lower) fn ray_word(&mut self, built_in: BuiltIn) -> Result<Value> {
        self.only_ray_tracing(built_in)?;
        Ok(Value::Id(self.load_u32_built_in(built_in)))
    }

    /// The same for a `float`.
    pub(in crate::lower) fn ray_float(&mut self, built_in: BuiltIn) -> Result<Value> {
        self.only_ray_tracing(built_in)?;
        let ty = self.b.f32();
        let variable = self.built_in(built_in, ty);
        Ok(Value::Id(self.b.load(ty, variable)))
    }

    /// A component of a `uint3`.
    pub(in crate::lower) fn ray_uint3(
        &mut self,
        built_in: BuiltIn,
        component: u8,
    ) -> Result<Value> {
        self.only_ray_tracing(built_in)?;
        self.load_uvec3_component(built_in, u32::from(component))
    }

    /// A component of a `float3`.
    pub(in crate::lower) fn ray_float3(
        &mut self,
        built_in: BuiltIn,
        component: u8,
    ) -> Result<Value> {
        self.only_ray_tracing(built_in)?;
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        let variable = self.built_in(built_in, vector);
        let pointer_ty = self.b.pointer(StorageClass::Input, float);
        let component = self.b.const_u32(u32::from(component).min(2));
        let address = self.b.access_chain(pointer_ty, variable, &[component]);
        Ok(Value::Id(self.b.load(float, address)))
    }

    /// An element of a `float3x4`: SPIR-V has it as four columns of three.
    pub(in crate::lower) fn ray_matrix(
        &mut self,
        built_in: BuiltIn,
        row: u32,
        column: u8,
    ) -> Result<Value> {
        self.only_ray_tracing(built_in)?;
        let float = self.b.f32();
        let vector = self.b.vector(float, 3);
        let matrix = self.b.matrix(vector, 4);
        let variable = self.built_in(built_in, matrix);
        let pointer_ty = self.b.pointer(StorageClass::Input, float);
        let indices = [u32::from(column).min(3), row.min(2)];
        let indices = indices.map(|index| self.b.const_u32(index));
        let address = self.b.access_chain(pointer_ty, variable, &indices);
        Ok(Value::Id(self.b.load(float, address)))
    }

    fn only_ray_tracing(&self, built_in: BuiltIn) -> Result<()> {
        match self.is_ray_tracing() {
            true => Ok(()),
            false => Err(self.stage_unsupported(&format!("{built_in:?}"))),
        }
    }

    /// What an invocation may find changed when it comes back from another shader, or in an intersection shader
    /// after a report, is volatile (Vulkan, VUID-StandaloneSpirv-VulkanMemoryModel-04678).
    pub(in crate::lower) fn mark_volatile(&mut self, built_in: BuiltIn, variable: Id) {
        use ShaderKind::{AnyHit, Intersection};
        let changes = match built_in {
            BuiltIn::RayTmaxKHR => self.entry.kind == Intersection,
            BuiltIn::SubgroupSize
            | BuiltIn::SubgroupLocalInvocationId
            | BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask => self.is_ray_tracing() && self.entry.kind != AnyHit,
            _ => false,
        };
        if changes {
            self.b.decorate(variable, Decoration::Volatile, &[]);
        }
    }
}

/// Whether a stage is one of ray tracing pipelines.
pub(crate) fn is_ray_tracing(kind: ShaderKind) -> bool {
    use ShaderKind::{AnyHit, Callable, ClosestHit, Intersection, Miss, RayGeneration};
    matches!(
        kind,
        RayGeneration | Intersection | AnyHit | ClosestHit | Miss | Callable
    )
}
