// dxc: -T lib_6_5
// What a hit object's ray met: spheres of NVIDIA's extension; its hit objects have no vertices of
// triangles.
//! entry = gen
//! nvapi = 127 1
//! targets = vulkan1.3
// check: OpExtension "SPV_NV_linear_swept_spheres"
// check: $sphere = OpHitObjectIsSphereHitNV $bool $object
// check: $center = OpHitObjectGetSpherePositionNV $vector $object
// check: OpHitObjectGetSphereRadiusNV $float $object
// check: OpHitObjectIsLSSHitNV $bool $object
// check: OpHitObjectGetLSSPositionsNV $ends_ty $object
// check: OpHitObjectGetLSSRadiiNV $radii_ty $object
struct Element {
  uint number, resource, sampler_id;
  uint4 result1, operand3, operand4, operand5, operand0, operand1, operand2, result0;
  uint mark, results;
  float padding[27];
};
RWStructuredBuffer<Element> Nvapi : register(u127, space1);
RWStructuredBuffer<float> Out : register(u0);

void property(uint number, uint hit, uint at, uint words) {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = number;
  Nvapi[index].operand0.x = hit;
  [unroll] for (uint i = 0; i < words; ++i)
    Out[at + i] = asfloat(Nvapi.IncrementCounter());
}

[shader("raygeneration")]
void gen() {
  uint index = Nvapi.IncrementCounter();
  Nvapi[index].number = 85;
  uint hit = Nvapi.IncrementCounter();
  property(111, hit, 0, 1);
  property(103, hit, 1, 4);
  property(115, hit, 5, 1);
  property(107, hit, 6, 8);
}
