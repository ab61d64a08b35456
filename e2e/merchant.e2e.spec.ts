import { spawnSync } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { expectFailure, notCovered, route } from './covered-routes';
import { Api, withoutRequestId, type Reply } from './http';
import { liveStateCases } from './live-state.cases';
import { foundIn, logsIn } from './logs';
import { dashboardCases } from './dashboard.cases';
import { metricsCases } from './metrics.cases';
import { stolenRoleCases } from './stolen-role.cases';
import { Payer } from './payer';
import { PayerAcross } from './payer-across';
import { repeatCases, type RepeatHarness } from './repeat.cases';
import { Swapper } from './swapper';
import { repository, Harness, startTimeoutMs } from './harness';
import { TraceCollector } from './trace-collector';
import { traceCases } from './traces.cases';
import { Wiretap } from './wiretap';

let harness: Harness;
let api: Api;
let payer: Payer;
let collector: TraceCollector;
const forRepeats = {} as RepeatHarness;

/** All secrets that clients received here. No log and no message on the bus may contain one. */
const secrets: string[] = [];
let wiretap: Wiretap;

beforeAll(async () => {
  collector = await TraceCollector.start();
  harness = await Harness.start(collector.settings);
  wiretap = await Wiretap.on(harness.state.urls.nats);
  api = await Api.at(harness.gateway);
  payer = await Payer.in(api);
  const swapper = await Swapper.in(api);
  Object.assign(forRepeats, { harness, payer, swapper, gateway: harness.gateway });
}, startTimeoutMs);

afterAll(async () => {
  payer?.close();
  forRepeats.swapper?.close();
  await wiretap?.close();
  await harness?.remove();
  collector?.close();
});

/** A new merchant. */
class Shop {
  readonly account = Wallet.createRandom();
  readonly wallet = this.account.address;

  send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    return api.send(method, path, text, { 'x-wallet': this.wallet, ...headers });
  }
  get = (path: string) => this.send('GET', path);
  post = (path: string, body: unknown = {}) => this.send('POST', path, body);
  put = (path: string, body: unknown) => this.send('PUT', path, body);
  delete = (path: string) => this.send('DELETE', path);

  async newKey(changes: Record<string, unknown> = {}): Promise<any> {
    const { body } = await this.post('/api/keys', {
      label: 'Till',
      permissions: ['read', 'write'],
      ...changes,
    });
    secrets.push(body.secret);
    return body;
  }

  /** Sets a webhook address, by default without a receiver, and returns its secret. */
  async newEndpoint(webhookUrl = 'http://127.0.0.1:9/'): Promise<string> {
    await this.put('/api/settings', { webhookUrl });
    const { body } = await this.post('/api/webhooks/secret');
    secrets.push(body.secret);
    return body.secret;
  }

  async ask(changes: Record<string, unknown> = {}): Promise<any> {
    const request = { amount: '2500000', currency: 'USDC', chain: 'base', description: 'Tea', ...changes };
    return (await this.post('/api/v1/merchant/payment-requests', request)).body;
  }

  async newLink(changes: Record<string, unknown> = {}): Promise<any> {
    const link = {
      name: 'Tea',
      amount: '1000000',
      token: 'USDC',
      network: 'eip155:8453',
      description: 'Green',
    };
    return (await this.post('/api/paylinks', { ...link, receiveAddress: this.wallet, ...changes })).body;
  }
}

const direct = { selected_option: { from_token: 'USDC', from_chain: 'base' } };
const execute = (id: string, body: unknown = direct) => api.post(`/api/v1/payment/${id}/execute`, body);
const unknownId = '3f0a4d62-9a3e-4f6c-8a51-6f2c1d0b9e77';

/** Compares the responses for another merchant's object and for a missing object. They must be equal. */
async function expectAlike(call: (id: string) => Promise<Reply>, foreignId: string): Promise<void> {
  const [foreign, missing] = [await call(foreignId), await call(unknownId)];
  expect([foreign.status, withoutRequestId(foreign.body)]).toEqual([404, withoutRequestId(missing.body)]);
}

route('POST /api/auth/challenge', {
  OK: async () => {
    const { body } = await api.post('/api/auth/challenge', { wallet: new Shop().wallet });
    expect(body).toMatchObject({ scheme: 'eip4361', message: expect.stringContaining(body.nonce) });
  },
  VALIDATION_ERROR: () =>
    expectFailure(api.post('/api/auth/challenge', { wallet: 'me' }), 400, 'VALIDATION_ERROR', 'wallet'),
});

async function signIn(shop: Shop): Promise<any> {
  const { body } = await api.post('/api/auth/challenge', { wallet: shop.wallet });
  const { nonce, message } = body;
  const signature = await shop.account.signMessage(message);
  const verified = await api.post('/api/auth/verify', { wallet: shop.wallet, nonce, message, signature });
  secrets.push(verified.body.token);
  return { ...verified.body, nonce, message, signature };
}

route('POST /api/auth/verify', {
  OK: async () => {
    const shop = new Shop();
    const { token } = await signIn(shop);
    const { status } = await shop.send('GET', '/api/overview', undefined, {
      authorization: `Bearer ${token}`,
    });
    expect(status).toBe(200);
  },
  'UNAUTHORIZED: rejects a used nonce': async () => {
    const shop = new Shop();
    const { nonce, message, signature } = await signIn(shop);
    const again = { wallet: shop.wallet, nonce, message, signature };
    await expectFailure(api.post('/api/auth/verify', again), 401, 'UNAUTHORIZED');
  },
});

route('GET /api/auth/sessions', {
  OK: async () => {
    const shop = new Shop();
    const { token } = await signIn(shop);
    const { body } = await shop.get('/api/auth/sessions');
    expect(JSON.stringify(body)).not.toContain(token);
    expect(JSON.stringify(body)).toContain('eip4361');
  },
});

async function sessionsOf(shop: Shop): Promise<any[]> {
  const { body } = await shop.get('/api/auth/sessions');
  return Array.isArray(body) ? body : body.sessions;
}

route('DELETE /api/auth/sessions/{id}', {
  OK: async () => {
    const shop = new Shop();
    const { token } = await signIn(shop);
    const [session] = await sessionsOf(shop);
    expect((await shop.delete(`/api/auth/sessions/${session.id}`)).status).toBe(200);
    await eventually(async () => {
      const reply = await shop.send('GET', '/api/overview', undefined, { authorization: `Bearer ${token}` });
      expect(reply.status).toBe(401);
    });
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another wallet': async () => {
    const other = new Shop();
    await signIn(other);
    const [session] = await sessionsOf(other);
    await expectAlike((id) => new Shop().delete(`/api/auth/sessions/${id}`), session.id);
  },
});

