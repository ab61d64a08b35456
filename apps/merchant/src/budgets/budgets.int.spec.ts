import {
  budgetsApi,
  KeyBudgetChanged,
  keyEvents,
  transactionEvents,
  type ReserveRequest,
  type TransactionState,
  type TransactionUpdate,
  payoutEvents,
  purchaseEvents,
  type PayoutState,
  type PurchaseStatus,
} from '@tollbridge/contracts';
import { decode, type DomainError } from '@tollbridge/rpc';
import {
  eventually,
  ManualClock,
  startFakeService,
  type FakeServiceAnswer,
  type FakeService,
} from '@tollbridge/testing';
import { v7 as uuid } from 'uuid';
import type { NewApiKey } from '../keys/keys.repository';
import { Merchant, randomWallet } from '../testing/merchant';
import { SpendReconciliation } from './spend-reconciliation.worker';

jest.setTimeout(60_000);

const { reserve, release } = budgetsApi.operations;
const clock = new ManualClock();
let merchant: Merchant;
let others: FakeService;
/** What the other services answer to look-ups. */
let lookedUp: (id: string) => FakeServiceAnswer;

const gone: FakeServiceAnswer = {
  failure: { code: 'NOT_FOUND', message: 'The resource does not exist. Check its id.' },
};

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica shares the work.
  await merchant.startApp();
  others = await startFakeService(merchant.nats.url, 'op.*.*.*', ({ subject, input }) => {
    const isLookUp = [
      'op.pay-orders.orders.get-order',
      'op.tx-engine.transactions.snapshot',
      'op.service-api.purchases.state-of-purchase',
      'op.service-api.payout-states.state-of-payout',
    ].includes(subject);
    return isLookUp ? lookedUp(String(input['id'] ?? input['transactionId'])) : 'silence';
  });
});
beforeEach(() => {
  clock.set(Date.UTC(2026, 10, 20, 12));
  lookedUp = () => gone;
});
afterAll(async () => {
  await others?.close();
  await merchant?.close();
});

const keyWith = async (monthlyBudgetUsd: string | null, more: Partial<NewApiKey> = {}): Promise<string> =>
  (await merchant.makeKey({ monthlyBudgetUsd, ...more })).id;

/** Gives a wallet an endpoint that nobody listens at. */
const wantsWebhooks = (wallet: string) =>
  merchant.database.query(
    `INSERT INTO webhook_endpoints (wallet, url, secret, secret_created_at, not_before, created_at)
     VALUES ($1, 'https://shop.example/hook', '\\x00', now(), now(), now())`,
    [wallet],
  );
const messagesOf = (wallet: string) =>
  merchant.database.query<{ type: string; payload: string }>(
    'SELECT type, payload FROM webhook_messages WHERE wallet = $1',
    [wallet],
  );

const spendOf = (
  keyId: string,
  valueUsd: string | null,
  changes: Partial<ReserveRequest> = {},
): ReserveRequest => ({
  keyId,
  valueUsd,
  reference: uuid(),
  attempt: uuid(),
  kind: 'order',
  description: 'A test',
  ...changes,
});

const reserved = (spend: ReserveRequest) =>
  merchant.call(reserve, spend).then(
    ({ status }) => status as string,
    ({ code }: DomainError) => code as string,
  );

interface Ledger {
  used: string;
  sum: string;
  spends: { reference: string; status: string; value_usd: string; late: boolean }[];
}

/** What a key has used this month, and the spends that must sum to it. */
async function ledgerOf(keyId: string, month = '2026-11'): Promise<Ledger> {
  const [months, spends] = await Promise.all([
    merchant.database.query<{ used: string }>(
      'SELECT used FROM key_months WHERE key_id = $1 AND month = $2',
      [keyId, month],
    ),
    merchant.database.query<Ledger['spends'][number]>(
      'SELECT reference, status, value_usd, late FROM key_spends WHERE key_id = $1 AND month = $2 ORDER BY reserved_at',
      [keyId, month],
    ),
  ]);
  const counted = spends.filter(({ status }) => status !== 'released');
  const sum = counted.reduce((all, { value_usd }) => all + Number(value_usd ?? 0), 0);
  return { used: String(Number(months[0]?.used ?? 0)), sum: String(sum), spends };
}

