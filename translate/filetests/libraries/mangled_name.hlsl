// dxc: -T lib_6_3
// The mangled name chooses as well, and the module has the source's.
//! entry = ?Second@@YAXXZ
//! targets = vulkan1.3
// check: OpEntryPoint RayGenerationKHR $main "Second"
RWStructuredBuffer<uint> Out : register(u0);

[shader("raygeneration")]
void First() {
    Out[0] = 1;
}
[shader("raygeneration")]
void Second() {
    Out[1] = 2;
}
