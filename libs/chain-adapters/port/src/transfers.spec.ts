import { aReceivedTransfer, minedTransfers } from './testing';
import { finalTransfers, gainIndex } from './transfers';

const chain = { confirmations: 3 };

describe('finalTransfers', () => {
  it('joins the transfers of several transactions', () => {
    const other = aReceivedTransfer({ txHash: 'b' });
    expect(finalTransfers(chain, [minedTransfers(), minedTransfers({ transfers: [other] })])).toEqual([
      aReceivedTransfer(),
      other,
    ]);
  });

  it('omits transfers of zero', () => {
    const nothing = aReceivedTransfer({ logIndex: 1, amountAtomic: 0n });
    expect(finalTransfers(chain, [minedTransfers({ transfers: [nothing, aReceivedTransfer()] })])).toEqual([
      aReceivedTransfer(),
    ]);
  });

  it('returns an empty list for a transaction without transfers', () => {
    expect(finalTransfers(chain, [minedTransfers({ isSuccessful: false, transfers: [] })])).toEqual([]);
  });

  it.each([
    ['lacks confirmations', minedTransfers({ confirmations: 2 })],
    ['has no block', { kind: 'unmined', chainTimeMs: 0 } as const],
    ['cannot be read', { kind: 'unavailable' } as const],
  ])('returns undefined while one transaction %s', (_name, read) => {
    expect(finalTransfers(chain, [minedTransfers(), read])).toBeUndefined();
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
