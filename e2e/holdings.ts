import { isAddress } from 'ethers';
import type { LocalChain } from './local-chain';

/**
 * Total balances of several accounts on some chains. Transfers between these accounts do not change the sums, except
 * for the gas costs in coins.
 */
export class Holdings {
  private readonly start: { chain: LocalChain; height: number; sums: Map<string, bigint> }[] = [];

  private constructor(private readonly owners: Set<string>) {}

  static async of(chains: readonly LocalChain[], owners: readonly string[]): Promise<Holdings> {
    const holdings = new Holdings(new Set(owners));
    for (const chain of chains) {
      const height = await chain.height();
      holdings.start.push({ chain, height, sums: await holdings.sums(chain, height) });
    }
    return holdings;
  }

  /** Adds accounts that were empty at the start. Ignores addresses of other chains. */
  add(...owners: readonly string[]): void {
    for (const owner of owners) if (isAddress(owner)) this.owners.add(owner);
  }

  async expectSame(): Promise<void> {
    const senders = new Set([...this.owners].map((owner) => owner.toLowerCase()));
    for (const { chain, height: startHeight, sums: before } of this.start) {
      const height = await chain.height();
      const gas = await chain.gasPaid(senders, startHeight, height);
      const after = await this.sums(chain, height);
      after.set('ETH', after.get('ETH')! + gas);
      expect({ chain: chain.id, ...Object.fromEntries(after) }).toEqual({
        chain: chain.id,
        ...Object.fromEntries(before),
      });
    }
  }

  private async sums(chain: LocalChain, height: number): Promise<Map<string, bigint>> {
    const sums = new Map<string, bigint>();
    for (const symbol of chain.symbols) {
      const held = await Promise.all([...this.owners].map((owner) => chain.balanceOf(symbol, owner, height)));
      sums.set(
        symbol,
        held.reduce((sum, amount) => sum + amount, 0n),
      );
    }
    return sums;
  }
}
