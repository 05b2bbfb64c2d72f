// Places the blocks of a graph in layers, from top to bottom, and draws its edges as curves.
//
// 1. layers: each block lies below those that lead to it; back edges do not count
// 2. an edge over several layers goes through a point in each of them
// 3. order: each layer is sorted by the mean place of its neighbours, up and down, a few times
// 4. places: as near to the neighbours as the order and the widths allow

const [GAP_X, GAP_Y, MARGIN, POINT] = [28, 44, 12, 10];
const SWEEPS = 6;

/** Returns the size of the picture, the corner of each box, and a curve with the place of its label for
 * each edge. Edges are `{from, to, isBack}` between the indices of boxes. */
export function laidOut(sizes, edges) {
  const nodes = sizes.map(size => ({ ...size, layer: 0, above: [], below: [] }));
  setLayers(nodes, edges);
  const routes = edges.map(edge => routed(nodes, edge));
  const layers = ordered(nodes);
  placeRows(layers);
  placeColumns(layers);
  const left = Math.min(...nodes.map(node => node.x - node.width / 2));
  for (const node of nodes) node.x += MARGIN - left;
  const right = Math.max(...nodes.map(node => node.x + node.width / 2));
  const bottom = Math.max(...nodes.map(node => node.y + node.height));
  let outside = right;
  const paths = edges.map((edge, index) => {
    const [from, to] = [nodes[edge.from], nodes[edge.to]];
    if (!edge.isBack) return curve(routes[index].map(number => nodes[number]));
    outside += POINT;
    return around(from, to, outside);
  });
  return {
    width: Math.ceil(outside + 2 * MARGIN + 40),
    height: Math.ceil(bottom + MARGIN),
    boxes: sizes.map((_, index) => ({ x: nodes[index].x - nodes[index].width / 2, y: nodes[index].y })),
    paths,
  };
}

/** Gives each node the length of the longest way to it. */
function setLayers(nodes, edges) {
  const forward = edges.filter(edge => !edge.isBack && edge.from !== edge.to);
  const waiting = nodes.map(() => 0);
  const next = nodes.map(() => []);
  for (const { from, to } of forward) {
    waiting[to]++;
    next[from].push(to);
  }
  const ready = nodes.map((_, index) => index).filter(index => waiting[index] === 0);
  while (ready.length > 0) {
    const from = ready.shift();
    for (const to of next[from]) {
      nodes[to].layer = Math.max(nodes[to].layer, nodes[from].layer + 1);
      if (--waiting[to] === 0) ready.push(to);
    }
  }
}

/** Puts points for an edge into the layers between its ends; returns all nodes that it goes through. */
function routed(nodes, { from, to, isBack }) {
  if (isBack || nodes[to].layer <= nodes[from].layer) return [from, to];
  const route = [from];
  for (let layer = nodes[from].layer + 1; layer < nodes[to].layer; layer++) {
    route.push(nodes.length);
    nodes.push({ width: POINT, height: 0, layer, above: [], below: [] });
  }
  route.push(to);
  for (let index = 1; index < route.length; index++) {
    nodes[route[index - 1]].below.push(nodes[route[index]]);
    nodes[route[index]].above.push(nodes[route[index - 1]]);
  }
  return route;
}

function ordered(nodes) {
  const layers = [];
  for (const node of nodes) (layers[node.layer] ??= []).push(node);
  const number = () => layers.forEach(layer => layer.forEach((node, index) => { node.order = index; }));
  number();
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const side = sweep % 2 === 0 ? 'above' : 'below';
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) {
      const mean = new Map(layer.map(node => {
        const near = node[side];
        return [node, near.length ? near.reduce((sum, other) => sum + other.order, 0) / near.length : node.order];
      }));
      layer.sort((a, b) => mean.get(a) - mean.get(b) || a.order - b.order);
      layer.forEach((node, index) => { node.order = index; });
    }
  }
  return layers;
}

function placeRows(layers) {
  let y = MARGIN;
  for (const layer of layers) {
    for (const node of layer) node.y = y;
    const height = Math.max(...layer.map(node => node.height));
    // A point lies in the middle of its layer.
    for (const node of layer) if (node.height === 0) node.y = y + height / 2;
    y += height + GAP_Y;
  }
}

function placeColumns(layers) {
  for (const layer of layers) {
    let x = 0;
    for (const node of layer) {
      node.x = x + node.width / 2;
      x += node.width + GAP_X;
    }
    for (const node of layer) node.x -= x / 2;
  }
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const side = sweep % 2 === 0 ? 'above' : 'below';
    for (const layer of sweep % 2 === 0 ? layers : [...layers].reverse()) settle(layer, side);
  }
}

/** Moves the nodes of a layer to the mean of their neighbours, as far as their order leaves room. */
function settle(layer, side) {
  const wanted = layer.map(node => {
    const near = node[side];
    return near.length ? near.reduce((sum, other) => sum + other.x, 0) / near.length : node.x;
  });
  const space = (a, b) => a.width / 2 + GAP_X + b.width / 2;
  const [fromLeft, fromRight] = [[], []];
  layer.forEach((node, index) => {
    const least = index ? fromLeft[index - 1] + space(layer[index - 1], node) : -Infinity;
    fromLeft[index] = Math.max(wanted[index], least);
  });
  for (let index = layer.length - 1; index >= 0; index--) {
    const most = index + 1 < layer.length ? fromRight[index + 1] - space(layer[index], layer[index + 1]) : Infinity;
    fromRight[index] = Math.min(wanted[index], most);
  }
  // The mean of both keeps the distances that both keep.
  layer.forEach((node, index) => { node.x = (fromLeft[index] + fromRight[index]) / 2; });
}

/** Returns a curve through nodes, from the lower side of the first to the upper side of the last. */
function curve(nodes) {
  const points = nodes.map((node, index) => [node.x, index === 0 ? node.y + node.height : node.y]);
  let d = `M${point(points[0])}`;
  for (let index = 1; index < points.length; index++) {
    const [a, b] = [points[index - 1], points[index]];
    const middle = (a[1] + b[1]) / 2;
    d += ` C${point([a[0], middle])} ${point([b[0], middle])} ${point(b)}`;
  }
  const [a, b] = points;
  return { d, label: [(3 * a[0] + b[0]) / 4, a[1] + 14] };
}

/** Returns a curve that goes back up on the right of the picture. */
function around(from, to, x) {
  const start = [from.x + from.width / 2, from.y + from.height - 10];
  const end = [to.x + to.width / 2, to.y + 10];
  return {
    d: `M${point(start)} C${point([x, start[1]])} ${point([x, start[1]])} ${point([x, start[1] - 16])} `
      + `L${point([x, end[1] + 16])} C${point([x, end[1]])} ${point([x, end[1]])} ${point(end)}`,
    label: [start[0], start[1] + 14],
  };
}

const point = ([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`;
