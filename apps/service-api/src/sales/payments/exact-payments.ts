import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '@tollbridge/database';
import { BusClient } from '@tollbridge/rpc';
import { randomBytes } from 'node:crypto';
import type { RefundAuthorization, Sale, StoredPayment, TokenRefund } from '../sale';
import { WaysToPay } from '../ways-to-pay';
import { Authorizations } from './authorizations';
import { facilitatorKeyOf, settleByFacilitator } from './facilitator-calls';
import { unpaid, type Refund, type SalePayments, type Settlement } from './sale-payments';

const refundLifeS = 3_600;
// Tolerance for clock skew between this service and the chain.
const surelyExpiredS = 300;

/**
 * `exact` by EIP-3009. A refund is a payment from the sales wallet to the payer. The facilitator sends it like any
 * other payment, so this app sends no transactions.
 */
@Injectable()
export class ExactPayments implements SalePayments {
  constructor(
    private readonly bus: BusClient,
    private readonly ways: WaysToPay,
    private readonly authorizations: Authorizations,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  async settle(sale: Sale): Promise<Settlement> {
    const reply = await settleByFacilitator(this.bus, sale.payment, facilitatorKeyOf('settle', sale.id));
    if (!reply) return { kind: 'unknown' };
    if (reply.success) return { kind: 'settled', transaction: reply.transaction };
    const traced = await this.authorizations.trace(sale);
    if (traced.kind === 'paid') return { kind: 'elsewhere', payment: traced.payment };
    if (this.isOver(validBeforeOf(sale.payment)) && traced.kind !== 'unanswered')
      return unpaid(reply.errorReason, reply.errorMessage);
    // An earlier attempt or another call may still be in progress. Only the expiry of the authorization proves the
    // outcome.
    const isFirst = sale.settleTries === 1 && reply.errorReason !== 'duplicate_settlement';
    return traced.kind === 'unused' && (isFirst || reply.transaction !== '')
      ? unpaid(reply.errorReason, reply.errorMessage)
      : { kind: 'unknown' };
  }

  async newRefund(): Promise<RefundAuthorization> {
    const validBefore = Math.floor(this.clock.now() / 1_000) + refundLifeS;
    return { nonce: `0x${randomBytes(32).toString('hex')}`, validBefore };
  }

  async refund(sale: Sale): Promise<Refund> {
    const authorization = sale.refund as TokenRefund | null;
    if (!authorization) return { kind: 'expired' };
    const payment = await this.signed(sale, authorization);
    // Each authorization is settled with its own call key.
    const callKey = facilitatorKeyOf(`refund ${authorization.nonce}`, sale.id);
    const reply = await settleByFacilitator(this.bus, payment, callKey);
    if (!reply) return { kind: 'later' };
    if (reply.success) return { kind: 'refunded', transaction: reply.transaction };
    // The chain shows that the authorization was not used before its expiry.
    if (reply.errorReason === 'authorization_expired') return { kind: 'expired' };
    // The transfer was sent and failed. The authorization is public, so another account could use it until it expires.
    if (reply.transaction !== '' || reply.errorReason === 'duplicate_settlement') return { kind: 'stuck' };
    return { kind: this.isOver(authorization.validBefore) ? 'expired' : 'later' };
  }

  /** Returns the same text each time, because the facilitator treats only equal payments as a retry. */
  private async signed(sale: Sale, { nonce, validBefore }: TokenRefund): Promise<StoredPayment> {
    const { wallet } = this.ways;
    const paid = sale.payment.paymentRequirements;
    const { name, version } = paid.extra as { name: string; version: string };
    const authorization = {
      from: wallet.address,
      to: sale.payer,
      value: String(sale.refundAtomic),
      validAfter: '0',
      validBefore: String(validBefore),
      nonce,
    };
    const domain = {
      name,
      version,
      chainId: Number(sale.network.split(':')[1]),
      verifyingContract: paid.asset as string,
    };
    const signature = await wallet.signTypedData(domain, transferTypes, authorization);
    const requirements = {
      scheme: 'exact',
      network: sale.network,
      amount: authorization.value,
      asset: paid.asset,
      payTo: sale.payer,
      maxTimeoutSeconds: refundLifeS,
      extra: { name, version },
    };
    return {
      paymentPayload: { x402Version: 2, accepted: requirements, payload: { signature, authorization } },
      paymentRequirements: requirements,
    };
  }

  private isOver(validBeforeS: number): boolean {
    return this.clock.now() / 1_000 > validBeforeS + surelyExpiredS;
  }
}

const transferTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

function validBeforeOf({ paymentPayload }: StoredPayment): number {
  const { authorization } = paymentPayload.payload as { authorization: { validBefore?: unknown } };
  return Number(authorization.validBefore);
}