const statusOf = async (reference: string) =>
  (
    await merchant.database.query<{ status: string }>('SELECT status FROM key_spends WHERE reference = $1', [
      reference,
    ])
  )[0]?.status;

afterEach(async () => {
  // Whatever a test does: the ledger explains each month of each key.
  const wrong = await merchant.database.query(
    `SELECT m.* FROM key_months m WHERE m.used <> coalesce((SELECT sum(s.value_usd) FROM key_spends s
       WHERE s.key_id = m.key_id AND s.month = m.month AND s.status <> 'released'), 0)`,
  );
  expect(wrong).toEqual([]);
});

describe('a budget', () => {
  it('of 100 dollars takes exactly 10 of 50 spends of 10 dollars at once, at two replicas', async () => {
    const keyId = await keyWith('100');
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => reserved(spendOf(keyId, '10'))));
    expect(outcomes.filter((it) => it === 'reserved')).toHaveLength(10);
    expect(outcomes.filter((it) => it === 'BUDGET_EXCEEDED')).toHaveLength(40);
    expect(await ledgerOf(keyId)).toMatchObject({ used: '100', sum: '100', spends: { length: 10 } });
  });

  it('is never exceeded, whatever is reserved, released and captured at once', async () => {
    const keyId = await keyWith('50', { maxPerTxUsd: '9' });
    let most = 0;
    const one = async (at: number): Promise<void> => {
      const spend = spendOf(keyId, String((at % 10) + 1));
      if ((await reserved(spend)) !== 'reserved') return;
      most = Math.max(most, Number((await ledgerOf(keyId)).used));
      if (at % 3 === 0) await merchant.call(release, { reference: spend.reference, attempt: spend.attempt });
      else await merchant.capture({ reference: spend.reference });
    };
    await Promise.all(Array.from({ length: 60 }, (_, at) => one(at)));
    const { used, sum, spends } = await ledgerOf(keyId);
    expect(used).toBe(sum);
    expect(Math.max(most, Number(used))).toBeLessThanOrEqual(50);
    expect(spends.every(({ value_usd }) => Number(value_usd) <= 9)).toBe(true);
    expect(spends.some(({ status }) => status === 'captured')).toBe(true);
  });

  it('says what was asked, and what there is', async () => {
    const keyId = await keyWith('100', { maxPerTxUsd: '60' });
    await expect(merchant.call(reserve, spendOf(keyId, '60.000001'))).rejects.toMatchObject({
      code: 'MAX_PER_TX_EXCEEDED',
      details: { limit: '60.00', used: '0.00', requested: '60.000001' },
    });
    expect(await reserved(spendOf(keyId, '60'))).toBe('reserved');
    await expect(merchant.call(reserve, spendOf(keyId, '40.5'))).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      details: { limit: '100.00', used: '60.00', requested: '40.50' },
    });
    expect((await ledgerOf(keyId)).spends).toHaveLength(1);
  });

  it('begins anew with the month, and what ends later ends in its own', async () => {
    clock.set(Date.UTC(2026, 10, 30, 23, 59, 59, 999));
    const keyId = await keyWith('10');
    const november = spendOf(keyId, '10');
    expect(await reserved(november)).toBe('reserved');
    expect(await reserved(spendOf(keyId, '1'))).toBe('BUDGET_EXCEEDED');
    clock.advance(1);
    expect(await reserved(spendOf(keyId, '10'))).toBe('reserved');
    expect(await reserved(spendOf(keyId, '1'))).toBe('BUDGET_EXCEEDED');
    await merchant.call(release, { reference: november.reference });
    expect(await ledgerOf(keyId)).toMatchObject({ used: '0', spends: [{ status: 'released' }] });
    expect(await ledgerOf(keyId, '2026-12')).toMatchObject({ used: '10', sum: '10' });
    // Tried once more, it counts in the month in which it is tried.
    expect(await reserved(november)).toBe('BUDGET_EXCEEDED');
  });

  it('has room again for what was released, and none for what was captured', async () => {
    const keyId = await keyWith('10');
    const [first, second] = [spendOf(keyId, '10'), spendOf(keyId, '10')];
    expect(await reserved(first)).toBe('reserved');
    expect(await reserved(second)).toBe('BUDGET_EXCEEDED');
    await merchant.call(release, { reference: first.reference });
    expect(await reserved(second)).toBe('reserved');
    await merchant.capture({ reference: second.reference });
    expect(await reserved(first)).toBe('BUDGET_EXCEEDED');
    expect(await ledgerOf(keyId)).toMatchObject({ used: '10', sum: '10' });
  });

  it('counts what a spend came to in the end', async () => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10');
    await reserved(spend);
    await merchant.capture({ reference: spend.reference, valueUsd: '7.5' });
    expect(await ledgerOf(keyId)).toMatchObject({
      used: '7.5',
      spends: [{ status: 'captured', value_usd: '7.50' }],
    });
  });

  it('refuses what has no price; without bounds it is noted', async () => {
    expect(await reserved(spendOf(await keyWith('10'), null))).toBe('UPSTREAM_UNAVAILABLE');
    const free = await keyWith(null);
    expect(await reserved(spendOf(free, null))).toBe('reserved');
    expect(await ledgerOf(free)).toMatchObject({
      used: '0',
      spends: [{ status: 'reserved', value_usd: null }],
    });
  });

  it('takes the value of the largest amount, and refuses it in words', async () => {
    const huge = `${'9'.repeat(78)}.999999`;
    expect(await reserved(spendOf(await keyWith('10'), huge))).toBe('BUDGET_EXCEEDED');
    expect(await reserved(spendOf(await keyWith(null), huge))).toBe('reserved');
  });
});

