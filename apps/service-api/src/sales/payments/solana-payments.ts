import { Injectable } from '@nestjs/common';
import { facilitatorApi } from '@tollbridge/contracts';
import { BusClient, DomainError } from '@tollbridge/rpc';
import { createHash, randomBytes } from 'node:crypto';
import type { RefundAuthorization, Sale, SolanaRefund } from '../sale';
import { SolanaSales } from '../solana/open-solana';
import { WaysToPay } from '../ways-to-pay';
import type { SolanaWallet } from '../solana/solana-wallet';
import { facilitatorKeyOf, settleByFacilitator } from './facilitator-calls';
import { unpaid, type Refund, type SalePayments, type Settlement } from './sale-payments';

const refundTimeoutS = 60;

/**
 * `exact` on Solana. A refund is a payment from the sales wallet to the payer. A transaction is valid up to a block
 * height. After that height is final, a reply that nothing was sent is a proof.
 */
@Injectable()
export class SolanaPayments implements SalePayments {
  constructor(
    private readonly bus: BusClient,
    private readonly solana: SolanaSales,
    private readonly ways: WaysToPay,
  ) {}

  endOf(): Promise<{ lastHeight: number }> {
    return this.wallet.lastHeight().then((lastHeight) => ({ lastHeight }));
  }

  async settle(sale: Sale): Promise<Settlement> {
    const isFirst = sale.settleTries === 1;
    // Read before the call, so that a transaction that is sent during the call cannot succeed.
    const isOver = !isFirst && (await this.wallet.isPast(sale.payment.lastHeight!));
    const reply = await settleByFacilitator(this.bus, sale.payment, facilitatorKeyOf('settle', sale.id));
    if (!reply) return { kind: 'unknown' };
    if (reply.success) return { kind: 'settled', transaction: reply.transaction };
    // Only the facilitator of this deployment can send the transaction, for this call or for another one.
    const { state, transaction = '', amount = '0' } = await this.settlementOf(sale);
    if (state === 'final')
      return { kind: 'elsewhere', payment: { transaction, amountAtomic: BigInt(amount) } };
    if (state === 'sent' || state === 'settled') return { kind: 'unknown' };
    // An earlier attempt may not have reached the facilitator yet.
    return isFirst || isOver || reply.transaction !== ''
      ? unpaid(reply.errorReason, reply.errorMessage)
      : { kind: 'unknown' };
  }

  private settlementOf({ payment: { paymentPayload, paymentRequirements } }: Sale) {
    const { settlementOf } = facilitatorApi.operations;
    return this.bus.call(settlementOf, { paymentPayload, paymentRequirements });
  }

  async newRefund(sale: Sale): Promise<RefundAuthorization> {
    const { network, payer: to, asset: mint } = sale;
    const { kinds } = await this.bus.call(facilitatorApi.operations.facilitatedKinds, {});
    const kind = kinds.find((it) => it.scheme === 'exact' && it.network === network);
    const feePayer = kind?.extra?.['feePayer'];
    const way = await this.ways.find('exact', network, mint);
    if (typeof feePayer !== 'string' || !way)
      throw new DomainError('SERVICE_UNAVAILABLE', 'The facilitator does not settle on Solana at present.');
    const { decimals } = way;
    const amountAtomic = sale.refundAtomic!;
    const memo = `refund ${sale.id} ${randomBytes(8).toString('hex')}`;
    const signed = await this.wallet.signRefund({ feePayer, to, mint, amountAtomic, decimals, memo });
    return { ...signed, feePayer };
  }

  async refund(sale: Sale): Promise<Refund> {
    const refund = sale.refund as SolanaRefund | null;
    if (!refund) return { kind: 'expired' };
    const isOver = await this.wallet.isPast(refund.lastHeight);
    const hash = createHash('sha256').update(refund.transaction).digest('hex');
    const reply = await settleByFacilitator(
      this.bus,
      paymentOf(sale, refund),
      facilitatorKeyOf(`refund ${hash}`, sale.id),
    );
    if (!reply) return { kind: 'later' };
    if (reply.success) return { kind: 'refunded', transaction: reply.transaction };
    if (reply.errorReason === 'duplicate_settlement') return { kind: 'stuck' };
    // No block contains the transaction, or a final block contains it as failed. It can never be executed again.
    if (reply.transaction !== '')
      return { kind: neverPaid.includes(reply.errorReason) ? 'expired' : 'stuck' };
    return { kind: isOver ? 'expired' : 'later' };
  }

  private get wallet(): SolanaWallet {
    const { wallet } = this.solana;
    if (!wallet) throw new Error('sales are not paid on Solana');
    return wallet;
  }
}

const neverPaid: readonly unknown[] = ['authorization_expired', 'transaction_failed'];

/** Returns the same text each time, because the facilitator treats only equal payments as a retry. */
function paymentOf(sale: Sale, { transaction, feePayer }: SolanaRefund) {
  const requirements = {
    scheme: 'exact',
    network: sale.network,
    amount: String(sale.refundAtomic),
    asset: sale.asset,
    payTo: sale.payer,
    maxTimeoutSeconds: refundTimeoutS,
    extra: { feePayer },
  };
  return {
    paymentPayload: { x402Version: 2, accepted: requirements, payload: { transaction } },
    paymentRequirements: requirements,
  };
}
