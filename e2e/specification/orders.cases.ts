import { randomBytes } from 'node:crypto';
import { ok, waitFor } from './client';
import { expectBadFields, expectEach, expectError, expectShape, type Shape } from './shape';
import { account, newWallet, walk } from './walk';

const newHash = (): string => `0x${randomBytes(32).toString('hex')}`;
const unknownOrder = '00000000-0000-4000-8000-000000000000';

export const orderShape: Shape = {
  order_id: 'uuid',
  status: 'string',
  method: 'method',
  pay_tx: 'string?',
  settle_tx: 'string?',
  settled_amount: 'amount?',
  created_at: 'iso',
  updated_at: 'iso',
};
const listedOrderShape: Shape = {
  ...orderShape,
  pay_blockchain: 'string',
  pay_token: 'string',
  settle_chain: 'string',
  settle_token: 'string',
  merchant_amount: 'amount',
  fee_amount: 'amount',
  merchant_id: 'string',
};
const directShape: Shape = {
  contract_address: 'address',
  chain: 'string',
  payment_order: {
    order_id: 'uuid',
    token_in: 'string',
    token_out: 'string',
    amount_in: 'amount',
    token_in_address: 'address',
    merchant: 'address',
    merchant_amount: 'amount',
    fee_receiver: 'address',
    fee_amount: 'amount',
    deadline: 'unix',
  },
};
const crossChainShape: Shape = {
  deposit_address: 'string',
  deposit_blockchain: 'string',
  deposit_token: 'string',
  deposit_amount: 'amount',
  deposit_amount_formatted: 'decimal',
  estimated_time: 'integer',
};

const orderBody = (pay_blockchain: string, pay_token: string, changes = {}) => ({
  pay_blockchain,
  pay_token,
  settle_chain: 'base',
  settle_token: 'USDC',
  merchant_address: account('merchant'),
  merchant_amount: '1000000',
  fee_receiver: account('fee_receiver'),
  fee_amount: '5000',
  merchant_id: walk.sandbox.merchant.merchantId,
  payer_address: account('payer'),
  ...changes,
});
const create = (chain: string, token: string, changes = {}) =>
  walk.api.post('/api/v1/pay/create-order', orderBody(chain, token, changes));
const read = async (id: string): Promise<any> => ok(await walk.api.get(`/api/v1/pay/order/${id}`));
const report = (id: string, tx_hash: string) => walk.api.post(`/api/v1/pay/order/${id}/tx`, { tx_hash });
const untilSettled = (id: string): Promise<any> =>
  waitFor(`order ${id} settles`, async () => {
    const order = await read(id);
    if (order.status === 'failed') throw new Error(JSON.stringify(order));
    return order.status === 'settled' ? order : undefined;
  });

export function describeOrders(): void {
  describe('a Direct order', describeDirectOrder);
  describe('a Direct order', describeOtherDirectOrders);
  describe('a CrossChain order', describeCrossChainOrder);
  describe('POST /api/v1/pay/order/{id}/tx', describeReport);
  describe('GET /api/v1/pay/orders', describeOrderList);
  describe('POST /api/v1/pay/create-order', describeRejectedOrders);
  describe('GET /api/v1/swap/status', () => {
    it('rejects a request without deposit_address', async () => {
      expectError(await walk.api.get('/api/v1/swap/status'), 400);
    });
  });
}

