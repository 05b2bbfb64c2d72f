; check: OpShiftRightLogical
; check: OpIEqual
; check: OpSelectionMerge
; check: OpPhi
; Handles that are one of several differently declared buffers: a phi of u1, of an element of the array
; u2..u4 and of u5; a select of t0 and t1; a select of two loaded structs and a phi of them. Direct uses of the
; same handles go on.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.ByteAddressBuffer = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
entry:
  %t0 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 0, i32 0, i1 false)
  %t1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 0, i32 1, i32 1, i1 false)
  %u0 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %u1 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = shl i32 %id, 2
  %bit = and i32 %id, 1
  %odd = icmp ne i32 %bit, 0
  %src = select i1 %odd, %dx.types.Handle %t1, %dx.types.Handle %t0
  %two = and i32 %id, 3
  switch i32 %two, label %others [
    i32 1, label %element
    i32 2, label %last
  ]
element:
  %which0 = urem i32 %id, 3
  %which = add i32 %which0, 2
  %array = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 2, i32 %which, i1 true)
  %left = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %t0, i32 %at, i32 undef)
  br label %merge
last:
  %u5 = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 3, i32 5, i1 false)
  %right = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %t1, i32 %at, i32 undef)
  br label %merge
others:
  %some = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %src, i32 %at, i32 undef)
  br label %merge
merge:
  %dst = phi %dx.types.Handle [ %array, %element ], [ %u5, %last ], [ %u1, %others ]
  %loaded = phi %dx.types.ResRet.i32 [ %left, %element ], [ %right, %last ], [ %some, %others ]
  %again = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %src, i32 %at, i32 undef)
  %above = icmp ugt i32 %id, 31
  %row = select i1 %above, %dx.types.ResRet.i32 %loaded, %dx.types.ResRet.i32 %again
  %value = extractvalue %dx.types.ResRet.i32 %row, 0
  %next = extractvalue %dx.types.ResRet.i32 %row, 1
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %dst, i32 %at, i32 undef, i32 %value, i32 undef, i32 undef, i32 undef, i8 1)
  %old = call i32 @dx.op.atomicBinOp.i32(i32 78, %dx.types.Handle %dst, i32 0, i32 %at, i32 undef, i32 undef, i32 %next)
  %second = add i32 %at, 256
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %u0, i32 %at, i32 undef, i32 %old, i32 undef, i32 undef, i32 undef, i8 1)
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %u1, i32 %second, i32 undef, i32 %id, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare i32 @dx.op.atomicBinOp.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!11}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{!3, !6, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.ByteAddressBuffer* undef, !"first", i32 0, i32 0, i32 1, i32 11, i32 0, null}
!5 = !{i32 1, %struct.ByteAddressBuffer* undef, !"second", i32 0, i32 1, i32 1, i32 11, i32 0, null}
!6 = !{!7, !8, !9, !10}
!7 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"old", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!8 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"others", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!9 = !{i32 2, [3 x %struct.RWByteAddressBuffer]* undef, !"elements", i32 0, i32 2, i32 3, i32 11, i1 false, i1 false, i1 false, null}
!10 = !{i32 3, %struct.RWByteAddressBuffer* undef, !"last", i32 0, i32 5, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!11 = !{void ()* @main, !"main", null, !2, !12}
!12 = !{i32 0, i64 16, i32 4, !13}
!13 = !{i32 64, i32 1, i32 1}
