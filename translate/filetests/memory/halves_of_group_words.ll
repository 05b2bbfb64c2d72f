; error: memory of wider elements as an array of narrower ones
; Compilers disagree about where the narrower elements lie, so they are refused.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"
%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }
@gs = internal unnamed_addr addrspace(3) global [8 x i32] undef, align 4

define void @main() {
entry:
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %obase = mul i32 %id, 128
  %ibase = mul i32 %id, 32

  %ii1 = add i32 %ibase, 0
  %ir1 = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %ii1, i32 undef)
  %a = extractvalue %dx.types.ResRet.i32 %ir1, 0
  %p = getelementptr [8 x i32], [8 x i32] addrspace(3)* @gs, i32 0, i32 %id
  store i32 305419896, i32 addrspace(3)* %p
  %h16 = bitcast [8 x i32] addrspace(3)* @gs to [16 x i16] addrspace(3)*
  %k = shl i32 %id, 1
  %k1 = add i32 %k, %a
  %hp = getelementptr [16 x i16], [16 x i16] addrspace(3)* %h16, i32 0, i32 %k1
  %lh = load i16, i16 addrspace(3)* %hp
  %lhz = zext i16 %lh to i32
  %oo2 = add i32 %obase, 0
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %oo2, i32 undef, i32 %lhz, i32 undef, i32 undef, i32 undef, i8 1)
  store i16 -21846, i16 addrspace(3)* %hp
  %l9 = load i32, i32 addrspace(3)* %p
  %oo3 = add i32 %obase, 4
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %oo3, i32 undef, i32 %l9, i32 undef, i32 undef, i32 undef, i8 1)
  %f = bitcast [8 x i32] addrspace(3)* @gs to [8 x float] addrspace(3)*
  %fp = getelementptr [8 x float], [8 x float] addrspace(3)* %f, i32 0, i32 %id
  store float 3.0, float addrspace(3)* %fp
  %l10 = load i32, i32 addrspace(3)* %p
  %oo4 = add i32 %obase, 8
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %oo4, i32 undef, i32 %l10, i32 undef, i32 undef, i32 undef, i8 1)
  ret void
}
declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1) #1
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32) #0
declare void @dx.op.barrier(i32, i32) #2
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8) #3
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32) #1
attributes #0 = { nounwind readnone }
attributes #1 = { nounwind readonly }
attributes #2 = { noduplicate nounwind }
attributes #3 = { nounwind }
!dx.version = !{!1}
!dx.valver = !{!2}
!dx.shaderModel = !{!3}
!dx.resources = !{!4}
!dx.entryPoints = !{!8}
!1 = !{i32 1, i32 0}
!2 = !{i32 1, i32 6}
!3 = !{!"cs", i32 6, i32 0}
!4 = !{null, !5, null, null}
!5 = !{!6, !7}
!6 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!7 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!8 = !{void ()* @main, !"main", null, !4, !9}
!9 = !{i32 0, i64 16, i32 4, !10}
!10 = !{i32 4, i32 1, i32 1}
