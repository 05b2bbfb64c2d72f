// Runs WGSL in the browser's WebGPU.

import { Refused } from './engine.js';

/** Runs a dispatch, and returns the bytes of the buffers that the shader writes, by register. `layout`
 * says which registers the bindings are, and `contents` has the bytes of registers. */
export async function dispatch(code, layout, groups, contents) {
  const slots = slotsOf(layout, contents);
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Refused({ kind: 'unsupported', message: 'this browser has no WebGPU' });
  const device = await adapter.requestDevice();
  try {
    return await dispatched(device, code, groups, slots);
  } finally {
    device.destroy();
  }
}

/** Returns the bindings with their bytes. */
function slotsOf({ sets, constants }, contents) {
  const refuse = what => {
    throw new Refused({ kind: 'unsupported', message: `${what} in the browser's WebGPU: the page binds buffers only` });
  };
  if (constants.length > 0) refuse('root constants');
  return sets.flatMap((set, group) => set.map(({ binding, register, is_counter }) => {
    // A hidden counter begins at 0.
    const bytes = is_counter ? new Uint8Array(4) : contents.get(register);
    if (!bytes) refuse(`binding ${binding} of group ${group}`);
    return { group, binding, bytes, register: is_counter ? null : register };
  }));
}

async function dispatched(device, code, groups, slots) {
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  const errors = messages.filter(({ type }) => type === 'error').map(({ message }) => message);
  if (errors.length > 0) throw new Refused({ kind: 'unsupported', message: `WebGPU: ${errors.join('; ')}` });
  const [layouts, entries, written] = [[], [], []];
  for (const { group, binding, register, bytes } of slots) {
    while (layouts.length <= group) {
      layouts.push([]);
      entries.push([]);
    }
    const type = bindingType(code, group, binding);
    // Uniform buffers have whole rows; arrays of storage buffers are as long as the contents.
    const size = Math.max(16, (bytes.length + 15) & ~15);
    const visible = type === 'uniform' ? size : Math.max(4, (bytes.length + 3) & ~3);
    const kind = type === 'uniform' ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE;
    const buffer = device.createBuffer({ size, usage: kind | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC });
    const padded = new Uint8Array(size);
    padded.set(bytes);
    device.queue.writeBuffer(buffer, 0, padded);
    layouts[group].push({ binding, visibility: GPUShaderStage.COMPUTE, buffer: { type } });
    entries[group].push({ binding, resource: { buffer, size: visible } });
    if (type === 'storage' && register) {
      const copy = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
      written.push({ register, buffer, copy, size });
    }
  }
  const groupLayouts = layouts.map(entries => device.createBindGroupLayout({ entries }));
  const pipeline = device.createComputePipeline({
    layout: device.createPipelineLayout({ bindGroupLayouts: groupLayouts }), compute: { module } });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  groupLayouts.forEach((layout, group) =>
    pass.setBindGroup(group, device.createBindGroup({ layout, entries: entries[group] })));
  pass.dispatchWorkgroups(...groups);
  pass.end();
  for (const { buffer, copy, size } of written) encoder.copyBufferToBuffer(buffer, 0, copy, 0, size);
  device.queue.submit([encoder.finish()]);
  const error = await device.popErrorScope();
  if (error) throw new Refused({ kind: 'unsupported', message: `WebGPU: ${error.message}` });
  const results = new Map();
  for (const { register, copy } of written) {
    await copy.mapAsync(GPUMapMode.READ);
    results.set(register, new Uint8Array(copy.getMappedRange()).slice());
  }
  return results;
}

/** Returns what the text declares, since WebGPU compares it with the layout. */
function bindingType(code, group, binding) {
  const declared = code.split(`@group(${group}) @binding(${binding})`)[1]?.split('>')[0]?.trim();
  if (declared === 'var<uniform') return 'uniform';
  return declared === 'var<storage' || declared === 'var<storage, read' ? 'read-only-storage' : 'storage';
}