route('DELETE /api/auth/sessions', {
  OK: async () => {
    const shop = new Shop();
    await signIn(shop);
    await signIn(shop);
    expect((await shop.delete('/api/auth/sessions')).status).toBe(200);
    expect(await sessionsOf(shop)).toEqual([]);
  },
});

route('GET /api/keys', {
  OK: async () => {
    const shop = new Shop();
    const { id, secret } = await shop.newKey();
    const { body } = await shop.get('/api/keys');
    expect(body).toMatchObject([{ id, label: 'Till', permissions: ['read', 'write'], usedBudget: 0 }]);
    expect(JSON.stringify(body)).not.toContain(secret);
    expect((await new Shop().get('/api/keys')).body).toEqual([]);
  },
  'UNAUTHORIZED: rejects a missing, a repeated and a malformed wallet': async () => {
    const wallets = [undefined, '', 'me', `${new Shop().wallet}, ${new Shop().wallet}`];
    for (const wallet of wallets)
      await expectFailure(
        api.send('GET', '/api/keys', undefined, wallet === undefined ? {} : { 'x-wallet': wallet }),
        401,
        'UNAUTHORIZED',
      );
  },
});

route('POST /api/keys', {
  OK: async () => {
    const { key, secret } = await new Shop().newKey({ monthlyBudget: '100', maxPerTx: '10.50' });
    for (const text of [key, secret])
      expect((await api.send('GET', '/api/v1/pay/chains', undefined, { 'x-api-key': text })).status).toBe(
        200,
      );
  },
  'CONFLICT: rejects more keys than a wallet may have': async () => {
    const shop = new Shop();
    for (let count = 0; count < 100; count++) await shop.newKey();
    await expectFailure(
      shop.post('/api/keys', { label: 'One more', permissions: ['read'] }),
      409,
      'CONFLICT',
    );
  },
  'VALIDATION_ERROR: rejects fields that the service sets itself': () =>
    expectFailure(
      new Shop().post('/api/keys', { label: 'x', permissions: ['read'], usedBudget: 0, wallet_address: 'x' }),
      400,
      'VALIDATION_ERROR',
      'usedBudget',
      'wallet_address',
    ),
});

route('PUT /api/keys/{id}/toggle', {
  OK: async () => {
    const shop = new Shop();
    const { id, secret } = await shop.newKey();
    const use = () => api.send('GET', '/api/webhooks', undefined, { 'x-api-key': secret });
    expect((await use()).status).toBe(200);
    expect((await shop.put(`/api/keys/${id}/toggle`, { enabled: false })).body).toMatchObject({
      enabled: false,
    });
    await eventually(async () => expect((await use()).body.details).toEqual({ reason: 'disabled' }));
  },
  'NOT_FOUND: returns the same for an unknown key and the key of another wallet': async () => {
    const { id } = await new Shop().newKey();
    const other = new Shop();
    await expectAlike((it) => other.put(`/api/keys/${it}/toggle`, { enabled: false }), id);
  },
});

route('POST /api/keys/{id}/regenerate', {
  OK: async () => {
    const shop = new Shop();
    const { id, secret: former } = await shop.newKey();
    const { body } = await shop.post(`/api/keys/${id}/regenerate`);
    secrets.push(body.secret);
    const use = (text: string) => api.send('GET', '/api/webhooks', undefined, { 'x-api-key': text });
    expect((await use(body.secret)).status).toBe(200);
    expect((await use(former)).status).toBe(401);
  },
  'NOT_FOUND: returns the same for an unknown key and the key of another wallet': async () => {
    const { id } = await new Shop().newKey();
    const other = new Shop();
    await expectAlike((it) => other.post(`/api/keys/${it}/regenerate`), id);
  },
});

route('GET /api/keys/{id}/spends', {
  OK: async () => {
    const shop = new Shop();
    const { id, key, secret } = await shop.newKey({ permissions: ['read', 'pay'], monthlyBudget: '1.5' });
    // Reservations fail while the merchant app is slow, for example on a busy machine.
    const made = await eventually(async () => {
      const reply = await payer.createOrder({}, { 'x-api-key': secret });
      expect(reply).toMatchObject({ status: 200 });
      return reply;
    });
    // The publishable key, which a page may contain, uses no budget.
    expect((await payer.createOrder({}, { 'x-api-key': key })).status).toBe(200);
    const { body } = await shop.get(`/api/keys/${id}/spends`);
    expect(JSON.stringify(body)).toContain(made.body.order_id);
    const [listed] = (await shop.get('/api/keys')).body;
    expect(listed.usedBudget).toBeGreaterThan(0.9);
  },
  'NOT_FOUND: returns the same for an unknown key and the key of another wallet': async () => {
    const { id } = await new Shop().newKey();
    const other = new Shop();
    await expectAlike((it) => other.get(`/api/keys/${it}/spends`), id);
  },
});

route('DELETE /api/keys/{id}', {
  OK: async () => {
    const shop = new Shop();
    const { id, secret } = await shop.newKey();
    expect((await shop.delete(`/api/keys/${id}`)).body).toEqual({ ok: true });
    const use = () => api.send('GET', '/api/webhooks', undefined, { 'x-api-key': secret });
    await eventually(async () => expect((await use()).status).toBe(401));
  },
  'NOT_FOUND: returns the same for an unknown key and the key of another wallet': async () => {
    const { id } = await new Shop().newKey();
    const other = new Shop();
    await expectAlike((it) => other.delete(`/api/keys/${it}`), id);
  },
});

route('GET /api/settings', {
  OK: async () => expect((await new Shop().get('/api/settings')).body).toEqual({}),
});

route('PUT /api/settings', {
  OK: async () => {
    const shop = new Shop();
    const settings = { storeName: 'Tea', nested: { any: [1, null, 'thing'] }, id: 'mine' };
    expect((await shop.put('/api/settings', settings)).body).toEqual(settings);
    expect((await shop.get('/api/settings')).body).toEqual(settings);
  },
  'VALIDATION_ERROR: rejects oversized settings, and warns of an internal webhook address': async () => {
    const shop = new Shop();
    expect((await shop.put('/api/settings', { text: 'x'.repeat(65_536) })).status).toBe(400);
    expect((await shop.get('/api/settings')).body).toEqual({});
    for (const webhookUrl of ['http://169.254.169.254/', 'http://10.0.0.1/', 'file:///etc/passwd', 7])
      expect((await shop.put('/api/settings', { webhookUrl })).body).toMatchObject({
        warnings: [{ code: 'WEBHOOK_URL_UNUSABLE' }],
      });
  },
});

