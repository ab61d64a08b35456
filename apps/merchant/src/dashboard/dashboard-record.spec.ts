import { sampleOrder } from '../testing/merchant';
import { randomHistory, randomOf, shuffled } from '../testing/order-histories';
import {
  contributionOf,
  mergeAll,
  recordOfPayLink,
  recordsOf,
  withoutContribution,
} from './dashboard-record';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

it('is the same in whatever order, and however often, the events of an order come', () => {
  const random = randomOf(5);
  let states = new Set<string>();
  for (let order = 0; order < 300; order++) {
    const told = randomHistory(random, wallet, { fromMs: 1_700_000_000_000, days: 10 });
    const recordsIn = (events: typeof told) =>
      mergeAll(events.flatMap(({ order, type }) => recordsOf(order, type, wallet))).sort((one, other) =>
        one.id < other.id ? -1 : 1,
      );
    const inOrder = recordsIn(told);
    expect(recordsIn(shuffled(random, [...told, ...told]))).toEqual(inOrder);
    states = new Set([
      ...states,
      ...inOrder.map(({ outcome, wasCompleted }) => `${outcome} ${wasCompleted}`),
    ]);
  }
  // Every way to end was among them, also those in which a completed payment was taken back.
  expect(states.size).toBeGreaterThanOrEqual(6);
});

it('says nothing of a merchant’s id that is an address, and of an order the name that the merchant gave it', () => {
  const [named] = recordsOf({ ...sampleOrder(), merchant_id: 'shop-17' }, 'order-settled', wallet);
  const [address] = recordsOf(
    { ...sampleOrder(), merchant_id: wallet.toLowerCase() },
    'order-settled',
    wallet,
  );
  expect([named!.description, address!.description]).toEqual(['Order of shop-17', 'Order']);
});

const payer = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const named = sampleOrder().payer_address;
it.each([
  ['who has paid, as the chain shows', { paid_by: payer }, payer],
  ['nobody before it is paid, whoever is named', { paid_by: null }, null],
  ['who is named, across chains', { method: 'CrossChain', paid_by: null } as const, named],
  ['who is named, where it was not told yet who has paid', {}, named],
])('names as its payer %s', (_name, changes, counterparty) => {
  expect(recordsOf({ ...sampleOrder(), ...changes }, 'order-settled', wallet)).toMatchObject([
    { counterparty },
  ]);
});

it('began when its id says', () => {
  const order = { ...sampleOrder(), order_id: '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d' };
  const [record] = recordsOf(order, 'order-settled', wallet);
  expect(record!.createdAtMs).toBe(0x0198f3a27c5e);
  const [other] = recordsOf(
    { ...order, order_id: '0198f3a2-7c5e-4d41-9a55-3f0e2c1b4a6d' },
    'order-settled',
    wallet,
  );
  expect(other!.createdAtMs).toBe(Date.parse(order.updated_at));
});

it('adds to the sums what was completed, counts what was not, and takes back the same', () => {
  const [settled] = recordsOf(sampleOrder(), 'order-settled', wallet);
  const contribution = contributionOf(settled!)!;
  expect(contribution).toEqual({
    wallet,
    day: '2026-11-20',
    network: 'eip155:8453',
    token: 'USDC',
    completed: 1,
    unsuccessful: 0,
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
  expect(of({ outcome: 'pending' })).toMatchObject({ unsuccessful: 1 });
  expect(of({ outcome: 'pending', wasCompleted: false })).toBeNull();
  expect(of({ type: 'refund' })).toBeNull();
  expect(of({ isSeen: false, isOwn: false })).toBeNull();
});

it('completes a payment of a PayLink only when a node verified it or the merchant confirmed it', () => {
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
