// The page: opens shaders, and shows one view of them at a time.

import { counted, el, failure } from './dom.js';
import { core, opened } from './session.js';
import { MAX_LINK, fragmentOf, shaderIn } from './share.js';
import { check } from './views/check.js';
import { code } from './views/code.js';
import { compare } from './views/compare.js';
import { flow } from './views/flow.js';
import { overview } from './views/overview.js';
import { run } from './views/run.js';
import { statistics } from './views/statistics.js';

/** Loaded when somebody debugs a shader. */
const debug = async session => (await import('./views/debug.js')).debug(session);

const VIEWS = {
  code: ['Code', code], overview: ['Contents', overview], flow: ['Control flow', flow],
  check: ['Validator', check], statistics: ['Statistics', statistics], run: ['Run', run],
  debug: ['Debug', debug], compare: ['Compare', compare],
};

const at = id => document.getElementById(id);
const [view, tabs] = [at('view'), at('tabs')];
let session = null;
let current = 'code';
let turn = 0;

/** Shows a view of the shader. Of several that were asked for, the last one is shown. */
export async function show(name = current) {
  current = name;
  for (const tab of tabs.children) {
    const isCurrent = tab.dataset.view === name;
    tab.setAttribute('aria-selected', String(isCurrent));
    tab.tabIndex = isCurrent ? 0 : -1;
  }
  view.setAttribute('aria-labelledby', `tab-${name}`);
  if (!session) return;
  const mine = ++turn;
  view.setAttribute('aria-busy', 'true');
  let content;
  try {
    content = await VIEWS[name][1](session);
    await Promise.all(content.flatMap(element => [...element.querySelectorAll?.('.pane') ?? []]).map(pane => pane.ready));
  } catch (error) {
    content = [failure(error)];
  }
  if (mine !== turn) return;
  view.className = `view-${name}`;
  view.replaceChildren(...content);
  view.setAttribute('aria-busy', 'false');
}

/** Opens a shader. */
export async function openBytes(name, bytes) {
  const mine = ++turn;
  view.setAttribute('aria-busy', 'true');
  say('');
  try {
    const next = await opened(name, bytes);
    if (mine !== turn) return;
    session = next;
    await describe();
    await show();
  } catch (error) {
    if (mine !== turn) return;
    say(`${name}: ${error.message}`);
    view.setAttribute('aria-busy', 'false');
  }
}

async function describe() {
  const { name, bytes, isSpirv, from } = session;
  document.title = `${name} - dxil-jit`;
  const facts = [counted(bytes.length, 'byte')];
  if (from !== 'file') facts.push(from);
  let entries = [];
  if (!isSpirv) {
    const { head } = await session.ask({ ask: 'overview' });
    entries = head.entries;
    if (head.profile) facts.unshift(head.profile);
  } else {
    facts.unshift('SPIR-V');
  }
  at('shader').replaceChildren(el('strong', {}, name), ` ${facts.join(', ')}`);
  const select = at('entry');
  at('entry-label').hidden = entries.length < 2;
  select.replaceChildren(...entries.map(({ name, kind }) => el('option', { value: name }, `${name} (${kind})`)));
  session.entry = entries.length > 1 ? entries[0].name : '';
}

/** Says something above the views; nothing hides it. */
function say(text) {
  at('notice').textContent = text;
  at('notice').hidden = !text;
}

async function openFile(file) {
  if (file) await openBytes(file.name, new Uint8Array(await file.arrayBuffer()));
}

async function openExample() {
  const response = await fetch(new URL('example.dxil', import.meta.url));
  await openBytes('collatz.dxil', new Uint8Array(await response.arrayBuffer()));
}

async function openAddress() {
  let shared = null;
  try {
    shared = await shaderIn(location.hash);
  } catch {
    say('The link holds no shader that can be read.');
  }
  if (shared) await openBytes(shared.name, shared.bytes);
  else if (!session) await openExample();
}

async function share() {
  const fragment = await fragmentOf(session.name, session.bytes);
  if (fragment.length > MAX_LINK) {
    return say(`The link would have ${fragment.length.toLocaleString('en')} characters, which is too long to share.`);
  }
  history.replaceState(null, '', fragment);
  try {
    await navigator.clipboard.writeText(location.href);
    say('The link is copied. It holds the shader itself; nothing was sent anywhere.');
  } catch {
    say('The address of this page now holds the shader. Copy it from the address bar.');
  }
}

function makeTabs() {
  for (const [name, [title]] of Object.entries(VIEWS)) {
    tabs.append(el('button', { type: 'button', role: 'tab', id: `tab-${name}`, 'data-view': name,
      'aria-controls': 'view', onclick: () => show(name) }, title));
  }
  tabs.addEventListener('keydown', event => {
    const all = [...tabs.children];
    const index = all.indexOf(event.target);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = all.at(next % all.length);
    tab.focus();
    show(tab.dataset.view);
  });
}

function listen() {
  at('open').onclick = () => at('file').click();
  at('file').onchange = () => openFile(at('file').files[0]);
  at('example').onclick = openExample;
  at('share').onclick = share;
  at('paste').onclick = () => at('paste-dialog').showModal();
  at('paste-dialog').addEventListener('close', () => {
    const text = at('paste-text').value;
    if (at('paste-dialog').returnValue === 'open' && text.trim()) {
      openBytes('pasted', new TextEncoder().encode(text));
    }
  });
  at('entry').onchange = () => {
    session.entry = at('entry').value;
    show();
  };
  addEventListener('hashchange', openAddress);
  addEventListener('dragover', event => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
  addEventListener('dragleave', event => {
    if (!event.relatedTarget) document.body.classList.remove('dropping');
  });
  addEventListener('drop', event => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    openFile(event.dataTransfer.files[0]);
  });
}

makeTabs();
listen();
show();
core.load().then(openAddress, error => say(`The page's module cannot be loaded: ${error.message}`));
