; newer: rawBufferVectorLoad rawBufferVectorStore vectorReduce
;! without = LONG_VECTOR
; Vectors as no HLSL has them: their bits regrouped, one element, elements at computed indices of constants and phis,
; shuffles with gaps, a vector in a structure, the status of a load, reductions of integers.
; check: OpPhi
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.ResRet.v1i32 = type { <1 x i32>, i32 }
%dx.types.ResRet.v6i32 = type { <6 x i32>, i32 }
%struct.RWByteAddressBuffer = type { i32 }
%pair = type { i32, <5 x i32> }

@table = internal unnamed_addr constant [2 x <3 x i32>] [<3 x i32> <i32 1, i32 2, i32 3>, <3 x i32> <i32 10, i32 20, i32 30>]

define void @main() {
entry:
  %local = alloca %pair
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %raw = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %buf = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %raw, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %at = mul i32 %id, 24
  %loaded = call %dx.types.ResRet.v6i32 @dx.op.rawBufferVectorLoad.v6i32(i32 303, %dx.types.Handle %buf, i32 %at, i32 undef, i32 4)
  %v = extractvalue %dx.types.ResRet.v6i32 %loaded, 0
  %status = extractvalue %dx.types.ResRet.v6i32 %loaded, 1
  %mapped = call i1 @dx.op.checkAccessFullyMapped.i32(i32 71, i32 %status)
  %mapped32 = zext i1 %mapped to i32
  %single = call %dx.types.ResRet.v1i32 @dx.op.rawBufferVectorLoad.v1i32(i32 303, %dx.types.Handle %buf, i32 %at, i32 undef, i32 4)
  %one = extractvalue %dx.types.ResRet.v1i32 %single, 0
  %one1 = add <1 x i32> %one, <i32 1>
  %oneback = bitcast <1 x i32> %one1 to i32

  ; Bits regrouped: words to longs, to one double, and back.
  %longs = bitcast <6 x i32> %v to <3 x i64>
  %longs1 = add <3 x i64> %longs, <i64 1, i64 4294967296, i64 -1>
  %words = bitcast <3 x i64> %longs1 to <6 x i32>
  %two = shufflevector <6 x i32> %v, <6 x i32> %words, <2 x i32> <i32 3, i32 8>
  %long = bitcast <2 x i32> %two to i64
  %long7 = mul i64 %long, 7
  %twoback = bitcast i64 %long7 to <2 x i32>
  %t0 = extractelement <2 x i32> %twoback, i32 0
  %t1 = extractelement <2 x i32> %twoback, i32 1
  %floats = bitcast <6 x i32> %v to <6 x float>
  %pairs = bitcast <6 x float> %floats to <3 x double>
  %triple = bitcast <3 x double> %pairs to <6 x i32>

  ; A shuffle with gaps; the gaps are filled.
  %wide = shufflevector <6 x i32> %triple, <6 x i32> undef, <8 x i32> <i32 5, i32 4, i32 undef, i32 3, i32 2, i32 undef, i32 1, i32 0>
  %wide2 = insertelement <8 x i32> %wide, i32 77, i32 2
  %wide5 = insertelement <8 x i32> %wide2, i32 %id, i32 5
  %wideagain = insertelement <8 x i32> %wide2, i32 99, i32 5
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %a = phi <8 x i32> [ %wide5, %entry ], [ %b, %loop ]
  %b = phi <8 x i32> [ zeroinitializer, %entry ], [ %next, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %sum1, %loop ]
  %slot = and i32 %i, 7
  %picked = extractelement <8 x i32> %a, i32 %slot
  %known = extractelement <8 x i32> <i32 3, i32 1, i32 4, i32 1, i32 5, i32 9, i32 2, i32 6>, i32 %slot
  %three = urem i32 %i, 3
  %small = extractelement <3 x i32> <i32 100, i32 200, i32 300>, i32 %three
  %m0 = mul i32 %picked, %known
  %m1 = add i32 %m0, %small
  %sum1 = add i32 %sum, %m1
  %step = add <8 x i32> %a, %b
  %next = insertelement <8 x i32> %step, i32 %i, i32 %slot
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 11
  br i1 %more, label %loop, label %done

done:
  ; A scalar condition for whole vectors.
  %bit = and i32 %id, 1
  %odd = icmp ne i32 %bit, 0
  %chosen = select i1 %odd, <8 x i32> %a, <8 x i32> %wideagain
  %all = call i32 @dx.op.vectorReduce.v8i32(i32 309, <8 x i32> %chosen)
  %any = call i32 @dx.op.vectorReduce.v8i32(i32 310, <8 x i32> %chosen)

  ; In a structure.
  %five = shufflevector <8 x i32> %chosen, <8 x i32> %b, <5 x i32> <i32 0, i32 9, i32 2, i32 11, i32 4>
  %p0 = insertvalue %pair undef, i32 %sum, 0
  %p1 = insertvalue %pair %p0, <5 x i32> %five, 1
  store %pair %p1, %pair* %local
  %q = load %pair, %pair* %local
  %q0 = extractvalue %pair %q, 0
  %q1 = extractvalue %pair %q, 1
  %where = getelementptr %pair, %pair* %local, i32 0, i32 1
  store <5 x i32> %q1, <5 x i32>* %where
  %element = urem i32 %id, 5
  %there = getelementptr %pair, %pair* %local, i32 0, i32 1, i32 %element
  store i32 5, i32* %there
  %q2 = load <5 x i32>, <5 x i32>* %where
  %row = getelementptr [2 x <3 x i32>], [2 x <3 x i32>]* @table, i32 0, i32 %bit
  %constant = load <3 x i32>, <3 x i32>* %row
  %c0 = extractelement <3 x i32> %constant, i32 %three

  %out = mul i32 %id, 96
  %out0 = add i32 %out, 768
  call void @dx.op.rawBufferVectorStore.v6i32(i32 304, %dx.types.Handle %buf, i32 %out0, i32 undef, <6 x i32> %words, i32 4)
  %out1 = add i32 %out0, 24
  %d0 = insertelement <9 x i32> undef, i32 %oneback, i32 0
  %d1 = insertelement <9 x i32> %d0, i32 %t0, i32 1
  %d2 = insertelement <9 x i32> %d1, i32 %t1, i32 2
  %d3 = insertelement <9 x i32> %d2, i32 %mapped32, i32 3
  %d4 = insertelement <9 x i32> %d3, i32 %sum1, i32 4
  %d5 = insertelement <9 x i32> %d4, i32 %all, i32 5
  %d6 = insertelement <9 x i32> %d5, i32 %any, i32 6
  %d7 = insertelement <9 x i32> %d6, i32 %q0, i32 7
  %d8 = insertelement <9 x i32> %d7, i32 %c0, i32 8
  call void @dx.op.rawBufferVectorStore.v9i32(i32 304, %dx.types.Handle %buf, i32 %out1, i32 undef, <9 x i32> %d8, i32 4)
  %out2 = add i32 %out0, 60
  call void @dx.op.rawBufferVectorStore.v5i32(i32 304, %dx.types.Handle %buf, i32 %out2, i32 undef, <5 x i32> %q2, i32 4)
  ret void
}

declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1)
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties)
declare %dx.types.ResRet.v6i32 @dx.op.rawBufferVectorLoad.v6i32(i32, %dx.types.Handle, i32, i32, i32)
declare %dx.types.ResRet.v1i32 @dx.op.rawBufferVectorLoad.v1i32(i32, %dx.types.Handle, i32, i32, i32)
declare i1 @dx.op.checkAccessFullyMapped.i32(i32, i32)
declare i32 @dx.op.vectorReduce.v8i32(i32, <8 x i32>)
declare void @dx.op.rawBufferVectorStore.v6i32(i32, %dx.types.Handle, i32, i32, <6 x i32>, i32)
declare void @dx.op.rawBufferVectorStore.v9i32(i32, %dx.types.Handle, i32, i32, <9 x i32>, i32)
declare void @dx.op.rawBufferVectorStore.v5i32(i32, %dx.types.Handle, i32, i32, <5 x i32>, i32)

!dx.version = !{!0}
!dx.valver = !{!1}
!dx.shaderModel = !{!2}
!dx.resources = !{!3}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 7}
!1 = !{i32 1, i32 7}
!2 = !{!"cs", i32 6, i32 7}
!3 = !{null, !4, null, null}
!4 = !{!5}
!5 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !3, !7}
!7 = !{i32 0, i64 1048592, i32 4, !8}
!8 = !{i32 32, i32 1, i32 1}
