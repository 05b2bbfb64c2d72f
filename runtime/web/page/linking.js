// Marks what belongs together: lines of panes and blocks of the graph that come from one instruction.

const panes = new Map();
let marked = [];

/** Takes the elements of a pane by the number of their instruction; a pane that is gone has none. */
export function register(pane, byOrigin) {
  for (const known of panes.keys()) if (!known.isConnected && known !== pane) panes.delete(known);
  panes.set(pane, byOrigin);
}

/** Marks everything that comes from some instructions. `from` is the pane that is looked at: the others
 * show their first element, if asked to. */
export function mark(origins, from, shows) {
  for (const element of marked) element.classList.remove('marked');
  marked = [];
  for (const [pane, byOrigin] of panes) {
    let first = null;
    for (const origin of origins) {
      for (const element of byOrigin.get(origin) ?? []) {
        element.classList.add('marked');
        marked.push(element);
        first ??= element;
      }
    }
    if (shows && pane !== from && first) scrollTo(pane, first);
  }
}

/** Scrolls a pane, and nothing around it. */
function scrollTo(pane, element) {
  const [outer, inner] = [pane.getBoundingClientRect(), element.getBoundingClientRect()];
  if (inner.top < outer.top || inner.bottom > outer.bottom) {
    pane.scrollTop += inner.top - outer.top - outer.height / 3;
  }
  if (inner.left > outer.right || inner.right < outer.left) {
    pane.scrollLeft += inner.left - outer.left - outer.width / 3;
  }
}
