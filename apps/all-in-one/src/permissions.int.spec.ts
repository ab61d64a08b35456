import { features } from '@tollbridge/contracts';
import { isWalletAuth, permissions, type KeyAuth, type Operation, type Permission } from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { GatewayWithMerchant } from './testing/gateway-with-merchant';

// Tests that the gateway enforces the declared permissions on every route, with keys that its own routes created.

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const operations = features.flatMap((feature) => Object.values(feature.operations) as Operation[]);
const needing = (isWanted: (operation: Operation) => boolean) =>
  operations
    .filter(isWanted)
    .map((operation): [string, Operation] => [`${operation.method} ${operation.path}`, operation]);
const keyAuthOf = ({ auth }: Operation): KeyAuth | undefined =>
  typeof auth === 'object' && !isWalletAuth(auth) ? auth : undefined;

let environment: GatewayWithMerchant;

interface MadeKey {
  id: string;
  key: string;
  secret: string;
}

beforeAll(async () => {
  environment = await GatewayWithMerchant.start();
});
afterAll(() => environment?.close());

async function call(
  { method, path, hasBody }: Pick<Operation, 'method' | 'path' | 'hasBody'>,
  headers: Record<string, string>,
  body: object = {},
): Promise<{ status: number; body: any }> {
  const url = environment.gateway.url + path.replace(/\{\w+\}/g, '01a1faec-0000-7000-8000-000000000000');
  const sent = hasBody
    ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }
    : { headers };
  const reply = await fetch(url, { method, ...sent });
  return { status: reply.status, body: await reply.json().catch(() => undefined) };
}

const asWallet = { 'x-wallet': wallet };
const asKey = (text: string) => ({ authorization: `Bearer ${text}` });
const keys = { method: 'POST', path: '/api/keys', hasBody: true } as const;

async function keyWith(...given: Permission[]): Promise<MadeKey> {
  const { status, body } = await call(keys, asWallet, { label: 'A key', permissions: given });
  expect(status).toBe(200);
  return body;
}

/** The error code, in the bare style and in the envelope. */
const failureOf = ({ status, body }: { status: number; body: any }) => {
  const { code, details } = body?.error?.code ? body.error : body;
  return { status, code, reason: details?.reason };
};

/** Expects any reply except a rejection, because most operations have no app in this test. */
function expectLetIn({ status }: { status: number }): void {
  expect([401, 403]).not.toContain(status);
}

describe.each(permissions.map((permission) => [permission]))('A route that needs %s', (permission) => {
  const routes = needing((operation) => keyAuthOf(operation)?.permission === permission);
  const others = permissions.filter((other) => other !== permission);
  let lacking: MadeKey;
  let having: MadeKey;
  beforeAll(async () => {
    [lacking, having] = [await keyWith(...others), await keyWith(permission)];
  });

  it('exists', () => expect(routes.length).toBeGreaterThan(0));

  it.each(routes)('rejects other permissions: %s', async (_name, operation) => {
    const { key } = keyAuthOf(operation)!;
    const missing = { status: 403, code: 'FORBIDDEN', reason: 'permission_missing' };
    expect(failureOf(await call(operation, asKey(lacking.secret)))).toEqual(missing);
    expectLetIn(await call(operation, asKey(having.secret)));
    const withPublic = await call(operation, asKey(having.key));
    if (key === 'secret')
      expect(failureOf(withPublic)).toEqual({ status: 403, code: 'FORBIDDEN', reason: 'secret_required' });
    else expectLetIn(withPublic);
  });
});

describe('A key with read permission only', () => {
  const writing = needing((operation) => {
    const auth = keyAuthOf(operation);
    return operation.method !== 'GET' && auth !== undefined && auth.permission !== 'read';
  });
  let reading: MadeKey;
  beforeAll(async () => {
    reading = await keyWith('read');
  });

  it.each(writing)('gets 403 from %s', async (_name, operation) => {
    for (const half of [reading.secret, reading.key])
      expect(await call(operation, asKey(half))).toMatchObject({ status: 403 });
  });

  it('cannot move money by a route other than GET, as declared', () => {
    const open = needing(
      (operation) => operation.method !== 'GET' && keyAuthOf(operation)?.permission === 'read',
    );
    expect(open.map(([name]) => name)).toEqual(['POST /v1/quote', 'POST /payout/preview']);
  });
});

describe('A route of the wallet itself', () => {
  const routes = needing(({ auth }) => isWalletAuth(auth));
  let whole: MadeKey;
  beforeAll(async () => {
    whole = await keyWith(...permissions);
  });

  it.each(routes)('accepts only the wallet: %s', async (_name, operation) => {
    const rejected = { status: 403, code: 'FORBIDDEN', reason: 'wallet_required' };
    expect(failureOf(await call(operation, asKey(whole.secret)))).toEqual(rejected);
    expect(await call(operation, {})).toMatchObject({ status: 401 });
    expectLetIn(await call(operation, asWallet));
    // The wallet makes the call, and an additional key of the same merchant changes nothing.
    expectLetIn(await call(operation, { ...asKey(whole.secret), ...asWallet }));
  });
});

it('gateways accept a rotated secret and reject a deleted one before their caches expire', async () => {
  const { id, secret } = await keyWith('read');
  const read = { method: 'GET', path: '/api/v1/pay/chains', hasBody: false } as const;
  const status = async (text: string) => (await call(read, asKey(text))).status;
  // No app handles chains in this test, so an authorised call returns that error.
  const letIn = 503;
  expect(await status(secret)).toBe(letIn);
  const regenerate = { method: 'POST', path: `/api/keys/${id}/regenerate`, hasBody: true } as const;
  let isDone = false;
  const seen: number[] = [];
  const using = (async () => {
    // Slow enough for the rate limit of the plan.
    while (!isDone) {
      seen.push(await status(secret));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const { body } = await call(regenerate, asWallet);
  const startMs = performance.now();
  await eventually(async () => expect(await status(secret)).toBe(401), { everyMs: 20 });
  // The event invalidates the cache. Without it, a gateway uses a cached key for five seconds.
  expect(performance.now() - startMs).toBeLessThan(4_000);
  isDone = true;
  await using;
  // The old secret is accepted until the change, and never afterwards.
  expect(seen.filter((it) => it !== letIn && it !== 401)).toEqual([]);
  expect(seen.lastIndexOf(letIn)).toBeLessThan(seen.indexOf(401) === -1 ? seen.length : seen.indexOf(401));
  expect(await status(body.secret)).toBe(letIn);
});
