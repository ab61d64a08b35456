import { findChain } from '@tollbridge/chains';
import { Explorers } from './explorers';

const base = findChain('base')!;
const own = 'https://explorer.example/{tx}';

describe('Explorers', () => {
  it('returns the explorer of the registry, but none in a sandbox', () => {
    expect(new Explorers(new Map(), false).txUrlOf(base)).toBe('https://basescan.org/tx/{tx}');
    expect(new Explorers(new Map(), true).txUrlOf(base)).toBeNull();
  });

  it.each([true, false])(
    'prefers the value of CHAINS_FILE, a URL or null, also in a sandbox: %s',
    (isSandbox) => {
      expect(new Explorers(new Map([[base.id, own]]), isSandbox).txUrlOf(base)).toBe(own);
      expect(new Explorers(new Map([[base.id, null]]), isSandbox).txUrlOf(base)).toBeNull();
    },
  );
});
