import { canonicalAddress, chains } from '@tollbridge/chains';
import { generateAddress, generateTxHash, newDepositKey, newMemo, sharedAddress } from './deposit-address';

describe.each(chains.map((chain) => [chain.name, chain] as const))(
  'Deposit address on %s',
  (_name, chain) => {
    it('creates valid addresses, one for each quote', () => {
      for (let round = 0; round < 20; round++) {
        const address = generateAddress({ ...chain, isTestnet: false });
        expect(canonicalAddress({ ...chain, isTestnet: false }, address)).toEqual({ ok: true, address });
      }
      expect(generateAddress(chain)).not.toBe(generateAddress(chain));
      expect(sharedAddress(chain)).toBe(sharedAddress(chain));
    });

    it('creates transaction hashes that match the URL format of the explorer', () => {
      expect(generateTxHash(chain)).toMatch(/^[0-9A-Za-z]{40,100}$/);
    });
  },
);

it('creates memos that fit into 32 bits, as some chains require', () => {
  for (let round = 0; round < 100; round++) {
    const memo = Number(newMemo());
    expect(memo).toBeGreaterThan(0);
    expect(memo).toBeLessThan(2 ** 32);
  }
});

it('creates unique keys for deposit addresses', () => {
  expect(newDepositKey().address).not.toBe(newDepositKey().address);
});
