// dxc: -T lib_6_x
// Functions for objects.hlsl, which are handed resources.
export float4 looked_up(Texture2D<float4> picture, SamplerState how, float2 at) {
  return picture.SampleLevel(how, at, 0);
}

export StructuredBuffer<uint> chosen(StructuredBuffer<uint> a, StructuredBuffer<uint> b, uint which) {
  if (which == 0) return a;
  return b;
}

export void put(RWStructuredBuffer<uint> into, uint at, uint value) { into[at] = value; }

export uint sum(StructuredBuffer<uint> from[2], uint at) {
  uint total = 0;
  for (uint i = 0; i < 2; i++) total += from[i][at] * (i + 1);
  return total;
}

export void swap(inout StructuredBuffer<uint> a, inout StructuredBuffer<uint> b) {
  StructuredBuffer<uint> old = a;
  a = b;
  b = old;
}
