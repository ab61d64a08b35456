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
import { aReserveRequest } from './testing/reserve-request.builder';

const { reserve, record, release } = budgetsApi.operations;
const clock = new ManualClock();
let merchant: Merchant;
let others: FakeService;
/** The reply of the fake services to a lookup. */
let lookedUp: (id: string) => FakeServiceAnswer;

const gone: FakeServiceAnswer = {
  failure: { code: 'NOT_FOUND', message: 'The resource does not exist. Check its id.' },
};

beforeAll(async () => {
  merchant = await Merchant.start({ clock });
  // A second replica of the merchant app shares the work.
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

const messagesOf = (wallet: string) =>
  merchant.database.query<{ type: string; payload: string }>(
    'SELECT type, payload FROM webhook_messages WHERE wallet = $1',
    [wallet],
  );

const spendOf = (keyId: string, valueUsd: string | null, changes: Partial<ReserveRequest> = {}) =>
  aReserveRequest({ keyId, valueUsd, ...changes });

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

/** The used budget of a key in a month, and its spends, which must sum to that. */
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
  // After every test, the spends of each key and month must sum to the used budget.
  const wrong = await merchant.database.query(
    `SELECT m.* FROM key_months m WHERE m.used <> coalesce((SELECT sum(s.value_usd) FROM key_spends s
       WHERE s.key_id = m.key_id AND s.month = m.month AND s.status <> 'released'), 0)`,
  );
  expect(wrong).toEqual([]);
});

