import { anOrderChanged } from '../orders/testing/order-changed.builder';
import { randomHistory, randomOf, shuffled } from '../testing/order-histories';
import {
  contributionOf,
  mergeAll,
  recordOfPayLink,
  recordsOf,
  withoutContribution,
} from './dashboard-record';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it('mergeAll returns the same records for events in any order, also when events are repeated', () => {
  const random = randomOf(5);
  let states = new Set<string>();
  for (let order = 0; order < 300; order++) {
    const events = randomHistory(random, wallet, { fromMs: 1_700_000_000_000, days: 10 });
    const recordsIn = (published: typeof events) =>
      mergeAll(published.flatMap(({ order, type }) => recordsOf(order, type, wallet))).sort((one, other) =>
        one.id < other.id ? -1 : 1,
      );
    const inOrder = recordsIn(events);
    expect(recordsIn(shuffled(random, [...events, ...events]))).toEqual(inOrder);
    states = new Set([
      ...states,
      ...inOrder.map(({ outcome, wasCompleted }) => `${outcome} ${wasCompleted}`),
    ]);
  }
  // Every outcome occurs, and so does a completed payment that was reorged.
  expect(states.size).toBeGreaterThanOrEqual(6);
});

it('recordsOf describes an order by its merchant id, unless that is an address', () => {
  const [named] = recordsOf(anOrderChanged({ merchant_id: 'shop-17' }), 'order-settled', wallet);
  const [address] = recordsOf(anOrderChanged({ merchant_id: wallet.toLowerCase() }), 'order-settled', wallet);
  expect([named!.description, address!.description]).toEqual(['Order of shop-17', 'Order']);
});

const payer = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const named = anOrderChanged().payer_address;
it.each([
  ['the payer that the chain shows', { paid_by: payer }, payer],
  ['no payer before the payment', { paid_by: null }, null],
  ['the stated payer of a cross-chain order', { method: 'CrossChain', paid_by: null } as const, named],
  ['the stated payer while the chain has not shown the payment', {}, named],
])('recordsOf returns %s as the counterparty', (_name, changes, counterparty) => {
  expect(recordsOf(anOrderChanged(changes), 'order-settled', wallet)).toMatchObject([{ counterparty }]);
});

it('recordsOf reads the creation time from a time-ordered id, otherwise from the event', () => {
  const order = anOrderChanged({ order_id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' });
  const [record] = recordsOf(order, 'order-settled', wallet);
  expect(record!.createdAtMs).toBe(0x0198f3a27c5e);
  const [other] = recordsOf(
    { ...order, order_id: '0198f3a2-7c5e-4d41-9a55-3f0e2c1b4a6d' },
    'order-settled',
    wallet,
  );
  expect(other!.createdAtMs).toBe(Date.parse(order.updated_at));
});

it('recordsOf reads the creation time from the event when the id has a later time', () => {
  const order = anOrderChanged({ order_id: 'ffffffff-ffff-7d41-9a55-3f0e2c1b4a6d' });
  const [record] = recordsOf(order, 'order-settled', wallet);
  expect(record!.createdAtMs).toBe(record!.updatedAtMs);
});

it('contributionOf sums completed payments and counts failed ones, and withoutContribution negates the result', () => {
  const [settled] = recordsOf(anOrderChanged(), 'order-settled', wallet);
  const contribution = contributionOf(settled!)!;
  expect(contribution).toEqual({
    wallet,
    day: '2026-11-20',
    network: 'eip155:8453',
    token: 'USDC',
    completed: 1,
    unsuccessful: 0,
    expired: 0,
    unpriced: 0,
    confirmed: 0,
    amount: '1000000',
    value_usd: '1',
  });
  expect(withoutContribution(contribution)).toMatchObject({
    completed: -1,
    amount: '-1000000',
    value_usd: '-1',
  });
  const of = (changes: object) => contributionOf({ ...settled!, ...changes });
  expect(of({ valueUsd: null })).toMatchObject({ unpriced: 1, value_usd: '0' });
  expect(of({ outcome: 'failed' })).toMatchObject({ completed: 0, unsuccessful: 1, amount: '0' });
  expect(of({ outcome: 'pending' })).toMatchObject({ unsuccessful: 1, expired: 0 });
  expect(of({ outcome: 'expired' })).toMatchObject({ unsuccessful: 1, expired: 0 });
  const unpaid = of({ outcome: 'expired', wasCompleted: false })!;
  expect(unpaid).toMatchObject({ unsuccessful: 1, expired: 1 });
  expect(withoutContribution(unpaid)).toMatchObject({ unsuccessful: -1, expired: -1 });
  expect(of({ outcome: 'pending', wasCompleted: false })).toBeNull();
  expect(of({ type: 'refund' })).toBeNull();
  expect(of({ isSeen: false, isOwn: false })).toBeNull();
});

it('recordOfPayLink completes a payment only when a node verified it or the merchant confirmed it', () => {
  const payment = {
    id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d',
    wallet,
    linkName: 'Tea',
    network: 'ton',
    token: 'TON',
    amount: 5n,
    txHash: '0xa1',
    payer: null,
    valueUsd: '2',
    version: 3,
    changedAtMs: 1,
    isConfirmed: false,
  };
  expect(recordOfPayLink({ ...payment, isVerified: true, isCounted: true })).toMatchObject({
    outcome: 'completed',
    valueUsd: '2',
    description: 'PayLink: Tea',
    wasCompleted: true,
  });
  expect(recordOfPayLink({ ...payment, isVerified: true, isCounted: false })).toMatchObject({
    outcome: 'pending',
    valueUsd: null,
    wasCompleted: true,
  });
  expect(recordOfPayLink({ ...payment, isVerified: false, isCounted: true })).toMatchObject({
    outcome: 'pending',
    valueUsd: null,
    wasCompleted: false,
  });
  const confirmed = { ...payment, isVerified: false, isConfirmed: true };
  const record = recordOfPayLink({ ...confirmed, isCounted: true });
  expect(record).toMatchObject({ outcome: 'completed', valueUsd: '2', isConfirmed: true });
  expect(contributionOf(record)).toMatchObject({ completed: 1, confirmed: 1 });
  expect(contributionOf(recordOfPayLink({ ...confirmed, isCounted: false }))).toMatchObject({ completed: 0 });
});
