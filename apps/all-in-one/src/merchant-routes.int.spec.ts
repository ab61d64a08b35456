import { features } from '@tollbridge/contracts';
import { newKeyText } from '@tollbridge/api-keys';
import { migrations } from '@tollbridge/app-merchant';
import {
  isWalletAuth,
  permissions,
  withPartsInPlace,
  type Operation,
  type Permission,
} from '@tollbridge/rpc';
import { eventually } from '@tollbridge/testing';
import { GatewayWithMerchant } from './testing/gateway-with-merchant';

// Calls every merchant route through the gateway, with a wallet and with a key.

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const stranger = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const noSuchId = '01a1faec-0000-7000-8000-000000000000';

let environment: GatewayWithMerchant;

beforeAll(async () => {
  environment = await GatewayWithMerchant.start({ GATEWAY_TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => environment?.close());

type Route = Pick<Operation, 'method' | 'path'>;
interface Answer {
  status: number;
  body: any;
}

// Each test has its own address, because the gateway counts failed authentications by address.
let client = 0;
beforeEach(() => void (client += 1));

async function call(
  { method, path }: Route,
  headers: Record<string, string>,
  body: object = {},
): Promise<Answer> {
  const url = environment.gateway.url + path.replace(/\{\w+\}/g, noSuchId);
  const given = { 'x-forwarded-for': `198.51.100.${client}`, ...headers };
  const sent =
    method === 'POST' || method === 'PUT'
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...given } }
      : { headers: given };
  const reply = await fetch(url, { method, ...sent });
  const text = await reply.text();
  return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
}
const route = (method: Route['method'], path: Route['path']): Route => ({ method, path });

const asWallet = (address: string) => ({ 'x-wallet': address });
const asKey = (text: string) => ({ authorization: `Bearer ${text}` });
const noCredentials = {};

interface MadeKey {
  id: string;
  key: string;
  secret: string;
}

async function keyWith(owner: string, ...given: Permission[]): Promise<MadeKey> {
  const wanted = { label: 'A key', permissions: given };
  const { status, body } = await call(route('POST', '/api/keys'), asWallet(owner), wanted);
  expect(status).toBe(200);
  return body;
}

const failureOf = ({ status, body }: Answer) => [status, body.code, body.details?.reason];

/** The required permission of each merchant route, or `wallet` for a route that no key may call without a wallet. */
const needs: Readonly<Record<string, Permission | 'wallet'>> = {
  'GET /api/overview': 'read',
  'GET /api/transactions': 'read',
  'GET /api/transactions/{id}': 'read',
  'GET /api/transactions/export': 'read',
  'GET /api/ledger/proof': 'read',
  'GET /api/ledger/entries': 'read',
  'GET /api/paylinks': 'read',
  'POST /api/paylinks': 'write',
  'PUT /api/paylinks/{id}/toggle': 'write',
  'DELETE /api/paylinks/{id}': 'write',
  'GET /api/paylinks/{id}/payments': 'read',
  'POST /api/paylinks/{id}/payments/{paymentId}/confirm': 'write',
  'POST /api/paylinks/{id}/payments/{paymentId}/reject': 'write',
  'GET /api/receivers': 'read',
  'POST /api/receivers/challenge': 'settings',
  'POST /api/receivers/verify': 'settings',
  'DELETE /api/receivers/{address}': 'settings',
  'GET /api/settings': 'read',
  'PUT /api/settings': 'settings',
  'DELETE /api/settings/all': 'settings',
  'GET /api/exceptions': 'read',
  'POST /api/exceptions/{id}/resolve': 'write',
  'GET /api/webhooks': 'read',
  'GET /api/webhooks/endpoint': 'read',
  'GET /api/webhooks/{id}': 'read',
  'POST /api/webhooks/{id}/replay': 'write',
  'POST /api/webhooks/endpoint/resume': 'write',
  'POST /api/webhooks/listen': 'write',
  'POST /api/webhooks/test': 'write',
  'POST /api/webhooks/secret': 'webhooks',
  'POST /api/v1/merchant/payment-requests': 'write',
  'GET /api/v1/merchant/payment-requests': 'read',
  'GET /api/v1/merchant/payment-requests/{id}': 'read',
  'POST /api/v1/merchant/payment-requests/{id}/cancel': 'write',
  'POST /api/v1/merchant/payment-requests/{id}/receive-address': 'write',
  'GET /api/v1/merchant/payments': 'read',
  'GET /api/v1/merchant/stats': 'read',
  'GET /api/keys': 'wallet',
  'POST /api/keys': 'wallet',
  'PUT /api/keys/{id}/toggle': 'wallet',
  'POST /api/keys/{id}/regenerate': 'wallet',
  'DELETE /api/keys/{id}': 'wallet',
  'GET /api/keys/{id}/spends': 'wallet',
  'GET /api/auth/sessions': 'wallet',
  'DELETE /api/auth/sessions/{id}': 'wallet',
  'DELETE /api/auth/sessions': 'wallet',
};
const rowsNeeding = (isWanted: (need: Permission | 'wallet') => boolean) =>
  Object.entries(needs)
    .filter(([, need]) => isWanted(need))
    .map(([name, need]): [string, Route, Permission | 'wallet'] => {
      const [method, path] = name.split(' ') as [Route['method'], Route['path']];
      return [name, route(method, path), need];
    });

it('the table lists every non-public operation of the merchant app with its permission', () => {
  const declared = features
    .filter(({ app }) => app === 'merchant')
    .flatMap(({ operations }) => Object.values(operations) as Operation[])
    .flatMap(({ method, path, auth }) => {
      if (auth === 'public') return [];
      return [[`${method} ${path}`, isWalletAuth(auth) ? 'wallet' : auth.permission]];
    });
  // The CSV export is not a separate operation.
  const { 'GET /api/transactions/export': exported, ...operations } = needs;
  expect(exported).toBe('read');
  expect(Object.fromEntries(declared)).toEqual(operations);
});

describe('A route that accepts keys', () => {
  const rows = rowsNeeding((need) => need !== 'wallet');
  // The test compares the reply to a key with the reply to a wallet, so both merchants start without data.
  const keyOwner = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
  const walletOwner = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
  const havingKeys = new Map<string, MadeKey>();
  const lackingKeys = new Map<string, MadeKey>();
  beforeAll(async () => {
    for (const permission of permissions) {
      havingKeys.set(permission, await keyWith(keyOwner, permission));
      const others = permissions.filter((other) => other !== permission);
      lackingKeys.set(permission, await keyWith(keyOwner, ...others));
    }
  });

  it.each(rows)('accepts only a wallet or a permitted secret key: %s', async (_name, operation, need) => {
    const having = havingKeys.get(need)!;
    const byKey = await call(operation, asKey(having.secret));
    const byWallet = await call(operation, asWallet(walletOwner));
    expect([401, 403]).not.toContain(byKey.status);
    expect(comparable(byKey, keyOwner)).toEqual(comparable(byWallet, walletOwner));

    const lacking = await call(operation, asKey(lackingKeys.get(need)!.secret));
    expect([lacking.status, lacking.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(lacking.body.details).toEqual({ reason: 'permission_missing', permission: need });

    expect(failureOf(await call(operation, asKey(having.key)))).toEqual([
      403,
      'FORBIDDEN',
      'secret_required',
    ]);
    expect(failureOf(await call(operation, noCredentials))).toEqual([401, 'UNAUTHORIZED', 'missing']);
    const beside = { ...asKey(having.secret), ...asWallet(stranger) };
    expect(failureOf(await call(operation, beside))).toEqual([401, 'UNAUTHORIZED', 'wallet_mismatch']);
    const ownHeader = { ...asKey(having.secret), ...asWallet(keyOwner) };
    expect([401, 403]).not.toContain((await call(operation, ownHeader)).status);
    // In the sandbox, the header proves the wallet, which has every permission.
    for (const weak of [lackingKeys.get(need)!.secret, having.key]) {
      const byProvenWallet = await call(operation, { ...asKey(weak), ...asWallet(keyOwner) });
      expect([401, 403]).not.toContain(byProvenWallet.status);
    }
    const foreign = asKey(newKeyText('live', 'secret'));
    expect(failureOf(await call(operation, foreign))).toEqual([401, 'UNAUTHORIZED', 'foreign_environment']);
  });
});

/** The reply, with placeholders for values that differ between merchants and between calls. */
function comparable({ status, body }: Answer, owner: string): unknown {
  const text = JSON.stringify(body)
    .replaceAll(owner, 'OWNER')
    .replace(/req_[0-9a-f]{24}/g, 'REQUEST')
    .replace(/msg_[0-9a-f]{32}/g, 'MESSAGE')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/whsec_[\w+/=]+/g, 'SECRET');
  return { status, text };
}

describe('A route that needs a wallet', () => {
  let whole: MadeKey;
  beforeAll(async () => {
    whole = await keyWith(wallet, ...permissions);
  });

  it.each(rowsNeeding((need) => need === 'wallet'))(
    'rejects a key without a wallet: %s',
    async (_name, operation) => {
      for (const half of [whole.secret, whole.key]) {
        const rejected = [403, 'FORBIDDEN', 'wallet_required'];
        expect(failureOf(await call(operation, asKey(half)))).toEqual(rejected);
        const beside = await call(operation, { ...asKey(half), ...asWallet(wallet) });
        expect([401, 403]).not.toContain(beside.status);
        const other = await call(operation, { ...asKey(half), ...asWallet(stranger) });
        expect(failureOf(other)).toEqual([401, 'UNAUTHORIZED', 'wallet_mismatch']);
      }
      expect(failureOf(await call(operation, noCredentials))).toEqual([
        401,
        'UNAUTHORIZED',
        'wallet_missing',
      ]);
    },
  );
});

describe('A client that sends one credential with every security scheme of the document', () => {
  interface Described {
    security: Record<string, string[]>[];
    parameters?: { name: string; in: string; required: boolean; schema: object }[];
  }
  type Scheme = { type: 'http' } | { type: 'apiKey'; name: string };
  let paths: Record<string, Record<string, Described>>;
  let schemes: Record<string, Scheme>;
  let server: MadeKey;
  beforeAll(async () => {
    const served = await (await fetch(`${environment.gateway.url}/openapi.json`)).json();
    const document = withPartsInPlace<any>(served);
    paths = document.paths;
    schemes = document.components.securitySchemes;
    server = await keyWith(wallet, ...permissions);
  });

  /**
   * Sends the same key for every security scheme of the operation, as generated clients do, and `x-wallet` where it is
   * required.
   */
  function headersFor({ security, parameters = [] }: Described): Record<string, string> {
    const names = security.flatMap((alternative) => Object.keys(alternative));
    const credentials = names.map((name) => {
      const scheme = schemes[name]!;
      return scheme.type === 'http'
        ? ['authorization', `Bearer ${server.secret}`]
        : [scheme.name, server.secret];
    });
    const needsWallet = parameters.some((it) => it.name === 'x-wallet' && it.in === 'header' && it.required);
    return { ...Object.fromEntries(credentials), ...(needsWallet && asWallet(wallet)) };
  }

  it.each(rowsNeeding(() => true).filter(([name]) => name !== 'GET /api/transactions/export'))(
    'passes the authorisation of %s',
    async (_name, { method, path }, need) => {
      const described = paths[path]![method.toLowerCase()]!;
      expect(described.security).not.toContainEqual({});
      const wallets = (described.parameters ?? []).filter(({ name }) => name === 'x-wallet');
      expect(wallets).toMatchObject([{ in: 'header', required: need === 'wallet' }]);
      const answer = await call({ method, path }, headersFor(described));
      expect([401, 403]).not.toContain(answer.status);
    },
  );

  it('sends its key in no header except Authorization and X-API-Key', () => {
    const headers = Object.values(schemes).flatMap((scheme) => ('name' in scheme ? [scheme.name] : []));
    expect(headers).toEqual(['X-API-Key']);
  });
});

describe('A server with a key and without a wallet', () => {
  const settings = { storeName: 'Corner Café', webhookUrl: 'http://127.0.0.1:9/hooks' };
  let server: Record<string, string>;
  beforeAll(async () => {
    server = asKey((await keyWith(wallet, ...permissions)).secret);
  });

  it("accesses the wallet's data, but no data of another wallet", async () => {
    const put = await call(route('PUT', '/api/settings'), server, settings);
    expect(put).toEqual({ status: 200, body: settings });
    const secret = await call(route('POST', '/api/webhooks/secret'), server);
    expect(secret.body.secret).toMatch(/^whsec_/);
    for (const [, operation] of rowsNeeding((need) => need === 'read')) {
      const [byKey, byWallet] = [await call(operation, server), await call(operation, asWallet(wallet))];
      expect(comparable(byKey, wallet)).toEqual(comparable(byWallet, wallet));
    }
    const others = asKey((await keyWith(stranger, ...permissions)).secret);
    expect(await call(route('GET', '/api/settings'), others)).toEqual({ status: 200, body: {} });
    expect((await call(route('DELETE', '/api/settings/all'), others)).status).toBe(200);
    expect((await call(route('GET', '/api/settings'), asWallet(wallet))).body).toEqual(settings);
  });

  it('404: rejects a row of another merchant, both for a key and for a wallet', async () => {
    const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
    await environment.database.query(
      `INSERT INTO paylinks
         (id, wallet, name, amount, token, decimals, chain, description, receive_address, created_at, updated_at)
       VALUES ($1, $2, 'Espresso', 3500000, 'USDC', 6, 'eip155:8453', '', $2, now(), now())`,
      [id, wallet],
    );
    const toggle = route('PUT', `/api/paylinks/${id}/toggle`);
    const others = asKey((await keyWith(stranger, ...permissions)).secret);
    for (const by of [others, asWallet(stranger)]) {
      expect((await call(toggle, by, { active: false })).status).toBe(404);
      expect((await call(route('DELETE', `/api/paylinks/${id}`), by)).status).toBe(404);
      expect((await call(route('GET', `/api/paylinks/${id}/payments`), by)).status).toBe(404);
    }
    const toggled = await call(toggle, server, { active: false });
    expect(toggled).toMatchObject({ status: 200, body: { id, wallet_address: wallet, active: false } });
    expect((await call(route('DELETE', `/api/paylinks/${id}`), server)).status).toBe(200);
  });

  const disable = (id: string) =>
    call(route('PUT', `/api/keys/${id}/toggle`), asWallet(wallet), { enabled: false });
  const remove = (id: string) => call(route('DELETE', `/api/keys/${id}`), asWallet(wallet));
  const regenerate = (id: string) => call(route('POST', `/api/keys/${id}/regenerate`), asWallet(wallet));
  it.each([
    ['disabled', disable, 'disabled'],
    ['deleted', remove, 'deleted'],
    ['given a new secret', regenerate, 'unknown'],
  ])('gets 401 before the cache expires when its key is %s', async (_what, change, reason) => {
    const { id, secret } = await keyWith(wallet, 'read');
    const read = () => call(route('GET', '/api/overview'), asKey(secret));
    expect((await read()).status).toBe(200);
    expect((await change(id)).status).toBe(200);
    const rejected = [401, 'UNAUTHORIZED', reason];
    // The event invalidates the cache. Without it, the gateway uses a cached key for five seconds.
    await eventually(async () => expect(failureOf(await read())).toEqual(rejected), { timeoutMs: 4_000 });
  });
});

it('a key can create payment requests above its limits, because receiving payments spends nothing', async () => {
  const owner = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
  const bounds = { label: 'Till', permissions: ['read', 'write'], monthlyBudget: '0.01', maxPerTx: '0.01' };
  const made = await call(route('POST', '/api/keys'), asWallet(owner), bounds);
  const asked = await call(route('POST', '/api/v1/merchant/payment-requests'), asKey(made.body.secret), {
    amount: '500000000',
    currency: 'USDC',
    chain: 'base',
    description: 'A bicycle',
  });
  expect(asked).toMatchObject({ status: 200, body: { amount: '500000000' } });
  const keys = await call(route('GET', '/api/keys'), asWallet(owner));
  expect(keys.body).toMatchObject([{ id: made.body.id, usedBudget: 0, plan: 'free' }]);
});

it('the migration lets an older key with write rotate the webhook secret, but not change settings', async () => {
  const { id, secret } = await keyWith(wallet, 'read', 'write');
  const rotate = () => call(route('POST', '/api/webhooks/secret'), asKey(secret));
  expect(failureOf(await rotate())).toEqual([403, 'FORBIDDEN', 'permission_missing']);
  const migration = migrations.find(({ name }) => name.startsWith('KeyPermissions'))!;
  // Repeats the migration, as on a database that had this key before.
  const query = (text: string) => environment.database.query(text);
  await new migration().up({ query } as never);
  const after = await environment.database.query('SELECT permissions FROM api_keys WHERE id = $1', [id]);
  expect(after).toEqual([{ permissions: ['read', 'write', 'webhooks'] }]);
  // Each change of the key invalidates its cache entry. Polling until the entry expires would reach the rate limit.
  for (const enabled of [false, true])
    await call(route('PUT', `/api/keys/${id}/toggle`), asWallet(wallet), { enabled });
  await eventually(async () => expect([200, 409]).toContain((await rotate()).status), { timeoutMs: 4_000 });
  const change = await call(route('PUT', '/api/settings'), asKey(secret), { storeName: 'Mine' });
  expect(change.body.details).toEqual({ reason: 'permission_missing', permission: 'settings' });
});
