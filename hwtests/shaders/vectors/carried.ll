; newer: rawBufferVectorLoad rawBufferVectorStore vectorReduce dot binary unaryBits
; Vectors of nine that a loop carries, with elements at computed indices, rotated, divided, shifted, compared,
; converted and reduced.
; With long vectors in SPIR-V (SPV_EXT_long_vector) each of these is one instruction.
; check: OpCapability LongVectorEXT
; check: OpExtension "SPV_EXT_long_vector"
; check: OpPhi $v9
; count: 1 OpVectorExtractDynamic
; count: 1 OpVectorInsertDynamic
; count: 1 OpVectorShuffle
; count: 1 OpUDiv
; count: 1 OpDot
; count: 1 OpAny
; count: 1 OpAll
; count: 1 OpBitCount
; not: OpVariable $p Function
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.v9i32 = type { <9 x i32>, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
entry:
  %buf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 36
  %loaded = call %dx.types.ResRet.v9i32 @dx.op.rawBufferVectorLoad.v9i32(i32 303, %dx.types.Handle %buf, i32 %at, i32 undef, i32 4)
  %v = extractvalue %dx.types.ResRet.v9i32 %loaded, 0
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %acc = phi <9 x i32> [ %v, %entry ], [ %acc2, %loop ]
  %most = phi <9 x float> [ zeroinitializer, %entry ], [ %most1, %loop ]
  %sum = add i32 %id, %i
  %place = urem i32 %sum, 9
  %one = extractelement <9 x i32> %acc, i32 %place
  %three = mul i32 %one, 3
  %acc1 = insertelement <9 x i32> %acc, i32 %three, i32 %place
  %turned = shufflevector <9 x i32> %acc1, <9 x i32> undef, <9 x i32> <i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 0>
  %quotient = udiv <9 x i32> %turned, %v
  %shifted = lshr <9 x i32> %turned, %quotient
  %less = icmp ult <9 x i32> %shifted, %v
  %acc2 = select <9 x i1> %less, <9 x i32> %turned, <9 x i32> %shifted
  %low = and <9 x i32> %acc2, <i32 1023, i32 1023, i32 1023, i32 1023, i32 1023, i32 1023, i32 1023, i32 1023, i32 1023>
  %float = uitofp <9 x i32> %low to <9 x float>
  %half = fmul fast <9 x float> %float, <float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01, float 5.000000e-01>
  %most1 = call <9 x float> @dx.op.binary.v9f32(i32 35, <9 x float> %most, <9 x float> %half)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 5
  br i1 %more, label %loop, label %done

done:
  %whole = fptoui <9 x float> %most1 to <9 x i32>
  %dot = call float @dx.op.dot.v9f32(i32 311, <9 x float> %most1, <9 x float> %most1)
  %dot4 = fmul fast float %dot, 4.000000e+00
  %doti = fptoui float %dot4 to i32
  %odd = trunc <9 x i32> %acc2 to <9 x i1>
  %any = call i1 @dx.op.vectorReduce.v9i1(i32 310, <9 x i1> %odd)
  %all = call i1 @dx.op.vectorReduce.v9i1(i32 309, <9 x i1> %odd)
  %bits = call i32 @dx.op.vectorReduce.v9i32(i32 310, <9 x i32> %acc2)
  %counts = call <9 x i32> @dx.op.unaryBits.v9i32(i32 31, <9 x i32> %acc2)
  %chosen = select i1 %all, <9 x i32> %whole, <9 x i32> %counts
  %any32 = zext i1 %any to i32
  %all32 = zext i1 %all to i32
  %r0 = insertelement <9 x i32> %whole, i32 %doti, i32 0
  %r1 = insertelement <9 x i32> %r0, i32 %any32, i32 1
  %r2 = insertelement <9 x i32> %r1, i32 %all32, i32 2
  %r3 = insertelement <9 x i32> %r2, i32 %bits, i32 3
  %start = mul i32 %id, 108
  %out = add i32 %start, 1152
  call void @dx.op.rawBufferVectorStore.v9i32(i32 304, %dx.types.Handle %buf, i32 %out, i32 undef, <9 x i32> %acc2, i32 4)
  %out1 = add i32 %start, 1188
  call void @dx.op.rawBufferVectorStore.v9i32(i32 304, %dx.types.Handle %buf, i32 %out1, i32 undef, <9 x i32> %r3, i32 4)
  %out2 = add i32 %start, 1224
  call void @dx.op.rawBufferVectorStore.v9i32(i32 304, %dx.types.Handle %buf, i32 %out2, i32 undef, <9 x i32> %chosen, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.v9i32 @dx.op.rawBufferVectorLoad.v9i32(i32, %dx.types.Handle, i32, i32, i32)
declare void @dx.op.rawBufferVectorStore.v9i32(i32, %dx.types.Handle, i32, i32, <9 x i32>, i32)
declare <9 x float> @dx.op.binary.v9f32(i32, <9 x float>, <9 x float>)
declare <9 x i32> @dx.op.unaryBits.v9i32(i32, <9 x i32>)
declare float @dx.op.dot.v9f32(i32, <9 x float>, <9 x float>)
declare i1 @dx.op.vectorReduce.v9i1(i32, <9 x i1>)
declare i32 @dx.op.vectorReduce.v9i32(i32, <9 x i32>)

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
