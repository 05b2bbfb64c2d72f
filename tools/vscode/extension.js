// The extension starts dxil-debug, which does all the rest, and has commands for its requests.
'use strict';
const vscode = require('vscode');

/** Asks the session that is debugged; says so where there is none. */
async function request(command, args) {
  const session = vscode.debug.activeDebugSession;
  if (!session || session.type !== 'dxil') {
    vscode.window.showInformationMessage('No shader is being debugged.');
    return undefined;
  }
  try {
    return await session.customRequest(command, args);
  } catch (error) {
    vscode.window.showErrorMessage(String(error.message || error));
    return undefined;
  }
}

async function showLanes() {
  const expression = await vscode.window.showInputBox({ prompt: 'Expression, in HLSL', value: '$thread' });
  const answer = expression && (await request('dxil/lanes', { expression }));
  if (!answer) return;
  const items = answer.lanes.map((row) => ({
    label: `lane ${row.lane}`,
    description: row.value !== undefined ? row.value : `<${row.error}>`,
    detail: row.active ? undefined : row.line !== undefined ? `waits at line ${row.line}` : 'ended',
  }));
  await vscode.window.showQuickPick(items, { title: expression, matchOnDescription: true });
}

async function pick() {
  const prompt = 'Group and thread, like 3,0,0:17, or pixel:120,80, vertex:2, ray:120,80';
  const target = await vscode.window.showInputBox({ prompt, value: '0,0,0:0' });
  if (target) await request('dxil/pick', { target });
}

const step = (to) => () => request('dxil/step', { to });

/** Goes back to the instruction and the lane that wrote a variable, or an expression that is asked for. */
async function who(context) {
  const clicked = context && context.variable && (context.variable.evaluateName || context.variable.name);
  const expression = clicked || (await vscode.window.showInputBox({ prompt: 'Expression, in HLSL, like totals[7]' }));
  const frame = vscode.debug.activeStackItem;
  if (expression) await request('dxil/who', { expression, frameId: frame && frame.frameId });
}

exports.activate = (context) => {
  const factory = {
    createDebugAdapterDescriptor() {
      const command = vscode.workspace.getConfiguration('dxil').get('debugger', 'dxil-debug');
      return new vscode.DebugAdapterExecutable(command, []);
    },
  };
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory('dxil', factory),
    vscode.commands.registerCommand('dxil.lanes', showLanes),
    vscode.commands.registerCommand('dxil.pick', pick),
    vscode.commands.registerCommand('dxil.wave', step('wave')),
    vscode.commands.registerCommand('dxil.barrier', step('barrier')),
    vscode.commands.registerCommand('dxil.who', who),
  );
};
exports.deactivate = () => {};
