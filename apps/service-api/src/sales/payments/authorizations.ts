import { Inject, Injectable } from '@nestjs/common';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import { InconsistentChain, newestBefore, RpcError } from '@tollbridge/evm';
import type { Logger } from '@tollbridge/observability';
import { Interface } from 'ethers';
import { PayoutChains, type PayoutChain } from '../../payouts/payout-chains';
import type { Sale } from '../sale';
import type { SalesConfig } from '../settings';
import { receivedOnEvm } from '../unclaimed/evm-received';
import { WaysToPay } from '../ways-to-pay';

/**
 * The state of an EIP-3009 authorization on its chain. `unused`: in no block. `used`: cancelled, or in a block that may
 * still be dropped, or in a block that this node does not have. `unanswered`: the node does not answer.
 */
export type Traced =
  | { kind: 'unused' | 'used' | 'unanswered' }
  | { kind: 'paid'; payment: { transaction: string; amountAtomic: bigint } };

const token = new Interface([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
]);
// Tolerance for clock skew between chain and service.
const skewS = 120;

/**
 * Finds payments that any account has settled, because a signed authorization can be settled without the facilitator.
 */
@Injectable()
export class Authorizations {
  constructor(
    private readonly chains: PayoutChains,
    private readonly ways: WaysToPay,
    @Inject(ServiceConfig) private readonly config: Pick<SalesConfig, 'SALES_OFFER_SECONDS'>,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  async trace(sale: Sale): Promise<Traced> {
    const place = this.chains.find(sale.network);
    if (!place) return { kind: 'unanswered' };
    try {
      return (await this.isUsed(place, sale)) ? await this.findPayment(place, sale) : { kind: 'unused' };
    } catch (err) {
      if (!(err instanceof RpcError || err instanceof InconsistentChain)) throw err;
      this.logger.warn({ saleId: sale.id, err }, 'settlement of a sale not read from the chain, retrying');
      return { kind: 'unanswered' };
    }
  }

  private async isUsed({ rpc }: PayoutChain, { asset, payer, nonce }: Sale): Promise<boolean> {
    const data = token.encodeFunctionData('authorizationState', [payer, nonce]);
    return BigInt(await rpc.ethCall({ to: asset, data })) === 1n;
  }

  private async findPayment({ rpc, chain }: PayoutChain, sale: Sale): Promise<Traced> {
    const { network, asset, payer, nonce, createdAtMs } = sale;
    const head = await rpc.head();
    const toBlock = head.height - chain.confirmations + 1;
    // A payment cannot be older than its offer.
    const sinceS = Math.floor(createdAtMs / 1_000) - this.config.SALES_OFFER_SECONDS - skewS;
    const before = await newestBefore(rpc, sinceS, 0);
    const fromBlock = before?.height ?? 0;
    if (toBlock < fromBlock) return { kind: 'used' };
    const wallet = this.ways.wallet.address;
    const received = await receivedOnEvm(rpc, { network, asset, wallet, payer, fromBlock, toBlock });
    const payment = received.find((it) => it.nonce === nonce);
    return payment ? { kind: 'paid', payment } : { kind: 'used' };
  }
}
