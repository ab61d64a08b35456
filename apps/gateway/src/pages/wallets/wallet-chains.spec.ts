import { chains, findChain } from '@tollbridge/chains';
import * as viemChains from 'viem/chains';
import { publicNodes } from './public-nodes';
import { addChainParameters } from './wallet-chains';

// The first definition with this id. Variants of a chain, such as `basePreconf`, come after it.
const maintained = (chainId: number) => Object.values(viemChains).find(({ id }) => id === chainId)!;
const evmChains = chains.filter(({ family, chainId }) => family === 'evm' && chainId !== 1);

describe('publicNodes', () => {
  it.each(evmChains.map((chain) => [chain.name, chain] as const))(
    "contains a node of %s from viem's list, with HTTPS",
    (_name, { chainId }) => {
      const node = publicNodes[chainId!]!;
      expect(maintained(chainId!).rpcUrls.default.http).toContain(node);
      expect(node).toMatch(/^https:/);
    },
  );

  it('contains no other nodes', () => {
    expect(Object.keys(publicNodes).map(Number).sort()).toEqual(
      evmChains.map(({ chainId }) => chainId!).sort(),
    );
  });
});

describe('addChainParameters', () => {
  it.each(evmChains.map((chain) => [chain.name, chain] as const))(
    'returns the name and coin of %s in the form that wallets verify',
    (_name, chain) => {
      const { nativeCurrency } = maintained(chain.chainId!);
      const parameters = addChainParameters(chain) as Record<string, any>;
      expect(parameters).toMatchObject({
        chainId: `0x${chain.chainId!.toString(16)}`,
        chainName: chain.name,
        rpcUrls: [publicNodes[chain.chainId!]],
      });
      expect(parameters['nativeCurrency'].decimals).toBe(nativeCurrency.decimals);
    },
  );

  it.each(['ethereum', 'solana', 'btc'])('returns null for %s', (name) => {
    expect(addChainParameters(findChain(name)!)).toBeNull();
  });
});