route('DELETE /api/settings/all', {
  OK: async () => {
    const shop = new Shop();
    await shop.put('/api/settings', { storeName: 'Tea' });
    expect((await shop.delete('/api/settings/all')).body).toEqual({ ok: true });
    expect((await shop.get('/api/settings')).body).toEqual({});
  },
});

route('POST /api/v1/merchant/payment-requests', {
  OK: async () => {
    const asked = await new Shop().ask({ metadata: { cart: 17 } });
    expect(asked).toMatchObject({ status: 'pending', amount: '2500000', currency: 'USDC' });
    const page = await fetch(asked.payment_link);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const image = await fetch(asked.qr_code_url);
    expect(image.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await image.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
  },
  'VALIDATION_ERROR: lists all bad fields': () =>
    expectFailure(
      new Shop().post('/api/v1/merchant/payment-requests', {
        amount: '0.1+0.2',
        currency: 'NOPE',
        chain: 'base',
        description: 'x',
        status: 'completed',
      }),
      400,
      'VALIDATION_ERROR',
      'amount',
      'currency',
      'status',
    ),
});

route('GET /api/v1/merchant/payment-requests/{id}', {
  OK: async () => {
    const shop = new Shop();
    const { id } = await shop.ask();
    expect((await shop.get(`/api/v1/merchant/payment-requests/${id}`)).body).toMatchObject({ id });
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id } = await new Shop().ask();
    const other = new Shop();
    await expectAlike((it) => other.get(`/api/v1/merchant/payment-requests/${it}`), id);
  },
});

route('POST /api/v1/merchant/payment-requests/{id}/cancel', {
  OK: async () => {
    const shop = new Shop();
    const { id } = await shop.ask();
    const { body } = await shop.post(`/api/v1/merchant/payment-requests/${id}/cancel`);
    expect(body.status).toBe('canceled');
  },
  'CONFLICT: rejects a paid request': async () => {
    const { shop, id } = await paid;
    await expectFailure(shop.post(`/api/v1/merchant/payment-requests/${id}/cancel`), 409, 'CONFLICT');
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id } = await new Shop().ask();
    const other = new Shop();
    await expectAlike((it) => other.post(`/api/v1/merchant/payment-requests/${it}/cancel`), id);
  },
});

const receiveAddress = 'GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB';
const setReceiveAddress = (shop: Shop, id: string, address = receiveAddress) =>
  shop.post(`/api/v1/merchant/payment-requests/${id}/receive-address`, { receive_address: address });

route('POST /api/v1/merchant/payment-requests/{id}/receive-address', {
  OK: async () => {
    const shop = new Shop();
    const asked = await shop.ask({ chain: 'solana' });
    expect(asked).toMatchObject({ receive_address: '', receive_address_required: true });
    for (let call = 0; call < 2; call++)
      expect(await setReceiveAddress(shop, asked.id)).toMatchObject({
        status: 200,
        body: { receive_address: receiveAddress, receive_address_required: false },
      });
  },
  'CONFLICT: rejects a second, different address': async () => {
    const shop = new Shop();
    const { id } = await shop.ask({ chain: 'solana' });
    await setReceiveAddress(shop, id);
    const other = '8GNb3m6RjiEu5tutbQ8sJv5EbrcJJBPC8kCHcSo77Nyo';
    await expectFailure(setReceiveAddress(shop, id, other), 409, 'CONFLICT');
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id } = await new Shop().ask({ chain: 'solana' });
    const other = new Shop();
    await expectAlike((it) => setReceiveAddress(other, it), id);
  },
});

/** One payment request that was executed and paid on the chain, for all tests that only read it. */
let paid: Promise<{ shop: Shop; id: string; payment: any }>;
beforeAll(() => {
  paid = (async () => {
    const shop = new Shop();
    const { id } = await shop.ask();
    const { body: payment } = await execute(id);
    await payer.report(payment.order.order_id, await payer.pay(payment.order));
    await eventually(async () => {
      const { body } = await api.get(`/api/v1/payment/${payment.payment_id}/status`);
      expect(body).toMatchObject({ status: 'completed', progress: 100 });
    });
    return { shop, id, payment };
  })();
  // The promise may reject before a case awaits it.
  paid.catch(() => undefined);
});

route('GET /api/v1/merchant/payment-requests', {
  OK: async () => {
    const { shop, payment } = await paid;
    const { body } = await shop.get('/api/v1/merchant/payment-requests?status=completed');
    expect(body.payment_requests).toMatchObject([{ id: payment.payment_request_id, completed_payments: 1 }]);
    expect((await new Shop().get('/api/v1/merchant/payment-requests')).body.payment_requests).toEqual([]);
  },
});

route('GET /api/v1/merchant/payments', {
  OK: async () => {
    const { shop, payment } = await paid;
    const { body } = await shop.get('/api/v1/merchant/payments?status=completed');
    expect(body).toMatchObject({ payments: [{ payment_id: payment.payment_id }], total: 1 });
    expect((await new Shop().get('/api/v1/merchant/payments')).body.payments).toEqual([]);
  },
});

route('GET /api/v1/merchant/stats', {
  OK: async () => {
    const { shop } = await paid;
    const { body } = await shop.get('/api/v1/merchant/stats');
    expect(body.today).toMatchObject({ total_payments: 1, total_amount: 2.5, currency: 'USD' });
    expect(body.this_month.by_currency).toMatchObject([{ currency: 'USDC', total_amount: '2500000' }]);
  },
});

route('GET /api/v1/payment/{id}', {
  OK: async () => {
    const { id } = await new Shop().ask({ metadata: { secret: 'of the shop' } });
    const { body } = await api.get(`/api/v1/payment/${id}`);
    expect(body.payment_options[0]).toMatchObject({ execution_strategy: 'direct', from_amount: '2500000' });
    expect(JSON.stringify(body)).not.toContain('of the shop');
  },
  NOT_FOUND: () => expectFailure(api.get(`/api/v1/payment/${unknownId}`), 404, 'NOT_FOUND'),
});

