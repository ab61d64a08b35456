import { Inject, Injectable } from '@nestjs/common';
import {
  readPayment,
  receiptDigest,
  type ChargeItem,
  type FrameItem,
  type Outcome,
  type PaymentTerms,
  type Refusal,
  type SettledOutcome,
  type VoidItem,
} from '@tollbridge/nanopay-protocol';
import { Clock } from '@tollbridge/database';
import type { Logger } from '@tollbridge/observability';
import { ServiceConfig, ServiceLogger } from '@tollbridge/bootstrap';
import type { TeeConfig } from '../config';
import { EnclaveKey } from '../enclave/enclave-key';
import { Scope } from '../enclave/scope';
import { hasNoKey, rememberKey, type Account, type AccountKey } from './account';
import { checkedOf, misfitOf } from './checked-payment';
import {
  copyRefusal,
  type CheckedPayment,
  type Decision,
  type Ledger,
  type Payment,
  type ReceiptToSign,
  type Refund,
} from './ledger';
import { LedgerRepository } from './ledger.repository';
import { LedgerUnavailable, LedgerWriter } from './ledger-writer';
import { isSameCall } from './live-nonces';
import { NamedTurns } from './named-turns';
import { inspect } from './payment-checks';
import { provenKey } from './payer-key';
import { PaymentFigures } from './payment-figures';
import { PaymentProofs } from './payment-proofs';
import type { Session } from './sessions';

type Done = Extract<Decision, { kind: 'done' }>;

const tooLate = 'invalid_ton_nanopay_valid_before';
const unknown: Outcome = { status: 'unknown' };
const refused = (reason: Refusal, retryAfterS = 0, approvalId?: Buffer): Outcome => ({
  status: 'refused',
  reason,
  retryAfterS,
  approvalId,
});

/** Checks payments, has the ledger decide, and answers when it is on disk. */
@Injectable()
export class Payments {
  /** By payment. */
  private readonly voiding = new NamedTurns();
  private underWay = 0;

  constructor(
    private readonly writer: LedgerWriter,
    private readonly repository: LedgerRepository,
    private readonly scope: Scope,
    private readonly key: EnclaveKey,
    private readonly proofs: PaymentProofs,
    private readonly figures: PaymentFigures,
    @Inject(Clock) private readonly clock: Clock,
    @Inject(ServiceConfig) private readonly config: TeeConfig,
    @Inject(ServiceLogger) private readonly logger: Logger,
  ) {}

  /** Outcomes in the order of the items; each is durable, refused, or unknown. */
  process(items: readonly FrameItem[]): Promise<Outcome[]> {
    return Promise.all(items.map((item) => this.processOne(item)));
  }

  private async processOne(item: FrameItem): Promise<Outcome> {
    const startedMs = performance.now();
    // A database that does not answer would hold up more than fit into memory.
    const hasRoom = this.underWay < this.config.TEE_MAX_UNDER_WAY;
    const outcome = hasRoom ? await this.tryOne(item) : unknown;
    this.figures.count(outcome, performance.now() - startedMs);
    return outcome;
  }

  private async tryOne(item: FrameItem): Promise<Outcome> {
    this.underWay++;
    try {
      return item.kind === 'void' ? await this.void(item) : await this.charge(item);
    } catch (error) {
      if (!(error instanceof LedgerUnavailable)) this.logger.error({ err: error }, 'a payment failed');
      return unknown;
    } finally {
      this.underWay--;
    }
  }

  private async charge(item: ChargeItem): Promise<Outcome> {
    const terms = inspect(item, this.scope, this.clock.now() / 1000);
    if (terms === tooLate) return this.late(checkedOf(item, readPayment(item.payment)), item.kind);
    if (typeof terms === 'string') return refused(terms);
    const checked = checkedOf(item, terms);
    const objection = await this.check(item, terms, checked);
    if (objection) return objection;

    if (item.kind === 'check') return this.preview(checked);
    const ledger = await this.picture([checked.payer, checked.seller], checked.session);
    const decision = ledger.apply(checked, this.clock.now());
    return decision.kind === 'done' ? this.settled(decision) : this.outcomeOf(decision, checked);
  }

  /** Nothing more is charged, but who repeats his call learns what became of it. */
  private async late(checked: CheckedPayment, kind: ChargeItem['kind']): Promise<Outcome> {
    const known = this.writer.ready().nonces.find(checked.payer, checked.nonce);
    if (!known || !isSameCall(known, checked) || kind !== 'charge') return refused(tooLate);
    // A charge that is being written is not in the record yet.
    await this.writer.committed();
    const outcome = await this.repeated(checked.confirmationId, checked);
    return outcome.status === 'refused' ? refused(tooLate) : outcome;
  }

  private async preview(checked: CheckedPayment): Promise<Outcome> {
    const ledger = await this.picture([checked.payer], checked.session);
    const objection = ledger.preview(checked, this.clock.now());
    if (objection) return refused(objection.reason, objection.retryAfterS, objection.approvalId);
    return checkedOutcome(checked);
  }

