// A compute shader in the debugger: source with breakpoints, steps forwards and back, variables, lanes.

import { Debugging } from '../debugging.js';
import { counted, el, failure, scrolled } from '../dom.js';
import { highlighted } from '../highlight.js';
import { dispatchOf } from '../inputs.js';
import { executor } from '../session.js';

/** Lines of a file that are shown: a browser gets slow with more. */
const MAX_LINES = 20_000;

const STEPS = [
  ['continue', 'Continue', 'c', 'to the next breakpoint'], ['next', 'Over', 'n', 'to the next line, over calls'],
  ['step', 'Into', 's', 'to the next line, into calls'], ['out', 'Out', 'o', 'to the caller'],
  ['stepi', 'Instruction', 'i', 'one instruction'],
  ['wave', 'Wave', 'w', 'to the next operation between lanes'], ['barrier', 'Barrier', 'g', 'to the next barrier'],
  ['back', 'Back', 'b', 'to the line before'],
  ['rcontinue', 'Back to breakpoint', 'r', 'to the breakpoint before'], ['start', 'Restart', '', 'to the start of the wave'],
];
const BACK = ['back', 'rcontinue', 'start'];

export async function debug(session) {
  const dispatch = await dispatchOf(session);
  if (!dispatch) {
    return [el('p', {}, 'The page debugs compute shaders of DXIL and DXBC; dxil-run --debug debugs draws and rays.')];
  }
  const { debugged } = session;
  if (!debugged.has(dispatch)) debugged.set(dispatch, new Debugging(session, dispatch));
  const view = new View(debugged.get(dispatch));
  await view.perform(state => state.stop ? state.look() : state.start());
  return view.elements();
}

