import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readVectors } from './bazaar-vectors.mjs';
import { copyCalls } from './local-usdc.mjs';
import { readSummary } from './mcp-suite.mjs';
import { runGroup } from './process-group.mjs';
import { renderPage, shortened } from './render-page.mjs';
import { readScenarios, unstarted, withOthers } from './x402-matrix.mjs';
import { dependenciesOf, entriesOf } from './x402-workspace.mjs';

const scenario = {
  client: 'fetch',
  server: 'express',
  facilitator: 'typescript',
  endpoint: '/exact/evm/eip3009',
  passed: true,
};
const failed = {
  ...scenario,
  facilitator: 'tollbridge',
  endpoint: '/exact/evm/permit2-erc20ApprovalGasSponsoring',
  passed: false,
  error: `Payment failed | at http://localhost:4022 for 0x${'ab'.repeat(32)}\nstack`,
};
const results = {
  date: '2026-11-27',
  commit: 'dd927a26cfefc98c24b3ec38b3a8f204dad0c60d',
  endpoints: '.*',
  scenarios: [scenario, failed, { ...failed, client: 'axios' }],
  bazaar: { vectors: [], missing: 'no script' },
  mcp: { runs: [] },
};

describe('readScenarios', () => {
  it('reads the results of the harness, and counts only paid cases as passed', () => {
    const { passed: _passed, ...unpaid } = scenario;
    const json = JSON.stringify({ results: [{ ...scenario, testNumber: 1, transaction: '0x1' }, scenario] });
    assert.deepEqual(readScenarios(json), [
      scenario,
      { ...unpaid, passed: false, error: 'no transaction was reported' },
    ]);
  });

  it('rejects a run without scenarios', () => {
    assert.throws(() => readScenarios('{"results":[]}'), /no scenario/);
  });
});

describe('unstarted', () => {
  it('lists the EVM endpoints that match', () => {
    const paid = { requiresPayment: true, protocolFamily: 'evm' };
    const endpoints = [
      { ...paid, path: '/exact/evm/eip3009' },
      { ...paid, path: '/upto/evm/permit2' },
      { ...paid, path: '/exact/svm', protocolFamily: 'svm' },
      { path: '/health' },
    ];
    assert.deepEqual(unstarted({ endpoints }, '/exact/.*'), ['/exact/evm/eip3009']);
    assert.deepEqual(unstarted({ endpoints }, '.*'), ['/exact/evm/eip3009', '/upto/evm/permit2']);
  });
});

describe('readVectors', () => {
  it('reads each vector with its outcome', () => {
    const output =
      "endpoint: http://x\n  [ok] V0 status=200 baseline: 3 items; sha256=ab12\n  [FAIL] V4 status=200 network='eip155:9': ignored\n" +
      '  [INCOMPLETE] V7 positive control: none\nINCOMPLETE: 1 vector(s) could not be evaluated.';
    assert.deepEqual(readVectors(output), [
      { id: 'V0', outcome: 'ok', note: 'status=200 baseline: 3 items' },
      { id: 'V4', outcome: 'FAIL', note: "status=200 network='eip155:9': ignored" },
      { id: 'V7', outcome: 'INCOMPLETE', note: 'positive control: none' },
    ]);
  });
});

describe('readSummary', () => {
  it('reads the scenarios of the MCP suite, and marks expected failures', () => {
    const output =
      '=== SUMMARY ===\n✓ ping: 2 passed, 0 failed\n✗ prompts-list: 0 passed, 1 failed\n✗ odd: 1 passed, 1 failed\n';
    const list = 'server:\n  # There are no prompts.\n  - prompts-list\n  - ping:one-check\n';
    assert.deepEqual(readSummary(output, list), [
      { name: 'ping', passed: 2, failed: 0, isExpected: true },
      { name: 'prompts-list', passed: 0, failed: 1, isExpected: true },
      { name: 'odd', passed: 1, failed: 1, isExpected: false },
    ]);
  });
});

describe('withOthers', () => {
  it('keeps the earlier results of pairs that were not run again', () => {
    const again = { ...failed, passed: true };
    assert.deepEqual(withOthers([again], [scenario, failed]), [scenario, again]);
  });
});

