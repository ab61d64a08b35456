import { findChain, sampleAddress } from '@tollbridge/chains';
import { eventually, recordEvents, withoutRepeatedSettling, type EventRecorder } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { Pool } from 'pg';
import { Api } from './http';
import { Holdings } from './holdings';
import { PayerAcross } from './payer-across';
import type { Harness } from './harness';

const owed = 25_000_000n;

let database: Pool;
let api: Api;
let payer: PayerAcross;
let events: EventRecorder;
let holdings: Holdings;

/** Started together, because they mostly wait for blocks. Each has its own merchant and payer. */
const scenarios: { run: () => Promise<void>; done?: Promise<void> }[] = [];

function together(title: string, run: () => Promise<void>): void {
  const scenario: (typeof scenarios)[number] = { run };
  scenarios.push(scenario);
  it(title, async () => scenario.done);
}

/** An order of a merchant and a payer with empty accounts. Their later balances come from this order. */
async function newOrder(changes: Record<string, unknown> = {}): Promise<any> {
  const [merchant, refunds] = [Wallet.createRandom().address, Wallet.createRandom().address];
  const terms = { merchant_address: merchant, payer_address: refunds, ...changes };
  const created = await payer.create(terms);
  holdings.add(created.cross_chain.deposit_address, terms.merchant_address, terms.payer_address);
  return { ...created, merchant: terms.merchant_address, refunds: terms.payer_address };
}

const statusOf = (query: Record<string, string>) =>
  api.get(`/api/v1/swap/status?${String(new URLSearchParams(query))}`);
const control = (path: string, body: object) => api.post(`/sandbox/${path}`, body);
const depositOf = (created: any) => BigInt(created.cross_chain.deposit_amount);
const refundedTo = (created: any) =>
  payer.origin.balanceOf(created.cross_chain.deposit_token, created.refunds);

/** Expects one settlement that paid the merchant exactly and refunded the remainder. The API reports both. */
async function settlesExactly(
  created: any,
  { amount = owed, symbol = 'USDC', late = false } = {},
): Promise<any> {
  const settled = await payer.until(created, { status: 'settled' });
  expect(settled).toMatchObject({
    settled_amount: String(amount),
    failure_reason: null,
    late,
    cross_chain: { deposit_status: 'delivered', settlement_proof: 'chain' },
  });
  const receipt = await payer.destination.provider.getTransactionReceipt(settled.settle_tx);
  expect(receipt).toMatchObject({ status: 1 });
  const { height, before } = { height: receipt!.blockNumber, before: receipt!.blockNumber - 1 };
  expect(await payer.destination.balanceOf(symbol, created.merchant, before)).toBe(0n);
  expect(await payer.destination.balanceOf(symbol, created.merchant, height)).toBe(amount);
  const { body: swap } = await statusOf(addressOf(created));
  expect(swap).toMatchObject({ status: 'completed', order_id: created.order_id, to_tx: settled.settle_tx });
  return { ...settled, taken: BigInt(swap.from_amount) };
}

function addressOf({ cross_chain }: any): Record<string, string> {
  const { deposit_address, deposit_memo } = cross_chain;
  return deposit_memo === null ? { deposit_address } : { deposit_address, deposit_memo };
}

/**
 * Ends the lifetime of orders now. The default is half an hour, so that no order expires by itself on a slow machine.
 */
async function endLifetime(...orders: any[]): Promise<void> {
  const { rowCount } = await database.query(
    `UPDATE pay_orders.orders SET expires_at = now() WHERE id = ANY($1::uuid[]) AND status = 'waiting_payment'`,
    [orders.map(({ order_id }) => order_id)],
  );
  expect(rowCount).toBe(orders.length);
}

async function expectEvents(created: any, expected: string[]): Promise<void> {
  await eventually(() => expect(withoutRepeatedSettling(events.typesOf(created.order_id))).toEqual(expected));
}

/**
 * Orders that are paid on another chain. Other cases must not run at the same time: they transfer the tokens that these
 * cases count.
 */
