; sm_6_10: matrices of all scopes, every operation once or more
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.LinAlgMatrixC9M4N4U0S0 = type { i8* }
%dx.types.LinAlgMatrixC9M4N4U2S0 = type { i8* }
%dx.types.LinAlgMatrixC9M4N4U0S1 = type { i8* }
%dx.types.LinAlgMatrixC9M4N4U1S1 = type { i8* }
%dx.types.LinAlgMatrixC9M4N4U2S1 = type { i8* }
%dx.types.LinAlgMatrixC9M4N4U0S2 = type { i8* }
%dx.types.LinAlgMatrixC9M4N4U1S2 = type { i8* }
%dx.types.LinAlgMatrixC9M4N4U2S2 = type { i8* }
%dx.types.LinAlgMatrixC8M4N4U1S1 = type { i8* }
%struct.ByteAddressBuffer = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }

@tile = internal addrspace(3) global [16 x float] undef, align 4

define void @main() {
  %v1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind zeroinitializer, i32 0, i1 false)
  %v2 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %v1, %dx.types.ResourceProperties { i32 11, i32 0 })
  %v3 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %v4 = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %v3, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %v5 = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %tf = uitofp i32 %v5 to float
  %v0a = insertelement <4 x float> undef, float %tf, i32 0
  %v0b = insertelement <4 x float> %v0a, float 1.000000e+00, i32 1
  %v0c = insertelement <4 x float> %v0b, float 2.000000e+00, i32 2
  %vec = insertelement <4 x float> %v0c, float -1.000000e+00, i32 3
  %at = mul i32 %v5, 16
  %v6 = call %dx.types.LinAlgMatrixC9M4N4U0S0 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U0S0(i32 -2147483634, %dx.types.Handle %v2, i32 0, i32 16, i32 0, i32 128)
  %v7 = call <4 x float> @dx.op.linAlgMatVecMul.v4f32.mC9M4N4U0S0.v4f32(i32 -2147483623, %dx.types.LinAlgMatrixC9M4N4U0S0 %v6, i1 true, <4 x float> %vec, i32 9)
  %v8 = call <4 x float> @dx.op.linAlgMatVecMulAdd.v4f32.mC9M4N4U0S0.v4f32.v4f32(i32 -2147483622, %dx.types.LinAlgMatrixC9M4N4U0S0 %v6, i1 true, <4 x float> %vec, i32 9, <4 x float> %v7)
  call void @dx.op.rawBufferVectorStore.v4f32(i32 304, %dx.types.Handle %v4, i32 %at, i32 undef, <4 x float> %v8, i32 4)
  %v9 = call %dx.types.LinAlgMatrixC9M4N4U2S0 @dx.op.linAlgMatrixOuterProduct.mC9M4N4U2S0.v4f32.v4f32(i32 -2147483619, <4 x float> %vec, <4 x float> %v7)
  call void @dx.op.linAlgMatrixAccumulateToDescriptor.mC9M4N4U2S0(i32 -2147483621, %dx.types.LinAlgMatrixC9M4N4U2S0 %v9, %dx.types.Handle %v4, i32 1024, i32 0, i32 4, i32 128)
  call void @dx.op.linAlgVectorAccumulateToDescriptor.v4f32(i32 -2147483617, %dx.types.Handle %v4, i32 2048, i32 64, <4 x float> %v7)
  %v10 = call <1 x i32> @dx.op.linAlgConvert.v1i32.v4f32(i32 -2147483618, <4 x float> %v7, i32 9, i32 21)
  %bytes = extractelement <1 x i32> %v10, i32 0
  %at4 = mul i32 %v5, 4
  %at5 = add i32 %at4, 3072
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %v4, i32 %at5, i32 undef, i32 %bytes, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  %v11 = call %dx.types.LinAlgMatrixC9M4N4U0S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U0S1(i32 -2147483634, %dx.types.Handle %v2, i32 64, i32 16, i32 0, i32 128)
  %v12 = call %dx.types.LinAlgMatrixC9M4N4U1S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U1S1(i32 -2147483634, %dx.types.Handle %v2, i32 128, i32 16, i32 1, i32 128)
  %v13 = call %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixMultiply.mC9M4N4U2S1.mC9M4N4U0S1.mC9M4N4U1S1(i32 -2147483625, %dx.types.LinAlgMatrixC9M4N4U0S1 %v11, %dx.types.LinAlgMatrixC9M4N4U1S1 %v12)
  %v14 = call %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgFillMatrix.mC9M4N4U2S1.f32(i32 -2147483636, float 5.000000e-01)
  %v15 = call %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixMultiplyAccumulate.mC9M4N4U2S1.mC9M4N4U0S1.mC9M4N4U1S1.mC9M4N4U2S1(i32 -2147483637, %dx.types.LinAlgMatrixC9M4N4U0S1 %v11, %dx.types.LinAlgMatrixC9M4N4U1S1 %v12, %dx.types.LinAlgMatrixC9M4N4U2S1 %v14)
  %v16 = call %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixAccumulate.mC9M4N4U2S1.mC9M4N4U2S1.mC9M4N4U0S1(i32 -2147483624, %dx.types.LinAlgMatrixC9M4N4U2S1 %v15, %dx.types.LinAlgMatrixC9M4N4U0S1 %v11)
  %v17 = call i32 @dx.op.linAlgMatrixLength.mC9M4N4U2S1(i32 -2147483632, %dx.types.LinAlgMatrixC9M4N4U2S1 %v16)
  %v18 = call <2 x i32> @dx.op.linAlgMatrixGetCoordinate.mC9M4N4U2S1(i32 -2147483631, %dx.types.LinAlgMatrixC9M4N4U2S1 %v16, i32 0)
  %v19 = call float @dx.op.linAlgMatrixGetElement.f32.mC9M4N4U2S1(i32 -2147483630, %dx.types.LinAlgMatrixC9M4N4U2S1 %v16, i32 0)
  %row = extractelement <2 x i32> %v18, i32 0
  %col = extractelement <2 x i32> %v18, i32 1
  %rowf = uitofp i32 %row to float
  %hundred = fmul float %rowf, 1.000000e+02
  %colf = uitofp i32 %col to float
  %place = fadd float %hundred, %colf
  %lenf = uitofp i32 %v17 to float
  %lt = fmul float %lenf, 1.000000e+04
  %add = fadd float %place, %lt
  %new = fadd float %v19, %add
  %v20 = call %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixSetElement.mC9M4N4U2S1.mC9M4N4U2S1.f32(i32 -2147483629, %dx.types.LinAlgMatrixC9M4N4U2S1 %v16, i32 0, float %new)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M4N4U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M4N4U2S1 %v20, %dx.types.Handle %v4, i32 4096, i32 16, i32 0, i32 128)
  call void @dx.op.linAlgMatrixStoreToMemory.mC9M4N4U2S1.f32(i32 -2147483627, %dx.types.LinAlgMatrixC9M4N4U2S1 %v13, float addrspace(3)* getelementptr inbounds ([16 x float], [16 x float] addrspace(3)* @tile, i32 0, i32 0), i32 0, i32 4, i32 0)
  call void @dx.op.barrier(i32 80, i32 9)
  %v21 = call %dx.types.LinAlgMatrixC9M4N4U0S1 @dx.op.linAlgMatrixLoadFromMemory.mC9M4N4U0S1.f32(i32 -2147483633, float addrspace(3)* getelementptr inbounds ([16 x float], [16 x float] addrspace(3)* @tile, i32 0, i32 0), i32 0, i32 4, i32 1)
  %v22 = call %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgCopyConvertMatrix.mC9M4N4U2S1.mC9M4N4U0S1(i32 -2147483635, %dx.types.LinAlgMatrixC9M4N4U0S1 %v21, i1 true)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M4N4U2S1(i32 -2147483628, %dx.types.LinAlgMatrixC9M4N4U2S1 %v22, %dx.types.Handle %v4, i32 4352, i32 16, i32 0, i32 128)
  call void @dx.op.barrier(i32 80, i32 9)
  call void @dx.op.linAlgMatrixAccumulateToMemory.mC9M4N4U2S1.f32(i32 -2147483620, %dx.types.LinAlgMatrixC9M4N4U2S1 %v22, float addrspace(3)* getelementptr inbounds ([16 x float], [16 x float] addrspace(3)* @tile, i32 0, i32 0), i32 9, i32 0, i32 4, i32 0)
  call void @dx.op.barrier(i32 80, i32 9)
  %cell = getelementptr [16 x float], [16 x float] addrspace(3)* @tile, i32 0, i32 %v5
  %sum = load float, float addrspace(3)* %cell
  %at6 = add i32 %at4, 4608
  call void @dx.op.rawBufferStore.f32(i32 140, %dx.types.Handle %v4, i32 %at6, i32 undef, float %sum, float undef, float undef, float undef, i8 1, i32 4)
  %v23 = call %dx.types.LinAlgMatrixC9M4N4U0S2 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U0S2(i32 -2147483634, %dx.types.Handle %v2, i32 64, i32 16, i32 0, i32 128)
  %v24 = call %dx.types.LinAlgMatrixC9M4N4U1S2 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U1S2(i32 -2147483634, %dx.types.Handle %v2, i32 128, i32 16, i32 1, i32 128)
  %v25 = call %dx.types.LinAlgMatrixC9M4N4U2S2 @dx.op.linAlgMatrixMultiply.mC9M4N4U2S2.mC9M4N4U0S2.mC9M4N4U1S2(i32 -2147483625, %dx.types.LinAlgMatrixC9M4N4U0S2 %v23, %dx.types.LinAlgMatrixC9M4N4U1S2 %v24)
  call void @dx.op.linAlgMatrixStoreToDescriptor.mC9M4N4U2S2(i32 -2147483628, %dx.types.LinAlgMatrixC9M4N4U2S2 %v25, %dx.types.Handle %v4, i32 5120, i32 16, i32 1, i32 128)
  %v26 = call i32 @dx.op.linAlgMatrixQueryAccumulatorLayout(i32 -2147483626)
  %at7 = add i32 %at4, 6144
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %v4, i32 %at7, i32 undef, i32 %v26, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  %v27 = call %dx.types.LinAlgMatrixC8M4N4U1S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC8M4N4U1S1(i32 -2147483634, %dx.types.Handle %v2, i32 192, i32 8, i32 0, i32 128)
  %v28 = call i32 @dx.op.linAlgMatrixLength.mC8M4N4U1S1(i32 -2147483632, %dx.types.LinAlgMatrixC8M4N4U1S1 %v27)
  %at8 = add i32 %at4, 6400
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %v4, i32 %at8, i32 undef, i32 %v28, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1) #1
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties) #1
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #1
declare %dx.types.LinAlgMatrixC9M4N4U0S0 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U0S0(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare <4 x float> @dx.op.linAlgMatVecMul.v4f32.mC9M4N4U0S0.v4f32(i32, %dx.types.LinAlgMatrixC9M4N4U0S0, i1, <4 x float>, i32) #0
declare <4 x float> @dx.op.linAlgMatVecMulAdd.v4f32.mC9M4N4U0S0.v4f32.v4f32(i32, %dx.types.LinAlgMatrixC9M4N4U0S0, i1, <4 x float>, i32, <4 x float>) #0
declare void @dx.op.rawBufferVectorStore.v4f32(i32, %dx.types.Handle, i32, i32, <4 x float>, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S0 @dx.op.linAlgMatrixOuterProduct.mC9M4N4U2S0.v4f32.v4f32(i32, <4 x float>, <4 x float>) #0
declare void @dx.op.linAlgMatrixAccumulateToDescriptor.mC9M4N4U2S0(i32, %dx.types.LinAlgMatrixC9M4N4U2S0, %dx.types.Handle, i32, i32, i32, i32) #0
declare void @dx.op.linAlgVectorAccumulateToDescriptor.v4f32(i32, %dx.types.Handle, i32, i32, <4 x float>) #0
declare <1 x i32> @dx.op.linAlgConvert.v1i32.v4f32(i32, <4 x float>, i32, i32) #0
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U0S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U0S1(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U1S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U1S1(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixMultiply.mC9M4N4U2S1.mC9M4N4U0S1.mC9M4N4U1S1(i32, %dx.types.LinAlgMatrixC9M4N4U0S1, %dx.types.LinAlgMatrixC9M4N4U1S1) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgFillMatrix.mC9M4N4U2S1.f32(i32, float) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixMultiplyAccumulate.mC9M4N4U2S1.mC9M4N4U0S1.mC9M4N4U1S1.mC9M4N4U2S1(i32, %dx.types.LinAlgMatrixC9M4N4U0S1, %dx.types.LinAlgMatrixC9M4N4U1S1, %dx.types.LinAlgMatrixC9M4N4U2S1) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixAccumulate.mC9M4N4U2S1.mC9M4N4U2S1.mC9M4N4U0S1(i32, %dx.types.LinAlgMatrixC9M4N4U2S1, %dx.types.LinAlgMatrixC9M4N4U0S1) #0
declare i32 @dx.op.linAlgMatrixLength.mC9M4N4U2S1(i32, %dx.types.LinAlgMatrixC9M4N4U2S1) #0
declare <2 x i32> @dx.op.linAlgMatrixGetCoordinate.mC9M4N4U2S1(i32, %dx.types.LinAlgMatrixC9M4N4U2S1, i32) #0
declare float @dx.op.linAlgMatrixGetElement.f32.mC9M4N4U2S1(i32, %dx.types.LinAlgMatrixC9M4N4U2S1, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgMatrixSetElement.mC9M4N4U2S1.mC9M4N4U2S1.f32(i32, %dx.types.LinAlgMatrixC9M4N4U2S1, i32, float) #0
declare void @dx.op.linAlgMatrixStoreToDescriptor.mC9M4N4U2S1(i32, %dx.types.LinAlgMatrixC9M4N4U2S1, %dx.types.Handle, i32, i32, i32, i32) #0
declare void @dx.op.linAlgMatrixStoreToMemory.mC9M4N4U2S1.f32(i32, %dx.types.LinAlgMatrixC9M4N4U2S1, float addrspace(3)*, i32, i32, i32) #0
declare void @dx.op.barrier(i32, i32) #2
declare %dx.types.LinAlgMatrixC9M4N4U0S1 @dx.op.linAlgMatrixLoadFromMemory.mC9M4N4U0S1.f32(i32, float addrspace(3)*, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S1 @dx.op.linAlgCopyConvertMatrix.mC9M4N4U2S1.mC9M4N4U0S1(i32, %dx.types.LinAlgMatrixC9M4N4U0S1, i1) #0
declare void @dx.op.linAlgMatrixAccumulateToMemory.mC9M4N4U2S1.f32(i32, %dx.types.LinAlgMatrixC9M4N4U2S1, float addrspace(3)*, i32, i32, i32, i32) #0
declare void @dx.op.rawBufferStore.f32(i32, %dx.types.Handle, i32, i32, float, float, float, float, i8, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U0S2 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U0S2(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U1S2 @dx.op.linAlgMatrixLoadFromDescriptor.mC9M4N4U1S2(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare %dx.types.LinAlgMatrixC9M4N4U2S2 @dx.op.linAlgMatrixMultiply.mC9M4N4U2S2.mC9M4N4U0S2.mC9M4N4U1S2(i32, %dx.types.LinAlgMatrixC9M4N4U0S2, %dx.types.LinAlgMatrixC9M4N4U1S2) #0
declare void @dx.op.linAlgMatrixStoreToDescriptor.mC9M4N4U2S2(i32, %dx.types.LinAlgMatrixC9M4N4U2S2, %dx.types.Handle, i32, i32, i32, i32) #0
declare i32 @dx.op.linAlgMatrixQueryAccumulatorLayout(i32) #0
declare %dx.types.LinAlgMatrixC8M4N4U1S1 @dx.op.linAlgMatrixLoadFromDescriptor.mC8M4N4U1S1(i32, %dx.types.Handle, i32, i32, i32, i32) #0
declare i32 @dx.op.linAlgMatrixLength.mC8M4N4U1S1(i32, %dx.types.LinAlgMatrixC8M4N4U1S1) #0

attributes #0 = { nounwind }
attributes #1 = { nounwind readnone }
attributes #2 = { noduplicate nounwind }

!dx.targetTypes = !{!20, !21, !22, !23, !24, !25, !26, !27, !28}
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
!8 = !{i32 0, i64 8589934608, i32 4, !9}
!9 = !{i32 8, i32 1, i32 1}
!20 = !{%dx.types.LinAlgMatrixC9M4N4U0S0 undef, i32 9, i32 4, i32 4, i32 0, i32 0}
!21 = !{%dx.types.LinAlgMatrixC9M4N4U2S0 undef, i32 9, i32 4, i32 4, i32 2, i32 0}
!22 = !{%dx.types.LinAlgMatrixC9M4N4U0S1 undef, i32 9, i32 4, i32 4, i32 0, i32 1}
!23 = !{%dx.types.LinAlgMatrixC9M4N4U1S1 undef, i32 9, i32 4, i32 4, i32 1, i32 1}
!24 = !{%dx.types.LinAlgMatrixC9M4N4U2S1 undef, i32 9, i32 4, i32 4, i32 2, i32 1}
!25 = !{%dx.types.LinAlgMatrixC9M4N4U0S2 undef, i32 9, i32 4, i32 4, i32 0, i32 2}
!26 = !{%dx.types.LinAlgMatrixC9M4N4U1S2 undef, i32 9, i32 4, i32 4, i32 1, i32 2}
!27 = !{%dx.types.LinAlgMatrixC9M4N4U2S2 undef, i32 9, i32 4, i32 4, i32 2, i32 2}
!28 = !{%dx.types.LinAlgMatrixC8M4N4U1S1 undef, i32 8, i32 4, i32 4, i32 1, i32 1}
