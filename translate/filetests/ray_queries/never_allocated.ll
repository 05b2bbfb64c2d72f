; A handle may be any number to the validator, but only allocated queries exist.
; error: a ray query without an AllocateRayQuery
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

define void @main() {
  %query = call i32 @dx.op.allocateRayQuery(i32 178, i32 1)
  %one = call i1 @dx.op.rayQuery_Proceed.i1(i32 180, i32 %query)
  %other = call i32 @dx.op.allocateRayQuery(i32 178, i32 0)
  %more = call i1 @dx.op.rayQuery_Proceed.i1(i32 180, i32 %other)
  %two = call i1 @dx.op.rayQuery_Proceed.i1(i32 180, i32 12)
  ret void
}

declare i32 @dx.op.allocateRayQuery(i32, i32)
declare i1 @dx.op.rayQuery_Proceed.i1(i32, i32)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.entryPoints = !{!3}

!0 = !{i32 1, i32 5}
!1 = !{i32 1, i32 6}
!2 = !{!"cs", i32 6, i32 5}
!3 = !{void ()* @main, !"main", null, null, !4}
!4 = !{i32 0, i64 33554432, i32 4, !5}
!5 = !{i32 1, i32 1, i32 1}
