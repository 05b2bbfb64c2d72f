// dxc: -T lib_6_3
// Subobjects of most kinds: names that nothing else has, associations without exports, equal root
// signatures, and functions of other libraries.
float f(float x); float g(float3 x, uint k);
StateObjectConfig soc = { STATE_OBJECT_FLAGS_ALLOW_LOCAL_DEPENDENCIES_ON_EXTERNAL_DEFINITONS };
SubobjectToExportsAssociation a0 = { "elsewhere", "one;two" };
SubobjectToExportsAssociation a1 = { "elsewhere2", "" };
SubobjectToExportsAssociation a2 = { "elsewhere3", "two;one;foo" };
RaytracingShaderConfig sc = { 32, 8 };
GlobalRootSignature grs = {"CBV(b0)"};
LocalRootSignature lrs = {"CBV(b1)"};
LocalRootSignature lrs2 = {"CBV(b1)"};
TriangleHitGroup tg = {"ah","ch"};
ProceduralPrimitiveHitGroup pg = {"ah2","ch2","is"};
RWByteAddressBuffer u : register(u0);
export float foo(float x) { return f(x) + g(float3(x,x,1), 3) ; }
export float bar(float x) { u.Store(0, asuint(x)); return g(float3(x,x,1), 4); }
