// dxc: -T lib_6_3 -Od
// A function that the compiler did not inline is called, with its structs by address.
//! targets = vulkan1.3
// check: OpEntryPoint RayGenerationKHR $main "Generate"
// count: 1 OpFunctionCall
RWStructuredBuffer<float4> Out : register(u0);
struct Item {
    float4 value;
    uint steps;
};

[noinline] void Advance(inout Item item, uint by) {
    item.value += by;
    item.steps += 1;
}

[shader("raygeneration")]
void Generate() {
    Item item;
    item.value = 0;
    item.steps = DispatchRaysIndex().x;
    Advance(item, item.steps);
    Out[item.steps] = item.value;
}
