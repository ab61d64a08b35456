import { findChain } from '@tollbridge/chains';
import { Explorers } from './explorers';

const base = findChain('base')!;
const own = 'https://explorer.example/{tx}';

describe('Explorers', () => {
  it("returns the registry's explorer, and none in a sandbox", () => {
    expect(new Explorers(new Map(), false).txUrlOf(base)).toBe('https://basescan.org/tx/{tx}');
    expect(new Explorers(new Map(), true).txUrlOf(base)).toBeNull();
  });

  it.each([true, false])('prefers the URL or the null of CHAINS_FILE, in a sandbox: %s', (isSandbox) => {
    expect(new Explorers(new Map([[base.id, own]]), isSandbox).txUrlOf(base)).toBe(own);
    expect(new Explorers(new Map([[base.id, null]]), isSandbox).txUrlOf(base)).toBeNull();
  });
});
