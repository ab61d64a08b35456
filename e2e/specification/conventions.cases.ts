import { randomUUID } from 'node:crypto';
import { Client, ok, type Reply } from './client';
import { expectError, expectFailure, expectRequestId, expectShape } from './shape';
import { quoteBody } from './transactions.cases';
import { account, newWallet, walk } from './walk';

export function describeConventions(): void {
  describe('errors outside the transaction API', describeErrors);
  describe('errors of the transaction API', describeEnvelopes);
  describe('Idempotency-Key', describeIdempotency);
  describe('limits', describeLimits);
  describe('limits', describeLimitsOutside);
}

const postsOutside = [
  '/api/v1/pay/quote',
  '/api/v1/pay/batch-quote',
  '/api/v1/pay/checkout-options',
  '/api/v1/pay/balances',
  '/api/v1/pay/create-order',
  '/api/v1/pay/order/unknown/tx',
  '/api/v1/payment/00000000-0000-4000-8000-000000000000/execute',
  '/api/paylinks/00000000-0000-4000-8000-000000000000/pay',
  '/verify',
  '/policy',
];

function describeErrors(): void {
  it.each(postsOutside)('POST %s rejects a body that is not JSON', async (path) => {
    expectError(await walk.api.post(path, '{"amount":'), 400);
  });

  it.each(postsOutside)('POST %s rejects a body above 256 KiB', async (path) => {
    expectError(await walk.api.post(path, { text: 'x'.repeat(263_000) }), 413);
  });

  it.each(postsOutside)('POST %s rejects a body that is not an object', async (path) => {
    expectError(await walk.api.post(path, [1]), 400, 'VALIDATION_ERROR');
  });

  it('return 404 for an unknown route and 405 for a wrong method', async () => {
    expectError(await walk.api.get('/api/v1/pay/unknown'), 404, 'NOT_FOUND');
    expectError(await walk.api.delete('/api/v1/pay/chains'), 405);
    expectError(await walk.secret.get('/sms/send'), 405);
  });

  it('contain x-request-id, as successes do', async () => {
    expectRequestId(await walk.api.get('/api/v1/pay/chains'));
    expectRequestId(await walk.key.post('/v1/quote', quoteBody()));
    expectRequestId(await walk.api.get('/demo/premium'));
  });

  it('contain a request_id that equals x-request-id', async () => {
    const reply = await walk.api.get('/api/v1/pay/orders');
    expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'));
  });
}

function describeEnvelopes(): void {
  const posts = ['/v1/quote', '/v1/transaction/build', '/v1/transaction/execute', '/v1/transaction/batch'];

  // Clients without a key can buy quotes.
  it.each(posts.slice(1))('POST %s requires a key', async (path) => {
    const reply = await walk.api.post(path, {});
    expectFailure(reply, 401, 'UNAUTHORIZED');
    expectShape(reply.body.error.details, { reason: 'string' });
  });

  it.each(posts)('POST %s rejects malformed, large and unknown input', async (path) => {
    const malformed = await walk.key.post(path, '{');
    expect(malformed.status).toBe(400);
    expectFailure(malformed, 400, malformed.body.error.code);
    const large = await walk.key.post(path, { text: 'x'.repeat(263_000) });
    expectFailure(large, 413, large.body.error.code);
    expectFailure(await walk.key.post(path, { unknownField: 1 }), 400, 'VALIDATION_ERROR');
  });

  it('return 401, 404 and 405 for the other cases', async () => {
    expectFailure(await walk.api.get('/v1/transaction/unknown/status'), 401, 'UNAUTHORIZED');
    expectFailure(await walk.key.get('/v1/unknown'), 404, 'NOT_FOUND');
    const wrong = await walk.key.get('/v1/quote');
    expectFailure(wrong, 405, wrong.body.error.code);
  });

  it('accepts the key in X-API-Key too', async () => {
    const client = walk.api.with({ 'X-API-Key': walk.sandbox.merchant.key });
    expect((await client.post('/v1/quote', quoteBody())).status).toBe(200);
  });
}