route('POST /api/v1/payment/{id}/execute', {
  'OK: creates one payment for fifty concurrent calls': async () => {
    const { id } = await new Shop().ask();
    const replies = await Promise.all(Array.from({ length: 50 }, () => execute(id)));
    expect(replies.map(({ status }) => status)).toEqual(Array(50).fill(200));
    expect(new Set(replies.map(({ body }) => `${body.payment_id} ${body.order.order_id}`)).size).toBe(1);
  },
  'OK: executes every listed option with the body of the specification': async () => {
    const { id } = await new Shop().ask({ amount: '25000000' });
    // Options that were not quoted in time appear in a later read.
    const listed = await eventually(async () => {
      const { body } = await api.get(`/api/v1/payment/${id}`);
      expect(body.payment_options.length).toBeGreaterThan(15);
      return body.payment_options as { from_token: string; from_chain: string }[];
    });
    for (const { from_token, from_chain } of listed) {
      const { status } = await execute(id, { selected_option: { from_token, from_chain } });
      expect([from_token, from_chain, status]).toEqual([from_token, from_chain, 200]);
    }
    await eventually(async () => {
      const { body: all } = await api.get(`/api/v1/payment/${id}?payer_address=${payer.address}`);
      expect(all.payment_options.length).toBeGreaterThanOrEqual(listed.length);
    });
  },
  'OK: returns the overpaid amount to the sender without a payer_address': async () => {
    const { id } = await new Shop().ask({ amount: '25000000' });
    const selected_option = { from_token: 'USDC', from_chain: 'eip155:42161' };
    const { body } = await execute(id, { selected_option });
    const { deposit_address, deposit_amount } = body.order.cross_chain;
    const amount = BigInt(deposit_amount) * 2n;
    const [across, own] = [await PayerAcross.in(api), await PayerAcross.in(api)];
    const sender = Wallet.createRandom();
    const { privateKey } = across.account('payer');
    await across.origin.transfer(privateKey, 'ETH', sender.address, 10n ** 17n);
    await across.origin.transfer(privateKey, 'USDC', sender.address, amount);
    const held = () => across.origin.balanceOf('USDC', sender.address);
    await eventually(async () => expect(await held()).toBe(amount));
    await own.origin.transfer(sender.privateKey, 'USDC', deposit_address, amount);
    await eventually(
      async () => {
        const { body: order } = await api.get(`/api/v1/pay/order/${body.order.order_id}`);
        expect(order).toMatchObject({ status: 'settled', settled_amount: '25000000' });
        const [refund] = order.cross_chain.forwarded_refunds;
        expect(refund).toMatchObject({ state: 'sent', recipient: sender.address });
        expect(await held()).toBe(BigInt(refund.amount));
      },
      { timeoutMs: 60_000 },
    );
    for (const chain of [across, own]) chain.close();
  },
  'CONFLICT: rejects a paid and a canceled request': async () => {
    await expectFailure(execute((await paid).id), 409, 'CONFLICT');
    const shop = new Shop();
    const { id } = await shop.ask();
    await shop.post(`/api/v1/merchant/payment-requests/${id}/cancel`);
    await expectFailure(execute(id), 409, 'CONFLICT');
  },
  NOT_FOUND: () => expectFailure(execute(unknownId), 404, 'NOT_FOUND'),
  'UPSTREAM_UNAVAILABLE: fails when the reply of the route provider is lost': async () => {
    const { id } = await new Shop().ask({ amount: '25006409' });
    const option = { from_token: 'USDC', from_chain: 'arb' };
    const body = { selected_option: option, payer_address: payer.address };
    await expectFailure(execute(id, body), 502, 'UPSTREAM_UNAVAILABLE');
  },
  'VALIDATION_ERROR: rejects an option that is not listed': async () => {
    const { id } = await new Shop().ask();
    const reply = await execute(id, { selected_option: { from_token: 'NOPE', from_chain: 'base' } });
    expect([reply.status, reply.body.code]).toEqual([400, 'VALIDATION_ERROR']);
  },
});

route('GET /api/v1/payment/{id}/status', {
  OK: async () => {
    const { payment } = await paid;
    const { body } = await api.get(`/api/v1/payment/${payment.payment_id}/status`);
    expect(body.steps).toMatchObject([{ step_type: 'transfer', status: 'completed' }]);
  },
  NOT_FOUND: () => expectFailure(api.get(`/api/v1/payment/${unknownId}/status`), 404, 'NOT_FOUND'),
});

liveStateCases(
  () => api,
  () => payer,
  async () => {
    const { id: requestId } = await new Shop().ask();
    return { requestId, payment: (await execute(requestId)).body };
  },
);

route('GET /api/overview', {
  OK: async () => {
    const { shop } = await paid;
    const { body } = await shop.get('/api/overview');
    expect(body).toMatchObject({ totalVolumeUsd: '2.5', totalPayments: 1, successRate: 1 });
    expect(body.daily).toHaveLength(30);
  },
});

route('GET /api/transactions', {
  OK: async () => {
    const { shop, payment } = await paid;
    const { body } = await shop.get('/api/transactions');
    expect(body).toMatchObject([
      { order_id: payment.order.order_id, status: 'completed', amount: '2500000' },
    ]);
    const headers = { 'x-wallet': shop.wallet };
    const csv = await (await fetch(`${harness.gateway}/api/transactions/export`, { headers })).text();
    expect(csv.split('\r\n')).toHaveLength(3);
    expect(csv).toContain(',2500000,2.5,0,0,2.5');
    expect((await new Shop().get('/api/transactions')).body).toEqual([]);
  },
});

route('GET /api/transactions/{id}', {
  OK: async () => {
    const { shop, payment } = await paid;
    const { body } = await shop.get(`/api/transactions/${payment.order.order_id}`);
    const listed = await shop.get(`/api/transactions?q=${body.tx_hash.slice(0, 20)}`);
    expect(listed.body).toEqual([body]);
  },
  NOT_FOUND: async () => {
    const { payment } = await paid;
    const path = `/api/transactions/${payment.order.order_id}`;
    await expectFailure(new Shop().get(path), 404, 'NOT_FOUND');
  },
});

route('GET /api/ledger/proof', {
  OK: async () => {
    const { body } = await (await paid).shop.get('/api/ledger/proof');
    expect(body).toMatchObject({ ok: true, problems: [], assets: [{ sum: '0', received: '2500000' }] });
  },
});

