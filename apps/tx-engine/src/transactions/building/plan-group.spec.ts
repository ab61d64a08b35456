import { MaxUint256 } from 'ethers';
import { erc20 } from '../../chains/erc20';
import { coin, usdc } from '../../testing/sample-set';
import { planGroup, type Allowances, type GroupItem } from './plan-group';
import { aBuiltSwap, aGroupItem } from './testing/group-item.builder';

const item = (amountInAtomic: bigint, changes: Partial<GroupItem> = {}) =>
  aGroupItem({ amountInAtomic, ...changes });
const allowance = (amount: bigint, reset = false): Allowances => ({
  of: () => amount,
  needsReset: () => reset,
});
const approved = (data: string) => erc20.decodeFunctionData('approve', data)[1] as bigint;
const shape = (items: GroupItem[], allowances: Allowances) => {
  const { calls, short } = planGroup(items, allowances);
  const standFor = calls.flatMap(({ type, standsFor }) => (type === 'approval' ? [standsFor] : []));
  const planned = calls.map(({ type, item: at, data }) =>
    type === 'swap' ? `swap ${at}` : `approve ${approved(data)} for ${at}`,
  );
  return { calls: planned, standFor, short };
};

it.each([
  ['none', 0n, ['approve 100 for 0', 'swap 0']],
  ['too little', 99n, ['approve 100 for 0', 'swap 0']],
  ['enough', 100n, ['swap 0']],
  ['without limit', MaxUint256, ['swap 0']],
])('plans the calls for an allowance of %s', (_name, given, calls) => {
  expect(shape([item(100n)], allowance(given)).calls).toEqual(calls);
});

it('resets the allowance first for a token that requires it', () => {
  expect(shape([item(100n)], allowance(5n, true)).calls).toEqual([
    'approve 0 for 0',
    'approve 100 for 0',
    'swap 0',
  ]);
  expect(shape([item(100n)], allowance(0n, true)).calls).toEqual(['approve 100 for 0', 'swap 0']);
});

it('plans no approval for native coins', () => {
  const given = item(100n, { from: coin, swap: aBuiltSwap({ spender: null }) });
  expect(shape([given], allowance(0n))).toEqual({ calls: ['swap 0'], standFor: [], short: [] });
});

it('plans one approval of the sum for one token and spender', () => {
  const items = [item(100n), item(50n, { from: usdc }), item(30n)];
  expect(shape(items, allowance(0n))).toEqual({
    calls: ['approve 130 for 0', 'swap 0', 'approve 50 for 1', 'swap 1', 'swap 2'],
    standFor: [2, 1],
    short: [],
  });
});

it('uses the remaining allowance for the next swap', () => {
  expect(shape([item(100n), item(30n)], allowance(130n))).toMatchObject({
    calls: ['swap 0', 'swap 1'],
    standFor: [],
  });
  expect(shape([item(100n), item(31n)], allowance(130n))).toMatchObject({
    calls: ['swap 0', 'approve 31 for 1', 'swap 1'],
    standFor: [1],
  });
});

it('plans a separate approval for another spender', () => {
  const other = item(30n, { swap: aBuiltSwap({ spender: '0x1111111111111111111111111111111111111111' }) });
  expect(shape([item(100n), other], allowance(0n)).calls).toEqual([
    'approve 100 for 0',
    'swap 0',
    'approve 30 for 1',
    'swap 1',
  ]);
});

it('reports the missing allowance with skipApprovals', () => {
  expect(shape([item(100n, { skipApprovals: true })], allowance(5n))).toMatchObject({
    calls: ['swap 0'],
    short: [{ item: 0, required: 100n, available: 5n }],
  });
});
