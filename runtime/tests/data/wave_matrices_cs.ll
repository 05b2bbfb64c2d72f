; sm_6_10: matrices of waves, 16 by 16, of halves and floats
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%dx.types.LinAlgMatrixC8M16N16U0S1 = type { i8* }
%dx.types.LinAlgMatrixC8M16N16U1S1 = type { i8* }
%dx.types.LinAlgMatrixC8M16N16U2S1 = type { i8* }
%dx.types.LinAlgMatrixC9M16N16U2S1 = type { i8* }
%struct.ByteAddressBuffer = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }

@tile = internal addrspace(3) global [256 x float] undef, align 4

define void @main() {
entry:
  %h1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind zeroinitializer, i32 0, i1 false)
  %in = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %h1, %dx.types.ResourceProperties { i32 11, i32 0 })
  %h2 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %h2, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %m0 = call %dx.types.LinAlgMatrixC8M16N16U0S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC8M16N16U0S1(i32 -2147483634, %dx.types.Handle %in, i32 0, i32 32, i32 0, i32 128)
  %m1 = call %dx.types.LinAlgMatrixC8M16N16U1S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC8M16N16U1S1(i32 -2147483634, %dx.types.Handle %in, i32 512, i32 32, i32 0, i32 128)
  %m2 = call %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M16N16U2S1(i32 -2147483634, %dx.types.Handle %in, i32 1024, i32 64, i32 0, i32 128)
  %count = call %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32 139, %dx.types.Handle %in, i32 2048, i32 undef, i8 1, i32 4)
  %times = extractvalue %dx.types.ResRet.i32 %count, 0
  br label %loop

loop:
  %acc = phi %dx.types.LinAlgMatrixC9M16N16U2S1 [ %m2, %entry ], [ %next, %loop ]
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %next = call %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixMultiplyAccumulate.mC9M16N16U2S1.mC8M16N16U0S1.mC8M16N16U1S1.mC9M16N16U2S1(i32 -2147483637, %dx.types.LinAlgMatrixC8M16N16U0S1 %m0, %dx.types.LinAlgMatrixC8M16N16U1S1 %m1, %dx.types.LinAlgMatrixC9M16N16U2S1 %acc)
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, %times
  br i1 %more, label %loop, label %done

done:
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M16N16U2S1 %next, %dx.types.Handle %out, i32 0, i32 64, i32 0, i32 128)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M16N16U2S1 %next, %dx.types.Handle %out, i32 1024, i32 64, i32 1, i32 128)
  %m4 = call %dx.types.LinAlgMatrixC8M16N16U2S1 @dx.op.linAlgCopyConvertMatrix.mC8M16N16U2S1.mC9M16N16U2S1(i32 -2147483635, %dx.types.LinAlgMatrixC9M16N16U2S1 %next, i1 false)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC8M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC8M16N16U2S1 %m4, %dx.types.Handle %out, i32 2048, i32 32, i32 0, i32 128)
  %m5 = call %dx.types.LinAlgMatrixC8M16N16U2S1 @dx.op.linAlgCopyConvertMatrix.mC8M16N16U2S1.mC8M16N16U0S1(i32 -2147483635, %dx.types.LinAlgMatrixC8M16N16U0S1 %m0, i1 true)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC8M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC8M16N16U2S1 %m5, %dx.types.Handle %out, i32 2560, i32 32, i32 0, i32 128)
  %m6 = call %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgFillMatrix.mC9M16N16U2S1.f32(i32 -2147483636, float 2.500000e+00)
  %m7 = call %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixAccumulate.mC9M16N16U2S1.mC9M16N16U2S1.mC8M16N16U0S1(i32 -2147483624, %dx.types.LinAlgMatrixC9M16N16U2S1 %m6, %dx.types.LinAlgMatrixC8M16N16U0S1 %m0)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M16N16U2S1 %m7, %dx.types.Handle %out, i32 3072, i32 64, i32 0, i32 128)
  %m8 = call %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixMultiply.mC9M16N16U2S1.mC8M16N16U0S1.mC8M16N16U1S1(i32 -2147483625, %dx.types.LinAlgMatrixC8M16N16U0S1 %m0, %dx.types.LinAlgMatrixC8M16N16U1S1 %m1)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M16N16U2S1 %m8, %dx.types.Handle %out, i32 6144, i32 64, i32 0, i32 128)
  call void @dx.op.linAlgMatrixStoreToMemory.mC9M16N16U2S1.f32(i32 -2147483627, %dx.types.LinAlgMatrixC9M16N16U2S1 %m8, float addrspace(3)* getelementptr inbounds ([256 x float], [256 x float] addrspace(3)* @tile, i32 0, i32 0), i32 0, i32 16, i32 0)
  call void @dx.op.barrier(i32 80, i32 9)
  %m9 = call %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixLoadFromMemory.mC9M16N16U2S1.f32(i32 -2147483633, float addrspace(3)* getelementptr inbounds ([256 x float], [256 x float] addrspace(3)* @tile, i32 0, i32 0), i32 0, i32 16, i32 1)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M16N16U2S1 %m9, %dx.types.Handle %out, i32 5120, i32 64, i32 0, i32 128)
  %length = call i32 @dx.op.linAlgMatrixLength.mC9M16N16U2S1(i32 -2147483632, %dx.types.LinAlgMatrixC9M16N16U2S1 %m8)
  %layout = call i32 @dx.op.linAlgMatrixQueryAccumulatorLayout(i32 -2147483626)
  %lengths = call i32 @dx.op.waveActiveOp.i32(i32 119, i32 %length, i8 0, i8 0)
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 7168, i32 undef, i32 %lengths, i32 %layout, i32 undef, i32 undef, i8 3, i32 4)
  br label %each