route('GET /api/ledger/entries', {
  OK: async () => {
    const { body } = await (await paid).shop.get('/api/ledger/entries');
    const amounts = body.entries.map(({ amount }: { amount: string }) => BigInt(amount));
    expect(amounts).toContain(2_500_000n);
    expect(amounts.reduce((sum: bigint, amount: bigint) => sum + amount, 0n)).toBe(0n);
  },
});

route('GET /api/paylinks', {
  OK: async () => {
    const shop = new Shop();
    const { id } = await shop.newLink();
    expect((await shop.get('/api/paylinks')).body).toMatchObject([{ id, active: true, payment_count: 0 }]);
    expect((await new Shop().get('/api/paylinks')).body).toEqual([]);
  },
});

route('POST /api/paylinks', {
  OK: async () => {
    const shop = new Shop();
    const link = await shop.newLink({ metadata: { shelf: 3 }, maxPayments: 5 });
    expect(link).toMatchObject({ wallet_address: shop.wallet, name: 'Tea', payment_count: 0 });
    const page = await fetch(`${harness.gateway}/l/${link.id}`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Tea')]);
  },
  'VALIDATION_ERROR: rejects fields that only the service sets': async () => {
    const { status, body } = await new Shop().post('/api/paylinks', {
      payment_count: 9,
      wallet_address: 'x',
    });
    const fields = body.details.map(({ field }: { field: string }) => field);
    expect([status, fields]).toEqual([
      400,
      expect.arrayContaining(['payment_count', 'wallet_address', 'name']),
    ]);
  },
});

route('PUT /api/paylinks/{id}/toggle', {
  OK: async () => {
    const shop = new Shop();
    const { id } = await shop.newLink();
    expect((await shop.put(`/api/paylinks/${id}/toggle`, { active: false })).body).toMatchObject({
      active: false,
    });
    expect((await api.get(`/api/paylinks/${id}/public`)).status).toBe(404);
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id } = await new Shop().newLink();
    const other = new Shop();
    await expectAlike((it) => other.put(`/api/paylinks/${it}/toggle`, { active: false }), id);
  },
  'VALIDATION_ERROR: rejects text instead of a boolean': async () => {
    const shop = new Shop();
    const { id } = await shop.newLink();
    const reply = shop.put(`/api/paylinks/${id}/toggle`, { active: 'false' });
    await expectFailure(reply, 400, 'VALIDATION_ERROR', 'active');
  },
});

route('DELETE /api/paylinks/{id}', {
  OK: async () => {
    const shop = new Shop();
    const { id } = await shop.newLink();
    expect((await shop.delete(`/api/paylinks/${id}`)).body).toEqual({ ok: true });
    expect((await shop.get('/api/paylinks')).body).toEqual([]);
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id } = await new Shop().newLink();
    const other = new Shop();
    await expectAlike((it) => other.delete(`/api/paylinks/${it}`), id);
  },
});

route('GET /api/paylinks/{id}/public', {
  OK: async () => {
    const { id } = await new Shop().newLink({ metadata: { shelf: 3 } });
    const { body } = await api.send('GET', `/api/paylinks/${id}/public`, undefined, {});
    expect(body).toMatchObject({ id, name: 'Tea', amount: '1000000', token: 'USDC' });
    expect(body).not.toHaveProperty('metadata');
  },
  NOT_FOUND: () => expectFailure(api.get(`/api/paylinks/${unknownId}/public`), 404, 'NOT_FOUND'),
});

route('POST /api/paylinks/{id}/pay', {
  'OK: counts a payment on the chain once': async () => {
    const shop = new Shop();
    const { id } = await shop.newLink();
    const txHash = await payer.transfer('USDC', shop.wallet, 1_000_000n);
    const report = () => api.post(`/api/paylinks/${id}/pay`, { txHash });
    await report();
    await eventually(
      async () => expect((await report()).body).toMatchObject({ success: true, verified: true }),
      { everyMs: 1_500 },
    );
    expect((await shop.get('/api/paylinks')).body).toMatchObject([{ payment_count: 1 }]);
    const other = await new Shop().newLink({ receiveAddress: shop.wallet });
    expect((await api.post(`/api/paylinks/${other.id}/pay`, { txHash })).body).toMatchObject({
      verified: false,
    });
    await eventually(async () =>
      expect((await shop.get('/api/overview')).body).toMatchObject({ totalPayments: 1, activePaylinks: 1 }),
    );
  },
  "OK: a stranger's link to the address of a merchant gets nothing, also when it is reported first":
    async () => {
      const [victim, stranger] = [new Shop(), new Shop()];
      const theirs = await victim.newLink();
      const foreign = await stranger.newLink({ receiveAddress: victim.wallet, maxPayments: 1 });
      expect([theirs.receiver_verified, foreign.receiver_verified]).toEqual([true, false]);
      const page = await fetch(`${harness.gateway}/l/${foreign.id}`);
      expect(await page.text()).toContain('has not proven that this address is theirs');
      const txHash = await payer.transfer('USDC', victim.wallet, 1_000_000n);
      const report = async (id: string) => (await api.post(`/api/paylinks/${id}/pay`, { txHash })).body;
      await eventually(
        async () => {
          // In this order each time: the other merchant is always first.
          expect(await report(foreign.id)).toMatchObject({ success: false });
          expect(await report(theirs.id)).toEqual({ success: true, verified: true });
        },
        { everyMs: 1_500 },
      );
      expect(await report(foreign.id)).toMatchObject({ success: false, verified: false });
      expect((await victim.get('/api/paylinks')).body).toMatchObject([{ payment_count: 1 }]);
      expect((await stranger.get('/api/paylinks')).body).toMatchObject([{ payment_count: 0 }]);
      expect((await stranger.get('/api/ledger/entries')).body.entries).toEqual([]);
      await eventually(async () =>
        expect((await victim.get('/api/overview')).body).toMatchObject({ totalPayments: 1 }),
      );
      expect((await stranger.get('/api/overview')).body).toMatchObject({ totalPayments: 0 });
    },
  'OK: uses no slot and shows no success for an invented hash on a network without a node': async () => {
    const shop = new Shop();
    const { id } = await unverifiable(shop);
    const txHash = randomBytes(32).toString('hex');
    expect((await api.post(`/api/paylinks/${id}/pay`, { txHash })).body).toEqual(notVerifiable);
    const form = { method: 'POST', body: new URLSearchParams({ txHash }) };
    const page = await (await fetch(`${harness.gateway}/l/${id}`, form)).text();
    expect(page).toContain('cannot be verified here');
    expect(page).not.toContain('shop.example/thanks');
    expect((await shop.get('/api/paylinks')).body).toMatchObject([
      { payment_count: 0, verifiable: false, active: true },
    ]);
    expect((await api.get(`/api/paylinks/${id}/public`)).status).toBe(200);
  },
  NOT_FOUND: () =>
    expectFailure(
      api.post(`/api/paylinks/${unknownId}/pay`, { txHash: `0x${randomBytes(32).toString('hex')}` }),
      404,
      'NOT_FOUND',
    ),
});