/** The elements that show a debugging session. */
class View {
  #buttons = STEPS.map(([how, title, key, what]) => el('button', {
    type: 'button', 'data-go': how, title: key ? `${what} (${key})` : what, 'aria-keyshortcuts': key || null,
    onclick: () => this.go(how) }, title));
  #stopButton = el('button', { type: 'button', hidden: true, onclick: () => executor.stop('you stopped it') }, 'Stop');
  #status = el('p', { id: 'debug-status', role: 'status' });
  #problem = el('div', {});
  #file = el('select', { 'aria-label': 'Source file', onchange: () => this.#showSource() });
  #source = el('div', { class: 'lines source', role: 'listbox', tabindex: 0, 'aria-label': 'Source' });
  #side = el('div', { class: 'side' });
  #body = el('div', { class: 'debugger', 'aria-busy': 'false' });
  #shown = null;
  #open = new Map([['Calls', true], ['Variables', true], ['Breakpoints', true]]);

  constructor(state) {
    this.state = state;
    this.#source.addEventListener('click', event => this.#clicked(event));
    this.#body.addEventListener('keydown', event => this.#pressed(event));
  }

  /** Number of the file that is shown. */
  get file() { return Number(this.#file.value); }

  elements() {
    const { state } = this;
    const side = axis => el('input', { type: 'number', min: 0, max: 65534, value: state.group[axis],
      'aria-label': `Group in ${'XYZ'[axis]}` });
    const sides = [0, 1, 2].map(side);
    const thread = el('input', { type: 'number', min: 0, max: 1023, value: state.thread ?? '', placeholder: 'any',
      'aria-label': 'Thread of the group' });
    const check = el('input', { type: 'checkbox', id: 'debug-check', checked: state.check });
    const start = () => this.perform(() => {
      state.group = sides.map(input => Math.max(0, Math.trunc(input.valueAsNumber) || 0));
      state.thread = Number.isInteger(thread.valueAsNumber) ? thread.valueAsNumber : null;
      state.check = check.checked;
      return state.start();
    });
    this.#body.replaceChildren(
      el('details', { class: 'setup' }, el('summary', {}, 'Dispatch, inputs, and the thread to look at'),
        state.dispatch.size, state.dispatch.registers,
        el('p', { class: 'row' }, 'Group ', ...sides, ' thread ', thread, check,
          el('label', { for: 'debug-check' }, 'stop at defects'),
          el('button', { type: 'button', id: 'debug-start', class: 'primary', onclick: start }, 'Start'))),
      el('div', { class: 'row', role: 'toolbar', 'aria-label': 'Steps' }, ...this.#buttons, this.#stopButton),
      this.#status, this.#problem,
      el('div', { class: 'panes' },
        el('div', { class: 'pane' }, el('div', { class: 'pane-head' }, this.#file), this.#source),
        this.#side));
    return [this.#body, el('p', { class: 'note' }, 'A click on a line, or Space, sets a breakpoint there. Keys in the '
      + 'source: c continue, n over, s into, o out, i instruction, b back, r back to a breakpoint.')];
  }

  go(how) {
    return this.perform(state => how === 'start' ? state.start() : state.go(how));
  }

  /** Does something with the session, and shows where it is then. */
  async perform(work) {
    for (const button of this.#buttons) button.disabled = true;
    this.#stopButton.hidden = false;
    this.#body.setAttribute('aria-busy', 'true');
    this.#problem.replaceChildren();
    try {
      await work(this.state);
    } catch (error) {
      this.#problem.replaceChildren(failure(error));
    }
    this.#show();
    this.#body.setAttribute('aria-busy', 'false');
    this.#stopButton.hidden = true;
  }

  #show() {
    const { stop, files, hasSource } = this.state;
    this.#buttons.forEach((button, index) => {
      button.disabled = !stop || (stop.ended && !BACK.includes(STEPS[index][0]));
    });
    this.#status.textContent = said(stop, this.state);
    if (this.#file.options.length !== files.length) {
      this.#file.replaceChildren(...files.map(({ name }, index) => el('option', { value: index }, name)));
      this.#file.hidden = files.length < 2;
    }
    const frame = stop?.frames?.[stop.frame];
    if (frame?.file !== undefined && frame.file !== null) this.#file.value = frame.file;
    this.#showSource();
    const hint = hasSource ? null : el('p', { class: 'note' }, 'The shader has no debug information, so the disassembly '
      + 'is the source. Compile it with -Zi -Qembed_debug.');
    this.#side.replaceChildren(...[hint, ...sections(this)].filter(Boolean));
  }

  /** Returns a section that the reader can close. */
  section(title, ...content) {
    const details = el('details', { open: this.#open.get(title) ?? false, 'data-section': title },
      el('summary', {}, title), ...content.filter(Boolean));
    details.addEventListener('toggle', () => this.#open.set(title, details.open));
    return details;
  }

  #showSource() {
    const { files, stop } = this.state;
    const number = this.file;
    const file = files[number];
    if (!file) return;
    if (this.#shown !== file) {
      this.#shown = file;
      const lines = (file.text ?? 'The shader does not hold this text: compile it with -Qembed_debug.').split(/\r?\n/);
      const withCode = new Set(file.lines);
      const language = file.is_listing ? 'llvm' : 'source';
      this.#source.replaceChildren(...lines.slice(0, MAX_LINES).map((line, index) => sourceLine(line, index + 1, {
        hasCode: withCode.has(index + 1), language })));
    }
    const frame = stop?.frames?.[stop.frame];
    const current = frame?.file === number ? frame.line : null;
    const points = this.state.linesWithPoints(number);
    for (const line of this.#source.children) {
      const at = Number(line.dataset.line);
      line.classList.toggle('point', points.has(at));
      line.classList.toggle('here', at === current);
      line.firstChild.textContent = points.has(at) ? '●' : '';
      line.firstChild.setAttribute('aria-label', points.has(at) ? 'breakpoint' : '');
      if (at === current) this.#choose(line);
    }
  }

  /** Makes a line the one that keys act on. */
  #choose(line) {
    this.#source.querySelector('[aria-selected="true"]')?.setAttribute('aria-selected', 'false');
    line.setAttribute('aria-selected', 'true');
    this.#source.setAttribute('aria-activedescendant', line.id);
    const [outer, inner] = [this.#source.getBoundingClientRect(), line.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      this.#source.scrollTop += inner.top - outer.top - outer.height / 3;
    }
  }

  #clicked(event) {
    const line = event.target.closest('.line');
    if (!line) return;
    this.#choose(line);
    this.#toggle(line);
  }

  #toggle(line) {
    const { file } = this;
    return this.perform(state => state.toggle(file, Number(line.dataset.line)));
  }

  #pressed(event) {
    const isTyping = event.target.closest('input:not([type="checkbox"]), select, textarea');
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS.find(([, , key]) => key && key === event.key);
    const isReady = this.#body.getAttribute('aria-busy') === 'false';
    if (step) {
      event.preventDefault();
      const button = this.#buttons[STEPS.indexOf(step)];
      if (isReady && !button.disabled) this.go(step[0]);
      return;
    }
    if (event.target !== this.#source) return;
    const lines = this.#source.children;
    const at = [...lines].findIndex(line => line.getAttribute('aria-selected') === 'true');
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (next !== undefined) {
      event.preventDefault();
      this.#choose(lines[Math.min(Math.max(next, 0), lines.length - 1)]);
    } else if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      if (isReady && at >= 0) this.#toggle(lines[at]);
    }
  }
}

