import { chainDescriptors } from '../chains';
import type { Chain } from './chain';

// The longest name is a CAIP-2 name: 8 + 1 + 32 characters.
const maxNameLength = 41;

/** All chains: direct chains first, each group in the order of the specification. Deeply frozen. */
export const chains: readonly Chain[] = Object.freeze(chainDescriptors.map(deepFreeze));

const chainByName = indexByName(chains);

/** Finds a chain by id, CAIP-2 name, short name or alias, case-insensitive. */
export function findChain(name: string): Chain | undefined {
  return name.length > maxNameLength ? undefined : chainByName.get(name.toLowerCase());
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null)
    for (const field of Object.values(value)) deepFreeze(field);
  return Object.freeze(value);
}

function indexByName(all: readonly Chain[]): ReadonlyMap<string, Chain> {
  const index = new Map<string, Chain>();
  for (const chain of all) {
    for (const name of new Set([chain.id, chain.caip2, chain.shortName, ...chain.aliases])) {
      const key = name.toLowerCase();
      const taken = index.get(key);
      // Two chains with the same name could send money to the wrong chain.
      if (taken && taken !== chain) {
        throw new Error(`Chain name ${key} is used by both ${taken.id} and ${chain.id}`);
      }
      index.set(key, chain);
    }
  }
  return index;
}
