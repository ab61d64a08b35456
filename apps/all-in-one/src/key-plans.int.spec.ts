import { AnyCaller, apiKeysApi, operatorName } from '@tollbridge/contracts';
import {
  BusClient,
  BusConnection,
  callContext,
  developmentDirectory,
  developmentIdentitySecret,
  walletPrincipal,
} from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GatewayWithMerchant } from './testing/gateway-with-merchant';

// Runs `npm run keys:plan` like an operator, with a gateway that has cached the key.

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const folder = mkdtempSync(join(tmpdir(), 'tollbridge-key-plans-'));
const identities = join(folder, 'identities.json');

let environment: GatewayWithMerchant;
let bus: BusConnection;
let client: BusClient;
let key: { id: string; key: string; secret: string };

beforeAll(async () => {
  const keysOf = (app: string): [string, string[]] => [app, [...developmentDirectory(app)]];
  writeFileSync(identities, JSON.stringify(Object.fromEntries([operatorName, 'merchant'].map(keysOf))));
  environment = await GatewayWithMerchant.start();
  bus = await BusConnection.open({ app: 'test-caller', url: environment.nats.url });
  client = new BusClient(bus, new AnyCaller());
  const { createKey } = apiKeysApi.operations;
  const made = { label: 'Shop', permissions: ['read' as const] };
  key = await client.call(createKey, made, callContext({ principal: walletPrincipal(wallet) }));
});
afterAll(async () => {
  client?.close();
  await bus?.close();
  await environment?.close();
  rmSync(folder, { recursive: true });
});

interface Ended {
  code: number;
  output: string;
}

const operator = (): NodeJS.ProcessEnv => ({
  OPERATOR_NATS_URL: environment.nats.url,
  OPERATOR_IDENTITY_SECRET: developmentIdentitySecret(operatorName),
  SERVICE_IDENTITIES_FILE: identities,
  OPERATOR_NAME: 'carol',
});

/** Runs the command and waits for its end. */
function keysPlan(args: readonly string[], env: NodeJS.ProcessEnv = operator()): Promise<Ended> {
  const program = resolve(__dirname, '../../../tools/keys-plan.mjs');
  const { PATH } = process.env;
  return new Promise((done) => {
    execFile(process.execPath, [program, ...args], { env: { PATH, ...env } }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const policy = async () => {
  const headers = { authorization: `Bearer ${key.secret}` };
  const reply = await fetch(`${environment.gateway.url}/api/overview`, { headers });
  expect(reply.status).toBe(200);
  return reply.headers.get('ratelimit-policy');
};

// Without the event, a gateway would use its cache for five seconds, and the command takes one of them.
const byEvent = { timeoutMs: 3_000 };

it('npm run keys:plan sets the plan of a key, and gateways use it before their caches expire', async () => {
  expect(await policy()).toMatch(/^"free"/);
  const { code, output } = await keysPlan([
    key.key,
    'pro',
    '--reason',
    'Contract 4711',
    '--operator',
    'alice',
  ]);
  expect([code, output]).toEqual([0, `The key ${key.id} ("Shop" of ${wallet}): plan free -> pro.\n`]);
  await eventually(async () => expect(await policy()).toMatch(/^"pro"/), byEvent);
  const recorded = await environment.database.query('SELECT operator, caller, reason FROM key_plan_changes');
  expect(recorded).toEqual([{ operator: 'alice', caller: 'service:operator', reason: 'Contract 4711' }]);
  const own = await fetch(`${environment.gateway.url}/api/keys`, { headers: { 'x-wallet': wallet } });
  expect(await own.json()).toMatchObject([{ id: key.id, plan: 'pro' }]);

  await keysPlan([key.id, 'enterprise', '--reason', 'Unlimited']);
  await eventually(async () => expect(await policy()).toBeNull(), byEvent);
  const custom = await keysPlan([key.id, 'enterprise', '--per-minute', '5000', '--reason', 'Contract 4712']);
  expect(custom.output).toContain('plan enterprise -> enterprise (5000 a minute, burst 10000).');
  await eventually(async () => expect(await policy()).toBe('"enterprise";q=5000;w=60'), byEvent);
  await keysPlan([
    key.id,
    'enterprise',
    '--per-minute',
    '5000',
    '--burst',
    '5001',
    '--reason',
    'Less at once',
  ]);
  await eventually(async () => expect(await policy()).toBe('"enterprise";q=1;w=1'), byEvent);
  await keysPlan([key.id, 'enterprise', '--reason', 'Unlimited']);
  await eventually(async () => expect(await policy()).toBeNull(), byEvent);
  const again = await keysPlan([key.id, 'enterprise', '--reason', 'Again']);
  expect(again.output).toContain('has the plan enterprise already. Nothing was changed.');
});

it.each<[string, string[], number, string]>([
  ['a missing reason', ['KEY', 'pro'], 2, 'npm run keys:plan -- KEY PLAN --reason TEXT'],
  ['a missing plan', ['KEY', '--reason', 'x'], 2, 'npm run keys:plan -- KEY PLAN --reason TEXT'],
  ['an unknown plan', ['KEY', 'gold', '--reason', 'x'], 1, 'plan must be one of'],
  [
    'a rate of a fixed plan',
    ['KEY', 'pro', '--per-minute', '5', '--reason', 'x'],
    1,
    'perMinute is for the plan',
  ],
  ['a rate in words', ['KEY', 'enterprise', '--per-minute', 'ten', '--reason', 'x'], 1, 'perMinute must be'],
  [
    'a burst below the rate',
    ['KEY', 'enterprise', '--per-minute', '9', '--burst', '8', '--reason', 'x'],
    1,
    'burst must be',
  ],
  ['a secret', ['tb_test_sk_abc', 'pro', '--reason', 'x'], 1, 'That is the secret of a key.'],
  ['an unknown key', ['01a1faec-0000-7000-8000-000000000000', 'pro', '--reason', 'x'], 1, '(NOT_FOUND)'],
])('npm run keys:plan rejects the command without a change: %s', async (_title, args, code, expected) => {
  const before = await environment.database.query('SELECT count(*) FROM key_plan_changes');
  const given = args.map((text) => (text === 'KEY' ? key.id : text));
  const ended = await keysPlan(given);
  expect(ended.output).toContain(expected);
  expect(ended.code).toBe(code);
  expect(await environment.database.query('SELECT count(*) FROM key_plan_changes')).toEqual(before);
});

it('npm run keys:plan requires the name of the operator in a deployment', async () => {
  const ended = await keysPlan([key.id, 'free', '--reason', 'x'], { ...operator(), OPERATOR_NAME: '' });
  expect([ended.code, ended.output]).toEqual([1, expect.stringContaining('Name the operator')]);
});

it.each([
  ['rejects the identity of an app', developmentIdentitySecret('merchant'), 'does not list the key'],
  ['rejects a missing identity', undefined, 'OPERATOR_IDENTITY_SECRET is missing'],
])('npm run keys:plan requires the identity of the operator: %s', async (_title, secret, expected) => {
  const args = [key.id, 'free', '--reason', 'x'];
  const ended = await keysPlan(args, { ...operator(), OPERATOR_IDENTITY_SECRET: secret });
  expect(ended.output).toContain(expected);
  expect(ended.code).toBe(1);
});
