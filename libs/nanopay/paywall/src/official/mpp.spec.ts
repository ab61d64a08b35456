import { createHmac } from 'node:crypto';
import { evmBuyer, FakeFacilitator, officialHeaderFor } from '../testing/fake-facilitator';
import { challengesIn, credentialFor, requestIn, type Fields } from '../testing/mpp-credential';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';
import type { PaywallOptions } from '../paywall';

const secret = 'a secret of the tests, long enough';
const other = '0x3333333333333333333333333333333333333333';

let facilitator: FakeFacilitator;
const shops: OfficialShop[] = [];
beforeAll(async () => void (facilitator = await FakeFacilitator.start()));
afterAll(() => facilitator.close());
beforeEach(() => facilitator.reset());
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop();
});

const challengesOf = async (shop: OfficialShop, path = '/sold', method = 'GET') =>
  challengesIn((await fetch(shop.url + path, { method })).headers.get('www-authenticate') ?? '');

async function open(options: Partial<PaywallOptions> = {}) {
  const shop = await startOfficialShop(facilitator, { mpp: { secret }, ...options });
  shops.push(shop);
  return shop;
}

const pay = (shop: OfficialShop, authorization: string, path = '/sold', method = 'GET', more = {}) =>
  fetch(shop.url + path, { method, headers: { authorization, ...more } });

const codeOf = async (reply: Response) => ((await reply.json()) as { code: string }).code;

describe('a challenge', () => {
  it('accompanies the x402 offers of exact payments by EIP-3009', async () => {
    const shop = await open();
    const [challenge, ...more] = await challengesOf(shop);
    expect(more).toHaveLength(0);
    expect(challenge).toMatchObject({ realm: 'api.example.com', method: 'evm', intent: 'charge' });
    expect(requestIn(challenge!)).toMatchObject({
      amount: '1000',
      methodDetails: { chainId: 84_532, credentialTypes: ['authorization'], decimals: 6 },
    });
    expect(await shop.required()).toBeTruthy();
  });

  it('differs in each response', async () => {
    const shop = await open();
    const [first, second] = [await challengesOf(shop), await challengesOf(shop)];
    expect(first[0]!.id).not.toBe(second[0]!.id);
  });

  it('does not exist without a secret, and credentials are then ignored', async () => {
    const shop = await open({ mpp: undefined as never });
    expect(await challengesOf(shop)).toEqual([]);
    const [challenge] = await challengesOf(await open());
    expect((await pay(shop, credentialFor(challenge!))).status).toBe(402);
    expect(facilitator.calls('verify')).toHaveLength(0);
  });

  it('requires a secret of at least 32 characters', async () => {
    await expect(open({ mpp: { secret: 'short' } })).rejects.toThrow('32');
  });
});