describe('a key without bounds', () => {
  it('is counted all the same, at two replicas, each reference once', async () => {
    const keyId = await keyWith(null);
    const spends = Array.from({ length: 50 }, () => spendOf(keyId, '1.5'));
    const outcomes = await Promise.all([...spends, ...spends].map(reserved));
    expect(new Set(outcomes)).toEqual(new Set(['reserved']));
    expect(await ledgerOf(keyId)).toMatchObject({ used: '75', sum: '75', spends: { length: 50 } });
    const { reference } = spends[0]!;
    await merchant.call(release, { reference });
    expect(await reserved(spends[0]!)).toBe('reserved');
    await merchant.capture({ reference: spends[1]!.reference });
    expect(await ledgerOf(keyId)).toMatchObject({ used: '75', sum: '75' });
  });

  it.each(['enabled = false', 'deleted_at = now()', `environment = 'test'`])(
    'is refused when it is not taken any more: %s',
    async (change) => {
      const keyId = await keyWith(null);
      expect(await reserved(spendOf(keyId, '1'))).toBe('reserved');
      await merchant.database.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [keyId]);
      expect(await reserved(spendOf(keyId, '1'))).toBe('UNAUTHORIZED');
      expect((await ledgerOf(keyId)).used).toBe('1');
    },
  );

  it('shares commits with keys that have some', async () => {
    const [free, bound] = [await keyWith(null), await keyWith('5')];
    const spends = Array.from({ length: 30 }, (_, at) => spendOf(at % 2 === 0 ? free : bound, '1'));
    const outcomes = await Promise.all(spends.map(reserved));
    expect(outcomes.filter((it) => it === 'reserved')).toHaveLength(20);
    expect([(await ledgerOf(free)).used, (await ledgerOf(bound)).used]).toEqual(['15', '5']);
  });
});

