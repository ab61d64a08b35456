import { findChain } from '@tollbridge/chains';
import type { ChainAdapter } from './chain-adapter';
import { ChainAdapters } from './chain-adapters';

// This test reads only the chain of an adapter.
const adapterOf = (name: string) => ({ chain: findChain(name)! }) as ChainAdapter;

describe('ChainAdapters', () => {
  const base = adapterOf('base');
  const adapters = new ChainAdapters([base, adapterOf('arb')]);

  it('returns the adapter of a chain by its id', () => {
    expect(adapters.find('eip155:8453')).toBe(base);
  });

  it.each(['ton', 'solana', 'eip155:1', ''])('returns undefined for %j, which is not configured', (id) => {
    expect(adapters.find(id)).toBeUndefined();
  });

  it('rejects two adapters of one chain', () => {
    expect(() => new ChainAdapters([base, adapterOf('base')])).toThrow('Two chain adapters');
  });
});