route('POST /api/paylinks/{id}/checkout', {
  'OK: starts a checkout that counts for the link when it is paid': async () => {
    const shop = new Shop();
    const { id } = await shop.newLink();
    const started = (await api.post(`/api/paylinks/${id}/checkout`, {})).body;
    expect(started.payment_link).toBe(`${harness.gateway}/checkout/${started.payment_request_id}`);
    const { order } = (
      await api.post(`/api/v1/payment/${started.payment_request_id}/execute`, {
        selected_option: { from_token: 'USDC', from_chain: 'eip155:8453' },
      })
    ).body;
    await payer.pay(order);
    await eventually(async () =>
      expect((await shop.get('/api/paylinks')).body).toMatchObject([{ payment_count: 1 }]),
    );
    expect((await shop.get(`/api/paylinks/${id}/payments`)).body).toMatchObject([
      { status: 'counted', verified: true, order_id: order.order_id },
    ]);
  },
  NOT_FOUND: () => expectFailure(api.post(`/api/paylinks/${unknownId}/checkout`, {}), 404, 'NOT_FOUND'),
});

/** A PayLink with half of its amount paid. Resolves to the exception. */
async function underpaid(shop: Shop): Promise<Record<string, unknown>> {
  const { id } = await shop.newLink();
  const txHash = await payer.transfer('USDC', shop.wallet, 500_000n);
  await api.post(`/api/paylinks/${id}/pay`, { txHash });
  return eventually(
    async () => {
      const { exceptions } = (await shop.get('/api/exceptions')).body;
      expect(exceptions).toMatchObject([{ kind: 'partial', amount: '500000', paylink_id: id }]);
      return exceptions[0];
    },
    { everyMs: 1_000 },
  );
}

route('GET /api/exceptions', {
  OK: async () => {
    const shop = new Shop();
    expect((await shop.get('/api/exceptions')).body.exceptions).toEqual([]);
    await underpaid(shop);
    expect((await shop.get('/api/exceptions?kind=overpaid')).body.exceptions).toEqual([]);
  },
});

route('POST /api/exceptions/{id}/resolve', {
  OK: async () => {
    const shop = new Shop();
    const { id } = await underpaid(shop);
    expect((await shop.post(`/api/exceptions/${id}/resolve`)).body).toMatchObject({
      status: 'resolved',
      resolution: 'merchant',
    });
    expect((await shop.get('/api/exceptions?status=open')).body.exceptions).toEqual([]);
  },
  NOT_FOUND: () => expectFailure(new Shop().post(`/api/exceptions/${unknownId}/resolve`), 404, 'NOT_FOUND'),
});

route('GET /api/paylinks/{id}/payments', {
  OK: async () => {
    const shop = new Shop();
    const { id } = await shop.newLink();
    const txHash = `0x${randomBytes(32).toString('hex')}`;
    await api.post(`/api/paylinks/${id}/pay`, { txHash });
    expect(JSON.stringify((await shop.get(`/api/paylinks/${id}/payments`)).body)).toContain(txHash);
    await api.post(`/api/paylinks/${id}/pay`, { txHash: `0x${randomBytes(32).toString('hex')}` });
    const page = await shop.get(`/api/paylinks/${id}/payments?limit=1`);
    const next = `</api/paylinks/${id}/payments?limit=1&cursor=${page.body[0].id}>; rel="next"`;
    expect(page.headers.get('link')).toBe(next);
    const last = await shop.get(`/api/paylinks/${id}/payments?limit=1&cursor=${page.body[0].id}`);
    expect([last.body.length, last.headers.get('link')]).toEqual([1, null]);
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id } = await new Shop().newLink();
    const other = new Shop();
    await expectAlike((it) => other.get(`/api/paylinks/${it}/payments`), id);
  },
});

const notVerifiable = { success: false, verified: false, status: 'unverifiable' };

/** A link on a network without a node, with a submitted payment. */
async function unverifiable(shop: Shop): Promise<{ id: string; paymentId: string }> {
  const { id } = await shop.newLink({
    network: 'btc',
    token: 'BTC',
    receiveAddress: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
    maxPayments: 1,
    successUrl: 'https://shop.example/thanks',
  });
  await api.post(`/api/paylinks/${id}/pay`, { txHash: randomBytes(32).toString('hex') });
  const [payment] = (await shop.get(`/api/paylinks/${id}/payments`)).body;
  return { id, paymentId: payment.id };
}

route('POST /api/paylinks/{id}/payments/{paymentId}/confirm', {
  'OK: counts the payment as completed after the confirmation by the merchant': async () => {
    const shop = new Shop();
    const { id, paymentId } = await unverifiable(shop);
    const confirm = () => shop.post(`/api/paylinks/${id}/payments/${paymentId}/confirm`);
    const { body } = await confirm();
    expect(body).toMatchObject({ status: 'counted', verified: false, confirmed: true });
    expect((await confirm()).body).toEqual(body);
    expect((await shop.get('/api/paylinks')).body).toMatchObject([{ payment_count: 1, unverified_count: 1 }]);
    expect((await shop.get('/api/transactions')).body).toMatchObject([
      { status: 'completed', confirmed_by: 'merchant' },
    ]);
    expect((await shop.get('/api/overview')).body).toMatchObject({
      totalPayments: 1,
      confirmedByMerchant: 1,
    });
    expect((await shop.get('/api/ledger/proof')).body).toMatchObject({ ok: true, transactions: 1 });
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id, paymentId } = await unverifiable(new Shop());
    const other = new Shop();
    await expectAlike((it) => other.post(`/api/paylinks/${it}/payments/${paymentId}/confirm`), id);
  },
  'CONFLICT: rejects a payment that was rejected before': async () => {
    const shop = new Shop();
    const { id, paymentId } = await unverifiable(shop);
    await shop.post(`/api/paylinks/${id}/payments/${paymentId}/reject`);
    const reply = shop.post(`/api/paylinks/${id}/payments/${paymentId}/confirm`);
    await expectFailure(reply, 409, 'CONFLICT');
  },
});

