import {
  ledgerApi,
  LedgerEntriesReply,
  LedgerEntry,
  LedgerProofReply,
  type OrderChanged,
} from '@tollbridge/contracts';
import { decode, DomainError, keyPrincipal, walletPrincipal } from '@tollbridge/rpc';
import { eventually, ManualClock, missingCases } from '@tollbridge/testing';
import { Wallet } from 'ethers';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { anOrderChanged } from '../orders/testing/order-changed.builder';
import { Merchant } from '../testing/merchant';
import { oneOf, randomHistory, randomOf, shuffled } from '../testing/order-histories';
import type { PublishedOrder } from '../testing/published-order';
import { LedgerChecks } from './ledger-checks';
import { LedgerWorker } from './ledger.worker';

const { proveLedger, listLedgerEntries } = ledgerApi.operations;
const noHash = '0'.repeat(64);
const base = 'eip155:8453';
const clock = new ManualClock();
let merchant: Merchant;

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica of the merchant app shares the work.
  await merchant.startApp();
});
afterAll(() => merchant?.close());

const newWallet = () => Wallet.createRandom().address;
const prove = (wallet: string, segment?: number) =>
  merchant.call(proveLedger, segment === undefined ? {} : { segment }, walletPrincipal(wallet));
const entriesOf = (wallet: string, query: { limit?: number; cursor?: string } = {}) =>
  merchant.call(listLedgerEntries, query, walletPrincipal(wallet));

async function allEntries(wallet: string, limit = 100): Promise<LedgerEntry[]> {
  const all: LedgerEntry[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const reply: LedgerEntriesReply = await entriesOf(wallet, { limit, ...(cursor && { cursor }) });
    all.push(...reply.entries);
    cursor = reply.next_cursor;
  }
  return all;
}

const publishAndWait = (events: readonly PublishedOrder[]) => merchant.publishAndWait(events);

let seed = 4711;
const history = (wallet: string) => randomHistory(randomOf(seed++), wallet, { fromMs: Date.now(), days: 1 });

const settled = (wallet: string, changes: Partial<OrderChanged> = {}): PublishedOrder => ({
  id: uuid(),
  type: 'order-settled',
  order: anOrderChanged({ merchant_address: wallet, ...changes }),
});
const changed = (
  { order }: PublishedOrder,
  type: PublishedOrder['type'],
  changes: Partial<OrderChanged>,
): PublishedOrder => ({ id: uuid(), type, order: { ...order, version: order.version + 1, ...changes } });
const reorged = (event: PublishedOrder): PublishedOrder =>
  changed(event, 'order-reorged', { status: 'settling', settled_amount: null });

/** Changes ledger rows as the owner of the tables, while the triggers are disabled. */
async function breakLedger(text: string, values: unknown[]): Promise<void> {
  const owner = new Client({ connectionString: merchant.database.ownerUrl });
  await owner.connect();
  try {
    await owner.query('BEGIN');
    for (const table of ['ledger_entries', 'ledger_transactions'])
      await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
    await owner.query(text, values);
    for (const table of ['ledger_entries', 'ledger_transactions'])
      await owner.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
    await owner.query('COMMIT');
  } finally {
    await owner.end();
  }
}

