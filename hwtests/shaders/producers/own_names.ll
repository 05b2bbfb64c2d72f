; newer: bfi ubfe countBits reverseBits fabs fmax round_ni
; Operations through functions with their own names instead of their classes', as gogpu/naga before 0.17.4
; wrote them.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
entry:
  %buf = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = mul i32 %id, 16
  %loaded = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %buf, i32 %at, i32 undef)
  %v = extractvalue %dx.types.ResRet.i32 %loaded, 0
  %w = extractvalue %dx.types.ResRet.i32 %loaded, 1
  %inserted = call i32 @dx.op.bfi.i32(i32 53, i32 7, i32 9, i32 %v, i32 %w)
  %extracted = call i32 @dx.op.ubfe.i32(i32 52, i32 5, i32 3, i32 %v)
  %ones = call i32 @dx.op.countBits.i32(i32 31, i32 %v)
  %reversed = call i32 @dx.op.reverseBits.i32(i32 30, i32 %w)
  %signed = sitofp i32 %id to float
  %centred = fsub fast float %signed, 3.250000e+00
  %floor = call float @dx.op.round_ni.f32(i32 27, float %centred)
  %size = call float @dx.op.fabs.f32(i32 6, float %floor)
  %most = call float @dx.op.fmax.f32(i32 35, float %size, float 2.000000e+00)
  %whole = fptoui float %most to i32
  %high = shl i32 %ones, 16
  %pair = or i32 %whole, %high
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %buf, i32 %at, i32 undef, i32 %inserted, i32 %extracted, i32 %pair, i32 %reversed, i8 15)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare i32 @dx.op.bfi.i32(i32, i32, i32, i32, i32)
declare i32 @dx.op.ubfe.i32(i32, i32, i32, i32)
declare i32 @dx.op.countBits.i32(i32, i32)
declare i32 @dx.op.reverseBits.i32(i32, i32)
declare float @dx.op.round_ni.f32(i32, float)
declare float @dx.op.fabs.f32(i32, float)
declare float @dx.op.fmax.f32(i32, float, float)

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
!8 = !{i32 8, i32 1, i32 1}
