; Each group begins with the values of the initializers, whatever the group before it left there.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
%dx.types.Handle = type { i8* }
%struct.RWByteAddressBuffer = type { i32 }
%pair = type { i32, [2 x float] }
@zeros = internal addrspace(3) global [64 x i32] zeroinitializer, align 4
@number = internal addrspace(3) global i32 42, align 4
@ramp = internal addrspace(3) global [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@pair = internal addrspace(3) global %pair { i32 5, [2 x float] [float 1.500000e+00, float undef] }, align 4
@nothing = internal addrspace(3) global i32 undef, align 4
define void @main() {
entry:
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %all = call i32 @dx.op.threadId.i32(i32 93, i32 0)
  %offset = mul i32 %all, 20
  %zero = getelementptr [64 x i32], [64 x i32] addrspace(3)* @zeros, i32 0, i32 %id
  %a = load i32, i32 addrspace(3)* %zero
  %b = load i32, i32 addrspace(3)* @number
  %place = and i32 %id, 3
  %step = getelementptr [4 x i32], [4 x i32] addrspace(3)* @ramp, i32 0, i32 %place
  %c = load i32, i32 addrspace(3)* %step
  %first = getelementptr %pair, %pair addrspace(3)* @pair, i32 0, i32 0
  %d = load i32, i32 addrspace(3)* %first
  %second = getelementptr %pair, %pair addrspace(3)* @pair, i32 0, i32 1, i32 0
  %e = load float, float addrspace(3)* %second
  %f = bitcast float %e to i32
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %offset, i32 undef, i32 %a, i32 %b, i32 %c, i32 %d, i8 15)
  %last = add i32 %offset, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %last, i32 undef, i32 %f, i32 undef, i32 undef, i32 undef, i8 1)
  call void @dx.op.barrier(i32 80, i32 9)
  store i32 77, i32 addrspace(3)* %zero
  store i32 78, i32 addrspace(3)* @number
  store i32 79, i32 addrspace(3)* %step
  store i32 80, i32 addrspace(3)* %first
  store float 9.0, float addrspace(3)* %second
  store i32 81, i32 addrspace(3)* @nothing
  ret void
}
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) #1
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0
declare i32 @dx.op.threadId.i32(i32, i32) #0
declare void @dx.op.barrier(i32, i32) #2
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8) #3
attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { noduplicate nounwind }
attributes #3 = { nounwind }
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.entryPoints = !{!8}
!1 = !{i32 1, i32 0}
!2 = !{i32 1, i32 6}
!3 = !{!"cs", i32 6, i32 0}
!4 = !{null, !5, null, null}
!5 = !{!6}
!6 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!8 = !{void ()* @main, !"main", null, !4, !9}
!9 = !{i32 0, i64 16, i32 4, !10}
!10 = !{i32 64, i32 1, i32 1}
