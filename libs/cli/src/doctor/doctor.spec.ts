import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeApi, type FakeReply } from '../testing/fake-api';
import { FakeTerminal } from '../testing/fake-terminal';
import { checkNode } from './check-chains';
import { checkClock } from './check-deployment';
import { parseEnv } from './check-env-file';
import type { AppConfig } from './config-readers';
import type { Finding } from './finding';

const contract = `0x${'5f'.repeat(20)}`;

/** Returns the replies of an EVM node. */
function nodeAnswer(answers: Record<string, unknown>) {
  return ({ body }: { body: string }): FakeReply => ({ body: { result: answers[JSON.parse(body).method] } });
}
const healthy = {
  eth_chainId: '0x2105',
  eth_getBlockByNumber: { number: '0x10', timestamp: '0x64' },
  eth_getCode: '0x60',
};

describe('a node', () => {
  it.each([
    ['ok', {}, 'block 16, payment contract deployed'],
    ['fail', { eth_chainId: '0x1' }, 'of chain 1, not 8453'],
    ['fail', { eth_getCode: '0x' }, 'no payment contract'],
    ['warn', { eth_getBlockByNumber: { number: '0x10', timestamp: '0x0' } }, 's old'],
  ])('reports %s for %j', async (result, changes, detail) => {
    const node = await FakeApi.start(nodeAnswer({ ...healthy, ...changes }));
    try {
      const chain = { name: 'base', chainId: 8453, payContract: contract };
      const finding = await checkNode(chain, `${node.url}/key-123`, { isLocal: false, nowMs: 350_000 });
      expect(finding).toMatchObject({ result, detail: expect.stringContaining(detail) });
      expect(JSON.stringify(finding)).not.toContain('key-123');
    } finally {
      await node.close();
    }
  });

  it('fails when the node does not answer', async () => {
    const chain = { name: 'base', chainId: 8453, payContract: contract };
    expect(await checkNode(chain, 'http://127.0.0.1:1/', { isLocal: false })).toMatchObject({
      result: 'fail',
    });
  });
});

describe('the clock', () => {
  it.each([
    [0, 'ok'],
    [4_000, 'ok'],
    [-10_000, 'warn'],
    [90_000, 'fail'],
  ])('%s ms ahead has the result %s', (skewMs, result) => {
    const now = Date.parse('2026-11-20T12:00:00.400Z');
    expect(checkClock('Fri, 20 Nov 2026 12:00:00 GMT', now + skewMs).result).toBe(result);
    expect(checkClock(null, now).result).toBe('warn');
  });
});