function sourceLine(text, number, { hasCode, language }) {
  const code = highlighted(text, language).map(run => typeof run === 'string' ? run : el('span', { class: run[0] }, run[1]));
  return el('div', { class: hasCode ? 'line code' : 'line', role: 'option', id: `source-${number}`, 'aria-selected': 'false',
    'data-line': number }, el('span', { class: 'mark' }), el('span', { class: 'number dim' }, String(number)), ...code);
}

/** Says in words where the wave is. */
function said(stop, { files }) {
  if (!stop) return 'Not started.';
  if (stop.ended) return 'The group has ended.';
  const frame = stop.frames[stop.frame];
  const why = stop.reason ? `${stop.reason}: ` : '';
  const lanes = `lane ${stop.lane}; ${stop.active} of ${counted(stop.started, 'lane')}`;
  if (!frame) return `${why}lane ${stop.lane} has ended`;
  const file = files[frame.file]?.name.split(/[\\/]/).pop();
  return `${why}${file}:${frame.line} in ${frame.name}, ${stop.name} (${lanes})`;
}

/** Returns the sections beside the source. */
function sections(view) {
  const { state } = view;
  const { stop } = state;
  const parts = [breakpoints(view)];
  if (stop && !stop.ended) {
    parts.unshift(variables(view));
    parts.push(calls(view), lanes(view));
    if (stop.resources.length > 0) parts.push(resources(view));
  }
  if (state.output.length > 0) {
    parts.push(view.section('Messages', scrolled('Messages', el('pre', {}, state.output.join('\n')))));
  }
  return parts;
}

/** Returns a form of one input with buttons. */
function line(label, value, buttons, more = []) {
  const input = el('input', { value, 'aria-label': label, placeholder: label, spellcheck: 'false', autocomplete: 'off' });
  const form = el('form', { class: 'row', onsubmit: event => { event.preventDefault(); buttons[0][1](input); } }, input, ...more,
    ...buttons.map(([title, work], index) => el('button', {
      type: index === 0 ? 'submit' : 'button', onclick: index === 0 ? null : () => work(input) }, title)));
  return form;
}

function variables(view) {
  const { state } = view;
  const { stop } = state;
  const value = el('input', { 'aria-label': 'New value', placeholder: 'New value', spellcheck: 'false', size: 8 });
  const form = line('Expression', '', [
    ['Watch', input => input.value.trim() && view.perform(() => {
      state.watches.push(input.value.trim());
      return state.look();
    })],
    ['Set', input => view.perform(() => state.set(input.value, value.value))],
    ['Who wrote it?', input => input.value.trim() && view.perform(() => state.who(input.value.trim()))],
    ['Break on change', input => input.value.trim() && view.perform(() => {
      const { data } = stop.frames[stop.frame] ?? { data: '' };
      state.points.push({ data: `${input.value.trim()}${data}`, text: input.value.trim() });
      return state.look();
    })],
  ], [value]);
  const watched = stop.watches.map((watch, index) => el('div', { class: 'row' }, tree(watch), el('button', {
    type: 'button', class: 'small', 'aria-label': `Remove ${watch.name}`, onclick: () => view.perform(() => {
      state.watches.splice(index, 1);
      return state.look();
    }) }, '×')));
  const groups = stop.groups.map(({ title, values, left_out }) => {
    const all = [...values.map(tree), left_out ? el('p', { class: 'note' }, `… ${counted(left_out, 'more value')}`) : null];
    return title === 'Locals' ? el('div', {}, ...all.filter(Boolean)) : view.section(title, ...all);
  });
  return view.section('Variables', ...groups, ...watched, form);
}

/** Returns a value with its parts. */
function tree(value) {
  const text = value.problem ?? value.text;
  const label = [el('span', { class: 'name' }, value.name), ' = ', el('code', { class: value.problem ? 'dim' : null }, text),
    value.type ? el('span', { class: 'dim' }, ` ${value.type}`) : null].filter(Boolean);
  if (!value.children) return el('div', { class: 'value', 'data-path': value.path }, ...label);
  const more = value.left_out ? el('p', { class: 'note' }, `… ${counted(value.left_out, 'more element')}`) : null;
  return el('details', { class: 'value', 'data-path': value.path }, el('summary', {}, ...label),
    ...value.children.map(tree), more ?? '');
}