describe('a reservation', () => {
  it('that is repeated, or tried twice at once, counts once, and ends when all tries are given up', async () => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10');
    const tries = Array.from({ length: 10 }, (_, at) => ({ ...spend, attempt: `try-${at}` }));
    const outcomes = await Promise.all([...tries, ...tries].map(reserved));
    expect(new Set(outcomes)).toEqual(new Set(['reserved']));
    expect(await ledgerOf(keyId)).toMatchObject({ used: '10', spends: { length: 1 } });
    const { reference } = spend;
    await Promise.all(tries.slice(1).map(({ attempt }) => merchant.call(release, { reference, attempt })));
    expect(await statusOf(reference)).toBe('reserved');
    expect(await merchant.call(release, { reference, attempt: 'try-0' })).toEqual({ status: 'released' });
    expect(await merchant.call(release, { reference, attempt: 'try-0' })).toEqual({ status: 'released' });
    expect((await ledgerOf(keyId)).used).toBe('0');
  });

  it('that is refused in one commit with others leaves nothing of itself', async () => {
    const [rich, poor] = [await keyWith('1000'), await keyWith('1')];
    const spends = Array.from({ length: 20 }, (_, at) => spendOf(at % 2 === 0 ? rich : poor, '2'));
    const outcomes = await Promise.all(spends.map(reserved));
    expect(outcomes.filter((it) => it === 'reserved')).toHaveLength(10);
    expect(await ledgerOf(poor)).toEqual({ used: '0', sum: '0', spends: [] });
    expect(await ledgerOf(rich)).toMatchObject({ used: '20', spends: { length: 10 } });
  });

  it('of another key under the same reference is refused', async () => {
    const spend = spendOf(await keyWith('10'), '1');
    await reserved(spend);
    expect(await reserved({ ...spend, keyId: await keyWith('10') })).toBe('CONFLICT');
  });

  it.each([
    ['unknown', () => Promise.resolve(uuid())],
    ['disabled', () => keyThat('enabled = false')],
    ['deleted', () => keyThat('deleted_at = now()')],
  ])('of a key that is %s is refused, whatever a gateway remembers', async (reason, keyId) => {
    await expect(merchant.call(reserve, spendOf(await keyId(), '1'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      details: { reason },
    });
  });

  it('is asked for in one form only', async () => {
    const spend = spendOf(uuid(), '1');
    for (const wrong of [
      { valueUsd: '-1' },
      { valueUsd: '1.0000001' },
      { valueUsd: '1e3' },
      { keyId: 'x' },
      { kind: 'gift' },
      { reference: '' },
      { more: 1 },
    ])
      expect(await reserved({ ...spend, ...wrong } as never)).toBe('VALIDATION_ERROR');
  });

  it('that nobody made is nothing to capture, and nothing to release', async () => {
    await expect(merchant.capture({ reference: uuid() })).resolves.toBeUndefined();
    expect(await merchant.call(release, { reference: uuid() })).toEqual({ status: 'released' });
  });

  async function keyThat(change: string): Promise<string> {
    const keyId = await keyWith('10');
    await merchant.database.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [keyId]);
    return keyId;
  }
});