function describeDirectOrder(): void {
  it('settles the exact amounts, paid by one call of the contract', async () => {
    const before = await walk.base.balance('USDC', account('merchant'));
    const feeBefore = await walk.base.balance('USDC', account('fee_receiver'));
    const order = ok(await create('base', 'USDC'));
    expectShape(order, { order_id: 'uuid', method: 'method', cross_chain: 'null', expires_at: 'iso' });
    expectShape(order.direct, directShape);
    expect(order.method).toBe('Direct');
    const { payment_order } = order.direct;
    expect(payment_order).toMatchObject({ amount_in: '1005000', merchant_amount: '1000000' });
    expect(payment_order).toMatchObject({ order_id: order.order_id, fee_amount: '5000' });
    const lifetime = Date.parse(order.expires_at) - Date.now();
    expect(Math.abs(lifetime - 30 * 60_000)).toBeLessThan(60_000);

    const waiting = await read(order.order_id);
    expectShape(waiting, orderShape);
    expect(waiting).toMatchObject({ status: 'waiting_payment', method: 'Direct' });

    const tx = await walk.base.pay(order.direct);
    expect(ok(await report(order.order_id, tx))).toMatchObject({ ok: true, status: 'settling' });
    const settled = await untilSettled(order.order_id);
    expectShape(settled, { ...orderShape, pay_tx: 'hash', settle_tx: 'hash', settled_amount: 'amount' });
    expect(settled).toMatchObject({ pay_tx: tx, settled_amount: '1000000' });
    expect((await walk.base.balance('USDC', account('merchant'))) - before).toBe(1_000_000n);
    expect((await walk.base.balance('USDC', account('fee_receiver'))) - feeBefore).toBe(5_000n);
    expectError(await report(order.order_id, newHash()), 409);
  });

  it('settles a payment that is not submitted', async () => {
    const order = ok(await create('base', 'USDC'));
    const tx = await walk.base.pay(order.direct);
    expect(await untilSettled(order.order_id)).toMatchObject({ pay_tx: tx, settled_amount: '1000000' });
  });

  it('waits again if the submitted transaction pays another order, and reports that', async () => {
    const order = ok(await create('base', 'USDC'));
    const tx = await walk.base.transfer('USDC', account('stranger'), '1');
    ok(await report(order.order_id, tx));
    const waiting = await waitFor('the order waits for its payment', async () => {
      const it = await read(order.order_id);
      return it.status === 'waiting_payment' && it.last_report ? it : undefined;
    });
    expect(waiting.last_report).toMatchObject({ tx_hash: tx, reason: expect.any(String) });
  });
}

function describeCrossChainOrder(): void {
  it('settles after a transfer to the deposit address', async () => {
    const before = await walk.base.balance('USDC', account('merchant'));
    const order = ok(await create('arb', 'WETH'));
    expectShape(order, { order_id: 'uuid', method: 'method', direct: 'null', expires_at: 'iso' });
    expect(order.method).toBe('CrossChain');
    expectShape(order.cross_chain, crossChainShape);
    const { deposit_address, deposit_amount } = order.cross_chain;
    const tx = await walk.arbitrum.transfer('WETH', deposit_address, deposit_amount);
    expect(ok(await report(order.order_id, tx))).toMatchObject({ ok: true, status: 'settling' });
    const settled = await untilSettled(order.order_id);
    expectShape(settled, { ...orderShape, pay_tx: 'hash', settle_tx: 'string', settled_amount: 'amount' });
    expect(settled.settled_amount).toBe('1000000');
    expect((await walk.base.balance('USDC', account('merchant'))) - before).toBe(1_000_000n);

    const swap = ok(await walk.api.get(`/api/v1/swap/status?deposit_address=${deposit_address}`));
    expectShape(swap, {
      status: 'string',
      from_tx: 'string',
      to_tx: 'string',
      from_amount: 'amount',
      to_amount: 'amount',
    });
    expect(swap).toMatchObject({ status: 'completed', from_tx: tx, to_amount: '1000000' });
    // The unused part of the slippage is refunded to the payer.
    expect(BigInt(swap.from_amount)).toBeLessThanOrEqual(BigInt(deposit_amount));
  });

  it('settles a deposit on a chain without a local node', async () => {
    const payer_address = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
    const order = ok(await create('btc', 'BTC', { merchant_amount: '10000000', payer_address }));
    expectShape(order.cross_chain, crossChainShape);
    const { deposit_address, deposit_amount } = order.cross_chain;
    ok(await walk.api.post('/sandbox/deposit', { deposit_address, amount: deposit_amount }));
    const settled = await untilSettled(order.order_id);
    expect(settled.settled_amount).toBe('10000000');
  });
}

