import { Inject, Injectable } from '@nestjs/common';
import {
  readPayment,
  receiptDigest,
  type ChargeItem,
  type FrameItem,
  type Outcome,
  type PaymentTerms,
  type Rejection,
  type SettledOutcome,
  type VoidItem,
} from '@tollbridge/nanopay-protocol';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { TeeConfig } from '../config';
import { ReceiptKey } from '../signing/receipt-key';
import { Scope } from '../signing/scope';
import { hasNoKey, setKeyIfUnset, type Account, type AccountKey } from '../ledger/rules/account';
import { checkGrantFields, toCheckedPayment } from './checked-payment';
import type { Ledger } from '../ledger/ledger';
import { copyRejection } from '../ledger/rules/rejections';
import type { CheckedPayment, Decision, Payment, ReceiptToSign, Refund } from '../ledger/rules/payment';
import { LedgerRepository } from '../ledger/storage/ledger.repository';
import { LedgerUnavailable, LedgerWriter } from '../ledger/storage/ledger-writer';
import { isSameCall, isUnclaimed } from '../ledger/rules/live-nonces';
import { KeyedQueue } from '../ledger/keyed-queue';
import { validatePayment } from './payment-checks';
import { ChannelSettlements } from './channel-settlements';
import { provenKey } from '../verification/payer-key';
import { PaymentFigures } from './payment-figures';
import { PaymentProofs } from './payment-proofs';
import type { Session } from '../ledger/rules/sessions';

type Done = Extract<Decision, { kind: 'done' }>;

const expired = 'invalid_ton_nanopay_valid_before';
const unknown: Outcome = { status: 'unknown' };
const rejected = (reason: Rejection, retryAfterS = 0, approvalId?: Buffer): Outcome => ({
  status: 'rejected',
  reason,
  retryAfterS,
  approvalId,
});

/** Verifies payments, lets the ledger decide, and answers after the commit. */
@Injectable()
export class Payments {
  /** Changes of stored payments, by confirmation id. */
  private readonly changing = new KeyedQueue();
  private inFlight = 0;

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    private readonly scope: Scope,
    private readonly key: ReceiptKey,
    private readonly proofs: PaymentProofs,
    private readonly figures: PaymentFigures,
    private readonly settlements: ChannelSettlements,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Outcomes in the order of the items; each is committed, rejected or unknown. */
  process(items: readonly FrameItem[]): Promise<Outcome[]> {
    return Promise.all(items.map((item) => this.processOne(item)));
  }

  private async processOne(item: FrameItem): Promise<Outcome> {
    const startedMs = performance.now();
    // A stalled database must not queue payments without bound.
    const hasRoom = this.inFlight < this.config.TEE_MAX_UNDER_WAY;
    const outcome = hasRoom ? await this.tryOne(item) : unknown;
    this.figures.count(outcome, performance.now() - startedMs);
    return outcome;
  }

