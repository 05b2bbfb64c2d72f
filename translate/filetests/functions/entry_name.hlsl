// dxc: -T cs_6_0 -E compute
//! options = entry_main
// A caller may name the entry point.
// check: OpEntryPoint GLCompute $f "main"
[numthreads(1, 1, 1)]
void compute() {}