each:
  %changed = phi %dx.types.LinAlgMatrixC9M16N16U2S1 [ %m8, %done ], [ %other, %each ]
  %k = phi i32 [ 0, %done ], [ %k1, %each ]
  %place = call <2 x i32> @dx.op.linAlgMatrixGetCoordinate.mC9M16N16U2S1(i32 -2147483631, %dx.types.LinAlgMatrixC9M16N16U2S1 %changed, i32 %k)
  %old = call float @dx.op.linAlgMatrixGetElement.f32.mC9M16N16U2S1(i32 -2147483630, %dx.types.LinAlgMatrixC9M16N16U2S1 %changed, i32 %k)
  %row = extractelement <2 x i32> %place, i32 0
  %column = extractelement <2 x i32> %place, i32 1
  %hundred = mul i32 %row, 100
  %sum = add i32 %hundred, %column
  %added = uitofp i32 %sum to float
  %new = fadd float %old, %added
  %other = call %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixSetElement.mC9M16N16U2S1.mC9M16N16U2S1.f32(i32 -2147483629, %dx.types.LinAlgMatrixC9M16N16U2S1 %changed, i32 %k, float %new)
  %k1 = add i32 %k, 1
  %again = icmp ult i32 %k1, %length
  br i1 %again, label %each, label %end