describe('an order', () => {
  it.each([
    ['settled', 'order-settled', 'captured', '1000000'],
    ['failed', 'order-failed', 'released', null],
    // The deposit was swapped, and too little of it delivered.
    ['failed', 'order-failed', 'captured', '999999'],
    ['expired', 'order-expired', 'released', null],
  ] as const)('that is %s ends its reservation: %s, %s', async (status, type, end, settled_amount) => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10');
    await reserved(spend);
    await merchant.publishOrder('order-settling', {
      order_id: spend.reference,
      status: 'settling',
      version: 2,
    });
    await merchant.publishOrder(type, { order_id: spend.reference, status, settled_amount, version: 3 });
    await eventually(async () => expect(await statusOf(spend.reference)).toBe(end));
    expect((await ledgerOf(keyId)).used).toBe(end === 'captured' ? '10' : '0');
  });

  it('that is paid after it expired counts, above the budget too, and says so', async () => {
    const keyId = await keyWith('10');
    const late = spendOf(keyId, '10');
    await reserved(late);
    const about = { order_id: late.reference };
    await merchant.publishOrder('order-expired', { ...about, status: 'expired', version: 2 });
    await eventually(async () => expect(await statusOf(late.reference)).toBe('released'));
    expect(await reserved(spendOf(keyId, '10'))).toBe('reserved');
    await merchant.publishOrder('order-settled', { ...about, status: 'settled', late: true, version: 4 });
    await eventually(async () => expect((await ledgerOf(keyId)).used).toBe('20'));
    expect((await ledgerOf(keyId)).spends).toContainEqual({
      reference: late.reference,
      status: 'captured',
      value_usd: '10.00',
      late: true,
    });
    expect(await reserved(spendOf(keyId, '0.01'))).toBe('BUDGET_EXCEEDED');
  });

  it('that a reorganisation takes back counts on, and no more when it fails; older events change nothing', async () => {
    const keyId = await keyWith('10');
    const { reference } = await (async () => {
      const spend = spendOf(keyId, '10');
      await reserved(spend);
      return spend;
    })();
    const tell = (
      type: Parameters<Merchant['publishOrder']>[0],
      status: 'settled' | 'settling' | 'failed',
      version: number,
    ) => {
      const settled_amount = status === 'settled' ? '1000000' : null;
      return merchant.publishOrder(type, { order_id: reference, status, settled_amount, version });
    };
    await tell('order-settled', 'settled', 3);
    await eventually(async () => expect(await statusOf(reference)).toBe('captured'));
    await tell('order-reorged', 'settling', 4);
    await tell('order-failed', 'failed', 5);
    await eventually(async () => expect(await statusOf(reference)).toBe('released'));
    await tell('order-settled', 'settled', 3);
    const marker = await merchant.publishOrder('order-settled');
    await eventually(async () =>
      expect(
        await merchant.database.query('SELECT FROM orders WHERE id = $1 AND version > 0', [marker.order_id]),
      ).toHaveLength(1),
    );
    expect(await statusOf(reference)).toBe('released');
  });
});

const tellSet = (
  transactionId: string,
  status: TransactionState,
  version: number,
  changes: Partial<TransactionUpdate> = {},
) => {
  const data: TransactionUpdate = {
    transactionId,
    status,
    step: 'originSwap',
    txHash: null,
    confirmations: 0,
    requiredConfirmations: 2,
    timestamp: 1_795_000_000,
    version,
    ...changes,
  };
  return merchant.publishEvent(transactionEvents['transaction-updated'], transactionId, version, data);
};

describe('a set of transactions', () => {
  it.each([
    ['completed', 'captured'],
    ['failed', 'released'],
    ['expired', 'released'],
  ] as const)('that is %s ends its reservation: %s', async (status, end) => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10', { kind: 'swap' });
    await reserved(spend);
    await tellSet(spend.reference, 'confirming', 4);
    await tellSet(spend.reference, status, 5);
    await eventually(async () => expect(await statusOf(spend.reference)).toBe(end));
  });

  it('that has failed after its input was gone counts: money has moved', async () => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10', { kind: 'swap' });
    await reserved(spend);
    await tellSet(spend.reference, 'failed', 5, { spent: true });
    await eventually(async () => expect(await statusOf(spend.reference)).toBe('captured'));
    expect(await ledgerOf(keyId)).toMatchObject({ used: '10', sum: '10' });
    expect(await reserved(spendOf(keyId, '1', { kind: 'swap' }))).toBe('BUDGET_EXCEEDED');
  });
});

