; newer: waveMatch rawBufferVectorStore
; The lanes whose vectors are equal in all of their elements, which are a quarter of the wave's.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.fouri32 = type { i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %buf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %lanes = call i32 @dx.op.waveGetLaneCount(i32 112)
  %first = and i32 %id, 1
  %half = lshr i32 %id, 1
  %last = and i32 %half, 1
  %v0 = insertelement <3 x i32> undef, i32 %first, i32 0
  %v1 = insertelement <3 x i32> %v0, i32 5, i32 1
  %v2 = insertelement <3 x i32> %v1, i32 %last, i32 2
  %mask = call %dx.types.fouri32 @dx.op.waveMatch.v3i32(i32 165, <3 x i32> %v2)
  %m0 = extractvalue %dx.types.fouri32 %mask, 0
  %m1 = extractvalue %dx.types.fouri32 %mask, 1
  %m2 = extractvalue %dx.types.fouri32 %mask, 2
  %m3 = extractvalue %dx.types.fouri32 %mask, 3
  %c0 = call i32 @dx.op.unaryBits.i32(i32 31, i32 %m0)
  %c1 = call i32 @dx.op.unaryBits.i32(i32 31, i32 %m1)
  %c2 = call i32 @dx.op.unaryBits.i32(i32 31, i32 %m2)
  %c3 = call i32 @dx.op.unaryBits.i32(i32 31, i32 %m3)
  %s1 = add i32 %c0, %c1
  %s2 = add i32 %s1, %c2
  %s3 = add i32 %s2, %c3
  %all = mul i32 %s3, 4
  %right = icmp eq i32 %all, %lanes
  %flag = zext i1 %right to i32
  %r0 = insertelement <2 x i32> undef, i32 %flag, i32 0
  %r1 = insertelement <2 x i32> %r0, i32 %id, i32 1
  %at = mul i32 %id, 8
  call void @dx.op.rawBufferVectorStore.v2i32(i32 304, %dx.types.Handle %buf, i32 %at, i32 undef, <2 x i32> %r1, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare i32 @dx.op.waveGetLaneCount(i32)
declare i32 @dx.op.unaryBits.i32(i32, i32)
declare %dx.types.fouri32 @dx.op.waveMatch.v3i32(i32, <3 x i32>)
declare void @dx.op.rawBufferVectorStore.v2i32(i32, %dx.types.Handle, i32, i32, <2 x i32>, i32)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{null, !3, null, null}
!3 = !{!4}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 524304, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