function describeReport(): void {
  it('returns 409 for an unknown order', async () => {
    expectError(await report(unknownOrder, newHash()), 409);
    expectError(await report('unknown', newHash()), 409);
  });

  it('returns 409 for a hash of another order', async () => {
    const [first, second] = [ok(await create('base', 'USDC')), ok(await create('base', 'USDC'))];
    const tx = newHash();
    ok(await report(first.order_id, tx));
    expectError(await report(second.order_id, tx), 409);
    expect((await read(second.order_id)).status).toBe('waiting_payment');
  });

  it('accepts one of many concurrent submissions', async () => {
    const { order_id } = ok(await create('base', 'USDC'));
    const replies = await Promise.all(Array.from({ length: 9 }, () => report(order_id, newHash())));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(8).fill(409)]);
  });

  it('rejects a submission without tx_hash', async () => {
    const { order_id } = ok(await create('base', 'USDC'));
    expectBadFields(await walk.api.post(`/api/v1/pay/order/${order_id}/tx`, {}), ['tx_hash']);
  });

  it('returns 404 for an unknown order on GET', async () => {
    expectError(await walk.api.get(`/api/v1/pay/order/${unknownOrder}`), 404, 'NOT_FOUND');
  });
}

function describeOrderList(): void {
  it('requires payer', async () => {
    expectBadFields(await walk.api.get('/api/v1/pay/orders'), ['payer']);
  });

  it('returns the newest 20 orders of the payer, and the rest by limit and cursor', async () => {
    const payer_address = newWallet().address;
    const ids: string[] = [];
    for (let at = 0; at < 22; at++) ids.unshift(ok(await create('base', 'USDC', { payer_address })).order_id);
    const list = async (query: string) =>
      ok(await walk.api.get(`/api/v1/pay/orders?payer=${payer_address}${query}`));
    const first = await list('');
    expectEach(first.orders, listedOrderShape);
    expect(first.count).toBe(20);
    expect(first.orders.map(({ order_id }: any) => order_id)).toEqual(ids.slice(0, 20));
    expect((await list('&limit=5')).orders.map(({ order_id }: any) => order_id)).toEqual(ids.slice(0, 5));
    expect(await list('&limit=1000')).toMatchObject({ count: 22, limit: 100 });
    const rest = await list(`&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect(rest.orders.map(({ order_id }: any) => order_id)).toEqual(ids.slice(20));
  });

  it.each(['0', '-1', 'many', '1.5'])('rejects limit=%s', async (limit) => {
    expectBadFields(await walk.api.get(`/api/v1/pay/orders?payer=${account('payer')}&limit=${limit}`), [
      'limit',
    ]);
  });
}

function describeRejectedOrders(): void {
  it('lists all missing fields', async () => {
    expectBadFields(await walk.api.post('/api/v1/pay/create-order', {}), Object.keys(orderBody('', '')));
  });

  it('returns 422 for an unavailable route, and stores no order', async () => {
    const payer_address = newWallet().address;
    const reply = await create('eth', 'USDC', { settle_chain: 'eth', payer_address });
    expectError(reply, 422);
    const { count } = ok(await walk.api.get(`/api/v1/pay/orders?payer=${payer_address}`));
    expect(count).toBe(0);
  });

  it('rejects an address without a valid checksum', async () => {
    const merchant_address = account('merchant').replace('C', 'c');
    expectBadFields(await create('base', 'USDC', { merchant_address }), ['merchant_address']);
  });
}

function describeOtherDirectOrders(): void {
  it('settles on the second local chain', async () => {
    const changes = { settle_chain: 'arb', merchant_address: newWallet().address, fee_amount: '0' };
    const order = ok(await create('arb', 'USDC', changes));
    expect(order).toMatchObject({ method: 'Direct', direct: { chain: 'eip155:42161' } });
    const tx = await walk.arbitrum.pay(order.direct);
    expect(await untilSettled(order.order_id)).toMatchObject({ pay_tx: tx, settled_amount: '1000000' });
    expect(await walk.arbitrum.balance('USDC', changes.merchant_address)).toBe(1_000_000n);
  });

  it('settles in the coin of the chain', async () => {
    const merchant_address = newWallet().address;
    const changes = { settle_token: 'ETH', merchant_address, merchant_amount: '1000000000000' };
    const order = ok(await create('base', 'ETH', changes));
    expectShape(order.direct, directShape);
    const tx = await walk.base.payInCoin(order.direct);
    const settled = await untilSettled(order.order_id);
    expect(settled).toMatchObject({ pay_tx: tx, settled_amount: '1000000000000' });
    expect(await walk.base.provider.getBalance(merchant_address)).toBe(1_000_000_000_000n);
  });
}
