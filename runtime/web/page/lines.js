// A pane of lines, of which those with an instruction are linked with other panes.

import { counted, el } from './dom.js';
import { highlighted } from './highlight.js';
import { mark, register } from './linking.js';

/** Makes a pane of lines as the module answers them: runs, the instruction, and more that have been
 * left out. */
export function linesPane(label, { lines, left_out }, language) {
  const pane = el('pre', { class: 'lines', tabindex: 0, role: 'group', 'aria-label': label });
  const byOrigin = new Map();
  const content = document.createDocumentFragment();
  for (const line of lines) {
    const element = el('span', { class: 'line' }, ...runs(line, language), '\n');
    for (const origin of origins(line)) {
      element.dataset.origin = origins(line).join(' ');
      if (!byOrigin.has(origin)) byOrigin.set(origin, []);
      byOrigin.get(origin).push(element);
    }
    content.append(element);
  }
  if (left_out) content.append(el('span', { class: 'line dim' }, `… ${counted(left_out, 'more line')}\n`));
  pane.append(content);
  if (byOrigin.size > 0) {
    register(pane, byOrigin);
    link(pane);
  }
  return pane;
}

const origins = line => line.origins ?? (line.origin === undefined ? [] : [line.origin]);

function runs(line, language) {
  const known = line.runs.length === 1 && typeof line.runs[0] === 'string' && language
    ? highlighted(line.runs[0], language) : line.runs;
  return known.map(run => typeof run === 'string' ? run : el('span', { class: run[0] }, run[1]));
}

const numbers = element => (element.dataset.origin ?? '').split(' ').filter(Boolean).map(Number);

/** Marks what the pointer or the keys are at. */
function link(pane) {
  pane.addEventListener('pointerover', event => {
    const line = event.target.closest('.line');
    if (line) mark(numbers(line), pane, false);
  });
  pane.addEventListener('click', event => {
    const line = event.target.closest('.line');
    if (line) mark(numbers(line), pane, true);
  });
  pane.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const linked = [...pane.querySelectorAll('.line[data-origin]')];
    const at = linked.findIndex(line => line.classList.contains('current'));
    const next = linked[Math.min(Math.max(at + step, 0), linked.length - 1)];
    linked[at]?.classList.remove('current');
    next.classList.add('current');
    next.scrollIntoView({ block: 'nearest' });
    mark(numbers(next), pane, true);
  });
}
