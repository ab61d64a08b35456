import { encodeSIWxHeader } from '@x402/extensions/sign-in-with-x';
import { generateKeyPairSync, sign } from 'node:crypto';
import { base58 } from '@scure/base';
import { privateKeyToAccount } from 'viem/accounts';
import { FakeFacilitator, officialHeaderFor, solanaDevnet } from '../testing/fake-facilitator';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';
import { readHeader } from '../testing/samples';
import { signInHeaderFor, type SignInChanges, type SigningWallet } from '../testing/sign-in-header';
import { MemorySignIns } from './sign-in-store';

const signIn = { accessS: 3_600, statement: 'Read what you have paid for' };
const payer = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const stranger = privateKeyToAccount(`0x${'22'.repeat(32)}`);

let facilitator: FakeFacilitator;
let nowMs: number;
let signIns: MemorySignIns;
const shops: OfficialShop[] = [];
const clock = () => nowMs;

beforeAll(async () => void (facilitator = await FakeFacilitator.start()));
afterAll(() => facilitator.close());
beforeEach(() => {
  facilitator.reset();
  nowMs = Date.now();
  signIns = new MemorySignIns({ clock });
});
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop();
});

async function open(options: object = {}, sold: object = { signIn }) {
  const shop = await startOfficialShop(facilitator, { signIns, clock, ...options }, sold);
  shops.push(shop);
  return shop;
}

async function buy(
  shop: OfficialShop,
  { path = '/sold', method = 'GET', from = payer.address as string } = {},
) {
  facilitator.changes.verify = () => ({ body: { isValid: true, payer: from } });
  const required = await shop.required(path, method);
  const reply = await shop.pay(officialHeaderFor(required, { authorization: { from } }), path, method);
  expect(reply.status).toBe(200);
}

const signed = async (
  shop: OfficialShop,
  wallet: SigningWallet = payer,
  changes: SignInChanges = {},
  path = '/sold',
  method = 'GET',
) => signInHeaderFor(await shop.required(path, method), wallet, changes);

const send = (shop: OfficialShop, header: string, path = '/sold', method = 'GET', more = {}) =>
  fetch(shop.url + path, { method, headers: { 'sign-in-with-x': header, ...more } });

async function codeOf(reply: Response) {
  const { code } = (await reply.json()) as { code: string };
  return [reply.status, code];
}

it('serves a paid resource to its payer without another payment', async () => {
  const shop = await open();
  await buy(shop);
  const reply = await send(shop, await signed(shop));
  expect([reply.status, await reply.json()]).toEqual([200, { paidBy: payer.address }]);
  expect(reply.headers.get('cache-control')).toContain('private');
  expect(facilitator.transfers).toHaveLength(1);
});

it('accepts a message without a statement too', async () => {
  const shop = await open({}, { signIn: { accessS: 60 } });
  await buy(shop);
  expect((await send(shop, await signed(shop))).status).toBe(200);
});

it('serves a resource that was paid on Solana', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const address = base58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x!, 'base64url'));
  const asset = { address, decimals: 6 };
  const shop = await open({ accepts: [{ scheme: 'exact', network: solanaDevnet, payTo: address, asset }] });
  facilitator.changes.verify = () => ({ body: { isValid: true, payer: address } });
  const header = officialHeaderFor(await shop.required(), { pick: () => true });
  expect((await shop.pay(header)).status).toBe(200);
  const wallet = {
    address,
    signMessage: async ({ message }: { message: string }) =>
      base58.encode(sign(null, Buffer.from(message), privateKey)),
  };
  const proof = await signed(shop, wallet);
  expect((await send(shop, proof)).status).toBe(200);
  const other = await signed(shop, wallet, {
    nonce: 'a'.repeat(32),
    signature: base58.encode(Buffer.alloc(64, 1)),
  });
  expect(await codeOf(await send(shop, other))).toEqual([402, 'sign_in_invalid']);
});

it('accepts a message once, even in processes that share a store', async () => {
  const [first, second] = [await open(), await open()];
  await buy(first);
  const header = await signed(first);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => send(at % 2 ? first : second, header)),
  );
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await codeOf(await send(second, header))).toEqual([402, 'sign_in_nonce_used']);
});

