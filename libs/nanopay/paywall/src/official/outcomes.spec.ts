import type { HttpReply } from '@tollbridge/testing';
import { evmNetwork, FakeFacilitator, officialHeaderFor } from '../testing/fake-facilitator';
import { readHeader } from '../testing/samples';
import { startOfficialShop, type OfficialShop } from '../testing/official-shop';
import { MemoryClaims } from './memory-claims';

const hash = `0x${'cd'.repeat(32)}`;
let facilitator: FakeFacilitator;
const shops: OfficialShop[] = [];
beforeAll(async () => void (facilitator = await FakeFacilitator.start()));
afterAll(() => facilitator.close());
beforeEach(() => facilitator.reset());
afterEach(async () => {
  for (const shop of shops.splice(0)) await shop.stop();
});

async function open(
  settings: { keepsOutcomes?: boolean; verifyTimeoutMs?: number; settleTimeoutMs?: number } = {},
  more = {},
) {
  const shop = await startOfficialShop(facilitator, {
    facilitator: { url: facilitator.url, ...settings },
    ...more,
  });
  shops.push(shop);
  return shop;
}

const headerOf = async (shop: OfficialShop) => officialHeaderFor(await shop.required());
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;
const pending = {
  body: { success: false, errorReason: 'settlement_pending', transaction: hash, network: evmNetwork },
};

