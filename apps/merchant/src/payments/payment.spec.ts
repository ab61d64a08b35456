import type { OrderChanged, OrderStatus } from '@tollbridge/contracts';
import { anOrderChanged } from '../orders/testing/order-changed.builder';
import {
  closedBecause,
  periodStarts,
  progressOf,
  requestStatus,
  stateAfter,
  stepsFor,
  type PaymentState,
} from './payment';

const open = { completedPayments: 0, seenPayments: 0, canceledAtMs: null, expiresAtMs: null };

describe('requestStatus', () => {
  it.each([
    ['pending', {}],
    ['pending', { expiresAtMs: 1_001 }],
    ['expired', { expiresAtMs: 1_000 }],
    ['canceled', { canceledAtMs: 1, expiresAtMs: 1 }],
    ['processing', { seenPayments: 1, canceledAtMs: 1 }],
    ['processing', { seenPayments: 2, expiresAtMs: 1 }],
    ['completed', { completedPayments: 1, seenPayments: 1, canceledAtMs: 1, expiresAtMs: 1 }],
  ] as const)('returns %s for %j', (status, changes) => {
    expect(requestStatus({ ...open, ...changes }, 1_000)).toBe(status);
  });

  it('closedBecause allows the execution of a pending or processing request only', () => {
    const closed = (['pending', 'processing', 'completed', 'expired', 'canceled'] as const).map(
      (status) => closedBecause(status) !== undefined,
    );
    expect(closed).toEqual([false, false, true, true, true]);
  });
});

const before: PaymentState = {
  status: 'executing',
  orderStatus: 'waiting_payment',
  isSeen: false,
  payTx: null,
  paidBy: null,
  settleTx: null,
  settledAmount: null,
  settledValueUsd: null,
  failureReason: null,
  isLate: false,
  countedOn: null,
  orderVersion: 0,
  updatedAtMs: 0,
};
const orderIn = (status: OrderStatus, changes: Partial<OrderChanged> = {}) =>
  anOrderChanged({ status, ...changes });

describe('stateAfter', () => {
  it('keeps the time of the payment when the clock of the order service is behind', () => {
    const created = { ...before, updatedAtMs: Date.parse('2026-11-28T12:46:53.449Z') };
    const late = orderIn('settling', { updated_at: '2026-11-28T12:46:54.000Z' });
    const early = orderIn('settling', { updated_at: '2026-11-28T12:46:53.142Z' });
    expect(stateAfter(created, early).updatedAtMs).toBe(created.updatedAtMs);
    expect(stateAfter(created, late).updatedAtMs).toBe(Date.parse(late.updated_at));
  });

  it.each([
    ['waiting_payment', 'executing'],
    ['settling', 'executing'],
    ['settled', 'completed'],
    ['failed', 'failed'],
    ['expired', 'expired'],
  ] as const)('changes the payment of an order that is %s to %s', (orderStatus, status) => {
    expect(stateAfter(before, orderIn(orderStatus))).toMatchObject({ orderStatus, status });
  });

  it.each([
    ['settling', true, true],
    ['settling', false, false],
    // This event was published before the field existed.
    ['settling', undefined, true],
    ['settled', true, false],
    ['failed', true, false],
  ] as const)(
    'returns for an order that is %s, with payment_seen %s, isSeen %s',
    (orderStatus, payment_seen, isSeen) => {
      const changes = payment_seen === undefined ? {} : { payment_seen };
      expect(stateAfter(before, orderIn(orderStatus, changes)).isSeen).toBe(isSeen);
    },
  );

  it('counts a payment on the day of its first completion', () => {
    const completed = stateAfter(before, orderIn('settled', { updated_at: '2026-11-20T23:59:59.999Z' }));
    expect(completed).toMatchObject({
      countedOn: '2026-11-20',
      settledValueUsd: '1',
      settledAmount: 1_000_000n,
    });
    const again = stateAfter(completed, orderIn('settled', { updated_at: '2026-11-21T00:00:00.000Z' }));
    expect(again.countedOn).toBe('2026-11-20');
    expect(stateAfter(completed, orderIn('settling'))).toMatchObject({
      countedOn: null,
      settledValueUsd: null,
    });
  });

  it('returns no value when the event has no value', () => {
    const { settled_value_usd: _, ...older } = orderIn('settled');
    expect(stateAfter(before, older as OrderChanged).settledValueUsd).toBeNull();
  });
});

describe('stepsFor', () => {
  const [payTx, settleTx] = ['0xpay', '0xsettle'];
  const of = (strategy: Parameters<typeof stepsFor>[0], orderStatus: OrderStatus, isPaid = true) =>
    stepsFor(strategy, {
      orderStatus,
      payTx: isPaid ? payTx : null,
      settleTx: orderStatus === 'settled' ? settleTx : null,
    });

  it.each([
    ['direct', ['transfer']],
    ['swap', ['swap', 'transfer']],
    ['bridge', ['bridge', 'transfer']],
    ['swap_and_bridge', ['swap', 'bridge', 'transfer']],
  ] as const)('returns the steps of the strategy %s', (strategy, types) => {
    expect(of(strategy, 'settled').map(({ step_type }) => step_type)).toEqual(types);
  });

  it('returns the known transaction of each step', () => {
    expect(of('swap_and_bridge', 'settling')).toEqual([
      { step_type: 'swap', status: 'executing', transaction_hash: payTx },
      { step_type: 'bridge', status: 'pending', transaction_hash: null },
      { step_type: 'transfer', status: 'pending', transaction_hash: null },
    ]);
    expect(of('bridge', 'settled')).toEqual([
      { step_type: 'bridge', status: 'completed', transaction_hash: payTx },
      { step_type: 'transfer', status: 'completed', transaction_hash: settleTx },
    ]);
    expect(of('direct', 'settled')).toEqual([
      { step_type: 'transfer', status: 'completed', transaction_hash: settleTx },
    ]);
  });

  it.each(['direct', 'swap', 'bridge', 'swap_and_bridge'] as const)(
    'never decreases the progress of the strategy %s',
    (strategy) => {
      const progress = (statuses: OrderStatus[]) =>
        statuses.map((status) =>
          progressOf(of(strategy, status, status !== 'waiting_payment' && status !== 'expired')),
        );
      const lives: OrderStatus[][] = [
        ['waiting_payment', 'settling', 'settled'],
        ['waiting_payment', 'settling', 'failed', 'settling', 'settled'],
        ['waiting_payment', 'expired', 'settling', 'settled'],
      ];
      for (const life of lives) {
        const found = progress(life);
        expect([found[0], found.at(-1)]).toEqual([0, 100]);
        expect(found).toEqual([...found].sort((a, b) => a - b));
      }
    },
  );
});

describe('periodStarts', () => {
  it.each([
    // A Sunday is the last day of a week, a Monday the first.
    ['2026-11-22T23:59:59Z', '2026-11-22', '2026-11-16', '2026-11-01'],
    ['2026-11-23T00:00:00Z', '2026-11-23', '2026-11-23', '2026-11-01'],
    // A week may begin in the previous month or year.
    ['2026-01-01T12:00:00Z', '2026-01-01', '2025-12-29', '2026-01-01'],
    ['2028-02-29T12:00:00Z', '2028-02-29', '2028-02-28', '2028-02-01'],
  ])('starts the day, week and month of %s', (now, today, week, month) => {
    expect(periodStarts(Date.parse(now))).toEqual({ today, week, month });
  });
});
