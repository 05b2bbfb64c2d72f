// What the validator says.

import { counted, el, scrolled, table } from '../dom.js';

export async function check(session) {
  if (session.isSpirv) return [el('p', {}, 'The validator checks DXIL; SPIR-V has its own, spirv-val.')];
  const { head } = await session.ask({ ask: 'check' });
  const content = [];
  if (head.violations.length === 0) {
    content.push(el('p', { class: 'good' }, `valid (validator ${head.validator})`));
  } else {
    const count = counted(head.violations.length + head.left_out, 'violation');
    content.push(el('p', {}, `${count} of the rules of validator ${head.validator}`));
    const rows = head.violations.map(one => [one.severity, one.rule, one.text, one.requirement]);
    content.push(scrolled('Violations', table('Violations', ['severity', 'rule', 'what dxil-val says', 'the rule'], rows)));
    if (head.left_out) content.push(el('p', { class: 'note' }, counted(head.left_out, 'more violation')));
  }
  return content;
}
