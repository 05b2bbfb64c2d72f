; Barriers on objects: lanes of one wave read what lanes of another wrote, first into u0 and then, through the
; same handle, what replaced it.
; newer: barrierByMemoryHandle
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %u0 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %shared = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %u0, %dx.types.ResourceProperties { i32 20491, i32 0 })
  %u1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 1 }, i32 1, i1 false)
  %out = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %u1, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = shl i32 %id, 2
  %value = mul i32 %id, 7
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %shared, i32 %at, i32 undef, i32 %value, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  ; Group sync and group scope.
  call void @dx.op.barrierByMemoryHandle(i32 245, %dx.types.Handle %shared, i32 3)
  %other = xor i32 %at, 252
  %row = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %shared, i32 %other, i32 undef, i8 1, i32 4)
  %seen = extractvalue %dx.types.ResRet.i32 %row, 0
  ; Group sync and device scope.
  call void @dx.op.barrierByMemoryHandle(i32 245, %dx.types.Handle %shared, i32 5)
  %more = add i32 %seen, 1000
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %shared, i32 %at, i32 undef, i32 %more, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  call void @dx.op.barrierByMemoryHandle(i32 245, %dx.types.Handle %shared, i32 3)
  %row2 = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %shared, i32 %other, i32 undef, i8 1, i32 4)
  %again = extractvalue %dx.types.ResRet.i32 %row2, 0
  %to = shl i32 %id, 3
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 %to, i32 undef, i32 %seen, i32 %again, i32 undef, i32 undef, i8 3, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1)
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare void @dx.op.barrierByMemoryHandle(i32, %dx.types.Handle, i32)
declare %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32, %dx.types.Handle, i32, i32, i8, i32)
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 6}
!1 = !{!"cs", i32 6, i32 6}
!2 = !{null, !3, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"shared", i32 0, i32 0, i32 1, i32 11, i1 true, i1 false, i1 false, null}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
