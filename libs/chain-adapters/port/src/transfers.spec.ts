import { finalTransfers, gainIndex, type MinedTransfers, type ReceivedTransfer } from './transfers';

const chain = { confirmations: 3 };
const transfer = (changes: Partial<ReceivedTransfer> = {}): ReceivedTransfer => ({
  txHash: 'a',
  logIndex: 0,
  from: 'payer',
  amountAtomic: 5n,
  ...changes,
});
const mined = (changes: Partial<MinedTransfers> = {}): MinedTransfers => ({
  kind: 'mined',
  block: { height: 1, hash: 'block', timeMs: 0 },
  confirmations: 3,
  isSuccessful: true,
  transfers: [transfer()],
  otherTransfers: [],
  paysOrder: false,
  reference: null,
  ...changes,
});

describe('finalTransfers', () => {
  it('joins the transfers of several transactions', () => {
    const other = transfer({ txHash: 'b' });
    expect(finalTransfers(chain, [mined(), mined({ transfers: [other] })])).toEqual([transfer(), other]);
  });

  it('leaves out transfers of nothing', () => {
    const nothing = transfer({ logIndex: 1, amountAtomic: 0n });
    expect(finalTransfers(chain, [mined({ transfers: [nothing, transfer()] })])).toEqual([transfer()]);
  });

  it('finds none in a transaction that transfers nothing', () => {
    expect(finalTransfers(chain, [mined({ isSuccessful: false, transfers: [] })])).toEqual([]);
  });

  it.each([
    ['lacks confirmations', mined({ confirmations: 2 })],
    ['is in no block', { kind: 'unmined', chainTimeMs: 0 } as const],
    ['cannot be read', { kind: 'unavailable' } as const],
  ])('returns undefined while one transaction %s', (_name, read) => {
    expect(finalTransfers(chain, [mined(), read])).toBeUndefined();
  });
});

describe('gainIndex', () => {
  it('differs for each receiver and token, in 31 bits', () => {
    const indexes = [gainIndex('a', null), gainIndex('b', null), gainIndex('a', 'b'), gainIndex('ab', '')];
    expect(new Set(indexes).size).toBe(4);
    for (const index of indexes) expect(index).toBeLessThan(2 ** 31);
    expect(gainIndex('a', null)).toBe(indexes[0]);
  });
});