describe('a purchase', () => {
  const tellPurchase = (id: string, owner: string, status: PurchaseStatus, version: number) =>
    merchant.publishEvent(purchaseEvents['purchase-changed'], id, version, {
      purchase_id: id,
      kind: 'gift-card',
      status,
      wallet_address: owner,
      key_id: null,
      version,
      provider_id: '7',
      value_usd: '10',
      updated_at: new Date(clock.now()).toISOString(),
    });

  it.each<[PurchaseStatus[], string, string[]]>([
    [['unknown', 'completed'], 'captured', ['purchase.completed']],
    [['pending', 'completed'], 'captured', ['purchase.completed']],
    [['pending', 'refunded'], 'released', ['purchase.failed']],
    [['pending', 'failed'], 'released', ['purchase.failed']],
    [['unknown', 'refused'], 'released', []],
    [['refused', 'completed'], 'captured', ['purchase.completed']],
    [['completed', 'refused'], 'captured', ['purchase.completed']],
  ])('told as %j ends its reservation: %s', async (statuses, end, types) => {
    const owner = randomWallet();
    const keyId = await keyWith('100', { owner });
    await wantsWebhooks(owner);
    const spend = spendOf(keyId, '10', { kind: 'purchase' });
    await reserved(spend);
    for (const [at, status] of statuses.entries()) await tellPurchase(spend.reference, owner, status, at + 2);
    await eventually(async () => {
      expect(await statusOf(spend.reference)).toBe(end);
      expect((await messagesOf(owner)).map(({ type }) => type)).toEqual(types);
    });
  });
});

describe('the value of a purchase', () => {
  const tellCompleted = (id: string, value_usd: string | null) =>
    merchant.publishEvent(purchaseEvents['purchase-changed'], id, 4, {
      purchase_id: id,
      kind: 'gift-card',
      status: 'completed',
      wallet_address: 'nobody',
      key_id: null,
      provider_id: '7',
      value_usd,
      version: 4,
      updated_at: new Date(clock.now()).toISOString(),
    });

  it.each([
    ['less than was reserved', '10', '9.5', '9.5'],
    ['more than was reserved, and than the budget', '10', '14.000001', '14.000001'],
    ['known only when it is told', null, '3', '3'],
    ['never told', '10', null, '10'],
  ])('is what it came to: %s', async (_, asked, told, used) => {
    const keyId = await keyWith(asked === null ? null : '12');
    const spend = spendOf(keyId, asked, { kind: 'purchase' });
    await reserved(spend);
    await tellCompleted(spend.reference, told);
    await eventually(async () => {
      expect(await statusOf(spend.reference)).toBe('captured');
      expect(await ledgerOf(keyId)).toMatchObject({ used, sum: used });
    });
  });

  it('is corrected where the purchase was looked up before its end was told', async () => {
    const keyId = await keyWith('100');
    const spend = spendOf(keyId, '10', { kind: 'purchase' });
    await reserved(spend);
    await merchant.capture({ reference: spend.reference });
    await tellCompleted(spend.reference, '9');
    await eventually(async () => expect(await ledgerOf(keyId)).toMatchObject({ used: '9', sum: '9' }));
  });
});

