import {
  orderStatuses,
  payoutStates,
  purchaseStatuses,
  type OrderStatus,
  type PayoutState,
  type PurchaseStatus,
  type TransactionUpdate,
} from '@tollbridge/contracts';
import {
  outcomeOfOrder,
  outcomeOfPayout,
  outcomeOfPurchase,
  outcomeOfStaleTransaction,
  outcomeOfTransaction,
  type SpendOutcome,
} from './spend-outcome';

describe('outcomeOfOrder', () => {
  const outcomes: Record<OrderStatus, SpendOutcome> = {
    waiting_payment: 'open',
    settling: 'open',
    settled: 'captured',
    failed: 'released',
    expired: 'released',
  };
  it.each(orderStatuses)('maps the status %s to its outcome', (status) => {
    expect(outcomeOfOrder({ status, settled_amount: null })).toBe(outcomes[status]);
  });

  it('captures a failed order that delivered an amount, but not one without an amount', () => {
    expect(outcomeOfOrder({ status: 'failed', settled_amount: '1' })).toBe('captured');
    expect(outcomeOfOrder({ status: 'expired', settled_amount: '1' })).toBe('released');
    expect(outcomeOfOrder({ status: 'settling', settled_amount: '1' })).toBe('open');
  });

  it('releases the order when an older release sends a failure without settled_amount', () => {
    expect(outcomeOfOrder({ status: 'failed' } as Parameters<typeof outcomeOfOrder>[0])).toBe('released');
  });
});

type SetStatus = TransactionUpdate['status'];
const setOutcomes: Record<SetStatus, SpendOutcome> = {
  building: 'open',
  built: 'open',
  signing: 'open',
  submitting: 'open',
  submitted: 'open',
  confirming: 'open',
  completed: 'captured',
  failed: 'released',
  expired: 'released',
};
const setStatuses = Object.keys(setOutcomes) as SetStatus[];

describe('outcomeOfTransaction', () => {
  it.each(setStatuses)('maps the status %s to its outcome', (status) => {
    expect(outcomeOfTransaction({ status })).toBe(setOutcomes[status]);
  });

  it('captures a failed set that has spent its input', () => {
    expect(outcomeOfTransaction({ status: 'failed', spent: true })).toBe('captured');
    expect(outcomeOfTransaction({ status: 'failed', spent: false })).toBe('released');
  });
});

describe('outcomeOfStaleTransaction', () => {
  it.each(setStatuses)('maps the status %s to its outcome', (status) => {
    const isUnsigned = status === 'building' || status === 'built';
    expect(outcomeOfStaleTransaction({ status })).toBe(isUnsigned ? 'released' : setOutcomes[status]);
  });

  it('captures a failed set that has spent its input', () => {
    expect(outcomeOfStaleTransaction({ status: 'failed', spent: true })).toBe('captured');
  });
});

describe('outcomeOfPurchase', () => {
  const outcomes: [PurchaseStatus, SpendOutcome][] = [
    ['buying', 'open'],
    ['unknown', 'open'],
    ['pending', 'open'],
    ['completed', 'captured'],
    ['failed', 'released'],
    ['refunded', 'released'],
    ['refused', 'released'],
  ];
  it.each(outcomes)('maps the status %s to %s', (status, outcome) => {
    expect(outcomeOfPurchase(status)).toBe(outcome);
  });

  it('covers every status', () => {
    expect(outcomes.map(([status]) => status)).toEqual(purchaseStatuses);
  });
});

describe('outcomeOfPayout', () => {
  const outcomes: Record<PayoutState, SpendOutcome> = {
    awaiting_approval: 'open',
    sending: 'open',
    completed: 'captured',
    partly_paid: 'captured',
    failed: 'released',
    rejected: 'released',
    expired: 'released',
  };
  it.each(payoutStates)('maps the state %s to its outcome', (state) => {
    expect(outcomeOfPayout(state)).toBe(outcomes[state]);
  });

  it('releases the reservation of a payout that was never submitted', () => {
    expect(outcomeOfPayout(null)).toBe('released');
  });
});

describe('the state of a newer release', () => {
  it('returns "open" until a known state follows', () => {
    const status = 'escalated' as never;
    expect(outcomeOfOrder({ status, settled_amount: '1' })).toBe('open');
    expect(outcomeOfTransaction({ status })).toBe('open');
    expect(outcomeOfStaleTransaction({ status })).toBe('open');
    expect(outcomeOfPurchase(status)).toBe('open');
    expect(outcomeOfPayout(status)).toBe('open');
  });
});
