; newer: allocateRayQuery2
;! without = OPACITY_MICROMAP OPACITY_MICROMAP_KHR
; error: micromap
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%struct.RaytracingAccelerationStructure = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
entry:
  %scene = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %result = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = shl i32 %id, 2
  %query = call i32 @dx.op.allocateRayQuery2(i32 258, i32 4, i32 1)
  call void @dx.op.rayQuery_TraceRayInline(i32 179, i32 %query, %dx.types.Handle %scene, i32 0, i32 255, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 0.0, float 1.0, float 1.0e1)
  %more = call i1 @dx.op.rayQuery_Proceed.i1(i32 180, i32 %query)
  %status = call i32 @dx.op.rayQuery_StateScalar.i32(i32 184, i32 %query)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %result, i32 %at, i32 undef, i32 %status, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare void @dx.op.rayQuery_TraceRayInline(i32, i32, %dx.types.Handle, i32, i32, float, float, float, float, float, float, float, float)
declare i1 @dx.op.rayQuery_Proceed.i1(i32, i32)
declare i32 @dx.op.rayQuery_StateScalar.i32(i32, i32)
declare i32 @dx.op.allocateRayQuery2(i32, i32, i32)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.resources = !{!3}
!dx.entryPoints = !{!4}

!0 = !{i32 1, i32 6}
!1 = !{i32 1, i32 6}
!2 = !{!"cs", i32 6, i32 6}
!3 = !{!5, !6, null, null}
!4 = !{void ()* @main, !"main", null, !3, !7}
!5 = !{!8}
!6 = !{!9}
!7 = !{i32 4, !10}
!8 = !{i32 0, %struct.RaytracingAccelerationStructure* undef, !"scene", i32 0, i32 0, i32 1, i32 16, i32 0, !11}
!9 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!10 = !{i32 32, i32 1, i32 1}
!11 = !{i32 0, i32 4}
