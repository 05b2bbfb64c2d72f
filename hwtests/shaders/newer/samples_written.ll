; Each thread writes the four samples of its texel of an RWTexture2DMS and reads those of another one.
; newer: textureStoreSample
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResBind = type { i32, i32, i32, i8 }
%dx.types.ResourceProperties = type { i32, i32 }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%"class.RWTexture2DMS<unsigned int, 4>" = type { i32, %"class.RWTexture2DMS<unsigned int, 4>::sample_type" }
%"class.RWTexture2DMS<unsigned int, 4>::sample_type" = type { i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %u0 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 0, i32 0, i32 0, i8 1 }, i32 0, i1 false)
  %image = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %u0, %dx.types.ResourceProperties { i32 20483, i32 261 })
  %u1 = call %dx.types.Handle @dx.op.createHandleFromBinding(i32 217, %dx.types.ResBind { i32 1, i32 1, i32 0, i8 1 }, i32 1, i1 false)
  %out = call %dx.types.Handle @dx.op.annotateHandle(i32 216, %dx.types.Handle %u1, %dx.types.ResourceProperties { i32 4107, i32 0 })
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %x = and i32 %id, 7
  %y = lshr i32 %id, 3
  %first = mul i32 %id, 10
  %second = add i32 %first, 1
  %third = add i32 %first, 2
  %fourth = add i32 %first, 3
  call void @dx.op.textureStoreSample.i32(i32 225, %dx.types.Handle %image, i32 %x, i32 %y, i32 undef, i32 %first, i32 %first, i32 %first, i32 %first, i8 15, i32 0)
  call void @dx.op.textureStoreSample.i32(i32 225, %dx.types.Handle %image, i32 %x, i32 %y, i32 undef, i32 %second, i32 %second, i32 %second, i32 %second, i8 15, i32 1)
  call void @dx.op.textureStoreSample.i32(i32 225, %dx.types.Handle %image, i32 %x, i32 %y, i32 undef, i32 %third, i32 %third, i32 %third, i32 %third, i8 15, i32 2)
  call void @dx.op.textureStoreSample.i32(i32 225, %dx.types.Handle %image, i32 %x, i32 %y, i32 undef, i32 %fourth, i32 %fourth, i32 %fourth, i32 %fourth, i8 15, i32 3)
  call void @dx.op.barrier(i32 80, i32 3)
  %otherx = xor i32 %x, 7
  %othery = xor i32 %y, 4
  %sample = and i32 %id, 3
  %row = call %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32 66, %dx.types.Handle %image, i32 %sample, i32 %otherx, i32 %othery, i32 undef, i32 undef, i32 undef, i32 undef)
  %value = extractvalue %dx.types.ResRet.i32 %row, 0
  %to = shl i32 %id, 2
  call void @dx.op.rawBufferStore.i32(i32 140, %dx.types.Handle %out, i32 %to, i32 undef, i32 %value, i32 undef, i32 undef, i32 undef, i8 1, i32 4)
  ret void
}

declare %dx.types.Handle @dx.op.createHandleFromBinding(i32, %dx.types.ResBind, i32, i1)
declare %dx.types.Handle @dx.op.annotateHandle(i32, %dx.types.Handle, %dx.types.ResourceProperties)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare void @dx.op.barrier(i32, i32)
declare void @dx.op.textureStoreSample.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32, i8, i32)
declare %dx.types.ResRet.i32 @dx.op.textureLoad.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i32)
declare void @dx.op.rawBufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8, i32)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 6}
!1 = !{!"cs", i32 6, i32 6}
!2 = !{null, !3, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %"class.RWTexture2DMS<unsigned int, 4>"* undef, !"samples", i32 0, i32 0, i32 1, i32 3, i1 true, i1 false, i1 false, !9}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
!9 = !{i32 0, i32 5}
