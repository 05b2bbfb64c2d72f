; A function that takes a handle is inlined, in any kind of shader: the module has one function.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%struct.RWByteAddressBuffer = type { i32 }

define void @store(%dx.types.Handle %buf, i32 %at, i32 %value) {
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %buf, i32 %at, i32 undef, i32 %value, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

define void @main() {
  %first = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %second = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  call void @store(%dx.types.Handle %first, i32 0, i32 11)
  call void @store(%dx.types.Handle %second, i32 4, i32 22)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.resources = !{!6}
!dx.entryPoints = !{!3}

!0 = !{i32 1, i32 0}
!1 = !{i32 1, i32 6}
!2 = !{!"cs", i32 6, i32 0}
!3 = !{void ()* @main, !"main", null, !6, !4}
!4 = !{i32 0, i64 16, i32 4, !5}
!5 = !{i32 1, i32 1, i32 1}
!6 = !{null, !7, null, null}
!7 = !{!8, !9}
!8 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!9 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
