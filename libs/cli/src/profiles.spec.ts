import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { configFile } from './profiles';
import { loginCommand, readSession } from './session';
import { FakeApi } from './testing/fake-api';
import { FakeTerminal } from './testing/fake-terminal';

const secret = 'tb_test_sk_0123456789abcdefghij';
let api: FakeApi;
beforeAll(async () => {
  api = await FakeApi.start(({ path, headers }) => {
    // The gateway also rejects an invalid key on public routes.
    const isAnonymous = headers.authorization === undefined;
    if (path === '/sandbox' && (isAnonymous || headers.authorization === `Bearer ${secret}`))
      return { body: { merchant: { secret, wallet: '0x1' }, accounts: [], chains: [] } };
    if (path === '/api/webhooks/endpoint' && headers.authorization === `Bearer ${secret}`)
      return { body: { url: null } };
    return { status: 401, body: { error: 'The key is unknown.', code: 'UNAUTHORIZED', request_id: 'req_1' } };
  });
});
afterAll(() => api.close());

const login = async (env: Record<string, string> = {}) => {
  const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url, ...env });
  expect(await terminal.run('login --sandbox')).toBe(0);
  return terminal;
};

describe('login', () => {
  it('stores the key of the demo merchant in a file that only its owner can read', async () => {
    const terminal = await login();
    const path = configFile(terminal.env);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      current: 'default',
      profiles: { default: { url: api.url, apiKey: secret } },
    });
    expect(terminal.stdout + terminal.stderr).not.toContain(secret);
  });

  it('prints JSON with --json, and so does logout', async () => {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url });
    expect(await terminal.run('login --sandbox --json')).toBe(0);
    expect(await terminal.run('logout --json')).toBe(0);
    expect(await terminal.run('logout --json')).toBe(0);
    expect(terminal.outLines.map((text) => JSON.parse(text))).toEqual([
      { url: api.url, profile: 'default' },
      { profile: 'default', was_logged_in: true },
      { profile: 'default', was_logged_in: false },
    ]);
  });

  it.each(['notaurl', 'ftp://pay.example', 'http://pay.example/?a=b', 'http://:80'])(
    'reports --api-url or the variable for the invalid address %s',
    async (url) => {
      const terminal = new FakeTerminal();
      expect(await terminal.run(`login --api-url ${url}`)).toBe(2);
      expect(terminal.stderr).toContain('--api-url must be an http or https address without a query.');
      const other = new FakeTerminal({ TOLLBRIDGE_URL: url });
      expect(await other.run('whoami')).toBe(2);
      expect(other.stderr).toContain('TOLLBRIDGE_URL must be an http or https address');
    },
  );

  it('reads a key from standard input, or asks for it', async () => {
    const piped = new FakeTerminal();
    piped.input = `${secret}\n`;
    expect(await piped.run(`login --api-url ${api.url}/ --profile live`)).toBe(0);
    const asked = new FakeTerminal();
    asked.isInteractive = true;
    asked.answers.push(secret);
    expect(await asked.run(`login --api-url ${api.url}`)).toBe(0);
    for (const { env } of [piped, asked]) expect(readSession(env, new Map())).toMatchObject({ url: api.url });
  });

  it.each([
    ['tb_test_pk_0123456789abcdefghij', 2, 'publishable'],
    ['nonsense', 2, 'not an API key'],
    ['tb_test_sk_of_another_deployment', 3, 'The key is unknown.'],
  ])('stores nothing for %s', async (key, code, message) => {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: api.url });
    terminal.input = key;
    expect(await terminal.run('login')).toBe(code);
    expect(terminal.stderr).toContain(message);
    expect(terminal.stderr).not.toContain(key);
    expect(existsSync(configFile(terminal.env))).toBe(false);
  });
});

