// Two panes with the code, each in a form of the reader's choice: listing, SPIR-V, other languages.

import { download, el, failure } from '../dom.js';
import { linesPane } from '../lines.js';

const FORMS = {
  listing: 'DXIL listing', llvm: 'LLVM text', tokens: 'DXBC tokens', source: 'HLSL source',
  spirv: 'SPIR-V', wgsl: 'WGSL', webgpu: 'WGSL for browsers', msl: 'MSL', glsl: 'GLSL', hlsl: 'HLSL',
};
const LANGUAGES = ['wgsl', 'webgpu', 'msl', 'glsl', 'hlsl'];
const EXTENSIONS = { wgsl: 'wgsl', webgpu: 'wgsl', msl: 'metal', glsl: 'glsl', hlsl: 'hlsl', llvm: 'll', listing: 'txt', tokens: 'txt' };

/** What the reader chose last, for the next shader. */
const chosen = ['listing', 'spirv'];

export async function code(session) {
  const forms = await formsOf(session);
  const panes = el('div', { class: 'panes' });
  const count = session.isSpirv ? 1 : 2;
  for (let index = 0; index < count; index++) {
    const form = forms.includes(chosen[index]) ? chosen[index] : forms[Math.min(index, forms.length - 1)];
    panes.append(pane(session, forms, index, form));
  }
  const note = session.isSpirv ? null : el('p', { class: 'note' },
    'Point at a line, or move through a pane with the arrow keys: listing, HLSL source, SPIR-V and the '
    + 'graph of the control flow mark the same instruction. LLVM text, tokens, WGSL, MSL, GLSL and HLSL are '
    + 'not linked, since their writers keep no positions.');
  return [panes, note].filter(Boolean);
}

async function formsOf(session) {
  if (session.isSpirv) return ['spirv'];
  const { head } = await session.ask({ ask: 'overview' });
  const forms = ['listing', 'llvm'];
  if (head.has_tokens) forms.unshift('tokens');
  if (head.sources > 0) forms.push('source');
  return [...forms, 'spirv', ...LANGUAGES];
}

function pane(session, forms, index, form) {
  const body = el('div', { class: 'pane-body' });
  const keep = el('button', { type: 'button', disabled: true }, 'Download');
  const select = el('select', { 'aria-label': index === 0 ? 'Left pane' : 'Right pane' },
    ...forms.map(name => el('option', { value: name, selected: name === form }, FORMS[name])));
  let current = 0;
  const show = async () => {
    const turn = ++current;
    chosen[index] = select.value;
    body.setAttribute('aria-busy', 'true');
    keep.disabled = true;
    let content;
    try {
      const { element, file } = await shown(session, select.value);
      content = element;
      keep.onclick = () => download(...file);
      keep.disabled = !file;
    } catch (error) {
      content = failure(error);
    }
    if (turn !== current) return;
    body.replaceChildren(content);
    body.setAttribute('aria-busy', 'false');
  };
  select.addEventListener('change', show);
  // `ready` lets the view wait until there is something to see.
  const element = el('div', { class: 'pane' }, el('div', { class: 'pane-head' }, select, keep), body);
  element.ready = show();
  return element;
}

const fileName = (session, extension) => `${session.name.replace(/\.[^.]*$/, '')}.${extension}`;
const bytesOf = text => new TextEncoder().encode(text);

/** Returns the element of a form, and the file to download. */
async function shown(session, form) {
  if (LANGUAGES.includes(form)) {
    const { text, comment } = await session.written(form);
    const all = comment + text;
    const lines = all.trimEnd().split('\n').map(line => ({ runs: [line] }));
    return {
      element: linesPane(FORMS[form], { lines, left_out: 0 }, EXTENSIONS[form] === 'wgsl' ? 'wgsl' : form),
      file: [fileName(session, EXTENSIONS[form]), bytesOf(all)],
    };
  }
  if (form === 'spirv') {
    const { head, payloads } = await session.ask({ ask: 'spirv' });
    const content = el('div', { class: 'pane-body' });
    for (const warning of head.warnings ?? []) content.append(el('p', { class: 'note' }, warning));
    const comment = (head.comment ?? '').split('\n').filter(Boolean).map(line => ({ runs: [line] }));
    content.append(linesPane(FORMS.spirv, { ...head, lines: [...comment, ...head.lines] }, 'spirv'));
    return { element: content, file: [fileName(session, 'spv'), payloads[0]] };
  }
  if (form === 'source') return { element: await source(session) };
  const { head } = await session.ask({ ask: 'code', form });
  const text = head.lines.map(({ runs }) => runs.map(run => typeof run === 'string' ? run : run[1]).join('')).join('\n');
  const language = form === 'listing' ? undefined : form;
  return {
    element: linesPane(FORMS[form], head, language),
    file: [fileName(session, EXTENSIONS[form]), bytesOf(`${text}\n`)],
  };
}

/** Returns the source files; each line belongs to the instructions that it became. */
async function source(session) {
  const { head: { files } } = await session.ask({ ask: 'code', form: 'source' });
  const { head: listing } = await session.ask({ ask: 'code', form: 'listing' });
  const normal = name => name.replaceAll('\\', '/').replace(/^(\.\/)+/, '');
  const origins = new Map();
  for (const { place, origin } of listing.lines) {
    if (!place) continue;
    const key = `${normal(place[0])}:${place[1]}`;
    if (!origins.has(key)) origins.set(key, []);
    origins.get(key).push(origin);
  }
  const lines = [];
  for (const file of files) {
    if (files.length > 1) lines.push({ runs: [['dim', `// ${file.name}`]] });
    for (const [index, line] of file.text.split(/\r?\n/).entries()) {
      lines.push({ runs: [line], origins: origins.get(`${normal(file.name)}:${index + 1}`) });
    }
  }
  return linesPane(FORMS.source, { lines, left_out: 0 }, 'source');
}