describe('doctor --env-file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollbridge-cli-'));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  /** Each app reads one own setting and secret, and one common setting. */
  const seen: { app: string; env: Record<string, string> }[] = [];
  const loadAppConfig = async (app: string): Promise<AppConfig> => {
    const own = app.toUpperCase().replaceAll('-', '_');
    const settings = {
      NATS_CA_FILE: {},
      [`${own}_PORT`]: {},
      [`${own}_IDENTITY_SECRET`]: { isSecret: true },
    };
    const readConfig = (env: Record<string, string>) => {
      seen.push({ app, env });
      const problems = [`${own}_PORT must be an integer (the port)`, 'X and X_FILE are both set'];
      if (env[`${own}_PORT`] === 'wrong')
        throw Object.assign(new Error('not usable'), {
          problems: ['TOLLBRIDGE_ENV is missing', ...problems],
        });
    };
    return { settings, readConfig };
  };
  const check = async (text: string, more = '') => {
    seen.length = 0;
    const terminal = Object.assign(new FakeTerminal(), { loadAppConfig });
    const code = await terminal.run(`doctor --json --env-file ${file('app.env', text)} ${more}`);
    return { code, findings: JSON.parse(terminal.stdout) as Finding[] };
  };
  const bad = (findings: Finding[]) =>
    findings.filter(({ result }) => result !== 'ok').map(({ check: name, result }) => `${result} ${name}`);
  const complete = 'TOLLBRIDGE_ENV=production\nGATEWAY_PORT=1';

  it('accepts valid settings of an app', async () => {
    const { code, findings } = await check(complete);
    expect([code, bad(findings)]).toEqual([0, []]);
  });

  it('reports a missing environment', async () => {
    const { code, findings } = await check('GATEWAY_PORT=1');
    expect([code, bad(findings)]).toEqual([1, ['fail TOLLBRIDGE_ENV']]);
  });

  it('checks the apps with own settings in the file, or the app in --app', async () => {
    await check(`${complete}\nTX_ENGINE_IDENTITY_SECRET=x\nNATS_CA_FILE=ca.pem`);
    expect(seen.map(({ app }) => app)).toEqual(['gateway', 'tx-engine']);
    await check(complete, '--app merchant');
    expect(seen.map(({ app }) => app)).toEqual(['merchant']);
  });

  it('reports every problem that the parsers of the app find', async () => {
    const { code, findings } = await check('TOLLBRIDGE_ENV=production\nGATEWAY_PORT=wrong');
    expect([code, bad(findings)]).toEqual([1, ['fail gateway GATEWAY_PORT', 'fail gateway X']]);
  });

  it('resolves paths of secrets from the folder of the file', async () => {
    await check(`${complete}\nGATEWAY_IDENTITY_SECRET_FILE=secrets/identity`);
    expect(seen[0]!.env['GATEWAY_IDENTITY_SECRET_FILE']).toBe(join(folder, 'secrets/identity'));
  });

  it('queries the nodes in CHAINS_FILE', async () => {
    const node = await FakeApi.start(nodeAnswer({ ...healthy, eth_getCode: '0x' }));
    try {
      const chains = [{ chain: 'eip155:8453', rpcUrls: [node.url], payContract: contract }];
      file('chains.json', JSON.stringify({ chains }));
      const { code, findings } = await check(`${complete}\nCHAINS_FILE=chains.json`);
      expect([code, bad(findings)]).toEqual([1, ['warn nodes of eip155:8453', 'fail node of eip155:8453']]);
    } finally {
      await node.close();
    }
    const damaged = await check(`${complete}\nCHAINS_FILE=absent.json`);
    expect(bad(damaged.findings)).toEqual(['fail CHAINS_FILE']);
  });
});

it('parseEnv reads lines with quotes, comments and export', () => {
  expect([...parseEnv('# x\nexport A_1="b c"\nB=\'#d\'\nC=e # f\nD=\nlower=x\n  E=g=h')]).toEqual([
    ['A_1', 'b c'],
    ['B', '#d'],
    ['C', 'e'],
    ['D', ''],
    ['E', 'g=h'],
  ]);
});

describe('doctor', () => {
  it('detects a sandbox even if the key is invalid', async () => {
    const sandbox = await FakeApi.start(({ path, headers }) => {
      if (headers.authorization !== undefined)
        return { status: 401, body: { error: 'No.', code: 'UNAUTHORIZED', request_id: 'req_1' } };
      return path === '/sandbox' ? { body: { merchant: {}, accounts: [], chains: [] } } : {};
    });
    try {
      const terminal = new FakeTerminal({ TOLLBRIDGE_URL: sandbox.url, TOLLBRIDGE_API_KEY: 'tb_test_sk_x' });
      await terminal.run('doctor');
      expect(terminal.stdout).toContain('transport: http, in a sandbox');
    } finally {
      await sandbox.close();
    }
  });

  it('fails for an address without a gateway', async () => {
    const other = await FakeApi.start(() => ({ status: 404 }));
    const run = async (url: string) => {
      const terminal = new FakeTerminal({ TOLLBRIDGE_URL: url });
      return [await terminal.run('doctor'), terminal.stdout];
    };
    try {
      expect(await run(other.url)).toEqual([1, expect.stringContaining('not a gateway of Tollbridge')]);
    } finally {
      await other.close();
    }
    expect(await run('http://127.0.0.1:1')).toEqual([1, expect.stringContaining('does not answer')]);
  });
});
