import type { FieldError } from '@tollbridge/rpc';
import { canonicalAddress, unknownChain } from '@tollbridge/chains';
import type { Wallet } from '@tollbridge/balances';
import type { Deployments } from '../chains/deployments';

/** Validates wallets by chain name and address. */
export function fieldErrorsOfWallets(
  wallets: Record<string, string>,
  deployments: Deployments,
): FieldError[] {
  const seen = new Set<string>();
  return Object.entries(wallets).flatMap(([name, text]) => {
    const field = `wallets.${name.slice(0, 64)}`;
    const chain = deployments.known(name);
    if (!chain) return [{ field, message: unknownChain(name)! }];
    if (seen.has(chain.id)) return [{ field, message: `repeats ${chain.name}; name each chain once` }];
    seen.add(chain.id);
    const address = canonicalAddress(chain, text);
    return address.ok ? [] : [{ field, message: address.reason }];
  });
}

/** Converts validated wallets. */
export function walletsOf(wallets: Record<string, string>, deployments: Deployments): Wallet[] {
  return Object.entries(wallets).map(([name, text]) => {
    const chain = deployments.known(name);
    const address = chain && canonicalAddress(chain, text);
    if (!chain || !address?.ok) throw new Error('A wallet reached checkout without validation');
    return { chain, address: address.address };
  });
}
