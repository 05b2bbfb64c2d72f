; Every kind of access through a handle that is one of two: constants, sizes, counters, typed texels, samples
; with status, a gather, a comparison, an atomic, heap handles of two annotations.
;! options = heaps
; check: OpPhi $u
; check: OpIEqual
; count: 2 OpImageSparseGather
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.ResRet.f32 = type { float, float, float, float, i32 }
%dx.types.CBufRet.f32 = type { float, float, float, float }
%dx.types.Dimensions = type { i32, i32, i32, i32 }
%C = type { [4 x <4 x float>] }
%"class.RWStructuredBuffer<unsigned int>" = type { i32 }
%"class.Texture2D<float>" = type { float, %"class.Texture2D<float>::mips_type" }
%"class.Texture2D<float>::mips_type" = type { i32 }
%"class.RWTexture2D<unsigned int>" = type { i32 }
%struct.SamplerState = type { i32 }
%struct.SamplerComparisonState = type { i32 }

define void @main() {
entry:
  %bc0 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 2 }, i32 0, i1 false)
  %c0 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bc0, %dx.types.ResourceProperties { i32 13, i32 64 })
  %bc1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 2 }, i32 1, i1 false)
  %c1 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bc1, %dx.types.ResourceProperties { i32 13, i32 64 })
  %bu0 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %u0 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bu0, %dx.types.ResourceProperties { i32 36876, i32 4 })
  %bu1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 1 }, i32 1, i1 false)
  %u1 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bu1, %dx.types.ResourceProperties { i32 36876, i32 4 })
  %bt0 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 0 }, i32 0, i1 false)
  %t0 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bt0, %dx.types.ResourceProperties { i32 2, i32 265 })
  %bs0 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 3 }, i32 0, i1 false)
  %s0 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bs0, %dx.types.ResourceProperties { i32 14, i32 0 })
  %bs1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 3 }, i32 1, i1 false)
  %s1 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bs1, %dx.types.ResourceProperties { i32 32782, i32 0 })
  %bu2 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 2, i32 2, i32 0, i8 1 }, i32 2, i1 false)
  %u2 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bu2, %dx.types.ResourceProperties { i32 4098, i32 261 })
  %bu3 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 3, i32 3, i32 0, i8 1 }, i32 3, i1 false)
  %u3 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bu3, %dx.types.ResourceProperties { i32 4098, i32 261 })
  %id = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %bit = and i32 %id, 1
  %odd = icmp ne i32 %bit, 0
  br i1 %odd, label %a, label %merge
a:
  %bh = call %dx.types.Handle @dx.op.createHandleFromHeap(i32 218, i32 %id, i1 false, i1 true)
  %h = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %bh, %dx.types.ResourceProperties { i32 2, i32 265 })
  br label %merge
merge:
  %c = phi %dx.types.Handle [ %c0, %entry ], [ %c1, %a ]
  %u = phi %dx.types.Handle [ %u0, %entry ], [ %u1, %a ]
  %t = phi %dx.types.Handle [ %t0, %entry ], [ %h, %a ]
  %img = phi %dx.types.Handle [ %u2, %entry ], [ %u3, %a ]
  %row = call %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32 59, %dx.types.Handle %c, i32 2)
  %x = extractvalue %dx.types.CBufRet.f32 %row, 0
  %w = extractvalue %dx.types.CBufRet.f32 %row, 3
  %place = call i32 @dx.op.bufferUpdateCounter(i32 70, %dx.types.Handle %u, i8 1)
  %dims = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %t, i32 0)
  %width = extractvalue %dx.types.Dimensions %dims, 0
  %udims = call %dx.types.Dimensions @dx.op.getDimensions(i32 72, %dx.types.Handle %u, i32 undef)
  %elements = extractvalue %dx.types.Dimensions %udims, 0
  %texel = call %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32 62, %dx.types.Handle %t, %dx.types.Handle %s0, float %x, float %w, float undef, float undef, i32 0, i32 0, i32 undef, float 0.0)
  %tx = extractvalue %dx.types.ResRet.f32 %texel, 0
  %status = extractvalue %dx.types.ResRet.f32 %texel, 4
  %mapped = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %status)
  %gather = call %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32 73, %dx.types.Handle %t, %dx.types.Handle %s0, float %x, float %w, float undef, float undef, i32 0, i32 0, i32 0)
  %gy = extractvalue %dx.types.ResRet.f32 %gather, 1
  %gstatus = extractvalue %dx.types.ResRet.f32 %gather, 4
  %gmapped = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %gstatus)
  %cmp = call %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32 65, %dx.types.Handle %t, %dx.types.Handle %s1, float %x, float %w, float undef, float undef, i32 0, i32 0, i32 undef, float 0.5)
  %cx = extractvalue %dx.types.ResRet.f32 %cmp, 0
  %old = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %img, i32 0, i32 %id, i32 0, i32 undef, i32 %width)
  %load = call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32 66, %dx.types.Handle %img, i32 undef, i32 %id, i32 %id, i32 undef, i32 undef, i32 undef, i32 undef)
  %lx = extractvalue %dx.types.ResRet.i32 %load, 0
  %both = and i1 %mapped, %gmapped
  %m = zext i1 %both to i32
  %f0 = fadd fast float %tx, %gy
  %f1 = fadd fast float %f0, %cx
  %fi = fptoui float %f1 to i32
  %i0 = add i32 %m, %fi
  %i1 = add i32 %i0, %elements
  %i2 = add i32 %i1, %old
  %i3 = add i32 %i2, %lx
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %u, i32 %place, i32 0, i32 %i3, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  call void @dx.op.textureStore.i32(i32 67, %dx.types.Handle %img, i32 0, i32 %id, i32 undef, i32 %i3, i32 %i3, i32 %i3, i32 %i3, i8 15)
  ret void
}

declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1)
declare %dx.types.Handle @dx.op.createHandleFromHeap(i32, i32, i1, i1)
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties)
declare i32 @dx.op.threadId.i32(i32, i32)
declare %dx.types.CBufRet.f32 @dx.op.cbufferLoadLegacy.f32(i32, %dx.types.Handle, i32)
declare i32 @dx.op.bufferUpdateCounter(i32, %dx.types.Handle, i8)
declare %dx.types.Dimensions @dx.op.getDimensions(i32, %dx.types.Handle, i32)
declare %dx.types.ResRet.f32 @dx.op.sampleLevel.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)
declare i1 @dx.op.checkAccessFullyMapped.i32(i32, i32)
declare %dx.types.ResRet.f32 @dx.op.textureGather.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32)
declare %dx.types.ResRet.f32 @dx.op.sampleCmpLevelZero.f32(i32, %dx.types.Handle, %dx.types.Handle, float, float, float, float, i32, i32, i32, float)
declare i32 @dx.op.atomicBinOp.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)
declare %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32)
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32)
declare void @dx.op.textureStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32, i8)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!30}

!0 = !{i32 1, i32 6}
!1 = !{!"cs", i32 6, i32 6}
!2 = !{!3, !6, !13, !16}
!3 = !{!4}
!4 = !{i32 0, %"class.Texture2D<float>"* undef, !"", i32 0, i32 0, i32 1, i32 2, i32 0, !5}
!5 = !{i32 0, i32 9}
!6 = !{!7, !8, !9, !10}
!7 = !{i32 0, %"class.RWStructuredBuffer<unsigned int>"* undef, !"", i32 0, i32 0, i32 1, i32 12, i1 false, i1 true, i1 false, !11}
!8 = !{i32 1, %"class.RWStructuredBuffer<unsigned int>"* undef, !"", i32 0, i32 1, i32 1, i32 12, i1 false, i1 true, i1 false, !11}
!9 = !{i32 2, %"class.RWTexture2D<unsigned int>"* undef, !"", i32 0, i32 2, i32 1, i32 2, i1 false, i1 false, i1 false, !12}
!10 = !{i32 3, %"class.RWTexture2D<unsigned int>"* undef, !"", i32 0, i32 3, i32 1, i32 2, i1 false, i1 false, i1 false, !12}
!11 = !{i32 1, i32 4}
!12 = !{i32 0, i32 5}
!13 = !{!14, !15}
!14 = !{i32 0, %C* undef, !"", i32 0, i32 0, i32 1, i32 64, null}
!15 = !{i32 1, %C* undef, !"", i32 0, i32 1, i32 1, i32 64, null}
!16 = !{!17, !18}
!17 = !{i32 0, %struct.SamplerState* undef, !"", i32 0, i32 0, i32 1, i32 0, null}
!18 = !{i32 1, %struct.SamplerComparisonState* undef, !"", i32 0, i32 1, i32 1, i32 1, null}
!30 = !{void ()* @main, !"main", null, !2, !31}
!31 = !{i32 0, i64 16, i32 4, !32}
!32 = !{i32 64, i32 1, i32 1}
