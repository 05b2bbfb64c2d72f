// dxc: -T lib_6_3
// A callable shader changes what it was given, and calls another one with data of another type.
//! targets = vulkan1.3
// check: OpEntryPoint CallableKHR $main "Twice"
// check: $given = OpVariable $a IncomingCallableDataKHR
// check: $sent = OpVariable $b CallableDataKHR
// check: OpExecuteCallableKHR $index $sent
struct Data {
    float4 value;
};
struct Other {
    uint number;
};

[shader("callable")]
void Twice(inout Data data) {
    Other other;
    other.number = asuint(data.value.x);
    CallShader(3, other);
    data.value = 2 * data.value + other.number;
}
