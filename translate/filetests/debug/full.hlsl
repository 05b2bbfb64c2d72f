// dxc: -T cs_6_0 -E main -Zi -Qembed_debug
//! options = source_full
//! targets = vulkan1.3
RWStructuredBuffer<uint> Out : register(u0);
groupshared float shared_row[16];
struct Pair
{
    uint first;
    float2 second;
};

uint twice(uint x)
{
    return x * 12345;
}

[numthreads(8, 1, 1)]
void main(uint index : SV_GroupIndex)
{
    Pair pair = { twice(index), float2(index, index + 3) };
    shared_row[index] = pair.second.x;
    if (pair.first > 100)
        pair.first ^= 4242;
    Out[index] = pair.first;
}

// check: $set = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
// check: $file = OpString "translate/filetests/debug/full.hlsl"
// check: $text = OpString "// dxc:
// check: $call = OpString "twice"
// check: $linkage = OpString "?twice@@YAII@Z"
// check: $local = OpString "x"
// check: $member = OpString "second"
// check: $struct = OpString "Pair"
// check: $name = OpString "pair"
// check: $row = OpString "shared_row"
// check: $source = OpExtInst $void $set DebugSource $file $text
// check: $unit = OpExtInst $void $set DebugCompilationUnit $one $four $source $hlsl
// check: $uint = OpExtInst $void $set DebugTypeBasic
// check: $ty = OpExtInst $void $set DebugTypeFunction $three $uint $uint
// check: $twice = OpExtInst $void $set DebugFunction $call $ty $source
// check: $at = OpExtInst $void $set DebugInlinedAt $line
// check: $x = OpExtInst $void $set DebugLocalVariable $local $uint $source
// check: $vector = OpExtInst $void $set DebugTypeVector
// check: $second = OpExtInst $void $set DebugTypeMember $member $vector $source
// check: $pair_type = OpExtInst $void $set DebugTypeComposite $struct
// check: $pair = OpExtInst $void $set DebugLocalVariable $name $pair_type $source
// check: DebugTypeArray
// check: OpExtInst $void $set DebugGlobalVariable $row
// check: OpExtInst $void $set DebugEntryPoint
// The function of the source, then where each instruction is: an inlined one in its own function.
// check: OpExtInst $void $set DebugFunctionDefinition
// check: OpExtInst $void $set DebugScope $twice $at
// check: OpExtInst $void $set DebugValue $x
// check: OpExtInst $void $set DebugLine $source
// check: OpIMul
// check: OpExtInst $void $set DebugScope
// check: OpExtInst $void $set DebugValue $pair
// check: OpStore
