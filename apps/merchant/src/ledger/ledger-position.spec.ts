import { sampleOrder } from '../testing/merchant';
import { randomHistory, randomOf } from '../testing/order-histories';
import { differenceOf, kindOf, positionOf, receivedPosition, type Position } from './ledger-position';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const usdc = { chain: 'eip155:8453', token: 'USDC' };
const settled = sampleOrder();

/** The sum of each asset. */
function sumsOf(position: Position): bigint[] {
  const sums = new Map<string, bigint>();
  for (const { chain, token, amount } of position)
    sums.set(`${chain} ${token}`, (sums.get(`${chain} ${token}`) ?? 0n) + amount);
  return [...sums.values()];
}

it('is what the merchant got and the fee, out of what the payer gave', () => {
  expect(positionOf(settled)).toEqual([
    { account: 'payer', ...usdc, amount: -1_005_000n },
    { account: 'merchant:received', ...usdc, amount: 1_000_000n },
    { account: 'fees', ...usdc, amount: 5_000n },
  ]);
});

it.each([
  ['waits', { status: 'waiting_payment', settled_amount: null }],
  ['is settling', { status: 'settling', settled_amount: null }],
  ['has failed', { status: 'failed', settled_amount: null }],
  ['has expired', { status: 'expired', settled_amount: null }],
] as const)('is nothing while an order %s', (_name, changes) => {
  expect(positionOf({ ...settled, ...changes })).toEqual([]);
});

it('of a delivery that was too small is what arrived, without a fee', () => {
  expect(positionOf({ ...settled, status: 'failed', settled_amount: '9' })).toEqual([
    { account: 'payer', ...usdc, amount: -9n },
    { account: 'merchant:received', ...usdc, amount: 9n },
  ]);
});

it('of what was sent back is in what it was paid with, also beside a payment', () => {
  const refund = { pay_blockchain: 'btc', pay_token: 'BTC', refunded_amount: '7' };
  const position = positionOf({ ...settled, ...refund });
  expect(position.slice(3)).toEqual([
    { account: 'payer', chain: 'btc', token: 'BTC', amount: -7n },
    { account: 'refunds', chain: 'btc', token: 'BTC', amount: 7n },
  ]);
  // In the same asset the payer's two amounts are one.
  const same = positionOf({ ...settled, refunded_amount: '7' });
  expect(same.filter(({ account }) => account === 'payer')).toEqual([
    { account: 'payer', ...usdc, amount: -1_005_007n },
  ]);
});

it('sums to zero per asset, and so does each step from one state of an order to any other', () => {
  const random = randomOf(8);
  for (let order = 0; order < 200; order++) {
    const positions = randomHistory(random, wallet, { fromMs: 0, days: 1 }).map(({ order }) =>
      positionOf(order),
    );
    for (const wanted of positions) {
      expect(sumsOf(wanted).every((sum) => sum === 0n)).toBe(true);
      for (const held of positions) {
        const step = differenceOf(held, wanted);
        expect(sumsOf(step).every((sum) => sum === 0n)).toBe(true);
        expect(differenceOf(wanted, [...held, ...step])).toEqual([]);
      }
    }
  }
});

it('is posted as what it is', () => {
  const [payment, more] = [receivedPosition(usdc, 5n), receivedPosition(usdc, 6n)];
  const refund = positionOf({ ...settled, status: 'failed', settled_amount: null, refunded_amount: '7' });
  expect(kindOf([], payment)).toBe('payment');
  expect(kindOf([], refund)).toBe('refund');
  expect(kindOf(payment, [])).toBe('reversal');
  expect(kindOf(payment, more)).toBe('correction');
});