describe('a session', () => {
  it('sends the key of a profile only to the address of the profile', async () => {
    const { env } = await login();
    expect(readSession(env, new Map()).apiKey).toBe(secret);
    const elsewhere = { ...env, TOLLBRIDGE_URL: 'https://elsewhere.example' };
    expect(readSession(elsewhere, new Map())).not.toHaveProperty('apiKey');
    const flags = new Map([['api-url', ['https://elsewhere.example']]]);
    expect(readSession(env, flags)).not.toHaveProperty('apiKey');
  });

  it('prefers the address and key of the environment to the profile', async () => {
    const { env } = await login();
    const given = { ...env, TOLLBRIDGE_URL: 'https://other.example/', TOLLBRIDGE_API_KEY: 'tb_live_sk_x' };
    expect(readSession(given, new Map())).toMatchObject({
      url: 'https://other.example',
      apiKey: 'tb_live_sk_x',
      keySource: 'TOLLBRIDGE_API_KEY',
    });
  });

  it('rejects an unknown profile, and prototype member names as a profile', async () => {
    const terminal = await login();
    expect(await terminal.run('whoami --profile lvie')).toBe(2);
    expect(await terminal.run('whoami --profile constructor')).toBe(2);
    expect(await terminal.run('login --sandbox --profile __proto__')).toBe(2);
  });

  it('ends with logout', async () => {
    const terminal = await login();
    expect(await terminal.run('logout')).toBe(0);
    expect(readFileSync(configFile(terminal.env), 'utf8')).not.toContain(secret);
    expect(await terminal.run('logout')).toBe(0);
  });

  it('fails when other users can read the file, or when the file is damaged', async () => {
    const terminal = await login();
    chmodSync(configFile(terminal.env), 0o644);
    expect(await terminal.run('whoami')).toBe(1);
    expect(terminal.stderr).toContain('chmod 600');
    const damaged = new FakeTerminal();
    mkdirSync(dirname(configFile(damaged.env)), { recursive: true });
    writeFileSync(configFile(damaged.env), `{"apiKey": "${secret}`, { mode: 0o600 });
    expect(await damaged.run('whoami')).toBe(1);
    expect(damaged.stderr).not.toContain(secret);
  });
});

it('whoami prints only the end of the key, and exits with 3 for a rejected key', async () => {
  const terminal = await login();
  expect(await terminal.run('whoami --json')).toBe(0);
  expect(JSON.parse(terminal.outLines.at(-1)!)).toMatchObject({
    key: 'tb_test_sk_…ghij',
    key_is_valid: true,
  });
  const other = new FakeTerminal({ TOLLBRIDGE_URL: api.url, TOLLBRIDGE_API_KEY: 'tb_test_sk_wrong' });
  expect(await other.run('whoami --json')).toBe(3);
  expect(JSON.parse(other.stdout)).toMatchObject({ environment: 'sandbox', key_is_valid: false });
});

it.each([
  [404, 'not a sandbox'],
  [403, 'unknown'],
])('whoami prints for a /sandbox with the status %s: %s', async (status, environment) => {
  const body = { error: 'No.', code: status === 404 ? 'NOT_FOUND' : 'FORBIDDEN', request_id: 'req_1' };
  const other = await FakeApi.start(() => ({ status, body }));
  try {
    const terminal = new FakeTerminal({ TOLLBRIDGE_URL: other.url });
    expect(await terminal.run('whoami --json')).toBe(0);
    expect(JSON.parse(terminal.stdout)).toMatchObject({ environment });
  } finally {
    await other.close();
  }
});

describe('loginCommand', () => {
  it.each([
    ['http://127.0.0.1:3000', 'tollbridge login --sandbox'],
    ['http://127.0.0.1:4000', 'tollbridge login --sandbox --api-url http://127.0.0.1:4000'],
    ['http://localhost:3000', 'tollbridge login --sandbox --api-url http://localhost:3000'],
    ['http://[::1]:3000', 'tollbridge login --sandbox --api-url http://[::1]:3000'],
    ['https://pay.example.com', 'tollbridge login --api-url https://pay.example.com'],
    ['http://127.0.0.1.example.com', 'tollbridge login --api-url http://127.0.0.1.example.com'],
  ])('suggests the demo key only for this machine: %s', (url, command) => {
    expect(loginCommand(url)).toBe(command);
  });

  it('appears in the error for a missing profile', () => {
    const env = { TOLLBRIDGE_URL: 'http://127.0.0.1:3000', TOLLBRIDGE_PROFILE: 'live' };
    const { env: own } = new FakeTerminal(env);
    expect(() => readSession(own, new Map())).toThrow(
      expect.objectContaining({ hint: 'Run: tollbridge login --sandbox --profile live' }),
    );
  });
});
