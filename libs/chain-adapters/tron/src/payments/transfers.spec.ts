import type { SignedAction } from '../signed-transaction';
import { merchant, otherContract, payer, usdt } from '../testing/fixtures';
import { coinTransfers, referenceIn } from './transfers';

const id = '0198f3a2-7c5e-7d41-9a55-3f0e2c1b4a6d';
const memo = `tbpl:${id}`;
const coins: SignedAction = { kind: 'transfer', owner: payer, to: merchant, valueAtomic: 7n, data: '' };
const tokens: SignedAction = { kind: 'call', owner: payer, to: usdt, valueAtomic: 0n, data: 'a9059cbb00' };

describe('referenceIn', () => {
  it.each([
    ['a transfer of coins to the receiver', coins, null, memo, id],
    ['a transfer of the token', tokens, usdt, memo, id],
    ['a transfer of coins to another account', { ...coins, to: payer }, null, memo, null],
    ['a transfer of another token', { ...tokens, to: otherContract }, usdt, memo, null],
    ['a call that transfers tokens of another account', { ...tokens, data: '23b872dd00' }, usdt, memo, null],
    ['another kind of transaction', null, usdt, memo, null],
    ['no memo', coins, null, '', null],
    ['a memo with more text', coins, null, `${memo} thanks`, null],
    ['a truncated memo', coins, null, memo.slice(0, -1), null],
  ])('returns the reference of %s', (_name, action, token, text, expected) => {
    expect(referenceIn({ action, memo: text }, token, merchant)).toBe(expected);
  });
});

describe('coinTransfers', () => {
  it('returns the value that the receiver got from the transaction itself', () => {
    expect(coinTransfers({ action: coins, memo: '' }, merchant, 'ef')).toEqual([
      { txHash: 'ef', logIndex: -1, from: payer, amountAtomic: 7n },
    ]);
    expect(coinTransfers({ action: coins, memo: '' }, payer, 'ef')).toEqual([]);
    expect(coinTransfers({ action: null, memo: '' }, merchant, 'ef')).toEqual([]);
  });
});
