; Temporary and indexable registers, as converters from older bytecode write them: registers keep bits, those
; of 16 bits are not those of 32, and a loop goes through one.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
entry:
  %x = alloca [64 x float]
  %x0 = getelementptr [64 x float], [64 x float]* %x, i32 0, i32 0
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = shl i32 %id, 3
  %row = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %at, i32 undef)
  %a = extractvalue %dx.types.ResRet.i32 %row, 0
  %b = extractvalue %dx.types.ResRet.i32 %row, 1
  ; The float's bits come back as an integer.
  %af = sitofp i32 %a to float
  call void @dx.op.tempRegStore.f32(i32 1, i32 5, float %af)
  ; The same number is another register if it has 16 bits.
  %b16 = trunc i32 %b to i16
  call void @dx.op.tempRegStore.i16(i32 1, i32 5, i16 %b16)
  ; A sum in a register.
  call void @dx.op.tempRegStore.i32(i32 1, i32 6, i32 %a)
  call void @dx.op.tempRegStore.i32(i32 1, i32 7, i32 0)
  br label %loop
loop:
  %round = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 7)
  %sum = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 6)
  %more = add i32 %sum, %b
  call void @dx.op.tempRegStore.i32(i32 1, i32 6, i32 %more)
  %next = add i32 %round, 1
  call void @dx.op.tempRegStore.i32(i32 1, i32 7, i32 %next)
  %rounds = and i32 %id, 7
  %again = icmp ult i32 %next, %rounds
  br i1 %again, label %loop, label %rest
rest:
  %bits = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 5)
  %short = call i16 @dx.op.tempRegLoad.i16(i32 0, i32 5)
  %wide = zext i16 %short to i32
  %total = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 6)
  ; What is stored on one way only.
  call void @dx.op.tempRegStore.i32(i32 1, i32 9, i32 77)
  %mod = and i32 %id, 3
  %one = icmp eq i32 %mod, 1
  br i1 %one, label %some, label %all
some:
  call void @dx.op.tempRegStore.i32(i32 1, i32 9, i32 %b)
  br label %all
all:
  %nine = call i32 @dx.op.tempRegLoad.i32(i32 0, i32 9)
  ; Half a and the low bits of b in the indexable register id % 16.
  %reg = and i32 %id, 15
  %small = and i32 %a, 255
  %half = uitofp i32 %small to half
  call void @dx.op.minPrecXRegStore.f16(i32 3, float* %x0, i32 %reg, i8 2, half %half)
  call void @dx.op.minPrecXRegStore.i16(i32 3, float* %x0, i32 %reg, i8 1, i16 %b16)
  %halfback = call half @dx.op.minPrecXRegLoad.f16(i32 2, float* %x0, i32 %reg, i8 2)
  %halfint = fptoui half %halfback to i32
  %intback = call i16 @dx.op.minPrecXRegLoad.i16(i32 2, float* %x0, i32 %reg, i8 1)
  %intwide = zext i16 %intback to i32
  ; Plain memory agrees about where that is.
  %first = shl i32 %reg, 2
  %place = or i32 %first, 2
  %px = getelementptr [64 x float], [64 x float]* %x, i32 0, i32 %place
  %plain = load float, float* %px
  %plainint = fptoui float %plain to i32
  %to = mul i32 %id, 28
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %bits, i32 %wide, i32 %total, i32 %nine, i8 15)
  %to4 = add i32 %to, 16
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to4, i32 undef, i32 %halfint, i32 %intwide, i32 %plainint, i32 undef, i8 7)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare i32 @dx.op.tempRegLoad.i32(i32, i32)
declare i16 @dx.op.tempRegLoad.i16(i32, i32)
declare void @dx.op.tempRegStore.f32(i32, i32, float)
declare void @dx.op.tempRegStore.i32(i32, i32, i32)
declare void @dx.op.tempRegStore.i16(i32, i32, i16)
declare half @dx.op.minPrecXRegLoad.f16(i32, float*, i32, i8)
declare i16 @dx.op.minPrecXRegLoad.i16(i32, float*, i32, i8)
declare void @dx.op.minPrecXRegStore.f16(i32, float*, i32, i8, half)
declare void @dx.op.minPrecXRegStore.i16(i32, float*, i32, i8, i16)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{null, !3, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"source", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"result", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
