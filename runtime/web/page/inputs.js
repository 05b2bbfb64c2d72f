// A dispatch as the reader says it: groups, and what each register holds. The views that run shaders
// share it.

import { el, failure, scrolled } from './dom.js';
import { executor } from './session.js';

const FILLS = {
  pattern: '0, 1, 2 …', zeros: 'zeros', random: 'random', numbers: 'numbers', file: 'a file',
};

/** Returns the dispatch of the entry point that is shown; null if it is no compute shader. */
export async function dispatchOf(session) {
  const { head } = session.isSpirv ? { head: { entries: [] } } : await session.ask({ ask: 'overview' });
  const entry = head.entries.find(({ name }) => !session.entry || name === session.entry);
  if (!entry?.is_compute) return null;
  if (!session.dispatches.has(entry.name)) session.dispatches.set(entry.name, new Dispatch(session, entry));
  const dispatch = session.dispatches.get(entry.name);
  await dispatch.plan();
  return dispatch;
}

const number = input => Math.min(65535, Math.max(1, Math.trunc(input.valueAsNumber) || 1));

/** The form of a dispatch. */
class Dispatch {
  #form;
  #sides = ['X', 'Y', 'Z'].map(axis => el('input', {
    type: 'number', min: 1, max: 65535, value: 1, 'aria-label': `Groups in ${axis}`, size: 5 }));

  constructor(session, entry) {
    this.session = session;
    this.registers = el('div', {});
    this.#form = new Inputs(this.registers);
    const [x, y, z] = this.#sides;
    const size = entry.threads ? ` of ${entry.threads.join(' × ')} threads` : '';
    this.size = el('p', { class: 'row' }, 'Dispatch ', x, ' × ', y, ' × ', z, ` groups${size} `);
    for (const side of this.#sides) side.addEventListener('change', () => this.plan());
  }

  /** The number of groups along each axis. */
  get groups() { return this.#sides.map(number); }

  /** Asks what the registers are by default. */
  async plan() {
    try {
      const planned = await this.session.askWith(executor, { ask: 'plan', groups: this.groups }, []);
      this.#form.show(planned.head.registers);
    } catch (error) {
      this.registers.replaceChildren(failure(error));
    }
  }

  /** Returns a question about the dispatch, and the bytes of its files. */
  async question(ask) {
    const { given, payloads } = await this.#form.given();
    return [{ ask, groups: this.groups, registers: given }, payloads];
  }
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
