; The structure in the variable of a library's resource only names the resource: its members are no
; values.
; error: a resource as a value
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%struct.RWByteAddressBuffer = type { i32 }

@buf = external constant %struct.RWByteAddressBuffer, align 4

define void @main() {
  %object = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buf, align 4
  %handle = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %object)
  %member = extractvalue %struct.RWByteAddressBuffer %object, 0
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %handle, i32 %member, i32 undef, i32 1, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

declare %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32, %struct.RWByteAddressBuffer)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.resources = !{!6}
!dx.entryPoints = !{!3, !4}

!0 = !{i32 1, i32 3}
!1 = !{i32 1, i32 6}
!2 = !{!"lib", i32 6, i32 3}
!3 = !{null, !"", null, !6, null}
!4 = !{void ()* @main, !"main", null, null, !5}
!5 = !{i32 8, i32 5, i32 4, !9}
!6 = !{null, !7, null, null}
!7 = !{!8}
!8 = !{i32 0, %struct.RWByteAddressBuffer* @buf, !"buf", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!9 = !{i32 1, i32 1, i32 1}
