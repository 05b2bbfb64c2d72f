// A dispatch on the CPU, with inputs as the reader says, and the same in the browser's WebGPU.

import { counted, el, failure, scrolled, table } from '../dom.js';
import { executor } from '../session.js';
import { dispatch } from '../webgpu.js';

/** Seconds that a dispatch may take. */
const SECONDS = 60;

const FILLS = {
  pattern: '0, 1, 2 …', zeros: 'zeros', random: 'random', numbers: 'numbers', file: 'a file',
};

export async function run(session) {
  const { head } = session.isSpirv ? { head: { entries: [] } } : await session.ask({ ask: 'overview' });
  const entry = head.entries.find(({ name }) => !session.entry || name === session.entry);
  if (!entry?.is_compute) {
    return [el('p', {}, 'The page runs compute shaders of DXIL and DXBC; dxil-run runs draws, rays, work graphs and SPIR-V.')];
  }
  const groups = ['X', 'Y', 'Z'].map(axis => el('input', {
    type: 'number', min: 1, max: 65535, value: 1, 'aria-label': `Groups in ${axis}`, size: 5 }));
  const registers = el('div', {});
  const results = el('div', { id: 'results', 'aria-live': 'polite' });
  const form = new Inputs(registers);
  const number = input => Math.min(65535, Math.max(1, Math.trunc(input.valueAsNumber) || 1));
  const wanted = () => groups.map(number);
  const plan = async () => {
    try {
      const planned = await session.askWith(executor, { ask: 'plan', groups: wanted() }, []);
      form.show(planned.head.registers);
    } catch (error) {
      registers.replaceChildren(failure(error));
    }
  };
  for (const input of groups) input.addEventListener('change', plan);
  await plan();

  const question = async ask => {
    const { given, payloads } = await form.given();
    return [{ ask, groups: wanted(), registers: given }, payloads];
  };
  const onCpu = async () => session.askWith(executor, ...await question('run'), SECONDS);
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
      const [cpu, gpu] = [await onCpu(), await onGpu(session, wanted(), await question('bytes'))];
      return [comparison(cpu, gpu), ...tables(cpu)];
    }) }, 'Compare with WebGPU'));
  const size = entry.threads ? ` of ${entry.threads.join(' × ')} threads` : '';
  return [
    el('p', { class: 'row' }, 'Dispatch ', groups[0], ' × ', groups[1], ' × ', groups[2], ` groups${size} `),
    registers,
    el('p', { class: 'row' }, ...buttons, stop),
    results,
  ];
}

/** The contents of the registers, as the reader fills them. */
class Inputs {
  #rows = [];

  constructor(element) {
    this.element = element;
  }

  /** Shows the registers. What was said of a register before stays. */
  show(registers) {
    const before = new Map(this.#rows.map(row => [row.register, row]));
    this.#rows = registers.filter(({ what }) => what !== 'sampler').map(known => {
      const old = before.get(known.register);
      if (old) {
        old.size.placeholder = known.size.join(' × ');
        return old;
      }
      return inputRow(known);
    });
    if (this.#rows.length === 0) {
      this.element.replaceChildren(el('p', {}, 'This shader declares no resources.'));
      return;
    }
    const columns = ['register', 'name', 'type', 'elements', 'contents'];
    this.element.replaceChildren(scrolled('Resources', el('table', { class: 'inputs' },
      el('caption', {}, 'Resources'),
      el('thead', {}, el('tr', {}, ...columns.map(name => el('th', { scope: 'col' }, name)))),
      el('tbody', {}, ...this.#rows.map(({ element }) => element)))));
  }

  /** Returns what the reader said, with the bytes of files. */
  async given() {
    // The first payload is the shader.
    const [given, payloads] = [[], []];
    for (const { register, what, fill, size, numbers, file } of this.#rows) {
      const one = { register, fill: fill.value || undefined };
      const sizes = (size.value.match(/\d+/g) ?? []).map(Number);
      if (what === 'texture' && sizes.length > 0) one.size = sizes;
      if (what === 'buffer' && sizes.length > 0) one.elements = sizes[0];
      if (one.fill === 'numbers') one.text = numbers.value;
      if (one.fill === 'file' && file.files[0]) {
        payloads.push(new Uint8Array(await file.files[0].arrayBuffer()));
        one.payload = payloads.length;
      }
      given.push(one);
    }
    return { given, payloads };
  }
}

function inputRow({ register, name, kind, what, columns, size, writable, format }) {
  const label = name ? `${register} ${name}` : register;
  const first = writable ? 'zeros' : 'pattern';
  const fill = el('select', { 'aria-label': `Contents of ${label}` },
    ...Object.entries(FILLS).map(([value, text]) => el('option', { value, selected: value === first }, text)));
  const names = columns.filter(Boolean).join(', ');
  const numbers = el('textarea', { hidden: true, rows: 2, spellcheck: 'false', 'aria-label': `Numbers of ${label}`,
    placeholder: names ? `rows of ${names}` : '1 2 3 …' });
  const file = el('input', { type: 'file', hidden: true, 'aria-label': `File of ${label}` });
  fill.addEventListener('change', () => {
    numbers.hidden = fill.value !== 'numbers';
    file.hidden = fill.value !== 'file';
  });
  const sizeInput = el('input', { 'aria-label': `Size of ${label}`, placeholder: size.join(' × '), size: 10, inputmode: 'numeric' });
  const sizeCell = what === 'constants' ? `${size[0]} bytes` : sizeInput;
  const element = el('tr', {},
    el('th', { scope: 'row' }, register), el('td', {}, name || '-'),
    el('td', {}, kind, format ? ` (${format})` : ''), el('td', {}, sizeCell), el('td', {}, fill, numbers, file));
  return { register, what, fill, size: sizeInput, numbers, file, element };
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
  return dispatch(text, layout, groups, contents);
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
