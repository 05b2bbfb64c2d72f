; error: too complex: more than 1,048,576 words and 8 for each byte of the shader's code
; A copy of memory that is looked at as another type goes scalar by scalar: here of 16,777,216.
target datalayout = "e-m:e-p:32:32-i1:32-i8:32-i16:32-i32:32-i64:64-f16:32-f32:32-f64:64-n8:16:32:64"
target triple = "dxil-ms-dx"

%block = type [256 x [256 x [256 x i32]]]
%same = type [256 x [256 x [256 x float]]]

@tile = internal addrspace(3) global [2 x %block] undef

define void @main() {
  %p = getelementptr [2 x %block], [2 x %block] addrspace(3)* @tile, i32 0, i32 0
  %q = getelementptr [2 x %block], [2 x %block] addrspace(3)* @tile, i32 0, i32 1
  %from = bitcast %block addrspace(3)* %p to %same addrspace(3)*
  %to = bitcast %block addrspace(3)* %q to %same addrspace(3)*
  %v = load %same, %same addrspace(3)* %from
  store %same %v, %same addrspace(3)* %to
  ret void
}

!dx.version = !{!0}
!dx.valver = !{!0}
!dx.shaderModel = !{!1}
!dx.entryPoints = !{!2}

!0 = !{i32 1, i32 0}
!1 = !{!"cs", i32 6, i32 0}
!2 = !{void ()* @main, !"main", null, null, !3}
!3 = !{i32 4, !4}
!4 = !{i32 1, i32 1, i32 1}