describe('a message', () => {
  const rejected: [string, SignInChanges, string][] = [
    ['of another domain', { domain: 'evil.example.com' }, 'sign_in_invalid'],
    ['of another resource', { uri: 'https://api.example.com/other' }, 'sign_in_invalid'],
    ['of a part of the URL', { uri: 'https://api.example.com' }, 'sign_in_invalid'],
    ['of another version', { version: '2' }, 'sign_in_invalid'],
    ['of another chain family', { chainId: 'cosmos:hub' }, 'sign_in_invalid'],
    ['with a short nonce', { nonce: 'abc12345' }, 'sign_in_invalid'],
    ['with a signature of another message', { signature: `0x${'11'.repeat(64)}1b` }, 'sign_in_invalid'],
    ['with no signature', { signature: '0x' }, 'sign_in_invalid'],
    ['issued six minutes ago', { issuedAt: new Date(Date.now() - 360_000).toISOString() }, 'sign_in_expired'],
    ['issued in the future', { issuedAt: new Date(Date.now() + 3_600_000).toISOString() }, 'sign_in_expired'],
    ['that has expired', { expirationTime: new Date(Date.now() - 1_000).toISOString() }, 'sign_in_expired'],
    [
      'that is not valid yet',
      { notBefore: new Date(Date.now() + 3_600_000).toISOString() },
      'sign_in_expired',
    ],
  ];
  it.each(rejected)('%s grants no access', async (_name, changes, code) => {
    const shop = await open();
    await buy(shop);
    const unsignable = 'chainId' in changes || 'version' in changes || 'signature' in changes;
    const header = unsignable ? await forged(shop, changes) : await signed(shop, payer, changes);
    const reply = await send(shop, header);
    expect(reply.headers.get('payment-required')).not.toBeNull();
    expect(await codeOf(reply)).toEqual([402, code]);
    expect(shop.handler.calls).toBe(1);
  });

  /** A message that was changed after it was signed. */
  async function forged(shop: OfficialShop, changes: SignInChanges): Promise<string> {
    const message = readHeader<object>(await signed(shop));
    return encodeSIWxHeader({ ...message, ...changes } as never);
  }

  it("rejects a message of another wallet, even with the payer's address", async () => {
    const shop = await open();
    await buy(shop);
    expect(await codeOf(await send(shop, await signed(shop, stranger)))).toEqual([402, 'sign_in_unpaid']);
    const pretended = await signed(shop, stranger, { address: payer.address });
    expect(await codeOf(await send(shop, pretended))).toEqual([402, 'sign_in_invalid']);
  });

  it.each(['', '!', 'e30=', Buffer.from('{"domain":"a\\nb"}').toString('base64'), 'A'.repeat(9_000)])(
    'rejects a malformed message: %.10s',
    async (header) => {
      const shop = await open();
      const reply = await send(shop, header);
      expect((await codeOf(reply))[0]).toBe(402);
    },
  );

  it('rejects a line break in a field, which could form another message', async () => {
    const shop = await open();
    await buy(shop);
    expect(await codeOf(await send(shop, await forged(shop, { statement: 'a\n\nURI: b' })))).toEqual([
      402,
      'sign_in_invalid',
    ]);
  });
});

describe('access', () => {
  it('covers one method and one URL', async () => {
    const shop = await open();
    await buy(shop);
    for (const [path, method] of [
      ['/other', 'GET'],
      ['/sold?more=1', 'GET'],
      ['/sold', 'POST'],
    ] as const) {
      const reply = await send(shop, await signed(shop, payer, {}, path, method), path, method);
      expect(await codeOf(reply)).toEqual([402, 'sign_in_unpaid']);
    }
  });

  it('ends when its time is over', async () => {
    const shop = await open();
    await buy(shop);
    nowMs += 3_599_000;
    expect((await send(shop, await signed(shop))).status).toBe(200);
    nowMs += 2_000;
    expect(await codeOf(await send(shop, await signed(shop)))).toEqual([402, 'sign_in_unpaid']);
  });

  it('grants no access for a failed payment, or for one that charged nothing', async () => {
    const shop = await open();
    facilitator.changes.settle = () => ({
      body: { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:84532' },
    });
    facilitator.changes.verify = () => ({ body: { isValid: true, payer: payer.address } });
    const authorization = { from: payer.address };
    await shop.pay(officialHeaderFor(await shop.required(), { authorization }));
    facilitator.changes = {};
    shop.handler.answer = (request, response) => {
      request.payment!.chargeOnly!(0n);
      response.json({});
    };
    const upto = officialHeaderFor(await shop.required(), {
      authorization,
      pick: ({ scheme }) => scheme === 'upto',
    });
    facilitator.changes.verify = () => ({ body: { isValid: true, payer: payer.address } });
    expect((await shop.pay(upto)).status).toBe(200);
    expect(await codeOf(await send(shop, await signed(shop)))).toEqual([402, 'sign_in_unpaid']);
  });

  it('requests no sign-in if the route has none', async () => {
    const shop = await open({}, {});
    await buy(shop);
    const { extensions } = readHeader<any>(await shop.required());
    expect(extensions['sign-in-with-x']).toBeUndefined();
    expect((await send(shop, 'e30=')).status).toBe(402);
  });

  it('charges nothing for a request with both a sign-in and a payment', async () => {
    const shop = await open();
    await buy(shop);
    const payment = officialHeaderFor(await shop.required());
    const reply = await send(shop, await signed(shop), '/sold', 'GET', { 'payment-signature': payment });
    expect(reply.status).toBe(200);
    expect(facilitator.transfers).toHaveLength(1);
  });

  it.each(['hasAccess', 'useNonce'] as const)(
    'returns 503, and never a price, while %s of the store fails',
    async (method) => {
      const shop = await open();
      await buy(shop);
      const header = await signed(shop);
      jest.spyOn(signIns, method).mockImplementation(() => {
        throw new Error('no store');
      });
      const reply = await send(shop, header);
      expect(reply.headers.get('payment-required')).toBeNull();
      expect(await codeOf(reply)).toEqual([503, 'sign_in_unavailable']);
    },
  );

  it('serves the paid request although the access cannot be recorded', async () => {
    const shop = await open();
    jest.spyOn(signIns, 'keepAccess').mockImplementation(() => {
      throw new Error('no store');
    });
    await buy(shop);
    expect(shop.errors).toHaveLength(1);
  });
});

it.each([
  [{ signIn: { accessS: 0 } }, 'Set `accessS`'],
  [{ signIn: { accessS: 1, statement: 'two\nlines' } }, 'one line'],
  [{ signIn: { accessS: 1 }, url: 'a name' }, 'Invalid URL'],
])('rejects at the start a sign-in that no wallet could sign: %j', async (sold, message) => {
  await expect(startOfficialShop(facilitator, {}, sold)).rejects.toThrow(message);
});

it('evicts no nonce that is still in use', () => {
  const store = new MemorySignIns({ clock, maxNonces: 2 });
  expect([store.useNonce('a', nowMs + 1), store.useNonce('b', nowMs + 100)]).toEqual([true, true]);
  expect(() => store.useNonce('c', nowMs + 100)).toThrow(RangeError);
  nowMs += 50;
  expect([store.useNonce('c', nowMs + 100), store.useNonce('b', nowMs)]).toEqual([true, false]);
});
