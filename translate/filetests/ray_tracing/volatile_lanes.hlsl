// dxc: -T lib_6_3
// Which lanes there are may change when another shader was invoked.
//! targets = vulkan1.3
// check: OpDecorate $lane BuiltIn SubgroupLocalInvocationId
// check: OpDecorate $lane Volatile
// not:   MaximallyReconvergesKHR
RWStructuredBuffer<uint> Out : register(u0);
struct Data {
    uint value;
};

[shader("raygeneration")]
void Lanes() {
    Data data;
    data.value = WaveGetLaneIndex();
    CallShader(0, data);
    Out[DispatchRaysIndex().x] = data.value + WaveActiveSum(WaveGetLaneIndex());
}
