import { Controller, Inject } from '@nestjs/common';
import {
  nanoChargesApi,
  type ChargeOffers,
  type ChargeOffersRequest,
  type ChargeRequest,
  type SettleReply,
  type VoidReply,
} from '@tollbridge/contracts';
import { DomainError, Handles } from '@tollbridge/rpc';
import { Clock } from '@tollbridge/database';
import {
  chargeItem,
  confirmationIdOf,
  digestOf,
  offersOf,
  paymentBytes,
  readPaymentPayload,
} from '@tollbridge/nanopay-protocol';
import { Deployed } from '../deployment/deployed';
import { LedgerClient } from '../ledger/ledger-client';
import { Receivers } from '../receivers/receivers';
import { readFacilitation } from '../verification/facilitation';
import { notSettled, settled } from '../verification/replies';

/** Charges and refunds nano-payments for sales of this deployment. The call key makes every call idempotent. */
@Controller()
@Handles(nanoChargesApi)
export class ChargesHandlers {
  constructor(
    private readonly ledger: LedgerClient,
    private readonly deployed: Deployed,
    private readonly receivers: Receivers,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  chargeOffers({ payTo: to, method }: ChargeOffersRequest): ChargeOffers {
    const offers = offersOf({ to, amountAtomic: 1n, maxTimeoutS: 1, method }, this.deployed.deployment);
    return { offers: offers.map((offer) => ({ ...offer })) };
  }

  async chargePayment({ callKey, ...payment }: ChargeRequest): Promise<SettleReply> {
    const { deployment } = this.deployed;
    const network = String(payment.paymentRequirements.network).slice(0, 128);
    const claimed = readFacilitation({ x402Version: undefined, ...payment }, deployment, this.nowS);
    if (typeof claimed === 'string') return notSettled(claimed, network);
    const { presented, terms, amountAtomic } = claimed;
    if (this.receivers.findProblem(terms.to) !== undefined)
      return notSettled('invalid_payment_requirements', network, terms.from);
    // Not supported, because each link of a chain or channel is charged under a call key of its own.
    if (presented.chain || presented.channel) return notSettled('unsupported_scheme', network, terms.from);
    const call = { kind: 'charge', callKey: Buffer.from(callKey, 'hex'), amountAtomic, holdS: 0 } as const;
    const outcome = await this.ledger.submit(chargeItem(presented, terms, call));
    return outcome.status === 'rejected'
      ? notSettled(outcome, network, terms.from)
      : settled(outcome, network, terms.from);
  }

  async voidCharge({ callKey, ...payment }: ChargeRequest): Promise<VoidReply> {
    const presented = readPaymentPayload(payment.paymentPayload);
    if (typeof presented === 'string') return { outcome: 'none' };
    // Validated as of its start, because a payment that has expired since may have been charged before.
    const nowS = Number(presented.validAfterS);
    const claimed = readFacilitation({ x402Version: undefined, ...payment }, this.deployed.deployment, nowS);
    if (typeof claimed === 'string') return { outcome: 'none' };
    const confirmationId = confirmationIdOf(digestOf(paymentBytes(claimed.terms)));
    const outcome = await this.ledger.submit({
      kind: 'void',
      callKey: Buffer.from(callKey, 'hex'),
      confirmationId: Buffer.from(confirmationId, 'hex'),
    });
    if (outcome.status === 'voided') return { outcome: 'refunded' };
    if (outcome.status === 'rejected' && outcome.reason === 'payment_paid_out')
      return { outcome: 'paid_out' };
    if (outcome.status === 'rejected' && outcome.reason === 'rate_limited')
      throw new DomainError('SERVICE_UNAVAILABLE', 'The payment ledger is busy.', { retryAfterSeconds: 1 });
    return { outcome: 'none' };
  }

  private get nowS(): number {
    return this.clock.now() / 1_000;
  }
}
