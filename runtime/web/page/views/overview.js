// Parts, signatures, resources, layouts, root signature: the sections of `dxil-dis`.

import { el, failure, scrolled, table } from '../dom.js';

export async function overview(session) {
  if (session.isSpirv) {
    return [el('p', {}, `A SPIR-V module of ${session.bytes.length.toLocaleString('en')} bytes. `
      + 'The code and its statistics are in the other views.')];
  }
  const { head } = await session.ask({ ask: 'overview' });
  const content = head.errors.map(failure);
  const index = el('ul', { class: 'index' });
  for (const [number, section] of head.sections.entries()) {
    const id = `section-${number}`;
    index.append(el('li', {}, el('a', { href: `#${id}`, onclick: event => jump(event, id) }, section.title)));
    content.push(el('section', { id, tabindex: -1 },
      el('h2', {}, section.title, section.part ? el('span', { class: 'part' }, section.part) : null),
      shown(section.value, section.title)));
  }
  return [el('nav', { 'aria-label': 'Sections' }, index), ...content];
}

/** Goes to a section without a change of the address, which holds the shared shader. */
function jump(event, id) {
  event.preventDefault();
  const section = document.getElementById(id);
  section.scrollIntoView();
  section.focus({ preventScroll: true });
}

const words = name => name.replaceAll('_', ' ');
const isScalar = value => value === null || typeof value !== 'object'
  || (Array.isArray(value) && value.every(item => item === null || typeof item !== 'object'));
const isFlat = value => value && typeof value === 'object' && !Array.isArray(value)
  && Object.values(value).every(isScalar);

function text(value) {
  if (value === null) return '-';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) return value.map(text).join(' ') || '-';
  return String(value);
}

/** Shows a value of JSON: fields as a list, flat objects as a table. */
function shown(value, label) {
  if (isScalar(value)) {
    const content = text(value);
    return content.includes('\n') ? scrolled(label, el('pre', {}, content)) : el('span', { class: 'value' }, content);
  }
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every(isFlat)) {
      const columns = [...new Set(value.flatMap(Object.keys))];
      const rows = value.map(item => columns.map(column => text(item[column] ?? '')));
      return scrolled(label, table(label, columns.map(words), rows));
    }
    return el('ol', { class: 'items' }, ...value.map(item => el('li', {}, shown(item, label))));
  }
  const list = el('dl', {});
  for (const [name, field] of Object.entries(value)) {
    const isInline = isScalar(field) && !text(field).includes('\n');
    list.append(el('div', { class: isInline ? null : 'nested' },
      el('dt', {}, words(name)), el('dd', {}, shown(field, words(name)))));
  }
  return list;
}
