import { anOrderChanged } from '../orders/testing/order-changed.builder';
import { randomHistory, randomOf } from '../testing/order-histories';
import { differenceOf, kindOf, positionOf, receivedPosition, type Position } from './ledger-position';

const wallet = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const usdc = { chain: 'eip155:8453', token: 'USDC' };
const settled = anOrderChanged();

/** The sum of each asset. */
function sumsOf(position: Position): bigint[] {
  const sums = new Map<string, bigint>();
  for (const { chain, token, amount } of position)
    sums.set(`${chain} ${token}`, (sums.get(`${chain} ${token}`) ?? 0n) + amount);
  return [...sums.values()];
}

it('positionOf splits the paid amount into the received amount and the fee', () => {
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

it('positionOf posts a delivery below the amount without a fee', () => {
  expect(positionOf({ ...settled, status: 'failed', settled_amount: '9' })).toEqual([
    { account: 'payer', ...usdc, amount: -9n },
    { account: 'merchant:received', ...usdc, amount: 9n },
  ]);
});

it('positionOf posts a refund in the paid asset, also for an order with a payment', () => {
  const refund = { pay_blockchain: 'btc', pay_token: 'BTC', refunded_amount: '7' };
  const position = positionOf({ ...settled, ...refund });
  expect(position.slice(3)).toEqual([
    { account: 'payer', chain: 'btc', token: 'BTC', amount: -7n },
    { account: 'refunds', chain: 'btc', token: 'BTC', amount: 7n },
  ]);
  // When both are in one asset, the payer has one posting with their sum.
  const same = positionOf({ ...settled, refunded_amount: '7' });
  expect(same.filter(({ account }) => account === 'payer')).toEqual([
    { account: 'payer', ...usdc, amount: -1_005_007n },
  ]);
});

it('differenceOf and positionOf sum to zero per asset, for each change between two states of an order', () => {
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

it('receivedPosition moves the exact amount from the payer to the merchant', () => {
  const most = 2n ** 128n - 1n;
  expect(receivedPosition(usdc, most)).toEqual([
    { account: 'payer', ...usdc, amount: -most },
    { account: 'merchant:received', ...usdc, amount: most },
  ]);
});

it('receivedPosition returns nothing for an amount of zero', () => {
  expect(receivedPosition(usdc, 0n)).toEqual([]);
});

it('positionOf posts no entry for a fee of zero', () => {
  expect(positionOf({ ...settled, fee_amount: '0' })).toEqual([
    { account: 'payer', ...usdc, amount: -1_000_000n },
    { account: 'merchant:received', ...usdc, amount: 1_000_000n },
  ]);
});

describe('differenceOf', () => {
  const btc = { chain: 'btc', token: 'BTC' };
  const eth = { chain: 'eip155:8453', token: 'ETH' };
  const position: Position = [
    { account: 'payer', ...btc, amount: -7n },
    { account: 'payer', ...eth, amount: -3n },
    { account: 'payer', ...usdc, amount: -12n },
    { account: 'merchant:received', ...usdc, amount: 10n },
    { account: 'fees', ...usdc, amount: 2n },
    { account: 'refunds', ...btc, amount: 7n },
    { account: 'refunds', ...eth, amount: 3n },
  ];
  const rotations = position.map((_posting, at) => [...position.slice(at), ...position.slice(0, at)]);

  it('sorts entries by account, chain and token for any order of input', () => {
    for (const order of rotations) {
      expect(differenceOf([], order)).toEqual(position);
      expect(differenceOf([], [...order].reverse())).toEqual(position);
    }
  });

  it('negates a posted position that is not wanted any more', () => {
    expect(differenceOf(receivedPosition(usdc, 5n), [])).toEqual([
      { account: 'payer', ...usdc, amount: 5n },
      { account: 'merchant:received', ...usdc, amount: -5n },
    ]);
  });

  it('posts only the accounts that change, with the exact difference', () => {
    const more = position.map((posting) =>
      posting.account === 'fees' ? { ...posting, amount: posting.amount + 1n } : posting,
    );
    expect(differenceOf(position, more)).toEqual([{ account: 'fees', ...usdc, amount: 1n }]);
    expect(differenceOf(more, position)).toEqual([{ account: 'fees', ...usdc, amount: -1n }]);
  });

  it('returns nothing for equal positions in another order', () => {
    for (const order of rotations) expect(differenceOf(position, order)).toEqual([]);
  });

  it('reverses a payment and posts a payment in another token', () => {
    expect(differenceOf(receivedPosition(usdc, 5n), receivedPosition(eth, 5n))).toEqual([
      { account: 'payer', ...eth, amount: -5n },
      { account: 'payer', ...usdc, amount: 5n },
      { account: 'merchant:received', ...eth, amount: 5n },
      { account: 'merchant:received', ...usdc, amount: -5n },
    ]);
  });
});

it('kindOf distinguishes payments, refunds, reversals and corrections', () => {
  const [payment, more] = [receivedPosition(usdc, 5n), receivedPosition(usdc, 6n)];
  const refund = positionOf({ ...settled, status: 'failed', settled_amount: null, refunded_amount: '7' });
  expect(kindOf([], payment)).toBe('payment');
  expect(kindOf([], refund)).toBe('refund');
  expect(kindOf(payment, [])).toBe('reversal');
  expect(kindOf(payment, more)).toBe('correction');
});
