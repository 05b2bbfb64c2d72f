; newer: rawBufferVectorLoad rawBufferVectorStore
;! without = LONG_VECTOR
; check: OpTypeVector $u 4
; check: OpTypeFunction $v4 $v4
; check: OpStore
; check: OpControlBarrier
; check: OpLoad $v4
; count: 1 OpFunctionCall
; Vectors that SPIR-V has stay whole in memory, in structures, as parameters and results.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.v4i32 = type { <4 x i32>, i32 }
%struct.RWByteAddressBuffer = type { i32 }
%both = type { <2 x i32>, i32, <3 x i32> }

@tile = internal addrspace(3) global [32 x <4 x i32>] undef

define internal <4 x i32> @turn(<4 x i32> %v, <3 x i32>* %counts) {
  %r = shufflevector <4 x i32> %v, <4 x i32> undef, <4 x i32> <i32 1, i32 2, i32 3, i32 0>
  %c = load <3 x i32>, <3 x i32>* %counts
  %c1 = add <3 x i32> %c, <i32 1, i32 2, i32 3>
  store <3 x i32> %c1, <3 x i32>* %counts
  %x = extractelement <3 x i32> %c1, i32 2
  %s = insertelement <4 x i32> %r, i32 %x, i32 1
  ret <4 x i32> %s
}

define void @main() {
  %counts = alloca <3 x i32>
  %local = alloca %both
  %buf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 16
  %loaded = call %dx.types.ResRet.v4i32 @dx.op.rawBufferVectorLoad.v4i32(i32 303, %dx.types.Handle %buf, i32 %at, i32 undef, i32 4)
  %v = extractvalue %dx.types.ResRet.v4i32 %loaded, 0
  %mine = getelementptr [32 x <4 x i32>], [32 x <4 x i32>] addrspace(3)* @tile, i32 0, i32 %id
  store <4 x i32> %v, <4 x i32> addrspace(3)* %mine
  call void @dx.op.barrier(i32 80, i32 9)
  %other = xor i32 %id, 5
  %theirs = getelementptr [32 x <4 x i32>], [32 x <4 x i32>] addrspace(3)* @tile, i32 0, i32 %other
  %w = load <4 x i32>, <4 x i32> addrspace(3)* %theirs
  %part = and i32 %id, 3
  %one = getelementptr [32 x <4 x i32>], [32 x <4 x i32>] addrspace(3)* @tile, i32 0, i32 %other, i32 %part
  %single = load i32, i32 addrspace(3)* %one
  %splat = insertelement <3 x i32> undef, i32 %single, i32 0
  %three = shufflevector <3 x i32> %splat, <3 x i32> undef, <3 x i32> zeroinitializer
  store <3 x i32> %three, <3 x i32>* %counts
  %turned = call <4 x i32> @turn(<4 x i32> %w, <3 x i32>* %counts)
  %after = load <3 x i32>, <3 x i32>* %counts
  %low = shufflevector <4 x i32> %turned, <4 x i32> undef, <2 x i32> <i32 3, i32 0>
  %b0 = insertvalue %both undef, <2 x i32> %low, 0
  %b1 = insertvalue %both %b0, i32 %id, 1
  %b2 = insertvalue %both %b1, <3 x i32> %after, 2
  store %both %b2, %both* %local
  %back = load %both, %both* %local
  %q0 = extractvalue %both %back, 0
  %q1 = extractvalue %both %back, 1
  %q2 = extractvalue %both %back, 2
  %wide = shufflevector <2 x i32> %q0, <2 x i32> undef, <3 x i32> <i32 0, i32 1, i32 undef>
  %wide2 = insertelement <3 x i32> %wide, i32 %q1, i32 2
  %sum = add <3 x i32> %wide2, %q2
  %s0 = extractelement <3 x i32> %sum, i32 0
  %s1 = extractelement <3 x i32> %sum, i32 1
  %s2 = extractelement <3 x i32> %sum, i32 2
  %odd = extractelement <4 x i32> %turned, i32 %part
  %r0 = insertelement <4 x i32> undef, i32 %s0, i32 0
  %r1 = insertelement <4 x i32> %r0, i32 %s1, i32 1
  %r2 = insertelement <4 x i32> %r1, i32 %s2, i32 2
  %r3 = insertelement <4 x i32> %r2, i32 %odd, i32 3
  %out = add i32 %at, 512
  call void @dx.op.rawBufferVectorStore.v4i32(i32 304, %dx.types.Handle %buf, i32 %out, i32 undef, <4 x i32> %r3, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare void @dx.op.barrier(i32, i32)
declare %dx.types.ResRet.v4i32 @dx.op.rawBufferVectorLoad.v4i32(i32, %dx.types.Handle, i32, i32, i32)
declare void @dx.op.rawBufferVectorStore.v4i32(i32, %dx.types.Handle, i32, i32, <4 x i32>, i32)

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
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 32, i32 1, i32 1}
