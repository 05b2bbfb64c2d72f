; Queries that are one of two: a phi, then a select. The first one's flags (RAY_FLAG_CULL_OPAQUE) go where it goes.
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
  %column = and i32 %id, 3
  %line = lshr i32 %id, 2
  %fx = uitofp i32 %column to float
  %fy = uitofp i32 %line to float
  %x = fadd fast float %fx, 2.5e-1
  %y = fadd fast float %fy, 2.5e-1
  %odd_bit = and i32 %id, 1
  %odd = icmp ne i32 %odd_bit, 0
  %second_bit = and i32 %id, 2
  %far = icmp ne i32 %second_bit, 0
  br i1 %odd, label %left, label %right
left:
  %blind = call i32 @dx.op.allocateRayQuery(i32 178, i32 64)
  br label %merge
right:
  %seeing = call i32 @dx.op.allocateRayQuery(i32 178, i32 0)
  br label %merge
merge:
  %near = phi i32 [ %blind, %left ], [ %seeing, %right ]
  call void @dx.op.rayQuery_TraceRayInline(i32 179, i32 %near, %dx.types.Handle %scene, i32 4, i32 255, float %x, float %y, float -3.0, float 0.0, float 0.0, float 0.0, float 1.0, float 1.0e2)
  %third = call i32 @dx.op.allocateRayQuery(i32 178, i32 1)
  call void @dx.op.rayQuery_TraceRayInline(i32 179, i32 %third, %dx.types.Handle %scene, i32 0, i32 255, float %x, float %y, float -1.0e1, float 0.0, float 0.0, float 0.0, float 1.0, float 1.0e2)
  %chosen = select i1 %far, i32 %third, i32 %near
  br label %loop
loop:
  %more = call i1 @dx.op.rayQuery_Proceed.i1(i32 180, i32 %chosen)
  br i1 %more, label %loop, label %done
done:
  %status = call i32 @dx.op.rayQuery_StateScalar.i32(i32 184, i32 %chosen)
  %hit = icmp eq i32 %status, 1
  br i1 %hit, label %inside, label %outside
inside:
  %t = call float @dx.op.rayQuery_StateScalar.f32(i32 200, i32 %chosen)
  br label %outside
outside:
  %distance = phi float [ -1.0, %done ], [ %t, %inside ]
  %bits = bitcast float %distance to i32
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %result, i32 %at, i32 undef, i32 %bits, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare i32 @dx.op.allocateRayQuery(i32, i32)
declare void @dx.op.rayQuery_TraceRayInline(i32, i32, %dx.types.Handle, i32, i32, float, float, float, float, float, float, float, float)
declare i1 @dx.op.rayQuery_Proceed.i1(i32, i32)
declare i32 @dx.op.rayQuery_StateScalar.i32(i32, i32)
declare float @dx.op.rayQuery_StateScalar.f32(i32, i32)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!3}

!0 = !{i32 1, i32 5}
!1 = !{!"cs", i32 6, i32 5}
!2 = !{!4, !5, null, null}
!3 = !{void ()* @main, !"main", null, !2, !6}
!4 = !{!7}
!5 = !{!8}
!6 = !{i32 4, !9}
!7 = !{i32 0, %struct.RaytracingAccelerationStructure* undef, !"scene", i32 0, i32 0, i32 1, i32 16, i32 0, !10}
!8 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!9 = !{i32 8, i32 1, i32 1}
!10 = !{i32 0, i32 4}
