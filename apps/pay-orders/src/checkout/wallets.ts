import type { SkippedChain } from '@tollbridge/contracts';
import { canonicalAddress, unknownChain } from '@tollbridge/chains';
import type { Wallet } from '@tollbridge/balances';
import type { Deployments } from '../chains/deployments';

const maxNameLength = 64;

/**
 * Parses wallets by chain name and address. A wallet that cannot be read is skipped with its reason, like a chain that
 * fails.
 */
export function walletsOf(
  given: Record<string, string>,
  deployments: Deployments,
): { wallets: Wallet[]; skipped: SkippedChain[] } {
  const wallets = new Map<string, Wallet>();
  const skipped: SkippedChain[] = [];
  for (const [name, text] of Object.entries(given)) {
    const skip = (reason: string) => skipped.push({ blockchain: name.slice(0, maxNameLength), reason });
    const chain = deployments.known(name);
    const address = chain && canonicalAddress(chain, text);
    if (!address) skip(unknownChain(name)!);
    else if (wallets.has(chain.id)) skip(`repeats ${chain.name}; name each chain once`);
    else if (!address.ok) skip(address.reason);
    else wallets.set(chain.id, { chain, address: address.address });
  }
  return { wallets: [...wallets.values()], skipped };
}