export function crossChainCases(given: () => Harness): void {
  beforeAll(async () => {
    const { urls } = given().state;
    database = new Pool({ connectionString: urls.postgres.replace(/\/postgres$/, '/tollbridge'), max: 1 });
    api = await Api.at(given().gateway);
    payer = await PayerAcross.in(api);
    events = await recordEvents(urls.nats, 'PAY_ORDERS');
    const known = ['payer', 'merchant', 'fee_receiver', 'solver'].map((role) => payer.account(role).address);
    holdings = await Holdings.of([payer.origin, payer.destination], known);
    for (const scenario of scenarios) {
      scenario.done = scenario.run();
      scenario.done.catch(() => undefined);
    }
  });

  afterAll(async () => {
    await events?.stop();
    payer?.close();
    await database?.end();
  });

  together('settles by a real transfer to the merchant, after a submitted deposit', async () => {
    const created = await newOrder();
    expect(created.cross_chain).toMatchObject({
      deposit_address: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
      deposit_memo: null,
      deposit_blockchain: 'eip155:42161',
      deposit_token: 'WETH',
    });
    const hash = await payer.deposit(created);
    expect(await payer.report(created.order_id, hash)).toMatchObject({ status: 200 });
    const settled = await settlesExactly(created);
    expect(settled).toMatchObject({ pay_tx: hash, settle_chain: 'eip155:8453' });
    // The unused slippage is returned to the payer.
    const change = depositOf(created) - settled.taken;
    expect(settled.cross_chain).toMatchObject({
      deposited_amount: String(depositOf(created)),
      refunded_amount: String(change),
    });
    expect(await refundedTo(created)).toBe(change);
    await expectEvents(created, ['order-created', 'order-settling', 'order-settled']);
  });

  together('settles without a submitted deposit', async () => {
    const created = await newOrder();
    const hash = await payer.deposit(created);
    expect(await settlesExactly(created)).toMatchObject({ pay_tx: hash });
    await expectEvents(created, ['order-created', 'order-settling', 'order-settled']);
  });

  together('fails with reason and amounts when its route fails, and refunds the payer', async () => {
    const created = await newOrder({ merchant_amount: '25006403' });
    await payer.deposit(created);
    const failed = await payer.until(created, { status: 'failed' });
    const amount = String(depositOf(created));
    expect(failed).toMatchObject({
      settle_tx: null,
      settled_amount: null,
      failure_reason: `DEPOSIT_REFUNDED: there was no liquidity; deposited ${amount}; refunded ${amount}`,
      cross_chain: { deposit_status: 'refunded', deposited_amount: amount, refunded_amount: amount },
    });
    expect(await refundedTo(created)).toBe(depositOf(created));
    expect(await payer.destination.balanceOf('USDC', created.merchant)).toBe(0n);
    await expectEvents(created, ['order-created', 'order-settling', 'order-failed']);
  });

  together('waits after a partial deposit, and settles when the rest arrives', async () => {
    const created = await newOrder();
    const half = depositOf(created) / 2n;
    await payer.deposit(created, half);
    await payer.until(created, { status: 'settling', cross_chain: { deposit_status: 'incomplete' } });
    expect((await statusOf(addressOf(created))).body).toMatchObject({ status: 'incomplete_deposit' });
    await payer.deposit(created, depositOf(created) - half);
    await settlesExactly(created);
    await expectEvents(created, ['order-created', 'order-settling', 'order-settled']);
  });

  together('fails and refunds a deposit that stays too small', async () => {
    const created = await newOrder();
    const half = depositOf(created) / 2n;
    await payer.deposit(created, half);
    await payer.until(created, { status: 'settling', cross_chain: { deposit_status: 'incomplete' } });
    expect(await control('oneclick/deadline', addressOf(created))).toMatchObject({ status: 200 });
    const failed = await payer.until(created, { status: 'failed' });
    expect(failed).toMatchObject({
      failure_reason: `DEPOSIT_REFUNDED: less arrived than was needed; deposited ${half}; refunded ${half}`,
      cross_chain: { deposited_amount: String(half), refunded_amount: String(half) },
    });
    expect(await refundedTo(created)).toBe(half);
    await expectEvents(created, ['order-created', 'order-settling', 'order-failed']);
  });

  together('settles late when its deposit arrives after expiry', async () => {
    const created = await newOrder();
    await endLifetime(created);
    await payer.until(created, { status: 'expired' });
    await payer.deposit(created);
    await settlesExactly(created, { late: true });
    await expectEvents(created, ['order-created', 'order-expired', 'order-settling', 'order-settled']);
  });

  together('pays the merchant the exact amount and refunds the remainder to the payer', async () => {
    const created = await newOrder();
    await payer.deposit(created, depositOf(created) * 2n);
    const settled = await settlesExactly(created);
    const change = depositOf(created) * 2n - settled.taken;
    expect(change).toBeGreaterThan(depositOf(created));
    expect(settled.cross_chain).toMatchObject({
      deposited_amount: String(depositOf(created) * 2n),
      refunded_amount: String(change),
    });
    expect(await refundedTo(created)).toBe(change);
  });

  together('accepts a deposit in coins and settles in coins', async () => {
    const amount = 10n ** 16n;
    const created = await newOrder({
      pay_token: 'ETH',
      settle_token: 'ETH',
      merchant_amount: String(amount),
      fee_amount: '0',
    });
    const hash = await payer.deposit(created);
    const settled = await settlesExactly(created, { amount, symbol: 'ETH' });
    expect(settled.pay_tx).toBe(hash);
    expect(await refundedTo(created)).toBe(depositOf(created) - settled.taken);
  });

  together('accepts a deposit from Bitcoin', async () => {
    const created = await newOrder({
      pay_blockchain: 'btc',
      pay_token: 'BTC',
      payer_address: sampleAddress(findChain('btc')!),
    });
    expect(created.cross_chain).toMatchObject({
      deposit_address: expect.stringMatching(/^(bc1|1|3)/),
      deposit_memo: null,
    });
    const amount = created.cross_chain.deposit_amount;
    const { body } = await control('deposit', { ...addressOf(created), amount });
    expect(await settlesExactly(created)).toMatchObject({ pay_tx: body.tx_hash });
  });

  together('accepts a deposit from Stellar, where a memo identifies the order', async () => {
    const stellar = {
      pay_blockchain: 'stellar',
      pay_token: 'XLM',
      payer_address: sampleAddress(findChain('stellar')!),
    };
    const [created, unpaid] = await Promise.all([newOrder(stellar), newOrder(stellar)]);
    const { deposit_address, deposit_memo, deposit_amount: amount } = created.cross_chain;
    expect(deposit_memo).toMatch(/^\d+$/);
    expect(unpaid.cross_chain.deposit_address).toBe(deposit_address);
    expect(unpaid.cross_chain.deposit_memo).not.toBe(deposit_memo);
    expect(await statusOf({ deposit_address })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect((await statusOf({ deposit_address, deposit_memo })).body).toMatchObject({
      status: 'pending_deposit',
      order_id: created.order_id,
    });
    expect(await control('deposit', { deposit_address, amount })).toMatchObject({ status: 404 });
    expect(await control('deposit', { deposit_address, deposit_memo, amount })).toMatchObject({
      status: 200,
    });
    await settlesExactly(created);
    expect((await statusOf(addressOf(unpaid))).body).toMatchObject({ status: 'pending_deposit' });
  });

  it('neither fails nor expires while the route provider is down, and settles when it is back', async () => {
    // The other scenarios need the provider.
    await Promise.allSettled(scenarios.map(async ({ done }) => done));
    const [paid, unpaid] = await Promise.all([newOrder(), newOrder()]);
    await control('oneclick/outage', { mode: 'down' });
    await payer.deposit(paid);
    expect(await payer.tryToCreate()).toMatchObject({ status: 502, body: { code: 'UPSTREAM_UNAVAILABLE' } });
    // The provider has seen the deposit before it responds again: an order without a deposit expires.
    await eventually(async () => {
      const { rowCount } = await database.query(
        'SELECT FROM sandbox.swaps WHERE deposit_address = $1 AND seen_amount > 0',
        [paid.cross_chain.deposit_address],
      );
      expect(rowCount).toBe(1);
    });
    await endLifetime(paid, unpaid);
    // Longer than the longest pause of the job that expires orders.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    for (const created of [paid, unpaid])
      expect(await payer.order(created)).toMatchObject({ status: 'waiting_payment' });
    await control('oneclick/outage', { mode: 'up' });
    await settlesExactly(paid);
    await payer.until(unpaid, { status: 'expired' });
    await expectEvents(paid, ['order-created', 'order-settling', 'order-settled']);
    await expectEvents(unpaid, ['order-created', 'order-expired']);
  });

  it('conserves every token: each balance belongs to an account that is entitled to it', async () => {
    await holdings.expectSame();
  });
}