describe('a payout', () => {
  const tellPayout = (id: string, owner: string, status: PayoutState, version: number, paidUsd: string) =>
    merchant.publishEvent(payoutEvents['payout-updated'], id, version, {
      payout_id: id,
      status,
      wallet_address: owner,
      key_id: null,
      version,
      chain: 'eip155:8453',
      token: 'USDC',
      total_amount: '10000000',
      fee_amount: '50000',
      recipient_count: 2,
      paid_count: status === 'completed' ? 2 : 0,
      paid_usd: paidUsd,
      updated_at: new Date(clock.now()).toISOString(),
    });
  const valueOf = async (reference: string) =>
    (
      await merchant.database.query<{ value_usd: string }>(
        'SELECT value_usd FROM key_spends WHERE reference = $1',
        [reference],
      )
    )[0]?.value_usd;

  it.each<[PayoutState[], string, string]>([
    [['awaiting_approval', 'sending', 'completed'], 'captured', '10.05'],
    [['awaiting_approval', 'sending', 'sending', 'partly_paid'], 'captured', '4.02'],
    [['awaiting_approval', 'sending', 'failed'], 'released', '10.05'],
    [['awaiting_approval', 'rejected'], 'released', '10.05'],
    [['awaiting_approval', 'expired'], 'released', '10.05'],
  ])('told as %j ends its reservation: %s, %s dollars', async (states, end, value) => {
    const owner = randomWallet();
    const keyId = await keyWith('100', { owner });
    await wantsWebhooks(owner);
    const spend = spendOf(keyId, '10.05', { kind: 'payout' });
    await reserved(spend);
    for (const [at, state] of states.entries())
      await tellPayout(spend.reference, owner, state, at + 1, state === 'partly_paid' ? '4.02' : '10.05');
    await eventually(async () => {
      expect(await statusOf(spend.reference)).toBe(end);
      expect(Number(await valueOf(spend.reference))).toBe(Number(value));
      const messages = await messagesOf(owner);
      expect(messages.map(({ type }) => type)).toEqual(states.map(() => 'payout.updated'));
      const told = messages.map(({ payload }) => JSON.parse(payload).data.status as string);
      expect(told.sort()).toEqual([...states].sort());
    });
  });
});

describe('the owner of the key of a set', () => {
  it.each(['completed', 'failed', 'expired'] as const)('is told once how it ended: %s', async (status) => {
    const owner = randomWallet();
    const keyId = await keyWith(null, { owner });
    await wantsWebhooks(owner);
    const spend = spendOf(keyId, '10', { kind: 'swap' });
    await reserved(spend);
    await tellSet(spend.reference, status, 5);
    await tellSet(spend.reference, status, 6);
    const isHandled = async () =>
      expect(
        await merchant.database.query(`SELECT FROM inbox WHERE consumer = 'merchant-transactions'`),
      ).toHaveLength(before + 2);
    await eventually(isHandled);
    const told = status === 'expired' ? [] : [`transaction.${status}`];
    expect((await messagesOf(owner)).map(({ type }) => type)).toEqual(told);
  });

  let before: number;
  beforeEach(async () => {
    before = (await merchant.database.query(`SELECT FROM inbox WHERE consumer = 'merchant-transactions'`))
      .length;
  });
});

