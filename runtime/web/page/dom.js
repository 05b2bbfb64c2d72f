// Makes elements. Text from files only ever becomes text, never markup.

/** Makes an element with attributes and children. */
export function el(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an element of SVG. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

/** Makes a table of texts. Numbers are aligned to the right. */
export function table(caption, columns, rows) {
  const isNumber = text => /^[-+]?(\d|inf|NaN|\.\d)[\d.e+-]*$|^-?inf$|^NaN$/i.test(text);
  const cell = text => el('td', { class: isNumber(String(text)) ? 'number' : null }, String(text));
  return el('table', {},
    el('caption', {}, caption),
    el('thead', {}, el('tr', {}, ...columns.map(name => el('th', { scope: 'col' }, name)))),
    el('tbody', {}, ...rows.map(row => el('tr', {}, ...row.map(cell)))));
}

/** Puts a table where it can be scrolled, also with keys. */
export function scrolled(label, content) {
  return el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label }, content);
}

/** Makes the message of an error, as the commands print it. */
export function failure(error) {
  const kind = { malformed: 'Malformed input', unsupported: 'Not supported', internal: 'Internal error',
    stopped: 'Stopped' }[error.kind] ?? 'Error';
  return el('p', { class: 'failure', role: 'alert' }, el('strong', {}, `${kind}: `), error.message);
}

/** Says a number of things in words: `1 row`, `2 rows`. */
export const counted = (number, word) => `${number.toLocaleString('en')} ${word}${number === 1 ? '' : 's'}`;

/** Returns bytes as a file that the reader can keep. */
export function download(name, bytes) {
  const url = URL.createObjectURL(new Blob([bytes]));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
