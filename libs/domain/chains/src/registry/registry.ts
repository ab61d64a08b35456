import type { Chain } from './chain';
import { crossChainData } from './cross-chains.data';
import { directChainData } from './direct-chains.data';
import { tokenData } from './tokens.data';

// The longest name is a CAIP-2 one: 8 + 1 + 32 characters.
const MAX_NAME_LENGTH = 41;

/** All 29 chains: the direct ones first, each group in the order of the specification. Frozen to the last field. */
export const chains: readonly Chain[] = Object.freeze(
  [...directChainData, ...crossChainData].map((data) => freezeChain(data)),
);

const chainByName = indexByName(chains);

/** Finds a chain by id, CAIP-2 name, short name or alias, whatever the case. */
export function findChain(name: string): Chain | undefined {
  return name.length > MAX_NAME_LENGTH ? undefined : chainByName.get(name.toLowerCase());
}

function freezeChain(data: Omit<Chain, 'tokens'>): Chain {
  const tokens = tokenData[data.id];
  if (!tokens) {
    throw new Error(`chain ${data.id} has no tokens in tokens.data.ts`);
  }
  return Object.freeze({
    ...data,
    aliases: Object.freeze([...data.aliases]),
    tokens: Object.freeze(tokens.map((token) => Object.freeze({ ...token }))),
  });
}

function indexByName(all: readonly Chain[]): ReadonlyMap<string, Chain> {
  const index = new Map<string, Chain>();
  for (const chain of all) {
    for (const name of new Set([chain.id, chain.caip2, chain.shortName, ...chain.aliases])) {
      const key = name.toLowerCase();
      const taken = index.get(key);
      // Two chains under one name would send money to the wrong one: better not to start at all.
      if (taken && taken !== chain) {
        throw new Error(`the name ${key} stands for both ${taken.id} and ${chain.id}`);
      }
      index.set(key, chain);
    }
  }
  return index;
}