function describeIdempotency(): void {
  const body = () => ({ name: 'Tea', amount: '1', token: 'USDC', network: 'eip155:8453', description: '' });

  it('replays the first reply byte for byte and creates one resource', async () => {
    const { address, client } = newWallet();
    const headers = { 'Idempotency-Key': randomUUID() };
    const link = { ...body(), receiveAddress: address };
    const first = await client.post('/api/paylinks', link, headers);
    const again = await client.post('/api/paylinks', link, headers);
    ok(first);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(ok(await client.get('/api/paylinks'))).toHaveLength(1);
    const other = await client.post('/api/paylinks', { ...link, name: 'Coffee' }, headers);
    expectError(other, 422, 'IDEMPOTENCY_KEY_REUSED');
  });

  it('creates one order, payment request, payment, key and quote for a repeated call', async () => {
    const { address, client } = newWallet();
    const request = { amount: '1000000', currency: 'USDC', chain: 'base', description: 'Tea', metadata: {} };
    const { id } = ok(await client.post('/api/v1/merchant/payment-requests', request));
    const selected_option = { from_token: 'USDC', from_chain: 'base' };
    const order = {
      pay_blockchain: 'base',
      pay_token: 'USDC',
      settle_chain: 'base',
      settle_token: 'USDC',
      merchant_address: address,
      merchant_amount: '1000000',
      fee_receiver: account('fee_receiver'),
      fee_amount: '0',
      merchant_id: 'walk',
      payer_address: account('payer'),
    };
    const key = { label: 'Till', permissions: ['read'], monthlyBudget: '1', maxPerTx: '1' };
    const calls: [Client, string, unknown][] = [
      [walk.api, '/api/v1/pay/create-order', order],
      [client, '/api/v1/merchant/payment-requests', request],
      [walk.api, `/api/v1/payment/${id}/execute`, { selected_option }],
      [client, '/api/keys', key],
      [walk.key, '/v1/quote', quoteBody()],
    ];
    for (const [caller, path, sent] of calls) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await caller.post(path, sent, headers);
      const again = await caller.post(path, sent, headers);
      expect([path, first.status, again.text]).toEqual([path, 200, first.text]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect(ok(await client.get('/api/keys'))).toHaveLength(1);
  });

  it('buys once for concurrent repeats of a purchase', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const card = { wallet: walk.sandbox.merchant.wallet, amount: 11 };
    const buy = () => walk.secret.post('/card/get-card', card, headers);
    const replies = await Promise.all([buy(), buy(), buy()]);
    replies.push(await buy());
    const bought = new Set<string>();
    for (const reply of replies) {
      if (reply.status === 200) bought.add(reply.body.cardId);
      else expectInProgress(reply);
    }
    expect(bought.size).toBe(1);
  });

  it('rejects a key that does not have 1 to 255 visible characters', async () => {
    const { client } = newWallet();
    const reply = await client.put('/api/settings', {}, { 'Idempotency-Key': 'x'.repeat(256) });
    expectError(reply, 400);
  });
}

function expectInProgress(reply: Reply): void {
  expectError(reply, 409, 'IDEMPOTENCY_IN_PROGRESS');
  expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
}

function describeLimits(): void {
  it('returns 429 with retryAfter above the burst of the plan Free', async () => {
    const permissions = ['read'];
    const free = { label: 'Free', permissions, monthlyBudget: '', maxPerTx: '' };
    const { key } = ok(await newWallet().client.post('/api/keys', free));
    const client: Client = walk.api.with({ authorization: `Bearer ${key}` });
    const replies: Reply[] = [];
    for (let sent = 0; sent < 240; sent += 20) {
      const calls = Array.from({ length: 20 }, () => client.get('/v1/transaction/unknown/status'));
      replies.push(...(await Promise.all(calls)));
    }
    const passed = replies.filter(({ status }) => status === 404);
    const limited = replies.filter(({ status }) => status === 429);
    expect(passed.length + limited.length).toBe(240);
    expect(passed.length).toBeGreaterThanOrEqual(100);
    expect(passed.length).toBeLessThanOrEqual(200);
    for (const reply of limited) expectFailure(reply, 429, 'RATE_LIMIT_EXCEEDED');
    const { headers, body } = limited[0]!;
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(Number.isInteger(body.retryAfter)).toBe(true);
    expect(String(body.retryAfter)).toBe(headers.get('retry-after'));
    expect(headers.get('ratelimit')).not.toBeNull();
  });
}

/** Must be last: the address of this machine is limited afterwards. */
export function describeFailedAuthentications(): void {
  it('returns 429 for further unknown keys, and never for a valid one', async () => {
    const unknown = (at: number): Client => walk.api.with({ authorization: `Bearer unknown-${at}` });
    // 60 a minute: 121 requests exceed it at any time within a minute.
    const statuses = new Set<number>();
    for (let at = 0; at <= 120 && !statuses.has(429); at++) {
      statuses.add((await unknown(at).post('/v1/quote', quoteBody())).status);
    }
    expect(statuses).toEqual(new Set([401, 429]));
    expectFailure(await unknown(121).post('/v1/quote', quoteBody()), 429, 'RATE_LIMIT_EXCEEDED');
    expect((await walk.key.post('/v1/quote', quoteBody())).status).toBe(200);
  });
}

function describeLimitsOutside(): void {
  it('returns 429 with retryAfter outside the transaction API too', async () => {
    const free = { label: 'Free', permissions: ['read'], monthlyBudget: '', maxPerTx: '' };
    const { secret } = ok(await newWallet().client.post('/api/keys', free));
    const client = walk.api.with({ authorization: `Bearer ${secret}` });
    const replies: Reply[] = [];
    for (let sent = 0; sent < 220 && !replies.some(({ status }) => status === 429); sent += 20) {
      replies.push(...(await Promise.all(Array.from({ length: 20 }, () => client.get('/catalog/unknown')))));
    }
    const limited = replies.find(({ status }) => status === 429)!;
    expectError(limited, 429, 'RATE_LIMIT_EXCEEDED');
    expect(String(limited.body.retryAfter)).toBe(limited.headers.get('retry-after'));
    expect(Number.isInteger(limited.body.retryAfter)).toBe(true);
  });
}