end:
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M16N16U2S1 %other, %dx.types.Handle %out, i32 4096, i32 64, i32 0, i32 128)
  %none = call float @dx.op.linAlgMatrixGetElement.f32.mC9M16N16U2S1(i32 -2147483630, %dx.types.LinAlgMatrixC9M16N16U2S1 %m8, i32 %length)
  %nowhere = call <2 x i32> @dx.op.linAlgMatrixGetCoordinate.mC9M16N16U2S1(i32 -2147483631, %dx.types.LinAlgMatrixC9M16N16U2S1 %m8, i32 %length)
  %nowhere0 = extractelement <2 x i32> %nowhere, i32 0
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 7176, i32 undef, i32 %nowhere0, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  call void @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle %out, i32 7180, i32 undef, float %none, float undef, float undef, float undef, i8 1, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1) #1
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #1
declare %dx.types.ResRet.i32 @dx.op.rawBufferLoad.i32(i32, %dx.types.Handle, i32, i32, i8, i32) #3
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32) #0
declare void @dx.op.rawBufferStore.f32(i32, %dx.types.Handle, i32, i32, float, float, float, float, i8, i32) #0
declare i32 @dx.op.waveActiveOp.i32(i32, i32, i8, i8) #0
declare void @dx.op.barrier(i32, i32) #2
declare %dx.types.LinAlgMatrixC8M16N16U0S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC8M16N16U0S1(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC8M16N16U1S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC8M16N16U1S1(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M16N16U2S1(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixMultiplyAccumulate.mC9M16N16U2S1.mC8M16N16U0S1.mC8M16N16U1S1.mC9M16N16U2S1(i32, %dx.types.LinAlgMatrixC8M16N16U0S1, %dx.types.LinAlgMatrixC8M16N16U1S1, %dx.types.LinAlgMatrixC9M16N16U2S1) #0
declare void @dx.op.linAlgMatrixStoreToDescriptor.mC9M16N16U2S1(i32, %dx.types.LinAlgMatrixC9M16N16U2S1, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC8M16N16U2S1 @dx.op.linAlgCopyConvertMatrix.mC8M16N16U2S1.mC9M16N16U2S1(i32, %dx.types.LinAlgMatrixC9M16N16U2S1, i1) #0
declare void @dx.op.linAlgMatrixStoreToDescriptor.mC8M16N16U2S1(i32, %dx.types.LinAlgMatrixC8M16N16U2S1, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC8M16N16U2S1 @dx.op.linAlgCopyConvertMatrix.mC8M16N16U2S1.mC8M16N16U0S1(i32, %dx.types.LinAlgMatrixC8M16N16U0S1, i1) #0
declare %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgFillMatrix.mC9M16N16U2S1.f32(i32, float) #0
declare %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixAccumulate.mC9M16N16U2S1.mC9M16N16U2S1.mC8M16N16U0S1(i32, %dx.types.LinAlgMatrixC9M16N16U2S1, %dx.types.LinAlgMatrixC8M16N16U0S1) #0
declare %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixMultiply.mC9M16N16U2S1.mC8M16N16U0S1.mC8M16N16U1S1(i32, %dx.types.LinAlgMatrixC8M16N16U0S1, %dx.types.LinAlgMatrixC8M16N16U1S1) #0
declare void @dx.op.linAlgMatrixStoreToMemory.mC9M16N16U2S1.f32(i32, %dx.types.LinAlgMatrixC9M16N16U2S1, float addrspace(3)*, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixLoadFromMemory.mC9M16N16U2S1.f32(i32, float addrspace(3)*, i32, i32, i32) #0
declare i32 @dx.op.linAlgMatrixLength.mC9M16N16U2S1(i32, %dx.types.LinAlgMatrixC9M16N16U2S1) #0
declare i32 @dx.op.linAlgMatrixQueryAccumulatorLayout(i32) #0
declare <2 x i32> @dx.op.linAlgMatrixGetCoordinate.mC9M16N16U2S1(i32, %dx.types.LinAlgMatrixC9M16N16U2S1, i32) #0
declare float @dx.op.linAlgMatrixGetElement.f32.mC9M16N16U2S1(i32, %dx.types.LinAlgMatrixC9M16N16U2S1, i32) #0
declare %dx.types.LinAlgMatrixC9M16N16U2S1 @dx.op.linAlgMatrixSetElement.mC9M16N16U2S1.mC9M16N16U2S1.f32(i32, %dx.types.LinAlgMatrixC9M16N16U2S1, i32, float) #0

attributes #0 = { nounwind }
attributes #1 = { nounwind readnone }
attributes #2 = { noduplicate nounwind }
attributes #3 = { nounwind readonly }

!dx.targetTypes = !{!20, !21, !22, !23}
!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!7}

!0 = !{i32 1, i32 10}
!1 = !{!"cs", i32 6, i32 10}
!2 = !{!3, !5, null, null}
!3 = !{!4}
!4 = !{i32 0, %struct.ByteAddressBuffer* undef, !"src", i32 0, i32 0, i32 1, i32 11, i32 0, null}
!5 = !{!6}
!6 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"dst", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!7 = !{void ()* @main, !"main", null, !2, !8}
!8 = !{i32 0, i64 8590458896, i32 4, !9}
!9 = !{i32 32, i32 1, i32 1}
!20 = !{%dx.types.LinAlgMatrixC8M16N16U0S1 undef, i32 8, i32 16, i32 16, i32 0, i32 1}
!21 = !{%dx.types.LinAlgMatrixC8M16N16U1S1 undef, i32 8, i32 16, i32 16, i32 1, i32 1}
!22 = !{%dx.types.LinAlgMatrixC8M16N16U2S1 undef, i32 8, i32 16, i32 16, i32 2, i32 1}
!23 = !{%dx.types.LinAlgMatrixC9M16N16U2S1 undef, i32 9, i32 16, i32 16, i32 2, i32 1}
