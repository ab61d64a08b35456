import {
  dashboardApi,
  OverviewReply,
  TransactionRecord,
  type OrderChanged,
  type OrderEventType,
  type TransactionsQuery,
} from '@tollbridge/contracts';
import { callContext, decode, DomainError, walletPrincipal } from '@tollbridge/rpc';
import { ManualClock, missingCases } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { readFileSync } from 'node:fs';
import { v7 as uuid } from 'uuid';
import { countExpired } from '../migrations/1801990500000-count-expired';
import { anOrderChanged } from '../orders/testing/order-changed.builder';
import { Merchant } from '../testing/merchant';
import { oneOf, randomHistory, randomOf, shuffled } from '../testing/order-histories';
import type { PublishedOrder } from '../testing/published-order';
import { searchCondition } from './record-search';

const { getOverview, getTransaction, listTransactions } = dashboardApi.operations;
const noonMs = Date.parse('2026-11-20T12:00:00Z');
const dayMs = 86_400_000;
const tx = `0x${'a1'.repeat(32)}`;
const clock = new ManualClock(noonMs);
let merchant: Merchant;

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica of the merchant app shares the work.
  await merchant.startApp();
});
afterAll(() => merchant?.close());

const newWallet = () => Wallet.createRandom().address;
const overview = (wallet: string) => merchant.call(getOverview, {}, walletPrincipal(wallet));
const list = (wallet: string, query: TransactionsQuery = {}) =>
  merchant.call(listTransactions, query, walletPrincipal(wallet));

const publishAndWait = (published: readonly PublishedOrder[]) => merchant.publishAndWait(published);

/** A settled order that was created within the last day of the clock. */
const of = (wallet: string, changes: Partial<OrderChanged> = {}) =>
  anOrderChanged({
    order_id: history(wallet)[0]!.order.order_id,
    merchant_address: wallet,
    created_by: wallet,
    updated_at: '2026-11-20T11:00:00.000Z',
    ...changes,
  });
const unpaid = { pay_tx: null, settle_tx: null, settled_amount: null, settled_value_usd: null };
const settled = (wallet: string, changes: Partial<OrderChanged> = {}): PublishedOrder => ({
  id: uuid(),
  type: 'order-settled',
  order: of(wallet, changes),
});

let seed = 20_261_120;
const history = (wallet: string, options: Partial<Parameters<typeof randomHistory>[2]> = {}) =>
  randomHistory(randomOf(seed++), wallet, { fromMs: noonMs - dayMs, days: 1, ...options });

