// The differences of this shader and another one, as `dxil-dis --diff` prints them.

import { counted, el, failure } from '../dom.js';
import { linesPane } from '../lines.js';
import { core, opened } from '../session.js';

export async function compare(session) {
  if (session.isSpirv) return [el('p', {}, 'DXIL and DXBC are compared.')];
  const result = el('div', { 'aria-live': 'polite' });
  const input = el('input', { type: 'file', id: 'other' });
  input.addEventListener('change', async () => {
    const [file] = input.files;
    if (!file) return;
    try {
      const other = await opened(file.name, new Uint8Array(await file.arrayBuffer()));
      result.replaceChildren(...await differences(session, other));
    } catch (error) {
      result.replaceChildren(failure(error));
    }
  });
  const label = el('label', { for: 'other' }, `Compare ${session.name} with `);
  return [el('p', { class: 'row' }, label, input), result];
}

/** Returns the differences of two shaders. */
export async function differences(session, other) {
  const { head } = await session.askWith(core, { ask: 'compare', a: session.name, b: other.name }, [other.bytes]);
  if (head.differences === 0) return [el('p', { class: 'good' }, 'no differences')];
  return [el('p', {}, counted(head.differences, 'line') + ' differ'), linesPane('Differences', { lines: head.lines, left_out: 0 })];
}
