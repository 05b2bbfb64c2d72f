// The control flow of each function as a graph, beside the constructs of its SPIR-V.

import { counted, el, failure, scrolled, svg } from '../dom.js';
import { mark, register } from '../linking.js';
import { laidOut } from '../graph.js';

/** Larger graphs are only listed: nobody reads a picture of them. */
const MAX_BLOCKS = 300;
/** Lines of code that a block shows, and characters of each. */
const [MAX_LINES, MAX_WIDTH] = [10, 64];
const [LINE, PADDING] = [15, 8];

export async function flow(session) {
  if (session.isSpirv) return [el('p', {}, 'The control flow is shown of DXIL and DXBC.')];
  const { head } = await session.ask({ ask: 'flow' });
  return head.functions.map(shown);
}

function shown(described) {
  const { name, blocks } = described;
  const edges = blocks.reduce((sum, block) => sum + block.edges.length, 0);
  const constructs = described.error ? failure(described.error)
    : scrolled(`Constructs of ${name}`, el('pre', { class: 'lines' }, described.constructs));
  const picture = blocks.length > MAX_BLOCKS
    ? el('p', { class: 'note' }, `A graph of ${counted(blocks.length, 'block')} is too large for a picture.`)
    : graph(name, blocks);
  return el('section', {},
    el('h2', {}, name),
    el('p', { class: 'note' }, `${counted(blocks.length, 'block')}, ${counted(edges, 'edge')}`),
    el('div', { class: 'panes' },
      el('div', { class: 'pane' }, el('h3', {}, 'Blocks'), picture),
      el('div', { class: 'pane' }, el('h3', {}, 'Constructs of the SPIR-V'), constructs)));
}

function graph(name, blocks) {
  const texts = blocks.map(({ code }) => {
    const lines = code.slice(0, MAX_LINES).map(line => line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1)}…` : line);
    return code.length > MAX_LINES ? [...lines, `… ${counted(code.length - MAX_LINES, 'more line')}`] : lines;
  });
  const character = characterWidth();
  const sizes = texts.map((lines, index) => ({
    width: Math.max(blocks[index].name.length, ...lines.map(line => line.length)) * character + 2 * PADDING,
    height: (lines.length + 1) * LINE + 2 * PADDING,
  }));
  const place = new Map(blocks.map((block, index) => [block.name, index]));
  const all = blocks.flatMap((block, from) => block.edges.map(edge => (
    { from, to: place.get(edge.to), isBack: edge.is_back, label: edge.label })));
  const { width, height, boxes, paths } = laidOut(sizes, all);
  const picture = svg('svg', { class: 'graph', width, height, viewBox: `0 0 ${width} ${height}`, role: 'img',
    'aria-label': `Control flow of ${name}: ${summary(blocks)}` });
  const id = `arrow-${Math.random().toString(36).slice(2)}`;
  picture.append(svg('defs', {}, svg('marker', { id, viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7,
    markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { class: 'arrow', d: 'M0 0 8 4 0 8z' }))));
  paths.forEach(({ d, label }, index) => {
    const edge = all[index];
    picture.append(svg('path', { class: edge.isBack ? 'edge back' : 'edge', d, 'marker-end': `url(#${id})` }));
    if (edge.label) {
      picture.append(svg('text', { class: 'edge-label', x: label[0] + 4, y: label[1] }, edge.label));
    }
  });
  const byOrigin = new Map();
  const pane = scrolled(`Graph of ${name}`, picture);
  boxes.forEach(({ x, y }, index) => {
    const block = blocks[index];
    const { width, height } = sizes[index];
    const group = svg('g', { class: block.is_reachable ? 'block' : 'block unreachable' },
      svg('rect', { x, y, width, height, rx: 4 }),
      svg('text', { class: 'block-name', x: x + PADDING, y: y + PADDING + 10 }, block.name),
      ...texts[index].map((line, row) =>
        svg('text', { x: x + PADDING, y: y + PADDING + 10 + (row + 1) * LINE }, line)));
    for (const origin of block.origins) byOrigin.set(origin, [group]);
    group.addEventListener('pointerenter', () => mark(block.origins, pane, false));
    group.addEventListener('click', () => mark(block.origins, pane, true));
    picture.append(group);
  });
  register(pane, byOrigin);
  return pane;
}

/** Returns the width of a character in the font that the graph has. */
function characterWidth() {
  const context = document.createElement('canvas').getContext('2d');
  context.font = `11px ${getComputedStyle(document.documentElement).getPropertyValue('--mono')}`;
  return context.measureText('M'.repeat(64)).width / 64;
}

/** Says the graph in words, for those who do not see it. */
function summary(blocks) {
  const said = blocks.slice(0, 40).map(({ name, edges }) =>
    edges.length ? `${name} to ${edges.map(edge => edge.to + (edge.is_back ? ' (back)' : '')).join(' and ')}` : `${name} ends`);
  return said.join('; ');
}
