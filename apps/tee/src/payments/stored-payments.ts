import { Inject, Injectable } from '@nestjs/common';
import {
  receiptDigest,
  type Outcome,
  type SettledOutcome,
  type VoidItem,
} from '@tollbridge/nanopay-protocol';
import { Clock } from '@tollbridge/database';
import { KeyedQueue } from '../ledger/keyed-queue';
import type { Ledger } from '../ledger/ledger';
import { isSameCall, isUnclaimed } from '../ledger/rules/live-nonces';
import type { CheckedPayment, Payment, ReceiptToSign } from '../ledger/rules/payment';
import { LedgerRepository } from '../ledger/storage/ledger.repository';
import { LedgerUnavailable, LedgerWriter } from '../ledger/storage/ledger-writer';
import { ReceiptKey } from '../signing/receipt-key';
import { committedOutcome, rejected, settledOutcome } from './outcomes';

/** Replays, claims and voids stored payments. */
@Injectable()
export class StoredPayments {
  /** Changes of stored payments, by confirmation id. */
  private readonly changing = new KeyedQueue();

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    private readonly key: ReceiptKey,
    @Inject(Clock) private readonly clock: Clock,
  ) {}

  /**
   * Returns the stored outcome to the same call. Serialised per payment, so that only one of several claims succeeds.
   */
  replay(checked: CheckedPayment): Promise<Outcome> {
    return this.changing.run(checked.confirmationId.toString('hex'), () => this.replayNow(checked));
  }

  /** Voids a payment. Serialised per payment, because the stored state must not change between read and decision. */
  void(item: VoidItem): Promise<Outcome> {
    return this.changing.run(item.confirmationId.toString('hex'), () => this.voidNow(item));
  }

  /**
   * Returns the outcome of a stored charge. Its receipt is signed again, because Ed25519 signatures are deterministic.
   */
  chargeOf(payment: Payment): SettledOutcome {
    return settledOutcome({ ...payment, receipt: this.signReceipt('charge', payment, payment) });
  }

  /** Returns the outcome of a stored void, with the receipt of its refund. */
  async refundOf(payment: Payment): Promise<SettledOutcome> {
    const refund = await this.repository.refund(payment);
    // A released hold has no receipt.
    if (!refund) return settledOutcome(payment);
    return settledOutcome(payment, { ...refund, receipt: this.signReceipt('refund', payment, refund) });
  }

  private async replayNow(checked: CheckedPayment): Promise<Outcome> {
    // A charge in the current commit is not in the database yet.
    await this.writer.committed();
    const stored = await this.repository.payment(checked.confirmationId);
    const payment = stored && isUnclaimed(stored, checked) ? await this.claim(stored, checked) : stored;
    const isSame = payment && isSameCall(payment, checked);
    if (checked.chargeAtomic === 0n)
      return isSame && payment.state === 'voided'
        ? this.refundOf(payment)
        : rejected('invalid_transaction_state');
    if (!isSame || payment.state !== 'captured') return rejected('duplicate_settlement');
    return this.chargeOf(payment);
  }

  /** Assigns the charge to this call. Until now, it belonged to a call without a key. */
  private async claim(stored: Payment, { callKey }: CheckedPayment): Promise<Payment> {
    const ledger = await this.writer.with([]);
    const payment = { ...stored, callKey };
    ledger.claim(payment);
    await this.writer.committed();
    return payment;
  }

  private async voidNow({ confirmationId, callKey }: VoidItem): Promise<Outcome> {
    // A charge in the current commit is not in the database yet.
    await this.writer.committed();
    const held = this.writer.ready().findHeld(confirmationId);
    const payment = held ?? (await this.repository.payment(confirmationId));
    if (!payment || !payment.callKey.equals(callKey)) return rejected('invalid_transaction_state');
    if (payment.state === 'voided') return this.refundOf(payment);
    const { payer, seller, session } = payment;
    const ledger: Ledger = await (session === undefined
      ? this.writer.with([payer, seller])
      : this.writer.withSession([payer, seller], session));
    if (payment.state === 'held' && ledger.findHeld(confirmationId) !== payment)
      throw new LedgerUnavailable('the hold changed after it was read');
    const decision = ledger.void(payment, callKey, this.clock.now());
    if (decision.kind === 'rejected') return rejected(decision.reason);
    return committedOutcome(decision, this.writer);
  }

  private signReceipt(
    type: 'charge' | 'refund',
    { digest: payment, chargedAtomic: amountAtomic }: Payment,
    { seq, unixMs, previousHead }: Pick<Payment, 'seq' | 'unixMs' | 'previousHead'>,
  ): ReceiptToSign {
    const digest = receiptDigest({ type, digest: payment, amountAtomic, seq, unixMs, previousHead });
    return { digest, signature: this.key.sign(digest) };
  }
}
