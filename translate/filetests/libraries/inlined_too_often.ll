; error: more than 65,536 new instructions beside two for each of the module
; Each of the functions below doubles what it inlines, and none of them alone is too long.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%struct.RWByteAddressBuffer = type { i32 }

@buffer = external constant %struct.RWByteAddressBuffer, align 4

define void @h0(%dx.types.Handle %buf) {
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %buf, i32 0, i32 undef, i32 1, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}

define void @h1(%dx.types.Handle %buf) {
  call void @h0(%dx.types.Handle %buf)
  call void @h0(%dx.types.Handle %buf)
  ret void
}

define void @h2(%dx.types.Handle %buf) {
  call void @h1(%dx.types.Handle %buf)
  call void @h1(%dx.types.Handle %buf)
  ret void
}

define void @h3(%dx.types.Handle %buf) {
  call void @h2(%dx.types.Handle %buf)
  call void @h2(%dx.types.Handle %buf)
  ret void
}

define void @h4(%dx.types.Handle %buf) {
  call void @h3(%dx.types.Handle %buf)
  call void @h3(%dx.types.Handle %buf)
  ret void
}

define void @h5(%dx.types.Handle %buf) {
  call void @h4(%dx.types.Handle %buf)
  call void @h4(%dx.types.Handle %buf)
  ret void
}

define void @h6(%dx.types.Handle %buf) {
  call void @h5(%dx.types.Handle %buf)
  call void @h5(%dx.types.Handle %buf)
  ret void
}

define void @h7(%dx.types.Handle %buf) {
  call void @h6(%dx.types.Handle %buf)
  call void @h6(%dx.types.Handle %buf)
  ret void
}

define void @h8(%dx.types.Handle %buf) {
  call void @h7(%dx.types.Handle %buf)
  call void @h7(%dx.types.Handle %buf)
  ret void
}

define void @h9(%dx.types.Handle %buf) {
  call void @h8(%dx.types.Handle %buf)
  call void @h8(%dx.types.Handle %buf)
  ret void
}

define void @h10(%dx.types.Handle %buf) {
  call void @h9(%dx.types.Handle %buf)
  call void @h9(%dx.types.Handle %buf)
  ret void
}

define void @h11(%dx.types.Handle %buf) {
  call void @h10(%dx.types.Handle %buf)
  call void @h10(%dx.types.Handle %buf)
  ret void
}

define void @h12(%dx.types.Handle %buf) {
  call void @h11(%dx.types.Handle %buf)
  call void @h11(%dx.types.Handle %buf)
  ret void
}

define void @g0() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g1() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g2() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g3() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g4() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g5() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g6() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g7() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g8() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g9() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g10() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g11() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g12() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g13() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g14() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @g15() {
  %loaded = load %struct.RWByteAddressBuffer, %struct.RWByteAddressBuffer* @buffer
  %buf = call %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32 160, %struct.RWByteAddressBuffer %loaded)
  call void @h12(%dx.types.Handle %buf)
  ret void
}

define void @main() {
  call void @g0()
  call void @g1()
  call void @g2()
  call void @g3()
  call void @g4()
  call void @g5()
  call void @g6()
  call void @g7()
  call void @g8()
  call void @g9()
  call void @g10()
  call void @g11()
  call void @g12()
  call void @g13()
  call void @g14()
  call void @g15()
  ret void
}

declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare %dx.types.Handle @dx.op.createHandleForLib.struct.RWByteAddressBuffer(i32, %struct.RWByteAddressBuffer)

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
!5 = !{i32 8, i32 7}
!6 = !{null, !7, null, null}
!7 = !{!8}
!8 = !{i32 0, %struct.RWByteAddressBuffer* @buffer, !"buffer", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
