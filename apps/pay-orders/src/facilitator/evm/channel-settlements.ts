import { Injectable } from '@nestjs/common';
import { codeOf } from '@tollbridge/evm';
import { x402BatchSettlementAddress } from '@tollbridge/onchain';
import { DomainError } from '@tollbridge/rpc';
import type { Authorization } from '../authorization';
import type { Settlement } from '../settlement';
import type { Rejection, SettlementDetails } from '../settlement-rail';
import { SettlementsRepository } from '../settlements.repository';
import { movedBy, readChannelCall, readChannelState, readClaimedTotals, readOwed } from './channel-contract';
import type { ChannelPayment } from './channel-payment';
import type { SettlementPlace } from './facilitator-account';

// After this time, a claim, settlement or refund without a block is abandoned, so that it does not block later ones.
const lifetimeS = 3_600;

/** Reads the channels of `batch-settlement` from the chain. */
@Injectable()
export class ChannelSettlements {
  private readonly deployed = new Set<string>();

  constructor(private readonly settlements: SettlementsRepository) {}

  /** Whether the channel contract is deployed on the chain. @throws RpcError */
  async isDeployed({ rpc, chain }: SettlementPlace): Promise<boolean> {
    if (this.deployed.has(chain.id)) return true;
    if ((await codeOf(rpc, x402BatchSettlementAddress)) === '0x') return false;
    this.deployed.add(chain.id);
    return true;
  }

  /** Completes the identity of a payment from the chain. @throws RpcError */
  async identify(
    place: SettlementPlace,
    { action, authorization }: ChannelPayment,
  ): Promise<Authorization | Rejection> {
    if (!(await this.isDeployed(place))) return { reason: 'unsupported_scheme' };
    if (action !== 'settle') return authorization;
    const { payTo, token } = authorization;
    const { owedAtomic, settledAtomic } = await readOwed(place.rpc, payTo, token);
    const nonce = `settle:${token}:${settledAtomic}`;
    const network = place.chain.id;
    if (owedAtomic === 0n) {
      // The earlier call that was answered as pending, or not at all.
      const before = await this.settlements.findUnanswered(network, authorization);
      return before ? { ...authorization, nonce: before.nonce } : { reason: nothingToSettle };
    }
    const known = await this.settlements.find(network, { ...authorization, nonce });
    if (known?.state === 'settled' || known?.state === 'final') throw laggingNode();
    return { ...authorization, nonce, amountAtomic: owedAtomic };
  }

  /** The amount and end of a transaction to claim. @throws RpcError */
  async prepare(
    { rpc }: SettlementPlace,
    { action, totals }: ChannelPayment,
    authorization: Authorization,
  ): Promise<Authorization | Rejection> {
    if (action === 'deposit') return authorization;
    const { timestamp } = await rpc.head();
    const bounded = { ...authorization, validBefore: timestamp + lifetimeS };
    if (action !== 'claim') return bounded;
    const claimed = await readClaimedTotals(
      rpc,
      totals.map(({ channelId }) => channelId),
    );
    const amountAtomic = totals
      .map(({ totalClaimed }, at) => totalClaimed - claimed[at]!)
      .filter((increase) => increase > 0n)
      .reduce((sum, increase) => sum + increase, 0n);
    // The contract would accept the call and do nothing, but the gas would be spent.
    return amountAtomic === 0n ? { reason: 'nothing_to_claim' } : { ...bounded, amountAtomic };
  }

  /** @throws RpcError */
  async describe({ rpc }: SettlementPlace, settlement: Settlement): Promise<SettlementDetails> {
    if (settlement.scheme !== 'batch-settlement') return {};
    const call = readChannelCall(settlement.network, settlement.data);
    if (call.name === 'claim') return {};
    const receipt = await rpc.receipt(settlement.txHash);
    if (!receipt) throw laggingNode();
    const amount = String(movedBy(call, receipt)[0] ?? 0n);
    if (call.name === 'settle') return { amount };
    const channelState = await readChannelState(rpc, call.channelId, receipt.height);
    return { amount, payer: call.payer, extra: { channelState } };
  }
}

const nothingToSettle = 'invalid_batch_settlement_evm_nothing_to_settle';

const laggingNode = (): DomainError =>
  new DomainError('SERVICE_UNAVAILABLE', 'The node lags behind the last settlement. Repeat the call.', {
    retryAfterSeconds: 2,
  });