describe('a reservation that nobody ends', () => {
  const look = () => merchant.apps[0]!.context.get(SpendReconciliation, { strict: false }).step();

  it.each([
    ['order', 'that was never made', gone, 'released'],
    ['order', 'that waits', { output: { status: 'waiting_payment' } }, 'reserved'],
    ['order', 'whose settlement was not heard', { output: { status: 'settled' } }, 'captured'],
    ['order', 'whose end was not heard', { output: { status: 'expired' } }, 'released'],
    ['order', 'of a service that fails', { failure: { code: 'INTERNAL_ERROR', message: 'x' } }, 'reserved'],
    [
      'order',
      'of a service that is away',
      { failure: { code: 'SERVICE_UNAVAILABLE', message: 'x' } },
      'reserved',
    ],
    ['swap', 'that was never built', gone, 'released'],
    ['swap', 'that still waits for signatures', { output: { status: 'built' } }, 'released'],
    ['swap', 'that is under way', { output: { status: 'submitting' } }, 'reserved'],
    ['swap', 'that was completed', { output: { status: 'completed' } }, 'captured'],
    ['purchase', 'that was never asked for', gone, 'released'],
    ['purchase', 'that nobody knows of yet', { output: { status: 'unknown' } }, 'reserved'],
    ['purchase', 'that is to be delivered', { output: { status: 'pending' } }, 'reserved'],
    ['payout', 'that was never taken down', gone, 'released'],
    ['payout', 'that waits for approval', { output: { state: 'awaiting_approval' } }, 'reserved'],
    ['payout', 'that is over', { output: { state: 'completed' } }, 'captured'],
    ['payout', 'that was not for the chain', { output: { state: null } }, 'released'],
    ['topup', 'that was delivered', { output: { status: 'completed' } }, 'captured'],
    ['topup', 'that was given back', { output: { status: 'refunded' } }, 'released'],
  ] as const)('%s %s', async (kind, _what, answer, end) => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10', { kind });
    await reserved(spend);
    const asked: string[] = [];
    lookedUp = (id) => {
      asked.push(id);
      return id === spend.reference ? answer : { output: { status: 'settling' } };
    };
    await look();
    expect(asked).not.toContain(spend.reference);
    clock.advance(10 * 60_000);
    await eventually(async () => {
      await look();
      expect(asked).toContain(spend.reference);
      expect(await statusOf(spend.reference)).toBe(end);
    });
    expect((await ledgerOf(keyId)).used).toBe(end === 'released' ? '0' : '10');
  });

  it('is not released when it is tried anew while it is asked for', async () => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10', { kind: 'swap' });
    await reserved(spend);
    clock.advance(10 * 60_000);
    const asked: string[] = [];
    others.answer = async ({ input }) => {
      if (input['transactionId'] !== spend.reference) return 'silence';
      await reserved({ ...spend, attempt: uuid() });
      asked.push(spend.reference);
      return { output: { status: 'built' } };
    };
    await eventually(async () => {
      await look();
      expect(asked).toEqual([spend.reference]);
    });
    expect(await statusOf(spend.reference)).toBe('reserved');
  });
});

describe('the owner is told', () => {
  it('once at 80 % and once at 100 %, however often they are passed, each month anew', async () => {
    const events = await merchant.recordEvents();
    try {
      const keyId = await keyWith('100');
      const spend = async (valueUsd: string) => {
        const asked = spendOf(keyId, valueUsd);
        expect(await reserved(asked)).toBe('reserved');
        return asked.reference;
      };
      await spend('79.99');
      const passing = await spend('0.01');
      await merchant.call(release, { reference: passing });
      await Promise.all([spend('10'), spend('10.01')]);
      const months = [`${keyId}:2026-11`, `${keyId}:2026-12`] as const;
      await eventually(() =>
        expect(events.typesOf(months[0])).toEqual(['key-budget-warning', 'key-budget-reached']),
      );
      const told = events.of(months[0]).map(({ envelope }) => envelope);
      expect(told.map(({ aggregateVersion, data }) => [aggregateVersion, data['percent']])).toEqual([
        [1, 80],
        [2, 100],
      ]);
      for (const { data } of told) expect(decode(KeyBudgetChanged, data)).toMatchObject({ ok: true });
      expect(events.of(months[0])[1]!.subject).toBe(keyEvents['key-budget-reached'].subject);
      clock.set(Date.UTC(2026, 11, 1));
      await spend('100');
      await eventually(() =>
        expect(events.typesOf(months[1])).toEqual(['key-budget-warning', 'key-budget-reached']),
      );
      expect(events.typesOf(months[0])).toHaveLength(2);
    } finally {
      await events.stop();
    }
  });

  it('at his endpoint too, where he has one', async () => {
    const wallet = randomWallet();
    await wantsWebhooks(wallet);
    const keyId = await keyWith('10', { owner: wallet, label: 'Agent' });
    await reserved(spendOf(keyId, '8.5'));
    const [message, ...more] = await messagesOf(wallet);
    expect([message?.type, more]).toEqual(['key.budget_warning', []]);
    expect(JSON.parse(message!.payload)).toMatchObject({
      type: 'key.budget_warning',
      data: {
        key_id: keyId,
        label: 'Agent',
        used_budget_usd: '8.50',
        monthly_budget_usd: '10.00',
        percent: 85,
      },
    });
  });
});
