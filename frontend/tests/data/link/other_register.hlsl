// dxc: -T lib_6_3
// A resource of a name that linking/caller.hlsl uses, in another register.
StructuredBuffer<float> Source : register(t4);
export uint counted(uint id, out uint twice) {
  twice = Source[id];
  return id;
}
