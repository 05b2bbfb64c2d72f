; Checks for overflow as LLVM's optimizer writes them.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%dx.types.Handle = type { i8* }
%dx.types.ResRet.i32 = type { i32, i32, i32, i32, i32 }
%struct.RWByteAddressBuffer = type { i32 }

define void @main() {
  %in = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 0, i32 0, i1 false)
  %out = call %dx.types.Handle @dx.op.createHandle(i32 57, i8 1, i32 1, i32 1, i1 false)
  %id = call i32 @dx.op.flattenedThreadIdInGroup.i32(i32 96)
  %at = shl i32 %id, 3
  %loaded = call %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32 68, %dx.types.Handle %in, i32 %at, i32 undef)
  %a = extractvalue %dx.types.ResRet.i32 %loaded, 0
  %b = extractvalue %dx.types.ResRet.i32 %loaded, 1
  %add = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %a, i32 %b)
  %sub = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
  %mul = call { i32, i1 } @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %sum = extractvalue { i32, i1 } %add, 0
  %difference = extractvalue { i32, i1 } %sub, 0
  %product = extractvalue { i32, i1 } %mul, 0
  %o0 = extractvalue { i32, i1 } %add, 1
  %o1 = extractvalue { i32, i1 } %sub, 1
  %o2 = extractvalue { i32, i1 } %mul, 1
  %f0 = zext i1 %o0 to i32
  %f1 = select i1 %o1, i32 2, i32 0
  %f2 = select i1 %o2, i32 4, i32 0
  %f01 = or i32 %f0, %f1
  %flags = or i32 %f01, %f2
  %to = shl i32 %id, 4
  call void @dx.op.bufferStore.i32(i32 69, %dx.types.Handle %out, i32 %to, i32 undef, i32 %sum, i32 %difference, i32 %product, i32 %flags, i8 15)
  ret void
}

declare %dx.types.Handle @dx.op.createHandle(i32, i8, i32, i32, i1)
declare i32 @dx.op.flattenedThreadIdInGroup.i32(i32)
declare %dx.types.ResRet.i32 @dx.op.bufferLoad.i32(i32, %dx.types.Handle, i32, i32)
declare void @dx.op.bufferStore.i32(i32, %dx.types.Handle, i32, i32, i32, i32, i32, i32, i8)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.usub.with.overflow.i32(i32, i32)
declare { i32, i1 } @llvm.umul.with.overflow.i32(i32, i32)

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.resources = !{!2}
!dx.entryPoints = !{!6}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{null, !3, null, null}
!3 = !{!4, !5}
!4 = !{i32 0, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 0, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!5 = !{i32 1, %struct.RWByteAddressBuffer* undef, !"", i32 0, i32 1, i32 1, i32 11, i1 false, i1 false, i1 false, null}
!6 = !{void ()* @main, !"main", null, !2, !7}
!7 = !{i32 0, i64 16, i32 4, !8}
!8 = !{i32 64, i32 1, i32 1}
