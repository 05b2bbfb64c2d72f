; newer: rawBufferVectorLoad rawBufferVectorStore
; Vectors of 48 elements through group-shared memory and a local array of them.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.v48i32 = type { <48 x i32>, i32 }
%struct.RWByteAddressBuffer = type { i32 }

@keep = internal addrspace(3) global [32 x <48 x i32>] undef

define void @main() {
  %local = alloca [2 x <48 x i32>]
  %buf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 192
  %loaded = call %dx.types.ResRet.v48i32 @dx.op.rawBufferVectorLoad.v48i32(i32 303, %dx.types.Handle %buf, i32 %at, i32 undef, i32 4)
  %v = extractvalue %dx.types.ResRet.v48i32 %loaded, 0
  %mine = getelementptr [32 x <48 x i32>], [32 x <48 x i32>] addrspace(3)* @keep, i32 0, i32 %id
  store <48 x i32> %v, <48 x i32> addrspace(3)* %mine
  call void @dx.op.barrier(i32 80, i32 9)
  %turned = sub i32 31, %id
  %theirs = getelementptr [32 x <48 x i32>], [32 x <48 x i32>] addrspace(3)* @keep, i32 0, i32 %turned
  %w = load <48 x i32>, <48 x i32> addrspace(3)* %theirs
  %sum = add <48 x i32> %v, %w
  %first = getelementptr [2 x <48 x i32>], [2 x <48 x i32>]* %local, i32 0, i32 0
  %second = getelementptr [2 x <48 x i32>], [2 x <48 x i32>]* %local, i32 0, i32 1
  store <48 x i32> %sum, <48 x i32>* %first
  store <48 x i32> %v, <48 x i32>* %second
  %bit = and i32 %id, 1
  %one = getelementptr [2 x <48 x i32>], [2 x <48 x i32>]* %local, i32 0, i32 %bit
  %chosen = load <48 x i32>, <48 x i32>* %one
  %scaled = mul i32 %id, 37
  %index = urem i32 %scaled, 48
  %picked = extractelement <48 x i32> %w, i32 %index
  %start = insertelement <48 x i32> undef, i32 %picked, i32 0
  %all = shufflevector <48 x i32> %start, <48 x i32> undef, <48 x i32> zeroinitializer
  %mixed = xor <48 x i32> %chosen, %all
  %out = add i32 %at, 6144
  call void @dx.op.rawBufferVectorStore.v48i32(i32 304, %dx.types.Handle %buf, i32 %out, i32 undef, <48 x i32> %mixed, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare void @dx.op.barrier(i32, i32)
declare %dx.types.ResRet.v48i32 @dx.op.rawBufferVectorLoad.v48i32(i32, %dx.types.Handle, i32, i32, i32)
declare void @dx.op.rawBufferVectorStore.v48i32(i32, %dx.types.Handle, i32, i32, <48 x i32>, i32)

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
