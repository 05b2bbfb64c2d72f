// Counts: words of the module by kind of instruction, operations of the shader, bytes of parts.

import { counted, el, failure, scrolled, table } from '../dom.js';

export async function statistics(session) {
  const content = [];
  if (!session.isSpirv) {
    const { head } = await session.ask({ ask: 'overview' });
    const parts = head.sections.find(section => section.key === 'container')?.value.parts;
    if (parts) content.push(bars('Bytes of the container', 'part', 'bytes', parts.map(part => [part.name, part.bytes])));
  }
  try {
    const { head } = await session.ask({ ask: 'spirv' });
    const { kinds, instructions } = head.statistics;
    const words = kinds.reduce((sum, row) => sum + row[2], 0);
    content.unshift(el('p', {}, `The SPIR-V module has ${counted(words, 'word')}.`));
    content.push(bars('Words of SPIR-V', 'kind', 'words', kinds.map(row => [row[0], row[2]])));
    content.push(el('section', {}, el('h2', {}, 'SPIR-V instructions'),
      scrolled('SPIR-V instructions', table('SPIR-V instructions', ['instruction', 'count', 'words'], instructions))));
    if (head.operations) {
      content.push(bars('Instructions of the shader', 'operation', 'count', head.operations.map(row => [row[0], row[1]])));
    }
  } catch (error) {
    content.push(failure(error));
  }
  return content;
}

/** Makes a table with a bar in each row. */
function bars(title, what, unit, rows) {
  const most = Math.max(1, ...rows.map(row => row[1]));
  const sum = rows.reduce((all, row) => all + row[1], 0) || 1;
  const body = rows.map(([name, count]) => {
    const bar = el('span', { class: 'bar' });
    bar.style.inlineSize = `${100 * count / most}%`;
    return el('tr', {}, el('th', { scope: 'row' }, name), el('td', { class: 'number' }, count.toLocaleString('en')),
      el('td', { class: 'number' }, `${(100 * count / sum).toFixed(1)} %`), el('td', { class: 'bars', 'aria-hidden': true }, bar));
  });
  const head = [what, unit, 'share'].map(name => el('th', { scope: 'col' }, name));
  return el('section', {}, el('h2', {}, title), scrolled(title, el('table', { class: 'with-bars' },
    el('caption', {}, title), el('thead', {}, el('tr', {}, ...head, el('td', {}))), el('tbody', {}, ...body))));
}