describe('a verification', () => {
  it.each<[string, HttpReply]>([
    [
      'a page of a proxy',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' },
    ],
    ['no JSON', { body: 'OK' }],
    ['a text instead of a boolean', { body: { isValid: 'true' } }],
    ['another payer', { body: { isValid: true, payer: '0x4444444444444444444444444444444444444444' } }],
    [
      'an internal failure',
      { status: 500, body: { isValid: false, invalidReason: 'unexpected_verify_error' } },
    ],
    ['a rejected API key', { status: 401, body: { error: 'unauthorized' } }],
    ['too many requests', { status: 429, body: { error: 'slow down' } }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/verify' }, body: '' }],
    ['too much', { body: { isValid: true, payer: 'x'.repeat(100_000) } }],
    ['half of an answer', { half: '{"isValid":' }],
    ['nothing', { silent: true }],
  ])('that answers %s charges nothing, and the payment is taken later', async (_name, reply) => {
    const shop = await open('silent' in reply ? { verifyTimeoutMs: 1_000 } : {});
    const payment = await headerOf(shop);
    facilitator.before = (operation) => (operation === 'verify' ? reply : undefined);
    const first = await shop.pay(payment);
    expect([first.status, await codeOf(first)]).toEqual([503, 'payments_unavailable']);
    expect(first.headers.get('retry-after')).toBe('1');
    expect(first.headers.get('payment-required')).toBeNull();
    expect(shop.handler.calls).toBe(0);
    expect(shop.errors).toHaveLength(1);
    facilitator.before = undefined;
    expect((await shop.pay(payment)).status).toBe(200);
  });

  it('that rejects the payment is answered with its reason', async () => {
    const shop = await open();
    const payment = await headerOf(shop);
    facilitator.changes.verify = () => ({ body: { isValid: false, invalidReason: 'insufficient_funds' } });
    const reply = await shop.pay(payment);
    expect([reply.status, await codeOf(reply)]).toEqual([402, 'insufficient_funds']);
    expect(readHeader(reply.headers.get('payment-response'))).toMatchObject({ success: false });
    facilitator.changes.verify = () => ({
      status: 400,
      body: { isValid: false, invalidReason: 'a\r\nb: c' },
    });
    expect(await codeOf(await shop.pay(payment))).toBe('payment_rejected');
  });
});

describe('a payment-identifier of another payment', () => {
  const reason = 'payment_identifier_conflict';

  it.each([
    ['verify', { isValid: false, invalidReason: reason }, 0],
    ['settle', { success: false, errorReason: reason, transaction: '', network: evmNetwork }, 1],
  ])('is 409 without a new price when %s finds it', async (found, body, calls) => {
    const shop = await open();
    facilitator.before = (operation) => (operation === found ? { body } : undefined);
    const reply = await shop.pay(await headerOf(shop));
    expect([reply.status, await codeOf(reply)]).toEqual([409, reason]);
    expect(reply.headers.get('payment-required')).toBeNull();
    expect(shop.handler.calls).toBe(calls);
    expect(facilitator.transfers).toHaveLength(0);
  });
});

describe('a settlement', () => {
  it.each<[string, HttpReply]>([
    [
      'a page of a proxy',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' },
    ],
    [
      'an internal failure',
      { status: 500, body: { success: false, errorReason: 'unexpected_settle_error' } },
    ],
    ['another network', { body: { success: true, transaction: hash, network: 'eip155:1' } }],
    ['no transaction', { body: { success: true, transaction: '', network: evmNetwork } }],
    ['half of an answer', { half: '{"success":true' }],
    [
      'too much',
      { body: { success: true, transaction: hash, network: evmNetwork, extra: { x: 'x'.repeat(100_000) } } },
    ],
    ['nothing in time', { silent: true }],
  ])('that answers %s is unknown, and its retry gets the response', async (_name, reply) => {
    const shop = await open({ keepsOutcomes: true, ...('silent' in reply && { settleTimeoutMs: 1_000 }) });
    const payment = await headerOf(shop);
    facilitator.keepsOutcomes = true;
    facilitator.changes.settle = () => reply;
    for (let attempt = 0; attempt < 2; attempt++) {
      const unknown = await shop.pay(payment);
      expect([unknown.status, await codeOf(unknown)]).toEqual([503, 'outcome_unknown']);
      expect(unknown.headers.get('payment-required')).toBeNull();
    }
    facilitator.changes = {};
    const reply2 = await shop.pay(payment);
    expect(reply2.status).toBe(200);
    expect(await reply2.json()).toHaveProperty('paidBy');
    expect(readHeader(reply2.headers.get('payment-response'))).toMatchObject({ success: true });
    expect(shop.handler.calls).toBe(1);
    expect(facilitator.transfers).toHaveLength(1);
  });

  it('that is pending is asked for again in the same request', async () => {
    const shop = await open();
    const payment = await headerOf(shop);
    let asked = 0;
    facilitator.before = (operation) => (operation === 'settle' && asked++ < 2 ? pending : undefined);
    expect((await shop.pay(payment)).status).toBe(200);
    const keys = facilitator.calls('settle').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('that stays pending is unknown, with its transaction, until it has an outcome', async () => {
    const shop = await open({ settleTimeoutMs: 3_000 });
    const payment = await headerOf(shop);
    facilitator.before = (operation) => (operation === 'settle' ? pending : undefined);
    const reply = await shop.pay(payment);
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({ code: 'outcome_unknown', transaction: hash });
    expect(readHeader(reply.headers.get('payment-response'))).toMatchObject({
      success: false,
      errorReason: 'settlement_pending',
      transaction: hash,
    });
    facilitator.before = (operation) =>
      operation === 'settle'
        ? {
            body: {
              success: false,
              errorReason: 'transaction_failed',
              transaction: hash,
              network: evmNetwork,
            },
          }
        : undefined;
    const failed = await shop.pay(payment);
    expect([failed.status, await codeOf(failed)]).toEqual([402, 'transaction_failed']);
    expect(failed.headers.get('payment-required')).not.toBeNull();
  });

  it('that fails after a lost answer stays unknown where the facilitator keeps no outcomes', async () => {
    const shop = await open({ keepsOutcomes: false });
    const payment = await headerOf(shop);
    facilitator.changes.settle = () => ({ half: '{' });
    expect((await shop.pay(payment)).status).toBe(503);
    // It was charged: now the facilitator says that the nonce was used.
    facilitator.changes = {};
    for (let attempt = 0; attempt < 2; attempt++) {
      const reply = await shop.pay(payment);
      expect([reply.status, await codeOf(reply)]).toEqual([503, 'outcome_unknown']);
    }
    expect(shop.handler.calls).toBe(1);
  });

  it('is made once for concurrent retries', async () => {
    const shop = await open({ keepsOutcomes: true });
    const payment = await headerOf(shop);
    facilitator.keepsOutcomes = true;
    facilitator.changes.settle = () => ({ half: '{' });
    expect((await shop.pay(payment)).status).toBe(503);
    facilitator.changes = {};
    const replies = await Promise.all(Array.from({ length: 10 }, () => shop.pay(payment)));
    expect(replies.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(replies.filter(({ status }) => status === 402)).toHaveLength(0);
    expect(shop.handler.calls).toBe(1);
    expect(facilitator.transfers).toHaveLength(1);
  });
});

describe('the store of claims', () => {
  it('that fails charges nothing', async () => {
    const claims = new MemoryClaims();
    const shop = await open({}, { claims });
    const payment = await headerOf(shop);
    const claim = jest.spyOn(claims, 'claim').mockImplementation(() => {
      throw new Error('The store is down.');
    });
    expect((await shop.pay(payment)).status).toBe(503);
    expect(facilitator.calls('verify')).toHaveLength(0);
    claim.mockRestore();
    expect((await shop.pay(payment)).status).toBe(200);
  });

  it('that is full answers 503 and evicts no claim in progress', async () => {
    const shop = await open({}, { claims: new MemoryClaims({ maxRunning: 1 }) });
    const [first, second] = [await headerOf(shop), await headerOf(shop)];
    let release!: () => void;
    const held = new Promise<void>((resolve) => (release = resolve));
    shop.handler.answer = async (_request, response) => {
      await held;
      response.json({ is: 'served' });
    };
    const slow = shop.pay(first);
    while (shop.handler.calls === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await shop.pay(second)).status).toBe(503);
    expect(await codeOf(await shop.pay(first))).toBe('call_in_progress');
    release();
    expect((await slow).status).toBe(200);
    expect((await shop.pay(second)).status).toBe(200);
  });

  it('forgets ended claims by age, number and size, and the facilitator rejects their copies', async () => {
    const claims = new MemoryClaims({ maxEnded: 1 });
    const shop = await open({}, { claims });
    const [first, second] = [await headerOf(shop), await headerOf(shop)];
    expect((await shop.pay(first)).status).toBe(200);
    expect((await shop.pay(second)).status).toBe(200);
    const reply = await shop.pay(first);
    expect([reply.status, await codeOf(reply)]).toEqual([402, 'nonce_already_used']);
    expect(shop.handler.calls).toBe(2);
  });

  it('ends a claim of a request that died', () => {
    const claims = new MemoryClaims({ lifetimeMs: -1 });
    expect(claims.claim('payment', 'resource')).toEqual({ status: 'new' });
    expect(claims.claim('payment', 'resource')).toEqual({ status: 'new' });
  });
});
