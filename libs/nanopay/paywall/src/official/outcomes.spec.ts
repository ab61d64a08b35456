import type { HttpReply } from '@tollbridge/testing';
import {
  evmBuyer,
  evmNetwork,
  evmSeller,
  FakeFacilitator,
  officialHeaderFor,
} from '../testing/fake-facilitator';
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
      'an error page of a proxy',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' },
    ],
    ['no JSON', { body: 'OK' }],
    ['a string instead of a boolean', { body: { isValid: 'true' } }],
    ['another payer', { body: { isValid: true, payer: '0x4444444444444444444444444444444444444444' } }],
    [
      'an internal failure',
      { status: 500, body: { isValid: false, invalidReason: 'unexpected_verify_error' } },
    ],
    ['a rejected API key', { status: 401, body: { error: 'unauthorized' } }],
    ['too many requests', { status: 429, body: { error: 'slow down' } }],
    ['a redirect', { status: 307, headers: { location: 'http://127.0.0.1:9/verify' }, body: '' }],
    ['too much', { body: { isValid: true, payer: 'x'.repeat(100_000) } }],
    ['a truncated answer', { half: '{"isValid":' }],
    ['nothing', { silent: true }],
  ])(
    'charges nothing when the verification returns %s, and accepts the payment later',
    async (_name, reply) => {
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
    },
  );

  it('answers with the reason of a rejected verification', async () => {
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
  ])('returns 409 without a new price when %s finds it', async (found, body, calls) => {
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
      'an error page of a proxy',
      { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad Gateway</html>' },
    ],
    [
      'an internal failure',
      { status: 500, body: { success: false, errorReason: 'unexpected_settle_error' } },
    ],
    ['another network', { body: { success: true, transaction: hash, network: 'eip155:1' } }],
    ['no transaction', { body: { success: true, transaction: '', network: evmNetwork } }],
    ['a truncated answer', { half: '{"success":true' }],
    [
      'too much',
      { body: { success: true, transaction: hash, network: evmNetwork, extra: { x: 'x'.repeat(100_000) } } },
    ],
    ['no answer in time', { silent: true }],
  ])(
    'reports an unknown outcome when the settlement returns %s, and the retry gets the response',
    async (_name, reply) => {
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
    },
  );

  it('polls a pending settlement in the same request', async () => {
    const shop = await open();
    const payment = await headerOf(shop);
    let asked = 0;
    facilitator.before = (operation) => (operation === 'settle' && asked++ < 2 ? pending : undefined);
    expect((await shop.pay(payment)).status).toBe(200);
    const keys = facilitator.calls('settle').map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  it('reports an unknown outcome with its transaction while the settlement stays pending', async () => {
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

  it('keeps the outcome unknown after a lost answer if the facilitator stores no outcomes', async () => {
    const shop = await open({ keepsOutcomes: false });
    const payment = await headerOf(shop);
    facilitator.changes.settle = () => ({ half: '{' });
    expect((await shop.pay(payment)).status).toBe(503);
    // The payment was charged, so the facilitator now rejects its nonce as used.
    facilitator.changes = {};
    for (let attempt = 0; attempt < 2; attempt++) {
      const reply = await shop.pay(payment);
      expect([reply.status, await codeOf(reply)]).toEqual([503, 'outcome_unknown']);
    }
    expect(shop.handler.calls).toBe(1);
  });

  it('settles only once for concurrent retries', async () => {
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

describe.each(['exact', 'upto'])('a payment by %s that was settled elsewhere', (scheme) => {
  const pick = (offer: { scheme: string; network: string }) =>
    offer.scheme === scheme && offer.network === evmNetwork;
  const paymentFor = async (shop: OfficialShop) => officialHeaderFor(await shop.required(), { pick });
  const nonceIn = (payment: string): string => {
    const { payload } = readHeader<{ payload: Record<string, { nonce: string }> }>(payment);
    return (payload['authorization'] ?? payload['permit2Authorization'])!.nonce;
  };
  /** @param key the Idempotency-Key of the call; undefined without one */
  const settleElsewhere = (payment: string, key?: string) =>
    void facilitator.settled.set(nonceIn(payment), key);
  const gateway = { keepsOutcomes: true };
  const transaction = `0x${'77'.repeat(32)}`;

  beforeEach(() => void (facilitator.keepsOutcomes = true));

  it('buys one response from the first seller that presents it after a call without a key', async () => {
    const [shop, another] = [await open(gateway), await open(gateway)];
    const payment = await paymentFor(shop);
    settleElsewhere(payment);
    const replies = await Promise.all([shop.pay(payment), shop.pay(payment), shop.pay(payment)]);
    expect(replies.map(({ status }) => status).filter((status) => status !== 503)).toContain(200);
    expect((await shop.pay(payment)).status).toBe(200);
    expect((await another.pay(payment)).status).toBe(402);
    expect([shop.handler.calls, another.handler.calls, facilitator.transfers.length]).toEqual([1, 0, 0]);
  });

  it('buys its response if it was settled between verification and settlement', async () => {
    const shop = await open(gateway);
    const payment = await paymentFor(shop);
    shop.handler.answer = (_request, response) => {
      settleElsewhere(payment);
      response.json({ is: 'served' });
    };
    expect((await shop.pay(payment)).status).toBe(200);
    expect([shop.handler.calls, facilitator.transfers.length]).toEqual([1, 0]);
  });

  it('stays paid after a handler failure', async () => {
    const shop = await open(gateway);
    const payment = await paymentFor(shop);
    settleElsewhere(payment);
    const { answer } = shop.handler;
    shop.handler.answer = (_request, response) => response.status(500).json({});
    const failed = await shop.pay(payment);
    expect(failed.status).toBe(500);
    expect(readHeader(failed.headers.get('payment-response'))).toMatchObject({ errorReason: 'not_served' });
    shop.handler.answer = answer;
    expect((await shop.pay(payment)).status).toBe(200);
    expect(shop.handler.calls).toBe(2);
  });

  it('gets 503 while the answer of the facilitator is lost, and gets its response afterwards', async () => {
    const shop = await open(gateway);
    const payment = await paymentFor(shop);
    settleElsewhere(payment);
    facilitator.changes.settle = () => ({ half: '{' });
    for (let attempt = 0; attempt < 2; attempt++) {
      const unknown = await shop.pay(payment);
      expect([unknown.status, unknown.headers.get('payment-required')]).toEqual([503, null]);
    }
    facilitator.changes = {};
    expect((await shop.pay(payment)).status).toBe(200);
    expect(shop.handler.calls).toBe(1);
  });

  it('buys no second response after the store of claims has evicted it', async () => {
    const shop = await open(gateway, { claims: new MemoryClaims({ maxEnded: 1 }) });
    const [payment, next] = [await paymentFor(shop), await paymentFor(shop)];
    settleElsewhere(payment);
    expect([(await shop.pay(payment)).status, (await shop.pay(next)).status]).toEqual([200, 200]);
    expect([(await shop.pay(payment)).status, shop.handler.calls]).toEqual([402, 2]);
  });

  it('gets 402 after the call of another seller, and notifies the seller', async () => {
    const onSettledElsewhere = jest.fn();
    const shop = await open(gateway, { onSettledElsewhere });
    const payment = await paymentFor(shop);
    settleElsewhere(payment, 'the key of another seller');
    const reply = await shop.pay(payment);
    expect([reply.status, await reply.json()]).toMatchObject([
      402,
      { code: 'nonce_already_used', error: expect.stringContaining('ask the seller for a refund') },
    ]);
    expect(onSettledElsewhere.mock.calls).toEqual([
      [
        expect.objectContaining({
          method: 'GET',
          url: 'https://api.example.com/sold',
          scheme,
          payer: evmBuyer,
          payTo: evmSeller,
          amount: '1000',
          reason: 'nonce_already_used',
        }),
      ],
    ]);
    expect(JSON.stringify(onSettledElsewhere.mock.calls)).toContain(nonceIn(payment));
    expect(shop.handler.calls).toBe(0);
  });

  it.each([true, false])(
    'buys its response when the seller finds its transaction (facilitator stores outcomes: %s)',
    async (keepsOutcomes) => {
      const unsold = new Set([transaction]);
      const onSettledElsewhere = jest.fn(async () => [...unsold][0]);
      const shop = await open({ keepsOutcomes }, { onSettledElsewhere });
      const payment = await paymentFor(shop);
      settleElsewhere(payment, 'another facilitator');
      const reply = await shop.pay(payment);
      expect(reply.status).toBe(200);
      expect(readHeader(reply.headers.get('payment-response'))).toMatchObject({ success: true, transaction });
      unsold.clear();
      expect((await shop.pay(payment)).status).toBe(200);
      expect([shop.handler.calls, onSettledElsewhere.mock.calls.length]).toEqual([1, 1]);
    },
  );

  it('asks the seller only once if the handler fails first', async () => {
    const onSettledElsewhere = jest.fn(() => transaction);
    const shop = await open(gateway, { onSettledElsewhere });
    const payment = await paymentFor(shop);
    settleElsewhere(payment, 'another facilitator');
    const { answer } = shop.handler;
    shop.handler.answer = (_request, response) => response.status(500).json({});
    expect((await shop.pay(payment)).status).toBe(500);
    shop.handler.answer = answer;
    expect((await shop.pay(payment)).status).toBe(200);
    expect(onSettledElsewhere).toHaveBeenCalledTimes(1);
  });

  it.each([
    'invalid_exact_evm_nonce_already_used',
    'invalid_exact_evm_insufficient_balance',
    'invalid_exact_evm_transaction_simulation_failed',
    'permit2_invalid_nonce',
    'permit2_insufficient_balance',
    'permit2_simulation_failed',
    'insufficient_funds',
    'simulation_failed',
    'invalid_exact_svm_transaction_simulation_failed',
  ])('buys its response when the seller finds its transaction after the rejection %s', async (reason) => {
    const body = { success: false, isValid: false, network: evmNetwork, transaction: '' };
    facilitator.changes.verify = () => ({ body: { ...body, invalidReason: reason } });
    facilitator.changes.settle = () => ({ body: { ...body, errorReason: reason } });
    const found: string[] = [];
    const shop = await open({}, { onSettledElsewhere: () => found[0] });
    const payment = await paymentFor(shop);
    const rejected = await shop.pay(payment);
    expect([rejected.status, await codeOf(rejected), shop.handler.calls]).toEqual([402, reason, 0]);
    found.push(transaction);
    expect([(await shop.pay(payment)).status, shop.handler.calls]).toEqual([200, 1]);
  });

  it('does not ask the seller after the signed payment itself was rejected', async () => {
    const invalidReason = 'invalid_exact_evm_signature';
    facilitator.changes.verify = () => ({ body: { isValid: false, invalidReason } });
    const onSettledElsewhere = jest.fn(() => transaction);
    const shop = await open(gateway, { onSettledElsewhere });
    const rejected = await shop.pay(await paymentFor(shop));
    expect([rejected.status, await codeOf(rejected)]).toEqual([402, invalidReason]);
    expect([onSettledElsewhere.mock.calls.length, facilitator.calls('settle').length]).toEqual([0, 0]);
  });

  it('gets 503 while the seller cannot search for the transaction', async () => {
    let isDown = true;
    const onSettledElsewhere = async () => {
      if (isDown) throw new Error('The node does not answer.');
      return transaction;
    };
    const shop = await open({}, { onSettledElsewhere });
    const payment = await paymentFor(shop);
    settleElsewhere(payment, 'another facilitator');
    const reply = await shop.pay(payment);
    expect([reply.status, reply.headers.get('payment-required'), shop.handler.calls]).toEqual([503, null, 0]);
    isDown = false;
    expect((await shop.pay(payment)).status).toBe(200);
  });

  it('gets its stored response after a lost answer of a facilitator that stores no outcomes', async () => {
    const found: string[] = [];
    const shop = await open({ keepsOutcomes: false }, { onSettledElsewhere: () => found[0] });
    const payment = await paymentFor(shop);
    facilitator.keepsOutcomes = false;
    facilitator.changes.settle = () => ({ half: '{' });
    expect((await shop.pay(payment)).status).toBe(503);
    facilitator.changes = {};
    expect((await shop.pay(payment)).status).toBe(503);
    found.push(transaction);
    expect((await shop.pay(payment)).status).toBe(200);
    expect([shop.handler.calls, facilitator.transfers.length]).toEqual([1, 1]);
  });
});

describe('the store of claims', () => {
  it('charges nothing when the store fails', async () => {
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

  it('returns 503 when the store is full, and evicts no claim in progress', async () => {
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

  it('evicts ended claims by age, number and size, and the facilitator rejects their copies', async () => {
    const claims = new MemoryClaims({ maxEnded: 1 });
    const shop = await open({}, { claims });
    const [first, second] = [await headerOf(shop), await headerOf(shop)];
    expect((await shop.pay(first)).status).toBe(200);
    expect((await shop.pay(second)).status).toBe(200);
    const reply = await shop.pay(first);
    expect([reply.status, await codeOf(reply)]).toEqual([402, 'nonce_already_used']);
    expect(shop.handler.calls).toBe(2);
  });

  it('ends the claim of a request that died', () => {
    const claims = new MemoryClaims({ lifetimeMs: -1 });
    expect(claims.claim('payment', 'resource')).toEqual({ status: 'new' });
    expect(claims.claim('payment', 'resource')).toEqual({ status: 'new' });
  });
});
