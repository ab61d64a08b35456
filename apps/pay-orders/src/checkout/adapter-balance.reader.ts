import type { BalanceReader, Holding, PaymentKind } from '@tollbridge/balances';
import type { ChainAdapter } from '@tollbridge/chain-port';
import type { Chain } from '@tollbridge/chains';

/** Reads balances of a chain's tokens with the chain's adapter, so from the nodes that also see the payments. */
export class AdapterBalanceReader implements BalanceReader {
  constructor(private readonly adapter: Pick<ChainAdapter, 'chain' | 'balanceAtomic' | 'paymentFeeAtomic'>) {}

  read({ tokens }: Chain, address: string): Promise<Holding[]> {
    return Promise.all(
      tokens.map(async (token) => ({
        token,
        amountAtomic: await this.adapter.balanceAtomic(address, token),
        lockedAtomic: 0n,
      })),
    );
  }

  /** @throws Error for a transfer on a chain without a known fee */
  async coinFeeAtomic(payment: PaymentKind): Promise<bigint> {
    if (payment === 'contractCall') return this.adapter.paymentFeeAtomic();
    const { id, coinFeeAtomic } = this.adapter.chain;
    if (coinFeeAtomic === null) throw new Error(`The fee of a transfer on ${id} is not known`);
    return BigInt(coinFeeAtomic);
  }
}
