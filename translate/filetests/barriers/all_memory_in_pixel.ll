; newer: barrierByMemoryType
; assembled as: 6 6
; "All memory" of a pixel shader is what the device shares: it has no group.
;! targets = vulkan1.3
; check: $device = OpConstant $uint 1
; check: OpMemoryBarrier $device
; not: OpControlBarrier
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

define void @main() {
  call void @dx.op.barrierByMemoryType(i32 244, i32 -1, i32 4)
  ret void
}

declare void @dx.op.barrierByMemoryType(i32, i32, i32)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.entryPoints = !{!3}

!0 = !{i32 1, i32 8}
!1 = !{i32 1, i32 6}
!2 = !{!"ps", i32 6, i32 8}
!3 = !{void ()* @main, !"main", null, null, null}
