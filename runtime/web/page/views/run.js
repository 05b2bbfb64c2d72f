// A dispatch on the CPU, with inputs as the reader says, and the same in the browser's WebGPU.

import { counted, el, failure, scrolled, table } from '../dom.js';
import { dispatchOf } from '../inputs.js';
import { executor } from '../session.js';
import { dispatch as onWebGpu } from '../webgpu.js';

/** Seconds that a dispatch may take. */
const SECONDS = 60;

export async function run(session) {
  const dispatch = await dispatchOf(session);
  if (!dispatch) {
    return [el('p', {}, 'The page runs compute shaders of DXIL and DXBC; dxil-run runs draws, rays, work graphs and SPIR-V.')];
  }
  const results = el('div', { id: 'results', 'aria-live': 'polite' });
  const onCpu = async () => session.askWith(executor, ...await dispatch.question('run'), SECONDS);
  const buttons = [];
  const busy = async work => {
    for (const button of buttons) button.disabled = true;
    stop.hidden = false;
    results.replaceChildren(el('p', {}, 'Running…'));
    results.setAttribute('aria-busy', 'true');
    try {
      results.replaceChildren(...await work());
    } catch (error) {
      results.replaceChildren(failure(error));
    }
    results.setAttribute('aria-busy', 'false');
    for (const button of buttons) button.disabled = false;
    stop.hidden = true;
  };
  const stop = el('button', { type: 'button', hidden: true, onclick: () => executor.stop('you stopped it') }, 'Stop');
  buttons.push(
    el('button', { type: 'button', id: 'run', class: 'primary', onclick: () => busy(async () => tables(await onCpu())) },
      'Run on the CPU'),
    el('button', { type: 'button', id: 'compare', onclick: () => busy(async () => {
      const [cpu, gpu] = [await onCpu(), await onGpu(session, dispatch.groups, await dispatch.question('bytes'))];
      return [comparison(cpu, gpu), ...tables(cpu)];
    }) }, 'Compare with WebGPU'));
  return [
    dispatch.size,
    dispatch.registers,
    el('p', { class: 'row' }, ...buttons, stop),
    results,
  ];
}

/** Returns the tables of results and inputs. */
function tables({ head }) {
  const all = [];
  for (const [title, group] of [['Results', head.results], ['Inputs', head.inputs]]) {
    if (group.length > 0) all.push(el('h2', {}, title));
    for (const one of group) all.push(resource(one));
  }
  if (head.counters.length > 0) {
    all.push(table('Hidden counters', ['register', 'value'], head.counters));
  }
  return all;
}

function resource({ register, name, kind, columns, rows, elements, stride }) {
  const caption = `${register} ${kind}${name ? ` ${name}` : ''}: ${counted(elements, 'element')} of ${counted(stride, 'byte')}`;
  const heads = ['', ...columns.map(column => column || 'value')];
  const content = table(caption, heads, rows.map((row, index) => [String(index), ...row]));
  content.dataset.register = register;
  const more = elements > rows.length ? el('p', { class: 'note' }, `… ${counted(elements - rows.length, 'more row')}`) : null;
  return el('div', {}, el('h3', {}, caption), scrolled(caption, content), more);
}

/** Runs the dispatch in WebGPU. */
async function onGpu(session, groups, [head, payloads]) {
  const { text, layout } = await session.written('wgsl');
  const first = await session.askWith(executor, head, payloads);
  const contents = new Map(first.head.registers.map((register, index) => [register, first.payloads[index]]));
  return onWebGpu(text, layout, groups, contents);
}

/** Says whether the results of the CPU and of WebGPU are the same. */
function comparison(cpu, gpu) {
  const rows = cpu.head.results.map((result, index) => {
    const [ours, theirs] = [cpu.payloads[index], gpu.get(result.register)];
    if (!theirs) return [result.register, 'not bound by the WGSL'];
    const { stride } = result;
    let different = 0;
    let first = null;
    for (let at = 0; at < ours.length; at += stride) {
      const isEqual = ours.subarray(at, at + stride).every((byte, offset) => byte === theirs[at + offset]);
      if (!isEqual) {
        different++;
        first ??= at / stride;
      }
    }
    const all = counted(result.elements, 'element');
    return [result.register, different === 0 ? `all ${all} are equal` : `${different} of ${all} differ, first ${first}`];
  });
  return el('div', { id: 'comparison' }, table('CPU and WebGPU', ['register', 'result'], rows));
}
