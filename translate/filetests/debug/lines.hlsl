// dxc: -T cs_6_0 -E main -Zi -Qembed_debug
//! options = source_lines
RWStructuredBuffer<uint> Out : register(u0);

uint twice(uint x)
{
    return x * 12345;
}

[numthreads(8, 1, 1)]
void main(uint index : SV_GroupIndex)
{
    uint value = twice(index);
    if (value > 100)
        value ^= 4242;
    Out[index] = value;
}

// The text once, for the file's name; a line for what came from it, also where it was inlined.
// check: $file = OpString "translate/filetests/debug/lines.hlsl"
// check: OpSource HLSL 600 $file
// check: OpLine $file 7 14
// check: OpIMul
// check: OpLine $file 14 15
// check: OpUGreaterThan
// check: OpLine $file 15 15
// check: OpBitwiseXor
// check: OpLine $file 16 16
// check: OpStore
// check: OpLine $file 17 1
// check: OpReturn
// count: 1 OpSource
// not: NonSemantic
