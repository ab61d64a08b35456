import { Injectable } from '@nestjs/common';
import type { PayoutRequest } from '@tollbridge/contracts';
import { canonicalAddress, findToken, type Chain } from '@tollbridge/chains';
import { inTime } from './chain-time';
import { planOf, warningsOfList, type PricedPayout } from './payout';
import { PayoutChains } from './payout-chains';
import { assumePayout, tryPayout } from './payout-gas';
import { priced } from './payout-view';
import { PayoutsRepository } from './payouts.repository';
import { batchesOf, deadlineOf, type Sending } from './sending/batch';
import { PayoutPrices } from './sending/payout-prices';
import { RelayerAccount } from './sending/relayer-account';

/** Prices payouts by simulating their transfers, and divides on-chain payouts into batches. */
@Injectable()
export class PayoutPricing {
  constructor(
    private readonly chains: PayoutChains,
    private readonly payouts: PayoutsRepository,
    private readonly account: RelayerAccount,
    private readonly prices: PayoutPrices,
  ) {}

  /** Prices a validated request. @param own wallet of the key: only earlier recipients of this wallet are compared */
  async price(request: PayoutRequest, chain: Chain, own: string): Promise<PricedPayout> {
    const rpc = this.chains.find(chain.id)?.rpc;
    const token = findToken(chain, request.token)!;
    const wallet = addressOn(chain, request.wallet);
    const plan = planOf(request, chain, token);
    const [tried, paidBefore] = await Promise.all([
      rpc ? inTime(tryPayout(rpc, wallet, token, plan.lines)) : assumePayout(chain, token, plan.lines),
      this.payouts.paidAlike(own, plan.lines),
    ]);
    const named = { wallet, chain: chain.id, token: token.symbol, decimals: token.decimals, plan };
    return { ...named, ...priced(named, tried, warningsOfList(plan.lines, { wallet, paidBefore })) };
  }

  /** Returns the on-chain part; null for a payout that is not sent on chain. */
  sendingOf(payout: PricedPayout, nowMs: number): Sending | null {
    const chain = this.chains.find(payout.chain)?.chain;
    if (!chain) return null;
    const { address, decimals } = findToken(chain, payout.token)!;
    const { payoutContract: contract } = chain;
    if (!this.account.isActive || contract === null || address === null) return null;
    const approveUntilMs = nowMs + this.account.options.approveWithinMs;
    const { totalAtomic, feeAtomic } = payout.plan;
    return {
      state: 'awaiting_approval',
      tokenAddress: address,
      contract,
      valueUsd: this.prices.usdOf(chain.id, { address, decimals }, totalAtomic + feeAtomic),
      deadline: deadlineOf(approveUntilMs),
      approveUntilMs,
      batches: batchesOf(payout.plan),
    };
  }
}

/** Returns the canonical form of an address, which must be valid. */
export function addressOn(chain: Chain, text: string): string {
  const read = canonicalAddress(chain, text);
  if (!read.ok) throw new Error('a payout was priced before it was validated');
  return read.address;
}
