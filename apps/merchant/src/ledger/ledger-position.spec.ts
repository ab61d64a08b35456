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

it('positionOf splits what the payer paid into the received amount and the fee', () => {
  expect(positionOf(settled)).toEqual([
    { account: 'payer', ...usdc, amount: -1_005_000n },
    { account: 'merchant:received', ...usdc, amount: 1_000_000n },
    { account: 'fees', ...usdc, amount: 5_000n },
  ]);
});

it.each([
  ['awaits payment', { status: 'waiting_payment', settled_amount: null }],
  ['is settling', { status: 'settling', settled_amount: null }],
  ['has failed', { status: 'failed', settled_amount: null }],
  ['has expired', { status: 'expired', settled_amount: null }],
] as const)('positionOf returns nothing while an order %s', (_name, changes) => {
  expect(positionOf({ ...settled, ...changes })).toEqual([]);
});

it('positionOf posts a short delivery without a fee', () => {
  expect(positionOf({ ...settled, status: 'failed', settled_amount: '9' })).toEqual([
    { account: 'payer', ...usdc, amount: -9n },
    { account: 'merchant:received', ...usdc, amount: 9n },
  ]);
});

it('positionOf posts a refund in the paid asset, also beside a payment', () => {
  const refund = { pay_blockchain: 'btc', pay_token: 'BTC', refunded_amount: '7' };
  const position = positionOf({ ...settled, ...refund });
  expect(position.slice(3)).toEqual([
    { account: 'payer', chain: 'btc', token: 'BTC', amount: -7n },
    { account: 'refunds', chain: 'btc', token: 'BTC', amount: 7n },
  ]);
  // In one asset, the two amounts of the payer are summed.
  const same = positionOf({ ...settled, refunded_amount: '7' });
  expect(same.filter(({ account }) => account === 'payer')).toEqual([
    { account: 'payer', ...usdc, amount: -1_005_007n },
  ]);
});

it('differenceOf and positionOf sum to zero per asset, for each step between two states of an order', () => {
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

it('kindOf names payments, refunds, reversals and corrections', () => {
  const [payment, more] = [receivedPosition(usdc, 5n), receivedPosition(usdc, 6n)];
  const refund = positionOf({ ...settled, status: 'failed', settled_amount: null, refunded_amount: '7' });
  expect(kindOf([], payment)).toBe('payment');
  expect(kindOf([], refund)).toBe('refund');
  expect(kindOf(payment, [])).toBe('reversal');
  expect(kindOf(payment, more)).toBe('correction');
});