describe('renderPage', () => {
  it('counts scenarios in the summary, by seller and by endpoint', () => {
    const page = renderPage(results);
    assert.match(page, /\[x402 end-to-end tests\]\(#x402-end-to-end-tests\) \| 1 \| 2 \|/);
    assert.match(page, /\| express \| 1 of 1 \| 0 of 1 \| – \| 0 of 1 \|/);
    assert.match(page, /\| `\/exact\/evm\/eip3009` \| 1 of 1 \| – \|/);
  });

  it('lists failures below their reason, once per error', () => {
    const other = { ...failed, endpoint: '/upto/evm/permit2-erc20ApprovalGasSponsoring' };
    const page = renderPage({ ...results, scenarios: [...results.scenarios, other] });
    assert.match(page, /does not sponsor the gas of a plain ERC-20 approval/);
    const endpoints = `\`${failed.endpoint}\`, \`${other.endpoint}\``;
    const error = '`Payment failed \\| at http://localhost for 0x…`';
    assert.ok(page.includes(`| express | tollbridge | 3 | ${endpoints} | fetch, axios | ${error} |`));
  });

  it('states which suites were not run, and when only some endpoints were', () => {
    const page = renderPage({ ...results, endpoints: '/exact/.*' });
    assert.match(page, /Not run: no script\./);
    assert.match(page, /Only endpoints that match `\/exact\/\.\*` were run/);
    assert.match(page, /\[Discovery vectors\]\(#discovery-vectors\) \| 0 \| 0 \| all \|/);
  });

  it('separates MCP failures with a listed reason from other failures', () => {
    const scenarios = readSummary(
      '✗ a: 0 passed, 1 failed\n✗ b: 0 passed, 1 failed\n✓ c: 1 passed, 0 failed\n',
      'server:\n  - a\n',
    );
    const page = renderPage({ ...results, mcp: { runs: [{ revision: '2026-07-28', scenarios }] } });
    assert.match(page, /\| 2026-07-28 \| 1 \| 1 \| `b` \|/);
  });
});

describe('shortened', () => {
  it('removes hashes and ports from the message', () => {
    assert.equal(shortened('{"success":false,"error":"status code 412"}\n'), 'status code 412');
    assert.equal(shortened('\n  at localhost:4022 `x`\nmore'), "at localhost 'x'");
    assert.equal(shortened('a'.repeat(300)).length, 201);
    assert.equal(shortened('/x.ts:159\n  throw\nError: no header\n    at x'), 'Error: no header');
  });
});

describe('runGroup', () => {
  const idleMs = 30_000;
  const run = (code, onPrinted = () => undefined) => {
    const lines = [];
    const onLine = (line) => {
      lines.push(line);
      onPrinted();
    };
    return runGroup(process.execPath, ['-e', code], { idleMs, onLine }).then((exit) => ({ exit, lines }));
  };
  const until = async (condition) => {
    const endMs = performance.now() + 60_000;
    while (!condition() && performance.now() < endMs) await new Promise((done) => setTimeout(done, 10));
    return condition();
  };
  const isGone = (pid) => {
    try {
      process.kill(pid, 0);
      return false;
    } catch {
      return true;
    }
  };
  const starting = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    console.log(child.pid);`;

  it('returns the exit code, and ends processes that the program has left running', async () => {
    const { exit, lines } = await run(`${starting} process.exit(3)`);
    assert.equal(exit, 3);
    assert.ok(await until(() => isGone(Number(lines[0]))));
  });

  it('ends a program without further output, including its children', async (context) => {
    // The silence starts after the line, however long the program takes to print the line.
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const beSilent = () => context.mock.timers.tick(idleMs);
    const { exit, lines } = await run(`${starting} setInterval(() => {}, 1000)`, beSilent);
    context.mock.timers.reset();
    assert.equal(exit, null);
    assert.match(lines[0], /^\d+$/);
    assert.ok(await until(() => isGone(Number(lines[0]))));
  });
});

describe('copyCalls', () => {
  const storage = { '0x1': '0x2a', [`0x${'0'.repeat(63)}2`]: '0x0' };
  const state = { accounts: { '0xAB': { code: '0x60', storage } } };

  it('copies the code and every slot, in words of 32 bytes', () => {
    const [code, ...slots] = copyCalls(state, '0xab', '0xcd');
    assert.deepEqual(code, ['anvil_setCode', ['0xcd', '0x60']]);
    assert.deepEqual(slots[0], [
      'anvil_setStorageAt',
      ['0xcd', `0x${'1'.padStart(64, '0')}`, `0x${'2a'.padStart(64, '0')}`],
    ]);
    assert.equal(slots.length, 2);
  });

  it('rejects an address without a contract', () => {
    assert.throws(() => copyCalls(state, '0xee', '0xcd'), /no contract at 0xee/);
  });
});

describe('packages of the tests', () => {
  it('include the dependencies of all participants, without packages of the workspace', () => {
    const manifests = [
      { dependencies: { viem: '^2', '@x402/core': 'workspace:*' } },
      { dependencies: { viem: '^1', hono: '^4' } },
      {},
    ];
    assert.deepEqual(dependenciesOf(manifests), { viem: '^2', hono: '^4' });
  });

  it('have their entry points in src', () => {
    const exported = { '.': './dist/esm/index.mjs', './exact/client': './dist/esm/exact/client/index.mjs' };
    const manifest = Object.fromEntries(
      Object.entries(exported).map(([name, path]) => [name, { import: { default: path } }]),
    );
    assert.deepEqual(entriesOf(manifest), ['index', 'exact/client/index']);
  });
});
