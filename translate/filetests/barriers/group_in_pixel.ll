; Pixels have no thread group that could wait.
; error: a barrier of the thread group in a ps shader
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

define void @main() {
  call void @dx.op.barrier(i32 80, i32 3)
  ret void
}

declare void @dx.op.barrier(i32, i32)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.entryPoints = !{!3}

!0 = !{i32 1, i32 0}
!1 = !{i32 1, i32 6}
!2 = !{!"ps", i32 6, i32 0}
!3 = !{void ()* @main, !"main", null, null, null}
