// Debugs runtime/debug/tests/data/steps.dxil with the client that Microsoft tests adapters with.
// Arguments: dxil-debug, and the folder of the shader.
'use strict';
const assert = require('assert');
const fs = require('fs');
const path = require('path');
const { DebugClient } = require('@vscode/debugadapter-testsupport');

const [command, folder] = process.argv.slice(2);
const source = path.join(folder, 'steps.hlsl');
const lines = fs.readFileSync(source, 'utf8').split('\n');
const lineOf = (text) => lines.findIndex((line) => line.includes(text)) + 1;
const config = { program: path.join(folder, 'steps.dxil'), args: ['--dispatch', '2'], cwd: folder };

/** What `sum(count)` of the shader gives. */
const sum = (count) => [...Array(count).keys()].reduce((all, i) => all + 2 * (i + 1), 0);

let passed = 0;
async function check(name, body) {
  const client = new DebugClient('node', '', 'dxil');
  // The client starts adapters that are scripts; this one is a program.
  const { spawn } = require('child_process');
  const adapter = spawn(command, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  client.connect(adapter.stdout, adapter.stdin);
  try {
    await body(client);
    await client.disconnectRequest({});
  } catch (error) {
    console.error(`${name}: ${error.stack || error}`);
    process.exitCode = 1;
  }
  adapter.kill();
  passed += process.exitCode ? 0 : 1;
}

/** Returns the variables of the innermost call of a thread, by name. */
async function locals(client, threadId) {
  const stack = await client.stackTraceRequest({ threadId });
  const frameId = stack.body.stackFrames[0].id;
  const scopes = await client.scopesRequest({ frameId });
  const { variablesReference } = scopes.body.scopes[0];
  const variables = await client.variablesRequest({ variablesReference });
  return Object.fromEntries(variables.body.variables.map((v) => [v.name, v]));
}

async function main() {
  await check('initialize', async (client) => {
    const answer = await client.initializeRequest();
    assert.strictEqual(answer.body.supportsConfigurationDoneRequest, true);
    assert.strictEqual(answer.body.supportsStepBack, true);
  });
  await check('a run to the end', async (client) => {
    await Promise.all([client.configurationSequence(), client.launch(config), client.waitForEvent('terminated')]);
  });
  await check('stop on entry', async (client) => {
    await Promise.all([
      client.configurationSequence(),
      client.launch({ ...config, stopOnEntry: true }),
      client.assertStoppedLocation('entry', { path: source, line: lineOf('ball.place = ') }),
    ]);
  });
  await check('a breakpoint', async (client) => {
    await client.hitBreakpoint({ ...config, thread: 3 }, { path: source, line: lineOf('total += twice') });
    const found = await locals(client, 4);
    assert.strictEqual(found.count.value, '3');
    assert.strictEqual(found.total.value, '0');
  });
  await check('a conditional breakpoint', async (client) => {
    const line = lineOf('totals[lane] = result');
    const stop = client.waitForEvent('stopped');
    await Promise.all([
      client.waitForEvent('initialized').then(async () => {
        await client.setBreakpointsRequest({ source: { path: source }, breakpoints: [{ line, condition: 'lane == 14' }] });
        await client.configurationDoneRequest();
      }),
      client.launch(config),
    ]);
    const { threadId } = (await stop).body;
    assert.strictEqual(threadId, 15);
    const found = await locals(client, threadId);
    assert.strictEqual(found.result.value, String(sum(2) + 200));
    assert.strictEqual(found.grid.value, '{(1, 2, 3), (4, 5, 14)}');
    const evaluated = await client.evaluateRequest({ expression: 'squares[3] + 1' });
    assert.strictEqual(evaluated.body.result, String(17 * 17 + 1));
  });
  await check('steps', async (client) => {
    const call = lineOf('total += twice');
    await client.hitBreakpoint({ ...config, thread: 3 }, { path: source, line: call });
    const at = (line) => client.assertStoppedLocation('step', { path: source, line });
    await Promise.all([client.stepInRequest({ threadId: 4 }), at(lineOf('result = value * 2'))]);
    await Promise.all([client.stepOutRequest({ threadId: 4 }), at(call)]);
    await Promise.all([client.nextRequest({ threadId: 4 }), at(lineOf('for (uint i'))]);
    assert.strictEqual((await locals(client, 4)).total.value, String(sum(1)));
    await Promise.all([client.stepBackRequest({ threadId: 4 }), at(call)]);
    assert.strictEqual((await locals(client, 4)).total.value, '0');
  });
  await check('all lanes', async (client) => {
    await client.hitBreakpoint(config, { path: source, line: lineOf('result += 100') });
    const answer = await client.customRequest('dxil/lanes', { expression: 'result' });
    for (const { lane, active, value } of answer.body.lanes) {
      assert.strictEqual(active, lane % 2 === 1);
      if (active) assert.strictEqual(value, String(sum(lane & 3)));
    }
  });
  await check('a pixel of a draw', async (client) => {
    const shader = path.join(folder, 'drawn_ps.hlsl');
    const text = fs.readFileSync(shader, 'utf8').split('\n');
    const line = text.findIndex((line) => line.includes('if (')) + 1;
    const draw = {
      program: path.join(folder, 'drawn_vs.dxil'),
      args: [path.join(folder, 'drawn_ps.dxil'), '--draw', '3'],
      cwd: folder,
      target: 'pixel:130,100',
    };
    const stop = client.waitForEvent('stopped');
    await client.hitBreakpoint(draw, { path: shader, line });
    const { threadId } = (await stop).body;
    const found = await locals(client, threadId);
    // The cell of four by four pixels, and 2 x + y.
    assert.strictEqual(found.cell.value, '(32, 25)');
    assert.strictEqual(found.shade.value, '89');
    const threads = (await client.threadsRequest()).body.threads;
    const own = threads.find((thread) => thread.id === threadId);
    assert.ok(own.name.startsWith('pixel 130,100 of primitive 0'), own.name);
    const again = client.waitForEvent('stopped');
    await client.customRequest('dxil/pick', { target: 'pixel:132,100' });
    assert.strictEqual((await again).body.reason, 'entry');
    const evaluated = await client.evaluateRequest({ expression: '$active' });
    assert.strictEqual(evaluated.body.result, 'true');
  });
  console.log(`${passed} checks passed`);
}

main();