/** Runs `work` as the database role of the running app. */
async function asApp(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: merchant.database.runtimeUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

describe('GET /api/ledger/proof', () => {
  it('200: returns a valid, empty proof for a merchant without payments', async () => {
    const reply = await prove(newWallet());
    expect(decode(LedgerProofReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({ ok: true, assets: [], transactions: 0, segments: 0, last_hash: noHash });
  });

  it('200: returns payments, fees and refunds per asset, for the wallet and for its keys', async () => {
    const wallet = newWallet();
    const crossing = { method: 'CrossChain', pay_blockchain: 'btc', pay_token: 'BTC' } as const;
    const refund = settled(wallet, {
      ...crossing,
      status: 'failed',
      settled_amount: null,
      refunded_amount: '777',
    });
    const short = settled(wallet, {
      ...crossing,
      status: 'failed',
      settled_amount: '9',
      failure_reason: 'X: y',
    });
    await publishAndWait([
      settled(wallet),
      settled(wallet, { fee_amount: '0' }),
      { ...refund, type: 'order-failed' } as const,
      { ...short, type: 'order-failed' } as const,
    ]);
    const reply = await prove(wallet);
    expect(decode(LedgerProofReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({
      ok: true,
      halted_at: null,
      problems: [],
      transactions: 4,
      waiting: 0,
      segments: 1,
      checked: [{ segment: 0, from_seq: 1, to_seq: 4 }],
      all_checked_since: new Date(clock.now()).toISOString(),
    });
    const none = { received: '0', fees: '0', refunds: '0', sum: '0' };
    expect(reply.assets).toEqual([
      {
        ...none,
        chain: 'btc',
        token: 'BTC',
        debits: '777',
        credits: '777',
        refunds: '777',
        entries: 2,
        transactions: 1,
      },
      {
        ...none,
        chain: base,
        token: 'USDC',
        debits: '2005009',
        credits: '2005009',
        received: '2000009',
        fees: '5000',
        entries: 7,
        transactions: 3,
      },
    ]);
    expect(await merchant.call(proveLedger, {}, keyPrincipal(uuid(), wallet))).toEqual(reply);
    const kinds = (await allEntries(wallet)).map(({ kind }) => kind);
    expect(kinds.sort()).toEqual([...Array<string>(7).fill('payment'), 'refund', 'refund']);
  });

  it('400 VALIDATION_ERROR: rejects a segment that does not exist', async () => {
    const wallet = newWallet();
    const rejected = { code: 'VALIDATION_ERROR', details: [{ field: 'segment' }] };
    await expect(prove(wallet, 0)).rejects.toMatchObject(rejected);
    await publishAndWait([settled(wallet)]);
    expect(await prove(wallet, 0)).toMatchObject({ ok: true });
    await expect(prove(wallet, 1)).rejects.toMatchObject(rejected);
    await expect(prove(wallet, -1)).rejects.toMatchObject(rejected);
  });
});

describe('GET /api/ledger/entries', () => {
  it('200: pages through every entry, newest first, with the data to recompute the hashes', async () => {
    const wallet = newWallet();
    const first = settled(wallet);
    await publishAndWait([first]);
    await publishAndWait([reorged(first)]);
    const entries = await allEntries(wallet, 2);
    expect(
      entries.map(({ seq, position, kind, account, amount }) => [seq, position, kind, account, amount]),
    ).toEqual([
      [2, 3, 'reversal', 'fees', '-5000'],
      [2, 2, 'reversal', 'merchant:received', '-1000000'],
      [2, 1, 'reversal', 'payer', '1005000'],
      [1, 3, 'payment', 'fees', '5000'],
      [1, 2, 'payment', 'merchant:received', '1000000'],
      [1, 1, 'payment', 'payer', '-1005000'],
    ]);
    for (const entry of entries) expect(decode(LedgerEntry, entry)).toMatchObject({ ok: true });
    let previous = noHash;
    for (const seq of [1, 2]) {
      const parts = entries.filter((entry) => entry.seq === seq).reverse();
      const { transaction_id: id, kind, reference, version, occurred_at, hash } = parts[0]!;
      const lines = [previous, wallet, seq, id, kind, reference, version, Date.parse(occurred_at)];
      const lineParts = parts.flatMap(({ account, chain, token, amount }) => [account, chain, token, amount]);
      previous = createHash('sha256')
        .update([...lines, ...lineParts].join('\n'))
        .digest('hex');
      expect(hash).toBe(previous);
    }
    expect((await prove(wallet)).last_hash).toBe(previous);
    expect(await entriesOf(wallet, { limit: 1_000 })).toMatchObject({ limit: 100, next_cursor: null });
  });

  it('200: returns no entries of another merchant', async () => {
    const wallet = newWallet();
    await publishAndWait([settled(wallet)]);
    expect(await entriesOf(newWallet())).toEqual({ entries: [], limit: 50, next_cursor: null });
  });

  it('400 VALIDATION_ERROR: returns every invalid field', async () => {
    const rejected = await merchant
      .call(
        listLedgerEntries,
        { limit: 0, cursor: '0.1', wallet: 'x' } as object,
        walletPrincipal(newWallet()),
      )
      .catch((error: DomainError) => error);
    const named = ((rejected as DomainError).details as { field: string }[]).map(({ field }) => field);
    expect(named.sort()).toEqual(['cursor', 'limit', 'wallet']);
  });
});

describe('the ledger tables', () => {
  it('accept only transactions that sum to zero per asset', async () => {
    const wallet = newWallet();
    const insert = (amounts: readonly (number | string)[], token = 'USDC') =>
      asApp(async (client) => {
        await client.query('BEGIN');
        await client.query('INSERT INTO ledgers (wallet) VALUES ($1) ON CONFLICT DO NOTHING', [wallet]);
        await client.query(
          `INSERT INTO ledger_transactions VALUES ($1, 1, $2, 'payment', $3, 1, now(), decode($4, 'hex'), decode($4, 'hex'))`,
          [wallet, uuid(), uuid(), noHash],
        );
        await client.query(
          `INSERT INTO ledger_entries
           SELECT $1, 1, at, 'payer', 'ton', CASE at WHEN 1 THEN 'USDC' ELSE $2 END, amount
           FROM unnest($3::numeric[]) WITH ORDINALITY AS g (amount, at)`,
          [wallet, token, amounts],
        );
        await client.query('COMMIT');
      });
    const rejection = { code: '23514', constraint: 'ledger_balance' };
    await expect(insert([-1, 2])).rejects.toMatchObject(rejection);
    await expect(insert([-1, 1], 'USDT')).rejects.toMatchObject(rejection);
    await expect(insert([])).rejects.toMatchObject(rejection);
    await expect(insert([5])).rejects.toMatchObject(rejection);
    const sixtyDigits = '9'.repeat(60);
    await expect(insert([`-${sixtyDigits}`, sixtyDigits])).rejects.toMatchObject({
      code: '23514',
      constraint: 'ledger_entries_plausible',
    });
    expect(
      await merchant.database.query('SELECT FROM ledger_transactions WHERE wallet = $1', [wallet]),
    ).toEqual([]);
    await insert([-1, 1]);
    // Adds an entry to an existing transaction.
    await expect(
      asApp((client) =>
        client.query(`INSERT INTO ledger_entries VALUES ($1, 1, 3, 'fees', 'ton', 'USDC', 1)`, [wallet]),
      ),
    ).rejects.toMatchObject(rejection);
  });

  it.each([
    'UPDATE ledger_entries SET amount = 1',
    'DELETE FROM ledger_entries',
    'UPDATE ledger_transactions SET kind = kind',
    'DELETE FROM ledger_transactions WHERE false',
  ])('reject the statement of the app: %s', async (text) => {
    await expect(asApp((client) => client.query(text))).rejects.toMatchObject({ code: '23001' });
  });

  it('reject a truncation by their owner', async () => {
    await expect(merchant.database.query('TRUNCATE ledger_entries')).rejects.toMatchObject({ code: '23001' });
  });
});

describe('the ledger under many events', () => {
  it('has the balances of a recount in two replicas when events are shuffled and repeated', async () => {
    const random = randomOf(31);
    const wallets = [newWallet(), newWallet()];
    const histories = Array.from({ length: 100 }, () => history(oneOf(random, wallets)));
    const events = histories.flat();
    await publishAndWait(shuffled(random, [...events, ...events.filter(() => random() < 0.3)]));
    for (const wallet of wallets) {
      const wanted = new Map<string, bigint>();
      const add = (account: string, amount: bigint) =>
        wanted.set(account, (wanted.get(account) ?? 0n) + amount);
      for (const events of histories) {
        const { order } = events.at(-1)!;
        if (order.merchant_address !== wallet) continue;
        const asset = `${order.settle_chain} ${order.settle_token}`;
        add(`received ${asset}`, BigInt(order.settled_amount ?? 0));
        if (order.status === 'settled') add(`fees ${asset}`, BigInt(order.fee_amount));
        add('refunds btc BTC', BigInt(order.refunded_amount ?? 0));
      }
      const reply = await prove(wallet);
      expect(reply).toMatchObject({ ok: true, problems: [] });
      const found = new Map(
        reply.assets.flatMap(({ chain, token, received, fees, refunds }) => [
          [`received ${chain} ${token}`, BigInt(received)] as const,
          [`fees ${chain} ${token}`, BigInt(fees)] as const,
          [`refunds ${chain} ${token}`, BigInt(refunds)] as const,
        ]),
      );
      const real = (sums: Map<string, bigint>) => new Map([...sums].filter(([, sum]) => sum !== 0n).sort());
      expect(real(found)).toEqual(real(wanted));
      expect(reply.assets.map(({ sum }) => sum)).toEqual(reply.assets.map(() => '0'));
    }
  });
});

describe('a ledger with a changed row', () => {
  const worker = () => merchant.apps[0]!.context.get(LedgerWorker, { strict: false });
  const faults: [string, string, string[]][] = [
    [
      'the amount of an entry',
      `UPDATE ledger_entries SET amount = amount + 1 WHERE wallet = $1 AND seq = 2 AND position = 2`,
      ['unbalanced', 'hash', 'sums'],
    ],
    [
      'two amounts, with the sum still correct',
      `UPDATE ledger_entries SET amount = amount * 2 WHERE wallet = $1 AND seq = 2`,
      ['hash', 'sums'],
    ],
    [
      'the account of an entry',
      `UPDATE ledger_entries SET account = 'refunds' WHERE wallet = $1 AND seq = 2 AND position = 3`,
      ['hash', 'sums'],
    ],
    [
      'the chain of a transaction',
      `UPDATE ledger_entries SET chain = 'eip155:424242' WHERE wallet = $1 AND seq = 2`,
      ['hash', 'implausible', 'sums'],
    ],
    [
      'the signs of a transaction',
      `UPDATE ledger_entries SET amount = -amount WHERE wallet = $1 AND seq = 2`,
      ['hash', 'implausible', 'sums'],
    ],
    [
      'the reference of a transaction',
      `UPDATE ledger_transactions SET reference = 'order:x' || wallet WHERE wallet = $1 AND seq = 2`,
      ['hash'],
    ],
    [
      'the last hash',
      `UPDATE ledger_transactions SET hash = sha256('x') WHERE wallet = $1 AND seq = 3`,
      ['hash'],
    ],
    [
      'a deleted transaction',
      `WITH gone AS (DELETE FROM ledger_entries WHERE wallet = $1 AND seq = 2) DELETE FROM ledger_transactions WHERE wallet = $1 AND seq = 2`,
      ['missing', 'sums'],
    ],
    [
      'the stored sums',
      `UPDATE ledger_sums SET received = received + 1, credits = credits + 1 WHERE wallet = $1`,
      ['sums'],
    ],
  ];

  it.each(faults)('fails the proof and halts: %s', async (_name, change, codes) => {
    const wallet = newWallet();
    for (const event of [settled(wallet), settled(wallet), settled(wallet)]) await publishAndWait([event]);
    expect(await prove(wallet)).toMatchObject({ ok: true });
    await breakLedger(change, [wallet]);
    const reply = await prove(wallet);
    expect(decode(LedgerProofReply, reply)).toMatchObject({ ok: true });
    expect(reply).toMatchObject({ ok: false, halted_at: new Date(clock.now()).toISOString() });
    expect(reply.problems.map(({ code }) => code)).toEqual(codes);
  });

  it('fails the proof for implausible amounts that were stored before the database rejected them', async () => {
    const wallet = newWallet();
    await publishAndWait([settled(wallet)]);
    const { database } = merchant;
    await database.query('ALTER TABLE ledger_entries DROP CONSTRAINT ledger_entries_plausible');
    await breakLedger('UPDATE ledger_entries SET amount = amount * 1e54::numeric WHERE wallet = $1', [
      wallet,
    ]);
    await database.query(
      'ALTER TABLE ledger_entries ADD CONSTRAINT ledger_entries_plausible CHECK (abs(amount) < 2::numeric ^ 130) NOT VALID',
    );
    const { ok, problems } = await prove(wallet);
    expect(ok).toBe(false);
    expect(problems).toContainEqual({ code: 'implausible', segment: 0, seq: 1 });
  });

  it('queues its events without blocking other ledgers, and posts them when the row is repaired', async () => {
    const [wallet, other] = [newWallet(), newWallet()];
    const first = settled(wallet);
    await publishAndWait([first]);
    const amount = (to: string) => [wallet, to];
    const set = `UPDATE ledger_entries SET amount = $2 WHERE wallet = $1 AND seq = 1 AND position = 2`;
    await breakLedger(set, amount('999999'));
    const halted = await prove(wallet);
    expect(halted.problems).toContainEqual({ code: 'unbalanced', segment: 0, seq: 1 });
    // The first order is reorged and settles again, a second order settles, and another wallet is paid.
    const back = reorged(first);
    const again = changed(back, 'order-settled', { status: 'settled', settled_amount: '1000000' });
    const second = settled(wallet);
    await publishAndWait([back, again, second, settled(other)]);
    expect(await prove(wallet)).toMatchObject({ ok: false, transactions: 1, waiting: 2 });
    expect(await prove(other)).toMatchObject({ ok: true, transactions: 1 });

    await worker().step();
    expect(await prove(wallet)).toMatchObject({ ok: false, waiting: 2 });
    await breakLedger(set, amount('1000000'));
    await eventually(async () => {
      await Promise.all(merchant.apps.map((app) => app.context.get(LedgerWorker, { strict: false }).step()));
      expect(await prove(wallet)).toMatchObject({ ok: true, halted_at: null, waiting: 0, transactions: 2 });
    });
    const third = settled(wallet);
    await publishAndWait([third]);
    const reply = await prove(wallet);
    expect(reply).toMatchObject({ ok: true, transactions: 3 });
    expect(reply.assets[0]).toMatchObject({ received: '3000000', fees: '15000', sum: '0' });
  });

  it('halts at the daily check without any request', async () => {
    const wallet = newWallet();
    await publishAndWait([settled(wallet)]);
    await breakLedger('UPDATE ledger_entries SET amount = 2 * amount WHERE wallet = $1', [wallet]);
    await merchant.database.query(`UPDATE ledger_checks SET check_at = $2 WHERE wallet = $1`, [
      wallet,
      new Date(clock.now()),
    ]);
    await eventually(async () => {
      await Promise.all(merchant.apps.map((app) => app.context.get(LedgerWorker, { strict: false }).step()));
      expect(
        await merchant.database.query('SELECT halted_segment FROM ledgers WHERE wallet = $1', [wallet]),
      ).toEqual([{ halted_segment: '0' }]);
    });
  });
});

describe('a ledger of several segments', () => {
  it('verifies the newest segment, the one with the oldest check, and the requested one', async () => {
    const wallet = newWallet();
    const checks = merchant.apps[0]!.context.get(LedgerChecks, { strict: false });
    const fill = readFileSync(join(__dirname, '../../../../tools/bench/fill-ledger.sql'), 'utf8');
    await merchant.database.query(fill.replaceAll('{wallet}', wallet).replaceAll('{transactions}', '10002'));
    const first = await prove(wallet);
    expect(first).toMatchObject({ ok: true, segments: 3, transactions: 10_002, all_checked_since: null });
    expect(first.assets).toMatchObject([{ received: String((10_002 * 10_003) / 2), entries: 20_004 }]);
    expect(first.checked).toEqual([
      { segment: 2, from_seq: 10_001, to_seq: 10_002 },
      { segment: 0, from_seq: 1, to_seq: 5_000 },
    ]);
    const firstMs = clock.now();
    clock.advance(1_000);
    // Only the middle segment is still unchecked.
    const second = await prove(wallet);
    expect(second.checked.map(({ segment }) => segment)).toEqual([2, 1]);
    expect(second.all_checked_since).toBe(new Date(firstMs).toISOString());
    // The app continues the chain behind the inserted rows.
    await publishAndWait([settled(wallet)]);
    expect(await prove(wallet)).toMatchObject({ ok: true, transactions: 10_003 });
    await breakLedger('UPDATE ledger_entries SET amount = 2 * amount WHERE wallet = $1 AND seq = 5001', [
      wallet,
    ]);
    const sight = await checks.check(wallet, () => [2]);
    expect(sight!.checks[0]!.problems).toEqual([]);
    expect(await prove(wallet, 1)).toMatchObject({
      ok: false,
      problems: [
        { code: 'hash', segment: 1, seq: 5_001 },
        { code: 'sums', segment: 1, seq: null },
      ],
    });
  });

  it('resumes only when every segment is valid', async () => {
    const wallet = newWallet();
    const fill = readFileSync(join(__dirname, '../../../../tools/bench/fill-ledger.sql'), 'utf8');
    await merchant.database.query(fill.replaceAll('{wallet}', wallet).replaceAll('{transactions}', '10002'));
    const scale = (by: string, seq: number) =>
      breakLedger(`UPDATE ledger_entries SET amount = amount ${by} 2 WHERE wallet = $1 AND seq = ${seq}`, [
        wallet,
      ]);
    await scale('*', 1);
    await scale('*', 5_001);
    expect(await prove(wallet, 0)).toMatchObject({ ok: false });
    const step = () =>
      Promise.all(merchant.apps.map((app) => app.context.get(LedgerWorker, { strict: false }).step()));
    await scale('/', 1);
    await step();
    await step();
    expect((await prove(wallet)).halted_at).not.toBeNull();
    await scale('/', 5_001);
    await eventually(async () => {
      await step();
      expect(await prove(wallet)).toMatchObject({ ok: true, halted_at: null });
    });
  });
});

it('covers each declared error', () => {
  const operations = Object.values(ledgerApi.operations);
  expect(missingCases(operations, readFileSync(__filename, 'utf8'))).toEqual([]);
});
