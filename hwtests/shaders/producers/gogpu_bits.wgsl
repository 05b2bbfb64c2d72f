// compiled: gogpu/naga 1e4453c
// Bit fields and atomics: operations by old names, memory orders by LLVM's numbers in memory.
@group(0) @binding(0) var<storage, read> input: array<u32>;
@group(0) @binding(1) var<storage, read_write> output: array<u32>;
var<workgroup> sum: atomic<u32>;

@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) id: u32) {
  let value = input[id];
  if (id == 0u) {
    atomicStore(&sum, 0u);
  }
  workgroupBarrier();
  atomicAdd(&sum, extractBits(value, 4u, 8u));
  workgroupBarrier();
  output[id] = insertBits(atomicLoad(&sum), value, 16u, 8u);
}