function calls(view) {
  const { state } = view;
  const { stop, files } = state;
  const rows = stop.frames.map((frame, index) => {
    const place = `${files[frame.file]?.name.split(/[\\/]/).pop() ?? '?'}:${frame.line ?? '?'}`;
    return el('li', {}, el('button', { type: 'button', class: 'small', 'aria-pressed': String(index === stop.frame),
      onclick: () => view.perform(() => {
        state.frame = index;
        return state.look();
      }) }, `${frame.name} at ${place}${frame.inlined ? ', inlined' : ''}`));
  });
  return view.section('Calls', el('ol', { class: 'items' }, ...rows));
}

function lanes(view) {
  const { state } = view;
  const { stop } = state;
  const form = line('Value of each lane', state.lanes, [['Show', input => view.perform(() => {
    state.lanes = input.value.trim() || '$thread';
    return state.look();
  })]]);
  const rows = stop.lanes.map(row => el('tr', { class: row.active ? null : 'waits' },
    el('th', { scope: 'row' }, el('button', { type: 'button', class: 'small', 'aria-pressed': String(row.lane === stop.lane),
      onclick: () => view.perform(() => state.look({ lane: row.lane })) }, String(row.lane))),
    el('td', {}, row.name), el('td', {}, row.active ? 'active' : row.line === null ? 'ended' : `waits at ${row.line}`),
    el('td', {}, row.value ?? row.problem)));
  const heads = ['lane', 'thread', '', state.lanes].map(name => name ? el('th', { scope: 'col' }, name) : el('td', {}));
  return view.section('Lanes', form, scrolled('Lanes', el('table', { class: 'lanes' }, el('caption', {}, 'Lanes'),
    el('thead', {}, el('tr', {}, ...heads)), el('tbody', {}, ...rows))));
}

function breakpoints(view) {
  const { state } = view;
  const look = () => view.perform(() => state.look());
  const items = state.points.map((point, index) => {
    const { placed } = point;
    const file = state.files[placed?.file]?.name.split(/[\\/]/).pop();
    const place = point.text ?? (placed?.line ? `${file}:${placed.line}` : point.place);
    const name = placed?.number ? `${placed.number}: ${place}` : place;
    const field = (key, label) => el('input', { value: point[key] ?? '', placeholder: label, size: 12, spellcheck: 'false',
      'aria-label': `${label} of breakpoint ${place}`, onchange: event => {
        point[key] = event.target.value;
        look();
      } });
    const extras = point.data ? [] : [field('condition', 'condition'), field('log', 'message')];
    return el('li', { class: 'row' }, el('span', {}, name), ...extras, el('button', { type: 'button', class: 'small',
      'aria-label': `Remove breakpoint ${place}`, onclick: () => {
        state.points.splice(index, 1);
        look();
      } }, '×'), placed?.problem ? el('span', { class: 'failure' }, placed.problem) : '');
  });
  const form = line('Line, function, op NAME, #N', '', [['Add', input => {
    if (!input.value.trim()) return;
    state.points.push({ place: input.value.trim(), file: view.file });
    look();
  }]]);
  return view.section('Breakpoints', items.length ? el('ul', { class: 'items points' }, ...items) : '', form);
}

function resources(view) {
  const { state } = view;
  const shown = state.stop.resources.map(resource => {
    const { name, summary, value, count, parts, first } = resource;
    if (value) return tree(value);
    const label = [el('span', { class: 'name' }, name), ` ${summary}`];
    if (count === undefined) return el('div', { class: 'value' }, ...label);
    const open = el('details', { class: 'value', open: parts !== undefined, 'data-resource': name }, el('summary', {}, ...label));
    if (parts) {
      open.append(line(`First element of ${name}`, first, [['Show', input => view.perform(() => {
        state.parts[name] = Math.max(0, Math.trunc(Number(input.value)) || 0);
        return state.look();
      })]]), ...parts.map(tree));
    }
    open.addEventListener('toggle', () => {
      if (open.open === (name in state.parts)) return;
      if (open.open) state.parts[name] = 0;
      else delete state.parts[name];
      view.perform(() => state.look());
    });
    return open;
  });
  return view.section('Resources', ...shown);
}
