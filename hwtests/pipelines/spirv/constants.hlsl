// dxc-spirv: -T cs_6_0 -E main
// What only SPIR-V has: specialization and push constants, and bindings that are no registers.
struct Scale {
  float factor;
  int2 offsets;
};
[[vk::push_constant]] Scale scale;
[[vk::constant_id(3)]] const bool negate = false;
[[vk::constant_id(7)]] const int add = 1;
[[vk::constant_id(8)]] const float untouched = 0.5;

[[vk::binding(2, 1)]] StructuredBuffer<float> In;
[[vk::binding(5, 0)]] RWBuffer<float> Out;
[[vk::binding(0, 1), vk::counter_binding(1)]] RWStructuredBuffer<int> Counted;

[numthreads(4, 1, 1)]
void main(uint id : SV_DispatchThreadID) {
  float value = In[id] * scale.factor + add + untouched;
  Out[id] = negate ? -value : value;
  if (id & 1)
    Counted[Counted.IncrementCounter()] = scale.offsets.x + scale.offsets.y;
}