describe('a credential', () => {
  it('buys one response after a call without a key has settled it', async () => {
    facilitator.keepsOutcomes = true;
    const options = { facilitator: { url: facilitator.url, keepsOutcomes: true } };
    const [shop, another] = [await open(options), await open(options)];
    const [challenge] = await challengesOf(shop);
    const credential = credentialFor(challenge!);
    const { payload } = JSON.parse(Buffer.from(credential.slice(8), 'base64url').toString()) as {
      payload: { nonce: string };
    };
    facilitator.settled.set(payload.nonce, undefined);
    const [first, copy, elsewhere] = [
      await pay(shop, credential),
      await pay(shop, credential),
      await pay(another, credential),
    ];
    expect([first.status, copy.status, elsewhere.status]).toEqual([200, 200, 402]);
    expect(first.headers.get('payment-receipt')).not.toBeNull();
    expect([shop.handler.calls, another.handler.calls, facilitator.transfers.length]).toEqual([1, 0, 0]);
  });

  it('pays for the request, and its receipt is sent with the response', async () => {
    const shop = await open();
    const [challenge] = await challengesOf(shop);
    const reply = await pay(shop, credentialFor(challenge!));
    expect([reply.status, await reply.json()]).toEqual([200, { paidBy: evmBuyer }]);
    const receipt = Buffer.from(reply.headers.get('payment-receipt')!, 'base64url').toString();
    expect(JSON.parse(receipt)).toMatchObject({
      method: 'evm',
      status: 'success',
      reference: `0x${'ab'.repeat(32)}`,
    });
    expect(reply.headers.get('cache-control')).toContain('private');
    expect(facilitator.transfers).toHaveLength(1);
  });

  it('buys only one response from two processes that share their secret', async () => {
    const [first, second] = [await open(), await open()];
    const credential = credentialFor((await challengesOf(first))[0]!);
    const replies = [];
    for (const shop of [first, second, first]) replies.push((await pay(shop, credential)).status);
    expect(replies).toEqual([200, 402, 200]);
    expect(first.handler.calls + second.handler.calls).toBe(1);
    expect(facilitator.transfers).toHaveLength(1);
  });

  it('cannot pay for another route, method, price or realm', async () => {
    const shop = await open();
    const credential = credentialFor((await challengesOf(shop))[0]!);
    const asked: [string, string][] = [
      ['/other', 'GET'],
      ['/sold?more=1', 'GET'],
      ['/sold', 'POST'],
      ['/dear', 'GET'],
    ];
    for (const [path, method] of asked)
      expect(await codeOf(await pay(shop, credential, path, method))).toBe('invalid_challenge');
    const elsewhere = await open({ mpp: { secret: `${secret}.` } });
    expect(await codeOf(await pay(elsewhere, credential))).toBe('invalid_challenge');
    expect(facilitator.calls('verify')).toHaveLength(0);
    expect((await pay(shop, credential)).status).toBe(200);
  });

  it.each(['id', 'realm', 'method', 'intent', 'request', 'expires', 'opaque'])(
    'fails with another %s in its challenge',
    async (name) => {
      const shop = await open();
      const [challenge] = await challengesOf(shop);
      const changed = {
        ...challenge!,
        [name]: name === 'request' ? changedRequest(challenge!) : `${challenge![name]}1`,
      };
      const reply = await pay(shop, credentialFor(changed));
      expect([reply.status, await codeOf(reply)]).toEqual([402, 'invalid_challenge']);
      expect(facilitator.calls('verify')).toHaveLength(0);
    },
  );

  it.each([
    ['nonce', { nonce: `0x${'00'.repeat(32)}` }],
    ['receiver', { to: other }],
    ['amount', { value: '1' }],
    ['type', { type: 'transaction' }],
  ])('fails with another %s and receives a problem document of RFC 9457', async (_name, changes) => {
    const shop = await open();
    const reply = await pay(shop, credentialFor((await challengesOf(shop))[0]!, changes));
    expect(reply.headers.get('content-type')).toBe('application/problem+json');
    expect(reply.headers.get('www-authenticate')).toMatch(/^Payment id="/);
    expect(await reply.json()).toMatchObject({
      type: 'https://paymentauth.org/problems/verification-failed',
      status: 402,
      code: 'verification_failed',
    });
  });

  it('fails after its challenge has expired, unless its outcome is unknown', async () => {
    let nowMs = Date.now();
    const shop = await open({
      clock: () => nowMs,
      facilitator: { url: facilitator.url, keepsOutcomes: true },
    });
    facilitator.keepsOutcomes = true;
    const [late, asked] = [(await challengesOf(shop))[0]!, (await challengesOf(shop))[0]!];
    facilitator.changes.settle = () => ({ half: '{' });
    expect((await pay(shop, credentialFor(asked))).status).toBe(503);
    facilitator.changes = {};
    nowMs += 61_000;
    expect(await codeOf(await pay(shop, credentialFor(late)))).toBe('payment_expired');
    expect((await pay(shop, credentialFor(asked))).status).toBe(200);
  });

  it.each(['Payment', 'Payment !', 'Payment e30', 'Payment bnVsbA', `Payment ${'A'.repeat(12_000)}`])(
    'gets a new challenge if it is malformed (%#)',
    async (authorization) => {
      const shop = await open();
      const reply = await pay(shop, authorization);
      expect([reply.status, await codeOf(reply)]).toEqual([402, 'malformed_credential']);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Payment id="/);
    },
  );

  it('fails together with an x402 payment', async () => {
    const shop = await open();
    const credential = credentialFor((await challengesOf(shop))[0]!);
    const payment = officialHeaderFor(await shop.required());
    expect((await pay(shop, credential, '/sold', 'GET', { 'payment-signature': payment })).status).toBe(400);
    expect((await pay(shop, 'Bearer key', '/sold', 'GET', { 'payment-signature': payment })).status).toBe(
      200,
    );
  });
});

const changedRequest = (challenge: Fields) =>
  Buffer.from(JSON.stringify({ ...requestIn(challenge), amount: '1' })).toString('base64url');

it('MppChallenges derives the id of a challenge as the draft recommends', async () => {
  const [challenge] = await challengesOf(await open());
  const { realm, method, intent, request, expires, opaque } = challenge!;
  const bound = [realm, method, intent, request, expires, '', opaque].join('|');
  expect(challenge!.id).toBe(createHmac('sha256', secret).update(bound).digest('base64url'));
});
