import { ok, waitFor, type Client } from './client';
import { expectBadFields, expectEach, expectError, expectShape, type Shape } from './shape';
import { newWallet, walk } from './walk';
import { recordShape } from './wallet.cases';

const strategies = ['direct', 'swap', 'bridge', 'swap_and_bridge'];
const unknownId = '00000000-0000-4000-8000-000000000000';
const requestBody = (amount = '20000000') => ({
  amount,
  currency: 'USDC',
  chain: 'base',
  description: 'Two pounds of tea',
  metadata: { cart: 17 },
});
const optionShape: Shape = {
  from_token: 'string',
  from_chain: 'string',
  from_amount: 'amount',
  execution_strategy: 'string',
  estimated_time: 'string',
};
const executionShape: Shape = { payment_id: 'uuid', status: 'string', estimated_completion: 'iso' };
const periodShape: Shape = { total_payments: 'integer', total_amount: 'number', currency: 'string' };

const request = async (client: Client, amount?: string): Promise<any> =>
  ok(await client.post('/api/v1/merchant/payment-requests', requestBody(amount)));
const details = async (id: string): Promise<any> => ok(await walk.api.get(`/api/v1/payment/${id}`));
const execute = (id: string, { from_token, from_chain }: any) =>
  walk.api.post(`/api/v1/payment/${id}/execute`, { selected_option: { from_token, from_chain } });
const readStatus = async (id: string): Promise<any> => ok(await walk.api.get(`/api/v1/payment/${id}/status`));
const untilCompleted = (id: string): Promise<any> =>
  waitFor(`payment ${id} completes`, async () => {
    const status = await readStatus(id);
    if (status.status === 'failed') throw new Error(JSON.stringify(status));
    return status.status === 'completed' ? status : undefined;
  });

export function describeMerchant(): void {
  describe('POST /api/v1/merchant/payment-requests', describePaymentRequests);
  describe('GET /api/v1/payment/{id}', describePaymentDetails);
  describe('POST /api/v1/payment/{id}/execute', describeExecution);
  describe('a payment of a new merchant', describePayment);
  describe('a payment by a swap', describeSwapPayment);
  describe('GET /api/v1/merchant/payments', describePaymentList);
  describe('a merchant of another chain family', describeReceivers);
}

function describePaymentRequests(): void {
  it('creates a pending request with a link and a QR code', async () => {
    const created = await request(walk.secret);
    expectShape(created, {
      id: 'uuid',
      payment_link: 'string',
      qr_code_url: 'string',
      status: 'string',
    });
    expect(created.status).toBe('pending');
    expect(created.payment_link).toBe(`${walk.api.baseUrl}/checkout/${created.id}`);
    const page = await fetch(created.payment_link);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('html')]);
    const image = await fetch(created.qr_code_url);
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png']);
    const read = ok(await walk.secret.get(`/api/v1/merchant/payment-requests/${created.id}`));
    expectShape(read, {
      id: 'uuid',
      status: 'string',
      amount: 'amount',
      currency: 'string',
      chain: 'string',
    });
    expect(read).toMatchObject({ id: created.id, status: 'pending', amount: '20000000', currency: 'USDC' });
  });

  it('lists the missing fields', async () => {
    const { client } = newWallet();
    const path = '/api/v1/merchant/payment-requests';
    expectBadFields(await client.post(path, {}), ['amount']);
    // The settings may contain a default of these two.
    expectBadFields(await client.post(path, { amount: '1' }), ['currency', 'chain']);
  });

  it('rejects an anonymous client and a publishable key', async () => {
    const path = '/api/v1/merchant/payment-requests';
    expectError(await walk.api.post(path, requestBody()), 401, 'UNAUTHORIZED');
    expect([401, 403]).toContain((await walk.key.post(path, requestBody())).status);
  });

  it('returns 404 to another merchant', async () => {
    const { id } = await request(walk.secret);
    const { client } = newWallet();
    expectError(await client.get(`/api/v1/merchant/payment-requests/${id}`), 404, 'NOT_FOUND');
    expectError(await walk.secret.get(`/api/v1/merchant/payment-requests/${unknownId}`), 404, 'NOT_FOUND');
  });
}

