import { canonicalAddress, chains } from '@tollbridge/chains';
import { madeUpAddress, madeUpTxHash, newDepositKey, newMemo, sharedAddress } from './deposit-address';

describe.each(chains.map((chain) => [chain.name, chain] as const))('on %s', (_name, chain) => {
  it('a deposit address is one that we would accept ourselves, as it is, and always another', () => {
    for (let round = 0; round < 20; round++) {
      const address = madeUpAddress({ ...chain, isTestnet: false });
      expect(canonicalAddress({ ...chain, isTestnet: false }, address)).toEqual({ ok: true, address });
    }
    expect(madeUpAddress(chain)).not.toBe(madeUpAddress(chain));
    expect(sharedAddress(chain)).toBe(sharedAddress(chain));
  });

  it('a transaction hash fits into the link of its explorer', () => {
    expect(madeUpTxHash(chain)).toMatch(/^[0-9A-Za-z]{40,100}$/);
  });
});

it('memos fit into the 32 bits that some chains have for them', () => {
  for (let round = 0; round < 100; round++) {
    const memo = Number(newMemo());
    expect(memo).toBeGreaterThan(0);
    expect(memo).toBeLessThan(2 ** 32);
  }
});

it('keys of deposit addresses are all different', () => {
  expect(newDepositKey().address).not.toBe(newDepositKey().address);
});