route('POST /api/paylinks/{id}/payments/{paymentId}/reject', {
  OK: async () => {
    const shop = new Shop();
    const { id, paymentId } = await unverifiable(shop);
    const { body } = await shop.post(`/api/paylinks/${id}/payments/${paymentId}/reject`);
    expect(body).toMatchObject({ status: 'rejected', confirmed: false });
    const report = await api.post(`/api/paylinks/${id}/pay`, { txHash: body.tx_hash });
    expect(report.body).toMatchObject({ success: false, verified: false, error: body.reason });
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const { id, paymentId } = await unverifiable(new Shop());
    const other = new Shop();
    await expectAlike((it) => other.post(`/api/paylinks/${it}/payments/${paymentId}/reject`), id);
  },
  'CONFLICT: rejects a payment that was confirmed before': async () => {
    const shop = new Shop();
    const { id, paymentId } = await unverifiable(shop);
    await shop.post(`/api/paylinks/${id}/payments/${paymentId}/confirm`);
    const reply = shop.post(`/api/paylinks/${id}/payments/${paymentId}/reject`);
    await expectFailure(reply, 409, 'CONFLICT');
  },
});

/** A proof of the address for a shop, signed with the address's key. */
async function proofOf(shop: Shop, till: { address: string; signMessage(message: string): Promise<string> }) {
  const { address } = till;
  const { nonce, message } = (await shop.post('/api/receivers/challenge', { address })).body;
  return { address, nonce, message, signature: await till.signMessage(message) };
}

route('POST /api/receivers/challenge', {
  OK: async () => {
    const [shop, till] = [new Shop(), Wallet.createRandom()];
    const { body } = await shop.post('/api/receivers/challenge', { address: till.address });
    expect(body).toMatchObject({ address: till.address, wallet: shop.wallet, scheme: 'eip4361' });
    expect(body.message).toContain(`receives payments of the Tollbridge merchant ${shop.wallet}`);
  },
  VALIDATION_ERROR: () =>
    expectFailure(
      new Shop().post('/api/receivers/challenge', { address: 'me' }),
      400,
      'VALIDATION_ERROR',
      'address',
    ),
});

route('POST /api/receivers/verify', {
  'OK: marks PayLinks to the address as verified': async () => {
    const [shop, till] = [new Shop(), Wallet.createRandom()];
    const link = await shop.newLink({ receiveAddress: till.address });
    expect(link.receiver_verified).toBe(false);
    const { body } = await shop.post('/api/receivers/verify', await proofOf(shop, till));
    expect(body).toMatchObject({ address: till.address, chainId: null });
    expect((await shop.get('/api/paylinks')).body).toMatchObject([{ receiver_verified: true }]);
    expect((await api.get(`/api/paylinks/${link.id}/public`)).body).toMatchObject({ receiverVerified: true });
  },
  'INVALID_SIGNATURE: rejects the proof of another merchant and a used proof': async () => {
    const [shop, till] = [new Shop(), Wallet.createRandom()];
    const proof = await proofOf(shop, till);
    await expectFailure(new Shop().post('/api/receivers/verify', proof), 400, 'INVALID_SIGNATURE');
    await shop.post('/api/receivers/verify', proof);
    const { body } = await shop.post('/api/receivers/verify', proof);
    expect(body).toMatchObject({ code: 'INVALID_SIGNATURE', details: { reason: 'nonce_used' } });
  },
});

route('GET /api/receivers', {
  OK: async () => {
    const [shop, till] = [new Shop(), Wallet.createRandom()];
    await shop.post('/api/receivers/verify', await proofOf(shop, till));
    expect((await shop.get('/api/receivers')).body).toMatchObject([{ address: till.address }]);
    expect((await new Shop().get('/api/receivers')).body).toEqual([]);
  },
});

route('DELETE /api/receivers/{address}', {
  OK: async () => {
    const [shop, till] = [new Shop(), Wallet.createRandom()];
    await shop.post('/api/receivers/verify', await proofOf(shop, till));
    expect((await shop.delete(`/api/receivers/${till.address}`)).body).toEqual({ ok: true });
    expect((await shop.get('/api/receivers')).body).toEqual([]);
  },
  'NOT_FOUND: rejects an address that another merchant has proven': async () => {
    const [shop, till] = [new Shop(), Wallet.createRandom()];
    await shop.post('/api/receivers/verify', await proofOf(shop, till));
    await expectFailure(new Shop().delete(`/api/receivers/${till.address}`), 404, 'NOT_FOUND');
  },
});

route('GET /api/webhooks', {
  OK: async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    await shop.post('/api/webhooks/test');
    expect((await shop.get('/api/webhooks')).body.webhooks).toMatchObject([{ type: 'webhook.test' }]);
  },
});

const messageOf = async (shop: Shop): Promise<string> =>
  (await shop.get('/api/webhooks')).body.webhooks[0].id;

route('GET /api/webhooks/{id}', {
  OK: async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    await shop.post('/api/webhooks/test');
    const { body } = await shop.get(`/api/webhooks/${await messageOf(shop)}`);
    expect(JSON.stringify(body)).toContain('webhook.test');
  },
  'NOT_FOUND: returns the same for an unknown id and the id of another merchant': async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    await shop.post('/api/webhooks/test');
    const foreign = await messageOf(shop);
    const other = new Shop();
    const [one, none] = [foreign, `msg_${randomUUID()}`].map((id) => other.get(`/api/webhooks/${id}`));
    expect([(await one!).status, withoutRequestId((await one!).body)]).toEqual([
      404,
      withoutRequestId((await none!).body),
    ]);
  },
});

route('POST /api/webhooks/{id}/replay', {
  OK: async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    await shop.post('/api/webhooks/test');
    expect((await shop.post(`/api/webhooks/${await messageOf(shop)}/replay`)).status).toBe(200);
  },
  'CONFLICT: rejects a replay without a webhookUrl': async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    await shop.post('/api/webhooks/test');
    const id = await messageOf(shop);
    await shop.delete('/api/settings/all');
    await expectFailure(shop.post(`/api/webhooks/${id}/replay`), 409, 'CONFLICT');
  },
  NOT_FOUND: () =>
    expectFailure(new Shop().post(`/api/webhooks/msg_${randomUUID()}/replay`), 404, 'NOT_FOUND'),
});

