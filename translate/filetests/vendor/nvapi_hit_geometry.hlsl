// dxc: -T lib_6_5
// What the ray of a hit shader met: built-ins, and the kind of hit.
//! entry = hit
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpCapability RayTracingPositionFetchKHR
// check: OpCapability RayTracingSpheresGeometryNV
// check: OpCapability RayTracingLinearSweptSpheresGeometryNV
// check: OpExtension "SPV_KHR_ray_tracing_position_fetch"
// check: OpExtension "SPV_NV_linear_swept_spheres"
// check: OpDecorate $triangle BuiltIn HitTriangleVertexPositionsKHR
// check: OpDecorate $is_sphere BuiltIn HitIsSphereNV
// check: OpDecorate $sphere BuiltIn HitSpherePositionNV
// check: OpDecorate $radius BuiltIn HitSphereRadiusNV
// check: OpDecorate $is_lss BuiltIn HitIsLSSNV
// check: OpDecorate $ends BuiltIn HitLSSPositionsNV
// check: OpDecorate $radii BuiltIn HitLSSRadiiNV
// check: $all = OpLoad $vectors $triangle
// check: OpCompositeExtract $float $all 2 1
// count: 1 OpDecorate $triangle BuiltIn HitTriangleVertexPositionsKHR
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWStructuredBuffer<float> Out : register(u0);
struct Payload { uint value; };

void property(uint number, uint at, uint words) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  [unroll] for (uint i = 0; i < words; ++i)
    Out[at + i] = asfloat(Nvapi.IncrementCounter());
}

[shader("closesthit")]
void hit(inout Payload payload, BuiltInTriangleIntersectionAttributes attributes) {
  property(86, 0, 9);
  property(90, 9, 1);
  property(108, 10, 1);
  property(100, 11, 4);
  property(112, 15, 1);
  property(104, 16, 8);
  payload.value = 1;
}