  private async tryOne(item: FrameItem): Promise<Outcome> {
    this.inFlight++;
    try {
      if (item.kind === 'void') return await this.void(item);
      return item.kind === 'settle' ? await this.settlements.settle(item) : await this.charge(item);
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) this.logger.error({ err: error }, 'payment failed');
      return unknown;
    } finally {
      this.inFlight--;
    }
  }

  private async charge(item: ChargeItem): Promise<Outcome> {
    const terms = validatePayment(item, this.scope, this.clock.now() / 1000);
    if (terms === expired) return this.replayExpired(item, readPayment(item.payment));
    if (typeof terms === 'string') return rejected(terms);
    const checked = toCheckedPayment(item, terms);
    const rejection = await this.verify(item, terms, checked);
    if (rejection) return rejection;

    if (item.kind === 'check') return this.preview(checked);
    const ledger = await this.ledgerWith([checked.payer, checked.seller], checked.session);
    const decision = ledger.apply(checked, this.clock.now());
    return decision.kind === 'done' ? this.settled(decision) : this.outcomeOf(decision, checked);
  }

  /** An expired payment is charged no more, but its charge is replayed and can be claimed. */
  private async replayExpired(item: ChargeItem, terms: PaymentTerms): Promise<Outcome> {
    const checked = toCheckedPayment(item, terms);
    const known = this.writer.ready().nonces.find(checked.payer, checked.nonce);
    if (!known || item.kind !== 'charge') return rejected(expired);
    const isClaim = isUnclaimed(known, checked);
    if (!isClaim && !isSameCall(known, checked)) return rejected(expired);
    const rejection = isClaim ? await this.verify(item, terms, checked) : undefined;
    const outcome = rejection ?? (await this.replay(checked));
    return outcome.status === 'rejected' ? rejected(expired) : outcome;
  }

  private async preview(checked: CheckedPayment): Promise<Outcome> {
    const ledger = await this.ledgerWith([checked.payer], checked.session);
    const rejection = ledger.preview(checked, this.clock.now());
    if (rejection) return rejected(rejection.reason, rejection.retryAfterS, rejection.approvalId);
    return checkedOutcome(checked);
  }

  /** Why the payment is rejected before the ledger decides, if it is. Cheap checks come first. */
  private async verify(
    item: ChargeItem,
    terms: PaymentTerms,
    checked: CheckedPayment,
  ): Promise<Outcome | undefined> {
    const ledger = await this.writer.with([checked.payer]);
    const payer = ledger.account(checked.payer);
    const known = ledger.nonces.find(checked.payer, checked.nonce);
    // A copy of a finished payment needs neither a signature check nor a query.
    if (typeof known === 'string' && !isSameCall(known, checked) && !isUnclaimed(known, checked))
      return rejected(copyRejection(checked));
    if (!known && payer.available < checked.chargeAtomic) return rejected('insufficient_funds');
    if (!known && ledger.nonces.isFull) return unknown;
    const wrongGrant = checkGrantFields(item, terms);
    if (wrongGrant) return rejected(wrongGrant);
    const { network } = this.scope.deployment;
    const key = payer.publicKey ?? (await provenKey(item, terms.from, network));
    if (!key || hasNoKey(payer)) return rejected('invalid_ton_nanopay_unknown_key');
    const isNewKey = payer.publicKey === undefined;
    const rejection = await this.proofs.check(item, terms, checked, { key, isNewKey });
    if (rejection) return rejection === 'unknown' ? unknown : rejected(rejection);
    if (isNewKey && item.kind !== 'check') await this.register(payer, key);
    return undefined;
  }

  private ledgerWith(keys: readonly AccountKey[], session: Session | undefined): Promise<Ledger> {
    return session ? this.writer.withSession(keys, session.key, session) : this.writer.with(keys);
  }

  /** The key is stored with this payment, or with the next one that succeeds. */
  private async register({ key }: Account, publicKey: Buffer): Promise<void> {
    const ledger = await this.writer.with([key]);
    setKeyIfUnset(ledger.account(key), publicKey);
  }

  private async outcomeOf(decision: Exclude<Decision, Done>, checked: CheckedPayment): Promise<Outcome> {
    if (decision.kind === 'repeat') return this.replay(checked);
    const { reason, retryAfterS, approvalId } = decision;
    // An approval request must be stored before its id is returned, and the charge that explains a rejection must not
    // be lost.
    await this.writer.committed();
    return rejected(reason, retryAfterS, approvalId);
  }

  /** The outcome as decided: later decisions are not part of this commit. */
  private async settled({ payment, refund }: Done): Promise<Outcome> {
    const outcome = settledOutcome(payment, refund);
    const { receipt } = refund ?? payment;
    await this.writer.committed();
    if (receipt) outcome.signature = receipt.signature!;
    return outcome;
  }

  /** The stored answer to the same call. One at a time per payment, so that only one of several claims succeeds. */
  private replay(checked: CheckedPayment): Promise<Outcome> {
    return this.changing.run(checked.confirmationId.toString('hex'), () => this.replayNow(checked));
  }

  private async replayNow(checked: CheckedPayment): Promise<Outcome> {
    // A charge in the current commit is not in the database yet.
    await this.writer.committed();
    const stored = await this.repository.payment(checked.confirmationId);
    const payment = stored && isUnclaimed(stored, checked) ? await this.claim(stored, checked) : stored;
    const isSame = payment && isSameCall(payment, checked);
    if (checked.chargeAtomic === 0n)
      return isSame && payment.state === 'voided'
        ? this.storedRefund(payment)
        : rejected('invalid_transaction_state');
    if (!isSame || payment.state !== 'captured') return rejected('duplicate_settlement');
    return this.storedCharge(payment);
  }

  /** Only a call without a key has got the charge. It belongs to this call from now on. */
  private async claim(stored: Payment, { callKey }: CheckedPayment): Promise<Payment> {
    const ledger = await this.writer.with([]);
    const payment = { ...stored, callKey };
    ledger.claim(payment);
    await this.writer.committed();
    return payment;
  }

  /** Outcome of a stored charge. Its receipt is signed again: Ed25519 signatures are deterministic. */
  async storedCharge(payment: Payment): Promise<Outcome> {
    return settledOutcome({ ...payment, receipt: this.signReceipt('charge', payment, payment) });
  }

  /** One at a time per payment: the stored state must not change between the read and the decision. */
  private void(item: VoidItem): Promise<Outcome> {
    return this.changing.run(item.confirmationId.toString('hex'), () => this.voidNow(item));
  }

  private async voidNow({ confirmationId, callKey }: VoidItem): Promise<Outcome> {
    // A charge in the current commit is not in the database yet.
    await this.writer.committed();
    const held = this.writer.ready().findHeld(confirmationId);
    const payment = held ?? (await this.repository.payment(confirmationId));
    if (!payment || !payment.callKey.equals(callKey)) return rejected('invalid_transaction_state');
    if (payment.state === 'voided') return this.storedRefund(payment);
    const { payer, seller, session } = payment;
    const ledger: Ledger = await (session === undefined
      ? this.writer.with([payer, seller])
      : this.writer.withSession([payer, seller], session));
    if (payment.state === 'held' && ledger.findHeld(confirmationId) !== payment)
      throw new LedgerUnavailable('the hold changed after it was read');
    const decision = ledger.void(payment, callKey, this.clock.now());
    if (decision.kind === 'rejected') return rejected(decision.reason);
    return this.settled(decision);
  }

  async storedRefund(payment: Payment): Promise<Outcome> {
    const refund = await this.repository.refund(payment);
    // A released hold has no receipt.
    if (!refund) return settledOutcome(payment);
    return settledOutcome(payment, { ...refund, receipt: this.signReceipt('refund', payment, refund) });
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

const noSignature = Buffer.alloc(64);

const checkedOutcome = ({ digest, chargeAtomic }: CheckedPayment): Outcome => ({
  status: 'checked',
  digest,
  amountAtomic: chargeAtomic,
  seq: 0n,
  unixMs: 0n,
  previousHead: Buffer.alloc(32),
  signature: noSignature,
});

/** A hold has no receipt: the receipt fields are zeros. */
function settledOutcome(payment: Payment, refund?: Refund): SettledOutcome {
  const { seq, unixMs, previousHead, receipt } = refund ?? payment;
  const status = payment.state === 'held' ? 'held' : payment.state === 'captured' ? 'captured' : 'voided';
  return {
    status,
    digest: payment.digest,
    amountAtomic: payment.chargedAtomic,
    seq,
    unixMs,
    previousHead,
    signature: receipt?.signature ?? noSignature,
  };
}