describe('GET /api/overview', () => {
  it('200: returns zeros for a merchant without payments, for each of the last thirty days', async () => {
    const reply = await overview(newWallet());
    expect(decode(OverviewReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({
      totalVolumeUsd: '0',
      totalPayments: 0,
      successRate: null,
      activePaylinks: 0,
      unpricedPayments: 0,
      confirmedByMerchant: 0,
      volumeByToken: [],
      volumeByChain: [],
    });
    expect(reply.daily).toHaveLength(30);
    expect(reply.daily[0]).toEqual({ date: '2026-10-22', volumeUsd: '0', payments: 0 });
    expect(reply.daily.at(-1)).toEqual({ date: '2026-11-20', volumeUsd: '0', payments: 0 });
  });

  it("200: sums exactly by token, chain and day, whatever the token's decimals", async () => {
    const wallet = newWallet();
    const bsc = {
      settle_chain: 'eip155:56',
      settled_amount: '1000000000000000001',
      settled_value_usd: '0.1',
    };
    await publishAndWait([
      settled(wallet, { settled_value_usd: '0.2' }),
      settled(wallet, { ...bsc, updated_at: '2026-11-19T23:59:59.999Z' }),
      settled(wallet, { settle_token: 'ETH', settled_amount: '1', settled_value_usd: null }),
      // This payment settled before the first day of the overview.
      settled(wallet, {
        settled_value_usd: '12345678901234567890.5',
        updated_at: '2026-01-01T00:00:00.000Z',
      }),
      { ...settled(wallet, { status: 'failed', settled_amount: null }), type: 'order-failed' },
    ]);
    const reply = await overview(wallet);
    expect(decode(OverviewReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({
      totalVolumeUsd: '12345678901234567890.8',
      totalPayments: 4,
      successRate: 0.8,
      unpricedPayments: 1,
      volumeByToken: [
        {
          token: 'USDC',
          amount: '3.000000000000000001',
          volumeUsd: '12345678901234567890.8',
          payments: 3,
        },
        { token: 'ETH', amount: '0.000000000000000001', volumeUsd: '0', payments: 1 },
      ],
      volumeByChain: [
        { network: 'eip155:8453', volumeUsd: '12345678901234567890.7', payments: 3 },
        { network: 'eip155:56', volumeUsd: '0.1', payments: 1 },
      ],
    });
    expect(reply.daily.slice(-2)).toEqual([
      { date: '2026-11-19', volumeUsd: '0.1', payments: 1 },
      { date: '2026-11-20', volumeUsd: '0.2', payments: 2 },
    ]);
  });

  it('200: counts an order that is settled, reorged and settled again only once, on the last day', async () => {
    const wallet = newWallet();
    const first = settled(wallet, { updated_at: '2026-11-18T10:00:00.000Z' });
    const reorged: PublishedOrder = {
      id: uuid(),
      type: 'order-reorged',
      order: { ...first.order, status: 'settling', settled_amount: null, settle_tx: null, version: 4 },
    };
    const again: PublishedOrder = {
      id: uuid(),
      type: 'order-settled',
      order: { ...first.order, version: 5, updated_at: '2026-11-19T10:00:00.000Z' },
    };
    await publishAndWait([first]);
    expect(await overview(wallet)).toMatchObject({ totalVolumeUsd: '1', totalPayments: 1, successRate: 1 });
    await publishAndWait([reorged]);
    expect(await overview(wallet)).toMatchObject({ totalVolumeUsd: '0', totalPayments: 0, successRate: 0 });
    expect(await list(wallet)).toMatchObject([{ status: 'reversed' }]);
    await publishAndWait([again]);
    const reply = await overview(wallet);
    expect(reply).toMatchObject({ totalVolumeUsd: '1', totalPayments: 1, successRate: 1 });
    expect(reply.daily.filter(({ payments }) => payments > 0).map(({ date }) => date)).toEqual([
      '2026-11-19',
    ]);
  });

  it('200: counts PayLinks that can be paid', async () => {
    const wallet = newWallet();
    const add = (changes: Record<string, unknown> = {}) => {
      const row = {
        id: uuid(),
        wallet,
        name: 'Tea',
        description: '',
        amount: 1,
        chain: 'eip155:8453',
        token: 'USDC',
        decimals: 6,
        receive_address: wallet,
        created_at: new Date(),
        updated_at: new Date(),
        ...changes,
      };
      const names = Object.keys(row);
      return merchant.database.query(
        `INSERT INTO paylinks (${names.join(', ')}) VALUES (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
        Object.values(row),
      );
    };
    await add();
    await add({ expires_at: new Date(noonMs + 1), max_payments: 2, payment_count: 1 });
    await add({ expires_at: new Date(noonMs) });
    await add({ max_payments: 1, payment_count: 1 });
    await add({ active: false, closed_at: new Date() });
    await add({ deleted_at: new Date(), closed_at: new Date() });
    await add({ wallet: newWallet() });
    expect(await overview(wallet)).toMatchObject({ activePaylinks: 2 });
  });

  it('400 VALIDATION_ERROR: rejects unknown fields', async () => {
    await expect(
      merchant.call(getOverview, { days: 7 } as object, walletPrincipal(newWallet())),
    ).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'days' }] });
  });
});

describe('GET /api/transactions', () => {
  it('200: lists a payment of the merchant from its creation on', async () => {
    const wallet = newWallet();
    const { order, ...event } = settled(wallet);
    const created = {
      ...order,
      status: 'waiting_payment',
      version: 1,
      pay_tx: null,
      settle_tx: null,
    } as const;
    await publishAndWait([
      {
        id: uuid(),
        type: 'order-created',
        order: { ...created, settled_amount: null, settled_value_usd: null },
      },
    ]);
    expect(await list(wallet)).toMatchObject([
      { id: order.order_id, status: 'pending', tx_hash: '', value_usd: null, amount: '1000000' },
    ]);
    await publishAndWait([{ ...event, order }]);
    const [record] = await list(wallet);
    expect(decode(TransactionRecord, record)).toMatchObject({ ok: true });
    expect(record).toEqual({
      id: order.order_id,
      wallet_address: wallet,
      tx_type: 'payment',
      amount: '1000000',
      token: 'USDC',
      network: 'eip155:8453',
      status: 'completed',
      tx_hash: tx,
      counterparty: order.payer_address,
      description: 'Order of shop-17',
      order_id: order.order_id,
      payment_request_id: null,
      paylink_id: null,
      metadata: null,
      value_usd: '1',
      fee_amount: '5000',
      late: false,
      confirmed_by: 'chain',
      created_at: expect.any(String),
      updated_at: '2026-11-20T11:00:00.000Z',
    });
    expect(Math.abs(Date.parse(record!.created_at) - noonMs)).toBeLessThan(dayMs + 1);
  });

  it('200: lists an order that another client created only after it received money', async () => {
    const wallet = newWallet();
    const stranger = { created_by: null };
    const paying = of(wallet, {
      ...unpaid,
      ...stranger,
      status: 'settling',
      version: 2,
      pay_tx: `0x${'be'.repeat(32)}`,
    });
    const failed = { ...paying, status: 'failed', version: 3 } as const;
    await publishAndWait([
      { id: uuid(), type: 'order-settling', order: paying },
      { id: uuid(), type: 'order-failed', order: failed },
    ]);
    expect([await list(wallet), (await overview(wallet)).successRate]).toEqual([[], null]);
    const paid = { ...failed, status: 'settled', version: 5, settled_amount: '1000000', late: true } as const;
    await publishAndWait([{ id: uuid(), type: 'order-settled', order: paid }]);
    expect(await list(wallet)).toMatchObject([{ status: 'completed', late: true }]);
    const lost = { ...paid, status: 'failed', version: 7, settled_amount: null } as const;
    await publishAndWait([{ id: uuid(), type: 'order-failed', order: lost }]);
    expect(await list(wallet)).toMatchObject([{ status: 'reversed' }]);
    expect(await overview(wallet)).toMatchObject({ totalPayments: 0, successRate: 0 });
  });

  it('200: excludes expired payments from the success rate, and counts an expired payment that is paid late', async () => {
    const wallet = newWallet();
    const ended = (type: OrderEventType, status: OrderChanged['status']) => {
      const { order } = settled(wallet, { settled_amount: null, settled_value_usd: null });
      return { id: uuid(), type, order: { ...order, status } };
    };
    const abandoned = ended('order-expired', 'expired');
    await publishAndWait([abandoned, ended('order-expired', 'expired'), settled(wallet)]);
    expect(await list(wallet, { status: 'expired' })).toHaveLength(2);
    expect(await overview(wallet)).toMatchObject({ totalPayments: 1, successRate: 1 });
    await publishAndWait([ended('order-failed', 'failed')]);
    expect(await overview(wallet)).toMatchObject({ totalPayments: 1, successRate: 0.5 });
    const { order } = abandoned;
    const late = { ...order, status: 'settled', version: 9, settled_amount: '1000000', late: true } as const;
    await publishAndWait([{ id: uuid(), type: 'order-settled', order: late }]);
    expect(await overview(wallet)).toMatchObject({ totalPayments: 2, successRate: 0.6667 });
  });

  it('200: lists a returned deposit as a refund, which no sum includes', async () => {
    const wallet = newWallet();
    const pay = { method: 'CrossChain', pay_blockchain: 'btc', pay_token: 'BTC' } as const;
    const order = of(wallet, { ...unpaid, ...pay, status: 'failed', refunded_amount: '777' });
    await publishAndWait([{ id: uuid(), type: 'order-failed', order }]);
    const records = await list(wallet);
    expect(
      records.map(({ tx_type, status, amount, token, network }) => [tx_type, status, amount, token, network]),
    ).toEqual(
      expect.arrayContaining([
        ['payment', 'failed', '1000000', 'USDC', 'eip155:8453'],
        ['refund', 'completed', '777', 'BTC', 'btc'],
      ]),
    );
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
    expect(await list(wallet, { type: 'refund' })).toHaveLength(1);
    expect(await overview(wallet)).toMatchObject({ totalPayments: 0, totalVolumeUsd: '0', successRate: 0 });
  });

  it('200: pages through the results of every filter without gaps or repeats', async () => {
    const wallet = newWallet();
    const random = randomOf(7);
    const published = Array.from({ length: 60 }, () =>
      history(wallet, { days: 20, fromMs: noonMs - 20 * dayMs }),
    ).flat();
    await publishAndWait(shuffled(random, published));
    const all: TransactionRecord[] = [];
    for (;;) {
      const cursor = all.at(-1)?.id;
      const page = await list(wallet, { limit: 7, ...(cursor && { cursor }) });
      all.push(...page);
      if (page.length < 7) break;
    }
    expect(all.length).toBeGreaterThan(40);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    const times = all.map(({ created_at }) => created_at);
    expect(times).toEqual([...times].sort().reverse());
    const [from, to] = [times[30]!, times[10]!];
    const filters: [TransactionsQuery, (record: TransactionRecord) => boolean][] = [
      [{ status: 'completed' }, ({ status }) => status === 'completed'],
      [{ type: 'payment' }, ({ tx_type }) => tx_type === 'payment'],
      [{ token: 'USDC' }, ({ token }) => token === 'USDC'],
      [{ network: 'base' }, ({ network }) => network === 'eip155:8453'],
      [{ from, to }, ({ created_at }) => created_at >= from && created_at < to],
      [
        { status: 'reversed', network: 'eip155:8453', from: times.at(-1)! },
        ({ status, network }) => status === 'reversed' && network === 'eip155:8453',
      ],
    ];
    const hundred = await list(wallet, {});
    expect(hundred).toEqual(all.slice(0, 100));
    for (const [query, isWanted] of filters) {
      expect(await list(wallet, { ...query, limit: 1_000 })).toEqual(all.filter(isWanted).slice(0, 100));
    }
    const factsOf = async (query: TransactionsQuery) => {
      const context = callContext({ principal: walletPrincipal(wallet) });
      const json = Buffer.from(JSON.stringify(query));
      return (await merchant.client.callBytes(listTransactions, json, context)).page;
    };
    expect(await factsOf({ limit: 1_000 })).toMatchObject({ limit: 100 });
    expect(await factsOf({ limit: 7 })).toEqual({ next: all[6]!.id, limit: 7 });
  });

  it('200: lists no record of another merchant', async () => {
    const wallet = newWallet();
    await publishAndWait([settled(wallet)]);
    expect(await list(newWallet())).toEqual([]);
  });

  it('200: finds records by id and order id, and by a case-insensitive prefix of hash, payer and reference', async () => {
    const wallet = newWallet();
    const payer = Wallet.createRandom().address;
    const hash = `0x${'c0ffee'.repeat(10)}00a1`;
    const wanted = settled(wallet, {
      merchant_id: 'Shop_17%',
      settle_tx: hash,
      pay_tx: hash,
      method: 'Direct',
      paid_by: payer,
      payer_address: payer,
    });
    const shopLike = settled(wallet, { merchant_id: 'ShopX17-other' });
    await publishAndWait([wanted, shopLike, settled(newWallet(), { settle_tx: hash })]);
    const { order_id: id } = wanted.order;
    const found = async (q: string, query: TransactionsQuery = {}) =>
      (await list(wallet, { q, ...query })).map((record) => record.id);
    for (const q of [id, id.toUpperCase(), hash, hash.slice(0, 10), hash.toUpperCase().slice(0, 20)])
      expect([q, await found(q)]).toEqual([q, [id]]);
    for (const q of [payer, payer.toLowerCase(), payer.slice(0, 12)]) expect(await found(q)).toEqual([id]);
    // The wildcards of SQL are literal characters in a search.
    for (const q of ['Shop_17%', 'shop_', 'SHOP_17']) expect(await found(q)).toEqual([id]);
    expect(await found('shop')).toHaveLength(2);
    for (const q of ['%%%', '___', 'order of', hash.slice(4), uuid(), "'; --"])
      expect(await found(q)).toEqual([]);
    expect(await found('shop', { status: 'pending' })).toEqual([]);
    expect(await found('shop', { limit: 1 })).toHaveLength(1);
  });

  it('200: finds refunds by the id of their order, and payments by the name of their PayLink', async () => {
    const wallet = newWallet();
    const order = of(wallet, { ...unpaid, status: 'failed', refunded_amount: '7' });
    await publishAndWait([{ id: uuid(), type: 'order-failed', order }]);
    expect(await list(wallet, { q: order.order_id })).toHaveLength(2);
    expect(await list(wallet, { q: 'shop-17', type: 'refund' })).toHaveLength(1);
    await merchant.database.query(
      'UPDATE dashboard_transactions SET description = $2 WHERE wallet = $1 AND tx_type = $3',
      [wallet, 'PayLink: Green tea', 'payment'],
    );
    expect(await list(wallet, { q: 'green' })).toMatchObject([{ description: 'PayLink: Green tea' }]);
  });

  it('uses an index for each field when it searches many records', async () => {
    const wallet = newWallet();
    await publishAndWait([settled(wallet)]);
    const others =
      'generation, wallet, tx_type, version, outcome, is_own, is_seen, was_completed, amount, fee_amount';
    const same = `${others}, token, network, late, created_at, updated_at`;
    await merchant.database.query(
      `INSERT INTO dashboard_transactions (id, order_id, tx_hash, counterparty, description, ${same})
       SELECT gen_random_uuid(), gen_random_uuid(), md5(n::text), md5((-n)::text), 'Order of shop-' || n, ${same}
       FROM dashboard_transactions, generate_series(1, 20000) n WHERE wallet = $1`,
      [wallet],
    );
    await merchant.database.query(
      `INSERT INTO payment_requests (id, wallet, amount, currency, chain, description, receive_address, created_at, updated_at)
       SELECT gen_random_uuid(), $1, 1, 'USDC', 'eip155:8453', 'Table ' || n, $1, now(), now() FROM generate_series(1, 20000) n`,
      [wallet],
    );
    await merchant.database.query('ANALYZE dashboard_transactions, payment_requests');
    const own = `generation = 1 AND wallet = '${wallet}' AND is_shown`;
    const condition = searchCondition(uuid(), { own, wallet }, (value) => `'${String(value)}'`);
    const plan = await merchant.database.query<Record<string, string>>(
      `EXPLAIN SELECT id FROM dashboard_transactions WHERE ${own} AND ${condition}`,
    );
    const lines = plan.map((row) => Object.values(row)[0]).join('\n');
    for (const field of ['pkey', 'order', 'hash', 'payer', 'text'])
      expect(lines).toContain(`dashboard_transactions_${field}`);
    expect(lines).toContain('payment_requests_text');
    expect(lines).not.toMatch(/Seq Scan on (dashboard_transactions|payment_requests)/);
    expect(lines.match(/Filter: .*~~/g)).toHaveLength(6);
    expect(lines.match(/Index Cond: .*~>=~/g)).toHaveLength(6);
    expect(await list(wallet, { q: 'shop-19999' })).toHaveLength(1);
    expect(await list(wallet, { q: 'shop-', limit: 100 })).toHaveLength(100);
  });

  it('400 VALIDATION_ERROR: returns every invalid field, and rejects a cursor of another merchant', async () => {
    const wallet = newWallet();
    const bad = {
      type: 'gift',
      status: 'done',
      network: 'nowhere',
      from: 'yesterday',
      limit: 0,
      q: 'ab',
      cursor: '1',
      colour: 'red',
    };
    const call = (query: object) => merchant.call(listTransactions, query, walletPrincipal(wallet));
    const rejected = await call(bad).catch((error: DomainError) => error);
    const named = ((rejected as DomainError).details as { field: string }[]).map(({ field }) => field);
    expect(named.sort()).toEqual(['colour', 'cursor', 'from', 'limit', 'network', 'q', 'status', 'type']);
    await expect(call({ from: '2026-11-02T00:00:00Z', to: '2026-11-01T00:00:00Z' })).rejects.toMatchObject({
      details: [{ field: 'to' }],
    });
    const other = settled(newWallet());
    await publishAndWait([other]);
    const [foreign, unknown] = await Promise.all(
      [other.order.order_id, uuid()].map((cursor) => call({ cursor }).catch((error: DomainError) => error)),
    );
    expect(foreign).toMatchObject({ code: 'VALIDATION_ERROR', details: [{ field: 'cursor' }] });
    expect([(foreign as DomainError).message, (foreign as DomainError).details]).toEqual([
      (unknown as DomainError).message,
      (unknown as DomainError).details,
    ]);
  });
});

describe('GET /api/transactions/{id}', () => {
  const read = (wallet: string, id: string) => merchant.call(getTransaction, { id }, walletPrincipal(wallet));

  it('200: returns the same record as the list', async () => {
    const wallet = newWallet();
    const { order, ...event } = settled(wallet);
    await publishAndWait([{ ...event, order }]);
    const record = await read(wallet, order.order_id.toUpperCase());
    expect(decode(TransactionRecord, record)).toMatchObject({ ok: true });
    expect([record]).toEqual(await list(wallet));
  });

  it('400 VALIDATION_ERROR: rejects an id that is too long', async () => {
    await expect(read(newWallet(), 'x'.repeat(65))).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('404 NOT_FOUND: returns the same error for a hidden record, a record of another merchant and an unknown id', async () => {
    const [wallet, other] = [newWallet(), newWallet()];
    const foreign = settled(other);
    const waiting = of(wallet, { ...unpaid, created_by: null, status: 'settling', version: 2 });
    await publishAndWait([foreign, { id: uuid(), type: 'order-settling', order: waiting }]);
    const rejections = await Promise.all(
      [foreign.order.order_id, waiting.order_id, uuid(), 'undefined'].map((id) =>
        read(wallet, id).catch(({ code, message, details }: DomainError) => ({ code, message, details })),
      ),
    );
    expect(rejections[0]).toMatchObject({ code: 'NOT_FOUND' });
    expect(new Set(rejections.map((each) => JSON.stringify(each))).size).toBe(1);
  });
});

describe('the dashboard under many events', () => {
  /** The expected totals, computed from the complete history of each order. */
  function expected(histories: readonly PublishedOrder[][]) {
    const shown = histories.filter((published) =>
      published.some(
        ({ type, order }) =>
          order.created_by !== null ||
          type === 'order-settled' ||
          (order.settled_amount ?? order.refunded_amount),
      ),
    );
    const last = shown.map((published) => published.at(-1)!.order);
    const paid = last.filter(({ status }) => status === 'settled');
    const ended = shown.filter((published) => {
      const { status } = published.at(-1)!.order;
      return ['settled', 'failed'].includes(status) || published.some(({ type }) => type === 'order-settled');
    });
    const millionths = paid.reduce((sum, { settled_value_usd: value }) => sum + millionthsOf(value), 0n);
    return {
      records: shown.length + shown.filter((published) => published.at(-1)!.order.refunded_amount).length,
      payments: paid.length,
      unpriced: paid.filter(({ settled_value_usd }) => settled_value_usd === null).length,
      millionths,
      successRate: Math.round((paid.length / ended.length) * 10_000) / 10_000,
    };
  }
  const millionthsOf = (text: string | null): bigint => {
    const [whole = '0', fraction = ''] = (text ?? '0').split('.');
    return BigInt(whole + fraction.padEnd(6, '0'));
  };

  it('computes the sums of a recount and of the migration in two replicas when events are shuffled and repeated', async () => {
    const random = randomOf(99);
    const wallets = [newWallet(), newWallet(), newWallet()];
    const histories = Array.from({ length: 100 }, () => {
      const wallet = oneOf(random, wallets);
      return { wallet, published: history(wallet, { days: 25, fromMs: noonMs - 25 * dayMs }) };
    });
    const events = histories.flatMap(({ published }) => published);
    await publishAndWait(shuffled(random, [...events, ...events.filter(() => random() < 0.3)]));
    for (const wallet of wallets) {
      const truth = expected(
        histories.filter((each) => each.wallet === wallet).map(({ published }) => published),
      );
      const reply = await overview(wallet);
      expect({
        payments: reply.totalPayments,
        unpriced: reply.unpricedPayments,
        millionths: millionthsOf(reply.totalVolumeUsd),
        successRate: reply.successRate,
        records: (await list(wallet, { limit: 100 })).length,
      }).toEqual(truth);
      // All events are within the days of the overview, so the days sum to the total.
      const daily = reply.daily.map(({ volumeUsd }) => millionthsOf(volumeUsd));
      expect(daily.reduce((sum, day) => sum + day, 0n)).toBe(truth.millionths);
    }

    const sums = 'SELECT to_jsonb(s) AS row FROM dashboard_sums s ORDER BY wallet, day, network, token';
    const before = await merchant.database.query(sums);
    await merchant.database.query('UPDATE dashboard_sums SET expired = 0');
    await merchant.database.query(countExpired);
    expect(await merchant.database.query(sums)).toEqual(before);
  });
});

it('covers each declared error', () => {
  const operations = Object.values(dashboardApi.operations);
  expect(missingCases(operations, readFileSync(__filename, 'utf8'))).toEqual([]);
});
