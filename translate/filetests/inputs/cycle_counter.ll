; The clock as two words, low word first.
; check: OpCapability ShaderClockKHR
; check: $pair = OpTypeVector $uint 2
; count: 2 OpReadClockKHR
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }
%dx.types.twoi32 = type { i32, i32 }

define void @main() {
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %t0 = call %dx.types.twoi32 @dx.op.cycleCounterLegacy(i32 109)
  %l0 = extractvalue %dx.types.twoi32 %t0, 0
  %h0 = extractvalue %dx.types.twoi32 %t0, 1
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %in, i32 0, i32 undef, i32 %l0, i32 undef, i32 undef, i32 undef, i8 1)
  %t1 = call %dx.types.twoi32 @dx.op.cycleCounterLegacy(i32 109)
  %l1 = extractvalue %dx.types.twoi32 %t1, 0
  %h1 = extractvalue %dx.types.twoi32 %t1, 1
  %to = mul i32 %id, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %l0, i32 %h0, i32 %l1, i32 %h1, i8 15)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare %dx.types.twoi32 @dx.op.cycleCounterLegacy(i32)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{null, !3, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"source", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
