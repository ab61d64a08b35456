import { findChain } from '../registry';
import { canonicalAddress } from './canonical';
import { unusedAddress } from './unused-address';

describe('unusedAddress', () => {
  it.each(['base', 'ton', 'solana', 'tron', 'sui'])(
    'returns a different address for each seed on %s',
    (name) => {
      const chain = findChain(name)!;
      const address = unusedAddress(chain, 'one')!;
      expect(canonicalAddress(chain, address)).toEqual({ ok: true, address });
      expect(unusedAddress(chain, 'one')).toBe(address);
      expect(unusedAddress(chain, 'two')).not.toBe(address);
    },
  );

  it('returns the last bytes of the Keccak-256 of the seed', () => {
    // keccak256("") from the Keccak team's published test vectors.
    expect(unusedAddress(findChain('base')!, '')).toBe('0xdcc703c0E500B653Ca82273B7BFAd8045D85a470');
  });

  it('returns null on a chain without unused addresses', () => {
    expect(unusedAddress(findChain('btc')!, 'one')).toBeNull();
  });
});