  /** Whether it is signed by who pays. What costs little is asked first. */
  private async check(
    item: ChargeItem,
    terms: PaymentTerms,
    checked: CheckedPayment,
  ): Promise<Outcome | undefined> {
    const ledger = await this.writer.with([checked.payer]);
    const payer = ledger.account(checked.payer);
    const known = ledger.nonces.find(checked.payer, checked.nonce);
    // A copy of what was done costs neither a look at its signature nor one at the record.
    if (typeof known === 'string' && !isSameCall(known, checked)) return refused(copyRefusal(checked));
    if (!known && payer.available < checked.chargeAtomic) return refused('insufficient_funds');
    if (!known && ledger.nonces.isFull) return unknown;
    const misfit = misfitOf(item, terms);
    if (misfit) return refused(misfit);
    const { network } = this.scope.deployment;
    const key = payer.publicKey ?? (await provenKey(item, terms.from, network));
    if (!key || hasNoKey(payer)) return refused('invalid_ton_nanopay_unknown_key');
    const isNewKey = payer.publicKey === undefined;
    const objection = await this.proofs.objectionTo(item, terms, checked, { key, isNewKey });
    if (objection) return objection === 'unknown' ? unknown : refused(objection);
    if (isNewKey && item.kind !== 'check') await this.register(payer, key);
    return undefined;
  }

  private picture(keys: readonly AccountKey[], session: Session | undefined): Promise<Ledger> {
    return session ? this.writer.withSession(keys, session.key, session) : this.writer.with(keys);
  }

  /** Written with the payment that it was proven by, or with the next that succeeds. */
  private async register({ key }: Account, publicKey: Buffer): Promise<void> {
    const ledger = await this.writer.with([key]);
    rememberKey(ledger.account(key), publicKey);
  }

  private async outcomeOf(decision: Exclude<Decision, Done>, checked: CheckedPayment): Promise<Outcome> {
    if (decision.kind === 'repeat') return this.repeated(decision.confirmationId, checked);
    const { reason, retryAfterS, approvalId } = decision;
    // Who is told of a question must find it; and who is told of a copy, or of too little money, would be told what
    // never was if the charge that is the reason were lost.
    await this.writer.committed();
    return refused(reason, retryAfterS, approvalId);
  }

  /** As it was decided: what others decide while this is written is not on disk with it. */
  private async settled({ payment, refund }: Done): Promise<Outcome> {
    const outcome = settledOutcome(payment, refund);
    const { receipt } = refund ?? payment;
    await this.writer.committed();
    if (receipt) outcome.signature = receipt.signature!;
    return outcome;
  }

  /** What was answered to the same call before, from the record. */
  private async repeated(confirmationId: Buffer, checked: CheckedPayment): Promise<Outcome> {
    const payment = await this.repository.payment(confirmationId);
    const isSame = payment && isSameCall(payment, checked);
    if (checked.chargeAtomic === 0n)
      return isSame && payment.state === 'voided'
        ? this.refundedAgain(payment)
        : refused('invalid_transaction_state');
    if (!isSame || payment.state !== 'captured') return refused('duplicate_settlement');
    return this.signedAgain(payment);
  }

  /** A receipt of the record is signed anew: the signature of the same is the same. */
  async signedAgain(payment: Payment): Promise<Outcome> {
    return settledOutcome({ ...payment, receipt: this.receiptAgain('charge', payment, payment) });
  }

  /** One at a time for each payment: what the record says must not be read while another changes it. */
  private void(item: VoidItem): Promise<Outcome> {
    return this.voiding.take(item.confirmationId.toString('hex'), () => this.voidNow(item));
  }

  private async voidNow({ confirmationId, callKey }: VoidItem): Promise<Outcome> {
    // A charge that is being written is not in the record yet.
    await this.writer.committed();
    const held = this.writer.ready().findHeld(confirmationId);
    const payment = held ?? (await this.repository.payment(confirmationId));
    if (!payment || !payment.callKey.equals(callKey)) return refused('invalid_transaction_state');
    if (payment.state === 'voided') return this.refundedAgain(payment);
    const { payer, seller, session } = payment;
    const ledger: Ledger = await (session === undefined
      ? this.writer.with([payer, seller])
      : this.writer.withSession([payer, seller], session));
    if (payment.state === 'held' && ledger.findHeld(confirmationId) !== payment)
      throw new LedgerUnavailable('the hold has changed since it was read');
    const decision = ledger.void(payment, callKey, this.clock.now());
    if (decision.kind === 'refused') return refused(decision.reason);
    return this.settled(decision);
  }

  async refundedAgain(payment: Payment): Promise<Outcome> {
    const refund = await this.repository.refund(payment);
    // A hold that was let go has no receipt.
    if (!refund) return settledOutcome(payment);
    return settledOutcome(payment, { ...refund, receipt: this.receiptAgain('refund', payment, refund) });
  }

  private receiptAgain(
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

/** A hold has no receipt: its fields are zeros. */
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
