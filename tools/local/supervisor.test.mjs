import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Directory } from './directory.mjs';
import { startMark } from './processes.mjs';
import { Supervisor } from './supervisor.mjs';

/** @type {Directory} */
let directory;
/** @type {Supervisor} */
let supervisor;
/** @type {string[]} */
let printed;

beforeEach(() => {
  directory = new Directory(mkdtempSync(join(tmpdir(), 'tollbridge-supervisor-')));
  printed = [];
  supervisor = new Supervisor(directory, { print: (text) => printed.push(text) });
});

afterEach(async () => {
  await supervisor.stop([...supervisor.children.keys()]);
  rmSync(directory.path, { recursive: true });
});

/** @param {string} name @param {string} code @param {Partial<import('./supervisor.mjs').ChildPlan>} [more] */
const plan = (name, code, more) => ({
  name,
  command: async () => ({ program: process.execPath, args: ['-e', code] }),
  isReady: async () => readFileSync(supervisor.logOf(name), 'utf8').includes('ready'),
  ...more,
});

const lives = "console.log('ready'); setInterval(() => {}, 1000)";

/** @param {() => boolean} condition */
async function until(condition) {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(10)) if (condition()) return;
  assert.fail('it did not happen within 60 s');
}

describe('a child', () => {
  it('restarts a killed process and records its new process id', async () => {
    supervisor.start(plan('child', lives));
    await supervisor.untilReady(['child']);
    const first = supervisor.pids.child;
    process.kill(first, 'SIGKILL');
    await until(() => supervisor.pids.child > 0 && supervisor.pids.child !== first);
    assert.match(printed[0], /child ended \(SIGKILL\)/);
    assert.deepEqual(directory.orphans(), [
      { name: 'child', pid: supervisor.pids.child, mark: startMark(supervisor.pids.child) },
    ]);
  });

  it('does not restart a stopped process and removes its record', async () => {
    supervisor.start(plan('child', lives));
    await supervisor.untilReady(['child']);
    const { child: pid } = supervisor.pids;
    await supervisor.stop(['child']);
    assert.equal(startMark(pid), undefined);
    assert.deepEqual([supervisor.pids, directory.orphans(), printed], [{}, [], []]);
  });

  it('kills a process that ignores the stop signal', async () => {
    const stubborn = `process.on('SIGTERM', () => {}); ${lives}`;
    supervisor.start(plan('child', stubborn, { stopTimeoutMs: 200 }));
    await supervisor.untilReady(['child']);
    const { child: pid } = supervisor.pids;
    await supervisor.stop(['child']);
    assert.equal(startMark(pid), undefined);
  });

  it('stops restarting a process that fails at every start, and shows its last output', async () => {
    supervisor.start(plan('child', "console.log('no luck'); process.exit(3)"));
    await assert.rejects(supervisor.untilReady(['child']), (/** @type {any} */ error) => {
      assert.match(error.message, /child does not start/);
      assert.match(error.details, /no luck/);
      return true;
    });
  });

  it('fails immediately if the program is missing', async () => {
    const missing = async () => {
      throw new Error('there is no such program');
    };
    supervisor.start(plan('child', '', { command: missing }));
    await assert.rejects(supervisor.untilReady(['child']), /no such program/);
  });

  it('fails if a process does nothing and is not ready', async () => {
    supervisor.start(plan('child', 'setInterval(() => {}, 1000)', { silentTimeoutMs: 1_000 }));
    await assert.rejects(supervisor.untilReady(['child']), /child is not ready, and did nothing for 1 s/);
  });

  for (const [sign, work] of [
    ['writes to its log', "console.log('.')"],
    ['uses the processor', 'for (const end = Date.now() + 150; Date.now() < end;);'],
  ])
    it(`waits for a process that ${sign}, for several times the silent time-out`, async () => {
      const code = `let steps = 0; setInterval(() => { ${work}; if (++steps === 25) console.log('ready') }, 200)`;
      const startMs = performance.now();
      supervisor.start(plan('child', code, { silentTimeoutMs: 1_500 }));
      await supervisor.untilReady(['child']);
      assert.ok(performance.now() - startMs > 3 * 1_500);
    });

  it('reports the processes that it waits for', async () => {
    const notes = [];
    supervisor.start(plan('quick', lives));
    supervisor.start(plan('slow', `setTimeout(() => { ${lives} }, 1500)`));
    await supervisor.untilReady(['quick', 'slow'], (text) => notes.push(text));
    assert.deepEqual(notes, ['waiting for quick, slow', 'waiting for slow', '']);
  });

  it('stops a process that waits for its restart', async () => {
    supervisor.start(plan('child', 'process.exit(1)'));
    await until(() => printed.length >= 3);
    await supervisor.stop(['child']);
    assert.deepEqual(supervisor.pids, {});
  });
});