function describePaymentDetails(): void {
  it('returns the request and its options', async () => {
    const { id } = await request(walk.secret);
    const reply = await details(id);
    expectShape(reply.payment_request, {
      id: 'uuid',
      amount: 'amount',
      currency: 'string',
      chain: 'string',
      description: 'string',
      merchant: 'string',
    });
    expect(reply.payment_request).toMatchObject({ id, amount: '20000000', description: 'Two pounds of tea' });
    expectEach(reply.payment_options, optionShape);
    const used = reply.payment_options.map(({ execution_strategy }: any) => execution_strategy);
    expect(used.every((strategy: string) => strategies.includes(strategy))).toBe(true);
    expect(used).toContain('direct');
  });

  it('returns 404 for an unknown id', async () => {
    expectError(await walk.api.get(`/api/v1/payment/${unknownId}`), 404, 'NOT_FOUND');
    expectError(await walk.api.get(`/api/v1/payment/${unknownId}/status`), 404, 'NOT_FOUND');
    expectError(await execute(unknownId, { from_token: 'USDC', from_chain: 'base' }), 404, 'NOT_FOUND');
  });
}

/** Pays an order: with the contract, a local transfer, or the sandbox's simulation of the other chains. */
async function payOrder({ direct, cross_chain }: any): Promise<void> {
  if (direct) return void (await walk.base.pay(direct));
  const { deposit_address, deposit_amount, deposit_blockchain, deposit_token } = cross_chain;
  const local = [walk.base, walk.arbitrum].find(({ caip2 }) => caip2 === deposit_blockchain);
  if (local) return void (await local.transfer(deposit_token, deposit_address, deposit_amount));
  ok(await walk.api.post('/sandbox/deposit', { deposit_address, amount: deposit_amount }));
}

function describeExecution(): void {
  it('executes every listed option with exactly the specified body, and completes after the payment', async () => {
    const { id: listed } = await request(walk.secret);
    // Options that were not quoted in time appear in a later read.
    const payment_options = await waitFor('more than 10 options are quoted', async () => {
      const { payment_options: options } = await details(listed);
      return options.length > 10 ? (options as any[]) : undefined;
    });
    const failures: string[] = [];
    const paid: string[] = [];
    for (const option of payment_options) {
      const { id } = await request(walk.secret);
      const reply = await execute(id, option);
      const name = `${option.from_token} on ${option.from_chain}`;
      if (reply.status !== 200) {
        failures.push(`${name}: ${reply.status} ${reply.text.slice(0, 160)}`);
        continue;
      }
      expectShape(reply.body, executionShape, name);
      expect(reply.body.status).toBe('executing');
      await payOrder(reply.body.order);
      paid.push(id);
    }
    expect(failures).toEqual([]);
    for (const id of paid) {
      const status = await untilCompleted(id);
      expectStatus(status);
      expect(status.progress).toBe(100);
    }
  });

  it('rejects an option that is not listed', async () => {
    const { id } = await request(walk.secret);
    expectBadFields(await execute(id, { from_token: 'NOPE', from_chain: 'base' }), ['selected_option']);
    expectBadFields(await walk.api.post(`/api/v1/payment/${id}/execute`, {}), ['selected_option']);
  });
}

function expectStatus(status: any): void {
  expectShape(status, { payment_id: 'uuid', status: 'string', progress: 'number' });
  expectEach(status.steps, { step_type: 'string', status: 'string', transaction_hash: 'string|null' });
  for (const { step_type, status: stepStatus } of status.steps) {
    expect(['swap', 'bridge', 'transfer']).toContain(step_type);
    expect(['completed', 'executing', 'pending', 'failed']).toContain(stepStatus);
  }
}