route('POST /api/webhooks/listen', {
  OK: async () => {
    const shop = new Shop();
    const { body } = await shop.post('/api/webhooks/listen', { seconds: 60 });
    expect(body).toMatchObject({ url: null });
    expect(Date.parse(body.until)).toBeGreaterThan(Date.now());
    // Without an endpoint, the message remains available for the listener.
    await shop.post('/api/webhooks/test', { type: 'order.settled' });
    const { body: list } = await shop.get('/api/webhooks');
    expect(list.webhooks).toMatchObject([{ type: 'order.settled', status: 'parked' }]);
  },
});

route('POST /api/webhooks/test', {
  OK: async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    expect((await shop.post('/api/webhooks/test')).body).toMatchObject({ delivered: false });
  },
  CONFLICT: () => expectFailure(new Shop().post('/api/webhooks/test'), 409, 'CONFLICT'),
});

route('GET /api/webhooks/endpoint', {
  OK: async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    expect((await shop.get('/api/webhooks/endpoint')).body).toMatchObject({ url: 'http://127.0.0.1:9/' });
  },
});

route('POST /api/webhooks/endpoint/resume', {
  OK: async () => {
    const shop = new Shop();
    await shop.newEndpoint();
    expect((await shop.post('/api/webhooks/endpoint/resume')).body).toMatchObject({ circuit: 'closed' });
  },
  CONFLICT: () => expectFailure(new Shop().post('/api/webhooks/endpoint/resume'), 409, 'CONFLICT'),
});

route('POST /api/webhooks/secret', {
  OK: async () => expect(await new Shop().newEndpoint()).toMatch(/^whsec_/),
  CONFLICT: () => expectFailure(new Shop().post('/api/webhooks/secret'), 409, 'CONFLICT'),
});

route('GET /api/webhooks/types', {
  OK: async () => {
    const { body } = await api.send('GET', '/api/webhooks/types', undefined, {});
    expect(body.types.length).toBeGreaterThanOrEqual(12);
  },
});

describe('docs/paylinks.md', () => {
  const page = readFileSync(join(repository, 'docs/paylinks.md'), 'utf8');
  const [, section] = page.split('\n## Prove a receiving address\n');
  const commands = [...section!.split('\n## ')[0]!.matchAll(/```sh\n([^]*?)```/g)].map((match) => match[1]!);

  it('contains the executed script', () => {
    expect(page).toContain(readFileSync(join(repository, 'examples/prove-receiver.mjs'), 'utf8').trim());
  });

  it('proves a receiving address as written', () => {
    const run = (text: string): string => {
      const command = text.replaceAll('http://127.0.0.1:3000', harness.gateway);
      const env = { ...process.env, TOLLBRIDGE_URL: harness.gateway, NODE_OPTIONS: '' };
      const ran = spawnSync('bash', ['-ec', command], {
        cwd: repository,
        env,
        encoding: 'utf8',
        timeout: 120_000,
      });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
      return ran.stdout;
    };
    const [create, prove, look] = commands;
    expect(run(create!)).toContain('"receiver_verified":false');
    expect(run(prove!)).toContain("scheme: 'eip4361'");
    const seen = run(look!);
    expect(seen).toContain('"address":"0x90F79bf6EB2c4f870365E785982E1f101E93b906"');
    expect(seen).toContain('"receiver_verified":true');
    expect(seen).not.toContain('"receiver_verified":false');
  });
});

describe('one trace', () =>
  traceCases(() => ({
    collector,
    payer,
    secrets,
    merchantAt: async (url) => {
      const shop = new Shop();
      await shop.newEndpoint(url);
      const { secret } = await shop.newKey({ permissions: ['pay', 'read'] });
      return { wallet: shop.wallet, key: secret };
    },
  })));

describe('the dashboard', () =>
  dashboardCases(() => ({ gateway: harness.gateway, harness, api, payer, secrets })));

describe('metrics of all apps', () => metricsCases(() => harness));

describe('a stolen database role', () => stolenRoleCases(() => harness));

describe('after all cases', () => {
  it('every operation of the merchant app has succeeded once and returned each declared error', () => {
    // Other tests cover these, below the gateway, because they can cause them.
    const elsewhere = [
      'POST /api/auth/verify UPSTREAM_UNAVAILABLE',
      'POST /api/v1/payment/{id}/execute ROUTE_UNAVAILABLE',
      'POST /api/paylinks CONFLICT',
      'POST /api/paylinks/{id}/pay CONFLICT',
      'POST /api/receivers/verify CONFLICT',
      'POST /api/receivers/verify UPSTREAM_UNAVAILABLE',
      'POST /api/paylinks RATE_UNAVAILABLE',
      'GET /api/paylinks/{id}/public RATE_UNAVAILABLE',
      'POST /api/paylinks/{id}/checkout RATE_UNAVAILABLE',
      'GET /api/v1/payment/{id} RATE_UNAVAILABLE',
      'POST /api/v1/payment/{id}/execute RATE_UNAVAILABLE',
      'POST /api/v1/merchant/payment-requests RATE_UNAVAILABLE',
    ];
    expect(notCovered((app) => app === 'merchant').sort()).toEqual(elsewhere.sort());
  });

  it('no log contains a secret that a client received', () => {
    const texts = logsIn(harness.directory);
    expect(texts.length).toBeGreaterThan(5);
    // The logs are from this run: they contain a request of this run.
    expect(texts.some((text) => text.includes('/api/webhooks/secret'))).toBe(true);
    expect(secrets.length).toBeGreaterThan(20);
    expect(foundIn(texts, [...secrets, payer.sandbox.merchant.secret])).toEqual([]);
  });

  it('no message on the bus contains a secret that a client received', () => {
    for (const seen of ['op.merchant.api-keys.create-key', 'events.merchant.'])
      expect([seen, wiretap.texts.some((text) => text.startsWith(seen))]).toEqual([seen, true]);
    expect(foundIn(wiretap.texts, [...secrets, payer.sandbox.merchant.secret])).toEqual([]);
  });
});

// Here, because the start of a separate harness would last longer than these cases.
describe('repeated calls', () => repeatCases(forRepeats));