describe('a monthly budget', () => {
  it('admits exactly 10 of 50 concurrent reservations of 10 dollars at two replicas, for a budget of 100 dollars', async () => {
    const keyId = await keyWith('100');
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => reserved(spendOf(keyId, '10'))));
    expect(outcomes.filter((it) => it === 'reserved')).toHaveLength(10);
    expect(outcomes.filter((it) => it === 'BUDGET_EXCEEDED')).toHaveLength(40);
    expect(await ledgerOf(keyId)).toMatchObject({ used: '100', sum: '100', spends: { length: 10 } });
  });

  it('stays within its limit under concurrent reservations, releases and captures', async () => {
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

  it('returns the limit, the used value and the requested value in the error', async () => {
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

  it('starts at zero each month, and a release counts for the month of its reservation', async () => {
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
    // A new attempt counts for its own month.
    expect(await reserved(november)).toBe('BUDGET_EXCEEDED');
  });

  it('increases again by released amounts, but not by captured amounts', async () => {
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

  it('counts the captured value', async () => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10');
    await reserved(spend);
    await merchant.capture({ reference: spend.reference, valueUsd: '7.5' });
    expect(await ledgerOf(keyId)).toMatchObject({
      used: '7.5',
      spends: [{ status: 'captured', value_usd: '7.50' }],
    });
  });

  it('rejects a spend without a price, but records it for a key without limits', async () => {
    expect(await reserved(spendOf(await keyWith('10'), null))).toBe('UPSTREAM_UNAVAILABLE');
    const free = await keyWith(null);
    expect(await reserved(spendOf(free, null))).toBe('reserved');
    expect(await ledgerOf(free)).toMatchObject({
      used: '0',
      spends: [{ status: 'reserved', value_usd: null }],
    });
  });

  it('rejects the largest amount with BUDGET_EXCEEDED, but records it for a key without limits', async () => {
    const huge = `${'9'.repeat(78)}.999999`;
    expect(await reserved(spendOf(await keyWith('10'), huge))).toBe('BUDGET_EXCEEDED');
    expect(await reserved(spendOf(await keyWith(null), huge))).toBe('reserved');
  });
});

describe('a key without limits', () => {
  it('counts each reference once across two replicas', async () => {
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
    'rejects a reservation after the update %s',
    async (change) => {
      const keyId = await keyWith(null);
      expect(await reserved(spendOf(keyId, '1'))).toBe('reserved');
      await merchant.database.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [keyId]);
      expect(await reserved(spendOf(keyId, '1'))).toBe('UNAUTHORIZED');
      expect((await ledgerOf(keyId)).used).toBe('1');
    },
  );

  it('records the spends of a call together, each once, and returns the keys that have limits or must not spend', async () => {
    const [free, disabled, bound] = [await keyWith(null), await keyWith(null), await keyWith('5')];
    await merchant.database.query('UPDATE api_keys SET enabled = false WHERE id = $1', [disabled]);
    const spends = Array.from({ length: 90 }, () => spendOf(free, '1.5'));
    const others = [spendOf(disabled, '1'), spendOf(bound, '1')];
    expect(await merchant.call(record, { spends: [...spends, ...others] })).toEqual({
      limitedKeys: [disabled, bound],
    });
    await merchant.call(record, { spends: [...spends, ...others] });
    expect(await ledgerOf(free)).toMatchObject({ used: '135', sum: '135', spends: { length: 90 } });
    expect([(await ledgerOf(bound)).used, (await ledgerOf(disabled)).spends]).toEqual(['1', []]);
    const tooMany = Array.from({ length: 101 }, () => spendOf(free, '1'));
    await expect(merchant.call(record, { spends: tooMany })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('shares a group commit with limited keys', async () => {
    const [free, bound] = [await keyWith(null), await keyWith('5')];
    const spends = Array.from({ length: 30 }, (_, at) => spendOf(at % 2 === 0 ? free : bound, '1'));
    const outcomes = await Promise.all(spends.map(reserved));
    expect(outcomes.filter((it) => it === 'reserved')).toHaveLength(20);
    expect([(await ledgerOf(free)).used, (await ledgerOf(bound)).used]).toEqual(['15', '5']);
  });
});

describe('reserve', () => {
  it('counts concurrent and repeated attempts once, and releases the amount after the release of the last attempt', async () => {
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

  it('stores no row for a spend that is rejected in a group commit', async () => {
    const [rich, poor] = [await keyWith('1000'), await keyWith('1')];
    const spends = Array.from({ length: 20 }, (_, at) => spendOf(at % 2 === 0 ? rich : poor, '2'));
    const outcomes = await Promise.all(spends.map(reserved));
    expect(outcomes.filter((it) => it === 'reserved')).toHaveLength(10);
    expect(await ledgerOf(poor)).toEqual({ used: '0', sum: '0', spends: [] });
    expect(await ledgerOf(rich)).toMatchObject({ used: '20', spends: { length: 10 } });
  });

  it('rejects a reference that another key has reserved', async () => {
    const spend = spendOf(await keyWith('10'), '1');
    await reserved(spend);
    expect(await reserved({ ...spend, keyId: await keyWith('10') })).toBe('CONFLICT');
  });

  it.each([
    ['unknown', () => Promise.resolve(uuid())],
    ['disabled', () => keyThat('enabled = false')],
    ['deleted', () => keyThat('deleted_at = now()')],
  ])('rejects a key that is %s, also while a gateway still has it in its cache', async (reason, keyId) => {
    await expect(merchant.call(reserve, spendOf(await keyId(), '1'))).rejects.toMatchObject({
      code: 'UNAUTHORIZED',
      details: { reason },
    });
  });

  it('rejects invalid input', async () => {
    const spend = spendOf(uuid(), '1');
    for (const wrong of [
      { valueUsd: '-1' },
      { valueUsd: '1.0000001' },
      { valueUsd: '1e3' },
      { keyId: 'x' },
      { kind: 'gift' },
      { reference: '' },
    ])
      expect(await reserved({ ...spend, ...wrong } as never)).toBe('VALIDATION_ERROR');
  });

  it('ignores the capture and the release of a spend that was never reserved', async () => {
    await expect(merchant.capture({ reference: uuid() })).resolves.toBeUndefined();
    expect(await merchant.call(release, { reference: uuid() })).toEqual({ status: 'released' });
  });

  async function keyThat(change: string): Promise<string> {
    const keyId = await keyWith('10');
    await merchant.database.query(`UPDATE api_keys SET ${change} WHERE id = $1`, [keyId]);
    return keyId;
  }
});

describe('consuming order events', () => {
  it.each([
    ['settled', 'order-settled', 'captured', '1000000'],
    ['failed', 'order-failed', 'released', null],
    // The deposit was swapped, but the delivered amount was too small.
    ['failed', 'order-failed', 'captured', '999999'],
    ['expired', 'order-expired', 'released', null],
  ] as const)(
    'handles an order that is %s (%s): its reservation becomes %s',
    async (status, type, end, settled_amount) => {
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
    },
  );

  it('captures a late payment even above the budget, and marks it as late', async () => {
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

  it('keeps the capture of a reorged order until the order fails, and ignores older events', async () => {
    const keyId = await keyWith('10');
    const { reference } = await (async () => {
      const spend = spendOf(keyId, '10');
      await reserved(spend);
      return spend;
    })();
    const publish = (
      type: Parameters<Merchant['publishOrder']>[0],
      status: 'settled' | 'settling' | 'failed',
      version: number,
    ) => {
      const settled_amount = status === 'settled' ? '1000000' : null;
      return merchant.publishOrder(type, { order_id: reference, status, settled_amount, version });
    };
    await publish('order-settled', 'settled', 3);
    await eventually(async () => expect(await statusOf(reference)).toBe('captured'));
    await publish('order-reorged', 'settling', 4);
    await publish('order-failed', 'failed', 5);
    await eventually(async () => expect(await statusOf(reference)).toBe('released'));
    await publish('order-settled', 'settled', 3);
    const marker = await merchant.publishOrder('order-settled');
    await eventually(async () =>
      expect(
        await merchant.database.query('SELECT FROM orders WHERE id = $1 AND version > 0', [marker.order_id]),
      ).toHaveLength(1),
    );
    expect(await statusOf(reference)).toBe('released');
  });
});

const publishSet = (
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

describe('consuming transaction events', () => {
  it.each([
    ['completed', 'captured'],
    ['failed', 'released'],
    ['expired', 'released'],
  ] as const)('handles a transaction that is %s: its reservation becomes %s', async (status, end) => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10', { kind: 'swap' });
    await reserved(spend);
    await publishSet(spend.reference, 'confirming', 4);
    await publishSet(spend.reference, status, 5);
    await eventually(async () => expect(await statusOf(spend.reference)).toBe(end));
  });

  it('captures the reservation of a failed transaction that has spent its input', async () => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10', { kind: 'swap' });
    await reserved(spend);
    await publishSet(spend.reference, 'failed', 5, { spent: true });
    await eventually(async () => expect(await statusOf(spend.reference)).toBe('captured'));
    expect(await ledgerOf(keyId)).toMatchObject({ used: '10', sum: '10' });
    expect(await reserved(spendOf(keyId, '1', { kind: 'swap' }))).toBe('BUDGET_EXCEEDED');
  });
});

describe('consuming purchase events', () => {
  const publishPurchase = (id: string, owner: string, status: PurchaseStatus, version: number) =>
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
  ])('handles a purchase with the statuses %j: its reservation becomes %s', async (statuses, end, types) => {
    const owner = randomWallet();
    const keyId = await keyWith('100', { owner });
    await merchant.addWebhookEndpoint(owner);
    const spend = spendOf(keyId, '10', { kind: 'purchase' });
    await reserved(spend);
    for (const [at, status] of statuses.entries())
      await publishPurchase(spend.reference, owner, status, at + 2);
    await eventually(async () => {
      expect(await statusOf(spend.reference)).toBe(end);
      expect((await messagesOf(owner)).map(({ type }) => type)).toEqual(types);
    });
  });
});

describe('the value of a completed purchase', () => {
  const publishCompleted = (id: string, value_usd: string | null) =>
    merchant.publishEvent(purchaseEvents['purchase-changed'], id, 4, {
      purchase_id: id,
      kind: 'gift-card',
      status: 'completed',
      wallet_address: 'unknown-wallet',
      key_id: null,
      provider_id: '7',
      value_usd,
      version: 4,
      updated_at: new Date(clock.now()).toISOString(),
    });

  it.each([
    ['lower than reserved', '10', '9.5', '9.5'],
    ['higher than reserved and than the budget', '10', '14.000001', '14.000001'],
    ['reported only by the event', null, '3', '3'],
    ['not reported by the event', '10', null, '10'],
  ])('replaces the reserved value: %s', async (_, asked, reported, used) => {
    const keyId = await keyWith(asked === null ? null : '12');
    const spend = spendOf(keyId, asked, { kind: 'purchase' });
    await reserved(spend);
    await publishCompleted(spend.reference, reported);
    await eventually(async () => {
      expect(await statusOf(spend.reference)).toBe('captured');
      expect(await ledgerOf(keyId)).toMatchObject({ used, sum: used });
    });
  });

  it('corrects a capture that a lookup made before the event arrived', async () => {
    const keyId = await keyWith('100');
    const spend = spendOf(keyId, '10', { kind: 'purchase' });
    await reserved(spend);
    await merchant.capture({ reference: spend.reference });
    await publishCompleted(spend.reference, '9');
    await eventually(async () => expect(await ledgerOf(keyId)).toMatchObject({ used: '9', sum: '9' }));
  });
});

describe('consuming payout events', () => {
  const publishPayout = (id: string, owner: string, status: PayoutState, version: number, paidUsd: string) =>
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
  ])(
    'handles a payout with the states %j: its reservation becomes %s at %s dollars',
    async (states, end, value) => {
      const owner = randomWallet();
      const keyId = await keyWith('100', { owner });
      await merchant.addWebhookEndpoint(owner);
      const spend = spendOf(keyId, '10.05', { kind: 'payout' });
      await reserved(spend);
      for (const [at, state] of states.entries())
        await publishPayout(
          spend.reference,
          owner,
          state,
          at + 1,
          state === 'partly_paid' ? '4.02' : '10.05',
        );
      await eventually(async () => {
        expect(await statusOf(spend.reference)).toBe(end);
        expect(Number(await valueOf(spend.reference))).toBe(Number(value));
        const messages = await messagesOf(owner);
        expect(messages.map(({ type }) => type)).toEqual(states.map(() => 'payout.updated'));
        const published = messages.map(({ payload }) => JSON.parse(payload).data.status as string);
        expect(published.sort()).toEqual([...states].sort());
      });
    },
  );
});

describe('webhooks for a transaction', () => {
  it.each(['completed', 'failed', 'expired'] as const)(
    'notify the owner of the key once, except after an expiry: %s',
    async (status) => {
      const owner = randomWallet();
      const keyId = await keyWith(null, { owner });
      await merchant.addWebhookEndpoint(owner);
      const spend = spendOf(keyId, '10', { kind: 'swap' });
      await reserved(spend);
      await publishSet(spend.reference, status, 5);
      await publishSet(spend.reference, status, 6);
      const isHandled = async () =>
        expect(
          await merchant.database.query(`SELECT FROM inbox WHERE consumer = 'merchant-transactions'`),
        ).toHaveLength(before + 2);
      await eventually(isHandled);
      const expected = status === 'expired' ? [] : [`transaction.${status}`];
      expect((await messagesOf(owner)).map(({ type }) => type)).toEqual(expected);
    },
  );

  let before: number;
  beforeEach(async () => {
    before = (await merchant.database.query(`SELECT FROM inbox WHERE consumer = 'merchant-transactions'`))
      .length;
  });
});

describe('SpendReconciliation', () => {
  const poll = () => merchant.apps[0]!.context.get(SpendReconciliation, { strict: false }).step();

  it.each([
    ['order', 'that does not exist', gone, 'released'],
    ['order', 'that awaits payment', { output: { status: 'waiting_payment' } }, 'reserved'],
    ['order', 'that settled without an event', { output: { status: 'settled' } }, 'captured'],
    ['order', 'that expired without an event', { output: { status: 'expired' } }, 'released'],
    ['order', 'of a failing service', { failure: { code: 'INTERNAL_ERROR', message: 'x' } }, 'reserved'],
    [
      'order',
      'of an unavailable service',
      { failure: { code: 'SERVICE_UNAVAILABLE', message: 'x' } },
      'reserved',
    ],
    ['swap', 'that does not exist', gone, 'released'],
    ['swap', 'that still awaits signatures', { output: { status: 'built' } }, 'released'],
    ['swap', 'that is being submitted', { output: { status: 'submitting' } }, 'reserved'],
    ['swap', 'that was completed', { output: { status: 'completed' } }, 'captured'],
    ['purchase', 'that does not exist', gone, 'released'],
    ['purchase', 'that the provider does not know yet', { output: { status: 'unknown' } }, 'reserved'],
    ['purchase', 'that is pending', { output: { status: 'pending' } }, 'reserved'],
    ['payout', 'that does not exist', gone, 'released'],
    ['payout', 'that waits for approval', { output: { state: 'awaiting_approval' } }, 'reserved'],
    ['payout', 'that is completed', { output: { state: 'completed' } }, 'captured'],
    ['payout', 'that needs no transaction on the chain', { output: { state: null } }, 'released'],
    ['topup', 'that was completed', { output: { status: 'completed' } }, 'captured'],
    ['topup', 'that was refunded', { output: { status: 'refunded' } }, 'released'],
  ] as const)('reconciles the reservation of a %s %s', async (kind, _what, answer, end) => {
    const keyId = await keyWith('10');
    const spend = spendOf(keyId, '10', { kind });
    await reserved(spend);
    const asked: string[] = [];
    lookedUp = (id) => {
      asked.push(id);
      return id === spend.reference ? answer : { output: { status: 'settling' } };
    };
    await poll();
    expect(asked).not.toContain(spend.reference);
    clock.advance(10 * 60_000);
    await eventually(async () => {
      await poll();
      expect(asked).toContain(spend.reference);
      expect(await statusOf(spend.reference)).toBe(end);
    });
    expect((await ledgerOf(keyId)).used).toBe(end === 'released' ? '0' : '10');
  });

  it('does not release a reservation that is retried during the lookup', async () => {
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
      await poll();
      expect(asked).toEqual([spend.reference]);
    });
    expect(await statusOf(spend.reference)).toBe('reserved');
  });
});

describe('budget notifications', () => {
  it('publish one event at 80 % and one at 100 % each month, even if usage crosses a threshold repeatedly', async () => {
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
      const published = events.of(months[0]).map(({ envelope }) => envelope);
      expect(published.map(({ aggregateVersion, data }) => [aggregateVersion, data['percent']])).toEqual([
        [1, 80],
        [2, 100],
      ]);
      for (const { data } of published) expect(decode(KeyBudgetChanged, data)).toMatchObject({ ok: true });
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

  it('reach the webhook endpoint of the owner', async () => {
    const wallet = randomWallet();
    await merchant.addWebhookEndpoint(wallet);
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