function describePayment(): void {
  it('appears in the payments, the stats and the dashboard of its merchant only', async () => {
    const { client, address } = newWallet();
    const { id } = await request(client, '2500000');
    const execution = ok(await execute(id, { from_token: 'USDC', from_chain: 'base' }));
    expectShape(execution, executionShape);
    expect(execution.status).toBe('executing');
    const executing = await readStatus(id);
    expectStatus(executing);
    expect(executing).toMatchObject({ payment_id: execution.payment_id, status: 'executing' });
    const tx = await walk.base.pay(execution.order.direct);
    const completed = await untilCompleted(id);
    expectStatus(completed);
    expect(completed.progress).toBe(100);
    expect(completed.steps).toMatchObject([
      { step_type: 'transfer', status: 'completed', transaction_hash: tx },
    ]);
    expect(await walk.base.balance('USDC', address)).toBe(2_500_000n);
    expect((await readStatus(execution.payment_id)).payment_id).toBe(execution.payment_id);

    const stats = await waitFor('the stats count the payment', async () => {
      const it = ok(await client.get('/api/v1/merchant/stats'));
      return it.today.total_payments === 1 ? it : undefined;
    });
    expectShape(stats, { today: periodShape, this_week: periodShape, this_month: periodShape });
    expect(stats.today.total_amount).toBe(2.5);
    const list = ok(await client.get('/api/v1/merchant/payments'));
    expectShape(list, { payments: 'array', total: 'integer' });
    expect(list.total).toBe(1);
    expect(list.payments[0]).toMatchObject({ payment_id: execution.payment_id, status: 'completed' });
    const [record, ...more] = ok(await client.get('/api/transactions'));
    expect(more).toEqual([]);
    expectShape(record, recordShape);
    expect(record).toMatchObject({ tx_type: 'payment', amount: '2500000', status: 'completed' });
    expect(record).toMatchObject({ tx_hash: tx, wallet_address: address, token: 'USDC' });
    expect(ok(await client.get('/api/overview'))).toMatchObject({ totalPayments: 1 });
    expect(ok(await newWallet().client.get('/api/v1/merchant/payments'))).toMatchObject({ total: 0 });
  });
}

function describePaymentList(): void {
  it('paginates by limit and cursor', async () => {
    const { client } = newWallet();
    const ids: string[] = [];
    for (let at = 0; at < 3; at++) {
      const { id } = await request(client, '1000000');
      ids.unshift(ok(await execute(id, { from_token: 'USDC', from_chain: 'base' })).payment_id);
    }
    const list = async (query: string) => ok(await client.get(`/api/v1/merchant/payments${query}`));
    const idsOf = ({ payments }: any) => payments.map(({ payment_id }: any) => payment_id);
    const first = await list('?limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(first).toMatchObject({ total: 3, limit: 2 });
    const rest = await list(`?limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect(idsOf(rest)).toEqual(ids.slice(2));
    expect(rest.next_cursor).toBeNull();
    expectBadFields(await client.get('/api/v1/merchant/payments?limit=0'), ['limit']);
    expectBadFields(await client.get('/api/v1/merchant/payments?cursor=unknown'), ['cursor']);
  });

  it('accepts the secret in X-API-Key', async () => {
    const client = walk.api.with({ 'X-API-Key': walk.sandbox.merchant.secret });
    expectShape(ok(await client.get('/api/v1/merchant/payments')), { payments: 'array', total: 'integer' });
    expectError(await walk.api.get('/api/v1/merchant/payments'), 401, 'UNAUTHORIZED');
    expectError(await walk.api.get('/api/v1/merchant/stats'), 401, 'UNAUTHORIZED');
  });
}

function describeReceivers(): void {
  it('pays the address in settings.receiveAddresses, and requires one if it is missing', async () => {
    const { client } = newWallet();
    const onSolana = { ...requestBody(), chain: 'solana' };
    const path = '/api/v1/merchant/payment-requests';
    expect(ok(await client.post(path, onSolana))).toMatchObject({ receive_address_required: true });
    const solana = '4Nd1mYQdmkZ1rV2tyEbXqvCz5iLzGvkPfjE5Dk3ZtYbM';
    ok(await client.put('/api/settings', { receiveAddresses: { solana } }));
    const addressed = { status: 'pending', receive_address: solana, receive_address_required: false };
    expect(ok(await client.post(path, onSolana))).toMatchObject(addressed);
  });
}

function describeSwapPayment(): void {
  it('completes after a real transfer of another token to the deposit address', async () => {
    const { client, address } = newWallet();
    const { id } = await request(client, '5000000');
    const { order } = ok(await execute(id, { from_token: 'USDT', from_chain: 'base' }));
    const { deposit_address, deposit_amount, deposit_token } = order.cross_chain;
    expect(deposit_token).toBe('USDT');
    await walk.base.transfer('USDT', deposit_address, deposit_amount);
    const status = await untilCompleted(id);
    expectStatus(status);
    const steps = status.steps.map((it: any) => it.status);
    expect(new Set(steps)).toEqual(new Set(['completed']));
    expect(await walk.base.balance('USDC', address)).toBe(5_000_000n);
  });
}
